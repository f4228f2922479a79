"""The variable table of a slave, from which all other data of variables are derived."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from wearmodel.quantities import Choice, Input, Output, variable_name


@dataclass(frozen=True)
class Variable:
    """One scalar variable of the FMU. Its index in the table is its value reference.

    `start` is None for outputs. `enumeration` is the type of an enumeration variable. `nominal` is
    the order of magnitude if it is far from 1. `derivative_of` is the name of the variable whose
    time derivative this variable is. `symbol` is the symbol of the formulas, and `aliases` are
    other symbols and names. `is_tunable` is True for parameters that can change during a run, and
    `is_open_below` for parameters that must be greater than `minimum`.
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
    symbol: str = ""
    aliases: tuple[str, ...] = ()
    is_tunable: bool = False
    is_open_below: bool = False

    @property
    def variability(self) -> str:
        """FMI variability: parameters are fixed or tunable, counters and modes discrete."""
        if self.causality == "parameter":
            return "tunable" if self.is_tunable else "fixed"
        return "continuous" if self.kind == "Real" else "discrete"


def variables_of(
    inputs: Sequence[Input], outputs: Sequence[Output], parameters: Any
) -> tuple[Variable, ...]:
    """Return the table of a model's inputs, outputs and parameters, in this order.

    `parameters` is a dataclass whose fields are declared with `quantity`.
    """
    table = [_variable(one.name, "input", float, vars(one), start=0.0) for one in inputs]
    for output in outputs:
        more = {"minimum": output.minimum, "derivative_of": output.derivative_of}
        table.append(_variable(output.name, "output", output.kind, vars(output), **more))
    for parameter in fields(parameters):
        declared = parameter.metadata
        table.append(
            _variable(
                variable_name(parameter),
                "parameter",
                type(parameter.default),
                declared,
                start=parameter.default,
                minimum=declared["minimum"] if declared["above"] is None else declared["above"],
                maximum=declared["maximum"],
                is_tunable=declared["tunable"],
                is_open_below=declared["above"] is not None,
            )
        )
    return tuple(table)


def _variable(
    name: str, causality: str, kind: type, declared: Mapping[str, Any], **more: Any
) -> Variable:
    """Return a variable. `declared` has the fields that inputs, outputs and parameters share."""
    is_choice = issubclass(kind, Choice)
    return Variable(
        name,
        causality,
        "Enumeration" if is_choice else _TYPE_NAMES[kind],
        enumeration=kind if is_choice else None,
        **{key: declared[key] for key in _DECLARED},
        **more,
    )


_DECLARED = ("description", "unit", "nominal", "symbol", "aliases")
_TYPE_NAMES = {float: "Real", int: "Integer", bool: "Boolean", str: "String"}
