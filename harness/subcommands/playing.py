"""Common part of `validate` and `run`: read cases, run them with a progress bar, and report."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from harness.subcommands.options import FAILED, NOT_KNOWN, PASSED, require_native_for_fmi
from harness.subcommands.progress import shown_progress

if TYPE_CHECKING:
    from harness.case.case_file import Case
    from harness.case.case_result import CaseResult
    from harness.output_files import Outputs
    from harness.page import PageStart


def play_files(
    files: Sequence[Path],
    arguments: argparse.Namespace,
    *,
    outputs: Outputs,
    until_error: float | None = None,
    check_step: bool = False,
) -> list[CaseResult]:
    """Run the cases in these files with the shared options of `arguments`.

    All FMUs are built before the first case runs.

    - `outputs`: further output files by option
    - `until_error`: extend each run until its mean wear power has this relative error
    - `check_step`: run each case again at half the step, and compare

    Raises CaseError or FmuError if a case is invalid, or its FMU cannot be used. Raises
    MissingLibraryError, UsageError or OSError if an output file cannot be written or is also read,
    which is checked before the run.
    """
    from harness.case.case_file import load_case
    from harness.case.case_fmu import case_fmu_path, fmu_of
    from harness.case.case_result import run_case, with_half_the_step
    from harness.case.mean_until import run_until
    from harness.fmu.files import note_python_fmus
    from harness.output_files import require_outputs
    from harness.output_kinds import CASE_JSON, REPORT

    require_native_for_fmi(arguments)
    cases = [load_case(file) for file in files]
    outputs = {
        "--json": (arguments.json, CASE_JSON),
        "--report": (arguments.report, REPORT),
        **outputs,
    }
    read = [file for case in cases for file in case.files_read]
    wanted = {"native": arguments.native, "fmi": arguments.fmi}
    read += [case_fmu_path(case, arguments.out, **wanted) for case in cases]
    require_outputs(outputs, read=read, force=arguments.force)
    if arguments.live:  # reports errors before the runs
        _live_text(cases, arguments)
    run = run_case if until_error is None else partial(run_until, relative_error=until_error)
    results = []
    with shown_progress() as shown:
        fmus = [fmu_of(case, arguments.out, **wanted) for case in cases]
        if arguments.native:
            note_python_fmus(case.heading.fmu for case in cases)
        for case, fmu in zip(cases, fmus, strict=True):
            progress = partial(shown, case.name)
            result = run(case, fmu, progress=progress)
            if check_step:
                result = with_half_the_step(result, progress=progress)
            results.append(result)
    return results


def report_results(
    results: Sequence[CaseResult], arguments: argparse.Namespace, *, brief: bool = False
) -> int:
    """Write the files, print the results (see `print_results`), and return the exit code."""
    from harness.case.case_result import write_case_json
    from harness.case.case_text import print_results
    from harness.case.verdict import Verdict, verdict_on
    from harness.console import text_console

    # Printed last, because a reader such as `head` may close the pipe.
    if arguments.json is not None:
        write_case_json(results, arguments.json)
    if arguments.report is not None:
        _write_report(results, arguments)
    console = text_console()
    print_results(results, console, verbose=arguments.verbose, brief=brief)
    if arguments.report is not None:
        console.print(f"report: {arguments.report}", soft_wrap=True)
    if verdict_on(result.verdict for result in results) is Verdict.FAILED:
        return FAILED
    powers = [result.mean_wear_power for result in results if result.mean_wear_power is not None]
    return PASSED if all(power.is_known for power in powers) else NOT_KNOWN


def live_text(starts: Sequence[PageStart], arguments: argparse.Namespace) -> str:
    """Return the page that computes, for a report.

    Raises UsageError if the report is missing, or the page cannot show the cases. Raises
    MissingLibraryError if the extra `native` is not installed.
    """
    from harness.errors import UsageError
    from harness.page import page_text

    if arguments.report is None:
        raise UsageError("--live requires --report")
    if not starts:
        raise UsageError("--live: the page cannot show these cases: see `wearfmu page`")
    return page_text(starts, arguments.report)


def _live_text(cases: Sequence[Case], arguments: argparse.Namespace) -> str:
    from harness.page import starts_of_cases

    return live_text(starts_of_cases(cases), arguments)


def _write_report(results: Sequence[CaseResult], arguments: argparse.Namespace) -> None:
    from harness.report.validation_page import write_validation_report

    path: Path = arguments.report
    live = _live_text([result.case for result in results], arguments) if arguments.live else ""
    with shown_progress() as progress:
        write_validation_report(
            results, path, live=live, progress=lambda done: progress(path.name, done)
        )
