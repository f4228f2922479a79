"""Steps of all classical schemes by a table of coefficients, repeated if necessary.

One mass with one way to move and one penalised contact:

    M ẍ = F(t, x, v) − K x − C v,    F = −M A(t) + n F_N + τ F_T

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
from dataclasses import dataclass
from math import pi, sqrt

from .shock_oscillator import (
    MACHINE_EPSILON,
    NO_MEMORY,
    Excitation,
    FrictionMemory,
    ShockOscillator,
    contact_law,
)
from .tableau import Row, Tableau

#: Relative tolerance of the end of the run, for the rounding of instants and of a table's times.
ROUNDING = 1e-12
END_SHARE = 1.0 - ROUNDING  #: Share of the duration from which on a run has ended.

# ADAPT
STEP_DIVISOR = 1.3333334  #: By which a rejected step is divided.
STEP_GROWTH = 1.1  #: By which a step that has been good for long enough is multiplied.
GROWTH_ERROR = 0.75  #: Error below which a step may grow.
STEADY_STEPS = 4  #: Accepted steps after a growth, redone ones included, before the next.
SMALLEST_VELOCITY_SHARE = 0.01  #: Share of the half-step speed that makes v_min.
SMALLEST_VELOCITY = 1e-15  #: v_min at rest [m/s].

# RUNGE_KUTTA
SAFETY = 0.9  #: Share of the step that the error would allow.
SMALLEST_GROWTH = 0.2
LARGEST_GROWTH = 5.0  #: Bounds of the ratio of two successive steps.

# After a step: x [m] and the v that the scheme advances [m/s], of the last evaluation ẍ [m/s2], the
# contact's velocity [m/s], F_N and F_T [N], then ẍ of the first evaluation, contact memory.
# A tuple, because a run makes a million of them.
State = tuple[float, float, float, float, float, float, float, FrictionMemory]
# ẍ [m/s2], F_N and F_T [N], and the new memory, from t, x, v and the previous memory.
Response = Callable[
    [float, float, float, FrictionMemory], tuple[float, float, float, FrictionMemory]
]
# The weights of a sum that are not 0, each with the place of its slope.
Terms = list[tuple[int, float]]


@dataclass(frozen=True)
class Run:
    """How a run is marched."""

    duration: float  #: End of the run [s].
    first_step: float  #: [s].
    largest_step: float  #: [s].
    archive_every: int  #: Steps between two samples.
    #: All steps are first_step, at instants i·dt. Otherwise the last one is cut.
    is_fixed: bool = False
    smallest_step: float = 0.0  #: Step below which the run is given up [s].
    largest_redo_count: int = 0  #: Times a step is redone before it is taken as it is.
    redo_gain: float = 0.0  #: Ratio by which redoing must lower the error to be tried again.
    growth: float = 1.0  #: Ratio of two successive steps if no error is estimated.
    points_per_period: float = 0.0  #: N of ADAPT, or 0 without apparent frequency.
    tolerance: float = 0.0  #: tol of an embedded pair, or 0 without error estimate.
    scale: float = 0.0  #: ALPHA of an embedded pair [m and m/s].


def march(
    oscillator: ShockOscillator, excitation: Excitation, tableau: Tableau, run: Run
) -> array[float]:
    """Return the samples of a run, the columns of a `SchemeRecord` one after the other.

    It ends before `run.duration` if a step falls below the smallest one. The loop has more than 80
    lines because it has a rule for each kind of step control, and all of them share the state.
    """
    response = _response_of(oscillator, excitation)
    velocities, rates = ([0.0] * (len(tableau.nodes) + 2) for _ in range(2))
    step = _step_of(tableau, response, velocities, rates)
    step_size = min(run.first_step, run.largest_step)
    state = _start(oscillator, response, step_size)
    samples = array("d")
    _archive(samples, 0.0, state)
    end = run.duration * END_SHARE
    time = 0.0
    steps = unarchived = steady_steps = 0
    while time < end:
        steps += 1
        if not run.is_fixed:
            step_size = min(step_size, run.duration - time)
        planned_step = step_size
        # A leapfrog starts from the velocity at t = 0.
        staggered_from = 0.0 if tableau.lead > 0.0 and time == 0.0 else planned_step
        steady_steps += 1
        redo_count = 0
        previous_error = 0.0
        while True:
            # Fixed steps have the instants i·dt, never accumulated.
            new_time = steps * step_size if run.is_fixed else time + step_size
            kick = 0.5 * (staggered_from + step_size) if tableau.staggered else step_size
            trial = step(state, time, new_time, step_size, kick)
            error = 0.0
            if run.points_per_period:
                start_velocity = state[1] + 0.5 * (staggered_from + planned_step) * state[2]
                frequency = _apparent_frequency(state, trial, step_size, start_velocity)
                error = run.points_per_period * frequency * step_size
                shorter = step_size / STEP_DIVISOR
                may_grow = error < GROWTH_ERROR and steady_steps > STEADY_STEPS
                longer = STEP_GROWTH * step_size if may_grow else step_size
            elif run.tolerance:
                error = _pair_error(tableau.error_weights, run, state, trial, velocities, rates)
                error *= step_size
                shorter = longer = _growth(error, tableau.exponent) * step_size
            else:
                shorter = longer = run.growth * step_size
            if (
                error < 1.0
                or redo_count >= run.largest_redo_count
                or (redo_count and error * run.redo_gain > previous_error)
            ):
                break
            previous_error = error
            step_size = shorter
            redo_count += 1
        if step_size < run.smallest_step and new_time < end:
            break
        if longer > step_size:
            steady_steps = 0
        state = trial
        time = new_time
        step_size = min(run.largest_step, longer)
        unarchived += 1
        if unarchived == run.archive_every or time >= end:
            unarchived = 0
            _archive(samples, time, state)
    return samples


def _response_of(oscillator: ShockOscillator, excitation: Excitation) -> Response:
    """Return ẍ = −A(t) + (n F_N + τ F_T − K x − C v)/M as a function."""
    base_acceleration = excitation.acceleration
    forces = contact_law(oscillator)
    mass, stiffness, damping = oscillator.mass, oscillator.stiffness, oscillator.damping
    normal, tangential = oscillator.normal_component, oscillator.tangential_component

    def response(
        time: float, x: float, v: float, memory: FrictionMemory
    ) -> tuple[float, float, float, FrictionMemory]:
        normal_force, friction_force, memory = forces(x, v, memory)
        force = normal * normal_force + tangential * friction_force - stiffness * x - damping * v
        return force / mass - base_acceleration(time), normal_force, friction_force, memory

    return response


def _start(oscillator: ShockOscillator, response: Response, first_step: float) -> State:
    """Return the state at t = 0, at which the contact has no memory.

    The slope of the step before is half a step backwards. Its evaluation does not change the
    contact's memory. A(t) before t = 0 is assumed to be A(0), because a table begins at t = 0.
    """
    x, v = oscillator.initial_displacement, oscillator.initial_velocity
    rate, normal_force, friction_force, memory = response(0.0, x, v, NO_MEMORY)
    half_step = 0.5 * first_step
    past_x = x - half_step * v + 0.5 * (half_step * half_step) * rate
    previous_rate = response(0.0, past_x, (x - past_x) / half_step, memory)[0]
    return x, v, rate, v, normal_force, friction_force, previous_rate, memory


def _step_of(
    tableau: Tableau, response: Response, velocities: list[float], rates: list[float]
) -> Callable[[State, float, float, float, float], State]:
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
            tableau.previous_weights,
            strict=True,
        )
    ]
    end_terms = _terms(tableau.end_weights)
    lead = tableau.lead
    is_single = len(stages) == 1

    def step(state: State, time: float, end: float, step_size: float, kick: float) -> State:
        start_x, start_v, start_rate, _, _, _, previous_rate, memory = state
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
            rate, normal_force, friction_force, memory = response(instant, x, velocity, memory)
            rates[stage] = rate
        slope = 0.0
        for place, weight in end_terms:
            slope += weight * rates[place]
        v = start_v + kick * slope
        return x, v, rate, velocity, normal_force, friction_force, rates[1], memory

    return step


def _terms(weights: Row, previous: float = 0.0) -> Terms:
    """Return the weights that are not 0; k_p, the last of the slopes, comes first."""
    places = [(-1, previous), *enumerate(weights)]
    return [(place, weight) for place, weight in places if weight != 0.0]


def _apparent_frequency(
    state: State, trial: State, step_size: float, start_velocity: float
) -> float:
    """Return √(|Δa|/b)/2π [Hz] with b = max(|Δx|, dt v_min).

    v_min is 1 % of |v½| of the step's first trial, or 1e-15 m/s if that is 0.
    """
    smallest_velocity = SMALLEST_VELOCITY_SHARE * abs(start_velocity) or SMALLEST_VELOCITY
    moved = max(abs(trial[0] - state[0]), step_size * smallest_velocity)
    return sqrt(abs(trial[2] - state[2]) / moved) / (2.0 * pi)


def _pair_error(
    weights: Row,
    run: Run,
    state: State,
    trial: State,
    velocities: list[float],
    rates: list[float],
) -> float:
    """Return √((e_x²/s_x² + e_v²/s_v²)/2), the error of an embedded pair per step size [1/s].

    s_y = max(tol |y + scale|, tol (|Δy| + scale), 100 ε)
    """
    squares = 0.0
    for first, last, slopes in zip(state[:2], trial[:2], (velocities, rates), strict=True):
        error = 0.0
        for weight, slope in zip(weights, slopes, strict=False):
            error += weight * slope
        error /= max(
            run.tolerance * abs(first + run.scale),
            run.tolerance * (abs(last - first) + run.scale),
            100.0 * MACHINE_EPSILON,
        )
        squares += error * error
    return sqrt(squares / 2.0)


def _growth(error: float, exponent: float) -> float:
    """Return the ratio of the next step, or of a redone one, to this step."""
    if not error > 0.0:
        return LARGEST_GROWTH
    allowed: float = SAFETY * error ** (-1.0 / exponent)
    return min(LARGEST_GROWTH, max(SMALLEST_GROWTH, allowed))


def _archive(samples: array[float], time: float, state: State) -> None:
    _, _, _, velocity, normal_force, friction_force, _, (is_sticking, *_) = state
    samples.extend((time, state[0], velocity, normal_force, friction_force, is_sticking))
