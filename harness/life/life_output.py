"""A life for machines: JSON and CSV."""

from __future__ import annotations

import csv
import math
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from harness.life.life_file import Life
from harness.life.life_run import ContactLife, LifeResult, LifeState
from harness.life.worn_sectors import SECTORS
from harness.output_files import replacing, write_json


def write_life_json(result: LifeResult, path: Path) -> None:
    """Write a life for machines.

    One object: `title`, `file`, `years`, `relative_error`, `note` (on what wear does not act back;
    may be empty), `notes` (list of str: that, a step that is coarse for an input, and what rarely
    is meant so), `step_share` (by how much half the step changes the first wear power, as a share
    of it; null where there is none but then), `runs`, `valid_for` (s, time scale below which the
    rates are valid, null without noise), `known` (bool: whether the criterion has an
    answer), and `contacts`, a list of objects with `contact` (of a structure; otherwise empty),
    `criterion` (`variable`, `limit`, and `time`, `earliest`, `latest` [s], null where the limit is
    not reached; null without one), `settled` (bool), `misfit` (why
    the shape does not fit the wear, may be empty), `chances` (probabilities `reached` and `first`,
    null without a criterion), `not_known` (null, or an object with `motion`,
    `depth` [m], `time` [s], `reason`, `time_needed` [s], null where it cannot be told, and
    `is_bounded`), `cliffs` (depths [m] at which the rate changes suddenly), `spacing` (widest
    distance [m] between depths that were run at), `states`, a list of
    objects with the fields of `LifeState`, and `sectors` (null but in a round hole: the wear by
    sectors at the end, an object with the fields of `WornSectors`). The `contact`, `criterion` and
    `states` of the first contact, the one that reaches the criterion first or is the deepest, stand
    in the object too.

    Raises OSError if the file cannot be written.
    """
    life = result.life
    first = _contact_as_json(life, result.first)
    content = {
        "title": life.case.heading.title,
        "file": str(life.case.file),
        "contact": first["contact"],
        "years": life.years,
        "relative_error": life.relative_error,
        "note": life.note,
        "notes": life.notes,
        "step_share": _finite(result.step_share),
        "runs": result.runs,
        "valid_for": _finite(result.valid_for),
        "known": result.is_known,
        "criterion": first["criterion"],
        "states": first["states"],
        "contacts": [_contact_as_json(life, contact) for contact in result.contacts],
    }
    write_json(path, content)


def _contact_as_json(life: Life, contact: ContactLife) -> dict[str, Any]:
    criterion = None
    if life.criterion is not None and contact.crossing is not None:
        times = {name: _finite(time) for name, time in asdict(contact.crossing).items()}
        criterion = {
            "variable": life.criterion.variable,
            "limit": life.criterion.limit,
            **times,
        }
    return {
        "contact": contact.contact,
        "criterion": criterion,
        "settled": contact.is_settled,
        "misfit": contact.misfit,
        "chances": None if contact.chances is None else asdict(contact.chances),
        "not_known": None if contact.not_known is None else asdict(contact.not_known),
        "cliffs": contact.cliffs,
        "spacing": contact.spacing,
        "states": [
            {name: _finite(value) for name, value in asdict(state).items()}
            for state in contact.states
        ],
        "sectors": None if not contact.sectors else asdict(contact.sectors[-1]),
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def write_life_csv(result: LifeResult, path: Path) -> None:
    """Write the states as CSV, one line each, SI units; empty cells where there is no feedback.

    Of several contacts the first column names the contact. Where one is in a round hole the last
    columns hold the worn volume of each sector [m³], `sector_1` from −180° on, and then the half
    widths of their error bars, `sector_1_bar`. Raises OSError if the file cannot be written.
    """
    names = [field.name for field in fields(LifeState)]
    several = len(result.contacts) > 1
    sectors = [f"sector_{number}" for number in range(1, SECTORS + 1)]
    sectors += [f"{sector}_bar" for sector in sectors]
    if not any(contact.sectors for contact in result.contacts):
        sectors = []
    with replacing(path) as part, part.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([*(["contact"] if several else []), *names, *sectors])
        for contact in result.contacts:
            for number, state in enumerate(contact.states):
                row = [getattr(state, name) for name in names]
                if contact.sectors:
                    row += [*contact.sectors[number].volumes, *contact.sectors[number].bars]
                else:
                    row += [None] * len(sectors)
                writer.writerow([contact.contact, *row] if several else row)
