"""Cost of one communication step through fmpy, beside a slave that does nothing.

A step: set one input, do the step, get three outputs, with C arrays made beforehand. Rounds of ours
and of the empty slave alternate in one process; the ratio of their medians is what counts.
"""

from __future__ import annotations

import ctypes
import math
import shutil
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fmpy
import pytest
from fmpy import fmi2
from pythonfmu import FmuBuilder

from fmu_src.builder import build_fmu

STEP = 1e-3
STEPS = 1000
ROUNDS = 40
OUTPUTS = ("wear_power", "slip_velocity", "friction_force")

# Name → parameters, amplitude of the support's acceleration [m/s2].
VARIANTS: dict[str, tuple[dict[str, Any], float]] = {
    "rigid, stick": ({}, 0.5),
    # A tangential load of the other sign than friction keeps it slipping for ever.
    "rigid, slip without event": ({"initial_velocity": 1e6}, 0.5),
    "rigid, SDND104 a0=15 (24 events in 12 s)": ({}, 15.0),
    "rigid, stick-slip a0=1.5 (24 events in 12 s)": ({}, 1.5),
    "rigid, slip with spring and damper": (
        {"initial_velocity": 1e6, "stiffness": 40.0, "damping": 1.0},
        0.5,
    ),
    "rigid, SDND104 a0=15 with k=3e-5": ({"stiffness": 3e-5}, 15.0),
}


class Stepper:
    """One initialised instance whose steps cost nothing but themselves."""

    def __init__(self, path: Path, folder: Path, outputs: tuple[str, ...], **values: float) -> None:
        description = fmpy.read_model_description(path)
        self.slave = fmi2.FMU2Slave(
            guid=description.guid,
            modelIdentifier=description.coSimulation.modelIdentifier,
            unzipDirectory=fmpy.extract(path, folder),
            instanceName="benchmark",
        )
        self.slave.instantiate()
        references = {v.name: v.valueReference for v in description.modelVariables}
        self.slave.setReal([references[n] for n in values], list(values.values()))
        self.slave.setupExperiment()
        self.slave.enterInitializationMode()
        self.slave.exitInitializationMode()
        self.input_reference = (ctypes.c_uint * 1)(0)
        self.input_value = (ctypes.c_double * 1)()
        self.output_references = (ctypes.c_uint * 3)(*(references[n] for n in outputs))
        self.output_values = (ctypes.c_double * 3)()
        self.step = 0

    def run(self, amplitude: float) -> None:
        slave, component = self.slave, self.slave.component
        set_real, do_step, get_real = slave.fmi2SetReal, slave.fmi2DoStep, slave.fmi2GetReal
        for step in range(self.step, self.step + STEPS):
            self.input_value[0] = amplitude * math.sin(2.0 * math.pi * step * STEP)
            set_real(component, self.input_reference, 1, self.input_value)
            do_step(component, step * STEP, STEP, 1)
            get_real(component, self.output_references, 3, self.output_values)
        self.step += STEPS


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("fmus")
    script = folder / "empty_slave.py"
    shutil.copy(Path(__file__).with_name("empty_slave.py"), script)
    return {
        "empty": Path(FmuBuilder.build_FMU(script, dest=folder)),
        "ours": build_fmu("FrictionalShock", folder),
    }


@pytest.mark.parametrize("variant", VARIANTS)
def test_step_beside_an_empty_slave(
    benchmark: Any,
    paths: dict[str, Path],
    tmp_path_factory: pytest.TempPathFactory,
    variant: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    parameters, amplitude = VARIANTS[variant]
    make: Callable[[str], Path] = tmp_path_factory.mktemp
    empty = Stepper(paths["empty"], make("empty"), ("output_0", "output_1", "output_2"))
    ours = Stepper(paths["ours"], make("ours"), OUTPUTS, **parameters)
    empty_seconds: list[float] = []

    def run_empty() -> None:
        started = time.perf_counter()
        empty.run(amplitude)
        empty_seconds.append(time.perf_counter() - started)

    benchmark.pedantic(ours.run, args=(amplitude,), setup=run_empty, rounds=ROUNDS)
    own = benchmark.stats.stats.median / STEPS * 1e6
    other = statistics.median(empty_seconds) / STEPS * 1e6
    benchmark.extra_info.update(
        {"µs a step": own, "µs a step, empty slave": other, "ratio": own / other}
    )
    with capsys.disabled():
        print(f"\n{variant}: {own:.2f} µs a step, empty {other:.2f} µs, ratio {own / other:.2f}")
    for one in (empty, ours):
        one.slave.terminate()
        one.slave.freeInstance()
