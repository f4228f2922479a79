"""`wearfmu life`: wear depth of a case over years of service."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.subcommands import options
from harness.subcommands.progress import shown_count, shown_progress

if TYPE_CHECKING:
    from harness.life import Forecast, Life

# Number of reasons that are printed. --csv writes all reasons.
_SHOWN_FAILURES = 5

# Shortest remaining time that is reported [s].
_SHORT_WAIT = 20.0

HELP = "estimate wear depth over years of service, with error bars"
EXAMPLES = """\
examples:
  wearfmu life pad.toml                            for life.years of the file
  wearfmu life pad.toml --years 60 --csv pad.csv   all states, SI units
  wearfmu life pad.toml --time-limit 10min         the results of 10 minutes

If interrupted, run it again to resume: a journal next to the case contains the
results. Exit codes: 0 computed, 1 a run failed, 2 usage or environment,
3 not known: the runs cannot decide whether the criterion is reached.
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `wearfmu life`."""
    parser.add_argument("case", metavar="CASE.toml", type=Path, help="a case with a section [life]")
    parser.add_argument(
        "--years",
        metavar="N",
        type=options.positive("a number of years"),
        help="service time, years of 365.25 days (default: life.years of the file)",
    )
    options.add_reporting(parser)
    options.add_output(parser, "--csv", "csv", "write all states, or draws, as CSV")
    parser.add_argument(
        "--time-limit",
        metavar="TIME",
        type=_duration,
        help="end after this computing time, such as 90s, 10min or 2h, with the results so far. "
        "Run it again to continue",
    )
    options.add_workers(parser)


def _duration(text: str) -> float:
    from wearmodel.units import seconds_of_text

    try:
        return seconds_of_text(text)
    except ValueError as problem:
        raise argparse.ArgumentTypeError(f"{text!r} {problem}") from None


def execute(arguments: argparse.Namespace) -> int:
    """Compute the service life. Return 0, 1 if a draw failed, or 3 if the answer is not known."""
    from harness import life as lives
    from harness.console import text_console
    from harness.errors import UsageError
    from harness.output_files import require_outputs
    from harness.output_kinds import LIFE_CSV, LIFE_JSON, REPORT, SPREADS_JSON, points_table
    from harness.sweep import open_journal

    life = lives.load_life(arguments.case, years=arguments.years)
    drawn = life.draws is not None
    table = arguments.csv
    outputs = {
        "--json": (arguments.json, SPREADS_JSON if drawn else LIFE_JSON),
        "--csv": (table, points_table(table) if drawn and table is not None else LIFE_CSV),
        "--report": (arguments.report, REPORT),
    }
    read = [*life.case.files_read, life.journal, *([life.fmu] if life.fmu is not None else [])]
    require_outputs(outputs, read=read, force=arguments.force)
    # Notes are printed before the runs, which may take minutes, so that users can change the file.
    for note in life.notes:
        print(f"note: {note}", file=sys.stderr)
    if life.draws is not None:
        if arguments.time_limit is not None:
            raise UsageError(
                "--time-limit is for a single life: remove it, or remove [life.design] from the"
                " file. Draws can be interrupted and resumed"
            )
        return _execute_draws(life, arguments)
    if arguments.scheduler is not None:
        raise UsageError("--scheduler needs draws of uncertain quantities: add [life.design]")
    print("note: the remaining time is printed after the first runs", file=sys.stderr)
    # The journal is deleted after the files are written, which fails if the disk is full.
    with open_journal(life.journal, lives.life_digest(life), work="life") as journal:
        with shown_progress(its_own=True) as progress:
            result = lives.run_life(
                life,
                journal=journal,
                workers=arguments.workers,
                time_limit=arguments.time_limit or math.inf,
                progress=lambda done: progress(arguments.case.name, done),
                expected=lambda forecast: _say_expected(forecast, len(life.motions)),
            )
        # Files are written first, because a pipe such as `head` may end the printing early.
        if arguments.json is not None:
            lives.write_life_json(result, arguments.json)
        if arguments.csv is not None:
            lives.write_life_csv(result, arguments.csv)
        if arguments.report is not None:
            from harness.report.life_page import write_life_report

            write_life_report(result, arguments.report)
    if result.is_complete:
        life.journal.unlink()
    console = text_console()
    lives.print_life(result, console, verbose=arguments.verbose)
    if arguments.report is not None:
        console.print(f"report: {arguments.report}", soft_wrap=True)
    return options.PASSED if result.is_known else options.NOT_KNOWN


def _execute_draws(life: Life, arguments: argparse.Namespace) -> int:
    """Compute the service life of each draw. Return 0, 1 if a draw failed, or 3 if not known."""
    from harness.console import text_console
    from harness.life import print_drawn_lives, run_draws
    from harness.sweep import spreads, write_spreads

    assert life.draws is not None
    count = len(life.draws.points)
    with shown_count(life.case.heading.title, count, "draws") as progressed:
        lives = run_draws(
            life,
            workers=arguments.workers,
            scheduler=arguments.scheduler,
            csv=arguments.csv,
            progress=progressed,
        )
    if arguments.json is not None:
        write_spreads(spreads(lives, lives.rows), arguments.json)
    if arguments.report is not None:
        from harness.report.life_page import write_drawn_lives_report

        write_drawn_lives_report(lives, arguments.report)
    life.journal.unlink()
    console = text_console()
    print_drawn_lives(lives, console)
    for reasons, result in ((lives.failures, "failed"), (lives.not_known, "are not known")):
        for number, reason in list(reasons.items())[:_SHOWN_FAILURES]:
            console.print(f"draw {number}: {reason}", soft_wrap=True)
        if reasons:
            console.print(f"{len(reasons)} of {count} draws {result}", soft_wrap=True)
    if arguments.report is not None:
        console.print(f"report: {arguments.report}", soft_wrap=True)
    if lives.failures:
        return options.FAILED
    return options.NOT_KNOWN if lives.not_known else options.PASSED


def _say_expected(forecast: Forecast, conditions: int) -> None:
    """Print the remaining time unless it is short, and the completed share of the service."""
    longest = forecast.seconds[1]
    if longest >= _SHORT_WAIT:
        unit, name = (1.0, "seconds") if longest < 90.0 else (60.0, "minutes")
        waited = _span([seconds / unit for seconds in forecast.seconds])
        runs = _span([states * conditions for states in forecast.states])
        done = f"{100.0 * forecast.share:.0f} % of the service time computed"
        print(f"wearfmu: {done}, about {waited} {name} left, {runs} runs", file=sys.stderr)


def _span(ends: Sequence[float]) -> str:
    """Return the ends of a range in whole numbers, or one number if they are equal."""
    return " to ".join(dict.fromkeys(f"{end:.0f}" for end in ends))
