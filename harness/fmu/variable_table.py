"""The table of variables of a shipped FMU or an .fmu file."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fmpy.model_description import ModelVariable

from fmu_src.bundled.variables import Variable
from fmu_src.models import fmu_definition, fmu_names
from harness.fmu.files import unknown_fmu
from harness.fmu.interface import array_note, read_interface
from wearmodel.quantities import Choice

_VALUES: dict[str, Any] = {
    "Real": float,
    "Integer": int,
    "Enumeration": int,
    "Boolean": lambda text: text in ("true", "1"),
    "String": str,
    "Binary": str,
    "Clock": str,
}


@dataclass(frozen=True)
class VariableTable:
    """The variables of an FMU in the order of its model description."""

    fmu: str
    title: str
    variables: tuple[Variable, ...]

    def to_json(self) -> str:
        """Return the table as JSON: an object with `fmu`, `title`, `variables`.

        Each variable has `name`, `causality`, `type`, `unit`, `start`, `minimum`, `maximum`,
        `above` (must be greater than its minimum), `literals` (numbers of an enumeration by name),
        `tunable` (may change during a run), `meaning`, `symbol` and `aliases`, or null.
        """
        content = {
            "fmu": self.fmu,
            "title": self.title,
            "variables": [
                {
                    "name": variable.name,
                    "causality": variable.causality,
                    "type": variable.kind,
                    "unit": variable.unit if variable.kind == "Real" else None,
                    "start": variable.start,
                    "minimum": variable.minimum,
                    "maximum": variable.maximum,
                    "above": variable.is_open_below,
                    "literals": variable.enumeration
                    and {x.name: int(x) for x in variable.enumeration},
                    "tunable": variable.is_tunable,
                    "meaning": variable.description,
                    "symbol": variable.symbol or None,
                    "aliases": variable.aliases,
                }
                for variable in self.variables
            ],
        }
        return json.dumps(content, indent=2, ensure_ascii=False)


def variable_table(source: str) -> VariableTable:
    """Return the variables of a shipped FMU given by name (without building it), or of a file.

    Raises FmuError if the FMU does not exist or cannot be read.
    """
    if source in fmu_names():
        slave = fmu_definition(source).slave
        return VariableTable(source, slave.title, slave.table)
    if not source.endswith(".fmu") and not Path(source).exists():
        raise unknown_fmu(source)
    interface = read_interface(Path(source))
    description = interface.description
    return VariableTable(
        description.modelName,
        description.description or description.modelName,
        tuple(_variable(variable) for variable in interface.variables.values()),
    )


def _variable(described: ModelVariable) -> Variable:
    """Return a variable of a model description in the form of our own tables."""
    value = _VALUES[described.type]
    enumeration: Any = None
    if described.type == "Enumeration":
        literals = {item.name: int(item.value) for item in described.declaredType.items}
        make: Any = Choice  # enum's functional form
        enumeration = make(described.declaredType.name, literals)
    array = array_note(described)
    start, minimum, maximum = (
        None if text is None else value(text)
        for text in (None if array else described.start, described.min, described.max)
    )
    is_number = described.type in ("Real", "Integer")
    return Variable(
        described.name,
        described.causality,
        described.type,
        ": ".join(text for text in (array, described.description) if text),
        unit=described.unit or "1",
        start=start,
        minimum=minimum if is_number else None,
        maximum=maximum if is_number else None,
        enumeration=enumeration,
        is_tunable=described.variability == "tunable",
    )
