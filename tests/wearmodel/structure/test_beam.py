"""Beam matrices reproduce the statics and vibrations of Timoshenko theory."""

import math

import numpy as np
import pytest
import scipy.io
import scipy.sparse.linalg

from wearmodel.structure import modal_basis, timoshenko_beam, tube_section

LENGTH = 1.2
SECTION = tube_section(0.1, 0.02, young=2e11, density=7800.0)  # thick: shear is significant


def pinned_frequency(number: int) -> float:
    """Return the lower root of the frequency equation for w = W sin kx, θ = Θ cos kx, k = nπ/L.

    (κGA k² − ρA ω²)(EI k² + κGA − ρI ω²) = (κGA k)²
    """
    k = number * math.pi / LENGTH
    shear, bending = SECTION.shear_stiffness, SECTION.bending_stiffness
    translation = SECTION.density * SECTION.area
    rotation = SECTION.density * SECTION.second_moment
    a = translation * rotation
    b = -(translation * (bending * k**2 + shear) + rotation * shear * k**2)
    c = shear * k**2 * bending * k**2
    return math.sqrt(2.0 * c / (-b + math.sqrt(b * b - 4.0 * a * c))) / (2.0 * math.pi)


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_frequencies_of_a_pinned_beam_converge_to_timoshenko_s(number):
    # Each frequency occurs twice, once in each direction.
    errors = []
    for elements in (16, 32):
        beam = timoshenko_beam(SECTION, LENGTH, elements, pinned=(0.0, LENGTH))
        pair = modal_basis(beam.mass, beam.stiffness, 8).frequency[2 * number - 2 : 2 * number]
        assert pair[0] == pytest.approx(pair[1], rel=1e-9)
        errors.append(pair[0] / pinned_frequency(number) - 1.0)
    # Shear is constant in an element. Where it is significant, convergence is of second order, from
    # above.
    assert 0.0 < errors[1] < 2e-3
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.04)


def test_a_cantilever_s_tip_bends_and_shears_exactly():
    beam = timoshenko_beam(SECTION, LENGTH, 3, clamped=(0.0,))
    force = np.zeros(beam.mass.shape[0])
    tip = beam.dof(LENGTH, "z") - 1
    force[tip] = 1.0
    deflection = scipy.sparse.linalg.spsolve(beam.stiffness, force)[tip]
    exact = LENGTH**3 / (3.0 * SECTION.bending_stiffness) + LENGTH / SECTION.shear_stiffness
    # The statics of the element are exact. The condition number is some 1e4.
    assert deflection == pytest.approx(exact, rel=1e-11)


def test_a_spring_supports_both_directions():
    springs = ((0.0, 1e5), (LENGTH, 1e5))
    beam = timoshenko_beam(SECTION, LENGTH, 4, springs=springs)
    frequency = modal_basis(beam.mass, beam.stiffness, 2).frequency
    # A rigid body on two springs. The flexibility of the beam is 1e-4 of the springs.
    mass = SECTION.density * SECTION.area * LENGTH
    assert frequency == pytest.approx(math.sqrt(2e5 / mass) / (2.0 * math.pi), rel=1e-2)


def test_a_free_beam_has_its_mass_along_each_direction():
    beam = timoshenko_beam(SECTION, LENGTH, 8)
    basis = modal_basis(beam.mass, beam.stiffness, 10)
    assert list(basis.frequency[:5] == 0.0) == [True, True, True, True, False]
    dofs = np.array(beam.dofs("y")) - 1
    carried = float(np.sum(basis.participation(dofs) ** 2))
    # A rigid mode is orthogonal to the elastic modes.
    assert carried == pytest.approx(SECTION.density * SECTION.area * LENGTH, rel=1e-9)


def test_matrices_survive_the_way_through_a_file(tmp_path):
    beam = timoshenko_beam(SECTION, LENGTH, 3, clamped=(0.0,))
    for path, matrix in zip(beam.write(tmp_path), (beam.mass, beam.stiffness), strict=True):
        assert abs(scipy.io.mmread(path) - matrix).max() == 0.0


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (0.0, "the deflection along y at 0.0 m is fixed by a support"),
        (2.0, "position=2.0 m must be 0 to 1.2 m"),
    ],
)
def test_a_place_that_is_held_or_outside_has_no_number(position, message):
    beam = timoshenko_beam(SECTION, LENGTH, 3, clamped=(0.0,))
    with pytest.raises(ValueError, match=message):
        beam.dof(position, "y")
