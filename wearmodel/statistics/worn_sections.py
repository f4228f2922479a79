"""Areas of the sections of worn shapes, and their integral over the depth of an inclined scar.

Segments of circles and the lune between two of them, without cancellation for thin scars.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

# Areas grow like s^(3/2) and s², so in √s all integrands are smooth: 40 points leave rounding.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(40)
# Below this angle the series of x − sin x has no cancellation and needs few terms.
_SMALL_ANGLE = 0.5


def segment_area(radius: float, height: float) -> float:
    """Area [m²] of the circular segment of `height` [m] ≤ 2 radius."""
    angle = 4.0 * math.asin(math.sqrt(min(1.0, height / (2.0 * radius))))
    return 0.5 * radius * radius * _angle_less_sine(angle)


def _angle_less_sine(angle: float) -> float:
    """x − sin x without cancellation."""
    if angle > _SMALL_ANGLE:
        return angle - math.sin(angle)
    square = angle * angle
    term = angle * square / 6.0
    total = term
    n = 3
    while abs(term) > 1e-18 * total:
        term *= -square / ((n + 1) * (n + 2))
        total += term
        n += 2
    return total


def lune_area(radius: float, hole_radius: float, depth: float) -> float:
    """Area [m²] of a circle outside a wider one beyond whose edge it reaches by `depth` [m]."""
    shift = hole_radius - radius + depth
    if depth == 0.0 or shift == 0.0:
        return 0.0
    height = min(depth * (2.0 * hole_radius + depth) / (2.0 * shift), 2.0 * radius)
    return segment_area(radius, height) - segment_area(
        hole_radius, _hole_height(radius, depth, shift)
    )


def lune_half_angle(radius: float, hole_radius: float, depth: float) -> float:
    """Half the angle [rad] that the lune of `lune_area` covers, seen from the wider centre."""
    if depth == 0.0:
        return 0.0
    height = _hole_height(radius, depth, hole_radius - radius + depth)
    return 2.0 * math.asin(math.sqrt(min(1.0, height / (2.0 * hole_radius))))


def _hole_height(radius: float, depth: float, shift: float) -> float:
    return max(0.0, depth * (2.0 * radius - depth) / (2.0 * shift))


def integral_over_depth(area: Callable[[float], float], low: float, high: float) -> float:
    """∫ A(s) ds [m³] from `low` to `high` [m], with s = x²."""
    first, last = math.sqrt(low), math.sqrt(high)
    half, middle = 0.5 * (last - first), 0.5 * (last + first)
    roots = middle + half * _NODES
    return float(
        half * sum(w * 2.0 * x * area(x * x) for w, x in zip(_WEIGHTS, roots, strict=True))
    )
