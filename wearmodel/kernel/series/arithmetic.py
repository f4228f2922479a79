"""Products and exponentials of power series, term by term.

Each function computes one coefficient from the coefficients of the arguments up to the same order
and from lower ones of the result. The arguments can also be computed order by order, like a
velocity that depends on its own exponential. Each recurrence is the product rule of the derivative
that defines the function. Source: Knuth, The Art of Computer Programming, volume 2, section 4.7.
"""

from __future__ import annotations

from math import exp, sqrt

from ..limits import NEGLIGIBLE

# The truncation error is rounding if the tail is estimated at or below this share of the largest
# coefficient.
_TAIL = 1e-16
# The series of an equation solved term by term ends if the last term plus SHARE_BEFORE times its
# predecessor is below LAST_TERM of the largest term. Within LONGEST_REACH, terms decrease by at
# least 1/order each, so that the remainder is below rounding. Every other term may vanish.
LAST_TERM = 1e-15
SHARE_BEFORE = 0.03
# Terms below this share of a series' largest coefficient change a sum by at most a rounding.
_SWALLOWED = 1e-18
# A shorter vector has no direction, because the inverse of its length could overflow.
_NO_LENGTH = 1e-300


def product_term(
    first: list[float], first_count: int, second: list[float], second_count: int, order: int
) -> float:
    """Coefficient of the given order of a·b, for series of the given numbers of coefficients."""
    total = 0.0
    for i in range(max(0, order - second_count + 1), min(order + 1, first_count)):
        total += first[i] * second[order - i]
    return total


def exponential_term(
    exponent: list[float], factor: float, result: list[float], order: int
) -> float:
    """Coefficient of e = exp(factor·a):  j e_j = factor Σ_{i=1..j} i a_i e_{j−i}."""
    if order == 0:
        return exp(factor * exponent[0])
    total = 0.0
    for i in range(1, order + 1):
        total += i * exponent[i] * result[order - i]
    return factor * total / order


def tail_estimate(series: list[float], count: int) -> float:
    """Estimate of the sum of the missing terms on [0, 1], or −1 if they do not decrease.

    The estimate is ten times the geometric continuation of the last two pairs of coefficients. A
    single coefficient may vanish. The estimate is not a bound.
    """
    if count < 4:
        return -1.0
    last = abs(series[count - 1]) + abs(series[count - 2])
    before = abs(series[count - 3]) + abs(series[count - 4])
    if last == 0.0:
        return 0.0
    # Also false for NaN.
    if not last < before:
        return -1.0
    ratio = sqrt(last / before)
    return 10.0 * last * ratio / (1.0 - ratio)


def ends(series: list[float], count: int, largest: float) -> bool:
    """Whether the missing terms of a series are rounding compared with its largest coefficient."""
    last = abs(series[count - 1]) + abs(series[count - 2])
    return last <= NEGLIGIBLE * largest or 0.0 <= tail_estimate(series, count) <= _TAIL * largest


def shortening(series: list[float], count: int, largest: float) -> float:
    """Share of a piece over which the last coefficients would be below rounding of the largest."""
    last = abs(series[count - 1]) + abs(series[count - 2])
    # Also false for NaN.
    if not last <= largest:
        return 0.2
    if last <= 0.0:
        return 0.8
    share = 0.9 * float((NEGLIGIBLE * largest / last) ** (1.0 / count))
    return min(0.8, max(0.2, share))


def magnitude(first: float, second: float) -> float:
    """√(first² + second²) without overflow, the same in all forms of the kernel.

    Python's `hypot` and the function of C round differently.
    """
    larger = abs(first)
    smaller = abs(second)
    if larger < smaller:
        larger = abs(second)
        smaller = abs(first)
    if smaller == 0.0:
        return larger
    ratio = smaller / larger
    return larger * sqrt(1.0 + ratio * ratio)


def unit_coefficient(
    slope: float,
    moved: tuple[float, float],
    passed: tuple[float, float],
    length: float,
    unit: tuple[float, float],
    j: int,
) -> tuple[float, float, float]:
    """Coefficient j > 0 of |G|, and of the two components of d = G/|G|, |G| ≠ 0 at the start.

        |G|' = G'·d,   |G| d = G

    `slope` and `moved` are the coefficients j − 1 of G'·d and G', and `passed` is
    Σ_{0<i<j} |G|_i d_{j−i}. `length` and `unit` are the first coefficients of |G| and d. If G is
    parallel to an axis, d is exactly constant.
    """
    if length < _NO_LENGTH:
        return 0.0, 0.0, 0.0
    moved_1, moved_2 = moved
    passed_1, passed_2 = passed
    unit_1, unit_2 = unit
    # The only division does not depend on this order, so that processors compute it in parallel.
    share = 1.0 / (j * length)
    next_1 = (moved_1 - slope * unit_1 - j * passed_1) * share
    next_2 = (moved_2 - slope * unit_2 - j * passed_2) * share
    return slope * (share * length), next_1, next_2


def direction_of(first: float, second: float) -> tuple[float, float, float]:
    """Length and direction of a vector. The direction of a zero vector is (0, 0)."""
    size = magnitude(first, second)
    if size > 0.0:
        return size, first / size, second / size
    return size, 0.0, 0.0


def add_unit_coefficient(
    first: list[float],
    second: list[float],
    length: list[float],
    unit_1: list[float],
    unit_2: list[float],
    j: int,
) -> None:
    """Write coefficient j of |G| and of d = G/|G| for G = (first, second)."""
    if j == 0:
        size, first_1, first_2 = direction_of(first[0], second[0])
        length[0] = size
        unit_1[0] = first_1
        unit_2[0] = first_2
        return
    slope = 0.0
    passed_1 = 0.0
    passed_2 = 0.0
    for i in range(1, j + 1):
        slope += i * (first[i] * unit_1[j - i] + second[i] * unit_2[j - i])
    for i in range(1, j):
        passed_1 += length[i] * unit_1[j - i]
        passed_2 += length[i] * unit_2[j - i]
    moved = (j * first[j], j * second[j])
    size, next_1, next_2 = unit_coefficient(
        slope, moved, (passed_1, passed_2), length[0], (unit_1[0], unit_2[0]), j
    )
    length[j] = size
    unit_1[j] = next_1
    unit_2[j] = next_2


def significant(series: list[float], count: int) -> int:
    """Number of leading coefficients after which the rest is below the rounding of the sum."""
    largest = 0.0
    for j in range(count):
        largest = max(largest, abs(series[j]))
    terms = count
    left = 0.0
    while terms > 1:
        left += abs(series[terms - 1])
        if left > _SWALLOWED * largest:
            break
        terms -= 1
    return terms


def square_sum(
    first: list[float], second: list[float], count: int, factor: float, target: list[float]
) -> int:
    """Write factor·(first² + second²), all 2·count − 1 coefficients, and return their number."""
    total = 2 * count - 1
    for j in range(total):
        value = 0.0
        for i in range(max(0, j - count + 1), min(j, count - 1) + 1):
            value += first[i] * first[j - i] + second[i] * second[j - i]
        target[j] = factor * value
    return total
