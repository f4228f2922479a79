"""Plays cases one after the other and reports them: what `validate` and `run` have in common."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.progress import Progress, TaskID

from harness.case.case_file import Case, load_case
from harness.case.result import CaseResult, run_case, write_json
from harness.case.text import print_results, text_console
from harness.fmu.files import case_fmu_path, fmu_of, note_python_fmus
from harness.output_files import require_outputs

PASSED, FAILED = 0, 1


def validate_files(
    files: Sequence[Path], arguments: argparse.Namespace, *, csv: Path | None = None
) -> list[CaseResult]:
    """Run the cases in these files as the shared options say; see `play_cases`.

    Parameters
    ----------
    files : sequence of Path
        The case files.
    arguments : Namespace
        With the shared options.
    csv : Path, optional
        Another file that will be written.

    Raises
    ------
    CaseError
        If a case file breaks a rule.
    MissingLibraryError, UsageError, OSError
        If a file is asked for that cannot be written, or is read: better before a run than after.
    """
    cases = [load_case(file) for file in files]
    outputs = {"--json": arguments.json, "--csv": csv, "--report": arguments.report}
    read = [file for case in cases for file in case.files_read]
    read += [case_fmu_path(case, arguments.out, native=arguments.native) for case in cases]
    require_outputs(outputs, read=read)
    if arguments.report is not None:
        from harness.report.document import require_report_libraries

        require_report_libraries()
    return play_cases(cases, fmu_folder=arguments.out, native=arguments.native)


def play_cases(
    cases: Sequence[Case], *, fmu_folder: Path, native: bool = False
) -> list[CaseResult]:
    """Run cases; a bar on a terminal shows how far they are.

    All FMUs are built before the first case runs.

    Raises
    ------
    CaseError, FmuError
        If the FMU of a case cannot be used.
    """
    fmus = [fmu_of(case, fmu_folder, native=native) for case in cases]
    if native:
        note_python_fmus(case.heading.fmu for case in cases)
    console = text_console(stderr=True)
    results = []
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        for case, fmu in zip(cases, fmus, strict=True):
            task = bar.add_task(case.name, total=1.0)
            results.append(run_case(case, fmu, progress=_advance(bar, task)))
    return results


def _advance(bar: Progress, task: TaskID) -> Callable[[float], None]:
    """Return the function that moves one task of the bar to a fraction done."""
    return lambda done: bar.update(task, completed=done)


def report_results(results: Sequence[CaseResult], arguments: argparse.Namespace) -> int:
    """Write what was asked for, print the results, and return the exit code."""
    # Printing last: a reader that stops early, as `head` does, must not cost the files.
    if arguments.json is not None:
        write_json(results, arguments.json)
    if arguments.report is not None:
        _write_report(results, arguments.report)
    console = text_console()
    print_results(results, console, verbose=arguments.verbose)
    if arguments.report is not None:
        console.print(f"report: {arguments.report}", soft_wrap=True)
    return PASSED if all(result.passed for result in results) else FAILED


def _write_report(results: Sequence[CaseResult], path: Path) -> None:
    from harness.report.validation_page import write_validation_report

    console = text_console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(path.name, total=1.0)
        write_validation_report(results, path, progress=_advance(bar, task))
