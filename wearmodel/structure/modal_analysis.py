"""Modes of a mass and a stiffness matrix, and the flexibility of the omitted modes.

    K φ_i = ω_i² M φ_i,  φ_iᵀ M φ_j = δ_ij,   L_id = φ_iᵀ M r_d
    f(b) = pᵀ x,   p = b − Σ_(i kept) M φ_i (φ_i·b),   K x = p,   φ_iᵀ M x = 0 for each i kept

f(b) = Σ_(i omitted) (φ_i·b)²/ω_i² is the part of the omitted modes in the static displacement along
b by a unit force along b. Force and displacement are orthogonal to the kept modes, because the
difference of the total flexibility and the flexibility of the kept modes would lose digits. If
rigid modes Φ_r make K singular, p is orthogonal to them (inertia relief), and

    K x + M Φ_r λ = p,   Φ_rᵀ M x = 0

so the result does not depend on the supports.

The modes are solutions of the inverse problem, σ² = 1/(ω² + s), in which the lowest modes have the
largest values. Small matrices use the singular vectors of L⁻¹G, with the Cholesky factors of
K + s M = L Lᵀ and M = G Gᵀ. Large matrices use shift-invert Lanczos. K φ = ω² M φ itself would give
the lowest modes with the rounding errors of the highest modes. The frequencies are Rayleigh
quotients of these modes, summed with doubled precision.

Modes of equal frequency and the signs of modes are not unique. They are chosen independent of the
rounding of a processor, see `modal_basis`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse
import scipy.sparse.linalg
from numpy.typing import NDArray

from wearmodel.arrays import Floats

from .description import StructureError

# Share of the largest kept eigenvalue. Smaller eigenvalues are rounding errors of rigid modes.
RIGID_SHARE = 1e-10
# Factor that splits the digits of a double into two halves.
_SPLITTER = 2.0**27 + 1.0
# Rounding error of eigenvalues, relative to the largest quotient of diagonal entries of K and M.
_ROUNDING = 1e-14
# Share of the largest kept eigenvalue. Below minus this, an eigenvalue is not a rounding error.
_NEGATIVE_SHARE = 1e-6
# Largest size for which all eigenvalues are computed with dense matrices.
_DENSE_SIZE = 400
# Shift s as a share of the largest kept eigenvalue: large enough for a well-conditioned K + s M,
# and small enough to separate the low modes.
_SHIFT = 1e-2
# Relative difference below which eigenvalues are equal. Their error is about 1e-15, and modes with
# a larger difference have errors of at most 1e-7.
_EQUAL_SHARE = 1e-9
# Share of the largest displacement from which a degree of freedom determines equal modes.
_SETTLING_SHARE = 0.1
# Share of the largest displacement above which the given degrees of freedom are used.
_MOVED_SHARE = 1e-6
# Share of the largest component of a mode. Smaller components are rounding errors.
_STILL_SHARE = 1e-12
# Largest relative asymmetry that writing and reading decimal numbers can cause.
_ASYMMETRY = 1e-8


@dataclass(frozen=True)
class ModalBasis:
    """Lowest modes of a structure given by matrices."""

    #: M and K, square and symmetric.
    mass: Any
    stiffness: Any
    frequency: Floats  #: Increasing frequencies [Hz], exactly 0 for rigid modes.
    #: A mass-normalised mode in each column. `modal_basis` defines their signs.
    shapes: Floats

    def participation(self, dofs: NDArray[np.intp]) -> Floats:
        """φᵀ M r of each mode, with r = 1 at `dofs` (from 0) and 0 elsewhere."""
        motion = np.zeros(self.shapes.shape[0])
        motion[dofs] = 1.0
        return np.asarray(self.shapes.T @ (self.mass @ motion))

    def residual_flexibility(self, forces: Floats) -> Floats:
        """Symmetric matrix f [m/N] of the omitted modes between the columns of `forces`."""
        inertia = self.mass @ self.shapes
        loads = forces - inertia @ (self.shapes.T @ forces)
        rigid = inertia[:, self.frequency == 0.0]
        count = rigid.shape[1]
        matrix = self.stiffness
        if count:
            matrix = scipy.sparse.bmat([[matrix, rigid], [rigid.T, None]])
        whole = np.vstack([loads, np.zeros((count, forces.shape[1]))])
        moved = scipy.sparse.linalg.splu(scipy.sparse.csc_array(matrix)).solve(whole)
        moved = moved[: forces.shape[0]]
        moved -= self.shapes @ (inertia.T @ moved)
        left = loads.T @ moved
        return np.asarray(0.5 * (left + left.T))


def modal_basis(
    mass: Any, stiffness: Any, count: int, *, settled_by: Sequence[int] = ()
) -> ModalBasis:
    """Return the `count` lowest modes of symmetric square matrices M and K, dense or sparse.

    Modes whose ω² agree to 1e-9 are a group with one frequency. They are rotated by the degrees of
    freedom `settled_by` (from 0), in their order. The first degree of freedom whose displacement in
    the group is at least a tenth of the largest displacement is moved by a single mode, in positive
    direction. The next degrees of freedom determine the other modes in the same way. This also
    determines the sign of each mode. If these displacements are below 1e-6 of the largest, all
    degrees of freedom are used. A group is rotated as a whole, even if `count` includes only a part
    of it. Components below 1e-12 of the largest component of a mode are 0.

    StructureError if the matrices have different sizes or are not symmetric, M is not positive
    definite, K is indefinite, or there are fewer modes than `count`.
    """
    mass = scipy.sparse.csc_array(mass, dtype=float)
    stiffness = scipy.sparse.csc_array(stiffness, dtype=float)
    size = mass.shape[0]
    for name, matrix in (("mass", mass), ("stiffness", stiffness)):
        if matrix.shape != (size, size):
            raise StructureError(
                f"{name} is a matrix of {matrix.shape[0]} × {matrix.shape[1]}: it must be square, "
                f"and as large as the mass ({size})"
            )
        if not np.all(np.isfinite(matrix.data)):
            raise StructureError(f"{name} has an entry that is not finite")
        largest = abs(matrix).max()
        if abs(matrix - matrix.T).max() > _ASYMMETRY * largest:
            raise StructureError(
                f"{name} must be symmetric: if a Matrix Market file contains one triangle, its "
                "first line must contain symmetric"
            )
    if not 1 <= count <= size:
        raise StructureError(f"count = {count} modes must be 1 to {size}, the matrices' size")
    rounding = _ROUNDING * np.max(stiffness.diagonal() / mass.diagonal())
    try:
        if size <= _DENSE_SIZE or count >= size - 1:
            shapes = _all_modes(mass.toarray(), stiffness.toarray(), count, rounding)
        else:
            shapes = _lowest_modes(mass, stiffness, count, rounding)
    except (np.linalg.LinAlgError, RuntimeError) as problem:
        raise StructureError(
            f"the mass matrix must be positive definite, and the stiffness matrix positive "
            f"semidefinite ({' '.join(str(problem).split())})"
        ) from None
    values = _rayleigh_quotients(mass, stiffness, shapes)
    values = np.where(values < _rigid_below(values[count - 1], rounding), 0.0, values)
    values, shapes = _settled(values, shapes, np.array(settled_by, dtype=np.intp))
    frequency = np.sqrt(values[:count]) / (2.0 * math.pi)
    return ModalBasis(mass, stiffness, frequency, shapes[:, :count])


def _rigid_below(highest: float, rounding: float) -> float:
    """ω² below which a mode is rigid, from the highest kept mode and the rounding error."""
    return max(RIGID_SHARE * highest, rounding)


def _check_no_negative(lowest: float, highest: float, rounding: float) -> None:
    if lowest < -max(_NEGATIVE_SHARE * abs(highest), rounding):
        raise StructureError(
            f"the stiffness has a negative eigenvalue, ω² = {lowest:.6g} 1/s2: all must be ≥ 0"
        )


def _all_modes(mass: Floats, stiffness: Floats, count: int, rounding: float) -> Floats:
    """Return all modes by increasing frequency, from the singular vectors of L⁻¹G."""
    rough = scipy.linalg.eigh(stiffness, mass, eigvals_only=True)
    _check_no_negative(rough[0], rough[count - 1], rounding)
    elastic = rough[rough > _rigid_below(rough[count - 1], rounding)]
    shift = float(elastic[0]) if elastic.size else 1.0
    held = scipy.linalg.cholesky(stiffness + shift * mass, lower=True)
    inertia = scipy.linalg.cholesky(mass, lower=True)
    quotient = scipy.linalg.solve_triangular(held, inertia, lower=True)
    turned = scipy.linalg.svd(quotient)[2]
    shapes = scipy.linalg.solve_triangular(inertia, turned.T, lower=True, trans="T")
    return np.asarray(shapes)


def _lowest_modes(mass: Any, stiffness: Any, count: int, rounding: float) -> Floats:
    """Return the lowest modes by increasing frequency, and all others equal to the last mode.

    The shift is negative. It is first estimated, and then computed from the first eigenvalues.
    Lanczos' method finds equal eigenvalues only by its rounding errors. Therefore further modes,
    orthogonal to the known modes, are computed until a higher mode is found.
    """
    size = mass.shape[0]
    # A random start would change the last digits, and a symmetric start would miss odd modes.
    start = 0.5 + np.modf(np.arange(1, size + 1) * (0.5 * (math.sqrt(5.0) - 1.0)))[0]
    guess = 1e-6 * stiffness.diagonal().sum() / mass.diagonal().sum()
    rough, _ = scipy.sparse.linalg.eigsh(
        stiffness, count, M=mass, sigma=-guess, which="LM", v0=start, tol=1e-6
    )
    highest = float(np.max(rough))
    _check_no_negative(np.min(rough), highest, rounding)
    shift = _SHIFT * highest if highest > _rigid_below(highest, rounding) else guess
    solve = scipy.sparse.linalg.splu(scipy.sparse.csc_array(stiffness + shift * mass)).solve

    def found_beside(shapes: Floats, wanted: int) -> tuple[Floats, Floats]:
        inertia = mass @ shapes

        def answer(force: Floats) -> Floats:
            moved = solve(force)
            return np.asarray(moved - shapes @ (inertia.T @ moved))

        return scipy.sparse.linalg.eigsh(  # type: ignore[no-any-return]
            stiffness,
            wanted,
            M=mass,
            sigma=-shift,
            OPinv=scipy.sparse.linalg.LinearOperator((size, size), matvec=answer, dtype=float),
            v0=start - shapes @ (inertia.T @ start),
        )

    values, shapes = found_beside(np.zeros((size, 0)), count)
    while values.size < size - 1:
        more, shape = found_beside(shapes, 1)
        values = np.append(values, more)
        shapes = np.column_stack([shapes, shape])
        order = np.argsort(values)
        values, shapes = values[order], shapes[:, order]
        last = values[count - 1]
        if more[0] > max(last + _EQUAL_SHARE * last, _rigid_below(last, rounding)):
            break
    return shapes


def _rayleigh_quotients(mass: Any, stiffness: Any, shapes: Floats) -> Floats:
    """φᵀKφ/φᵀMφ. Its error is the square of the error of the mode, if the sums are exact.

    The terms of φᵀKφ cancel by the ratio of the stiffness of the highest mode to this mode.
    """
    matrices = (stiffness.tocoo(), mass.tocoo())
    energies = [[_quadratic_form(matrix, shape) for matrix in matrices] for shape in shapes.T]
    return np.array([strain / inertia for strain, inertia in energies])


def _quadratic_form(matrix: Any, vector: Any) -> float:
    """vᵀAv as if in doubled precision (Ogita, Rump, Oishi, SIAM J. Sci. Comput. 26, 2005)."""
    product: Any
    term: Any
    product, lost = _exact_product(vector[matrix.row], vector[matrix.col])
    term, lost_too = _exact_product(matrix.data, product)
    return math.fsum(np.concatenate([term, lost_too + matrix.data * lost]))


def _exact_product(first: Any, second: Any) -> tuple[Any, Any]:
    """Rounded products and their rounding errors (Dekker, Numer. Math. 18 (1971))."""
    product = first * second
    scaled = _SPLITTER * first
    first_high = scaled - (scaled - first)
    first_low = first - first_high
    scaled = _SPLITTER * second
    second_high = scaled - (scaled - second)
    second_low = second - second_high
    error = first_high * second_high - product
    error += first_high * second_low + first_low * second_high
    return product, error + first_low * second_low


def _settled(values: Floats, shapes: Floats, dofs: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """Make close eigenvalues equal, and rotate their modes by the degrees of freedom."""
    values, shapes = values.copy(), shapes.copy()
    ends = np.flatnonzero(np.diff(values) > _EQUAL_SHARE * values[1:]) + 1
    for group in np.split(np.arange(values.size), ends):
        values[group] = np.mean(values[group])
        for first in range(group[0], group[-1] + 1):
            free = slice(first, group[-1] + 1)
            moved = np.linalg.norm(shapes[:, free], axis=1)
            places = np.arange(moved.size)
            if dofs.size and np.max(moved[dofs]) >= _MOVED_SHARE * np.max(moved):
                places = dofs
            well = moved[places] >= _SETTLING_SHARE * np.max(moved[places])
            place = places[np.argmax(well)]
            # Householder reflection of this row to (±1, 0, …), with the sign without cancellation.
            mirror = shapes[place, free] / moved[place]
            sign = math.copysign(1.0, mirror[0])
            mirror[0] += sign
            along = shapes[:, free] @ mirror
            shapes[:, free] -= np.outer(along, mirror) * (2.0 / (mirror @ mirror))
            shapes[:, first] *= -sign
            # The components of the other modes are rounding errors.
            shapes[place, free] = 0.0
            shapes[place, first] = moved[place]
    still = abs(shapes) < _STILL_SHARE * np.max(abs(shapes), axis=0)
    return values, np.where(still, 0.0, shapes)
