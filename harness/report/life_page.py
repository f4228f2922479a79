"""The page of a life: depth, volume and wear power over service time, with their error bars."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from harness.life import LifeResult, LifeState, answers
from harness.report.curves import Curve
from harness.report.document import Document, Folded, Grid, Picture, Section, write_document
from harness.report.panels import Panel, stacked_figure
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR

_LEAD = (
    "Runs of seconds give the wear power of a contact as it is; service time is crossed in jumps, "
    "and the worn depth goes back into the gap where the model has one.",
)


def write_life_report(result: LifeResult, path: Path) -> None:
    """Write the page of a life.

    Raises
    ------
    MissingLibraryError
        If plotly is not installed.
    OSError
        If the file cannot be written.
    """
    life = result.life
    lines = answers(result)
    section = Section(
        "wear",
        "Wear over service time",
        paragraphs=lines,
        warnings=[*([life.note] if life.note else []), *life.step_notes],
        pictures=[_picture(result)],
        folded=[Folded("All states", [_table(result)])],
    )
    title = f"Life of {life.case.name}: {life.case.heading.title}"
    write_document(Document(title, lines[0], _LEAD, [section]), path)


def _table(result: LifeResult) -> Grid:
    names = [field.name for field in fields(LifeState)]
    return Grid(
        "SI units: time in s; a bar is half the width of an interval",
        names,
        [[_cell(getattr(state, name)) for name in names] for state in result.states],
    )


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def _picture(result: LifeResult) -> Picture:
    years = _column(result, "time") / SECONDS_PER_YEAR
    criterion = result.life.criterion

    def panel(name: str, unit: str, factor: float) -> Panel:
        middle = factor * _column(result, name)
        bar = factor * _column(result, f"{name}_bar")
        limited = criterion is not None and criterion.variable == name
        return Panel(
            name,
            (
                Curve(name, years, middle, "wear", "marked"),
                Curve("upper end", years, middle + bar, "limit", "dot"),
                Curve("lower end", years, np.maximum(middle - bar, 0.0), "limit", "dot"),
            ),
            x_title="service time",
            unit=unit,
            x_unit="years",
            levels={"limit": factor * criterion.limit} if criterion and limited else {},
        )

    figure = stacked_figure(
        [panel("depth", "µm", 1e6), panel("volume", "mm³", 1e9), panel("power", "mW", 1e3)]
    )
    caption = "Each point is the end of half a jump; dotted are the ends of the error bars."
    return Picture("Depth, volume and wear power", caption, figure)


def _column(result: LifeResult, name: str) -> NDArray[np.float64]:
    return np.array([getattr(state, name) for state in result.states], dtype=np.float64)
