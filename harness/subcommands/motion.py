"""`wearfmu motion`: write a record as the strict table that BaseMotion.fmu reads."""

from __future__ import annotations

import argparse
from pathlib import Path

from harness.subcommands import options

HELP = "write a record as the table that BaseMotion.fmu reads"
EXAMPLES = """\
examples:
  wearfmu motion quake.at2 --out motion.csv
  wearfmu motion quake.csv --acceleration north --unit g --out motion.csv
  wearfmu build BaseMotion --native --motion motion.csv
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `wearfmu motion`."""
    parser.add_argument(
        "record", metavar="RECORD", type=Path, help="CSV or PEER .AT2 file of a base motion"
    )
    parser.add_argument(
        "--out",
        metavar="FILE.csv",
        type=Path,
        required=True,
        help="the table to be written: time and acceleration in SI units",
    )
    options.add_record_reading(parser)
    options.add_force(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Write the table, and print how the record was read, and the path of the table."""
    from harness.console import text_console
    from harness.output_files import require_outputs, write_text
    from harness.output_kinds import MOTION_TABLE
    from harness.shaking import motion_text, print_understood, read_shaking

    outputs = {"--out": (arguments.out, MOTION_TABLE)}
    require_outputs(outputs, read=[arguments.record], force=arguments.force)
    shaking = read_shaking(arguments.record, **options.record_reading(arguments))
    write_text(arguments.out, motion_text(shaking))
    print_understood(shaking, text_console())
    print(arguments.out)
    return 0
