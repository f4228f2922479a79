"""Cost of a step of the native FMU, the Python FMU and an empty FMU in C.

A step sets an input, calls doStep and reads three outputs. In fmpy, rounds of the three FMUs
alternate in a single process. In a C host, they run one after the other, and the time of the loop
(the sine) is subtracted. The result is the smallest CPU time of all rounds, because other processes
use the machine.
"""

import math
import subprocess
import sys
import time
import zipfile
from importlib.resources import files
from pathlib import Path
from typing import Any

import fmpy
import pytest

from fmu_src.archive.builder import build_fmu
from harness.fmu.python_library import host_environment
from tests.native_fmus import build_native_fmu

from .references.fmu_instance import FmuInstance

STEP = 1e-3
STEPS = 2000
ROUNDS = 20
OUTPUTS = ("wear_power", "slip_velocity", "friction_force")
HERE = Path(__file__).parent
TARGET = "x86_64-linux-gnu.2.17"
LIBRARY = "binaries/linux64/FrictionalShock.so"
# wear_power, slip_velocity, friction_force
REFERENCES = ("8", "6", "5")
HOST_STEPS = {"native": 400_000, "empty C": 400_000, "Python": 20_000}
HOST_ROUNDS = 5

WEAKENING = {"friction_coefficient_slow": 0.2, "friction_decay_velocity": 0.1}
WEARING = {
    "normal_law": 1,
    "contact_stiffness": 1e4,
    "initial_gap": -1e-3,
    "wear_feedback": True,
    "wear_time_scale": 1e3,
}
# Each with the amplitude of the base acceleration at 1 Hz [m/s2]. SDND104 at 15 m/s2 always slips.
VARIANTS: dict[str, tuple[dict[str, Any], float]] = {
    "rigid, stick": ({}, 0.5),
    "rigid, SDND104 a0=15": ({}, 15.0),
    "rigid, SDND104 a0=1.5": ({}, 1.5),
    "rigid, a0=15 with k=40 N/m": ({"stiffness": 40.0}, 15.0),
    "a0=15, viscous friction": ({"viscous_friction": 0.01}, 15.0),
    "a0=15, weakening friction": (WEAKENING, 15.0),
    "a0=15, weakening friction, penalised": ({**WEAKENING, "tangential_law": 1}, 15.0),
    "a0=15, wear acts back": (WEARING, 15.0),
    "a0=15, wear acts back, penalised friction": ({**WEARING, "tangential_law": 1}, 15.0),
}


def compile_c(source: Path, target: Path, *flags: str) -> Path:
    command = [sys.executable, "-m", "ziglang", "cc", "-target", TARGET, "-O2", "-w", *flags]
    subprocess.run([*command, str(source), "-o", str(target)], check=True, capture_output=True)
    return target


@pytest.fixture(scope="module")
def fmus(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Build the three FMUs. The empty one is the native one with another library."""
    folder = tmp_path_factory.mktemp("fmus")
    headers = f"-I{files('fmpy') / 'c-code'}"
    library = compile_c(
        HERE / "references" / "empty_slave.c", folder / "empty.so", "-shared", "-fPIC", headers
    )
    native, empty = build_native_fmu("FrictionalShock", folder), folder / "empty.fmu"
    with zipfile.ZipFile(native) as old, zipfile.ZipFile(empty, "w") as new:
        for name in old.namelist():
            new.writestr(name, library.read_bytes() if name == LIBRARY else old.read(name))
    return {"native": native, "empty C": empty, "Python": build_fmu("FrictionalShock", folder)}


def report(capsys: pytest.CaptureFixture[str], title: str, costs: dict[str, float]) -> None:
    ratio = costs["native"] / costs["empty C"]
    shown = ", ".join(f"{name} {cost:.3f}" for name, cost in costs.items())
    with capsys.disabled():
        print(f"\n{title}: µs a step: {shown}; native / empty C {ratio:.2f}")


@pytest.mark.parametrize("variant", VARIANTS)
def test_native_step_through_fmpy(benchmark, fmus, tmp_path_factory, capsys, variant):
    parameters, amplitude = VARIANTS[variant]
    wave = [amplitude * math.sin(2.0 * math.pi * step * STEP) for step in range(ROUNDS * STEPS)]
    seconds: dict[str, list[float]] = {name: [] for name in fmus}
    instances = {}
    for name, path in fmus.items():
        folder = tmp_path_factory.mktemp("extracted")
        instances[name] = FmuInstance(path, folder, ["base_acceleration"], OUTPUTS)
        instances[name].start(**parameters)

    def run(name: str) -> None:
        one = instances[name]
        slave, component, value = one.slave, one.slave.component, one.input_values
        set_real, do_step, get_real = slave.fmi2SetReal, slave.fmi2DoStep, slave.fmi2GetReal
        first = len(seconds[name]) * STEPS
        started = time.process_time()
        for step in range(first, first + STEPS):
            value[0] = wave[step]
            set_real(component, one.input_references, 1, value)
            do_step(component, step * STEP, STEP, 1)
            get_real(component, one.output_references, 3, one.output_values)
        seconds[name].append(time.process_time() - started)

    def run_others() -> None:
        run("empty C")
        run("Python")

    benchmark.pedantic(run, args=("native",), setup=run_others, rounds=ROUNDS)
    costs = {name: min(one) / STEPS * 1e6 for name, one in seconds.items()}
    benchmark.extra_info.update(costs)
    report(capsys, f"fmpy, {variant}", costs)
    for one in instances.values():
        one.close()


@pytest.mark.parametrize("variant", VARIANTS)
def test_native_step_in_a_c_host(benchmark, fmus, tmp_path_factory, capsys, variant):
    parameters, amplitude = VARIANTS[variant]
    folder = tmp_path_factory.mktemp("host")
    source = HERE.parent / "native" / "host.c"
    host = compile_c(source, folder / "host", "-lm", "-ldl")
    costs: dict[str, list[float]] = {name: [] for name in fmus}
    commands = {}
    for name, path in fmus.items():
        description = fmpy.read_model_description(path)
        marks = {"Real": "", "Boolean": "b"}
        references = {
            one.name: f"{one.valueReference}{marks.get(one.type, 'i')}"
            for one in description.modelVariables
        }
        extracted = Path(fmpy.extract(path, folder / name.replace(" ", "_")))
        commands[name] = [
            *(str(host), str(extracted / LIBRARY), description.guid, "1e-3"),
            *(str(HOST_STEPS[name]), str(amplitude), "0"),
            *(f"{references[key]}={float(value)}" for key, value in parameters.items()),
            *(":", *REFERENCES),
        ]

    def run(name: str) -> None:
        environment = host_environment() if name == "Python" else {}
        done = subprocess.run(
            commands[name], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        costs[name].append(float(done.stdout.split()[-1]) / HOST_STEPS[name] * 1e6)

    def run_others() -> None:
        run("empty C")
        run("Python")

    benchmark.pedantic(run, args=("native",), setup=run_others, rounds=HOST_ROUNDS)
    best = {name: min(one) for name, one in costs.items()}
    benchmark.extra_info.update(best)
    report(capsys, f"C host, {variant}", best)
