"""Runs cases for `validate` and `run`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from harness.case.case_file import Case
from harness.case.case_fmu import fmu_of
from harness.case.case_result import CaseResult, run_case, with_half_the_step
from harness.case.mean_until import run_until
from harness.fmu.files import note_python_fmus


def play_cases(
    cases: Sequence[Case],
    *,
    fmu_folder: Path | None,
    native: bool = False,
    fmi: int = 2,
    until_error: float | None = None,
    check_step: bool = False,
    progress: Callable[[str, float], None] | None = None,
) -> list[CaseResult]:
    """Run cases and compare each with its expectations.

    All FMUs are built before the first case runs.

    - `fmu_folder`, `native`, `fmi`: as for `harness.fmu.files.fmu_path`
    - `until_error`: extend each run until its mean wear power has this relative error
    - `check_step`: run each case again at half the step, and compare
    - `progress`: called with the name of a case and its completed fraction, 0 to 1

    Raises CaseError or FmuError if the FMU of a case cannot be used. Raises OSError if `fmu_folder`
    cannot be written.
    """
    fmus = [fmu_of(case, fmu_folder, native=native, fmi=fmi) for case in cases]
    if native:
        note_python_fmus(case.heading.fmu for case in cases)
    run = run_case
    if until_error is not None:
        run = partial(run_until, relative_error=until_error)
    results = []
    for case, fmu in zip(cases, fmus, strict=True):
        report = None if progress is None else partial(progress, case.name)
        result = run(case, fmu, progress=report)
        results.append(with_half_the_step(result, progress=report) if check_step else result)
    return results
