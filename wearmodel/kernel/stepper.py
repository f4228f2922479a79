"""One communication step: pieces between events, exact; events between pieces, located.

A piece is a stretch of time in one mode, short enough for its series (λτ ≤ RATE_LIMIT). Work on a
copy of the state: a step that returns a code other than OK has left its state half-way.
"""

from __future__ import annotations

from .layout import (
    ARREST,
    CONE_MINUS,
    CONE_PLUS,
    CONTACT,
    CONTACT_DAMPING,
    CONTACT_STIFFNESS,
    COUNT_CONE_ZEROS,
    COUNT_FORCE,
    COUNT_MOTION,
    COUNT_NORMAL,
    COUNT_SLIP,
    COUNT_STRETCH,
    DAMPING_WORK,
    DISPLACEMENT,
    END_OF_PIECE,
    EVENT_FORCING,
    EVENT_ZEROS,
    FRICTION_DYNAMIC,
    FRICTION_WORK,
    LAST_SLIDING,
    MAXIMUM_EVENTS,
    MAXIMUM_PIECES,
    NO_EVENT,
    NORMAL_DISPLACEMENT,
    NORMAL_LAW,
    NORMAL_VELOCITY,
    OK,
    OVERFLOW,
    PEAK_FORCE,
    PENALISED_FRICTION,
    PENALTY,
    PIECE_END,
    PIECE_LENGTH,
    PRESCRIBED,
    RATE_LIMIT,
    RIGID_CONTACT,
    ROW_COUNTS,
    ROW_DISPLACEMENT,
    ROW_FORCE,
    ROW_GUARD,
    ROW_NORMAL_DISPLACEMENT,
    ROW_NORMAL_FORCING,
    ROW_NORMAL_VELOCITY,
    ROW_SCRATCH,
    ROW_SLIP,
    ROW_STRETCH,
    ROW_TANGENTIAL_FORCING,
    ROW_VELOCITY,
    SLIDING,
    SLIDING_DISTANCE,
    SLIP_COUNT,
    STRETCH,
    TANGENTIAL_DAMPING,
    TANGENTIAL_LAW,
    TANGENTIAL_STIFFNESS,
    TOO_MANY_EVENTS,
    TOO_MANY_PIECES,
    VELOCITY,
    WEAR_WORK,
    ZEROS_CONE_MINUS,
    ZEROS_CONE_PLUS,
    ZEROS_FORCE,
    ZEROS_GAP,
    ZEROS_SLIP,
)
from .normal import fill_normal_series, gap_to, nearest_plane, normal_exit, normal_rate
from .series import (
    evaluate,
    evaluate_increment,
    integrate_product,
    integrate_square,
    largest_value,
    rescale,
    size_over,
)
from .tangential import fill_tangential_series, tangential_exit, tangential_rate
from .transitions import apply_event, drag_anchor


def advance(
    parameters: list[float],
    state: list[float],
    tangential_forcing: list[float],
    tangential_count: int,
    normal_forcing: list[float],
    normal_count: int,
    step_size: float,
    work: list[list[float]],
) -> int:
    """Advance `state` by `step_size` [s] > 0 in place; return OK or the code of what went wrong.

    The forcings are polynomials Σ f_j t^j [N] of the time since the step's start:
    f_t = −m A_t + P_t and f_n = −m (g + A_n) − preload − P_n. Where these overflow, so may a guard
    alone, whose contact then never ends: the state would not show it.
    """
    total = size_over(tangential_forcing, tangential_count, step_size)
    total += size_over(normal_forcing, normal_count, step_size)
    # The difference is zero unless a term is infinite or not a number.
    if total - total != 0.0:
        return OVERFLOW
    counts = work[ROW_COUNTS]
    time = 0.0
    events = 0
    pieces = 0
    while time < step_size:
        time, event = cross_piece(
            parameters,
            state,
            tangential_forcing,
            tangential_count,
            normal_forcing,
            normal_count,
            time,
            step_size,
            work,
        )
        if event != NO_EVENT:
            apply_event(parameters, state, event, int(counts[EVENT_ZEROS]), counts[EVENT_FORCING])
            events += 1
            if events > MAXIMUM_EVENTS:
                return TOO_MANY_EVENTS
        pieces += 1
        if pieces > MAXIMUM_PIECES:
            return TOO_MANY_PIECES
    if not time >= step_size:  # not a number
        return OVERFLOW
    return OK


def cross_piece(
    parameters: list[float],
    state: list[float],
    tangential_forcing: list[float],
    tangential_count: int,
    normal_forcing: list[float],
    normal_count: int,
    start: float,
    stop: float,
    work: list[list[float]],
) -> tuple[float, int]:
    """Advance `state` from `start` to the next event, but not past `stop` [s since the step began].

    Returns the time reached and the event, still to be applied. The work rows keep the piece's
    series, from which a trace is read.
    """
    remaining = stop - start
    length = remaining
    rate = max(normal_rate(parameters, state), tangential_rate(parameters, state))
    if rate * remaining > RATE_LIMIT:
        length = min(RATE_LIMIT / rate, 0.5 * remaining)

    counts = work[ROW_COUNTS]
    fits = False
    while not fits:
        rescale(tangential_forcing, tangential_count, start, length, work[ROW_TANGENTIAL_FORCING])
        rescale(normal_forcing, normal_count, start, length, work[ROW_NORMAL_FORCING])
        fill_normal_series(parameters, state, normal_count, length, work)
        if (
            state[SLIDING] != 0.0
            and parameters[TANGENTIAL_LAW] == PENALISED_FRICTION
            and parameters[TANGENTIAL_DAMPING] == 0.0
            and work[ROW_FORCE][0] >= 0.0
            and not drag_anchor(parameters, state, work[ROW_FORCE][0])
        ):
            counts[PIECE_LENGTH] = length
            counts[PIECE_END] = 0.0
            counts[EVENT_ZEROS] = 0.0
            return start, ARREST
        fits = fill_tangential_series(parameters, state, tangential_count, length, work)
        if not fits:
            # Safely within C_T/K_T, up to which the relaxing stretch has a series.
            length = 0.9 * parameters[TANGENTIAL_DAMPING] / parameters[TANGENTIAL_STIFFNESS]

    position, event = normal_exit(parameters, state, normal_count, work)
    tangential_position, tangential_event = tangential_exit(parameters, state, work)
    # At the same instant, to rounding, the normal event comes first.
    if tangential_position < position - (1.0 - END_OF_PIECE):
        position = tangential_position
        event = tangential_event
    end = min(max(position, 0.0), 1.0)
    counts[PIECE_LENGTH] = length
    counts[PIECE_END] = end
    if end > 0.0:
        _move(parameters, state, end, length, work)
    if event == NO_EVENT:
        if length == remaining:
            return stop, event
        return start + length, event
    counts[EVENT_ZEROS] = 1.0
    if event == CONE_PLUS or event == CONE_MINUS:
        counts[EVENT_ZEROS] = counts[COUNT_CONE_ZEROS]
    elif position < 0.0:
        counts[EVENT_ZEROS] = 0.0
    counts[EVENT_FORCING] = evaluate(work[ROW_NORMAL_FORCING], normal_count, end)
    return start + end * length, event


def _move(
    parameters: list[float],
    state: list[float],
    end: float,
    length: float,
    work: list[list[float]],
) -> None:
    """Carry the state to `end` of the piece and add up wear, distance and peak force."""
    counts = work[ROW_COUNTS]
    sliding = state[SLIDING]
    law = parameters[NORMAL_LAW]
    penalised = parameters[TANGENTIAL_LAW] == PENALISED_FRICTION
    depth = 0.0
    if law == PENALTY and parameters[CONTACT_DAMPING] > 0.0:
        depth = _slack_depth(parameters, state)
    if state[CONTACT] != 0.0:
        if (law == PENALTY and parameters[CONTACT_DAMPING] > 0.0) or (
            penalised and parameters[TANGENTIAL_DAMPING] > 0.0
        ):
            state[DAMPING_WORK] += _damper_heat(parameters, sliding, end, length, work)
        force = work[ROW_FORCE]
        force_count = int(counts[COUNT_FORCE])
        if sliding != 0.0:
            slip = work[ROW_SLIP]
            slip_count = int(counts[COUNT_SLIP])
            wear = integrate_product(force, force_count, slip, slip_count, end)
            wear = max(0.0, sliding * wear * length)
            state[WEAR_WORK] += wear
            state[FRICTION_WORK] += parameters[FRICTION_DYNAMIC] * wear
            travelled = evaluate_increment(work[ROW_DISPLACEMENT], int(counts[COUNT_MOTION]), end)
            travelled -= evaluate_increment(work[ROW_STRETCH], int(counts[COUNT_STRETCH]), end)
            state[SLIDING_DISTANCE] += max(0.0, sliding * travelled)
        if sliding != state[LAST_SLIDING]:
            state[LAST_SLIDING] = sliding
            if sliding != 0.0:
                state[SLIP_COUNT] += 1.0
        highest = 0.0
        for j in range(force_count):
            if force[j] > 0.0:
                highest += force[j]
        if highest > state[PEAK_FORCE]:
            state[PEAK_FORCE] = max(
                state[PEAK_FORCE],
                largest_value(force, force_count, end, work[ROW_GUARD], work[ROW_SCRATCH]),
            )
    else:
        state[LAST_SLIDING] = 0.0

    if state[CONTACT] == 0.0 or sliding != 0.0 or penalised:
        count = int(counts[COUNT_MOTION])
        travelled = evaluate_increment(work[ROW_DISPLACEMENT], count, end)
        state[DISPLACEMENT] += travelled
        state[VELOCITY] = evaluate(work[ROW_VELOCITY], count, end)
        if penalised and state[CONTACT] != 0.0:
            if sliding != 0.0:
                state[STRETCH] = evaluate(work[ROW_STRETCH], int(counts[COUNT_STRETCH]), end)
            else:
                state[STRETCH] += travelled
    if law != PRESCRIBED and not (law == RIGID_CONTACT and state[CONTACT] != 0.0):
        count = int(counts[COUNT_NORMAL])
        state[NORMAL_DISPLACEMENT] += evaluate_increment(work[ROW_NORMAL_DISPLACEMENT], count, end)
        state[NORMAL_VELOCITY] = evaluate(work[ROW_NORMAL_VELOCITY], count, end)
    if depth > 0.0:
        left = _slack_depth(parameters, state)
        released = 0.5 * parameters[CONTACT_STIFFNESS] * (depth - left) * (depth + left)
        state[DAMPING_WORK] += max(0.0, released)

    state[ZEROS_GAP] = 0.0
    state[ZEROS_FORCE] = 0.0
    state[ZEROS_SLIP] = 0.0
    state[ZEROS_CONE_PLUS] = 0.0
    state[ZEROS_CONE_MINUS] = 0.0


def _damper_heat(
    parameters: list[float],
    sliding: float,
    end: float,
    length: float,
    work: list[list[float]],
) -> float:
    """∫ C_N ẇ² dt + ∫ C_T ė² dt [J] of a piece in contact; ė = u̇ in stick."""
    counts = work[ROW_COUNTS]
    heat = 0.0
    damping = parameters[CONTACT_DAMPING]
    if parameters[NORMAL_LAW] == PENALTY and damping > 0.0:
        count = int(counts[COUNT_NORMAL])
        heat += damping * length * integrate_square(work[ROW_NORMAL_VELOCITY], count, end)
    damping = parameters[TANGENTIAL_DAMPING]
    if parameters[TANGENTIAL_LAW] == PENALISED_FRICTION and damping > 0.0:
        if sliding == 0.0:
            count = int(counts[COUNT_MOTION])
            heat += damping * length * integrate_square(work[ROW_VELOCITY], count, end)
        else:
            stretches = work[ROW_STRETCH]
            rates = work[ROW_SCRATCH]
            count = int(counts[COUNT_STRETCH])
            for j in range(1, count):
                rates[j - 1] = j * stretches[j]
            heat += damping / length * integrate_square(rates, count - 1, end)
    return heat


def _slack_depth(parameters: list[float], state: list[float]) -> float:
    """How deep [m] a mass that the contact's damper let go is inside the obstacle; else 0.

    The spring that nothing loads relaxes in the damper as the mass leaves.
    """
    if state[CONTACT] != 0.0:
        return 0.0
    place = state[NORMAL_DISPLACEMENT]
    return max(0.0, -gap_to(parameters, nearest_plane(parameters, place), place))
