"""Friction tables in FMUs: equal bits in all forms, arrays of FMI 3.0, changes and refusals."""

import math
import random

import pytest

from wearmodel import FrictionalShock, FrictionalShockParameters

from ..forms.plays import PLAYS
from .conftest import ERROR, OK

STEP = 1e-3
TABLE = [[0.0, 0.3], [0.02, 0.2], [0.1, 0.22], [0.5, 0.1]]
COUNT = 32


def scalars(table, rule=0):
    """Return the parameters of FMI 2.0."""
    padded = [*table, *[[0.0, -1.0]] * (COUNT - len(table))]
    values = {"friction_table_rule": rule}
    for number, (speed, coefficient) in enumerate(padded, start=1):
        values[f"friction_table_speed[{number}]"] = float(speed)
        values[f"friction_table_coefficient[{number}]"] = float(coefficient)
    return values


def arrays(table):
    """Return the parameters of FMI 3.0."""
    padded = [*table, *[[0.0, -1.0]] * (COUNT - len(table))]
    speeds, coefficients = zip(*padded, strict=True)
    return {"friction_table_speed": speeds, "friction_table_coefficient": coefficients}


def shaking(step):
    return 15.0 * math.sin(2.0 * math.pi * step * STEP) + 3.0 * math.sin(40.0 * step * STEP)


def course(one, first=0, last=200):
    outputs = []
    for step in range(first, last):
        assert one.step(step * STEP, STEP, base_acceleration=shaking(step)) == OK, one.messages
        outputs.append(one.outputs())
    return outputs


@pytest.fixture
def pair(pair_of):
    """Return a native and a Python instance of FrictionalShock."""
    return pair_of("FrictionalShock")


LAWS = [
    {},
    {"tangential_law": 1, "tangential_stiffness": 1e4},
    {"tangential_law": 1, "tangential_stiffness": 1e4, "tangential_damping": 0.0},
    {"normal_law": 2, "initial_gap": 0.01, "restitution": 0.6, "initial_velocity": 0.7},
    {
        "normal_law": 1, "contact_stiffness": 1e4, "start_in_equilibrium": True,
        "wear_feedback": True, "wear_time_scale": 1e5, "initial_velocity": 0.6,
    },
]  # fmt: skip


@pytest.mark.parametrize("laws", LAWS, ids=str)
@pytest.mark.parametrize("rule", [0, 1], ids=["linear", "pchip"])
def test_native_python_and_the_object_give_equal_bits_through_a_change_of_the_table(
    pair, laws, rule
):
    r = random.Random(f"{laws} {rule}")
    later = [[v, mu * r.uniform(0.5, 1.5)] for v, mu in TABLE[:3]]
    courses = []
    for one in pair():
        one.initialise(**laws, **scalars(TABLE, rule))
        before = course(one)
        one.set(**scalars(later, 1 - rule))
        courses.append([*before, one.outputs(), *course(one, 200, 300)])
    native, python = courses
    assert native == python
    model = FrictionalShock(
        FrictionalShockParameters(**laws, friction_table=TABLE, friction_table_rule=rule)
    )
    for step in range(300):
        if step == 200:
            changes = {"friction_table": later, "friction_table_rule": 1 - rule}
            model.change_parameters(changes)
        model.step(STEP, shaking(step))
        model.time = step * STEP + STEP
    assert model.outputs() == native[-1]
    assert model.outputs()["slip_count"] >= 1.0


@pytest.mark.parametrize("play", ["a mass on a spring", "a mass in a hole, in parallel"])
@pytest.mark.parametrize(
    "more", [{}, {"tangential_damping": 0.05}, {"effective_mass": 0.5}], ids=str
)
def test_native_and_python_shock_springs_give_equal_bits(pair_of, play, more):
    path = PLAYS[play].inputs
    obstacle = PLAYS[play].start.get("obstacle", 0)
    courses = []
    for one in pair_of("DisChoc")():
        one.initialise(
            drive=1, obstacle=obstacle, **more, **scalars([[v, 2.0 * mu] for v, mu in TABLE], 1)
        )
        outputs = []
        for step in range(60):
            assert one.step(0.1 * step, 0.1, **path(step)) == OK, one.messages
            outputs.append(one.outputs())
        courses.append(outputs)
    native, python = courses
    assert native == python
    assert any(output["wear_work"] > 0.0 for output in native)


BAD = {
    "first speed": ([[0.01, 0.3], [0.1, 0.2]], {}),
    "descending": ([[0.0, 0.3], [0.2, 0.2], [0.1, 0.2]], {}),
    "fast coefficient": (TABLE, {"friction_coefficient": 0.2}),
    "slow coefficient": (TABLE, {"friction_coefficient_slow": 0.2, "friction_decay_velocity": 0.1}),
    "viscous": (TABLE, {"viscous_friction": 0.1}),
    "hole": ([[0.0, 0.3], [0.1, -1.0], [0.2, 0.2]], {}),
}


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_table_is_refused_in_the_same_words(pair, bad):
    table, more = BAD[bad]
    texts = []
    for one in pair():
        one.initialise(**scalars(table), **more)
        assert one.step(0.0, STEP) == ERROR
        texts.append([text.partition(": ")[2] for text in one.messages])
    with pytest.raises(ValueError, match="friction") as refusal:
        FrictionalShockParameters(friction_table=table, **more)
    assert all(str(refusal.value) in " ".join(text) for text in texts), (texts, refusal.value)


def test_the_arrays_of_fmi_3_set_the_table_also_in_event_mode(host3, native):
    later = [[0.0, 0.35], [0.05, 0.15]]
    host = host3(event_mode=True)
    host.initialise(tangential_law=1, friction_table_rule=1, **arrays(TABLE), base_acceleration=0.0)
    host.leave_event_mode()
    other = native()
    other.initialise(tangential_law=1, **scalars(TABLE, 1))
    for step in range(120):
        if step == 60:
            assert host.call("fmi3EnterEventMode") == OK
            host.set(**arrays(later), friction_table_rule=0)
            assert host.get("friction_table_speed") == [0.0, 0.05, *[0.0] * (COUNT - 2)]
            assert host.get("friction_table_coefficient[2]") == 0.15
            assert host.update() == OK
            assert host.call("fmi3EnterStepMode") == OK
            other.set(**scalars(later))
        host.step(step * STEP, STEP, base_acceleration=shaking(step))
        assert other.step(step * STEP, STEP, base_acceleration=shaking(step)) == OK
        for name, value in other.outputs().items():
            assert host.get(name) == value, (step, name)
    assert other.outputs()["slip_count"] >= 1


@pytest.mark.parametrize("rule", [0, 1], ids=["linear", "pchip"])
def test_a_saved_state_between_the_knots_goes_on_with_the_same_bits(native, rule):
    host = native()
    host.initialise(initial_velocity=0.45, tangential_law=1, **scalars(TABLE, rule))
    course(host, 0, 20)
    state = host.save()
    first = course(host, 20, 150)
    assert host.load(state) == OK
    assert course(host, 20, 150) == first
