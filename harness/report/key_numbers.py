"""Key numbers of a run of the frictional shock, and the table of a run's parameters."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
from fmpy.model_description import ModelVariable

from fmu_src.bundled.definition import FmuDefinition
from harness.figures.labels import SUPERSCRIPTS, shown_unit, spoken
from harness.fmu.interface import FmuInterface
from harness.report.document import Grid, KeyNumber
from harness.report.shaken_run import ShakenRun
from wearmodel.kernel.contact.friction import knot_coefficient
from wearmodel.kernel.limits import NO_STOP
from wearmodel.quantities import variable_name

_PREFIXES = ((1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))
# Units that can have a prefix. With other units the number contains a power of ten.
_PREFIXED = ("m", "J", "W", "N")


def key_numbers(run: ShakenRun) -> list[KeyNumber]:
    """Return mass, friction, base acceleration, sliding, shocks and wear."""
    parameters = run.parameters

    def at_end(name: str, label: str = "") -> KeyNumber:
        unit = run.history.units.get(name, "1")
        return key_number(label or spoken(name), float(run.history[name][-1]), unit)

    def peak(name: str) -> KeyNumber:
        return key_number(
            f"peak {spoken(name)}", run.largest(name), run.history.units.get(name, "1")
        )

    law = run.friction
    table = [knot_coefficient(law, index) for index in range(int(law.knots))]
    constant = law.friction_coefficient
    friction = f"{min(table):.4g} to {max(table):.4g}, table" if table else f"{constant:.4g}"
    if parameters["friction_coefficient_static"] > max(table, default=constant):
        friction += f", static {parameters['friction_coefficient_static']:.4g}"
    peak_acceleration = float(np.max(np.abs(run.base_acceleration)))
    return [
        key_number("mass", parameters["mass"], "kg"),
        KeyNumber("friction coefficient", friction),
        key_number("peak base acceleration", peak_acceleration, "m/s2"),
        peak("relative_displacement"),
        at_end("relative_displacement", "residual displacement"),
        at_end("sliding_distance"),
        key_number("time in slip", 100.0 * run.slip_share, "%"),
        at_end("shock_count", "shocks"),
        at_end("peak_normal_force"),
        at_end("wear_work"),
        at_end("worn_volume"),
        at_end("wear_depth"),
    ]


def key_number(label: str, value: float, unit: str) -> KeyNumber:
    """Return a number with four digits and a suitable prefix of its unit.

    - `value`: value in `unit`
    """
    if unit == "m3":
        # Worn volumes are small, and prefixes of cubic metres are easily misread.
        return KeyNumber(label, _written(1e9 * value), "mm³")
    if unit not in _PREFIXED or value == 0.0:
        return KeyNumber(label, _written(value), shown_unit(unit))
    # The prefix is chosen for the rounded number, so that 0.99999 N is 1 N and not 1000 mN.
    rounded = abs(float(f"{value:.4g}"))
    factor, prefix = next(
        ((factor, prefix) for factor, prefix in _PREFIXES if rounded >= factor), _PREFIXES[-1]
    )
    return KeyNumber(label, _written(value / factor), f"{prefix}{unit}")


def _written(value: float) -> str:
    """Return four digits, with a power of ten if necessary."""
    if value != 0.0 and not 1e-3 <= abs(value) < 1e6 and math.isfinite(value):
        digits, _, exponent = f"{value:.3e}".partition("e")
        power = str(int(exponent)).translate(SUPERSCRIPTS)
        return f"{float(digits):g}·10{power}".replace("-", "−")
    return f"{value:.4g}".replace("-", "−")


def parameter_grids(
    interface: FmuInterface,
    values: Mapping[str, float],
    given: Collection[str],
    definition: FmuDefinition | None = None,
) -> tuple[Grid, Grid]:
    """Return value, unit and meaning of the parameters that were set, and of the others.

    - `interface`: the FMU of the run
    - `values`: all parameters, as returned by `harness.case.notes.all_parameters`
    - `given`: names of the parameters that were set
    - `definition`: definition with the meanings of codes, if the FMU has all its parameters
    """
    words = {} if definition is None else _words(definition, values)

    def grid(caption: str, names: Sequence[str]) -> Grid:
        rows = []
        for name in names:
            variable = interface.variables[name]
            value = words.get(name) or _shown(variable, values[name])
            rows.append((name, value, shown_unit(variable.unit), variable.description or ""))
        return Grid(caption, ("parameter", "value", "unit", "meaning"), rows)

    chosen = grid("Parameters that were set", [name for name in values if name in given])
    return chosen, grid("", [name for name in values if name not in given])


def _shown(variable: ModelVariable, value: float) -> str:
    if variable.type == "Boolean":
        return "true" if value else "false"
    if variable.type == "Enumeration":
        items: list[Any] = variable.declaredType.items
        return next(
            (str(quantity.name) for quantity in items if int(quantity.value) == value), f"{value:g}"
        )
    return f"{value:.6g}"


def _words(definition: FmuDefinition, values: Mapping[str, float]) -> dict[str, str]:
    """Return the meanings of values that are codes."""
    words = {}
    declared = {variable_name(quantity): quantity for quantity in fields(definition.parameters)}
    kinds: dict[str, Any] = {name: type(parameter.default) for name, parameter in declared.items()}
    typed = {name: kinds[name](value) for name, value in values.items() if name in kinds}
    for name, value in values.items():
        metadata: Mapping[str, Any] = {"codes": {}, "negative": ""}
        if name in declared:
            metadata = declared[name].metadata
        if value < 0.0 and metadata["negative"]:
            words[name] = metadata["negative"]
            if "table" not in metadata:
                in_force = definition.parameters(**typed).in_force()
                words[name] = f"{getattr(in_force, name):.6g} ({metadata['negative']})"
        elif abs(value) >= NO_STOP:
            words[name] = "no stop"
        elif int(value) in metadata["codes"]:
            words[name] = metadata["codes"][int(value)]
    return words
