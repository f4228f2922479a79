"""Our methods for the mean wear power: the FMU, and the API, interpreted and compiled.

The FMU receives its input at communication points and extrapolates it. The API accepts a polynomial
of the input over a step (`step_polynomial`). Here it is the Taylor polynomial of the sine, so steps
can be a large part of a period. A record run uses samples and is compiled.
"""

from __future__ import annotations

import ctypes
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from wearmodel import FrictionalShock, FrictionalShockParameters, TangentialLaw
from wearmodel.batch.record_runs import run_records
from wearmodel.compiled.run_library import runs_of

from .fmu_instance import FmuInstance
from .method import Method, Setting, geometric
from .shoe import (
    ANGULAR_FREQUENCY,
    PERIODS,
    TANGENTIAL_STIFFNESS,
    WEAK_SPRING,
    WINDOW_END,
    WINDOW_START,
)

PENALISED = {
    "stiffness": WEAK_SPRING,
    "tangential_law": TangentialLaw.penalty,
    "tangential_stiffness": TANGENTIAL_STIFFNESS,
}
"""Parameters of the penalised model that differ from the defaults, the rigid model of SDND104."""

_SAMPLED_STEPS = geometric(100, 2.0**0.25, 6400)
_SAMPLED_LADDERS = [
    [{"order": order, "steps a period": steps} for steps in _SAMPLED_STEPS] for order in (2, 3)
]
_POLYNOMIAL_LADDERS = [
    [
        {"degree": degree, "steps a period": steps}
        for steps in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96)
    ]
    for degree in (5, 7, 9, 11, 13, 15)
]
_DERIVATIVE_LADDERS = [
    [{"derivatives": orders, "steps a period": steps} for steps in (1, 2, 3, 4, 6, 8, 12, 16, 24)]
    for orders in (7, 11, 15)
]
_RECORD_LADDERS = [
    [{"between": between, "order": order, "steps a period": steps} for steps in _SAMPLED_STEPS]
    for between, order in (("linear", 0), ("extrapolated", 2), ("extrapolated", 3))
]


def _mean_power(work_at_start: float, work_at_end: float) -> float:
    return (work_at_end - work_at_start) / (WINDOW_END - WINDOW_START)


class ThroughTheFmu:
    """An instance in fmpy: set the acceleration, do the step, read wear work at 4 and 12 s."""

    def __init__(self, path: Path, folder: Path, **parameters: Any) -> None:
        self.instance = FmuInstance(path, folder, ["base_acceleration"], ["wear_work"])
        self.parameters = parameters
        self.method = Method(
            "ours, FMU",
            "FMU",
            _SAMPLED_LADDERS,
            self.solve,
            self.seconds,
            search=_record_search(**parameters),
        )
        self.restart(2)

    def restart(self, order: int) -> None:
        """Reset the instance to t = 0."""
        self.instance.restart(**self.parameters, input_extrapolation_order=order)

    def play(self, amplitude: float, steps_per_period: int) -> float:
        """Run from t = 0 and return the mean wear power [W]."""
        instance = self.instance
        slave, component = instance.slave, instance.slave.component
        set_real, do_step, get_real = slave.fmi2SetReal, slave.fmi2DoStep, slave.fmi2GetReal
        reference, value = instance.input_references, instance.input_values
        size = 1.0 / steps_per_period
        wear_work = []
        begin = 0
        for periods in (int(WINDOW_START), PERIODS):
            for step in range(begin, periods * steps_per_period):
                value[0] = amplitude * math.sin(ANGULAR_FREQUENCY * step * size)
                set_real(component, reference, 1, value)
                do_step(component, step * size, size, 1)
            begin = periods * steps_per_period
            get_real(component, instance.output_references, 1, instance.output_values)
            wear_work.append(instance.output_values[0])
        return _mean_power(*wear_work)

    def solve(self, amplitude: float, setting: Setting) -> float:
        """Reset, run, and return the mean wear power [W]."""
        self.restart(setting["order"])
        return self.play(amplitude, setting["steps a period"])

    def seconds(self, amplitude: float, setting: Setting) -> float:
        """Return the CPU seconds of a run without the reset."""
        self.restart(setting["order"])
        started = time.process_time()
        self.play(amplitude, setting["steps a period"])
        return time.process_time() - started


class ByDerivatives:
    """The native FMU with the derivatives of the sine in each step."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.instance = FmuInstance(path, folder, ["base_acceleration"], ["wear_work"])
        self.method = Method(
            "ours, native FMU, derivatives", "FMU", _DERIVATIVE_LADDERS, self.solve
        )
        self.instance.start()

    def solve(self, amplitude: float, setting: Setting) -> float:
        """Reset, run, and return the mean wear power [W]."""
        instance = self.instance
        instance.restart()
        slave, component = instance.slave, instance.slave.component
        reference, value = instance.input_references, instance.input_values
        orders = setting["derivatives"]
        scales = [amplitude * ANGULAR_FREQUENCY**j for j in range(1, orders + 1)]
        references = (ctypes.c_uint * orders)(*[reference[0]] * orders)
        numbers = (ctypes.c_int * orders)(*range(1, orders + 1))
        slopes = (ctypes.c_double * orders)()
        steps_per_period = setting["steps a period"]
        size = 1.0 / steps_per_period
        wear_work = []
        begin = 0
        for periods in (int(WINDOW_START), PERIODS):
            for step in range(begin, periods * steps_per_period):
                phase = ANGULAR_FREQUENCY * step * size
                sine, cosine = math.sin(phase), math.cos(phase)
                turned = (cosine, -sine, -cosine, sine)
                slopes[:] = [scale * turned[j % 4] for j, scale in enumerate(scales)]
                value[0] = amplitude * sine
                slave.fmi2SetReal(component, reference, 1, value)
                slave.fmi2SetRealInputDerivatives(component, references, orders, numbers, slopes)
                slave.fmi2DoStep(component, step * size, size, 1)
            begin = periods * steps_per_period
            slave.fmi2GetReal(component, instance.output_references, 1, instance.output_values)
            wear_work.append(instance.output_values[0])
        return _mean_power(*wear_work)


def interpreted_samples(**parameters: Any) -> Method:
    """Return the method `FrictionalShock.step`, which is the same computation without FMI."""

    def solve(amplitude: float, setting: Setting) -> float:
        steps_per_period = setting["steps a period"]
        shoe = FrictionalShock(
            FrictionalShockParameters(**parameters, input_extrapolation_order=setting["order"])
        )
        size = 1.0 / steps_per_period
        for step in range(4 * steps_per_period):
            shoe.step(size, amplitude * math.sin(ANGULAR_FREQUENCY * step * size))
        work_at_start = shoe.outputs()["wear_work"]
        for step in range(4 * steps_per_period, PERIODS * steps_per_period):
            shoe.step(size, amplitude * math.sin(ANGULAR_FREQUENCY * step * size))
        return _mean_power(work_at_start, shoe.outputs()["wear_work"])

    return Method(
        "ours, API, samples",
        "interpreted",
        _SAMPLED_LADDERS,
        solve,
        search=_record_search(**parameters),
    )


def interpreted_polynomials(**parameters: Any) -> Method:
    """Return the method `FrictionalShock.step_polynomial` with Taylor polynomials of the sine."""
    checked = FrictionalShockParameters(**parameters)

    def solve(amplitude: float, setting: Setting) -> float:
        steps_per_period, degree = setting["steps a period"], setting["degree"]
        shoe = FrictionalShock(checked)
        scales = _taylor_scales(amplitude, degree)
        size = 1.0 / steps_per_period
        work_at_start = 0.0
        for step in range(PERIODS * steps_per_period):
            if step == 4 * steps_per_period:
                work_at_start = shoe.outputs()["wear_work"]
            phase = ANGULAR_FREQUENCY * step * size
            sine, cosine = math.sin(phase), math.cos(phase)
            turns = (sine, cosine, -sine, -cosine)
            shoe.step_polynomial(
                size, base_acceleration=[scale * turns[j & 3] for j, scale in enumerate(scales)]
            )
        return _mean_power(work_at_start, shoe.outputs()["wear_work"])

    search = (
        compiled_polynomials(**parameters).solve if runs_of("FrictionalShock").is_compiled else None
    )
    return Method(
        "ours, API, polynomials", "interpreted", _POLYNOMIAL_LADDERS, solve, search=search
    )


def compiled_samples(**parameters: Any) -> Method:
    """Return the method `run_records` with samples of the sine."""

    def solve(amplitude: float, setting: Setting) -> float:
        steps_per_period = setting["steps a period"]
        size = 1.0 / steps_per_period
        times = np.arange(PERIODS * steps_per_period + 1) * size
        runs = run_records(
            FrictionalShockParameters(**parameters, input_extrapolation_order=setting["order"]),
            size,
            base_acceleration=amplitude * np.sin(ANGULAR_FREQUENCY * times),
            between_samples=setting["between"],
            histories=("wear_work",),
        )
        work = runs.histories["wear_work"]
        return _mean_power(float(work[4 * steps_per_period]), float(work[-1]))

    return Method("ours, API, record run", "compiled", _RECORD_LADDERS, solve)


def compiled_polynomials(**parameters: Any) -> Method:
    """Return the method `run_records` with derivatives of the sine at the start of each step."""
    checked = FrictionalShockParameters(**parameters)

    def solve(amplitude: float, setting: Setting) -> float:
        steps_per_period, degree = setting["steps a period"], setting["degree"]
        times = np.arange(PERIODS * steps_per_period + 1) / steps_per_period
        orders = np.arange(1, degree + 1)[:, None]
        turned = ANGULAR_FREQUENCY * times + 0.5 * np.pi * orders
        runs = run_records(
            checked,
            1.0 / steps_per_period,
            base_acceleration=amplitude * np.sin(ANGULAR_FREQUENCY * times),
            between_samples="derivatives",
            derivatives={
                "base_acceleration": amplitude * ANGULAR_FREQUENCY**orders * np.sin(turned)
            },
            histories=("wear_work",),
        )
        work = runs.histories["wear_work"]
        return _mean_power(float(work[int(WINDOW_START) * steps_per_period]), float(work[-1]))

    return Method("ours, API, polynomials", "compiled", _POLYNOMIAL_LADDERS, solve)


def compiled_methods(**parameters: Any) -> list[Method]:
    """Return the compiled methods, or an empty list if compilation is not possible."""
    if not runs_of("FrictionalShock").is_compiled:
        return []
    return [compiled_samples(**parameters), compiled_polynomials(**parameters)]


def _record_search(**parameters: Any) -> Callable[[float, Setting], float] | None:
    """Return an extrapolated record run, which gives the bits of the FMU."""
    if not runs_of("FrictionalShock").is_compiled:
        return None
    solve = compiled_samples(**parameters).solve
    return lambda amplitude, setting: solve(amplitude, {"between": "extrapolated", **setting})


def _taylor_scales(amplitude: float, degree: int) -> list[float]:
    """Return a0 ω^j/j!, the factors of sin, cos, −sin, −cos of the phase."""
    return [amplitude * ANGULAR_FREQUENCY**j / math.factorial(j) for j in range(degree + 1)]
