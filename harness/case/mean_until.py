"""Extends the run of a case until its mean wear power has the required accuracy."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, TypeVar

from harness.case.case_file import Case, require_no_changes
from harness.case.case_result import AskedPower, CaseResult, run_case
from harness.case.settled_mean import TRANSIENT_SHARE, common_period, settled_rate
from harness.errors import CaseError
from harness.fmu.experiment import MOST_STEPS
from harness.fmu.history import RunRecord
from harness.fmu.noise import NoiseSignal
from harness.fmu.signals import ConstantSignal, SineSignal
from wearmodel.statistics.known_rate import BATCH_COUNT, KnownRate

ACCUMULATED = "wear_work"
# Maximum number of doublings of the stop time.
MOST_DOUBLINGS = 12


def run_until(
    case: Case,
    fmu: Path,
    relative_error: float,
    *,
    progress: Callable[[float], None] | None = None,
) -> CaseResult:
    """Run a case, doubling its time until its mean wear power has the required accuracy.

    The first tenth of each run is discarded as transient. With sines of one frequency, the batches
    last whole periods, see `wearmodel.statistics.known_rate`. A power with scatter is accepted only
    if a run four times as long confirms it, and if the quarters of that run agree.

    The result is the last run with its `mean_wear_power`, which contains the reason if the power is
    not known after 12 doublings. If a run failed, it has a failure instead.

    - `case`: its inputs are constants, sines and noise, which never end
    - `fmu`: FMU with the output wear_work
    - `relative_error`: required half width of the 95 % interval, divided by the mean

    Raises CaseError if an input ends, or the FMU does not have the output.
    """
    require_no_changes(case, "--until-error requires constant parameters; remove [[change]]")
    results: list[CaseResult] = []

    def measure(longer: Case) -> KnownRate | None:
        results.append(run_case(longer, fmu, progress=progress))
        history = results[-1].record
        return None if history is None else _rate(longer, history, ACCUMULATED)

    def lengths_needed(rate: KnownRate) -> float:
        # The time is always doubled, because the coverage of these intervals was measured for this.
        is_enough = not rate.reason and rate.relative_half_width <= relative_error
        return 1.0 if is_enough else math.inf

    found = extended_run(case, measure, lengths_needed, _confirmation)
    if found is None:
        return results[-1]
    record = results[-1].record
    assert record is not None
    names = [name for name in record.values if name.endswith(f".{ACCUMULATED}")]
    contacts = {
        name.removesuffix(f".{ACCUMULATED}"): _rate(found.case, record, name) for name in names
    }
    needed = None
    if not found.is_enough:
        needed = found.found.time_needed(relative_error * abs(found.found.mean))
    rate = found.found
    if not found.is_enough and lengths_needed(rate) <= 1.0:
        rate = replace(rate, reason=unconfirmed(rate))
    power = AskedPower(rate, found.is_enough, relative_error, needed, contacts)
    return replace(results[-1], mean_wear_power=power)


# Duration of a confirming run divided by the duration of the sufficient run.
CONFIRMING_LENGTHS = 4
Found = TypeVar("Found")


def _confirmation(rate: KnownRate) -> bool | None:
    return rate.is_steady if rate.standard_error > 0.0 else None


def unconfirmed(rate: KnownRate) -> str:
    """Return the reason why a rate that is known precisely enough is not confirmed."""
    if not rate.is_steady:
        return f"the rates in the quarters of {rate.duration:.4g} s differ by more than chance"
    return f"no run of {CONFIRMING_LENGTHS} times {rate.duration:.4g} s confirms it"


@dataclass(frozen=True)
class ExtendedRun(Generic[Found]):
    """Result of a run that was doubled until it was enough."""

    # Case of the last run.
    case: Case
    # Result of the last run.
    found: Found
    # Whether the result is accurate enough and confirmed. False if the doublings ended before.
    is_enough: bool
    # Case of the sufficient run that a longer run confirmed.
    sufficient: Case


def extended_run(
    case: Case,
    measure: Callable[[Case], Found | None],
    lengths_needed: Callable[[Found], float],
    confirmation: Callable[[Found], bool | None] = lambda found: None,
) -> ExtendedRun[Found] | None:
    """Run a case, doubling its time until the result is accurate enough and confirmed.

    The time is doubled at most 12 times. If a run shows that it must be many times longer,
    doublings are skipped, because an FMU restarts each run.

    - `measure`: runs a case and returns the result, or None if the run failed
    - `lengths_needed`: required duration divided by the duration of this run. At most 1 if the
      result is accurate enough, infinite if unknown
    - `confirmation`: whether a run four times as long as a sufficient run confirms its result. By
      default no confirmation is needed.

    Raises CaseError if an input ends.
    """
    require_endless(case)
    period = common_period(case.inputs)
    if period is not None:
        case = _lasting(case, BATCH_COUNT * period / (1.0 - TRANSIENT_SHARE)) or case
    doublings, sufficient = 0, None
    while True:
        found = measure(case)
        if found is None:
            return None
        lengths = lengths_needed(found)
        is_enough, confirmed = lengths <= 1.0, confirmation(found)
        if is_enough and (confirmed is None or (sufficient is not None and confirmed)):
            return ExtendedRun(case, found, True, sufficient or case)
        if is_enough:
            # The confirming run may last longer than the longest run to be confirmed.
            more = round(math.log2(CONFIRMING_LENGTHS)) if doublings <= MOST_DOUBLINGS else 0
        else:
            more = 1 if math.isinf(lengths) else max(1, math.floor(math.log2(lengths)))
            more = min(more, MOST_DOUBLINGS - doublings)
        longer = _lasting(case, 2.0**more * case.experiment.span) if more > 0 else None
        if longer is None:
            return ExtendedRun(case, found, False, sufficient or case)
        sufficient = case if is_enough else None
        doublings += more
        case = longer


def _rate(case: Case, history: RunRecord, name: str) -> KnownRate:
    if name not in history.values:
        raise CaseError(f"{case.shown}: the FMU has no output {name} to average")
    return settled_rate(history.times, history.values[name], case.inputs)


def _lasting(case: Case, span: float) -> Case | None:
    """Return the case with a run of at least `span` [s], unless there are too many steps."""
    experiment = case.experiment
    stride = experiment.output_stride
    steps = math.ceil(span / (experiment.step_size * stride) - 1e-9) * stride
    if steps <= experiment.step_count:
        return case
    if steps > MOST_STEPS:
        return None
    stop = experiment.start_time + steps * experiment.step_size
    return replace(case, experiment=replace(experiment, stop_time=stop))


def require_endless(case: Case) -> None:
    """Raise CaseError if an input ends."""
    for name, signal in case.inputs.items():
        if not isinstance(signal, ConstantSignal | SineSignal | NoiseSignal):
            raise CaseError(
                f"{case.shown}: inputs.{name} is a table, which ends: only runs with constants,"
                " sines and noise can be extended"
            )
