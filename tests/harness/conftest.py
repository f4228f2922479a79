"""The toy FMU, and a case file that drives it."""

from __future__ import annotations

from pathlib import Path

import pytest
from pythonfmu.builder import FmuBuilder

GOOD_CASE = """\
[case]
title = "Toy"
source = "by hand"
fmu = "{fmu}"

[parameters]
gain = 2.0

[inputs.rate]
kind = "constant"
value = 3.0

[experiment]
stop_time = 1.0
step_size = 0.125

[[expect]]
quantity = "value"
variable = "total"
time = 1.0
value = 6.0
rtol = 0.0
source = "2·3·1"
reason = "sums of eighths are exact"
"""


@pytest.fixture(scope="session")
def toy_fmu(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The FMU built from toy_integrator.py."""
    script = Path(__file__).with_name("toy_integrator.py")
    return FmuBuilder.build_FMU(script, dest=tmp_path_factory.mktemp("toy"))


@pytest.fixture
def good_case(toy_fmu: Path) -> str:
    """Text of a case file that passes."""
    return GOOD_CASE.format(fmu=toy_fmu.as_posix())
