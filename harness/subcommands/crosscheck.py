"""`wearfmu crosscheck`: write the files of the FMI cross-check."""

from __future__ import annotations

import argparse
from pathlib import Path

from harness.subcommands.options import Subparsers, add_fmu_folder, new_parser

_EXAMPLES = """\
examples:
  wearfmu crosscheck                             all shipped cases, into build/cross-check
  wearfmu crosscheck sdnd104_a15 --into fmus     one of them
"""


def add_parser(subparsers: Subparsers) -> None:
    """Add the parser of `wearfmu crosscheck`."""
    parser = new_parser(
        subparsers,
        "crosscheck",
        help_line="write FMU, inputs and reference of cases in the form of the FMI cross-check",
        examples=_EXAMPLES,
    )
    parser.add_argument(
        "cases",
        metavar="CASE",
        nargs="*",
        help="name of a shipped case, or a case file or its folder (default: all shipped cases)",
    )
    parser.add_argument(
        "--into",
        metavar="DIR",
        type=Path,
        default=Path("build", "cross-check"),
        help="folder of the cross-check files (default: build/cross-check)",
    )
    add_fmu_folder(parser)
    parser.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Write the files of each case and print their folder."""
    from harness.case.case_file import load_case
    from harness.case.shipped import case_file, shipped_cases
    from harness.cross_check import write_cross_check

    cases = [load_case(case_file(one)) for one in arguments.cases or shipped_cases()]
    for case in cases:
        print(write_cross_check(case, arguments.into, fmu_folder=arguments.out))
    return 0
