"""The variables of an FMU of FMI 3.0: the scalars of FMI 2.0, and what lies behind them.

The scalars keep their value references. Behind them come the parameters of events, which the
kernel does not know, the count of events, the time as independent variable, arrays of outputs, and
constant arrays of texts.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fmu_src.bundled.definition import FmuDefinition, NativeForm
from fmu_src.bundled.variables import Variable, variables_of
from wearmodel.quantities import Choice, quantity


class ReturnAt(Choice):
    """Which events end a step early, where the master allows it."""

    none = 0, "no event does"
    shocks = 1, "contacts that close"
    slip_changes = 2, "slip that begins, ends or turns round"
    all = 3, "all of these, and contacts that open"


@dataclass(frozen=True)
class EventParameters:
    """What the user says of events."""

    return_at: ReturnAt = quantity(
        ReturnAt.none,
        description="Which events end a step early, where the master allows early return or uses "
        "event mode; all others are applied inside the step",
    )
    minimum_return_interval: float = quantity(
        0.0,
        description="Events less than this after the last one that ended a step are applied inside",
        unit="s",
        minimum=0.0,
    )


class Role(enum.IntEnum):
    """What an added variable is, in the numbers of the FMI layer."""

    time = 0
    event_count = 1
    elements = 2
    texts = 3


@dataclass(frozen=True)
class Added:
    """A variable behind the scalars.

    `elements` are the references of an array's outputs, row by row, `texts` what a constant array
    holds; `dimensions` is empty for a scalar.
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
    """Dataclasses of the parameters that an FMU of a version of FMI has beside its model's."""
    form = definition.native
    return (EventParameters,) if fmi == 3 and form is not None and has_events(form) else ()


def scalars_of(form: NativeForm, table: Sequence[Variable]) -> tuple[Variable, ...]:
    """The variables of FMI 2.0 and the parameters of events; the index is the value reference.

    A table that has the latter already, perhaps with other start values, is returned as it is.
    """
    events = variables_of((), (), EventParameters) if has_events(form) else ()
    present = {variable.name for variable in table}
    return (*table, *(variable for variable in events if variable.name not in present))


def added_to(form: NativeForm, scalars: Sequence[Variable]) -> tuple[Added, ...]:
    """What lies behind the scalars, in the order of the references.

    Raises
    ------
    ValueError
        A name is used twice.
    """
    reference: Mapping[str, int] = {variable.name: i for i, variable in enumerate(scalars)}
    added = [
        *(
            [
                Added(
                    "event_count",
                    Role.event_count,
                    "Instants so far at which contacts closed, opened or changed their slip",
                )
            ]
            if has_events(form)
            else []
        ),
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
        *(
            Added(names.name, Role.texts, names.description, (len(names.texts),), texts=names.texts)
            for names in form.names
        ),
    ]
    for twice in [variable.name for variable in added if variable.name in reference]:
        raise ValueError(f"{twice}: an added variable and one of the model have the same name")
    return tuple(added)
