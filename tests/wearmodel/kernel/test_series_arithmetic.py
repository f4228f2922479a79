"""Arithmetic of power series, compared with multi-precision Taylor coefficients."""

import math
import random
from collections.abc import Callable
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from wearmodel.kernel.series.arithmetic import (
    add_unit_coefficient,
    exponential_term,
    product_term,
    tail_estimate,
)

COUNT = 24
# Each coefficient is a sum of up to COUNT products, with one rounding per product.
ROUNDINGS = 4 * COUNT * 2.0**-53

Term = Callable[[list[float], list[float], list[float], int], float]
OPERATIONS: dict[str, tuple[Term, Callable[[mpmath.mpf, mpmath.mpf], mpmath.mpf]]] = {
    "product": (lambda a, b, _, order: product_term(a, COUNT, b, COUNT, order), lambda a, b: a * b),
    "exponential": (
        lambda a, _, result, order: exponential_term(a, -0.7, result, order),
        lambda a, _: mpmath.exp(mpmath.mpf(-0.7) * a),
    ),
}


def random_series(generator: random.Random) -> list[float]:
    """Return coefficients that decrease as 2^−j. The first is at least the sum of all others."""
    tail = [generator.uniform(-1.0, 1.0) * 2.0**-j for j in range(1, COUNT)]
    return [generator.uniform(1.0, 3.0) + sum(map(abs, tail)), *tail]


def exact(
    function: Callable[[mpmath.mpf, mpmath.mpf], mpmath.mpf], a: list[float], b: list[float]
) -> list[mpmath.mpf]:
    """Return the Taylor coefficients of function(a(x), b(x)) at 0, by a Cauchy integral."""
    points, radius = 128, mpmath.mpf(1) / 2
    unit = [mpmath.expjpi(mpmath.mpf(2 * k) / points) for k in range(points)]
    values = [
        function(
            mpmath.fsum(c * (radius * z) ** j for j, c in enumerate(a)),
            mpmath.fsum(c * (radius * z) ** j for j, c in enumerate(b)),
        )
        for z in unit
    ]
    return [
        mpmath.re(mpmath.fsum(v * mpmath.conj(unit[k * j % points]) for k, v in enumerate(values)))
        / points
        / radius**j
        for j in range(COUNT)
    ]


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("seed", range(5))
def test_the_series_of_a_function_has_its_taylor_coefficients(name, seed):
    generator = random.Random(f"{name} {seed}")
    term, function = OPERATIONS[name]
    a, b = random_series(generator), random_series(generator)
    result: list[float] = []
    for order in range(COUNT):
        result.append(term(a, b, result, order))
    with mpmath.workdps(40):
        wanted = exact(function, a, b)
    # All arguments decrease as 2^−j, and so do the sums that form a coefficient.
    size = max(abs(float(one)) * 2.0**j for j, one in enumerate(wanted))
    for order, (got, want) in enumerate(zip(result, wanted, strict=True)):
        assert abs(got - want) <= ROUNDINGS * size * 2.0**-order, order


def test_a_product_ends_where_the_counts_say():
    rows = [1.0, 2.0, 99.0], [3.0, 4.0, 5.0]
    assert [product_term(rows[0], 2, rows[1], 3, order) for order in range(4)] == [3, 10, 13, 10]


def test_the_estimate_covers_the_tails_of_ten_thousand_random_pieces():
    """Solutions of m v̇ = f − μ(v) F: the estimate is compared with the exact tail of each series.

    The series is truncated after some terms. The exact tail has 40 digits.
    """
    generator = random.Random(20)
    drawn = np.empty((3, 60_000))  # one in six is used
    for column in drawn.T:
        # v = −log(c + d e^(−x/b)), the velocity under exponential friction.
        column[:2] = generator.uniform(0.3, 30.0), generator.uniform(0.2, 5.0)
        column[2] = generator.uniform(-0.9, 5.0) * column[1]
    b, c, d = drawn
    length = 2 * COUNT + 20
    inner = np.array([d * (-1.0 / b) ** j / math.factorial(j) for j in range(length)])
    inner[0] += c
    series = np.empty_like(inner)
    series[0] = -np.log(inner[0])
    # (log a)' = a'/a
    for j in range(1, length):
        total = j * inner[j]
        for i in range(1, j):
            total += i * series[i] * inner[j - i]
        series[j] = -total / (j * inner[0])
    judged = 0
    worst = 0.0
    for one in range(drawn.shape[1]):
        count = generator.randint(8, 24)
        coefficients = series[: 2 * count + 20, one].tolist()
        tail = tail_estimate(coefficients, count)
        if not 1e-13 <= tail <= 1e-3:
            continue  # not used: too long, or below the rounding of these coefficients
        judged += 1
        with mpmath.workdps(40):
            rate = mpmath.exp(-1 / mpmath.mpf(b[one]))
            left_out = float(
                mpmath.fabs(
                    -mpmath.log(c[one] + d[one] * rate)
                    - mpmath.fsum(map(mpmath.mpf, coefficients[:count]))
                )
            )
        worst = max(worst, (left_out - 1e-15 * max(map(abs, coefficients))) / tail)
    assert judged > 10_000
    assert worst <= 1.0


@pytest.mark.parametrize(
    ("series", "tail"),
    [
        ([1.0, 0.5, 0.25, 0.125], 10 * 0.375 * 0.5 / (1 - 0.5)),
        ([1.0, 1.0, 1.0, 1.0], -1.0),
        ([1.0, 0.0, math.nan, 0.0], -1.0),
        ([1.0, 0.0, 0.0, 0.0], 0.0),
        ([1.0, 0.5, 0.25], -1.0),
    ],
    ids=["geometric", "not falling", "not a number", "ends", "too few"],
)
def test_the_estimate_of_a_tail(series, tail):
    assert tail_estimate(series, len(series)) == pytest.approx(tail)


@pytest.mark.parametrize("seed", range(8))
def test_a_unit_vector_and_its_length_make_the_vector(seed):
    """|d|² = 1 and |G| d = G for each coefficient, in exact arithmetic."""
    generator = random.Random(seed)
    first, second = ([generator.uniform(-1.0, 1.0) * 0.5**j for j in range(30)] for _ in "12")
    first[0] += math.copysign(1.0, first[0])
    length, unit_1, unit_2 = ([0.0] * 30 for _ in range(3))
    for j in range(30):
        add_unit_coefficient(first, second, length, unit_1, unit_2, j)

    def product(one: list[float], other: list[float], j: int) -> Fraction:
        return sum((Fraction(one[i]) * Fraction(other[j - i]) for i in range(j + 1)), Fraction(0))

    for j in range(30):
        # 30 products of terms that decrease with the radius of convergence, which is above 0.6
        # here.
        rounding = 1e-14 * (j + 1) * 0.6**-j
        assert abs(product(length, unit_1, j) - Fraction(first[j])) < rounding
        assert abs(product(length, unit_2, j) - Fraction(second[j])) < rounding
        square = product(unit_1, unit_1, j) + product(unit_2, unit_2, j)
        assert abs(square - (j == 0)) < rounding


@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_a_vector_along_an_axis_keeps_its_direction_digit_by_digit(sign):
    generator = random.Random(3)
    first = [sign * generator.uniform(0.1, 1.0) for _ in range(30)]
    still = [0.0] * 30
    length, unit_1, unit_2 = ([1.0] * 30 for _ in range(3))
    for j in range(30):
        add_unit_coefficient(first, still, length, unit_1, unit_2, j)
    assert unit_1 == [sign] + [0.0] * 29
    assert unit_2 == still
