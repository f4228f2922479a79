"""Where round a hole a life wears: volumes by sector, and how deep the deepest one is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from harness.life.sections import Floats, Shape
from wearmodel.statistics.worn_shapes import FlatPad, WornShape, flat_pad_depth, sector_depth

SECTORS = 24
_ANGLE = 360.0 / SECTORS


@dataclass(frozen=True)
class WornSectors:
    """The wear of a round contact by sectors of its hole, after a service time.

    Parameters
    ----------
    volumes : tuple of float
        Worn volume [m³] of each of the equal sectors from −180° to 180°.
    even_depth : float or None
        Depth if the whole volume were worn evenly all round [m]; None where the shape has no width
        or radius, or does not hold the volume.
    deepest_depth : float or None
        Depth of the sector that wears most, worn evenly in itself [m].
    """

    volumes: tuple[float, ...]
    even_depth: float | None
    deepest_depth: float | None

    @property
    def deepest(self) -> int:
        """Number of the sector that wears most."""
        return int(np.argmax(self.volumes))

    @property
    def limits(self) -> tuple[float, float]:
        """Angles between which that sector lies [°]."""
        low = _ANGLE * self.deepest - 180.0
        return low, low + _ANGLE

    @property
    def share(self) -> float:
        """Share of the worn volume that lies in that sector; 0 where nothing is worn."""
        total = math.fsum(self.volumes)
        return max(self.volumes) / total if total > 0.0 else 0.0


def worn_sectors(shape: Shape, volumes: Floats) -> WornSectors:
    """Return the wear of sectors whose volumes [m³] are known, with the depths of a shape."""
    whole = _depth(shape, math.fsum(volumes.tolist()), 1.0)
    return WornSectors(tuple(volumes.tolist()), whole, _depth(shape, volumes.max(), 1.0 / SECTORS))


def _depth(shape: Shape, volume: float, part: float) -> float | None:
    """Depth [m] of a volume spread evenly over a part of the surface all round."""
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
) -> Floats:
    """Return the worn volume of each sector [m³] at wanted times, a row each.

    Parameters
    ----------
    shares : sequence of array (24,)
        Share of each sector in the wear at each point of a life; zeros where nothing wears.
    volumes, times : sequence of float
        Worn volumes [m³] and service times [s] of these points.
    wanted : array (n,)
        Service times [s].
    """
    worn = [np.zeros(SECTORS)]
    for before, after, low, high in zip(shares, shares[1:], volumes, volumes[1:], strict=False):
        # Where one end shows no wear, the other tells.
        weight = (before + after) / max(before.sum() + after.sum(), 1e-300)
        worn.append(worn[-1] + (high - low) * weight)
    rows = np.array(worn)
    return np.column_stack([np.interp(wanted, times, rows[:, index]) for index in range(SECTORS)])
