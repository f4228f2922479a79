"""Distance slipped by the rubbing shoe over a window, for many cases: plain functions of floats.

The recursion of the closed forms from slip to slip, without their lists and rational arithmetic, so
that a compiler can take it. What the closed forms take from rational arithmetic comes here from
products whose rounding error is kept.

Source: SDND104 (V5.01.104), section 2. Equations: `closed_forms.rubbing_shoe_arcs`.
"""

from __future__ import annotations

import math

from .closed_forms.rubbing_shoe_arcs import (
    ETA_STAR,
    SETTLED,
    next_reversal,
    reversal_distance,
    slip_acceleration,
    slip_distance,
    slip_span,
    slip_speed,
)

# π/2 in three parts: the first two have 33 significant bits, so that their products with a number
# of quarter turns below 2²⁰ are exact.
_QUARTER_HIGH = float.fromhex("0x1.921fb544p+0")
_QUARTER_MIDDLE = float.fromhex("0x1.0b4611a6p-34")
_QUARTER_LOW = float.fromhex("0x1.3198a2e037073p-69")
# 2²⁷ + 1 splits a double into two halves of 26 bits.
_SPLITTER = 134217729.0


def wear_powers(
    first: int,
    last: int,
    masses: list[float],
    gravities: list[float],
    friction_coefficients: list[float],
    amplitudes: list[float],
    angular_frequencies: list[float],
    starts: list[float],
    stops: list[float],
    powers: list[float],
) -> None:
    """Write the mean wear powers [W] of the cases `first` to `last` − 1."""
    for case in range(first, last):
        amplitude = amplitudes[case]
        frequency = angular_frequencies[case]
        gravity = gravities[case]
        limit, error = exact_product(friction_coefficients[case], gravity)
        deficit = ((amplitude - limit) - error) / amplitude
        distance = 0.0
        if deficit > 0.0:
            distance = slipped_distance(
                limit / amplitude,
                deficit,
                quarter_phase(frequency, starts[case]),
                quarter_phase(frequency, stops[case]),
            )
        length = stops[case] - starts[case]
        scale = masses[case] * gravity * (amplitude / frequency) / frequency
        powers[case] = scale * distance / length


def exact_product(first: float, second: float) -> tuple[float, float]:
    """Product, rounded, and its rounding error (Dekker, Numer. Math. 18 (1971))."""
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
    """Whole n and r [rad] of ωt = n π/2 + r with |r| ≤ π/4, for n < 2²⁰."""
    phase, error = exact_product(angular_frequency, time)
    quarters = math.floor(phase / _QUARTER_HIGH + 0.5)
    rest = (phase - quarters * _QUARTER_HIGH) - quarters * _QUARTER_MIDDLE
    return float(quarters), rest + (error - quarters * _QUARTER_LOW)


def slipped_distance(
    eta: float, deficit: float, start: tuple[float, float], stop: tuple[float, float]
) -> float:
    """∫ |slip velocity| dt [a0/ω²] between two phases of `quarter_phase`; `deficit` = 1 − η > 0."""
    # sin and cos of the lag of a slip; α = π/2 + lag is the phase at which it starts.
    sine = -math.sqrt(deficit * (1.0 + eta))
    cosine = eta
    excess = 0.0
    lag = math.atan2(sine, cosine)
    if eta > ETA_STAR:
        span = slip_span(cosine, -sine, excess)
        distance = slip_distance(cosine, -sine, excess, 0.0, span)
        return _repeated_distance(0.0, (lag, sine, cosine, excess, span, distance), start, stop)

    total = 0.0
    index = 0.0
    while True:
        stop_offset = _offset(index, lag, stop)
        if stop_offset <= 0.0:
            return total
        start_offset = _offset(index, lag, start)
        next_lag, next_sine, next_cosine = next_reversal(lag, sine, eta)
        span = math.pi + (next_lag - lag)
        if start_offset <= 0.0 and stop_offset >= span:
            total += reversal_distance(lag, sine, cosine, next_lag, next_sine, next_cosine)
        else:
            total += _part(sine, cosine, excess, span, start_offset, stop_offset)
        index += 1.0
        # Successive reversals lie on either side of the limit: the difference bounds the distance.
        if abs(next_lag - lag) <= SETTLED:
            break
        lag = next_lag
        sine = next_sine
        cosine = next_cosine
        excess = cosine - eta
    # Steady: cos α = π η/2, each slip lasts half a period.
    sine = -0.5 * math.pi * eta
    cosine = math.sqrt((1.0 + sine) * (1.0 - sine))
    slip = (math.asin(sine), sine, cosine, cosine - eta, math.pi, 2.0 * cosine)
    return total + _repeated_distance(index, slip, start, stop)


def _repeated_distance(
    first: float,
    slip: tuple[float, float, float, float, float, float],
    start: tuple[float, float],
    stop: tuple[float, float],
) -> float:
    """Distance over the window where all slips from number `first` on are the same."""
    lag, sine, cosine, excess, span, distance = slip
    stop_index, stop_offset = _place(lag, stop)
    if stop_index < first:
        return 0.0
    start_index, start_offset = _place(lag, start)
    if start_index < first:
        start_index = first
        start_offset = 0.0
    if start_index == stop_index:
        return _part(sine, cosine, excess, span, start_offset, stop_offset)
    return (
        _part(sine, cosine, excess, span, start_offset, span)
        + (stop_index - start_index - 1.0) * distance
        + _part(sine, cosine, excess, span, 0.0, stop_offset)
    )


def _place(lag: float, phase: tuple[float, float]) -> tuple[float, float]:
    """Number of the slip that started last, where all have this lag, and the phase since then."""
    index = float(math.floor(0.5 * phase[0]))
    offset = _offset(index, lag, phase)
    while offset < 0.0:
        index -= 1.0
        offset = _offset(index, lag, phase)
    return index, offset


def _offset(index: float, lag: float, phase: tuple[float, float]) -> float:
    """Phase [rad] since slip number `index` with this lag started."""
    return (phase[0] - (2.0 * index + 1.0)) * (0.5 * math.pi) + phase[1] - lag


def _part(
    sine: float, cosine: float, excess: float, span: float, first: float, last: float
) -> float:
    """Distance slipped between two offsets, cut at both ends of the slip."""
    first = max(first, 0.0)
    last = min(last, span)
    if first >= last:
        return 0.0
    turned_sine = math.sin(first)
    turned_cosine = math.cos(first)
    return slip_distance(
        cosine * turned_cosine - sine * turned_sine,
        -sine * turned_cosine - cosine * turned_sine,
        slip_acceleration(cosine, -sine, excess, first),
        slip_speed(cosine, -sine, excess, first),
        last - first,
    )
