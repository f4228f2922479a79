"""Pieces of a run of `ModalShock`, with their series and the contacts before them."""

from __future__ import annotations

from typing import Any

from wearmodel import ModalShock
from wearmodel.kernel import limits
from wearmodel.kernel.contact.state_objects import ContactState, ContactWork
from wearmodel.kernel.state_objects import state_object_of, values_of
from wearmodel.kernel.structure import steps
from wearmodel.kernel.structure.stepper import (
    NOT_REACHED,
    cross_structure_piece,
    end_structure_piece,
    event_at_end,
)


def record(model: ModalShock) -> list[dict[str, Any]]:
    """Return a list that records the pieces of all further steps of a model."""
    pieces: list[dict[str, Any]] = []

    def step(step_size: float, sample: list[float]) -> int:
        steps.take_sample(model._p, model._state, sample, step_size, model._work)
        code = _advance(model, step_size, pieces)
        if code != limits.OK:
            return code
        return steps.finish_step(model._state, step_size, model._work)

    model._step = step  # type: ignore[method-assign]
    return pieces


def _advance(model: ModalShock, step_size: float, pieces: list[dict[str, Any]]) -> int:
    """Advance as `advance_structure` does, and record the series of each piece."""
    counts = model._work.counts
    counts.events = counts.pieces = counts.watched_from = 0.0
    time = 0.0
    while time < step_size:
        before = [values_of(contact) for contact in model._state.contacts]
        reached = cross_structure_piece(model._body, model._state, model._work, time, step_size)
        if reached == NOT_REACHED:
            code = end_structure_piece(model._body, model._state, model._work, reached, step_size)
            return limits.OVERFLOW if code == limits.OK else code
        count = int(counts.motion)
        pieces.append(
            {
                "start": model._state.now.time + time,
                "duration": reached - time,
                "length": counts.piece_length,
                "end": counts.piece_end,
                "events": [event_at_end(work, counts) for work in model._work.works],
                "before": [state_object_of(ContactState, values) for values in before],
                "inputs": [row[: int(counts.inputs)] for row in model._work.piece_inputs],
                "input_length": counts.piece_length,
                "displacement": [row[:] for row in model._work.displacements[: count + 1]],
                "velocity": [row[:] for row in model._work.velocities[: count + 1]],
                "series": [
                    {
                        name: getattr(work, name)[:count]
                        for name in ContactWork.__annotations__
                        if name not in ("guard", "scratch", "spare", "exit")
                    }
                    for work in model._work.works
                ],
            }
        )
        code = end_structure_piece(model._body, model._state, model._work, reached, step_size)
        if code != limits.OK:
            return code
        time = reached
    return limits.OK
