"""Inputs over a step from their derivatives at its start: Taylor polynomials."""

from __future__ import annotations

from ..limits import LONGEST_DERIVATIVE
from ..state_objects import Row, Sample


def taylor(sample: Sample, derivatives: list[float], column: int, row: Row) -> float:
    """Write the polynomial of an input. Return its number of coefficients, 1 if it is constant.

    `derivatives` contains the derivatives of order 1 to LONGEST_DERIVATIVE of each input, in the
    order of the sample.
    """
    at = (column - 1) * LONGEST_DERIVATIVE - 1
    row[0] = sample[column]
    count = 1.0
    factorial = 1.0
    for order in range(1, LONGEST_DERIVATIVE + 1):
        factorial *= order
        row[order] = derivatives[at + order] / factorial
        if row[order] != 0.0:
            count = order + 1.0
    return count
