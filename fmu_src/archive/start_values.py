"""Other defaults of an FMU's parameters: their checks, and the resulting table and file name.

Each value must have the declared type and range of its parameter. Rules between values are not
checked, because a master can still set the others. The initialisation checks these rules.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from wearmodel.quantities import check_quantities, variable_name, with_columns

from ..bundled.definition import FmuDefinition
from ..bundled.variables import Variable


def checked_start_values(
    definition: FmuDefinition,
    start_values: Mapping[str, Any] | None,
    further: Sequence[type] = (),
) -> dict[str, Any]:
    """Return the values that differ from the defaults, by name, enumerations by number.

    Enumerations are given by number or by the name of the literal. `further` are dataclasses of
    further parameters of the FMU, which do not belong to its model. ValueError if a parameter does
    not exist, or a value has another type or is out of range.
    """
    given = dict(start_values or {})
    checked: dict[str, Any] = {}
    for parameters in (definition.parameters, *further):
        # The constructor would also check the rules between values.
        owner = object.__new__(parameters)
        given = with_columns(parameters, given)
        declared = {variable_name(item): item for item in fields(parameters)}
        for name, item in declared.items():
            object.__setattr__(owner, item.name, given.get(name, item.default))
        check_quantities(owner)
        for name, item in declared.items():
            value = getattr(owner, item.name)
            if given.pop(name, None) is None or repr(value) == repr(item.default):
                continue
            checked[name] = int(value) if isinstance(value, enum.IntEnum) else value
    for unknown in given:
        raise ValueError(f"{definition.name} does not have a parameter {unknown!r}")
    return dict(sorted(checked.items()))


def table_with(table: tuple[Variable, ...], values: Mapping[str, Any]) -> tuple[Variable, ...]:
    """Return the variable table with checked start values instead of its defaults."""
    return tuple(
        replace(variable, start=values.get(variable.name, variable.start)) for variable in table
    )


def variant_stem(definition: FmuDefinition, values: Mapping[str, Any]) -> str:
    """Return the name of the file, without suffix, of an FMU with checked start values.

    It depends on the values and the structure only, so that a newer FMU replaces an older one.
    """
    own = [*sorted(values.items()), *sorted(definition.resources.items())]
    if not own:
        return definition.name
    digest = hashlib.sha256(repr(own).encode()).hexdigest()
    return f"{definition.name}_{digest[:8]}"
