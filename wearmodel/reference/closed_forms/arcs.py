"""The equations of one slip of a mass that rubs on a support with harmonic motion.

Phases are ωt, with units a0/ω of velocities, a0/ω² of distances, a0 of accelerations. Mirrored into
the first half period of the base motion, a slip that starts at phase α has

    speed         u(s) = cos α − cos(α + s) − η s          s: phase since its start, u(0) = 0
    acceleration  u′(s) = sin(α + s) − η
    distance      ∫₀ˢ u

and ends at the first s > 0 with u(s) = 0. The functions use sin α, cos α and the excess sin α − η,
and remainders of Taylor series instead of differences of sines and cosines. This avoids
cancellation in short slips (η near 1). The equations of a slip that ends by a reversal are
symmetric in the lags x and y = x + s − π of its ends behind the peaks of the support's
acceleration, α = π/2 + x:

    sin y + η y = −sin x − η (π − x)        distance = cos x + cos y + (π + y − x)(sin y − sin x)/2

Source: SDND104 (V5.01.104), section 2. The symmetric forms of the equations are our own.
"""

from __future__ import annotations

from math import atan2, cos, pi, sin

ETA_STAR = 0.5370292721463151
"""η* = 2/√(π² + 4) [1]: at and below it the mass never sticks again after its first slip."""

# Above this angle the remainders are of the size of their terms and are taken as they stand.
_SERIES_LIMIT = 2.0
# Up to 2²⁸/28! = 9e-22: with that many terms the series are complete up to _SERIES_LIMIT. Of
# (x − sin x) 6/x³ and (x²/2 − 1 + cos x) 24/x⁴ as series in −x², highest order first.
# The divisors are factorials.
_SINE_SERIES = (
    6.0 / 10888869450418352160768000000.0,
    6.0 / 15511210043330985984000000.0,
    6.0 / 25852016738884976640000.0,
    6.0 / 51090942171709440000.0,
    6.0 / 121645100408832000.0,
    6.0 / 355687428096000.0,
    6.0 / 1307674368000.0,
    6.0 / 6227020800.0,
    6.0 / 39916800.0,
    6.0 / 362880.0,
    6.0 / 5040.0,
    6.0 / 120.0,
    6.0 / 6.0,
)
_COSINE_SERIES = (
    24.0 / 304888344611713860501504000000.0,
    24.0 / 403291461126605635584000000.0,
    24.0 / 620448401733239439360000.0,
    24.0 / 1124000727777607680000.0,
    24.0 / 2432902008176640000.0,
    24.0 / 6402373705728000.0,
    24.0 / 20922789888000.0,
    24.0 / 87178291200.0,
    24.0 / 479001600.0,
    24.0 / 3628800.0,
    24.0 / 40320.0,
    24.0 / 720.0,
    24.0 / 24.0,
)
_EPSILON = 2.0**-52
# The reversal's iteration ends with a step this small beside u′ there: the next one, of its fourth
# power over the third power of u′, would be below rounding.
_LAST_STEP = 1e-4
# Where η is tiny the root is all but double and rounding may keep the steps from ever being small
# enough; by then they no longer matter.
_MAXIMUM_TURNS = 20
# The reversals' lags scatter by rounding about their limit; closer than this they have arrived.
SETTLED = 1e-14


def sine_remainder(angle: float) -> float:
    """Return x − sin x [rad], accurate relative to itself however small x is."""
    if abs(angle) > _SERIES_LIMIT:
        return angle - sin(angle)
    square = angle * angle
    series = 0.0
    for coefficient in _SINE_SERIES:
        series = coefficient - square * series
    return angle * square * series / 6.0


def cosine_remainder(angle: float) -> float:
    """Return x²/2 − 1 + cos x [1], accurate relative to itself however small x is."""
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


def next_reversal(lag: float, sine_of_lag: float, eta: float) -> tuple[float, float, float]:
    """Return y [rad], sin y, cos y of the lag y at which a slip from lag x reverses (η ≤ η*).

    The root of sin y + η y = −sin x − η (π − x) in (−π/2, π/2), where the left-hand side rises.
    Newton's method mostly takes two iterations.
    """
    wanted = -sine_of_lag - eta * (pi - lag)
    slope = 1.0 + eta
    # The guess inverts the first two terms of the left-hand side. It lies on the side of 0 of the
    # root, where the left-hand side bends least.
    root = wanted / slope
    root += root * root * root / (6.0 * slope)
    for _ in range(_MAXIMUM_TURNS):
        # Householder's method of order 4.
        inverse_slope = 1.0 / (cos(root) + eta)
        step = (wanted - sin(root) - eta * root) * inverse_slope
        bend = 0.5 * step * sin(root) * inverse_slope
        twist = step * step * cos(root) * inverse_slope * (1.0 / 6.0)
        step *= (1.0 - bend) / (1.0 - 2.0 * bend - twist)
        root += step
        if abs(step) * inverse_slope <= _LAST_STEP:
            break
    return root, sin(root), cos(root)


def reversal_distance(
    lag: float, sine_of_lag: float, cosine_of_lag: float, next_lag: float, next_sine: float,
    next_cosine: float,
) -> float:  # fmt: skip
    """Return the distance [a0/ω²] slipped from lag x to the lag y of `next_reversal`."""
    span = pi + (next_lag - lag)
    return cosine_of_lag + next_cosine + 0.5 * span * (next_sine - sine_of_lag)
