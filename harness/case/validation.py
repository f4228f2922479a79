"""Plays cases one after the other, which `validate` and `run` have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from harness.case.case_file import Case
from harness.case.case_fmu import fmu_of
from harness.case.case_result import CaseResult, run_case
from harness.fmu.files import note_python_fmus


def play_cases(
    cases: Sequence[Case],
    *,
    fmu_folder: Path,
    native: bool = False,
    progress: Callable[[str, float], None] | None = None,
) -> list[CaseResult]:
    """Run cases and compare each with its expectations.

    All FMUs are built before the first case runs.

    Parameters
    ----------
    cases : sequence of Case
        As `load_case` returns them.
    fmu_folder : Path
        Where our own FMUs are built.
    native : bool, optional
        Whether the native FMU is wanted, where there is one.
    progress : callable, optional
        Called now and then with a case's name and the fraction of it that is done, up to 1.

    Raises
    ------
    CaseError, FmuError
        If the FMU of a case cannot be used.
    OSError
        If `fmu_folder` cannot be written.
    """
    fmus = [fmu_of(case, fmu_folder, native=native) for case in cases]
    if native:
        note_python_fmus(case.heading.fmu for case in cases)
    return [
        run_case(case, fmu, progress=None if progress is None else partial(progress, case.name))
        for case, fmu in zip(cases, fmus, strict=True)
    ]
