"""Other defaults of parameters, for an FMU of a case of its own: what may be one, and what follows.

Each value is held to its own declared kind and range. The rules between values are not asked for:
a master may still set the others, and the initialisation refuses what breaks one.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from wearmodel.quantities import check_quantities

from ..bundled.definition import FmuDefinition
from ..bundled.variables import Variable


def checked_start_values(
    definition: FmuDefinition,
    start_values: Mapping[str, Any] | None,
    further: Sequence[type] = (),
) -> dict[str, Any]:
    """Return the values that differ from the defaults, by name, enumerations by number.

    Parameters
    ----------
    definition
        Of the FMU.
    start_values
        Values by name; enumerations by number or by the name of the literal.
    further
        Dataclasses of parameters that the FMU has beside its model's.

    Raises
    ------
    ValueError
        There is no such parameter, or a value is of another kind or out of its range; the
        message names quantity, value, unit and rule.
    """
    given = dict(start_values or {})
    checked: dict[str, Any] = {}
    for parameters in (definition.parameters, *further):
        # Not made by its constructor, which asks for the rules between values too.
        owner = object.__new__(parameters)
        declared = fields(parameters)
        for parameter in declared:
            object.__setattr__(owner, parameter.name, given.get(parameter.name, parameter.default))
        check_quantities(owner)
        for parameter in declared:
            value = getattr(owner, parameter.name)
            if given.pop(parameter.name, None) is None or repr(value) == repr(parameter.default):
                continue
            checked[parameter.name] = int(value) if isinstance(value, enum.IntEnum) else value
    for unknown in given:
        raise ValueError(f"{definition.name} has no parameter {unknown!r}")
    return dict(sorted(checked.items()))


def table_with(table: tuple[Variable, ...], values: Mapping[str, Any]) -> tuple[Variable, ...]:
    """Return the variable table with checked start values in the place of its defaults."""
    return tuple(
        replace(variable, start=values.get(variable.name, variable.start)) for variable in table
    )


def variant_stem(definition: FmuDefinition, values: Mapping[str, Any]) -> str:
    """Return the name of the file, without suffix, of an FMU with checked start values.

    It follows from the values, and a structure, alone, so that a newer one takes the place of an
    older one.
    """
    own = [*sorted(values.items()), *sorted(definition.resources.items())]
    if not own:
        return definition.name
    digest = hashlib.sha256(repr(own).encode()).hexdigest()
    return f"{definition.name}_{digest[:8]}"
