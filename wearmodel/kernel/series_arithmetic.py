"""Products, quotients, exponentials, roots and powers of power series, term by term.

Each function gives one coefficient of the result from those of the arguments up to the same order
and from the result's own lower ones. So they serve complete series as well as equations in which
the arguments themselves follow order by order, like a velocity that depends on its own exponential.
Nothing here knows mechanics. Source: Knuth, The Art of Computer Programming, volume 2, section 4.7;
each recurrence is the product rule of the derivative that defines the function.
"""

from __future__ import annotations

from math import exp, sqrt


def product_term(
    first: list[float], first_count: int, second: list[float], second_count: int, order: int
) -> float:
    """Coefficient of the given order of a·b, for series of so many coefficients."""
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


def quotient_term(
    dividend: list[float], divisor: list[float], result: list[float], order: int
) -> float:
    """Coefficient of q = a/b, b_0 ≠ 0:  b_0 q_j = a_j − Σ_{i=1..j} b_i q_{j−i}."""
    total = dividend[order]
    for i in range(1, order + 1):
        total -= divisor[i] * result[order - i]
    return total / divisor[0]


def square_root_term(radicand: list[float], result: list[float], order: int) -> float:
    """Coefficient of r = √a, a_0 > 0:  2 r_0 r_j = a_j − Σ_{i=1..j−1} r_i r_{j−i}."""
    if order == 0:
        return sqrt(radicand[0])
    total = radicand[order]
    for i in range(1, order):
        total -= result[i] * result[order - i]
    return total / (2.0 * result[0])


def power_term(base: list[float], exponent: float, result: list[float], order: int) -> float:
    """Coefficient of r = a^α, a_0 > 0:  j a_0 r_j = Σ_{i=1..j} (α i − (j − i)) a_i r_{j−i}."""
    if order == 0:
        return float(base[0] ** exponent)
    total = 0.0
    for i in range(1, order + 1):
        total += (exponent * i - (order - i)) * base[i] * result[order - i]
    return total / (order * base[0])


def tail_estimate(series: list[float], count: int) -> float:
    """What the terms that are left out add up to on [0, 1]; −1 where they do not decrease.

    Ten times the geometric continuation of the last four coefficients, two by two: every other
    one may vanish. An estimate, no bound: a series can hide a term beyond any number of others.
    """
    if count < 4:
        return -1.0
    last = abs(series[count - 1]) + abs(series[count - 2])
    before = abs(series[count - 3]) + abs(series[count - 4])
    if last == 0.0:
        return 0.0
    # Neither where one of them is not a number.
    if not last < before:
        return -1.0
    ratio = sqrt(last / before)
    return 10.0 * last * ratio / (1.0 - ratio)
