"""Forces, gaps and slip velocities of a structure's contacts at an instant, and modes at the start.

They are computed from the present motion, the states of the contacts and the modal forces.
`contact.forces` describes the laws.
"""

from __future__ import annotations

from ..contact.friction import has_friction, holding_coefficient
from ..contact.instant import forces_now, whole_slip_rate
from ..contact.obstacle import (
    facing_side,
    force_in_frame,
    friction_in_frame,
    gap_acceleration,
    gap_now,
    kinematics,
)
from ..contact.parameters import ContactLaw
from ..contact.polygon import keep_faced, settle_facing
from ..contact.state_objects import ContactState, ContactWork
from ..series.arithmetic import magnitude
from ..state_objects import Rows
from .inputs import structure_prediction_error
from .mode_loops import project
from .motion import add_velocity, start_contact
from .state_objects import (
    Body,
    Modes,
    Motion,
    StructureState,
    StructureWork,
    put_contact_outputs,
    put_total_outputs,
)


def start_contacts(body: Body, state: StructureState, work: StructureWork) -> None:
    """Set the modes in which a run starts, with the inputs at the start in `state.present`.

    A contact is closed if its force presses, or if its point touches at rest and accelerates
    towards the obstacle.
    """
    modes = body.modes
    shapes = body.shapes
    drives = body.drives
    laws = body.laws
    motion = state.motion
    contacts = state.contacts
    present = state.present
    works = work.works
    forces = work.forces
    for index in range(len(laws)):
        law = laws[index]
        s = contacts[index]
        contact_work = works[index]
        s.closed = 0.0
        s.sliding = 0.0
        place_point(shapes, law, s, motion, contact_work, index)
        gap, gap_velocity, first, second = kinematics(law, s, contact_work)
        if gap < 0.0:
            if -law.stiffness * gap - law.contact_damping * gap_velocity > 0.0:
                s.closed = facing_side(law, s, contact_work)
        elif gap == 0.0 and gap_velocity == 0.0:
            modal_forces(modes, drives, motion, present, forces)
            rate_1, rate_2, _ = acceleration_under(modes, shapes, index, forces)
            if gap_acceleration(law, s, contact_work, rate_1, rate_2) < 0.0:
                s.closed = facing_side(law, s, contact_work)
                s.zeros_force = 1.0 if law.contact_damping > 0.0 else 2.0
        if s.closed != 0.0:
            force = max(0.0, -law.stiffness * gap - law.contact_damping * gap_velocity)
            s.contact_peak = force
            s.peak_force = force
            speed = magnitude(first, second)
            pulled = law.tangential_damping * speed
            static = holding_coefficient(law, speed)
            if has_friction(law) and pulled > static * force:
                s.sliding = 1.0
        s.last_sliding = s.sliding
        s.damping_work = slack_energy(law, s, gap)
        settle_facing(law, s, contact_work, s.closed != 0.0 or gap < 0.0, state.side_works[index])


def fill_outputs(
    body: Body, state: StructureState, work: StructureWork, outputs: list[float]
) -> None:
    """Write the outputs at this instant, in the order of `models.modal_quantities`."""
    observed = body.observed
    place, total_work, total_power = fill_contacts(body, state, work, outputs)
    displacement = state.motion.displacement
    velocity = state.motion.velocity
    for point in range(len(observed) // 3):
        for axis in range(3):
            shape = observed[3 * point + axis]
            moved = 0.0
            speed = 0.0
            for i in range(len(displacement)):
                moved += shape[i] * displacement[i]
                speed += shape[i] * velocity[i]
            outputs[place + axis] = moved
            outputs[place + 3 + axis] = speed
        place += 6
    root_mass = body.modes.root_mass
    stiffness = body.modes.stiffness
    kinetic = 0.0
    elastic = 0.0
    for i in range(len(displacement)):
        rate = root_mass[i] * velocity[i]
        kinetic += 0.5 * rate * rate
        elastic += 0.5 * stiffness[i] * displacement[i] * displacement[i]
    total = work.total_outputs
    total.wear_work = total_work
    total.wear_power = total_power
    total.kinetic_energy = kinetic
    total.elastic_energy = elastic
    total.parameter_change_work = state.now.parameter_change_work
    total.input_prediction_error = structure_prediction_error(state.predictions, state.now)
    place = put_total_outputs(total, outputs, place)
    fill_sides(body, state, outputs, place)


def fill_contacts(
    body: Body, state: StructureState, work: StructureWork, outputs: list[float]
) -> tuple[int, float, float]:
    """Write the outputs of the contacts. Return their number, wear work [J] and wear power [W]."""
    shapes = body.shapes
    laws = body.laws
    motion = state.motion
    contacts = state.contacts
    works = work.works
    forces = work.forces
    out = work.contact_outputs
    follows_acceleration = False
    for index in range(len(laws)):
        law = laws[index]
        s = contacts[index]
        place_point(shapes, law, s, motion, works[index], index)
        follows_acceleration = follows_acceleration or _follows_acceleration(law, s)
    if follows_acceleration:
        modal_forces(body.modes, body.drives, motion, state.present, forces)
        for index in range(len(laws)):
            law = laws[index]
            s = contacts[index]
            normal, first, second, _ = forces_now(law, s, works[index])
            add_contact_force(shapes, law, s, works[index], index, (normal, first, second), forces)
    place = 0
    total_work = 0.0
    total_power = 0.0
    for index in range(len(laws)):
        _fill_contact_outputs(body, state, work, index)
        place = put_contact_outputs(out, outputs, place)
        total_work += out.wear_work
        total_power += out.wear_power
    return place, total_work, total_power


def fill_sides(body: Body, state: StructureState, outputs: list[float], start: int) -> None:
    """Write the outputs of the sides of polygons from an index on."""
    laws = body.laws
    contacts = state.contacts
    place = start
    for index in range(len(laws)):
        law = laws[index]
        side_works = state.side_works[index]
        count = int(law.sides)
        for side in range(count):
            outputs[place + side] = side_works[side]
        keep_faced(law, contacts[index], outputs, place)
        # The sides have equal shares of the area.
        for side in range(count):
            volume = law.volume_per_work * outputs[place + side]
            outputs[place + count + side] = volume * law.sides / law.wear_area
        place += 2 * count


def _fill_contact_outputs(
    body: Body, state: StructureState, work: StructureWork, index: int
) -> None:
    """Write the outputs of a contact to the work space, after `place_point`.

    If its slip depends on accelerations, `work.forces` are the forces on the modes.
    """
    frames = body.frames
    out = work.contact_outputs
    law = body.laws[index]
    s = state.contacts[index]
    contact_work = work.works[index]
    normal, first, second, slip = forces_now(law, s, contact_work)
    mode = 0.0
    if s.closed != 0.0:
        mode = 1.0
        if s.sliding != 0.0:
            mode = 2.0
        if _follows_acceleration(law, s):
            rate_1, rate_2, rate_3 = acceleration_under(body.modes, body.shapes, index, work.forces)
            slip = whole_slip_rate(law, s, contact_work, normal, slip, rate_1, rate_2, rate_3)
    slip = max(0.0, slip)
    along_1, along_2 = friction_in_frame(law, contact_work, first)
    frame_1 = frames[3 * index]
    frame_2 = frames[3 * index + 1]
    frame_3 = frames[3 * index + 2]
    out.normal_force = normal
    out.friction_force_x = along_1 * frame_1[0] + along_2 * frame_2[0] + second * frame_3[0]
    out.friction_force_y = along_1 * frame_1[1] + along_2 * frame_2[1] + second * frame_3[1]
    out.friction_force_z = along_1 * frame_1[2] + along_2 * frame_2[2] + second * frame_3[2]
    moved_1 = contact_work.position_1[0] - law.offset_1
    moved_2 = contact_work.position_2[0] - law.offset_2
    moved_3 = contact_work.position_3[0] - law.offset_3
    moved = moved_1 * frame_1[0] + moved_2 * frame_2[0] + moved_3 * frame_3[0]
    out.relative_displacement_x = moved
    moved = moved_1 * frame_1[1] + moved_2 * frame_2[1] + moved_3 * frame_3[1]
    out.relative_displacement_y = moved
    moved = moved_1 * frame_1[2] + moved_2 * frame_2[2] + moved_3 * frame_3[2]
    out.relative_displacement_z = moved
    out.clearance = gap_now(law, s, contact_work)
    out.slip_velocity = slip
    out.contact_mode = mode
    out.wear_power = normal * slip
    out.wear_work = s.wear_work
    out.worn_volume = law.volume_per_work * s.wear_work
    out.wear_depth = out.worn_volume / law.wear_area
    out.sliding_distance = s.sliding_distance
    out.shock_count = s.shock_count
    out.peak_normal_force = s.peak_force
    lower = law.volume_per_work * (s.wear_work - s.wear_work_upper)
    out.wear_depth_lower = lower / law.wear_area
    out.wear_depth_upper = law.volume_per_work * s.wear_work_upper / law.wear_area
    out.slip_count = s.slip_count
    out.friction_power = magnitude(first, second) * slip
    out.friction_work = s.friction_work
    out.contact_damping_work = s.damping_work - slack_energy(law, s, out.clearance)
    out.pendulum_work = s.pendulum_work


def slack_energy(law: ContactLaw, s: ContactState, gap: float) -> float:
    """½ K d² [J] of a point that the damper released inside the obstacle, lost when it leaves."""
    return 0.5 * law.stiffness * gap * gap if s.closed == 0.0 and gap < 0.0 else 0.0


def place_point(
    shapes: Rows, law: ContactLaw, s: ContactState, motion: Motion, work: ContactWork, index: int
) -> None:
    """Write position and velocity of a contact's point in its frame into the work rows."""
    start_contact(shapes, law, s, motion.displacement, work, index)
    project(shapes, index, motion.velocity, 3, work.scratch)
    add_velocity(work, 3, 0.0, 0)


def modal_forces(
    modes: Modes, drives: Rows, motion: Motion, present: Rows, forces: list[float]
) -> None:
    """Write the forces [N] on the modes without contact forces, for the inputs `present[k][0]`."""
    damping = modes.damping
    stiffness = modes.stiffness
    displacement = motion.displacement
    velocity = motion.velocity
    last = len(drives) - 1
    gravity = drives[last]
    for i in range(len(stiffness)):
        forces[i] = gravity[i] - damping[i] * velocity[i] - stiffness[i] * displacement[i]
    for k in range(last):
        value = present[k][0]
        if value != 0.0:
            drive = drives[k]
            for i in range(len(stiffness)):
                forces[i] += value * drive[i]


def _follows_acceleration(law: ContactLaw, s: ContactState) -> bool:
    """Whether the sliding rate depends on accelerations: slip without a damper."""
    return s.closed != 0.0 and s.sliding != 0.0 and law.tangential_damping == 0.0


def acceleration_under(
    modes: Modes, shapes: Rows, index: int, forces: list[float]
) -> tuple[float, float, float]:
    """Acceleration [m/s2] of a contact's point along its frame under `forces` on the modes."""
    inverse_mass = modes.inverse_mass
    shape_1 = shapes[3 * index]
    shape_2 = shapes[3 * index + 1]
    shape_3 = shapes[3 * index + 2]
    rate_1 = 0.0
    rate_2 = 0.0
    rate_3 = 0.0
    for i in range(len(inverse_mass)):
        acceleration = inverse_mass[i] * forces[i]
        rate_1 += shape_1[i] * acceleration
        rate_2 += shape_2[i] * acceleration
        rate_3 += shape_3[i] * acceleration
    return rate_1, rate_2, rate_3


def add_contact_force(
    shapes: Rows,
    law: ContactLaw,
    s: ContactState,
    work: ContactWork,
    index: int,
    force: tuple[float, float, float],
    forces: list[float],
) -> None:
    """Add a contact's force (F_N and F_T along the two tangents) to the forces on the modes."""
    normal, first, second = force
    shape_1 = shapes[3 * index]
    shape_2 = shapes[3 * index + 1]
    shape_3 = shapes[3 * index + 2]
    along_1, along_2 = force_in_frame(law, s, work, normal, first)
    if law.curvature != 0.0:
        along_2 -= law.curvature * normal * work.position_2[0]
        second -= law.curvature * normal * work.position_3[0]
    for i in range(len(forces)):
        forces[i] += along_1 * shape_1[i] + along_2 * shape_2[i] + second * shape_3[i]
