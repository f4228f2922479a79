"""RUNGE_KUTTA: the embedded pairs 3(2) of Bogacki and Shampine and 5(4) of Dormand and Prince.

Applied to (x, v), first-same-as-last with the stored acceleration: the contact law's memory moves
with every stage. Equal first and largest steps together with no tolerance give a fixed step.

Sources: P. Bogacki, L. F. Shampine, A 3(2) pair of Runge-Kutta formulas, Appl. Math. Lett. 2
(1989); J. R. Dormand, P. J. Prince, A family of embedded Runge-Kutta formulae, J. Comput. Appl.
Math. 6 (1980); step control and scale of the transient operator.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..compiled_modules import compiled_module
from ..quantities import require_not_negative
from .contact_law import MACHINE_EPSILON
from .excitation import Excitation
from .oscillator import ShockOscillator, response, start
from .record import (
    END_SHARE,
    Floats,
    SchemeRecord,
    archived_row,
    check_archive,
    check_run,
    record_of,
    whole_steps,
)

ALLOCATING = ("march",)
"""What makes lists and arrays, see `compiled_modules`."""


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
    oscillator = oscillator.checked()
    check_run(excitation, duration, first_step=first_step, largest_step=largest_step)
    check_archive(archive_every)
    if not tolerance > 0.0:
        raise ValueError(f"tolerance={tolerance} must be > 0")
    require_not_negative("scale", scale)
    if math.isinf(tolerance):
        whole_steps(duration, first_step)
        if first_step != largest_step:
            raise ValueError(
                f"largest_step={largest_step} s must be first_step={first_step} s "
                "where tolerance is infinite"
            )
    archive = compiled_module("schemes.runge_kutta").march(
        oscillator,
        excitation,
        tableau,
        float(duration),
        float(first_step),
        float(largest_step),
        float(tolerance),
        float(scale),
        largest_redo_count,
        archive_every,
    )
    return record_of(oscillator, archive)


def march(
    oscillator: ShockOscillator,
    excitation: Excitation,
    tableau: Tableau,
    duration: float,
    first_step: float,
    largest_step: float,
    tolerance: float,
    scale: float,
    largest_redo_count: int,
    archive_every: int,
) -> Floats:
    """Return the archive, shape (samples, 6)."""
    stages = len(tableau.nodes)
    fixed = math.isinf(tolerance)
    end = duration * END_SHARE
    time = 0.0
    step_size = min(first_step, largest_step)
    displacement, velocity, rate, contact = start(oscillator, excitation)
    archive = [archived_row(0.0, displacement, velocity, contact)]
    velocities = [0.0] * stages
    rates = [0.0] * stages
    step = 0
    while time < end:
        step += 1
        if not fixed:
            step_size = min(step_size, duration - time)
        previous_error = math.inf
        redo_count = 0
        while True:
            new_contact = contact
            new_displacement = displacement
            new_velocity = velocity
            velocities[0] = velocity
            rates[0] = rate
            for stage in range(1, stages):
                displacement_slope = 0.0
                velocity_slope = 0.0
                for earlier in range(stage):
                    displacement_slope += tableau.weights[stage][earlier] * velocities[earlier]
                    velocity_slope += tableau.weights[stage][earlier] * rates[earlier]
                new_displacement = displacement + step_size * displacement_slope
                new_velocity = velocity + step_size * velocity_slope
                velocities[stage] = new_velocity
                rates[stage], new_contact = response(
                    oscillator,
                    excitation,
                    time + tableau.nodes[stage] * step_size,
                    new_displacement,
                    new_velocity,
                    new_contact.memory,
                )
            if fixed:
                growth = 1.0
                break
            displacement_error = 0.0
            velocity_error = 0.0
            for stage in range(stages):
                displacement_error += tableau.error_weights[stage] * velocities[stage]
                velocity_error += tableau.error_weights[stage] * rates[stage]
            displacement_error /= _error_scale(displacement, new_displacement, tolerance, scale)
            velocity_error /= _error_scale(velocity, new_velocity, tolerance, scale)
            error = step_size * math.sqrt((displacement_error**2 + velocity_error**2) / 2.0)
            growth = 5.0
            if error > 0.0:
                growth = min(5.0, max(0.2, 0.9 * error ** (-1.0 / tableau.exponent)))
            if error < 1.0 or redo_count >= largest_redo_count or error > previous_error / 1.01:
                break
            previous_error = error
            step_size *= growth
            redo_count += 1
        # A fixed step's instants are i·dt, never accumulated.
        time = step * step_size if fixed else time + step_size
        displacement = new_displacement
        velocity = new_velocity
        contact = new_contact
        rate = rates[stages - 1]
        step_size = min(largest_step, growth * step_size)
        if step % archive_every == 0 or time >= end:
            archive.append(archived_row(time, displacement, velocity, contact))
    return np.array(archive)


def _error_scale(start: float, end: float, tolerance: float, scale: float) -> float:
    """Return s = max(tol |y + scale|, tol (|Δy| + scale), 100 ε)."""
    return max(
        tolerance * abs(start + scale),
        tolerance * (abs(end - start) + scale),
        100.0 * MACHINE_EPSILON,
    )
