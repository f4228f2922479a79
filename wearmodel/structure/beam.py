"""Matrices of straight tubes and rods on supports, with Timoshenko beam elements.

    E I θ'' + κ G A (w' − θ) = ρ I θ̈,   κ G A (w'' − θ') = ρ A ẅ

The elements have two nodes and exact statics. Cubic deflection w and quadratic rotation θ fulfil
the equations of equilibrium (Friedman and Kosmatka, Computers & Structures 47, 1993). The mass of
translation and rotation is consistent. Frequencies converge from above, with the fourth power of
the element length for a slender beam, and with the second power if shear is important. The beam has
both transverse directions without coupling. Axial vibration and torsion are not modelled.

Degrees of freedom, from 1, at node n (from 0): 4n + 1 w_y, 4n + 2 θ_z, 4n + 3 w_z, 4n + 4 θ_y. Both
rotations are positive if the deflection increases with x.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.io
import scipy.sparse
from numpy.typing import NDArray

from wearmodel.arrays import Floats

DOFS_PER_NODE = 4

# Gauss's rule with 4 points on −1 … 1 is exact for the mass, which has degree 6. numpy computes the
# rule from eigenvalues, whose last digits depend on the processor.
_INNER, _OUTER = (math.sqrt(3.0 / 7.0 + sign * 2.0 / 7.0 * math.sqrt(1.2)) for sign in (-1.0, 1.0))
_GAUSS_POINTS = (-_OUTER, -_INNER, _INNER, _OUTER)
_GAUSS_WEIGHTS = tuple((18.0 + sign * math.sqrt(30.0)) / 36.0 for sign in (-1.0, 1.0, 1.0, -1.0))


@dataclass(frozen=True)
class BeamSection:
    """Section and material of a beam with equal properties in all directions, in SI units."""

    #: A [m2] and I [m4].
    area: float
    second_moment: float
    shear_factor: float  #: κ, the share of the area that is loaded in shear.
    #: E and G [Pa].
    young: float
    shear_modulus: float
    density: float  #: ρ [kg/m3].
    added_mass: float = 0.0  #: Mass of the fluid around or inside [kg/m], without rotary inertia.

    @property
    def bending_stiffness(self) -> float:
        """E I [N.m2]."""
        return self.young * self.second_moment

    @property
    def shear_stiffness(self) -> float:
        """κ G A [N]."""
        return self.shear_factor * self.shear_modulus * self.area


def tube_section(
    outer_diameter: float,
    thickness: float,
    *,
    young: float,
    density: float,
    poisson: float = 0.3,
    added_mass: float = 0.0,
) -> BeamSection:
    """Section of a tube (diameters in m, E in Pa). Thin wall: κ = 2 (1 + ν)/(4 + 3 ν), Cowper."""
    if not 0.0 < thickness <= 0.5 * outer_diameter:
        raise ValueError(
            f"thickness={thickness!r} m must be > 0 and ≤ outer_diameter/2="
            f"{0.5 * outer_diameter!r} m"
        )
    inner_diameter = outer_diameter - 2.0 * thickness
    outer, inner = outer_diameter * outer_diameter, inner_diameter * inner_diameter
    return BeamSection(
        area=0.25 * math.pi * (outer - inner),
        second_moment=math.pi / 64.0 * (outer - inner) * (outer + inner),
        shear_factor=2.0 * (1.0 + poisson) / (4.0 + 3.0 * poisson),
        young=young,
        shear_modulus=young / (2.0 * (1.0 + poisson)),
        density=density,
        added_mass=added_mass,
    )


@dataclass(frozen=True)
class Beam:
    """Matrices of a beam with equal elements, and its free degrees of freedom."""

    #: Sparse matrices of the free degrees of freedom.
    mass: Any
    stiffness: Any
    length: float  #: Length of the beam [m].
    elements: int  #: Number of elements.
    free: NDArray[np.intp]  #: Indices (from 0) of the free degrees of freedom among all.

    def dof(self, position: float, direction: str) -> int:
        """Number (from 1) of the deflection along "y" or "z" at the node nearest to `position` [m].

        ValueError if the deflection is fixed there, or the position is outside the beam.
        """
        if not 0.0 <= position <= self.length:
            raise ValueError(f"position={position!r} m must be 0 to {self.length!r} m")
        node = round(position / self.length * self.elements)
        index = DOFS_PER_NODE * node + 2 * ("y", "z").index(direction)
        place = int(np.searchsorted(self.free, index))
        if place == len(self.free) or self.free[place] != index:
            raise ValueError(
                f"the deflection along {direction} at {position!r} m is fixed by a support"
            )
        return place + 1

    def dofs(self, direction: str) -> list[int]:
        """Numbers (from 1) of all free deflections along "y" or "z"."""
        wanted = 2 * ("y", "z").index(direction)
        return [int(i) + 1 for i in np.flatnonzero(self.free % DOFS_PER_NODE == wanted)]

    def write(self, folder: Path, stem: str = "beam") -> tuple[Path, Path]:
        """Write `<stem>_mass.mtx` and `<stem>_stiffness.mtx` into a folder. Return their paths."""
        paths = (folder / f"{stem}_mass.mtx", folder / f"{stem}_stiffness.mtx")
        for path, matrix in zip(paths, (self.mass, self.stiffness), strict=True):
            scipy.io.mmwrite(path, matrix, symmetry="symmetric", precision=17)
        return paths


def timoshenko_beam(
    section: BeamSection,
    length: float,
    elements: int,
    *,
    clamped: tuple[float, ...] = (),
    pinned: tuple[float, ...] = (),
    springs: tuple[tuple[float, float], ...] = (),
) -> Beam:
    """Return a straight beam of equal elements along x, free except at its supports.

    Supports are at the nearest nodes: `clamped` and `pinned` are positions [m] with fixed
    deflections and rotations, or with fixed deflections only, and `springs` are positions [m] and
    stiffnesses [N/m] of elastic supports of both deflections.
    """
    if not length > 0.0 or elements < 1:
        raise ValueError(f"length={length!r} m and elements={elements!r} must be > 0")
    size = DOFS_PER_NODE * (elements + 1)
    mass = scipy.sparse.lil_array((size, size))
    stiffness = scipy.sparse.lil_array((size, size))
    element_mass, element_stiffness = element_matrices(section, length / elements)
    for element in range(elements):
        for plane in (0, 2):
            first = DOFS_PER_NODE * element + plane
            second = first + DOFS_PER_NODE
            places = np.ix_(
                [first, first + 1, second, second + 1], [first, first + 1, second, second + 1]
            )
            mass[places] += element_mass
            stiffness[places] += element_stiffness

    def first_dof(position: float) -> int:
        if not 0.0 <= position <= length:
            raise ValueError(f"a support at {position!r} m must lie within 0 to {length!r} m")
        return DOFS_PER_NODE * round(position / length * elements)

    for position, spring in springs:
        for plane in (0, 2):
            place = first_dof(position) + plane
            stiffness[place, place] += spring
    held = {first_dof(position) + dof for position in clamped for dof in range(DOFS_PER_NODE)}
    held.update(first_dof(position) + dof for position in pinned for dof in (0, 2))
    free = np.array([index for index in range(size) if index not in held], dtype=np.intp)
    return Beam(
        mass=mass.tocsc()[free][:, free],
        stiffness=stiffness.tocsc()[free][:, free],
        length=length,
        elements=elements,
        free=free,
    )


def element_matrices(section: BeamSection, length: float) -> tuple[Floats, Floats]:
    """Mass and stiffness of one element in one plane, for (w_0, θ_0, w_1, θ_1)."""
    bending = section.bending_stiffness
    # Products, because the rounding of powers depends on the processor.
    square = length * length
    phi = 12.0 * bending / (section.shear_stiffness * square)
    factor = bending / ((1.0 + phi) * square * length)
    stiffness = factor * np.array(
        [
            [12.0, 6.0 * length, -12.0, 6.0 * length],
            [6.0 * length, (4.0 + phi) * square, -6.0 * length, (2.0 - phi) * square],
            [-12.0, -6.0 * length, 12.0, -6.0 * length],
            [6.0 * length, (2.0 - phi) * square, -6.0 * length, (4.0 + phi) * square],
        ]
    )
    mass = np.zeros((4, 4))
    for point, weight in zip(_GAUSS_POINTS, _GAUSS_WEIGHTS, strict=True):
        point, weight = 0.5 * (point + 1.0), 0.5 * length * weight
        deflection, rotation = _shape_functions(point, phi, length)
        mass += (
            weight
            * (section.density * section.area + section.added_mass)
            * np.outer(deflection, deflection)
        )
        mass += weight * section.density * section.second_moment * np.outer(rotation, rotation)
    return mass, stiffness


def _shape_functions(s: float, phi: float, length: float) -> tuple[Floats, Floats]:
    """Shape functions of deflection and rotation at s = x/length, for w_0, θ_0, w_1, θ_1."""
    square = s * s
    cube = square * s
    deflection = np.array(
        [
            2.0 * cube - 3.0 * square - phi * s + 1.0 + phi,
            length * (cube - (2.0 + 0.5 * phi) * square + (1.0 + 0.5 * phi) * s),
            -2.0 * cube + 3.0 * square + phi * s,
            length * (cube - (1.0 - 0.5 * phi) * square - 0.5 * phi * s),
        ]
    )
    rotation = np.array(
        [
            6.0 / length * (square - s),
            3.0 * square - (4.0 + phi) * s + 1.0 + phi,
            -6.0 / length * (square - s),
            3.0 * square - (2.0 - phi) * s,
        ]
    )
    return deflection / (1.0 + phi), rotation / (1.0 + phi)
