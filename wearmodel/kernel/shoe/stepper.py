"""One communication step: exact pieces between located events.

A piece is a time interval in one mode, short enough for its series (λτ ≤ RATE_LIMIT). After a code
other than OK the state is incomplete, so callers use a copy.
"""

from __future__ import annotations

from ..events import (
    LOOK_AHEAD,
    NO_INSTANT,
    OTHER_CHANGE,
    is_at_end,
    kinds_of_change,
    passes,
    waits_for,
)
from ..limits import (
    ARREST,
    CLOSING_UPPER,
    CONE_MINUS,
    CONE_PLUS,
    END_OF_PIECE,
    LEAVE_UPPER,
    MAXIMUM_EVENTS,
    MAXIMUM_PIECES,
    NO_EVENT,
    OK,
    OVERFLOW,
    PENALISED_FRICTION,
    PENALTY,
    PRESCRIBED,
    RATE_LIMIT,
    RIGID_CONTACT,
    STOP_LOWER,
    TOO_MANY_EVENTS,
    TOO_MANY_PIECES,
    TURN,
    WEAR_RUNAWAY,
    WEAR_TOO_FAST,
)
from ..series.polynomials import (
    evaluate,
    evaluate_increment,
    integrate_product,
    rescale,
    size_over,
)
from ..series.roots import largest_value
from .normal import fill_normal_series, gap_to, nearest_plane, normal_exit, normal_rate
from .parameters import Parameters
from .pendulum import pendulum_work
from .quiet import quiet_step
from .state_objects import Present, State, Work, copy_state
from .stops import stop_exit, stop_heat, strikes_at_start
from .tangential import fill_tangential_series, tangential_exit, tangential_rate
from .transitions import apply_event, drag_anchor
from .varying_slip import damper_heat, dissipated
from .wearing_slip import RUNAWAY

# Pieces under constant inputs after which the rest of a step is often quiet, as after a decay.
_LONG = 1000
# s, range in which `settle` searches for events. Later events are ignored.
_TRIED = 1e-3


def advance(
    p: Parameters,
    s: State,
    tangential_count: int,
    normal_count: int,
    step_size: float,
    work: Work,
) -> int:
    """Advance `s` by `step_size` [s] > 0 in place. Return OK or an error.

    The forcings in the work rows of the step are polynomials Σ f_j t^j [N] of the time since its
    start: f_t = −m A_t + P_t and f_n = −m (g + A_n) − preload − P_n. They are checked, because the
    state can be finite if only a guard overflows.

    A watched step ends immediately before an awaited event, at `watching.reached`, and
    `work.after_event` is the state after the event.
    """
    total = size_over(work.step_tangential, tangential_count, step_size)
    total += size_over(work.step_normal, normal_count, step_size)
    # The difference is zero unless a term is infinite or not a number.
    if total - total != 0.0:
        return OVERFLOW
    counts = work.counts
    counts.events = 0.0
    counts.pieces = 0.0
    watching = work.watching
    watching.reached = step_size
    is_watched = watching.resolution > 0.0
    is_constant = tangential_count == 1 and normal_count == 1
    is_long = False
    time = 0.0
    while time < step_size:
        if is_long and quiet_step(p, s, 1, 1, step_size - time, work):
            time = step_size
        else:
            time = cross_piece(p, s, tangential_count, normal_count, time, step_size, work)
        if is_watched:
            if time > watching.instant and _ends_before(s, step_size, work):
                return OK
            if counts.event != NO_EVENT and watching.instant == NO_INSTANT:
                watching.instant = time
                copy_state(s, work.before_event)
        code = end_piece(p, s, work)
        if code != OK:
            return code
        if is_watched and watching.instant != NO_INSTANT:
            copy_state(s, work.after_event)
        is_long = is_constant and counts.event == NO_EVENT and int(counts.pieces) % _LONG == 0
    if not time >= step_size:  # not a number
        return OVERFLOW
    if not is_watched or _ends_before(s, step_size, work) or watching.kinds == 0.0:
        return OK
    # Find an awaited event at the end of the step. The next step would begin with it.
    copy_state(s, work.before_event)
    stop = step_size + LOOK_AHEAD * step_size
    code = _apply_events(p, s, tangential_count, normal_count, step_size, stop, LEAVE_UPPER, work)
    copy_state(work.before_event, s)
    # A failure there is reported by the next step.
    if code == OK:
        waits_for(watching, _kinds_of_change(work), step_size)
    return OK


def settle_start(p: Parameters, s: State, now: Present, work: Work) -> int:
    """Apply an impact at the start of a run, if the mass touches a plane or a rigid stop.

    Returns OK or an error.
    """
    place = s.normal_displacement
    plane = nearest_plane(p, s, place)
    if strikes_at_start(p, s):
        return settle(p, s, now, LEAVE_UPPER, work)
    if s.contact != 0.0 or p.normal_law == PRESCRIBED or not plane * s.normal_velocity < 0.0:
        return OK
    if gap_to(p, s, plane, place) > 0.0:
        return OK
    return settle(p, s, now, CLOSING_UPPER, work)


def settle(p: Parameters, s: State, now: Present, last_event: int, work: Work) -> int:
    """Apply the events of the present instant up to one whose number is above `last_event`.

    The time does not change. Returns OK or an error.
    """
    counts = work.counts
    counts.events = 0.0
    counts.pieces = 0.0
    work.step_tangential[0] = now.tangential_forcing
    work.step_normal[0] = now.normal_forcing
    code = _apply_events(p, s, 1, 1, 0.0, _TRIED, last_event, work)
    if code == OK:
        copy_state(work.after_event, s)
    return code


def _apply_events(
    p: Parameters,
    s: State,
    tangential_count: int,
    normal_count: int,
    instant: float,
    stop: float,
    last_event: int,
    work: Work,
) -> int:
    """Apply the events at `instant` up to one whose number is above `last_event`.

    `work.after_event` becomes the state after them, and `s` a later state up to `stop`. Times are
    counted from the step's start [s]. Returns OK or an error.
    """
    counts = work.counts
    copy_state(s, work.after_event)
    while True:
        time = cross_piece(p, s, tangential_count, normal_count, instant, stop, work)
        if counts.event == NO_EVENT or counts.event > last_event or not is_at_end(time, instant):
            return OK
        code = end_piece(p, s, work)
        if code != OK:
            return code
        copy_state(s, work.after_event)


def _ends_before(s: State, step_size: float, work: Work) -> bool:
    """Leave the present instant, if any. True if the step ends before its events."""
    if passes(work.watching, _kinds_of_change(work), step_size):
        return False
    copy_state(work.before_event, s)
    return True


def _kinds_of_change(work: Work) -> int:
    """Sum of the kinds of events between the states before and after an instant."""
    before = work.before_event
    after = work.after_event
    shocks = after.shock_count - before.shock_count
    kinds = kinds_of_change(shocks, before.contact, after.contact, before.sliding, after.sliding)
    if before.stop_count != after.stop_count and kinds & OTHER_CHANGE == 0:
        kinds += OTHER_CHANGE
    return kinds


def end_piece(p: Parameters, s: State, work: Work) -> int:
    """Apply the event at the end of the piece. Return OK, or the exceeded bound."""
    counts = work.counts
    event = int(counts.event)
    if event == WEAR_RUNAWAY:
        return WEAR_TOO_FAST
    if event != NO_EVENT:
        apply_event(p, s, event, int(counts.event_zeros), counts.event_forcing, work)
        if event != TURN:
            counts.events += 1.0
        if counts.events > MAXIMUM_EVENTS:
            return TOO_MANY_EVENTS
    counts.pieces += 1.0
    if counts.pieces > MAXIMUM_PIECES:
        return TOO_MANY_PIECES
    return OK


def cross_piece(
    p: Parameters,
    s: State,
    tangential_count: int,
    normal_count: int,
    start: float,
    stop: float,
    work: Work,
) -> float:
    """Advance `s` from `start` to the next event, but not past `stop` [s since the step began].

    Returns the time reached. Then the work rows contain the piece's series, which traces
    use, and `work.counts` contains the event, which `end_piece` applies.
    """
    remaining = stop - start
    length = remaining
    counts = work.counts
    rate = max(normal_rate(p, s), tangential_rate(p, s, counts))
    if rate * remaining > RATE_LIMIT:
        length = min(RATE_LIMIT / rate, 0.5 * remaining)

    forcing = work.tangential_forcing
    fits = False
    while not fits:
        counts.piece_length = length
        counts.piece_end = 0.0
        rescale(work.step_tangential, tangential_count, start, length, forcing)
        if s.stop != 0.0:
            forcing[0] += p.stop_stiffness * (p.stop_upper if s.stop > 0.0 else p.stop_lower)
        rescale(work.step_normal, normal_count, start, length, work.normal_forcing)
        fill_normal_series(p, s, normal_count, length, work)
        if (
            s.sliding != 0.0
            and p.tangential_law == PENALISED_FRICTION
            and p.tangential_damping == 0.0
            and work.force[0] >= 0.0
            and not drag_anchor(p, s, work.force[0])
        ):
            counts.event_zeros = 0.0
            counts.event = ARREST
            return start
        shorter = fill_tangential_series(p, s, tangential_count, normal_count, length, work)
        fits = shorter == 0.0
        if shorter == RUNAWAY:
            counts.event = WEAR_RUNAWAY
            return start
        if not fits:
            length = shorter

    position, event = normal_exit(p, s, normal_count, work)
    tangential_position, tangential_event = tangential_exit(p, s, work)
    # If both events are at the same instant to rounding, the normal event comes first.
    if tangential_position < position - (1.0 - END_OF_PIECE):
        position = tangential_position
        event = tangential_event
    if p.has_stops != 0.0:
        tangential_position, tangential_event = stop_exit(p, s, tangential_count, work)
        if tangential_position < position - (1.0 - END_OF_PIECE):
            position = tangential_position
            event = tangential_event
    end = min(max(position, 0.0), 1.0)
    counts.piece_end = end
    if end > 0.0:
        _move(p, s, end, length, work)
    counts.event = event
    if event == NO_EVENT:
        return stop if length == remaining else start + length
    counts.event_zeros = 1.0
    if event == CONE_PLUS or event == CONE_MINUS:
        counts.event_zeros = counts.cone_zeros
    elif position < 0.0:
        counts.event_zeros = 0.0
    counts.event_forcing = evaluate(work.normal_forcing, normal_count, end)
    if event >= STOP_LOWER:
        counts.event_tangential = evaluate(forcing, tangential_count, end)
    return start + end * length


def _move(p: Parameters, s: State, end: float, length: float, work: Work) -> None:
    """Advance the state to `end` of the piece, and update wear, distance and peak force."""
    counts = work.counts
    sliding = s.sliding
    if p.curvature != 0.0:
        s.pendulum_work += pendulum_work(p, s, end, length, work)
    if p.has_stops != 0.0:
        s.stop_work += stop_heat(p, s, end, length, work)
    law = p.normal_law
    penalised = p.tangential_law == PENALISED_FRICTION
    depth = 0.0
    if law == PENALTY and p.contact_damping > 0.0:
        depth = _slack_depth(p, s)
    if s.contact != 0.0:
        s.damping_work += damper_heat(p, sliding, end, length, work)
        force = work.force
        force_count = int(counts.force)
        if sliding != 0.0:
            slip_count = int(counts.slip)
            wear = integrate_product(force, force_count, work.slip, slip_count, end)
            wear = max(0.0, sliding * wear * length)
            s.wear_work += wear
            if s.contact < 0.0:
                s.wear_work_upper += wear
            s.friction_work += dissipated(p, wear, end, work)
            travelled = evaluate_increment(work.displacement, int(counts.motion), end)
            travelled -= evaluate_increment(work.stretch, int(counts.stretch), end)
            s.sliding_distance += max(0.0, sliding * travelled)
        if sliding != s.last_sliding:
            s.last_sliding = sliding
            if sliding != 0.0:
                s.slip_count += 1.0
        highest = 0.0
        for j in range(force_count):
            if force[j] > 0.0:
                highest += force[j]
        if highest > s.peak_force:
            s.peak_force = max(
                s.peak_force, largest_value(force, force_count, end, work.guard, work.scratch)
            )
    else:
        s.last_sliding = 0.0

    if s.contact == 0.0 or sliding != 0.0 or penalised:
        count = int(counts.motion)
        travelled = evaluate_increment(work.displacement, count, end)
        s.displacement += travelled
        s.velocity = evaluate(work.velocity, count, end)
        if penalised and s.contact != 0.0:
            if sliding != 0.0:
                s.stretch = evaluate(work.stretch, int(counts.stretch), end)
            else:
                s.stretch += travelled
    if law != PRESCRIBED and not (law == RIGID_CONTACT and s.contact != 0.0):
        count = int(counts.normal)
        s.normal_displacement += evaluate_increment(work.normal_displacement, count, end)
        s.normal_velocity = evaluate(work.normal_velocity, count, end)
    if depth > 0.0:
        left = _slack_depth(p, s)
        released = 0.5 * p.contact_stiffness * (depth - left) * (depth + left)
        s.damping_work += max(0.0, released)

    s.zeros_gap = 0.0
    s.zeros_force = 0.0
    s.zeros_slip = 0.0
    s.zeros_cone_plus = 0.0
    s.zeros_cone_minus = 0.0
    s.zeros_stop = 0.0


def _slack_depth(p: Parameters, s: State) -> float:
    """Depth [m] in the obstacle of a mass that the contact's damper has released, otherwise 0.

    The unloaded spring relaxes in the damper as the mass leaves.
    """
    if s.contact != 0.0:
        return 0.0
    place = s.normal_displacement
    return max(0.0, -gap_to(p, s, nearest_plane(p, s, place), place))
