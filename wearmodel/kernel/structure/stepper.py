"""One communication step of a structure: exact pieces between located events.

A piece is a time interval without changes of mode, short enough for its series. The first event of
all contacts ends it. Events at the same time to rounding are one event: the changes of all contacts
follow from the same motion and are applied before the next piece. In one contact the normal event
comes first. After a code other than OK the state is incomplete, so callers use a copy.
"""

from __future__ import annotations

from ..contact.forces import begin_following, finish_slip, repeat_following, wear_runs_away
from ..contact.guards import find_exit
from ..contact.obstacle import gap_now
from ..contact.polygon import follow_event
from ..contact.state_objects import (
    EXIT_EVENT,
    EXIT_POSITION,
    EXIT_ZEROS,
    FOLLOWS,
    ContactState,
    ContactWork,
    copy_contact,
)
from ..contact.transitions import apply_contact_event, forget_zeros, move_contact
from ..events import (
    LOOK_AHEAD,
    NO_INSTANT,
    is_at_end,
    kinds_of_change,
    passes,
    waits_for,
)
from ..limits import (
    CLOSING_INSIDE,
    END_OF_PIECE,
    MODAL_INSTANT,
    MODAL_RETREAT,
    NEVER,
    NO_EVENT,
    OK,
    OPENING,
    OVERFLOW,
    TOO_MANY_PIECES,
    WEAR_RUNAWAY,
    WEAR_TOO_FAST,
)
from ..series.polynomials import rescale
from ..state_objects import Rows
from .limits import (
    MODAL_FEW_COEFFICIENTS,
    MODAL_LONGER,
    MODAL_MANY_COEFFICIENTS,
    MODAL_MAXIMUM_PIECES,
    MODAL_PIECES_WATCHED,
    MODAL_RATE_LIMIT,
)
from .measures import place_point
from .motion import fill_motion, length_to_borders, piece_rate, place_size, scale_motion
from .rest import is_at_rest
from .state_objects import Body, ModalCounts, Motion, StructureState, StructureWork
from .swing import swing

# Result of `cross_structure_piece` if numbers overflow in pieces of any length, or wear runs away.
NOT_REACHED = -1.0
# Events closer than this share of a linear piece are simultaneous.
_SAME_INSTANT = 1.0 - END_OF_PIECE
# Slips follow their velocity, if possible, when the valid share of a piece is below this.
_SHORT = 0.5
# Number of repeated series of slips that follow their velocity. Each series adds two digits or
# more, but fewer to the last coefficients of long series. If only these are inexact, the piece is
# shortened by the factor _SHORTER after every _SHORTENED series.
_MOST_REPEATED = 39
_SHORTENED = 13
_LATEST = 12  # series in which the first digits of a slip that follows its velocity must be exact
_SHORTER = 0.25
# s, range in which `settle_structure` searches for events. Later events are ignored.
_TRIED = 1e-3


def advance_structure(
    body: Body, state: StructureState, work: StructureWork, step_size: float
) -> int:
    """Advance motion and contacts by `step_size` [s] > 0 in place. Return OK or an error.

    `work.inputs` are the coefficients, `work.counts.inputs` of each, of the polynomials of base
    accelerations and loads in the time since the step's start.

    A watched step ends immediately before an awaited event, at `watching.reached`, and
    `work.contacts_after` are the contacts after the event.
    """
    counts = work.counts
    counts.events = 0.0
    counts.pieces = 0.0
    counts.watched_from = 0.0
    watching = work.watching
    watching.reached = step_size
    is_watched = watching.resolution > 0.0
    time = step_size if swing(body, state, work, step_size) else 0.0
    while time < step_size:
        time = cross_structure_piece(body, state, work, time, step_size)
        if is_watched:
            # Events whose times differ only by rounding belong to the same instant.
            has_left = time - watching.instant > watching.resolution
            if has_left and _ends_before(state, step_size, work):
                return OK
            if counts.event != NO_EVENT and watching.instant == NO_INSTANT:
                watching.instant = time
                _keep_before(state, work)
        code = end_structure_piece(body, state, work, time, step_size)
        if code != OK:
            return code
        if time < 0.0:
            return OVERFLOW
        if is_watched and watching.instant != NO_INSTANT:
            copy_contacts(state.contacts, work.contacts_after)
    if not is_watched or _ends_before(state, step_size, work) or watching.kinds == 0.0:
        return OK
    # Find an awaited event at the very end of the step. The next step would begin with it.
    code = _apply_events(body, state, step_size, step_size + LOOK_AHEAD * step_size, work)
    copy_contacts(work.contacts_before, state.contacts)
    # The next step reports a failure beyond the end of this step.
    if code == OK:
        waits_for(watching, _kinds_of_change(work), step_size)
    return OK


def settle_structure(body: Body, state: StructureState, work: StructureWork) -> int:
    """Apply the events of the present instant. Return OK or an error."""
    counts = work.counts
    counts.events = 0.0
    counts.pieces = 0.0
    counts.inputs = 1.0
    inputs = work.inputs
    present = state.present
    for k in range(len(inputs)):
        row = inputs[k]
        row[0] = present[k][0]
    code = _apply_events(body, state, 0.0, _TRIED, work)
    copy_contacts(work.contacts_after, state.contacts)
    # If wear runs away after the events, the next step fails.
    return OK if code == WEAR_TOO_FAST else code


def _apply_events(
    body: Body, state: StructureState, instant: float, stop: float, work: StructureWork
) -> int:
    """Apply the events at `instant`, and move on towards `stop`. Return OK or an error.

    `work.contacts_before` and `contacts_after` become the contacts before and after the events.
    `instant` and `stop` are counted from the step's start [s].
    """
    counts = work.counts
    _keep_before(state, work)
    copy_contacts(state.contacts, work.contacts_after)
    code = OK
    while code == OK:
        time = cross_structure_piece(body, state, work, instant, stop)
        if counts.event == NO_EVENT or not is_at_end(time, instant):
            break
        code = end_structure_piece(body, state, work, instant, instant)
        if counts.events > MODAL_PIECES_WATCHED:
            code = TOO_MANY_PIECES
        copy_contacts(state.contacts, work.contacts_after)
    copy_motion(work.motion_at_event, state.motion)
    return code


def _keep_before(state: StructureState, work: StructureWork) -> None:
    """Keep contacts and motion before the events of an instant."""
    copy_contacts(state.contacts, work.contacts_before)
    copy_motion(state.motion, work.motion_at_event)


def _ends_before(state: StructureState, step_size: float, work: StructureWork) -> bool:
    """Leave the present instant, if any. Return whether the step ends before its events."""
    if passes(work.watching, _kinds_of_change(work), step_size):
        return False
    copy_contacts(work.contacts_before, state.contacts)
    copy_motion(work.motion_at_event, state.motion)
    return True


def _kinds_of_change(work: StructureWork) -> int:
    """Sum of the kinds of events that changed the contacts at an instant."""
    before = work.contacts_before
    after = work.contacts_after
    kinds = 0
    for index in range(len(before)):
        past = before[index]
        present = after[index]
        shocks = present.shock_count - past.shock_count
        kinds |= kinds_of_change(shocks, past.closed, present.closed, past.sliding, present.sliding)
    return kinds


def copy_contacts(source: list[ContactState], target: list[ContactState]) -> None:
    """Copy the states of all contacts."""
    for index in range(len(source)):
        copy_contact(source[index], target[index])


def copy_motion(source: Motion, target: Motion) -> None:
    """Copy modal coordinates and velocities."""
    target.displacement[:] = source.displacement
    target.velocity[:] = source.velocity


def end_structure_piece(
    body: Body, state: StructureState, work: StructureWork, time: float, step_size: float
) -> int:
    """Apply the event at the end of the piece. Return OK or an error.

    `time` is the reached time [s since the step began].
    """
    laws = body.laws
    contacts = state.contacts
    side_works = state.side_works
    works = work.works
    counts = work.counts
    event = int(counts.event)
    if event == WEAR_RUNAWAY:
        return WEAR_TOO_FAST
    if event != NO_EVENT:
        for index in range(len(laws)):
            contact_work = works[index]
            happened = event_at_end(contact_work, counts)
            if happened != NO_EVENT:
                apply_contact_event(
                    laws[index],
                    contacts[index],
                    contact_work,
                    int(counts.motion),
                    counts.piece_end,
                    happened,
                    int(contact_work.exit[EXIT_ZEROS]),
                )
                follow_event(
                    laws[index], contacts[index], contact_work, happened, side_works[index]
                )
                if happened == OPENING or happened == CLOSING_INSIDE:
                    _book_slack(body, state, contact_work, index)
        counts.events += 1.0
    counts.pieces += 1.0
    if int(counts.pieces) % MODAL_PIECES_WATCHED == 0 and 0.0 <= time < step_size:
        share = MODAL_PIECES_WATCHED / MODAL_MAXIMUM_PIECES
        if time - counts.watched_from < share * step_size:
            return TOO_MANY_PIECES
        counts.watched_from = time
    return OK


def _book_slack(body: Body, state: StructureState, work: ContactWork, index: int) -> None:
    """Count the spring's energy as lost when a contact opens, and as regained when it closes."""
    law = body.laws[index]
    s = state.contacts[index]
    if law.contact_damping > 0.0:
        place_point(body.shapes, law, s, state.motion, work, index)
        gap = min(0.0, gap_now(law, s, work))
        pressed = 0.5 * law.stiffness * gap * gap
        s.damping_work += pressed if s.closed == 0.0 else -pressed


def event_at_end(work: ContactWork, counts: ModalCounts) -> int:
    """The event of a contact at the end of the piece, to rounding, or NO_EVENT."""
    if work.exit[EXIT_POSITION] <= counts.piece_end + counts.same:
        return int(work.exit[EXIT_EVENT])
    return NO_EVENT


def cross_structure_piece(
    body: Body, state: StructureState, work: StructureWork, start: float, stop: float
) -> float:
    """Advance from `start` to the next event, at most to `stop` [s since the step began].

    Returns the time reached, or NOT_REACHED. The work rows contain the series of the piece, and
    `counts` contains the event, which `end_structure_piece` applies.
    """
    laws = body.laws
    contacts = state.contacts
    works = work.works
    counts = work.counts
    remaining = stop - start
    length = remaining
    rate = piece_rate(laws, contacts, body.coupling, body.modes)
    limit = _rate_limit(rate, start, counts)
    if rate * remaining > limit:
        length = min(limit / rate, 0.5 * remaining)
    whole = length
    length = length_to_borders(body, state, work, length)
    share = _fill(body, state, work, start, length)
    if share < _SHORT:
        following = _follow(body, state, work, start, length)
        if following > 0.0:
            length = following
            share = 1.0
        elif following < 0.0:
            share = _fill(body, state, work, start, length)
    while share == 0.0:
        length *= MODAL_RETREAT
        if start + length == start:
            counts.event = float(NO_EVENT)
            return NOT_REACHED
        share = _fill(body, state, work, start, length)
    contact_count = len(laws)
    if length < remaining and is_at_rest(body, state, work, length):
        for index in range(contact_count):
            forget_zeros(contacts[index])
        counts.event = float(NO_EVENT)
        return stop
    count = int(counts.motion)
    if share < 1.0:
        scale_motion(share, body, state, work, count)
        length *= share
    # These times are shares of the piece of a linear motion, which does not become shorter if only
    # the direction of friction changes fast.
    counts.same = _SAME_INSTANT * (whole / length)
    counts.instant = min(1.0, MODAL_INSTANT * (whole / length))
    position = NEVER
    event_contact = 0
    for index in range(contact_count):
        if wear_runs_away(laws[index], contacts[index], works[index]):
            counts.event = float(WEAR_RUNAWAY)
            return NOT_REACHED
        contact_work = works[index]
        finish_slip(laws[index], contacts[index], contact_work, length, count)
        size = place_size(body, state, index, contact_work.scratch)
        exit_position = find_exit(
            laws[index], contacts[index], contact_work, length, count, counts.instant, size
        )
        if exit_position < position:
            position = exit_position
            event_contact = index
    event = NO_EVENT
    if position < NEVER:
        first = works[event_contact]
        event = int(first.exit[EXIT_EVENT])
    end = min(max(position, 0.0), 1.0)
    counts.piece_length = length
    counts.piece_end = end
    counts.event = float(event)
    if end > 0.0:
        for index in range(contact_count):
            move_contact(laws[index], contacts[index], works[index], length, count, end, True)
        move_modes(state.motion, work.displacements, work.velocities, count + 1, end)
    if event == NO_EVENT:
        return stop if length == remaining else start + length
    return start + end * length


def _fill(
    body: Body, state: StructureState, work: StructureWork, start: float, length: float
) -> float:
    """Write the series over `length` from `start` [s since the step began], see `fill_motion`."""
    inputs = work.inputs
    piece_inputs = work.piece_inputs
    counts = work.counts
    for k in range(len(inputs)):
        rescale(inputs[k], int(counts.inputs), start, length, piece_inputs[k])
    return fill_motion(body, state, piece_inputs, work, length)


def _follow(
    body: Body, state: StructureState, work: StructureWork, start: float, length: float
) -> float:
    """Repeat the series of slips that follow their velocity, see `contact.forces`.

    Returns the length [s] over which they are exact, 0 without such slips, or −1 if they fail.
    """
    laws = body.laws
    contacts = state.contacts
    works = work.works
    counts = work.counts
    following = _begin_following(body, state, work, length, 0)
    reached = -1.0 if following > 0 else 0.0
    repeated = 0
    while reached < 0.0 and following > 0 and repeated < _MOST_REPEATED:
        repeated += 1
        share = _fill(body, state, work, start, length)
        if share == 0.0:
            # For instance the point has hardly begun to move, and turns in almost no time.
            length *= MODAL_RETREAT
            following = _begin_following(body, state, work, length, repeated)
            repeated = 0
            continue
        count = int(counts.motion)
        if repeated % _SHORTENED == 0:
            share *= _SHORTER
        if share < 1.0:
            scale_motion(share, body, state, work, count)
            length *= share
        inexact = 0.0
        for index in range(len(laws)):
            contact_work = works[index]
            left = repeat_following(contacts[index], contact_work, length, count)
            if left < 0.0 or (left == 1.0 and repeated == _LATEST):
                # This slip does not follow its velocity yet. Another one can.
                contact_work.trial[FOLLOWS] = 0.0
                following -= 1
            inexact = max(inexact, abs(left))
        if inexact == 0.0:
            reached = length
    for index in range(len(laws)):
        contact_work = works[index]
        contact_work.trial[FOLLOWS] = 0.0
    return reached


def _begin_following(
    body: Body, state: StructureState, work: StructureWork, length: float, repeated: int
) -> int:
    """Let slips follow their velocity over `length` [s], if they can. Return their number.

    If series have been `repeated` before, only slips that still follow are considered.
    """
    laws = body.laws
    contacts = state.contacts
    works = work.works
    following = 0
    for index in range(len(laws)):
        contact_work = works[index]
        if repeated > 0 and contact_work.trial[FOLLOWS] == 0.0:
            continue
        if begin_following(laws[index], contacts[index], contact_work, length):
            following += 1
    return following


def _rate_limit(rate: float, start: float, counts: ModalCounts) -> float:
    """Largest λτ of a piece, from the number of coefficients of the last piece of this step."""
    if start == 0.0:
        return MODAL_RATE_LIMIT
    limit = counts.piece_length * rate
    if counts.motion < MODAL_FEW_COEFFICIENTS:
        limit *= MODAL_LONGER
    elif counts.motion > MODAL_MANY_COEFFICIENTS:
        limit /= MODAL_LONGER
    return min(max(limit, MODAL_RATE_LIMIT), 2.0 * MODAL_RATE_LIMIT)


def move_modes(
    motion: Motion, displacements: Rows, velocities: Rows, count: int, end: float
) -> None:
    """Advance modal coordinates and velocities to `end` of the piece."""
    displacement = motion.displacement
    velocity = motion.velocity
    modes = len(displacement)
    whole = modes // 4 * 4
    last = velocities[count - 1]
    for i in range(0, whole, 4):
        travelled_0 = 0.0
        travelled_1 = 0.0
        travelled_2 = 0.0
        travelled_3 = 0.0
        speed_0 = last[i]
        speed_1 = last[i + 1]
        speed_2 = last[i + 2]
        speed_3 = last[i + 3]
        for j in range(count - 1, 0, -1):
            ways = displacements[j]
            rates = velocities[j - 1]
            travelled_0 = travelled_0 * end + ways[i]
            travelled_1 = travelled_1 * end + ways[i + 1]
            travelled_2 = travelled_2 * end + ways[i + 2]
            travelled_3 = travelled_3 * end + ways[i + 3]
            speed_0 = speed_0 * end + rates[i]
            speed_1 = speed_1 * end + rates[i + 1]
            speed_2 = speed_2 * end + rates[i + 2]
            speed_3 = speed_3 * end + rates[i + 3]
        moved_0 = displacement[i] + travelled_0 * end
        moved_1 = displacement[i + 1] + travelled_1 * end
        moved_2 = displacement[i + 2] + travelled_2 * end
        moved_3 = displacement[i + 3] + travelled_3 * end
        displacement[i] = moved_0
        displacement[i + 1] = moved_1
        displacement[i + 2] = moved_2
        displacement[i + 3] = moved_3
        velocity[i] = speed_0
        velocity[i + 1] = speed_1
        velocity[i + 2] = speed_2
        velocity[i + 3] = speed_3
    for i in range(whole, modes):
        travelled = 0.0
        speed = last[i]
        for j in range(count - 1, 0, -1):
            travelled = travelled * end + displacements[j][i]
            speed = speed * end + velocities[j - 1][i]
        displacement[i] += travelled * end
        velocity[i] = speed
