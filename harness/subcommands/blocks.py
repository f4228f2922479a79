"""`wearfmu blocks`: displacement of sliding blocks by record and yield acceleration."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from harness.subcommands import options

HELP = "compute displacements of sliding blocks (Newmark) from records"
EXAMPLES = """\
examples:
  wearfmu blocks quake.at2 --yield 0.1                 a block on a level plane
  wearfmu blocks records/*.at2 --yield 0.02:0.4:20 --slope 20 --one-way
  wearfmu blocks records/*.at2 --yield 0.05,0.1,0.2 --slope 20 --horizontal \\
      --csv blocks.csv --report blocks.html

If a record cannot be read or run, the command prints the reason and continues
with the other records. The exit code is then 1.
"""
_MOST_YIELDS = 10_000


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `wearfmu blocks`."""
    parser.add_argument(
        "records",
        metavar="RECORD",
        nargs="+",
        type=Path,
        help="CSV or PEER .AT2 file of an acceleration, or a folder of such files. A positive "
        "acceleration drives the block downslope",
    )
    parser.add_argument(
        "--yield",
        dest="yields",
        metavar="K",
        required=True,
        type=_yields,
        help="yield accelerations in g: 0.1, or 0.05,0.1,0.2, or START:STOP:COUNT",
    )
    parser.add_argument(
        "--slope",
        metavar="DEGREES",
        type=options.number_option("degrees ≥ 0 and < 90", lambda value: 0.0 <= value < 90.0),
        help="inclination of the plane. Together with --yield it determines the friction "
        "coefficient (default: 0, level)",
    )
    parser.add_argument(
        "--horizontal",
        action="store_true",
        help="with --slope: record and yield acceleration are horizontal, not along the slope",
    )
    parser.add_argument(
        "--one-way", action="store_true", help="the block never slips upslope, as in Newmark's rule"
    )
    options.add_record_reading(parser)
    table = "write peak and residual displacement of both polarities as a table, m"
    options.add_output(parser, "--csv", "csv", table)
    options.add_output(parser, "--json", "json", "write the results as JSON")
    options.add_force(parser)
    page = "write a page with the curves over the yield acceleration"
    options.add_output(parser, "--report", "html", page)


def _yields(text: str) -> list[float]:
    from harness.messages import point_for_comma

    if text.startswith("0,") and (remedy := point_for_comma(text)):
        raise argparse.ArgumentTypeError(f"{text!r} must be numbers > 0 in g{remedy}")
    parts = text.split(":")
    if len(parts) == 1:
        values = [_yield_acceleration(cell) for cell in text.split(",")]
        if len(set(values)) < len(values):
            raise argparse.ArgumentTypeError(f"{text!r} must contain each value once")
        return sorted(values)
    number = int(parts[2]) if len(parts) == 3 and parts[2].isdecimal() else 0
    if not 2 <= number <= _MOST_YIELDS:
        raise argparse.ArgumentTypeError(
            f"{text!r} must be START:STOP:COUNT with a COUNT of 2 to {_MOST_YIELDS}: 0.02:0.4:20. "
            "The third number is the count of values, not a step"
        )
    first, last = map(_yield_acceleration, parts[:2])
    if first >= last:
        raise argparse.ArgumentTypeError(f"{text!r}: START must be less than STOP")
    rise = (last - first) / (number - 1)
    # Rounded for output in tables and files.
    return [float(f"{first + index * rise:.12g}") for index in range(number)]


_yield_acceleration = options.number_option(
    "a number > 0 in g, such as 0.1", lambda value: 0.0 < value < math.inf
)


def execute(arguments: argparse.Namespace) -> int:
    """Run the records. The exit code is 0 if all runs succeeded, otherwise 1."""
    from functools import partial

    from harness import blocks
    from harness.console import text_console
    from harness.errors import UsageError
    from harness.output_files import require_outputs
    from harness.output_kinds import BLOCKS_CSV, BLOCKS_JSON, REPORT
    from harness.subcommands.progress import shown_progress

    if arguments.horizontal and not arguments.slope:
        raise UsageError("--horizontal requires --slope, because it has no effect on a level plane")
    slope = blocks.Slope(arguments.slope or 0.0, arguments.horizontal, arguments.one_way)
    for yield_acceleration in arguments.yields:
        if not 0.0 < slope.friction(yield_acceleration) < math.inf:
            raise UsageError(
                f"--yield {yield_acceleration:g} --slope {slope.degrees:g}: the friction "
                "coefficient does not exist: the sum of the slope and the angle of k_y must be "
                "less than 90°"
            )
    outputs = {
        "--csv": (arguments.csv, BLOCKS_CSV),
        "--json": (arguments.json, BLOCKS_JSON),
        "--report": (arguments.report, REPORT),
    }
    files = blocks.record_files(arguments.records)
    twice = {str(record) for record in files if files.count(record) > 1}
    if twice:
        raise UsageError(f"{', '.join(sorted(twice))}: give each record only once")
    require_outputs(outputs, read=files, force=arguments.force)
    with shown_progress() as progress:
        study = blocks.run_block_study(
            files,
            arguments.yields,
            slope,
            progress=partial(progress, f"{len(files)} records"),
            **options.record_reading(arguments),
        )
    if arguments.csv is not None:
        blocks.write_blocks_csv(study, arguments.csv)
    if arguments.json is not None:
        blocks.write_blocks_json(study, arguments.json)
    console = text_console()
    if arguments.report is not None and study.records:
        from harness.report.blocks_page import write_blocks_report

        write_blocks_report(study, arguments.report)
    blocks.print_blocks(study, console)
    if arguments.report is not None and study.records:
        console.print(f"report: {arguments.report}", soft_wrap=True)
    return options.FAILED if study.failures or not study.records else options.PASSED
