"""A point that has been led along an obstacle and then stays where it is changes nothing more."""

from __future__ import annotations

import math
from typing import Any

import pytest

from wearmodel.kernel.contact.parameters import ContactObstacle
from wearmodel.kernel.spring.parameters import Drive, ShockSpringParameters
from wearmodel.models.shock_spring import ShockSpring

from .friction_forms import FORMS, VANISHING, static_coefficient

GAP, DEPTH, WAY, SPEED = 1e-3, 1e-5, 0.1, 0.1
STIFFNESS = 1e6
PRESSING = STIFFNESS * DEPTH
OBSTACLES = pytest.mark.parametrize("obstacle", ContactObstacle, ids=lambda kind: kind.name)
DAMPED = pytest.mark.parametrize("damped", [False, True], ids=["undamped", "damped"])


def check_rest(
    friction: dict[str, Any], obstacle: ContactObstacle, stiffness: float, damped: bool
) -> None:
    """Lead a point along an obstacle, and let it stay there for ten minutes."""
    model = ShockSpring(
        ShockSpringParameters(
            drive=Drive.displacement,
            obstacle=obstacle,
            dist_1=GAP,
            contact_stiffness=STIFFNESS,
            tangential_stiffness=stiffness,
            # What critical damping is for 1 kg.
            tangential_damping=2.0 * math.sqrt(stiffness) if damped else 0.0,
            contact_damping=2.0 * math.sqrt(STIFFNESS) if damped else 0.0,
            **friction,
        )
    )
    pressed = {"imposed_displacement_x": -GAP - DEPTH}
    model.step(step_size=1.0, **pressed)
    for number in range(1, 11):
        along = number * WAY / 10
        model.step(step_size=0.1 * WAY / SPEED, imposed_displacement_z=along, **pressed)
    assert model.outputs()["contact_mode"] == 2
    resting = {"imposed_displacement_z": WAY, **pressed}
    # A damper lets go within e^−1000; then ten minutes follow.
    for _ in range(20):
        model.step(step_size=1.0, **resting)
    first = model.outputs()
    for _ in range(600):
        model.step(step_size=1.0, **resting)
    outputs = model.outputs()
    assert outputs == first
    assert outputs["slip_velocity"] == 0.0
    # The friction force is inside the cone at rest, and the anchor has come as far as wear says.
    force = abs(outputs["force_z"])
    assert force <= static_coefficient(friction) * PRESSING * (1.0 + 1e-12)
    assert outputs["wear_work"] == pytest.approx(PRESSING * (WAY - force / stiffness), rel=1e-11)


@DAMPED
@pytest.mark.parametrize(
    "stiffness", [1e6, *(pytest.param(k, marks=pytest.mark.campaign) for k in (1e4, 1e8, 1e10))]
)
@OBSTACLES
@pytest.mark.parametrize("form", FORMS)
def test_ten_minutes_of_rest_change_nothing(
    form: str, obstacle: ContactObstacle, stiffness: float, damped: bool
) -> None:
    check_rest(FORMS[form], obstacle, stiffness, damped)


# The anchor is drawn on as long as the stretch lasts.
@DAMPED
@OBSTACLES
def test_friction_that_vanishes_at_rest_leaves_no_stretch(
    obstacle: ContactObstacle, damped: bool
) -> None:
    check_rest(VANISHING, obstacle, 1e4, damped)
