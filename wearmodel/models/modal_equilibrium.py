"""Static equilibrium of a structure in its contacts, without friction.

    k_i q_i = f_i + Σ_c φ_i(c)·F_c(q)

Its energy ½ Σ k_i q_i² − Σ f_i q_i + Σ_c ½ K max(0, −gap)² is convex, so that Newton's method with
a damping that follows its success finds the minimum, if there is one: where the forces drive a
rigid mode that no contact holds, there is none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..kernel.modal_limits import CIRCLE, TWO_PLANES
from ..kernel.modal_records import ContactLaw

_MOST_ITERATIONS = 200
# Unbalanced force beside all forces at which nothing but rounding is left.
_BALANCED = 1e-13


def equilibrium(
    stiffness: Sequence[float],
    forces: Sequence[float],
    shapes: Sequence[Sequence[float]],
    laws: Sequence[ContactLaw],
) -> list[float]:
    """Modal coordinates of the equilibrium.

    Parameters
    ----------
    stiffness, forces
        k_i [N/m] and f_i [N], one a mode.
    shapes
        Three rows a contact, in its frame.
    laws
        Of the contacts.

    Raises
    ------
    ValueError
        There is no equilibrium.
    """
    count = len(stiffness)
    place = [0.0] * count
    energy, unbalanced, scale, matrix = _state(stiffness, forces, shapes, laws, place)
    largest = max(matrix[i][i] for i in range(count))
    damping = largest if largest > 0.0 else 1.0
    for _ in range(_MOST_ITERATIONS):
        if max(map(abs, unbalanced)) <= _BALANCED * scale:
            return place
        damped = [row[:] for row in matrix]
        for i in range(count):
            damped[i][i] += damping
        step = _solved(damped, unbalanced)
        tried = [a + b for a, b in zip(place, step)]
        found = _state(stiffness, forces, shapes, laws, tried)
        # The smallest changes of an energy are lost in rounding, but not those of the forces.
        if found[0] < energy or max(map(abs, found[1])) < max(map(abs, unbalanced)):
            place, (energy, unbalanced, scale, matrix) = tried, found
            damping *= 0.05
        else:
            damping *= 10.0
    raise ValueError(
        "initial.equilibrium = true: there is no equilibrium to start in; gravity or a load drives "
        "a rigid mode that no contact holds"
    )


def _state(
    stiffness: Sequence[float],
    forces: Sequence[float],
    shapes: Sequence[Sequence[float]],
    laws: Sequence[ContactLaw],
    place: Sequence[float],
) -> tuple[float, list[float], float, list[list[float]]]:
    """Energy [J], unbalanced forces [N], the size of all forces, and the tangent stiffness."""
    count = len(stiffness)
    energy = 0.0
    unbalanced = []
    scale = 0.0
    matrix = [[0.0] * count for _ in range(count)]
    for i in range(count):
        energy += (0.5 * stiffness[i] * place[i] - forces[i]) * place[i]
        unbalanced.append(forces[i] - stiffness[i] * place[i])
        scale = max(scale, abs(forces[i]), abs(stiffness[i] * place[i]))
        matrix[i][i] = stiffness[i]
    for index, law in enumerate(laws):
        one, two, _ = shapes[3 * index : 3 * index + 3]
        x_1 = law.offset_1 + sum(map(_product, one, place))
        x_2 = law.offset_2 + sum(map(_product, two, place))
        if law.obstacle == CIRCLE:
            radius = math.hypot(x_1, x_2)
            depth = radius - law.gap
            if depth <= 0.0:
                continue
            normal = [-(a * x_1 + b * x_2) / radius for a, b in zip(one, two)]
            turning = [(b * x_1 - a * x_2) / radius for a, b in zip(one, two)]
            _add(matrix, turning, law.stiffness * depth / radius)
        else:
            side = -1.0 if law.obstacle == TWO_PLANES and x_1 > 0.0 else 1.0
            depth = -(law.gap + side * x_1)
            if depth <= 0.0:
                continue
            normal = [side * a for a in one]
        force = law.stiffness * depth
        energy += 0.5 * force * depth
        for i in range(count):
            unbalanced[i] += force * normal[i]
            scale = max(scale, abs(force * normal[i]))
        _add(matrix, normal, law.stiffness)
    return energy, unbalanced, scale, matrix


def _add(matrix: list[list[float]], vector: Sequence[float], factor: float) -> None:
    """Add factor · vector vectorᵀ."""
    for row, one in zip(matrix, vector):
        for i, other in enumerate(vector):
            row[i] += factor * one * other


def _solved(matrix: list[list[float]], right: Sequence[float]) -> list[float]:
    """Solution of a system with a positive definite matrix, which is spoilt."""
    count = len(right)
    values = list(right)
    for k in range(count):
        pivot = matrix[k][k]
        for i in range(k + 1, count):
            factor = matrix[i][k] / pivot
            if factor != 0.0:
                row, upper = matrix[i], matrix[k]
                for j in range(k, count):
                    row[j] -= factor * upper[j]
                values[i] -= factor * values[k]
    for k in range(count - 1, -1, -1):
        row = matrix[k]
        left = values[k] - sum(row[j] * values[j] for j in range(k + 1, count))
        values[k] = left / row[k]
    return values


def _product(a: float, b: float) -> float:
    return a * b
