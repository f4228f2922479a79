"""The state does not change after a point has moved along an obstacle and stopped."""

from __future__ import annotations

import math
from typing import Any

import pytest

from wearmodel.kernel.contact.parameters import ContactObstacle
from wearmodel.kernel.contact.state_objects import ContactState
from wearmodel.kernel.events import EventKinds
from wearmodel.kernel.spring import path, steps
from wearmodel.kernel.spring.parameters import Drive, ShockSpringParameters
from wearmodel.kernel.spring.state_objects import SpringState
from wearmodel.kernel.state_objects import field_names
from wearmodel.models.shock_spring import ShockSpring

from .friction_forms import FORMS, VANISHING, static_coefficient
from .random_springs import STEP, random_spring

DAMPING_WORK = len(field_names(SpringState)) + field_names(ContactState).index("damping_work")

GAP, DEPTH, WAY, SPEED = 1e-3, 1e-5, 0.1, 0.1
STIFFNESS = 1e6
PRESSING = STIFFNESS * DEPTH
OBSTACLES = pytest.mark.parametrize("obstacle", ContactObstacle, ids=lambda kind: kind.name)
DAMPED = pytest.mark.parametrize("damped", [False, True], ids=["undamped", "damped"])


def check_rest(
    friction: dict[str, Any], obstacle: ContactObstacle, stiffness: float, damped: bool
) -> None:
    """Move a point along an obstacle, and keep it there for ten minutes."""
    model = ShockSpring(
        ShockSpringParameters(
            drive=Drive.displacement,
            obstacle=obstacle,
            dist_1=GAP,
            contact_stiffness=STIFFNESS,
            tangential_stiffness=stiffness,
            # Critical damping for 1 kg.
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
    # In 20 s a damper relaxes to e^−1000 or less. Then the ten minutes start.
    for _ in range(20):
        model.step(step_size=1.0, **resting)
    first = model.outputs()
    for _ in range(600):
        model.step(step_size=1.0, **resting)
    outputs = model.outputs()
    assert outputs == first
    assert outputs["slip_velocity"] == 0.0
    # The friction force is inside the cone at rest, and the wear work matches the anchor's path.
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


# Friction that vanishes at rest lets the anchor move until the stretch is zero.
@pytest.mark.long
@DAMPED
@pytest.mark.parametrize("stiffness", [1e4, 1e10])
@OBSTACLES
def test_friction_that_vanishes_at_rest_leaves_no_stretch(
    obstacle: ContactObstacle, stiffness: float, damped: bool
) -> None:
    check_rest(VANISHING, obstacle, stiffness, damped)


INSIDE = -GAP - DEPTH
# The contact sticks up to a tangential displacement of 0.1 DEPTH and slips beyond it.
QUIET_LEGS = {
    "still": (INSIDE, 0.05 * DEPTH),
    "stick": (INSIDE, 0.08 * DEPTH),
    "stick pressed harder": (INSIDE - DEPTH, 0.08 * DEPTH),
    "stick pressed less": (INSIDE + 0.1 * DEPTH, 0.05 * DEPTH),
}


def orders_of_a_leg(
    monkeypatch: pytest.MonkeyPatch, start: tuple[float, float], end: tuple[float, float]
) -> list[int]:
    """Return the orders of the series of a leg between two places (x, y), after a step at rest."""
    model = ShockSpring(
        ShockSpringParameters(
            drive=Drive.displacement,
            dist_1=GAP,
            contact_stiffness=STIFFNESS,
            tangential_stiffness=STIFFNESS,
            friction_coefficient=0.1,
            viscous_friction=0.1,
            contact_damping=0.01,
        )
    )
    for _ in range(2):
        model.step(step_size=1.0, imposed_displacement_x=start[0], imposed_displacement_y=start[1])
    orders: list[int] = []
    first_order = path.add_force_coefficient

    def add_force_coefficient(*arguments: Any) -> Any:
        orders.append(arguments[-1])
        return first_order(*arguments)

    monkeypatch.setattr(path, "add_force_coefficient", add_force_coefficient)
    model.step(step_size=1.0, imposed_displacement_x=end[0], imposed_displacement_y=end[1])
    return orders


@pytest.mark.parametrize("leg", QUIET_LEGS)
def test_a_contact_that_sticks_on_a_plane_needs_no_series(
    leg: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not orders_of_a_leg(monkeypatch, QUIET_LEGS["still"], QUIET_LEGS[leg])


@pytest.mark.parametrize("end", [(INSIDE, DEPTH), (0.0, 0.0)])
def test_a_leg_with_an_event_is_a_series(
    end: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert orders_of_a_leg(monkeypatch, QUIET_LEGS["still"], end)


# The leg begins with the end of stick.
@pytest.mark.parametrize(("is_closed_form", "orders"), [(True, [0, 1]), (False, [0, 1, 0, 1])])
def test_a_slip_straight_along_a_plane_needs_no_series_or_two_terms(
    is_closed_form: bool, orders: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_closed_form:
        monkeypatch.setattr(path, "_keeps_slipping", lambda *_: False)
    assert orders_of_a_leg(monkeypatch, (INSIDE, DEPTH), (INSIDE, 2.0 * DEPTH)) == orders


def snapshots_of_a_life_with_rests(seed: int) -> list[tuple[float, ...]]:
    """Rest for three steps after each leg. The contact becomes softer after every third leg."""
    parameters, legs = random_spring(seed)
    model = ShockSpring(parameters)
    snapshots = []
    for number, inputs in enumerate(legs):
        model.step(step_size=STEP, **inputs)
        if number % 3 == 0:
            softer = 0.98 * model.parameters.contact_stiffness
            model.change_parameters({"contact_stiffness": softer})
        for _ in range(3):
            model.step_to_event(step_size=STEP, **inputs)
            snapshot = list(model.snapshot())
            # The heat of the dampers is a state variable that only structures use.
            del snapshot[DAMPING_WORK]
            snapshots.append(tuple(snapshot))
    return snapshots


# Each run of the first list has 75 or more legs at rest. Each run of the second has 20 or more legs
# in stick at a plane and 20 or more in flight.
@pytest.mark.parametrize(
    ("module", "shortcut", "seed"),
    [
        *((steps, "rests", seed) for seed in (6, 10, 12, 13, 16, 17, 26, 37)),
        *((path, "_keeps_mode", seed) for seed in (11, 12, 13, 15, 16, 39, 45)),
    ],
)
def test_states_without_an_event_are_those_of_the_series(
    module: Any, shortcut: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The closed form of a slip rounds differently.
    monkeypatch.setattr(path, "_keeps_slipping", lambda *_: False)
    snapshots = snapshots_of_a_life_with_rests(seed)
    monkeypatch.setattr(module, shortcut, lambda *_: False)
    assert snapshots == snapshots_of_a_life_with_rests(seed)


@OBSTACLES
def test_a_point_that_stops_in_slip_ends_no_step_by_an_event(obstacle: ContactObstacle) -> None:
    # Friction at rest is smaller than in slip, so the anchor moves at once when the point stops.
    parameters = ShockSpringParameters(
        drive=Drive.displacement,
        obstacle=obstacle,
        dist_1=GAP,
        contact_stiffness=STIFFNESS,
        tangential_stiffness=STIFFNESS,
        friction_coefficient=0.1,
        viscous_friction=0.1,
    )
    whole, watched = ShockSpring(parameters), ShockSpring(parameters)
    for z in (0.0, WAY):
        for model in (whole, watched):
            model.step(step_size=1.0, imposed_displacement_x=INSIDE, imposed_displacement_z=z)
    assert whole.contact_mode == 2
    for _ in range(3):
        resting = {"imposed_displacement_x": INSIDE, "imposed_displacement_z": WAY}
        whole.step(step_size=1.0, **resting)
        end = watched.step_to_event(step_size=1.0, **resting)
        assert (end.reached, end.event) == (1.0, EventKinds.none)
        assert watched.outputs() == whole.outputs()


def test_no_velocity_is_left_after_a_step_of_infinite_duration() -> None:
    spring = ShockSpring(ShockSpringParameters(drive=Drive.displacement, contact_damping=1.0))
    spring.step(
        imposed_displacement_x=-0.1,
        imposed_displacement_y=0.2,
        imposed_displacement_z=0.3,
        step_size=1.0,
    )
    state = spring._state
    assert (state.velocity_x, state.velocity_y, state.velocity_z) == (-0.1, 0.2, 0.3)
    spring.step(imposed_displacement_x=-0.2, step_size=math.inf)
    assert (state.velocity_x, state.velocity_y, state.velocity_z) == (0.0, 0.0, 0.0)
