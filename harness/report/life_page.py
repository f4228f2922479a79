"""The page of a life: depth, volume and wear power over service time, with their error bars."""

from __future__ import annotations

import math
from dataclasses import fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from harness.life import ContactLife, Life, LifeResult, LifeState, WornSectors, answers
from harness.report.document import Document, Folded, Grid, Picture, Section, write_document
from harness.report.panel_table import LIFE, depths_of_contacts
from harness.report.table_pictures import Columns, picture
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
        warnings=life.notes,
        pictures=[
            *([_picture_of_all(result)] if len(result.contacts) > 1 else []),
            *(_picture(contact, life) for contact in result.contacts),
        ],
        folded=[
            Folded(
                f"All states{f' of {contact.contact}' if contact.contact else ''}",
                [_table(contact)],
            )
            for contact in result.contacts
        ]
        + [
            Folded(f"Wear of {contact.contact} by sectors", [_sectors(contact.sectors[-1])])
            for contact in result.contacts
            if contact.sectors
        ],
    )
    title = f"Life of {life.case.name}: {life.case.heading.title}"
    write_document(Document(title, lines[0], _LEAD, [section]), path)


def _table(contact: ContactLife) -> Grid:
    names = [field.name for field in fields(LifeState)]
    return Grid(
        "SI units: time in s; a bar is half the width of an interval",
        names,
        [[_cell(getattr(state, name)) for name in names] for state in contact.states],
    )


def _sectors(sectors: WornSectors) -> Grid:
    width = 360.0 / len(sectors.volumes)
    total = math.fsum(sectors.volumes)
    return Grid(
        "Sectors of its hole at the end, by the angle of the point",
        ["from [°]", "to [°]", "volume [m3]", "bar [m3]", "share"],
        [
            [
                f"{width * number - 180.0:g}",
                f"{width * (number + 1) - 180.0:g}",
                f"{volume:.6g}",
                f"{bar:.2g}",
                f"{volume / total if total > 0.0 else 0.0:.3f}",
            ]
            for number, (volume, bar) in enumerate(zip(sectors.volumes, sectors.bars, strict=True))
        ],
    )


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def _picture(contact: ContactLife, life: Life) -> Picture:
    criterion = life.criterion
    columns = {"service time": _column(contact, "time") / SECONDS_PER_YEAR}
    for name in ("depth", "volume", "power"):
        middle, bar = _column(contact, name), _column(contact, f"{name}_bar")
        columns |= {
            name: middle,
            f"{name}_upper": middle + bar,
            f"{name}_lower": np.maximum(middle - bar, 0.0),
        }
        if name == "depth":
            columns |= {
                "depth_upper": _column(contact, "depth_upper"),
                "depth_lower": _column(contact, "depth_lower"),
            }
        if criterion is not None and criterion.variable == name:
            columns[f"{name}_limit"] = np.full_like(middle, criterion.limit)
    of = f" of {contact.contact}" if contact.contact else ""
    return picture(LIFE, Columns(columns, {"service time": "years"}), of=of)


def _picture_of_all(result: LifeResult) -> Picture:
    # One state is that of all contacts, so that they share their times.
    columns = {"service time": _column(result.first, "time") / SECONDS_PER_YEAR}
    for contact in result.contacts:
        for name in ("depth", "depth_upper", "depth_lower"):
            columns[f"{contact.contact}.{name}"] = _column(contact, name)
    criterion = result.life.criterion
    if criterion is not None and criterion.variable == "depth":
        columns["depth_limit"] = np.full_like(columns["service time"], criterion.limit)
    row = depths_of_contacts([contact.contact for contact in result.contacts])
    first = result.first
    words = f"{first.contact} is the deepest."
    if first.crossing is not None and math.isfinite(first.crossing.time):
        words = f"{first.contact} reaches the limit first."
    return picture(row, Columns(columns, {"service time": "years"}), words=words)


def _column(contact: ContactLife, name: str) -> NDArray[np.float64]:
    return np.array([getattr(state, name) for state in contact.states], dtype=np.float64)
