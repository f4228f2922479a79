"""mkdocs hook: writes the FMUs' variable tables into the page that asks for them.

`<!-- variables: FrictionalShock -->` becomes tables made from the variable table that also makes
the model description, so that the page cannot differ from the FMU.
"""

from __future__ import annotations

import re
from typing import Any

from fmu_src.archive.documentation import variable_groups
from fmu_src.bundled.definition import FmuDefinition
from fmu_src.models import fmu_definition

_MARK = re.compile(r"<!-- variables: (\w+) -->")


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replace the marks of a page (called by mkdocs)."""
    return _MARK.sub(lambda match: _tables(fmu_definition(match[1])), markdown)


def _tables(definition: FmuDefinition) -> str:
    text = f"{definition.slave.title}.\n"
    for group in variable_groups(definition, {}):
        if not group["rows"]:
            continue
        columns = ["name", "unit", *(("start", "range") if group["has_start"] else ()), "meaning"]
        text += f"\n### {definition.name}: {group['heading'].lower()}\n\n"
        text += f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}\n"
        for row in group["rows"]:
            cells = {**row, "name": f"`{row['name']}`"}
            text += f"| {' | '.join(_escaped(cells[column]) for column in columns)} |\n"
    return text


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|")
