"""Modes and residual flexibilities from matrices, also if rigid modes make K singular."""

import math
from typing import Any

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse

from wearmodel.structure import StructureError, modal_basis

LENGTH, AREA_STIFFNESS, DENSITY = 10.0, 900.0, 1.0  # m, E A [N], ρ A [kg/m]


def bar(elements: int, *, clamped: bool = False) -> tuple[Any, Any]:
    """Return mass and stiffness matrices of an elastic rod in the axial direction."""
    size = LENGTH / elements
    main = np.full(elements + 1, 2.0)
    main[[0, -1]] = 1.0
    side = np.ones(elements)
    mass = (
        DENSITY
        * size
        / 6.0
        * scipy.sparse.diags_array([side, 2.0 * main, side], offsets=[-1, 0, 1])
    )
    stiffness = (
        AREA_STIFFNESS / size * scipy.sparse.diags_array([-side, main, -side], offsets=[-1, 0, 1])
    )
    if clamped:
        mass, stiffness = mass.tocsc()[1:, 1:], stiffness.tocsc()[1:, 1:]
    return mass, stiffness


@pytest.mark.parametrize("elements", [100, 1000], ids=["dense", "sparse"])
def test_a_free_bar_has_one_rigid_mode_and_its_overtones(elements):
    basis = modal_basis(*bar(elements), 5)
    overtone = math.sqrt(AREA_STIFFNESS / DENSITY) / (2.0 * LENGTH)
    assert basis.frequency[0] == 0.0
    # Linear elements have an error of (kh)²/24, 6.6e-4 at the fourth overtone of 100 elements.
    assert basis.frequency[1:] == pytest.approx(overtone * np.arange(1, 5), rel=7e-4)
    assert basis.shapes.T @ basis.mass @ basis.shapes == pytest.approx(np.eye(5), abs=1e-10)


@pytest.mark.parametrize("clamped", [False, True], ids=["free", "clamped"])
def test_residual_flexibility_is_that_of_all_modes_left_out(clamped):
    mass, stiffness = bar(60, clamped=clamped)
    size = mass.shape[0]
    forces = np.zeros((size, 2))
    forces[-1, 0] = 1.0
    forces[size // 3, 1] = 1.0
    values, shapes = scipy.linalg.eigh(stiffness.toarray(), mass.toarray())
    kept = 6
    left = shapes[:, kept:].T @ forces
    wanted = left.T @ (left / values[kept:, None])
    found = modal_basis(mass, stiffness, kept).residual_flexibility(forces)
    # Differences of flexibilities that are a hundred times as large.
    assert found == pytest.approx(wanted, rel=1e-9, abs=1e-9 * wanted.max())


def test_residual_flexibility_of_a_free_bar_s_end_has_its_closed_form():
    # Σ_(i>n) 2/(M ω_i²) = 2 L/(E A π²) Σ_(i>n) 1/i²
    mass, stiffness = bar(400)
    force = np.zeros((401, 1))
    force[-1] = 1.0
    found = modal_basis(mass, stiffness, 6).residual_flexibility(force)[0, 0]
    tail = math.pi**2 / 6.0 - sum(1.0 / i**2 for i in range(1, 6))
    # Discretisation error: the mesh has no modes above the 400th, 1/400 of the tail's 0.18.
    assert found == pytest.approx(2.0 * LENGTH / AREA_STIFFNESS / math.pi**2 * tail, rel=2e-2)


def test_the_same_matrices_give_the_same_digits():
    first, second = (modal_basis(*bar(600), 4) for _ in range(2))
    assert np.array_equal(first.shapes, second.shapes)


@pytest.mark.parametrize(
    ("mass", "stiffness", "count", "message"),
    [
        (np.eye(3), np.eye(2), 1, "stiffness is a matrix of 2 × 2: it must be square"),
        (
            np.eye(2),
            [[1.0, 0.5], [0.0, 1.0]],
            1,
            "stiffness must be symmetric: if a Matrix Market file contains one tri",
        ),
        (np.eye(2), [[1.0, math.nan], [math.nan, 1.0]], 1, "entry that is not finite"),
        (np.diag([1.0, -1.0]), np.eye(2), 1, "mass matrix must be positive definite"),
        (np.eye(2), np.diag([1.0, -1.0]), 2, "negative eigenvalue, ω² = -1 1/s2"),
        (np.eye(2), np.eye(2), 3, "count = 3 modes must be 1 to 2"),
    ],
)
def test_matrices_that_are_none_of_a_structure_are_refused(mass, stiffness, count, message):
    with pytest.raises(StructureError, match=message):
        modal_basis(np.array(mass), np.array(stiffness), count)
