"""Modes and residual flexibilities agree with forty digits and do not depend on rounding."""

import math
from functools import cache
from typing import Any

import mpmath
import numpy as np
import pytest
import scipy.sparse
from numpy.typing import NDArray

from wearmodel.structure import Beam, modal_analysis, modal_basis, timoshenko_beam, tube_section

SECTION = tube_section(0.0222, 0.00127, young=2e11, density=7800.0, added_mass=0.35)
LENGTH = 2.4
SUPPORTS: dict[str, dict[str, Any]] = {
    "free": {},
    "pivot": {"pinned": (0.0,)},
    "clamped": {"clamped": (0.0,)},
}
RIGID = {"free": 2, "pivot": 1, "clamped": 0}
KEPT = 6  # per plane
PATHS = pytest.mark.parametrize("dense_size", [400, 0], ids=["dense", "sparse"])
HELD = pytest.mark.parametrize("held", SUPPORTS)


@cache
def tube(held: str, elements: int = 16) -> Beam:
    return timoshenko_beam(SECTION, LENGTH, elements, **SUPPORTS[held])


def dof(beam: Beam, place: float, direction: str) -> int:
    return beam.dof(place, direction) - 1


@cache
def reference(held: str) -> tuple[list[Any], Any, list[int]]:
    """Return eigenvalues, modes and degrees of freedom of the x-y plane, in 40 digits."""
    beam = tube(held)
    plane = [i for i, free in enumerate(beam.free) if free % 4 < 2]
    with mpmath.workdps(40):
        stiffness, mass = (
            mpmath.matrix(matrix.toarray()[np.ix_(plane, plane)].tolist())
            for matrix in (beam.stiffness, beam.mass)
        )
        inverse = mpmath.inverse(mpmath.cholesky(mass))
        values, turned = mpmath.eigsy(inverse * stiffness * inverse.T)
        return list(values), inverse.T * turned, plane


def flexibility(held: str, first: float, second: float) -> float:
    """Return the residual flexibility, a sum over all omitted modes."""
    values, shapes, plane = reference(held)
    places = [plane.index(dof(tube(held), place, "y")) for place in (first, second)]
    with mpmath.workdps(40):
        return float(
            sum(
                shapes[places[0], i] * shapes[places[1], i] / values[i]
                for i in range(KEPT, len(values))
            )
        )


def forces(beam: Beam, *columns: dict[int, float]) -> NDArray[np.float64]:
    matrix = np.zeros((len(beam.free), len(columns)))
    for number, column in enumerate(columns):
        for place, value in column.items():
            matrix[place, number] = value
    return matrix


@PATHS
@HELD
def test_frequencies_are_right_to_the_last_digits(monkeypatch, held, dense_size):
    monkeypatch.setattr(modal_analysis, "_DENSE_SIZE", dense_size)
    beam = tube(held)
    found = modal_basis(beam.mass, beam.stiffness, 2 * KEPT).frequency
    rigid = 2 * RIGID[held]
    assert np.all(found[:rigid] == 0.0)
    values = reference(held)[0][RIGID[held] : KEPT]
    exact = [float(mpmath.sqrt(value)) / (2.0 * math.pi) for value in values]
    # Sums have twice the precision. The error of the modes, some 1e-11, enters squared.
    assert found[rigid::2] == pytest.approx(exact, rel=4e-15)
    assert np.array_equal(found[::2], found[1::2])


@PATHS
@HELD
def test_the_residual_flexibility_is_the_sum_over_all_modes_left_out(monkeypatch, held, dense_size):
    monkeypatch.setattr(modal_analysis, "_DENSE_SIZE", dense_size)
    beam = tube(held)
    places = (0.6, 2.4)
    loads = forces(
        beam, *({dof(beam, place, direction): 1.0} for direction in "yz" for place in places)
    )
    found = modal_basis(beam.mass, beam.stiffness, 2 * KEPT).residual_flexibility(loads)
    wanted = np.array([[flexibility(held, a, b) for b in places] for a in places])
    for plane in (slice(0, 2), slice(2, 4)):
        assert found[plane, plane] == pytest.approx(wanted, rel=1e-10)
    # The planes are uncoupled.
    assert np.max(abs(found[:2, 2:])) < 1e-10 * np.min(abs(wanted))


@HELD
@pytest.mark.long
def test_the_flexibility_of_a_round_tube_is_the_same_in_all_directions(held):
    beam = tube(held, 48)
    angles = (0.0, 0.3, 0.5 * math.pi, 2.0)
    y, z = (dof(beam, 0.8, direction) for direction in "yz")
    loads = forces(beam, *({y: math.cos(angle), z: math.sin(angle)} for angle in angles))
    found = np.diag(modal_basis(beam.mass, beam.stiffness, 24).residual_flexibility(loads))
    assert found == pytest.approx(np.full(len(angles), found[0]), rel=1e-10)


def test_with_all_modes_kept_nothing_is_left():
    beam = tube("free")
    load = forces(beam, {dof(beam, 0.6, "y"): 1.0})
    found = modal_basis(beam.mass, beam.stiffness, len(beam.free)).residual_flexibility(load)
    assert abs(found[0, 0]) < 1e-13 * flexibility("free", 0.6, 0.6)


@PATHS
@HELD
def test_modes_of_equal_frequency_lie_along_the_named_degrees_of_freedom(
    monkeypatch, held, dense_size
):
    monkeypatch.setattr(modal_analysis, "_DENSE_SIZE", dense_size)
    beam = tube(held)
    y, z = (dof(beam, 1.2, direction) for direction in "yz")
    last_y, last_z = (dof(beam, 2.4, direction) for direction in "yz")
    basis = modal_basis(beam.mass, beam.stiffness, 2 * KEPT, settled_by=[z, y, last_z, last_y])
    rigid = 2 * RIGID[held]
    in_y = beam.free % 4 < 2
    for number in range(rigid, 2 * KEPT, 2):
        first, second = basis.shapes[:, number], basis.shapes[:, number + 1]
        for mode, moved, still in ((first, ~in_y, in_y), (second, in_y, ~in_y)):
            assert np.max(abs(mode[still])) < 1e-9 * np.max(abs(mode[moved]))
        settling = z if abs(first[z]) >= 0.1 * abs(first[last_z]) else last_z
        assert first[settling] > 0.0
        assert second[settling - 2] > 0.0
    assert basis.shapes.T @ (beam.mass @ basis.shapes) == pytest.approx(np.eye(2 * KEPT), abs=1e-11)


@PATHS
def test_rigid_modes_are_settled_one_after_another(monkeypatch, dense_size):
    monkeypatch.setattr(modal_analysis, "_DENSE_SIZE", dense_size)
    beam = tube("free")
    named = [dof(beam, place, direction) for place in (0.6, 2.4) for direction in "yz"]
    for count in (4, 8):
        rigid = modal_basis(beam.mass, beam.stiffness, count, settled_by=named).shapes[named, :4]
        assert np.all(np.diag(rigid) > 0.0)
        # A degree of freedom that defines a mode does not move in the following modes.
        assert np.array_equal(np.triu(rigid, 1), np.zeros((4, 4)))


@PATHS
@pytest.mark.parametrize("held", ["free", "clamped"])
def test_a_count_that_cuts_a_group_keeps_what_a_larger_one_would(monkeypatch, held, dense_size):
    monkeypatch.setattr(modal_analysis, "_DENSE_SIZE", dense_size)
    beam = tube(held)
    named = [dof(beam, place, direction) for place in (0.6, 2.4) for direction in "yz"]
    few, many = (
        modal_basis(beam.mass, beam.stiffness, count, settled_by=named) for count in (7, 12)
    )
    assert np.array_equal(few.frequency == 0.0, many.frequency[:7] == 0.0)
    assert few.frequency == pytest.approx(many.frequency[:7], rel=1e-14)
    assert few.shapes == pytest.approx(many.shapes[:, :7], rel=1e-8, abs=1e-9)


def test_lanczos_finds_every_copy_of_an_equal_frequency():
    # Eight uncoupled rods side by side.
    single = timoshenko_beam(SECTION, LENGTH, 30, clamped=(0.0,))
    copies = 8
    mass, stiffness = (
        scipy.sparse.kron(scipy.sparse.eye_array(copies), matrix)
        for matrix in (single.mass, single.stiffness)
    )
    assert mass.shape[0] > 2 * modal_analysis._DENSE_SIZE
    found = modal_basis(mass, stiffness, 20).frequency
    wanted = modal_basis(single.mass, single.stiffness, 4).frequency
    assert found == pytest.approx(np.repeat(wanted[[0, 2]], 16)[:20], rel=1e-12)


@PATHS
def test_another_order_of_the_unknowns_gives_the_same_modes(monkeypatch, dense_size):
    # Another numbering changes the rounding of all sums, as another processor does.
    monkeypatch.setattr(modal_analysis, "_DENSE_SIZE", dense_size)
    beam = tube("clamped", 48)
    size = len(beam.free)
    order = np.random.default_rng(1).permutation(size)
    place = np.argsort(order)
    named = np.array([dof(beam, at, direction) for at in (0.8, 2.4) for direction in "yz"])
    here = modal_basis(beam.mass, beam.stiffness, 24, settled_by=named.tolist())
    there = modal_basis(
        beam.mass[order][:, order],
        beam.stiffness[order][:, order],
        24,
        settled_by=place[named].tolist(),
    )
    assert there.frequency == pytest.approx(here.frequency, rel=4e-15)
    shapes = there.shapes[place]
    largest = np.max(abs(here.shapes), axis=0)
    assert np.max(abs(shapes - here.shapes) / largest) < 1e-9


def test_a_mode_of_both_ends_has_its_sign_from_the_first():
    # Antisymmetric modes: both ends have equal displacements in opposite directions.
    beam = tube("free")
    shapes = modal_basis(beam.mass, beam.stiffness, 12).shapes
    assert np.all(shapes[0, 4::2] > 0.0)
