"""Inputs that a host gives at an event of the shock spring."""

from __future__ import annotations

from ..contact.state_objects import ContactState
from ..limits import OK
from .parameters import LOAD, SpringParameters
from .state_objects import (
    IMPOSED_X,
    IMPOSED_Y,
    IMPOSED_Z,
    LOAD_X,
    LOAD_Y,
    LOAD_Z,
    SpringMemory,
    SpringState,
)
from .steps import lead_spring


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

    At an event that the model has reported the path continues, because the sample belongs to the
    step's end. With an effective mass the next step receives the sample. Returns OK, or an error
    without a change.
    """
    if is_requested != 0.0 or p.effective_mass > 0.0:
        return OK
    leg = memory.leg
    leg.end_x = s.drive_x
    leg.end_y = s.drive_y
    leg.end_z = s.drive_z
    by_load = p.drive == LOAD
    stiffness = p.elastic_stiffness if by_load else 1.0
    x = LOAD_X if by_load else IMPOSED_X
    y = LOAD_Y if by_load else IMPOSED_Y
    z = LOAD_Z if by_load else IMPOSED_Z
    if sample[x] != entered[x]:
        leg.end_x = sample[x] / stiffness
    if sample[y] != entered[y]:
        leg.end_y = sample[y] / stiffness
    if sample[z] != entered[z]:
        leg.end_z = sample[z] / stiffness
    return lead_spring(p, s, contact, 0.0, memory)
