"""Table of masters and cases: error relative to the closed form, and microseconds per step."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import fmpy

from .cases import CASES, MasterCase
from .job import Job, MasterError
from .roster import MASTERS, Master, play


@dataclass(frozen=True)
class Cell:
    """Result of a case in a master.

    Parameters
    ----------
    error : float
        The largest error of its quantities, see `Quantity.error`. NaN if the case did not run.
    microseconds : float
        Wall time per step.
    failure : str
        Reason why the case failed, empty if it passed.
    is_installed : bool
        Whether the master is installed. If not, the case was not run.
    """

    error: float
    microseconds: float
    failure: str
    is_installed: bool = True


_NOT_INSTALLED = Cell(float("nan"), float("nan"), "", is_installed=False)


def fill(
    fmu_folder: Path,
    *,
    masters: Sequence[str] = tuple(MASTERS),
    cases: Sequence[MasterCase] = CASES,
    motion_fmu: Path | None = None,
    shoe_fmu: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, list[Cell]]:
    """Run all cases in all masters.

    Parameters
    ----------
    fmu_folder : Path
        Contains BaseMotion.fmu and FrictionalShock.fmu.
    masters : sequence of str
        Keys of `MASTERS`.
    cases : sequence of MasterCase
        Columns of the table.
    motion_fmu, shoe_fmu : Path, optional
        Other FMUs for the base motion and the shoe, such as the native ones.
    progress : callable, optional
        Called with the number of completed cells and the total.

    Returns
    -------
    dict
        Cells of each master in the order of `cases`.
    """
    rows: dict[str, list[Cell]] = {}
    for row, name in enumerate(masters):
        rows[name] = []
        for column, case in enumerate(cases):
            job = case.job(fmu_folder, motion_fmu=motion_fmu, shoe_fmu=shoe_fmu)
            rows[name].append(_cell(name, case, job))
            if progress is not None:
                progress(row * len(cases) + column + 1, len(masters) * len(cases))
    return rows


def markdown(rows: dict[str, list[Cell]], cases: Sequence[MasterCase] = CASES) -> str:
    """Return the table in Markdown, with the machine and the meaning of the numbers."""
    lines = [
        "| master | " + " | ".join(case.name for case in cases) + " |",
        "|---|" + "---|" * len(cases),
    ]
    for name, cells in rows.items():
        master = MASTERS[name]
        shown = " | ".join(_shown(cell) for cell in cells)
        lines.append(f"| {master.title}{_version(master)} | {shown} |")
    lines += [
        "",
        "In each cell: relative error against the closed form (absolute where the exact value is "
        "0), and wall time a step.",
        "",
        *(f"- {MASTERS[name].title}: {MASTERS[name].seconds_are}" for name in rows),
        "",
        f"Python {platform.python_version()}, {fmpy.platform}, {os.cpu_count()} processors. "
        "Made by `make masters`.",
    ]
    if absent := [name for name, cells in rows.items() if not cells[0].is_installed]:
        needed = (f"{MASTERS[one].title} ({_needed(MASTERS[one])})" for one in absent)
        lines += ["", f"Not installed: {', '.join(needed)}."]
    failures = [line for name, cells in rows.items() for line in _failures(name, cells, cases)]
    return "\n".join([*lines, *(["", "Not passed:", "", *failures] if failures else [])]) + "\n"


def _failures(name: str, cells: Sequence[Cell], cases: Sequence[MasterCase]) -> list[str]:
    """Return a line for each reason. It names the cases, unless the reason applies to all."""
    named: dict[str, list[str]] = {}
    for case, cell in zip(cases, cells, strict=True):
        if cell.failure:
            named.setdefault(cell.failure, []).append(case.name)
    return [
        f"- {MASTERS[name].title}{', ' + '; '.join(some) if len(some) < len(cases) else ''}: "
        f"{reason}"
        for reason, some in named.items()
    ]


def _needed(master: Master) -> str:
    return "gcc" if master.package is None else "extra `masters`"


def _cell(name: str, case: MasterCase, job: Job) -> Cell:
    if not MASTERS[name].is_installed():
        return _NOT_INSTALLED
    try:
        played = play(name, job)
    except MasterError as problem:
        return Cell(float("nan"), float("nan"), str(problem))
    failures = [
        f"{quantity.output}: error {quantity.error(case, played):.3e}, "
        f"tolerance {quantity.tolerance:.3e}"
        for quantity in case.quantities
        if not abs(quantity.error(case, played)) <= quantity.tolerance
    ]
    return Cell(
        case.largest_error(played), played.seconds / case.marks[-1] * 1e6, "; ".join(failures)
    )


def _shown(cell: Cell) -> str:
    if not cell.is_installed:
        return "not installed"
    if cell.error != cell.error:
        return "failed"
    error = "0" if cell.error == 0.0 else f"{abs(cell.error):.1e}"
    return f"{error}, {cell.microseconds:.3g} µs"


def _version(master: Master) -> str:
    if master.package is None or not master.is_installed():
        return ""
    return f" ({master.package} {version(master.package)})"
