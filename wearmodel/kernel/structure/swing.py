"""Undamped oscillation of a structure whose contacts stick, over a whole step in closed form.

A friction spring without a damper never comes to rest, so a step would otherwise take as many
pieces as it has oscillations.
"""

from __future__ import annotations

from math import sin, sqrt

from ..contact.friction import has_friction, holding_bound
from ..contact.guards import OPENING_SHARE
from ..contact.obstacle import is_hole
from ..contact.parameters import ContactLaw
from ..contact.state_objects import ContactState
from ..contact.transitions import forget_zeros
from ..limits import MODAL_SERIES_LENGTH, NO_EVENT, ON_CONE
from ..series.arithmetic import magnitude
from ..state_objects import Rows
from .limits import MODAL_RATE_LIMIT
from .motion import fill_motion, piece_rate
from .rest import has_constant_inputs
from .state_objects import Body, StructureState, StructureWork

# An off-diagonal element is rounding if it is below this share of its two diagonal elements.
_DIAGONAL = 1e-17
_MOST_SWEEPS = 30
# Share by which rounding can exceed a contact's largest force, and share of the largest ω² below
# which an ω² counts as 0.
_ROUNDING = 1e-14
# Rows of the motion's series that contain y, ẏ/ω, A and ω. The rows before contain S.
_PLACE = MODAL_SERIES_LENGTH - 4
_SPEED = MODAL_SERIES_LENGTH - 3
_AMPLITUDE = MODAL_SERIES_LENGTH - 2
_RATE = MODAL_SERIES_LENGTH - 1


def swing(body: Body, state: StructureState, work: StructureWork, step_size: float) -> bool:
    """Compute the whole step if all is linear and a bound excludes events. False: no change.

    With u = √m q the motion about the equilibrium is ÿ_k = −ω_k² y_k along the eigenvectors of
    S = M^−½ (K + Σ φᵀ K_c φ) M^−½. Therefore |y_k| ≤ A_k with A_k² = y_k² + ẏ_k²/ω_k², and the sum
    over all k bounds each force. A friction force may touch its cone to rounding, as in
    `shoe.quiet_stick`. The rows of the series are work space for S and its eigenvectors.
    """
    modes = body.modes
    laws = body.laws
    contacts = state.contacts
    displacement = state.motion.displacement
    velocity = state.motion.velocity
    inverse_mass = modes.inverse_mass
    root_mass = modes.root_mass
    vectors = work.velocities
    accelerations = work.forces
    count = len(velocity)
    moving = 0
    for i in range(count):
        if modes.damping[i] != 0.0:
            return False
        if inverse_mass[i] > 0.0:
            moving += 1
    for index in range(len(laws)):
        if not _is_linear(laws[index], contacts[index]):
            return False
    rate = piece_rate(laws, contacts, body.coupling, modes)
    # The eigenvectors cost about as much as one piece for each moving mode.
    if count > _PLACE or rate * step_size <= moving * MODAL_RATE_LIMIT:
        return False
    if not has_constant_inputs(work):
        return False
    if fill_motion(body, state, work.inputs, work, 1.0 / rate) == 0.0:
        return False
    first_order = vectors[1]
    for i in range(count):
        accelerations[i] = root_mass[i] * rate * first_order[i]
    _fill_matrix(body, work.displacements)
    if not _diagonalise(work.displacements, vectors, count):
        return False
    if not _fill_amplitudes(work.displacements, vectors, accelerations, root_mass, velocity):
        return False
    for index in range(len(laws)):
        if not _stays_inside(body, contacts[index], work, index):
            return False
    # √m times the changes of displacement and velocity are sums over the eigenvectors.
    places = work.displacements[_PLACE]
    speeds = work.displacements[_SPEED]
    rates = work.displacements[_RATE]
    for k in range(count):
        half = sin(0.5 * rates[k] * step_size)
        turned = sin(rates[k] * step_size)
        fall = 2.0 * half * half
        place = places[k]
        places[k] = speeds[k] * turned - place * fall
        speeds[k] = -rates[k] * (speeds[k] * fall + place * turned)
    for i in range(count):
        moved = 0.0
        gained = 0.0
        for k in range(count):
            moved += vectors[k][i] * places[k]
            gained += vectors[k][i] * speeds[k]
        root = sqrt(inverse_mass[i])
        accelerations[i] = root * moved
        displacement[i] += root * moved
        velocity[i] += root * gained
    for index in range(len(laws)):
        s = contacts[index]
        for i in range(count):
            s.stretch_1 += body.shapes[3 * index + 1][i] * accelerations[i]
            s.stretch_2 += body.shapes[3 * index + 2][i] * accelerations[i]
        forget_zeros(s)
    work.counts.pieces = 1.0
    work.counts.event = float(NO_EVENT)
    return True


def _is_linear(law: ContactLaw, s: ContactState) -> bool:
    """Whether a contact sticks at a flat plane and has no damper."""
    if (
        law.curvature != 0.0
        or is_hole(law)
        or s.closed == 0.0
        or s.sliding != 0.0
        or not has_friction(law)
    ):
        return False
    return law.contact_damping == 0.0 and law.tangential_damping == 0.0


def _fill_matrix(body: Body, matrix: Rows) -> None:
    """Write S [1/s2]."""
    laws = body.laws
    shapes = body.shapes
    stiffness = body.modes.stiffness
    inverse_mass = body.modes.inverse_mass
    count = len(stiffness)
    for i in range(count):
        row = matrix[i]
        for j in range(count):
            total = stiffness[i] if i == j else 0.0
            for index in range(len(laws)):
                law = laws[index]
                along = shapes[3 * index]
                first = shapes[3 * index + 1]
                second = shapes[3 * index + 2]
                total += law.stiffness * along[i] * along[j]
                sticking = first[i] * first[j] + second[i] * second[j]
                total += law.tangential_stiffness * sticking
            row[j] = total * sqrt(inverse_mass[i]) * sqrt(inverse_mass[j])


def _diagonalise(matrix: Rows, vectors: Rows, count: int) -> bool:
    """Make a symmetric matrix diagonal by Jacobi's rotations, and write its eigenvectors as rows.

    False if it does not converge.
    """
    for i in range(count):
        for j in range(count):
            vectors[i][j] = 1.0 if i == j else 0.0
    for _ in range(_MOST_SWEEPS):
        is_diagonal = True
        for p in range(count - 1):
            for q in range(p + 1, count):
                beside = matrix[p][q]
                diagonal = abs(matrix[p][p]) + abs(matrix[q][q])
                if abs(beside) > _DIAGONAL * diagonal:
                    is_diagonal = False
                    ratio = 0.5 * (matrix[q][q] - matrix[p][p]) / beside
                    tangent = 1.0 / (abs(ratio) + sqrt(1.0 + ratio * ratio))
                    if ratio < 0.0:
                        tangent = -tangent
                    cosine = 1.0 / sqrt(1.0 + tangent * tangent)
                    sine = tangent * cosine
                    _turn(matrix[p], matrix[q], cosine, sine)
                    for i in range(count):
                        row = matrix[i]
                        first = row[p]
                        row[p] = cosine * first - sine * row[q]
                        row[q] = sine * first + cosine * row[q]
                    matrix[p][q] = 0.0
                    matrix[q][p] = 0.0
                    _turn(vectors[p], vectors[q], cosine, sine)
        if is_diagonal:
            return True
    return False


def _turn(first: list[float], second: list[float], cosine: float, sine: float) -> None:
    for i in range(len(first)):
        before = first[i]
        first[i] = cosine * before - sine * second[i]
        second[i] = sine * before + cosine * second[i]


def _fill_amplitudes(
    matrix: Rows,
    vectors: Rows,
    accelerations: list[float],
    root_mass: list[float],
    velocity: list[float],
) -> bool:
    """Write y, ẏ/ω, A and ω. False if an eigenvector without stiffness is not at rest."""
    places = matrix[_PLACE]
    speeds = matrix[_SPEED]
    amplitudes = matrix[_AMPLITUDE]
    rates = matrix[_RATE]
    count = len(velocity)
    stiffest = 0.0
    for k in range(count):
        stiffest = max(stiffest, matrix[k][k])
    for k in range(count):
        acceleration = 0.0
        speed = 0.0
        for i in range(count):
            acceleration += vectors[k][i] * accelerations[i]
            speed += vectors[k][i] * (root_mass[i] * velocity[i])
        square = matrix[k][k]
        place = 0.0
        rate = 0.0
        if square > _ROUNDING * stiffest:
            rate = sqrt(square)
            place = -acceleration / square
            speed /= rate
        elif acceleration != 0.0 or speed != 0.0:
            return False
        places[k] = place
        speeds[k] = speed
        amplitudes[k] = magnitude(place, speed)
        rates[k] = rate
    return True


def _stays_inside(body: Body, s: ContactState, work: StructureWork, index: int) -> bool:
    """Whether the amplitudes keep a contact closed and its friction force in the cone."""
    law = body.laws[index]
    contact_work = work.works[index]
    normal, normal_swing = _range(body, work, 3 * index)
    first, first_swing = _range(body, work, 3 * index + 1)
    second, second_swing = _range(body, work, 3 * index + 2)
    middle = contact_work.force[0] + s.closed * law.stiffness * normal
    least = middle - law.stiffness * normal_swing
    if not least > OPENING_SHARE * s.contact_peak:
        return False
    if middle + law.stiffness * normal_swing > (1.0 + _ROUNDING) * s.contact_peak:
        return False
    stiffness = law.tangential_stiffness
    largest_1 = abs(contact_work.friction_1[0] + stiffness * first) + stiffness * first_swing
    largest_2 = abs(contact_work.friction_2[0] + stiffness * second) + stiffness * second_swing
    return magnitude(largest_1, largest_2) <= (1.0 + ON_CONE) * holding_bound(law, least)


def _range(body: Body, work: StructureWork, axis: int) -> tuple[float, float]:
    """Displacement [m] of a contact's point from equilibrium along an axis, and its bound."""
    inverse_mass = body.modes.inverse_mass
    shape = body.shapes[axis]
    places = work.displacements[_PLACE]
    amplitudes = work.displacements[_AMPLITUDE]
    way = 0.0
    bound = 0.0
    for k in range(len(shape)):
        share = 0.0
        for i in range(len(shape)):
            share += shape[i] * sqrt(inverse_mass[i]) * work.velocities[k][i]
        way += share * places[k]
        bound += abs(share) * amplitudes[k]
    return way, bound
