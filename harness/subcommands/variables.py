"""`wearfmu variables`: list the variables of an FMU."""

from __future__ import annotations

import argparse

HELP = "list inputs, outputs and parameters of an FMU with their units"
EXAMPLES = """\
examples:
  wearfmu variables                       variables of FrictionalShock
  wearfmu variables supplier/pump.fmu     variables of a file of any tool
  wearfmu variables | grep -A2 stiffness  variables with this word
"""
_DEFAULT = "FrictionalShock"
# Indentation of the meaning below a variable.
_INDENT = "    "


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
    import textwrap

    from rich.cells import cell_len

    from fmu_src.archive.documentation import groups_of
    from fmu_src.models import fmu_names
    from harness.console import text_console
    from harness.fmu.variable_table import variable_table

    listed = variable_table(arguments.fmu)
    if arguments.json:
        print(listed.to_json())
        return 0
    console = text_console()
    console.print(f"{listed.fmu}: {listed.title}")
    for group in groups_of(listed.variables):
        rows = group["rows"]
        if not rows:
            continue
        columns = [name for name in group["columns"] if name not in ("variability", "meaning")]
        heads = dict(zip(columns, columns, strict=True))
        widths = {name: max(cell_len(row[name]) for row in (heads, *rows)) for name in columns}
        console.print(f"\n{group['heading']}", style="bold")
        for row in (heads, *rows):
            cells = (row[name] + " " * (widths[name] - cell_len(row[name])) for name in columns)
            console.print("  ".join(cells).rstrip(), soft_wrap=True)
            if row is heads:
                console.print("─" * (sum(widths.values()) + 2 * len(columns) - 2), soft_wrap=True)
                continue
            tunable = ". Tunable" if row["variability"] == "tunable" else ""
            meaning = textwrap.wrap(f"{row['meaning']}{tunable}", console.width - len(_INDENT))
            for line in meaning:
                console.print(_INDENT + line, soft_wrap=True)
    others = [name for name in fmu_names() if name != listed.fmu]
    console.print(f"\nalso: wearfmu variables {' | '.join(others)} | FILE.fmu")
    return 0
