"""Power series compared with exact arithmetic: first exits of guards, maxima and integrals."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wearmodel.kernel import limits
from wearmodel.kernel.series.polynomials import (
    evaluate,
    evaluate_increment,
    evaluate_slope,
    integrate_product,
    integrate_smooth_product,
    integrate_square,
    rescale,
    size_over,
)
from wearmodel.kernel.series.roots import TOUCH, first_exit, largest_value, touch_lift

coefficients = st.integers(-1000, 1000).map(float)


def row(series: list[float]) -> list[float]:
    """Return a row of the kernel's work buffer that begins with the series."""
    return series + [0.0] * (limits.ROW_LENGTH - len(series))


def exit_of(series: list[float]) -> float:
    return first_exit(row(series), len(series), row([]))


def exact_value(series: list[float], x: Fraction | float) -> Fraction:
    return sum((Fraction(c) * Fraction(x) ** j for j, c in enumerate(series)), Fraction(0))


def expanded(roots: list[Fraction], factor: Fraction = Fraction(1)) -> list[Fraction]:
    """Return the exact coefficients of factor·∏(r_i − x)."""
    series = [factor]
    for root in roots:
        longer = [Fraction(0)] * (len(series) + 1)
        for j, c in enumerate(series):
            longer[j] += root * c
            longer[j + 1] -= c
        series = longer
    return series


def exact_first_exit(series: list[float]) -> float | None:
    """Return the first x in [0, 1] at which the polynomial becomes negative, or None.

    Exact Bernstein coefficients that are all ≥ 0 bound a polynomial from below. Halving the
    interval makes them converge to its values. The bounds of the kernel are different.
    """
    degree = len(series) - 1
    bernstein = [
        sum(
            (
                Fraction(math.comb(i, j), math.comb(degree, j)) * Fraction(series[j])
                for j in range(i + 1)
            ),
            Fraction(0),
        )
        for i in range(degree + 1)
    ]
    if bernstein[0] < 0:
        return 0.0
    waiting = [(Fraction(0), Fraction(1), bernstein)]
    while waiting:
        left, width, points = waiting.pop()
        if all(point >= 0 for point in points):
            continue
        if width < Fraction(1, 2**56):
            if points[-1] < 0:
                return float(left)
            continue
        lower, upper = [], []
        while points:
            lower.append(points[0])
            upper.append(points[-1])
            points = [(p + q) / 2 for p, q in pairwise(points)]
        waiting.append((left + width / 2, width / 2, upper[::-1]))
        waiting.append((left, width / 2, lower))
    return None


@given(st.lists(coefficients, min_size=1, max_size=12))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_first_exit_is_the_first_sign_change_of_random_polynomials(series):
    want = exact_first_exit(series)
    got = exit_of(series)
    if series[0] < 0.0:
        assert got == limits.VIOLATED
    elif want is None:
        # A root within rounding of 1 may or may not be found.
        assert got == limits.NEVER or exact_value(series, 1) == 0
    else:
        slope = abs(evaluate_slope(series, len(series), want))
        # The rounding of the value, some 20 units in the last place of the terms, divided by the
        # slope. For a nearly double root, the error is at most the square root of the rounding.
        noise = 20 * 2.2e-16 * sum(map(abs, series))
        width = max(4e-16, min(noise / slope if slope else 1.0, math.sqrt(noise)))
        assert got == pytest.approx(want, abs=width, rel=0.0)


@given(st.lists(st.integers(1, 999), min_size=1, max_size=8, unique=True), st.integers(1, 10**6))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_first_exit_finds_the_smallest_of_many_simple_roots(roots, factor):
    smallest = min(roots) / 1000
    exact = expanded([Fraction(root, 1000) for root in roots], Fraction(factor))
    series = [float(c) for c in exact]
    # Roots of the rounded polynomial. The exact slope gives the condition of the smallest root.
    slope = abs(
        sum(j * c * Fraction(min(roots), 1000) ** (j - 1) for j, c in enumerate(exact) if j)
    )
    noise = 2.2e-16 * sum(abs(c) * smallest**j for j, c in enumerate(series))
    assert exit_of(series) == pytest.approx(smallest, rel=0.0, abs=4.0 * noise / float(slope))


@pytest.mark.parametrize("start", [1e-15, 1e-20, 1e-40, 1e-200])
def test_an_exit_is_found_however_soon_a_guard_falls_from_rest(start):
    assert exit_of([start, 0.0, -1.0, 0.5]) == pytest.approx(math.sqrt(start), rel=1e-7)


@pytest.mark.parametrize("scale", [1e-9, 1.0])
@pytest.mark.parametrize(("depth", "touches"), [(0.0, True), (1e-13, True), (1e-9, False)])
@pytest.mark.parametrize("at", [0.0, 1e-8, 0.5, 1.0, 1.0 + 1e-8])
def test_a_guard_touches_its_bound_if_it_is_below_it_by_rounding_only(at, depth, touches, scale):
    guard = row([c * scale for c in (at * at - depth - 1e-15, -2.0 * at, 1.0)])
    lift = touch_lift(guard, 3, row([]), 0.0, TOUCH)
    assert (lift > 0.0) == touches
    assert lift <= 4.0 * max(depth, 4e-15) * scale
    guard[0] += lift
    assert (first_exit(guard, 3, row([])) == limits.NEVER) == touches
    assert touch_lift(guard, 3, row([]), 2e-9 * scale, TOUCH) > 0.0


@pytest.mark.parametrize("series", [[-1e-15], [-1e-15, 0.0, -1.0], [1e-15, -1.0], [0.5, -1.0, 0.1]])
def test_a_guard_that_does_not_rise_again_leaves_its_bound(series):
    assert touch_lift(row(series), len(series), row([]), 1e-12, TOUCH) == 0.0


def test_a_guard_that_falls_right_below_its_bound_at_the_end_of_a_short_piece_leaves_it():
    assert touch_lift(row([1e-14, -1.01e-14, 1e-28]), 3, row([]), 1e-12, TOUCH) == 0.0


@pytest.mark.parametrize("distance", [1e-3, 1e-5, 1e-7])
def test_two_roots_that_lie_close_together_are_not_jumped_over(distance):
    series = [float(c) for c in expanded([Fraction("0.3"), Fraction("0.3") + Fraction(distance)])]
    # The minimum of the guard is −distance²/4. Rounding of the coefficients changes it by 1e-16.
    assert exit_of(series) == pytest.approx(0.3, rel=0.0, abs=1e-16 / distance)


@pytest.mark.parametrize("at", [0.25, 0.5, 0.7, 1.0])
def test_a_guard_that_touches_zero_and_rises_again_is_left_or_met_at_the_touch(at):
    got = exit_of([at * at, -2.0 * at, 1.0])
    # A double root is distinguished from two roots only to √(1e-16).
    assert got == limits.NEVER or got == pytest.approx(at, abs=1e-7)


@pytest.mark.parametrize(
    ("series", "want"),
    [
        ([0.0], limits.NEVER),
        ([0.0, 0.0, 0.0], limits.NEVER),
        ([0.0, 1.0], limits.NEVER),
        ([0.0, -1.0], 0.0),
        ([0.0, 0.0, -1e-300], 0.0),
        ([0.0, 0.0, 1e-300, 1.0], limits.NEVER),
        ([-1e-300, 1.0], limits.VIOLATED),
        ([-1.0], limits.VIOLATED),
        ([1.0, -1.0], limits.NEVER),
        ([0.0, 1.0, -2.0], 0.5),
        ([0.0, 0.0, 0.0, 1.0, -4.0], 0.25),
        ([1.0, -2.0], 0.5),
        ([1.0, -1.0 + 1e-15], limits.NEVER),
        ([1e-300, -1.0], 1e-300),
        ([1e300, -2e300], 0.5),
    ],
)
def test_known_zeros_are_divided_out_and_ends_count(series, want):
    # [1, −1] is valid up to its end, where it is zero. The quotient of the others has one rounding.
    assert exit_of(series) == pytest.approx(want, rel=4e-16, abs=0.0)


def test_an_early_root_beside_a_huge_tail_is_found():
    # (1 − 2^20 x)(1 + 2^20 x)^3: the guard has its root at 2^-20 and decreases to −2^80.
    scale = Fraction(2**20)
    exact = [Fraction(1)]
    for factor in (-scale, scale, scale, scale):
        longer = [*exact, Fraction(0)]
        for j, c in enumerate(exact):
            longer[j + 1] += factor * c
        exact = longer
    assert exit_of([float(c) for c in exact]) == pytest.approx(2.0**-20, rel=1e-14)


@pytest.mark.parametrize("multiplicity", range(2, 21))
def test_a_root_of_high_multiplicity_ends_the_search_soon(multiplicity):
    # (0.3 − x)^n: rounding spreads its root over 1e-16^(1/n).
    exact = expanded([Fraction("0.3")] * multiplicity)
    got = exit_of([float(c) for c in exact])
    spread = 1e-15 ** (1.0 / multiplicity)
    if multiplicity % 2 == 0:
        assert got == limits.NEVER or abs(got - 0.3) <= spread
    else:
        assert abs(got - 0.3) <= spread


@pytest.mark.parametrize(
    "series",
    [
        [1.0, math.inf, -math.inf],
        [1.0, -math.inf],
        [1.0, math.nan, -1.0],
        [1.0, math.inf, -1.0, -math.inf, 2.0],
    ],
)
def test_overflowed_guards_are_left_at_once(series):
    assert exit_of(series) == limits.NEVER


@given(st.lists(coefficients, min_size=2, max_size=10), st.sampled_from([1.0, 0.7, 0.05]))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_largest_value_bounds_every_sample_and_is_taken(series, end):
    got = largest_value(row(series), len(series), end, row([]), row([]))
    highest = max(evaluate(series, len(series), end * i / 997) for i in range(998))
    size = sum(map(abs, series))
    assert got >= highest - 1e-14 * size
    # Between two samples, a polynomial exceeds both by at most |p″|·spacing²/8.
    bend = sum(j * (j - 1) * abs(c) for j, c in enumerate(series))
    assert got <= highest + bend / 997**2 / 8.0 + 1e-14 * size


def test_the_second_maximum_may_be_the_largest_value():
    # 0.01 y − (y − 0.2)² (y − 0.8)² has maxima near 0.2 and 0.8.
    series = [-0.0256, 0.33, -1.32, 2.0, -1.0]
    slope = [j * c for j, c in enumerate(series)][1:]
    maximum = max(root.real for root in np.roots(slope[::-1]))
    expected = np.polyval(series[::-1], maximum)
    assert largest_value(row(series), 5, 1.0, row([]), row([])) == pytest.approx(
        expected, rel=1e-14
    )
    assert expected > max(np.polyval(series[::-1], [0.2, 1.0]))


@given(
    st.lists(coefficients, min_size=1, max_size=20),
    st.lists(coefficients, min_size=1, max_size=20),
    st.integers(0, 64).map(lambda n: n / 64),
)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_integrate_product_is_the_exact_integral(first, second, x):
    want = Fraction(0)
    size = Fraction(0)
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            term = Fraction(a) * Fraction(b) * Fraction(x) ** (i + j + 1) / (i + j + 1)
            want += term
            size += abs(term)
    got = integrate_product(first, len(first), second, len(second), x)
    # 40 additions of rounded terms.
    assert abs(Fraction(got) - want) <= 40 * Fraction(2.2e-16) * size


@given(
    st.lists(coefficients, min_size=40, max_size=40),
    st.lists(coefficients, min_size=40, max_size=40),
    st.integers(0, 64).map(lambda n: n / 64),
)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_gauss_rule_integrates_products_of_series_that_fall_to_rounding(first, second, x):
    # The slowest decrease that reaches 2⁻⁵¹ after 40 orders.
    fall = 2.0 ** (-51 / 40)
    falling = [[one * fall**j for j, one in enumerate(series)] for series in (first, second)]
    want = Fraction(0)
    size = Fraction(0)
    for i, a in enumerate(falling[0]):
        for j, b in enumerate(falling[1]):
            term = Fraction(a) * Fraction(b) * Fraction(x) ** (i + j + 1) / (i + j + 1)
            want += term
            size += abs(term)
    got = integrate_smooth_product(*falling, 40, x)
    # Rounding of Horner's scheme. For coefficients of any size, the orders from 24 on contribute a
    # truncation error of 40 · 2.4⁻²⁴ · 6e-15 and less, one more rounding of the largest term.
    largest = Fraction(max(map(abs, first))) * Fraction(max(map(abs, second))) * Fraction(x)
    assert abs(Fraction(got) - want) <= Fraction(2.2e-16) * (40 * size + largest)


@given(st.lists(coefficients, min_size=1, max_size=12), st.integers(0, 16), st.integers(1, 16))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_rescaled_series_has_the_same_values(series, start, length):
    start_at, span = start / 16, length / 16
    target = row([])
    rescale(series, len(series), start_at, span, target)
    size = sum(abs(c) * (start_at + span) ** j for j, c in enumerate(series))
    for x in (0.0, 0.25, 1.0):
        want = exact_value(series, Fraction(start_at) + Fraction(span) * Fraction(x))
        got = exact_value(target[: len(series)], x)
        assert abs(got - want) <= 50 * Fraction(2.2e-16) * Fraction(size)


@given(st.lists(coefficients, min_size=1, max_size=12), st.integers(0, 64).map(lambda n: n / 64))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_values_increments_and_slopes_agree_with_exact_arithmetic(series, x):
    count = len(series)
    exact = Fraction(x)
    wants = {
        "value": (evaluate(series, count, x), exact_value(series, x)),
        "increment": (
            evaluate_increment(series, count, x),
            exact_value(series, x) - Fraction(series[0]),
        ),
        "slope": (
            evaluate_slope(series, count, x),
            sum(
                (j * Fraction(c) * exact ** (j - 1) for j, c in enumerate(series) if j), Fraction(0)
            ),
        ),
    }
    size = sum(j * abs(c) for j, c in enumerate(series, start=1))
    for got, want in wants.values():
        assert abs(Fraction(got) - want) <= 30 * Fraction(2.2e-16) * Fraction(size)


@given(
    st.lists(coefficients, min_size=1, max_size=12),
    st.integers(0, 64).map(lambda n: n / 64),
    st.integers(0, 20),
)
@settings(max_examples=100, deadline=None, derandomize=True)
def test_integrate_square_is_the_exact_integral(series, end, small):
    # A tail of small coefficients, some of which are lost in rounding.
    series = [*series, *(2.0 ** (-8 * j) for j in range(small))]
    terms = [Fraction(c) for c in series]
    x = Fraction(end)
    products = [
        (a * b) * x ** (i + j + 1) / (i + j + 1)
        for i, a in enumerate(terms)
        for j, b in enumerate(terms)
    ]
    size = float(sum(map(abs, products)))
    # Some roundings per term.
    assert integrate_square(series, len(series), end) == pytest.approx(
        float(sum(products)), rel=0.0, abs=50 * 2.2e-16 * size
    )


@given(st.lists(coefficients, min_size=1, max_size=8), st.integers(0, 8))
@settings(derandomize=True)
def test_the_size_of_a_series_adds_up_all_its_terms_without_their_signs(series, eighths):
    x = Fraction(eighths, 8)
    want = exact_value([abs(c) for c in series], x)
    # Powers of 1/8 times integers of ten bits are exact.
    assert Fraction(size_over(row(series), len(series), float(x))) == want
