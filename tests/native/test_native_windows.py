"""The Windows library runs: under Wine, with the Linux library's values."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import fmpy
import pytest

from fmu_src.native.native_builder import build_native_fmu

pytestmark = pytest.mark.campaign

HOST = Path(__file__).with_name("host.c")
OUTPUTS = {
    "FrictionalShock": (
        "normal_force",
        "friction_force",
        "relative_velocity",
        "wear_work",
        "relative_displacement",
        "gap",
        "peak_normal_force",
        "support_force_normal",
    ),
    "DisChoc": ("displacement_x", "force_x", "force_y", "slip_y", "wear_work"),
    "BaseMotion": ("acceleration",),
}
# A penalised contact that swings, opens and closes, with friction: events of all kinds.
KNOCKING = {
    "normal_law": "penalty",
    "tangential_law": "penalty",
    "contact_stiffness": 1e5,
    "tangential_stiffness": 8e4,
    "normal_stiffness": 1e3,
    "initial_gap": 0.01,
}


@pytest.fixture(scope="module")
def wine() -> str:
    """The program that runs Windows programs."""
    found = shutil.which("wine64") or shutil.which("wine64", path="/usr/lib/wine")
    assert found is not None, "this test needs Wine (Debian: apt-get install wine64)"
    return found


def answers(command: list[str], folder: Path, **environment: str) -> list[float]:
    """What the host prints without the seconds."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return [float(word) for word in done.stdout.split()[:-1]]


@dataclass(frozen=True)
class Run:
    """A run of the host: its input is a sine of the amplitude, 0 for a slave that has no input."""

    model: str = "FrictionalShock"
    start_values: Mapping[str, Any] = field(default_factory=dict)
    step_size: float = 1e-3
    steps: int = 12_000
    amplitude: float = 15.0
    order: int = 0


@pytest.mark.parametrize(
    "run",
    [
        pytest.param(Run(), id="sdnd104"),
        pytest.param(
            Run(start_values={"input_extrapolation_order": 2}, amplitude=1.01), id="extrapolated"
        ),
        pytest.param(Run(step_size=1e-2, steps=1_200, amplitude=1.5, order=3), id="derivatives"),
        pytest.param(Run(start_values=KNOCKING, steps=1_000), id="knocking"),
        pytest.param(Run("DisChoc", steps=1_000, amplitude=-3.0), id="spring"),
        pytest.param(
            Run(
                "BaseMotion",
                {"kind": "table", "table": "0 0.1; 0.3 1e-300; 0.7 -2.5e3; 1.5 7"},
                steps=777,
                amplitude=0.0,
            ),
            id="table",
        ),
    ],
)
def test_the_windows_library_gives_the_linux_librarys_values(
    wine: str, tmp_path: Path, run: Run
) -> None:
    fmu = build_native_fmu(run.model, tmp_path, ("linux64", "win64"), start_values=run.start_values)
    fmpy.extract(fmu, tmp_path / "fmu")
    description = fmpy.read_model_description(fmu)
    references = {one.name: str(one.valueReference) for one in description.modelVariables}
    arguments = [description.guid, repr(run.step_size), str(run.steps)]
    arguments += [str(run.amplitude), str(run.order), ":"]
    arguments += [references[name] for name in OUTPUTS[run.model]]
    for target, host in (("x86_64-linux-gnu", "host"), ("x86_64-windows-gnu", "host.exe")):
        compiler = [sys.executable, "-m", "ziglang", "cc", "-target", target, "-O2"]
        subprocess.run([*compiler, "-o", host, str(HOST), "-lm"], cwd=tmp_path, check=True)
    libraries = tmp_path / "fmu" / "binaries"
    linux = answers(
        ["./host", str(libraries / "linux64" / f"{run.model}.so"), *arguments], tmp_path
    )
    windows = answers(
        # Wine's drive Z is the root.
        [wine, "host.exe", f"Z:{libraries}/win64/{run.model}.dll", *arguments],
        tmp_path,
        WINEPREFIX=str(tmp_path / "prefix"),
        WINEDEBUG="-all",
    )
    assert any(value != 0.0 for value in linux)
    # The bits differ where the hosts' sines do, by one in 2e16; a run adds some thousand of them.
    assert windows == pytest.approx(linux, rel=1e-12, abs=1e-15)
