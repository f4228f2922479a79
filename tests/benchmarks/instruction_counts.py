"""Instructions of a step of the native FMUs, independent of the load of the machine.

    wearfmu build --native --out NOW
    wearfmu build --native --fmi 3 --out NOW
    python -m tests.benchmarks.instruction_counts NOW [BEFORE]

A step of 1 ms sets an input, calls doStep and gets three outputs. Callgrind counts these calls in
the C hosts of `tests/native`. The difference between two runs, divided by the difference of their
numbers of steps, excludes the initialisation. BEFORE contains the FMUs of another version, built in
the same way in a working copy of that version. Cases whose FMU is missing in NOW are skipped, such
as the tubes `one` and `three` of `docs/benchmarks.md`.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import fmpy

from .test_native_cost import WEAKENING, WEARING, compile_c

STEP = 1e-3
# The steps between the two runs are one period of the input.
STEPS = (1000, 2000)
HOSTS = Path(__file__).parents[1] / "native"
FUNCTIONS = {
    2: ("fmi2SetReal", "fmi2DoStep", "fmi2GetReal"),
    3: ("fmi3SetFloat64", "fmi3DoStep", "fmi3GetFloat64"),
}
SHOE = ("wear_power", "slip_velocity", "friction_force")
SPRING = ("wear_power", "slip_velocity", "force_y")


@dataclass(frozen=True)
class Case:
    """A run: its FMU, the amplitude of its input and its parameters and constant inputs."""

    fmu: str
    amplitude: float
    start: Mapping[str, Any] = field(default_factory=dict)
    input: str = "base_acceleration"
    outputs: tuple[str, ...] = SHOE
    noise: bool = False


def _spring(amplitude: float, **start: Any) -> Case:
    """Return a case of DisChoc, pressed on its plane and moved along it."""
    pressed = {"drive": 1, "imposed_displacement_x": -1.0, "contact_stiffness": 100.0}
    stiff = {"tangential_stiffness": 50.0, "elastic_stiffness": 1000.0}
    start = {**pressed, **stiff, **start}
    return Case("DisChoc", amplitude, start, "imposed_displacement_y", SPRING)


def _tube(fmu: str, amplitude: float, contact: str) -> Case:
    outputs = tuple(f"{contact}.{name}" for name in ("wear_power", "slip_velocity", "normal_force"))
    fed = "base_acceleration_y" if fmu == "ModalShock" else "load.flow_y"
    return Case(fmu, amplitude, {"input_timing": 1}, fed, outputs, noise=True)


RIGID = {"normal_law": 2, "restitution": 0.5}
SPRING_FRICTION = {"tangential_law": 1}
DAMPED = {"normal_law": 1, "contact_stiffness": 1e4, "contact_damping": 20.0}
UP = "base_acceleration_normal"
RATES = {"contact_damping": 1.0}
CASES = {
    "FrictionalShock, constant friction, stick": Case("FrictionalShock", 0.5),
    "FrictionalShock, SDND104 a0=15": Case("FrictionalShock", 15.0),
    "FrictionalShock, SDND104 a0=1.5": Case("FrictionalShock", 1.5),
    "FrictionalShock, friction spring, stick": Case("FrictionalShock", 0.5, SPRING_FRICTION),
    "FrictionalShock, friction spring, a0=15": Case("FrictionalShock", 15.0, SPRING_FRICTION),
    "FrictionalShock, weakening friction, a0=15": Case("FrictionalShock", 15.0, WEAKENING),
    "FrictionalShock, weakening friction, friction spring, a0=15": Case(
        "FrictionalShock", 15.0, {**WEAKENING, **SPRING_FRICTION}
    ),
    "FrictionalShock, wear feedback, a0=15": Case("FrictionalShock", 15.0, WEARING),
    "FrictionalShock, rigid contact, flight": Case(
        "FrictionalShock", 15.0, {**RIGID, "initial_gap": 100.0}
    ),
    "FrictionalShock, rigid contact, impacts": Case("FrictionalShock", 30.0, RIGID, UP),
    "FrictionalShock, penalised contact with damping, a0=15": Case("FrictionalShock", 15.0, DAMPED),
    "FrictionalShock, penalised contact with damping, impacts": Case(
        "FrictionalShock", 30.0, DAMPED, UP
    ),
    "FrictionalShock, penalised contact with damping, friction spring, impacts": Case(
        "FrictionalShock", 30.0, {**DAMPED, **SPRING_FRICTION}, UP
    ),
    "BaseMotion, sine": Case("BaseMotion", 0.0, outputs=("acceleration",)),
    "DisChoc, plane without rates, stick": _spring(0.1),
    "DisChoc, plane without rates, slip": _spring(5.0),
    "DisChoc, plane, C_N": _spring(5.0, **RATES),
    "DisChoc, plane, C_N and C_T": _spring(5.0, **RATES, tangential_damping=0.5),
    "DisChoc, plane, weakening": _spring(5.0, friction_coefficient=0.3, **WEAKENING),
    "DisChoc, plane, weakening and C_N": _spring(
        5.0, friction_coefficient=0.3, **WEAKENING, **RATES
    ),
    "ModalShock, default tube": _tube("ModalShock", 20.0, "support_1"),
    "ModalShock, tube, 1 contact": _tube("one", 300.0, "S1"),
    "ModalShock, tube, 3 contacts": _tube("three", 300.0, "S1"),
    "ModalShock, tube, 3 contacts, open": _tube("three", 1e-4, "S1"),
}


class Build:
    """The FMUs of a version, unpacked, and the hosts that run them."""

    def __init__(self, folder: Path, work: Path) -> None:
        self.folder = folder
        self.work = work
        for fmi, source in ((2, "host.c"), (3, "host3.c")):
            if not (work / f"host{fmi}").exists():
                compile_c(HOSTS / source, work / f"host{fmi}", "-lm", "-ldl")

    def path(self, fmu: str, fmi: int) -> Path:
        return self.folder / ("native" if fmi == 2 else "native/fmi3") / f"{fmu}.fmu"

    def command(self, case: Case, fmi: int) -> tuple[list[str], str]:
        """Return the words of the host, with "{steps}" for a number, and the input."""
        path = self.path(case.fmu, fmi)
        unpacked = self.work / f"{abs(hash(path))}"
        if not unpacked.exists():
            fmpy.extract(str(path), str(unpacked))
        description = fmpy.read_model_description(str(path))
        library = next(unpacked.glob("binaries/*linux*/*.so"))
        reference = {one.name: str(one.valueReference) for one in description.modelVariables}
        kinds = {"Real": "", "Float64": "", "Boolean": "b", "Enumeration": "i" if fmi == 2 else "e"}
        kind = {one.name: kinds.get(one.type, "i") for one in description.modelVariables}
        token = description.guid if fmi == 2 else description.instantiationToken
        resources = [] if fmi == 2 else [f"{unpacked}/resources/"]
        head = [str(self.work / f"host{fmi}"), str(library), *resources, token]
        words = [*head, str(STEP), "{steps}", str(case.amplitude), *(["0"] if fmi == 2 else [])]
        words += [f"{reference[key]}{kind[key]}={float(v)}" for key, v in case.start.items()]
        words += [":", *(reference[name] for name in case.outputs)]
        return words, reference.get(case.input, "0")

    def cost(self, case: Case, fmi: int) -> float:
        """Return the instructions per step."""
        words, given = self.command(case, fmi)
        environment = {**os.environ, "INPUT": given}
        if case.noise:
            samples = self.work / "samples.txt"
            numbers = random.Random(1)
            samples.write_text("\n".join(str(numbers.gauss(0.0, 1.0)) for _ in range(STEPS[1])))
            environment["SAMPLES"] = str(samples)
        counts = []
        for steps in STEPS:
            collected = [f"--toggle-collect={name}" for name in FUNCTIONS[fmi]]
            tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *collected]
            run = [*tool, *(word.replace("{steps}", str(steps)) for word in words)]
            done = subprocess.run(run, env=environment, capture_output=True, text=True, check=False)
            if done.returncode:
                raise RuntimeError(done.stderr)
            counts.append(int(re.search(r"Collected : (\d+)", done.stderr)[1]))  # type: ignore[index]
        return (counts[1] - counts[0]) / (STEPS[1] - STEPS[0])


def main(words: list[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.instruction_counts")
    parser.add_argument("now", type=Path)
    parser.add_argument("before", type=Path, nargs="?")
    parser.add_argument("--case", default="", help="only cases whose name contains this text")
    arguments = parser.parse_args(words)
    print("| FMI | case | before | now | % |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        now = Build(arguments.now.resolve(), Path(folder))
        before = Build((arguments.before or arguments.now).resolve(), Path(folder))
        for name, case in CASES.items():
            if arguments.case not in name or not now.path(case.fmu, 2).exists():
                continue
            for fmi in (2, 3):
                new, old = now.cost(case, fmi), before.cost(case, fmi)
                print(
                    f"| {fmi} | {name} | {old:.0f} | {new:.0f} | {100 * (new / old - 1):+.1f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main(sys.argv[1:])
