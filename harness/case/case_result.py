"""Runs a case and stores its histories and checks, or the reason of a failure."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.case.case_file import Case, naming
from harness.case.expectations import Check, check_run
from harness.case.notes import case_notes, step_model_of
from harness.case.verdict import Verdict, verdict_on
from harness.errors import RunError
from harness.fmu.changes import tunable_values
from harness.fmu.event_steps import require_event_stops
from harness.fmu.history import RunRecord
from harness.fmu.input_timing import input_reading
from harness.fmu.interface import FmuInterface, read_interface
from harness.fmu.signals import ConstantSignal, SampledSignal, SineSignal
from harness.fmu.simulation import simulate
from harness.fmu.step_check import require_fine_step
from harness.fmu.step_comparison import StepComparison, compared
from harness.output_files import write_json
from harness.provenance import used
from wearmodel.statistics.known_rate import KnownRate

NOT_JUDGED = (
    "the step is not checked, because {fmu} is not a shipped model: --check-step compares the run "
    "with a run at half the step"
)


@dataclass(frozen=True)
class AskedPower:
    """Mean wear power that was required from a run."""

    # Power [W] with its interval.
    rate: KnownRate
    # Whether the interval is reliable and as narrow as required.
    is_known: bool
    relative_error: float
    # Required duration of the run [s], if the power is not known and the duration can be estimated.
    time_needed: float | None
    # Powers of the contacts of a structure in the same run.
    contacts: Mapping[str, KnownRate]

    @property
    def why_not(self) -> str:
        """Reason why the power is not known, or ""."""
        if self.is_known:
            return ""
        rate = self.rate
        reason = rate.reason or (
            f"{rate.mean:.4g} W ± {100.0 * rate.relative_half_width:.2g} % in"
            f" {rate.duration:.4g} s, more than {100.0 * self.relative_error:g} %"
        )
        needed = "the necessary time is unknown"
        if self.time_needed is not None:
            needed = f"about {self.time_needed:.1g} s are needed"
        return f"{reason}; {needed}"


@dataclass(frozen=True)
class CaseResult:
    """Result of a case."""

    case: Case
    fmu_path: Path
    # Histories, or None if the run failed.
    record: RunRecord | None
    # Checks in the order of the file. Empty if the run failed.
    checks: tuple[Check, ...]
    # Reason of a failed run, in one line.
    failure: str | None = None
    # Notes on coarse steps and unusual settings, one per line. They are not failures.
    notes: tuple[str, ...] = ()
    # Mean wear power, if the run was extended for it.
    mean_wear_power: AskedPower | None = None
    # Comparison with half the step, if requested.
    step_comparison: StepComparison | None = None

    @property
    def verdict(self) -> Verdict:
        """Passed if the run was complete, and there are checks that all passed."""
        if self.failure is not None or not all(check.passed for check in self.checks):
            return Verdict.FAILED
        return Verdict.PASSED if self.checks else Verdict.RAN

    @property
    def passed(self) -> bool | None:
        """Whether all checks passed, or `None` if the case ran without checks."""
        return self.verdict.passed


def run_case(
    case: Case, fmu_path: Path | str, *, progress: Callable[[float], None] | None = None
) -> CaseResult:
    """Simulate a case and compare it with its expected values.

    The result has a `failure` if the FMU rejects a call. `progress` is called with the completed
    fraction, 0 to 1.

    Raises CaseError if a variable of the case is not in the FMU or has another type, or the step is
    too coarse for an input, see `harness.fmu.step_check`. Raises FmuError if the FMU cannot be read
    or loaded.
    """
    fmu = Path(fmu_path)
    interface = read_interface(fmu)
    case = checked_case(case, interface)
    used(case.name, case.parameters, interface.variables.values())
    step_notes = _step_notes(case, interface)
    expected = (name for expectation in case.expectations for name in expectation.variables)
    try:
        history = simulate(
            fmu,
            case.experiment,
            parameters=case.parameters,
            inputs=case.inputs,
            changes=case.changes,
            variables=tuple(dict.fromkeys([*interface.outputs(), *expected])),
            progress=progress,
        )
    except RunError as problem:
        notes = (*step_notes, *case_notes(case, interface))
        return CaseResult(case, fmu, None, (), str(problem), notes)
    checks = check_run(case.expectations, history, case.experiment)
    notes = (*step_notes, *case_notes(case, interface, history))
    return CaseResult(case, fmu, history, checks, notes=notes)


def _step_notes(case: Case, interface: FmuInterface) -> tuple[str, ...]:
    changes_at = min((change.time for change in case.changes), default=math.inf)
    with naming(case.shown):
        reading = input_reading(case.experiment, interface, case.parameters)
        model = step_model_of(interface, case.structure, case.parameters, changes_at=changes_at)
        notes = require_fine_step(case.inputs, case.experiment, reading, model)
    if model is None and any(
        not isinstance(signal, ConstantSignal | SineSignal) for signal in case.inputs.values()
    ):
        notes += (NOT_JUDGED.format(fmu=interface.path.name),)
    return notes


def with_half_the_step(
    result: CaseResult, *, progress: Callable[[float], None] | None = None
) -> CaseResult:
    """Run the case of a result again at half the step, and return it with the comparison.

    The expected numbers are compared. Without them, all outputs at the end are compared.
    The result of a failed run is returned unchanged. Raises CaseError if there are too many steps.
    """
    history, experiment = result.record, result.case.experiment
    if history is None:
        return result
    with naming(f"{result.case.shown}: --check-step: experiment"):
        finer = experiment.with_half_the_step()
    case = checked_case(result.case, read_interface(result.fmu_path))
    try:
        other = simulate(
            result.fmu_path,
            finer,
            parameters=case.parameters,
            inputs=case.inputs,
            changes=case.changes,
            variables=tuple(history.values),
            progress=progress,
        )
    except RunError as problem:
        return replace(
            result, step_comparison=StepComparison(experiment.step_size, failure=str(problem))
        )
    if result.checks:
        numbers = [(check.expectation.label, "", check.got) for check in result.checks]
        others = [check.got for check in check_run(case.expectations, other, finer)]
    else:
        numbers = [
            (name, history.units.get(name, ""), float(values[-1]))
            for name, values in history.values.items()
        ]
        others = [float(values[-1]) for values in other.values.values()]
    comparison = compared(experiment.step_size, numbers, others)
    return replace(result, step_comparison=comparison)


def checked_case(case: Case, interface: FmuInterface) -> Case:
    """Return the case with its inputs in the units of the FMU's variables.

    Raises CaseError if a variable of the case is missing or has another type or quantity.
    """
    for name, value in case.parameters.items():
        with naming(f"{case.shown}: parameters"):
            interface.parameter(name, value)
    for number, change in enumerate(case.changes, start=1):
        with naming(f"{case.shown}: change[{number}]"):
            tunable_values(change, interface)
    with naming(f"{case.shown}: experiment"):
        input_reading(case.experiment, interface, case.parameters)
        require_event_stops(case.experiment, interface)
    inputs = {}
    for name, signal in case.inputs.items():
        with naming(f"{case.shown}: inputs"):
            variable = interface.input(name)
        with naming(f"{case.shown}: inputs.{name}"):
            unit = variable.unit
            inputs[name] = signal.in_unit(unit) if isinstance(signal, SampledSignal) else signal
    for number, expectation in enumerate(case.expectations, start=1):
        for name in expectation.variables:
            with naming(f"{case.shown}: expect[{number}].{expectation.variables_key}"):
                interface.readable(name)
    return replace(case, inputs=inputs)


def write_case_json(results: Iterable[CaseResult], path: Path) -> None:
    """Write results as JSON, `$defs/cases` of docs/results.schema.json."""
    cases = list(results)
    content = {
        **_verdict_as_json(verdict_on(case.verdict for case in cases)),
        "cases": [_as_json(result) for result in cases],
    }
    write_json(path, content, compact=True)


def _as_json(result: CaseResult) -> dict[str, Any]:
    case, history = result.case, result.record
    return {
        "name": case.name,
        "title": case.heading.title,
        "source": case.heading.source,
        "file": case.shown,
        "fmu": str(result.fmu_path),
        **_verdict_as_json(result.verdict),
        "failure": result.failure,
        "notes": result.notes,
        "steps": history and history.steps,
        "seconds": history and history.seconds,
        "messages": history and history.messages,
        "checks": [_check_as_json(check) for check in result.checks],
        "history": history and history.thinned(case.experiment.output_stride),
        "events": None if history is None or history.events is None else history.events.as_json(),
        "step_comparison": result.step_comparison and result.step_comparison.as_json(),
        "mean_wear_power": result.mean_wear_power and _power_as_json(result.mean_wear_power),
    }


def _verdict_as_json(verdict: Verdict) -> dict[str, str | bool | None]:
    return {"verdict": verdict.value, "passed": verdict.passed}


def _power_as_json(power: AskedPower) -> dict[str, Any]:
    return {
        **_rate_as_json(power.rate),
        "known": power.is_known,
        "reason": power.why_not,
        "time_needed": power.time_needed,
        "contacts": {name: _rate_as_json(rate) for name, rate in power.contacts.items()},
    }


def _rate_as_json(rate: KnownRate) -> dict[str, Any]:
    values = {
        name: getattr(rate, name)
        for name in ("mean", "half_width", "lower", "upper", "confidence", "duration")
    }
    values |= {"effective_samples": rate.effective_samples, "events": rate.events}
    finite = {name: value if math.isfinite(value) else None for name, value in values.items()}
    return {**finite, "reason": rate.reason}


def _check_as_json(check: Check) -> dict[str, Any]:
    expectation = check.expectation
    return {
        **expectation.described(),
        "got": check.got if math.isfinite(check.got) else None,
        "want": expectation.value,
        "error": check.error if math.isfinite(check.got) else None,
        "tolerance": expectation.tolerance,
        "passed": check.passed,
        "problem": check.problem,
        "source": expectation.source,
        "reason": expectation.reason,
    }
