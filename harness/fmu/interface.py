"""Variables of an FMU by name, with checks of values and of the archive."""

from __future__ import annotations

import copy
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from fmpy import read_model_description
from fmpy.model_description import (
    CoSimulation,
    Item,
    ModelDescription,
    ModelVariable,
    SimpleType,
)

from fmu_src.archive.start_values import checked_start_values
from fmu_src.bundled.definition import FmuDefinition
from fmu_src.bundled.model_description import start_text
from fmu_src.bundled.variables import Variable, variables_of
from fmu_src.models import fmu_names
from harness.errors import FmuError, UsageError
from harness.messages import nearest, point_for_comma, unknown_variable
from harness.schema import ParameterValue
from wearmodel.quantities import QuantityError
from wearmodel.read_files import open_regular

# Types that the harness reads as numbers. FMI 2 passes enumerations as integers.
NUMERIC_TYPES = ("Real", "Integer", "Enumeration", "Boolean")

# FMI 2.0 names of FMI 3.0 types. Other types have the same name or are not numbers.
_REALS = ("Float32", "Float64")
_INTEGERS = ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64")
_SIMPLE_TYPES = dict.fromkeys(_REALS, "Real") | dict.fromkeys(_INTEGERS, "Integer")


@dataclass(frozen=True)
class FmuInterface:
    """Variables of an FMI 2.0 or 3.0 co-simulation FMU, or of a model that runs without an FMU."""

    # The .fmu file, or the folder with its extracted files, or the name of a model.
    path: Path
    description: ModelDescription
    # Variables by name in the order of the file, including arrays. Their types have the names of
    # FMI 2.0: `Real` for Float and `Integer` for Int.
    variables: Mapping[str, ModelVariable]
    # Whether it is a shipped model without an FMU, see `interface_of`.
    is_model: bool = False

    @property
    def units(self) -> dict[str, str | None]:
        """Units of the variables by name."""
        return {name: variable.unit for name, variable in self.variables.items()}

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

    def readable(self, name: str) -> ModelVariable:
        """Return a variable that can be read as a number, or raise ValueError."""
        variable = self._known(name, "variable")
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
        """Raise ValueError unless the FMU has these variables and the values fit their types.

        A model checks its values itself.
        """
        if self.is_model:
            self.require("parameter", parameters)
            self.require("input", inputs)
            self.require("output", outputs)
            return
        for name, value in parameters.items():
            self.parameter(name, value)
        for name in inputs:
            self.input(name)
        for name in outputs:
            self.readable(name)

    def require(self, role: str, names: Iterable[str]) -> None:
        """Raise ValueError for the first name that is not a variable of this role."""
        for name in names:
            self._known(name, role)

    def _known(self, name: str, role: str) -> ModelVariable:
        """Return the variable, or raise ValueError that suggests the nearest name."""
        causalities = {variable.name: variable.causality for variable in self.variables.values()}
        if role not in ("variable", causalities.get(name)) or name not in causalities:
            model = self.description.modelName
            # A file with another name may have other variables, such as the FMU of a structure.
            usual = model in fmu_names() and self.path.stem == model
            listed_as = model if usual else str(self.path)
            raise ValueError(unknown_variable(name, role, self.path.name, causalities, listed_as))
        return self.variables[name]


def value_of_text(fmi_type: str, text: str) -> bool | int | float | str:
    """Return the value of a text: a number, `true` or `false`, or the name of a literal.

    A text that is not a value of its type is returned unchanged. Later checks reject it.
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
        raise FmuError(f"{fmu_path}: no such FMU; `wearfmu build` writes FMUs into build/")
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
    identifier = description.coSimulation.modelIdentifier
    if not re.fullmatch(r"\w[\w.-]*", identifier):  # the name of the library
        raise FmuError(
            f"{fmu_path}: modelIdentifier {identifier!r} must be a C identifier: letters, digits "
            "and _"
        )
    variables = {variable.name: _simply_typed(variable) for variable in description.modelVariables}
    return FmuInterface(fmu_path, description, variables)


def interface_of(definition: FmuDefinition) -> FmuInterface:
    """Return the variables of a shipped model for runs without an FMU, from their declarations."""
    description = ModelDescription(
        fmiVersion="2.0",
        modelName=definition.name,
        coSimulation=CoSimulation(canInterpolateInputs=definition.takes_derivatives),
    )
    variables = {variable.name: _described(variable) for variable in definition.slave.table}
    return FmuInterface(Path(definition.name), description, variables, is_model=True)


def _described(variable: Variable) -> ModelVariable:
    items = [Item(member.name, str(member.value)) for member in variable.enumeration or ()]
    return ModelVariable(
        name=variable.name,
        type=variable.kind,
        causality=variable.causality,
        variability=variable.variability,
        unit=variable.unit,
        start=None if variable.start is None else start_text(variable),
        declaredType=SimpleType(items=items),
    )


def _simply_typed(variable: ModelVariable) -> ModelVariable:
    """Return a variable with the FMI 2.0 name of its type."""
    typed = copy.copy(variable)
    typed.type = _SIMPLE_TYPES.get(variable.type, variable.type)
    return typed


def array_note(variable: ModelVariable) -> str:
    """Return `array [2, 3]` with the initial size for an array, otherwise ""."""
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
            codes = {item.name: int(item.value) for item in variable.declaredType.items}
            return literal_code(variable.name, value, codes)
    wanted = {
        "Boolean": "true or false",
        "Real": "a number",
        "Integer": "a whole number",
        "String": "a text",
    }[variable.type]
    raise ValueError(f"{variable.name}={value!r} must be {wanted}{point_for_comma(value)}")


def literal_code(name: str, value: object, codes: Mapping[str, int]) -> int:
    """Return the number of a literal given by name or number, or raise ValueError."""
    if isinstance(value, str) and value in codes:
        return codes[value]
    if isinstance(value, int) and not isinstance(value, bool) and value in codes.values():
        return int(value)
    remedy = nearest(value, codes) if isinstance(value, str) else ""
    raise ValueError(f"{name}={value!r} must be one of {', '.join(codes)}{remedy}")


# Far above any FMU, and below the capacity of usual temporary folders.
_MOST_BYTES = 2 * 1024**3
_MOST_MEMBERS = 20_000


def require_unpackable(fmu: Path) -> None:
    """Raise FmuError unless the archive can be unpacked into a folder without filling the disk.

    Only its directory is read, because no member can yield more bytes than its entry declares.
    """
    try:
        with open_regular(fmu, _MOST_BYTES) as stream, zipfile.ZipFile(stream) as archive:
            members = archive.infolist()
    except OSError as problem:
        raise FmuError(f"{fmu}: {problem.strerror}") from None
    except Exception as problem:  # damaged archives raise many types of exceptions
        raise FmuError(f"{fmu}: cannot be read as an FMU: {problem}") from problem
    size = sum(member.file_size for member in members)
    if len(members) > _MOST_MEMBERS or size > _MOST_BYTES:
        raise FmuError(
            f"{fmu}: contains {len(members)} files of {size / 1e9:.3g} GB together; must be "
            f"≤ {_MOST_MEMBERS} files and ≤ {_MOST_BYTES / 1e9:.3g} GB"
        )
    # `ZipInfo` may change the name.
    reason = _name_problem([member.orig_filename for member in members])
    if reason is not None:
        raise FmuError(f"{fmu}: cannot be unpacked: {reason}")


def require_whole(fmu: Path) -> None:
    """Raise FmuError unless the checksums of all members of the archive are correct."""
    try:
        with zipfile.ZipFile(fmu) as archive:
            damaged = archive.testzip()
    except Exception as problem:  # as above
        raise FmuError(f"{fmu}: is damaged: {problem}") from problem
    if damaged is not None:
        raise FmuError(f"{fmu}: is damaged: the checksum of {damaged} is wrong")


def _name_problem(names: Iterable[str]) -> str | None:
    """Return the reason why files with these names cannot be unpacked into a folder, or None."""
    files: set[str] = set()
    folders: set[str] = set()
    for name in names:
        parts = name.rstrip("/").split("/")
        if not name.isprintable() or re.search(r"[\\:]", name):
            return f"the name {name!r} contains a backslash, a colon or a control character"
        if name.startswith("/") or ".." in parts:
            return f"{name!r} is a path outside the FMU"
        path = str(PurePosixPath(name))
        if name.endswith("/"):
            folders.add(path)
        elif path in files:
            return f"there are two files {name!r}"
        else:
            files.add(path)
        folders.update(str(parent) for parent in PurePosixPath(name).parents)
    clash = min(files & folders, default=None)
    return None if clash is None else f"{clash!r} is both a file and a folder"


def parameters_of_texts(
    option: str,
    definition: FmuDefinition,
    texts: Mapping[str, str],
    further: Sequence[type] = (),
) -> dict[str, ParameterValue]:
    """Return parameters of a shipped FMU from texts given by an option such as `--set`.

    Enumerations are accepted by name or number and returned by name. Rules between parameters are
    not checked. `further` contains dataclasses of parameters of the FMU that its model does not
    have. Raises UsageError for an unknown name, a wrong type or a value outside its range.
    """
    beside = [variable for added in further for variable in variables_of((), (), added)]
    table = {variable.name: variable for variable in (*definition.slave.table, *beside)}
    values: dict[str, ParameterValue] = {}
    for name, text in texts.items():
        if name not in table or table[name].causality != "parameter":
            causalities = {variable.name: variable.causality for variable in table.values()}
            own = definition.name
            problem = unknown_variable(name, "parameter", f"{own}.fmu", causalities, own)
            raise UsageError(f"{option} {problem}")
        values[name] = value_of_text(table[name].kind, text)
        try:
            checked_start_values(definition, {name: values[name]}, further)
        except QuantityError as error:
            remedy = point_for_comma(text) if table[name].kind in ("Real", "Integer") else ""
            raise UsageError(f"{option} {name}={text}: {error.rule}{remedy}") from None
        value, enumeration = values[name], table[name].enumeration
        if enumeration is not None and isinstance(value, int):
            values[name] = enumeration(value).name
    return values
