"""Notes on valid but unusual parameters, and on runs without contact or wear.

The defaults of FrictionalShock reproduce SDND104. Some of them do not suit other contacts, and
parameters of one law have no effect with another. There is no note on a default that the user has
set. `harness.case.note_rules` contains the rules.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from harness.case.note_rules import DEFAULTS, FAR, RULES, NoteRule
from harness.fmu.interface import FmuInterface

Outputs: TypeAlias = Mapping[str, NDArray[np.float64]]
"""Histories of a run by the names of its outputs."""


def all_parameters(
    interface: FmuInterface, given: Mapping[str, bool | int | float | str]
) -> dict[str, float]:
    """Return all numeric parameters of a run, enumerations by their code.

    Those that are not `given` have their start values.
    """
    values = {}
    for name, variable in interface.variables.items():
        if variable.causality != "parameter" or variable.type == "String":
            continue
        if name in given:
            value = interface.parameter(name, given[name])[1]
        else:
            value = {"true": 1, "false": 0}.get(variable.start, variable.start)
        values[name] = float(value)
    return values


def parameter_notes(
    interface: FmuInterface,
    given: Mapping[str, bool | int | float | str],
    *,
    outputs: Outputs | None = None,
    compared: bool = False,
) -> tuple[str, ...]:
    """Return the notes on a run of an FMU, see `notes_on`."""
    return notes_on(
        interface.description.modelName,
        all_parameters(interface, given),
        given,
        outputs=outputs,
        compared=compared,
    )


def notes_on(
    model: str,
    values: Mapping[str, float],
    given: Collection[str],
    *,
    outputs: Outputs | None = None,
    compared: bool = False,
) -> tuple[str, ...]:
    """Return the notes on a run, empty for a model without rules.

    Parameters
    ----------
    model : str
        Name of the FMU.
    values : mapping of str to float
        Parameters, enumerations by their code. Missing parameters have the default of the model.
    given : collection of str
        Names of the parameters that the user has set.
    outputs : Outputs, optional
        Result of the run. Without it, only notes that are known before the run are returned.
    compared : bool, optional
        Whether the case has expected values.
    """
    values = {**DEFAULTS, **values}
    noted = (
        _note(rule, values, given, outputs)
        for rule in RULES.get(model, ())
        if not (compared and rule.unless_compared)
    )
    return tuple(note for note in noted if note is not None)


def _note(
    rule: NoteRule,
    values: Mapping[str, float],
    given: Collection[str],
    outputs: Outputs | None,
) -> str | None:
    """Return the text of a rule for a run, or None if it does not apply."""
    total = sum(
        parameter.factor * prod(values[name] for name in parameter.names)
        for parameter in rule.positive
    )
    applies = (
        all(values[name] in codes for name, codes in rule.where.items())
        and all(name not in given and values[name] == DEFAULTS[name] for name in rule.untouched)
        and all(name in given and values[name] != DEFAULTS[name] for name in rule.changed)
        and (not rule.positive or total > 0.0)
    )
    if not applies:
        return None
    figures = {**values, "sum": total}
    if rule.outputs:
        # An FMU of another tool may have the name of ours.
        if outputs is None or any(name not in outputs for name in rule.outputs):
            return None
        if not all(outputs[name][-1] == 0.0 for name in rule.zero):
            return None
        if rule.not_zero and all(outputs[name][-1] == 0.0 for name in rule.not_zero):
            return None
        if rule.far:
            far = far_start(outputs[rule.far])
            if far is None:
                return None
            figures["start"], figures["range"] = far
    return rule.text.format_map({name: f"{figure:g}" for name, figure in figures.items()})


def far_start(gap: NDArray[np.float64]) -> tuple[float, float] | None:
    """Return start and range of a gap that starts at more than `FAR` times its range, or None.

    A gap that does not change is not far: the contact does not move.
    """
    start, change = float(gap[0]), float(np.max(gap) - np.min(gap))
    return (start, change) if start > FAR * change > 0.0 else None
