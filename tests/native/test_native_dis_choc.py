"""The native DisChoc gives the bits and the words of the Python one.

Its law takes exponentials and logarithms of the platform's library, the same for both on Linux.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from fmpy import fmi2
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .conftest import Host, Hosts

OK, ERROR = 0, 3
STEP = 0.1
LOADS = ("load_x", "load_y", "load_z")
DISPLACEMENTS = ("imposed_displacement_x", "imposed_displacement_y", "imposed_displacement_z")


@pytest.fixture(scope="module")
def pair(pair_of: Callable[[str], Callable[[], Hosts]]) -> Callable[[], Hosts]:
    """The native and the Python instance."""
    return pair_of("DisChoc")


stiffnesses = st.floats(1e-3, 1e6)
lengths = st.floats(-1e3, 1e3) | st.floats(-1e-150, 1e-150)


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    parameters=st.fixed_dictionaries(
        {
            "drive": st.sampled_from((0, 1)),
            "elastic_stiffness": stiffnesses,
            "contact_stiffness": stiffnesses,
            "tangential_stiffness": stiffnesses,
            "friction_coefficient": st.floats(0.0, 3.0),
            "dist_1": lengths,
            "friction_coefficient_slow": st.just(-1.0) | st.floats(0.0, 3.0),
            "friction_decay_velocity": st.floats(1e-3, 1e3),
            "viscous_friction": st.just(0.0) | st.floats(0.0, 1.0),
            "contact_damping": st.just(0.0) | st.floats(1e-3, 1e3),
            "tangential_damping": st.just(0.0) | st.floats(1e-3, 1e3),
            "wear_feedback": st.booleans(),
            "wear_area": st.floats(1e-12, 1e-6),
            "obstacle": st.sampled_from((0, 1)),
        }
    ),
    path=st.lists(st.tuples(lengths, lengths, lengths), min_size=1, max_size=20),
)
def test_random_paths_have_the_python_fmus_bits(
    pair: Callable[[], Hosts],
    parameters: dict[str, Any],
    path: list[tuple[float, float, float]],
) -> None:
    both = pair()
    names = DISPLACEMENTS if parameters["drive"] else LOADS
    if parameters["obstacle"]:
        parameters |= {"dist_1": abs(parameters["dist_1"])}
    if not parameters["drive"]:
        # Under given loads a path has no speed.
        parameters |= {"friction_coefficient_slow": -1.0, "viscous_friction": 0.0}
        parameters |= {"contact_damping": 0.0, "tangential_damping": 0.0}
    for one in both:
        one.initialise(**parameters)
    for number, point in enumerate(path):
        answers = [
            (one.step(number * STEP, STEP, **dict(zip(names, point, strict=True))), one.outputs())
            for one in both
        ]
        assert answers[0] == answers[1]
    native, python = both
    assert native.messages == python.messages


places = st.floats(-1.2, 1.2)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    parameters=st.fixed_dictionaries(
        {
            "contact_stiffness": st.floats(0.1, 100.0),
            "tangential_stiffness": st.floats(0.1, 100.0),
            "friction_coefficient": st.floats(0.05, 1.0),
            "friction_coefficient_slow": st.just(-1.0) | st.floats(0.05, 1.0),
            "friction_decay_velocity": st.floats(0.1, 10.0),
            "viscous_friction": st.just(0.0) | st.floats(0.0, 0.1),
            "contact_damping": st.just(0.0) | st.floats(1e-3, 1.0),
            "tangential_damping": st.just(0.0) | st.floats(0.1, 10.0),
            "wear_feedback": st.booleans(),
            "wear_area": st.floats(1e-12, 1e-6),
        }
    ),
    path=st.lists(st.tuples(places, places, places), min_size=1, max_size=8),
)
def test_random_paths_in_a_hole_have_the_python_fmus_bits(
    pair: Callable[[], Hosts],
    parameters: dict[str, Any],
    path: list[tuple[float, float, float]],
) -> None:
    both = pair()
    for one in both:
        one.initialise(drive=1, obstacle=2, **parameters)
    for number, point in enumerate(path):
        values = dict(zip(DISPLACEMENTS, point, strict=True))
        answers = [(one.step(number * STEP, STEP, **values), one.outputs()) for one in both]
        assert answers[0] == answers[1]
    native, python = both
    assert native.messages == python.messages


@pytest.mark.parametrize(
    "values",
    [
        {"obstacle": 3},
        {"obstacle": 2},
        {"obstacle": 2, "drive": 1, "dist_1": 0.0},
        {"obstacle": 2, "drive": 1, "friction_coefficient": 0.0},
        {"obstacle": 1, "dist_1": -0.1},
        {"elastic_stiffness": 0.0},
        {"elastic_stiffness": -1.0},
        {"dist_2": 0.5},
        {"viscous_friction": 0.1},
        {"friction_coefficient_slow": 0.7},
        {"friction_coefficient_slow": 0.7, "friction_decay_velocity": 0.1},
        {"drive": 2},
        {"dist_1": -1e70},
        {"dist_1": math.nan},
        {"load_x": math.inf},
        {"imposed_displacement_y": math.nan},
        {"load_x": -1e70},
        {"drive": 1, "imposed_displacement_x": -1e70},
        {"contact_damping": 1.0},
        {"tangential_damping": 1.0},
        {"tangential_damping": -1.0},
        {"wear_area": 0.0},
        {"wear_time_scale": -1.0},
        {"wear_feedback": True, "wear_area": 1e-14, "dist_1": -1.0, "load_y": 9.0},
    ],
    ids=str,
)
def test_bad_start_values_are_refused_in_the_python_fmus_words(
    pair: Callable[[], Hosts], values: dict[str, Any]
) -> None:
    native, python = pair()
    for one in (native, python):
        one.initialise(**values)
        assert one.step(0.0, STEP) == ERROR
    assert native.messages[-1] == python.messages[-1]
    assert "initialisation failed: " in native.messages[0]


def test_a_start_that_is_no_instant_is_refused_in_the_same_words(
    pair: Callable[[], Hosts],
) -> None:
    native, python = pair()
    for one in (native, python):
        one.initialise(math.nan)
        assert one.step(0.0, STEP) == ERROR
    assert native.messages[0] == python.messages[0]


@pytest.mark.parametrize(
    ("name", "value"),
    [("load_x", -1e70), ("load_y", math.nan), ("imposed_displacement_z", math.inf)],
)
def test_a_refused_step_has_the_same_words_and_leaves_the_state(
    pair: Callable[[], Hosts], name: str, value: float
) -> None:
    both = pair()
    for one in both:
        one.initialise(load_x=-2.0)
        assert one.step(0.0, STEP, load_y=0.25) == OK
        before = one.outputs()
        assert one.step(STEP, STEP, **{name: value}) == ERROR
        assert one.outputs() == before
        one.set(**{name: 0.0})
        assert one.step(STEP, STEP, load_x=-2.0, load_y=0.5) == OK
    native, python = both
    assert native.messages == python.messages
    assert len(native.messages) == 1
    assert native.outputs() == python.outputs()


def test_a_serialised_state_continues_bit_by_bit(pair: Callable[[], Hosts]) -> None:
    native, _ = pair()
    native.initialise(load_x=-2.0)
    assert native.step(0.0, STEP, load_y=0.9) == OK
    data = native.serialise(native.save())
    assert native.step(STEP, STEP, load_y=-0.7, load_z=0.3) == OK
    straight = native.outputs()
    assert native.load(native.deserialise(data)) == OK
    assert native.step(STEP, STEP, load_y=-0.7, load_z=0.3) == OK
    assert native.outputs() == straight


def test_a_damped_spring_that_wears_its_gap_continues_from_its_serialised_state(
    pair: Callable[[], Hosts],
) -> None:
    parameters = {
        "drive": 1,
        "contact_damping": 0.2,
        "tangential_damping": 0.1,
        "wear_feedback": True,
        "wear_area": 1e-12,
        "friction_coefficient_slow": 0.7,
        "friction_decay_velocity": 1.0,
    }
    points = [(-2.0, 1.0, 0.0), (-2.1, 0.3, 0.9), (-1.2, -0.4, 0.1), (-3.0, -1.0, 1.0)]
    answers = []
    for one in pair():
        one.initialise(**parameters)
        for number, point in enumerate(points[:2]):
            one.step(number * STEP, STEP, **dict(zip(DISPLACEMENTS, point, strict=True)))
        assert one.outputs()["wear_depth"] > 0.0
        data = one.serialise(one.save())
        ends = []
        for _ in range(2):
            for number, point in enumerate(points[2:], start=2):
                status = one.step(
                    number * STEP, STEP, **dict(zip(DISPLACEMENTS, point, strict=True))
                )
                assert status == OK
            ends.append(one.outputs())
            assert one.load(one.deserialise(data)) == OK
        assert ends[0] == ends[1]
        answers.append(ends[0])
    assert answers[0] == answers[1]


def test_a_spring_in_a_hole_continues_from_its_serialised_state(
    pair: Callable[[], Hosts],
) -> None:
    points = [(0.8, 0.1, 0.0), (0.7, 0.6, 0.2), (0.1, 0.9, 0.1), (-0.7, 0.2, 0.3)]
    answers = []
    for one in pair():
        one.initialise(drive=1, obstacle=2, contact_damping=0.1, friction_coefficient=0.1)
        for number, point in enumerate(points[:2]):
            one.step(number * STEP, STEP, **dict(zip(DISPLACEMENTS, point, strict=True)))
        before = one.outputs()
        assert before["wear_work"] > 0.0
        data = one.serialise(one.save())
        ends = []
        for _ in range(2):
            for number, point in enumerate(points[2:], start=2):
                values = dict(zip(DISPLACEMENTS, point, strict=True))
                assert one.step(number * STEP, STEP, **values) == OK
            ends.append(one.outputs())
            assert one.load(one.deserialise(data)) == OK
            assert one.outputs() == before
        assert ends[0] == ends[1]
        answers.append(ends[0])
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"wear_area": 1e-14}, "wear opens the gap faster than the friction spring"),
        (
            {"tangential_stiffness": 1e9, "tangential_damping": 1e-3},
            "the step is too long for what happens in it",
        ),
    ],
    ids=["runaway", "pieces"],
)
def test_a_step_whose_wear_cannot_be_followed_is_refused_in_the_same_words(
    pair: Callable[[], Hosts], parameters: dict[str, Any], message: str
) -> None:
    both = pair()
    for one in both:
        one.initialise(drive=1, wear_feedback=True, dist_1=-1.0, **parameters)
        before = one.outputs()
        assert one.step(0.0, STEP, imposed_displacement_y=9.0) == ERROR
        assert one.outputs() == before
        assert message in one.messages[-1]
    native, python = both
    assert native.messages == python.messages


def test_derivatives_of_its_inputs_are_refused_with_the_reason(pair: Callable[[], Hosts]) -> None:
    native, _ = pair()
    assert not native.description.coSimulation.canInterpolateInputs
    native.initialise()

    status = native.call(
        "fmi2SetRealInputDerivatives",
        (fmi2.fmi2ValueReference * 1)(0),
        fmi2.c_size_t(1),
        (fmi2.fmi2Integer * 1)(1),
        (fmi2.fmi2Real * 1)(1.0),
    )
    assert status == ERROR
    assert "canInterpolateInputs is false" in native.messages[-1]


def derivative(native: Host, output: str, by: str) -> float:
    """Directional derivative of an output by an input."""
    result = fmi2.fmi2Real()
    status = native.call(
        "fmi2GetDirectionalDerivative",
        fmi2.byref(fmi2.fmi2ValueReference(native.references[output])),
        fmi2.c_size_t(1),
        fmi2.byref(fmi2.fmi2ValueReference(native.references[by])),
        fmi2.c_size_t(1),
        fmi2.byref(fmi2.fmi2Real(1.0)),
        fmi2.byref(result),
    )
    assert status == OK
    return float(result.value)


def test_a_spring_in_stick_follows_its_load_by_both_springs(pair: Callable[[], Hosts]) -> None:

    native, _ = pair()
    native.initialise(load_x=-2.0)
    assert native.step(0.0, STEP, load_y=0.1) == OK
    result = derivative(native, "displacement_y", "load_y")
    # load_y = (elastic_stiffness + tangential_stiffness) · displacement_y; rounding of differences.
    assert result == pytest.approx(1.0 / 1.5, rel=1e-9)


def test_a_spring_that_wears_its_gap_derives_from_the_gap_it_has(
    pair: Callable[[], Hosts],
) -> None:
    """Without friction F = e^(−y) where K = 1 N/m, β = 1 1/N and F_0 = 1 N."""
    native, _ = pair()
    native.initialise(
        drive=1, dist_1=-1.0, friction_coefficient=0.0, wear_feedback=True, wear_area=1e-13
    )
    for number, place in enumerate((0.5, 1.0)):
        assert native.step(number * STEP, STEP, imposed_displacement_y=place) == OK
    assert native.outputs()["force_x"] == pytest.approx(-math.exp(-1.0), rel=1e-14)
    result = derivative(native, "force_x", "imposed_displacement_y")
    assert result == pytest.approx(math.exp(-1.0), rel=1e-9)
