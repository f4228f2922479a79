"""The printed table of results: 80 columns, with colours on a terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from harness.case.case_result import AskedPower, CaseResult
from harness.case.verdict import Verdict, verdict_on
from harness.console import number_columns, text_table
from harness.fmu.history import EventRecord, RunRecord
from harness.fmu.step_comparison import StepComparison
from wearmodel.statistics.known_rate import KnownRate

_MOST_KEY_OUTPUTS = 8
# In the order of printing, with the parameter that a meaningful value requires.
_KEY_OUTPUTS = {
    "wear_work": "",
    "worn_volume": "archard_coefficient",
    "wear_depth": "wear_area",
    "sliding_distance": "",
    "relative_displacement": "",
    "peak_normal_force": "",
    "shock_count": "",
    "slip_velocity": "",
    "normal_force": "",
}
_STYLES = {Verdict.PASSED: "green", Verdict.FAILED: "bold red", Verdict.RAN: "default"}


def print_results(
    results: Sequence[CaseResult], console: Console, *, verbose: bool, brief: bool = False
) -> None:
    """Print all checks, the final outputs of runs without checks, notes, failures and a summary.

    If `verbose`, also print FMU, cost and log of each run, and source and reason of each number.
    If `brief`, print a line for each case, and the checks of failed cases only.
    """
    detailed = results
    only_ran = len(results) == 1 and results[0].verdict is Verdict.RAN
    brief = brief and not only_ran
    if brief:
        console.print(_overview(results))
        if not verbose:
            detailed = [result for result in results if result.verdict is Verdict.FAILED]
    if detailed and not only_ran:
        console.print(_table(detailed))
    for result in results:
        if result.record is not None and not result.checks and (verbose or not brief):
            _print_end(result, result.record, console, verbose=verbose)
        _print_details(result, console, verbose=verbose)
        if result.step_comparison is not None:
            print_step_comparison(result.step_comparison, console)
    if only_ran:
        console.print(
            "more: -v all outputs, --report FILE.html pictures, --csv FILE.csv histories; "
            "[[expect]] in the case compares numbers",
            soft_wrap=True,
        )
    style = f"bold {_STYLES[verdict_on(shown_result.verdict for shown_result in results)]}"
    console.print(summary(results), style=style, soft_wrap=True)


def print_step_comparison(comparison: StepComparison, console: Console) -> None:
    """Print key numbers at the step and at half the step, in 80 columns."""
    step = comparison.step_size
    console.print()
    if comparison.failure:
        console.print(
            f"run at half the step failed: {comparison.failure}", soft_wrap=True, style="red"
        )
        return
    heads = (f"step\n{step:.6g} s", f"half of it\n{0.5 * step:.6g} s", "difference\n", "%\n")
    table = text_table(Column("quantity", overflow="fold"), *number_columns(*heads, no_wrap=True))
    for quantity in comparison.numbers:
        table.add_row(
            f"{quantity.name} [{quantity.unit}]" if quantity.unit else quantity.name,
            f"{quantity.at_step:.6g}",
            f"{quantity.at_half_step:.6g}",
            f"{quantity.difference:.2g}",
            f"{100.0 * quantity.relative:.2g}",
        )
    console.print(table)
    console.print()


def mean_power_lines(power: AskedPower) -> list[str]:
    """Return a mean wear power with its interval or the reason why it is not known, by contact."""
    lines = [f"mean wear power {_rate_text(power.rate)}"]
    if not power.is_known:
        lines = [f"mean wear power not known: {power.why_not}"]
    elif power.rate.standard_error > 0.0:
        lines.append(f"  without changes slower than {power.rate.duration / 4.0:.3g} s")
    for name, rate in power.contacts.items():
        power_text = f"not known: {rate.reason}" if rate.reason else _rate_text(rate)
        lines.append(f"  of {name} {power_text}")
    return lines


def _rate_text(rate: KnownRate) -> str:
    text = (
        f"{rate.mean:.6g} W ± {rate.half_width:.2g} W"
        f" ({100.0 * rate.relative_half_width:.2g} %) at {100.0 * rate.confidence:g} %,"
        f" over {rate.duration:g} s"
    )
    if math.isinf(rate.effective_samples):
        return text
    return f"{text}, {rate.effective_samples:.0f} effective samples"


def _overview(results: Sequence[CaseResult]) -> Table:
    table = text_table(
        Column("case", overflow="fold"),
        Column("verdict", no_wrap=True),
        Column("checks", no_wrap=True),
        Column("largest error\n% of tolerance", justify="right", no_wrap=True),
    )
    for result in results:
        passed = sum(check.passed for check in result.checks)
        percent = [check.percent_of_tolerance for check in result.checks]
        table.add_row(
            Text(result.case.name, style="bold"),
            _verdict(result.verdict),
            f"{passed} of {len(result.case.expectations)}",
            f"{max(percent):.2g}" if percent else "",
        )
    return table


def _table(results: Sequence[CaseResult]) -> Table:
    table = text_table(
        Column("case\n  quantity", overflow="fold", min_width=40),
        Column("got\nwant", no_wrap=True),
        Column("error\ntolerance", no_wrap=True),
        Column("verdict", no_wrap=True),
    )
    for result in results:
        name = Text(result.case.name, style="bold")
        table.add_row(name, "", "", _verdict(result.verdict))
        for check in result.checks:
            expectation = check.expectation
            table.add_row(
                Text(f"  {expectation.label}"),
                Text(f"{check.got:.12g}\n{expectation.value:.12g}"),
                Text(f"{check.error:.1e}\n{expectation.tolerance:.1e}"),
                _verdict(check.verdict),
            )
    return table


def _print_end(result: CaseResult, history: RunRecord, console: Console, *, verbose: bool) -> None:
    """Print the outputs at the end of a run without checks, all of them if `verbose`."""
    names = list(history.values) if verbose else _key_outputs(result, history)
    rows = [(name, f"{history[name][-1]:.6g}", history.units.get(name, "")) for name in names]
    at_end = number_columns(f"at {history.times[-1]:.6g} s")
    console.print(text_table("output", *at_end, "unit", rows=rows))
    console.print()


def _key_outputs(result: CaseResult, history: RunRecord) -> list[str]:
    """Return the outputs that are printed first: wear, sliding and shocks of several contacts."""
    given = {name.rpartition(".")[2] for name in result.case.parameters}
    chosen: list[str] = []
    for key, needed in _KEY_OUTPUTS.items():
        named = [name for name in history.values if name.rpartition(".")[2] == key]
        if (not needed or needed in given) and len(chosen) + len(named) <= _MOST_KEY_OUTPUTS:
            chosen += named
    return chosen or list(history.values)[:_MOST_KEY_OUTPUTS]


def _verdict(verdict: Verdict) -> Text:
    # Only the first word fits into the table. The summary contains the whole text.
    word = verdict.partition(",")[0]
    return Text(word, style=_STYLES[verdict])


def _print_details(result: CaseResult, console: Console, *, verbose: bool) -> None:
    """Print notes and failures of a case, each in one unbroken line, and details if `verbose`."""
    name = result.case.name
    if verbose:
        source = result.case.heading.source
        shown = f" ({source})" if source else ""
        console.print(f"{name}: {result.case.heading.title}{shown}")
        console.print(f"  FMU {result.fmu_path}", soft_wrap=True)
        if result.record is not None:
            cost = 1e6 * result.record.seconds / result.record.steps
            console.print(f"  {result.record.steps} steps, {cost:.1f} µs a step")
            for message in result.record.messages:
                console.print(f"  log: {message}", soft_wrap=True)
    if result.record is not None and result.record.events is not None:
        console.print(f"{name}: {_events_line(result.record.events)}", soft_wrap=True)
    for line in result.notes:
        console.print(f"{name}: note: {line}", soft_wrap=True, style="yellow")
    if result.failure is not None:
        console.print(f"{name}: run failed: {result.failure}", soft_wrap=True, style="red")
    if result.mean_wear_power is not None:
        for line in mean_power_lines(result.mean_wear_power):
            console.print(f"{name}: {line}", soft_wrap=True)
    for check in result.checks:
        expectation = check.expectation
        if verbose or not check.passed:
            console.print(
                f"{name}: {expectation.label}: got {check.got!r}, want {expectation.value!r}, "
                f"error {check.error:.3e}, tolerance {expectation.tolerance:.3e}",
                soft_wrap=True,
                style="" if check.passed else "red",
            )
        if check.problem is not None:
            console.print(f"  {check.problem}", soft_wrap=True)
        if verbose:
            console.print(f"  source: {expectation.source}")
            console.print(f"  reason: {expectation.reason}")


def _events_line(events: EventRecord) -> str:
    count = _count(len(events), "event")
    if not len(events):
        return f"stopped at {count}"
    first, last = events.times[0], events.times[-1]
    return f"stopped at {count}, the first at {first:.9g} s, the last at {last:.9g} s"


def summary(results: Sequence[CaseResult]) -> str:
    """Return one line with the numbers of passed cases and checks, steps and seconds."""
    verdicts = [result.verdict for result in results]
    failed, ran = verdicts.count(Verdict.FAILED), verdicts.count(Verdict.RAN)
    counts = []
    if failed:
        counts.append(f"{failed} of {_count(len(results), 'case')} failed")
    elif ran < len(results):
        counts.append(f"{_count(len(results) - ran, 'case')} passed")
    if ran:
        counts.append(f"{ran if counts else _count(ran, 'case')} {Verdict.RAN}")
    checks = [check for result in results for check in result.checks]
    histories = [result.record for result in results if result.record is not None]
    steps = sum(history.steps for history in histories)
    seconds = sum(history.seconds for history in histories)
    numbers = [f"{steps} steps in {seconds:.2f} s"]
    if checks or any(result.case.expectations for result in results):
        passed = sum(check.passed for check in checks)
        numbers.insert(0, f"{passed} of {_count(len(checks), 'check')} passed")
    return f"{'; '.join(counts)}: {', '.join(numbers)}"


def title_of(results: Sequence[CaseResult]) -> str:
    """Return the title of a page of these results. It is a validation if numbers are compared."""
    if any(result.case.expectations for result in results):
        return "Validation report"
    names = [result.case.name for result in results]
    return f"Run of {names[0]}" if len(names) == 1 else f"Runs of {len(names)} cases"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
