"""Distance slipped in a window by slips that are all the same, and where a phase lies among them.

Plain functions of floats, interpreted or compiled. Phases n π/2 + r are pairs (n, r) as
`harmonic_phase.quarter_phase` gives them; slips are counted from 0, one in each half period.
Equations: `closed_forms.rubbing_shoe_arcs`.
"""

from __future__ import annotations

import math

from .closed_forms.rubbing_shoe_arcs import slip_acceleration, slip_distance, slip_speed


def repeated_distance(
    first: float,
    slip: tuple[float, float, float, float, float, float],
    start: tuple[float, float],
    stop: tuple[float, float],
) -> float:
    """Distance over a window where all slips from number `first` on are the same.

    `slip` is its lag, sin α, cos α, excess, span and distance, as in `rubbing_shoe_slips.Slip`.
    """
    stop_index, stop_offset = _place(slip[0], stop)
    if stop_index < first:
        return 0.0
    start_index, start_offset = _place(slip[0], start)
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


def _place(lag: float, phase: tuple[float, float]) -> tuple[float, float]:
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
