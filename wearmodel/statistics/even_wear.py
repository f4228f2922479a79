"""Even wear of a flat or crowned pad and of a sector of a tube.

Source: EDF POST_USURE (R7.04.10), wear by sectors.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..quantities import require_not_negative, require_positive

# Largest number of steps of Newton's method. Each step doubles the number of correct digits.
_MOST_STEPS = 50


def require_scars_on_one_or_both_faces(scars: int) -> None:
    """Raise ValueError if the number of equal scars is not 1 or 2."""
    if scars not in (1, 2):
        raise ValueError(f"scars={scars} must be 1 or 2")


@dataclass(frozen=True)
class FlatPad:
    """A flat pad worn evenly, V = n S d.

    Raises
    ------
    ValueError
        For parameters outside these ranges.
    """

    wear_area: float  #: S > 0 of one scar [m²].
    scars: int = 1  #: n = 1, or 2 if both faces wear equally.

    def __post_init__(self) -> None:
        require_positive("wear_area", self.wear_area, "m2")
        require_scars_on_one_or_both_faces(self.scars)

    def volume(self, depth: float) -> float:
        """Worn volume [m³] of all scars at a depth ≥ 0 [m]."""
        require_not_negative("depth", depth, "m")
        return self.scars * self.wear_area * depth

    def depth(self, volume: float) -> float:
        """Depth [m] of the scars for their total volume ≥ 0 [m³]."""
        require_not_negative("volume", volume, "m3")
        return volume / (self.scars * self.wear_area)


@dataclass(frozen=True)
class CrownedPad:
    """A ball, or a pad crowned as a sphere, worn flat by the other body: V = n π h² (R − h/3).

    The area of the scar grows with its depth, so the depth grows fast at first and then more
    slowly. To first order in h/R, h = √(V/(n π R)). With V = k F s (Archard's law) and n = 1 this
    is the textbook formula √(k F s/(π R)). Both bodies are rigid. Only the crowned body wears.

    Raises
    ------
    ValueError
        For parameters outside these ranges.
    """

    radius: float  #: R > 0 of the sphere [m].
    scars: int = 1  #: n = 1, or 2 if both faces wear equally.

    def __post_init__(self) -> None:
        require_positive("radius", self.radius, "m")
        require_scars_on_one_or_both_faces(self.scars)

    def volume(self, depth: float) -> float:
        """Worn volume [m³] of all scars at a depth [m] between 0 and R.

        Raises ValueError if the depth is out of range.
        """
        require_not_negative("depth", depth, "m")
        if depth > self.radius:
            raise ValueError(f"depth={depth} m must be ≤ radius={self.radius} m")
        return self.scars * math.pi * depth * depth * (self.radius - depth / 3.0)

    def depth(self, volume: float) -> float:
        """Depth [m] of the scars for their total volume ≥ 0 [m³].

        Raises ValueError if a scar is larger than half the sphere.
        """
        require_not_negative("volume", volume, "m3")
        largest = self.volume(self.radius)
        if volume > largest:
            raise ValueError(f"volume={volume} m3 must be ≤ {largest} m3, half of the sphere")
        # With x = h/R and q = 3V/(n π R³): x² (3 − x) = q. The root of this cubic between 0 and 1
        # is x = 1 − 2 cos((π + θ)/3), cos θ = 1 − q/2. Newton's method, which starts below it at
        # the root of 3x² = q, avoids the cancellation of this formula for thin scars.
        share = 3.0 * volume / (self.scars * math.pi * self.radius**3)
        root = math.sqrt(share / 3.0)
        for _ in range(_MOST_STEPS):
            if root == 0.0:
                break
            step = (root * root * (3.0 - root) - share) / (3.0 * root * (2.0 - root))
            root -= step
            if abs(step) <= 1e-16 * root:
                break
        return min(root, 1.0) * self.radius


def sector_depth(volume: float, tube_radius: float, height: float, sector_angle: float) -> float:
    """Depth of a tube worn evenly over a sector, d = R − √(R² − 2V/(hΔα)).

    The operator uses Δα in degrees in this formula, so its depths are too small by a factor of
    about 57. Here Δα is in radians.

    Parameters
    ----------
    volume : float
        Worn volume V ≥ 0 of the sector [m³].
    tube_radius : float
        Outer radius R > 0 [m].
    height : float
        Height h > 0 of the contact along the tube [m].
    sector_angle : float
        Δα in (0, 2π] [rad].

    Raises
    ------
    ValueError
        For arguments outside these ranges, or if the volume exceeds the volume of the sector.
    """
    require_not_negative("volume", volume, "m3")
    require_positive("tube_radius", tube_radius, "m")
    require_positive("height", height, "m")
    if not 0.0 < sector_angle <= 2.0 * math.pi:
        raise ValueError(f"sector_angle={sector_angle} rad must be in (0, 2π]")
    lost = 2.0 * volume / (height * sector_angle)
    square = tube_radius * tube_radius
    if lost > square:
        largest = 0.5 * square * height * sector_angle
        raise ValueError(f"volume={volume} m3 must be ≤ {largest} m3, the whole sector")
    # R − √(R² − x) without cancellation.
    return lost / (tube_radius + math.sqrt(square - lost))
