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

from ..contact.convergence import nonlinear_size, scale_contact
from ..contact.forces import add_force_coefficient
from ..contact.obstacle import add_curved_coefficient, is_inside_curved, needed_axes
from ..contact.parameters import ContactLaw
from ..contact.records import ContactState, ContactWork
from ..limits import MODAL_SERIES_LENGTH, MODAL_TAIL
from ..records import Rows
from .records import Body, Modes, StructureState, StructureWork

# Every other coefficient may vanish: the one before the last must be small, too, times this share.
# Behind them an oscillation's fall by (λτ)²/(j (j + 1)), a fiftieth, in two orders.
_SHARE_BEFORE = 0.125


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
    terms = work.terms
    counts = work.counts
    mode_count = len(modes.stiffness)
    contact_count = len(laws)
    inverse_mass = modes.inverse_mass
    root_mass = modes.root_mass
    lanes = work.lanes
    first_displacement = displacements[0]
    first_velocity = velocities[0]
    start_displacement = motion.displacement
    start_velocity = motion.velocity
    for i in range(mode_count):
        first_displacement[i] = start_displacement[i]
        first_velocity[i] = start_velocity[i]
    largest = _size(root_mass, start_velocity, lanes)
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
        factor = length / (j + 1)
        _pull(modes, displacement, velocity, next_velocity)
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
        for index in range(contact_count):
            contact_work = works[index]
            axes = needed_axes(laws[index], contacts[index])
            project(shapes, index, velocity, axes, contact_work.scratch)
        for index in range(contact_count):
            law = laws[index]
            s = contacts[index]
            contact_work = works[index]
            contact_terms = terms[index]
            axes = needed_axes(law, s)
            add_velocity(contact_work, axes, factor, j)
            if s.closed != 0.0:
                force_1, force_2, force_3 = add_force_coefficient(
                    law, s, contact_work, contact_terms, length, j
                )
                _push(shapes, index, force_1, force_2, next_velocity)
                if axes > 2:
                    _push_along(shapes[3 * index + 2], force_3, next_velocity)
            elif is_inside_curved(law, s, contact_work):
                add_curved_coefficient(contact_work, contact_terms, length, j)
        previous = size
        _integrate(factor, velocity, inverse_mass, next_displacement, next_velocity)
        size = _size(root_mass, next_velocity, lanes)
        nonlinear = 1.0
        # Until the motion's own series is about to end it does not matter whether the others are.
        if _SHARE_BEFORE * size <= MODAL_TAIL * largest or j > MODAL_SERIES_LENGTH - 4:
            nonlinear = 0.0
            for index in range(contact_count):
                nonlinear += nonlinear_size(laws[index], contacts[index], works[index], j)
        total = size + nonlinear
        # The difference is zero unless a coefficient is infinite or not a number.
        if total - total != 0.0:
            return 0.0
        largest = max(largest, size)
        count = j + 2
        tail = max(nonlinear, _SHARE_BEFORE * nonlinear_before)
        nonlinear_before = nonlinear
        if largest > 0.0:
            tail = max(tail, size / largest, _SHARE_BEFORE * previous / largest)
        if j >= input_count and tail <= MODAL_TAIL:
            break
    # Of the last coefficient the contacts know no force: their series end one before.
    counts.motion = float(count - 1)
    if tail <= MODAL_TAIL:
        return 1.0
    return float((MODAL_TAIL / tail) ** (1.0 / (count - 3)))


def scale_motion(
    share: float, body: Body, state: StructureState, work: StructureWork, count: int
) -> None:
    """Rewrite all series over the first `share` of the piece; the contacts have `count` each."""
    displacements = work.displacements
    velocities = work.velocities
    works = work.works
    laws = body.laws
    contacts = state.contacts
    power = 1.0
    for j in range(1, count + 1):
        power *= share
        displacement = displacements[j]
        velocity = velocities[j]
        for i in range(len(displacement)):
            displacement[i] *= power
            velocity[i] *= power
    for index in range(len(works)):
        scale_contact(laws[index], contacts[index], works[index], share, count)


def start_contact(
    law: ContactLaw, shapes: Rows, index: int, displacement: list[float], work: ContactWork
) -> None:
    """Where the contact's point is at the start of the piece."""
    position_1 = work.position_1
    position_2 = work.position_2
    position_3 = work.position_3
    project(shapes, index, displacement, 3, work.scratch)
    place_1, place_2, place_3 = _projections(3, work.scratch)
    position_1[0] = law.offset_1 + place_1
    position_2[0] = law.offset_2 + place_2
    position_3[0] = law.offset_3 + place_3


def add_velocity(work: ContactWork, axes: int, factor: float, j: int) -> None:
    """Coefficient j of the point's velocity along the first `axes`, and j + 1 of its position.

    `project` has left the velocity's sums over the modes in the contact's row `scratch`. `factor`
    [s] is the piece's length divided by j + 1.
    """
    rate_1, rate_2, rate_3 = _projections(axes, work.scratch)
    velocity_1 = work.velocity_1
    position_1 = work.position_1
    velocity_2 = work.velocity_2
    position_2 = work.position_2
    velocity_3 = work.velocity_3
    position_3 = work.position_3
    velocity_1[j] = rate_1
    position_1[j + 1] = factor * rate_1
    velocity_2[j] = rate_2
    position_2[j + 1] = factor * rate_2
    velocity_3[j] = rate_3
    position_3[j + 1] = factor * rate_3


# Loops over modes take four at a time, so that compilers put them into vector registers; a sum over
# modes is one of four lanes, in this order in every form of the kernel. Compiled forms fill the
# modes up to whole fours and have no rest, which adds 0 to the sums.


def project(shapes: Rows, index: int, values: list[float], axes: int, lanes: list[float]) -> None:
    """Write sums over the modes of `values` times the shapes of a contact's point along its axes.

    Four lanes for each of the first `axes`, which `_projections` adds up. That is a step of its
    own: where both are one loop, compilers lay the lanes across each other.
    """
    _fill_lanes(shapes[3 * index], values, lanes, 0)
    if axes > 1:
        _fill_lanes(shapes[3 * index + 1], values, lanes, 4)
    if axes > 2:
        _fill_lanes(shapes[3 * index + 2], values, lanes, 8)


def _fill_lanes(shape: list[float], values: list[float], lanes: list[float], at: int) -> None:
    """Write the four lanes of the sum over the modes of `values` times a shape, from `at` on."""
    count = len(values)
    whole = count // 4 * 4
    sum_0 = 0.0
    sum_1 = 0.0
    sum_2 = 0.0
    sum_3 = 0.0
    for i in range(0, whole, 4):
        sum_0 += shape[i] * values[i]
        sum_1 += shape[i + 1] * values[i + 1]
        sum_2 += shape[i + 2] * values[i + 2]
        sum_3 += shape[i + 3] * values[i + 3]
    lanes[at] = sum_0
    lanes[at + 1] = sum_1
    lanes[at + 2] = sum_2
    lanes[at + 3] = sum_3
    for i in range(whole, count):
        lanes[at + i - whole] += shape[i] * values[i]


def _projections(axes: int, lanes: list[float]) -> tuple[float, float, float]:
    """The sums that `project` has left in lanes; those behind the first `axes` are 0."""
    second = 0.0
    third = 0.0
    first = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
    if axes > 1:
        second = (lanes[4] + lanes[5]) + (lanes[6] + lanes[7])
    if axes > 2:
        third = (lanes[8] + lanes[9]) + (lanes[10] + lanes[11])
    return first, second, third


def _size(weight: list[float], values: list[float], lanes: list[float]) -> float:
    """Sum over the modes of `weight` times |value|; `lanes` is work space."""
    count = len(values)
    whole = count // 4 * 4
    sum_0 = 0.0
    sum_1 = 0.0
    sum_2 = 0.0
    sum_3 = 0.0
    for i in range(0, whole, 4):
        sum_0 += weight[i] * abs(values[i])
        sum_1 += weight[i + 1] * abs(values[i + 1])
        sum_2 += weight[i + 2] * abs(values[i + 2])
        sum_3 += weight[i + 3] * abs(values[i + 3])
    lanes[0] = sum_0
    lanes[1] = sum_1
    lanes[2] = sum_2
    lanes[3] = sum_3
    for i in range(whole, count):
        lanes[i - whole] += weight[i] * abs(values[i])
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])


def _pull(
    modes: Modes, displacement: list[float], velocity: list[float], forces: list[float]
) -> None:
    """Write the forces of the modes' own springs and dampers."""
    damping = modes.damping
    stiffness = modes.stiffness
    count = len(displacement)
    whole = count // 4 * 4
    for i in range(0, whole, 4):
        force_0 = -damping[i] * velocity[i] - stiffness[i] * displacement[i]
        force_1 = -damping[i + 1] * velocity[i + 1] - stiffness[i + 1] * displacement[i + 1]
        force_2 = -damping[i + 2] * velocity[i + 2] - stiffness[i + 2] * displacement[i + 2]
        force_3 = -damping[i + 3] * velocity[i + 3] - stiffness[i + 3] * displacement[i + 3]
        forces[i] = force_0
        forces[i + 1] = force_1
        forces[i + 2] = force_2
        forces[i + 3] = force_3
    for i in range(whole, count):
        forces[i] = -damping[i] * velocity[i] - stiffness[i] * displacement[i]


def _push(shapes: Rows, index: int, force_1: float, force_2: float, forces: list[float]) -> None:
    """Add the modal forces of a contact's force along the first two axes of its frame."""
    shape_1 = shapes[3 * index]
    shape_2 = shapes[3 * index + 1]
    count = len(forces)
    whole = count // 4 * 4
    for i in range(0, whole, 4):
        sum_0 = forces[i] + (force_1 * shape_1[i] + force_2 * shape_2[i])
        sum_1 = forces[i + 1] + (force_1 * shape_1[i + 1] + force_2 * shape_2[i + 1])
        sum_2 = forces[i + 2] + (force_1 * shape_1[i + 2] + force_2 * shape_2[i + 2])
        sum_3 = forces[i + 3] + (force_1 * shape_1[i + 3] + force_2 * shape_2[i + 3])
        forces[i] = sum_0
        forces[i + 1] = sum_1
        forces[i + 2] = sum_2
        forces[i + 3] = sum_3
    for i in range(whole, count):
        forces[i] = forces[i] + (force_1 * shape_1[i] + force_2 * shape_2[i])


def _push_along(shape: list[float], force: float, forces: list[float]) -> None:
    """Add the modal forces of a force along one axis."""
    count = len(forces)
    whole = count // 4 * 4
    for i in range(0, whole, 4):
        sum_0 = forces[i] + force * shape[i]
        sum_1 = forces[i + 1] + force * shape[i + 1]
        sum_2 = forces[i + 2] + force * shape[i + 2]
        sum_3 = forces[i + 3] + force * shape[i + 3]
        forces[i] = sum_0
        forces[i + 1] = sum_1
        forces[i + 2] = sum_2
        forces[i + 3] = sum_3
    for i in range(whole, count):
        forces[i] += force * shape[i]


def _integrate(
    factor: float,
    velocity: list[float],
    inverse_mass: list[float],
    next_displacement: list[float],
    next_velocity: list[float],
) -> None:
    """Write the next coefficients; `next_velocity` holds the forces on the modes."""
    count = len(velocity)
    whole = count // 4 * 4
    for i in range(0, whole, 4):
        way_0 = factor * velocity[i]
        way_1 = factor * velocity[i + 1]
        way_2 = factor * velocity[i + 2]
        way_3 = factor * velocity[i + 3]
        speed_0 = factor * inverse_mass[i] * next_velocity[i]
        speed_1 = factor * inverse_mass[i + 1] * next_velocity[i + 1]
        speed_2 = factor * inverse_mass[i + 2] * next_velocity[i + 2]
        speed_3 = factor * inverse_mass[i + 3] * next_velocity[i + 3]
        next_displacement[i] = way_0
        next_displacement[i + 1] = way_1
        next_displacement[i + 2] = way_2
        next_displacement[i + 3] = way_3
        next_velocity[i] = speed_0
        next_velocity[i + 1] = speed_1
        next_velocity[i + 2] = speed_2
        next_velocity[i + 3] = speed_3
    for i in range(whole, count):
        next_displacement[i] = factor * velocity[i]
        next_velocity[i] = factor * inverse_mass[i] * next_velocity[i]
