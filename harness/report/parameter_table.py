"""The table of a run's parameters, with words for numbers that are codes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from fmpy.model_description import ModelVariable

from fmu_src.bundled.definition import FmuDefinition
from harness.figures.labels import shown_unit
from harness.fmu.interface import FmuInterface
from harness.report.document import Grid


@dataclass(frozen=True)
class ParameterGrids:
    """The parameters of a run."""

    # Parameters that were set.
    given: Grid
    # Other parameters.
    default: Grid


def parameter_grids(
    interface: FmuInterface,
    values: Mapping[str, float],
    given: Collection[str],
    definition: FmuDefinition | None = None,
) -> ParameterGrids:
    """Return value, unit and meaning of each parameter.

    Parameters
    ----------
    interface : FmuInterface
        The FMU of the run.
    values : mapping of str to float
        All its parameters, as returned by `harness.case.parameter_notes.all_parameters`.
    given : collection of str
        Names of the parameters that were set.
    definition : FmuDefinition, optional
        Definition with the meanings of codes, if the FMU has all its parameters.
    """
    words = {} if definition is None else _words(definition, values)

    def grid(caption: str, names: Sequence[str]) -> Grid:
        rows = []
        for name in names:
            variable = interface.variables[name]
            value = words.get(name) or _shown(variable, values[name])
            rows.append((name, value, shown_unit(variable.unit), variable.description or ""))
        return Grid(caption, ("parameter", "value", "unit", "meaning"), rows)

    return ParameterGrids(
        grid("Parameters that were set", [name for name in values if name in given]),
        grid("", [name for name in values if name not in given]),
    )


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
    """Return the meanings of values that are not numbers but codes."""
    declared = {quantity.name: quantity for quantity in fields(definition.parameters)}
    words = {
        name: declared[name].metadata["codes"][int(value)]
        for name, value in values.items()
        if name in declared and int(value) in declared[name].metadata["codes"]
    }
    stand_in = [
        name
        for name, value in values.items()
        if name in declared and value < 0.0 and declared[name].metadata["negative"]
    ]
    if stand_in:
        kinds: dict[str, Any] = {
            name: type(parameter.default) for name, parameter in declared.items()
        }
        typed = {name: kinds[name](value) for name, value in values.items() if name in kinds}
        in_force = definition.parameters(**typed).in_force()
        for name in stand_in:
            meaning = declared[name].metadata["negative"]
            words[name] = f"{getattr(in_force, name):.6g} ({meaning})"
    return words
