"""The variables of an FMU by name, with checks by its model description."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fmpy import read_model_description
from fmpy.model_description import ModelDescription, ModelVariable

from fmu_src.models import fmu_names
from harness.errors import FmuError
from harness.fmu.archive_check import require_model_identifier, require_unpackable
from harness.messages import nearest, point_for_comma, unknown_variable

# Types that the harness reads as numbers. FMI 2 passes enumerations as integers.
NUMERIC_TYPES = ("Real", "Integer", "Enumeration", "Boolean")

# Types of FMI 3.0 by their names in FMI 2.0. Others have the same name or are not numbers.
_REALS = ("Float32", "Float64")
_INTEGERS = ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64")
_SIMPLE_TYPES = dict.fromkeys(_REALS, "Real") | dict.fromkeys(_INTEGERS, "Integer")


@dataclass(frozen=True)
class FmuInterface:
    """The variables of an FMI 2.0 or 3.0 co-simulation FMU."""

    # The .fmu file, or the folder with its extracted files.
    path: Path
    # Description from fmpy.
    description: ModelDescription
    # Variables by name in the order of the file, including arrays. Their types have the names of
    # FMI 2.0: `Real` for Float and `Integer` for Int.
    variables: Mapping[str, ModelVariable]

    @property
    def fmi(self) -> int:
        """Version of FMI, 2 or 3."""
        return int(self.description.fmiMajorVersion)

    def outputs(self) -> tuple[str, ...]:
        """Return the names of the numeric outputs, without arrays."""
        return tuple(
            name
            for name, variable in self.variables.items()
            if variable.causality == "output"
            and variable.type in NUMERIC_TYPES
            and not variable.dimensions
        )

    def variable(self, name: str) -> ModelVariable:
        """Return the variable, or raise ValueError that suggests the nearest name."""
        return self._known(name, "variable")

    def readable(self, name: str) -> ModelVariable:
        """Return a variable that can be read as a number, or raise ValueError."""
        variable = self.variable(name)
        if variable.type not in NUMERIC_TYPES:
            raise ValueError(f"variable {name!r} is a {variable.type} and must be a number")
        return _scalar(variable)

    def input(self, name: str) -> ModelVariable:
        """Return the Real input, or raise ValueError."""
        variable = self._known(name, "input")
        if variable.type != "Real":
            raise ValueError(f"input {name!r} is of type {variable.type} and must be Real")
        return _scalar(variable)

    def parameter(self, name: str, value: object) -> tuple[ModelVariable, float | int | str]:
        """Return the parameter and its value in the FMI type, or raise ValueError.

        Enumerations are accepted by name or number.
        """
        variable = _scalar(self._known(name, "parameter"))
        return variable, _encoded(variable, value)

    def require_all(
        self, parameters: Mapping[str, object], inputs: Iterable[str], outputs: Iterable[str]
    ) -> None:
        """Raise ValueError unless the FMU has these variables and the values fit their types."""
        for name, value in parameters.items():
            self.parameter(name, value)
        for name in inputs:
            self.input(name)
        for name in outputs:
            self.readable(name)

    def _known(self, name: str, role: str) -> ModelVariable:
        causalities = {variable.name: variable.causality for variable in self.variables.values()}
        if role not in ("variable", causalities.get(name)) or name not in causalities:
            model = self.description.modelName
            # A file with another name may have other variables, as the FMU of a structure does.
            usual = model in fmu_names() and self.path.stem == model
            listed_as = model if usual else str(self.path)
            raise ValueError(unknown_variable(name, role, self.path.name, causalities, listed_as))
        return self.variables[name]


def value_of_text(fmi_type: str, text: str) -> bool | int | float | str:
    """Return the value of a text: a number, `true` or `false`, or the name of a literal.

    A text that is not a value of its type is returned unchanged, and is rejected by later checks.
    """
    if fmi_type == "Boolean" and text.lower() in ("true", "false"):
        return text.lower() == "true"
    if fmi_type in ("Integer", "Enumeration"):
        with suppress(ValueError):
            return int(text)
    if fmi_type in ("Real", "Integer"):
        with suppress(ValueError):
            return float(text)
    return text


def read_interface(fmu_path: Path) -> FmuInterface:
    """Read the model description of an FMU, or of a folder with its extracted files.

    Raises FmuError if it is missing, cannot be unpacked safely, is not an FMU, or does not support
    co-simulation by FMI 2.0 or 3.0.
    """
    if not fmu_path.exists():
        raise FmuError(f"{fmu_path}: no such FMU")
    if not fmu_path.is_dir():
        require_unpackable(fmu_path)
    try:
        description = read_model_description(fmu_path)
    except Exception as problem:  # fmpy raises Exception, and errors of zip and XML
        raise FmuError(
            f"{fmu_path}: cannot be read as an FMU: {' '.join(str(problem).split())}"
        ) from problem
    if description.fmiMajorVersion not in (2, 3) or description.coSimulation is None:
        raise FmuError(
            f"{fmu_path}: FMI {description.fmiVersion} "
            f"{'with' if description.coSimulation else 'without'} co-simulation; "
            "must be FMI 2.0 or 3.0 co-simulation"
        )
    require_model_identifier(fmu_path, description.coSimulation.modelIdentifier)
    variables = {variable.name: _simply_typed(variable) for variable in description.modelVariables}
    return FmuInterface(fmu_path, description, variables)


def _simply_typed(variable: ModelVariable) -> ModelVariable:
    """Return a variable with the FMI 2.0 name of its type."""
    typed = copy.copy(variable)
    typed.type = _SIMPLE_TYPES.get(variable.type, variable.type)
    return typed


def array_note(variable: ModelVariable) -> str:
    """Return `array [2, 3]` for an array, with its size at the start, otherwise ""."""
    if not variable.dimensions:
        return ""
    return f"array [{', '.join(map(str, variable.shape))}]"


def _scalar(variable: ModelVariable) -> ModelVariable:
    """Return the variable, or raise ValueError if it is an array."""
    if variable.dimensions:
        raise ValueError(
            f"variable {variable.name!r} is an {array_note(variable)} and must be a single number"
        )
    return variable


def _encoded(variable: ModelVariable, value: object) -> float | int | str:
    """Return `value` as the FMI type of `variable`, or raise ValueError."""
    match variable.type, value:
        case "Boolean", bool():
            return int(value)
        case "Real", (int() | float()) if not isinstance(value, bool):
            return float(value)
        case "Integer", int() if not isinstance(value, bool):
            return value
        case "String", str():
            return value
        case "Enumeration", _:
            return _code(variable, value)
    wanted = {
        "Boolean": "true or false",
        "Real": "a number",
        "Integer": "a whole number",
        "String": "a text",
    }[variable.type]
    raise ValueError(f"{variable.name}={value!r} must be {wanted}{point_for_comma(value)}")


def _code(variable: ModelVariable, value: object) -> int:
    items: list[Any] = variable.declaredType.items
    return literal_code(variable.name, value, {item.name: int(item.value) for item in items})


def literal_code(name: str, value: object, codes: Mapping[str, int]) -> int:
    """Return the number of a literal given by name or number, or raise ValueError."""
    if isinstance(value, str) and value in codes:
        return codes[value]
    if isinstance(value, int) and not isinstance(value, bool) and value in codes.values():
        return int(value)
    remedy = nearest(value, codes) if isinstance(value, str) else ""
    raise ValueError(f"{name}={value!r} must be one of {', '.join(codes)}{remedy}")
