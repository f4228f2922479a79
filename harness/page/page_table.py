"""What the page knows of the model: parameters, inputs and outputs, from the model's one table.

Its pictures are those of the panel table that say how they look on it.
A control needs what the table does not say: where a slider ends, and below which heading the
control stands. Both follow by rules here; a parameter that no heading claims stands under the last.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from itertools import zip_longest
from typing import Any

from fmu_src.bundled.definition import FmuDefinition
from harness.case.note_rules import ACTING
from harness.figures.labels import shown_unit, spoken
from harness.records import FIXED_FORMATS, SEPARATORS, USUAL_NAMES
from harness.report.panel_table import FRICTIONAL_SHOCK
from harness.report.picture_rows import PanelRow, Series
from wearmodel.kernel.shoe.inputs_outputs import INPUTS, OUTPUTS
from wearmodel.quantities import Choice, Input, Output
from wearmodel.units import ACCELERATION, NEARLY, QUANTITIES, SPELLINGS, TIME, unit_of_text

# A slider moves over this many positions.
SLIDER_POSITIONS = 1000
# Decades on either side of the usual value of a quantity that must be positive.
_DECADES = 3
_GROUPS: dict[str, tuple[str, ...]] = {
    "Mass and friction": (
        "mass",
        "gravity",
        "friction_coefficient",
        "normal_law",
        "tangential_law",
        "sliding_direction",
    ),
    "Friction in detail": (
        "friction_coefficient_static",
        "friction_coefficient_slow",
        "friction_decay_velocity",
        "viscous_friction",
        "tangential_stiffness",
        "tangential_damping",
    ),
    "Contact and gap": (
        "contact_stiffness",
        "contact_damping",
        "restitution",
        "initial_gap",
        "obstacle",
        "plane_half_spacing",
        "preload",
    ),
    "Springs and dampers to the support": (
        "stiffness",
        "damping",
        "normal_stiffness",
        "normal_damping",
    ),
    "Wear": ("archard_coefficient", "wear_area", "wear_time_scale", "wear_feedback"),
    "Start": (
        "initial_displacement",
        "initial_velocity",
        "initial_normal_displacement",
        "initial_normal_velocity",
        "start_in_equilibrium",
    ),
    "Computation": (),
}


# Those that are composed of symbols; the most usual first.
_USUAL_UNITS = ("m/s2", "cm/s2", "mm/s2", "in/s2", "ft/s2")


@dataclass(frozen=True)
class Slider:
    """Ends of a slider and how it runs between them.

    Parameters
    ----------
    low, high : float
        Ends, in the unit of the quantity.
    course : {"linear", "cubic", "logarithmic"}
        Cubic is fine around 0 and reaches far.
    """

    low: float
    high: float
    course: str


@dataclass(frozen=True)
class Control:
    """A parameter as the page shows it.

    Parameters
    ----------
    name, words : str
        The parameter's name, and the same in words.
    kind : {"real", "integer", "boolean", "choice"}
        Of its value.
    default : float
        Enumerations by number, truth values as 0 or 1.
    unit : str
        As people write it; empty for a pure number.
    symbol, description : str
        From the table.
    minimum : float, optional
        Closed lower bound.
    bounds : str
        Its range in words; empty for all numbers.
    negative : str
        What a negative value stands for, if anything.
    choices : list
        Number, name and meaning of each choice.
    acts : list
        Names of other parameters and their numbers, outside which it is without effect.
    slider : Slider, optional
        Of a real number.
    """

    name: str
    words: str
    kind: str
    default: float
    unit: str
    symbol: str
    description: str
    minimum: float | None
    bounds: str
    negative: str
    choices: list[tuple[int, str, str]]
    acts: list[tuple[str, list[int]]]
    slider: Slider | None


def control_groups(definition: FmuDefinition) -> dict[str, list[Control]]:
    """Return the controls of all parameters of FrictionalShock by the heading they stand under."""
    controls = {item.name: _control(item) for item in fields(definition.parameters)}
    groups = {heading: [controls.pop(name) for name in names] for heading, names in _GROUPS.items()}
    groups[list(groups)[-1]] += controls.values()
    return groups


def variable_facts(definition: FmuDefinition) -> dict[str, list[dict[str, Any]]]:
    """Return inputs, outputs and parameters for the script, each in the order of the table."""
    controls = {
        parameter.name: parameter
        for group in control_groups(definition).values()
        for parameter in group
    }
    order = [item.name for item in fields(definition.parameters)]
    return {
        "inputs": [_fact(declared_input) for declared_input in INPUTS],
        "outputs": [_fact(output) for output in OUTPUTS],
        "parameters": [asdict(controls[name]) for name in order],
    }


def record_rules() -> dict[str, Any]:
    """Return the rules by which the command reads records, as JSON for the page's reader.

    They are the `known` units by spelling, `nearly` of a scale that converts again, the usual
    `names` of quantities as patterns, the `marks` between columns, and the `fixed` formats.
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
    }


def page_pictures() -> list[dict[str, Any]]:
    """Return the pictures of the page for the script, in their order.

    Series that only the report computes are left out. The first panel at the left and the first at
    the right share a plot, and so on.
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
    names = [variable.name for table in (INPUTS, OUTPUTS) for variable in table]
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


def _control(item: Any) -> Control:
    said: Mapping[str, Any] = item.metadata
    kind, choices = "real", []
    if isinstance(item.default, Choice):
        kind = "choice"
        choices = [(int(member), member.name, member.meaning) for member in type(item.default)]
    elif isinstance(item.default, bool):
        kind = "boolean"
    elif isinstance(item.default, int):
        kind = "choice" if said["codes"] else "integer"
        choices = [(code, meaning, "") for code, meaning in said["codes"].items()]
    assert not isinstance(item.default, enum.Enum) or choices
    return Control(
        name=item.name,
        words=spoken(item.name),
        kind=kind,
        default=float(item.default),
        unit=shown_unit(said["unit"]),
        symbol=said["symbol"],
        description=said["description"],
        minimum=said["minimum"],
        bounds=_bounds(said),
        negative=said["negative"],
        choices=choices,
        acts=[
            (other, [int(number) for number in names[item.name]])
            for other, names in ACTING.items()
            if item.name in names
        ],
        slider=_slider(item.default, said) if kind == "real" else None,
    )


def _bounds(said: Mapping[str, Any]) -> str:
    bounds = (("> ", said["above"]), ("≥ ", said["minimum"]), ("≤ ", said["maximum"]))
    return ", ".join(f"{sign}{bound:g}" for sign, bound in bounds if bound is not None)


def _slider(default: float, said: Mapping[str, Any]) -> Slider:
    usual = said["nominal"] or (default if default > 0.0 else 1.0)
    if said["above"] is not None:
        span = 10.0**_DECADES
        return Slider(min(usual / span, default), max(usual * span, default), "logarithmic")
    if said["negative"]:
        return Slider(0.0, said["nominal"] * 10.0 if said["nominal"] else 1.0, "cubic")
    if said["minimum"] is not None and said["maximum"] is not None:
        return Slider(said["minimum"], said["maximum"], "linear")
    if default > 0.0 and said["unit"] == "1":
        return Slider(said["minimum"] or 0.0, 10.0 * default, "linear")
    if default > 0.0:
        return Slider(0.0, 5.0 * default, "linear")
    if said["minimum"] is not None:
        return Slider(said["minimum"], 1e3 * usual, "cubic")
    return Slider(-10.0 * usual, 10.0 * usual, "cubic")
