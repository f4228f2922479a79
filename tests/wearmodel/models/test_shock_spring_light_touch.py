"""A point whose depth in an obstacle is close to the rounding of the lengths.

Friction does not have a damper, so its direction turns faster at smaller normal forces.
"""

from __future__ import annotations

import math
from typing import Any

import pytest

from wearmodel import ShockSpring, ShockSpringParameters
from wearmodel.kernel.contact.parameters import ContactObstacle
from wearmodel.kernel.limits import FLIGHT, SLIP

GAP, STIFFNESS, TANGENTIAL_STIFFNESS, FRICTION = 1e-3, 1e6, 1e7, 0.2
STEP = 0.1
OBSTACLES = pytest.mark.parametrize("obstacle", ContactObstacle, ids=lambda kind: kind.name)
# A depth is a difference between two lengths of about GAP.
ROUNDING = 4.0 * math.ulp(GAP)


def touching(obstacle: ContactObstacle, beyond: float, **parameters: float) -> ShockSpring:
    """Move the point of a new spring to `beyond` [m] past the surface.

    The small viscous friction excludes the closed form for planes.
    """
    varying = {"viscous_friction": 1e-9}
    spring = ShockSpring(
        ShockSpringParameters(
            drive="displacement",
            obstacle=obstacle,
            **{
                "dist_1": GAP,
                "contact_stiffness": STIFFNESS,
                "tangential_stiffness": TANGENTIAL_STIFFNESS,
                "friction_coefficient": FRICTION,
                "sides": 6,
                **varying,
                **parameters,
            },
        )
    )
    spring.step(**to(spring, beyond))
    return spring


def to(spring: ShockSpring, beyond: float, y: float = 0.0, z: float = 0.0) -> dict[str, Any]:
    """Return the inputs of a step to a point `beyond` the surface along x, and at y and z [m]."""
    x = spring.parameters.dist_1 + beyond
    return {
        "imposed_displacement_x": -x if spring.parameters.obstacle == ContactObstacle.plane else x,
        "imposed_displacement_y": y,
        "imposed_displacement_z": z,
        "step_size": STEP,
    }


@OBSTACLES
@pytest.mark.parametrize("depth", [1e-6, 1e-8, 1e-9, 1e-11, 1e-13, 1e-15])
def test_a_point_on_the_surface_is_pressed_by_a_short_way(obstacle, depth):
    spring = touching(obstacle, 0.0)
    spring.step(**to(spring, depth, z=depth))
    assert spring.normal_force == pytest.approx(
        STIFFNESS * depth, rel=1e-9, abs=STIFFNESS * ROUNDING
    )
    assert spring.contact_mode == SLIP
    # The contact slips throughout, under a force that is proportional to the distance.
    friction = math.hypot(spring.force_y, spring.force_z)
    assert friction == pytest.approx(FRICTION * spring.normal_force, rel=1e-6)
    stretch = friction / TANGENTIAL_STIFFNESS
    work = 0.5 * spring.normal_force * (depth - stretch)
    assert spring.wear_work == pytest.approx(work, rel=1e-6, abs=STIFFNESS * ROUNDING * depth)


@OBSTACLES
@pytest.mark.parametrize("beyond", [-2, -1, 0, 1, 2, 40])
@pytest.mark.parametrize("way", [1e-9, 1e-3, 1.0])
def test_a_point_that_is_on_the_surface_to_rounding_is_led_along_it(obstacle, beyond, way):
    depth = beyond * math.ulp(GAP)
    spring = touching(obstacle, depth)
    for z in (way, 3.0 * way, 0.0):
        spring.step(**to(spring, depth, z=z))
        assert spring.normal_force <= STIFFNESS * (depth + ROUNDING)
    assert spring.wear_work <= STIFFNESS * max(depth + ROUNDING, 0.0) * 6.0 * way


@pytest.mark.parametrize("way", [1e-3, 1.0])
def test_a_point_in_a_corner_of_a_polygon_leaves_one_side_along_the_other(way):
    spring = touching(ContactObstacle.polygon, math.ulp(GAP))
    for y in (way, 2.0 * way, 0.0):
        spring.step(**to(spring, math.ulp(GAP), y=y))
    assert (spring.contact_mode, spring.normal_force) == (FLIGHT, 0.0)


def test_a_point_that_its_damper_let_go_is_free_where_it_ends_on_a_polygon():
    # The damper reduces the force to zero during the fast return, which ends on the surface.
    spring = touching(ContactObstacle.polygon, 1e-4, contact_damping=10.0)
    spring.step(**{**to(spring, 0.0), "step_size": 1e-5})
    work = spring.wear_work
    for angle in (98.0, -50.0, 170.0, 30.0, -110.0):
        x, y = (0.99 * GAP * f(math.radians(angle)) for f in (math.cos, math.sin))
        spring.step(**{**to(spring, x - GAP, y), "step_size": 1e-4})
        assert (spring.contact_mode, spring.normal_force, spring.wear_work) == (FLIGHT, 0.0, work)


def test_a_stretch_on_the_cone_of_a_light_touch_neither_slips_nor_sticks_without_end():
    # The least depth is 1e-12 of the gap, so one unit in the last place changes the cone by 2e-4.
    gap = 0.5
    spring = touching(ContactObstacle.plane, 0.0, dist_1=gap, contact_stiffness=364.0541385192273)
    places = [(5e-13, 0.0, 1e-12), (1.5e-12, 1e-12, 1e-12), (1e-12, 1e-12, -1e-12)]
    for number in range(60):
        beyond, y, z = places[number % 3]
        spring.step(**to(spring, beyond * (1.0 + 0.01 * number), y, z))
        force = spring.parameters.contact_stiffness * -(spring.displacement_x + gap)
        assert spring.normal_force == max(0.0, force)
        friction = math.hypot(spring.force_y, spring.force_z)
        assert friction <= FRICTION * spring.normal_force * (1.0 + 1e-9)
