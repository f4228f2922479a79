"""Prints the result of a base motion: key numbers, warnings, and options for more."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from harness.case.case_text import print_step_comparison
from harness.case.note_rules import DEFAULTS
from harness.console import number_columns, text_table
from harness.figures.labels import spoken
from harness.post import print_tables
from harness.shaking.shaking_record import ShakingRecord
from harness.shaking.shaking_result import ShakingResult


def print_understood(
    shaking: ShakingRecord, console: Console, *, notes: Sequence[str] = ()
) -> None:
    """Print warnings about a file and notes on its run, then how the file was read."""
    findings = [f"warning: {line}" for line in shaking.warnings]
    findings += [f"note: {line}" for line in notes]
    for line in findings:
        console.print(line, soft_wrap=True, style="yellow")
    if findings:
        console.print()
    for number, line in enumerate(shaking.understood):
        console.print(f"{shaking.path}: {line}" if number == 0 else f"  {line}", soft_wrap=True)


def print_shaking(
    result: ShakingResult,
    console: Console,
    *,
    verbose: bool = False,
    statistics: bool = False,
    report: Path | None = None,
) -> None:
    """Print key numbers, then warnings, how the record was read and run, and further options.

    If `verbose`, also print all quantities with their meaning, FMU, cost and log, with `statistics`
    the tables USURE and IMPACT, and the path of a `report` that was written.
    """
    meaning = ("meaning",) if verbose else ()
    table = text_table("quantity", *number_columns("value"), "unit", *meaning)
    for quantity in result.quantities() if verbose else result.key_quantities():
        cells = (spoken(quantity.name), f"{quantity.value:.6g}", quantity.unit)
        table.add_row(*cells, *((quantity.meaning,) if verbose else ()))
    console.print(table)
    if result.step_comparison is not None:
        print_step_comparison(result.step_comparison, console)
    console.print()
    print_understood(result.shaking, console, notes=result.notes)
    console.print(
        f"{result.fmu_path.name}: {result.experiment.step_count} steps of "
        f"{result.experiment.step_size:.6g} s; {settings_line(result)}",
        soft_wrap=True,
    )
    console.print("  displacement: position of the mass minus position of the support")
    if verbose:
        cost = 1e6 * result.history.seconds / result.experiment.step_count
        console.print(f"  FMU {result.fmu_path}, {cost:.1f} µs a step", soft_wrap=True)
        for message in result.history.messages:
            console.print(f"  log: {message}", soft_wrap=True)
    if statistics:
        print_tables(result.tables(), console)
        console.print()
    if report is not None:
        console.print(f"report: {report}", soft_wrap=True)
    console.print(
        "more: -v all quantities, --report FILE.html pictures, --csv FILE.csv histories, "
        "--json FILE.json all numbers, --statistics tables USURE and IMPACT",
        soft_wrap=True,
    )


def settings_line(result: ShakingResult) -> str:
    """Return the parameters that were set, and the default of the friction, if it is not set."""
    given = ", ".join(f"{name}={_written(value)}" for name, value in result.parameters.items())
    friction = f", with friction_coefficient={DEFAULTS['friction_coefficient']:g}"
    if any(name.startswith("friction") for name in result.parameters):
        friction = ""
    return f"{given}; other parameters have the FMU's defaults{friction}"


def _written(value: bool | int | float | str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.12g}" if isinstance(value, float) else str(value)
