"""Runs of the kernel through sampled inputs: plain functions, interpreted or compiled.

Between two samples an input is the straight line through them, a polynomial of degree 1 that the
kernel takes exactly; or it is extrapolated from the samples up to the step's start, as a slave sees
it. The buffers are those of `kernel.layout`; rows are lists of floats or arrays.
"""

from __future__ import annotations

from ..kernel.declared import forcings as forcings_of
from ..kernel.extrapolation import extrapolate, keep_usable
from ..kernel.layout import MASS, OK, OVERFLOW, SLIDING
from ..kernel.measures import measure
from ..kernel.quiet import quiet_step
from ..kernel.series import evaluate, evaluate_slope
from ..kernel.stepper import advance

ALLOCATING = (
    "run_block",
    "run_record",
    "_copy",
    "extrapolate",
    "keep_usable",
    "_may_be_parabola",
    "_may_be_cubic",
)
"""What makes lists or is given them, see `batch.compile`."""

# Instead of an order of extrapolation: the straight line to the next sample.
STRAIGHT_LINE = -1

# Rows of the inputs.
BASE_ACCELERATION = 0  # m/s2
BASE_ACCELERATION_NORMAL = 1  # m/s2
TANGENTIAL_LOAD = 2  # N
NORMAL_LOAD = 3  # N


def run_block(
    first: int,
    last: int,
    parameters: list[list[float]],
    weights: list[float],
    orders: list[int],
    inputs: list[list[list[float]]],
    start_time: float,
    step_sizes: list[float],
    wanted: list[int],
    states: list[list[float]],
    histories: list[list[list[float]]],
    finals: list[list[float]],
    codes: list[int],
    steps_taken: list[int],
    forcings: list[list[float]],
    work: list[list[float]],
) -> None:
    """Do the runs `first` to `last` − 1, numbered record by record within each parameter set.

    `parameters`, `weights` and `orders` have one entry a parameter set, `inputs` one a record, and
    `states`, `histories`, `finals`, `codes` and `steps_taken` one a run; see `run_record`.
    """
    record_count = len(inputs)
    for run in range(first, last):
        row = run // record_count
        codes[run], steps_taken[run] = run_record(
            parameters[row],
            states[run],
            weights[row],
            inputs[run % record_count],
            start_time,
            step_sizes,
            orders[row],
            wanted,
            histories[run],
            finals[run],
            forcings,
            work,
        )


def run_record(
    parameters: list[float],
    state: list[float],
    weight: float,
    inputs: list[list[float]],
    start_time: float,
    step_sizes: list[float],
    order: int,
    wanted: list[int],
    history: list[list[float]],
    final: list[float],
    forcings: list[list[float]],
    work: list[list[float]],
) -> tuple[int, int]:
    """Run one record; return the result code and the number of steps taken.

    Parameters
    ----------
    parameters, state, work
        The kernel's buffers; `state` has been started, and is advanced.
    weight
        The part of f_n [N] that no input changes, −m g − preload.
    inputs
        Samples, one row an input and one more sample than there are steps.
    start_time, step_sizes
        Instant of the first sample and the times between samples [s].
    order
        Order of extrapolation 0 to 3, or STRAIGHT_LINE.
    wanted, history
        Numbers of outputs (order of `measure`) whose values go into `history`, one row a sample.
    final
        Receives all outputs at the last instant, if it is reached.
    forcings
        Scratch: three rows of at least 4 places.
    """
    mass = parameters[MASS]
    tangential = forcings[0]
    normal = forcings[1]
    load = forcings[2]
    load[0] = inputs[TANGENTIAL_LOAD][0]
    tangential[0], normal[0] = forcings_of(
        mass,
        weight,
        inputs[BASE_ACCELERATION][0],
        inputs[BASE_ACCELERATION_NORMAL][0],
        load[0],
        inputs[NORMAL_LOAD][0],
    )
    time = start_time
    samples: list[tuple[float, ...]] = [(time, tangential[0], normal[0], load[0])]
    outputs = measure(parameters, state, tangential[0], load[0], normal[0], 0.0)
    for column in range(len(wanted)):
        history[0][column] = outputs[wanted[column]]

    steps = len(step_sizes)
    for step in range(steps):
        step_size = step_sizes[step]
        sample = step + 1 if order == STRAIGHT_LINE else step
        f_p = inputs[TANGENTIAL_LOAD][sample]
        f_t, f_n = forcings_of(
            mass,
            weight,
            inputs[BASE_ACCELERATION][sample],
            inputs[BASE_ACCELERATION_NORMAL][sample],
            f_p,
            inputs[NORMAL_LOAD][sample],
        )
        if order == STRAIGHT_LINE:
            tangential_count = _straight_line(samples[0][1], f_t, step_size, tangential)
            normal_count = _straight_line(samples[0][2], f_n, step_size, normal)
            load_count = _straight_line(samples[0][3], f_p, step_size, load)
            samples[0] = (time, f_t, f_n, f_p)
        else:
            if step == 0:
                samples[0] = (time, f_t, f_n, f_p)
            else:
                samples.insert(0, (time, f_t, f_n, f_p))
            usable = keep_usable(samples, len(samples), step_size, order)
            while len(samples) > usable:
                samples.pop()
            tangential_count = _copy(extrapolate(samples, 1), tangential)
            normal_count = _copy(extrapolate(samples, 2), normal)
            load_count = _copy(extrapolate(samples, 3), load)

        if not quiet_step(
            parameters, state, tangential, tangential_count, normal, normal_count, step_size
        ):
            code = advance(
                parameters, state, tangential, tangential_count, normal, normal_count, step_size,
                work,
            )  # fmt: skip
            if code != OK:
                return code, step
            total = sum(state)
            if total - total != 0.0:
                return OVERFLOW, step
        time += step_size

        last = step == steps - 1
        if last or len(wanted) > 0:
            end_tangential = tangential[0]
            if state[SLIDING] == 0.0:
                end_tangential = evaluate(tangential, tangential_count, step_size)
            outputs = measure(
                parameters,
                state,
                end_tangential,
                evaluate(load, load_count, step_size),
                evaluate(normal, normal_count, step_size),
                evaluate_slope(normal, normal_count, step_size),
            )
            for column in range(len(wanted)):
                history[step + 1][column] = outputs[wanted[column]]
    for column in range(len(final)):
        final[column] = outputs[column]
    return OK, steps


def _straight_line(first: float, last: float, step_size: float, target: list[float]) -> int:
    """Line from `first` to `last` [N] over a step; a constant keeps the step cheap."""
    target[0] = first
    if last == first:
        return 1
    target[1] = (last - first) / step_size
    return 2


def _copy(source: list[float], target: list[float]) -> int:
    for j in range(len(source)):
        target[j] = source[j]
    return len(source)
