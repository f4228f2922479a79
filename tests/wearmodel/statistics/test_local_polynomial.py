"""Roots of polynomials between two abscissae, row by row."""

import numpy as np

from wearmodel.statistics.local_polynomial import centred_stencils, roots


def test_the_root_that_is_found_lies_between_the_abscissae_whatever_lies_beside_them():
    """Cubics with one root or no root in the interval and the other roots close to it outside."""
    random = np.random.default_rng(3)
    count = 4000
    left = random.uniform(-2.0, 2.0, count)
    width = 10.0 ** random.uniform(-2.0, 0.5, count)
    right = left + width
    inside = left + width * random.uniform(0.05, 0.95, count)
    inside[::4] = right[::4] + width[::4] * random.uniform(0.1, 1.0, len(inside[::4]))
    beside = right + width * random.uniform(0.1, 1.0, count)
    before = left - width * random.uniform(0.1, 1.0, count)
    cubic = np.array(
        [np.polynomial.polynomial.polyfromroots(row) for row in zip(inside, beside, before)]  # noqa: B905
    )
    cubic *= random.choice([-1.0, 1.0], count)[:, np.newaxis]
    abscissa, found = roots(cubic, left, right)
    within = inside < right
    np.testing.assert_array_equal(found, within)
    # Rounding of the cubic. Its slope at the root is some 0.01 width² if the roots are close.
    error = np.abs(abscissa - inside)[within] / width[within]
    assert error.max() < 1e-7
    assert np.median(error) < 1e-13
    assert ((abscissa >= left) & (abscissa <= right))[within].all()


def test_an_interval_about_zero_is_halved_like_any_other():
    line = np.array([[-0.25, 1.0], [0.25, 1.0], [1.0, 0.0]])
    abscissa, found = roots(line, np.full(3, -1.0), np.full(3, 1.0))
    assert found.tolist() == [True, True, False]
    assert abscissa[:2].tolist() == [0.25, -0.25]


def test_the_step_of_a_stencil_is_that_to_the_nearest_sample_of_the_run_or_else_of_the_record():
    time = np.array([0.0, 1.0, 3.0, 7.0, 15.0])
    alone = np.arange(5)
    scales = centred_stencils(time, alone, alone, alone + 1).scale
    assert scales.tolist() == [1.0, 1.0, 2.0, 4.0, 8.0]
    within = centred_stencils(time, np.array([2, 2, 2]), np.array([2, 1, 0]), np.array([4, 3, 5]))
    assert within.scale.tolist() == [4.0, 2.0, 2.0]
