"""The slips of a mass that rubs on a harmonically shaken support, without dimensions.

Models what happens between the instant at which the mass starts to slip and the instant at which
its velocity is the support's again, and how one slip hands over to the next. Phases are ωt,
velocities are counted in a0/ω, distances in a0/ω². Each half period of the shaking holds the
start of exactly one slip; mirrored into the first half period, a slip that starts at phase α has

    speed         u(s) = cos α − cos(α + s) − η s          s: phase since its start, u(0) = 0
    acceleration  u′(s) = sin(α + s) − η
    distance      ∫₀ˢ u

and ends at the first s > 0 with u(s) = 0. Everything is written with sin α, cos α and the excess
sin α − η, so that nothing cancels where the slip is short (η near 1): differences of sines and
cosines become remainders of their Taylor series.

Does not model: dimensions, times, windows (see `rubbing_shoe`).
Source: SDND104 (V5.01.104), section 2; the symmetric form of the equations is ours.

The functions from `sine_remainder` to `slip_span` are plain functions of floats, so that a
compiler can take them as they are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

# Above this angle the remainders are of the size of their terms and are taken as they stand.
_SERIES_LIMIT = 2.0
# 2²⁶/26! = 2e-19: with it the series is complete to rounding up to _SERIES_LIMIT.
_SERIES_TERMS = 12
_EPSILON = 2.0**-52
# The reversal phases scatter by rounding about their limit; closer than this they have arrived.
_SETTLED = 1e-14


def _alternating_tail(first_term: float, order: int, angle: float) -> float:
    """Σ (−1)ᵏ angle^(order + 2k)/(order + 2k)! from its first term, angle^order/order!."""
    term = total = first_term
    for _ in range(_SERIES_TERMS):
        order += 2
        term *= -angle * angle / ((order - 1) * order)
        total += term
    return total


def sine_remainder(angle: float) -> float:
    """Return x − sin x [rad], accurate relative to itself however small x is."""
    if abs(angle) > _SERIES_LIMIT:
        return angle - math.sin(angle)
    return _alternating_tail(angle * angle * angle / 6.0, 3, angle)


def cosine_remainder(angle: float) -> float:
    """Return x²/2 − 1 + cos x [1], accurate relative to itself however small x is."""
    square = angle * angle
    if abs(angle) > _SERIES_LIMIT:
        return 0.5 * square - 1.0 + math.cos(angle)
    return _alternating_tail(square * square / 24.0, 4, angle)


def slip_speed(sine: float, cosine: float, excess: float, span: float) -> float:
    """Return u(s) = (sin α − η) s + cos α (1 − cos s) − sin α (s − sin s), in a0/ω.

    Parameters
    ----------
    sine, cosine : float
        sin α and cos α of the phase at which the slip starts.
    excess : float
        sin α − η ≥ 0: the support's acceleration beyond the friction limit at the start, in a0.
    span : float
        Phase s since the start [rad].
    """
    half_sine = math.sin(0.5 * span)
    versine = 2.0 * half_sine * half_sine
    return excess * span + cosine * versine - sine * sine_remainder(span)


def slip_acceleration(sine: float, cosine: float, excess: float, span: float) -> float:
    """Return u′(s) = (sin α − η) + cos α sin s − sin α (1 − cos s), in a0; see `slip_speed`."""
    half_sine = math.sin(0.5 * span)
    return excess + cosine * math.sin(span) - 2.0 * sine * half_sine * half_sine


def slip_distance(sine: float, cosine: float, excess: float, speed: float, span: float) -> float:
    """Return the distance slipped over a phase span that starts at any point of a slip, in a0/ω².

    u₀ s + (sin α − η) s²/2 + cos α (s − sin s) − sin α (s²/2 − 1 + cos s), where α is now the
    phase at the start of the span and u₀ = `speed` [a0/ω] the speed there. The other parameters
    are those of `slip_speed`.
    """
    return (
        speed * span
        + 0.5 * excess * span * span
        + cosine * sine_remainder(span)
        - sine * cosine_remainder(span)
    )


def slip_span(sine: float, cosine: float, excess: float) -> float:
    """Return the phase span [rad] after which the slip's speed is zero again.

    Newton's method on u(s) = 0 from the phase 3π/2, where −u rises fastest. Below it −u is convex,
    above it concave, and it rises from its minimum at π − arcsin η to beyond 2π, so that the
    iterates run monotonically to the only root there. They are stopped when rounding turns them
    back. The parameters are those of `slip_speed`.
    """
    span = 1.5 * math.pi - math.atan2(sine, cosine)
    first_step = slip_speed(sine, cosine, excess, span) / slip_acceleration(
        sine, cosine, excess, span
    )
    step = first_step
    while step * first_step > 0.0 and abs(step) > _EPSILON * span:
        span -= step
        step = slip_speed(sine, cosine, excess, span) / slip_acceleration(
            sine, cosine, excess, span
        )
    return span


@dataclass(frozen=True)
class Slip:
    """One slip, mirrored into the first half period of the shaking.

    Attributes
    ----------
    lag : float
        Phase from the peak of the support's acceleration (π/2) to the start of the slip [rad],
        negative where the slip starts before the peak. Kept instead of α, because near η = 1 the
        whole slip lies close to the peak.
    sine, cosine : float
        sin α and cos α of the starting phase α = π/2 + lag.
    excess : float
        sin α − η, in a0.
    span : float
        Phase from start to end [rad].
    distance : float
        Distance slipped, in a0/ω².
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
        """Slip speed [a0/ω] at the phase `offset` [rad] after the start; 0 from the end on."""
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


def _slip_from(lag: float, sine: float, cosine: float, excess: float) -> Slip:
    span = slip_span(sine, cosine, excess)
    distance = slip_distance(sine, cosine, excess, 0.0, span)
    return Slip(lag, sine, cosine, excess, span, distance)


def onset_slip(eta: float, deficit: float) -> Slip:
    """Return the slip that starts out of stick, where the support's acceleration reaches η a0.

    Parameters
    ----------
    eta : float
        η = μ g/a0, 0 < η < 1.
    deficit : float
        1 − η, given apart because near η = 1 it cannot be had from η.
    """
    cosine = math.sqrt(deficit * (1.0 + eta))
    return _slip_from(-math.atan2(cosine, eta), eta, cosine, 0.0)


def steady_reversal_slip(eta: float) -> Slip:
    """Return the slip to which the reversals of slip-slip tend: cos α = π η/2, span π.

    SDND104 (V5.01.104), section 2: θ = arccos(π η/2)/ω; the distance is √(4 − π² η²) a0/ω².
    """
    cosine = 0.5 * math.pi * eta
    sine = math.sqrt((1.0 - cosine) * (1.0 + cosine))
    return Slip(-math.asin(cosine), sine, cosine, sine - eta, math.pi, 2.0 * sine)


def reversing_slips(first: Slip, eta: float, count: int) -> list[Slip]:
    """Return the slips of slip-slip, each of which starts where the one before ends.

    Parameters
    ----------
    first : Slip
        The one that starts out of stick, `onset_slip`.
    eta : float
        η ≤ η*.
    count : int
        How many are wanted.

    Returns
    -------
    list of Slip
        The first `count`, or fewer when they have settled: then the last one, which is
        `steady_reversal_slip`, repeats for ever.
    """
    slips = [first]
    while len(slips) < count:
        lag = slips[-1].lag + (slips[-1].span - math.pi)
        # Successive reversals lie on either side of the limit: the difference bounds the distance.
        if abs(lag - slips[-1].lag) <= _SETTLED:
            slips.append(steady_reversal_slip(eta))
            break
        sine = math.cos(lag)
        slips.append(_slip_from(lag, sine, -math.sin(lag), sine - eta))
    return slips
