"""A step under derivatives of the inputs: their Taylor polynomials instead of an extrapolation."""

from __future__ import annotations

from ..limits import (
    BASE_ACCELERATION,
    BASE_ACCELERATION_NORMAL,
    INPUT_AT_END,
    LONGEST_ORDER,
    NORMAL_LOAD,
    TANGENTIAL_LOAD,
)
from ..records import Row, Sample
from .parameters import Parameters
from .records import InputMemory, Present, State, Work
from .steps import step, step_along


def step_with_derivatives(
    p: Parameters,
    s: State,
    memory: InputMemory,
    now: Present,
    sample: Sample,
    derivatives: list[float],
    step_size: float,
    work: Work,
) -> int:
    """Advance by `step_size` [s] with the inputs and their derivatives at the step's start.

    `derivatives` holds for one input after the other its derivatives of order 1 to LONGEST_ORDER.
    With input_timing end they have no effect: an input is then led on a straight line.
    """
    if p.input_timing == INPUT_AT_END:
        return step(p, s, memory, now, sample, step_size, work)
    counts = work.counts
    counts.base_acceleration = _taylor(
        sample, derivatives, BASE_ACCELERATION, work.base_acceleration
    )
    counts.base_acceleration_normal = _taylor(
        sample, derivatives, BASE_ACCELERATION_NORMAL, work.base_acceleration_normal
    )
    counts.tangential_load = _taylor(sample, derivatives, TANGENTIAL_LOAD, work.tangential_load)
    counts.normal_load = _taylor(sample, derivatives, NORMAL_LOAD, work.normal_load)
    return step_along(p, s, memory.samples, now, step_size, work)


def _taylor(sample: Sample, derivatives: list[float], column: int, row: Row) -> float:
    """Write the polynomial of an input; its number of coefficients, 1 for one that is held."""
    at = (column - 1) * LONGEST_ORDER
    row[0] = sample[column]
    row[1] = derivatives[at]
    row[2] = derivatives[at + 1] / 2.0
    row[3] = derivatives[at + 2] / 6.0
    if row[3] != 0.0:
        return 4.0
    if row[2] != 0.0:
        return 3.0
    return 2.0 if row[1] != 0.0 else 1.0
