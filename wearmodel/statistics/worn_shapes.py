"""Worn shapes: depth of a wear scar of given volume, and volume of a scar of given depth.

A shape is the section of the scar in the moving part, an area A(s) at the depth s, over the width L
of the contact. For a flat contact V = n L A(d). For a contact inclined by θ the depth varies along
the scar: V = (n/θ) ∫ A(s) ds from max(0, d − Lθ) to d. n is the number of equal scars.

`volume` and `depth` evaluate the geometry exactly for any depth. If the operator POST_USURE uses an
approximation, `operator_depth` returns its value, to reproduce older studies. Not included: scars
that merge, and changes of shape other than growing depth.

Source: EDF POST_USURE (R7.04.10), shapes TUBE_BAV, TUBE_ALESAGE, TUBE_3_ENCO, TUBE_4_ENCO,
TUBE_TUBE, GRAPPE_ALESAGE. Areas are computed without cancellation for thin scars. The pad and the
sector with even wear are in `even_wear`. docs/how_to/wear_to_depth.md shows the sections.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from ..quantities import require_not_negative, require_positive
from .even_wear import (
    CrownedPad,
    FlatPad,
    require_scars_on_one_or_both_faces,
    sector_depth,
)

__all__ = [
    "SHAPES",
    "CrownedPad",
    "FlatPad",
    "RodInGuide",
    "TubeAcrossTube",
    "TubeInHole",
    "TubeOnFlatBar",
    "TubeOnFourLands",
    "TubeOnThreeLands",
    "WornShape",
    "sector_depth",
]

# Areas grow like s^(3/2) and s², so all integrands are smooth in √s. 40 points suffice.
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
    """Area [m²] of a circle outside a wider circle, whose edge it exceeds by `depth` [m]."""
    shift = hole_radius - radius + depth
    if depth == 0.0 or shift == 0.0:
        return 0.0
    height = min(depth * (2.0 * hole_radius + depth) / (2.0 * shift), 2.0 * radius)
    return segment_area(radius, height) - segment_area(
        hole_radius, _hole_height(radius, depth, shift)
    )


def lune_half_angle(radius: float, hole_radius: float, depth: float) -> float:
    """Half the angle [rad] of the lune of `lune_area` at the centre of the wider circle."""
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


@dataclass(frozen=True)
class WornShape:
    """Scar with the section `area`, flat or inclined.

    Raises
    ------
    ValueError
        A parameter is out of range.
    """

    tube_radius: float  #: Outer radius R > 0 of the moving tube [m].
    width: float  #: Width L > 0 of the contact along the tube [m].
    #: Small angle θ ≥ 0 between tube and obstacle [rad]. The depth decreases by θ per length.
    inclination: float = 0.0

    scars: int = field(default=1, init=False)

    operator_name: ClassVar[str]

    def __post_init__(self) -> None:
        require_positive("tube_radius", self.tube_radius, "m")
        require_positive("width", self.width, "m")
        require_not_negative("inclination", self.inclination, "rad")

    @property
    def largest_depth(self) -> float:
        """Largest valid depth [m], at which the tube is worn through."""
        return 2.0 * self.tube_radius

    def area(self, depth: float) -> float:
        """Area [m²] of the section at a scar depth of `depth` [m]."""
        raise NotImplementedError

    def volume(self, depth: float) -> float:
        """Worn volume of the tube [m³] with scars of this depth.

        Parameters
        ----------
        depth : float
            Largest depth d of a scar [m], between 0 and `largest_depth`.

        Raises
        ------
        ValueError
            The depth is out of range.
        """
        if not 0.0 <= depth <= self.largest_depth:
            raise ValueError(
                f"depth={depth:.4g} m must be between 0 and {self.largest_depth:.4g} m, where the"
                " tube is worn through"
            )
        return self._volume(depth)

    def depth(self, volume: float) -> float:
        """Depth of the scars [m] for a given worn volume.

        Parameters
        ----------
        volume : float
            Worn volume V ≥ 0 of the tube [m³], all scars together.

        Raises
        ------
        ValueError
            The volume is negative, not finite, or larger than the volume at `largest_depth`.
        """
        require_not_negative("volume", volume, "m3")
        return self._depth_where(self._volume, volume)

    def _volume(self, depth: float) -> float:
        if self.inclination == 0.0:
            return self.scars * self.width * self.area(depth)
        shallow = max(0.0, depth - self.width * self.inclination)
        return self.scars * integral_over_depth(self.area, shallow, depth) / self.inclination

    def _depth_where(self, volume_of: Callable[[float], float], volume: float) -> float:
        if volume == 0.0:
            return 0.0
        deepest = self.largest_depth
        largest = volume_of(deepest)
        if volume > largest:
            raise ValueError(
                f"volume={volume:.4g} m3 must be ≤ {largest:.4g} m3, at which the tube is worn"
                " through: reduce the volume, or check the unit of the wear coefficient, m2/N"
            )
        from scipy.optimize import brentq  # the import takes half a second

        # Depths span many decades, so the root is found on a logarithmic scale.
        low = deepest
        while volume_of(low) > volume:
            low *= 1e-3
        root = brentq(
            lambda exponent: volume_of(math.exp(exponent)) / volume - 1.0,
            math.log(low),
            math.log(deepest),
            xtol=1e-15,
            rtol=8.9e-16,
        )
        return math.exp(root)


@dataclass(frozen=True)
class TubeOnFlatBar(WornShape):
    """TUBE_BAV: a tube worn by a flat bar, with a segment of its circle as section.

    A = R²(φ − sin φ cos φ) with cos φ = 1 − s/R. The operator replaces the circle by a parabola,
    A = (4/3) s √(2Rs), which is exact for thin scars and otherwise 0.15 s/R too large.
    """

    scars: int = 1  #: 1, or 2 for a tube between two flat supports.

    operator_name: ClassVar[str] = "TUBE_BAV"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_scars_on_one_or_both_faces(self.scars)

    def area(self, depth: float) -> float:
        """Area [m²] of a circular segment of height `depth` [m]."""
        return segment_area(self.tube_radius, depth)

    def operator_depth(self, volume: float) -> float:
        """Depth [m] with the parabola of the operator.

        d = (1/2R)^(1/3) (3V/4L)^(2/3) flat, (1/2R)^(1/5) (15θV/8)^(2/5) inclined if d ≤ Lθ, and
        otherwise the root of V = 8√(2R) (d^(5/2) − (d − Lθ)^(5/2))/(15θ).

        Parameters
        ----------
        volume : float
            Worn volume V ≥ 0 of the tube [m³]. If the obstacle wears too, the operator uses the
            volume of both and then the share of the tube in the depth.

        Raises
        ------
        ValueError
            The volume is negative or not finite.
        """
        require_not_negative("volume", volume, "m3")
        per_radius = 1.0 / (2.0 * self.tube_radius)
        if self.inclination == 0.0:
            return float(math.cbrt(per_radius) * math.cbrt(3.0 * volume / (4.0 * self.width)) ** 2)
        depth: float = per_radius**0.2 * (15.0 * self.inclination * volume / 8.0) ** 0.4
        run_out = self.width * self.inclination
        if depth <= run_out:
            return depth
        factor = 8.0 * math.sqrt(2.0 * self.tube_radius) / (15.0 * self.inclination)
        return self._depth_where(lambda d: factor * (d**2.5 - max(0.0, d - run_out) ** 2.5), volume)


@dataclass(frozen=True)
class TubeAcrossTube(TubeOnFlatBar):
    """TUBE_TUBE: a tube worn by another tube that crosses it at a small angle.

    The scar is the part of the scar of an inclined flat bar within the contact. `width` is the
    length over which the tubes can touch. As in the operator, the curvature of the crossing tube is
    neglected.
    """

    operator_name: ClassVar[str] = "TUBE_TUBE"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_positive("inclination", self.inclination, "rad")


@dataclass(frozen=True)
class TubeInHole(WornShape):
    """TUBE_ALESAGE: a tube with two opposite scars in a round hole.

    A is the lune of the tube outside the circle of the hole if the tube is shifted by R_o − R + s.
    If `hole_radius` is 0, the tube wears evenly all round: V = 2πR L d.
    """

    scars: int = field(default=2, init=False)
    hole_radius: float = 0.0  #: Radius R_o > R of the hole [m], or 0 for even wear.

    operator_name: ClassVar[str] = "TUBE_ALESAGE"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.hole_radius == 0.0:
            if self.inclination != 0.0:
                raise ValueError(
                    f"inclination={self.inclination} rad must be 0 without a hole_radius: an even"
                    " wear has no run-out"
                )
            return
        _require_hole(self.hole_radius, self.tube_radius)

    def area(self, depth: float) -> float:
        """Area [m²] of one lune, or of half the ring for even wear."""
        if self.hole_radius == 0.0:
            return math.pi * self.tube_radius * depth
        return lune_area(self.tube_radius, self.hole_radius, depth)

    def arc(self, depth: float) -> float:
        """Angle [rad] of the hole that all scars of a depth [m] cover."""
        if self.hole_radius == 0.0:
            return 2.0 * math.pi
        return 2.0 * self.scars * lune_half_angle(self.tube_radius, self.hole_radius, depth)

    def operator_depth(self, volume: float) -> float:
        """Depth [m] with the formula of the operator, which approximates the scar by a pyramid.

        V = 2 d A(d)/(3θ) if d ≤ Lθ, otherwise V = 2 L (A + A₁ + √(A A₁))/3 with
        A₁ = A(d − Lθ). The area grows like d^(3/2) and not d², so the depth is about 8 % too large
        if the scar does not cover the width. Without inclination both formulas are equal.

        Parameters
        ----------
        volume : float
            Worn volume V ≥ 0 of the tube [m³].

        Raises
        ------
        ValueError
            The volume is negative or not finite, or the tube is worn through.
        """
        require_not_negative("volume", volume, "m3")
        if self.inclination == 0.0:
            return self.depth(volume)
        run_out = self.width * self.inclination

        def pyramid(depth: float) -> float:
            deep = self.area(depth)
            if depth <= run_out:
                return 2.0 * depth * deep / (3.0 * self.inclination)
            shallow = self.area(depth - run_out)
            return 2.0 * self.width * (deep + shallow + math.sqrt(deep * shallow)) / 3.0

        return self._depth_where(pyramid, volume)


@dataclass(frozen=True)
class RodInGuide(TubeInHole):
    """GRAPPE_ALESAGE: a rod with one scar in its guide. A is the lune of `TubeInHole`."""

    scars: int = field(default=1, init=False)

    operator_name: ClassVar[str] = "GRAPPE_ALESAGE"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_positive("hole_radius", self.hole_radius, "m")


@dataclass(frozen=True)
class TubeOnThreeLands(WornShape):
    """TUBE_3_ENCO: a tube in a hole with three lands, worn at the edge of a land.

    On the land the scar is half the lune of `TubeInHole`. Beyond the edge it follows the flank, a
    triangle of height s and angle ψ: A = (lune + s² tan ψ)/2.
    """

    hole_radius: float = 0.0  #: Radius R_o > R of the circle of the lands [m].
    land_half_angle: float = 0.0  #: Half angle ψ of a land [rad], between 0 and π/2.

    operator_name: ClassVar[str] = "TUBE_3_ENCO"

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_hole(self.hole_radius, self.tube_radius)
        if not 0.0 <= self.land_half_angle < 0.5 * math.pi:
            raise ValueError(
                f"land_half_angle={self.land_half_angle} rad must be between 0 and π/2"
            )

    def area(self, depth: float) -> float:
        """Area [m²] of half a lune and the adjacent triangle."""
        lune = lune_area(self.tube_radius, self.hole_radius, depth)
        return 0.5 * (lune + depth * depth * math.tan(self.land_half_angle))

    def arc(self, depth: float) -> float:
        """Angle [rad] of the circle of the lands that all scars of a depth [m] cover."""
        return self.scars * lune_half_angle(self.tube_radius, self.hole_radius, depth)


@dataclass(frozen=True)
class TubeOnFourLands(TubeOnThreeLands):
    """TUBE_4_ENCO: as `TubeOnThreeLands`, with two scars on opposite lands."""

    scars: int = field(default=2, init=False)

    operator_name: ClassVar[str] = "TUBE_4_ENCO"


SHAPES: dict[str, type[WornShape]] = {
    shape.operator_name: shape
    for shape in (
        TubeOnFlatBar,
        TubeInHole,
        TubeOnThreeLands,
        TubeOnFourLands,
        TubeAcrossTube,
        RodInGuide,
    )
}


def _require_hole(hole_radius: float, tube_radius: float) -> None:
    if not tube_radius < hole_radius < math.inf:
        raise ValueError(
            f"hole_radius={hole_radius} m must be > tube_radius={tube_radius} m and finite"
        )
