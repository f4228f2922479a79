"""Outputs of contacts between bodies, in the order of `models.contact_element`."""

from __future__ import annotations

from ..spring.body_image import mass_seen
from ..structure.measures import fill_contacts, fill_sides
from ..structure.state_objects import Body, StructureState, StructureWork
from .state_objects import Bodies
from .steps import fill_present_force, set_drives

# Three components each of force, mean force and impulse.
POINT_OUTPUTS = 9


def fill_bodies_outputs(
    body: Body, state: StructureState, bodies: Bodies, work: StructureWork, outputs: list[float]
) -> None:
    """Write the outputs at this instant."""
    images = bodies.images
    force = work.forces
    set_drives(body, bodies)
    place, total_work, total_power = fill_contacts(body, state, work, outputs)
    outputs[place] = total_work
    outputs[place + 1] = total_power
    outputs[place + 2] = state.now.parameter_change_work
    first = place + 3
    place = first + POINT_OUTPUTS * len(bodies.point_bodies)
    for at in range(first, place + 2 * len(images)):
        outputs[at] = 0.0
    for index in range(len(body.laws)):
        fill_present_force(body, state, work, index, force)
        points = bodies.contact_points[index]
        mean = bodies.mean_forces[index]
        account = bodies.accounts[index]
        for side in range(2):
            if points[side] >= 0.0:
                point = int(points[side])
                number = int(bodies.point_bodies[point])
                image = images[number]
                sign = 1.0 - 2.0 * side
                at = first + POINT_OUTPUTS * point
                for k in range(3):
                    outputs[at + k] += sign * force[k]
                    outputs[at + 3 + k] += sign * mean[k]
                    outputs[at + 6 + k] += sign * mean[k] * image.step_size
                outputs[place + 2 * number] += account.balance
    for number in range(len(images)):
        outputs[place + 2 * number + 1] = mass_seen(images[number])
    fill_sides(body, state, outputs, place + 2 * len(images))
