"""Wear powers of many rubbing shoes over a window: plain functions, interpreted or compiled.

The recursion of the closed forms from slip to slip, without their lists and rational arithmetic.
What the closed forms take from rational arithmetic comes here from products whose rounding error is
kept. Cases that turn round without stick are taken side by side, in lanes: each loop over lanes is
straight arithmetic that a compiler puts into vector registers. Phases ωt = n π/2 + r are pairs
(n, r), reduced as rational arithmetic would for up to LARGEST_QUARTERS quarter turns; slips are
counted from 0, one in each half period.

Source: SDND104 (V5.01.104), section 2. Equations: `closed_forms.rubbing_shoe_arcs`.
"""

from __future__ import annotations

import math

from ..reference.closed_forms.rubbing_shoe_arcs import (
    ETA_STAR,
    LAST_STEP,
    MAXIMUM_TURNS,
    SETTLED,
    reversal_distance,
    reversal_guess,
    reversal_turn,
    slip_acceleration,
    slip_distance,
    slip_span,
    slip_speed,
)

LARGEST_QUARTERS = 2**20
"""Number of quarter turns up to which phases are reduced to rounding."""

# π/2 in three parts: the first two have 32 significant bits, so that their products with a number
# of quarter turns up to LARGEST_QUARTERS are exact.
_QUARTER_HIGH = float.fromhex("0x1.921fb544p+0")
_QUARTER_MIDDLE = float.fromhex("0x1.0b4611a6p-34")
_QUARTER_LOW = float.fromhex("0x1.3198a2e037073p-69")
# 2²⁷ + 1 splits a double into two halves of 26 bits.
_SPLITTER = 134217729.0

# Rows of the lanes.
ETA = 0
START_QUARTERS = 1  # phase of the window's start, n π/2 + r
START_REST = 2
STOP_QUARTERS = 3
STOP_REST = 4
LAG = 5  # of the present slip's start behind the peak of the support's acceleration
SINE = 6  # of that lag
COSINE = 7
NEXT_LAG = 8  # of its end
NEXT_SINE = 9
NEXT_COSINE = 10
WANTED = 11  # right-hand side of the reversal's equation
DISTANCE = 12  # slipped within the window, a0/ω²
ROW_COUNT = 13


def wear_powers(
    order: list[int],
    masses: list[float],
    gravities: list[float],
    friction_coefficients: list[float],
    amplitudes: list[float],
    angular_frequencies: list[float],
    start: float,
    stop: float,
    powers: list[float],
    numbers: list[int],
    lanes: list[list[float]],
) -> None:
    """Write the mean wear powers [W] over a window [s] of all cases.

    `order` holds the cases' numbers; those that follow each other in it should have similar angular
    frequencies, because they share lanes. `numbers` and `lanes` are work space, one entry a lane.
    """
    count = 0
    for index in range(len(order)):
        case = order[index]
        amplitude = amplitudes[case]
        frequency = angular_frequencies[case]
        gravity = gravities[case]
        limit, error = exact_product(friction_coefficients[case], gravity)
        eta = limit / amplitude
        deficit = ((amplitude - limit) - error) / amplitude
        powers[case] = 0.0
        if deficit > 0.0:
            force = masses[case] * gravity
            powers[case] = force * (amplitude / frequency) / (frequency * (stop - start))
            start_phase = quarter_phase(frequency, start)
            stop_phase = quarter_phase(frequency, stop)
            if eta > ETA_STAR:
                powers[case] *= stick_slip_distance(eta, deficit, start_phase, stop_phase)
            else:
                lanes[ETA][count] = eta
                lanes[START_QUARTERS][count], lanes[START_REST][count] = start_phase
                lanes[STOP_QUARTERS][count], lanes[STOP_REST][count] = stop_phase
                numbers[count] = case
                count += 1
        if count == len(numbers) or (index == len(order) - 1 and count > 0):
            slip_slip_distances(count, lanes)
            for lane in range(count):
                powers[numbers[lane]] *= lanes[DISTANCE][lane]
            count = 0


def stick_slip_distance(
    eta: float, deficit: float, start: tuple[float, float], stop: tuple[float, float]
) -> float:
    """∫ |slip velocity| dt [a0/ω²] between two phases of `quarter_phase`; η > η*, `deficit` 1 − η.

    All slips are the same: one root serves any window.
    """
    cosine = math.sqrt(deficit * (1.0 + eta))
    span = slip_span(eta, cosine, 0.0)
    distance = slip_distance(eta, cosine, 0.0, 0.0, span)
    slip = (-math.atan2(cosine, eta), eta, cosine, 0.0, span, distance)
    return repeated_distance(0.0, slip, start, stop)


def slip_slip_distances(count: int, lanes: list[list[float]]) -> None:
    """Fill DISTANCE, ∫ |slip velocity| dt [a0/ω²] over the window, of the first `count` lanes."""
    etas = lanes[ETA]
    lags = lanes[LAG]
    sines = lanes[SINE]
    cosines = lanes[COSINE]
    next_lags = lanes[NEXT_LAG]
    next_sines = lanes[NEXT_SINE]
    next_cosines = lanes[NEXT_COSINE]
    wanted = lanes[WANTED]
    distances = lanes[DISTANCE]
    earliest_start = math.inf
    latest_start = 0.0
    earliest_stop = math.inf
    latest_stop = 0.0
    for lane in range(count):
        eta = etas[lane]
        sines[lane] = -math.sqrt((1.0 - eta) * (1.0 + eta))
        cosines[lane] = eta
        lags[lane] = math.atan2(sines[lane], eta)
        distances[lane] = 0.0
        earliest_start = min(earliest_start, lanes[START_QUARTERS][lane])
        latest_start = max(latest_start, lanes[START_QUARTERS][lane])
        earliest_stop = min(earliest_stop, lanes[STOP_QUARTERS][lane])
        latest_stop = max(latest_stop, lanes[STOP_QUARTERS][lane])

    # Slip number `index` lies between 2·index and 2·index + 4 quarter turns; a phase within one
    # half of its number of quarter turns.
    index = 0
    while 2.0 * index < latest_stop + 1.0:
        if _have_settled(count, index, lags, next_lags):
            for lane in range(count):
                distances[lane] += _steady_distance(float(index), lane, lanes)
            return
        _turn_round(count, lags, sines, etas, wanted, next_lags, next_sines, next_cosines)
        if 2.0 * index >= latest_start + 1.0 and 2.0 * index + 4.0 <= earliest_stop - 1.0:
            for lane in range(count):
                distances[lane] += reversal_distance(
                    lags[lane],
                    sines[lane],
                    cosines[lane],
                    next_lags[lane],
                    next_sines[lane],
                    next_cosines[lane],
                )
        elif 2.0 * index + 4.0 > earliest_start - 1.0:
            for lane in range(count):
                distances[lane] += _cut_distance(
                    float(index), lane, lags[lane], sines[lane], next_lags[lane], lanes
                )
        lags, next_lags = next_lags, lags
        sines, next_sines = next_sines, sines
        cosines, next_cosines = next_cosines, cosines
        index += 1


def _turn_round(
    count: int,
    lags: list[float],
    sines: list[float],
    etas: list[float],
    wanted: list[float],
    next_lags: list[float],
    next_sines: list[float],
    next_cosines: list[float],
) -> None:
    """`closed_forms.rubbing_shoe_arcs.next_reversal` in all lanes at once."""
    for lane in range(count):
        wanted[lane], next_lags[lane] = reversal_guess(lags[lane], sines[lane], etas[lane])
    for _ in range(MAXIMUM_TURNS):
        pending = 0
        for lane in range(count):
            next_lags[lane], next_sines[lane], next_cosines[lane], remainder = reversal_turn(
                next_lags[lane], wanted[lane], etas[lane]
            )
            if remainder > LAST_STEP:
                pending += 1
        if pending == 0:
            return


def _have_settled(count: int, index: int, lags: list[float], last_lags: list[float]) -> bool:
    """Whether every lane turns round where it did before.

    Successive reversals lie on either side of their limit: their difference bounds the distance.
    """
    if index == 0:
        return False
    lane = 0
    while lane < count and abs(lags[lane] - last_lags[lane]) <= SETTLED:
        lane += 1
    return lane == count


def _cut_distance(
    index: float, lane: int, lag: float, sine: float, next_lag: float, lanes: list[list[float]]
) -> float:
    """Distance in slip number `index` of a lane, as far as it lies within the window.

    ∫ u from offset a to b = (b − a)(cos α − η (a + b)/2) − sin(α + b) + sin(α + a)
    """
    span = math.pi + (next_lag - lag)
    start = offset_in(index, lag, lanes[START_QUARTERS][lane], lanes[START_REST][lane])
    stop = offset_in(index, lag, lanes[STOP_QUARTERS][lane], lanes[STOP_REST][lane])
    start = max(start, 0.0)
    stop = min(stop, span)
    if start >= stop:
        return 0.0
    mean_speed = -sine - 0.5 * lanes[ETA][lane] * (start + stop)
    return (stop - start) * mean_speed - math.cos(lag + stop) + math.cos(lag + start)


def _steady_distance(first: float, lane: int, lanes: list[list[float]]) -> float:
    """Distance of a lane from slip number `first` on, all steady: cos α = π η/2, span π."""
    eta = lanes[ETA][lane]
    cosine = 0.5 * math.pi * eta
    sine = math.sqrt((1.0 - cosine) * (1.0 + cosine))
    slip = (-math.asin(cosine), sine, cosine, sine - eta, math.pi, 2.0 * sine)
    start = (lanes[START_QUARTERS][lane], lanes[START_REST][lane])
    stop = (lanes[STOP_QUARTERS][lane], lanes[STOP_REST][lane])
    return repeated_distance(first, slip, start, stop)


def repeated_distance(
    first: float,
    slip: tuple[float, float, float, float, float, float],
    start: tuple[float, float],
    stop: tuple[float, float],
) -> float:
    """Distance over a window where all slips from number `first` on are the same.

    `slip` is its lag, sin α, cos α, excess, span and distance, as in `rubbing_shoe_slips.Slip`.
    """
    stop_index, stop_offset = _last_slip(slip[0], stop)
    if stop_index < first:
        return 0.0
    start_index, start_offset = _last_slip(slip[0], start)
    if start_index < first:
        start_index = first
        start_offset = 0.0
    if start_index == stop_index:
        return _part(slip, start_offset, stop_offset)
    return (
        _part(slip, start_offset, slip[4])
        + (stop_index - start_index - 1.0) * slip[5]
        + _part(slip, 0.0, stop_offset)
    )


def _last_slip(lag: float, phase: tuple[float, float]) -> tuple[float, float]:
    """Number of the slip that started last, where all have this lag, and the phase since then."""
    index = float(math.floor(0.5 * phase[0]))
    offset = offset_in(index, lag, phase[0], phase[1])
    while offset < 0.0:
        index -= 1.0
        offset = offset_in(index, lag, phase[0], phase[1])
    return index, offset


def offset_in(index: float, lag: float, quarters: float, rest: float) -> float:
    """Phase [rad] since slip number `index` with this lag started."""
    return (quarters - (2.0 * index + 1.0)) * (0.5 * math.pi) + rest - lag


def _part(
    slip: tuple[float, float, float, float, float, float], first: float, last: float
) -> float:
    """Distance slipped from offset `first` to `last`, cut at the end of the slip."""
    _, sine, cosine, excess, span, _ = slip
    last = min(last, span)
    if first >= last:
        return 0.0
    if first == 0.0:
        return slip_distance(sine, cosine, excess, 0.0, last)
    turned_sine = math.sin(first)
    turned_cosine = math.cos(first)
    return slip_distance(
        sine * turned_cosine + cosine * turned_sine,
        cosine * turned_cosine - sine * turned_sine,
        slip_acceleration(sine, cosine, excess, first),
        slip_speed(sine, cosine, excess, first),
        last - first,
    )


def exact_product(first: float, second: float) -> tuple[float, float]:
    """Product, rounded, and its rounding error (Dekker, Numer. Math. 18 (1971)).

    Of arrays, uncompiled, entry by entry.
    """
    product = first * second
    scaled = _SPLITTER * first
    first_high = scaled - (scaled - first)
    first_low = first - first_high
    scaled = _SPLITTER * second
    second_high = scaled - (scaled - second)
    second_low = second - second_high
    error = first_high * second_high - product
    error += first_high * second_low + first_low * second_high
    return product, error + first_low * second_low


def quarter_phase(angular_frequency: float, time: float) -> tuple[float, float]:
    """Whole n and r [rad] of ωt = n π/2 + r with |r| ≤ π/4, for n ≤ LARGEST_QUARTERS."""
    phase, error = exact_product(angular_frequency, time)
    quarters = math.floor(phase / _QUARTER_HIGH + 0.5)
    rest = (phase - quarters * _QUARTER_HIGH) - quarters * _QUARTER_MIDDLE
    return float(quarters), rest + (error - quarters * _QUARTER_LOW)
