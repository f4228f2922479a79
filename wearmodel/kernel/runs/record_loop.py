"""Runs of the kernel with sampled inputs: plain functions, interpreted or compiled.

They are loaded after lowering (`compiled.lowering`): a state object becomes a row of numbers or
several rows, and a bundle is split into its fields.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..contact.friction import holding_bound
from ..limits import INPUT_AT_END, OK, OVERFLOW, SAMPLE_LENGTH, TIME
from ..shoe.input_derivatives import step_with_derivatives
from ..shoe.parameters import Parameters
from ..shoe.quiet import quiet_step
from ..shoe.start_mode import place, set_mode
from ..shoe.state_objects import InputMemory, Present, State, Work, clear_state, state_sum
from ..shoe.stepper import cross_piece, end_piece
from ..shoe.steps import outputs, start, step
from ..state_objects import Sample, bundle


@bundle
@dataclass
class RunWork:
    """Work space of a run. Runs one after the other can share it."""

    s: State
    memory: InputMemory
    now: Present
    sample: Sample
    work: Work


@bundle
@dataclass
class RecordInputs:
    """Inputs of the runs."""

    # For each record a row for each input, with one sample more than there are steps.
    samples: list[list[list[float]]]
    # For a single record, a row for each step, see `inputs.taylor`. Empty if unknown.
    derivatives: list[list[float]]


@bundle
@dataclass
class Results:
    """Results of all runs. Each field but the first has an entry for each run."""

    wanted: list[int]  # indices of outputs, in the order of `measures.measure`
    histories: list[list[list[float]]]  # these outputs at each sample
    finals: list[list[float]]  # all outputs at the last instant, if it is reached
    codes: list[int]
    steps_taken: list[int]
    pieces: list[float]  # number of pieces, without steps that are computed at once


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
    """Compute the runs `first` to `last` − 1, numbered record by record within each parameter set.

    `parameters` has an entry for each parameter set, see `_run_record`.
    """
    record_count = len(inputs.samples)
    codes = results.codes
    steps_taken = results.steps_taken
    for run in range(first, last):
        codes[run], steps_taken[run] = _run_record(
            parameters[run // record_count],
            inputs,
            run % record_count,
            start_time,
            step_sizes,
            run,
            results,
            run_work,
        )


def _run_record(
    p: Parameters,
    inputs: RecordInputs,
    record: int,
    start_time: float,
    step_sizes: list[float],
    run: int,
    results: Results,
    run_work: RunWork,
) -> tuple[int, int]:
    """Run a record of the inputs, and return the result code and the number of steps taken.

    `start_time` is the instant of the first sample [s]. The outputs are written to the entries
    `run` of `results`, with all outputs at the last instant if it is reached.
    """
    memory = run_work.memory
    _take(inputs.samples[record], 0, start_time, run_work.sample)
    code = start(p, run_work.s, memory.samples, memory.predictions, run_work.now, run_work.sample)
    if code != OK:
        return code, 0
    return _take_steps(p, inputs, record, step_sizes, run, results, run_work)


def continue_run(
    p: Parameters,
    inputs: RecordInputs,
    step_sizes: list[float],
    results: Results,
    run_work: RunWork,
) -> tuple[int, int]:
    """Continue the run in the work space, and return the result code and the steps taken.

    The single record of the inputs begins at the time of the run, and the results have an entry for
    this run only. The numbers are the same as without interruption.
    """
    return _take_steps(p, inputs, 0, step_sizes, 0, results, run_work)


def _take_steps(
    p: Parameters,
    inputs: RecordInputs,
    record: int,
    step_sizes: list[float],
    run: int,
    results: Results,
    run_work: RunWork,
) -> tuple[int, int]:
    """As `_run_record`, from the state in the work space."""
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
    counts = work.counts
    pieces = results.pieces
    values = outputs(p, s, predictions, now)
    for column in range(len(wanted)):
        history[0][column] = values[wanted[column]]
    steps = len(step_sizes)
    for number in range(steps):
        _take(samples, number + 1 if p.input_timing == INPUT_AT_END else number, now.time, sample)
        step_size = step_sizes[number]
        counts.pieces = 0.0
        if is_known:
            slopes = inputs.derivatives[number]
            code = step_with_derivatives(p, s, memory, now, sample, slopes, step_size, work)
        else:
            code = step(p, s, memory, now, sample, step_size, work)
        pieces[run] += counts.pieces
        if code > OK:
            return code, number
        if number == steps - 1 or len(wanted) > 0:
            values = outputs(p, s, predictions, now)
            for column in range(len(wanted)):
                history[number + 1][column] = values[wanted[column]]
    for column in range(len(final)):
        final[column] = values[column]
    return OK, steps


def slide_blocks(
    parameters: list[Parameters],
    forcings: list[list[list[float]]],
    step_sizes: list[float],
    results: list[list[float]],
    codes: list[int],
    steps_taken: list[int],
    s: State,
    work: Work,
) -> None:
    """Slide a block of each parameter set under each record of forcings f_t and f_n [N].

    The forcings, records × 2 × samples, are linearly interpolated. `results`, `codes` and
    `steps_taken` have an entry for each run, record by record within each set. See `_slide_block`.
    """
    record_count = len(forcings)
    for run in range(len(results)):
        codes[run], steps_taken[run] = _slide_block(
            parameters[run // record_count],
            forcings[run % record_count],
            step_sizes,
            results[run],
            s,
            work,
        )


def _slide_block(
    p: Parameters,
    forcings: list[list[float]],
    step_sizes: list[float],
    results: list[float],
    s: State,
    work: Work,
) -> tuple[int, int]:
    """Slide a rigid block under prescribed normal force. Return the code and the steps taken.

    `results` receives the largest |u|, u at the end, the sliding distance [m], and whether the
    block slides at the end. The forcings are known, so they are not extrapolated. |u| is largest at
    an arrest, at the end of a piece, or at the end.
    """
    tangential = forcings[0]
    normal = forcings[1]
    step_tangential = work.step_tangential
    step_normal = work.step_normal
    counts = work.counts
    clear_state(s)
    place(p, s, normal[0])
    set_mode(p, s, tangential[0], normal[0])
    peak = 0.0
    held = p.held_direction
    for number in range(len(step_sizes)):
        size = step_sizes[number]
        drive = tangential[number]
        drive_after = tangential[number + 1]
        press = normal[number]
        press_after = normal[number + 1]
        if s.sliding == 0.0 and s.contact != 0.0:
            # If stick resists the force at both ends of a linear segment, it resists in between.
            push = -held * drive
            push_after = -held * drive_after
            if held == 0.0:
                push = abs(drive)
                push_after = abs(drive_after)
            if push < holding_bound(p, -press) and push_after < holding_bound(p, -press_after):
                s.last_sliding = 0.0
                s.zeros_force = 0.0
                s.zeros_cone_plus = 0.0
                s.zeros_cone_minus = 0.0
                continue
        step_tangential[0] = drive
        step_normal[0] = press
        tangential_count = 1
        normal_count = 1
        if drive_after != drive:
            step_tangential[1] = (drive_after - drive) / size
            tangential_count = 2
        if press_after != press:
            step_normal[1] = (press_after - press) / size
            normal_count = 2
        if not quiet_step(p, s, tangential_count, normal_count, size, work):
            counts.events = 0.0
            counts.pieces = 0.0
            time = 0.0
            while time < size:
                time = cross_piece(p, s, tangential_count, normal_count, time, size, work)
                peak = max(peak, abs(s.displacement))
                code = end_piece(p, s, work)
                if code != OK:
                    return code, number
            total = state_sum(s)
            # The difference is zero unless the sum, and so one of the numbers, is not finite.
            if not time >= size or total - total != 0.0:
                return OVERFLOW, number
    results[0] = max(peak, abs(s.displacement))
    results[1] = s.displacement
    results[2] = s.sliding_distance
    results[3] = abs(s.sliding)
    return OK, len(step_sizes)


def _take(samples: list[list[float]], number: int, time: float, sample: Sample) -> None:
    sample[TIME] = time
    for row in range(SAMPLE_LENGTH - 1):
        sample[row + 1] = samples[row][number]
