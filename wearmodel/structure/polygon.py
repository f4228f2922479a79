"""Sides of a hole with a convex polygonal profile: their directions, gaps and rules.

A side has a direction and a gap. The direction of its outward normal is an angle in the frame of
the hole, from the first transverse axis. The gap is its distance from the centre of the hole.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import List, Tuple  # noqa: UP035, Python 3.9

from ..kernel.limits import MOST_SIDES

Numbers = Tuple[float, ...]  # noqa: UP006, outside annotations
Normals = List[Tuple[float, float]]  # noqa: UP006


def polygon_sides(
    sides: int, directions: Sequence[float], gaps: Sequence[float], gap: float
) -> tuple[Numbers, Numbers]:
    """Directions [degrees] and gaps [m] of all sides, checked.

    Without directions the polygon is regular, and side 1 is at angle 0. Without gaps all sides have
    the same `gap`. Otherwise `gap` is the smallest gap, and a value other than 0 moves all sides by
    the same distance. ValueError if the sides do not form a closed convex polygon in which each
    side has a positive length.
    """
    counts = {"directions": len(directions), "gaps": len(gaps), "sides": sides}
    given = {name: count for name, count in counts.items() if count}
    count = max(given.values(), default=0)
    for name, number in given.items():
        if number != count:
            raise ValueError(
                f"{name} has {number} sides and must have {count}, as another key has. Give all "
                "sides in each key"
                if name != "sides"
                else f"sides = {number} contradicts the lists of {count} sides. Remove sides"
            )
    if not 3 <= count <= MOST_SIDES:
        raise ValueError(
            f"sides = {count} is invalid in a polygon: it must be 3 to {MOST_SIDES}. Give sides, "
            "or directions and gaps"
        )
    angles = tuple(directions) or tuple(360.0 * side / count for side in range(count))
    _check_angles(angles)
    least = min(gaps, default=gap)
    for number, own in enumerate(gaps, start=1):
        if not (math.isfinite(own) and own > 0.0):
            raise ValueError(
                f"gaps[{number}] = {own} m is invalid: it must be finite and > 0, as the centre "
                "is inside the hole. Shift the point by offset"
            )
    if gaps and gap not in (0.0, least):
        gaps = [gap + (own - least) for own in gaps]
    gaps = tuple(gaps) or (gap,) * count
    for number, length in enumerate(_lengths(angles, gaps), start=1):
        if not length > 0.0:
            raise ValueError(
                f"gaps[{number}] = {gaps[number - 1]} m is invalid: between its neighbours side "
                f"{number} has the length {length:.4g} m, and it must be > 0. Use a smaller gap, "
                "or leave out the side"
            )
    return angles, gaps


def _check_angles(angles: Sequence[float]) -> None:
    for number, angle in enumerate(angles, start=1):
        following = angles[number % len(angles)] + (360.0 if number == len(angles) else 0.0)
        if not math.isfinite(angle):
            raise ValueError(f"directions[{number}] = {angle}° must be finite")
        if not 0.0 < following - angle < 180.0:
            raise ValueError(
                f"directions[{number}] = {angle}° is invalid before the next direction, "
                f"{following}°: directions must increase by more than 0° and less than 180°, once "
                "around the hole. Sort them, or add the missing side"
            )


def outward_normals(angles: Sequence[float]) -> Normals:
    """Outward normals of sides in the frame of the hole. Multiples of 90° are exact."""
    normals = []
    for angle in angles:
        quarter = round(angle / 90.0)
        rest = math.radians(angle - 90.0 * quarter)
        normal = (math.cos(rest), math.sin(rest))
        for _ in range(quarter % 4):
            normal = (-normal[1], normal[0])
        normals.append(normal)
    return normals


def least_gap(angles: Sequence[float], gaps: Sequence[float]) -> float:
    """Smallest gap [m] that `polygon_sides` accepts with the same differences between sides.

    If all sides move outwards by the same distance, the length of side i grows by
    tan(α/2) + tan(α'/2) times this distance. α and α' are the angles to its neighbours.
    """
    grown = _lengths(angles, (1.0,) * len(angles))
    lengths = _lengths(angles, gaps)
    reach = max(-length / growth for length, growth in zip(lengths, grown))
    return max(min(gaps) + reach, 0.0)


def _lengths(angles: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """Lengths of the sides [m] between the lines of their neighbours."""
    count = len(angles)
    lengths = []
    for side in range(count):
        length = 0.0
        for neighbour in (side - 1, (side + 1) % count):
            turn = math.radians(abs(angles[neighbour] - angles[side]) % 360.0)
            turn = min(turn, 2.0 * math.pi - turn)
            length += (gaps[neighbour] - gaps[side] * math.cos(turn)) / math.sin(turn)
        lengths.append(length)
    return lengths
