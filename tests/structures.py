"""Structures for the tests, section by section, and the structure files that contain them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wearmodel.structure import Structure, structure_of

Rows = Sequence[float]
X, Y, Z = [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]
# Base of a body of 1 kg. Its three modes are translations along x, y and z.
UNIT_BASE = {"participation_x": X, "participation_y": Y, "participation_z": Z}


def point(name: str = "p", **shapes: Rows) -> dict[str, Any]:
    """Return a point with its shapes by axis. By default three modes move it along x, y and z."""
    rows = shapes or {"x": X, "y": Y, "z": Z}
    return {"name": name, **{f"shape_{axis}": row for axis, row in rows.items()}}


def contact(name: str = "c", at: str = "p", obstacle: str = "plane", **keys: Any) -> dict[str, Any]:
    """Return a contact of 1e6 N/m at a point, with a plane below it or with a hole about x."""
    is_hole = obstacle in ("circle", "polygon")
    direction = {"axis": X} if is_hole else {"normal": Z}
    start = {"name": name, "point": at, "obstacle": obstacle}
    return {**start, **direction, "contact_stiffness": 1e6, **keys}


def document(
    frequency: Rows,
    *contacts: Mapping[str, Any],
    points: Sequence[Mapping[str, Any]] | None = None,
    modes: Mapping[str, Any] | None = None,
    **sections: Any,
) -> dict[str, Any]:
    """Return the content of a structure file with other keys of `modes` and other sections."""
    return {
        "modes": {"frequency": frequency, **(modes or {})},
        "point": [point()] if points is None else points,
        "contact": contacts,
        **sections,
    }


def modal_structure(frequency: Rows, *contacts: Mapping[str, Any], **sections: Any) -> Structure:
    """Return the structure of a `document`."""
    return structure_of(document(frequency, *contacts, **sections))


def toml(content: Mapping[str, Any]) -> str:
    """Return the content of a file as TOML. A list becomes several tables with the same name."""

    def text(value: object) -> str:
        return json.dumps(value).replace("Infinity", "inf").replace("NaN", "nan")

    lines = []
    for name, section in content.items():
        is_list = not isinstance(section, Mapping)
        for table in section if is_list else [section]:
            lines.append(f"[[{name}]]" if is_list else f"[{name}]")
            lines += [f"{key} = {text(value)}" for key, value in table.items()]
    return "\n".join(lines) + "\n"


def write_structure_file(path: Path, frequency: Rows, *contacts: Any, **sections: Any) -> Path:
    """Write the `document` to a file."""
    path.write_text(toml(document(frequency, *contacts, **sections)), encoding="utf-8")
    return path
