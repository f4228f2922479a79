"""Notes on the parameters of a sweep: those of its runs, each once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.case.notes import motion_notes
from harness.fmu.interface import FmuInterface
from harness.sweep.points import Point
from harness.sweep.study import Study, Target


def sweep_notes(
    study: Study, points: Sequence[Point], interface: FmuInterface | None
) -> dict[str, int]:
    """Return the notes on the points of a sweep, each with the first point that it is true of.

    What numbers are varied changes no note but for the numbers in it: one point is looked at for
    each combination of the laws and switches that are varied.

    Parameters
    ----------
    study : Study
        What computes the points.
    points : sequence of Point
        All of them, one at least.
    interface : FmuInterface, optional
        The FMU's, for the engine "fmu".
    """
    laws = _enumerations(study, interface)
    switches = [
        at
        for at, (target, value) in enumerate(zip(study.targets, points[0], strict=True))
        if isinstance(value, bool | str) or target in laws
    ]
    combinations: dict[Point, int] = {}
    for number, point in enumerate(points if switches else points[:1]):
        combinations.setdefault(tuple(point[at] for at in switches), number)
    notes: dict[str, int] = {}
    for number in combinations.values():
        for note in _notes_at(study, points[number], interface):
            notes.setdefault(note, number)
    return notes


def _enumerations(study: Study, interface: FmuInterface | None) -> set[Target]:
    """Return the parameters that name a law, in whatever way a point gives them."""
    types = (
        {one.name: one.kind for one in study.definition.slave.table}
        if interface is None
        else {name: one.type for name, one in interface.variables.items()}
    )
    return {("parameters", name) for name, kind in types.items() if kind == "Enumeration"}


def _notes_at(study: Study, point: Point, interface: FmuInterface | None) -> tuple[str, ...]:
    """Return the notes at a point; none where it fails, which has its own reason."""
    given: dict[str, Any] = study.parameters_at(point)
    try:
        return motion_notes(
            study.definition if interface is None else interface,
            given,
            study.inputs_at(point),
            structure=study.structure,
        )
    except (ValueError, TypeError):
        return ()
