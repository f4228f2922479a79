"""End of the mode of a structure's contact in a piece: first violated guard, and its event.

`forces` contains the laws, and `transitions` contains the events.

The numbers of a state are rounded, and so are the values of its guards. Therefore the first instant
of a piece, `counts.instant`, is not resolved: a violated guard is ignored if it is satisfied at the
end of the instant. A contact that has just opened closes only if it is still pressed at this time,
and a contact that has just closed opens only if it is still separating. A point that closes almost
without motion along the obstacle does not slip before its force has grown. An ignored violation
lasts at most for the instant, under forces that grow from 0. Its effect is proportional to the
square of the instant.
"""

from __future__ import annotations

from ..limits import (
    ARREST,
    CLOSING_INSIDE,
    CLOSING_LOWER,
    CLOSING_UPPER,
    CONE_PLUS,
    END_OF_PIECE,
    NEVER,
    NEXT_FACED,
    NO_EVENT,
    OPENING,
    PREVIOUS_FACED,
    RELEASE,
    TURN,
    VIOLATED,
)
from ..series.arithmetic import magnitude, product_term, significant, square_sum
from ..series.polynomials import evaluate, evaluate_two, shift
from ..series.roots import UNDECIDED, clear_zeros, first_exit, simple_exit, touch_lift
from .friction import SAME_BOUND, has_friction, holding_coefficient, knot_exit
from .obstacle import fill_gap, fill_gap_guard, gap_now, is_hole, side_count
from .parameters import ContactLaw
from .polygon import NEXT_BORDER, POLYGON, PREVIOUS_BORDER, is_far, stays_clear
from .state_objects import (
    EXIT_EVENT,
    EXIT_POSITION,
    EXIT_SIDE,
    EXIT_ZEROS,
    ContactState,
    ContactWork,
)

# A contact opens if its force falls below this share of the largest force since it closed. In slip
# without a damper, the direction of friction turns faster as the force decreases, so that pieces
# become shorter. There it also opens if its depth does not grow and is below _DEPTH_ROUNDING of the
# lengths that it is a difference of. The force of so light a touch is below their rounding.
OPENING_SHARE = 1e-13
_DEPTH_ROUNDING = 1e-15
# A gap is rounding if it is below the first share of the lengths that it is a difference of, or
# corresponds to the second share of the largest force. An opening less deep than this is rounding.
_GAP_ROUNDING = 1e-14
_FORCE_ROUNDING = 1e-12
# Leading coefficients of the cone's guard are 0 below this share of the coefficients of |F_T|².
_CONE_ROUNDING = 4e-14
# If a contact closes without force and without motion along the obstacle, and then slips, it sticks
# for this share of the piece. The motion during this share determines the direction of slip. The
# zeros of the guard at its end are not known.
_BEYOND_TIP = 1e-9
# A root of the cone's guard is ignored if |F_T| there is below this share of the cone.
_AT_CONE = 0.5
_NO_ZEROS = -1


def find_exit(
    law: ContactLaw,
    s: ContactState,
    work: ContactWork,
    length: float,
    count: int,
    instant: float,
    size: float,
) -> float:
    """First end of the contact's mode in [0, 1], or NEVER, or VIOLATED if it is invalid at 0.

    `size` is the sum of the lengths [m] whose sum is the place of the point across the obstacle. A
    slip without damper needs it. The result is also stored in `work.exit`.
    """
    exit_row = work.exit
    position, event, zeros = contact_exit(law, s, work, length, count, instant, size)
    if s.faced != 0.0:
        # At the instant of an event, to rounding, the border is passed only in the next piece.
        last = position - (1.0 - END_OF_PIECE)
        for at in (NEXT_BORDER, PREVIOUS_BORDER):
            border = _border_exit(law, s, work, count, instant, at)
            if border < END_OF_PIECE and border < min(position, last):
                position = border
                event = NEXT_FACED if at == NEXT_BORDER else PREVIOUS_FACED
                zeros = 0
    exit_row[EXIT_POSITION] = position
    exit_row[EXIT_EVENT] = float(event)
    exit_row[EXIT_ZEROS] = float(zeros)
    return position


def _border_exit(
    law: ContactLaw, s: ContactState, work: ContactWork, count: int, instant: float, at: int
) -> float:
    """Time in the piece at which a point in a polygon passes the border at `at` of `facing`.

    At a corner itself, the border is not passed, because the distance has no direction yet.
    """
    facing = work.facing
    guard = work.guard
    position_1 = work.position_1
    position_2 = work.position_2
    first = facing[at + 1]
    second = facing[at + 2]
    for j in range(count):
        guard[j] = first * position_1[j] + second * position_2[j]
    guard[0] = facing[at] + first * position_1[0] + second * position_2[0]
    rounding = _GAP_ROUNDING * (law.gap + abs(position_1[0]) + abs(position_2[0]))
    if -rounding <= guard[0] < 0.0 and guard[1] > 0.0:
        guard[0] = 0.0  # the point has just passed the border
    position = simple_exit(guard, count)
    if position == UNDECIDED:
        position = lasting_exit(guard, significant(guard, count), instant, work.scratch)
    if position < instant and gap_now(law, s, work) >= -rounding:
        return instant
    return position


def contact_exit(
    law: ContactLaw,
    s: ContactState,
    work: ContactWork,
    length: float,
    count: int,
    instant: float,
    size: float,
) -> tuple[float, int, int]:
    """First end of the contact's mode in [0, 1], its event, and the zeros of the guard there.

    The zeros are the number of the guard's leading zero coefficients if the mode ends at 0, 1 at a
    root inside the piece, and 0 if the guard is violated at 0.
    """
    if s.closed == 0.0:
        return _open_exit(law, s, work, length, count, instant)
    guard = work.guard
    scratch = work.scratch
    force = work.force
    terms = significant(force, count)
    for j in range(terms):
        guard[j] = force[j]
    least = OPENING_SHARE * s.contact_peak
    is_growing = s.zeros_force > 0.0 or force[1] > 0.0
    if s.sliding != 0.0 and law.tangential_damping == 0.0 and not is_growing:
        least = max(least, law.stiffness * _DEPTH_ROUNDING * (abs(law.gap) + size))
    guard[0] -= least
    zeros = _zeros(guard, terms)
    position = lasting_exit(guard, terms, instant, scratch)
    if zeros == terms:
        position = VIOLATED  # no force means no contact
    event = OPENING
    share = _FORCE_ROUNDING
    rounding = least + share * s.contact_peak
    if position >= END_OF_PIECE or touch_lift(guard, terms, scratch, rounding, share) > 0.0:
        position = NEVER
        event = NO_EVENT
    if not has_friction(law):
        return position, event, _zeros_at(position, zeros)
    if s.sliding != 0.0:
        slip = work.slip
        slip_terms = significant(slip, count)
        for j in range(slip_terms):
            guard[j] = slip[j]
        tangential_zeros = _zeros(slip, slip_terms)
        tangential = lasting_exit(guard, slip_terms, instant, scratch)
        tangential_event = ARREST
        if law.constant_friction < 0.0:
            # If the point comes to rest and turns, its speed has a kink.
            speed = work.speed
            turn = first_exit(speed, significant(speed, count), scratch)
            turn = _turn_exit(law, work, turn, count, instant)
            if turn < tangential:
                tangential = turn
                tangential_event = TURN
    else:
        tangential_event = CONE_PLUS
        if law.holding_varies == 0.0:
            static = law.friction_coefficient_static
            tangential, tangential_zeros = _cone_exit(s, work, force, static, count, instant)
        else:
            tangential, tangential_zeros, tangential_event = _wide_cone_exit(
                law, s, work, count, instant
            )
        if tangential == 0.0 and force[0] == 0.0:
            # At the tip of the cone each zero is double, because the guard is quadratic.
            tangential_zeros = tangential_zeros // 2
            if _has_no_direction(law, work):
                tangential = _BEYOND_TIP
                tangential_zeros = _NO_ZEROS
    # If both occur at the same instant, to rounding, the normal event comes first.
    if tangential < END_OF_PIECE and tangential < position - (1.0 - END_OF_PIECE):
        return tangential, tangential_event, _zeros_at(tangential, tangential_zeros)
    return position, event, _zeros_at(position, zeros)


def lasting_exit(guard: list[float], count: int, instant: float, scratch: list[float]) -> float:
    """As `first_exit`, without violations that end within the first `instant`.

    If a violation is ignored, `guard` becomes the series in the time since the end of the instant.
    """
    position = first_exit(guard, count, scratch)
    if position >= instant or evaluate(guard, count, instant) <= 0.0:
        return position
    shift(guard, count, instant)
    return instant + max(0.0, first_exit(guard, count, scratch))


def keeps_sticking(
    law: ContactLaw, s: ContactState, normal: float, first: float, second: float
) -> bool:
    """Whether a closed contact keeps its mode under these forces [N] while nothing moves."""
    if s.sliding != 0.0 or not OPENING_SHARE * s.contact_peak < normal <= s.contact_peak:
        return False
    held = abs(first) + abs(second)
    return not has_friction(law) or held < holding_coefficient(law, 0.0) * normal


def _has_no_direction(law: ContactLaw, work: ContactWork) -> bool:
    """Whether force and motion do not yet determine the direction of slip."""
    if law.tangential_damping > 0.0:
        return magnitude(work.friction_1[0], work.friction_2[0]) == 0.0
    return magnitude(work.sliding_1[0], work.sliding_2[0]) == 0.0


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


def _wide_cone_exit(
    law: ContactLaw, s: ContactState, work: ContactWork, count: int, instant: float
) -> tuple[float, int, int]:
    """As `_cone_exit` with the limit max(μ_s, μ(|v_t|)) F_N in stick, and the event.

    The cone of the piece uses the larger coefficient at its start. The piece ends if the other
    coefficient becomes larger.
    """
    static = law.friction_coefficient_static
    coefficient = work.coefficient
    speed = work.speed
    excess = coefficient[0] - static
    if abs(excess) <= SAME_BOUND * static:
        excess = coefficient[1]
    if excess <= 0.0:
        position, zeros = _cone_exit(s, work, work.force, static, count, instant)
        if position < END_OF_PIECE:
            held = holding_coefficient(law, evaluate(speed, count, max(0.0, position)))
            if held > (1.0 + SAME_BOUND) * static:
                return position, zeros, TURN
        return position, zeros, CONE_PLUS
    position, zeros = _cone_exit(s, work, work.bound, 1.0, count, instant)
    guard = work.guard
    guard[:] = coefficient
    guard[0] -= static
    # If both are equal at the start, a difference within rounding is not a change.
    guard[0] = max(guard[0], SAME_BOUND * static)
    turn = first_exit(guard, count, work.scratch)
    if law.knots > 0.0:
        # If the slope of a table vanishes at rest, μ(|v_t|) touches μ_s without crossing it.
        turn = min(turn, first_exit(speed, significant(speed, count), work.scratch))
    turn = _turn_exit(law, work, turn, count, instant)
    if turn < END_OF_PIECE and turn < position:
        return max(0.0, turn), 0, TURN
    return position, zeros, CONE_PLUS


def _turn_exit(
    law: ContactLaw, work: ContactWork, turn: float, count: int, instant: float
) -> float:
    """Time in the piece of a `turn`, or the time at which the speed reaches a knot if earlier.

    A point starts from rest in the direction of its acceleration. In equilibrium the acceleration
    is rounding, so the direction can be wrong during the first instant.
    """
    if law.knots > 0.0:
        turn = min(turn, knot_exit(law, 1.0, work.speed, count, work.guard, work.scratch))
    return max(turn, instant) if work.speed[0] == 0.0 else turn


def _cone_exit(
    s: ContactState,
    work: ContactWork,
    force: list[float],
    static: float,
    count: int,
    instant: float,
) -> tuple[float, int]:
    """First violation of (`static` · `force`)² − |F_T|² ≥ 0, and the guard's leading zeros."""
    friction_1 = work.friction_1
    friction_2 = work.friction_2
    # In most pieces, a bound from sums of coefficients is enough.
    margin = static * force[0] - abs(friction_1[0]) - abs(friction_2[0])
    for j in range(1, count):
        fall = abs(friction_1[j]) + abs(friction_2[j]) - static * force[j]
        if fall > 0.0:
            margin -= fall
    if margin > 0.0:
        return NEVER, 0
    guard = work.guard
    spare = work.spare
    terms = significant(force, count)
    terms = max(terms, significant(friction_1, count), significant(friction_2, count))
    total = square_sum(friction_1, friction_2, terms, 1.0, spare)
    for j in range(total):
        value = product_term(force, terms, force, terms, j)
        guard[j] = static * static * value - spare[j]
    clear_zeros(guard, total, s.zeros_cone)
    j = 0
    while j < total and abs(guard[j]) <= _CONE_ROUNDING * abs(spare[j]):
        guard[j] = 0.0
        j += 1
    total = significant(guard, total)
    zeros = _zeros(guard, total)
    position = lasting_exit(guard, total, instant, work.scratch)
    if 0.0 < position < END_OF_PIECE:
        # At a zero of the force the guard has a double root, which rounding can split into two.
        held_1, held_2 = evaluate_two(friction_1, friction_2, terms, position)
        if magnitude(held_1, held_2) < _AT_CONE * static * evaluate(force, terms, position):
            position = NEVER
    return position, zeros


def _open_exit(
    law: ContactLaw, s: ContactState, work: ContactWork, length: float, count: int, instant: float
) -> tuple[float, int, int]:
    """As `contact_exit`, for an open contact."""
    guard = work.guard
    gap = gap_now(law, s, work)
    # A gap of this size is rounding, or the contact has just opened.
    rounding = _GAP_ROUNDING * (abs(law.gap) + abs(work.position_1[0]))
    rounding += _FORCE_ROUNDING * s.peak_force / law.stiffness
    if gap < 0.0 and s.zeros_gap == 0.0 and law.contact_damping > 0.0:
        return _inside_exit(law, s, work, length, count, instant)
    if s.faced != 0.0 and gap >= 0.0:
        # At the end of the last step, a point that its damper had released left the polygon.
        return 0.0, RELEASE, 0
    if is_hole(law) and stays_clear(work, gap, count):
        return NEVER, NO_EVENT, 0
    earliest = NEVER
    event = NO_EVENT
    zeros = 0
    for index in range(side_count(law)):
        if law.obstacle == POLYGON and is_far(law, work, index):
            continue
        terms, is_near = fill_gap_guard(law, s, work, index, gap, count)
        start = gap if is_near else guard[0]
        if -rounding <= start < 0.0 and guard[1] >= 0.0:
            guard[0] = 0.0
        if is_near:
            clear_zeros(guard, terms, s.zeros_gap)
        leading = _zeros(guard, terms)
        position = lasting_exit(guard, terms, instant, work.scratch)
        if position < END_OF_PIECE and position < earliest:
            earliest = position
            event = CLOSING_LOWER
            if index == 1 and law.obstacle != POLYGON:
                event = CLOSING_UPPER
            work.exit[EXIT_SIDE] = float(index)
            zeros = _zeros_at(position, leading)
    return earliest, event, zeros


def _inside_exit(
    law: ContactLaw, s: ContactState, work: ContactWork, length: float, count: int, instant: float
) -> tuple[float, int, int]:
    """Exit of a point inside the obstacle without contact force, because of the damper.

    The contact closes again if −K gap − C_N d(gap)/dt becomes positive. It is released at gap = 0.
    """
    guard = work.guard
    spare = work.spare
    fill_gap(law, s, work, count)
    for j in range(count - 1):
        guard[j] = law.stiffness * spare[j] + law.contact_damping * (j + 1) * spare[j + 1] / length
    guard[count - 1] = law.stiffness * spare[count - 1]
    clear_zeros(guard, count, s.zeros_force)
    leading = _zeros(guard, count)
    closing = lasting_exit(guard, count, instant, work.scratch)
    zeros = _zeros_at(closing, leading)
    for j in range(count):
        guard[j] = -spare[j]
    released = lasting_exit(guard, count, instant, work.scratch)
    if closing < END_OF_PIECE and closing <= released:
        return closing, CLOSING_INSIDE, zeros
    if released < END_OF_PIECE:
        return released, RELEASE, 1
    return NEVER, NO_EVENT, 0
