"""Runs of the kernel through sampled inputs: plain functions, interpreted or compiled.

They are loaded with their records lowered (`lowering`): a record is a row of numbers, or some rows,
and a bundle is taken apart into its fields.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..kernel.limits import INPUT_AT_END, OK, SAMPLE_LENGTH, TIME
from ..kernel.records import Sample, bundle
from ..kernel.shoe.input_derivatives import step_with_derivatives
from ..kernel.shoe.parameters import Parameters
from ..kernel.shoe.records import InputMemory, Present, State, Work
from ..kernel.shoe.steps import outputs, start, step


@bundle
@dataclass
class RunWork:
    """Work space of a run, in which all of them go one after the other."""

    s: State
    memory: InputMemory
    now: Present
    sample: Sample
    work: Work


@bundle
@dataclass
class RecordInputs:
    """What is fed into the runs."""

    # Of each record a row an input, with one sample more than there are steps.
    samples: list[list[list[float]]]
    # Of the one record there then is, a row a step, see `inputs.taylor`; empty where unknown.
    derivatives: list[list[float]]


@bundle
@dataclass
class Results:
    """What is kept of all runs, an entry a run in all but the first."""

    wanted: list[int]  # numbers of outputs, in the order of `measures.measure`
    histories: list[list[list[float]]]  # those outputs at each sample
    finals: list[list[float]]  # all outputs at the last instant, where it is reached
    codes: list[int]
    steps_taken: list[int]


def run_block(
    first: int,
    last: int,
    parameters: list[Parameters],
    inputs: RecordInputs,
    start_time: float,
    step_sizes: list[float],
    results: Results,
    run_work: RunWork,
) -> None:
    """Do the runs `first` to `last` − 1, numbered record by record within each parameter set.

    `parameters` has one entry a parameter set; see `run_record`.
    """
    record_count = len(inputs.samples)
    codes = results.codes
    steps_taken = results.steps_taken
    for run in range(first, last):
        codes[run], steps_taken[run] = run_record(
            parameters[run // record_count],
            inputs,
            run % record_count,
            start_time,
            step_sizes,
            run,
            results,
            run_work,
        )


def run_record(
    p: Parameters,
    inputs: RecordInputs,
    record: int,
    start_time: float,
    step_sizes: list[float],
    run: int,
    results: Results,
    run_work: RunWork,
) -> tuple[int, int]:
    """Run one record; return the result code and the number of steps taken.

    Parameters
    ----------
    p
        The kernel's parameters, completed.
    inputs, record
        All records, and which of them it is.
    start_time, step_sizes
        Instant of the first sample and the times between samples [s].
    run, results
        The number of the run, and where its outputs go: all of them at the last instant, if it is
        reached.
    run_work
        Work space.
    """
    samples = inputs.samples[record]
    is_known = len(inputs.derivatives) > 0
    wanted = results.wanted
    history = results.histories[run]
    final = results.finals[run]
    s = run_work.s
    memory = run_work.memory
    predictions = memory.predictions
    now = run_work.now
    sample = run_work.sample
    work = run_work.work
    _take(samples, 0, start_time, sample)
    code = start(p, s, memory.samples, predictions, now, sample)
    if code != OK:
        return code, 0
    values = outputs(p, s, predictions, now)
    for column in range(len(wanted)):
        history[0][column] = values[wanted[column]]
    steps = len(step_sizes)
    for number in range(steps):
        _take(samples, number + 1 if p.input_timing == INPUT_AT_END else number, now.time, sample)
        step_size = step_sizes[number]
        if is_known:
            slopes = inputs.derivatives[number]
            code = step_with_derivatives(p, s, memory, now, sample, slopes, step_size, work)
        else:
            code = step(p, s, memory, now, sample, step_size, work)
        if code > OK:
            return code, number
        if number == steps - 1 or len(wanted) > 0:
            values = outputs(p, s, predictions, now)
            for column in range(len(wanted)):
                history[number + 1][column] = values[wanted[column]]
    for column in range(len(final)):
        final[column] = values[column]
    return OK, steps


def _take(samples: list[list[float]], number: int, time: float, sample: Sample) -> None:
    sample[TIME] = time
    for row in range(SAMPLE_LENGTH - 1):
        sample[row + 1] = samples[row][number]
