"""The Windows library runs: under Wine, with the Linux library's values."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import fmpy
import pytest

from fmu_src.native.native_builder import build_native_fmu

pytestmark = pytest.mark.campaign

HOST = Path(__file__).with_name("host.c")
OUTPUTS = (
    "normal_force",
    "friction_force",
    "relative_velocity",
    "wear_work",
    "relative_displacement",
    "gap",
    "peak_normal_force",
    "support_force_normal",
)
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


@pytest.mark.parametrize(
    ("start_values", "step_size", "steps", "amplitude", "order"),
    [
        ({}, 1e-3, 12_000, 15.0, 0),
        ({"input_extrapolation_order": 2}, 1e-3, 12_000, 1.01, 0),
        ({}, 1e-2, 1_200, 1.5, 3),
        (KNOCKING, 1e-3, 1_000, 15.0, 0),
    ],
    ids=["sdnd104", "extrapolated", "derivatives", "knocking"],
)
def test_the_windows_library_gives_the_linux_librarys_values(
    wine: str,
    tmp_path: Path,
    start_values: dict[str, Any],
    step_size: float,
    steps: int,
    amplitude: float,
    order: int,
) -> None:
    fmu = build_native_fmu(
        "FrictionalShock", tmp_path, ("linux64", "win64"), start_values=start_values
    )
    fmpy.extract(fmu, tmp_path / "fmu")
    description = fmpy.read_model_description(fmu)
    references = {one.name: str(one.valueReference) for one in description.modelVariables}
    arguments = [description.guid, repr(step_size), str(steps), str(amplitude), str(order), ":"]
    arguments += [references[name] for name in OUTPUTS]
    for target, host in (("x86_64-linux-gnu", "host"), ("x86_64-windows-gnu", "host.exe")):
        compiler = [sys.executable, "-m", "ziglang", "cc", "-target", target, "-O2"]
        subprocess.run([*compiler, "-o", host, str(HOST), "-lm"], cwd=tmp_path, check=True)
    linux = answers(["./host", "fmu/binaries/linux64/FrictionalShock.so", *arguments], tmp_path)
    windows = answers(
        [wine, "host.exe", "fmu/binaries/win64/FrictionalShock.dll", *arguments],
        tmp_path,
        WINEPREFIX=str(tmp_path / "prefix"),
        WINEDEBUG="-all",
    )
    assert any(value != 0.0 for value in linux)
    # The bits differ where the hosts' sines do, by one in 2e16; a run adds some thousand of them.
    assert windows == pytest.approx(linux, rel=1e-12, abs=1e-15)
