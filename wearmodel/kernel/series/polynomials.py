"""Power series on [0, 1]: shift, evaluate, integrate.

A series is a row of coefficients c[0] … c[n − 1] of Σ c_j x^j. Nothing here knows mechanics.
"""

from __future__ import annotations

# A coefficient this small beside the largest one changes no sum by more than a rounding.
_SWALLOWED = 1e-16


def rescale(
    source: list[float], count: int, start: float, length: float, target: list[float]
) -> None:
    """Rewrite Σ c_j t^j as a series in x, where t = start + length·x."""
    for j in range(count):
        target[j] = source[j]
    if start != 0.0:
        shift(target, count, start)
    power = 1.0
    for j in range(1, count):
        power *= length
        target[j] *= power


def shift(series: list[float], count: int, start: float) -> None:
    """Rewrite Σ c_j x^j in place as a series in x − start (repeated synthetic division)."""
    for i in range(count - 1):
        for j in range(count - 2, i - 1, -1):
            series[j] += start * series[j + 1]


def evaluate(series: list[float], count: int, x: float) -> float:
    """Σ_{j<count} c_j x^j."""
    value = 0.0
    for j in range(count - 1, -1, -1):
        value = value * x + series[j]
    return value


def size_over(series: list[float], count: int, x: float) -> float:
    """Σ_{j<count} |c_j| x^j: no sum of the terms is larger, anywhere in [0, x]."""
    size = abs(series[0])
    power = 1.0
    for j in range(1, count):
        power *= x
        size += abs(series[j]) * power
    return size


def evaluate_increment(series: list[float], count: int, x: float) -> float:
    """Σ_{1≤j<count} c_j x^j: the change since x = 0, free of cancellation with c_0."""
    value = 0.0
    for j in range(count - 1, 0, -1):
        value = value * x + series[j]
    return value * x


def evaluate_slope(series: list[float], count: int, x: float) -> float:
    """Σ_{1≤j<count} j c_j x^(j−1)."""
    value = 0.0
    for j in range(count - 1, 0, -1):
        value = value * x + j * series[j]
    return value


def integrate_product(
    first: list[float], first_count: int, second: list[float], second_count: int, x: float
) -> float:
    """∫₀ˣ (Σ a_i y^i)(Σ b_j y^j) dy, exactly, term by term."""
    total = 0.0
    outer = x
    for i in range(first_count):
        if first[i] != 0.0:
            inner = 0.0
            power = outer
            for j in range(second_count):
                inner += second[j] * power / (i + j + 1)
                power *= x
            total += first[i] * inner
        outer *= x
    return total


def integrate_square(series: list[float], count: int, x: float) -> float:
    """∫₀ˣ (Σ c_j y^j)² dy, term by term, each pair once, without what rounding would swallow."""
    largest = 0.0
    for j in range(count):
        largest = max(largest, abs(series[j]))
    terms = count
    while terms > 0 and abs(series[terms - 1]) <= _SWALLOWED * largest:
        terms -= 1
    total = 0.0
    outer = x
    for i in range(terms):
        if series[i] != 0.0:
            inner = 0.0
            order = i + terms
            for j in range(terms - 1, i, -1):
                inner = inner * x + series[j] / order
                order -= 1
            total += outer * series[i] * (2.0 * inner * x + series[i] / order)
        outer *= x * x
    return total
