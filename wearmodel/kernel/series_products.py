"""Coefficients of products and of unit vectors of power series, one order after the other.

Where a law is no polynomial, its series follows from recurrences: each function gives coefficient j
from those up to j of what it is made of.
"""

from __future__ import annotations

from math import sqrt

# A share of a series' largest coefficient that changes no sum by more than a rounding.
_SWALLOWED = 1e-18


def magnitude(first: float, second: float) -> float:
    """√(first² + second²) without overflow, the same in all forms of the kernel.

    Python's own `hypot` rounds otherwise than that of C.
    """
    larger = max(abs(first), abs(second))
    smaller = min(abs(first), abs(second))
    if smaller == 0.0:
        return larger
    ratio = smaller / larger
    return larger * sqrt(1.0 + ratio * ratio)


def product_coefficient(first: list[float], second: list[float], j: int) -> float:
    """Coefficient j of the product of two series."""
    total = 0.0
    for i in range(j + 1):
        total += first[i] * second[j - i]
    return total


def add_unit_coefficient(
    first: list[float],
    second: list[float],
    length: list[float],
    unit_1: list[float],
    unit_2: list[float],
    slope: list[float],
    j: int,
) -> None:
    """Write coefficient j of |G| and of d = G/|G| for G = (first, second), |G| ≠ 0 at the start.

        |G|' = G'·d,   |G| d' = G' − (G'·d) d

    `slope` holds the coefficients of G'·d. Along a line d stays what it is, digit by digit.
    """
    if j == 0:
        size = magnitude(first[0], second[0])
        length[0] = size
        unit_1[0] = first[0] / size
        unit_2[0] = second[0] / size
        return
    last = j - 1
    rate = 0.0
    for i in range(j):
        rate += (i + 1) * (first[i + 1] * unit_1[last - i] + second[i + 1] * unit_2[last - i])
    slope[last] = rate
    length[j] = rate / j
    rest_1 = j * first[j]
    rest_2 = j * second[j]
    for i in range(j):
        rest_1 -= slope[i] * unit_1[last - i]
        rest_2 -= slope[i] * unit_2[last - i]
    for i in range(1, j):
        weight = (j - i) * length[i]
        rest_1 -= weight * unit_1[j - i]
        rest_2 -= weight * unit_2[j - i]
    unit_1[j] = rest_1 / (j * length[0])
    unit_2[j] = rest_2 / (j * length[0])


def significant(series: list[float], count: int) -> int:
    """How many leading coefficients matter: the others add up to less than rounding of the sum."""
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
    """Write factor·(first² + second²), all 2·count − 1 coefficients; return how many."""
    total = 2 * count - 1
    for j in range(total):
        value = 0.0
        for i in range(max(0, j - count + 1), min(j, count - 1) + 1):
            value += first[i] * first[j - i] + second[i] * second[j - i]
        target[j] = factor * value
    return total
