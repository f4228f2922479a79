"""`wearfmu variables`: list the variables of an FMU."""

from __future__ import annotations

import argparse

HELP = "list inputs, outputs and parameters of an FMU with their units"
EXAMPLES = """\
examples:
  wearfmu variables                       variables of FrictionalShock
  wearfmu variables DisChoc
  wearfmu variables supplier/pump.fmu     variables of a file of any tool
  wearfmu variables | grep stiffness      in a pipe each variable is one line
"""
_DEFAULT = "FrictionalShock"
# Wider than any row.
_ANY_WIDTH = 1000


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `wearfmu variables`."""
    parser.add_argument(
        "fmu",
        metavar="FMU",
        nargs="?",
        default=_DEFAULT,
        help=f"name of a shipped FMU, or path of a .fmu file (default: {_DEFAULT})",
    )
    parser.add_argument("--json", action="store_true", help="print them as JSON instead")


def execute(arguments: argparse.Namespace) -> int:
    """Print the variables and return 0."""
    from rich.table import Column

    from fmu_src.archive.documentation import groups_of
    from fmu_src.models import fmu_names
    from harness.console import text_console, text_table
    from harness.fmu.variable_table import variable_table

    listed = variable_table(arguments.fmu)
    if arguments.json:
        print(listed.to_json())
        return 0
    console = text_console()
    # In a pipe a line is a variable, whatever its width, for `grep` and the like.
    wrapped = console.is_terminal
    if not wrapped:
        console.width = _ANY_WIDTH
    console.print(f"{listed.fmu}: {listed.title}", soft_wrap=not wrapped)
    for group in groups_of(listed.variables, listed.open_below):
        if not group["rows"]:
            continue
        table = text_table(
            *(
                Column(
                    column,
                    no_wrap=column != "meaning",
                    justify="right" if column == "start" else "left",
                )
                for column in group["columns"]
            )
        )
        for row in group["rows"]:
            table.add_row(*(row[column] for column in group["columns"]))
        console.print(f"\n{group['heading']}", style="bold")
        console.print(table)
    others = [name for name in fmu_names() if name != listed.fmu]
    console.print(f"\nalso: wearfmu variables {' | '.join(others)} | FILE.fmu")
    return 0
