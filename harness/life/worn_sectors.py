"""Wear around a hole: volumes by sector, and the depth of the deepest sector."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from harness.life.sections import Floats, Shape
from wearmodel.statistics.worn_shapes import (
    FlatPad,
    TubeInHole,
    TubeOnThreeLands,
    WornShape,
    flat_pad_depth,
    sector_depth,
)

SECTORS = 24
_ANGLE = 360.0 / SECTORS
# Share of the wear within the arc of a pattern.
_PATTERN_SHARE = 0.9


@dataclass(frozen=True)
class WornSectors:
    """The wear of a round contact by sectors of its hole, after a service time."""

    # Worn volume [m³] of each of the equal sectors from −180° to 180°, and the half widths of their
    # error bars [m³].
    volumes: tuple[float, ...]
    bars: tuple[float, ...]
    # Depth [m] if the wear is uniform around the hole. Only for shapes with a width and a radius,
    # and volumes that they can have.
    even_depth: float | None
    # Depth of the sector with the most wear if its wear is uniform [m], and the longer side of its
    # error bar [m]. The error bar covers that another sector may be the deepest.
    deepest_depth: float | None
    deepest_depth_bar: float | None
    # Angle at which the first sector begins [°].
    first_angle: float = -180.0
    # Whether the sectors are sides, whose depths are followed during the service life.
    is_followed: bool = False

    @property
    def deepest(self) -> int:
        """Number of the sector with the most wear."""
        return int(np.argmax(self.volumes))

    @property
    def limits(self) -> tuple[float, float]:
        """Angles of the borders of that sector [°]."""
        return self.borders(self.deepest)

    @property
    def direction(self) -> str:
        """Angles of that sector, or the direction of that side [°]."""
        low, high = self.limits
        return f"{0.5 * (low + high):.4g}°" if self.is_followed else f"{low:g}° to {high:g}°"

    def borders(self, number: int) -> tuple[float, float]:
        """Return the angles of the borders of a sector [°]."""
        angle = 360.0 / len(self.volumes)
        low = self.first_angle + angle * number
        # From −180° on, as the angle of a point.
        low -= 360.0 if low + 0.5 * angle > 180.0 else 0.0
        return low, low + angle

    @property
    def arc(self) -> float:
        """Smallest angle [°] of sectors, adjacent or not, that contain 90 % of the wear."""
        largest = np.sort(self.volumes)[::-1]
        wanted = _PATTERN_SHARE * math.fsum(self.volumes)
        return _ANGLE * (1.0 + float(np.searchsorted(np.cumsum(largest), wanted)))

    def excess_arc(self, shape: Shape, depth: float) -> str:
        """Return a sentence if the wear covers more of the hole than the scars of a shape.

        A scar may cover the sectors at its ends in part.

        Parameters
        ----------
        shape : Shape
            Shape of the scars.
        depth : float
            Depth of the scars [m].
        """
        if not isinstance(shape, TubeInHole | TubeOnThreeLands) or self.share == 0.0:
            return ""
        arc = math.degrees(shape.arc(depth))
        if self.arc <= arc + shape.scars * _ANGLE:
            return ""
        return (
            f"the wear covers {self.arc:g}° of the hole, but scars of {shape.operator_name} of"
            f" this volume cover {arc:.0f}°. The depth is not known. Use TUBE_ALESAGE without"
            " hole_radius for wear all round"
        )

    @property
    def share(self) -> float:
        """Share of the worn volume in that sector. It is 0 without wear."""
        total = math.fsum(self.volumes)
        return max(self.volumes) / total if total > 0.0 else 0.0


def worn_sectors(shape: Shape, volumes: Floats, bars: Floats) -> WornSectors:
    """Return the wear of sectors with given volumes, with the depths of a shape.

    Parameters
    ----------
    shape : Shape
        Shape of the whole scar.
    volumes, bars : array (24,)
        Worn volumes [m³], and the half widths of their error bars [m³].
    """
    whole = _depth(shape, math.fsum(volumes.tolist()), 1.0)
    part = 1.0 / SECTORS
    deepest = _depth(shape, float(volumes.max()), part)
    # Interval of the largest true volume: from the largest lower end to the largest upper end.
    lower = _depth(shape, max(0.0, float((volumes - bars).max())), part)
    upper = _depth(shape, float((volumes + bars).max()), part)
    bar = None
    if deepest is not None and lower is not None and upper is not None:
        bar = max(upper - deepest, deepest - lower)
    return WornSectors(tuple(volumes.tolist()), tuple(bars.tolist()), whole, deepest, bar)


def _depth(shape: Shape, volume: float, part: float) -> float | None:
    """Depth [m] of a volume that is uniform over a part of the circumference."""
    if isinstance(shape, FlatPad):
        return flat_pad_depth(volume, shape.scars * shape.wear_area * part)
    if not isinstance(shape, WornShape):
        return None
    try:
        return sector_depth(volume, shape.tube_radius, shape.width, 2.0 * math.pi * part)
    except ValueError:
        return None


def sector_volumes(
    shares: Sequence[Floats], volumes: Sequence[float], times: Sequence[float], wanted: Floats
) -> tuple[Floats, Floats]:
    """Return the worn volume of each sector [m³] at given times, and its sampling error.

    The intervals of all runs are added as if their errors were equal.

    Parameters
    ----------
    shares : sequence of array (2, 24)
        Share of each sector in the wear at each point of a service life, and the half width of
        its interval. Zero without wear.
    volumes, times : sequence of float
        Worn volumes [m³] and service times [s] of these points.
    wanted : array (n,)
        Service times [s].

    Returns
    -------
    volumes, half_widths : array (n, 24)
        The half widths do not include the error of the whole volume.
    """
    worn = [np.zeros((2, SECTORS))]
    for before, after, low, high in zip(shares, shares[1:], volumes, volumes[1:], strict=False):
        # If one end is without wear, the shares are taken from the other end.
        weight = (before + after) / max(before[0].sum() + after[0].sum(), 1e-300)
        worn.append(worn[-1] + (high - low) * weight)
    rows = np.array(worn).reshape(len(worn), 2 * SECTORS)
    both = np.column_stack([np.interp(wanted, times, column) for column in rows.T])
    return both[:, :SECTORS], both[:, SECTORS:]
