"""Motion of a structure and its contacts over one piece: one recurrence for all modes at once.

    m_i v_i' = τ (f_i(t) − c_i v_i − k_i q_i + Σ_c φ_i(c)·F_c),   q_i' = τ v_i,   t = τ s

The coefficients of the motion up to j determine coefficient j of each contact force, and with it
coefficient j + 1 of the motion. If all terms are linear, the series converges everywhere and ends
when its remainder is below rounding. Otherwise (slip in the plane, contact in a circle) it
converges only over a limited length. The piece is then shortened until the last coefficients are
negligible, by a geometric extrapolation.
"""

from __future__ import annotations

from math import sqrt

from ..contact.convergence import nonlinear_size, scale_contact
from ..contact.forces import add_force_coefficient
from ..contact.friction import has_friction
from ..contact.obstacle import add_curved_coefficient, is_hole, is_inside_curved, needed_axes
from ..contact.parameters import ContactLaw
from ..contact.polygon import face, time_to_border
from ..contact.state_objects import ContactState, ContactWork
from ..limits import MODAL_SERIES_LENGTH, MODAL_TAIL
from ..state_objects import Rows
from .mode_loops import (
    integrate,
    project,
    projections,
    pull,
    push,
    push_along,
    size_of_terms,
)
from .state_objects import Body, Modes, StructureState, StructureWork

# Every other coefficient can vanish, so the last but one, times this share, must be small as well.
# The next coefficients of an oscillation decrease by (λτ)²/(j (j + 1)), about 1/50, in two orders.
_SHARE_BEFORE = 0.125
# A piece to a border of a polygon is tried with this multiple of the estimated time to the border,
# and with at least this share of its usual length. Shorter pieces save few coefficients.
_BEYOND_BORDER = 1.1
_SHORTEST_TRIED = 0.02


def piece_rate(
    laws: list[ContactLaw], contacts: list[ContactState], coupling: Rows, modes: Modes
) -> float:
    """Upper bound [1/s] of the rates of the motion in the present modes of the contacts.

    Closed contacts add the largest row sum of the matrix √(K_a K_b) ‖φ_a M⁻¹ φ_bᵀ‖ to the largest
    ω_i², and with dampers likewise to c_i/m_i. `coupling` contains the norms [1/kg].
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
            spring = _spring(laws[a], first)
            damper = _damper(laws[a], first)
            couplings = coupling[a]
            for b in range(count):
                second = contacts[b]
                if second.closed != 0.0:
                    # Two roots would be rounded differently in a unit of time that is doubled.
                    row += couplings[b] * sqrt(spring * _spring(laws[b], second))
                    damped += couplings[b] * sqrt(damper * _damper(laws[b], second))
            springs = max(springs, row)
            dampers = max(dampers, damped)
    return max(sqrt(rate + springs), damping_rate + dampers)


def _spring(law: ContactLaw, s: ContactState) -> float:
    """K of the stiffest spring of a closed contact."""
    if s.sliding == 0.0 and has_friction(law):
        return max(law.stiffness, law.tangential_stiffness)
    return law.stiffness


def _damper(law: ContactLaw, s: ContactState) -> float:
    """C of the strongest damper of a closed contact."""
    if s.sliding == 0.0 and has_friction(law):
        return max(law.contact_damping, law.tangential_damping)
    return law.contact_damping


def fill_motion(
    body: Body, state: StructureState, inputs: Rows, work: StructureWork, length: float
) -> float:
    """Write the series of motion and contacts over `length` [s]. Return their valid share.

    `inputs` are the inputs' polynomials over the piece. With a share below 1 the series must be
    scaled (`scale_motion`). A share of 0 means that they overflow. It is one function because each
    order of motion and forces needs the lower orders of the others.
    """
    modes = body.modes
    shapes = body.shapes
    drives = body.drives
    laws = body.laws
    contacts = state.contacts
    displacements = work.displacements
    velocities = work.velocities
    works = work.works
    terms = work.terms
    mode_count = len(modes.stiffness)
    contact_count = len(laws)
    lanes = work.lanes
    first_displacement = displacements[0]
    first_velocity = velocities[0]
    start_displacement = state.motion.displacement
    start_velocity = state.motion.velocity
    for i in range(mode_count):
        first_displacement[i] = start_displacement[i]
        first_velocity[i] = start_velocity[i]
    largest = size_of_terms(modes.root_mass, start_velocity, lanes)
    size = largest
    for index in range(contact_count):
        start_contact(shapes, laws[index], contacts[index], first_displacement, works[index], index)
    input_count = int(work.counts.inputs)
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
        pull(modes, displacement, velocity, next_velocity)
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
            law = laws[index]
            s = contacts[index]
            contact_work = works[index]
            contact_terms = terms[index]
            axes = needed_axes(law, s)
            project(shapes, index, velocity, axes, contact_work.scratch)
            add_velocity(contact_work, axes, factor, j)
            if s.closed != 0.0:
                force_1, force_2, force_3 = add_force_coefficient(
                    law, s, contact_work, contact_terms, length, j
                )
                push(shapes, index, force_1, force_2, next_velocity)
                if axes > 2:
                    push_along(shapes[3 * index + 2], force_3, next_velocity)
            elif is_inside_curved(law, s, contact_work):
                add_curved_coefficient(contact_work, contact_terms, length, j)
        previous = size
        size = integrate(modes, factor, velocity, next_displacement, next_velocity, lanes)
        nonlinear = 1.0
        # Nonlinear terms are only tested when the series of the motion itself is about to end.
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
    # The contacts' forces end one order before the last coefficients.
    work.counts.motion = float(count - 1)
    if tail <= MODAL_TAIL:
        return 1.0
    return float((MODAL_TAIL / tail) ** (1.0 / (count - 3)))


def scale_motion(
    share: float, body: Body, state: StructureState, work: StructureWork, count: int
) -> None:
    """Rewrite all series over the first `share` of the piece, with `count` terms each."""
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


def length_to_borders(
    body: Body, state: StructureState, work: StructureWork, length: float
) -> float:
    """Length [s] of a piece: `length`, or less if a point will leave a polygon's side before.

    The series after the border would not be used.
    """
    shapes = body.shapes
    laws = body.laws
    motion = state.motion
    contacts = state.contacts
    works = work.works
    shorter = length
    for index in range(len(laws)):
        s = contacts[index]
        contact_work = works[index]
        if s.faced != 0.0:
            start_contact(shapes, laws[index], s, motion.displacement, contact_work, index)
            project(shapes, index, motion.velocity, 2, contact_work.scratch)
            add_velocity(contact_work, 2, 0.0, 0)
            time = _BEYOND_BORDER * time_to_border(contact_work)
            if 0.0 < time < shorter:
                shorter = max(time, _SHORTEST_TRIED * length)
    return shorter


def start_contact(
    shapes: Rows,
    law: ContactLaw,
    s: ContactState,
    displacement: list[float],
    work: ContactWork,
    index: int,
) -> None:
    """Write the position of a contact's point at the start of the piece, and the faced side."""
    project(shapes, index, displacement, 3, work.scratch)
    place_1, place_2, place_3 = projections(3, work.scratch)
    work.position_1[0] = law.offset_1 + place_1
    work.position_2[0] = law.offset_2 + place_2
    work.position_3[0] = law.offset_3 + place_3
    face(law, s, work)


def place_size(body: Body, state: StructureState, index: int, scratch: list[float]) -> float:
    """Sum of the lengths [m] whose sum is the place of a point across its obstacle.

    The place is rounded to their rounding. Only a slip without damper needs it, otherwise it is 0.
    """
    law = body.laws[index]
    s = state.contacts[index]
    if s.sliding == 0.0 or law.tangential_damping > 0.0:
        return 0.0
    shapes = body.shapes
    displacement = state.motion.displacement
    size = abs(law.offset_1) + size_of_terms(shapes[3 * index], displacement, scratch)
    if is_hole(law):
        size += abs(law.offset_2) + size_of_terms(shapes[3 * index + 1], displacement, scratch)
    return size


def add_velocity(work: ContactWork, axes: int, factor: float, j: int) -> None:
    """Write coefficient j of the point's velocity along the first `axes`, j + 1 of its position.

    `project` has written the sums of the velocity over the modes to the row `scratch`. `factor` [s]
    is the piece's length divided by j + 1.
    """
    rate_1, rate_2, rate_3 = projections(axes, work.scratch)
    work.velocity_1[j] = rate_1
    work.position_1[j + 1] = factor * rate_1
    work.velocity_2[j] = rate_2
    work.position_2[j + 1] = factor * rate_2
    work.velocity_3[j] = rate_3
    work.position_3[j + 1] = factor * rate_3
