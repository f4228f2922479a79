"""Options that several sub-commands share."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

# Exit codes of runs: passed, failed, or result not known.
PASSED, FAILED, NOT_KNOWN = 0, 1, 3


def add_fmu_folder(
    parser: argparse.ArgumentParser,
    *,
    default: str = "build if it contains the FMU, otherwise the user's cache",
) -> None:
    """Add `--out DIR`, the folder of the built FMUs, with the text of its default."""
    parser.add_argument(
        "--out",
        metavar="DIR",
        type=Path,
        help=f"folder of the built FMUs (default: {default})",
    )


def add_native(parser: argparse.ArgumentParser, *, condition: str = "") -> None:
    """Add `--native`, with the text of a condition."""
    parser.add_argument(
        "--native",
        action="store_true",
        help="use native FMUs, which run without Python, if the model has one (extra `native`)"
        f"{condition}",
    )


def add_fmi(parser: argparse.ArgumentParser, *, effect: str = "runs native FMUs of") -> None:
    """Add `--fmi VERSION`, with the text of the effect of version 3."""
    from fmu_src.native import FMI_VERSIONS

    parser.add_argument(
        "--fmi",
        type=int,
        choices=FMI_VERSIONS,
        default=2,
        help=f"with --native: version of FMI (default: 2). 3 {effect} FMI 3.0",
    )


def require_native_for_fmi(arguments: argparse.Namespace) -> None:
    """Raise UsageError for FMI 3.0 without --native."""
    from harness.errors import UsageError

    if arguments.fmi != 2 and not arguments.native:
        raise UsageError(
            f"--fmi {arguments.fmi} requires --native, because Python FMUs support FMI 2.0 only"
        )


def add_output(parser: argparse.ArgumentParser, option: str, suffix: str, text: str) -> None:
    """Add the option of an output file with a suffix. The help text begins with "also"."""
    parser.add_argument(option, metavar=f"FILE.{suffix}", type=Path, help=f"also {text}")


def add_reporting(parser: argparse.ArgumentParser) -> None:
    """Add `--report FILE`, `--json FILE`, `--force` and `-v`."""
    page = "write a page with all numbers and pictures, which opens without a network"
    add_output(parser, "--report", "html", page)
    add_output(parser, "--json", "json", "write the results as JSON")
    add_force(parser)
    parser.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="print all numbers, sources, reasons, cost and the FMU's log",
    )


def add_force(parser: argparse.ArgumentParser) -> None:
    """Add `--force`."""
    parser.add_argument(
        "--force",
        action="store_true",
        help="also replace a file that this option did not write, and accept any suffix (without "
        "--force, only earlier results of the same option are replaced)",
    )


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Add `--scheduler ADDRESS` and `--workers N`."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--scheduler", metavar="ADDRESS", help="run on this Dask cluster (extra `sweep`)"
    )
    where.add_argument(
        "--workers",
        metavar="N",
        type=positive_integer,
        help="processes on this machine (default: number of cores, or this process for short work)",
    )


def positive_integer(text: str) -> int:
    """Return a whole number ≥ 1, as the type of an option."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} must be a whole number ≥ 1")
    return number


def add_live(parser: argparse.ArgumentParser) -> None:
    """Add `--live`."""
    parser.add_argument(
        "--live",
        action="store_true",
        help="with --report: put the compiled model into the page, so that readers can change "
        "parameters and see the results (extra `native`)",
    )


def acceleration_unit(text: str) -> str:
    """Return the spelling of a unit of acceleration, as the type of an option."""
    from wearmodel.units import ACCELERATION, require_unit

    try:
        return require_unit(text, ACCELERATION).name
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def add_scale(group: argparse._ActionsContainer) -> None:
    """Add `--scale FACTOR` for the accelerations of a record."""
    group.add_argument(
        "--scale",
        metavar="FACTOR",
        type=number_option(
            "a finite number other than 0", lambda value: math.isfinite(value) and value != 0.0
        ),
        help="factor of the accelerations, such as 0.5 or -1, in addition to the conversion of "
        "units (default: 1)",
    )


def add_record_reading(group: argparse._ActionsContainer) -> None:
    """Add the options for reading an acceleration from a record."""
    group.add_argument(
        "--unit",
        metavar="UNIT",
        type=acceleration_unit,
        help="unit of the accelerations: m/s2, cm/s2, mm/s2, g, mg, gal, in/s2, ft/s2, … (default: "
        "from the header, or m/s2). It must not contradict the header",
    )
    add_scale(group)
    group.add_argument(
        "--time",
        metavar="COLUMN",
        help="time, by name or by number from 1 (default: from the header)",
    )
    group.add_argument(
        "--acceleration",
        metavar="COLUMN",
        help="acceleration along the support, by name or number (default: the column with the name "
        "or unit of an acceleration, the horizontal one if there are two, or the only column "
        "besides the time)",
    )
    group.add_argument(
        "--dt",
        metavar="SECONDS",
        type=positive("a number of seconds"),
        help="sampling interval of a file with a single column of values without times",
    )
    group.add_argument(
        "--remove-mean", action="store_true", help="subtract the mean of each acceleration"
    )


def record_reading(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of `harness.shaking.read_shaking` from these options."""
    return {
        "time": arguments.time,
        "acceleration": arguments.acceleration,
        "unit": arguments.unit,
        "interval": arguments.dt,
        "remove_mean": arguments.remove_mean,
        "scale": arguments.scale or 1.0,
    }


def number_option(meaning: str, is_valid: Callable[[float], bool]) -> Callable[[str], float]:
    """Return the type of an option with a number. `meaning` includes its range."""

    def number(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not is_valid(value):
            from harness.messages import point_for_comma

            raise argparse.ArgumentTypeError(f"{text!r} must be {meaning}{point_for_comma(text)}")
        return value

    return number


def positive(meaning: str) -> Callable[[str], float]:
    """Return the type of an option with a number > 0, such as "a number of seconds"."""
    return number_option(f"{meaning} > 0", lambda value: 0.0 < value < math.inf)


def name_and_value(text: str) -> tuple[str, str]:
    """Return both sides of NAME=VALUE, as the type of an option."""
    name, separator, value = (part.strip() for part in text.partition("="))
    if not (name and separator and value):
        raise argparse.ArgumentTypeError(f"{text!r} must be NAME=VALUE")
    try:
        text.encode()
    except UnicodeEncodeError:
        # FMUs and their descriptions require UTF-8.
        raise argparse.ArgumentTypeError(f"{text!r} must be text in UTF-8") from None
    return name, value


def values_by_name(option: str, pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the values of an option by name, or raise UsageError for a repeated name."""
    from harness.errors import UsageError

    values: dict[str, str] = {}
    for name, value in pairs:
        if name in values:
            raise UsageError(f"{option} {name} is given twice: {values[name]} and {value}")
        values[name] = value
    return values
