"""The shock spring from step to step: start, step, saved states, outputs.

The Python object and the native FMU call it. With given loads the driving point of the law is the
far end of the elastic spring, see `wearmodel.models.shock_spring`. A sample is a row (instant, load
along x, y, z, imposed displacement along x, y, z).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..contact.friction import (
    sliding_friction,
)
from ..limits import FLIGHT, NO_SUCH_MODE, OK, SLIP
from .law import OUT_OF_RANGE, lead_along, shrink_to_cone
from .parameters import LARGEST, LOAD, bound_per_force
from .planar_slip import length_of
from .records import IMPOSED_X, IMPOSED_Y, IMPOSED_Z, LOAD_X, LOAD_Y, LOAD_Z

if TYPE_CHECKING:
    from .parameters import SpringParameters
    from .records import Leg, SpringState, SpringWork

# Result codes beside those of the law, WEAR_RUNS_AWAY and TOO_MANY_LEG_PIECES.
LOADS_OUT_OF_RANGE = 2
DISPLACEMENTS_OUT_OF_RANGE = 3


def start_spring(
    p: SpringParameters, s: SpringState, sample: list[float], leg: Leg, work: SpringWork
) -> int:
    """Lead a spring whose state is 0 to where it begins, and as slowly as can be to a sample."""
    leg.end_x = 0.0
    leg.end_y = 0.0
    leg.end_z = 0.0
    code = _lead(p, s, 0.0, leg, work)
    if code == OK:
        code = step_spring(p, s, sample, 0.0, leg, work)
    return code


def step_spring(
    p: SpringParameters,
    s: SpringState,
    sample: list[float],
    step_size: float,
    leg: Leg,
    work: SpringWork,
) -> int:
    """Lead the spring on a straight line to a sample of its drive; OK or what failed.

    `step_size` [s]; 0 or infinite: as slowly as can be. Unless it is OK the state stands.
    """
    if p.drive == LOAD:
        elastic = p.elastic_stiffness
        leg.end_x = sample[LOAD_X] / elastic
        leg.end_y = sample[LOAD_Y] / elastic
        leg.end_z = sample[LOAD_Z] / elastic
    else:
        leg.end_x = sample[IMPOSED_X]
        leg.end_y = sample[IMPOSED_Y]
        leg.end_z = sample[IMPOSED_Z]
    return _lead(p, s, step_size, leg, work)


def _lead(p: SpringParameters, s: SpringState, step_size: float, leg: Leg, work: SpringWork) -> int:
    """Lead the driving point on a straight line; the state stands unless it is OK."""
    if step_size > 0.0:
        way = abs(leg.end_x - s.drive_x) + abs(leg.end_y - s.drive_y) + abs(leg.end_z - s.drive_z)
        # Written so that a value that is not a number fails as well.
        if not way <= LARGEST * step_size:
            return _out_of_range(p)
    if p.is_plain != 0.0:
        code = lead_along(p, s, p.bound_per_force, 0.0, leg, work)
    else:
        code = _lead_by_rates(p, s, step_size, leg, work)
    if code == OUT_OF_RANGE:
        return _out_of_range(p)
    if code == OK:
        s.slip_velocity = s.slip_velocity / step_size if step_size > 0.0 else 0.0
    return code


def _out_of_range(p: SpringParameters) -> int:
    return LOADS_OUT_OF_RANGE if p.drive == LOAD else DISPLACEMENTS_OUT_OF_RANGE


def _lead_by_rates(
    p: SpringParameters, s: SpringState, step_size: float, leg: Leg, work: SpringWork
) -> int:
    """As `_lead` with dampers, varying friction or wear that acts back."""
    anchoring_y = s.anchoring_y
    anchoring_z = s.anchoring_z
    stretch_y = s.stretch_y
    stretch_z = s.stretch_z
    wear_work = s.wear_work
    opening = s.opening
    velocity_x = 0.0
    velocity_y = 0.0
    velocity_z = 0.0
    leg.path_x = leg.end_x - s.drive_x
    leg.path_y = leg.end_y - s.drive_y
    leg.path_z = leg.end_z - s.drive_z
    leg.normal_stiffness = p.driven_normal_stiffness
    leg.tangential_stiffness = p.driven_tangential_stiffness
    leg.friction = p.constant_friction
    leg.stretch_per_force = p.bound_per_force
    leg.normal_damper = 0.0
    leg.tangential_damper = 0.0
    if step_size > 0.0:
        velocity_x = leg.path_x / step_size
        velocity_y = leg.path_y / step_size
        velocity_z = leg.path_z / step_size
        leg.normal_damper = p.contact_damping / step_size
        leg.tangential_damper = p.tangential_damping / step_size
    if p.constant_friction < 0.0:
        speed = 0.0
        if step_size > 0.0:
            speed = length_of(leg.path_y, leg.path_z) / step_size
        leg.friction = sliding_friction(p, speed)
        leg.stretch_per_force = bound_per_force(p, leg.friction)
    leg.opening_per_work = p.opening_per_work
    leg.runaway_per_force = leg.stretch_per_force * leg.normal_stiffness * leg.opening_per_work
    code = OK
    if leg.tangential_damper == 0.0 and p.cone_jumps != 0.0:
        code = shrink_to_cone(s, leg, p.gap_at_rest)
    if code == OK:
        pull = leg.normal_damper * leg.path_x
        code = lead_along(p, s, leg.stretch_per_force, pull, leg, work)
    if code != OK:
        s.anchoring_y = anchoring_y
        s.anchoring_z = anchoring_z
        s.stretch_y = stretch_y
        s.stretch_z = stretch_z
        s.wear_work = wear_work
        s.opening = opening
        return code
    s.velocity_x = velocity_x
    s.velocity_y = velocity_y
    s.velocity_z = velocity_z
    return OK


def broken_spring_state(p: SpringParameters, s: SpringState) -> tuple[int, float, float]:
    """0, or what is wrong with a state whose numbers are finite, and two that its message shows."""
    mode = s.mode
    if not (mode == 0.0 or mode == 1.0 or mode == 2.0):
        return NO_SUCH_MODE, mode, 0.0
    return 0, 0.0, 0.0


def spring_outputs(p: SpringParameters, s: SpringState) -> tuple[float, ...]:
    """Outputs in the order of `wearmodel.models.shock_spring.OUTPUTS`."""
    force = 0.0
    if s.mode != FLIGHT:
        force = p.driven_normal_stiffness * -(s.drive_x + (p.gap_at_rest + s.opening))
        force = max(0.0, force - p.contact_damping * s.velocity_x)
    force_x = -force if force > 0.0 else 0.0
    force_y = p.driven_tangential_stiffness * (s.stretch_y + (s.drive_y - s.anchoring_y))
    force_z = p.driven_tangential_stiffness * (s.stretch_z + (s.drive_z - s.anchoring_z))
    if p.tangential_damping > 0.0 and s.mode != FLIGHT:
        force_y += p.tangential_damping * s.velocity_y
        force_z += p.tangential_damping * s.velocity_z
        dragging = length_of(force_y, force_z)
        if s.mode == SLIP and dragging > 0.0:
            speed = length_of(s.velocity_y, s.velocity_z)
            held = sliding_friction(p, speed) * force / dragging
            force_y *= held
            force_z *= held
    volume = p.volume_per_work * s.wear_work
    return (
        s.drive_x - p.compliance * force_x,
        s.drive_y - p.compliance * force_y,
        s.drive_z - p.compliance * force_z,
        force_x,
        force_y,
        force_z,
        s.anchoring_y - s.stretch_y,
        s.anchoring_z - s.stretch_z,
        s.mode,
        s.wear_work,
        s.slip_velocity,
        force * s.slip_velocity,
        volume,
        volume / p.wear_area,
    )
