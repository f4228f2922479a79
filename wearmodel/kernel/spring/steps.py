"""Start, steps, saved states and outputs of the shock spring.

The Python object and the native FMU call this module. With given loads the driving point of the law
is the far end of the elastic spring, see `wearmodel.models.shock_spring`. A sample is a row
(instant, load along x, y, z, imposed displacement along x, y, z).
"""

from __future__ import annotations

from ..contact.obstacle import CIRCLE, TWO_PLANES
from ..contact.polygon import POLYGON
from ..contact.state_objects import ContactState, broken_contact
from ..limits import FLIGHT, MOST_SIDES, NO_SUCH_MODE, OK, SLIP, STICK
from .body_image import mass_seen, watch_body
from .image import forget_motion, start_image, step_image
from .law import OUT_OF_RANGE, lead_along
from .parameters import DISPLACEMENT, LARGEST, LOAD, SpringParameters
from .path import follow_path, rests
from .state_objects import IMPOSED_X, LOAD_X, BodyImage, SpringMemory, SpringState

# Result codes in addition to the codes of `law` and `path`.
LOADS_OUT_OF_RANGE = 2
DISPLACEMENTS_OUT_OF_RANGE = 3


def start_spring(
    p: SpringParameters,
    s: SpringState,
    contact: ContactState,
    image: BodyImage,
    sample: list[float],
    memory: SpringMemory,
) -> int:
    """Move a spring whose state is 0 quasi-statically to its start and to a sample.

    `contact` is the state of a contact of `path`. A plain spring does not use it.
    """
    leg = memory.leg
    leg.end_x = 0.0
    leg.end_y = 0.0
    leg.end_z = 0.0
    # The instance may have moved an image before it was reset.
    forget_motion(memory.series)
    code = lead_spring(p, s, contact, 0.0, memory)
    if code == OK:
        code = step_spring(p, s, contact, image, sample, 0.0, memory)
    return code


def step_spring(
    p: SpringParameters,
    s: SpringState,
    contact: ContactState,
    image: BodyImage,
    sample: list[float],
    step_size: float,
    memory: SpringMemory,
) -> int:
    """Move the spring on a straight line to a sample of its drive. Return OK or an error.

    A `step_size` [s] of 0 or infinity is quasi-static. After an error the states are incomplete.
    With an effective mass the sample is the position of the body at the start of the step. A code
    below OK is then a warning.
    """
    if p.effective_mass > 0.0 and step_size > 0.0 and 1.0 / step_size > 0.0:
        code = step_image(p, s, contact, image, sample, step_size, memory)
        return DISPLACEMENTS_OUT_OF_RANGE if code == OUT_OF_RANGE else code
    if p.effective_mass > 0.0:
        forget_motion(memory.series)
    leg = memory.leg
    x, stiffness = driven_by(p)
    leg.end_x = sample[x] / stiffness
    leg.end_y = sample[x + 1] / stiffness
    leg.end_z = sample[x + 2] / stiffness
    before = s.drive_x
    code = lead_spring(p, s, contact, step_size, memory)
    if code == OK and p.effective_mass > 0.0:
        start_image(s, image)
    elif code == OK and p.drive == DISPLACEMENT:
        code = _watch_contact(p, s, image, s.drive_x - before, step_size)
    return code


def _watch_contact(
    p: SpringParameters, s: SpringState, image: BodyImage, way: float, step_size: float
) -> int:
    """Check whether the master adds energy to a body of unknown mass. Return OK or a warning."""
    body = image.body
    if s.mode == FLIGHT and body.contact_steps == 0.0:
        body.steps = 1.0
        return OK
    if not (step_size > 0.0 and 1.0 / step_size > 0.0):
        # A contact that does not begin in flight can release energy.
        body.steps = 0.0
    if body.told_mass != 0.0 or body.steps == 0.0:
        return OK
    _, force_x, _, _ = plane_forces(p, s)
    if p.is_plain == 0.0:
        force_x = s.force_x
    return watch_body(p, image, way, -force_x, step_size)


def driven_by(p: SpringParameters) -> tuple[int, float]:
    """Index of the drive along x in a sample, and its ratio [1 or N/m] to the driving point."""
    if p.drive == LOAD:
        return LOAD_X, p.elastic_stiffness
    return IMPOSED_X, 1.0


def lead_spring(
    p: SpringParameters,
    s: SpringState,
    contact: ContactState,
    step_size: float,
    memory: SpringMemory,
) -> int:
    """Move the driving point on a straight line. After an error the states are incomplete."""
    leg = memory.leg
    code = OK
    if step_size > 0.0:
        way = abs(leg.end_x - s.drive_x) + abs(leg.end_y - s.drive_y) + abs(leg.end_z - s.drive_z)
        # This form also rejects NaN.
        if not way <= LARGEST * step_size:
            code = OUT_OF_RANGE
    if code == OK and p.is_plain == 0.0:
        code = _lead_by_series(p, s, contact, step_size, memory)
    elif code == OK:
        duration = step_size
        if p.obstacle == TWO_PLANES:
            code, duration = _lead_between_planes(p, s, step_size, memory)
        else:
            code = lead_along(p, s, leg, memory.work)
        if code == OK:
            s.slip_velocity = s.slip_velocity / duration if step_size > 0.0 else 0.0
    if code == OUT_OF_RANGE:
        return LOADS_OUT_OF_RANGE if p.drive == LOAD else DISPLACEMENTS_OUT_OF_RANGE
    return code


def _lead_by_series(
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
    size = abs(leg.end_x) + abs(leg.end_y) + abs(leg.end_z)
    force = p.driven_normal_stiffness * (size + abs(p.gap_at_rest))
    drag = 0.0
    if step_size > 0.0:
        way = abs(leg.path_x) + abs(leg.path_y) + abs(leg.path_z)
        force += p.contact_damping * (way / step_size)
        drag = p.tangential_damping * (way / step_size)
    # This form also rejects NaN.
    if not (
        size <= LARGEST
        and force <= LARGEST
        and drag <= LARGEST
        and p.bound_per_force * force <= LARGEST
    ):
        return OUT_OF_RANGE
    if rests(p, s, contact, memory):
        return OK
    code = follow_path(p, s, contact, step_size, memory)
    if code == OK and not s.wear_work * (1.0 + p.opening_per_work) + s.slip_velocity <= LARGEST:
        code = OUT_OF_RANGE
    return code


def _lead_between_planes(
    p: SpringParameters, s: SpringState, step_size: float, memory: SpringMemory
) -> tuple[int, float]:
    """Move the point between two planes. In each half of the gap it can meet one plane.

    Returns the code and the duration of the last leg [s].
    """
    leg = memory.leg
    start = s.drive_x
    end = leg.end_x
    if not start * end < 0.0:
        return _lead_at_side(p, s, 1.0 if start + end <= 0.0 else -1.0, memory), step_size
    share = start / (start - end)
    end_y = leg.end_y
    end_z = leg.end_z
    course = memory.work.course
    offset = course.offset
    span = course.span
    course.span = share * span
    leg.end_x = 0.0
    leg.end_y = s.drive_y + share * (end_y - s.drive_y)
    leg.end_z = s.drive_z + share * (end_z - s.drive_z)
    side = 1.0 if start < 0.0 else -1.0
    code = _lead_at_side(p, s, side, memory)
    leg.end_x = end
    leg.end_y = end_y
    leg.end_z = end_z
    course.offset = offset + share * span
    course.span = span - share * span
    if code == OK:
        code = _lead_at_side(p, s, -side, memory)
    left = step_size - share * step_size
    # Also false for an infinite step.
    return code, left if left > 0.0 else step_size


def _lead_at_side(p: SpringParameters, s: SpringState, side: float, memory: SpringMemory) -> int:
    """As `lead_along`, at the lower plane (`side` 1) or, mirrored, at the upper plane (−1)."""
    leg = memory.leg
    wear_work = s.wear_work
    leg.end_x = side * leg.end_x
    s.drive_x = side * s.drive_x
    code = lead_along(p, s, leg, memory.work)
    leg.end_x = side * leg.end_x
    s.drive_x = side * s.drive_x
    if side < 0.0:
        s.wear_work_upper += s.wear_work - wear_work
    return code


def upper_side(p: SpringParameters, s: SpringState) -> float:
    """−1 if a plain spring is nearer to the upper one of two planes, otherwise 1."""
    return -1.0 if p.obstacle == TWO_PLANES and s.drive_x > 0.0 else 1.0


def broken_spring_state(s: SpringState, contact: ContactState) -> tuple[int, float, float]:
    """Check a state of finite numbers. Return OK or an error, and two numbers for its message."""
    if s.mode != FLIGHT and s.mode != STICK and s.mode != SLIP:
        return NO_SUCH_MODE, s.mode, 0.0
    return broken_contact(contact, MOST_SIDES)


def plane_forces(p: SpringParameters, s: SpringState) -> tuple[float, float, float, float]:
    """F_N [N] and the forces of a plain spring along x, y and z."""
    side = upper_side(p, s)
    force = 0.0
    if s.mode != FLIGHT:
        force = max(0.0, p.driven_normal_stiffness * -(side * s.drive_x + p.gap_at_rest))
    force_x = -side * force if force > 0.0 else 0.0
    force_y = p.driven_tangential_stiffness * (s.stretch_y + (s.drive_y - s.anchoring_y))
    force_z = p.driven_tangential_stiffness * (s.stretch_z + (s.drive_z - s.anchoring_z))
    return force, force_x, force_y, force_z


def spring_outputs(p: SpringParameters, s: SpringState, image: BodyImage) -> tuple[float, ...]:
    """Outputs in the order of `wearmodel.models.shock_spring.OUTPUTS`."""
    if p.is_plain != 0.0:
        force, force_x, force_y, force_z = plane_forces(p, s)
    else:
        force = s.normal_force
        force_x = s.force_x
        force_y = s.force_y
        force_z = s.force_z
    volume = p.volume_per_work * s.wear_work
    depth = volume / p.wear_area
    depth_upper = p.volume_per_work * s.wear_work_upper / p.wear_area
    displacement_x = s.drive_x - p.compliance * force_x
    opening_upper = p.opening_per_work * s.wear_work_upper
    room = p.gap_at_rest + (p.opening_per_work * s.wear_work - opening_upper)
    gap = displacement_x + room
    if p.obstacle == CIRCLE or p.obstacle == POLYGON:
        gap = s.gap
    elif p.obstacle == TWO_PLANES:
        gap = min(gap, p.gap_at_rest + opening_upper - displacement_x)
    mean_x = -force_x
    mean_y = -force_y
    mean_z = -force_z
    if p.effective_mass > 0.0:
        axes = image.axes
        first = axes[0]
        second = axes[1]
        third = axes[2]
        mean_x = first.mean_force
        mean_y = second.mean_force
        mean_z = third.mean_force
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
        s.parameter_change_work,
        mean_x,
        mean_y,
        mean_z,
        image.account.balance,
        mass_seen(image.body),
    )
