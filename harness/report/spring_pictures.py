"""Pictures of the quasi-static shock spring: its path of displacement and force, as in SSND116."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from harness.case.case_file import Case
from harness.fmu.history import RunRecord
from harness.fmu.simulation import simulate
from harness.report.curves import Curve, history_curve
from harness.report.document import Picture
from harness.report.labels import shown_unit, spoken
from harness.report.panels import Panel, side_by_side_figure, stacked_figure
from harness.report.shaken_run import mode_intervals

# The case's own steps are too long to show where slip begins.
_FINER = 32


def spring_pictures(case: Case, fmu: Path, history: RunRecord) -> list[Picture]:
    """Return the path in the plane of displacement and force, and the histories.

    The lines come from a second run at a fraction of the step; the points are the case's own.

    Parameters
    ----------
    case : Case
        Its FMU is DisChoc, or one that offers all that it does.
    fmu : Path
        That FMU.
    history : RunRecord
        What it gave.
    """
    step_size = case.experiment.step_size / _FINER
    fine = simulate(
        fmu,
        replace(case.experiment, step_size=step_size, output_interval=None),
        parameters=case.parameters,
        inputs=case.inputs,
    )
    panels = [_path(fine, history, fine["force_y"], history["force_y"], "force_y")]
    if "load_y" in case.inputs:
        load = case.inputs["load_y"]
        fine_load, own_load = load.sample(fine.times), load.sample(history.times)
        panels.insert(0, _path(fine, history, fine_load, own_load, "load_y"))

    def curve(name: str, colour: str, style: str = "solid") -> Curve:
        return history_curve(name, fine.times, fine[name], colour, style=style)

    wearing = [
        Panel(spoken(name), (curve(name, "wear"),), unit=shown_unit(fine.units[name]))
        for name in ("wear_work", "wear_depth")
        if name == "wear_work" or case.parameters.get("wear_feedback")
    ]
    histories = stacked_figure(
        [
            Panel(
                "displacement",
                (
                    curve("displacement_x", "support"),
                    curve("displacement_y", "mass"),
                    curve("slip_y", "exact", "dash"),
                ),
                unit=shown_unit(fine.units["displacement_x"]),
            ),
            Panel(
                "force",
                (curve("force_x", "support"), curve("force_y", "mass")),
                unit=shown_unit(fine.units["force_x"]),
            ),
            *wearing,
        ],
        bands=mode_intervals(fine.times, fine["contact_mode"]),
    )
    return [
        Picture(
            "Path",
            f"{_path_in_words(case)} The points are the case's communication points; the lines "
            f"come from a run at 1/{_FINER} of its step.",
            side_by_side_figure(panels),
        ),
        Picture(
            "Histories",
            "Displacements, forces of the shock spring (force_x ≤ 0 is contact), and wear work.",
            histories,
            shaded=True,
        ),
    ]


def _path_in_words(case: Case) -> str:
    if case.parameters.get("wear_feedback"):
        return "In slip the friction force stands at ±μ|N|, and falls as wear opens the gap."
    return (
        "The path is a polygon: in stick the elastic spring and the contact spring carry together, "
        "in slip the friction force stands at ±μ|N|."
    )


def _path(
    fine: RunRecord,
    history: RunRecord,
    fine_force: NDArray[np.float64],
    force: NDArray[np.float64],
    name: str,
) -> Panel:
    line, points = fine["displacement_y"], history["displacement_y"]
    return Panel(
        name,
        (
            Curve(f"{name}, path", line.astype(np.float32), fine_force.astype(np.float32), "mass"),
            Curve(f"{name}, case", points, force, "support", "points"),
        ),
        "displacement_y",
        unit=shown_unit(fine.units["force_y"]),
        x_unit=shown_unit(fine.units["displacement_y"]),
    )
