"""`wearfmu validate`: run reference cases and compare, or repeat a result."""

from __future__ import annotations

import argparse
from pathlib import Path

from harness.subcommands import options
from harness.subcommands.playing import play_files, report_results

HELP = "run the reference cases and compare them with exact results"
EXAMPLES = """\
examples:
  wearfmu validate                        all shipped cases
  wearfmu validate sdnd104_a15 -v         numbers with sources and reasons
  wearfmu validate my/case.toml --json results.json
  wearfmu validate my/case.toml --junit build/cases.xml
  wearfmu validate --native --fmi 3       the cases through FMUs of FMI 3.0
  wearfmu validate shoe.json --inputs studies  repeat the command of a result

Exit codes of a repeated result: 0 same, 1 different, 2 an input is missing.
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `wearfmu validate`."""
    parser.add_argument(
        "cases",
        metavar="CASE",
        nargs="*",
        help="name of a shipped case, or a case file or its folder (default: all shipped cases), "
        "or RESULT.json or RESULT.csv-metadata.json written by another command",
    )
    options.add_fmu_folder(parser)
    options.add_native(parser)
    options.add_fmi(parser)
    options.add_reporting(parser)
    options.add_live(parser)
    suites = "with a suite for each case and a test for each number"
    text = f"write the results as JUnit XML for CI systems, {suites}"
    options.add_output(parser, "--junit", "xml", text)
    parser.add_argument(
        "--inputs",
        metavar="DIR",
        type=Path,
        action="append",
        default=[],
        help="with a result: folder with its inputs, which are found by their digests (may be "
        "repeated; default: the folder of the result)",
    )


def execute(arguments: argparse.Namespace) -> int:
    """Run the cases, print a line for each, and return 1 if any case failed, otherwise 0."""
    if arguments.inputs or any(selector.endswith(".json") for selector in arguments.cases):
        return _repeat(arguments)

    from harness.case.junit import write_junit
    from harness.case.shipped import case_file, shipped_cases
    from harness.output_kinds import JUNIT

    files = [case_file(selector) for selector in arguments.cases or shipped_cases()]
    results = play_files(files, arguments, outputs={"--junit": (arguments.junit, JUNIT)})
    if arguments.junit is not None:
        write_junit(results, arguments.junit)
    return report_results(results, arguments, brief=True)


def _repeat(arguments: argparse.Namespace) -> int:
    """Repeat one result and print the comparison. Return 0 if it is the same, otherwise 1."""
    from harness.errors import UsageError
    from harness.repetition import repeat

    if len(arguments.cases) != 1 or arguments.json or arguments.report:
        raise UsageError("a result is repeated alone, with no option but --inputs")
    is_same, lines = repeat(Path(arguments.cases[0]), arguments.inputs)
    print("\n".join(lines))
    return options.PASSED if is_same else options.FAILED
