"""Parameters given on the command line as NAME=VALUE, checked by type and range."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fmu_src.archive.start_values import checked_start_values
from fmu_src.bundled.definition import FmuDefinition
from fmu_src.bundled.variables import variables_of
from harness.errors import UsageError
from harness.fmu.interface import value_of_text
from harness.messages import point_for_comma, unknown_variable
from harness.schema import ParameterValue
from wearmodel.quantities import QuantityError


def parameters_of_texts(
    option: str,
    definition: FmuDefinition,
    texts: Mapping[str, str],
    further: Sequence[type] = (),
) -> dict[str, ParameterValue]:
    """Return parameters of a shipped FMU from texts given by an option such as `--set`.

    Enumerations are accepted by name or number and returned by name. Rules between parameters are
    not checked. `further` contains dataclasses of parameters that the FMU has besides those of its
    model. Raises UsageError for an unknown name, a wrong type or a value outside its range.
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
