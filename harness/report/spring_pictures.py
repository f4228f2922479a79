"""Pictures of the quasi-static shock spring: its path of displacement and force, as in SSND116."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from harness.case.case_file import Case
from harness.fmu.history import RunRecord
from harness.fmu.simulation import simulate
from harness.report.document import Picture
from harness.report.panel_table import DIS_CHOC
from harness.report.table_pictures import Columns, picture
from wearmodel.structure import ContactObstacle

# The steps of the case are too long to show where slip begins.
_FINER = 32
_PATH = (
    "The path is a polygon. In stick the elastic spring and the contact spring share the load. In "
    "slip the friction force is ±μ|N|."
)
_HOLE_PATH = (
    "In a round hole force_y is the sum of normal force and friction force along y. slip_y is "
    "displacement_y minus the stretch of the friction spring."
)
_WORN_PATH = "In slip the friction force is ±μ|N|. It decreases as wear opens the gap."


def spring_pictures(case: Case, fmu: Path, history: RunRecord) -> list[Picture]:
    """Return the path in the plane of displacement and force, and the histories.

    Lines are from a second run of the FMU, which has all variables of DisChoc, at a fraction of the
    step. Points are the communication points of the case, in `history`.
    """
    step_size = case.experiment.step_size / _FINER
    fine = simulate(
        fmu,
        replace(case.experiment, step_size=step_size, output_interval=None),
        parameters=case.parameters,
        inputs=case.inputs,
        changes=case.changes,
    )
    columns = {**fine.values, **{f"case {name}": own for name, own in history.values.items()}}
    for name, fed in case.inputs.items():
        columns |= {name: fed.sample(fine.times), f"case {name}": fed.sample(history.times)}
    wears = bool(case.parameters.get("wear_feedback"))
    if not wears:
        del columns["wear_depth"]
    units = {"load_y": fine.units["force_y"], **fine.units}
    drawn = Columns({"time": fine.times, **columns}, units)
    words = _WORN_PATH if wears else _PATH
    holes = [choice for choice in ContactObstacle if choice.is_curved]
    if case.parameters.get("obstacle") in (*holes, *(hole.name for hole in holes)):
        words = _HOLE_PATH
    return [picture(row, drawn, path=words, finer=str(_FINER)) for row in DIS_CHOC]
