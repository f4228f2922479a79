"""Even wear: a flat pad, and a sector of a tube, that lose the same depth everywhere.

Source: EDF POST_USURE (R7.04.10), wear by sectors.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..quantities import require_not_negative, require_positive


@dataclass(frozen=True)
class FlatPad:
    """A flat pad worn evenly, V = n S d.

    Parameters
    ----------
    wear_area : float
        S > 0 of one scar [m²].
    scars : int
        n, 1 or 2: 2 where both faces wear alike.

    Raises
    ------
    ValueError
        For parameters outside these ranges.
    """

    wear_area: float
    scars: int = 1

    def __post_init__(self) -> None:
        require_positive("wear_area", self.wear_area, "m2")
        if self.scars not in (1, 2):
            raise ValueError(f"scars={self.scars} must be 1 or 2")

    def volume(self, depth: float) -> float:
        """Worn volume [m³] with scars of a depth ≥ 0 [m]."""
        require_not_negative("depth", depth, "m")
        return self.scars * self.wear_area * depth

    def depth(self, volume: float) -> float:
        """Depth [m] of the scars of a volume ≥ 0 [m³], all together."""
        return flat_pad_depth(volume, self.scars * self.wear_area)


def flat_pad_depth(volume: float, wear_area: float) -> float:
    """Depth of a flat pad worn evenly, V/S.

    Parameters
    ----------
    volume : float
        V ≥ 0 [m³].
    wear_area : float
        S > 0 [m²].

    Raises
    ------
    ValueError
        For arguments outside these ranges.
    """
    require_not_negative("volume", volume, "m3")
    require_positive("wear_area", wear_area, "m2")
    return volume / wear_area


def sector_depth(volume: float, tube_radius: float, height: float, sector_angle: float) -> float:
    """Depth of a tube worn evenly over a sector, d = R − √(R² − 2V/(hΔα)).

    The operator puts Δα in degrees into this formula, so that its depths are too small by a factor
    of about 57; here it is in radians.

    Parameters
    ----------
    volume : float
        V ≥ 0 worn off the sector [m³].
    tube_radius : float
        Outer radius R > 0 [m].
    height : float
        Height h > 0 of the contact along the tube [m].
    sector_angle : float
        Δα in (0, 2π] [rad].

    Raises
    ------
    ValueError
        For arguments outside these ranges, or a volume larger than the sector's.
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
        raise ValueError(f"volume={volume} m3 must be ≤ {largest} m3, all that the sector holds")
    # R − √(R² − x) without cancellation.
    return lost / (tube_radius + math.sqrt(square - lost))
