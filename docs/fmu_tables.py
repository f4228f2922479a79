"""mkdocs hook: writes the FMUs' variable tables into the page that asks for them.

`<!-- variables: FrictionalShock -->` becomes tables made from the variable table that also makes
the model description, so that the page cannot differ from the FMU.
"""

from __future__ import annotations

import re
from typing import Any

from fmu_src.archive.documentation import variable_groups
from fmu_src.bundled.slave import SafeSlave
from fmu_src.models.base_motion import BaseMotion
from fmu_src.models.dis_choc import DisChoc
from fmu_src.models.frictional_shock import FrictionalShock

_MARK = re.compile(r"<!-- variables: (\w+) -->")
_SLAVES: dict[str, type[SafeSlave]] = {
    slave.__name__: slave for slave in (FrictionalShock, DisChoc, BaseMotion)
}


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replace the marks of a page (called by mkdocs)."""
    return _MARK.sub(lambda match: _tables(_SLAVES[match[1]]), markdown)


def _tables(slave: type[SafeSlave]) -> str:
    text = f"{slave.title}.\n"
    for group in variable_groups(slave, {}):
        if not group["rows"]:
            continue
        columns = ["name", "unit", *(("start", "range") if group["has_start"] else ()), "meaning"]
        text += f"\n### {slave.__name__}: {group['heading'].lower()}\n\n"
        text += f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}\n"
        for row in group["rows"]:
            cells = {**row, "name": f"`{row['name']}`"}
            text += f"| {' | '.join(_escaped(cells[column]) for column in columns)} |\n"
    return text


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|")
