"""RUNGE_KUTTA: the embedded pairs 3(2) of Bogacki and Shampine and 5(4) of Dormand and Prince.

Applied to (x, v), first-same-as-last with the stored acceleration: the contact law's memory moves
with every stage. Equal first and largest steps together with no tolerance give a fixed step.

Sources: P. Bogacki, L. F. Shampine, A 3(2) pair of Runge-Kutta formulas, Appl. Math. Lett. 2
(1989); J. R. Dormand, P. J. Prince, A family of embedded Runge-Kutta formulae, J. Comput. Appl.
Math. 6 (1980); step control and scale of the transient operator.
"""

from __future__ import annotations

import math
from array import array
from typing import NamedTuple

from ...quantities import require_not_negative
from .contact_law import MACHINE_EPSILON
from .driver import Attempt, Outcome, Run, SchemeState, drive, integrate, start
from .excitation import Excitation
from .scheme_record import Floats, SchemeRecord
from .shock_oscillator import ShakenOscillator, ShockOscillator, response

SAFETY = 0.9
"""Share of the step that the error would allow."""
SMALLEST_GROWTH = 0.2
LARGEST_GROWTH = 5.0
"""Bounds of the ratio of two successive steps."""
REDO_GAIN = 1.01
"""Ratio by which a redone step must lower the error to be redone once more."""


class Tableau(NamedTuple):
    """An embedded pair whose last stage is the first of the next step."""

    nodes: tuple[float, ...]
    """c, shape (stages,)."""
    weights: tuple[tuple[float, ...], ...]
    """a, shape (stages, stages − 1); the last row is the solution of higher order."""
    error_weights: tuple[float, ...]
    """b − b̂, shape (stages,)."""
    exponent: float
    """q of the step control: one more than the higher order of the pair, as the operator has it."""


BOGACKI_SHAMPINE_32 = Tableau(
    nodes=(0.0, 1 / 2, 3 / 4, 1.0),
    weights=((0.0, 0.0, 0.0), (1 / 2, 0.0, 0.0), (0.0, 3 / 4, 0.0), (2 / 9, 1 / 3, 4 / 9)),
    error_weights=(2 / 9 - 7 / 24, 1 / 3 - 1 / 4, 4 / 9 - 1 / 3, -1 / 8),
    exponent=4.0,
)

DORMAND_PRINCE_54 = Tableau(
    nodes=(0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0),
    weights=(
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        (1 / 5, 0.0, 0.0, 0.0, 0.0, 0.0),
        (3 / 40, 9 / 40, 0.0, 0.0, 0.0, 0.0),
        (44 / 45, -56 / 15, 32 / 9, 0.0, 0.0, 0.0),
        (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0.0, 0.0),
        (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0.0),
        (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
    ),
    error_weights=(
        35 / 384 - 5179 / 57600,
        0.0,
        500 / 1113 - 7571 / 16695,
        125 / 192 - 393 / 640,
        -2187 / 6784 + 92097 / 339200,
        11 / 84 - 187 / 2100,
        -1 / 40,
    ),
    exponent=6.0,
)


class EmbeddedPair(NamedTuple):
    """A tableau, its control of the step, and room for the slopes of the stages."""

    tableau: Tableau
    tolerance: float
    """tol; infinite: fixed step."""
    scale: float
    """ALPHA [m and m/s]."""
    velocities: array[float]
    """ẋ of each stage [m/s]."""
    rates: array[float]
    """ẍ of each stage [m/s2]."""


def runge_kutta(
    oscillator: ShockOscillator,
    excitation: Excitation,
    *,
    tableau: Tableau,
    duration: float,
    first_step: float,
    largest_step: float,
    tolerance: float = math.inf,
    scale: float = 0.0,
    largest_redo_count: int = 16,
    archive_every: int = 1,
) -> SchemeRecord:
    """Integrate from t = 0 to exactly `duration` and return the archived steps.

    err = dt √((e_x²/s_x² + e_v²/s_v²)/2),  s_y = max(tol |y + scale|, tol (|Δy| + scale), 100 ε)

    with y at the start of the step. dt is multiplied by 0.9 err^(−1/q), kept in [0.2, 5]; err ≥ 1
    redoes the step unless redoing no longer reduces err (err > err_previous/1.01).

    Parameters
    ----------
    oscillator, excitation
        What moves and what shakes it.
    tableau
        `BOGACKI_SHAMPINE_32` or `DORMAND_PRINCE_54`.
    duration
        End of the run [s].
    first_step, largest_step
        Time steps [s].
    tolerance
        tol; infinite, the default, leaves the step at `first_step`, which must then be the largest.
    scale
        ALPHA of the transient operator, ≥ 0: the magnitude [m and m/s] below which errors do not
        matter.
    largest_redo_count
        Times a step is redone before it is taken as it is.
    archive_every
        Steps between two samples; 1 archives every step. t = 0 and the end are always archived.

    Raises
    ------
    ValueError
        Where a parameter breaks its rule, or a table ends before the run.
    """
    if not tolerance > 0.0:
        raise ValueError(f"tolerance={tolerance} must be > 0")
    require_not_negative("scale", scale)
    fixed = math.isinf(tolerance)
    if fixed and first_step != largest_step:
        raise ValueError(
            f"largest_step={largest_step} s must be first_step={first_step} s "
            "where tolerance is infinite"
        )
    run = Run(
        duration,
        first_step,
        largest_step,
        fixed=fixed,
        largest_redo_count=largest_redo_count,
        redo_gain=REDO_GAIN,
        archive_every=archive_every,
    )
    slopes = [0.0] * len(tableau.nodes)
    method = EmbeddedPair(
        tableau, float(tolerance), float(scale), array("d", slopes), array("d", slopes)
    )
    return integrate("runge_kutta", oscillator, excitation, method, run)


def march(shaken: ShakenOscillator, method: EmbeddedPair, run: Run) -> Floats:
    """Return the archive of `driver.drive`."""
    return drive(start, step, shaken, method, run)


def step(
    shaken: ShakenOscillator, method: EmbeddedPair, state: SchemeState, attempt: Attempt
) -> Outcome:
    """Return what `driver` asks of a step; the last stage is its end."""
    dt = attempt.step_size
    tableau, tolerance, scale, velocities, rates = method
    stages = len(tableau.nodes)
    displacement = state.displacement
    velocity = state.velocity
    contact = state.contact
    velocities[0] = velocity
    rates[0] = state.acceleration
    for stage in range(1, stages):
        displacement_slope = 0.0
        velocity_slope = 0.0
        for earlier in range(stage):
            displacement_slope += tableau.weights[stage][earlier] * velocities[earlier]
            velocity_slope += tableau.weights[stage][earlier] * rates[earlier]
        displacement = state.displacement + dt * displacement_slope
        velocity = state.velocity + dt * velocity_slope
        velocities[stage] = velocity
        rates[stage], contact = response(
            shaken,
            attempt.start + tableau.nodes[stage] * dt,
            displacement,
            velocity,
            contact.memory,
        )
    new_state = SchemeState(displacement, velocity, rates[stages - 1], velocity, contact, 0.0)
    if math.isinf(tolerance):
        return new_state, 0.0, dt, dt

    displacement_error = 0.0
    velocity_error = 0.0
    for stage in range(stages):
        displacement_error += tableau.error_weights[stage] * velocities[stage]
        velocity_error += tableau.error_weights[stage] * rates[stage]
    displacement_error /= _error_scale(state.displacement, displacement, tolerance, scale)
    velocity_error /= _error_scale(state.velocity, velocity, tolerance, scale)
    error = dt * math.sqrt((displacement_error**2 + velocity_error**2) / 2.0)
    growth = LARGEST_GROWTH
    if error > 0.0:
        growth = min(
            LARGEST_GROWTH,
            max(SMALLEST_GROWTH, SAFETY * error ** (-1.0 / tableau.exponent)),
        )
    return new_state, error, growth * dt, growth * dt


def _error_scale(start: float, end: float, tolerance: float, scale: float) -> float:
    """Return s = max(tol |y + scale|, tol (|Δy| + scale), 100 ε)."""
    return max(
        tolerance * abs(start + scale),
        tolerance * (abs(end - start) + scale),
        100.0 * MACHINE_EPSILON,
    )
