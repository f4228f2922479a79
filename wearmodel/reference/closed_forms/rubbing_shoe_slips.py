"""The slips of a mass that rubs on a support with harmonic motion, without dimensions.

A slip lasts until the velocity of the mass is again the support's. Each half period of the base
motion contains the start of exactly one slip. `arcs` contains the equations and units.

Does not model: dimensions, times, windows (see `rubbing_shoe`).
Source: SDND104 (V5.01.104), section 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from .arcs import (
    SETTLED,
    next_reversal,
    reversal_distance,
    slip_acceleration,
    slip_distance,
    slip_span,
    slip_speed,
)


@dataclass(frozen=True)
class Slip:
    """One slip, mirrored into the first half period of the base motion.

    It starts at the phase α = π/2 + `lag`, with `sine` and `cosine` of α, and `excess` = sin α − η.
    `lag` is stored, because near η = 1 α is close to π/2. `span` is the phase from start to end
    [rad], and `distance` the distance slipped [a0/ω²].
    """

    lag: float
    sine: float
    cosine: float
    excess: float
    span: float
    distance: float

    @property
    def start_phase(self) -> float:
        """Phase α [rad] at which the slip starts, 0 < α < π."""
        return math.atan2(self.sine, self.cosine)

    @property
    def end_cosine(self) -> float:
        """cos(α + span): the support's velocity at the end is −(a0/ω) times it."""
        return self.cosine * math.cos(self.span) - self.sine * math.sin(self.span)

    def speed(self, offset: float) -> float:
        """Slip speed [a0/ω] at the phase `offset` [rad] after the start, 0 from the end on."""
        if offset >= self.span:
            return 0.0
        return slip_speed(self.sine, self.cosine, self.excess, offset)

    def distance_over(self, offset: float, span: float) -> float:
        """Distance [a0/ω²] slipped from `offset` over `span` [rad], cut at the end of the slip."""
        if offset >= self.span:
            return 0.0
        return slip_distance(
            self.sine * math.cos(offset) + self.cosine * math.sin(offset),
            self.cosine * math.cos(offset) - self.sine * math.sin(offset),
            slip_acceleration(self.sine, self.cosine, self.excess, offset),
            self.speed(offset),
            min(span, self.span - offset),
        )


def onset_slip(eta: float, deficit: float) -> Slip:
    """Return the slip that starts out of stick, where the support's acceleration reaches η a0.

    0 < η < 1. `deficit` is 1 − η without cancellation.
    """
    cosine = math.sqrt(deficit * (1.0 + eta))
    span = slip_span(eta, cosine, 0.0)
    distance = slip_distance(eta, cosine, 0.0, 0.0, span)
    return Slip(-math.atan2(cosine, eta), eta, cosine, 0.0, span, distance)


def steady_reversal_slip(eta: float) -> Slip:
    """Return the slip to which the reversals of slip-slip tend: cos α = π η/2, span π.

    SDND104 (V5.01.104), section 2: θ = arccos(π η/2)/ω. The distance is √(4 − π² η²) a0/ω².
    """
    cosine = 0.5 * math.pi * eta
    sine = math.sqrt((1.0 - cosine) * (1.0 + cosine))
    return Slip(-math.asin(cosine), sine, cosine, sine - eta, math.pi, 2.0 * sine)


def reversing_slips(first: Slip, eta: float, count: int) -> list[Slip]:
    """Return the first `count` slips of slip-slip (η ≤ η*), each beginning at the last one's end.

    The `first` slip is `onset_slip`. There are fewer slips if they converge: then the last one is
    `steady_reversal_slip`, which repeats.
    """
    slips = [first]
    while len(slips) < count:
        lag = slips[-1].lag + (slips[-1].span - math.pi)
        # Successive reversals lie on either side of the limit: the difference bounds the distance.
        if abs(lag - slips[-1].lag) <= SETTLED:
            slips.append(steady_reversal_slip(eta))
            break
        slips.append(_reversing_slip(lag, eta))
    return slips


def _reversing_slip(lag: float, eta: float) -> Slip:
    sine, cosine = math.sin(lag), math.cos(lag)
    next_lag, next_sine, next_cosine = next_reversal(lag, sine, eta)
    distance = reversal_distance(lag, sine, cosine, next_lag, next_sine, next_cosine)
    return Slip(lag, cosine, -sine, cosine - eta, math.pi + (next_lag - lag), distance)
