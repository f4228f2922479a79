"""Runs a case for as long as it takes until its mean wear power is known well enough."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from harness.case.case_file import Case
from harness.case.case_result import CaseResult, run_case
from harness.case.settled_mean import TRANSIENT_SHARE, common_period, settled_mean
from harness.errors import CaseError
from harness.fmu.history import RunRecord
from harness.fmu.noise import NoiseSignal
from harness.fmu.signals import ConstantSignal, SineSignal
from wearmodel.statistics.error_bars import BATCH_COUNT, MeanRate

ACCUMULATED = "wear_work"
# Doublings of the stop time before the attempt is given up.
_MOST_DOUBLINGS = 12


def run_until(
    case: Case,
    fmu: Path,
    relative_error: float,
    *,
    progress: Callable[[float], None] | None = None,
) -> CaseResult:
    """Run a case, doubling its time until its mean wear power is known well enough.

    The first tenth of each run is left out as transient. With sines of one frequency the batches
    last whole periods; see `wearmodel.statistics.error_bars.mean_rate`.

    Parameters
    ----------
    case : Case
        Its inputs are constants, sines and noise, which never end.
    fmu : Path
        The FMU to drive, which has the output wear_work.
    relative_error : float
        Half width of the 95 % interval by the mean, > 0.
    progress : callable, optional
        Called now and then with the fraction done of the present run.

    Returns
    -------
    CaseResult
        Of the last run, with its `mean_wear_power`; with a failure, and without, if a run failed.

    Raises
    ------
    CaseError
        If an input ends, the FMU has no such output, or the error is still larger after 12
        doublings.
    """
    results: list[CaseResult] = []

    def measure(longer: Case) -> MeanRate | None:
        results.append(run_case(longer, fmu, progress=progress))
        history = results[-1].record
        return None if history is None else mean_wear_power(longer, history)

    known = extended_mean(case, measure, lambda mean: mean.relative_half_width <= relative_error)
    return results[-1] if known is None else replace(results[-1], mean_wear_power=known[1])


def extended_mean(
    case: Case,
    measure: Callable[[Case], MeanRate | None],
    is_enough: Callable[[MeanRate], bool],
) -> tuple[Case, MeanRate] | None:
    """Run a case, doubling its time, until a mean such as its wear power is known well enough.

    Parameters
    ----------
    case : Case
        As for `run_until`.
    measure : callable
        Runs a case and returns its mean, as `mean_wear_power` does; None if the run failed.
    is_enough : callable
        Tells whether the mean is known well enough; not asked where it has a warning.

    Returns
    -------
    tuple of Case and MeanRate, or None
        The case as it was run last, and its mean; None if a run failed.

    Raises
    ------
    CaseError
        As for `run_until`.
    """
    require_endless(case)
    period = common_period(case.inputs)
    if period is not None:
        case = _lasting(case, BATCH_COUNT * period / (1.0 - TRANSIENT_SHARE))
    for _ in range(_MOST_DOUBLINGS + 1):
        known = measure(case)
        if known is None:
            return None
        mean = known
        # Without wear there is nothing to be sure of; a warning asks for a longer run.
        if not mean.warning and is_enough(mean):
            return case, mean
        span = case.experiment.stop_time - case.experiment.start_time
        case = _lasting(case, 2.0 * span)
    raise CaseError(
        f"{case.shown}: after {span:g} s the mean wear power is {mean.mean:.4g} W ±"
        f" {100.0 * mean.relative_half_width:.3g} %, still more than is allowed"
    )


def mean_wear_power(case: Case, history: RunRecord) -> MeanRate:
    """Return the mean wear power [W] of a run of a case.

    Raises CaseError if the run has no wear_work.
    """
    if ACCUMULATED not in history.values:
        raise CaseError(f"{case.shown}: the FMU has no output {ACCUMULATED} to average")
    return settled_mean(
        history.times, history.values[ACCUMULATED], period=common_period(case.inputs)
    )


def _lasting(case: Case, span: float) -> Case:
    """Return the case with a run of at least `span` [s]."""
    experiment = case.experiment
    stride = experiment.output_stride
    steps = math.ceil(span / (experiment.step_size * stride) - 1e-9) * stride
    if steps <= experiment.step_count:
        return case
    stop = experiment.start_time + steps * experiment.step_size
    return replace(case, experiment=replace(experiment, stop_time=stop))


def require_endless(case: Case) -> None:
    """Raise CaseError if an input ends."""
    for name, signal in case.inputs.items():
        if not isinstance(signal, ConstantSignal | SineSignal | NoiseSignal):
            raise CaseError(
                f"{case.shown}: inputs.{name} is a table, which ends: a run can be extended under"
                " constants, sines and noise alone"
            )
