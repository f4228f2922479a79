"""Cost of a communication step in fmpy, compared with a slave without computation.

A step sets two inputs, calls doStep and reads three outputs, with preallocated C arrays. Rounds of
the variant, of the rigid prescribed law in slip, and of the empty slave alternate in a single
process. The results are the ratios of their medians. `docs/benchmarks.md` explains the table.
"""

import math
import shutil
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pythonfmu import FmuBuilder

from fmu_src.archive.builder import build_fmu

from .references.fmu_instance import FmuInstance

STEP = 1e-3
STEPS = 1000
ROUNDS = 15
INPUTS = ("base_acceleration", "base_acceleration_normal")
OUTPUTS = ("wear_power", "slip_velocity", "friction_force")

# Parameters, then amplitude along u [m/s2], frequency [Hz] and amplitude along w [m/s2] of the base
# acceleration.
Variant = tuple[dict[str, Any], float, float, float]

# A velocity at which slip never ends, so events do not occur.
SLIPPING = {"initial_velocity": 1e6}
SPRINGS = {"stiffness": 40.0, "damping": 1.0, "normal_stiffness": 40.0, "normal_damping": 1.0}

RIGID, PENALTY = 0, 1
WEAKENING = {"friction_coefficient_slow": 0.2, "friction_decay_velocity": 0.1}
NORMAL_LAWS: dict[str, dict[str, Any]] = {
    "prescribed": {"normal_law": 0},
    "penalty": {"normal_law": 1, "contact_stiffness": 1e4, "initial_gap": -1e-3},
    "rigid": {"normal_law": 2, "restitution": 0.5},
}


def law_variants() -> dict[str, Variant]:
    """Return all pairs of laws with one or two planes, without events and with many."""
    variants: dict[str, Variant] = {}
    for normal, parameters in NORMAL_LAWS.items():
        for tangential, law in (("rigid", RIGID), ("penalty", PENALTY)):
            # The prescribed law has only one plane.
            for planes in ("one plane", "two planes") if normal != "prescribed" else ("no plane",):
                pair = {**parameters, "tangential_law": law}
                if planes == "two planes":
                    pair.update(obstacle=1, plane_half_spacing=1e-3)
                name = f"{normal} × {tangential}, {planes}"
                variants[f"{name}, slip without event"] = ({**pair, **SLIPPING}, 0.5, 1.0, 0.0)
                variants[f"{name}, stick without event"] = (pair, 0.5, 1.0, 0.0)
                # At 50 Hz and 30 m/s2 in both directions, it bounces and reverses many times per
                # second.
                variants[f"{name}, events"] = (pair, 30.0, 50.0, 30.0)
    # The springs reverse it twice per second.
    for normal, parameters in NORMAL_LAWS.items():
        for tangential, law in (("rigid", RIGID), ("penalty", PENALTY)):
            variants[f"{normal} × {tangential}, springs and dampers, slip"] = (
                {**parameters, **SPRINGS, **SLIPPING, "tangential_law": law},
                0.5,
                1.0,
                0.0,
            )
    return variants


VARIANTS: dict[str, Variant] = {
    "SDND104 a0=15 (24 events in 12 s)": ({}, 15.0, 1.0, 0.0),
    "SDND104 a0=1.5 (48 events in 12 s)": ({}, 1.5, 1.0, 0.0),
    "SDND104 a0=15 with k=3e-5": ({"stiffness": 3e-5}, 15.0, 1.0, 0.0),
    "SDND104 a0=15 with viscous friction": ({"viscous_friction": 0.01}, 15.0, 1.0, 0.0),
    "SDND104 a0=15 with weakening friction": (WEAKENING, 15.0, 1.0, 0.0),
    "SDND104 a0=15 with weakening friction, penalised": (
        {**WEAKENING, "tangential_law": PENALTY},
        15.0,
        1.0,
        0.0,
    ),
    "SDND104 a0=15, penalised contact whose wear acts back": (
        {**NORMAL_LAWS["penalty"], "wear_feedback": True, "wear_time_scale": 1e3},
        15.0,
        1.0,
        0.0,
    ),
    "SDND104 a0=15, both penalised, wear acts back": (
        {
            **NORMAL_LAWS["penalty"],
            "tangential_law": PENALTY,
            "wear_feedback": True,
            "wear_time_scale": 1e3,
        },
        15.0,
        1.0,
        0.0,
    ),
    **law_variants(),
}


class Stepper:
    """An initialised instance and its base acceleration."""

    def __init__(self, instance: FmuInstance, amplitude: float, frequency: float, normal: float):
        self.instance = instance
        self.amplitude = amplitude
        self.normal_amplitude = normal
        self.angular_frequency = 2.0 * math.pi * frequency
        self.step = 0

    def run(self) -> None:
        """Take the next STEPS steps."""
        instance = self.instance
        slave, component, values = instance.slave, instance.slave.component, instance.input_values
        set_real, do_step, get_real = slave.fmi2SetReal, slave.fmi2DoStep, slave.fmi2GetReal
        for step in range(self.step, self.step + STEPS):
            sine = math.sin(self.angular_frequency * step * STEP)
            values[0] = self.amplitude * sine
            values[1] = self.normal_amplitude * sine
            set_real(component, instance.input_references, 2, values)
            do_step(component, step * STEP, STEP, 1)
            get_real(component, instance.output_references, 3, instance.output_values)
        self.step += STEPS

    def seconds(self) -> float:
        """Take the next STEPS steps and return the CPU seconds, which exclude other processes."""
        started = time.process_time()
        self.run()
        return time.process_time() - started


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FmuInstance]:
    folder = tmp_path_factory.mktemp("empty")
    script = folder / "empty_slave.py"
    shutil.copy(Path(__file__).with_name("empty_slave.py"), script)
    path = Path(FmuBuilder.build_FMU(script, dest=folder))
    instance = FmuInstance(
        path, folder / "unpacked", ["input_0", "input_1"], ["output_0", "output_1", "output_2"]
    )
    instance.start()
    yield instance
    instance.close()


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[FmuInstance]]:
    """Return two instances: one for the variant, and one for the law that it is compared with."""
    folder = tmp_path_factory.mktemp("ours")
    path = build_fmu("FrictionalShock", folder)
    instances = [FmuInstance(path, folder / name, INPUTS, OUTPUTS) for name in ("one", "two")]
    for instance in instances:
        instance.start()
    yield instances
    for instance in instances:
        instance.close()


def event_count(instance: FmuInstance) -> int:
    """Return the number of slips and shocks so far."""
    names = ("slip_count", "shock_count")
    references = [instance.variables[name].valueReference for name in names]
    return sum(instance.slave.getInteger(references))


@pytest.mark.parametrize("variant", VARIANTS)
def test_step_beside_an_empty_slave(benchmark, empty, ours, variant, capsys):
    parameters, amplitude, frequency, normal_amplitude = VARIANTS[variant]
    for instance, values in zip(ours, (parameters, SLIPPING), strict=True):
        instance.restart(**values)
    stepper = Stepper(ours[0], amplitude, frequency, normal_amplitude)
    plain = Stepper(ours[1], 0.5, 1.0, 0.0)
    nothing = Stepper(empty, amplitude, frequency, normal_amplitude)
    own_seconds: list[float] = []
    plain_seconds: list[float] = []
    empty_seconds: list[float] = []

    def run_others() -> None:
        empty_seconds.append(nothing.seconds())
        plain_seconds.append(plain.seconds())

    stepper.run()  # excludes the start
    events_before = event_count(ours[0])
    benchmark.pedantic(
        lambda: own_seconds.append(stepper.seconds()), setup=run_others, rounds=ROUNDS
    )
    events = (event_count(ours[0]) - events_before) / (ROUNDS * STEPS)
    own = statistics.median(own_seconds) / STEPS * 1e6
    rigid = statistics.median(plain_seconds) / STEPS * 1e6
    other = statistics.median(empty_seconds) / STEPS * 1e6
    benchmark.extra_info.update(
        {
            "µs a step": own,
            "µs a step, empty slave": other,
            "ratio to the empty slave": own / other,
            "ratio to the prescribed rigid law in slip": own / rigid,
            "slips and shocks a step": events,
        }
    )
    with capsys.disabled():
        print(
            f"\n{variant}: {own:.2f} µs a step, {own / other:.2f} × empty ({other:.2f} µs), "
            f"{own / rigid:.2f} × prescribed rigid in slip, {events:.3f} slips and shocks a step"
        )
    # Check that the events agree with the name of the variant.
    if "without event" in variant:
        assert events == 0.0
    elif variant.endswith("events"):
        assert events > 0.01
