"""The page of a recorded shaking: what was read, the numbers, the pictures, the statistics."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from harness.report.curves import Curve, history_curve
from harness.report.document import Document, Grid, Picture, Section, write_document
from harness.report.panels import Panel, stacked_figure
from harness.report.shaken_run import ShakenRun
from harness.report.shock_pictures import run_pictures
from harness.shaking.shaking_result import ShakingResult
from harness.shaking.shaking_text import settings_line
from wearmodel.statistics import Table
from wearmodel.statistics.operator_tables import Cell

# One run on a page may be looked at closely.
_MOST_SAMPLES = 6000

_LEAD = (
    "A mass on a shaken support rubs, sticks, slips and knocks. Wear is counted as wear work, the "
    "integral of normal force times sliding speed; worn volume and depth follow by Archard. Wear "
    "changes neither gap nor stiffness.",
)


def write_shaking_report(result: ShakingResult, path: Path) -> None:
    """Write the page of a shaking.

    Raises
    ------
    MissingLibraryError
        If plotly is not installed.
    OSError
        If the file cannot be written.
    """
    run = ShakenRun(result.history, result.values, result.inputs, _MOST_SAMPLES)
    quantities = result.quantities()
    work, depth = quantities[0], next(one for one in quantities if one.name == "wear_depth")
    numbers = Grid(
        "Results, SI units",
        ("quantity", "value", "unit", "meaning"),
        [(one.name, f"{one.value:.6g}", one.unit, one.meaning) for one in quantities],
    )
    settings = Grid(
        "Parameters of the run, enumerations by their code",
        ("parameter", "value", "set or default"),
        [
            (name, f"{value:.6g}", "set" if name in result.parameters else "default")
            for name, value in result.values.items()
        ],
    )
    sections = [
        Section(
            "read",
            "What was read",
            (*result.shaking.understood, settings_line(result)),
            (*result.shaking.warnings, *result.notes),
            pictures=[_shaking_picture(result)],
        ),
        Section("results", "Results", grids=[numbers]),
        Section("pictures", "Pictures", pictures=run_pictures(run)),
        Section(
            "statistics",
            "Statistics",
            ("Shock and wear statistics of the run, SI units, angles in degrees.",),
            grids=[grid for table in result.tables().values() for grid in _grids(table)],
        ),
        Section("parameters", "Parameters", grids=[settings]),
    ]
    summary = (
        f"wear work {work.value:.6g} J, wear depth {depth.value:.4g} m, "
        f"{result.experiment.step_count} steps in {result.history.seconds:.2f} s"
    )
    write_document(
        Document(f"Shaking {result.shaking.path.name}", summary, _LEAD, sections), path
    )  # fmt: skip


def _shaking_picture(result: ShakingResult) -> Picture:
    shaking = result.shaking

    def curve(name: str, values: NDArray[np.float64]) -> Curve:
        return history_curve(name, shaking.times, values, "support", most=_MOST_SAMPLES)

    panels = [
        Panel(
            "acceleration [m/s²]",
            (curve("base_acceleration", shaking.acceleration),),
        )
    ]
    if shaking.normal_acceleration is not None:
        normal = curve("base_acceleration_normal", shaking.normal_acceleration)
        panels.append(Panel("normal acceleration [m/s²]", (normal,)))
    return Picture("The record", "As it was fed to the FMU, in m/s².", stacked_figure(panels))


def _grids(table: Table) -> list[Grid]:
    """Return a grid for each group of rows that fill the same columns."""
    return [
        Grid(table.title, columns, [[_printed(cell) for cell in row.values()] for row in rows])
        for columns, rows in itertools.groupby(table.rows, key=tuple)
    ]


def _printed(cell: Cell) -> str:
    if cell is None:
        return "—"
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)
