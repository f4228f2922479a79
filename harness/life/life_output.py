"""A service life as JSON and CSV."""

from __future__ import annotations

import csv
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from pydantic_core import to_jsonable_python

from harness.life.life_file import Life
from harness.life.life_run import ContactLife, LifeResult, LifeState
from harness.output_files import replacing, write_json


def write_life_json(result: LifeResult, path: Path) -> None:
    """Write a service life as JSON, `$defs/life` of docs/results.schema.json."""
    life = result.life
    first = _contact_as_json(life, result.first)
    content = {
        "title": life.case.heading.title,
        "file": life.case.shown,
        "contact": first["contact"],
        "years": life.years,
        "relative_error": life.relative_error,
        "note": life.note,
        "notes": life.notes,
        "step_share": result.step_share,
        "runs": result.runs,
        "valid_for": result.valid_for,
        "known": result.is_known,
        "complete": result.is_complete,
        "criterion": first["criterion"],
        "states": first["states"],
        "contacts": [_contact_as_json(life, contact) for contact in result.contacts],
    }
    write_json(path, to_jsonable_python(content, inf_nan_mode="null"))


def _contact_as_json(life: Life, contact: ContactLife) -> dict[str, Any]:
    criterion = None
    if life.criterion is not None and contact.crossing is not None:
        limit = {"variable": life.criterion.variable, "limit": life.criterion.limit}
        criterion = {**limit, **asdict(contact.crossing)}
    return {
        "contact": contact.contact,
        "criterion": criterion,
        "settled": contact.is_settled,
        "misfit": contact.misfit,
        "chances": contact.chances,
        "not_known": contact.not_known,
        "cliffs": contact.cliffs,
        "spacing": contact.spacing,
        "states": contact.states,
        "sectors": contact.sectors[-1] if contact.sectors else None,
    }


def write_life_csv(result: LifeResult, path: Path) -> None:
    """Write the states as CSV, one line each, SI units. Gaps without feedback are empty cells.

    If there are several contacts, the first column is the name of the contact. If a contact is in a
    round hole, the last columns are the worn volume of each sector [m³], from `sector_1` at −180°,
    and the half widths of their error bars, `sector_1_bar`. With SIDES sector 1 is the side at 0°.
    Raises OSError if the file cannot be written.
    """
    names = [field.name for field in fields(LifeState)]
    several = len(result.contacts) > 1
    of_contacts = [len(part.volumes) for contact in result.contacts for part in contact.sectors[:1]]
    most = max(of_contacts, default=0)
    sectors = [f"sector_{number}" for number in range(1, most + 1)]
    sectors += [f"{sector}_bar" for sector in sectors]
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
