"""Modes of a mass and a stiffness matrix, and the flexibility of the modes left out.

    K φ_i = ω_i² M φ_i,  φ_iᵀ M φ_j = δ_ij,   L_id = φ_iᵀ M r_d
    f(b) = bᵀ x − Σ_(elastic i kept) (φ_i·b)²/ω_i²,   K x = b

f(b) is the displacement along b that a unit force along b gives through the modes that are left
out, in statics. Where rigid modes make K singular, x is that of the inertia relief: the force
less the inertia of the rigid motion that it causes, and no rigid part in the answer,

    K x + M Φ_r λ = b − M Φ_r Φ_rᵀ b,   Φ_rᵀ M x = 0

so that x = Σ_(all elastic i) φ_i (φ_i·b)/ω_i², whichever way the structure is held.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse
import scipy.sparse.linalg
from numpy.typing import NDArray

from .description import StructureError

# Eigenvalues below this share of the largest one kept are rounding: the mode is rigid.
RIGID_SHARE = 1e-10
# Rounding itself, beside the largest that the matrices can have.
_ROUNDING = 1e-14
# Below −this share of the largest one kept an eigenvalue is negative, not rounding.
_NEGATIVE_SHARE = 1e-6
# Up to this size all eigenvalues are found at once, by dense matrices.
_DENSE_SIZE = 400
# How far below 0 the spectrum is shifted, in largest eigenvalues kept: far enough for a
# well-conditioned K − σ M, near enough for the low modes to stand out.
_SHIFT = 1e-2
# Relative asymmetry that the writing and reading of decimal numbers explains.
_ASYMMETRY = 1e-8


@dataclass(frozen=True)
class ModalBasis:
    """Lowest modes of a structure given by matrices.

    Attributes
    ----------
    mass, stiffness
        M and K, square and symmetric.
    frequency
        Hz, rising; 0 exactly for rigid modes.
    shapes
        One mass-normalised mode a column; the largest component is positive.
    """

    mass: Any
    stiffness: Any
    frequency: NDArray[np.float64]
    shapes: NDArray[np.float64]

    def participation(self, dofs: NDArray[np.intp]) -> NDArray[np.float64]:
        """φᵀ M r with r = 1 at `dofs` (from 0), 0 elsewhere; one number a mode."""
        motion = np.zeros(self.shapes.shape[0])
        motion[dofs] = 1.0
        return np.asarray(self.shapes.T @ (self.mass @ motion))

    def residual_flexibility(self, forces: NDArray[np.float64]) -> NDArray[np.float64]:
        """Symmetric matrix f [m/N] between the columns of `forces`, through the modes left out."""
        rigid = self.shapes[:, self.frequency == 0.0]
        elastic = self.shapes[:, self.frequency > 0.0]
        stiffness = (2.0 * math.pi * self.frequency[self.frequency > 0.0]) ** 2
        inertia = self.mass @ rigid
        loads = forces - inertia @ (rigid.T @ forces)
        count = rigid.shape[1]
        if count:
            matrix = scipy.sparse.bmat([[self.stiffness, inertia], [inertia.T, None]])
            loads = np.vstack([loads, np.zeros((count, forces.shape[1]))])
        else:
            matrix = self.stiffness
        solved = scipy.sparse.linalg.splu(scipy.sparse.csc_array(matrix)).solve(loads)
        total = forces.T @ solved[: forces.shape[0]]
        kept = elastic.T @ forces
        left = total - kept.T @ (kept / stiffness[:, None])
        return np.asarray(0.5 * (left + left.T))


def modal_basis(mass: Any, stiffness: Any, count: int) -> ModalBasis:
    """The `count` lowest modes of symmetric matrices, dense or sparse.

    Raises
    ------
    StructureError
        The matrices do not fit each other or are not symmetric, M is not positive definite,
        K is indefinite, or there are fewer modes than `count`.
    """
    mass = scipy.sparse.csc_array(mass, dtype=float)
    stiffness = scipy.sparse.csc_array(stiffness, dtype=float)
    size = mass.shape[0]
    for name, matrix in (("mass", mass), ("stiffness", stiffness)):
        if matrix.shape != (size, size):
            raise StructureError(
                f"{name} is a matrix of {matrix.shape[0]} × {matrix.shape[1]}; it must be square, "
                f"and as large as the mass ({size})"
            )
        if not np.all(np.isfinite(matrix.data)):
            raise StructureError(f"{name} holds an entry that is not finite")
        largest = abs(matrix).max()
        if abs(matrix - matrix.T).max() > _ASYMMETRY * largest:
            raise StructureError(
                f"{name} must be symmetric; where a Matrix Market file holds one triangle, its "
                "first line must say symmetric"
            )
    if not 1 <= count <= size:
        raise StructureError(f"count = {count} modes must be 1 to {size}, the matrices' size")
    try:
        if size <= _DENSE_SIZE or count >= size - 1:
            values, shapes = scipy.linalg.eigh(
                stiffness.toarray(), mass.toarray(), subset_by_index=(0, count - 1)
            )
        else:
            values, shapes = _lowest(mass, stiffness, count)
    except (np.linalg.LinAlgError, RuntimeError) as problem:
        raise StructureError(
            f"the mass matrix must be positive definite and the stiffness have no negative "
            f"eigenvalue ({' '.join(str(problem).split())})"
        ) from None
    values, shapes = np.asarray(values), np.asarray(shapes)
    rounding = _ROUNDING * np.max(stiffness.diagonal() / mass.diagonal())
    if values[0] < -max(_NEGATIVE_SHARE * abs(values[-1]), rounding):
        raise StructureError(
            f"the stiffness has a negative eigenvalue, ω² = {values[0]:.6g} 1/s2; all must be ≥ 0"
        )
    values = np.where(values < max(RIGID_SHARE * values[-1], rounding), 0.0, values)
    turned = shapes[np.argmax(abs(shapes), axis=0), np.arange(count)] < 0.0
    shapes = np.where(turned, -shapes, shapes)
    return ModalBasis(mass, stiffness, np.sqrt(values) / (2.0 * math.pi), shapes)


def _lowest(
    mass: Any, stiffness: Any, count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Lowest eigenpairs about a negative shift, first guessed and then fitted to what it found."""
    start = np.ones(mass.shape[0])  # a random one would give other digits each time
    guess = 1e-6 * stiffness.diagonal().sum() / mass.diagonal().sum()
    values, _ = scipy.sparse.linalg.eigsh(
        stiffness, count, M=mass, sigma=-guess, which="LM", v0=start, tol=1e-6
    )
    shift = _SHIFT * max(values[-1], guess * 1e-6)
    values, shapes = scipy.sparse.linalg.eigsh(
        stiffness, count, M=mass, sigma=-shift, which="LM", v0=start
    )
    order = np.argsort(values)
    return values[order], shapes[:, order]
