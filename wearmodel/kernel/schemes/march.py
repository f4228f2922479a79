"""The march of all classical schemes: steps by a table of coefficients, redone where asked.

One mass with one way to move and one penalised contact:

    M ẍ = F(t, x, v) − K x − C v,    F = −M A(t) + n F_N + τ F_T

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
"""

from __future__ import annotations

from math import pi, sin, sqrt

from .contact_law import MACHINE_EPSILON, penalised_normal_force, velocity_direction_friction
from .records import (
    Coefficients,
    Marching,
    MarchState,
    Run,
    ShakenOscillator,
    Shaking,
    copy_march_state,
)

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
STEADY_STEPS = 4.0
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


def base_acceleration(shaking: Shaking, table: list[float], time: float) -> float:
    """Return A(time) [m/s2]; the caller keeps 0 ≤ time ≤ span, to rounding."""
    if len(table) == 0:
        return shaking.amplitude * sin(shaking.angular_frequency * time)
    # Rounding may carry the last instant just past the table's end.
    interval = min(int(time / shaking.table_interval), len(table) - 2)
    first = table[interval]
    fraction = (time - interval * shaking.table_interval) / shaking.table_interval
    return first + (table[interval + 1] - first) * fraction


def response(shaken: ShakenOscillator, time: float, s: MarchState) -> float:
    """Return ẍ = −A(t) + (n F_N + τ F_T − K x − C v)/M [m/s2]; `s` has x, and v of the contact.

    The contact's forces and its memory are left in `s`.
    """
    o = shaken.oscillator
    displacement = s.displacement
    velocity = s.contact_velocity
    gap = o.initial_gap + o.normal_component * displacement
    normal_force = penalised_normal_force(o, gap, o.normal_component * velocity)
    friction_force = velocity_direction_friction(
        o,
        s,
        normal_force,
        o.tangential_component * displacement,
        o.tangential_component * velocity,
    )
    s.normal_force = normal_force
    s.friction_force = friction_force
    force = (
        o.normal_component * normal_force
        + o.tangential_component * friction_force
        - o.stiffness * displacement
        - o.damping * velocity
    )
    return force / o.mass - base_acceleration(shaken.shaking, shaken.table, time)


def march(
    shaken: ShakenOscillator,
    coefficients: Coefficients,
    run: Run,
    marching: Marching,
    archive: list[list[float]],
) -> tuple[int, int]:
    """March on until `archive` is full or the run is over; it begins where the clock stands at 0.

    Parameters
    ----------
    shaken, coefficients, run
        What moves, the scheme, and how it is marched.
    marching
        Where the run is.
    archive
        Is filled, shape (samples, 6): the columns of `reference.schemes.scheme_record.record_of`.

    Returns
    -------
    tuple[int, int]
        The samples of this call, and 1 where the run is over, which may be before its end: where a
        step fell below the smallest one.
    """
    s = marching.s
    trial = marching.trial
    clock = marching.clock
    rows = 0
    if clock.steps == 0.0:
        clock.step_size = min(run.first_step, run.largest_step)
        start(shaken, s, trial, clock.step_size)
        _archive(0.0, s, archive[0])
        rows = 1
    end = run.duration * END_SHARE
    while clock.time < end:
        if rows == len(archive):
            return rows, 0
        time = clock.time
        step_size = clock.step_size
        clock.steps += 1.0
        if run.is_fixed == 0.0:
            step_size = min(step_size, run.duration - time)
        planned_step = step_size
        new_time = time
        longer = step_size
        redo_count = 0.0
        previous_error = 0.0
        is_accepted = False
        while not is_accepted:
            # Fixed steps have the instants i·dt, never accumulated.
            new_time = time + step_size
            if run.is_fixed != 0.0:
                new_time = clock.steps * step_size
            # A leapfrog starts from the velocity at t = 0.
            staggered_from = planned_step
            if run.lead > 0.0 and time == 0.0:
                staggered_from = 0.0
            kick = step_size
            if run.is_staggered != 0.0:
                kick = 0.5 * (staggered_from + step_size)
            _step(shaken, coefficients, marching, time, new_time, step_size, kick, run.lead)
            error = 0.0
            shorter = step_size
            if run.points_per_period > 0.0:
                start_velocity = s.velocity + (
                    0.5 * (staggered_from + planned_step) * s.acceleration
                )
                error, longer = _follow_frequency(run, s, trial, step_size, start_velocity)
                shorter = step_size / STEP_DIVISOR
            elif run.tolerance > 0.0:
                error, longer = _pair_error(coefficients, run, marching, step_size)
                shorter = longer
            else:
                longer = run.growth * step_size
            is_accepted = (
                error < 1.0
                or redo_count >= run.largest_redo_count
                or (redo_count > 0.0 and error * run.redo_gain > previous_error)
            )
            if not is_accepted:
                previous_error = error
                step_size = shorter
                redo_count += 1.0
        if step_size < run.smallest_step and new_time < end:
            return rows, 1
        copy_march_state(trial, s)
        clock.time = new_time
        clock.step_size = min(run.largest_step, longer)
        clock.unarchived += 1.0
        if clock.unarchived == run.archive_every or new_time >= end:
            clock.unarchived = 0.0
            _archive(new_time, s, archive[rows])
            rows += 1
    return rows, 1


def start(shaken: ShakenOscillator, s: MarchState, trial: MarchState, first_step: float) -> None:
    """Make the state at t = 0, where the contact remembers nothing.

    The slope of the step before is half a step backwards; its evaluation leaves no trace in the
    contact's memory. A(t) before t = 0 is taken as A(0): a table has nothing there.
    """
    displacement = shaken.oscillator.initial_displacement
    velocity = shaken.oscillator.initial_velocity
    s.displacement = displacement
    s.velocity = velocity
    s.contact_velocity = velocity
    rate = response(shaken, 0.0, s)
    s.acceleration = rate
    half_step = 0.5 * first_step
    past_displacement = displacement - half_step * velocity + 0.5 * (half_step * half_step) * rate
    copy_march_state(s, trial)
    trial.displacement = past_displacement
    trial.contact_velocity = (displacement - past_displacement) / half_step
    s.previous_rate = response(shaken, 0.0, trial)


def _step(
    shaken: ShakenOscillator,
    coefficients: Coefficients,
    marching: Marching,
    time: float,
    end: float,
    step_size: float,
    kick: float,
    lead: float,
) -> None:
    """Try a step: its state goes to `trial`, its slopes to `velocities` and `rates`.

    `step_size` is h of x_i, `kick` h of v_i; they differ where the velocities are staggered.
    """
    s = marching.s
    trial = marching.trial
    velocities = marching.velocities
    rates = marching.rates
    copy_march_state(s, trial)
    velocities[0] = s.velocity
    rates[0] = s.acceleration
    stages = len(coefficients.nodes)
    for stage in range(stages):
        velocity_slope = coefficients.previous_weights[stage] * s.previous_rate
        for earlier in range(stage + 1):
            velocity_slope += coefficients.velocity_weights[stage][earlier] * rates[earlier]
        velocity = s.velocity + kick * velocity_slope
        velocities[stage + 1] = velocity
        displacement_slope = 0.0
        for earlier in range(stage + 2):
            displacement_slope += (
                coefficients.displacement_weights[stage][earlier] * velocities[earlier]
            )
        trial.displacement = s.displacement + step_size * displacement_slope
        trial.contact_velocity = velocity + lead * step_size * s.acceleration
        # With more evaluations than one all their instants are counted from the step's start.
        instant = end
        if stages > 1:
            instant = time + coefficients.nodes[stage] * step_size
        rates[stage + 1] = response(shaken, instant, trial)
    end_slope = 0.0
    for stage in range(stages + 1):
        end_slope += coefficients.end_weights[stage] * rates[stage]
    trial.velocity = s.velocity + kick * end_slope
    trial.acceleration = rates[stages]
    trial.previous_rate = rates[1]
    trial.steady_steps = 0.0


def _follow_frequency(
    run: Run, s: MarchState, trial: MarchState, step_size: float, start_velocity: float
) -> tuple[float, float]:
    """Return the error of a step, and the step to go on with [s].

    err = N dt √(|Δa|/b)/2π with b = max(|Δx|, dt v_min); v_min is 1 % of |v½| as the step's first
    trial has it, or 1e-15 m/s where that is 0.
    """
    smallest_velocity = SMALLEST_VELOCITY_SHARE * abs(start_velocity)
    if smallest_velocity == 0.0:
        smallest_velocity = SMALLEST_VELOCITY
    moved = max(abs(trial.displacement - s.displacement), step_size * smallest_velocity)
    change = abs(trial.acceleration - s.acceleration)
    frequency = sqrt(change / moved) / (2.0 * pi)
    error = run.points_per_period * frequency * step_size
    trial.steady_steps = s.steady_steps + 1.0
    longer = step_size
    if error < GROWTH_ERROR and trial.steady_steps > STEADY_STEPS:
        longer = STEP_GROWTH * step_size
        trial.steady_steps = 0.0
    return error, longer


def _pair_error(
    coefficients: Coefficients, run: Run, marching: Marching, step_size: float
) -> tuple[float, float]:
    """Return the error of an embedded pair, and the step to redo or to go on with [s].

    err = dt √((e_x²/s_x² + e_v²/s_v²)/2),  s_y = max(tol |y + scale|, tol (|Δy| + scale), 100 ε)
    """
    s = marching.s
    trial = marching.trial
    displacement_error = 0.0
    velocity_error = 0.0
    for stage in range(len(coefficients.error_weights)):
        displacement_error += coefficients.error_weights[stage] * marching.velocities[stage]
        velocity_error += coefficients.error_weights[stage] * marching.rates[stage]
    displacement_error /= _error_scale(run, s.displacement, trial.displacement)
    velocity_error /= _error_scale(run, s.velocity, trial.velocity)
    error = step_size * sqrt(
        (displacement_error * displacement_error + velocity_error * velocity_error) / 2.0
    )
    growth = LARGEST_GROWTH
    if error > 0.0:
        allowed = SAFETY * error ** (-1.0 / run.exponent)
        growth = min(LARGEST_GROWTH, max(SMALLEST_GROWTH, allowed))
    return error, growth * step_size


def _error_scale(run: Run, first: float, last: float) -> float:
    return max(
        run.tolerance * abs(first + run.scale),
        max(run.tolerance * (abs(last - first) + run.scale), 100.0 * MACHINE_EPSILON),
    )


def _archive(time: float, s: MarchState, row: list[float]) -> None:
    """Write the columns of `reference.schemes.scheme_record.record_of`."""
    row[0] = time
    row[1] = s.displacement
    row[2] = s.contact_velocity
    row[3] = s.normal_force
    row[4] = s.friction_force
    row[5] = s.sticking
