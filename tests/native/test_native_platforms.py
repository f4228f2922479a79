"""Libraries of other platforms return the bits of the Linux library, in FMI 2.0 and 3.0.

Wine runs the libraries of Windows, and qemu runs the libraries of Linux on ARM.
"""

import math
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
# A penalised contact that oscillates, opens and closes with friction, so that all events occur.
KNOCKING = {
    "normal_law": "penalty",
    "tangential_law": "penalty",
    "contact_stiffness": 1e5,
    "tangential_stiffness": 8e4,
    "normal_stiffness": 1e3,
    "initial_gap": 0.01,
}


@dataclass(frozen=True)
class Platform:
    """A platform of `wearfmu build --platform`, and the program that runs its hosts here."""

    # Folder of its library by version of FMI.
    folders: Mapping[int, str]
    suffix: str
    # Target of the compiler.
    target: str
    # Name of the host, and prefix of its paths.
    host: str = "host"
    root: str = ""
    # Programs that can run the host. The first installed one is used. Empty if no program is
    # needed.
    programs: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    packages: str = ""

    def runner(self) -> list[str]:
        """Return the program with its options."""
        if not self.programs:
            return []
        found = [program for program in map(shutil.which, self.programs) if program]
        assert found, (
            f"this test needs {self.programs[0]} (Debian: apt-get install {self.packages})"
        )
        return [found[0], *self.options]


LINUX = Platform({2: "linux64", 3: "x86_64-linux"}, ".so", "x86_64-linux-gnu")
PLATFORMS = {
    "win64": Platform(
        {2: "win64", 3: "x86_64-windows"},
        ".dll",
        "x86_64-windows-gnu",
        "host.exe",
        # Wine's drive Z is the root.
        "Z:",
        ("wine64", "/usr/lib/wine/wine64"),
        packages="wine64",
    ),
    "aarch64-linux": Platform(
        {2: "aarch64-linux", 3: "aarch64-linux"},
        ".so",
        "aarch64-linux-gnu",
        "host_arm",
        programs=("qemu-aarch64-static", "qemu-aarch64"),
        options=("-L", "/usr/aarch64-linux-gnu"),
        packages="qemu-user-static libc6-arm64-cross",
    ),
}


def answers(command: list[str], folder: Path, **environment: str) -> list[float]:
    """Return the numbers that the host prints, without the seconds."""
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
    """A run of the host. Its first input is a sine, or is not set if the amplitude is 0."""

    model: str = "FrictionalShock"
    start_values: Mapping[str, Any] = field(default_factory=dict)
    held_inputs: Mapping[str, float] = field(default_factory=dict)
    step_size: float = 1e-3
    steps: int = 12_000
    amplitude: float = 15.0
    order: int = 0


# The host sets derivatives of the input, which are not available in FMI 3.0. They are sines and
# cosines of the C library of the host.
DERIVATIVES = Run(step_size=1e-2, steps=1_200, amplitude=1.5, order=3)
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


def results(platform: str, run: Run, fmi: int, folder: Path) -> tuple[list[float], list[float]]:
    """Return outputs at the end of a run with the libraries of this machine and of the platform."""
    fmu = build_native_fmu(
        run.model, folder, ("linux64", platform), start_values=run.start_values, fmi=fmi
    )
    fmpy.extract(fmu, folder / "fmu")
    description = fmpy.read_model_description(fmu)
    references = {each.name: str(each.valueReference) for each in description.modelVariables}
    token = description.instantiationToken if fmi == 3 else description.guid
    arguments = [token, repr(run.step_size), str(run.steps), str(run.amplitude)]
    if fmi == 2:
        arguments.append(str(run.order))
    arguments += [f"{references[name]}={value!r}" for name, value in run.held_inputs.items()]
    arguments += [":", *(references[name] for name in OUTPUTS[run.model])]
    environment = {"WINEPREFIX": str(folder / "prefix"), "WINEDEBUG": "-all"}
    if not run.order:
        sines = [math.sin(math.tau * (i * run.step_size)) for i in range(run.steps)]
        (folder / "samples").write_text("\n".join(map(repr, sines)), encoding="utf-8")
        environment["SAMPLES"] = "samples"
    found = []
    for each in (LINUX, PLATFORMS[platform]):
        compiler = [sys.executable, "-m", "ziglang", "cc", "-target", each.target, "-O2"]
        command = [*compiler, "-o", each.host, str(HOSTS[fmi]), "-lm"]
        subprocess.run(command, cwd=folder, check=True)
        inside = f"{each.root}{folder}/fmu"
        files = [f"{inside}/binaries/{each.folders[fmi]}/{run.model}{each.suffix}"]
        # A host of FMI 3.0 needs the path of the resources.
        files += [f"{inside}/resources/"] if fmi == 3 else []
        program = [*each.runner(), f"./{each.host}"]
        found.append(answers([*program, *files, *arguments], folder, **environment))
    assert any(value != 0.0 for value in found[0])
    return found[0], found[1]


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("fmi", HOSTS)
@pytest.mark.parametrize("name", RUNS)
def test_the_library_of_another_platform_returns_the_same_bits(platform, fmi, name, tmp_path):
    linux, other = results(platform, RUNS[name], fmi, tmp_path)
    assert list(map(float.hex, other)) == list(map(float.hex, linux))


@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_library_of_another_platform_follows_derivatives_of_the_input(platform, tmp_path):
    linux, other = results(platform, DERIVATIVES, 2, tmp_path)
    # The sines of the hosts have a relative difference of 1/2e16, and a run adds some thousand of
    # them.
    assert other == pytest.approx(linux, rel=1e-12, abs=1e-15)
