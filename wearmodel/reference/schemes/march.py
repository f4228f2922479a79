"""Steps of all classical schemes by a table of coefficients, repeated if necessary.

One mass with one way to move: ẍ as a function of t, x, v and the memory of its contact law.

The step is fixed, grows by a constant ratio (DEVOGE), follows an apparent frequency (ADAPT) or the
error of an embedded pair (RUNGE_KUTTA). An error below 1 is accepted. A step with a larger error is
repeated up to a maximum count, or until repetition does not reduce it.

ADAPT computes the frequency from the change of the acceleration with the displacement over a step,
and uses N steps in a period. Stick on a stiff spring shortens the step, and slip lengthens it.
A leapfrog of variable step would advance its half-step velocity by half the previous and half the
present step. The recorded runs use the step *planned* for the present one instead of the previous
one: after growth, before repetition. Therefore the velocity has an error of a dt/2 at each reversal
(+2e-4 of the wear power at 15 m/s2). With it the recorded numbers are reproduced to 11 digits, with
the true previous step to 2e-4.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from math import pi, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wearmodel.arrays import Floats

from ...quantities import require_not_negative, require_positive
from .tableau import Row, Tableau

END_SHARE = 1.0 - 1e-12  #: Share of the duration at which a run ends.
SMALLEST_STEP_SHARE = 1e-6  #: Share of the first step below which a run fails.
#: Speed [m/s] up to which slip has no direction, also used to scale errors of an embedded pair.
MACHINE_EPSILON = 2.220446049250313e-16
# A step written with ten digits, such as 1/3 s, still divides the duration.
_WHOLE = 1e-9

# ADAPT
STEP_DIVISOR = 1.3333334  #: Divisor of a rejected step.
STEP_GROWTH = 1.1  #: Factor of a step after enough accepted steps.
GROWTH_ERROR = 0.75  #: Error below which a step may grow.
STEADY_STEPS = 4  #: Minimum number of accepted steps between two increases, with repeated steps.
SMALLEST_VELOCITY_SHARE = 0.01  #: v_min as a share of the half-step speed.
SMALLEST_VELOCITY = 1e-15  #: v_min at rest [m/s].

# RUNGE_KUTTA
SAFETY = 0.9  #: Share of the step that the error allows.
SMALLEST_GROWTH = 0.2
LARGEST_GROWTH = 5.0  #: Bounds of the ratio of two successive steps.
REDO_GAIN = 1.01  #: Ratio by which a repeated step must reduce the error to be repeated again.

Memory = tuple[bool, float, float, float]
"""State of the contact law between two evaluations. The first entry is True in stick."""

NO_MEMORY: Memory = (False, 0.0, 0.0, 0.0)

Response = Callable[[float, float, float, Memory], tuple[float, Memory]]
"""ẍ [m/s2] and the new memory, from t, x, v and the previous memory."""

# After a step: x [m] and the v that the scheme advances [m/s], of the last evaluation ẍ [m/s2] and
# the contact's velocity [m/s], then ẍ of the first evaluation, contact memory.
# A tuple, because a run creates a million of them.
_State = tuple[float, float, float, float, float, Memory]


class Problem(NamedTuple):
    """Motion of a mass from t = 0, where the contact has no memory."""

    response: Response
    displacement: float = 0.0  #: x at t = 0 [m].
    velocity: float = 0.0  #: v at t = 0 [m/s].


class SchemeRecord(NamedTuple):
    """Samples of a run, arrays of shape (samples,), at increasing times from 0."""

    time: Floats  #: [s].
    displacement: Floats  #: x [m].
    velocity: Floats  #: The velocity that the scheme gave the contact law [m/s].
    sticking: npt.NDArray[np.bool_]  #: True where the friction law sticks.


def march(
    tableau: Tableau,
    problem: Problem,
    *,
    duration: float,
    step_size: float = 0.0,
    first_step: float = 0.0,
    largest_step: float = 0.0,
    largest_redo_count: int = 16,
    tolerance: float = 0.0,
    scale: float = 0.0,
    archive_every: int = 1,
) -> SchemeRecord:
    """Integrate from t = 0 to `duration` and return the archived steps.

    It is one function because the rules of all kinds of step control share the state of its loop.

    Parameters
    ----------
    tableau, problem
        Scheme, and motion to integrate.
    duration
        End of the run [s], with fixed steps a whole number of them.
    step_size
        First and largest step [s], instead of the next two.
    first_step, largest_step
        Steps [s]. They must be equal without step control.
    largest_redo_count
        Maximum number of repetitions of a step.
    tolerance
        tol of an embedded pair. If it is 0, its steps are fixed.
    scale
        ALPHA of the transient operator: the magnitude [m and m/s] below which errors of a pair do
        not matter.
    archive_every
        Steps between two samples. t = 0 and the end are always included.

    Raises
    ------
    ValueError
        A parameter is invalid.
    RuntimeError
        The step fell below 1e-6 of the first one.
    """
    first_step, largest_step = step_size or first_step, step_size or largest_step
    require_positive("duration", duration, "s")
    require_positive("first_step", first_step, "s")
    require_positive("largest_step", largest_step, "s")
    require_not_negative("tolerance", tolerance)
    require_not_negative("scale", scale)
    is_fixed = not (tableau.points_per_period or tolerance or tableau.growth > 1.0)
    if is_fixed:
        step_count = round(duration / first_step)
        if step_count < 1 or abs(step_count * first_step - duration) > _WHOLE * duration:
            raise ValueError(f"duration={duration} s must be a whole number of {first_step} s")
        if largest_step != first_step:
            raise ValueError(
                f"largest_step={largest_step} s must be first_step={first_step} s without step "
                "control"
            )
        duration = step_count * first_step
    velocities, rates = ([0.0] * (len(tableau.nodes) + 2) for _ in range(2))
    step = _step_of(tableau, problem.response, velocities, rates)
    step_size = min(first_step, largest_step)
    smallest_step = SMALLEST_STEP_SHARE * step_size
    state = _start(problem, step_size)
    samples = array("d")
    _archive(samples, 0.0, state)
    end = duration * END_SHARE
    time = 0.0
    steps = steady_steps = 0
    while time < end:
        steps += 1
        if not is_fixed:
            step_size = min(step_size, duration - time)
        planned_step = step_size
        # A leapfrog starts from the velocity at t = 0.
        staggered_from = 0.0 if tableau.lead > 0.0 and time == 0.0 else planned_step
        steady_steps += 1
        redo_count = 0
        previous_error = 0.0
        while True:
            # The times of fixed steps are i·dt, without accumulated rounding.
            new_time = steps * step_size if is_fixed else time + step_size
            kick = 0.5 * (staggered_from + step_size) if tableau.staggered else step_size
            trial = step(state, time, new_time, step_size, kick)
            error = 0.0
            if tableau.points_per_period:
                start_velocity = state[1] + 0.5 * (staggered_from + planned_step) * state[2]
                frequency = _apparent_frequency(state, trial, step_size, start_velocity)
                error = tableau.points_per_period * frequency * step_size
                shorter = step_size / STEP_DIVISOR
                may_grow = error < GROWTH_ERROR and steady_steps > STEADY_STEPS
                longer = STEP_GROWTH * step_size if may_grow else step_size
            elif tolerance:
                slopes = (velocities, rates)
                error = _pair_error(tableau.error_weights, tolerance, scale, state, trial, slopes)
                error *= step_size
                shorter = longer = _growth(error, tableau.exponent) * step_size
            else:
                shorter = longer = tableau.growth * step_size
            if (
                error < 1.0
                or redo_count >= largest_redo_count
                or (tolerance and redo_count and error * REDO_GAIN > previous_error)
            ):
                break
            previous_error = error
            step_size = shorter
            redo_count += 1
        if step_size < smallest_step and new_time < end:
            raise RuntimeError(
                f"the step fell below {SMALLEST_STEP_SHARE:g} of first_step={first_step} s at "
                f"t={time} s: take a smaller largest_redo_count"
            )
        if longer > step_size:
            steady_steps = 0
        state = trial
        time = new_time
        step_size = min(largest_step, longer)
        if steps % archive_every == 0 or time >= end:
            _archive(samples, time, state)
    columns = np.array(samples).reshape(-1, 4).T
    return SchemeRecord(columns[0], columns[1], columns[2], columns[3] != 0.0)


def _start(problem: Problem, first_step: float) -> _State:
    """Return the state at t = 0.

    The slope of the step before is half a step backwards. Its evaluation does not change the
    contact's memory. A(t) before t = 0 is assumed to be A(0), because a table begins at t = 0.
    """
    response, x, v = problem
    rate, memory = response(0.0, x, v, NO_MEMORY)
    half_step = 0.5 * first_step
    past_x = x - half_step * v + 0.5 * (half_step * half_step) * rate
    previous_rate = response(0.0, past_x, (x - past_x) / half_step, memory)[0]
    return x, v, rate, v, previous_rate, memory


def _step_of(
    tableau: Tableau, response: Response, velocities: list[float], rates: list[float]
) -> Callable[[_State, float, float, float, float], _State]:
    """Return a step as a function of the state, start and end [s], h of x_i and kick, h of v_i.

    The two differ if the velocities are staggered. A step leaves its v_i in `velocities`, and its
    k_i and last k_p in `rates`.
    """
    stages = [
        (node, _terms(velocity_weights, previous), _terms(displacement_weights))
        for node, velocity_weights, displacement_weights, previous in zip(
            tableau.nodes,
            tableau.velocity_weights,
            tableau.displacement_weights,
            tableau.previous_weights or [0.0] * len(tableau.nodes),
            strict=True,
        )
    ]
    end_terms = _terms(tableau.end_weights)
    lead = tableau.lead
    is_single = len(stages) == 1

    def step(state: _State, time: float, end: float, step_size: float, kick: float) -> _State:
        start_x, start_v, start_rate, _, previous_rate, memory = state
        velocities[0] = start_v
        rates[0] = start_rate
        rates[-1] = previous_rate
        for stage, (node, velocity_terms, displacement_terms) in enumerate(stages, start=1):
            slope = 0.0
            for place, weight in velocity_terms:
                slope += weight * rates[place]
            velocities[stage] = velocity = start_v + kick * slope
            slope = 0.0
            for place, weight in displacement_terms:
                slope += weight * velocities[place]
            x = start_x + step_size * slope
            velocity += lead * step_size * start_rate
            # With more than one evaluation, all instants are counted from the step's start.
            instant = end if is_single else time + node * step_size
            rate, memory = response(instant, x, velocity, memory)
            rates[stage] = rate
        slope = 0.0
        for place, weight in end_terms:
            slope += weight * rates[place]
        return x, start_v + kick * slope, rate, velocity, rates[1], memory

    return step


def _terms(weights: Row, previous: float = 0.0) -> list[tuple[int, float]]:
    """Return positions and weights that are not 0. The last slope k_p comes first."""
    places = [(-1, previous), *enumerate(weights)]
    return [(place, weight) for place, weight in places if weight != 0.0]


def _apparent_frequency(
    state: _State, trial: _State, step_size: float, start_velocity: float
) -> float:
    """Return √(|Δa|/b)/2π [Hz] with b = max(|Δx|, dt v_min).

    v_min is 1 % of |v½| of the step's first trial, or 1e-15 m/s if that is 0.
    """
    smallest_velocity = SMALLEST_VELOCITY_SHARE * abs(start_velocity) or SMALLEST_VELOCITY
    moved = max(abs(trial[0] - state[0]), step_size * smallest_velocity)
    return sqrt(abs(trial[2] - state[2]) / moved) / (2.0 * pi)


def _pair_error(
    weights: Row,
    tolerance: float,
    scale: float,
    state: _State,
    trial: _State,
    slopes: tuple[list[float], list[float]],
) -> float:
    """Return √((e_x²/s_x² + e_v²/s_v²)/2), the error of an embedded pair per step size [1/s].

    s_y = max(tol |y + scale|, tol (|Δy| + scale), 100 ε)
    """
    squares = 0.0
    for first, last, of_stages in zip(state[:2], trial[:2], slopes, strict=True):
        error = 0.0
        for weight, slope in zip(weights, of_stages, strict=False):
            error += weight * slope
        error /= max(
            tolerance * abs(first + scale),
            tolerance * (abs(last - first) + scale),
            100.0 * MACHINE_EPSILON,
        )
        squares += error * error
    return sqrt(squares / 2.0)


def _growth(error: float, exponent: float) -> float:
    """Return the ratio of the next or the repeated step to this step."""
    if not error > 0.0:
        return LARGEST_GROWTH
    allowed: float = SAFETY * error ** (-1.0 / exponent)
    return min(LARGEST_GROWTH, max(SMALLEST_GROWTH, allowed))


def _archive(samples: array[float], time: float, state: _State) -> None:
    x, _, _, velocity, _, memory = state
    samples.extend((time, x, velocity, memory[0]))
