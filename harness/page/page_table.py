"""Data about the model for the page: parameters, inputs and outputs from the table of the model.

The page shows the pictures of the panel table that have an `OnPage`. The table of the model does
not contain the range of a slider and the heading of a control. Rules in this module define the
ranges, and `groups.toml` contains the headings. Parameters without a heading follow at the end.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, fields
from importlib.resources import files
from itertools import zip_longest
from typing import Any

from fmu_src.bundled.definition import FmuDefinition
from harness.case.note_rules import ACTING
from harness.figures.labels import shown_unit, spoken
from harness.records import FIXED_FORMATS, REFUSALS, SEPARATORS, USUAL_NAMES
from harness.report.panel_table import FRICTIONAL_SHOCK, PanelRow, Series
from wearmodel.kernel.contact.friction import MOST_KNOTS
from wearmodel.kernel.limits import NO_STOP
from wearmodel.kernel.shoe.inputs_outputs import INPUTS, OUTPUTS
from wearmodel.kernel.shoe.parameters import FrictionalShockParameters
from wearmodel.quantities import Choice, Input, Output, variable_name
from wearmodel.units import ACCELERATION, NEARLY, QUANTITIES, SPELLINGS, TIME, unit_of_text

# Number of positions of a slider.
SLIDER_POSITIONS = 1000
# Decades on both sides of the usual value of a quantity that must be positive.
_DECADES = 3
_GROUPS = tomllib.loads(files(__package__).joinpath("groups.toml").read_text(encoding="utf-8"))
_GROUPS["Friction table"] += [
    f"friction_table_{column}_{knot}"
    for knot in range(1, MOST_KNOTS + 1)
    for column in ("speed", "coefficient")
]
# Words and units of the variables of the friction law.
_LAW = {"law_speed": ("speed", "m/s"), "law_coefficient": ("coefficient of friction", "")}
# Composed units, the most usual first.
_USUAL_UNITS = ("m/s2", "cm/s2", "mm/s2", "in/s2", "ft/s2")


def control_groups(definition: FmuDefinition) -> dict[str, list[dict[str, Any]]]:
    """Return the controls of all parameters of FrictionalShock by their heading."""
    controls = {item.name: _control(item) for item in fields(definition.parameters)}
    groups = {heading: [controls.pop(name) for name in names] for heading, names in _GROUPS.items()}
    groups[list(groups)[-1]] += controls.values()
    return groups


def variable_facts(definition: FmuDefinition) -> dict[str, list[dict[str, Any]]]:
    """Return inputs, outputs and parameters for the script, each in the order of the table."""
    return {
        "inputs": [_fact(declared_input) for declared_input in INPUTS],
        "outputs": [_fact(output) for output in OUTPUTS],
        "parameters": [_control(parameter) for parameter in fields(definition.parameters)],
        "law": [
            {"name": name, "words": words, "unit": unit} for name, (words, unit) in _LAW.items()
        ],
    }


def record_rules() -> dict[str, Any]:
    """Return the rules by which the command reads records, as JSON for the reader of the page.

    They are the `known` units by spelling, the tolerance `nearly` for a scale that converts a
    second time, the usual `names` of quantities as patterns, the `marks` between columns, the
    `fixed` formats, and the texts of `refusals`.
    """
    known = {}
    for spelling in (*_USUAL_UNITS, *SPELLINGS):
        unit = unit_of_text(spelling)
        if unit is not None and unit.dimension in (TIME, ACCELERATION):
            quantity = QUANTITIES[unit.dimension]
            known[spelling] = {"quantity": quantity, "name": unit.name, "factor": unit.factor}
    fixed = json.dumps([asdict(form) for form in FIXED_FORMATS])
    return {
        "known": known,
        "nearly": NEARLY,
        "names": {QUANTITIES[dimension]: names for dimension, names in USUAL_NAMES.items()},
        "marks": {mark or "": name for mark, name in SEPARATORS.items()},
        "fixed": json.loads(fixed.replace("(?P<", "(?<")),
        "refusals": REFUSALS,
    }


def page_pictures() -> list[dict[str, Any]]:
    """Return the pictures of the page for the script, in order.

    Series that only the report computes are omitted. The first panel at the left and the first
    panel at the right share a plot, and so on.
    """
    pictures = []
    for row in FRICTIONAL_SHOCK:
        if row.page is not None:
            sides = [
                [_panel(panel) for panel in row.panels if panel.page == side and _computed(panel)]
                for side in ("left", "right")
            ]
            plots = list(zip_longest(*sides))
            pictures.append({**asdict(row.page), "x": row.panels[0].x, "plots": plots})
    return sorted(pictures, key=lambda picture: int(picture["place"]))


def _computed(panel: PanelRow) -> list[Series]:
    """Return the series of a panel that are variables of the model."""
    tables = (INPUTS, OUTPUTS, fields(FrictionalShockParameters))
    names = [variable.name for table in tables for variable in table] + list(_LAW)
    return [series for series in panel.series if series.variable in names]


def _panel(panel: PanelRow) -> dict[str, Any]:
    return {
        "title": panel.title or spoken(panel.series[0].variable),
        "hidden_at_zero": panel.hidden_at_zero,
        "series": [asdict(series) for series in _computed(panel)],
    }


def _fact(declared: Input | Output) -> dict[str, Any]:
    return {
        "name": declared.name,
        "words": spoken(declared.name),
        "unit": shown_unit(declared.unit),
        "description": declared.description,
    }


def _control(parameter: Any) -> dict[str, Any]:
    """Return a parameter on the page, with texts and range from the table of the model.

    `kind` is real, integer, boolean or choice. Values are numbers: enumerations by number, Booleans
    as 0 or 1. `choices` contains number, name and meaning of each choice. `acts` contains the
    values of other parameters for which the parameter has an effect.
    """
    declared: Mapping[str, Any] = parameter.metadata
    kind, choices = "real", []
    if isinstance(parameter.default, Choice):
        kind = "choice"
        choices = [(int(member), member.name, member.meaning) for member in type(parameter.default)]
    elif isinstance(parameter.default, bool):
        kind = "boolean"
    elif isinstance(parameter.default, int):
        kind = "choice" if declared["codes"] else "integer"
        choices = [(code, meaning, "") for code, meaning in declared["codes"].items()]
    name, default = variable_name(parameter), float(parameter.default)
    return {
        "name": name,
        "words": spoken(name),
        "kind": kind,
        "default": default,
        "unit": shown_unit(declared["unit"]),
        **{key: declared[key] for key in ("symbol", "description", "minimum")},
        "bounds": _bounds(declared),
        "negative": declared["negative"],
        "choices": choices,
        "acts": [
            (other, [int(number) for number in names[parameter.name]])
            for other, names in ACTING.items()
            if parameter.name in names
        ],
        "slider": (
            dict(zip(("low", "high", "course"), _slider(default, declared), strict=True))
            if kind == "real"
            else None
        ),
    }


def _bounds(declared: Mapping[str, Any]) -> str:
    bounds = (("> ", declared["above"]), ("≥ ", declared["minimum"]), ("≤ ", declared["maximum"]))
    return ", ".join(f"{sign}{bound:g}" for sign, bound in bounds if bound is not None)


def _slider(default: float, declared: Mapping[str, Any]) -> tuple[float, float, str]:
    """Return the ends in the unit of the quantity, and the scale: linear, logarithmic or cubic.

    A cubic scale has small steps around 0 and a large range.
    """
    usual = declared["nominal"] or (default if default > 0.0 else 1.0)
    if abs(default) >= NO_STOP:
        return -1.0, 1.0, "linear"
    if declared["above"] is not None:
        span = 10.0**_DECADES
        return min(usual / span, default), max(usual * span, default), "logarithmic"
    if declared["negative"]:
        return 0.0, declared["nominal"] * 10.0 if declared["nominal"] else 1.0, "cubic"
    if declared["minimum"] is not None and declared["maximum"] is not None:
        return declared["minimum"], declared["maximum"], "linear"
    if default > 0.0 and declared["unit"] == "1":
        return declared["minimum"] or 0.0, 10.0 * default, "linear"
    if default > 0.0:
        return 0.0, 5.0 * default, "linear"
    if declared["minimum"] is not None:
        return declared["minimum"], 1e3 * usual, "cubic"
    return -10.0 * usual, 10.0 * usual, "cubic"
