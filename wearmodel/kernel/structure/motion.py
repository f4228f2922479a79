"""Motion of a structure and its contacts over one piece: one recurrence for all modes at once.

    m_i v_i' = τ (f_i(t) − c_i v_i − k_i q_i + Σ_c φ_i(c)·F_c),   q_i' = τ v_i,   t = τ s

Coefficient j of every contact's force follows from the coefficients up to j of the motion, and with
it coefficient j + 1 of the motion. Where all is linear the series converges everywhere and ends
where the rest is below rounding. Where it is not (slip in the plane, contact in a circle) it
converges over some length only: the piece is then cut to where the last coefficients are negligible
by a geometric continuation.
"""

from __future__ import annotations

from math import sqrt

from ..contact.forces import (
    add_force_coefficient,
    nonlinear_size,
)
from ..contact.obstacle import add_curved_coefficient, is_inside_curved, needed_axes
from ..contact.parameters import ContactLaw
from ..contact.records import ContactState, ContactWork
from ..limits import MODAL_SERIES_LENGTH
from ..records import Rows
from .limits import MODAL_TAIL
from .records import Body, Modes, StructureState, StructureWork


def piece_rate(
    laws: list[ContactLaw], contacts: list[ContactState], coupling: Rows, modes: Modes
) -> float:
    """A bound [1/s] of the rates of the motion in the present modes of the contacts.

    To the largest ω_i² and c_i/m_i closed contacts add the largest row sum of their springs' matrix
    √(K_a K_b) ‖φ_a M⁻¹ φ_bᵀ‖, and of their dampers'. `coupling` holds the norms [1/kg].
    """
    count = len(laws)
    inverse_mass = modes.inverse_mass
    stiffness = modes.stiffness
    damping = modes.damping
    rate = 0.0
    damping_rate = 0.0
    for i in range(len(stiffness)):
        rate = max(rate, inverse_mass[i] * stiffness[i])
        damping_rate = max(damping_rate, inverse_mass[i] * damping[i])
    springs = 0.0
    dampers = 0.0
    for a in range(count):
        first = contacts[a]
        if first.closed != 0.0:
            row = 0.0
            damped = 0.0
            couplings = coupling[a]
            for b in range(count):
                second = contacts[b]
                if second.closed != 0.0:
                    row += couplings[b] * _spring(laws[a], first) * _spring(laws[b], second)
                    damped += couplings[b] * _damper(laws[a], first) * _damper(laws[b], second)
            springs = max(springs, row)
            dampers = max(dampers, damped)
    return max(sqrt(rate + springs), damping_rate + dampers)


def _spring(law: ContactLaw, s: ContactState) -> float:
    """√K of the stiffest spring of a closed contact."""
    if s.sliding == 0.0 and law.friction_coefficient_static > 0.0:
        return sqrt(max(law.stiffness, law.tangential_stiffness))
    return sqrt(law.stiffness)


def _damper(law: ContactLaw, s: ContactState) -> float:
    """√C of the strongest damper of a closed contact."""
    if s.sliding == 0.0 and law.friction_coefficient_static > 0.0:
        return sqrt(max(law.contact_damping, law.tangential_damping))
    return sqrt(law.contact_damping)


def fill_motion(
    body: Body, state: StructureState, inputs: Rows, work: StructureWork, length: float
) -> float:
    """Write the series of motion and contacts over `length` [s]; return by how much to cut it.

    `inputs` are the inputs' polynomials over the piece. 1: the series holds over the whole piece;
    less: over this share of it, to which it must be scaled (`scale_motion`); 0: it overflows.
    """
    modes = body.modes
    shapes = body.shapes
    drives = body.drives
    laws = body.laws
    motion = state.motion
    contacts = state.contacts
    displacements = work.displacements
    velocities = work.velocities
    works = work.works
    counts = work.counts
    mode_count = len(modes.stiffness)
    contact_count = len(laws)
    inverse_mass = modes.inverse_mass
    damping = modes.damping
    stiffness = modes.stiffness
    root_mass = modes.root_mass
    first_displacement = displacements[0]
    first_velocity = velocities[0]
    start_displacement = motion.displacement
    start_velocity = motion.velocity
    largest = 0.0
    for i in range(mode_count):
        first_displacement[i] = start_displacement[i]
        first_velocity[i] = start_velocity[i]
        largest = max(largest, root_mass[i] * abs(start_velocity[i]))
    size = largest
    for index in range(contact_count):
        start_contact(laws[index], shapes, index, first_displacement, works[index])
    input_count = int(counts.inputs)
    drive_count = len(drives)
    count = 1
    tail = 0.0
    nonlinear_before = 0.0
    for j in range(MODAL_SERIES_LENGTH - 1):
        displacement = displacements[j]
        velocity = velocities[j]
        next_displacement = displacements[j + 1]
        next_velocity = velocities[j + 1]
        for i in range(mode_count):
            next_velocity[i] = -damping[i] * velocity[i] - stiffness[i] * displacement[i]
        if j == 0:
            drive = drives[drive_count - 1]
            for i in range(mode_count):
                next_velocity[i] += drive[i]
        if j < input_count:
            for k in range(drive_count - 1):
                value = inputs[k][j]
                if value != 0.0:
                    drive = drives[k]
                    for i in range(mode_count):
                        next_velocity[i] += value * drive[i]
        nonlinear = 0.0
        for index in range(contact_count):
            law = laws[index]
            s = contacts[index]
            contact_work = works[index]
            project_velocity(shapes, index, velocity, contact_work, needed_axes(law, s), length, j)
            if s.closed != 0.0:
                force_1, force_2, force_3 = add_force_coefficient(law, s, contact_work, length, j)
                shape_1 = shapes[3 * index]
                shape_2 = shapes[3 * index + 1]
                shape_3 = shapes[3 * index + 2]
                for i in range(mode_count):
                    next_velocity[i] += (
                        force_1 * shape_1[i] + force_2 * shape_2[i] + force_3 * shape_3[i]
                    )
                nonlinear += nonlinear_size(law, s, contact_work, j)
            elif is_inside_curved(law, s, contact_work):
                add_curved_coefficient(contact_work, j)
                nonlinear += nonlinear_size(law, s, contact_work, j)
        factor = length / (j + 1)
        previous = size
        size = 0.0
        total = nonlinear
        for i in range(mode_count):
            next_displacement[i] = factor * velocity[i]
            value = factor * inverse_mass[i] * next_velocity[i]
            next_velocity[i] = value
            total += value
            size = max(size, root_mass[i] * abs(value))
        # The difference is zero unless a coefficient is infinite or not a number.
        if total - total != 0.0:
            return 0.0
        largest = max(largest, size)
        count = j + 2
        tail = max(nonlinear, nonlinear_before)
        nonlinear_before = nonlinear
        if largest > 0.0:
            tail = max(tail, size / largest, previous / largest)
        if j >= input_count and tail <= MODAL_TAIL:
            break
    # The forces of the last coefficient act on none further: it is left out for the contacts.
    counts.motion = float(count - 1)
    if tail <= MODAL_TAIL:
        return 1.0
    return float((MODAL_TAIL / tail) ** (1.0 / (count - 3)))


def scale_motion(
    share: float, body: Body, state: StructureState, work: StructureWork, count: int
) -> None:
    """Rewrite all series over the first `share` of the piece."""
    displacements = work.displacements
    velocities = work.velocities
    works = work.works
    laws = body.laws
    contacts = state.contacts
    power = 1.0
    for j in range(1, count):
        power *= share
        displacement = displacements[j]
        velocity = velocities[j]
        for i in range(len(displacement)):
            displacement[i] *= power
            velocity[i] *= power
    for index in range(len(works)):
        series = works[index]
        _scale(series.position_1, share, count)
        _scale(series.position_2, share, count)
        _scale(series.velocity_1, share, count)
        _scale(series.velocity_2, share, count)
        _scale(series.radius, share, count)
        law = laws[index]
        s = contacts[index]
        if s.closed != 0.0:
            _scale(series.position_3, share, count)
            _scale(series.velocity_3, share, count)
            _scale(series.force, share, count)
            _scale(series.friction_1, share, count)
            _scale(series.friction_2, share, count)
            _scale(series.stretch_1, share, count)
            _scale(series.stretch_2, share, count)
            _scale(series.direction_1, share, count)
            _scale(series.direction_2, share, count)
            _scale(series.along, share, count)
            _scale(series.slip, share, count)
            if law.opening_per_work != 0.0:
                _scale(series.opening, share, count)
            if law.constant_friction < 0.0:
                _scale(series.speed, share, count)
                _scale(series.coefficient, share, count)
                _scale(series.bound, share, count)
            _scale(series.radial_velocity, share, count)
            _scale(series.radial_1, share, count)
            _scale(series.radial_2, share, count)
            _scale(series.sliding_1, share, count)
            _scale(series.sliding_2, share, count)


def _scale(series: list[float], share: float, count: int) -> None:
    power = 1.0
    for j in range(1, count):
        power *= share
        series[j] *= power


def start_contact(
    law: ContactLaw, shapes: Rows, index: int, displacement: list[float], work: ContactWork
) -> None:
    """Where the contact's point is at the start of the piece."""
    shape_1 = shapes[3 * index]
    shape_2 = shapes[3 * index + 1]
    shape_3 = shapes[3 * index + 2]
    position_1 = work.position_1
    position_2 = work.position_2
    position_3 = work.position_3
    place_1 = 0.0
    place_2 = 0.0
    place_3 = 0.0
    for i in range(len(displacement)):
        place_1 += shape_1[i] * displacement[i]
        place_2 += shape_2[i] * displacement[i]
        place_3 += shape_3[i] * displacement[i]
    position_1[0] = law.offset_1 + place_1
    position_2[0] = law.offset_2 + place_2
    position_3[0] = law.offset_3 + place_3


def project_velocity(
    shapes: Rows,
    index: int,
    velocity: list[float],
    work: ContactWork,
    axes: int,
    length: float,
    j: int,
) -> None:
    """Coefficient j of the point's velocity along the first `axes`, and j + 1 of its position."""
    shape_1 = shapes[3 * index]
    rate_1 = 0.0
    rate_2 = 0.0
    rate_3 = 0.0
    if axes == 1:
        for i in range(len(velocity)):
            rate_1 += shape_1[i] * velocity[i]
    elif axes == 2:
        shape_2 = shapes[3 * index + 1]
        for i in range(len(velocity)):
            rate_1 += shape_1[i] * velocity[i]
            rate_2 += shape_2[i] * velocity[i]
    else:
        other_2 = shapes[3 * index + 1]
        shape_3 = shapes[3 * index + 2]
        for i in range(len(velocity)):
            rate_1 += shape_1[i] * velocity[i]
            rate_2 += other_2[i] * velocity[i]
            rate_3 += shape_3[i] * velocity[i]
    factor = length / (j + 1)
    velocity_1 = work.velocity_1
    position_1 = work.position_1
    velocity_1[j] = rate_1
    position_1[j + 1] = factor * rate_1
    if axes > 1:
        velocity_2 = work.velocity_2
        position_2 = work.position_2
        velocity_2[j] = rate_2
        position_2[j + 1] = factor * rate_2
    if axes > 2:
        velocity_3 = work.velocity_3
        position_3 = work.position_3
        velocity_3[j] = rate_3
        position_3[j + 1] = factor * rate_3
