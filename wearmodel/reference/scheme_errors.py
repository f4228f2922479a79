"""Error of the classical schemes against the exact wear power, at any amplitude of SDND104.

The schemes integrate penalised friction on the weak spring of the recorded runs. The exact value
belongs to rigid friction without a spring. The remaining error of a converged scheme is the
difference of the two models, which is also the error of FrictionalShock with penalised friction.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..kernel.shoe.parameters import FrictionalShockParameters, TangentialLaw
from ..models.frictional_shock import FrictionalShock
from .closed_forms import RubbingShoe
from .schemes import (
    ANGULAR_FREQUENCY,
    SCHEMES,
    WINDOW_END,
    WINDOW_START,
    mean_wear_power,
    sdnd104_excitation,
    sdnd104_shoe,
)

#: Time steps compared [s]. EULER is unstable above the first.
STEP_SIZES = (2e-4, 1e-4, 5e-5, 2.5e-5)

MODEL_STEP_SIZES = (1e-2, 1e-3)  #: Communication steps of our own model [s].

_GRAVITY = 10.0  #: Of SDND104 [m/s2].


@dataclass(frozen=True)
class SchemeError:
    """One scheme with one step size."""

    #: A name of `scheme_comparison.SCHEMES`, or our own model with one of its friction laws.
    scheme: str
    step_size: float  #: Time step, of the adaptive schemes the largest and the first [s].
    steps: int  #: Accepted steps in [0, 12] s.
    seconds: float  #: CPU time of the run [s].
    wear_power: float  #: Mean over [4, 12] s [W].
    exact: float  #: Wear power of rigid friction in closed form [W].

    @property
    def relative_error(self) -> float:
        """(wear_power − exact)/exact, 0 if both are 0, infinite if only the exact one is 0."""
        if self.exact == 0.0:
            return 0.0 if self.wear_power == 0.0 else math.inf
        return self.wear_power / self.exact - 1.0


def exact_wear_power(amplitude: float) -> float:
    """Return the mean wear power over [4, 12] s of SDND104 with rigid friction [W].

    ValueError if the amplitude [m/s2] is not positive and finite.
    """
    shoe = sdnd104_shoe()
    closed = RubbingShoe(
        shoe.mass, _GRAVITY, shoe.friction_coefficient, amplitude, ANGULAR_FREQUENCY
    )
    return closed.mean_wear_power(WINDOW_START, WINDOW_END)


def scheme_errors(
    amplitude: float, step_sizes: Sequence[float] = STEP_SIZES
) -> Iterator[SchemeError]:
    """Run each scheme with each step and yield its error, then the error of FrictionalShock.

    The amplitude a₀ [m/s2] must be > 0, and each step size [s] a whole fraction of 12 s.
    """
    exact = exact_wear_power(amplitude)
    excitation = sdnd104_excitation(amplitude, tabulated=False)
    for name, scheme in SCHEMES.items():
        for step_size in step_sizes:
            names = ("step_size",) if name == "EULER" else ("first_step", "largest_step")
            steps = dict.fromkeys(names, step_size)
            begin = time.process_time()
            record = scheme(sdnd104_shoe(), excitation, duration=WINDOW_END, **steps)
            seconds = time.process_time() - begin
            power = mean_wear_power(record, start=WINDOW_START, end=WINDOW_END)
            yield SchemeError(name, step_size, record.time.size - 1, seconds, power, exact)
    for law in (TangentialLaw.penalty, TangentialLaw.rigid):
        for step_size in MODEL_STEP_SIZES:
            yield _error_of_model(law, step_size, amplitude, exact)


def _error_of_model(
    law: TangentialLaw, step_size: float, amplitude: float, exact: float
) -> SchemeError:
    shoe = sdnd104_shoe()
    model = FrictionalShock(
        FrictionalShockParameters(
            mass=shoe.mass,
            gravity=_GRAVITY,
            friction_coefficient=shoe.friction_coefficient,
            stiffness=shoe.stiffness if law is TangentialLaw.penalty else 0.0,
            tangential_law=law,
            tangential_stiffness=shoe.tangential_stiffness,
            tangential_damping=-1.0,
            input_extrapolation_order=2,  # the parabola, whose error falls with the cube
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
