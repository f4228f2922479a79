"""All forms of an FMU refuse invalid values with the message of the Python object."""

import math
from typing import Any

import pytest

from fmu_src.models import definition_of, fmu_names

from .instance import ERROR, Slave
from .plays import PLAY_OF

STEP = 1e-3
NAN, INF = math.nan, math.inf
each_model = pytest.mark.parametrize("model", fmu_names())

BAD_STARTS: dict[str, list[dict[str, Any]]] = {
    "FrictionalShock": [
        {"mass": -1.0},
        {"mass": 0.0},
        {"mass": -1e-7},
        {"mass": -123456.789e12},
        {"mass": -1e16},
        {"mass": -1.2345e22},
        {"mass": -4.9e-324},
        {"mass": -0.1 - 0.2},
        {"mass": NAN},
        {"gravity": INF},
        {"gravity": -INF},
        {"friction_coefficient": -0.1},
        {"friction_coefficient_static": 0.05},
        {"restitution": 1.5},
        {"contact_stiffness": 0.0},
        {"input_extrapolation_order": 4},
        {"input_extrapolation_order": -2},
        {"initial_gap": 0.1},
        {"normal_law": 2, "initial_gap": -1e-5},
        {"normal_law": 2, "initial_gap": 1.1, "obstacle": 1},
        {"normal_law": 2, "initial_normal_displacement": -0.25},
        {"normal_law": 2, "initial_normal_displacement": 1.25, "obstacle": 1},
        {"start_in_equilibrium": True},
        {"normal_law": 1, "start_in_equilibrium": True, "initial_normal_velocity": 1.0},
        {"normal_law": 1, "start_in_equilibrium": True, "preload": -20.0},
        {"base_acceleration": INF},
        {"normal_load": NAN},
        {"mass": -1.0, "restitution": 2.0},
    ],
    "DisChoc": [
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
        {"dist_1": -1e70},
        {"dist_1": NAN},
        {"load_x": INF},
        {"imposed_displacement_y": NAN},
        {"load_x": -1e70},
        {"drive": 1, "imposed_displacement_x": -1e70},
        {"contact_damping": 1.0},
        {"tangential_damping": 1.0},
        {"tangential_damping": -1.0},
        {"wear_area": 0.0},
        {"wear_time_scale": -1.0},
        {"wear_feedback": True, "wear_area": 1e-14, "dist_1": -1.0, "load_y": 9.0},
    ],
    "BaseMotion": [
        {"kind": 1},
        {"kind": 1, "table": b"0 1"},
        {"kind": 1, "table": b"0 0; one 1"},
        {"kind": 1, "table": b"0 0; 1 1 1"},
        {"kind": 1, "table": b"0 0; 1 1; 0.5 0"},
        {"kind": 2},
        {"kind": 2, "file": b"/nowhere/quake's.csv"},
        {"kind": 2, "file": b"/"},
        {"kind": 2, "file": b"resources/motion.csv"},
        {"frequency": -1.0},
        {"value_column": 1},
    ],
    "ModalShock": [
        {"support_1.gap": NAN},
        {"support_1.gap": 0.0},
        {"support_2.gap": -1e-4},
        {"support_1.contact_stiffness": 0.0},
        {"support_1.contact_stiffness": -2.5, "support_1.residual_flexibility": 0.0},
        {"support_1.contact_damping": -1.0},
        {"support_2.residual_flexibility": -1e-9},
        {"support_2.tangential_stiffness": 0.0},
        {"support_2.tangential_stiffness": -1e5},
        {"support_1.tangential_damping": INF},
        {"support_1.friction_coefficient": -0.1},
        {"support_1.friction_coefficient": 0.0, "support_1.friction_coefficient_static": 0.3},
        {"support_2.friction_coefficient_static": 0.1},
        {"support_2.friction_coefficient_slow": 0.3},
        {"support_2.friction_coefficient": 0.0, "support_2.viscous_friction": 0.5},
        {
            "support_1.friction_coefficient_slow": 0.3,
            "support_1.friction_decay_velocity": 0.1,
            "support_1.friction_coefficient_static": 0.25,
        },
        {"support_1.friction_decay_velocity": -0.1},
        {"support_1.wear_time_scale": -1.0},
        {"support_1.wear_area": 0.0},
        {"support_1.archard_coefficient": -1.0},
        # Ranges of all contacts are checked before the rules.
        {"support_1.tangential_stiffness": 0.0, "support_2.wear_area": -1.0},
        {"support_1.gap": -1.0, "support_2.tangential_stiffness": 0.0},
        {"input_extrapolation_order": 4},
        {"input_extrapolation_order": -2},
        {"base_acceleration_z": INF},
        {"load.flow": NAN},
    ],
}
# Numbers of obstacles, laws or drives that do not exist.
UNKNOWN_KINDS = [
    (model, {variable.name: number})
    for model in fmu_names()
    for variable in definition_of(model).slave.table
    if variable.enumeration is not None and variable.causality == "parameter"
    for number in (len(variable.enumeration), -1, 2**31 - 1, -(2**31))
]


@pytest.mark.parametrize(
    ("model", "values"),
    [(model, one) for model, all_of_it in BAD_STARTS.items() for one in all_of_it] + UNKNOWN_KINDS,
    ids=str,
)
def test_bad_start_values_are_refused_in_the_objects_words_and_can_be_put_right(
    make, model, values
):
    one, slave = make(model), Slave(model).begin(**values)
    assert not one.begins(**values)
    assert one.messages[0].endswith(slave.message)
    assert "initialisation failed: " in slave.message
    for _ in range(2):
        assert not one.steps(0.0, STEP)
        assert slave.message in one.messages[-1]
    assert one.changes("Reset")
    assert one.begins()
    assert one.steps(0.0, STEP)


@each_model
@pytest.mark.parametrize("start_time", [NAN, INF])
def test_a_start_that_is_no_instant_is_refused(make, model, start_time):
    one = make(model)
    assert not one.begins(start_time)
    assert one.messages[0].endswith(Slave(model).begin(start_time).message)
    assert not one.steps(start_time, STEP)


@each_model
@pytest.mark.parametrize(
    ("time", "step_size", "message"),
    [
        (0.25, 0.0, "step_size=0.0 s must be > 0"),
        (0.25, -STEP, "step_size=-0.001 s must be > 0"),
        (0.25, NAN, "step_size=nan s must be > 0"),
        (0.25, INF, "step_size=inf s must be > 0, finite"),
        (0.25, 1e-30, "step_size=1e-30 s must be > 0"),
        (0.5, STEP, "current_time=0.5 s must be the end of the last step, 0.25 s"),
        (0.0, STEP, "current_time=0.0 s must be the end of the last step, 0.25 s"),
        # A clock that drifts.
        (0.25 + 0.01 * STEP, STEP, "must be the end of the last step, 0.25 s"),
        (NAN, STEP, "current_time=nan s must be the end of the last step"),
        (0.25, 0.5, "current_time + step_size=0.75 s must be ≤ stop_time=0.5 s"),
        (0.25, 1e308, "s must be ≤ stop_time=0.5 s"),
    ],
)
def test_an_illegal_step_is_refused_and_nothing_is_lost(make, model, time, step_size, message):
    one = make(model).begun(0.0, 0.5)
    assert one.steps(0.0, 0.25)
    before = one.outputs(), one.written()
    for _ in range(2):
        assert not one.steps(time, step_size)
        assert message in one.messages[-1]
    assert (one.outputs(), one.written()) == before
    assert one.steps(0.25, 0.25)
    assert not one.steps(0.5, STEP)


FAILING: dict[str, tuple[str, dict[str, Any], float, dict[str, float]]] = {
    "overflow": ("FrictionalShock", {}, 1e300, {"base_acceleration": 1e300}),
    "overflow of a power": (
        "FrictionalShock",
        {"initial_velocity": 1e200},
        1e-60,
        {"normal_load": 1e150},
    ),
    "overflow of a depth": (
        "FrictionalShock",
        {"initial_velocity": 1.0, "wear_area": 1e-300, "archard_coefficient": 1e20},
        1.0,
        {},
    ),
    "too many events": (
        "FrictionalShock",
        {"normal_law": 2, "restitution": 0.9999, "initial_gap": 1e-6},
        20.0,
        {},
    ),
    **{
        f"{name}={value}": ("FrictionalShock", {}, STEP, {name: value})
        for name in (
            "base_acceleration",
            "base_acceleration_normal",
            "tangential_load",
            "normal_load",
        )
        for value in (NAN, INF, -INF)
    },
    "a load too large": ("DisChoc", {}, 0.1, {"load_x": -1e70}),
    "no load": ("DisChoc", {}, 0.1, {"load_y": NAN}),
    "no displacement": ("DisChoc", {}, 0.1, {"imposed_displacement_z": INF}),
    "wear that runs away": (
        "DisChoc",
        {"drive": 1, "wear_feedback": True, "dist_1": -1.0, "wear_area": 1e-14},
        0.1,
        {"imposed_displacement_y": 9.0},
    ),
    "too many pieces": (
        "DisChoc",
        {
            "drive": 1,
            "wear_feedback": True,
            "dist_1": -1.0,
            "tangential_stiffness": 1e9,
            "tangential_damping": 1e-3,
        },
        0.1,
        {"imposed_displacement_y": 9.0},
    ),
    "overflow of a structure": ("ModalShock", {}, 1e300, {"load.flow": 1e300}),
    "too large for a structure": ("ModalShock", {}, 1.0, {"load.flow": 1e305}),
    "no acceleration": ("ModalShock", {}, STEP, {"base_acceleration_x": NAN}),
    "too many pieces of a structure": (
        "ModalShock",
        {
            "support_2.tangential_stiffness": 1e15,
            "support_2.tangential_damping": 0.0,
            "load.flow": 3.0,
        },
        0.1,
        {},
    ),
    "the end of a table": ("BaseMotion", {"kind": 1, "table": b"0 1; 0.4 5"}, 0.5, {}),
}


@pytest.mark.long
@pytest.mark.parametrize(("model", "start", "step_size", "inputs"), FAILING.values(), ids=FAILING)
def test_a_step_that_fails_has_the_objects_reason_and_leaves_the_state(
    make, model, start, step_size, inputs
):
    one, slave = make(model).begun(**start), Slave(model).begin(**start)
    before = one.outputs()
    assert all(math.isfinite(value) for value in before.values() if isinstance(value, float))
    state = one.save()
    assert not one.steps(0.0, step_size, **inputs)
    assert not slave.steps(0.0, step_size, **inputs)
    assert one.messages == [slave.message]
    assert one.outputs() == before
    assert one.load(state) == 0
    assert one.outputs() == before
    one.set(**dict.fromkeys(inputs, 0.0))
    assert one.steps(0.0, 1e-60)


NOT_SET = [
    ("wear_work", 5.0, "wear_work is an output"),
    ("mass", 2.0, "mass is a fixed parameter"),
    ("normal_law", 1, "normal_law is a fixed parameter"),
    ("start_in_equilibrium", True, "start_in_equilibrium is a fixed parameter"),
    ("friction_coefficient", -0.1, "friction_coefficient=-0.1 must be ≥ 0"),
    ("stiffness", NAN, "stiffness=nan N/m must be finite"),
    ("contact_stiffness", INF, "contact_stiffness=inf N/m must be finite"),
    ("contact_stiffness", 0.0, "contact_stiffness=0.0 N/m must be > 0"),
]


@pytest.mark.parametrize(("name", "value", "message"), NOT_SET)
def test_a_value_that_cannot_be_set_is_refused_and_the_old_one_is_kept(make, name, value, message):
    play = PLAY_OF["FrictionalShock"]
    one = make().begun()
    play.go(one, 0, 20)
    before, old = one.written(), one.get(name)
    assert one.give(name, value) == ERROR
    assert message in one.messages[-1]
    assert one.get(name) == old
    assert one.written() == before
    play.go(one, 20, 30)


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [("Integer", "mass", 2), ("Real", "contact_mode", 2.0), ("Boolean", "mass", 1)],
)
def test_a_value_of_another_type_is_refused_and_changes_nothing(make, kind, name, value):
    play, one = PLAY_OF["FrictionalShock"], make().begun()
    play.go(one, 0, 20)
    before = one.written()
    if one.version == 3:
        kind = {"Integer": "Int32", "Real": "Float64"}.get(kind, kind)
    (reference,) = (v.valueReference for v in one.description.modelVariables if v.name == name)
    assert one.set_reference(kind, reference, value) == ERROR
    refusal = f"valueReference {reference} must refer to a variable of type {kind}"
    assert refusal in one.messages[-1]
    assert one.written() == before
    play.go(one, 20, 30)


def test_parameters_are_fixed_again_when_the_run_has_ended(make):
    one = make().begun()
    assert one.changes("Terminate")
    assert not one.takes(lambda: one.give("damping", 1.0))
    assert "damping is a parameter: the value 1.0 N.s/m cannot be set in phase" in one.messages[0]


def test_a_step_needs_an_initialisation_and_comes_before_the_end(make):
    play, one = PLAY_OF["FrictionalShock"], make()
    assert not one.steps(0.0, STEP)
    assert "not allowed in phase 'instantiated'" in one.messages[-1]
    before = play.go(one.begun(), 0, 20)[-1]
    assert one.changes("Terminate")
    assert not one.steps(20 * STEP, STEP)
    assert "not allowed in phase 'terminated'" in one.messages[-1]
    assert one.outputs() == before


@pytest.mark.parametrize("stop_time", [0.5, -INF, NAN])
def test_a_stop_time_before_the_start_is_refused(make, stop_time):
    one = make()
    assert not one.takes(lambda: one.enter(1.0, stop_time))
    assert f"stop_time={stop_time!r} s must be ≥ start_time=1.0 s" in one.messages[0]


@each_model
def test_an_output_cannot_be_set(make, model):
    one = make(model).begun()
    before = one.written()
    outputs = [
        variable.name
        for variable in definition_of(model).slave.table
        if variable.causality == "output" and variable.kind == "Real"
    ]
    assert outputs
    for name in outputs:
        for value in (0.0, 1.5, INF):
            assert one.give(name, value) == ERROR
            assert f"{name} is an output: the value" in one.messages[-1]
    assert one.written() == before
