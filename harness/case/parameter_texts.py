"""Parameters given on the command line as NAME=VALUE: read by their types, held to their ranges."""

from __future__ import annotations

from collections.abc import Mapping

from fmu_src.archive.start_values import checked_start_values, parameter_kinds
from fmu_src.bundled.definition import FmuDefinition
from harness.errors import UsageError
from harness.fmu.interface import value_of_text
from harness.messages import nearest
from harness.schema import ParameterValue
from wearmodel.quantities import QuantityError


def parameters_of_texts(
    option: str, definition: FmuDefinition, texts: Mapping[str, str]
) -> dict[str, ParameterValue]:
    """Return parameters of one of our FMUs by their FMI types, enumerations by literal name.

    Each is held to its own range; the rules between parameters are not asked for.

    Parameters
    ----------
    option : str
        What gave them, for messages: `--set`.
    definition : FmuDefinition
        Of the FMU.
    texts : mapping of str to str
        What was given, by name.

    Raises
    ------
    UsageError
        If there is no such parameter, or the text is no value of its type or out of its range.
    """
    kinds = parameter_kinds(definition)
    values = {}
    for name, text in texts.items():
        if name not in kinds:
            known = nearest(name, kinds)
            raise UsageError(
                f"{option} {name!r} is not a parameter of {definition.name}.fmu{known}"
            )
        values[name] = value_of_text(kinds[name], text)
        try:
            checked_start_values(definition, {name: values[name]})
        except QuantityError as problem:
            raise UsageError(f"{option} {name}={text}: {problem.rule}") from None
    return values
