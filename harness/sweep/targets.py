"""What a sweep varies: a parameter, or a key of an input; and the data files that come with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from itertools import product
from typing import Any

from pydantic import TypeAdapter

from harness.case.case_file import Case
from harness.fmu.signals import CsvSignal, SampledSignal
from harness.messages import nearest
from harness.sweep.sections import Varied
from harness.sweep.study import Target, unscaled


def target_of(varied: Varied, case: Case) -> Target:
    """Return where the values of a varied quantity go.

    That a parameter exists is not checked here: the model knows its names.

    Raises
    ------
    ValueError
        If the case has no such input, or does not set such a key of it.
    """
    match varied.of.split("."):
        # Names of a structure's variables have dots of their own.
        case ["parameters", *names] if names:
            return ("parameters", ".".join(names))
        case ["inputs", *names, key] if names:
            name = ".".join(names)
            if name not in case.declared_inputs:
                raise ValueError(
                    f"the case feeds no input {name!r}{nearest(name, case.declared_inputs)}"
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
                raise ValueError(f"the case does not set {key}; vary what it sets instead")
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
    """Return the contents of every CSV file that a point may name.

    Parameters
    ----------
    case, targets, varied
        The case, what is varied of it, and how.
    units : mapping of str to str
        Of the model's inputs by name, to which the values are converted.

    Raises
    ------
    ValueError
        If one is missing, has no such column, does not cover the experiment, or names a unit that
        is not one of the input.
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
                raise ValueError(f"inputs.{name}.{key} takes values, and no range")
        for values in product(*choices.values()):
            changed: Any = dict(zip(choices, values, strict=True))
            section_of_table = unscaled(
                TypeAdapter(CsvSignal).validate_python({**_keys(declared), **changed})
            )
            table = section_of_table.read(case.file.parent).in_unit(units.get(name))
            table.sample(case.experiment.times()[[0, -1]])  # covers the span, or says so
            tables[section_of_table] = table
    return tables


def _keys(declared: CsvSignal) -> dict[str, Any]:
    return {quantity.name: getattr(declared, quantity.name) for quantity in fields(declared)}
