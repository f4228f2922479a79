"""Every shipped case passes through the FMU that this source tree builds."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import load_case
from harness.case.shipped import shipped_cases
from harness.command_line import main

# Mean of normal_force·|slip_velocity|, W: exact arcs of SDND104 (V5.01.104) at 30 digits.
EXACT_WEAR_POWER = {
    "sdnd104_a15": 15.2670995893716,
    "sdnd104_a15_to_11p99": 15.2575217939436,
    "sdnd104_a1p5": 0.409062451015709,
    "sdnd104_a1p01": 2.26164121279787e-4,
    "sdnd104_a0p99": 0.0,
}


def test_every_shipped_case_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["validate", "--out", str(tmp_path)])
    assert code == 0, capsys.readouterr().out


@pytest.mark.parametrize("name", shipped_cases())
def test_every_shipped_case_expects_something_and_is_explained(name: str) -> None:
    file = shipped_cases()[name]
    assert load_case(file).expectations
    assert (file.parent / "README.md").read_text(encoding="utf-8").startswith("# ")


@pytest.mark.parametrize("name", EXACT_WEAR_POWER)
def test_sdnd104_cases_expect_the_exact_wear_power(name: str) -> None:
    expectation = load_case(shipped_cases()[name]).expectations[0]
    assert (expectation.quantity, expectation.variable) == ("mean_rate", "wear_work")
    assert expectation.value == EXACT_WEAR_POWER[name]
    assert expectation.tolerance <= 1e-6 * expectation.value
