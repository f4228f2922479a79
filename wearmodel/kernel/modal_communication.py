"""One communication step of a structure: its inputs over the step, and the motion.

A sample is a row: the instant, the three accelerations of the support, the loads. The inputs are
those of `communication`, as many as there are; the choice of samples and orders is the same.
"""

from __future__ import annotations

from .extrapolation import (
    bounded_order,
    drop_crowded,
    is_ordinary,
    keep_errors,
    polynomial,
    predicted,
    straight_line,
)
from .limits import LONGEST_ORDER
from .modal_records import ModalCounts, Rows
from .records import Errors, Samples


def structure_inputs(
    samples: Samples,
    predictions: list[Errors],
    sample_count: float,
    order: float,
    step_size: float,
    inputs: Rows,
    counts: ModalCounts,
) -> float:
    """Write each input's polynomial over the step; return how many samples are kept.

    The newest sample is at the step's start; `order` −1 chooses the order from the errors of past
    predictions. Samples that are too close to each other are dropped.
    """
    longest = LONGEST_ORDER if order < 0.0 else order
    count = sample_count
    used = min(longest, count - 1.0)
    if not is_ordinary(samples, used, step_size):
        count = drop_crowded(samples, count, step_size)
        used = bounded_order(samples, min(longest, count - 1.0), step_size)
    highest = 1
    for k in range(len(inputs)):
        if order < 0.0:
            found = predicted(samples, k + 1, predictions[k], count, used, 1.0, inputs[k])
        else:
            found = polynomial(samples, k + 1, used, 1.0, inputs[k])
        row = inputs[k]
        for j in range(found, LONGEST_ORDER + 1):
            row[j] = 0.0
        highest = max(highest, found)
    counts.inputs = float(highest)
    return min(count, longest + 1.0)


def joined_inputs(samples: Samples, step_size: float, inputs: Rows, counts: ModalCounts) -> None:
    """Write the straight lines from the second sample to the newest, at the step's end."""
    highest = 1
    for k in range(len(inputs)):
        row = inputs[k]
        row[1] = 0.0
        highest = max(highest, straight_line(samples, k + 1, step_size, 1.0, row))
    counts.inputs = float(highest)


def keep_predictions(predictions: list[Errors]) -> None:
    """What was tried has come true, of all inputs."""
    for k in range(len(predictions)):
        keep_errors(predictions[k])
