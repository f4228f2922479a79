"""Static equilibrium of a structure in its contacts, without friction.

    k_i q_i = f_i + Σ_c φ_i(c)·F_c(q)

Its energy ½ Σ k_i q_i² − Σ f_i q_i + Σ_c ½ K max(0, −gap)² is convex, so Newton's method
with adaptive damping finds the minimum. It does not exist if the forces drive a rigid mode that is
not supported by a contact.
"""

from __future__ import annotations

from ..contact.obstacle import pressed
from ..contact.parameters import ContactLaw
from ..contact.state_objects import ContactWork
from ..state_objects import Rows
from .state_objects import Body, EquilibriumWork

_MOST_ITERATIONS = 200
# Share of the largest force below which the unbalanced force is rounding.
_BALANCED = 1e-13
# The gap of a contact is rounded to this share of the lengths that it is a difference of.
_GAP_ROUNDING = 1e-15


def find_equilibrium(
    body: Body,
    forces: list[float],
    place: list[float],
    works: list[ContactWork],
    work: EquilibriumWork,
) -> bool:
    """Write the modal coordinates of the equilibrium into `place`. False if it does not exist.

    `forces` are f_i [N].
    """
    matrix = work.matrix
    damped = work.damped
    search = work.search
    tried = search[0]
    unbalanced = search[1]
    turning = search[2]
    count = len(place)
    for i in range(count):
        place[i] = 0.0
    energy, largest, scale = _balance(body, works, forces, place, unbalanced)
    _fill_tangent(body, works, place, turning, matrix)
    stiffest = 0.0
    for i in range(count):
        stiffest = max(stiffest, matrix[i][i])
    damping = stiffest if stiffest > 0.0 else 1.0
    for _ in range(_MOST_ITERATIONS):
        if largest <= _BALANCED * scale:
            return True
        for i in range(count):
            source = matrix[i]
            target = damped[i]
            for j in range(count):
                target[j] = source[j]
            target[i] += damping
        _solve(damped, unbalanced)
        for i in range(count):
            tried[i] = place[i] + unbalanced[i]
        tried_energy, tried_largest, tried_scale = _balance(body, works, forces, tried, unbalanced)
        # Small energy changes are lost in rounding, but force changes are not.
        if tried_energy < energy or tried_largest < largest:
            for i in range(count):
                place[i] = tried[i]
            energy = tried_energy
            largest = tried_largest
            scale = tried_scale
            _fill_tangent(body, works, place, turning, matrix)
            damping *= 0.05
        else:
            _balance(body, works, forces, place, unbalanced)
            damping *= 10.0
    # A small gap between large lengths has a larger rounding error than the forces.
    return largest <= _contact_rounding(body, works, place)


def _contact_rounding(body: Body, works: list[ContactWork], place: list[float]) -> float:
    """Largest modal force [N] that can result from rounding of the closed contacts' gaps."""
    shapes = body.shapes
    laws = body.laws
    largest = 0.0
    for index in range(len(laws)):
        law = laws[index]
        depth, along_1, along_2, radius = _pressed(shapes, law, works[index], index, place)
        if depth > 0.0:
            shape_1 = shapes[3 * index]
            shape_2 = shapes[3 * index + 1]
            length = abs(law.gap) + radius + abs(law.offset_1) + abs(law.offset_2)
            share = 0.0
            for i in range(len(place)):
                length += (abs(shape_1[i]) + abs(shape_2[i])) * abs(place[i])
                share = max(share, abs(along_1 * shape_1[i]) + abs(along_2 * shape_2[i]))
            largest += _GAP_ROUNDING * law.stiffness * length * share
    return largest


def _balance(
    body: Body,
    works: list[ContactWork],
    forces: list[float],
    place: list[float],
    unbalanced: list[float],
) -> tuple[float, float, float]:
    """Write the unbalanced forces. Return energy [J], largest unbalanced and largest force [N]."""
    stiffness = body.modes.stiffness
    shapes = body.shapes
    laws = body.laws
    energy = 0.0
    scale = 0.0
    for i in range(len(place)):
        elastic = stiffness[i] * place[i]
        energy += (0.5 * elastic - forces[i]) * place[i]
        unbalanced[i] = forces[i] - elastic
        scale = max(scale, abs(forces[i]), abs(elastic))
    for index in range(len(laws)):
        law = laws[index]
        depth, along_1, along_2, _ = _pressed(shapes, law, works[index], index, place)
        if depth > 0.0:
            shape_1 = shapes[3 * index]
            shape_2 = shapes[3 * index + 1]
            force = law.stiffness * depth
            energy += 0.5 * force * depth
            for i in range(len(place)):
                share = force * (along_1 * shape_1[i] + along_2 * shape_2[i])
                unbalanced[i] += share
                scale = max(scale, abs(share))
    largest = 0.0
    for i in range(len(place)):
        largest = max(largest, abs(unbalanced[i]))
    return energy, largest, scale


def _pressed(
    shapes: Rows, law: ContactLaw, work: ContactWork, index: int, place: list[float]
) -> tuple[float, float, float, float]:
    """Depth [m] of a contact's point in its obstacle, the normal, and the radius of curvature."""
    shape_1 = shapes[3 * index]
    shape_2 = shapes[3 * index + 1]
    x_1 = law.offset_1
    x_2 = law.offset_2
    for i in range(len(place)):
        x_1 += shape_1[i] * place[i]
        x_2 += shape_2[i] * place[i]
    return pressed(law, work, x_1, x_2)


def _fill_tangent(
    body: Body, works: list[ContactWork], place: list[float], vector: list[float], matrix: Rows
) -> None:
    """Write the tangent stiffness [N/m]. `vector` is work space."""
    stiffness = body.modes.stiffness
    shapes = body.shapes
    laws = body.laws
    count = len(place)
    for i in range(count):
        row = matrix[i]
        for j in range(count):
            row[j] = 0.0
        row[i] = stiffness[i]
    for index in range(len(laws)):
        law = laws[index]
        depth, along_1, along_2, radius = _pressed(shapes, law, works[index], index, place)
        if depth > 0.0:
            shape_1 = shapes[3 * index]
            shape_2 = shapes[3 * index + 1]
            if radius > 0.0:
                for i in range(count):
                    vector[i] = along_1 * shape_2[i] - along_2 * shape_1[i]
                _add_square(matrix, vector, law.stiffness * depth / radius)
            for i in range(count):
                vector[i] = along_1 * shape_1[i] + along_2 * shape_2[i]
            _add_square(matrix, vector, law.stiffness)


def _add_square(matrix: Rows, vector: list[float], factor: float) -> None:
    """Add factor · vector vectorᵀ."""
    for i in range(len(vector)):
        row = matrix[i]
        for j in range(len(vector)):
            row[j] += factor * vector[i] * vector[j]


def _solve(matrix: Rows, values: list[float]) -> None:
    """Replace a system's right-hand side by its solution. The matrix is overwritten.

    The matrix is positive definite.
    """
    count = len(values)
    for k in range(count):
        upper = matrix[k]
        for i in range(k + 1, count):
            row = matrix[i]
            factor = row[k] / upper[k]
            if factor != 0.0:
                for j in range(k, count):
                    row[j] -= factor * upper[j]
                values[i] -= factor * values[k]
    for k in range(count - 1, -1, -1):
        last = matrix[k]
        total = values[k]
        for j in range(k + 1, count):
            total -= last[j] * values[j]
        values[k] = total / last[k]
