"""One contact of a structure: its forces as series.

    F_N = max(0, −K gap − C_N d(gap)/dt)          K obstacle and omitted modes in series
    F_T = −K_T e − C_T ė,  ė = v_t − ȧ            e the stretch, a the anchor on the obstacle
    stick  ȧ = 0, |F_T| ≤ μ_s F_N
    slip   F_T = −μ_d F_N d,  |d| = 1,  ȧ = λ d,  λ ≥ 0
           C_T > 0: G = K_T e + C_T v_t, d = G/|G|, λ = (|G| − μ_d F_N)/C_T
           C_T = 0: e = (μ_d F_N/K_T) d,  μ_d F_N ḋ = K_T (v_t − (v_t·d) d),
                    λ = v_t·d − d(μ_d F_N)/dt/K_T

Without a damper, d follows the direction of v_t at the rate K_T |v_t|/(μ_d F_N). If this rate is
far above the rates of the motion, the series of d needs very short pieces. The same law is then
solved by repetition: d = (v_t − ė)/|v_t − ė|, with ė from the previous series. The first ė is 0.
Each repetition reduces the error by the ratio of the rates, until it is below rounding. An error at
the start would decay at the high rate, so the present d must satisfy the same equation.

If friction depends on the point's speed, μ_d is replaced by μ(|v_t|) of `friction`, and the limit
in stick is max(μ_s, μ(|v_t|)) F_N.

With wear feedback, wear opens the gap by h, where ḣ = β F_N λ with β = wear_time_scale ·
archard_coefficient / wear_area. C_N acts only on the velocity of the point, not on ḣ.

The gap at a plane is gap + x_1, with x_1 along the normal, and at the second of two planes it is
gap − x_1. In a circle it is gap − r, with the distance r from the axis, see `obstacle`. In a circle
the components of the stretch are along the directions of friction, which turn with the point.

At a plane with the radius R of a pendulum bearing, the contact also has the force −F_N u/R along
the plane, where u is the position of the point along the plane.

`guards` finds the end of the present mode, and `transitions` contains the events.
"""

from __future__ import annotations

from ..series.arithmetic import (
    add_unit_coefficient,
    direction_of,
    magnitude,
    product_term,
    unit_coefficient,
)
from .friction import coefficient_term, has_friction, knot_speed, sliding_friction
from .obstacle import add_pressing_coefficient, force_coefficient
from .parameters import ContactLaw
from .state_objects import FOLLOWS, NUMBER, ContactState, ContactTerms, ContactWork
from .wear import anchor_runs_away

# A velocity across the direction of slip below this share of the velocity is rounding. The angle ψ
# of d follows the angle θ of the velocity by ψ' = K_T |v_t|/(μ_d F_N) sin(θ − ψ), so that an error
# of θ never grows in ψ. Its series, however, grows by K_T |v_t|/(μ_d F_N) with each order.
_ROUNDING = 1e-15
# A velocity across the last slip is ignored in |v_t| below this multiple of `unfelt_speed`. It
# would change μ by at most 1e-13 of μ, and only if the velocity along the slip is as small.
_ACROSS = 1e4
# A slip can follow its velocity if the rate of its direction is at least _FOLLOWING/length. The
# anchor's velocity is exact if a repetition changes it by less than the share _REPEATED, and nearly
# exact below _NEARLY. A new direction of slip continues the present direction if they differ by
# less than _CONTINUED. In a piece that was shortened to less than _TURNING/rate, repetitions add
# few digits, and a series of the direction itself converges over a similar length.
_FOLLOWING = 100.0
_TURNING = 20.0
_REPEATED = 1e-15
_NEARLY = 1e-6
_CONTINUED = 1e-13


def add_force_coefficient(
    law: ContactLaw,
    s: ContactState,
    work: ContactWork,
    terms: list[ContactTerms],
    length: float,
    j: int,
) -> tuple[float, float, float]:
    """Coefficient j of the force of a closed contact on the structure [N], in the contact's frame.

    Positions and velocities up to j are required. `length` [s] is the duration of the piece.
    """
    force = work.force
    value = add_pressing_coefficient(law, s, work, terms, length, j)
    if law.opening_per_work != 0.0:
        value = _add_opening(law, s, work, value, length, j)
    if j < s.zeros_force:
        value = 0.0
    force[j] = value
    if has_friction(law):
        if s.sliding == 0.0:
            _add_stick(law, s, work, length, j)
            if law.holding_varies != 0.0:
                _add_bound(law, s, work, j)
        else:
            friction = law.friction_coefficient
            if law.constant_friction < 0.0:
                _add_bound(law, s, work, j)
                friction = 1.0
                value = work.bound[j]
            if law.tangential_damping > 0.0:
                _add_damped_slip(law, s, work, terms, value, friction, length, j)
            elif law.constant_friction < 0.0:
                _add_slip(law, s, work, work.bound, friction, length, j)
            else:
                _add_slip(law, s, work, force, friction, length, j)
    else:
        work.friction_1[j] = 0.0
        work.friction_2[j] = 0.0
    if law.curvature != 0.0:
        pull_1 = product_term(force, j + 1, work.position_2, j + 1, j)
        pull_2 = product_term(force, j + 1, work.position_3, j + 1, j)
        along_1, along_2, along_3 = force_coefficient(law, s, work, terms, j)
        return along_1, along_2 - law.curvature * pull_1, along_3 - law.curvature * pull_2
    return force_coefficient(law, s, work, terms, j)


def _add_opening(
    law: ContactLaw, s: ContactState, work: ContactWork, bare: float, length: float, j: int
) -> float:
    """Coefficient j of h and of F_N, which is `bare` without h. Lower orders are required.

    h_j = (τ β/j) Σ F_i λ_{j−1−i}. Without a damper, λ_{j−1} contains F_j, and F_j decreases by
    K h_j.
    """
    opening = work.opening
    opening[j] = 0.0
    if j == 0 or s.sliding == 0.0:
        return bare
    force = work.force
    slip = work.slip
    last = j - 1
    worn = length * law.opening_per_work / j
    gain = 0.0
    if law.tangential_damping == 0.0:
        share = j / (law.tangential_stiffness * length)
        pressing = bare * law.friction_coefficient
        friction = law.friction_coefficient
        if law.constant_friction < 0.0:
            # Coefficient j of μ F_N if F_j is `bare`.
            coefficient = work.coefficient
            add_friction_coefficient(law, s, work, j)
            friction = coefficient[0]
            pressing = friction * bare
            for i in range(1, j + 1):
                pressing += coefficient[i] * force[j - i]
        slip[last] = work.along[last] - share * pressing
        gain = share * friction * law.stiffness
        if last < s.zeros_slip:
            slip[last] = 0.0
            gain = 0.0
    elif last < s.zeros_slip:
        slip[last] = 0.0
    deeper = worn * product_term(force, j, slip, j, last)
    if gain != 0.0:
        deeper /= 1.0 - worn * force[0] * gain
        slip[last] += gain * deeper
    opening[j] = deeper
    return bare - law.stiffness * deeper


def wear_runs_away(law: ContactLaw, s: ContactState, work: ContactWork) -> bool:
    """Whether the wear of a slip without damper opens the gap faster than the spring follows."""
    if law.opening_per_work == 0.0 or s.sliding == 0.0 or law.tangential_damping > 0.0:
        return False
    friction = sliding_friction(law, magnitude(work.sliding_1[0], work.sliding_2[0]))
    return anchor_runs_away(law, friction, law.stiffness, work.force[0], law.tangential_stiffness)


def _add_stick(law: ContactLaw, s: ContactState, work: ContactWork, length: float, j: int) -> None:
    """ė = v_t,  F_T = −K_T e − C_T v_t."""
    sliding_1 = work.sliding_1
    sliding_2 = work.sliding_2
    stretch_1 = work.stretch_1
    stretch_2 = work.stretch_2
    if j == 0:
        stretch_1[0] = s.stretch_1
        stretch_2[0] = s.stretch_2
    else:
        share = length / j
        stretch_1[j] = share * sliding_1[j - 1]
        stretch_2[j] = share * sliding_2[j - 1]
    stiffness = law.tangential_stiffness
    damping = law.tangential_damping
    work.friction_1[j] = -stiffness * stretch_1[j] - damping * sliding_1[j]
    work.friction_2[j] = -stiffness * stretch_2[j] - damping * sliding_2[j]


def _add_bound(law: ContactLaw, s: ContactState, work: ContactWork, j: int) -> None:
    """Coefficient j of |v_t|, of μ(|v_t|) and of μ(|v_t|) F_N."""
    add_friction_coefficient(law, s, work, j)
    work.bound[j] = product_term(work.coefficient, j + 1, work.force, j + 1, j)


def add_friction_coefficient(law: ContactLaw, s: ContactState, work: ContactWork, j: int) -> None:
    """Coefficient j of |v_t| and of μ(|v_t|).

    A velocity that starts at rest is t^z w(t): |v_t| = t^z |w|, so that it has a direction.
    """
    sliding_1 = work.sliding_1
    sliding_2 = work.sliding_2
    course_1 = work.course_1
    course_2 = work.course_2
    course = work.course
    speed = work.speed
    zeros = standing_still(law, s, work, j)
    speed[j] = 0.0
    if zeros <= j:
        order = j - zeros
        first = sliding_1[j]
        second = sliding_2[j]
        axis_1 = s.direction_1
        axis_2 = s.direction_2
        if s.sliding == 0.0:
            # With the velocity as the axis, a straight path stays straight to rounding.
            axis_1 = sliding_1[zeros]
            axis_2 = sliding_2[zeros]
            size = magnitude(axis_1, axis_2)
            axis_1 /= size
            axis_2 /= size
        elif axis_1 == 0.0 and axis_2 == 0.0:
            axis_1 = 1.0
        across = axis_1 * second - axis_2 * first
        felt = _ACROSS * law.unfelt_speed + _ROUNDING * (abs(first) + abs(second))
        course_1[order] = axis_1 * first + axis_2 * second
        course_2[order] = across if abs(across) > felt else 0.0
        add_unit_coefficient(course_1, course_2, course, work.heading_1, work.heading_2, order)
        speed[j] = course[order]
    if j == 0 and s.zeros_speed > 1.0:
        knot = int(s.zeros_speed) - 1
        speed[0] = knot_speed(law, knot)
    work.coefficient[j] = coefficient_term(law, 1.0, speed, work.exponential, j)


def standing_still(law: ContactLaw, s: ContactState, work: ContactWork, j: int) -> int:
    """Number of leading coefficients of the velocity along the obstacle that are 0, up to j + 1.

    A coefficient counts as 0 if it does not affect friction. The velocity of a body that comes to
    rest in stick decays without limit, to numbers too small to have a direction.
    """
    sliding_1 = work.sliding_1
    sliding_2 = work.sliding_2
    zeros = 1 if s.zeros_speed == 1.0 else 0
    unfelt = law.unfelt_speed
    while zeros <= j and abs(sliding_1[zeros]) <= unfelt and abs(sliding_2[zeros]) <= unfelt:
        zeros += 1
    return min(zeros, j + 1)


def _add_damped_slip(
    law: ContactLaw,
    s: ContactState,
    work: ContactWork,
    terms: list[ContactTerms],
    pressing: float,
    friction: float,
    length: float,
    j: int,
) -> None:
    """C_T ė = −K_T e − F_T,  F_T = −μ_d F_N G/|G|,  G = K_T e + C_T v_t.

    `friction` · `pressing` is coefficient j of μ_d F_N.
    """
    stretch_1 = work.stretch_1
    stretch_2 = work.stretch_2
    trial_1 = work.trial_1
    trial_2 = work.trial_2
    friction_1 = work.friction_1
    friction_2 = work.friction_2
    stiffness = law.tangential_stiffness
    damping = law.tangential_damping
    if j == 0:
        stretch_1[0] = s.stretch_1
        stretch_2[0] = s.stretch_2
    else:
        factor = length / (damping * j)
        stretch_1[j] = -factor * (stiffness * stretch_1[j - 1] + friction_1[j - 1])
        stretch_2[j] = -factor * (stiffness * stretch_2[j - 1] + friction_2[j - 1])
    trial_1[j] = stiffness * stretch_1[j] + damping * work.sliding_1[j]
    trial_2[j] = stiffness * stretch_2[j] + damping * work.sliding_2[j]
    now = terms[j]
    first = terms[0]
    now.pull_1 = j * trial_1[j]
    now.pull_2 = j * trial_2[j]
    now.pressing_1 = pressing
    now.pressing_2 = pressing
    if j == 0:
        size, along_1, along_2 = direction_of(trial_1[0], trial_2[0])
        held_1 = pressing * along_1
        held_2 = pressing * along_2
    else:
        _add_direction_products(terms, j, int(work.direction_1[NUMBER]))
        passed_1 = first.direction_1
        passed_2 = first.direction_2
        slope = now.pull_1 * passed_1 + now.pull_2 * passed_2
        slope += now.pull_direction_1 + now.pull_direction_2
        size, along_1, along_2 = unit_coefficient(
            slope,
            (now.pull_1, now.pull_2),
            (now.trial_direction_1, now.trial_direction_2),
            first.trial_1,
            (passed_1, passed_2),
            j,
        )
        held_1 = pressing * passed_1 + first.pressing_1 * along_1 + now.pressing_direction_1
        held_2 = pressing * passed_2 + first.pressing_1 * along_2 + now.pressing_direction_2
    now.trial_1 = size
    now.trial_2 = size
    now.direction_1 = along_1
    now.direction_2 = along_2
    now.direction_3 = along_1
    now.direction_4 = along_2
    if j == 0 or along_1 != 0.0 or along_2 != 0.0:
        work.direction_1[NUMBER] = j + 1.0
    work.trial[j] = size
    work.direction_1[j] = along_1
    work.direction_2[j] = along_2
    friction_1[j] = -friction * held_1
    friction_2[j] = -friction * held_2
    work.slip[j] = (size - friction * pressing) / damping


def _add_direction_products(terms: list[ContactTerms], j: int, count: int) -> None:
    """Sums Σ_{0<i<j} a_i d_{j−i} of the series a that are multiplied by the direction of slip d.

    From order `count` on d is 0.
    """
    pull_1 = 0.0
    pull_2 = 0.0
    trial_1 = 0.0
    trial_2 = 0.0
    pressing_1 = 0.0
    pressing_2 = 0.0
    for i in range(max(1, j - count + 1), j):
        term = terms[i]
        other = terms[j - i]
        pull_1 += term.pull_1 * other.direction_1
        pull_2 += term.pull_2 * other.direction_2
        trial_1 += term.trial_1 * other.direction_3
        trial_2 += term.trial_2 * other.direction_4
        pressing_1 += term.pressing_1 * other.direction_1
        pressing_2 += term.pressing_2 * other.direction_2
    now = terms[j]
    now.pull_direction_1 = pull_1
    now.pull_direction_2 = pull_2
    now.trial_direction_1 = trial_1
    now.trial_direction_2 = trial_2
    now.pressing_direction_1 = pressing_1
    now.pressing_direction_2 = pressing_2


def _add_slip(
    law: ContactLaw,
    s: ContactState,
    work: ContactWork,
    force: list[float],
    friction: float,
    length: float,
    j: int,
) -> None:
    """F_N d' = (K_T length/μ_d)(v_t − (v_t·d) d),  F_T = −μ_d F_N d.

    `friction` · `force` is μ_d F_N, and d' is the derivative in the piece's own time. If the
    contact has just closed with F_N = 0, d starts along v_t. Then F_1 multiplies coefficient j.
    """
    sliding_1 = work.sliding_1
    sliding_2 = work.sliding_2
    direction_1 = work.direction_1
    direction_2 = work.direction_2
    along = work.along
    friction_1 = work.friction_1
    friction_2 = work.friction_2
    if friction == 0.0:
        # Without friction, the anchor moves with the point.
        add_unit_coefficient(sliding_1, sliding_2, along, direction_1, direction_2, j)
        work.stretch_1[j] = 0.0
        work.stretch_2[j] = 0.0
        friction_1[j] = 0.0
        friction_2[j] = 0.0
        return
    if j == 0 or sliding_1[j] != 0.0 or sliding_2[j] != 0.0:
        along[NUMBER] = j + 1.0
    if j == 0 or force[j] != 0.0:
        friction_1[NUMBER] = j + 1.0
    pressing = int(friction_1[NUMBER])
    pull = law.tangential_stiffness * length / friction
    trial = work.trial
    if trial[FOLLOWS] != 0.0:
        work.trial_1[j] += sliding_1[j]
        work.trial_2[j] += sliding_2[j]
        add_unit_coefficient(work.trial_1, work.trial_2, trial, direction_1, direction_2, j)
    elif j == 0:
        speed = magnitude(sliding_1[0], sliding_2[0])
        if force[0] == 0.0 and speed > 0.0:
            direction_1[0] = sliding_1[0] / speed
            direction_2[0] = sliding_2[0] / speed
        else:
            direction_1[0] = s.direction_1
            direction_2[0] = s.direction_2
    else:
        _add_direction(work, force, pull, j)
    if j == 0 or direction_1[j] != 0.0 or direction_2[j] != 0.0:
        direction_1[NUMBER] = j + 1.0
    first = max(0, j + 1 - int(direction_1[NUMBER]))
    along_1 = 0.0
    along_2 = 0.0
    for i in range(first, int(along[NUMBER])):
        along_1 += sliding_1[i] * direction_1[j - i]
        along_2 += sliding_2[i] * direction_2[j - i]
    along[j] = along_1 + along_2
    held_1 = 0.0
    held_2 = 0.0
    for i in range(first, pressing):
        held_1 += force[i] * direction_1[j - i]
        held_2 += force[i] * direction_2[j - i]
    friction_1[j] = -friction * held_1
    friction_2[j] = -friction * held_2
    work.stretch_1[j] = -friction_1[j] / law.tangential_stiffness
    work.stretch_2[j] = -friction_2[j] / law.tangential_stiffness


def _add_direction(work: ContactWork, force: list[float], pull: float, j: int) -> None:
    """Coefficient j > 0 of the direction of a slip, also of one that begins under a force of 0."""
    sliding_1 = work.sliding_1
    sliding_2 = work.sliding_2
    direction_1 = work.direction_1
    direction_2 = work.direction_2
    along = work.along
    if force[0] != 0.0:
        last = j - 1
        rest_1 = sliding_1[last]
        rest_2 = sliding_2[last]
        turning = int(direction_1[NUMBER])
        for i in range(max(0, j - turning), j):
            rest_1 -= along[i] * direction_1[last - i]
            rest_2 -= along[i] * direction_2[last - i]
        if abs(rest_1) + abs(rest_2) <= _ROUNDING * (abs(sliding_1[last]) + abs(sliding_2[last])):
            rest_1 = 0.0
            rest_2 = 0.0
        rest_1 *= pull
        rest_2 *= pull
        for i in range(max(1, j - turning + 1), min(j, int(work.friction_1[NUMBER]))):
            weight = force[i] * (j - i)
            rest_1 -= weight * direction_1[j - i]
            rest_2 -= weight * direction_2[j - i]
        direction_1[j] = rest_1 / (force[0] * j)
        direction_2[j] = rest_2 / (force[0] * j)
        return
    speed = magnitude(sliding_1[0], sliding_2[0])
    # d_0·d_j from d·d = 1, and v_t·d without the term of order j that contains d_j.
    bend = 0.0
    for i in range(1, j):
        bend -= 0.5 * direction_1[i] * direction_1[j - i]
        bend -= 0.5 * direction_2[i] * direction_2[j - i]
    known = speed * bend
    for i in range(1, j + 1):
        known += sliding_1[i] * direction_1[j - i] + sliding_2[i] * direction_2[j - i]
    rest_1 = pull * (sliding_1[j] - known * direction_1[0])
    rest_2 = pull * (sliding_2[j] - known * direction_2[0])
    for i in range(1, j):
        rest_1 -= pull * along[i] * direction_1[j - i]
        rest_2 -= pull * along[i] * direction_2[j - i]
    for i in range(2, j + 1):
        weight = force[i] * (j - i + 1)
        rest_1 -= weight * direction_1[j - i + 1]
        rest_2 -= weight * direction_2[j - i + 1]
    whole = force[1] * j + pull * speed
    direction_1[j] = 0.0
    direction_2[j] = 0.0
    if whole != 0.0:
        direction_1[j] = rest_1 / whole
        direction_2[j] = rest_2 / whole


def begin_following(law: ContactLaw, s: ContactState, work: ContactWork, length: float) -> bool:
    """Let a slip follow its velocity, if it can, from terms of order 0. Return whether it does."""
    work.trial[FOLLOWS] = 0.0
    if s.closed == 0.0 or s.sliding == 0.0 or law.tangential_damping > 0.0:
        return False
    held = magnitude(work.friction_1[0], work.friction_2[0])
    pull = law.tangential_stiffness * length * magnitude(work.sliding_1[0], work.sliding_2[0])
    if held == 0.0 or pull < _FOLLOWING * held:
        return False
    work.trial[FOLLOWS] = 1.0
    _take_rate(work.trial_1, work.sliding_1, work.stretch_1, length, 0)
    _take_rate(work.trial_2, work.sliding_2, work.stretch_2, length, 0)
    return True


def repeat_following(s: ContactState, work: ContactWork, length: float, count: int) -> float:
    """Take ė from the present series.

    Returns 0 if it is exact, 0.5 if only its last digits change, and 1 if more digits change.
    Returns −1 if d differs from the present direction, or turns too slowly for a piece so short.
    """
    trial = work.trial
    if trial[FOLLOWS] == 0.0:
        return 0.0
    changed = _take_rate(work.trial_1, work.sliding_1, work.stretch_1, length, count)
    changed += _take_rate(work.trial_2, work.sliding_2, work.stretch_2, length, count)
    if length * trial[0] < _TURNING * magnitude(work.stretch_1[0], work.stretch_2[0]):
        return -1.0
    missed = abs(work.direction_1[0] - s.direction_1) + abs(work.direction_2[0] - s.direction_2)
    if missed > _CONTINUED and missed * trial[0] > 2.0 * changed:
        return -1.0
    if changed > _NEARLY * trial[0]:
        return 1.0
    return 0.5 if changed > _REPEATED * trial[0] else 0.0


def _take_rate(
    trial: list[float], sliding: list[float], stretch: list[float], length: float, count: int
) -> float:
    """Write −ė, to which the next series adds v_t. Return the size of the change of v_t − ė."""
    changed = 0.0
    for j in range(FOLLOWS):
        rate = (j + 1) / length * stretch[j + 1] if j < count - 1 else 0.0
        if j < count:
            changed += abs(sliding[j] - rate - trial[j])
        trial[j] = -rate
    return changed


def finish_slip(
    law: ContactLaw, s: ContactState, work: ContactWork, length: float, count: int
) -> None:
    """Write the terms of a slip that need all coefficients of the force, and clear known zeros."""
    if s.sliding == 0.0:
        return
    slip = work.slip
    if law.tangential_damping == 0.0:
        along = work.along
        force = work.force
        bound = work.bound
        if law.constant_friction < 0.0:
            share = 1.0 / (law.tangential_stiffness * length)
            for j in range(count - 1):
                slip[j] = along[j] - share * (j + 1) * bound[j + 1]
        else:
            share = law.friction_coefficient / (law.tangential_stiffness * length)
            for j in range(count - 1):
                slip[j] = along[j] - share * (j + 1) * force[j + 1]
        slip[count - 1] = 0.0
    for j in range(min(int(s.zeros_slip), count)):
        slip[j] = 0.0
