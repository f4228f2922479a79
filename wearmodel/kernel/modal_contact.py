"""One contact of a structure: its forces as series, its guards, and what happens at its events.

    F_N = max(0, −K gap − C_N d(gap)/dt)          K obstacle and modes left out in series
    F_T = −K_T e − C_T ė,  ė = v_t − ȧ            e the stretch, a the anchor on the obstacle
    stick  ȧ = 0, |F_T| ≤ μ_s F_N
    slip   F_T = −μ_d F_N d,  |d| = 1,  ȧ = λ d,  λ ≥ 0
           C_T > 0: G = K_T e + C_T v_t, d = G/|G|, λ = (|G| − μ_d F_N)/C_T
           C_T = 0: e = (μ_d F_N/K_T) d,  μ_d F_N ḋ = K_T (v_t − (v_t·d) d),
                    λ = v_t·d − (μ_d/K_T) dF_N/dt

gap is gap + x_1 at a plane (x_1 along the normal), also gap − x_1 at the second one of two, and
gap − r in a circle, r the distance from the axis. In a circle the normal is −r̂ and friction acts
along t = axis × r̂ and along the axis; the stretch is kept in these components, which turn with the
point. Both planes are never touched at once.

| event         | where                                     | then                              |
|---------------|-------------------------------------------|-----------------------------------|
| CLOSING       | gap reaches 0                             | closed, e = 0, stick; one shock   |
| CLOSING_INSIDE| F_N leaves 0 inside                       | the same                          |
| OPENING       | F_N falls below 1e-13 of its peak         | open, the stretch is forgotten    |
| RELEASE       | gap reaches 0 from inside with F_N = 0    | open, outside                     |
| CONE_PLUS     | |F_T| reaches μ_s F_N                     | slip along −F_T                   |
| ARREST        | λ reaches 0                               | stick; the cone decides at once   |

At breakaway without a damper the anchor jumps by (μ_s − μ_d) F_N/K_T; its wear is added.
A contact without friction does not wear.
"""

from __future__ import annotations

from .limits import (
    ARREST,
    CLOSING_LOWER,
    CONE_PLUS,
    END_OF_PIECE,
    NEVER,
    NO_EVENT,
    OPENING,
    RELEASE,
    VIOLATED,
)
from .modal_limits import CIRCLE, CLOSING_INSIDE, OPENING_SHARE, TWO_PLANES
from .modal_records import ContactLaw, ContactState, ContactWork
from .roots import first_exit, largest_value
from .series import evaluate, integrate_product
from .series_arithmetic import (
    add_unit_coefficient,
    magnitude,
    product_term,
    significant,
    square_sum,
)

# A gap this small beside the lengths that it is a difference of is rounding; so is one that belongs
# to this share of the largest force.
_GAP_ROUNDING = 1e-14
_FORCE_ROUNDING = 1e-12
# Leading coefficients of the cone's guard below this share of the squared friction force.
_CONE_ROUNDING = 4e-14
# A contact that closes with neither force nor motion along it, and then slips, sticks for this
# share of the piece: the direction of slip follows from where it is drawn. No zero is known there.
_BEYOND_TIP = 1e-9
_NO_ZEROS = -1


def add_force_coefficient(
    law: ContactLaw, s: ContactState, work: ContactWork, length: float, j: int
) -> tuple[float, float, float]:
    """Coefficient j of the force of a closed contact on the structure [N], in the contact's frame.

    Positions and velocities up to j are there; `length` [s] is what 1 stands for.
    """
    force = work.force
    velocity_1 = work.velocity_1
    velocity_3 = work.velocity_3
    sliding_1 = work.sliding_1
    sliding_2 = work.sliding_2
    if law.obstacle == CIRCLE:
        velocity_2 = work.velocity_2
        radius = work.radius
        radial_1 = work.radial_1
        radial_2 = work.radial_2
        radial_velocity = work.radial_velocity
        add_radius_coefficient(work, j)
        rate = product_term(velocity_1, j + 1, radial_1, j + 1, j)
        rate += product_term(velocity_2, j + 1, radial_2, j + 1, j)
        radial_velocity[j] = rate
        value = law.stiffness * radius[j] + law.damping * rate
        if j == 0:
            value = law.stiffness * (radius[0] - law.gap) + law.damping * rate
        turned = product_term(velocity_2, j + 1, radial_1, j + 1, j)
        sliding_1[j] = turned - product_term(velocity_1, j + 1, radial_2, j + 1, j)
        sliding_2[j] = velocity_3[j]
    else:
        position_1 = work.position_1
        velocity_2 = work.velocity_2
        value = -s.closed * (law.stiffness * position_1[j] + law.damping * velocity_1[j])
        if j == 0:
            value -= law.stiffness * law.gap
        sliding_1[j] = velocity_2[j]
        sliding_2[j] = velocity_3[j]
    if j < s.zeros_force:
        value = 0.0
    force[j] = value
    friction_1 = work.friction_1
    friction_2 = work.friction_2
    if law.friction_static > 0.0:
        if s.sliding == 0.0:
            _add_stick(law, s, work, length, j)
        elif law.tangential_damping > 0.0:
            _add_damped_slip(law, s, work, length, j)
        else:
            _add_slip(law, s, work, length, j)
    else:
        friction_1[j] = 0.0
        friction_2[j] = 0.0
    if law.obstacle == CIRCLE:
        normal_1 = work.radial_1
        normal_2 = work.radial_2
        along_1 = -product_term(force, j + 1, normal_1, j + 1, j)
        along_2 = -product_term(force, j + 1, normal_2, j + 1, j)
        along_1 -= product_term(friction_1, j + 1, normal_2, j + 1, j)
        along_2 += product_term(friction_1, j + 1, normal_1, j + 1, j)
        return along_1, along_2, friction_2[j]
    return s.closed * value, friction_1[j], friction_2[j]


def _add_stick(law: ContactLaw, s: ContactState, work: ContactWork, length: float, j: int) -> None:
    """ė = v_t,  F_T = −K_T e − C_T v_t."""
    sliding_1 = work.sliding_1
    sliding_2 = work.sliding_2
    stretch_1 = work.stretch_1
    stretch_2 = work.stretch_2
    friction_1 = work.friction_1
    friction_2 = work.friction_2
    if j == 0:
        stretch_1[0] = s.stretch_1
        stretch_2[0] = s.stretch_2
    else:
        stretch_1[j] = length * sliding_1[j - 1] / j
        stretch_2[j] = length * sliding_2[j - 1] / j
    stiffness = law.tangential_stiffness
    damping = law.tangential_damping
    friction_1[j] = -stiffness * stretch_1[j] - damping * sliding_1[j]
    friction_2[j] = -stiffness * stretch_2[j] - damping * sliding_2[j]


def _add_damped_slip(
    law: ContactLaw, s: ContactState, work: ContactWork, length: float, j: int
) -> None:
    """C_T ė = −K_T e − F_T,  F_T = −μ_d F_N G/|G|,  G = K_T e + C_T v_t."""
    sliding_1 = work.sliding_1
    sliding_2 = work.sliding_2
    stretch_1 = work.stretch_1
    stretch_2 = work.stretch_2
    trial_1 = work.trial_1
    trial_2 = work.trial_2
    trial = work.trial
    direction_1 = work.direction_1
    direction_2 = work.direction_2
    force = work.force
    friction_1 = work.friction_1
    friction_2 = work.friction_2
    slip = work.slip
    stiffness = law.tangential_stiffness
    damping = law.tangential_damping
    if j == 0:
        stretch_1[0] = s.stretch_1
        stretch_2[0] = s.stretch_2
    else:
        factor = length / (damping * j)
        stretch_1[j] = -factor * (stiffness * stretch_1[j - 1] + friction_1[j - 1])
        stretch_2[j] = -factor * (stiffness * stretch_2[j - 1] + friction_2[j - 1])
    trial_1[j] = stiffness * stretch_1[j] + damping * sliding_1[j]
    trial_2[j] = stiffness * stretch_2[j] + damping * sliding_2[j]
    add_unit_coefficient(trial_1, trial_2, trial, direction_1, direction_2, work.trial_slope, j)
    friction_1[j] = -law.friction * product_term(force, j + 1, direction_1, j + 1, j)
    friction_2[j] = -law.friction * product_term(force, j + 1, direction_2, j + 1, j)
    slip[j] = (trial[j] - law.friction * force[j]) / damping


def _add_slip(law: ContactLaw, s: ContactState, work: ContactWork, length: float, j: int) -> None:
    """F_N d' = (K_T/μ_d)(v_t − (v_t·d) d),  F_T = −μ_d F_N d; ' by the piece's own time.

    From a force of 0, just closed, d starts along v_t, and its coefficient j stands beside the
    first coefficient of F_N.
    """
    sliding_1 = work.sliding_1
    sliding_2 = work.sliding_2
    stretch_1 = work.stretch_1
    stretch_2 = work.stretch_2
    direction_1 = work.direction_1
    direction_2 = work.direction_2
    along = work.along
    force = work.force
    friction_1 = work.friction_1
    friction_2 = work.friction_2
    pull = law.tangential_stiffness * length / law.friction
    if j == 0:
        speed = magnitude(sliding_1[0], sliding_2[0])
        if force[0] == 0.0 and speed > 0.0:
            direction_1[0] = sliding_1[0] / speed
            direction_2[0] = sliding_2[0] / speed
        else:
            direction_1[0] = s.direction_1
            direction_2[0] = s.direction_2
    elif force[0] == 0.0:
        speed = magnitude(sliding_1[0], sliding_2[0])
        # d·d = 1 gives d_0·d_j; v_t·d without its part of order j that belongs to d_j.
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
    else:
        last = j - 1
        rest_1 = sliding_1[last]
        rest_2 = sliding_2[last]
        for i in range(j):
            rest_1 -= along[i] * direction_1[last - i]
            rest_2 -= along[i] * direction_2[last - i]
        rest_1 *= pull
        rest_2 *= pull
        for i in range(1, j):
            weight = force[i] * (j - i)
            rest_1 -= weight * direction_1[j - i]
            rest_2 -= weight * direction_2[j - i]
        direction_1[j] = rest_1 / (force[0] * j)
        direction_2[j] = rest_2 / (force[0] * j)
    value = product_term(sliding_1, j + 1, direction_1, j + 1, j)
    along[j] = value + product_term(sliding_2, j + 1, direction_2, j + 1, j)
    friction_1[j] = -law.friction * product_term(force, j + 1, direction_1, j + 1, j)
    friction_2[j] = -law.friction * product_term(force, j + 1, direction_2, j + 1, j)
    stretch_1[j] = -friction_1[j] / law.tangential_stiffness
    stretch_2[j] = -friction_2[j] / law.tangential_stiffness


def nonlinear_size(law: ContactLaw, s: ContactState, work: ContactWork, j: int) -> float:
    """How large coefficient j is of what in a contact is no linear motion; 0 if all is.

    A sum, in which a coefficient that is not a number shows.
    """
    if s.closed == 0.0 and not is_inside_circle(law, s, work):
        return 0.0
    size = 0.0
    if law.obstacle == CIRCLE:
        radial_1 = work.radial_1
        radial_2 = work.radial_2
        size = abs(radial_1[j]) + abs(radial_2[j])
    if s.sliding != 0.0:
        direction_1 = work.direction_1
        direction_2 = work.direction_2
        size += abs(direction_1[j]) + abs(direction_2[j])
        if law.tangential_damping > 0.0:
            stretch_1 = work.stretch_1
            stretch_2 = work.stretch_2
            trial = work.trial
            stretch = abs(stretch_1[j]) + abs(stretch_2[j])
            if trial[0] > 0.0:
                size += law.tangential_stiffness * stretch / trial[0]
    return size


def is_inside_circle(law: ContactLaw, s: ContactState, work: ContactWork) -> bool:
    """Whether an open contact's point is inside a circle's obstacle, so that its radius counts."""
    return (
        s.closed == 0.0
        and law.obstacle == CIRCLE
        and law.damping > 0.0
        and gap_now(law, work) < 0.0
    )


def add_radius_coefficient(work: ContactWork, j: int) -> None:
    """Coefficient j of the distance from a circle's axis, and of its direction."""
    add_unit_coefficient(
        work.position_1,
        work.position_2,
        work.radius,
        work.radial_1,
        work.radial_2,
        work.radial_slope,
        j,
    )


def finish_slip(
    law: ContactLaw, s: ContactState, work: ContactWork, length: float, count: int
) -> None:
    """Write what of a slip's series needs the whole series of the force; clear known zeros."""
    if s.sliding == 0.0:
        return
    slip = work.slip
    if law.tangential_damping == 0.0:
        along = work.along
        force = work.force
        share = law.friction / (law.tangential_stiffness * length)
        for j in range(count - 1):
            slip[j] = along[j] - share * (j + 1) * force[j + 1]
        slip[count - 1] = 0.0
    for j in range(min(int(s.zeros_slip), count)):
        slip[j] = 0.0


def gap_now(law: ContactLaw, work: ContactWork) -> float:
    """Gap [m] at the start of the piece; the smaller one of two planes."""
    position_1 = work.position_1
    if law.obstacle == CIRCLE:
        position_2 = work.position_2
        return law.gap - magnitude(position_1[0], position_2[0])
    return law.gap + _facing(law, work) * position_1[0]


def _facing(law: ContactLaw, work: ContactWork) -> float:
    """+1 where the (lower) plane is the nearer one, −1 for the upper one of two."""
    position_1 = work.position_1
    if law.obstacle == TWO_PLANES and position_1[0] > 0.0:
        return -1.0
    return 1.0


def contact_exit(
    law: ContactLaw, s: ContactState, work: ContactWork, length: float, count: int
) -> tuple[float, int, int]:
    """Where in [0, 1] the contact's mode ends first, by which event, and its guard's zeros there.

    Zeros are counted where the guard is left at 0; at a root inside there is one, and none where
    the guard did not even hold at 0.
    """
    if s.closed == 0.0:
        return _open_exit(law, s, work, length, count)
    guard = work.guard
    scratch = work.scratch
    force = work.force
    terms = significant(force, count)
    for j in range(terms):
        guard[j] = force[j]
    guard[0] -= OPENING_SHARE * s.contact_peak
    position = first_exit(guard, terms, scratch)
    zeros = _zeros(guard, terms)
    if zeros == terms:
        position = VIOLATED  # no force is no contact
    event = NO_EVENT
    if position < END_OF_PIECE:
        event = OPENING
    else:
        position = NEVER
    if law.friction_static == 0.0:
        return position, event, _zeros_at(position, zeros)
    if s.sliding != 0.0:
        slip = work.slip
        slip_terms = significant(slip, count)
        tangential = first_exit(slip, slip_terms, scratch)
        tangential_zeros = _zeros(slip, slip_terms)
        tangential_event = ARREST
    else:
        tangential, tangential_zeros = _cone_exit(law, s, work, count)
        tangential_event = CONE_PLUS
        if tangential == 0.0 and force[0] == 0.0:
            # At the cone's tip its guard, a difference of squares, has each zero twice.
            tangential_zeros = tangential_zeros // 2
            if _has_no_direction(law, work):
                tangential = _BEYOND_TIP
                tangential_zeros = _NO_ZEROS
    # At the same instant, to rounding, the normal event comes first.
    if tangential < END_OF_PIECE and tangential < position - (1.0 - END_OF_PIECE):
        return tangential, tangential_event, _zeros_at(tangential, tangential_zeros)
    return position, event, _zeros_at(position, zeros)


def _has_no_direction(law: ContactLaw, work: ContactWork) -> bool:
    """Whether neither force nor motion says yet in which direction a contact slips."""
    if law.tangential_damping > 0.0:
        friction_1 = work.friction_1
        friction_2 = work.friction_2
        return magnitude(friction_1[0], friction_2[0]) == 0.0
    sliding_1 = work.sliding_1
    sliding_2 = work.sliding_2
    return magnitude(sliding_1[0], sliding_2[0]) == 0.0


def _zeros(guard: list[float], count: int) -> int:
    zeros = 0
    while zeros < count and guard[zeros] == 0.0:
        zeros += 1
    return zeros


def _zeros_at(position: float, zeros: int) -> int:
    if position == 0.0:
        return zeros
    if position < 0.0 or zeros == _NO_ZEROS:
        return 0
    return 1


def _cone_exit(
    law: ContactLaw, s: ContactState, work: ContactWork, count: int
) -> tuple[float, int]:
    """Where (μ_s F_N)² − |F_T|² ≥ 0 is left, and the guard's leading zeros."""
    force = work.force
    friction_1 = work.friction_1
    friction_2 = work.friction_2
    static = law.friction_static
    # Most of the time sums of coefficients are enough.
    lowest = static * force[0]
    largest_1 = abs(friction_1[0])
    largest_2 = abs(friction_2[0])
    for j in range(1, count):
        if force[j] < 0.0:
            lowest += static * force[j]
        largest_1 += abs(friction_1[j])
        largest_2 += abs(friction_2[j])
    if lowest > largest_1 + largest_2:
        return NEVER, 0
    guard = work.guard
    spare = work.spare
    terms = significant(force, count)
    terms = max(terms, significant(friction_1, count), significant(friction_2, count))
    total = square_sum(friction_1, friction_2, terms, 1.0, spare)
    for j in range(total):
        value = 0.0
        for i in range(max(0, j - terms + 1), min(j, terms - 1) + 1):
            value += force[i] * force[j - i]
        guard[j] = static * static * value - spare[j]
    for j in range(min(int(s.zeros_cone), total)):
        guard[j] = 0.0
    j = 0
    while j < total and abs(guard[j]) <= _CONE_ROUNDING * abs(spare[j]):
        guard[j] = 0.0
        j += 1
    total = significant(guard, total)
    position = first_exit(guard, total, work.scratch)
    return position, _zeros(guard, total)


def _open_exit(
    law: ContactLaw, s: ContactState, work: ContactWork, length: float, count: int
) -> tuple[float, int, int]:
    """As `contact_exit`, of an open contact."""
    guard = work.guard
    scratch = work.scratch
    position_1 = work.position_1
    gap = gap_now(law, work)
    # Just opened, or at a gap that is rounding, and leaving.
    rounding = _GAP_ROUNDING * (abs(law.gap) + abs(position_1[0]))
    rounding += _FORCE_ROUNDING * s.peak_force / law.stiffness
    if law.obstacle == CIRCLE:
        position_2 = work.position_2
        terms = max(2, significant(position_1, count), significant(position_2, count))
        total = square_sum(position_1, position_2, terms, -1.0, guard)
        # gap² − r², as a product without cancellation.
        guard[0] = gap * (law.gap + magnitude(position_1[0], position_2[0]))
        if gap < 0.0 and s.zeros_gap == 0.0:
            if law.damping > 0.0:
                return _inside_exit(law, s, work, length, count)
            if gap >= -rounding and guard[1] > 0.0:
                guard[0] = 0.0
        for j in range(min(int(s.zeros_gap), total)):
            guard[j] = 0.0
        total = significant(guard, total)
        position = first_exit(guard, total, scratch)
        if position < END_OF_PIECE:
            return position, CLOSING_LOWER, _zeros_at(position, _zeros(guard, total))
        return NEVER, NO_EVENT, 0
    if gap < 0.0 and s.zeros_gap == 0.0 and law.damping > 0.0:
        return _inside_exit(law, s, work, length, count)
    earliest = NEVER
    event = NO_EVENT
    zeros = 0
    terms = max(2, significant(position_1, count))
    for side in range(2):
        facing = 1.0 - 2.0 * side
        if side == 1 and law.obstacle != TWO_PLANES:
            break
        for j in range(terms):
            guard[j] = facing * position_1[j]
        guard[0] += law.gap
        if guard[0] == gap:
            if -rounding <= gap < 0.0 and guard[1] > 0.0:
                guard[0] = 0.0
            for j in range(min(int(s.zeros_gap), terms)):
                guard[j] = 0.0
        position = first_exit(guard, terms, scratch)
        if position < END_OF_PIECE and position < earliest:
            earliest = position
            event = CLOSING_LOWER + side
            zeros = _zeros_at(position, _zeros(guard, terms))
    return earliest, event, zeros


def _inside_exit(
    law: ContactLaw, s: ContactState, work: ContactWork, length: float, count: int
) -> tuple[float, int, int]:
    """Exit of a point inside the obstacle that the contact's damper keeps from being pushed back.

    It closes again where −K gap − C_N d(gap)/dt becomes positive, or is released at gap = 0.
    """
    guard = work.guard
    scratch = work.scratch
    spare = work.spare
    position_1 = work.position_1
    if law.obstacle == CIRCLE:
        radius = work.radius
        for j in range(count):
            spare[j] = -radius[j]
    else:
        facing = _facing(law, work)
        for j in range(count):
            spare[j] = facing * position_1[j]
    spare[0] += law.gap
    for j in range(count - 1):
        guard[j] = law.stiffness * spare[j] + law.damping * (j + 1) * spare[j + 1] / length
    guard[count - 1] = law.stiffness * spare[count - 1]
    for j in range(min(int(s.zeros_force), count)):
        guard[j] = 0.0
    closing = first_exit(guard, count, scratch)
    zeros = _zeros_at(closing, _zeros(guard, count))
    for j in range(count):
        guard[j] = -spare[j]
    released = first_exit(guard, count, scratch)
    if closing < END_OF_PIECE and closing <= released:
        return closing, CLOSING_INSIDE, zeros
    if released < END_OF_PIECE:
        return released, RELEASE, 1
    return NEVER, NO_EVENT, 0


def move_contact(
    law: ContactLaw, s: ContactState, work: ContactWork, length: float, count: int, end: float
) -> None:
    """Carry the contact's state to `end` of the piece; add up wear, distance and peak force."""
    if s.closed != 0.0:
        force = work.force
        if law.friction_static > 0.0:
            stretch_1 = work.stretch_1
            stretch_2 = work.stretch_2
            s.stretch_1 = evaluate(stretch_1, count, end)
            s.stretch_2 = evaluate(stretch_2, count, end)
            if s.sliding != 0.0:
                direction_1 = evaluate(work.direction_1, count, end)
                direction_2 = evaluate(work.direction_2, count, end)
                size = magnitude(direction_1, direction_2)
                if size > 0.0:
                    s.direction_1 = direction_1 / size
                    s.direction_2 = direction_2 / size
                slip = work.slip
                wear = integrate_product(force, count, slip, count, end)
                s.wear_work += max(0.0, wear * length)
                spare = work.spare
                for j in range(count):
                    spare[j] = slip[j] / (j + 1)
                s.sliding_distance += max(0.0, evaluate(spare, count, end) * end * length)
        highest = 0.0
        for j in range(count):
            if force[j] > 0.0:
                highest += force[j]
        if highest > s.contact_peak:
            peak = largest_value(force, count, end, work.guard, work.scratch)
            s.contact_peak = max(s.contact_peak, peak)
            s.peak_force = max(s.peak_force, peak)
    s.zeros_gap = 0.0
    s.zeros_force = 0.0
    s.zeros_slip = 0.0
    s.zeros_cone = 0.0


def apply_contact_event(
    law: ContactLaw,
    s: ContactState,
    work: ContactWork,
    count: int,
    end: float,
    event: int,
    zeros: int,
) -> None:
    """Carry the contact through an event at `end` of the piece; see the table of this module."""
    if event == CLOSING_LOWER or event == CLOSING_LOWER + 1:
        _close(s, 1.0 if event == CLOSING_LOWER else -1.0)
        if law.damping == 0.0:
            s.zeros_force = max(1.0, float(zeros))
    elif event == CLOSING_INSIDE:
        _close(s, _facing(law, work))
        s.zeros_force = float(zeros)
    elif event == OPENING:
        _open(law, s, zeros)
    elif event == RELEASE:
        s.zeros_gap = 1.0
        s.zeros_force = 0.0
    elif event == CONE_PLUS:
        _break_away(law, s, work, count, end, zeros)
    elif event == ARREST:
        s.sliding = 0.0
        s.zeros_slip = 0.0
        s.zeros_cone = 0.0
        if zeros > 0 and law.friction_static == law.friction:
            # The force lies on the cone; without a damper it also leaves it tangentially.
            s.zeros_cone = float(zeros) if law.tangential_damping > 0.0 else zeros + 1.0


def _close(s: ContactState, side: float) -> None:
    s.closed = side
    s.sliding = 0.0
    s.stretch_1 = 0.0
    s.stretch_2 = 0.0
    s.contact_peak = 0.0
    s.zeros_force = 0.0
    s.zeros_gap = 0.0
    s.shock_count += 1.0


def _open(law: ContactLaw, s: ContactState, zeros: int) -> None:
    if s.sliding != 0.0 and law.tangential_damping == 0.0:
        # What is left of the force draws the anchor on as it vanishes.
        s.sliding_distance += magnitude(s.stretch_1, s.stretch_2)
    s.closed = 0.0
    s.sliding = 0.0
    s.stretch_1 = 0.0
    s.stretch_2 = 0.0
    s.zeros_slip = 0.0
    s.zeros_cone = 0.0
    s.zeros_force = 0.0
    if law.damping == 0.0:
        s.zeros_gap = float(zeros)  # the force is proportional to the gap
    else:
        s.zeros_force = float(zeros)


def _break_away(
    law: ContactLaw, s: ContactState, work: ContactWork, count: int, end: float, zeros: int
) -> None:
    s.sliding = 1.0
    s.zeros_cone = 0.0
    stretch = magnitude(s.stretch_1, s.stretch_2)
    if stretch > 0.0:
        s.direction_1 = s.stretch_1 / stretch
        s.direction_2 = s.stretch_2 / stretch
    # Where the friction force does not jump, slip starts as the guard does.
    inherited = zeros if law.friction_static == law.friction else 0
    if law.tangential_damping > 0.0:
        s.zeros_slip = float(inherited)
        return
    s.zeros_slip = max(0.0, inherited - 1.0)
    if law.friction_static > law.friction:
        force = max(0.0, evaluate(work.force, count, end))
        excess = (law.friction_static - law.friction) * force / law.tangential_stiffness
        s.wear_work += force * excess
        s.sliding_distance += excess
