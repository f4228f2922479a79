"""The variables of an FMU of FMI 3.0: the scalars of FMI 2.0 and added variables.

The scalars keep their value references. The added variables follow: the parameters of events, which
the kernel does not use, the count of events, the time as independent variable, arrays of outputs,
and constant arrays of texts.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fmu_src.bundled.definition import FmuDefinition, NativeForm
from fmu_src.bundled.variables import Variable, variables_of
from wearmodel.quantities import Choice, quantity


class ReturnAt(Choice):
    """Events that end a step early if the master allows it."""

    none = 0, "no events"
    shocks = 1, "closing contacts"
    slip_changes = 2, "start, end and reversal of slip"
    all = 3, "all of these, and opening contacts"


@dataclass(frozen=True)
class EventParameters:
    """Parameters of events."""

    return_at: ReturnAt = quantity(
        ReturnAt.none,
        description="Events that end a step early if the master allows early return or uses event "
        "mode. Other events are applied inside the step",
    )
    minimum_return_interval: float = quantity(
        0.0,
        description="Events less than this time after the last event that ended a step are applied "
        "inside the step",
        unit="s",
        minimum=0.0,
    )


class Role(enum.IntEnum):
    """Kind of an added variable, by the numbers of the FMI layer."""

    time = 0
    event_count = 1
    elements = 2
    texts = 3


@dataclass(frozen=True)
class Added:
    """A variable that FMI 3.0 adds to the scalars.

    `elements` are the references of an array's outputs or parameters, row by row. `texts` are the
    elements of a constant array. `dimensions` is empty for a scalar.
    """

    name: str
    role: Role
    description: str
    dimensions: tuple[int, ...] = ()
    elements: tuple[int, ...] = ()
    texts: tuple[str, ...] = ()


def has_events(form: NativeForm) -> bool:
    """Whether a step of the model can end at an event."""
    return form.step_to_event is not None


def further_parameters(definition: FmuDefinition, fmi: int) -> tuple[type, ...]:
    """Dataclasses of the parameters that a version of FMI adds to those of the model."""
    form = definition.native
    return (EventParameters,) if fmi == 3 and form is not None and has_events(form) else ()


def scalars_of(form: NativeForm, table: Sequence[Variable]) -> tuple[Variable, ...]:
    """Return the variables of FMI 2.0 and the parameters of events, by value reference.

    A table that already contains the parameters of events is returned unchanged.
    """
    events = variables_of((), (), EventParameters) if has_events(form) else ()
    present = {variable.name for variable in table}
    return (*table, *(variable for variable in events if variable.name not in present))


def _indexed_arrays(scalars: Sequence[Variable]) -> list[Added]:
    """Arrays of the outputs or parameters NAME[1] …. Parameters can be set as a whole."""
    elements: dict[str, list[int]] = {}
    for reference, variable in enumerate(scalars):
        name, _, index = variable.name.partition("[")
        if index:
            elements.setdefault(name, []).append(reference)
    return [
        Added(
            name,
            Role.elements,
            re.sub(r"\b(Row|side) 1\b", r"\1s", scalars[references[0]].description),
            (len(references),),
            tuple(references),
        )
        for name, references in elements.items()
    ]


def added_to(form: NativeForm, scalars: Sequence[Variable]) -> tuple[Added, ...]:
    """Return the added variables by reference. ValueError if a name is used twice."""
    reference: Mapping[str, int] = {variable.name: i for i, variable in enumerate(scalars)}
    count = (
        "Number of instants at which a contact has closed or opened, or slip has started, ended or "
        "reversed"
    )
    added = [
        *([Added("event_count", Role.event_count, count)] if has_events(form) else []),
        Added("time", Role.time, "Time"),
        *(
            Added(
                array.name,
                Role.elements,
                array.description,
                array.dimensions,
                elements=tuple(reference[name] for name in array.elements),
            )
            for array in form.arrays
        ),
        *_indexed_arrays(scalars),
        *(
            Added(names.name, Role.texts, names.description, (len(names.texts),), texts=names.texts)
            for names in form.names
        ),
    ]
    for twice in [variable.name for variable in added if variable.name in reference]:
        raise ValueError(f"{twice}: an added variable and one of the model have the same name")
    return tuple(added)
