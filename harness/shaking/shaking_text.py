"""Prints what a shaking did: what was read, warnings, numbers and statistics, in 80 columns."""

from __future__ import annotations

from rich.console import Console
from rich.table import Column

from harness.case.case_text import print_step_comparison
from harness.console import text_table
from harness.post import print_tables
from harness.shaking.shaking_record import ShakingRecord
from harness.shaking.shaking_result import ShakingResult


def print_understood(shaking: ShakingRecord, console: Console) -> None:
    """Print how a file was understood, and what is suspicious in it."""
    for number, line in enumerate(shaking.understood):
        console.print(f"{shaking.path}: {line}" if number == 0 else f"  {line}", soft_wrap=True)
    for line in shaking.warnings:
        console.print(f"warning: {line}", soft_wrap=True, style="yellow")


def print_shaking(result: ShakingResult, console: Console, *, verbose: bool = False) -> None:
    """Print a result for people, below what was understood.

    When verbose, print the FMU's path, the cost and the log too.
    """
    console.print(
        f"{result.fmu_path.name}: {result.experiment.step_count} steps of "
        f"{result.experiment.step_size:.6g} s; {settings_line(result)}",
        soft_wrap=True,
    )
    if verbose:
        cost = 1e6 * result.history.seconds / result.experiment.step_count
        console.print(f"  FMU {result.fmu_path}, {cost:.1f} µs a step", soft_wrap=True)
        for message in result.history.messages:
            console.print(f"  log: {message}", soft_wrap=True)
    for line in result.notes:
        console.print(f"note: {line}", soft_wrap=True, style="yellow")
    table = text_table("quantity", Column("value", justify="right"), "unit", "meaning")
    for quantity in result.quantities():
        table.add_row(quantity.name, f"{quantity.value:.6g}", quantity.unit, quantity.meaning)
    console.print()
    console.print(table)
    print_tables(result.tables(), console)
    if result.step_comparison is not None:
        print_step_comparison(result.step_comparison, console)


def settings_line(result: ShakingResult) -> str:
    """Return the parameters that were set; that the rest are defaults must not be overlooked."""
    given = ", ".join(f"{name}={_written(value)}" for name, value in result.parameters.items())
    return f"{given}; all else at the FMU's defaults"


def _written(value: bool | int | float | str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.12g}" if isinstance(value, float) else str(value)
