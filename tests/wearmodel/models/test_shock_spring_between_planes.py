"""The shock spring between two planes, and all obstacles compared with a structure's contact.

A structure that is too heavy to be slowed down moves its contact along a straight path. It uses its
own recurrence, so the same contact is computed by different code.
"""

import math
import random
from typing import Any

import numpy as np
import pytest

from wearmodel import ModalShock, ShockSpring, ShockSpringParameters
from wearmodel.models.shock_spring import ContactObstacle, Drive
from wearmodel.structure import Structure, structure_of

FLIGHT, STICK, SLIP = 0, 1, 2
GAP = 0.3
BETWEEN = {"obstacle": ContactObstacle.two_planes, "dist_1": GAP, "contact_stiffness": 10.0}


def spring(**parameters: Any) -> ShockSpring:
    values = {"drive": Drive.displacement, "tangential_stiffness": 20.0, **BETWEEN, **parameters}
    return ShockSpring(ShockSpringParameters(**values))


def go(model: ShockSpring, point: Any, step_size: float = 1.0) -> None:
    name = "load" if model.parameters.drive is Drive.load else "imposed_displacement"
    place = {f"{name}_{axis}": float(at) for axis, at in zip("xyz", point, strict=True)}
    model.step(**place, step_size=step_size)


def mirrored(model: ShockSpring) -> dict[str, float]:
    outputs = model.outputs()
    lower, upper = outputs["wear_depth_lower"], outputs["wear_depth_upper"]
    return {
        **outputs,
        "displacement_x": -outputs["displacement_x"],
        "force_x": -outputs["force_x"],
        "mean_force_x": -outputs["mean_force_x"],
        "wear_depth_lower": upper,
        "wear_depth_upper": lower,
    }


LAWS: dict[str, dict[str, Any]] = {
    "plain": {},
    "load": {"drive": Drive.load, "elastic_stiffness": 0.8},
    "dampers": {"contact_damping": 0.3, "tangential_damping": 0.5},
    "speed": {"friction_coefficient_slow": 0.9, "friction_decay_velocity": 0.5},
    "feedback": {"wear_feedback": True, "archard_coefficient": 1e-2, "wear_area": 1.0},
    "load and feedback": {
        "drive": Drive.load,
        "wear_feedback": True,
        "archard_coefficient": 1e-2,
        "wear_area": 1.0,
    },
}


def polygon(seed: int, width: float) -> list[np.ndarray]:
    choose = random.Random(seed)
    return [
        np.array([choose.uniform(-width, width), choose.uniform(-1, 1), choose.uniform(-1, 1)])
        for _ in range(12)
    ]


@pytest.mark.parametrize("law", LAWS)
def test_between_planes_up_is_like_down(law):
    below, above = spring(**LAWS[law]), spring(**LAWS[law])
    for point in polygon(1, 1.0):
        go(below, point)
        go(above, point * [-1.0, 1.0, 1.0])
        # The centre is half the difference of two openings, which is the only additional rounding.
        assert mirrored(above) == pytest.approx(below.outputs(), rel=1e-13, abs=1e-15)
    assert below.wear_depth_lower > 0.0
    assert below.wear_depth_upper > 0.0
    assert below.wear_depth_lower + below.wear_depth_upper == pytest.approx(below.wear_depth)


@pytest.mark.parametrize("law", LAWS)
def test_the_second_plane_is_not_felt_by_a_point_that_never_reaches_it(law):
    both, alone = spring(**LAWS[law]), spring(**LAWS[law], obstacle=ContactObstacle.plane)
    for point in polygon(2, 1.0):
        place = point * [0.5, 1.0, 1.0] - [0.4, 0.0, 0.0]
        go(both, place)
        go(alone, place)
        rest = {"clearance"}  # The clearance of the nearer plane differs.
        for name, value in alone.outputs().items():
            if name not in rest:
                assert both.outputs()[name] == pytest.approx(value, rel=1e-13, abs=1e-15), name


def test_a_leg_from_one_plane_to_the_other_opens_one_contact_and_closes_the_other():
    model = spring(friction_coefficient=0.5)
    go(model, (-1.3, 0.0, 0.0))
    assert (model.force_x, model.contact_mode) == (-10.0, STICK)
    # On the straight leg across the gap, the point reaches the upper plane at y = 0.8 m. It ends
    # 1 m deep.
    go(model, (1.3, 1.3, 0.0))
    assert model.force_x == pytest.approx(10.0, rel=1e-14)
    assert model.normal_force == pytest.approx(10.0, rel=1e-14)
    assert model.clearance == pytest.approx(-1.0, rel=1e-14)
    # K_T · 0.5 m exceeds μN = 5 N. Slip starts at the closing, and the cone grows to 0.25 m.
    assert model.force_y == pytest.approx(5.0, rel=1e-14)
    assert model.contact_mode == SLIP
    before = model.wear_work
    go(model, (0.0, 1.3, 0.0))
    assert (model.contact_mode, model.force_x, model.force_y) == (FLIGHT, 0.0, 0.0)
    assert model.clearance == GAP
    # The cone shrinks around a fixed point and reduces the stretch of 0.25 m to 0: ∫ N μ/K_T dN.
    assert model.wear_work - before == pytest.approx(0.5 * 0.25 * 10.0, rel=1e-13)


def test_wear_opens_either_gap_by_its_own():
    model = spring(wear_feedback=True, archard_coefficient=1e-2, wear_area=1.0)
    go(model, (1.3, 0.0, 0.0))
    go(model, (1.3, 2.0, 0.0))
    depth = model.wear_depth_upper
    assert depth > 0.0
    assert model.wear_depth_lower == 0.0
    assert model.force_x == pytest.approx(10.0 * (1.0 - depth), rel=1e-13)
    go(model, (-1.3, 2.0, 0.0))
    assert model.force_x == pytest.approx(-10.0, rel=1e-13)


def heavy(obstacle: str, law: dict[str, Any]) -> Structure:
    """Return a structure with a point on three rigid modes of 1e40 kg along x, y and z."""
    direction: dict[str, Any] = {"normal": [1.0, 0.0, 0.0]}
    if obstacle in ("circle", "polygon"):
        direction = {"axis": [0.0, 0.0, 1.0]}
    if obstacle == "polygon":
        direction["sides"] = SIDES
    return structure_of(
        {
            "structure": {"title": "a heavy body"},
            "modes": {"frequency": [0.0] * 3, "generalised_mass": [1e40] * 3},
            "point": [
                {
                    "name": "tip",
                    "shape_x": [1.0, 0.0, 0.0],
                    "shape_y": [0.0, 1.0, 0.0],
                    "shape_z": [0.0, 0.0, 1.0],
                }
            ],
            "contact": [
                {
                    "name": "contact",
                    "point": "tip",
                    "obstacle": obstacle,
                    "gap": GAP,
                    **direction,
                    **law,
                }
            ],
        }
    )


SIDES = 5
# No tangential damper: a structure rejects a damper that is too weak for such a mass.
CONTACTS: dict[str, dict[str, Any]] = {
    "undamped": {"tangential_damping": 0.0},
    "worn": {
        "tangential_damping": 0.0,
        "wear_feedback": True,
        "archard_coefficient": 1e-2,
        "wear_area": 1.0,
    },
}


def heavy_model(law: dict[str, Any]) -> ModalShock:
    return ModalShock(heavy("polygon", law))


@pytest.mark.long
@pytest.mark.parametrize("law", CONTACTS)
@pytest.mark.parametrize("obstacle", ContactObstacle, ids=lambda obstacle: obstacle.name)
def test_a_led_spring_does_what_the_contact_of_a_heavy_structure_does(obstacle, law):
    common = {
        "contact_stiffness": 10.0,
        "tangential_stiffness": 20.0,
        "friction_coefficient": 0.3,
        **CONTACTS[law],
    }
    if obstacle is ContactObstacle.polygon and law == "worn":
        for refused in (lambda: spring(**common, obstacle=obstacle), lambda: heavy_model(common)):
            with pytest.raises(ValueError, match="wear_feedback=true is invalid in a polygon"):
                refused()
        return
    structure = ModalShock(heavy(obstacle.name, common))
    led = spring(**common, obstacle=obstacle, sides=SIDES)
    compared = 0
    for point in polygon(3, 0.8):
        duration = 0.7
        state = structure.snapshot()
        # The displacements of the three modes are followed by their velocities.
        motion = state["state"]["motion"]
        motion[3:] = list((point - np.array(motion[:3])) / duration)
        structure.restore(state)
        structure.step(duration)
        go(led, point, duration)
        outputs = structure.outputs()
        got = [led.normal_force, led.force_y, led.force_z, led.wear_work, led.slip_velocity]
        want = [
            outputs["contact.normal_force"],
            -outputs["contact.friction_force_y"],
            -outputs["contact.friction_force_z"],
            outputs["contact.wear_work"],
            outputs["contact.slip_velocity"],
        ]
        if obstacle is ContactObstacle.circle:
            # In a hole, the normal force has a component along y.
            out = np.array(point[:2]) / math.hypot(point[0], point[1])
            want[1] += want[0] * out[1]
        if obstacle is ContactObstacle.polygon:
            # This also applies to a polygon, but the structure does not output the direction.
            del got[1], want[1]
        # Turning slip amplifies the rounding of the corner positions by a few digits.
        assert got == pytest.approx(want, rel=1e-10, abs=1e-11)
        compared += led.contact_mode == SLIP
    assert compared > 2
