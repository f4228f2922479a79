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

import numpy as np

from ..compiled_modules import compiled_module
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
)

ALLOCATING = ("march",)
"""What makes lists and arrays, see `compiled_modules`."""

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
    oscillator = oscillator.checked()
    check_run(excitation, duration, first_step=first_step, largest_step=largest_step)
    check_archive(archive_every)
    if order not in (1, 2):
        raise ValueError(f"order={order} must be 1 or 2")
    if points_per_period < 1:
        raise ValueError(f"points_per_period={points_per_period} must be ≥ 1")
    archive, finished = compiled_module("schemes.adapt").march(
        oscillator,
        excitation,
        order,
        float(duration),
        float(first_step),
        float(largest_step),
        points_per_period,
        largest_redo_count,
        archive_every,
    )
    if not finished:
        raise RuntimeError(
            f"the step fell below {SMALLEST_STEP_SHARE:g} of first_step={first_step} s "
            f"at t={archive[-1, 0]} s: take fewer points_per_period or a smaller largest_redo_count"
        )
    return record_of(oscillator, archive)


def march(
    oscillator: ShockOscillator,
    excitation: Excitation,
    order: int,
    duration: float,
    first_step: float,
    largest_step: float,
    points_per_period: int,
    largest_redo_count: int,
    archive_every: int,
) -> tuple[Floats, bool]:
    """Return the archive, shape (samples, 6), and whether the step never fell too low."""
    end = duration * END_SHARE
    time = 0.0
    step_size = min(first_step, largest_step)
    smallest_step = SMALLEST_STEP_SHARE * step_size
    # The velocity is that of the last half step in order 2.
    displacement, velocity, rate, contact = start(oscillator, excitation)
    archive = [archived_row(0.0, displacement, velocity, contact)]
    steady_steps = 0
    step = 0
    finished = True
    while time < end:
        step += 1
        step_size = min(step_size, duration - time)
        planned_step = 0.0 if order == 2 and step == 1 else step_size
        redo_count = 0
        smallest_velocity = SMALLEST_VELOCITY_SHARE * abs(
            velocity + 0.5 * (planned_step + step_size) * rate
        )
        if smallest_velocity == 0.0:
            smallest_velocity = SMALLEST_VELOCITY
        while True:
            new_velocity = velocity + 0.5 * (planned_step + step_size) * rate
            new_displacement = displacement + step_size * new_velocity
            end_velocity = new_velocity + 0.5 * step_size * rate if order == 2 else new_velocity
            new_rate, new_contact = response(
                oscillator,
                excitation,
                time + step_size,
                new_displacement,
                end_velocity,
                contact.memory,
            )
            moved = max(abs(new_displacement - displacement), step_size * smallest_velocity)
            frequency = math.sqrt(abs(new_rate - rate) / moved) / (2.0 * math.pi)
            error = points_per_period * frequency * step_size
            if error < 1.0 or redo_count >= largest_redo_count:
                break
            step_size /= STEP_DIVISOR
            redo_count += 1
        if step_size < smallest_step and time + step_size < end:
            finished = False
            break
        time += step_size
        displacement = new_displacement
        velocity = new_velocity
        rate = new_rate
        contact = new_contact
        steady_steps += 1
        if error < GROWTH_ERROR and steady_steps > STEADY_STEPS:
            step_size = min(largest_step, STEP_GROWTH * step_size)
            steady_steps = 0
        if step % archive_every == 0 or time >= end:
            archive.append(archived_row(time, displacement, end_velocity, contact))
    return np.array(archive), finished
