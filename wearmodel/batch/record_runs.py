"""Runs of FrictionalShock with many records and parameter sets, on all cores.

All law combinations of `FrictionalShock` are supported, by the same kernel, compiled if a library
is available. By default the inputs are interpolated linearly between samples, without an error of
the step. With extrapolation from past samples, as in `FrictionalShock.step`, the results equal the
FMU with the same samples bit by bit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wearmodel.arrays import Floats

from ..compiled.run_library import Runs, runs_of
from ..kernel import limits
from ..kernel.inputs.state_objects import Samples
from ..kernel.shoe.parameters import FrictionalShockParameters, InputTiming, Parameters
from ..kernel.shoe.state_objects import Predictions, Present, State, Work
from ..kernel.state_objects import values_of
from ..models.frictional_shock import FAILURE_REASONS, INPUT_UNITS, OUTPUT_NAMES, FrictionalShock
from .cores import core_count
from .record_inputs import checked_input, derivative_rows, sample_times, stacked_inputs
from .run_state import RunState

# Blocks of runs handed to each thread, so that threads finish at about the same time.
_BLOCKS_PER_THREAD = 8


@dataclass(frozen=True)
class RunFailure:
    """Run that could not be completed."""

    parameter_set: int  #: Index of the set of parameters, from 0.
    record: int  #: Index of the record, from 0.
    time: float  #: Time [s] at which the failed step started.
    reason: str  #: Cause and remedy.


@dataclass(frozen=True)
class RecordRuns:
    """Results of `run_records`, in SI units, with the names of the FMU outputs.

    Arrays have an axis of parameter sets if a sequence of them was given, then an axis of records
    if any input had two axes. Values that a failed run did not reach are NaN.
    """

    time: Floats  #: Times of the samples [s].
    #: Every output → its value at the last sample: wear_work, worn_volume, peak_normal_force,
    #: shock_count, slip_count, …
    final: Mapping[str, Floats]
    #: Each requested output → its values at all samples, which are the last axis.
    histories: Mapping[str, Floats]
    failures: tuple[RunFailure, ...]  #: Failed runs. The other runs are not affected.
    #: Number of pieces without events in all runs, which determines most of the cost.
    pieces: int


def run_records(
    parameters: FrictionalShockParameters | Sequence[FrictionalShockParameters],
    times: ArrayLike,
    *,
    base_acceleration: ArrayLike = 0.0,
    base_acceleration_normal: ArrayLike = 0.0,
    tangential_load: ArrayLike = 0.0,
    normal_load: ArrayLike = 0.0,
    between_samples: Literal["linear", "extrapolated", "derivatives"] = "linear",
    derivatives: Mapping[str, ArrayLike] | None = None,
    histories: Sequence[str] = (),
    threads: int | None = None,
    state: RunState | None = None,
    compiles: bool = True,
) -> RecordRuns:
    """Run every parameter set with every record.

    Parameters
    ----------
    parameters
        One set or several.
    times : float or array, shape (samples,)
        Constant sampling interval [s] from t = 0, or the increasing times of the samples.
    base_acceleration, base_acceleration_normal : array, shape (), (samples,), (records, samples)
        Acceleration of the support along u and w [m/s2].
    tangential_load, normal_load : array, shape (), (samples,), (records, samples)
        Loads on the mass along u and towards the lower plane [N]. All records share `times`.
        `accelerogram.read_accelerogram` reads a table written by `wearfmu motion`.
    between_samples
        ``"linear"``: linear interpolation. ``"extrapolated"``: extrapolation from the samples up to
        the start of each step, with `input_extrapolation_order` of the parameters.
        ``"derivatives"``: Taylor polynomials from the start of each step. The last two do not use
        the last sample.
    derivatives
        With ``"derivatives"``, input → array, shape (orders, samples): its derivatives of order 1
        to 15 at the samples, in its unit/s^order. Missing inputs are constant over a step. Each
        input has a single record.
    histories
        Names of outputs to return at every sample.
    threads
        Number of threads. The default is the number of cores. Interpreted runs use a single thread.
    state
        State of an earlier call, for a single parameter set and record. The samples and their times
        begin at its last sample. The state is then updated to the last sample, or cleared if the
        run fails.
    compiles
        Whether to compile a missing library of the kernel. Otherwise the runs are interpreted.

    Returns
    -------
    RecordRuns
        Results with the failed runs, which do not stop other runs.

    Raises
    ------
    ValueError
        Times do not increase, an input is not finite or its shape does not fit the others, an
        output name is unknown, a static equilibrium does not exist, or a state is given for several
        runs.
    """
    sets = [parameters] if isinstance(parameters, FrictionalShockParameters) else list(parameters)
    if not sets:
        raise ValueError("parameters=[] must contain at least one parameter set")
    for name in histories:
        if name not in OUTPUT_NAMES:
            raise ValueError(f"histories: {name!r} must be one of {', '.join(OUTPUT_NAMES)}")
    if between_samples not in ("linear", "extrapolated", "derivatives"):
        raise ValueError(
            f"between_samples={between_samples!r} must be 'linear', 'extrapolated' or 'derivatives'"
        )
    if (derivatives is None) == (between_samples == "derivatives"):
        raise ValueError("derivatives and between_samples='derivatives' must be given together")
    given = (base_acceleration, base_acceleration_normal, tangential_load, normal_load)
    inputs = [
        checked_input(name, unit, np.asarray(values, dtype=np.float64))
        for (name, unit), values in zip(INPUT_UNITS.items(), given, strict=True)
    ]
    time, steps = sample_times(np.asarray(times, dtype=np.float64), inputs)
    samples, has_records = stacked_inputs(inputs, len(time))
    slopes = derivative_rows(INPUT_UNITS, derivatives, len(time))
    if derivatives is not None and len(samples) > 1:
        raise ValueError(f"derivatives need a single record: there are {len(samples)}")
    is_linear = between_samples == "linear"
    if state is not None and len(sets) * len(samples) != 1:
        raise ValueError(f"state needs a single run: there are {len(sets) * len(samples)}")
    runs = runs_of("FrictionalShock", compiles=compiles)
    final, history, codes, steps_taken, pieces = _run(
        runs, sets, samples, slopes, float(time[0]), steps, is_linear, histories, threads, state
    )

    shape: tuple[int, ...] = () if sets[0] is parameters else (len(sets),)
    if has_records:
        shape += (len(samples),)
    return RecordRuns(
        time=time,
        final={name: final[:, i].reshape(shape) for i, name in enumerate(OUTPUT_NAMES)},
        histories={
            name: history[:, :, i].reshape(*shape, len(time)) for i, name in enumerate(histories)
        },
        failures=run_failures(codes, len(samples), time[steps_taken]),
        pieces=int(np.sum(pieces)),
    )


def run_failures(codes: NDArray[np.int64], records: int, times: Floats) -> tuple[RunFailure, ...]:
    """Return the failed runs from result codes and times [s] of all parameter sets and records."""
    return tuple(
        RunFailure(*divmod(int(run), records), float(times[run]), FAILURE_REASONS[int(codes[run])])
        for run in np.flatnonzero(codes != limits.OK)
    )


def _run(
    runs: Runs,
    sets: list[FrictionalShockParameters],
    samples: Floats,
    slopes: Floats,
    start: float,
    steps: Floats,
    linear: bool,
    histories: Sequence[str],
    threads: int | None,
    state: RunState | None,
) -> tuple[Floats, Floats, NDArray[np.int64], NDArray[np.int64], Floats]:
    """Return final outputs, histories, result codes, steps and pieces, one row per run."""
    has_begun = state is not None and state.steps > 0
    for parameters in sets:
        if parameters.start_in_equilibrium and not has_begun:
            # Raise the error of the model at once.
            for record in samples:
                FrictionalShock(
                    parameters, **dict(zip(INPUT_UNITS, record[:, 0].tolist(), strict=True))
                )
    count = len(sets) * len(samples)
    final = np.full((count, len(OUTPUT_NAMES)), np.nan)
    history = np.full((count, len(steps) + 1 if histories else 0, len(histories)), np.nan)
    codes = np.zeros(count, dtype=np.int64)
    steps_taken = np.zeros(count, dtype=np.int64)
    pieces = np.zeros(count)
    rows = np.array([_kernel_parameters(parameters, linear) for parameters in sets])
    inputs = (np.ascontiguousarray(samples), np.ascontiguousarray(slopes))
    wanted = np.array([OUTPUT_NAMES.index(name) for name in histories], dtype=np.int64)
    results = (wanted, history, final, codes, steps_taken, pieces)

    def do_runs(first: int, last: int) -> None:
        scratch = state.contents if state is not None and has_begun else _scratch()
        if has_begun:
            codes[0], steps_taken[0] = runs.call(
                "continue_run", rows[0], *inputs, steps, *results, *scratch
            )
        else:
            runs.call("run_block", first, last, rows, *inputs, start, steps, *results, *scratch)
        if state is not None:
            state.reach(state.steps + len(steps), scratch if codes[0] == limits.OK else [])

    workers = (threads or core_count()) if runs.is_compiled else 1
    edges = np.linspace(0, count, min(count, workers * _BLOCKS_PER_THREAD) + 1).astype(int).tolist()
    with ThreadPoolExecutor(workers) as pool:
        # Starting a thread takes as long as a short run does.
        for_each = pool.map if count > 1 else map
        list(for_each(do_runs, edges[:-1], edges[1:]))
    return final, history, codes, steps_taken, pieces


def _kernel_parameters(parameters: FrictionalShockParameters, linear: bool) -> list[float]:
    """Return the parameters of the kernel as a row. `linear` is linear interpolation of samples."""
    timing = InputTiming.end if linear else InputTiming.start
    if parameters.input_timing != timing:  # `replace` checks all parameters again
        parameters = replace(parameters, input_timing=timing)
    return values_of(Parameters(parameters))


def _scratch() -> list[Floats]:
    """Return lowered state, samples and predictions (two each), present, sample and work rows."""
    samples = values_of(Samples())
    predictions = [values_of(errors) for errors in values_of(Predictions())]
    state, work = work_space()
    rows = [samples, samples, predictions, predictions, values_of(Present()), samples[0]]
    return [state, *(np.array(row, dtype=np.float64) for row in rows), work]


def work_space() -> tuple[Floats, Floats]:
    """Return a state and work rows, lowered."""
    return np.array(values_of(State())), np.zeros((len(Work.__annotations__), limits.ROW_LENGTH))
