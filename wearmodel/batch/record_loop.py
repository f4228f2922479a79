"""Runs of the kernel through sampled inputs: plain functions, interpreted or compiled.

They are loaded with their records lowered (`lowering`): a record is a row of numbers, or some rows.
"""

from __future__ import annotations

from ..kernel.inputs.records import Samples
from ..kernel.limits import INPUT_AT_END, OK, SAMPLE_LENGTH, TIME
from ..kernel.records import Sample
from ..kernel.shoe.parameters import Parameters
from ..kernel.shoe.records import Predictions, Present, State, Work
from ..kernel.shoe.steps import outputs, start, step


def run_block(
    first: int,
    last: int,
    parameters: list[Parameters],
    inputs: list[list[list[float]]],
    start_time: float,
    step_sizes: list[float],
    wanted: list[int],
    histories: list[list[list[float]]],
    finals: list[list[float]],
    codes: list[int],
    steps_taken: list[int],
    s: State,
    samples: Samples,
    backup: Samples,
    predictions: Predictions,
    tried: Predictions,
    now: Present,
    sample: Sample,
    work: Work,
) -> None:
    """Do the runs `first` to `last` − 1, numbered record by record within each parameter set.

    `parameters` has one entry a parameter set, `inputs` one a record, and `histories`, `finals`,
    `codes` and `steps_taken` one a run; see `run_record`. All below them is scratch.
    """
    record_count = len(inputs)
    for run in range(first, last):
        codes[run], steps_taken[run] = run_record(
            parameters[run // record_count],
            inputs[run % record_count],
            start_time,
            step_sizes,
            wanted,
            histories[run],
            finals[run],
            s,
            samples,
            backup,
            predictions,
            tried,
            now,
            sample,
            work,
        )


def run_record(
    p: Parameters,
    inputs: list[list[float]],
    start_time: float,
    step_sizes: list[float],
    wanted: list[int],
    history: list[list[float]],
    final: list[float],
    s: State,
    samples: Samples,
    backup: Samples,
    predictions: Predictions,
    tried: Predictions,
    now: Present,
    sample: Sample,
    work: Work,
) -> tuple[int, int]:
    """Run one record; return the result code and the number of steps taken.

    Parameters
    ----------
    p
        The kernel's parameters, completed.
    inputs
        Samples, one row an input and one more sample than there are steps.
    start_time, step_sizes
        Instant of the first sample and the times between samples [s].
    wanted, history
        Numbers of outputs (order of `measures.measure`) whose values go into `history`, one row a
        sample.
    final
        Receives all outputs at the last instant, if it is reached.
    s, samples, backup, predictions, tried, now, sample, work
        Scratch.
    """
    _take(inputs, 0, start_time, sample)
    code = start(p, s, samples, predictions, now, sample)
    if code != OK:
        return code, 0
    values = outputs(p, s, predictions, now)
    for column in range(len(wanted)):
        history[0][column] = values[wanted[column]]
    steps = len(step_sizes)
    for number in range(steps):
        _take(inputs, number + 1 if p.input_timing == INPUT_AT_END else number, now.time, sample)
        code = step(
            p,
            s,
            samples,
            backup,
            predictions,
            tried,
            now,
            sample,
            step_sizes[number],
            work,
        )
        if code > OK:
            return code, number
        if number == steps - 1 or len(wanted) > 0:
            values = outputs(p, s, predictions, now)
            for column in range(len(wanted)):
                history[number + 1][column] = values[wanted[column]]
    for column in range(len(final)):
        final[column] = values[column]
    return OK, steps


def _take(inputs: list[list[float]], number: int, time: float, sample: Sample) -> None:
    sample[TIME] = time
    for row in range(SAMPLE_LENGTH - 1):
        sample[row + 1] = inputs[row][number]
