"""`wearfmu fit`: parameters of friction and wear from measurements."""

from __future__ import annotations

import argparse
from pathlib import Path

from harness.subcommands.options import NOT_KNOWN, PASSED, add_reporting

HELP = "fit friction and wear parameters to measurements"
EXAMPLES = """\
examples:
  wearfmu fit rig.toml                        parameters with 95 % intervals
  wearfmu fit rig.toml --fitted fitted.toml   a case with the fitted values

Ctrl-C ends the search for further minima and uses the best so far.
Exit codes: 0 fitted, 1 the model cannot be computed, 2 usage or environment,
3 not known: the measurements do not determine a parameter.
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `wearfmu fit`."""
    parser.add_argument("case", metavar="FIT.toml", type=Path, help="a case with a section [fit]")
    parser.add_argument(
        "--fitted",
        metavar="FILE.toml",
        type=Path,
        help="also write the case with the fitted values into its folder, for `wearfmu run` and "
        "`wearfmu life`",
    )
    add_reporting(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Fit the parameters. Return 0, or 3 if a parameter is not known."""
    import sys

    from harness import fitting
    from harness.console import text_console
    from harness.output_files import require_outputs
    from harness.output_kinds import FIT_JSON, FITTED_CASE, REPORT
    from harness.subcommands.progress import shown_count

    fit = fitting.load_fit(arguments.case)
    outputs = {
        "--json": (arguments.json, FIT_JSON),
        "--fitted": (arguments.fitted, FITTED_CASE),
        "--report": (arguments.report, REPORT),
    }
    require_outputs(outputs, read=fit.files_read, force=arguments.force)
    if arguments.fitted is not None:
        fitting.require_beside(arguments.fitted, fit.case.file)
    for note in fit.notes:
        print(f"note: {note}", file=sys.stderr)
    with shown_count(fit.case.heading.title, fit.section.starts, "starts") as progressed:
        result = fitting.run_fit(fit, progress=progressed)
    if arguments.json is not None:
        fitting.write_fit_json(result, arguments.json)
    if arguments.fitted is not None:
        fitting.write_fitted_case(result, arguments.fitted)
    if arguments.report is not None:
        from harness.report.fit_page import write_fit_report

        write_fit_report(result, arguments.report)
    console = text_console()
    fitting.print_fit(result, console)
    if arguments.report is not None:
        console.print(f"report: {arguments.report}", soft_wrap=True)
    return NOT_KNOWN if result.not_known else PASSED
