"""The page of a run with a recorded base motion: input, results, pictures, statistics."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path

from fmu_src.models import fmu_definition
from harness.figures.labels import shown_unit, spoken, with_unit
from harness.fmu.interface import read_interface
from harness.post import printed
from harness.report.document import Document, Folded, Grid, Picture, Section, write_document
from harness.report.key_numbers import key_number, parameter_grids
from harness.report.panel_table import FRICTIONAL_SHOCK as SHOCK_PICTURES
from harness.report.panel_table import RECORD
from harness.report.shaken_run import ShakenRun
from harness.report.table_pictures import Columns, picture, pictures
from harness.shaking import ShakingResult, settings_line
from wearmodel.statistics import LABELS, Cell, Table

FRICTIONAL_SHOCK = fmu_definition("FrictionalShock")

# Largest number of samples of a curve. With the most pictures, a page of one run has 2 MB.
_MOST_SAMPLES = 4000

_LEAD = (
    "A mass moves on a support with a recorded base motion, with stick, slip, flight and shocks. "
    "Wear work is the integral of normal force times sliding speed. Worn volume and wear depth "
    "follow from it by Archard's law. Wear does not change stiffness, and it changes the gap only "
    "if wear_feedback is set.",
)
_SAMPLED = (
    "Computed from the values at the communication points, as POST_DYNA_MODA_T does from a sampled "
    "record. The results above are the FMU's exact integrals between these points. Therefore the "
    "same quantity can differ from about the fourth digit on."
)
# The key numbers in the first line.
_ANSWER = ("peak displacement", "residual displacement", "wear work")
# Largest number of rows that are shown side by side.
_MOST_COLUMNS = 8
# Columns with the name of a row.
_NAMES = ("CALCUL", "NOEUD")


def write_shaking_report(result: ShakingResult, path: Path, *, live: str = "") -> None:
    """Write the page of a run. See `write_document` for errors.

    `live` is a page that computes, to be shown as part of this page.
    """
    run = ShakenRun(
        result.history,
        result.values,
        result.inputs,
        _MOST_SAMPLES,
        counted_largest=result.largest,
        counted_slip_share=result.slip_share,
    )
    numbers = Grid(
        "Numbers of the run",
        ("quantity", "value", "unit", "meaning"),
        [
            (
                spoken(quantity.name),
                f"{quantity.value:.6g}",
                shown_unit(quantity.unit),
                quantity.meaning,
            )
            for quantity in result.worn_quantities()
        ],
    )
    tables = result.tables()
    statistics = Folded(
        f"Statistics of forces and shocks ({', '.join(table.title for table in tables.values())})",
        [grid for table in tables.values() for grid in _grids(table)],
        (_SAMPLED,),
    )
    chosen, others = parameter_grids(
        read_interface(result.fmu_path), result.values, result.parameters, FRICTIONAL_SHOCK
    )
    sections = [
        Section("pictures", "Pictures", pictures=pictures(SHOCK_PICTURES, run)),
        Section(
            "read",
            "Input record",
            (
                *result.shaking.understood,
                f"{result.experiment.step_count} steps of {result.experiment.step_size:.6g} s; "
                f"{settings_line(result)}",
            ),
            (*result.shaking.warnings, *result.notes),
            pictures=[_shaking_picture(result)],
        ),
        Section("results", "Results", grids=[numbers], folded=[statistics]),
        Section(
            "parameters",
            "Parameters",
            grids=[chosen],
            folded=[Folded("Parameters with default values", [others])],
        ),
    ]
    key_numbers = [
        key_number(spoken(quantity.name), quantity.value, quantity.unit)
        for quantity in result.key_quantities()
    ]
    answer = ", ".join(
        f"{number.label} {number.value} {number.unit}"
        for label in _ANSWER
        for number in key_numbers
        if number.label == label
    )
    alerts = len(result.shaking.warnings) + len(result.notes)
    if alerts:
        answer += f". Warnings and notes below: {alerts}"
    write_document(
        Document(
            f"Run with {result.shaking.path.name}",
            answer[0].upper() + answer[1:],
            _LEAD,
            sections,
            key_numbers,
            live=live,
        ),
        path,
    )


def _shaking_picture(result: ShakingResult) -> Picture:
    shaking = result.shaking
    columns = {"time": shaking.times, "base_acceleration": shaking.acceleration}
    if shaking.normal_acceleration is not None:
        columns["base_acceleration_normal"] = shaking.normal_acceleration
    units = {variable.name: variable.unit for variable in FRICTIONAL_SHOCK.slave.table}
    return picture(RECORD, Columns(columns, units, most_samples=_MOST_SAMPLES))


def _grids(table: Table) -> list[Grid]:
    """Return the table of the operator in plain words: a grid for each group of equal rows."""
    grids = []
    for columns, group in itertools.groupby(table.rows, key=tuple):
        rows = list(group)
        names = list(dict.fromkeys(str(row["CALCUL"]) for row in rows))
        caption = ", ".join(LABELS[name][0] for name in names)
        caption = f"{caption[0].upper()}{caption[1:]} ({table.title} {', '.join(names)})"
        shown = [column for column in columns if column not in _NAMES]
        if len(rows) <= _MOST_COLUMNS:
            grids.append(Grid(caption, *_turned(rows, shown)))
            continue
        heads = [f"{_label(column)} ({column})" for column in shown]
        cells = [[printed(row[column], "—") for column in shown] for row in rows]
        grids.append(Grid(caption, heads, cells))
    return grids


def _turned(
    rows: Sequence[Mapping[str, Cell]], columns: Sequence[str]
) -> tuple[list[str], list[list[str]]]:
    """Return header and lines of a few rows, shown side by side with a line for each column."""
    heads = ["value"] if len(rows) == 1 else [_label(str(row["CALCUL"])) for row in rows]
    lines = [
        [_label(column), *(printed(row[column], "—") for row in rows), column] for column in columns
    ]
    return ["quantity", *heads, "name in the operator"], lines


def _label(name: str) -> str:
    text, unit = LABELS[name]
    return with_unit(text, shown_unit(unit))
