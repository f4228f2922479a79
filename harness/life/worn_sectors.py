"""Wear around a hole: volumes by sector, the deepest sector, and depths of sides.

The state of a service life contains the volume of each contact, the service time, and the volume of
each side. The volumes of the sides of a contact add up to its volume, which determines the
extrapolation steps and the length of the runs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from harness.life.life_file import Life
from harness.life.sections import Shape
from harness.life.worn_contact import worn_parameters
from wearmodel.arrays import Floats
from wearmodel.statistics.cycle_jump import LifePoint
from wearmodel.statistics.paired_blocks import added, half_widths
from wearmodel.statistics.worn_shapes import (
    FlatPad,
    TubeInHole,
    TubeOnThreeLands,
    WornShape,
    sector_depth,
)
from wearmodel.statistics.worn_sides import (
    TubeBySides,
    deepest_side,
    longest_half_step,
    spread_over_sides,
)

SECTORS = 24
_ANGLE = 360.0 / SECTORS
# Share of the wear that determines the arc of a pattern.
_PATTERN_SHARE = 0.9


@dataclass(frozen=True)
class WornSectors:
    """Wear of a round contact after a service time, by sectors of its hole."""

    # Worn volume [m³] of each of the equal sectors from −180° to 180°, and the half widths of their
    # error bars [m³].
    volumes: tuple[float, ...]
    bars: tuple[float, ...]
    # Depth [m] if the wear is uniform around the hole. Only for shapes with a width and a radius,
    # and for volumes that are possible for the shape.
    even_depth: float | None
    # Depth of the sector with the most wear [m] if its wear is uniform, and the longer side of its
    # error bar [m]. The error bar includes the case that another sector is the deepest.
    deepest_depth: float | None
    deepest_depth_bar: float | None
    # Angle at which the first sector begins [°].
    first_angle: float = -180.0
    # Whether the sectors are sides, whose depths are computed during the service life.
    is_followed: bool = False

    @property
    def direction(self) -> str:
        """Angles of the borders of the deepest sector, or direction of the deepest side [°]."""
        low, high = self.borders(int(np.argmax(self.volumes)))
        return f"{0.5 * (low + high):.4g}°" if self.is_followed else f"{low:g}° to {high:g}°"

    def borders(self, number: int) -> tuple[float, float]:
        """Return the angles of the borders of a sector [°]."""
        angle = 360.0 / len(self.volumes)
        low = self.first_angle + angle * number
        # From −180° to 180°, like the angle of a point.
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

        A scar may cover the sectors at its ends partly.

        - `depth`: depth of the scars [m]
        """
        if not isinstance(shape, TubeInHole | TubeOnThreeLands):
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
        """Share of the deepest sector in the worn volume. It is 0 without wear."""
        total = math.fsum(self.volumes)
        return max(self.volumes) / total if total > 0.0 else 0.0


def worn_sectors(shape: Shape, volumes: Floats, bars: Floats) -> WornSectors:
    """Return the wear of sectors with given volumes, and depths for a shape.

    - `shape`: shape of the whole scar
    - `volumes`, `bars`: worn volumes [m³], and the half widths of their error bars [m³]
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
        return FlatPad(shape.wear_area * part, shape.scars).depth(volume)
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

    The intervals of all runs are added as if their errors were equal. They do not include the error
    of the whole volume.

    - `shares`: share of each sector in the wear at each point of a service life, and the half width
      of its interval, shape (2, 24). Zero without wear.
    - `volumes`, `times`: worn volumes [m³] and service times [s] of these points
    - `wanted`: service times [s], shape (n,)
    """
    worn = [np.zeros((2, SECTORS))]
    for before, after, low, high in zip(shares, shares[1:], volumes, volumes[1:], strict=False):
        # If one end is without wear, only the shares of the other end count.
        weight = (before + after) / max(before[0].sum() + after[0].sum(), 1e-300)
        worn.append(worn[-1] + (high - low) * weight)
    rows = np.array(worn).reshape(len(worn), 2 * SECTORS)
    both = np.column_stack([np.interp(wanted, times, column) for column in rows.T])
    return both[:, :SECTORS], both[:, SECTORS:]


class SideState:
    """Depths of contacts and sides in the state of a service life."""

    def __init__(self, life: Life) -> None:
        self._shape = life.shape
        self._count = len(life.contacts)
        self._limits_depth = life.criterion is None or life.criterion.variable == "depth"
        unworn, parameters = [0.0] * self._count, life.motions[0].case.parameters
        gaps = worn_parameters(life.contacts, parameters, unworn, life.shape.scars)[1]
        # Columns of contacts, used with sides only. NaN if wear does not change a gap.
        self._gaps = np.array(gaps, dtype=np.float64)[:, np.newaxis]
        self._growth = np.array([[contact.growth] for contact in life.contacts])

    @property
    def start(self) -> Floats:
        """State without wear."""
        sides = self._shape.sides if isinstance(self._shape, TubeBySides) else 0
        return np.zeros(self._count * (1 + sides) + 1)

    def depths(self, state: Floats) -> list[Floats]:
        """Return the depth [m] of the scars of each contact, or of each of its sides."""
        shape = self._shape
        if isinstance(shape, TubeBySides):
            return list(self._by_sides(state) * (shape.sides / shape.area))
        return [np.array([shape.depth(volume)]) for volume in state[: self._count].tolist()]

    def settled(self, state: Floats) -> Floats:
        """Return the state in which no side is deeper than its neighbours allow."""
        shape = self._shape
        if not isinstance(shape, TubeBySides):
            return state
        settled = state.copy()
        scales, gaps_of_all = self._gaps_of_sides(shape, state)
        for volumes, scale, gaps in zip(self._by_sides(settled), scales, gaps_of_all, strict=True):
            spread = spread_over_sides(gaps)
            if spread is not gaps:
                volumes += (spread - gaps) / scale
        return settled

    def longest(self, state: Floats, rates: Floats) -> float:
        """Return the longest time [s] of half a step with rates [m³/s] of the sides."""
        if not isinstance(self._shape, TubeBySides):
            return math.inf
        scales, gaps_of_all = self._gaps_of_sides(self._shape, state)
        return min(map(longest_half_step, gaps_of_all, scales * rates))

    def _gaps_of_sides(self, shape: TubeBySides, state: Floats) -> tuple[Floats, Floats]:
        """Return the gap per volume [1/m²] (contacts, 1), and all gaps [m] (contacts, sides)."""
        scales = self._growth * shape.sides / shape.area
        return scales, self._gaps + scales * self._by_sides(state)

    def judged(self, point: LifePoint) -> LifePoint:
        """Return a point without sides, with the volumes that are compared with the criterion."""
        return self.deepest(point) if self._limits_depth else self._without_sides(point)

    def deepest(self, point: LifePoint) -> LifePoint:
        """Return a point without sides, with volumes of uniform wear as deep as the deepest side.

        The rates of the contact and its errors of extrapolation, time step and bounds are scaled in
        proportion to the volume.
        """
        shape, without = self._shape, self._without_sides(point)
        if not isinstance(shape, TubeBySides):
            return point
        for index, volumes in enumerate(self._by_sides(point.depths)):
            errors = self._by_sides(point.errors)[:, index]
            deepest = deepest_side(volumes, errors)
            without.depths[index] = shape.sides * deepest.volume
            share = without.depths[index] / max(point.depths[index], 1e-300)
            without.rates[index] *= share
            without.parts[:, index] *= share
            without.parts[0, index] = shape.sides * deepest.half_width + (
                self._without_blocks(point, index) * without.depths[index]
            )
            without.bars[index] = without.parts[:, index].sum()
        return without

    def never_back(self, points: Sequence[LifePoint]) -> list[LifePoint]:
        """Return points with their deepest sides, whose depths never decrease."""
        deepest = [self.deepest(point) for point in points]
        depths = np.maximum.accumulate([point.depths for point in deepest] or np.zeros((0, 1)))
        return [replace(point, depths=row) for point, row in zip(deepest, depths, strict=True)]

    def _without_sides(self, point: LifePoint) -> LifePoint:
        names = ("depths", "bars", "rates", "parts")
        return replace(
            point, **{name: getattr(point, name)[..., : self._count + 1].copy() for name in names}
        )

    def sectors(self, points: Sequence[LifePoint], time: float, index: int) -> WornSectors:
        """Return the wear of a contact by sides after a service time [s], between two points."""
        point = _at(points, time)
        shape = self._shape
        assert isinstance(shape, TubeBySides)
        volumes = self._by_sides(point.depths)[index]
        bars = half_widths(self._by_sides(point.errors)[:, index])
        bars += self._without_blocks(point, index) * volumes
        deepest = self.deepest(point)
        scale = 1.0 / shape.area
        return WornSectors(
            tuple(volumes.tolist()),
            tuple(bars.tolist()),
            float(volumes.sum()) * scale,
            float(deepest.depths[index]) * scale,
            float(deepest.bars[index]) * scale,
            -180.0 / shape.sides,
            is_followed=True,
        )

    def _without_blocks(self, point: LifePoint, index: int) -> float:
        """Return the relative error of a volume that is not from the scatter of blocks."""
        volume, scatter = float(point.depths[index]), float(half_widths(point.errors)[index])
        return max(float(point.parts[0, index]) - scatter, 0.0) / volume if volume > 0.0 else 0.0

    def _by_sides(self, state: Floats) -> Floats:
        """Return the volumes [m³] of sides (…, contacts, sides) in a state (…, n)."""
        volumes = state[..., self._count + 1 :]
        return volumes.reshape(*state.shape[:-1], self._count, -1)


def _at(points: Sequence[LifePoint], time: float) -> LifePoint:
    """Return the point at a time [s], linearly interpolated."""
    later = next(n for n, point in enumerate(points) if point.time >= time or n + 1 == len(points))
    after, before = points[later], points[max(0, later - 1)]
    if after.time <= time or after is before:
        return after
    share = (time - before.time) / (after.time - before.time)
    return replace(
        after,
        time=time,
        errors=added([(1.0 - share) * before.errors, share * after.errors]),
        **{
            name: (1.0 - share) * getattr(before, name) + share * getattr(after, name)
            for name in ("depths", "bars", "parts")
        },
    )
