"""The Windows libraries run under Wine, by FMI 2.0 and 3.0, with the Linux libraries' values."""

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

from tests.native_fmus import build_native_fmu

pytestmark = pytest.mark.campaign

# By version of FMI.
HOSTS = {2: Path(__file__).with_name("host.c"), 3: Path(__file__).with_name("host3.c")}
FOLDERS = {2: ("linux64", "win64"), 3: ("x86_64-linux", "x86_64-windows")}
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
    "ModalShock": (
        "support_1.normal_force",
        "support_1.peak_normal_force",
        "support_1.wear_work",
        "support_2.friction_force_z",
        "support_2.peak_normal_force",
        "end.displacement_y",
        "wear_work",
        "kinetic_energy",
    ),
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
    program = shutil.which("wine64") or shutil.which("wine64", path="/usr/lib/wine")
    assert program is not None, "this test needs Wine (Debian: apt-get install wine64)"
    return program


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
    """A run of the host: its first input is a sine of the amplitude; 0 where none is set."""

    model: str = "FrictionalShock"
    start_values: Mapping[str, Any] = field(default_factory=dict)
    held_inputs: Mapping[str, float] = field(default_factory=dict)
    step_size: float = 1e-3
    steps: int = 12_000
    amplitude: float = 15.0
    order: int = 0


# Where the host gives derivatives of the input, which FMI 3.0 does not take from a host.
DERIVATIVES = pytest.param(
    Run(step_size=1e-2, steps=1_200, amplitude=1.5, order=3), 2, id="derivatives"
)
RUNS = {
    "sdnd104": Run(),
    "extrapolated": Run(start_values={"input_extrapolation_order": 2}, amplitude=1.01),
    "knocking": Run(start_values=KNOCKING, steps=1_000),
    "spring": Run("DisChoc", steps=1_000, amplitude=-3.0),
    "table": Run(
        "BaseMotion",
        {"kind": "table", "table": "0 0.1; 0.3 1e-300; 0.7 -2.5e3; 1.5 7"},
        steps=777,
        amplitude=0.0,
    ),
    # A tube that is pulled into its supports and slides along them.
    "structure": Run(
        "ModalShock",
        held_inputs={"base_acceleration_y": 20.0, "base_acceleration_z": 7.0},
        step_size=1e-4,
        steps=1_000,
        amplitude=0.0,
    ),
}


@pytest.mark.parametrize(
    ("run", "fmi"),
    [
        *(
            pytest.param(run, fmi, id=f"{name}-fmi{fmi}")
            for name, run in RUNS.items()
            for fmi in HOSTS
        ),
        DERIVATIVES,
    ],
)
def test_the_windows_library_gives_the_linux_librarys_values(wine, tmp_path, run, fmi):
    fmu = build_native_fmu(
        run.model, tmp_path, ("linux64", "win64"), start_values=run.start_values, fmi=fmi
    )
    fmpy.extract(fmu, tmp_path / "fmu")
    description = fmpy.read_model_description(fmu)
    references = {one.name: str(one.valueReference) for one in description.modelVariables}
    token = description.instantiationToken if fmi == 3 else description.guid
    arguments = [token, repr(run.step_size), str(run.steps), str(run.amplitude)]
    if fmi == 2:
        arguments.append(str(run.order))
    arguments += [f"{references[name]}={value!r}" for name, value in run.held_inputs.items()]
    arguments += [":", *(references[name] for name in OUTPUTS[run.model])]
    for target, host in (("x86_64-linux-gnu", "host"), ("x86_64-windows-gnu", "host.exe")):
        compiler = [sys.executable, "-m", "ziglang", "cc", "-target", target, "-O2"]
        subprocess.run([*compiler, "-o", host, str(HOSTS[fmi]), "-lm"], cwd=tmp_path, check=True)

    def files(root: str, folder: str, suffix: str) -> list[str]:
        """The library, and what a host of FMI 3.0 is told of its resources."""
        inside = f"{root}{tmp_path}/fmu"
        library = f"{inside}/binaries/{folder}/{run.model}{suffix}"
        return [library] if fmi == 2 else [library, f"{inside}/resources/"]

    linux_folder, windows_folder = FOLDERS[fmi]
    linux = answers(["./host", *files("", linux_folder, ".so"), *arguments], tmp_path)
    windows = answers(
        # Wine's drive Z is the root.
        [wine, "host.exe", *files("Z:", windows_folder, ".dll"), *arguments],
        tmp_path,
        WINEPREFIX=str(tmp_path / "prefix"),
        WINEDEBUG="-all",
    )
    assert any(value != 0.0 for value in linux)
    # The bits differ where the hosts' sines do, by one in 2e16; a run adds some thousand of them.
    assert windows == pytest.approx(linux, rel=1e-12, abs=1e-15)
