"""The shock spring from step to step: start, step, saved states, outputs.

The Python object and the native FMU call it. With given loads the driving point of the law is the
far end of the elastic spring, see `wearmodel.models.shock_spring`. A sample is a row (instant, load
along x, y, z, imposed displacement along x, y, z).
"""

from __future__ import annotations

from ..contact.friction import sliding_friction
from ..contact.obstacle import CIRCLE, PLANE, TWO_PLANES
from ..contact.records import ContactState, copy_contact
from ..limits import FLIGHT, NO_SUCH_MODE, NO_SUCH_ZEROS, OK, SLIP
from ..series.arithmetic import magnitude
from ..series.roots import impossible_count
from .law import OUT_OF_RANGE, lead_along, shrink_to_cone
from .parameters import LARGEST, LOAD, SpringParameters, bound_per_force
from .path import follow_path, path_forces
from .records import (
    IMPOSED_X,
    IMPOSED_Y,
    IMPOSED_Z,
    LOAD_X,
    LOAD_Y,
    LOAD_Z,
    SpringMemory,
    SpringState,
    copy_spring,
)

# Result codes beside those of the law, WEAR_RUNS_AWAY and TOO_MANY_LEG_PIECES.
LOADS_OUT_OF_RANGE = 2
DISPLACEMENTS_OUT_OF_RANGE = 3


def start_spring(
    p: SpringParameters,
    s: SpringState,
    contact: ContactState,
    sample: list[float],
    memory: SpringMemory,
) -> int:
    """Lead a spring whose state is 0 to where it begins, and as slowly as can be to a sample.

    `contact` is the state of a contact that is led as `path` does; at planes it stays 0.
    """
    leg = memory.leg
    leg.end_x = 0.0
    leg.end_y = 0.0
    leg.end_z = 0.0
    code = lead_spring(p, s, contact, 0.0, memory)
    if code == OK:
        code = step_spring(p, s, contact, sample, 0.0, memory)
    return code


def step_spring(
    p: SpringParameters,
    s: SpringState,
    contact: ContactState,
    sample: list[float],
    step_size: float,
    memory: SpringMemory,
) -> int:
    """Lead the spring on a straight line to a sample of its drive; OK or what failed.

    `step_size` [s]; 0 or infinite: as slowly as can be. Unless it is OK the state stands.
    """
    leg = memory.leg
    if p.drive == LOAD:
        elastic = p.elastic_stiffness
        leg.end_x = sample[LOAD_X] / elastic
        leg.end_y = sample[LOAD_Y] / elastic
        leg.end_z = sample[LOAD_Z] / elastic
    else:
        leg.end_x = sample[IMPOSED_X]
        leg.end_y = sample[IMPOSED_Y]
        leg.end_z = sample[IMPOSED_Z]
    return lead_spring(p, s, contact, step_size, memory)


def lead_spring(
    p: SpringParameters,
    s: SpringState,
    contact: ContactState,
    step_size: float,
    memory: SpringMemory,
) -> int:
    """Lead the driving point on a straight line; the state stands unless it is OK."""
    leg = memory.leg
    code = OK
    if step_size > 0.0:
        way = abs(leg.end_x - s.drive_x) + abs(leg.end_y - s.drive_y) + abs(leg.end_z - s.drive_z)
        # Written so that a value that is not a number fails as well.
        if not way <= LARGEST * step_size:
            code = OUT_OF_RANGE
    if code == OK and p.is_plain != 0.0:
        code = _lead_at_plane(p, s, step_size, memory)
    elif code == OK:
        copy_spring(s, memory.before)
        if p.obstacle == CIRCLE:
            copy_contact(contact, memory.contact_before)
            code = _lead_in_circle(p, s, contact, step_size, memory)
        elif p.obstacle == TWO_PLANES:
            code = _lead_between_planes(p, s, step_size, memory)
        else:
            code = _lead_at_plane(p, s, step_size, memory)
        if code != OK:
            copy_spring(memory.before, s)
            if p.obstacle == CIRCLE:
                copy_contact(memory.contact_before, contact)
    if code == OUT_OF_RANGE:
        return LOADS_OUT_OF_RANGE if p.drive == LOAD else DISPLACEMENTS_OUT_OF_RANGE
    return code


def _lead_at_plane(
    p: SpringParameters, s: SpringState, step_size: float, memory: SpringMemory
) -> int:
    if p.is_plain != 0.0:
        code = lead_along(p, s, p.bound_per_force, 0.0, memory.leg, memory.work)
    else:
        code = _lead_by_rates(p, s, step_size, memory)
    if code == OK:
        s.slip_velocity = s.slip_velocity / step_size if step_size > 0.0 else 0.0
    return code


def _lead_in_circle(
    p: SpringParameters,
    s: SpringState,
    contact: ContactState,
    step_size: float,
    memory: SpringMemory,
) -> int:
    leg = memory.leg
    leg.path_x = leg.end_x - s.drive_x
    leg.path_y = leg.end_y - s.drive_y
    leg.path_z = leg.end_z - s.drive_z
    size = magnitude(magnitude(leg.end_x, leg.end_y), leg.end_z)
    # Written so that a value that is not a number fails as well.
    if not (size <= LARGEST and p.driven_normal_stiffness * size <= LARGEST):
        return OUT_OF_RANGE
    code = follow_path(p, s, contact, step_size, memory)
    s.slip_velocity = s.slip_velocity / step_size if step_size > 0.0 else 0.0
    if code == OK and not s.wear_work + s.opening + s.slip_velocity <= LARGEST:
        return OUT_OF_RANGE
    return code


def _lead_between_planes(
    p: SpringParameters, s: SpringState, step_size: float, memory: SpringMemory
) -> int:
    """Lead the point from one half of the gap into the other; in each it can meet one plane."""
    leg = memory.leg
    middle = middle_between_planes(s)
    start = s.drive_x - middle
    end = leg.end_x - middle
    if not start * end < 0.0:
        return _lead_at_side(p, s, 1.0 if start + end <= 0.0 else -1.0, step_size, memory)
    share = start / (start - end)
    end_x = leg.end_x
    end_y = leg.end_y
    end_z = leg.end_z
    course = memory.work.course
    offset = course.offset
    span = course.span
    course.span = share * span
    leg.end_x = middle
    leg.end_y = s.drive_y + share * (end_y - s.drive_y)
    leg.end_z = s.drive_z + share * (end_z - s.drive_z)
    side = 1.0 if start < 0.0 else -1.0
    code = _lead_at_side(p, s, side, share * step_size, memory)
    leg.end_x = end_x
    leg.end_y = end_y
    leg.end_z = end_z
    course.offset = offset + share * span
    course.span = span - share * span
    if code == OK:
        left = step_size - share * step_size
        # Neither where the step is infinite.
        if not left > 0.0:
            left = step_size
        code = _lead_at_side(p, s, -side, left, memory)
    return code


def middle_between_planes(s: SpringState) -> float:
    """Where along x the two planes are equally far [m]: wear opens either gap by its own."""
    return 0.5 * (s.opening_upper - s.opening)


def _lead_at_side(
    p: SpringParameters, s: SpringState, side: float, step_size: float, memory: SpringMemory
) -> int:
    """As `_lead_at_plane`, at the lower plane (`side` 1) or, mirrored, at the upper one (−1)."""
    if side > 0.0:
        return _lead_at_plane(p, s, step_size, memory)
    leg = memory.leg
    wear_work = s.wear_work
    leg.end_x = -leg.end_x
    _mirror(s)
    code = _lead_at_plane(p, s, step_size, memory)
    _mirror(s)
    leg.end_x = -leg.end_x
    s.wear_work_upper += s.wear_work - wear_work
    return code


def _mirror(s: SpringState) -> None:
    opening = s.opening
    s.drive_x = -s.drive_x
    s.velocity_x = -s.velocity_x
    s.opening = s.opening_upper
    s.opening_upper = opening


def _lead_by_rates(
    p: SpringParameters, s: SpringState, step_size: float, memory: SpringMemory
) -> int:
    """Lead the point at one plane with dampers, varying friction or wear that acts back."""
    leg = memory.leg
    leg.path_x = leg.end_x - s.drive_x
    leg.path_y = leg.end_y - s.drive_y
    leg.path_z = leg.end_z - s.drive_z
    leg.normal_stiffness = p.driven_normal_stiffness
    leg.tangential_stiffness = p.driven_tangential_stiffness
    leg.friction = p.constant_friction
    leg.stretch_per_force = p.bound_per_force
    leg.normal_damper = 0.0
    leg.tangential_damper = 0.0
    velocity_x = 0.0
    velocity_y = 0.0
    velocity_z = 0.0
    if step_size > 0.0:
        velocity_x = leg.path_x / step_size
        velocity_y = leg.path_y / step_size
        velocity_z = leg.path_z / step_size
        leg.normal_damper = p.contact_damping / step_size
        leg.tangential_damper = p.tangential_damping / step_size
    if p.constant_friction < 0.0:
        speed = 0.0
        if step_size > 0.0:
            speed = magnitude(leg.path_y, leg.path_z) / step_size
        leg.friction = sliding_friction(p, speed)
        leg.stretch_per_force = bound_per_force(p, leg.friction)
    leg.opening_per_work = p.opening_per_work
    leg.runaway_per_force = leg.stretch_per_force * leg.normal_stiffness * leg.opening_per_work
    code = OK
    if leg.tangential_damper == 0.0 and p.cone_jumps != 0.0:
        code = shrink_to_cone(s, leg, p.gap_at_rest)
    if code == OK:
        pull = leg.normal_damper * leg.path_x
        code = lead_along(p, s, leg.stretch_per_force, pull, leg, memory.work)
    s.velocity_x = velocity_x
    s.velocity_y = velocity_y
    s.velocity_z = velocity_z
    return code


def broken_spring_state(s: SpringState, contact: ContactState) -> tuple[int, float, float]:
    """0, or what is wrong with a state whose numbers are finite, and two that its message shows."""
    mode = s.mode
    if not (mode == 0.0 or mode == 1.0 or mode == 2.0):
        return NO_SUCH_MODE, mode, 0.0
    if not (contact.closed == 0.0 or contact.closed == 1.0):
        return NO_SUCH_MODE, contact.closed, 0.0
    if not (contact.sliding == 0.0 or contact.sliding == 1.0):
        return NO_SUCH_MODE, contact.sliding, 0.0
    zeros = impossible_count(
        contact.zeros_gap,
        contact.zeros_force,
        contact.zeros_slip,
        contact.zeros_cone,
        contact.zeros_speed,
    )
    if zeros != 0.0:
        return NO_SUCH_ZEROS, zeros, 0.0
    return OK, 0.0, 0.0


def plane_forces(p: SpringParameters, s: SpringState) -> tuple[float, float, float, float]:
    """F_N [N] and the forces of the spring along x, y and z at the plane that is nearer."""
    side = 1.0
    opening = s.opening
    if p.obstacle == TWO_PLANES and s.drive_x > middle_between_planes(s):
        side = -1.0
        opening = s.opening_upper
    force = 0.0
    if s.mode != FLIGHT:
        force = p.driven_normal_stiffness * -(side * s.drive_x + (p.gap_at_rest + opening))
        force = max(0.0, force - p.contact_damping * side * s.velocity_x)
    force_x = -side * force if force > 0.0 else 0.0
    force_y = p.driven_tangential_stiffness * (s.stretch_y + (s.drive_y - s.anchoring_y))
    force_z = p.driven_tangential_stiffness * (s.stretch_z + (s.drive_z - s.anchoring_z))
    if p.tangential_damping > 0.0 and s.mode != FLIGHT:
        force_y += p.tangential_damping * s.velocity_y
        force_z += p.tangential_damping * s.velocity_z
        dragging = magnitude(force_y, force_z)
        if s.mode == SLIP and dragging > 0.0:
            speed = magnitude(s.velocity_y, s.velocity_z)
            held = sliding_friction(p, speed) * force / dragging
            force_y *= held
            force_z *= held
    return force, force_x, force_y, force_z


def _clearance(p: SpringParameters, s: SpringState, displacement_x: float) -> float:
    """Gap [m] at present, the smaller one of two planes; negative where pressed."""
    if p.obstacle == CIRCLE:
        return p.gap_at_rest + s.opening - magnitude(s.drive_x, s.drive_y)
    lower = displacement_x + (p.gap_at_rest + s.opening)
    return min(lower, p.gap_at_rest + s.opening_upper - displacement_x)


def spring_outputs(
    p: SpringParameters, s: SpringState, contact: ContactState, memory: SpringMemory
) -> tuple[float, ...]:
    """Outputs in the order of `wearmodel.models.shock_spring.OUTPUTS`."""
    if p.obstacle == CIRCLE:
        force, force_x, force_y, force_z = path_forces(p, s, contact, memory)
    else:
        force, force_x, force_y, force_z = plane_forces(p, s)
    volume = p.volume_per_work * s.wear_work
    depth = volume / p.wear_area
    displacement_x = s.drive_x - p.compliance * force_x
    gap = displacement_x + (p.gap_at_rest + s.opening)
    depth_upper = 0.0
    if p.obstacle != PLANE:
        gap = _clearance(p, s, displacement_x)
        depth_upper = p.volume_per_work * s.wear_work_upper / p.wear_area
    return (
        displacement_x,
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
        depth,
        force,
        gap,
        depth - depth_upper,
        depth_upper,
    )
