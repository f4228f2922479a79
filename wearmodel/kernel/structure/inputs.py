"""Inputs of a structure over a communication step.

A sample is a row: the instant, the three accelerations of the support, the loads. Samples and
orders are chosen as in `shoe.steps`, for any number of inputs.
"""

from __future__ import annotations

from math import sqrt

from ..inputs.extrapolation import (
    bounded_order,
    drop_crowded,
    is_ordinary,
    polynomial,
    predicted,
    straight_line,
)
from ..inputs.jumps import are_own, own_count
from ..inputs.state_objects import Errors, Samples
from ..limits import FAINT, JUDGED_FROM, LATE_LIMIT, LONGEST_ORDER, MEMORY_STEPS
from ..state_objects import Rows
from .state_objects import ModalCounts, StructurePresent


def extrapolated_inputs(
    samples: Samples,
    predictions: list[Errors],
    sample_count: float,
    order: float,
    step_size: float,
    inputs: Rows,
    counts: ModalCounts,
) -> float:
    """Write each input's polynomial over the step, and return the number of samples kept.

    The newest sample is at the step's start. `order` −1 chooses the order from the errors of past
    predictions, including the newest sample. Samples that are too close to each other are
    dropped. `counts.late_input` receives the number, from 1, of an input that has become late.
    """
    longest = LONGEST_ORDER if order < 0.0 else order
    count = sample_count
    used = min(longest, count - 1.0)
    if not is_ordinary(samples, used, step_size):
        count = drop_crowded(samples, count, step_size)
        used = bounded_order(samples, min(longest, count - 1.0), step_size)
    highest = 1
    counts.late_input = 0.0
    first = samples.first
    second = samples.second
    jumps = samples.jumps
    kept = min(count, longest + 1.0)
    if jumps[0] != 0.0 and are_own(samples, len(first), kept):
        jumps[0] = 0.0
    for k in range(len(inputs)):
        errors = predictions[k]
        row = inputs[k]
        late = errors.late
        own = count
        own_order = used
        if jumps[0] != 0.0:
            own = own_count(samples, k + 1, count)
            own_order = bounded_order(samples, min(used, own - 1.0), step_size)
        if order < 0.0:
            coefficient_count = predicted(samples, k + 1, errors, errors, own, own_order, 1.0, row)
        else:
            coefficient_count = polynomial(samples, k + 1, errors, errors, own, own_order, 1.0, row)
        errors.steady = errors.steady + 1.0 if first[k + 1] == second[k + 1] else 0.0
        if late < LATE_LIMIT and errors.late >= LATE_LIMIT:
            counts.late_input = k + 1.0
        for j in range(coefficient_count, LONGEST_ORDER + 1):
            row[j] = 0.0
        highest = max(highest, coefficient_count)
    counts.inputs = float(highest)
    return kept


def joined_inputs(samples: Samples, step_size: float, inputs: Rows, counts: ModalCounts) -> None:
    """Write the straight lines from the second newest sample to the newest, at the step's end."""
    counts.late_input = 0.0
    highest = 1
    for k in range(len(inputs)):
        row = inputs[k]
        row[1] = 0.0
        highest = max(highest, straight_line(samples, k + 1, step_size, 1.0, row))
    counts.inputs = float(highest)


def structure_prediction_error(predictions: list[Errors], now: StructurePresent) -> float:
    """Largest rms of an input's prediction errors, as a share of that input's rms.

    −1 if it is not known yet. Constant inputs are left out.
    """
    if now.steps < JUDGED_FROM:
        return -1.0
    share = 0.0
    for k in range(len(predictions)):
        errors = predictions[k]
        missed = errors.missed
        received = errors.received
        is_judged = errors.steady < MEMORY_STEPS and received > FAINT * missed
        if is_judged and missed > share * received:
            share = missed / received
    return sqrt(share)
