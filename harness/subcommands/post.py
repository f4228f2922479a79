"""`wearfmu post`: shock and wear statistics of a result file."""

from __future__ import annotations

import argparse
import math
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from harness.subcommands.options import add_force, add_output, values_by_name

if TYPE_CHECKING:
    from wearmodel.statistics import StatisticsSettings

HELP = "compute shock and wear statistics of a result file"
EXAMPLES = """\
examples:
  wearfmu post shoe.csv
  wearfmu post shoe.csv --window 4 12 --rest 1e-3 --blocks 8 --reading sampled
  wearfmu post other.csv --columns time=T normal_force=Fn normal_velocity=Vn
  wearfmu post shoe.csv --relation contact_mode gap --json statistics.json
  wearfmu post shoe.csv --archard 1e-13 --area 1e-4 --years 10

--columns is not needed for columns with the name of the quantity or of the
FMU's output, in upper or lower case, with or without unit in brackets, and for
columns of code_aster's tables: INST, FN, VN, FT1, VT1, DN and so on. A line of
units may follow the names. Values are converted to SI units. Lines that start
with # and text above the names are skipped. Quantities: time, normal_force,
normal_velocity (negative when approaching), tangential_force_1 and _2,
tangential_velocity_1 and _2 (sliding), position_x, _y and _z, stick (0 or 1),
contact_mode.

--years extrapolates: it assumes that the motion of the window continues, and
that wear does not change gap, stiffness or coefficient.
"""
# Options by setting, for messages about invalid settings.
_OPTIONS = {
    "window_start": "--window",
    "force_threshold": "--threshold",
    "rest_time": "--rest",
    "block_count": "--blocks",
    "class_count": "--classes",
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `wearfmu post`."""
    parser.add_argument(
        "record", metavar="RESULT.csv", type=Path, help="CSV file with a row of names"
    )
    parser.add_argument(
        "--columns",
        metavar="QUANTITY=COLUMN",
        nargs="+",
        action="extend",
        type=_quantity_and_column,
        default=[],
        help="columns with other names",
    )
    options = parser.add_argument_group("options to compute (default: --usure --impact)")
    options.add_argument(
        "--usure", action="store_true", help="moments, shock times and mean wear power"
    )
    options.add_argument(
        "--impact", action="store_true", help="a row for each shock, and their maxima"
    )
    options.add_argument(
        "--relation",
        metavar=("FLAG_COLUMN", "DISPLACEMENT_COLUMN"),
        nargs=2,
        help="statistics of the displacement while the flag is 1 (contact_mode: while in contact)",
    )
    how = parser.add_argument_group("settings")
    how.add_argument(
        "--window",
        metavar=("START", "END"),
        nargs=2,
        type=float,
        help="times in the record [s], END may be inf (default: the whole record)",
    )
    how.add_argument(
        "--threshold",
        metavar="N",
        type=float,
        default=0.0,
        help="contact is |force| > N (default 0)",
    )
    how.add_argument(
        "--rest",
        metavar="S",
        type=float,
        default=0.0,
        help="contacts separated by a shorter time [s] belong to one shock (default: 0)",
    )
    how.add_argument(
        "--blocks", metavar="N", type=int, default=1, help="number of blocks (default: 1)"
    )
    how.add_argument(
        "--classes", metavar="N", type=int, default=10, help="histogram classes (default: 10)"
    )
    how.add_argument(
        "--reading",
        choices=("interpolated", "sampled"),
        default="interpolated",
        help="locate crossings and maxima between samples (default), or use samples, as "
        "code_aster's operator does",
    )
    wear = parser.add_argument_group("wear")
    wear.add_argument(
        "--archard",
        metavar="K",
        type=float,
        help="worn volume / wear work, m2/N (published values: 6e-17 to 1e-12)",
    )
    wear.add_argument("--area", metavar="M2", type=float, help="worn area, to compute the depth")
    wear.add_argument("--years", metavar="N", type=float, help="extrapolate to years of service")
    add_output(parser, "--json", "json", "write all results as JSON")
    parser.add_argument(
        "--csv", metavar="FOLDER", type=Path, help="also write a CSV file for each table"
    )
    add_force(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Compute and print the statistics, and return 0."""
    from harness import post
    from harness.console import text_console
    from harness.output_files import require_folder, require_outputs
    from harness.output_kinds import POST_JSON, STATISTICS_CSV, OutputKind
    from harness.records import open_record
    from harness.subcommands.progress import shown_progress
    from wearmodel.structure import questions_on

    _require_wear(arguments)
    settings = _settings(arguments)
    columns = values_by_name("--columns", arguments.columns)
    wanted = _tables(arguments)
    outputs: dict[str, tuple[Path | None, OutputKind]] = {"--json": (arguments.json, POST_JSON)}
    if arguments.csv is not None:
        require_folder("--csv", arguments.csv)
        outputs |= {
            f"--csv, {name}:": (post.table_file(arguments.csv, name), STATISTICS_CSV)
            for name in wanted
        }
    require_outputs(outputs, read=[arguments.record], force=arguments.force)
    if arguments.relation:
        columns["relation_active"], columns["relation_displacement"] = arguments.relation
    file = open_record(arguments.record, columns)
    with shown_progress() as progress:
        result = post.post_process(
            file,
            settings,
            usure="usure" in wanted,
            impact="impact" in wanted,
            relation="rela" in wanted,
            progress=partial(progress, arguments.record.name),
        )
    tables = result.tables()
    if arguments.archard is not None:
        tables["archard"] = post.worn_table(
            result,
            arguments.archard,
            wear_area=arguments.area,
            service_years=arguments.years,
        )
        given = {"archard_coefficient": arguments.archard, "wear_area": arguments.area or 0.0}
        for question in questions_on(given):
            print(f"note: {question}", file=sys.stderr)
    if arguments.json is not None:
        post.write_post_json(result, tables, arguments.json)
    if arguments.csv is not None:
        post.write_post_csv(tables, arguments.csv)
    post.print_post(result, tables, text_console())
    return 0


def _tables(arguments: argparse.Namespace) -> list[str]:
    """Return the names of the tables to compute."""
    chosen = arguments.usure or arguments.impact or arguments.relation
    asked = {
        "usure": arguments.usure or arguments.archard is not None or not chosen,
        "impact": arguments.impact or not chosen,
        "rela": bool(arguments.relation),
        "archard": arguments.archard is not None,
    }
    return [name for name, wanted in asked.items() if wanted]


def _settings(arguments: argparse.Namespace) -> StatisticsSettings:
    from harness.errors import UsageError
    from wearmodel.statistics import StatisticsSettings

    start, end = arguments.window or (-math.inf, math.inf)
    try:
        return StatisticsSettings(
            window_start=start,
            window_end=end,
            force_threshold=arguments.threshold,
            rest_time=arguments.rest,
            block_count=arguments.blocks,
            class_count=arguments.classes,
            reading=arguments.reading,
        )
    except ValueError as problem:
        option = _OPTIONS[str(problem).partition("=")[0]]
        raise UsageError(f"{option}: {problem}") from None


def _require_wear(arguments: argparse.Namespace) -> None:
    """Raise UsageError for invalid options of wear, before the computation."""
    from harness.errors import UsageError
    from wearmodel.statistics import wear_laws, worn_shapes

    if arguments.archard is None and (arguments.area, arguments.years) != (None, None):
        raise UsageError("--area and --years require --archard")
    for option, value, check in (
        ("--archard", arguments.archard, partial(wear_laws.worn_volume, wear_work=0.0)),
        ("--area", arguments.area, worn_shapes.FlatPad),
        ("--years", arguments.years, partial(wear_laws.service_wear_work, 0.0)),
    ):
        try:
            if value is not None:
                check(value)
        except ValueError as problem:
            raise UsageError(f"{option}: {problem}") from None


def _quantity_and_column(text: str) -> tuple[str, str]:
    quantity, separator, column = text.partition("=")
    if not (quantity and separator and column):
        raise argparse.ArgumentTypeError(f"{text!r} must be QUANTITY=COLUMN")
    return quantity, column
