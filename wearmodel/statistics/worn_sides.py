"""Local wear of a tube in a round hole, by sides of equal arc: depths, gaps and the deepest side.

The free region of the tube's axis is a polygon. The gap of side i is g_i, and sides are α = 2π/n
apart. The length of a side between its neighbours is

    L_i = (g_{i−1} + g_{i+1} − 2 g_i cos α)/sin α

A side that wears beyond its neighbours becomes shorter, and at L_i = 0 the point no longer touches
it. In an even polygon this depth is g α²/2. Further wear belongs to both neighbours, half each,
because a force along the normal of the side is divided in this ratio.

Not included: grooves of the support that hold the tube sideways, and rotation of the tube.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from wearmodel.arrays import Floats

from ..kernel.limits import MOST_SIDES
from ..quantities import require_not_negative, require_positive
from .paired_blocks import half_widths, standard_errors

_FEWEST_SIDES = 8
# Shortest length of a side, relative to its length in an even polygon.
_SHORTEST = 0.01
# Relative error of this length at the end of the search, and largest number of iterations.
_CLOSE = 0.1
_MOST_ROUNDS = 200
# Share of g α²/2 that a side may wear in half an extrapolation step. A difference d between
# neighbours decreases at the rate 4 d/(g α²) times the wear. Explicit steps require a share below
# 1. With one half, the difference decreases by 60 % in each half step.
_SHARE_OF_A_STEP = 0.5
# Number of variances of a side that are subtracted from the square of its deviation from the mean.
# With 2 the bias of the deepest side is smallest for even wear, scars and arcs together.
_CHANCE = 2.0
_DRAWS = 400


@dataclass(frozen=True)
class TubeBySides:
    """SIDES: a tube in a round hole with the depth of every side, d_i = n V_i/(2π R L).

    `depth` and `volume` apply to even wear.

    Raises
    ------
    ValueError
        For parameters outside these ranges.
    """

    tube_radius: float  #: Outer radius R > 0 of the tube [m].
    width: float  #: Width L > 0 of the contact along the tube [m].
    sides: int = 24  #: Number n of sides, 8 to 96.
    #: Wear coefficient of the support, from 0 to 1 [m²/N]. Its wear adds to the gaps.
    support_coefficient: float = 0.0

    def __post_init__(self) -> None:
        require_positive("tube_radius", self.tube_radius, "m")
        require_positive("width", self.width, "m")
        require_not_negative("support_coefficient", self.support_coefficient, "m2/N")
        if self.support_coefficient > 1.0:
            raise ValueError(
                f"support_coefficient={self.support_coefficient} m2/N must be at most 1"
            )
        if self.sides not in range(_FEWEST_SIDES, MOST_SIDES + 1):
            raise ValueError(
                f"sides={self.sides} must be a whole number from {_FEWEST_SIDES} to {MOST_SIDES}"
            )

    @property
    def scars(self) -> int:
        """Return 1, because each side has its own depth."""
        return 1

    @property
    def area(self) -> float:
        """Surface [m²] of all sides."""
        return 2.0 * math.pi * self.tube_radius * self.width

    def volume(self, depth: float) -> float:
        """Worn volume [m³] if all sides have a depth between 0 and the radius [m]."""
        require_not_negative("depth", depth, "m")
        if depth > self.tube_radius:
            raise ValueError(f"depth={depth:.4g} m must be ≤ tube_radius={self.tube_radius} m")
        return self.area * depth

    def depth(self, volume: float) -> float:
        """Depth [m] if all sides together lose a volume [m³] evenly."""
        require_not_negative("volume", volume, "m3")
        depth = volume / self.area
        if depth > self.tube_radius:
            raise ValueError(
                f"volume={volume:.4g} m3 must be ≤ {self.area * self.tube_radius:.4g} m3, at which"
                " the tube is worn through: reduce the volume, or check the unit of the wear"
                " coefficient, m2/N"
            )
        return depth


def side_lengths(gaps: Floats) -> Floats:
    """Return the lengths L (n,) [m] of the sides of a polygon with gaps (n,) [m]."""
    angle = 2.0 * math.pi / gaps.size
    neighbours = np.roll(gaps, 1) + np.roll(gaps, -1)
    return (neighbours - 2.0 * math.cos(angle) * gaps) / math.sin(angle)


def spread_over_sides(gaps: Floats) -> Floats:
    """Return gaps (n,) [m] with the same sum, of a polygon in which no side is too short.

    Each side that would be too short gives a part of its gap to its neighbours, half each, until it
    has the shortest length. Other sides do not give a part.
    """
    mean = float(gaps.mean())
    even = 2.0 * math.tan(math.pi / gaps.size) * mean
    least = _SHORTEST * even
    if side_lengths(gaps).min() >= (1.0 - _CLOSE) * least:
        return gaps
    given = np.zeros_like(gaps)
    moved = 0.5 * (np.roll(np.eye(gaps.size), 1, 0) + np.roll(np.eye(gaps.size), -1, 0))
    moved -= np.eye(gaps.size)
    longer = np.array([side_lengths(row) for row in moved.T]).T
    for _ in range(_MOST_ROUNDS):
        spread: Floats = gaps + moved @ given
        is_giving = (given > 0.0) | (side_lengths(spread) < (1.0 - _CLOSE) * least)
        if (side_lengths(spread) >= (1.0 - _CLOSE) * least).all():
            return spread
        while is_giving.any():
            parts = np.linalg.solve(
                longer[np.ix_(is_giving, is_giving)], (least - side_lengths(gaps))[is_giving]
            )
            given = np.zeros_like(gaps)
            given[is_giving] = parts
            if (parts >= 0.0).all():
                break
            is_giving &= given >= 0.0
    # The search may alternate between two sets of sides. Lengths are linear in the gaps.
    share = (even - least) / (even - float(side_lengths(spread).min()))
    return np.asarray(mean + share * (spread - mean))


def longest_half_step(gaps: Floats, rates: Floats) -> float:
    """Return the longest half extrapolation step [s] after which neighbours remain even.

    Parameters
    ----------
    gaps, rates : array (n,)
        Gaps of the sides [m] and the rates at which they grow [m/s].
    """
    mean = float(rates.mean())
    if mean <= 0.0:
        return math.inf
    angle = 2.0 * math.pi / gaps.size
    most = _SHARE_OF_A_STEP * 0.5 * angle * angle * float(gaps.mean())
    # Increase of sides after they have given a part to their neighbours.
    gained = spread_over_sides(gaps + most / mean * rates) - gaps
    return most / mean * most / float(gained.max())


class DeepestSide(NamedTuple):
    """Number of the side with the most wear, its volume and the half width of its interval [m³]."""

    number: int
    volume: float
    half_width: float


def deepest_side(volumes: Floats, errors: Floats) -> DeepestSide:
    """Return the deepest side, without the expected excess of a maximum of uncertain volumes.

    Each deviation from the mean is reduced by the part that may be chance (James and Stein, for
    each side). Random errors are added to these volumes to estimate the excess of their maximum.
    The result is at least the mean of all sides. Its bias is below half of the half width for even
    wear, for scars of one to three sides and for wear over a part of the hole.

    Parameters
    ----------
    volumes : array (n,)
        Worn volumes of the sides [m³].
    errors : array (b, n)
        Their errors by blocks [m³], see `paired_blocks`.

    Source: B. Efron, "Large-Scale Inference", Cambridge 2010, ch. 1.
    """
    number, mean = int(np.argmax(volumes)), float(volumes.mean())
    width = float(half_widths(errors)[number])
    if width == 0.0:
        return DeepestSide(number, float(volumes[number]), width)
    squares = np.maximum((volumes - mean) ** 2, 1e-300)
    likely = mean + (volumes - mean) * np.maximum(
        0.0, 1.0 - _CHANCE * standard_errors(errors) ** 2 / squares
    )
    draws = np.random.default_rng(1).standard_normal((_DRAWS, errors.shape[0]))
    excess = float((likely + draws @ errors).max(axis=1).mean() - likely.max())
    return DeepestSide(number, max(float(volumes[number]) - max(excess, 0.0), mean), width)
