"""ADAPT orders 1 and 2: explicit steps whose length follows an apparent frequency.

Order 1 is symplectic Euler, order 2 the leapfrog, both with a variable step. The frequency is read
from how the acceleration changes with the displacement over a step; the step is kept to N points
a period of it. Stick on a stiff spring shortens the step, slip lets it grow again.

A leapfrog whose step varies would advance its half-step velocity by half the previous and half the
present step. The recorded runs took, for the previous one, the step *planned* for the present one:
after growth, before any redo. A redone step so keeps half of what it gave up, and the velocity errs
by a dt/2 at each reversal (+2e-4 of the wear power at 15 m/s2). That is kept, because the recorded
numbers show it: they are met to 11 digits with it, to 2e-4 with the true previous step.

Source: the time schemes of the transient operator; SDND104 (V5.01.104), modelling A.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from .driver import END_SHARE, Attempt, Outcome, Run, SchemeState, drive, integrate, start
from .excitation import Excitation
from .scheme_record import Floats, SchemeRecord
from .shock_oscillator import ShakenOscillator, ShockOscillator, response

STEP_DIVISOR = 1.3333334
"""By which a rejected step is divided."""
STEP_GROWTH = 1.1
"""By which a step that has been good for long enough is multiplied."""
GROWTH_ERROR = 0.75
"""Error below which a step may grow."""
STEADY_STEPS = 4
"""Accepted steps after a growth, redone ones included, before the next."""
SMALLEST_VELOCITY_SHARE = 0.01
"""Share of the half-step speed that makes v_min."""
SMALLEST_VELOCITY = 1e-15
"""v_min at rest [m/s]."""
SMALLEST_STEP_SHARE = 1e-6
"""Share of the first step below which the run fails."""


class ApparentFrequency(NamedTuple):
    """The variant of the scheme and its control of the step."""

    order: int
    """1 or 2."""
    points_per_period: int
    """N."""


def adapt(
    oscillator: ShockOscillator,
    excitation: Excitation,
    *,
    order: int,
    duration: float,
    first_step: float,
    largest_step: float,
    points_per_period: int = 50,
    largest_redo_count: int = 16,
    archive_every: int = 1,
) -> SchemeRecord:
    """Integrate from t = 0 to exactly `duration` and return the archived steps.

    Order 1: v ← v + a (dt_planned + dt)/2;  x ← x + dt v;  a(t + dt, x, v)
    Order 2: v½ ← v½ + a (dt_planned + dt)/2 (dt_planned = 0 at first);  x ← x + dt v½;
    a(t + dt, x, v) with v = v½ + dt a_old/2, which is archived too.

    err = N dt √(|Δa|/b)/2π with b = max(|Δx|, dt v_min); v_min is 1 % of |v½| as the step's first
    trial has it, or 1e-15 m/s where that is 0. err ≥ 1: dt is divided by 1.3333334 and the step
    redone; err < 0.75 with at least 4 accepted steps since dt last grew: the next is 1.1 times as
    long. The last step is cut to end the run.

    Parameters
    ----------
    oscillator, excitation
        What moves and what shakes it.
    order
        1 or 2.
    duration
        End of the run [s].
    first_step, largest_step
        Time steps [s].
    points_per_period
        N.
    largest_redo_count
        Times a step is redone before it is taken as it is.
    archive_every
        Steps between two samples; 1 archives every step. t = 0 and the end are always archived.

    Raises
    ------
    ValueError
        Where a parameter breaks its rule, or a table ends before the run.
    RuntimeError
        Where the step falls below 1e-6 of the first one.
    """
    if order not in (1, 2):
        raise ValueError(f"order={order} must be 1 or 2")
    if points_per_period < 1:
        raise ValueError(f"points_per_period={points_per_period} must be ≥ 1")
    run = Run(
        duration,
        first_step,
        largest_step,
        smallest_step=SMALLEST_STEP_SHARE * min(first_step, largest_step),
        largest_redo_count=largest_redo_count,
        archive_every=archive_every,
    )
    method = ApparentFrequency(order, points_per_period)
    record = integrate("adapt", oscillator, excitation, method, run)
    if record.time[-1] < duration * END_SHARE:
        raise RuntimeError(
            f"the step fell below {SMALLEST_STEP_SHARE:g} of first_step={first_step} s "
            f"at t={record.time[-1]} s: take fewer points_per_period or a smaller "
            "largest_redo_count"
        )
    return record


def march(shaken: ShakenOscillator, method: ApparentFrequency, run: Run) -> Floats:
    """Return the archive of `driver.drive`."""
    return drive(start, step, shaken, method, run)


def step(
    shaken: ShakenOscillator, method: ApparentFrequency, state: SchemeState, attempt: Attempt
) -> Outcome:
    """Return what `driver` asks of a step; `kept` counts the accepted steps since dt last grew."""
    dt = attempt.step_size
    rate = state.acceleration
    # A leapfrog starts from the velocity at t = 0.
    at_start = method.order == 2 and attempt.start == 0.0
    planned = 0.0 if at_start else attempt.planned_step
    smallest_velocity = SMALLEST_VELOCITY_SHARE * abs(
        state.velocity + 0.5 * (planned + attempt.planned_step) * rate
    )
    if smallest_velocity == 0.0:
        smallest_velocity = SMALLEST_VELOCITY

    velocity = state.velocity + 0.5 * (planned + dt) * rate
    displacement = state.displacement + dt * velocity
    end_velocity = velocity + 0.5 * dt * rate if method.order == 2 else velocity
    new_rate, contact = response(
        shaken, attempt.end, displacement, end_velocity, state.contact.memory
    )

    moved = max(abs(displacement - state.displacement), dt * smallest_velocity)
    frequency = math.sqrt(abs(new_rate - rate) / moved) / (2.0 * math.pi)
    error = method.points_per_period * frequency * dt
    steady_steps = state.kept + 1.0
    longer = dt
    if error < GROWTH_ERROR and steady_steps > STEADY_STEPS:
        longer = STEP_GROWTH * dt
        steady_steps = 0.0
    new_state = SchemeState(displacement, velocity, new_rate, end_velocity, contact, steady_steps)
    return new_state, error, dt / STEP_DIVISOR, longer
