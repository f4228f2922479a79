"""Extrapolation of sampled inputs: exact for polynomials, at unequal past instants."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wearmodel.kernel.extrapolation import extrapolate


@given(
    st.lists(st.integers(-1000, 1000), min_size=1, max_size=4),
    st.lists(st.integers(1, 50), min_size=3, max_size=3),
)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_a_polynomial_of_the_order_is_continued_exactly(
    coefficients: list[int], spacings: list[int]
) -> None:
    # Samples at 0 and before, at dyadic instants.
    instants = [0.0]
    for spacing in spacings:
        instants.append(instants[-1] - spacing / 16)
    count = len(coefficients)
    samples = [
        (t, float(sum(Fraction(c) * Fraction(t) ** j for j, c in enumerate(coefficients))))
        for t in instants[:count]
    ]
    got = extrapolate(samples, 1)
    got += [0.0] * (count - len(got))
    # Third divided differences at spacings of 1/16: rounding of the values over their product.
    size = max(abs(value) for _, value in samples)
    tolerance = 50 * 2.2e-16 * size * 16**3 + 1e-15 * max(map(abs, coefficients))
    assert got == pytest.approx([float(c) for c in coefficients], rel=0.0, abs=tolerance)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_a_constant_input_is_one_coefficient(count: int) -> None:
    samples = [(1.0 - 0.1 * index, 7.0, float(index)) for index in range(count)]
    assert extrapolate(samples, 1) == [7.0]
    assert len(extrapolate(samples, 2)) == count


@pytest.mark.parametrize("count", [2, 3, 4])
def test_a_value_that_only_returns_is_not_taken_for_constant(count: int) -> None:
    samples = [(0.0, 1.0), (-1.0, 2.0), (-2.0, 1.0), (-3.0, 1.0)][:count]
    assert len(extrapolate(samples, 1)) == count
    samples = [(0.0, 1.0), (-1.0, 1.0), (-2.0, 1.0), (-3.0, 2.0)]
    assert len(extrapolate(samples, 1)) == 4
    samples = [(0.0, 1.0), (-1.0, 1.0), (-2.0, 2.0), (-3.0, 1.0)]
    assert len(extrapolate(samples, 1)) == 4
