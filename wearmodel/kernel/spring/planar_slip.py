"""Elastic-plastic friction in the plane over one straight piece: leaving stick, and slip.

The stretch e of the tangential spring (driving point minus anchor) is bounded by r(s) = μ N(s) /
tangential_stiffness. Over a piece, s from 0 to 1, the driving point moves with a constant
v = dp/ds and the normal force N is linear:

    stick  de/ds = v                                         while |e| < r
    slip   de/ds = v − λ ê,  ê = e/|e|,  λ = ê·v − dr/ds ≥ 0      on |e| = r

The closed forms are:

- stick ends where |e + v s|² = r(s)², a quadratic in s,
- in slip the angle θ from v to e obeys dθ/ds = −|v| sin θ / r(s), hence
  tan(θ/2) = tan(θ₀/2) exp(−τ), τ = ∫ |v| ds / r(s),
- cos θ and λ only increase, so slip lasts to the end of the piece,
- the wear work ∫ N λ ds has no elementary form if e turns. Its turning part is smooth and decays,
  and Gauss-Legendre panels compute it to rounding (see `turning_loss`).

Not modelled: a static coefficient larger than the dynamic one, damping in the contact.
Source: the rate form of the shock law, SSND116 section 2.1 (there in one dimension). The closed
forms in the plane are derived in harness/cases/ssnd116_seg2/README.md.
"""

from __future__ import annotations

from math import exp, log, log1p, sqrt

from ..limits import NEVER
from ..series.arithmetic import magnitude

# exp(−40) is below rounding.
DECAY = 40.0
# Gauss-Legendre rule of 10 points on [−1, 1]. The poles of the integrand of turning_loss are at
# least π/2 from the real axis. Over a panel of length 1 the measured error is 5e-16.
GAUSS_POINTS = (
    0.14887433898163122,
    0.4333953941292472,
    0.6794095682990244,
    0.8650633666889845,
    0.9739065285171717,
)
GAUSS_WEIGHTS = (
    0.29552422471475287,
    0.26926671930999635,
    0.21908636251598204,
    0.1494513491505806,
    0.06667134430868814,
)


def first_slip(
    stretch_y: float,
    stretch_z: float,
    path_y: float,
    path_z: float,
    bound_start: float,
    bound_end: float,
) -> float:
    """Time in [0, 1] at which the stretch leaves the cone if it grows with the path, or NEVER.

    With the stretch e₀ [m], the path v, the bound r and g = r₁ − r₀ it is the root, with rising
    |e|² − r², of

        (|v|² − g²) s² + 2 h s − (r₀² − |e₀|²) = 0,   h = e₀·v − r₀ g

    A quarter of its discriminant is |e₀ g − v r₀|² − (e₀ × v)². If e₀ and v are parallel, this is a
    perfect square without cancellation. A stretch that stays on the cone without slip (λ = 0
    throughout) sticks.
    """
    growth = bound_end - bound_start
    length = magnitude(path_y, path_z)
    stretch = magnitude(stretch_y, stretch_z)
    room = (bound_start - stretch) * (bound_start + stretch)
    half_slope = stretch_y * path_y + stretch_z * path_z - bound_start * growth
    curvature = (length - growth) * (length + growth)
    if room <= 0.0:
        if half_slope > 0.0:
            return 0.0
        if half_slope == 0.0:
            if curvature > 0.0:
                return 0.0
            return NEVER
        room = 0.0
    cross = stretch_y * path_z - stretch_z * path_y
    across_y = stretch_y * growth - path_y * bound_start
    across_z = stretch_z * growth - path_z * bound_start
    discriminant = across_y * across_y + across_z * across_z - cross * cross
    if discriminant < 0.0:
        return NEVER
    root = sqrt(discriminant)
    # This form of the root adds two numbers of equal sign.
    if half_slope >= 0.0:
        if half_slope + root > 0.0:
            return min(room / (half_slope + root), NEVER)
    elif curvature > 0.0:
        return min((root - half_slope) / curvature, NEVER)
    return NEVER


def stays_on_cone(
    stretch_y: float,
    stretch_z: float,
    path_y: float,
    path_z: float,
    bound_start: float,
    bound_end: float,
    begin: float,
    rounding: float,
) -> bool:
    """Whether a stretch that leaves the cone at `begin`, see `first_slip`, was on it until then.

    It was if its depth inside the cone never exceeds `rounding` [m]. The depth is a concave
    function of the path that ends at 0, so it is at most twice the depth in the middle.
    """
    if not begin < 1.0:
        return False
    middle = 0.5 * begin
    bound = bound_start + middle * (bound_end - bound_start)
    stretch = magnitude(stretch_y + middle * path_y, stretch_z + middle * path_z)
    return 2.0 * (bound - stretch) <= rounding


def turning(bound_start: float, bound_end: float, length: float) -> float:
    """τ = ∫₀¹ length ds / r(s) for a bound r that is linear in s, with both ends > 0."""
    growth = bound_end - bound_start
    if growth == 0.0:
        return length / bound_start
    if abs(growth) > 0.5 * bound_start:
        return length * ((log(bound_end) - log(bound_start)) / growth)
    return length * (log1p(growth / bound_start) / growth)


def turning_loss(
    bound_start: float, bound_end: float, length: float, along: float, against: float
) -> float:
    """Mean over the piece of (r/r₀)(1 − cos θ): the decrease of wear because slip turns.

    With m = max(|v|, −g) and dζ = m ds / r the integrand becomes a product of bounded smooth
    functions that falls at least as fast as exp(−(|v| − g) ζ/m) for any bound:

        ∫₀¹ (r/r₀)(1 − cos θ) ds = (r₀/m) ∫ exp(2 g ζ/m) · 2 t²/(1 + t²) dζ,
        t² = tan²(θ₀/2) exp(−2 |v| ζ/m)

    r₀ and |v| are > 0. `along` and `against` are cos²(θ₀/2) and sin²(θ₀/2).
    """
    growth = bound_end - bound_start
    if against == 0.0 or length <= growth:
        return 0.0
    scale = max(length, -growth)
    reach = DECAY * scale / (length - growth)
    if bound_end > 0.0:
        reach = min(reach, turning(bound_start, bound_end, scale))
    panels = int(reach) + 1
    half_width = 0.5 * reach / panels
    power_rate = 2.0 * growth / scale
    angle_rate = -2.0 * length / scale
    total = 0.0
    for panel in range(panels):
        middle = (2 * panel + 1) * half_width
        for index in range(10):
            point = GAUSS_POINTS[index // 2] * half_width
            if index % 2 == 0:
                point = -point
            place = middle + point
            lag = against * exp(angle_rate * place)
            total += GAUSS_WEIGHTS[index // 2] * exp(power_rate * place) * lag / (along + lag)
    return 2.0 * total * half_width * bound_start / scale


def slide(
    stretch_y: float,
    stretch_z: float,
    path_y: float,
    path_z: float,
    force_start: float,
    force_end: float,
    stretch_per_force: float,
) -> tuple[float, float, float]:
    """Stretch [m] along y and z at the end of a piece in slip, and its wear work [J] ≥ 0.

        tan(θ/2) = tan(θ₀/2) exp(−τ),  |e| = r,  r = stretch_per_force · N
        wear = ½ (N₀ + N₁)(|v| − g) − |v| ∫ N (1 − cos θ) ds

    Only the direction of the stretch at the start is used. N ≥ 0 is linear between the ends.
    """
    bound_start = stretch_per_force * force_start
    bound_end = stretch_per_force * force_end
    growth = bound_end - bound_start
    mean_force = 0.5 * (force_start + force_end)
    length = magnitude(path_y, path_z)
    stretch = magnitude(stretch_y, stretch_z)
    if stretch == 0.0 or bound_start == 0.0:
        # From the tip of the cone the force starts along the path.
        wear = max(0.0, mean_force * (length - growth))
        if length == 0.0:
            return 0.0, 0.0, wear
        return bound_end * path_y / length, bound_end * path_z / length, wear
    direction_y = stretch_y / stretch
    direction_z = stretch_z / stretch
    if length == 0.0:
        # The cone shrinks while the point is at rest, and the anchor moves towards the point.
        wear = max(0.0, -mean_force * growth)
        return bound_end * direction_y, bound_end * direction_z, wear
    ahead_y = path_y / length
    ahead_z = path_z / length
    # cos² and sin² of θ₀/2 and sin θ₀ without cancellation at 0 and π.
    sum_y = direction_y + ahead_y
    sum_z = direction_z + ahead_z
    along = 0.25 * (sum_y * sum_y + sum_z * sum_z)
    difference_y = direction_y - ahead_y
    difference_z = direction_z - ahead_z
    against = 0.25 * (difference_y * difference_y + difference_z * difference_z)
    sine = ahead_y * direction_z - ahead_z * direction_y
    if along == 0.0:
        # The stretch is opposite to the path, and the cone shrinks faster than the path unloads.
        wear = max(0.0, -mean_force * (length + growth))
        return bound_end * direction_y, bound_end * direction_z, wear
    loss = turning_loss(bound_start, bound_end, length, along, against)
    # The wear can be negative only by rounding.
    wear = max(0.0, mean_force * (length - growth) - length * force_start * loss)
    if bound_end == 0.0:
        return 0.0, 0.0, wear
    decay = exp(-turning(bound_start, bound_end, length))
    lag = against * decay * decay
    cosine_end = (along - lag) / (along + lag)
    sine_end = sine * decay / (along + lag)
    return (
        bound_end * (cosine_end * ahead_y - sine_end * ahead_z),
        bound_end * (cosine_end * ahead_z + sine_end * ahead_y),
        wear,
    )
