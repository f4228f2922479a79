"""`wearfmu run`: play one case file of the user's."""

from __future__ import annotations

import argparse
from pathlib import Path

from harness.subcommands.options import Subparsers, add_fmu_folder, add_reporting, new_parser

_EXAMPLES = """\
examples:
  wearfmu run shoe.toml
  wearfmu run studies/shoe/case.toml --csv shoe.csv --json shoe.json
"""


def add_parser(subparsers: Subparsers) -> None:
    """Add the parser of `wearfmu run`."""
    parser = new_parser(subparsers, "run", help_line="play one case file", examples=_EXAMPLES)
    parser.add_argument("case", metavar="CASE.toml", type=Path, help="the case file")
    add_fmu_folder(parser)
    add_reporting(parser)
    parser.add_argument(
        "--csv", metavar="FILE", type=Path, help="also write the recorded history, time first"
    )
    parser.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Play the case, print the table, return 0 if it passed, otherwise 1."""
    from harness.run_record import write_csv
    from harness.validation import report_results, validate_files

    results = validate_files([arguments.case], arguments)
    exit_code = report_results(results, arguments)
    for result in results:
        if arguments.csv is not None and result.record is not None:
            stride = result.case.experiment.output_stride
            write_csv(result.record, arguments.csv, stride=stride)
    return exit_code
