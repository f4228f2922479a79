"""The march of all classical schemes: steps by a table of coefficients, redone where asked.

The step is fixed, grows by a constant ratio (DEVOGE), follows an apparent frequency (ADAPT) or the
error of an embedded pair (RUNGE_KUTTA). An error below 1 is accepted; a larger one is redone unless
redoing has not helped, or has been done often enough.

ADAPT reads the frequency from how the acceleration changes with the displacement over a step; the
step is kept to N points a period of it. Stick on a stiff spring shortens the step, slip lets it
grow again. A leapfrog whose step varies would advance its half-step velocity by half the previous
and half the present step. The recorded runs took, for the previous one, the step *planned* for the
present one: after growth, before any redo. A redone step so keeps half of what it gave up, and the
velocity errs by a dt/2 at each reversal (+2e-4 of the wear power at 15 m/s2). That is kept, because
the recorded numbers show it: with it they are met to 11 digits, with the true previous step to
2e-4.

All of it is plain functions and named tuples, because numba compiles it.
"""

from __future__ import annotations

import math
from array import array
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .contact_law import INITIAL_MEMORY, MACHINE_EPSILON
from .shock_oscillator import Contact, ShakenOscillator, response
from .tableau import Tableau

ROUNDING = 1e-12
"""The last step is cut to the end of the run, which it reaches to a rounding of the instants; this
leaves room for the roundings of a table's span too, and is far below any step."""
END_SHARE = 1.0 - ROUNDING
"""Share of the duration from which on a run has ended."""

# ADAPT
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

# RUNGE_KUTTA
SAFETY = 0.9
"""Share of the step that the error would allow."""
SMALLEST_GROWTH = 0.2
LARGEST_GROWTH = 5.0
"""Bounds of the ratio of two successive steps."""


class SchemeState(NamedTuple):
    """What a scheme carries from step to step."""

    displacement: float
    """x [m]."""
    velocity: float
    """v that the scheme advances [m/s]; that of the last half step in a leapfrog."""
    acceleration: float
    """ẍ [m/s2] that the contact left the mass."""
    contact_velocity: float
    """Velocity that the contact was given, which is archived [m/s]."""
    contact: Contact
    """The contact's answer to displacement and contact_velocity."""
    previous_rate: float
    """ẍ of the first evaluation of the last step [m/s2]."""
    steady_steps: float
    """Accepted steps since ADAPT's step last grew."""


class Run(NamedTuple):
    """How a run is marched."""

    duration: float
    """End of the run [s]."""
    first_step: float
    """[s]."""
    largest_step: float
    """[s]."""
    archive_every: int
    """Steps between two samples."""
    fixed: bool = False
    """All steps are first_step and instants are i·dt; otherwise the last step is cut to the end."""
    smallest_step: float = 0.0
    """Step below which the run is given up [s]."""
    largest_redo_count: int = 0
    """Times a step is redone before it is taken as it is."""
    redo_gain: float = 0.0
    """Ratio by which redoing must lower the error to be tried again."""
    growth: float = 1.0
    """Ratio of two successive steps where no error is estimated."""
    points_per_period: float = 0.0
    """N of ADAPT; 0: no apparent frequency."""
    tolerance: float = math.inf
    """tol of an embedded pair; infinite: no error estimate."""
    scale: float = 0.0
    """ALPHA of an embedded pair [m and m/s]."""


class Attempt(NamedTuple):
    """A step to try."""

    start: float
    """Instant of the state [s]."""
    end: float
    """Instant that the step leads to [s]."""
    step_size: float
    """h of x_i [s]."""
    kick: float
    """h of v_i [s]; another one where the velocities are staggered."""


class Slopes(NamedTuple):
    """Room for what a step's evaluations give, shape (s + 1,) each."""

    velocities: array[float]
    """v_i [m/s]."""
    rates: array[float]
    """k_i [m/s2]."""


def march(
    shaken: ShakenOscillator, tableau: Tableau, run: Run, slopes: Slopes
) -> npt.NDArray[np.float64]:
    """Return the archive, shape (samples, 6); it ends early where a step fell too low."""
    end = run.duration * END_SHARE
    time = 0.0
    step_size = min(run.first_step, run.largest_step)
    state = start(shaken, step_size)
    archive = [_archived_row(time, state)]
    count = 0
    while time < end:
        count += 1
        if not run.fixed:
            step_size = min(step_size, run.duration - time)
        planned_step = step_size
        redo_count = 0
        previous_error = math.inf
        while True:
            # Fixed steps have the instants i·dt, never accumulated.
            new_time = count * step_size if run.fixed else time + step_size
            # A leapfrog starts from the velocity at t = 0.
            staggered_from = 0.0 if tableau.lead > 0.0 and time == 0.0 else planned_step
            kick = 0.5 * (staggered_from + step_size) if tableau.staggered else step_size
            attempt = Attempt(time, new_time, step_size, kick)
            new_state = step(shaken, tableau, slopes, state, attempt)
            if run.points_per_period > 0.0:
                start_velocity = state.velocity + (
                    0.5 * (staggered_from + planned_step) * state.acceleration
                )
                new_state, error, shorter, longer = follow_frequency(
                    run, state, new_state, step_size, start_velocity
                )
            elif math.isinf(run.tolerance):
                error, shorter, longer = 0.0, step_size, run.growth * step_size
            else:
                error, longer = pair_error(tableau, run, slopes, state, new_state, step_size)
                shorter = longer
            if (
                error < 1.0
                or redo_count >= run.largest_redo_count
                or error * run.redo_gain > previous_error
            ):
                break
            previous_error = error
            step_size = shorter
            redo_count += 1
        if step_size < run.smallest_step and new_time < end:
            break
        time = new_time
        state = new_state
        step_size = min(run.largest_step, longer)
        if count % run.archive_every == 0 or time >= end:
            archive.append(_archived_row(time, state))
    return np.array(archive)


def start(shaken: ShakenOscillator, first_step: float) -> SchemeState:
    """Return the state at t = 0, where the contact remembers nothing.

    The slope of the step before is half a step backwards; its evaluation leaves no trace in the
    contact's memory. A(t) before t = 0 is taken as A(0): a table has nothing there.
    """
    displacement = shaken.oscillator.initial_displacement
    velocity = shaken.oscillator.initial_velocity
    rate, contact = response(shaken, 0.0, displacement, velocity, INITIAL_MEMORY)
    half_step = 0.5 * first_step
    past_displacement = displacement - half_step * velocity + 0.5 * half_step**2 * rate
    past_velocity = (displacement - past_displacement) / half_step
    past_rate, _ = response(shaken, 0.0, past_displacement, past_velocity, contact.memory)
    return SchemeState(displacement, velocity, rate, velocity, contact, past_rate, 0.0)


def step(
    shaken: ShakenOscillator,
    tableau: Tableau,
    slopes: Slopes,
    state: SchemeState,
    attempt: Attempt,
) -> SchemeState:
    """Return the state after a step, as `tableau` says; its slopes are left in `slopes`."""
    velocities, rates = slopes
    velocities[0] = state.velocity
    rates[0] = state.acceleration
    displacement = state.displacement
    contact_velocity = state.contact_velocity
    contact = state.contact
    stages = len(tableau.nodes)
    for stage in range(stages):
        velocity_slope = tableau.previous_weights[stage] * state.previous_rate
        for earlier in range(stage + 1):
            velocity_slope += tableau.velocity_weights[stage][earlier] * rates[earlier]
        velocity = state.velocity + attempt.kick * velocity_slope
        velocities[stage + 1] = velocity
        displacement_slope = 0.0
        for earlier in range(stage + 2):
            displacement_slope += tableau.displacement_weights[stage][earlier] * velocities[earlier]
        displacement = state.displacement + attempt.step_size * displacement_slope
        contact_velocity = velocity + tableau.lead * attempt.step_size * state.acceleration
        # With more evaluations than one all their instants are counted from the step's start.
        instant = attempt.end
        if stages > 1:
            instant = attempt.start + tableau.nodes[stage] * attempt.step_size
        rates[stage + 1], contact = response(
            shaken, instant, displacement, contact_velocity, contact.memory
        )
    end_slope = 0.0
    for stage in range(stages + 1):
        end_slope += tableau.end_weights[stage] * rates[stage]
    return SchemeState(
        displacement,
        state.velocity + attempt.kick * end_slope,
        rates[stages],
        contact_velocity,
        contact,
        rates[1],
        0.0,
    )


def follow_frequency(
    run: Run, state: SchemeState, new_state: SchemeState, step_size: float, start_velocity: float
) -> tuple[SchemeState, float, float, float]:
    """Return the new state, its error, the step to redo with and that to go on with [s].

    err = N dt √(|Δa|/b)/2π with b = max(|Δx|, dt v_min); v_min is 1 % of |v½| as the step's first
    trial has it, or 1e-15 m/s where that is 0.
    """
    smallest_velocity = SMALLEST_VELOCITY_SHARE * abs(start_velocity)
    if smallest_velocity == 0.0:
        smallest_velocity = SMALLEST_VELOCITY
    moved = max(abs(new_state.displacement - state.displacement), step_size * smallest_velocity)
    change = abs(new_state.acceleration - state.acceleration)
    frequency = math.sqrt(change / moved) / (2.0 * math.pi)
    error = run.points_per_period * frequency * step_size
    steady_steps = state.steady_steps + 1.0
    longer = step_size
    if error < GROWTH_ERROR and steady_steps > STEADY_STEPS:
        longer = STEP_GROWTH * step_size
        steady_steps = 0.0
    displacement, velocity, rate, contact_velocity, contact, previous_rate, _ = new_state
    counted = SchemeState(
        displacement, velocity, rate, contact_velocity, contact, previous_rate, steady_steps
    )
    return counted, error, step_size / STEP_DIVISOR, longer


def pair_error(
    tableau: Tableau,
    run: Run,
    slopes: Slopes,
    state: SchemeState,
    new_state: SchemeState,
    step_size: float,
) -> tuple[float, float]:
    """Return the error of an embedded pair, and the step to redo or to go on with [s].

    err = dt √((e_x²/s_x² + e_v²/s_v²)/2),  s_y = max(tol |y + scale|, tol (|Δy| + scale), 100 ε)
    """
    displacement_error = 0.0
    velocity_error = 0.0
    for stage in range(len(slopes.rates)):
        displacement_error += tableau.error_weights[stage] * slopes.velocities[stage]
        velocity_error += tableau.error_weights[stage] * slopes.rates[stage]
    displacement_error /= _error_scale(run, state.displacement, new_state.displacement)
    velocity_error /= _error_scale(run, state.velocity, new_state.velocity)
    error = step_size * math.sqrt((displacement_error**2 + velocity_error**2) / 2.0)
    growth = LARGEST_GROWTH
    if error > 0.0:
        growth = min(
            LARGEST_GROWTH,
            max(SMALLEST_GROWTH, SAFETY * error ** (-1.0 / tableau.exponent)),
        )
    return error, growth * step_size


def _error_scale(run: Run, start: float, end: float) -> float:
    return max(
        run.tolerance * abs(start + run.scale),
        run.tolerance * (abs(end - start) + run.scale),
        100.0 * MACHINE_EPSILON,
    )


def _archived_row(time: float, state: SchemeState) -> tuple[float, ...]:
    """Return the columns of `scheme_record.record_of`."""
    normal_force, friction_force, memory = state.contact
    forces = (normal_force, friction_force, 1.0 if memory.sticking else 0.0)
    return (time, state.displacement, state.contact_velocity, *forces)
