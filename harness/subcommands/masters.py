"""`wearfmu masters`: run the FMUs in every master there is and compare with the closed forms."""

from __future__ import annotations

import argparse
from pathlib import Path

from harness.subcommands.options import Subparsers, add_fmu_folder, add_native, new_parser

_EXAMPLES = """\
examples:
  wearfmu masters                                  all masters, about a minute
  wearfmu masters fmpy c-host                      two of them
  wearfmu masters --native                         with the FMU that needs no Python
  wearfmu masters --markdown docs/masters/table.md

libcosim and ecos need the extra `masters`; the C host needs gcc
"""


def add_parser(subparsers: Subparsers) -> None:
    """Add the parser of `wearfmu masters`."""
    parser = new_parser(
        subparsers,
        "masters",
        help_line="run the FMUs in other masters: table of errors and microseconds a step",
        examples=_EXAMPLES,
    )
    parser.add_argument(
        "masters", metavar="MASTER", nargs="*", help="names of masters (default: all)"
    )
    add_fmu_folder(parser)
    add_native(parser)
    parser.add_argument(
        "--markdown", metavar="FILE", type=Path, help="also write the table to a file"
    )
    parser.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Print the table; return 0 if all cases passed in all masters, otherwise 1."""
    from rich.progress import Progress

    from harness.case.text import text_console
    from harness.errors import CaseError
    from harness.fmu.files import native_fmu, own_fmu
    from harness.masters.roster import MASTERS
    from harness.masters.table import COMMAND, fill, markdown
    from harness.output_files import require_outputs, write_text

    chosen = tuple(arguments.masters or MASTERS)
    for name in chosen:
        if name not in MASTERS:
            raise CaseError(f"{name}: is no master; there are: {', '.join(MASTERS)}")
    require_outputs({"--markdown": arguments.markdown})
    own_fmu("BaseMotion", arguments.out)
    built = native_fmu if arguments.native else own_fmu
    shoe = built("FrictionalShock", arguments.out)
    console = text_console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("masters", total=1.0)
        rows = fill(
            arguments.out,
            masters=chosen,
            shoe_fmu=shoe,
            progress=lambda done, total: bar.update(task, completed=done / total),
        )
    text = markdown(rows, command=f"{COMMAND} --native" if arguments.native else COMMAND)
    print(text, end="")
    if arguments.markdown is not None:
        which = " with the native FMU" if arguments.native else ""
        write_text(arguments.markdown, f"# Masters and cases{which}\n\n{text}")
    return int(any(cell.failure for cells in rows.values() for cell in cells))
