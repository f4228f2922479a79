"""Restitution of a mass that meets a contact of stiffness K and damping C, in closed form.

    m ẍ = −K x − C ẋ,  ẋ(0) = v,  until the force vanishes        ξ = C/(2√(K m))
    e = exp(−2 ξ g)        duration = 2 g √(m/K)        largest depth = v √(m e/K)
    g = acos ξ/√(1 − ξ²) for ξ < 1,  1 for ξ = 1,  acosh ξ/√(ξ² − 1) for ξ > 1

The contact does not pull, so it ends when its force is zero. The mass m is the effective mass,
m₁ m₂/(m₁ + m₂) for two bodies, K includes a residual flexibility, and other forces are absent. The
force begins with C v, which is its peak from ξ = ½ on. The common formula exp(−π ξ/√(1 − ξ²))
assumes a contact that ends where the depth is zero and therefore pulls. `restitution` of the rigid
normal law is another quantity.
"""

from __future__ import annotations

from math import asinh, atan2, exp, isfinite, log, sqrt

from ...quantities import require_not_negative, require_positive


def damping_for_restitution(*, stiffness: float, mass: float, restitution: float) -> float:
    """Damping [N.s/m] of a contact that returns a mass with a ratio of speeds.

    Parameters
    ----------
    stiffness : float
        K [N/m], > 0.
    mass : float
        Effective mass m [kg], > 0.
    restitution : float
        e, in (0, 1].

    Raises
    ------
    ValueError
        A value is out of range.
    """
    require_positive("stiffness", stiffness, "N/m")
    require_positive("mass", mass, "kg")
    return 2.0 * _damping_ratio(restitution) * (sqrt(stiffness) * sqrt(mass))


def restitution_of_damping(*, stiffness: float, mass: float, damping: float) -> float:
    """Ratio of the speeds after and before a contact of given damping [N.s/m] ≥ 0.

    For the other arguments and exceptions see `damping_for_restitution`.
    """
    require_positive("stiffness", stiffness, "N/m")
    require_positive("mass", mass, "kg")
    require_not_negative("damping", damping, "N.s/m")
    ratio = 0.5 * damping / (sqrt(stiffness) * sqrt(mass))
    return exp(-2.0 * ratio * _half_angle(ratio))


def stiffness_for_duration(*, duration: float, mass: float, restitution: float) -> float:
    """Stiffness [N/m] of a contact that lasts for a duration [s] > 0.

    For the other arguments and exceptions see `damping_for_restitution`.
    """
    require_positive("duration", duration, "s")
    require_positive("mass", mass, "kg")
    return mass * (2.0 * _half_angle(_damping_ratio(restitution)) / duration) ** 2


def _half_angle(ratio: float) -> float:
    """g of a damping ratio ξ. 1 − ξ is exact near 1, so that digits are not lost there."""
    if ratio < 1.0:
        root = sqrt((1.0 - ratio) * (1.0 + ratio))
        return atan2(root, ratio) / root
    root = sqrt(ratio - 1.0) * sqrt(ratio + 1.0)
    return asinh(root) / root if root > 0.0 else 1.0


def _damping_ratio(restitution: float) -> float:
    """ξ of a restitution, by Newton's method from below and above ξ = 1."""
    if not (isfinite(restitution) and 0.0 < restitution <= 1.0):
        raise ValueError(
            f"restitution = {restitution!r} is invalid: it must be > 0 and at most 1. A larger "
            "damping gives a smaller restitution, but never 0"
        )
    loss = -log(restitution)
    ratio = 0.5 * loss if loss < 2.0 else 0.5 * exp(0.5 * loss)
    for _ in range(50):
        angle = _half_angle(ratio)
        square = (1.0 - ratio) * (1.0 + ratio)
        slope = (ratio * angle - 1.0) / square if abs(square) > 1e-3 else -1.0 / 3.0
        change = (2.0 * ratio * angle - loss) / (2.0 * (angle + ratio * slope))
        ratio -= change
        if abs(change) <= 1e-16 * ratio:
            break
    return ratio
