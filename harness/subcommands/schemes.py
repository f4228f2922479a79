"""`wearfmu schemes`: compare the classical schemes with recorded or exact results."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, TypeVar

from harness.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console

    from wearmodel.reference.schemes import SchemeRow

_Row = TypeVar("_Row")

HELP = "compare classical time schemes with recorded or exact results"
EXAMPLES = """\
examples:
  wearfmu schemes                  repeat every recorded run of SDND104
  wearfmu schemes --convergence    also the convergence of EULER
  wearfmu schemes --amplitude 3    error and cost of each scheme at 3 m/s2

Without --amplitude the reference is another program, not the exact value.
"""

# Steps of the undivided window [s].
_STEPS = (1e-4, 5e-5, 2.5e-5, 1.25e-5)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `wearfmu schemes`."""
    parser.add_argument(
        "--convergence",
        action="store_true",
        help="also print how EULER converges to its limit of small steps",
    )
    parser.add_argument(
        "--amplitude",
        type=float,
        nargs="+",
        metavar="M/S2",
        help="print error and cost of each scheme at these amplitudes of SDND104 instead",
    )


def execute(arguments: argparse.Namespace) -> int:
    """Run and print, and return 0 if all schemes agree with the recorded numbers."""
    if arguments.amplitude:
        for amplitude in arguments.amplitude:
            _print_errors(amplitude)
        return 0
    from harness.console import text_console
    from wearmodel.reference.schemes import recorded_runs, repeat

    console = text_console()
    rows = [repeat(run) for run in _with_progress(recorded_runs(), console)]
    _print_rows(rows, console)
    if arguments.convergence:
        _print_convergence(console)
    return 0 if all(row.reached for row in rows) else 1


def _with_progress(rows: Iterable[_Row], console: Console) -> Iterable[_Row]:
    from rich.progress import track

    from harness.console import text_console

    stderr = text_console(stderr=True)
    return track(rows, "schemes", console=stderr, disable=not console.is_terminal)


def _print_errors(amplitude: float) -> None:
    from harness.console import number_columns, text_console, text_table
    from wearmodel.reference.schemes import exact_wear_power, scheme_errors

    try:
        exact = exact_wear_power(amplitude)
    except ValueError as problem:
        raise UsageError(f"--amplitude: {problem}") from None
    console = text_console()
    headings = ("step\ns", "steps\n", "CPU\nms", "mean wear power\nW", "error\nrelative")
    table = text_table("scheme", *number_columns(*headings, no_wrap=True))
    previous = ""
    for row in _with_progress(scheme_errors(amplitude), console):
        if previous and row.scheme != previous:
            table.add_section()
        table.add_row(
            row.scheme if row.scheme != previous else "",
            f"{row.step_size:g}",
            str(row.steps),
            f"{1e3 * row.seconds:.0f}",
            f"{row.wear_power:.9g}",
            f"{row.relative_error:.1e}",
        )
        previous = row.scheme
    console.print(f"SDND104 at a0 = {amplitude:g} m/s2: mean wear power over [4, 12] s")
    console.print(f"exact value of rigid friction: {exact:.12g} W")
    console.print(table)
    console.print(
        "The schemes and FrictionalShock with the penalty law have a tangential spring of "
        "9e6 N/m in the contact and a spring of 3e-5 N/m to the support. At small steps, the "
        "difference from rigid friction remains. All run interpreted."
    )


def _print_rows(rows: Sequence[SchemeRow], console: Console) -> None:
    from rich.table import Column

    from harness.console import text_table
    from wearmodel.reference.schemes import differences_2003, exact_wear_power, reason_2003

    table = text_table(
        Column("a0\nm/s²", no_wrap=True),
        Column("scheme\n  options", overflow="fold"),
        Column("recorded\ncomputed [W]", no_wrap=True),
        Column("difference\ngoal", no_wrap=True),
        Column("2003 ¹\nverdict", no_wrap=True),
    )
    for row in rows:
        run = row.run
        options = ", ".join(f"{name}={value:g}" for name, value in run.options.items())
        table.add_row(
            f"{run.amplitude:g}",
            f"{run.scheme}\n  {options}{'' if run.tabulated else ', exact sine'}",
            f"{run.recorded:.12g}\n{row.computed:.12g}",
            f"{row.relative_difference:.1e}\n{f'{run.goal:.0e}' if run.goal else 'exact'}",
            f"{'' if run.document_2003 is None else f'{run.document_2003:g}'}\n"
            f"{'ok' if row.reached else 'FAILED'}",
        )
    console.print(table)
    console.print(f"¹ not reproducible: {reason_2003()}")
    console.print("\n% difference max of all schemes from the exact wear power of rigid friction:")
    for amplitude in dict.fromkeys(row.run.amplitude for row in rows):
        exact = exact_wear_power(amplitude)
        largest = max(abs(row.computed - exact) for row in rows if row.run.amplitude == amplitude)
        percent = 100.0 * largest / exact if exact else largest
        old = differences_2003()[amplitude]
        console.print(f"  a0 = {amplitude:g}: {percent:.3f} % (2003: {old:g} %)")


def _print_convergence(console: Console) -> None:
    from wearmodel.reference.schemes import DISCRETE_LAW_LIMITS, euler_errors, observed_order

    console.print()
    console.print("EULER over one undivided window [4, 12] s, towards the documents' discrete law:")
    for amplitude, limit in DISCRETE_LAW_LIMITS.items():
        errors = euler_errors(amplitude, _STEPS)
        listed = ", ".join(f"{error:.1e}" for error in errors)
        console.print(f"  a0 = {amplitude:g}: limit {limit:.12g} W")
        console.print(f"    steps {', '.join(f'{step:g}' for step in _STEPS)} s")
        console.print(f"    relative errors {listed}; order {observed_order(_STEPS, errors):.2f}")
