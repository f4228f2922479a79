"""Loops over the modes of a structure, for one order of its series.

They process four modes at a time, for vector registers. A sum over modes has four lanes, in the
same order in all forms of the kernel. Compiled forms pad the modes to a multiple of four. The
additional modes add 0 to the sums.
"""

from __future__ import annotations

from ..state_objects import Rows
from .state_objects import Modes


def project(shapes: Rows, index: int, values: list[float], axes: int, lanes: list[float]) -> None:
    """Write sums over the modes of `values` times the shapes of a contact's point along its axes.

    Each of the first `axes` has four lanes, which `projections` adds up. In a common loop of both,
    compilers would mix the lanes.
    """
    if axes > 1:
        _fill_two_lanes(shapes[3 * index], shapes[3 * index + 1], values, lanes)
    else:
        _fill_lanes(shapes[3 * index], values, lanes, 0)
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


def _fill_two_lanes(
    shape_1: list[float], shape_2: list[float], values: list[float], lanes: list[float]
) -> None:
    """As `_fill_lanes`, for two shapes at once."""
    count = len(values)
    whole = count // 4 * 4
    first_0 = 0.0
    first_1 = 0.0
    first_2 = 0.0
    first_3 = 0.0
    second_0 = 0.0
    second_1 = 0.0
    second_2 = 0.0
    second_3 = 0.0
    for i in range(0, whole, 4):
        value_0 = values[i]
        value_1 = values[i + 1]
        value_2 = values[i + 2]
        value_3 = values[i + 3]
        first_0 += shape_1[i] * value_0
        first_1 += shape_1[i + 1] * value_1
        first_2 += shape_1[i + 2] * value_2
        first_3 += shape_1[i + 3] * value_3
        second_0 += shape_2[i] * value_0
        second_1 += shape_2[i + 1] * value_1
        second_2 += shape_2[i + 2] * value_2
        second_3 += shape_2[i + 3] * value_3
    lanes[0] = first_0
    lanes[1] = first_1
    lanes[2] = first_2
    lanes[3] = first_3
    lanes[4] = second_0
    lanes[5] = second_1
    lanes[6] = second_2
    lanes[7] = second_3
    for i in range(whole, count):
        lanes[i - whole] += shape_1[i] * values[i]
        lanes[4 + i - whole] += shape_2[i] * values[i]


def projections(axes: int, lanes: list[float]) -> tuple[float, float, float]:
    """The sums of the lanes of `project`. They are 0 after the first `axes`."""
    second = 0.0
    third = 0.0
    first = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
    if axes > 1:
        second = (lanes[4] + lanes[5]) + (lanes[6] + lanes[7])
    if axes > 2:
        third = (lanes[8] + lanes[9]) + (lanes[10] + lanes[11])
    return first, second, third


def size_of_terms(weight: list[float], values: list[float], lanes: list[float]) -> float:
    """Sum over the modes of |weight · value|, with the work space `lanes`."""
    count = len(values)
    whole = count // 4 * 4
    sum_0 = 0.0
    sum_1 = 0.0
    sum_2 = 0.0
    sum_3 = 0.0
    for i in range(0, whole, 4):
        sum_0 += abs(weight[i] * values[i])
        sum_1 += abs(weight[i + 1] * values[i + 1])
        sum_2 += abs(weight[i + 2] * values[i + 2])
        sum_3 += abs(weight[i + 3] * values[i + 3])
    lanes[0] = sum_0
    lanes[1] = sum_1
    lanes[2] = sum_2
    lanes[3] = sum_3
    for i in range(whole, count):
        lanes[i - whole] += abs(weight[i] * values[i])
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])


def pull(
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


def push(shapes: Rows, index: int, force_1: float, force_2: float, forces: list[float]) -> None:
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


def push_along(shape: list[float], force: float, forces: list[float]) -> None:
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


def integrate(
    modes: Modes,
    factor: float,
    velocity: list[float],
    next_displacement: list[float],
    next_velocity: list[float],
    lanes: list[float],
) -> float:
    """Write the next coefficients, and return `size_of_terms`.

    `next_velocity` contains the forces on the modes.
    """
    inverse_mass = modes.inverse_mass
    root_mass = modes.root_mass
    count = len(velocity)
    whole = count // 4 * 4
    sum_0 = 0.0
    sum_1 = 0.0
    sum_2 = 0.0
    sum_3 = 0.0
    for i in range(0, whole, 4):
        way_0 = factor * velocity[i]
        way_1 = factor * velocity[i + 1]
        way_2 = factor * velocity[i + 2]
        way_3 = factor * velocity[i + 3]
        speed_0 = factor * inverse_mass[i] * next_velocity[i]
        speed_1 = factor * inverse_mass[i + 1] * next_velocity[i + 1]
        speed_2 = factor * inverse_mass[i + 2] * next_velocity[i + 2]
        speed_3 = factor * inverse_mass[i + 3] * next_velocity[i + 3]
        sum_0 += root_mass[i] * abs(speed_0)
        sum_1 += root_mass[i + 1] * abs(speed_1)
        sum_2 += root_mass[i + 2] * abs(speed_2)
        sum_3 += root_mass[i + 3] * abs(speed_3)
        next_displacement[i] = way_0
        next_displacement[i + 1] = way_1
        next_displacement[i + 2] = way_2
        next_displacement[i + 3] = way_3
        next_velocity[i] = speed_0
        next_velocity[i + 1] = speed_1
        next_velocity[i + 2] = speed_2
        next_velocity[i + 3] = speed_3
    lanes[0] = sum_0
    lanes[1] = sum_1
    lanes[2] = sum_2
    lanes[3] = sum_3
    for i in range(whole, count):
        speed = factor * inverse_mass[i] * next_velocity[i]
        next_displacement[i] = factor * velocity[i]
        next_velocity[i] = speed
        lanes[i - whole] += root_mass[i] * abs(speed)
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
