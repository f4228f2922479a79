"""Tunable parameters of FMUs: a change takes effect at a step or a read, with equal bits."""

import math
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest

from fmu_src.models import definition_of, fmu_names
from tests.native.test_directional_derivatives import derivatives
from wearmodel import FrictionalShock, FrictionalShockParameters
from wearmodel.quantities import variable_name

OK, ERROR = 0, 3
STEP = 1e-3
Hosts = tuple[Any, Any]


@pytest.fixture
def pair(pair_of: Callable[[str], Callable[[], Hosts]]) -> Callable[[], Hosts]:
    """Return a native and a Python instance of FrictionalShock."""
    return pair_of("FrictionalShock")


def shaken(one: Any, first: int, last: int) -> list[dict[str, Any]]:
    """Return the outputs after each of some steps with the base acceleration of SDND104."""
    courses = []
    for step in range(first, last):
        shaking = 15.0 * math.sin(2.0 * math.pi * step * STEP)
        assert one.step(step * STEP, STEP, base_acceleration=shaking) == OK, one.messages
        courses.append(one.outputs())
    return courses


LAWS: list[dict[str, Any]] = [
    {},
    {"normal_law": 1, "contact_stiffness": 1e4, "start_in_equilibrium": True},
    {"normal_law": 1, "contact_stiffness": 1e4, "contact_damping": 20.0, "tangential_law": 1},
    {"normal_law": 2, "tangential_law": 1, "tangential_damping": 0.0},
]


@pytest.mark.parametrize("laws", LAWS, ids=str)
def test_both_forms_and_the_python_object_change_to_the_same_bits(pair, laws):
    changes = {"friction_coefficient": 0.05, "stiffness": 30.0, "tangential_stiffness": 1e5}
    if laws.get("normal_law") == 1:
        changes |= {"contact_stiffness": 3e4, "initial_gap": 1e-4}
    courses = []
    for one in pair():
        one.initialise(**laws)
        course = shaken(one, 0, 60)
        one.set(**changes)
        course.append(one.outputs())
        courses.append([*course, *shaken(one, 60, 120)])
    native, python = courses
    assert native == python
    model = FrictionalShock(FrictionalShockParameters(**laws))
    for step in range(60):
        model.step(STEP, 15.0 * math.sin(2.0 * math.pi * step * STEP))
        model.time = step * STEP + STEP
    model.change_parameters(changes)
    assert model.outputs() == native[60]


SPRINGS: list[tuple[dict[str, Any], dict[str, float]]] = [
    ({}, {"friction_coefficient": 0.1, "contact_stiffness": 3.0, "dist_1": 0.4}),
    ({"drive": 1, "obstacle": 1, "dist_1": 0.1}, {"friction_coefficient": 0.2, "dist_1": 0.2}),
    (
        {"drive": 1, "obstacle": 2, "dist_1": 0.1, "tangential_damping": 0.3},
        {"friction_coefficient": 0.2, "tangential_stiffness": 2.0, "dist_1": 0.15},
    ),
    ({"drive": 1, "contact_damping": 0.1}, {"contact_damping": 0.5, "tangential_damping": 0.1}),
]


@pytest.mark.parametrize(("laws", "changes"), SPRINGS, ids=str)
def test_both_forms_of_dis_choc_change_to_the_same_bits(pair_of, laws, changes):
    names = ("load_x", "load_y") if laws.get("drive", 0) == 0 else ("imposed_displacement_x",) * 2
    courses = []
    for one in pair_of("DisChoc")():
        one.initialise(**laws)
        course = []
        for step in range(40):
            if step == 15:
                one.set(**changes)
                course.append(one.outputs())
            if step == 25:
                state = one.written()
            turn = 0.2 * step
            values = {names[0]: -0.4 - 0.3 * math.sin(turn), names[0][:-1] + "y": math.sin(turn)}
            assert one.step(step * 0.05, 0.05, **values) == OK, one.messages
            course.append(one.outputs())
        assert one.restores(state)
        assert one.outputs() == course[25]
        assert one.get("dist_1") == changes.get("dist_1", laws.get("dist_1", 0.5))
        courses.append(course)
    assert courses[0] == courses[1]


def test_both_forms_of_a_structure_change_to_the_same_bits(pair_of):
    changes = {
        "support_2.gap": 1e-4,
        "support_2.friction_coefficient": 0.05,
        "support_2.tangential_stiffness": 3e5,
        "support_1.contact_stiffness": 3e6,
    }
    courses = []
    for one in pair_of("ModalShock")():
        one.initialise()
        course = []
        for step in range(130):
            if step == 100:
                one.set(**changes)
                course.append(one.outputs())
                state = one.written()
            shaking = 100.0 * math.sin(0.05 * step)
            assert one.step(step * 1e-4, 1e-4, base_acceleration_y=shaking) == OK, one.messages
            course.append(one.outputs())
        assert course[100]["parameter_change_work"] > 0.0
        assert one.restores(state)
        assert one.outputs() == course[100]
        one.set(**{"support_2.gap": -1.0})
        with pytest.raises(AssertionError):
            one.get("support_2.clearance")
        assert "support_2: gap=-1.0 m must be > 0 in a circle" in "".join(one.messages)
        courses.append(course)
    assert courses[0] == courses[1]


def test_several_values_are_one_change_and_a_parameter_can_be_read_before_it(pair):
    for one in pair():
        one.initialise(friction_coefficient=0.3, friction_coefficient_static=0.4)
        assert one.step(0.0, 0.1, tangential_load=3.5) == OK
        # Without the second change, it would contradict the static coefficient.
        one.set(friction_coefficient=0.5)
        assert one.get("friction_coefficient") == 0.5
        one.set(friction_coefficient_static=0.6)
        assert one.get("contact_mode") == 1
        assert one.step(0.1, 0.1, tangential_load=3.5) == OK
        assert one.messages == []


def test_a_rule_that_new_values_break_is_answered_by_the_read_and_the_step_until_it_is_put_right(
    pair,
):
    rule = "friction_coefficient_static=0.4 must be ≥ friction_coefficient=0.5"
    for one in pair():
        one.initialise(friction_coefficient=0.3, friction_coefficient_static=0.4)
        assert one.step(0.0, 0.1, tangential_load=3.5) == OK
        state, before = one.save(), one.outputs()
        one.set(friction_coefficient=0.5)
        with pytest.raises(AssertionError):
            one.get("contact_mode")
        assert one.step(0.1, 0.1, tangential_load=3.5) == ERROR
        # pythonfmu's library adds a message of its own.
        assert sum(rule in message for message in one.messages) == 2
        one.set(friction_coefficient=0.3)
        assert one.outputs() == before
        one.set(friction_coefficient=0.2)
        assert one.get("contact_mode") == 1
        assert one.step(0.1, 0.1, tangential_load=4.5) == OK
        assert one.load(state) == OK
        assert one.get("friction_coefficient") == 0.3
        assert one.outputs() == before


def test_states_hold_changed_values_and_those_that_are_not_in_force_yet(pair):
    for one in pair():
        one.initialise(tangential_law=1, tangential_stiffness=1e4)
        shaken(one, 0, 20)
        one.set(friction_coefficient=0.2)
        shaken(one, 20, 25)
        one.set(tangential_stiffness=3e4)
        state = one.written()
        want = shaken(one, 25, 50)
        assert one.call("fmi2Reset") == OK
        assert one.get("friction_coefficient") == 0.1
        one.initialise(tangential_law=1, tangential_stiffness=1e4)
        assert one.restores(state)
        assert one.get("friction_coefficient") == 0.2
        assert one.get("tangential_stiffness") == 3e4
        assert shaken(one, 25, 50) == want


def test_a_reset_brings_the_start_values_back(pair):
    for one in pair():
        want = shaken(one.initialise(), 0, 30)
        one.set(friction_coefficient=0.3)
        shaken(one, 30, 40)
        assert one.call("fmi2Reset") == OK
        assert shaken(one.initialise(), 0, 30) == want


def test_directional_derivatives_are_those_of_the_step_and_the_change_after_it(pair):
    one, _ = pair()
    # Penalised stick without damper: F_T = −K_T u, u ≈ P h²/(2 m) for a step far below its period.
    stiffness, step = 100.0, 1e-4
    one.initialise(tangential_law=1, tangential_stiffness=stiffness, tangential_damping=0.0)
    assert one.step(0.0, step, tangential_load=0.5) == OK
    (before,) = derivatives(one, "friction_force", tangential_load=1.0)
    assert before == pytest.approx(-stiffness * step**2 / 2, rel=1e-6)
    one.set(tangential_stiffness=4.0 * stiffness)
    (after,) = derivatives(one, "friction_force", tangential_load=1.0)
    assert after == pytest.approx(4.0 * before, rel=1e-9)
    assert one.step(step, step, tangential_load=0.5) == OK
    mean = 3.0 * step**2 / 2  # m ü = P over both steps
    (later,) = derivatives(one, "relative_velocity", tangential_load=1.0)
    assert later == pytest.approx(step, rel=1e-5), mean


def test_derivatives_before_the_first_step_are_those_of_the_changed_start(pair):
    one, _ = pair()
    one.initialise(initial_velocity=1.0)
    one.set(friction_coefficient=0.4)
    assert derivatives(one, "friction_force", normal_load=1.0) == pytest.approx([-0.4], rel=1e-9)


@pytest.mark.parametrize("name", fmu_names())
def test_variability_is_what_the_parameters_are_declared_with(name):
    definition = definition_of(name)
    declared = {
        variable_name(item): item.metadata["tunable"] for item in fields(definition.parameters)
    }
    for variable in definition.slave.table:
        if variable.causality == "parameter":
            tunable = "tunable" if declared[variable.name] else "fixed"
            assert variable.variability == tunable
    assert any(declared.values()) is not (name == "BaseMotion")
