"""`wearfmu validate`: run reference cases through the FMUs and compare."""

from __future__ import annotations

import argparse

from harness.subcommands import options
from harness.subcommands.playing import play_files, report_results

HELP = "run the reference cases and compare them with exact results"
EXAMPLES = """\
examples:
  wearfmu validate                        all shipped cases
  wearfmu validate sdnd104_a15 -v         all numbers of a case, with sources and reasons
  wearfmu validate my/case.toml --json results.json
  wearfmu validate --report build/report.html
  wearfmu validate my/case.toml --junit build/cases.xml
  wearfmu validate --native --fmi 3       the shipped cases through FMUs of FMI 3.0
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `wearfmu validate`."""
    parser.add_argument(
        "cases",
        metavar="CASE",
        nargs="*",
        help="name of a shipped case, or a case file or its folder (default: all shipped cases)",
    )
    options.add_fmu_folder(parser)
    options.add_native(parser)
    options.add_fmi(parser)
    options.add_reporting(parser)
    options.add_live(parser)
    suites = "with a suite for each case and a test for each number"
    text = f"write the results as JUnit XML for CI systems, {suites}"
    options.add_output(parser, "--junit", "xml", text)


def execute(arguments: argparse.Namespace) -> int:
    """Run the cases, print a line for each, and return 1 if any case failed, otherwise 0."""
    from harness.case.junit import write_junit
    from harness.case.shipped import case_file, shipped_cases
    from harness.output_kinds import JUNIT

    files = [case_file(selector) for selector in arguments.cases or shipped_cases()]
    results = play_files(files, arguments, outputs={"--junit": (arguments.junit, JUNIT)})
    if arguments.junit is not None:
        write_junit(results, arguments.junit)
    return report_results(results, arguments, brief=True)
