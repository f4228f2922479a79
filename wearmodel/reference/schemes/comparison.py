"""Wear power of SDND104 by the classical schemes: recorded, computed and exact.

The recorded runs compare the schemes of this package with another program. The errors at any
amplitude are relative to rigid friction without a spring, in closed form. The schemes integrate
penalised friction on a weak spring. The remaining error of a converged scheme is the difference of
the two models, which is also the error of FrictionalShock with penalised friction.

The convergence shows how EULER tends to the documents' discrete law as its step shrinks. This limit
was computed with closed-form arcs of the velocity-direction law (SDND104's shoe, exact sine, one
undivided window [4, 12] s). Over 8 blocks there would be no such limit: each step leaves out seven
intervals of its own.
"""

from __future__ import annotations

import math
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np

from ...kernel.shoe.parameters import FrictionalShockParameters, TangentialLaw
from ...models.frictional_shock import FrictionalShock
from ..closed_forms import RubbingShoe
from .march import march
from .rubbing_shoe import (
    ANGULAR_FREQUENCY,
    FRICTION_COEFFICIENT,
    GRAVITY,
    MASS,
    STIFFNESS,
    TANGENTIAL_STIFFNESS,
    WINDOW_END,
    WINDOW_START,
    mean_wear_power,
    rubbing_shoe,
)
from .tableau import ADAPT_1, ADAPT_2, BOGACKI_SHAMPINE_32, DEVOGE, DORMAND_PRINCE_54, EULER

SCHEMES = {
    "EULER": EULER,
    "ADAPT 1": ADAPT_1,
    "ADAPT 2": ADAPT_2,
    "DEVOGE": DEVOGE,
    "RUNGE_KUTTA 3(2)": BOGACKI_SHAMPINE_32,
    "RUNGE_KUTTA 5(4)": DORMAND_PRINCE_54,
}

BLOCKS = 8  #: Blocks of the window over which the recorded means were taken.

#: Time steps compared [s]. EULER is unstable above the first.
STEP_SIZES = (2e-4, 1e-4, 5e-5, 2.5e-5)
MODEL_STEP_SIZES = (1e-2, 1e-3)  #: Communication steps of FrictionalShock [s].

DISCRETE_LAW_LIMITS = {
    15.0: 15.2668854630661,
    1.5: 0.409069226297031,
    1.01: 2.26301288708911e-4,
}
"""Mean wear power [W] by amplitude [m/s2] as dt → 0: closed-form arcs in 34-digit arithmetic.

Below 1 m/s2 the shoe sticks: the power is 0 at every step, and no error relative to it is known."""


@dataclass(frozen=True)
class RecordedRun:
    """A recorded run with its scheme and mean wear power."""

    scheme: str  #: A name of `SCHEMES`.
    amplitude: float  #: a₀ [m/s2].
    options: dict[str, Any]  #: Keywords of `march`.
    recorded: float  #: [W].
    goal: float  #: Largest relative difference allowed.
    tabulated: bool = True  #: Base motion from the table, otherwise the exact sine.
    document_2003: float | None = None  #: Printed in 2003, not reproducible [W].


@dataclass(frozen=True)
class SchemeRow:
    """One line of the scheme table."""

    run: RecordedRun  #: The recorded run.
    computed: float  #: Computed mean wear power [W].

    @property
    def relative_difference(self) -> float:
        """(computed − recorded)/recorded, 0 if both are 0, infinite if one is 0."""
        return _relative(self.computed, self.run.recorded)

    @property
    def reached(self) -> bool:
        """True where the difference is within the goal."""
        return abs(self.relative_difference) <= self.run.goal


@dataclass(frozen=True)
class SchemeError:
    """One scheme with one step size."""

    scheme: str  #: A name of `SCHEMES`, or FrictionalShock with one of its friction laws.
    step_size: float  #: Time step [s]. For adaptive schemes, the largest and first step.
    steps: int  #: Accepted steps in [0, 12] s.
    seconds: float  #: CPU time of the run [s].
    wear_power: float  #: Mean over [4, 12] s [W].
    exact: float  #: Wear power of rigid friction in closed form [W].

    @property
    def relative_error(self) -> float:
        """(wear_power − exact)/exact, 0 if both are 0, infinite if only the exact one is 0."""
        return _relative(self.wear_power, self.exact)


def _relative(value: float, reference: float) -> float:
    if reference == 0.0:
        return 0.0 if value == 0.0 else math.inf
    return (value - reference) / reference


def recorded_runs() -> list[RecordedRun]:
    """Return the recorded runs, in the order of the data file."""
    return [RecordedRun(**run) for run in _recorded_values()["run"]]


def differences_2003() -> dict[float, float]:
    """Return the column "% difference max" of the table of 2003 by amplitude [%]."""
    return {float(name): of for name, of in _recorded_values()["difference_max_2003"].items()}


def reason_2003() -> str:
    """Return the reason why the numbers printed in 2003 cannot be reproduced."""
    return str(_recorded_values()["reason_2003"])


def _recorded_values() -> dict[str, Any]:
    return tomllib.loads(
        files(__package__).joinpath("recorded_values.toml").read_text(encoding="utf-8")
    )


def repeat(run: RecordedRun) -> SchemeRow:
    """Integrate the run over [0, 12] s and return its line of the table."""
    problem = rubbing_shoe(run.amplitude, tabulated=run.tabulated)
    record = march(SCHEMES[run.scheme], problem, duration=WINDOW_END, **run.options)
    return SchemeRow(run, mean_wear_power(record, blocks=BLOCKS))


def exact_wear_power(amplitude: float) -> float:
    """Return the mean wear power over [4, 12] s of SDND104 with rigid friction [W].

    ValueError if the amplitude [m/s2] is not positive and finite.
    """
    shoe = RubbingShoe(MASS, GRAVITY, FRICTION_COEFFICIENT, amplitude, ANGULAR_FREQUENCY)
    return shoe.mean_wear_power(WINDOW_START, WINDOW_END)


def scheme_errors(
    amplitude: float, step_sizes: Sequence[float] = STEP_SIZES
) -> Iterator[SchemeError]:
    """Run each scheme with each step and yield its error, then the error of FrictionalShock.

    The amplitude a₀ [m/s2] must be > 0, and each step size [s] a whole fraction of 12 s.
    """
    exact = exact_wear_power(amplitude)
    for name, tableau in SCHEMES.items():
        for step_size in step_sizes:
            begin = time.process_time()
            record = march(
                tableau, rubbing_shoe(amplitude), duration=WINDOW_END, step_size=step_size
            )
            seconds = time.process_time() - begin
            power = mean_wear_power(record)
            yield SchemeError(name, step_size, record.time.size - 1, seconds, power, exact)
    for law in (TangentialLaw.penalty, TangentialLaw.rigid):
        for step_size in MODEL_STEP_SIZES:
            yield _error_of_model(law, step_size, amplitude, exact)


def _error_of_model(
    law: TangentialLaw, step_size: float, amplitude: float, exact: float
) -> SchemeError:
    model = FrictionalShock(
        FrictionalShockParameters(
            mass=MASS,
            gravity=GRAVITY,
            friction_coefficient=FRICTION_COEFFICIENT,
            stiffness=STIFFNESS if law is TangentialLaw.penalty else 0.0,
            tangential_law=law,
            tangential_stiffness=TANGENTIAL_STIFFNESS,
            tangential_damping=-1.0,
            input_extrapolation_order=2,  # A parabola, whose error decreases with the third power.
        )
    )
    steps, first = round(WINDOW_END / step_size), round(WINDOW_START / step_size)
    shaking = [amplitude * math.sin(ANGULAR_FREQUENCY * step * step_size) for step in range(steps)]
    begin = time.process_time()
    work = 0.0
    for step in range(steps):
        if step == first:
            work = model.outputs()["wear_work"]
        model.step(step_size, base_acceleration=shaking[step])
    power = (model.outputs()["wear_work"] - work) / (WINDOW_END - WINDOW_START)
    seconds = time.process_time() - begin
    name = f"FrictionalShock, {law.name}"
    return SchemeError(name, step_size, steps, seconds, power, exact)


def euler_errors(amplitude: float, step_sizes: Sequence[float]) -> list[float]:
    """Return the errors of EULER over [4, 12] s, relative to the limit of the discrete law.

    The amplitude [m/s2] is a key of `DISCRETE_LAW_LIMITS`, otherwise ValueError. Each step size is
    a whole fraction of 12 s.
    """
    if amplitude not in DISCRETE_LAW_LIMITS:
        raise ValueError(f"amplitude={amplitude} m/s2 must be one of {sorted(DISCRETE_LAW_LIMITS)}")
    shoe = rubbing_shoe(amplitude)
    return [
        mean_wear_power(march(EULER, shoe, duration=WINDOW_END, step_size=step))
        / DISCRETE_LAW_LIMITS[amplitude]
        - 1.0
        for step in step_sizes
    ]


def observed_order(step_sizes: Sequence[float], errors: Sequence[float]) -> float:
    """Return the slope of log |error| against log dt, by least squares."""
    return float(np.polyfit(np.log(step_sizes), np.log(np.abs(errors)), 1)[0])
