"""The variable table of a slave: one record a variable, from which all else is made."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from wearmodel.quantities import Choice


@dataclass(frozen=True)
class Variable:
    """One scalar variable of the FMU; its index in the table is its value reference.

    `start` is None for outputs. `enumeration` is that of an enumeration variable. `nominal` is the
    order of magnitude where 1 is far off. `derivative_of` names the variable of which this is the
    derivative with respect to time.
    """

    name: str
    causality: str  # "parameter", "input" or "output"
    kind: str  # "Real", "Integer", "Boolean", "String" or "Enumeration"
    description: str
    unit: str = "1"
    start: Any = None
    minimum: float | None = None
    maximum: float | None = None
    enumeration: type[Choice] | None = None
    nominal: float | None = None
    derivative_of: str | None = None

    @property
    def variability(self) -> str:
        """FMI variability: parameters are fixed, counters and modes discrete."""
        if self.causality == "parameter":
            return "fixed"
        return "continuous" if self.kind == "Real" else "discrete"


def real_input(name: str, unit: str, description: str, *, nominal: float | None = None) -> Variable:
    """A continuous input that starts at 0."""
    return Variable(name, "input", "Real", description, unit=unit, start=0.0, nominal=nominal)


def real_output(
    name: str,
    unit: str,
    description: str,
    *,
    minimum: float | None = None,
    nominal: float | None = None,
    derivative_of: str | None = None,
) -> Variable:
    """A continuous output."""
    return Variable(
        name,
        "output",
        "Real",
        description,
        unit=unit,
        minimum=minimum,
        nominal=nominal,
        derivative_of=derivative_of,
    )


def count_output(name: str, description: str) -> Variable:
    """A counter, from 0 upwards."""
    return Variable(name, "output", "Integer", description, minimum=0)


def mode_output(name: str, description: str, enumeration: type[Choice]) -> Variable:
    """A mode, one of the members of an enumeration."""
    return Variable(name, "output", "Enumeration", description, enumeration=enumeration)


def parameters_of(dataclass_type: Any) -> tuple[Variable, ...]:
    """Parameter variables of a dataclass whose fields are declared with `quantity`."""
    table = []
    for item in fields(dataclass_type):
        kind = type(item.default)
        meta = item.metadata
        minimum = meta["minimum"] if meta["above"] is None else meta["above"]
        if issubclass(kind, Choice):
            type_name, enumeration = "Enumeration", kind
        else:
            type_name, enumeration = _TYPE_NAMES[kind], None
        table.append(
            Variable(
                item.name,
                "parameter",
                type_name,
                meta["description"],
                unit=meta["unit"],
                start=item.default,
                minimum=minimum,
                maximum=meta["maximum"],
                enumeration=enumeration,
                nominal=meta["nominal"],
            )
        )
    return tuple(table)


_TYPE_NAMES = {float: "Real", int: "Integer", bool: "Boolean", str: "String"}
