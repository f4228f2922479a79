"""`wearfmu motion`: write a record as the table that BaseMotion.fmu or FMPy reads."""

from __future__ import annotations

import argparse
from pathlib import Path

from harness.subcommands import options

HELP = "write a record as the table that BaseMotion.fmu or FMPy reads"
EXAMPLES = """\
examples:
  wearfmu motion quake.at2 --out motion.csv
  wearfmu motion quake.csv --acceleration north --unit g --out motion.csv
  wearfmu build BaseMotion --native --motion motion.csv
  wearfmu motion quake.at2 --fmpy input.csv
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
        help="write the table for BaseMotion.fmu: time and acceleration in SI units",
    )
    parser.add_argument(
        "--fmpy",
        metavar="FILE.csv",
        type=Path,
        help="write the table for `fmpy simulate --input-file`: time and base_acceleration",
    )
    options.add_record_reading(parser)
    options.add_force(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Write the tables, and print how the record was read, and the paths of the tables."""
    from harness.console import text_console
    from harness.errors import UsageError
    from harness.output_files import require_outputs, write_text
    from harness.output_kinds import FMPY_TABLE, MOTION_TABLE
    from harness.shaking import motion_text, print_understood, read_shaking
    from wearmodel.models.accelerogram import MOTION_HEADER

    outputs = {"--out": (arguments.out, MOTION_TABLE), "--fmpy": (arguments.fmpy, FMPY_TABLE)}
    headers = {arguments.out: MOTION_HEADER, arguments.fmpy: "time,base_acceleration"}
    headers.pop(None, None)
    if not headers:
        raise UsageError("give --out FILE.csv for BaseMotion.fmu, or --fmpy FILE.csv for FMPy")
    require_outputs(outputs, read=[arguments.record], force=arguments.force)
    shaking = read_shaking(arguments.record, **options.record_reading(arguments))
    for path, header in headers.items():
        write_text(path, motion_text(shaking, header))
    print_understood(shaking, text_console())
    print(*headers, sep="\n")
    return 0
