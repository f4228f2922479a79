"""The page of a service life: depth, volume and wear power over time, with error bars."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from harness.axes_across import axes_across, axis_name
from harness.life import (
    ContactLife,
    DrawnLives,
    Life,
    LifeResult,
    answers,
    contact_rows,
    depth_names,
    instants,
    shown_spreads,
    state_rows,
    with_bar,
    worn_structure,
    years_to_limit,
)
from harness.report.document import Document, Folded, Grid, Picture, Section, write_document
from harness.report.modal_pictures import polygon_corners
from harness.report.orbits import Orbit, orbit_figure
from harness.report.panel_table import DRAWN_LIVES, LIFE, PictureRow, depths_of_contacts
from harness.report.table_pictures import Columns, picture
from harness.report.uncertainty_page import write_uncertainty
from harness.sweep import SHARES, spreads
from wearmodel.arrays import Floats
from wearmodel.models.structure_buffers import contact_frame
from wearmodel.quantities import with_tables
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR
from wearmodel.statistics.worn_sides import TubeBySides
from wearmodel.structure import Structure

# The axis of time is logarithmic if this share of the depth is reached in this share of the time.
_EARLY_DEPTH, _EARLY_TIME = 0.5, 0.05
# Largest limit that is drawn, relative to the values. A higher limit would make the curves flat.
_HIGHEST_LIMIT = 3.0


def write_life_report(result: LifeResult, path: Path) -> None:
    """Write the page of a service life.

    Raises MissingLibraryError if plotly is not installed. Raises OSError if the file cannot be
    written.
    """
    life = result.life
    answer, *lines = answers(result)
    structure = life.contacts[0].structure
    sides = [contact for contact in result.contacts if contact.sectors]
    followed = all(contact.sectors[-1].is_followed for contact in sides)
    pictures = [_picture(contact, result) for contact in result.contacts]
    of_all = [_picture_of_all(result)] if len(pictures) > 1 else pictures
    contacts = [_grid("Contacts", contact_rows(result))]
    drawn = Section("wear", "Wear over service time", (), life.notes, (), of_all, answer=contacts)
    details = Section(
        "details",
        "Details",
        [line[0].upper() + line[1:] for line in lines],
        pictures=[
            *([_cross_sections(result)] if sides and followed else []),
            *(pictures if pictures is not of_all else []),
        ],
        folded=[
            *(
                Folded(
                    f"All states{f' of {contact.contact}' if contact.contact else ''}",
                    [_grid("± half widths of 95 % intervals", state_rows(contact))],
                )
                for contact in result.contacts
            ),
            *(
                Folded(f"Wear of {contact.contact} by sectors", [_sectors(contact, structure)])
                for contact in sides
            ),
        ],
    )
    title = f"Service life: {life.case.heading.title}"
    write_document(
        Document(title, answer[0].upper() + answer[1:], (), [drawn, details, _inputs(life)]), path
    )


def _inputs(life: Life) -> Section:
    """Return the inputs: the section [life], parameters and inputs, modes and contacts."""
    case, structure = life.case, life.contacts[0].structure
    keys = {name: value for name, value in (case.life or {}).items() if name != "service"}
    grids = [_values("Service life", {**keys, "years": life.years})]
    for motion in life.motions:
        values = {**motion.case.parameters, **motion.case.declared_inputs}
        grids.append(_values(f"{motion.name}: {100.0 * motion.fraction:g} % of the time", values))
    if structure is not None:
        modes = structure.modes
        columns = ["mode", "frequency [Hz]", "damping ratio", "modal mass [kg]"]
        numbers = (modes.frequency, modes.damping_ratio, modes.generalised_mass)
        rows = zip(range(1, modes.count + 1), *numbers, strict=True)
        grids.append(Grid("Modes", columns, [[f"{cell:.6g}" for cell in row] for row in rows]))
        for contact in structure.contacts:
            grids.append(_values(f"Contact {contact.name}", with_tables(contact.parameters)))
    folded = Folded("Parameters, inputs, modes and contacts", grids[1:])
    return Section("inputs", "Inputs", grids=grids[:1], folded=[folded])


def _values(caption: str, values: Mapping[str, Any]) -> Grid:
    rows = [[name, _written(value)] for name, value in values.items()]
    return Grid(caption, ["name", "value (SI units)"], rows)


def _written(value: Any) -> str:
    """Return a value as text. Objects become lists of their values, except None."""
    if is_dataclass(value) and not isinstance(value, type):
        value = {name: part for name, part in asdict(value).items() if part is not None}
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {_written(part)}" for name, part in value.items())
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _cross_sections(result: LifeResult) -> Picture:
    """Return the picture of the clearance of each contact with sides, new and worn."""
    shape, contacts = result.life.shape, result.life.contacts
    depths = [
        [shape.depth(len(sectors.volumes) * volume) for volume in sectors.volumes]
        for sectors in (contact.sectors[-1] for contact in result.contacts)
    ]
    new, worn = contacts[0].structure, worn_structure(contacts, depths)
    assert new is not None
    assert worn is not None
    names = {contact.contact for contact in result.contacts}
    holes = {contact.name: polygon_corners(contact) for contact in worn.contacts if contact.gaps}
    # The same scale for all contacts.
    radius = max(float(np.max(np.hypot(*holes[name].T))) for name in names & holes.keys())
    none: Floats = np.empty(0)
    orbits = []
    for before in new.contacts:
        if before.name in names & holes.keys():
            across, up = (axis_name(np.array(axis)) for axis in axes_across(before))
            orbit = Orbit(before.name, none, none, none.astype(np.bool_), across, up, radius)
            corners, worn_corners = polygon_corners(before), holes[before.name]
            orbits.append(replace(orbit, corners=corners, worn_corners=worn_corners))
    is_hard = isinstance(shape, TubeBySides) and shape.support_coefficient == 0.0
    caption = (
        "Region in which the axis of the tube can move without contact, new and after "
        f"{result.states[-1].time / SECONDS_PER_YEAR:.3g} years, computed as a polygon. The "
        f"difference is the worn depth of {'the tube' if is_hard else 'tube and support'}."
    )
    return Picture("Clearance of the tube, new and worn", caption, orbit_figure(orbits))


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
    """Return the picture of a contact's depth in all draws, or [] if no year is known."""
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
        # A step for each draw.
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


def _sectors(contact: ContactLife, structure: Structure | None) -> Grid:
    sectors, zero = contact.sectors[-1], ""
    for known in structure.contacts if structure is not None else ():
        if known.name == contact.contact:
            right, up, _ = (axis_name(np.array(axis)) for axis in contact_frame(known))
            zero = f": 0° is {right}, 90° is {up}"
    total = math.fsum(sectors.volumes)
    return Grid(
        f"{'Sides' if sectors.is_followed else 'Sectors'} of the hole at the end, by angle around"
        f" its axis{zero}",
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


def _picture(contact: ContactLife, result: LifeResult) -> Picture:
    columns = {"service time": _column(contact, "time") / SECONDS_PER_YEAR}
    for name in ("depth", "volume", "power"):
        middle, bar = _column(contact, name), _column(contact, f"{name}_bar")
        ends = {"upper": middle + bar, "lower": np.maximum(middle - bar, 0.0)}
        if name == "depth":
            ends = {end: _column(contact, f"depth_{end}") for end in ends}
        columns |= {name: middle, **{f"{name}_{end}": values for end, values in ends.items()}}
        columns |= _limit(result.life, name, ends["upper"])
    of = f" of {contact.contact}" if contact.contact else ""
    # Pictures that are zoomed together have axes of the same kind.
    return picture(timed(LIFE, result.first), Columns(columns, {"service time": "years"}), of=of)


def _limit(life: Life, name: str, values: Floats) -> dict[str, Floats]:
    """Return a column with the limit of these values, or {} without a limit or far above them."""
    criterion = life.criterion
    if criterion is None or criterion.variable != name:
        return {}
    limit = np.full_like(values, criterion.limit)
    return {f"{name}_limit": limit} if criterion.limit <= _HIGHEST_LIMIT * values.max() else {}


def timed(row: PictureRow, contact: ContactLife) -> PictureRow:
    """Return a picture over time, logarithmic if most of the depth is reached in a short time."""
    times, depths = _column(contact, "time"), _column(contact, "depth")
    early = float(np.interp(_EARLY_TIME * times[-1], times, depths))
    is_early = early > _EARLY_DEPTH * depths[-1]
    return replace(row, panels=[replace(panel, logarithmic_x=is_early) for panel in row.panels])


def _picture_of_all(result: LifeResult) -> Picture:
    # Each state contains all contacts, so that their times are the same.
    columns = {"service time": _column(result.first, "time") / SECONDS_PER_YEAR}
    for contact in result.contacts:
        for name in ("depth", "depth_upper", "depth_lower"):
            columns[f"{contact.contact}.{name}"] = _column(contact, name)
    first = result.first
    columns |= _limit(result.life, "depth", columns[f"{first.contact}.depth_upper"])
    row = timed(depths_of_contacts([contact.contact for contact in result.contacts]), first)
    words = f"{first.contact} is the deepest."
    if first.crossing is not None and math.isfinite(first.crossing.time):
        words = f"{first.contact} reaches the limit first."
    return picture(row, Columns(columns, {"service time": "years"}), words=words)


def _column(contact: ContactLife, name: str) -> Floats:
    return np.array([getattr(state, name) for state in contact.states], dtype=np.float64)
