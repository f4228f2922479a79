"""Writes the tables of fmu_reference.md: `python docs/fmu_tables.py`, after a change of variables.

The sources are the variable tables of the model descriptions and the rules that the models check.
The tables are written between marks like `<!-- variables: FrictionalShock -->` and `<!-- end -->`.
"""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from fmu_src.archive.documentation import groups_of
from fmu_src.bundled.definition import FmuDefinition
from fmu_src.models import definition_of, fmu_definition
from harness.case.note_rules import ACTING
from wearmodel import FrictionalShockParameters
from wearmodel.kernel.contact.friction import SHORTEST_DECAY
from wearmodel.kernel.shoe.parameters import RULES
from wearmodel.structure import read_contacts

PAGE = Path(__file__).with_name("fmu_reference.md")
_MARKED = re.compile(r"(<!-- (\w+)(?:: (\w+))? -->\n).*?(<!-- end -->)", re.DOTALL)


def with_tables(page: str) -> str:
    """Return the page with new text between its marks."""
    return _MARKED.sub(
        lambda mark: f"{mark[1]}\n{_WRITTEN[mark[2]](*filter(None, [mark[3]]))}\n{mark[4]}", page
    )


def contacts(name: str) -> str:
    """Return tables of the variables of an FMU with the example of a file of contacts."""
    described = read_contacts(PAGE.parents[1] / "examples" / "balls.toml")
    return _variables(definition_of(name, contacts=described))


def variables(name: str) -> str:
    """Return tables of the inputs, outputs and parameters of an FMU."""
    return _variables(fmu_definition(name))


def _variables(definition: FmuDefinition) -> str:
    name, text = definition.name, ""
    for group in groups_of(definition.slave.table):
        if group["rows"]:
            rows = [{**row, "name": f"`{row['name']}`"} for row in group["rows"]]
            text += f"### {name}: {group['heading'].lower()}\n\n"
            text += _table(group["columns"], rows) + "\n"
    return text


def laws() -> str:
    """Return a table of the parameters of each law of FrictionalShock, and of their rules."""
    defaults = FrictionalShockParameters()
    rows = [
        {
            "setting": f"`{chooser}` = {law.name}",
            "additional parameters": ", ".join(
                f"`{name}`" for name, some in acting.items() if law in some
            )
            or "–",
        }
        for chooser, acting in ACTING.items()
        for law in type(getattr(defaults, chooser))
    ]
    found = {one.metadata["unit"] for one in fields(defaults)}
    units = "|".join(map(re.escape, sorted(found, key=len, reverse=True)))
    rules = [re.sub(rf"=\{{\d!r\}}( ({units})(?![\w/]))?", "", rule) for rule in RULES.values()]
    rules = [rule.replace("{1!r}", repr(SHORTEST_DECAY)) for rule in rules]
    names = sorted(vars(defaults), key=len, reverse=True)
    coded = re.compile(rf"(?<!\w)({'|'.join(names)})(?!\w)")
    checked = ["- " + coded.sub(r"`\1`", rule) for rule in rules]
    return "\n".join(
        (
            _table(["setting", "additional parameters"], rows),
            "All other parameters apply to every law. The start of a run checks these rules:\n",
            *checked,
            "",
        )
    )


def _table(columns: list[str], rows: list[dict[str, str]]) -> str:
    lines = [columns, ["---"] * len(columns)]
    lines += [[row[column].replace("|", "\\|") for column in columns] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


_WRITTEN = {"variables": variables, "laws": laws, "contacts": contacts}

if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
