"""`wearfmu page`: write a page that runs the models in a browser."""

from __future__ import annotations

import argparse
from pathlib import Path

from harness.subcommands.options import add_force, add_scale

HELP = "write an HTML page that runs the models in a browser"
EXAMPLES = """\
examples:
  wearfmu page
  wearfmu page --record quake.csv --out quake.html
  wearfmu page --case sdnd104_a15 --case my/case.toml
"""
_DEFAULT_FILE = Path("wearfmu.html")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `wearfmu page`."""
    parser.add_argument(
        "--out",
        metavar="FILE.html",
        type=Path,
        default=_DEFAULT_FILE,
        help="the file to be written (default: wearfmu.html)",
    )
    parser.add_argument(
        "--record",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="CSV or PEER .AT2 file of a base motion for the page (may be repeated)",
    )
    add_scale(parser)
    add_force(parser)
    parser.add_argument(
        "--case",
        metavar="CASE",
        action="append",
        default=[],
        help="a case for the page, by name, file or folder (may be repeated; default: all shipped "
        "cases that the page can show)",
    )


def execute(arguments: argparse.Namespace) -> int:
    """Write the page and print its path."""
    from harness.case.case_file import load_case
    from harness.case.shipped import case_file
    from harness.errors import UsageError
    from harness.output_files import require_outputs
    from harness.output_kinds import PAGE
    from harness.page import shipped_starts, start_of_case, start_of_record, write_page
    from harness.shaking import read_shaking

    cases = [load_case(case_file(selector)) for selector in arguments.case]
    page = arguments.out
    read = [*arguments.record, *(file for case in cases for file in case.files_read)]
    require_outputs({"--out": (page, PAGE)}, read=read, force=arguments.force)
    if arguments.scale and not arguments.record:
        raise UsageError("--scale requires --record: in a case, set scale in its inputs")
    scale = arguments.scale or 1.0
    starts = [
        start_of_record(path, read_shaking(path, scale=scale), scale=arguments.scale)
        for path in arguments.record
    ]
    starts += [start_of_case(case) for case in cases]
    write_page(starts if cases else [*starts, *shipped_starts()], page)
    print(page)
    return 0
