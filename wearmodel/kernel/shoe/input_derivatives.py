"""A step with derivatives of the inputs: Taylor polynomials replace the extrapolation."""

from __future__ import annotations

from ..inputs.taylor import taylor
from ..limits import (
    BASE_ACCELERATION,
    BASE_ACCELERATION_NORMAL,
    INPUT_AT_END,
    NORMAL_LOAD,
    TANGENTIAL_LOAD,
)
from ..state_objects import Sample
from .parameters import Parameters
from .state_objects import InputMemory, Present, State, Work
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

    `taylor` defines the order of `derivatives`. They have no effect with input_timing end, because
    each input is then a straight line.
    """
    if p.input_timing == INPUT_AT_END:
        return step(p, s, memory, now, sample, step_size, work)
    counts = work.counts
    counts.base_acceleration = taylor(
        sample, derivatives, BASE_ACCELERATION, work.base_acceleration
    )
    counts.base_acceleration_normal = taylor(
        sample, derivatives, BASE_ACCELERATION_NORMAL, work.base_acceleration_normal
    )
    counts.tangential_load = taylor(sample, derivatives, TANGENTIAL_LOAD, work.tangential_load)
    counts.normal_load = taylor(sample, derivatives, NORMAL_LOAD, work.normal_load)
    return step_along(p, s, memory.samples, now, step_size, work)
