"""Varied quantities of a sweep: parameters, or keys of inputs with their data files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from itertools import product
from typing import Any

from pydantic import TypeAdapter

from harness.case.case_file import Case, naming
from harness.fmu.signals import CsvSignal, SampledSignal
from harness.messages import nearest
from harness.sweep.sections import Varied
from harness.sweep.study import Target, unscaled


def target_of(varied: Varied, case: Case) -> Target:
    """Return the target of a varied quantity. It is not checked whether a parameter exists.

    Raises ValueError if the case does not have the input or does not set its key.
    """
    match varied.of.split("."):
        # Names of variables of a structure contain dots.
        case ["parameters", *names] if names:
            return ("parameters", ".".join(names))
        case ["inputs", *names, key] if names:
            name = ".".join(names)
            if name not in case.declared_inputs:
                raise ValueError(
                    f"{name!r} is not an input of the case{nearest(name, case.declared_inputs)}"
                )
            declared = case.declared_inputs[name]
            keys = [
                quantity.name
                for quantity in fields(declared)
                if quantity.name != "kind"
                and not isinstance(getattr(declared, quantity.name), tuple)
            ]
            if key not in keys:
                raise ValueError(
                    f"{key!r} must be one of {', '.join(keys)}: "
                    f"the case's {name} is of kind {declared.kind!r}{nearest(key, keys)}"
                )
            if getattr(declared, key) is None:
                raise ValueError(f"{key} is not set in the case: vary a key that is set")
            return ("inputs", name, key)
    raise ValueError("must be parameters.NAME or inputs.NAME.KEY")


def require_different(targets: list[Target]) -> None:
    """Raise ValueError if two varied quantities are the same."""
    for target in targets:
        if targets.count(target) > 1:
            raise ValueError(f"{'.'.join(target)} is varied twice")


def csv_tables(
    case: Case,
    targets: Iterable[Target],
    varied: Mapping[str, Varied],
    units: Mapping[str, str | None],
) -> dict[CsvSignal, SampledSignal]:
    """Return the contents of all CSV files of the points, in the units of the model's inputs.

    Raises ValueError for a range of a key that requires values. Raises CaseError if a file or
    column is missing, a table does not cover the experiment, or a unit has another dimension.
    """
    tables = {}
    for name, declared in case.declared_inputs.items():
        if not isinstance(declared, CsvSignal):
            continue
        choices = {
            target[2]: varied_quantity.values or ()
            for target, varied_quantity in zip(targets, varied.values(), strict=True)
            if target[:2] == ("inputs", name) and target[2] != "scale"
        }
        for key, values in choices.items():
            if not values:
                raise ValueError(f"inputs.{name}.{key} requires values instead of a range")
        for values in product(*choices.values()):
            changed: Any = dict(zip(choices, values, strict=True))
            section_of_table = unscaled(
                TypeAdapter(CsvSignal).validate_python({**asdict(declared), **changed})
            )
            with naming(f"inputs.{name}"):
                table = section_of_table.read(case.file.parent).in_unit(units.get(name))
                table.sample(case.experiment.times()[[0, -1]])  # raises if it is shorter
            tables[section_of_table] = table
    return tables
