"""A contact whose point moves along a straight path, by the contact's own series.

    x(t) = x_0 + v t

The series of the point has the terms x_0 and v τ only. Laws, series, guards, events and the
division into pieces are the same as for the contact of a structure. The shock spring uses this
module with dampers, friction that depends on the speed, wear that opens the gap, or a hole.
Otherwise `law` has a closed form. At planes a leg without an event in flight, stick or slip along
the path needs no series either (`_keeps_mode`).

At planes the speed and the coefficient of friction are constant along a leg. There the first
tangent is the direction of the path, so slip in this direction keeps it exactly. Between two legs
the contact's tangential components are along y and z.

Between two legs the velocity is discontinuous, and with it the normal damper's force and a
coefficient of friction that depends on the speed. Without a tangential damper the anchor then moves
to the cone at once, with its wear. Given loads exclude dampers and friction that depends on the
speed, so the speed of the path does not matter.
"""

from __future__ import annotations

from math import expm1

from ..contact.convergence import nonlinear_size, scale_contact
from ..contact.forces import (
    add_force_coefficient,
    begin_following,
    finish_slip,
    repeat_following,
    wear_runs_away,
)
from ..contact.friction import copy_table, take_speed
from ..contact.guards import find_exit, keeps_sticking
from ..contact.instant import forces_now, whole_slip_rate
from ..contact.obstacle import (
    add_curved_coefficient,
    add_pressing_coefficient,
    force_in_frame,
    friction_in_frame,
    gap_now,
    is_hole,
    is_inside_curved,
)
from ..contact.parameter_change import pass_jump
from ..contact.parameters import ContactLaw
from ..contact.polygon import FACED, FACING_1, FACING_2, POLYGON, face, fill_regular, follow_event
from ..contact.state_objects import (
    EXIT_EVENT,
    EXIT_ZEROS,
    FOLLOWS,
    ContactState,
    ContactTerms,
    ContactWork,
    copy_contact,
)
from ..contact.transitions import apply_contact_event, forget_zeros, move_contact
from ..contact.wear import copy_law
from ..events import NO_INSTANT
from ..limits import (
    FLIGHT,
    LENGTH_ROUNDING,
    MODAL_INSTANT,
    MODAL_RETREAT,
    MODAL_SERIES_LENGTH,
    MODAL_TAIL,
    NEVER,
    NO_EVENT,
    OK,
    STICK,
)
from ..series.arithmetic import direction_of, magnitude
from .course import leave_instant, note_mode
from .parameters import SpringParameters
from .state_objects import Leg, SpringMemory, SpringState

# Result codes in addition to those in `law`.
WEAR_RUNS_AWAY = 4
TOO_MANY_LEG_PIECES = 5

# A path has not turned if its velocity changes by less than this share. After a step that ended at
# an event, the next leg continues in the same direction.
_STRAIGHT = 1e-9
# The step fails if PIECES_WATCHED pieces do not cover the share LEAST_PROGRESS of a leg. A master
# would otherwise wait too long: interpreted, a piece takes one or two milliseconds.
PIECES_WATCHED = 2000
LEAST_PROGRESS = 0.1
# Shortest piece as a share of the leg. The numbers of shorter pieces overflow.
_SHORTEST = 1e-40
# A stretch [m] that decays below this is set to 0. If friction vanishes at rest, it would otherwise
# remain a subnormal number in slip, and pieces would be as short as its decay.
_LEAST_STRETCH = 1e-300
# Below this sine the direction of slip equals the direction of the path, to rounding.
_ALIGNED = 4e-16
# A slip follows its velocity, if possible, when the series of a piece is valid over less than this
# share of the rest of the leg, and the force changes by less than this share in the valid part.
_SHORT = 0.03
_MOST_REPEATED = 39
# Share of a force or length within which an event is near: it may occur at the end of a leg.
_NEAR = 1e-9
# In a slip whose stretch lags by more legs than this, the closed form of the wear would cancel.
_LONGEST_LAG = 100.0


def follow_path(
    p: SpringParameters,
    s: SpringState,
    contact: ContactState,
    step_size: float,
    memory: SpringMemory,
) -> int:
    """Move the contact's point along the leg, and write the result into `s`.

    A `step_size` [s] of 0 or infinity is quasi-static. Returns OK, WEAR_RUNS_AWAY or
    TOO_MANY_LEG_PIECES. The states are then incomplete.
    """
    leg = memory.leg
    law = memory.law
    series = memory.series
    terms = memory.terms
    sides = memory.sides
    set_law(p, law, series)
    duration, turns = _begin_leg(s, law, leg, series, step_size)
    turn_contact(contact, leg.ahead_y, leg.ahead_z)
    place_on_path(s, series, 0.0)
    face(law, contact, series)
    code = WEAR_RUNS_AWAY if turns and not pass_jump(law, contact, series, sides.works) else OK
    if leg.is_watched != 0.0:
        _note_contact(contact, 0.0, memory)
    time = 0.0
    pieces = 0
    wanted = 0.0
    while code == OK and time < duration:
        pieces += 1
        if time > 0.0:
            place_on_path(s, series, time)
        face(law, contact, series)
        if abs(contact.stretch_1) + abs(contact.stretch_2) < _LEAST_STRETCH:
            contact.stretch_1 = 0.0
            contact.stretch_2 = 0.0
        # At planes, a slip direction that differs from the path only by rounding is set to it.
        is_aligned = contact.direction_1 > 0.0 and abs(contact.direction_2) < _ALIGNED
        if not is_hole(law) and contact.sliding != 0.0 and is_aligned:
            contact.direction_1 = 1.0
            contact.direction_2 = 0.0
            contact.stretch_2 = 0.0
        time, end, count, event = _cross_piece(law, contact, series, terms, time, duration)
        if event != NO_EVENT:
            if leg.is_watched != 0.0:
                _keep_before_event(contact, time / duration, memory)
            zeros = int(series.exit[EXIT_ZEROS])
            apply_contact_event(law, contact, series, count, end, event, zeros)
            follow_event(law, contact, series, event, sides.works)
        if time < 0.0:
            code = TOO_MANY_LEG_PIECES
            if wear_runs_away(law, contact, series):
                code = WEAR_RUNS_AWAY
        elif pieces % PIECES_WATCHED == 0:
            wanted += LEAST_PROGRESS * duration
            if time < wanted:
                code = TOO_MANY_LEG_PIECES
        if leg.is_watched != 0.0:
            _note_contact(contact, time / duration, memory)
    turn_contact(contact, leg.ahead_y, -leg.ahead_z)
    s.drive_x = leg.end_x
    s.drive_y = leg.end_y
    s.drive_z = leg.end_z
    place_as_led(law, s, contact, series)
    tell_contact(law, s, contact, series)
    return code


def rests(p: SpringParameters, s: SpringState, contact: ContactState, memory: SpringMemory) -> bool:
    """Whether the point stays at rest and its contact sticks inside the cone.

    The states then do not change, and `follow_path` would return the same result.
    """
    leg = memory.leg
    law = memory.law
    series = memory.series
    way = abs(leg.path_x) + abs(leg.path_y) + abs(leg.path_z)
    speed = abs(s.velocity_x) + abs(s.velocity_y) + abs(s.velocity_z)
    if way != 0.0 or speed != 0.0 or contact.closed == 0.0:
        return False
    set_law(p, law, series)
    place_as_led(law, s, contact, series)
    normal, first, second, _ = forces_now(law, contact, series)
    if not keeps_sticking(law, contact, normal, first, second):
        return False
    forget_zeros(contact)
    if leg.is_watched != 0.0:
        leg.ahead_y = 1.0
        leg.ahead_z = 0.0
        _note_contact(contact, 0.0, memory)
    return True


def _begin_leg(
    s: SpringState, law: ContactLaw, leg: Leg, series: ContactWork, step_size: float
) -> tuple[float, bool]:
    """Set the velocity of the point. Return the leg's duration [s] and whether the path turns."""
    before_x = s.velocity_x
    before_y = s.velocity_y
    before_z = s.velocity_z
    before = abs(before_x) + abs(before_y) + abs(before_z)
    length, ahead_y, ahead_z = direction_of(leg.path_y, leg.path_z)
    duration = 1.0
    s.velocity_x = 0.0
    s.velocity_y = 0.0
    s.velocity_z = 0.0
    is_slow = not (step_size > 0.0 and 1.0 / step_size > 0.0)
    if is_slow:
        # In a quasi-static leg, dampers have no force.
        law.contact_damping = 0.0
        law.tangential_damping = 0.0
    else:
        duration = step_size
        s.velocity_x = leg.path_x / duration
        s.velocity_y = leg.path_y / duration
        s.velocity_z = leg.path_z / duration
    series.velocity_1[0] = leg.path_x / duration
    series.velocity_2[0] = leg.path_y / duration
    series.velocity_3[0] = leg.path_z / duration
    leg.ahead_y = 1.0
    leg.ahead_z = 0.0
    # In a circle, a path that does not turn about the axis moves along the wall only along z.
    along = s.drive_x * leg.path_y
    across = s.drive_y * leg.path_x
    is_steady = abs(along - across) <= LENGTH_ROUNDING * (abs(along) + abs(across))
    speed = abs(s.velocity_z)
    if law.obstacle == POLYGON:
        is_steady = leg.path_x == 0.0 and leg.path_y == 0.0
    elif not is_hole(law):
        is_steady = True
        speed = magnitude(s.velocity_y, s.velocity_z)
        series.velocity_2[0] = length / duration
        series.velocity_3[0] = 0.0
        if length > 0.0:
            leg.ahead_y = ahead_y
            leg.ahead_z = ahead_z
    if law.constant_friction < 0.0 and (is_steady or is_slow):
        take_speed(law, 0.0 if is_slow else speed)
    change = abs(s.velocity_x - before_x) + abs(s.velocity_y - before_y)
    change += abs(s.velocity_z - before_z)
    # Velocities are differences of positions.
    known = LENGTH_ROUNDING * (abs(leg.end_x) + abs(leg.end_y) + abs(leg.end_z)) / duration
    return duration, not (before > 0.0 and change < _STRAIGHT * before + known)


def turn_contact(contact: ContactState, along: float, across: float) -> None:
    """Rotate the contact's tangential components to a tangent of this direction."""
    first = contact.stretch_1
    second = contact.stretch_2
    contact.stretch_1 = along * first + across * second
    contact.stretch_2 = along * second - across * first
    first = contact.direction_1
    second = contact.direction_2
    contact.direction_1 = along * first + across * second
    contact.direction_2 = along * second - across * first


def _keep_before_event(contact: ContactState, place: float, memory: SpringMemory) -> None:
    """Keep the contact before the first event of an instant, at `place` of the leg."""
    work = memory.work
    watching = work.watching
    course = work.course
    time = course.offset + place * course.span
    if time - watching.instant > watching.resolution:
        leave_instant(work)
    if watching.pending == 0.0 and watching.instant == NO_INSTANT:
        _keep(contact, work.contact_prior, memory.leg)


def _note_contact(contact: ContactState, place: float, memory: SpringMemory) -> None:
    """Record the contact's mode from `place` of the leg on, and keep the contact after an event."""
    work = memory.work
    watching = work.watching
    course = work.course
    note_mode(work, place, contact_mode(contact))
    time = course.offset + place * course.span
    if watching.pending == 0.0 and time - watching.instant <= watching.resolution:
        _keep(contact, work.contact_after, memory.leg)


def _keep(contact: ContactState, kept: ContactState, leg: Leg) -> None:
    copy_contact(contact, kept)
    turn_contact(kept, leg.ahead_y, -leg.ahead_z)


def contact_mode(contact: ContactState) -> float:
    """FLIGHT, STICK or SLIP."""
    if contact.closed == 0.0:
        return FLIGHT
    return STICK + contact.sliding


def tell_contact(
    law: ContactLaw, s: SpringState, contact: ContactState, series: ContactWork
) -> None:
    """Write the state of the contact at its present point into the spring's state."""
    # In a hole this also writes the direction of the normal.
    normal, first, second, slip = forces_now(law, contact, series)
    along_x, along_y = force_in_frame(law, contact, series, normal, first)
    s.normal_force = normal
    s.force_x = -along_x
    s.force_y = -along_y
    s.force_z = -second
    if is_hole(law):
        s.gap = gap_now(law, contact, series)
    if contact.sliding != 0.0 and law.tangential_damping == 0.0:
        slip = whole_slip_rate(law, contact, series, normal, slip, 0.0, 0.0, 0.0)
    s.slip_velocity = max(0.0, slip)
    _, along_2 = friction_in_frame(law, series, contact.stretch_1)
    s.anchoring_y = s.drive_y
    s.anchoring_z = s.drive_z
    s.stretch_y = along_2
    s.stretch_z = contact.stretch_2
    s.wear_work = contact.wear_work
    s.wear_work_upper = contact.wear_work_upper
    s.mode = contact_mode(contact)


def set_law(p: SpringParameters, law: ContactLaw, series: ContactWork) -> None:
    """Write the law of the spring's contact, and the sides of a polygon."""
    copy_law(p, law)
    if p.knots > 0.0:
        copy_table(p, law)
    law.obstacle = p.obstacle
    law.gap = p.gap_at_rest
    law.stiffness = p.driven_normal_stiffness
    law.contact_damping = p.contact_damping
    law.tangential_stiffness = p.driven_tangential_stiffness
    law.tangential_damping = p.tangential_damping
    if p.obstacle != POLYGON:
        # The instance may have had a polygon before it was reset.
        series.facing[FACED] = 0.0
        series.facing[FACING_1] = 0.0
        series.facing[FACING_2] = 0.0
    elif law.sides != p.sides:
        law.sides = p.sides
        fill_regular(law, series)


def place_as_led(
    law: ContactLaw, s: SpringState, contact: ContactState, series: ContactWork
) -> None:
    """Write the present position, the velocity along the last leg, and the faced side."""
    series.velocity_1[0] = s.velocity_x
    series.velocity_2[0] = s.velocity_y
    series.velocity_3[0] = s.velocity_z
    place_on_path(s, series, 0.0)
    face(law, contact, series)


def place_on_path(s: SpringState, series: ContactWork, time: float) -> None:
    """Write the position of the point, `time` [s] after its position in the state.

    No force depends on the third coordinate.
    """
    series.position_1[0] = s.drive_x + series.velocity_1[0] * time
    series.position_2[0] = s.drive_y + series.velocity_2[0] * time


def _cross_piece(
    law: ContactLaw,
    s: ContactState,
    series: ContactWork,
    terms: list[ContactTerms],
    start: float,
    stop: float,
) -> tuple[float, float, int, int]:
    """Move the contact from `start` to its next event, at most to `stop` [s].

    Returns the time reached [s], the piece's end in [0, 1], the number of its coefficients, and the
    event, which is not applied. The time is negative if no piece has a series or wear runs away.
    """
    length = stop - start
    if not is_hole(law) and _keeps_mode(law, s, series, terms, length):
        return stop, 1.0, 0, NO_EVENT
    whole = length
    count, share = _fill_series(law, s, series, terms, length)
    is_short = share < _SHORT and share * abs(series.force[1]) < _SHORT * series.force[0]
    if is_short and is_hole(law) and begin_following(law, s, series, length):
        followed, reach = _follow(law, s, series, terms, length)
        if reach > 0.0:
            count, share, length = followed, 1.0, reach
        else:
            count, share = _fill_series(law, s, series, terms, length)
    while share == 0.0:
        length *= MODAL_RETREAT
        if start + length == start or length < _SHORTEST * stop:
            return -1.0, 0.0, count, NO_EVENT
        count, share = _fill_series(law, s, series, terms, length)
    if share < 1.0:
        scale_contact(law, s, series, share, count)
        length *= share
    time, end, event = end_piece(law, s, series, start, stop, length, whole, count)
    return time, end, count, event


def _follow(
    law: ContactLaw, s: ContactState, series: ContactWork, terms: list[ContactTerms], length: float
) -> tuple[int, float]:
    """Repeat the series of a slip that follows its velocity, see `contact.forces`.

    Returns the number of its coefficients, and the length [s] over which it is exact, or 0 if the
    slip does not follow its velocity.
    """
    count = 0
    share = 1.0
    repeated = 0
    inexact = 1.0
    while inexact > 0.0 and share > 0.0 and repeated < _MOST_REPEATED:
        repeated += 1
        count, share = _fill_series(law, s, series, terms, length)
        scale_contact(law, s, series, share, count)
        length *= share
        inexact = repeat_following(s, series, length, count) if share > 0.0 else 1.0
    series.trial[FOLLOWS] = 0.0
    return count, length if inexact == 0.0 else 0.0


def end_piece(
    law: ContactLaw,
    s: ContactState,
    series: ContactWork,
    start: float,
    stop: float,
    length: float,
    whole: float,
    count: int,
) -> tuple[float, float, int]:
    """Move the contact along its series to the end of a piece. Results as in `_cross_piece`."""
    if wear_runs_away(law, s, series):
        return -1.0, 0.0, NO_EVENT
    finish_slip(law, s, series, length, count)
    instant = min(1.0, MODAL_INSTANT * (whole / length))
    size = abs(series.position_1[0])
    position = find_exit(law, s, series, length, count, instant, size)
    end = min(max(position, 0.0), 1.0)
    if end > 0.0:
        move_contact(law, s, series, length, count, end, False)
    if position < NEVER:
        return start + end * length, end, int(series.exit[EXIT_EVENT])
    return stop if length == stop - start else start + length, end, NO_EVENT


def _keeps_mode(
    law: ContactLaw, s: ContactState, series: ContactWork, terms: list[ContactTerms], length: float
) -> bool:
    """Move a contact at planes that keeps its mode for a `length` [s]. False: unchanged.

    The gap, F_N and F_T in stick are linear in time, and |F_T| − μ_s F_N is convex. Therefore their
    values at both ends can exclude an event. If an event is near, the result is False.
    """
    if s.zeros_gap + s.zeros_force + s.zeros_cone + s.zeros_slip != 0.0:
        return False
    position_1 = series.position_1
    start = position_1[0]
    position_1[1] = series.velocity_1[0] * length
    if s.closed == 0.0:
        gap = gap_now(law, s, series)
        position_1[0] += position_1[1]
        lowest = min(gap, gap_now(law, s, series))
        lengths = abs(law.gap) + abs(start) + abs(position_1[0])
        position_1[0] = start
        if not lowest > _NEAR * lengths:
            return False
        forget_zeros(s)
        return True
    first = add_pressing_coefficient(law, s, series, terms, length, 0)
    last = add_pressing_coefficient(law, s, series, terms, length, 1) + first
    if not min(first, last) > _NEAR * s.contact_peak:
        return False
    speed = series.velocity_2[0]
    moved = length * speed
    if s.sliding != 0.0:
        if not _keeps_slipping(law, s, moved, length, first, last):
            return False
    else:
        stiffness = law.tangential_stiffness
        pull = stiffness * s.stretch_1 + law.tangential_damping * speed
        across = abs(stiffness * s.stretch_2)
        friction = (1.0 - _NEAR) * law.friction_coefficient_static
        further = abs(pull + stiffness * moved) + across
        if not (abs(pull) + across < friction * first and further < friction * last):
            return False
        s.stretch_1 += moved
    peak = max(first, last)
    if peak > s.contact_peak:
        s.contact_peak = peak
        s.peak_force = max(s.peak_force, peak)
    forget_zeros(s)
    return True


def _keeps_slipping(
    law: ContactLaw, s: ContactState, moved: float, length: float, first: float, last: float
) -> bool:
    """Move a slip along the path by `moved` [m] while F_N changes from `first` to `last` [N].

    e follows b = μ F_N/K_T by (C_T/K_T) ė = b − e. With x from 0 to 1 along the leg and τ = C_T/K_T
    divided by its duration, b is linear and

        λ = v − b' + (λ_0 − v + b') exp(−x/τ)
    """
    stiffness = law.tangential_stiffness
    is_along = s.direction_1 == 1.0 and s.direction_2 == 0.0
    is_slow = not law.tangential_damping < _LONGEST_LAG * stiffness * length
    if is_slow or law.opening_per_work != 0.0 or not is_along:
        return False
    lag = law.tangential_damping / (stiffness * length)
    bound = law.friction_coefficient * first / stiffness
    steady = moved - (law.friction_coefficient * last / stiffness - bound)
    fading = 0.0
    gone = 1.0
    if lag > 0.0:
        fading = moved - steady + (s.stretch_1 - bound) / lag
        gone = -expm1(-1.0 / lag)
    left = 1.0 - gone
    if not steady + min(fading, fading * left) > _NEAR * (moved + bound):
        return False
    mean = lag * gone
    work = steady * 0.5 * (first + last)
    work += fading * (first * mean + (last - first) * lag * (mean - left))
    s.stretch_1 = bound + (moved - steady) * (1.0 - mean) + (s.stretch_1 - bound) * left
    s.wear_work += work
    if s.closed < 0.0:
        s.wear_work_upper += work
    return True


def _fill_series(
    law: ContactLaw, s: ContactState, series: ContactWork, terms: list[ContactTerms], length: float
) -> tuple[int, float]:
    """Write the series over `length` [s]. Return the number of coefficients and the valid share.

    The share is 0 if they overflow.
    """
    series.position_1[1] = series.velocity_1[0] * length
    series.position_2[1] = series.velocity_2[0] * length
    is_curved = is_inside_curved(law, s, series)
    if s.closed == 0.0 and not is_curved:
        return 2, 1.0
    # At planes, a slip whose direction does not turn at first never turns.
    is_straight = not is_hole(law) and law.tangential_damping + law.opening_per_work == 0.0
    count = 1
    before = 0.0
    tail = 0.0
    for j in range(MODAL_SERIES_LENGTH - 1):
        if is_curved:
            add_curved_coefficient(series, terms, length, j)
        else:
            add_force_coefficient(law, s, series, terms, length, j)
        size = nonlinear_size(law, s, series, j)
        # The difference is zero unless a coefficient is infinite or not a number.
        if size - size != 0.0:
            return count, 0.0
        count = j + 1
        tail = max(size, before)
        before = size
        if (j > 1 and tail <= MODAL_TAIL) or (j == 1 and size == 0.0 and is_straight):
            return count, 1.0
    return count, float((MODAL_TAIL / tail) ** (1.0 / (count - 2)))
