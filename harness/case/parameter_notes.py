"""Notes on parameters that run, but rarely mean what they say, and on results that look like none.

Defaults make FrictionalShock.fmu reproduce SDND104 and the shock record wherever it is opened; a
few of them suit no other contact, and what is set for one law does nothing under another. A note is
one line. It never changes a run or an exit code, and it is not given where the user set the value
in question. The rules are those of `harness.case.note_rules`.
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
    """Return all parameters that are numbers as a run has them, enumerations by their code.

    Parameters
    ----------
    interface : FmuInterface
        Its start values hold for what is not given.
    given : mapping
        What is set, enumerations by name or number.
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
    """Return the notes on a run; see `notes_on`.

    Parameters
    ----------
    interface : FmuInterface
        The FMU that runs; its start values are the defaults.
    given : mapping
        What the user set, by name.
    outputs, compared
        As for `notes_on`.
    """
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
    """Return the notes on a run; none for a model of which there is nothing to note.

    Parameters
    ----------
    model : str
        Name of the FMU.
    values : mapping of str to float
        Its parameters, enumerations by their code; the others have the model's defaults.
    given : collection of str
        Names of those that the user set.
    outputs : Outputs, optional
        What came out; without it only what is known before the run is noted.
    compared : bool, optional
        Whether numbers of the run are compared with expected ones.
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
    """Return what a rule says of a run, None where it does not apply."""
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
        # An FMU of others may be called as ours.
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
    """Return where a gap starts and by how much it changes, if the one is many times the other.

    None otherwise, and for a gap that does not change at all: nothing moves there.
    """
    start, change = float(gap[0]), float(np.max(gap) - np.min(gap))
    return (start, change) if start > FAR * change > 0.0 else None
