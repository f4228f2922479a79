"""A service life as JSON and CSV."""

from __future__ import annotations

import csv
import math
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from harness.life.life_file import Life
from harness.life.life_run import ContactLife, LifeResult, LifeState
from harness.output_files import replacing, write_json


def write_life_json(result: LifeResult, path: Path) -> None:
    """Write a service life as JSON, `$defs/life` of docs/results.schema.json."""
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
        "complete": result.is_complete,
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
    """Write the states as CSV, one line each, SI units. Gaps without feedback are empty cells.

    If there are several contacts, the first column is the name of the contact. If a contact is in a
    round hole, the last columns are the worn volume of each sector [m³], `sector_1` from −180° on,
    and the half widths of their error bars, `sector_1_bar`. With SIDES sector 1 is the side at 0°.
    Raises OSError if the file cannot be
    written.
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
