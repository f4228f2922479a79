"""The state of a service life: volume of each contact, service time, and volume of each side.

Contacts whose sides are not followed have no volumes of sides. Sides share the volume of their
contact. This volume determines the extrapolation steps and the length of the runs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from harness.life.life_file import Life
from harness.life.sections import Floats
from harness.life.worn_contact import worn_parameters
from harness.life.worn_sectors import WornSectors
from wearmodel.statistics.cycle_jump import LifePoint
from wearmodel.statistics.paired_blocks import added, half_widths
from wearmodel.statistics.worn_sides import (
    TubeBySides,
    deepest_side,
    longest_half_step,
    spread_over_sides,
)


class SideState:
    """Depths of contacts and sides in the state of a service life.

    Parameters
    ----------
    life : Life
        The service life.
    """

    def __init__(self, life: Life) -> None:
        self._contacts = life.contacts
        self._shape = life.shape
        self._count = len(life.contacts)
        self._limits_depth = life.criterion is None or life.criterion.variable == "depth"
        unworn, parameters = [0.0] * self._count, life.motions[0].case.parameters
        self._gaps = worn_parameters(life.contacts, parameters, unworn, life.shape.scars)[1]

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
        volumes = self._by_sides(settled)
        for contact, gap, of_sides in zip(self._contacts, self._gaps, volumes, strict=True):
            scale = contact.growth * shape.sides / shape.area
            gaps = (gap or 0.0) + scale * of_sides
            spread = spread_over_sides(gaps)
            if spread is not gaps:
                of_sides += (spread - gaps) / scale
        return settled

    def longest(self, state: Floats, rates: Floats) -> float:
        """Return the longest time [s] of half a step with rates [m³/s] of the sides."""
        shape, longest = self._shape, math.inf
        if not isinstance(shape, TubeBySides):
            return longest
        worn = zip(self._contacts, self._gaps, self._by_sides(state), strict=True)
        for (contact, gap, volumes), of_sides in zip(worn, rates, strict=True):
            scale = contact.growth * shape.sides / shape.area
            gaps = (gap or 0.0) + scale * volumes
            longest = min(longest, longest_half_step(gaps, scale * of_sides))
        return longest

    def judged(self, point: LifePoint) -> LifePoint:
        """Return a point without sides, with the volumes that the criterion is compared with."""
        return self.deepest(point) if self._limits_depth else self._without_sides(point)

    def deepest(self, point: LifePoint) -> LifePoint:
        """Return a point without sides, with volumes of even wear as deep as the deepest side.

        The rates, and the errors of extrapolation, time step and bounds, are those of the contact,
        in proportion.
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
        """Return the part of a volume's error bar that is not the scatter of blocks, relative."""
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
