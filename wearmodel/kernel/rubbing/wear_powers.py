"""Wear powers of many rubbing shoes over a window: plain functions, interpreted or compiled.

The recursion of the closed forms from slip to slip, without their lists and rational arithmetic.
What the closed forms take from rational arithmetic comes here from products whose rounding error is
kept. Cases that turn round without stick are taken side by side, in lanes: each loop over lanes is
straight arithmetic that a compiler puts into vector registers. Phases ωt = n π/2 + r are pairs
(n, r), reduced as rational arithmetic would for up to LARGEST_QUARTERS quarter turns; slips are
counted from 0, one in each half period.

Source: SDND104 (V5.01.104), section 2. Equations: `arcs`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import asin, atan2, cos, floor, pi, sin, sqrt

from ..records import bundle
from .arcs import (
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
_QUARTER_HIGH = 1.5707963267341256  # 0x1.921fb544p+0
_QUARTER_MIDDLE = 6.077100506303966e-11  # 0x1.0b4611a6p-34
_QUARTER_LOW = 2.0222662487959506e-21  # 0x1.3198a2e037073p-69
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


@bundle
@dataclass
class Cases:
    """Parameters of the cases, an entry a case."""

    masses: list[float]
    gravities: list[float]
    friction_coefficients: list[float]
    amplitudes: list[float]
    angular_frequencies: list[float]


def wear_powers(
    order: list[int],
    cases: Cases,
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
    etas = lanes[ETA]
    start_quarters = lanes[START_QUARTERS]
    start_rests = lanes[START_REST]
    stop_quarters = lanes[STOP_QUARTERS]
    stop_rests = lanes[STOP_REST]
    distances = lanes[DISTANCE]
    masses = cases.masses
    gravities = cases.gravities
    friction_coefficients = cases.friction_coefficients
    amplitudes = cases.amplitudes
    angular_frequencies = cases.angular_frequencies
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
                etas[count] = eta
                start_quarters[count] = start_phase[0]
                start_rests[count] = start_phase[1]
                stop_quarters[count] = stop_phase[0]
                stop_rests[count] = stop_phase[1]
                numbers[count] = case
                count += 1
        if count == len(numbers) or (index == len(order) - 1 and count > 0):
            slip_slip_distances(count, lanes)
            for lane in range(count):
                powers[numbers[lane]] *= distances[lane]
            count = 0


def stick_slip_distance(
    eta: float, deficit: float, start: tuple[float, float], stop: tuple[float, float]
) -> float:
    """∫ |slip velocity| dt [a0/ω²] between two phases of `quarter_phase`; η > η*, `deficit` 1 − η.

    All slips are the same: one root serves any window.
    """
    cosine = sqrt(deficit * (1.0 + eta))
    span = slip_span(eta, cosine, 0.0)
    distance = slip_distance(eta, cosine, 0.0, 0.0, span)
    slip = (-atan2(cosine, eta), eta, cosine, 0.0, span, distance)
    return repeated_distance(0.0, slip, start, stop)


def slip_slip_distances(count: int, lanes: list[list[float]]) -> None:
    """Fill DISTANCE, ∫ |slip velocity| dt [a0/ω²] over the window, of the first `count` lanes."""
    etas = lanes[ETA]
    lags = lanes[LAG]
    sines = lanes[SINE]
    cosines = lanes[COSINE]
    distances = lanes[DISTANCE]
    start_quarters = lanes[START_QUARTERS]
    stop_quarters = lanes[STOP_QUARTERS]
    earliest_start = start_quarters[0]
    latest_start = earliest_start
    earliest_stop = stop_quarters[0]
    latest_stop = earliest_stop
    for lane in range(count):
        eta = etas[lane]
        sines[lane] = -sqrt((1.0 - eta) * (1.0 + eta))
        cosines[lane] = eta
        lags[lane] = atan2(sines[lane], eta)
        distances[lane] = 0.0
        earliest_start = min(earliest_start, start_quarters[lane])
        latest_start = max(latest_start, start_quarters[lane])
        earliest_stop = min(earliest_stop, stop_quarters[lane])
        latest_stop = max(latest_stop, stop_quarters[lane])

    # Slip number `index` lies between 2·index and 2·index + 4 quarter turns; a phase within one
    # half of its number of quarter turns. The rows of a slip's start and of its end change places.
    index = 0
    while 2.0 * index < latest_stop + 1.0:
        here = LAG + (NEXT_LAG - LAG) * (index % 2)
        there = LAG + NEXT_LAG - here
        if index > 0 and _have_settled(count, here, there, lanes):
            for lane in range(count):
                distances[lane] += _steady_distance(float(index), lane, lanes)
            return
        _turn_round(count, here, there, lanes)
        if 2.0 * index >= latest_start + 1.0 and 2.0 * index + 4.0 <= earliest_stop - 1.0:
            _add_whole_slips(count, here, there, lanes)
        elif 2.0 * index + 4.0 > earliest_start - 1.0:
            for lane in range(count):
                distances[lane] += _cut_distance(float(index), lane, here, there, lanes)
        index += 1


def _add_whole_slips(count: int, here: int, there: int, lanes: list[list[float]]) -> None:
    """Add to each lane the slip from the lags in the rows from `here` to those from `there`."""
    distances = lanes[DISTANCE]
    lags = lanes[here]
    sines = lanes[here + 1]
    cosines = lanes[here + 2]
    next_lags = lanes[there]
    next_sines = lanes[there + 1]
    next_cosines = lanes[there + 2]
    for lane in range(count):
        distances[lane] += reversal_distance(
            lags[lane],
            sines[lane],
            cosines[lane],
            next_lags[lane],
            next_sines[lane],
            next_cosines[lane],
        )


def _turn_round(count: int, here: int, there: int, lanes: list[list[float]]) -> None:
    """`arcs.next_reversal` in all lanes at once, from the rows `here` into those from `there`."""
    etas = lanes[ETA]
    wanted = lanes[WANTED]
    lags = lanes[here]
    sines = lanes[here + 1]
    next_lags = lanes[there]
    next_sines = lanes[there + 1]
    next_cosines = lanes[there + 2]
    for lane in range(count):
        right, guess = reversal_guess(lags[lane], sines[lane], etas[lane])
        wanted[lane] = right
        next_lags[lane] = guess
    for _ in range(MAXIMUM_TURNS):
        pending = 0
        for lane in range(count):
            lag, sine, cosine, remainder = reversal_turn(next_lags[lane], wanted[lane], etas[lane])
            next_lags[lane] = lag
            next_sines[lane] = sine
            next_cosines[lane] = cosine
            if remainder > LAST_STEP:
                pending += 1
        if pending == 0:
            return


def _have_settled(count: int, here: int, there: int, lanes: list[list[float]]) -> bool:
    """Whether every lane turns round where it did before.

    Successive reversals lie on either side of their limit: their difference bounds the distance.
    """
    lags = lanes[here]
    last_lags = lanes[there]
    lane = 0
    while lane < count and abs(lags[lane] - last_lags[lane]) <= SETTLED:
        lane += 1
    return lane == count


def _cut_distance(
    index: float, lane: int, here: int, there: int, lanes: list[list[float]]
) -> float:
    """Distance in slip number `index` of a lane, as far as it lies within the window.

    ∫ u from offset a to b = (b − a)(cos α − η (a + b)/2) − sin(α + b) + sin(α + a)
    """
    lag = lanes[here][lane]
    sine = lanes[here + 1][lane]
    span = pi + (lanes[there][lane] - lag)
    start = offset_in(index, lag, lanes[START_QUARTERS][lane], lanes[START_REST][lane])
    stop = offset_in(index, lag, lanes[STOP_QUARTERS][lane], lanes[STOP_REST][lane])
    start = max(start, 0.0)
    stop = min(stop, span)
    if start >= stop:
        return 0.0
    mean_speed = -sine - 0.5 * lanes[ETA][lane] * (start + stop)
    return (stop - start) * mean_speed - cos(lag + stop) + cos(lag + start)


def _steady_distance(first: float, lane: int, lanes: list[list[float]]) -> float:
    """Distance of a lane from slip number `first` on, all steady: cos α = π η/2, span π."""
    eta = lanes[ETA][lane]
    cosine = 0.5 * pi * eta
    sine = sqrt((1.0 - cosine) * (1.0 + cosine))
    slip = (-asin(cosine), sine, cosine, sine - eta, pi, 2.0 * sine)
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
    index = float(floor(0.5 * phase[0]))
    offset = offset_in(index, lag, phase[0], phase[1])
    while offset < 0.0:
        index -= 1.0
        offset = offset_in(index, lag, phase[0], phase[1])
    return index, offset


def offset_in(index: float, lag: float, quarters: float, rest: float) -> float:
    """Phase [rad] since slip number `index` with this lag started."""
    return (quarters - (2.0 * index + 1.0)) * (0.5 * pi) + rest - lag


def _part(
    slip: tuple[float, float, float, float, float, float], first: float, last: float
) -> float:
    """Distance slipped from offset `first` to `last`, cut at the end of the slip."""
    sine = slip[1]
    cosine = slip[2]
    excess = slip[3]
    span = slip[4]
    last = min(last, span)
    if first >= last:
        return 0.0
    if first == 0.0:
        return slip_distance(sine, cosine, excess, 0.0, last)
    turned_sine = sin(first)
    turned_cosine = cos(first)
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
    quarters = floor(phase / _QUARTER_HIGH + 0.5)
    rest = (phase - quarters * _QUARTER_HIGH) - quarters * _QUARTER_MIDDLE
    return float(quarters), rest + (error - quarters * _QUARTER_LOW)
