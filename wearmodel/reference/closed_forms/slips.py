"""The slips of a mass that rubs on a support with harmonic motion, and their equations.

Phases are ωt, with units a0/ω of velocities, a0/ω² of distances, a0 of accelerations. Mirrored into
the first half period of the base motion, a slip that starts at phase α has

    speed         u(s) = cos α − cos(α + s) − η s          s: phase since its start, u(0) = 0
    acceleration  u′(s) = sin(α + s) − η
    distance      ∫₀ˢ u

and ends at the first s > 0 with u(s) = 0, when the velocity of the mass is again the support's.
Each half period of the base motion contains the start of exactly one slip. The functions use sin α,
cos α and the excess sin α − η, and remainders of Taylor series instead of differences of sines and
cosines. This avoids cancellation in short slips (η near 1). A slip that ends by a reversal is
counted from the lag x of its start behind the peak of the support's acceleration, α = π/2 + x.

Phases are reduced to quarter turns in rational arithmetic and rounded once, so the accuracy does
not decrease with time.

Source: SDND104 (V5.01.104), section 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import asin, atan2, cos, factorial, fsum, pi, sin, sqrt

#: η* = 2/√(π² + 4) [1]: at and below it the mass never sticks again after its first slip.
ETA_STAR = 0.5370292721463151

# Above this angle the remainders are as large as their terms and are computed directly.
_SERIES_LIMIT = 2.0
# Coefficients of (x − sin x) 6/x³ and (x²/2 − 1 + cos x) 24/x⁴ as series in −x², highest order
# first. The next term is at most 2²⁸/28! = 9e-22 up to _SERIES_LIMIT.
_SINE_SERIES = tuple(6.0 / factorial(order) for order in range(27, 2, -2))
_COSINE_SERIES = tuple(24.0 / factorial(order) for order in range(28, 3, -2))
_EPSILON = 2.0**-52
# The lags of reversals scatter about their limit by rounding. Closer lags have converged.
SETTLED = 1e-14
# π/2 to 75 digits. The error of a phase is below 1e-17 rad up to 1e58 rad.
_QUARTER_TURN = Fraction(
    "1.57079632679489661923132169163975144209858469968755291048747229615390820314"
)


def sine_remainder(angle: float) -> float:
    """Return x − sin x [rad]. Its relative error is rounding, also for small x."""
    if abs(angle) > _SERIES_LIMIT:
        return angle - sin(angle)
    square = angle * angle
    series = 0.0
    for coefficient in _SINE_SERIES:
        series = coefficient - square * series
    return angle * square * series / 6.0


def cosine_remainder(angle: float) -> float:
    """Return x²/2 − 1 + cos x [1]. Its relative error is rounding, also for small x."""
    square = angle * angle
    if abs(angle) > _SERIES_LIMIT:
        return 0.5 * square - 1.0 + cos(angle)
    series = 0.0
    for coefficient in _COSINE_SERIES:
        series = coefficient - square * series
    return square * square * series / 24.0


def slip_speed(sine: float, cosine: float, excess: float, span: float) -> float:
    """Return u(s) = (sin α − η) s + cos α (1 − cos s) − sin α (s − sin s), in a0/ω.

    `sine` and `cosine` belong to the phase α at the start. `excess` is sin α − η ≥ 0, and `span`
    the phase s since the start [rad].
    """
    half_sine = sin(0.5 * span)
    versine = 2.0 * half_sine * half_sine
    return excess * span + cosine * versine - sine * sine_remainder(span)


def slip_acceleration(sine: float, cosine: float, excess: float, span: float) -> float:
    """Return u′(s) = (sin α − η) + cos α sin s − sin α (1 − cos s), in a0, as in `slip_speed`."""
    half_sine = sin(0.5 * span)
    return excess + cosine * sin(span) - 2.0 * sine * half_sine * half_sine


def slip_distance(sine: float, cosine: float, excess: float, speed: float, span: float) -> float:
    """Return the distance slipped over a phase span that starts at any point of a slip, in a0/ω².

    u₀ s + (sin α − η) s²/2 + cos α (s − sin s) − sin α (s²/2 − 1 + cos s), where α is now the
    phase at the start of the span and u₀ = `speed` [a0/ω] the speed there. The other parameters
    are as in `slip_speed`.
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
    above it concave, and it rises from its minimum at π − arcsin η to beyond 2π. Therefore the
    iterates are monotonic until rounding reverses them. The parameters are as in `slip_speed`.
    """
    span = 1.5 * pi - atan2(sine, cosine)
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
        return atan2(self.sine, self.cosine)

    @property
    def end_cosine(self) -> float:
        """cos(α + span): the support's velocity at the end is −(a0/ω) times it."""
        return self.cosine * cos(self.span) - self.sine * sin(self.span)

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
            self.sine * cos(offset) + self.cosine * sin(offset),
            self.cosine * cos(offset) - self.sine * sin(offset),
            slip_acceleration(self.sine, self.cosine, self.excess, offset),
            self.speed(offset),
            min(span, self.span - offset),
        )


def onset_slip(eta: float, deficit: float) -> Slip:
    """Return the slip that starts from stick, where the acceleration of the support reaches η a0.

    0 < η < 1. `deficit` is 1 − η without cancellation.
    """
    cosine = sqrt(deficit * (1.0 + eta))
    span = slip_span(eta, cosine, 0.0)
    distance = slip_distance(eta, cosine, 0.0, 0.0, span)
    return Slip(-atan2(cosine, eta), eta, cosine, 0.0, span, distance)


def steady_reversal_slip(eta: float) -> Slip:
    """Return the slip to which the reversals of slip-slip tend: cos α = π η/2, span π.

    SDND104 (V5.01.104), section 2: θ = arccos(π η/2)/ω. The distance is √(4 − π² η²) a0/ω².
    """
    cosine = 0.5 * pi * eta
    sine = sqrt((1.0 - cosine) * (1.0 + cosine))
    return Slip(-asin(cosine), sine, cosine, sine - eta, pi, 2.0 * sine)


def reversing_slips(first: Slip, eta: float, count: int) -> list[Slip]:
    """Return the first `count` slips of slip-slip (η ≤ η*). Each begins at the previous end.

    The `first` slip is `onset_slip`. There are fewer slips if they converge: then the last one is
    `steady_reversal_slip`, which repeats.
    """
    slips = [first]
    while len(slips) < count:
        lag = slips[-1].lag + (slips[-1].span - pi)
        # The limit is between successive reversals, so their difference bounds the distance to it.
        if abs(lag - slips[-1].lag) <= SETTLED:
            slips.append(steady_reversal_slip(eta))
            break
        sine, cosine = cos(lag), -sin(lag)
        excess = sine - eta
        span = slip_span(sine, cosine, excess)
        distance = slip_distance(sine, cosine, excess, 0.0, span)
        slips.append(Slip(lag, sine, cosine, excess, span, distance))
    return slips


def slip_direction(index: int) -> int:
    """Return the sign of the velocity (mass minus support) of slip number `index`, from 0.

    The support accelerates forwards first and leaves the mass behind: −1, then by turns.
    """
    return 1 if index % 2 else -1


def quarter_phase(angular_frequency: float, time: float) -> tuple[int, float]:
    """Return n and r of ωt = n π/2 + r with |r| ≤ π/4 [rad]."""
    phase = Fraction(angular_frequency) * Fraction(time)
    quarters = round(phase / _QUARTER_TURN)
    return quarters, float(phase - quarters * _QUARTER_TURN)


@dataclass(frozen=True)
class SlipSequence:
    """The slips of a motion, one in each half period of the base motion.

    The last one of the `slips` repeats. They are empty if the mass never slips.
    """

    angular_frequency: float
    slips: tuple[Slip, ...]

    def slip(self, index: int) -> Slip:
        """Return slip number `index` ≥ 0."""
        return self.slips[min(index, len(self.slips) - 1)]

    def position(self, quarters: int, rest: float) -> tuple[int, float]:
        """Return the number of the last slip at the phase n π/2 + r, and the phase in it [rad].

        The number is −1 before the first slip. The phase counts from the start of the slip, and is
        above its span in stick.
        """
        index = quarters // 2 if self.slips else -1
        while index >= 0:
            # Counted from the peak of the support's acceleration, an odd number of quarter turns.
            from_peak = (quarters - (2 * index + 1)) * (0.5 * pi) + rest
            offset = from_peak - self.slip(index).lag
            if offset >= 0.0:
                return index, offset
            index -= 1
        return -1, 0.0

    def distance(self, start: float, stop: float) -> float:
        """Return ∫ |slip velocity| dt [a0/ω²] from `start` to `stop` [s], start ≤ stop."""
        first, begin = self.position(*quarter_phase(self.angular_frequency, start))
        last, end = self.position(*quarter_phase(self.angular_frequency, stop))
        if last < 0:
            return 0.0
        if first == last:
            # The difference of the offsets would lose digits for a short window.
            span = self.angular_frequency * (stop - start)
            return self.slip(last).distance_over(begin, span)
        distances = [self.slip(last).distance_over(0.0, end)]
        if first >= 0:
            slip = self.slip(first)
            distances.append(slip.distance_over(begin, slip.span))
        distances += [slip.distance for slip in self.slips[first + 1 : last]]
        repeated = max(0, last - max(first + 1, len(self.slips)))
        distances.append(repeated * self.slips[-1].distance)
        return fsum(distances)
