"""Steps of contacts between bodies that another program integrates.

Each body has an image of its mass, as in `spring.image`. In a step all images move together under
all contacts, as rigid modes of a structure. The mean force of each contact has the impulse of its
series. Each contact has an account of the energy that its bodies have given, and does not return
more. A sample is a row: the instant, and for each point the displacement and the velocity along x,
y, z. After a failed step the state is incomplete, so the caller restores it.
"""

from __future__ import annotations

from math import sqrt

from ..contact.instant import forces_now
from ..contact.obstacle import force_in_frame, friction_in_frame, gap_now, is_hole, kinematics
from ..contact.parameter_change import pass_jump
from ..contact.parameters import ContactLaw
from ..contact.state_objects import ContactState, ContactWork
from ..limits import OK, OVERFLOW, WEAR_TOO_FAST
from ..series.polynomials import integrate, integrate_smooth_product
from ..spring.body_image import (
    close_account,
    end_image_step,
    judge_step,
    leave_body,
    leave_contact,
    predict,
    receive,
    returned_share,
)
from ..state_objects import Rows
from ..structure.measures import place_point, slack_energy, start_contacts
from ..structure.mode_loops import project, projections
from ..structure.state_objects import Body, StructureState, StructureWork
from ..structure.stepper import copy_motion, cross_structure_piece, end_structure_piece
from ..structure.steps import state_total
from .state_objects import Bodies, BodiesParameters

# Result codes in addition to those in `limits`.
BODIES_OUT_OF_RANGE = 21
ROTATING_BODY = 22
# Inputs per point: three displacements and three velocities.
POINT_INPUTS = 6
LARGEST = 1e30  # m, m/s or N
# Displacements of a body's points may differ by this share of their size, and by this length [m].
_SAME_SHARE = 1e-6
_SAME_LENGTH = 1e-12
# Sine of the least angle between two normals.
_PARALLEL = 1e-6


def start_bodies(
    body: Body, state: StructureState, bodies: Bodies, sample: list[float], work: StructureWork
) -> int:
    """Start the bodies of a cleared state at a sample, at rest under their contact forces."""
    displacement = state.motion.displacement
    axes = bodies.axes
    code = _check_sample(bodies, sample)
    if code != OK:
        return code
    state.now.time = sample[0]
    for i in range(len(axes)):
        displacement[i] = sample[_displacement_at(bodies, i // 3) + i % 3]
    start_contacts(body, state, work)
    for index in range(len(body.laws)):
        fill_present_force(body, state, work, index, bodies.mean_forces[index])
    _add_up(bodies)
    for i in range(len(axes)):
        axis = axes[i]
        axis.expected_acceleration = -axis.mean_force / bodies.masses[i // 3]
    return OK


def fill_present_force(
    body: Body, state: StructureState, work: StructureWork, index: int, row: list[float]
) -> None:
    """Write the force [N] of a contact at this instant along x, y, z."""
    law = body.laws[index]
    s = state.contacts[index]
    contact_work = work.works[index]
    place_point(body.shapes, law, s, state.motion, contact_work, index)
    normal, first, second, _ = forces_now(law, s, contact_work)
    along_1, along_2 = force_in_frame(law, s, contact_work, normal, first)
    along_2 -= law.curvature * normal * contact_work.position_2[0]
    along_3 = second - law.curvature * normal * contact_work.position_3[0]
    for k in range(3):
        row[k] = 0.0
    _add_in_frame(body.frames, index, along_1, along_2, along_3, row)


def step_bodies(
    p: BodiesParameters,
    body: Body,
    state: StructureState,
    bodies: Bodies,
    sample: list[float],
    step_size: float,
    work: StructureWork,
) -> int:
    """Compute a step of the images from the received positions of the bodies. Return a code.

    Codes above OK are errors. Codes below OK are warnings of `spring.body_image`.
    """
    masses = bodies.masses
    images = bodies.images
    axes = bodies.axes
    displacement = state.motion.displacement
    code = _check_sample(bodies, sample)
    if code != OK:
        return code
    for number in range(len(images)):
        image = images[number]
        place = _displacement_at(bodies, number)
        # Velocities that a master does not give remain 0.
        if abs(sample[place + 3]) + abs(sample[place + 4]) + abs(sample[place + 5]) > 0.0:
            image.has_velocity = 1.0
        velocity_at = place + 3 if image.has_velocity != 0.0 else 0
        size = receive(image, axes, 3 * number, masses[number], sample, place, velocity_at)
        if not size <= LARGEST:
            return BODIES_OUT_OF_RANGE
        code = judge_step(image, p.lag, step_size, code)
    copy_motion(state.motion, work.motion_at_event)
    _keep_accounts(p, body, state, bodies, work, step_size)
    for number in range(len(images)):
        code = _turn_offset(body, bodies, work, number, code)
    failure = _start_images(body, state, bodies, work)
    if failure == OK:
        failure = _move(body, state, bodies, work, step_size)
    if failure != OK:
        return failure
    _limit(p, body, bodies, work, step_size)
    for i in range(len(axes)):
        leave_body(axes[i], masses[i // 3], p.lag, displacement[i], step_size)
    for number in range(len(images)):
        end_image_step(images[number], step_size)
    state.now.time += step_size
    return code


def _displacement_at(bodies: Bodies, number: int) -> int:
    """Index in a sample of the displacement along x of a body's first point."""
    point = 0
    while bodies.point_bodies[point] != number:
        point += 1
    return 1 + POINT_INPUTS * point


def _check_sample(bodies: Bodies, sample: list[float]) -> int:
    """OK if displacements are in range and all points of a body have equal displacements."""
    for point in range(len(bodies.point_bodies)):
        at = 1 + POINT_INPUTS * point
        first = _displacement_at(bodies, int(bodies.point_bodies[point]))
        size = 0.0
        apart = 0.0
        for k in range(3):
            size += abs(sample[at + k])
            apart += abs(sample[at + k] - sample[first + k])
        # This form also rejects NaN.
        if not size <= LARGEST:
            return BODIES_OUT_OF_RANGE
        if apart > _SAME_LENGTH + _SAME_SHARE * size:
            return ROTATING_BODY
    return OK


def _work(bodies: Bodies, index: int, force: list[float], ways: list[float]) -> float:
    """Work [J] of a contact's force on its bodies. `ways` [m] are displacements of the modes."""
    work = 0.0
    for side in range(2):
        number = int(bodies.contact_bodies[index][side])
        if number >= 0:
            for k in range(3):
                work += (1.0 - 2.0 * side) * force[k] * ways[3 * number + k]
    return work


def _keep_accounts(
    p: BodiesParameters,
    body: Body,
    state: StructureState,
    bodies: Bodies,
    work: StructureWork,
    step_size: float,
) -> None:
    """Add the energy given in the bodies' last step, and predict the next with parallel masters.

    If bodies and images are out of contact, the account is closed. Also runs `place_point`.
    """
    axes = bodies.axes
    accounts = bodies.accounts
    ways = work.forces
    for i in range(len(axes)):
        axis = axes[i]
        ways[i] = axis.moved
    for index in range(len(accounts)):
        account = accounts[index]
        s = state.contacts[index]
        mean = bodies.mean_forces[index]
        applied = bodies.applied_forces[index]
        account.exchanged -= _work(bodies, index, applied, ways)
        account.is_out = 1.0 if s.closed == 0.0 else 0.0
        for k in range(3):
            applied[k] = mean[k]
            if mean[k] != 0.0:
                account.is_out = 0.0
    for i in range(len(axes)):
        ways[i] = predict(axes[i], bodies.masses[i // 3], p.lag, step_size)
    for share in (0.0, 1.0):
        _place_images(state, bodies, share)
        for index in range(len(accounts)):
            law = body.laws[index]
            s = state.contacts[index]
            contact_work = work.works[index]
            account = accounts[index]
            place_point(body.shapes, law, s, state.motion, contact_work, index)
            gap, _, _, _ = kinematics(law, s, contact_work)
            if not gap > 0.0:
                account.is_out = 0.0
    for index in range(len(accounts)):
        account = accounts[index]
        spent = _work(bodies, index, bodies.applied_forces[index], ways)
        account.available = account.exchanged - spent
        account.balance = account.available - account.dissipated
        if account.is_out != 0.0:
            close_account(account)


def _place_images(state: StructureState, bodies: Bodies, share: float) -> None:
    """Place the images at the bodies, plus a share of their offsets."""
    displacement = state.motion.displacement
    velocity = state.motion.velocity
    axes = bodies.axes
    for i in range(len(axes)):
        axis = axes[i]
        displacement[i] = axis.place + share * axis.offset
        velocity[i] = axis.velocity


def _turn_offset(body: Body, bodies: Bodies, work: StructureWork, number: int, code: int) -> int:
    """Remove the part of a body's offset that is across the normals of all its present contacts.

    Without a contact it is the whole offset, and the result can be a warning instead of `code`.
    """
    axes = bodies.axes
    first = axes[3 * number]
    second = axes[3 * number + 1]
    third = axes[3 * number + 2]
    # Number of independent normals, and the first normal or the direction across two normals.
    count = 0
    x = 0.0
    y = 0.0
    z = 0.0
    for index in range(len(bodies.accounts)):
        account = bodies.accounts[index]
        sides = bodies.contact_bodies[index]
        if account.is_out != 0.0 or (sides[0] != number and sides[1] != number):
            continue
        # The normal is perpendicular to the direction of friction.
        along_1, along_2 = friction_in_frame(body.laws[index], work.works[index], 1.0)
        frame_1 = body.frames[3 * index]
        frame_2 = body.frames[3 * index + 1]
        normal_x = along_2 * frame_1[0] - along_1 * frame_2[0]
        normal_y = along_2 * frame_1[1] - along_1 * frame_2[1]
        normal_z = along_2 * frame_1[2] - along_1 * frame_2[2]
        across_x = y * normal_z - z * normal_y
        across_y = z * normal_x - x * normal_z
        across_z = x * normal_y - y * normal_x
        size = sqrt(across_x * across_x + across_y * across_y + across_z * across_z)
        if count == 0:
            count = 1
            x = normal_x
            y = normal_y
            z = normal_z
        elif count == 1 and size > _PARALLEL:
            count = 2
            x = across_x / size
            y = across_y / size
            z = across_z / size
        elif count == 2 and abs(x * normal_x + y * normal_y + z * normal_z) > _PARALLEL:
            return code
    part = first.offset * x + second.offset * y + third.offset * z
    if count == 2:
        first.offset -= part * x
        second.offset -= part * y
        third.offset -= part * z
        return code
    first.offset = part * x
    second.offset = part * y
    third.offset = part * z
    return code if count > 0 else leave_contact(bodies.images[number], bodies.masses[number], code)


def _start_images(body: Body, state: StructureState, bodies: Bodies, work: StructureWork) -> int:
    """Start the images with their offsets, and adapt the stretches to this displacement."""
    motion = state.motion
    shifts = work.forces
    old = work.motion_at_event.displacement
    displacement = motion.displacement
    _place_images(state, bodies, 1.0)
    for i in range(len(bodies.axes)):
        shifts[i] = displacement[i] - old[i]
    for index in range(len(body.laws)):
        law = body.laws[index]
        s = state.contacts[index]
        contact_work = work.works[index]
        place_point(body.shapes, law, s, motion, contact_work, index)
        kinematics(law, s, contact_work)
        if s.closed != 0.0:
            along_1, along_2 = friction_in_frame(law, contact_work, 1.0)
            project(body.shapes, index, shifts, 3, contact_work.scratch)
            way_1, way_2, way_3 = projections(3, contact_work.scratch)
            s.stretch_1 += way_1 * along_1 + way_2 * along_2
            s.stretch_2 += way_3
        if not pass_jump(law, s, contact_work, state.side_works[index]):
            return WEAR_TOO_FAST
    return OK


def _move(
    body: Body, state: StructureState, bodies: Bodies, work: StructureWork, step_size: float
) -> int:
    """Compute a step of images and contacts, and write mean forces. Return OK or an error."""
    contacts = state.contacts
    works = work.works
    counts = work.counts
    mean_forces = bodies.mean_forces
    counts.events = 0.0
    counts.pieces = 0.0
    counts.watched_from = 0.0
    counts.inputs = 1.0
    set_drives(body, bodies)
    for index in range(len(contacts)):
        row = mean_forces[index]
        for k in range(3):
            row[k] = 0.0
    time = 0.0
    while time < step_size:
        # A piece at rest does not write its end, and its forces are constant.
        counts.piece_end = -1.0
        reached = cross_structure_piece(body, state, work, time, step_size)
        count = int(counts.motion)
        end = counts.piece_end
        share = counts.piece_length / step_size
        if end < 0.0:
            count = 1
            end = 1.0
            share = (reached - time) / step_size
        for index in range(len(contacts)):
            s = contacts[index]
            if s.closed != 0.0 and reached >= 0.0:
                force_1, force_2, force_3 = _integrated_force(
                    body.laws[index], s, works[index], count, end
                )
                row = mean_forces[index]
                _add_in_frame(
                    body.frames, index, share * force_1, share * force_2, share * force_3, row
                )
        code = end_structure_piece(body, state, work, reached, step_size)
        if code != OK or reached < 0.0:
            return OVERFLOW if code == OK else code
        time = reached
    for index in range(len(contacts)):
        s = contacts[index]
        account = bodies.accounts[index]
        place_point(body.shapes, body.laws[index], s, state.motion, works[index], index)
        gap = gap_now(body.laws[index], s, works[index])
        heat = s.friction_work + s.damping_work - slack_energy(body.laws[index], s, gap)
        account.dissipated += heat - account.heat
        account.heat = heat
    total = state_total(state.motion, contacts)
    # The difference is zero unless the sum, and so one of the numbers, is not finite.
    return OK if total - total == 0.0 else OVERFLOW


def set_drives(body: Body, bodies: Bodies) -> None:
    """Write the other forces on the images as the constant force on the modes."""
    drive = body.drives[len(body.drives) - 1]
    for i in range(len(bodies.axes)):
        axis = bodies.axes[i]
        drive[i] = bodies.masses[i // 3] * axis.expected_acceleration


def _add_in_frame(
    frames: Rows, index: int, along_1: float, along_2: float, along_3: float, row: list[float]
) -> None:
    """Add a vector in the frame of a contact to a vector along x, y, z."""
    frame_1 = frames[3 * index]
    frame_2 = frames[3 * index + 1]
    frame_3 = frames[3 * index + 2]
    for k in range(3):
        row[k] += along_1 * frame_1[k] + along_2 * frame_2[k] + along_3 * frame_3[k]


def _integrated_force(
    law: ContactLaw, s: ContactState, work: ContactWork, count: int, end: float
) -> tuple[float, float, float]:
    """Integrals of a closed contact's force [N] in its frame over the piece's own time to `end`."""
    force = work.force
    friction_1 = work.friction_1
    along_3 = integrate(work.friction_2, count, end)
    if is_hole(law):
        along_1 = integrate_smooth_product(force, work.radial_1, count, end)
        along_1 += integrate_smooth_product(friction_1, work.radial_2, count, end)
        along_2 = integrate_smooth_product(force, work.radial_2, count, end)
        along_2 -= integrate_smooth_product(friction_1, work.radial_1, count, end)
        return -along_1, -along_2, along_3
    along_1 = s.closed * integrate(force, count, end)
    along_2 = integrate(friction_1, count, end)
    if law.curvature != 0.0:
        along_2 -= law.curvature * integrate_smooth_product(force, work.position_2, count, end)
        along_3 -= law.curvature * integrate_smooth_product(force, work.position_3, count, end)
    return along_1, along_2, along_3


def _add_up(bodies: Bodies) -> None:
    """Write the mean force on each body, the sum over its contacts."""
    axes = bodies.axes
    for i in range(len(axes)):
        axis = axes[i]
        axis.mean_force = 0.0
    for index in range(len(bodies.accounts)):
        row = bodies.mean_forces[index]
        for side in range(2):
            number = int(bodies.contact_bodies[index][side])
            if number >= 0:
                for k in range(3):
                    axis = axes[3 * number + k]
                    axis.mean_force += (1.0 - 2.0 * side) * row[k]


def _limit(
    p: BodiesParameters, body: Body, bodies: Bodies, work: StructureWork, step_size: float
) -> None:
    """Reduce each mean force so that its contact does not return more than is available.

    As in `spring.image`. The displacements include the effect of all mean forces.
    """
    axes = bodies.axes
    ways = work.forces
    lasting_ways = work.motion_at_event.displacement
    half = 0.5 * step_size * step_size
    _add_up(bodies)
    for i in range(len(axes)):
        axis = axes[i]
        way = step_size * axis.velocity + half * axis.mean_force / bodies.masses[i // 3]
        ways[i] = way + half * axis.acceleration
        lasting_ways[i] = way + half * axis.lasting_acceleration
    for index in range(len(bodies.accounts)):
        law = body.laws[index]
        account = bodies.accounts[index]
        row = bodies.mean_forces[index]
        applied = bodies.applied_forces[index]
        square = row[0] * row[0] + row[1] * row[1] + row[2] * row[2]
        own = half * law.mobility * square
        whole = max(_work(bodies, index, row, ways), _work(bodies, index, row, lasting_ways))
        share = returned_share(whole - own, own, account.available)
        for k in range(3):
            row[k] *= share
            if p.lag == 0.0:
                applied[k] = row[k]
    _add_up(bodies)
