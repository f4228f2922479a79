"""documentation/index.html of an FMU, and the icon and licences that every FMU contains.

The page follows from the variable table and the docstrings of the models, which describe the model.
This module adds the rules for users of the FMU.
"""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from importlib.resources import files
from textwrap import dedent
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from wearmodel.quantities import with_unit

from ..bundled.definition import FmuDefinition
from ..bundled.variables import Variable
from .licences import native_licences, python_licences
from .start_values import table_with

# Order of the groups of variables. FMUs of other projects can have further causalities.
_CAUSALITIES = ("input", "output", "parameter")
_RULES = (
    "Outputs are values at the end of the last step. Setting an input has no effect before the "
    "next step. After initialisation outputs follow from the start inputs.",
    "A step that is invalid, ends after the stop time or cannot be completed returns {fmi}Error. "
    "The state is kept, and the reason is logged. With an invalid start value no step is possible, "
    "and the end of the initialisation returns {fmi}Error too.",
    "Setting an output, or after initialisation a parameter that is not tunable, has no effect and "
    "returns {fmi}Error.",
    "The complete state can be saved, restored and serialised ({get_state} and related functions).",
)
_PYTHON_RULES = (
    "The FMU needs Python 3.9 or newer in the host or on the machine, and no packages.",
)
_NATIVE_RULES = (
    "The FMU uses only libraries of the operating system.",
    "Directional derivatives ({fmi}GetDirectionalDerivative) are derivatives of the outputs by the "
    "inputs of the last step, and in initialisation mode also by Real parameters.",
)
_FMI2_RULES = (
    "If derivatives of inputs are set before a step (fmi2SetRealInputDerivatives, orders 1 to 15), "
    "the step uses Taylor polynomials of the inputs.",
)
_FMI3_RULES = (
    "The time is the independent variable. Outputs of several contacts are also available as "
    "arrays.",
)
_EVENT_RULES = (
    "The parameter return_at selects the events that end a step early. minimum_return_interval is "
    "their minimum distance. The step ends immediately before the event if the master uses event "
    "mode and allows early return. With early return only, it ends immediately after the event. "
    "event_count counts the times of all events.",
)


def _rules(definition: FmuDefinition, fmi: int, *, native: bool) -> Iterator[str]:
    """Yield the rules for hosts, with the names of the FMI version."""
    names = {2: "fmi2GetFMUstate", 3: "fmi3GetFMUState"}
    rules = (*_RULES, *(_NATIVE_RULES if native else _PYTHON_RULES))
    if native:
        rules += _FMI2_RULES if fmi == 2 else _FMI3_RULES
    if fmi == 3 and definition.native is not None and definition.native.step_to_event is not None:
        rules += _EVENT_RULES
    for rule in rules:
        yield rule.format(fmi=f"fmi{fmi}", get_state=names[fmi])


def documentation_page(
    definition: FmuDefinition, start_values: Mapping[str, Any], *, native: bool, fmi: int = 2
) -> str:
    """Return the page of an FMU: one file, readable without network and without scripts.

    `start_values` are the values that differ from the table. `fmi` is the version of FMI.
    """
    slave, page = definition.slave, definition.page
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    template = environment.from_string(_text("index.html"))
    return template.render(
        name=definition.name,
        fmi=fmi,
        title=slave.title,
        icon=_picture("model.svg"),
        sketch=None if page.sketch is None else _picture(page.sketch),
        release=slave.release,
        step_size=slave.default_step_size,
        stop_time=slave.default_stop_time,
        rules=(*page.rules, *_rules(definition, fmi, native=native)),
        variables=groups_of(table_with(slave.table, start_values)),
        sections=[_section(f"wearmodel.{module}") for module in page.models],
        limits=page.limits,
        references=page.references,
        has_results=not start_values,
    )


def _text(name: str) -> str:
    return files("fmu_src").joinpath("archive", name).read_text(encoding="utf-8")


def _picture(name: str) -> Markup:
    """Return an SVG of this folder for the page."""
    return Markup(_text(name))


def groups_of(table: Sequence[Variable]) -> list[dict[str, Any]]:
    """Return heading, columns and rows of the variables in a table by causality, as texts."""
    groups: dict[str, list[Variable]] = {causality: [] for causality in _CAUSALITIES}
    counts = Counter(variable.name.partition("[")[0] for variable in table)
    for variable in table:
        stem, _, index = variable.name.partition("[")
        if index == "1]":  # one row for all
            text = variable.description.replace("Row 1", "Rows", 1)
            variable = replace(variable, name=f"{stem}[1…{counts[stem]}]", description=text)
        if index in ("", "1]"):
            groups.setdefault(variable.causality, []).append(variable)
    return [
        {
            "heading": f"{causality.capitalize()}s",
            "columns": _columns(group),
            "rows": list(map(_row, group)),
        }
        for causality, group in groups.items()
    ]


def _columns(table: Sequence[Variable]) -> list[str]:
    """Return the columns of a group. Columns without content are omitted."""
    symbol = ["symbol"] if any(variable.symbol for variable in table) else []
    parameter = (
        ["start", "range"] if any(variable.causality == "parameter" for variable in table) else []
    )
    variability = ["variability"] if any(variable.is_tunable for variable in table) else []
    return ["name", *symbol, "unit", *parameter, *variability, "meaning"]


def _row(variable: Variable) -> dict[str, str]:
    meaning = variable.description
    if variable.enumeration is not None:
        meaning += (
            f" ({', '.join(f'{member.value} {member.name}' for member in variable.enumeration)})"
        )
    lower = ">" if variable.is_open_below else "≥"
    bounds = ((lower, variable.minimum), ("≤", variable.maximum))
    return {
        "name": variable.name,
        "symbol": variable.symbol,
        "unit": variable.unit if variable.kind == "Real" else variable.kind,
        "start": _shown(variable),
        # Same wording as in the messages about invalid values.
        "range": ", ".join(
            f"{sign} {with_unit(bound, variable.unit)}"
            for sign, bound in bounds
            if bound is not None
        ),
        "variability": variable.variability,
        "meaning": meaning,
    }


def _shown(variable: Variable) -> str:
    if variable.enumeration is not None and variable.start is not None:
        return variable.enumeration(variable.start).name
    if variable.kind == "Boolean":
        return str(variable.start).lower()
    return "" if variable.start is None else str(variable.start)


def _section(module: str) -> dict[str, Any]:
    """Heading and blocks of a module's docstring."""
    text = inspect.cleandoc(import_module(module).__doc__ or "")
    heading, _, body = text.partition("\n\n")
    return {"heading": " ".join(heading.split()).rstrip("."), "blocks": _blocks(body)}


def _blocks(text: str) -> Sequence[dict[str, Any]]:
    """Paragraphs and preformatted blocks: indented, tables, lists, or aligned by blanks."""
    blocks = []
    for block in re.split(r"\n\n+", text):
        lines = block.splitlines()
        preformatted = all(line.startswith("    ") for line in lines) or any(
            re.match(r"[|-]", line) or re.search(r"\S {2,}\S", line) for line in lines
        )
        shown = dedent(block) if preformatted else " ".join(line.strip() for line in lines)
        marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(shown)))
        blocks.append({"preformatted": preformatted, "text": Markup(marked)})
    return blocks


def enclosures(
    definition: FmuDefinition,
    start_values: Mapping[str, Any],
    *,
    native: bool = False,
    fmi: int = 2,
) -> dict[str, bytes]:
    """Return content by path in the archive. `start_values` differ from the table.

    A native library reads the file of its recorded points from the resources. The resources of a
    Python FMU are written by pythonfmu's builder.
    """
    page = documentation_page(definition, start_values, native=native, fmi=fmi)
    licences = native_licences() if native else python_licences()
    texts = {
        "documentation/index.html": page,
        **{f"documentation/licenses/{file}": text for file, text in licences.items()},
    }
    if native and definition.native is not None and definition.native.points is not None:
        texts |= {f"resources/{file}": text for file, text in definition.resources.items()}
    return {
        "model.png": files("fmu_src").joinpath("archive", "model.png").read_bytes(),
        **{path: text.encode("utf-8") for path, text in texts.items()},
    }
