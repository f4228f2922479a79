"""Inputs that a master sets at an event of the shock spring."""

from __future__ import annotations

from ..contact.state_objects import ContactState
from ..limits import OK
from .parameters import SpringParameters
from .state_objects import SpringMemory, SpringState
from .steps import driven_by, lead_spring


def take_spring_event_inputs(
    p: SpringParameters,
    s: SpringState,
    contact: ContactState,
    sample: list[float],
    entered: list[float],
    is_requested: float,
    memory: SpringMemory,
) -> int:
    """Move the spring quasi-statically to the values of a sample that differ from `entered`.

    Nothing changes at an event that the model has requested, because the sample belongs to the end
    of the step. With an effective mass the next step receives it. Returns OK or an error.
    """
    if is_requested != 0.0 or p.effective_mass > 0.0:
        return OK
    leg = memory.leg
    leg.end_x = s.drive_x
    leg.end_y = s.drive_y
    leg.end_z = s.drive_z
    x, stiffness = driven_by(p)
    if sample[x] != entered[x]:
        leg.end_x = sample[x] / stiffness
    if sample[x + 1] != entered[x + 1]:
        leg.end_y = sample[x + 1] / stiffness
    if sample[x + 2] != entered[x + 2]:
        leg.end_z = sample[x + 2] / stiffness
    return lead_spring(p, s, contact, 0.0, memory)
