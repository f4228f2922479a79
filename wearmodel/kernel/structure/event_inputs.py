"""Inputs that a master sets at an event of a structure, as in `shoe.event_inputs`."""

from __future__ import annotations

from ..inputs.jumps import is_off_the_line, is_unexplained, jump
from ..limits import INPUT_AT_END, LONGEST_ORDER, OK
from .state_objects import Body, StructureParameters, StructureState, StructureWork
from .stepper import settle_structure


def take_structure_event_inputs(
    p: StructureParameters,
    body: Body,
    state: StructureState,
    sample: list[float],
    entered: list[float],
    is_requested: float,
    work: StructureWork,
) -> int:
    """As `shoe.event_inputs.take_event_inputs`."""
    samples = state.samples
    predictions = state.predictions
    now = state.now
    present = state.present
    at_end = p.input_timing == INPUT_AT_END
    order = p.input_extrapolation_order
    if order < 0.0:
        order = float(LONGEST_ORDER)
    any_jump = False
    for k in range(len(present)):
        value = sample[k + 1]
        if value == entered[k + 1]:
            continue
        errors = predictions[k]
        is_jump = True
        if is_requested != 0.0:
            if at_end:
                is_jump = is_off_the_line(samples, k + 1, now.steps, value)
            else:
                is_jump = is_unexplained(
                    samples, k + 1, now.sample_count, errors, order, now.steps, now.time, value
                )
        if is_jump:
            any_jump = True
            jump(samples, k + 1, len(sample), now.time, errors, value, p.input_timing)
        if is_jump or not at_end:
            instant = present[k]
            instant[0] = value
    # Without a discontinuity the modes do not change. The next step finds events of the new rates.
    return settle_structure(body, state, work) if any_jump else OK
