"""A contact whose point is led along a straight path, by the contact's own series.

    x(t) = x_0 + v t

A contact asks what carries it for its point's velocity and place at order j + 1, its force being
known up to order j. A path answers without the force: v at order 0, v τ at order 1, and nothing
beyond. Laws, series, guards and events are those of `contact`, cut into pieces as the structure's.
The shock spring goes this way in a round hole; at planes its closed forms do.

Where two legs meet the velocity jumps, and with it the normal damper's force and a coefficient of
friction that depends on the speed. Without a tangential damper to hold it the anchor then jumps to
the cone at once, and is booked.
"""

from __future__ import annotations

from ..contact.convergence import nonlinear_size, scale_contact
from ..contact.forces import add_force_coefficient, finish_slip, wear_runs_away
from ..contact.friction import (
    complete_friction,
    holding_coefficient,
    jump_to_cone,
    sliding_friction,
    take_speed_as_zero,
)
from ..contact.guards import find_exit
from ..contact.instant import forces_now, whole_slip_rate
from ..contact.obstacle import (
    add_curved_coefficient,
    force_in_frame,
    friction_in_frame,
    is_inside_curved,
    kinematics,
)
from ..contact.parameters import ContactLaw
from ..contact.records import (
    EXIT_EVENT,
    EXIT_ZEROS,
    ContactState,
    ContactTerms,
    ContactWork,
    copy_contact,
)
from ..contact.transitions import apply_contact_event, move_contact
from ..contact.wear import anchor_runs_away, copy_rubbing
from ..events import NO_INSTANT
from ..limits import (
    FLIGHT,
    MODAL_INSTANT,
    MODAL_RETREAT,
    MODAL_SERIES_LENGTH,
    MODAL_TAIL,
    NEVER,
    NO_EVENT,
    OK,
    STICK,
)
from ..series.arithmetic import magnitude
from .course import ON_CONE, leave_instant, note_mode
from .parameters import SpringParameters
from .records import SpringMemory, SpringState
from .slip import TOO_MANY_LEG_PIECES, WEAR_RUNS_AWAY

# A velocity that changes by less than this share of it has not turned: a leg goes on straight where
# a step ended at an event.
_STRAIGHT = 1e-9
# So many pieces must bring a leg forward by this share of it, or it is given up: no host should
# wait for what does not end. Interpreted, a piece takes a millisecond or two.
_PIECES_WATCHED = 400
_LEAST_PROGRESS = 0.1


def follow_path(
    p: SpringParameters,
    s: SpringState,
    contact: ContactState,
    step_size: float,
    memory: SpringMemory,
) -> int:
    """Lead the contact's point along the leg; `s` keeps what became of it.

    `step_size` [s]; 0 or infinite: as slowly as can be. Returns OK, WEAR_RUNS_AWAY or
    TOO_MANY_LEG_PIECES; then both states are left half-way.
    """
    leg = memory.leg
    law = memory.law
    series = memory.series
    terms = memory.terms
    duration = step_size
    set_law(p, law)
    before_x = s.velocity_x
    before_y = s.velocity_y
    before_z = s.velocity_z
    s.velocity_x = 0.0
    s.velocity_y = 0.0
    s.velocity_z = 0.0
    if step_size > 0.0 and 1.0 / step_size > 0.0:
        s.velocity_x = leg.path_x / step_size
        s.velocity_y = leg.path_y / step_size
        s.velocity_z = leg.path_z / step_size
    else:
        _slow_down(law)
        duration = 1.0
    velocity_1 = series.velocity_1
    velocity_2 = series.velocity_2
    velocity_3 = series.velocity_3
    velocity_1[0] = leg.path_x / duration
    velocity_2[0] = leg.path_y / duration
    velocity_3[0] = leg.path_z / duration
    place_on_path(s, series, 0.0)
    turn = abs(s.velocity_x - before_x) + abs(s.velocity_y - before_y)
    turn += abs(s.velocity_z - before_z)
    code = OK
    if not turn < _STRAIGHT * (abs(before_x) + abs(before_y) + abs(before_z)):
        code = _pass_corner(law, contact, series)
    if leg.is_watched != 0.0:
        _note_contact(contact, 0.0, memory)
    time = 0.0
    pieces = 0
    wanted = 0.0
    while code == OK and time < duration:
        pieces += 1
        place_on_path(s, series, time)
        time, end, count, event = _cross_piece(law, contact, series, terms, time, duration)
        if event != NO_EVENT:
            if leg.is_watched != 0.0:
                _keep_before_event(contact, time / duration, memory)
            exit_row = series.exit
            zeros = int(exit_row[EXIT_ZEROS])
            apply_contact_event(law, contact, series, count, end, event, zeros)
        if time < 0.0:
            code = TOO_MANY_LEG_PIECES
            if wear_runs_away(law, contact, series):
                code = WEAR_RUNS_AWAY
        elif pieces % _PIECES_WATCHED == 0:
            wanted += _LEAST_PROGRESS * duration
            if time < wanted:
                code = TOO_MANY_LEG_PIECES
        if leg.is_watched != 0.0:
            _note_contact(contact, time / duration, memory)
    s.drive_x = leg.end_x
    s.drive_y = leg.end_y
    s.drive_z = leg.end_z
    place_on_path(s, series, 0.0)
    keep_contact(s, contact, duration, memory)
    return code


def _keep_before_event(contact: ContactState, place: float, memory: SpringMemory) -> None:
    """Keep the contact before the first event of an instant, at `place` of the leg."""
    work = memory.work
    watching = work.watching
    course = work.course
    is_first = True
    if watching.pending == 0.0 and watching.instant != NO_INSTANT:
        time = course.offset + place * course.span
        if time - watching.instant > watching.resolution:
            leave_instant(work)
        else:
            is_first = False
    if watching.pending == 0.0 and is_first:
        copy_contact(contact, work.contact_prior)


def _note_contact(contact: ContactState, place: float, memory: SpringMemory) -> None:
    """Take note of the contact's mode from `place` of the leg on, and of the contact behind it."""
    work = memory.work
    watching = work.watching
    course = work.course
    note_mode(work, place, contact_mode(contact))
    time = course.offset + place * course.span
    if watching.pending == 0.0 and time - watching.instant <= watching.resolution:
        copy_contact(contact, work.contact_after)


def contact_mode(contact: ContactState) -> float:
    """FLIGHT, STICK or SLIP."""
    if contact.closed == 0.0:
        return FLIGHT
    return STICK + contact.sliding


def keep_contact(
    s: SpringState, contact: ContactState, duration: float, memory: SpringMemory
) -> None:
    """Let the spring keep what its contact has come to at the point where the path is.

    `duration` [s] is that of the leg.
    """
    law = memory.law
    series = memory.series
    normal, _, _, slip = forces_now(law, contact, series)
    if contact.sliding != 0.0 and law.tangential_damping == 0.0:
        slip = whole_slip_rate(law, contact, series, normal, slip, 0.0, 0.0, 0.0)
    # In the unit of `law.lead_along`, per leg.
    s.slip_velocity = max(0.0, slip) * duration
    _, along_2 = friction_in_frame(law, series, contact.stretch_1)
    s.anchoring_y = s.drive_y
    s.anchoring_z = s.drive_z
    s.stretch_y = along_2
    s.stretch_z = contact.stretch_2
    s.wear_work = contact.wear_work
    s.opening = law.opening_per_work * contact.wear_work
    s.mode = contact_mode(contact)


def path_forces(
    p: SpringParameters, s: SpringState, contact: ContactState, memory: SpringMemory
) -> tuple[float, float, float, float]:
    """F_N [N] and the forces of the spring along x, y and z, counted as `force_x`."""
    law = memory.law
    series = memory.series
    set_law(p, law)
    velocity_1 = series.velocity_1
    velocity_2 = series.velocity_2
    velocity_3 = series.velocity_3
    velocity_1[0] = s.velocity_x
    velocity_2[0] = s.velocity_y
    velocity_3[0] = s.velocity_z
    place_on_path(s, series, 0.0)
    normal, first, second, _ = forces_now(law, contact, series)
    along_1, along_2 = force_in_frame(law, contact, series, normal, first)
    return normal, -along_1, -along_2, -second


def set_law(p: SpringParameters, law: ContactLaw) -> None:
    """Write the law of the spring's contact."""
    copy_rubbing(p, law)
    law.obstacle = p.obstacle
    law.axes = 3.0
    law.gap = p.gap_at_rest
    law.stiffness = p.driven_normal_stiffness
    law.contact_damping = p.contact_damping
    law.tangential_stiffness = p.driven_tangential_stiffness
    law.tangential_damping = p.tangential_damping
    complete_friction(law, True)


def _slow_down(law: ContactLaw) -> None:
    """As slowly as can be: dampers do not act, and friction is that of no speed."""
    law.contact_damping = 0.0
    law.tangential_damping = 0.0
    take_speed_as_zero(law, True)


def place_on_path(s: SpringState, series: ContactWork, time: float) -> None:
    """Where the point is at a time [s] since it was where the state has it."""
    position_1 = series.position_1
    position_2 = series.position_2
    position_3 = series.position_3
    velocity_1 = series.velocity_1
    velocity_2 = series.velocity_2
    velocity_3 = series.velocity_3
    position_1[0] = s.drive_x + velocity_1[0] * time
    position_2[0] = s.drive_y + velocity_2[0] * time
    position_3[0] = s.drive_z + velocity_3[0] * time


def _pass_corner(law: ContactLaw, s: ContactState, series: ContactWork) -> int:
    """Carry the contact over the jump of the velocity where a leg begins; OK or WEAR_RUNS_AWAY."""
    # What vanished by construction need not along another path.
    s.zeros_gap = 0.0
    s.zeros_force = 0.0
    s.zeros_slip = 0.0
    s.zeros_cone = 0.0
    s.zeros_speed = 0.0
    gap, rate, first, second = kinematics(law, s, series)
    force = -law.stiffness * gap - law.contact_damping * rate
    if s.closed == 0.0 or law.tangential_damping > 0.0 or not force > 0.0:
        return OK
    speed = magnitude(first, second)
    stretch = magnitude(s.stretch_1, s.stretch_2)
    friction = sliding_friction(law, speed)
    radius = friction * force / law.tangential_stiffness
    if s.sliding != 0.0 and (speed == 0.0 or stretch < (1.0 - ON_CONE) * radius):
        s.sliding = 0.0
    holding = holding_coefficient(law, speed) * force / law.tangential_stiffness
    if s.sliding != 0.0:
        holding = radius
    if stretch <= (1.0 + ON_CONE) * holding:
        return OK
    if anchor_runs_away(law, friction, law.stiffness, force, law.tangential_stiffness):
        return WEAR_RUNS_AWAY
    way, wear = jump_to_cone(stretch, radius, force, law.stiffness * law.opening_per_work)
    share = (stretch - way) / stretch
    s.sliding = 1.0
    s.direction_1 = s.stretch_1 / stretch
    s.direction_2 = s.stretch_2 / stretch
    s.stretch_1 *= share
    s.stretch_2 *= share
    s.wear_work += wear
    s.sliding_distance += way
    return OK


def _cross_piece(
    law: ContactLaw,
    s: ContactState,
    series: ContactWork,
    terms: list[ContactTerms],
    start: float,
    stop: float,
) -> tuple[float, float, int, int]:
    """Carry the contact from `start` to its next event, not past `stop`; the time reached [s].

    Negative where no piece has a series that can be computed, or wear runs away. With it come the
    piece's end in [0, 1], the number of its coefficients, and the event, still to be applied.
    """
    length = stop - start
    whole = length
    count, share = _fill_series(law, s, series, terms, length)
    while share == 0.0:
        length *= MODAL_RETREAT
        if start + length == start:
            return -1.0, 0.0, count, NO_EVENT
        count, share = _fill_series(law, s, series, terms, length)
    if share < 1.0:
        scale_contact(law, s, series, share, count)
        length *= share
    if wear_runs_away(law, s, series):
        return -1.0, 0.0, count, NO_EVENT
    finish_slip(law, s, series, length, count)
    instant = min(1.0, MODAL_INSTANT * (whole / length))
    position = find_exit(law, s, series, length, count, instant)
    end = min(max(position, 0.0), 1.0)
    if end > 0.0:
        move_contact(law, s, series, length, count, end)
    if position < NEVER:
        exit_row = series.exit
        return start + end * length, end, count, int(exit_row[EXIT_EVENT])
    return stop if length == whole else start + length, end, count, NO_EVENT


def _fill_series(
    law: ContactLaw,
    s: ContactState,
    series: ContactWork,
    terms: list[ContactTerms],
    length: float,
) -> tuple[int, float]:
    """Write the series over `length` [s]: how many coefficients, and over which share they hold.

    A share of 0: they overflow.
    """
    position_1 = series.position_1
    position_2 = series.position_2
    position_3 = series.position_3
    velocity_1 = series.velocity_1
    velocity_2 = series.velocity_2
    velocity_3 = series.velocity_3
    position_1[1] = velocity_1[0] * length
    position_2[1] = velocity_2[0] * length
    position_3[1] = velocity_3[0] * length
    is_curved = is_inside_curved(law, s, series)
    if s.closed == 0.0 and not is_curved:
        return 2, 1.0
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
        if j > 1 and tail <= MODAL_TAIL:
            return count, 1.0
    return count, float((MODAL_TAIL / tail) ** (1.0 / (count - 2)))
