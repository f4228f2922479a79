"""The variable table of a slave, from which all other data of variables are derived."""

from __future__ import annotations

from collections.abc import Sequence
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
    table = [_variable(declared, "input", float, start=0.0) for declared in inputs]
    table += [
        _variable(
            output,
            "output",
            output.kind,
            minimum=output.minimum,
            derivative_of=output.derivative_of,
        )
        for output in outputs
    ]
    for parameter in fields(parameters):
        kind, enumeration = _kind_of(type(parameter.default))
        meta = parameter.metadata
        table.append(
            Variable(
                variable_name(parameter),
                "parameter",
                kind,
                meta["description"],
                meta["unit"],
                start=parameter.default,
                minimum=meta["minimum"] if meta["above"] is None else meta["above"],
                maximum=meta["maximum"],
                enumeration=enumeration,
                nominal=meta["nominal"],
                symbol=meta["symbol"],
                aliases=meta["aliases"],
                is_tunable=meta["tunable"],
                is_open_below=meta["above"] is not None,
            )
        )
    return tuple(table)


def _variable(
    declared: Input | Output, causality: str, declared_kind: type, **more: Any
) -> Variable:
    kind, enumeration = _kind_of(declared_kind)
    return Variable(
        declared.name,
        causality,
        kind,
        declared.description,
        declared.unit,
        enumeration=enumeration,
        nominal=declared.nominal,
        symbol=declared.symbol,
        aliases=declared.aliases,
        **more,
    )


def _kind_of(declared: type) -> tuple[str, type[Choice] | None]:
    """FMI's type of a declared type, and the enumeration, if any."""
    if issubclass(declared, Choice):
        return "Enumeration", declared
    return _TYPE_NAMES[declared], None


_TYPE_NAMES = {float: "Real", int: "Integer", bool: "Boolean", str: "String"}
