"""The page of a service life: depth, volume and wear power over time, with error bars."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from harness.life import (
    ContactLife,
    DrawnLives,
    Life,
    LifeResult,
    WornSectors,
    answers,
    contact_rows,
    depth_names,
    instants,
    shown_spreads,
    state_rows,
    with_bar,
    years_to_limit,
)
from harness.report.document import Document, Folded, Grid, Picture, Section, write_document
from harness.report.panel_table import DRAWN_LIVES, LIFE, depths_of_contacts
from harness.report.table_pictures import Columns, picture
from harness.report.uncertainty_page import write_uncertainty
from harness.sweep import SHARES, spreads
from wearmodel.arrays import Floats
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR

_LEAD = (
    "Runs of seconds give the wear power of a contact in its present state. Extrapolation steps "
    "over service time give the worn depth. The depth increases the gap if the model has a gap.",
)


def write_life_report(result: LifeResult, path: Path) -> None:
    """Write the page of a service life.

    Raises MissingLibraryError if plotly is not installed. Raises OSError if the file cannot be
    written.
    """
    life = result.life
    answer, *lines = answers(result)
    pictures = [_picture(contact, life) for contact in result.contacts]
    of_all = [_picture_of_all(result)] if len(pictures) > 1 else pictures
    section = Section(
        "wear",
        "Wear over service time",
        grids=[_grid("Contacts", contact_rows(result))],
        warnings=life.notes,
        pictures=of_all,
    )
    details = Section(
        "details",
        "Warnings and details",
        lines,
        pictures=pictures if pictures is not of_all else [],
        folded=[
            *(
                Folded(
                    f"All states{f' of {contact.contact}' if contact.contact else ''}",
                    [_grid("± half widths of 95 % intervals", state_rows(contact))],
                )
                for contact in result.contacts
            ),
            *(
                Folded(f"Wear of {contact.contact} by sectors", [_sectors(contact.sectors[-1])])
                for contact in result.contacts
                if contact.sectors
            ),
        ],
    )
    title = f"Service life of {life.case.name}: {life.case.heading.title}"
    write_document(Document(title, answer, _LEAD, [section, details]), path)


def write_drawn_lives_report(lives: DrawnLives, path: Path) -> None:
    """Write the page of all draws: depths by year, and the distribution of the final depths.

    Raises MissingLibraryError if plotly is not installed. Raises OSError if the file cannot be
    written.
    """
    fans = [fan for contact in lives.life.contacts for fan in fan_pictures(lives, contact.name)]
    first = [Section("years", "Depth over service time", pictures=fans)] if fans else []
    shown = shown_spreads(lives)
    columns = {name: lives.column(name) for name in shown}
    write_uncertainty(lives, shown, columns, path, first=first)


def fan_pictures(lives: DrawnLives, contact: str) -> list[Picture]:
    """Return the picture of a contact's depth in all draws, or [] without a known year."""
    life, criterion = lives.life, lives.life.criterion
    by_name = spreads(lives, lives.rows)
    shares = [SHARES.index(share) for share in (0.05, 0.5, 0.95)]
    known = [
        (year, by_name[name])
        for year, name in zip(instants(life), depth_names(life, contact), strict=True)
        if name in by_name
    ]
    if not known:
        return []
    quantiles = np.array(
        [[0.0] * len(shares)] + [[spread.quantiles[i] for i in shares] for _, spread in known]
    )
    columns = {"service time": np.array([0.0, *(year for year, _ in known)])}
    columns |= dict(zip(("depth_low", "depth_median", "depth_high"), quantiles.T, strict=True))
    if criterion is not None and criterion.variable == "depth":
        columns["depth_limit"] = np.full(len(quantiles), criterion.limit)
    words = ""
    years = years_to_limit(lives, contact) if criterion is not None else np.empty(0)
    if years.size:
        reached = years[np.isfinite(years)]
        # A step up at each draw.
        counts = np.repeat(np.arange(reached.size + 1), 2)
        columns["reached_after"] = np.concatenate(([0.0], np.repeat(reached, 2), [life.years]))
        columns["share_reached"] = counts / years.size
        words = f"Below: fraction of {years.size} draws that have reached the limit."
    of = f" of {contact}" if contact else ""
    count = f"{known[-1][1].count}"
    drawn = Columns(columns, {"service time": "years", "reached_after": "years"})
    return [picture(DRAWN_LIVES, drawn, of=of, count=count, words=words)]


def _grid(caption: str, table: tuple[list[str], list[list[str]]]) -> Grid:
    heads, rows = table
    return Grid(caption, [head.replace("\n", " ") for head in heads], rows)


def _sectors(sectors: WornSectors) -> Grid:
    total = math.fsum(sectors.volumes)
    return Grid(
        f"{'Sides' if sectors.is_followed else 'Sectors'} of the hole at the end, by angle around"
        " its axis",
        ["from [°]", "to [°]", "volume [mm3]", "share"],
        [
            [
                *(f"{angle:g}" for angle in sectors.borders(number)),
                with_bar(1e9 * volume, 1e9 * bar),
                f"{volume / total if total > 0.0 else 0.0:.3f}",
            ]
            for number, (volume, bar) in enumerate(zip(sectors.volumes, sectors.bars, strict=True))
        ],
    )


def _picture(contact: ContactLife, life: Life) -> Picture:
    criterion = life.criterion
    columns = {"service time": _column(contact, "time") / SECONDS_PER_YEAR}
    for name in ("depth", "volume", "power"):
        middle, bar = _column(contact, name), _column(contact, f"{name}_bar")
        ends = {"upper": middle + bar, "lower": np.maximum(middle - bar, 0.0)}
        if name == "depth":
            ends = {end: _column(contact, f"depth_{end}") for end in ends}
        columns |= {name: middle, **{f"{name}_{end}": values for end, values in ends.items()}}
        if criterion is not None and criterion.variable == name:
            columns[f"{name}_limit"] = np.full_like(middle, criterion.limit)
    of = f" of {contact.contact}" if contact.contact else ""
    return picture(LIFE, Columns(columns, {"service time": "years"}), of=of)


def _picture_of_all(result: LifeResult) -> Picture:
    # A state contains all contacts: their times are the same.
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


def _column(contact: ContactLife, name: str) -> Floats:
    return np.array([getattr(state, name) for state in contact.states], dtype=np.float64)
