"""Inputs that a host gives at an event, between two steps: see `inputs.jumps`."""

from __future__ import annotations

from ..inputs.jumps import extrapolated, is_off_the_line, is_unexplained, jump, own_count
from ..inputs.state_objects import Errors, Samples
from ..limits import (
    BASE_ACCELERATION,
    BASE_ACCELERATION_NORMAL,
    INPUT_AT_END,
    LEAVE_UPPER,
    NORMAL_LOAD,
    OK,
    SAMPLE_LENGTH,
    TANGENTIAL_LOAD,
)
from ..state_objects import Sample
from .parameters import Parameters
from .state_objects import InputMemory, Present, State, Work
from .stepper import settle


def take_event_inputs(
    p: Parameters,
    s: State,
    memory: InputMemory,
    now: Present,
    sample: Sample,
    entered: Sample,
    is_requested: float,
    work: Work,
) -> int:
    """Take the inputs `sample` at the present instant, some of which differ from `entered`.

    `is_requested` is 1 if the model has reported the event, otherwise 0. Returns OK or an error.
    After an error the state is incomplete.
    """
    samples = memory.samples
    predictions = memory.predictions
    errors = predictions.base_acceleration
    acceleration, jumps = _value(
        p, samples, BASE_ACCELERATION, errors, now, sample, entered, is_requested
    )
    normal_errors = predictions.base_acceleration_normal
    normal_acceleration, normal_jumps = _value(
        p, samples, BASE_ACCELERATION_NORMAL, normal_errors, now, sample, entered, is_requested
    )
    load, load_jumps = _value(
        p, samples, TANGENTIAL_LOAD, predictions.tangential_load, now, sample, entered, is_requested
    )
    normal_load, normal_load_jumps = _value(
        p, samples, NORMAL_LOAD, predictions.normal_load, now, sample, entered, is_requested
    )
    now.even_step_size = 0.0
    now.steady_others = 0.0
    if (
        sample[BASE_ACCELERATION] != entered[BASE_ACCELERATION]
        or sample[TANGENTIAL_LOAD] != entered[TANGENTIAL_LOAD]
    ):
        now.tangential_load = load
        now.tangential_forcing = load - p.mass * acceleration
    if (
        sample[BASE_ACCELERATION_NORMAL] != entered[BASE_ACCELERATION_NORMAL]
        or sample[NORMAL_LOAD] != entered[NORMAL_LOAD]
    ):
        now.normal_forcing = p.weight - p.mass * normal_acceleration - normal_load
    # Without a discontinuity the mode does not change. The next step finds events due to the rates.
    if not (jumps or normal_jumps or load_jumps or normal_load_jumps):
        return OK
    return settle(p, s, now, LEAVE_UPPER, work)


def _value(
    p: Parameters,
    samples: Samples,
    column: int,
    errors: Errors,
    now: Present,
    sample: Sample,
    entered: Sample,
    is_requested: float,
) -> tuple[float, bool]:
    """Present value of an input, and whether it is discontinuous. If so, clear its past."""
    value = sample[column]
    count = own_count(samples, column, now.sample_count)
    at_end = p.input_timing == INPUT_AT_END
    is_jump = value != entered[column]
    if is_jump and is_requested != 0.0:
        if at_end:
            is_jump = is_off_the_line(samples, column, now.steps, value)
        else:
            is_jump = is_unexplained(
                samples, column, count, errors, p.longest_order, now.steps, now.time, value
            )
    if is_jump:
        jump(samples, column, SAMPLE_LENGTH, now.time, errors, value, p.input_timing)
        return value, True
    if at_end:
        return samples.first[column], False
    # An input without samples has just started, or has just been discontinuous.
    if value != entered[column] or count == 0.0:
        return value, False
    order = errors.order if p.is_automatic != 0.0 else p.longest_order
    return extrapolated(samples, column, count, order, now.time), False
