"""The native FMU refuses what the Python FMU refuses, in the same words, and more of it at once."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fmpy import fmi2

from .conftest import sealed

OK, ERROR = 0, 3
STEP = 1e-3

Hosts = tuple[Any, Any]


@pytest.fixture
def pair(host: Callable[[Path], Any], native_fmu: Path, python_fmu: Path) -> Callable[[], Hosts]:
    """A native and a Python instance."""
    return lambda: (host(native_fmu), host(python_fmu))


@pytest.fixture
def native(host: Callable[[Path], Any], native_fmu: Path) -> Callable[[], Any]:
    """Native instances."""
    return lambda: host(native_fmu)


def shaking(step: int) -> float:
    """SDND104's support acceleration [m/s2] at a0 = 15."""
    return 15.0 * math.sin(2.0 * math.pi * step * STEP)


def run(one: Any, first: int, last: int) -> None:
    for step in range(first, last):
        assert one.step(step * STEP, STEP, base_acceleration=shaking(step)) == OK


BAD_STARTS: list[dict[str, Any]] = [
    {"mass": -1.0},
    {"mass": 0.0},
    {"mass": -1e-7},
    {"mass": -123456.789e12},
    {"mass": -1e16},
    {"mass": -1.2345e22},
    {"mass": -4.9e-324},
    {"mass": -0.1 - 0.2},
    {"mass": math.nan},
    {"gravity": math.inf},
    {"gravity": -math.inf},
    {"friction_coefficient": -0.1},
    {"friction_coefficient_static": 0.05},
    {"restitution": 1.5},
    {"contact_stiffness": 0.0},
    {"normal_law": 7},
    {"normal_law": -1},
    {"obstacle": 2},
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
    {"base_acceleration": math.inf},
    {"normal_load": math.nan},
    {"mass": -1.0, "restitution": 2.0},
]


@pytest.mark.parametrize("values", BAD_STARTS, ids=str)
def test_bad_start_values_are_refused_in_the_python_fmus_words(
    pair: Callable[[], Hosts], values: dict[str, Any]
) -> None:
    both = pair()
    for one in both:
        one.initialise(**values)
        assert one.step(0.0, STEP) == ERROR
    native, python = both
    assert native.messages[-1] == python.messages[-1]
    assert "initialisation failed: " in native.messages[0]


def test_the_end_of_a_failed_initialisation_says_so_itself(native: Callable[[], Any]) -> None:
    one = native()
    one.set(mass=-1.0)
    assert one.call("fmi2EnterInitializationMode") == OK
    assert one.call("fmi2ExitInitializationMode") == ERROR
    assert one.call("fmi2Reset") == OK
    run(one.initialise(), 0, 10)


@pytest.mark.parametrize("time", [0.1, 0.2, 0.0, math.nan])
@pytest.mark.parametrize("step_size", [STEP, 0.0, -STEP, math.nan, math.inf, 1e-20])
def test_an_illegal_step_is_an_error_in_the_same_words_and_nothing_is_lost(
    pair: Callable[[], Hosts], time: float, step_size: float
) -> None:
    if (time, step_size) == (0.1, STEP):
        time = 0.1 + 0.01 * STEP  # a clock that runs away
    both = pair()
    for one in both:
        run(one.initialise(), 0, 100)
        before = one.outputs()
        assert one.step(time, step_size, base_acceleration=99.0) == ERROR
        assert one.outputs() == before
        run(one, 100, 300)
    native, python = both
    assert native.messages == python.messages
    assert native.outputs() == python.outputs()


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize(
    "name", ["base_acceleration", "base_acceleration_normal", "tangential_load", "normal_load"]
)
def test_an_input_that_is_not_finite_is_an_error_in_the_same_words(
    pair: Callable[[], Hosts], name: str, value: float
) -> None:
    both = pair()
    for one in both:
        run(one.initialise(), 0, 60)
        assert one.step(60 * STEP, STEP, **{name: value}) == ERROR
        one.set(**{name: 0.0})
        run(one, 60, 70)
    native, python = both
    assert native.messages == python.messages
    assert native.outputs() == python.outputs()


@pytest.mark.parametrize(
    ("values", "step_size", "inputs"),
    [
        ({}, 1e300, {"base_acceleration": 1e300}),
        (
            {"normal_law": 2, "restitution": 0.9999, "initial_gap": 1e-6},
            20.0,
            {"base_acceleration_normal": 0.0},
        ),
    ],
    ids=["overflow", "too many events"],
)
def test_a_step_that_fails_gives_the_same_reason_and_leaves_the_state(
    pair: Callable[[], Hosts], values: dict[str, Any], step_size: float, inputs: dict[str, float]
) -> None:
    both = pair()
    for one in both:
        before = one.initialise(**values).outputs()
        assert one.step(0.0, step_size, **inputs) == ERROR
        assert one.outputs() == before
        assert one.step(0.0, STEP, base_acceleration=0.0) == OK
    native, python = both
    assert native.messages == python.messages
    assert "failed: " in native.messages[-1]
    assert native.outputs() == python.outputs()


@pytest.mark.parametrize(
    ("kind", "variable", "value"),
    [
        ("Real", "wear_work", 5.0),
        ("Real", "mass", 2.0),
        ("Integer", "normal_law", 1),
        ("Integer", "mass", 2),
        ("Real", "contact_mode", 2.0),
        ("Boolean", "start_in_equilibrium", 1),
        ("Boolean", "mass", 1),
    ],
)
def test_setting_what_cannot_be_set_answers_for_itself_in_the_same_words(
    pair: Callable[[], Hosts], kind: str, variable: str, value: Any
) -> None:
    native, python = pair()
    for one in (native, python):
        run(one.initialise(), 0, 100)
    before = native.outputs()
    assert native.set_reference(kind, native.references[variable], value) == ERROR
    python.set_reference(kind, python.references[variable], value)
    assert native.messages == python.messages
    assert native.outputs() == before
    run(native, 100, 110)  # nothing is left for the next step to report


@pytest.mark.parametrize("asked", ["normal_force", "mass", "wear_area", 999, 2**31 + 5, 2**32 - 1])
@pytest.mark.parametrize("kind", ["Integer", "Boolean", "String"])
def test_a_reference_of_another_kind_is_refused_for_reading(
    native: Callable[[], Any], kind: str, asked: str | int
) -> None:
    one = native().initialise()
    reference = asked if isinstance(asked, int) else one.references[asked]
    value = (getattr(fmi2, f"fmi2{kind}") * 1)()
    references = (fmi2.fmi2ValueReference * 1)(reference)
    assert one.call(f"fmi2Get{kind}", references, fmi2.c_size_t(1), value) == ERROR
    assert f"valueReference {reference} is no {kind}" in one.messages[-1]
    run(one, 0, 5)


def test_calls_out_of_order_are_refused_and_change_nothing(native: Callable[[], Any]) -> None:
    def set_up(one: Any) -> int:
        zero, false = fmi2.fmi2Real(0.0), fmi2.fmi2False
        return int(one.call("fmi2SetupExperiment", false, zero, zero, false, zero))

    one = native()
    assert one.call("fmi2ExitInitializationMode") == ERROR
    assert "not allowed in phase 'instantiated'" in one.messages[-1]
    assert one.call("fmi2Terminate") == ERROR
    assert one.step(0.0, STEP) == ERROR
    assert one.call("fmi2EnterInitializationMode") == OK
    assert one.call("fmi2EnterInitializationMode") == ERROR
    assert set_up(one) == ERROR
    assert one.call("fmi2ExitInitializationMode") == OK
    run(one, 0, 100)
    assert set_up(one) == ERROR
    assert one.call("fmi2EnterInitializationMode") == ERROR
    assert one.call("fmi2CancelStep") == ERROR
    run(one, 100, 110)
    before = one.outputs()
    assert one.call("fmi2Terminate") == OK
    assert one.step(0.11, STEP) == ERROR
    assert "not allowed in phase 'terminated'" in one.messages[-1]
    assert one.call("fmi2Terminate") == ERROR
    assert one.outputs() == before


@pytest.mark.parametrize(
    ("name", "guid", "kind", "message"),
    [
        (b"", None, fmi2.fmi2CoSimulation, "the instance must have a name"),
        (b"x", b"{other}", fmi2.fmi2CoSimulation, "guid={other} must be {"),
        (b"x", None, fmi2.fmi2ModelExchange, "the model offers co-simulation only"),
    ],
)
def test_an_instance_that_cannot_be_is_refused_with_the_reason(
    native: Callable[[], Any], name: bytes, guid: bytes | None, kind: Any, message: str
) -> None:
    one = native()
    own = one.description.guid.encode()
    resources = (one.folder / "resources").as_uri().encode()
    made = one.slave.dll.fmi2Instantiate(
        name, kind, guid or own, resources, fmi2.byref(one.slave.callbacks), 0, 1
    )
    assert not made
    assert message in one.messages[-1]


def test_a_step_past_the_stop_time_is_an_error_in_the_same_words(
    pair: Callable[[], Hosts],
) -> None:
    both = pair()
    for one in both:
        one.set_up(start_time=1.0, stop_time=0.5)
        assert one.set_up(start_time=0.0, stop_time=0.1005) == OK
        one.call("fmi2EnterInitializationMode")
        one.call("fmi2ExitInitializationMode")
    native, python = both
    assert python.step(0.0, STEP) == ERROR  # what its setup could not answer
    assert python.messages[-1] == native.messages[-1]
    for one in both:
        one.messages.clear()
        run(one, 0, 100)
        before = one.outputs()
        assert one.step(0.1, STEP) == ERROR
        assert one.step(0.1, math.inf) == ERROR
        assert one.step(0.1, 1e308) == ERROR
        assert one.outputs() == before
        assert one.step(0.1, 0.0005 * (1.0 + 1e-7)) == OK  # rounding
    assert native.messages == python.messages
    assert "stop_time=0.1005 s" in native.messages[0]
    assert native.outputs() == python.outputs()


def test_a_percent_sign_in_a_message_is_no_format(native: Callable[[], Any]) -> None:
    one = native()
    one.initialise()
    texts = (fmi2.fmi2String * 1)(b"100 %s #1#")
    references = (fmi2.fmi2ValueReference * 1)(0)
    assert one.call("fmi2SetString", references, fmi2.c_size_t(1), texts) == ERROR
    assert "'100 %%s ##1##'" in one.messages[-1]


def test_outputs_during_initialisation_follow_from_the_start_inputs(
    pair: Callable[[], Hosts],
) -> None:
    both = pair()
    for one in both:
        assert one.call("fmi2EnterInitializationMode") == OK
        one.set(base_acceleration=0.5, normal_load=2.0)
        assert one.get("normal_force") == 12.0
        one.set(base_acceleration=0.25, friction_coefficient=0.5)
        assert one.get("friction_force") == 0.25
        assert one.call("fmi2ExitInitializationMode") == OK
        one.set(base_acceleration=3.0)
        assert one.get("friction_force") == 0.25


# -- complete state ----------------------------------------------------------------------------


def test_a_restored_state_continues_bit_by_bit(native: Callable[[], Any]) -> None:
    one = native().initialise(stiffness=40.0, input_extrapolation_order=3)
    run(one, 0, 400)
    state = one.save()
    at_save = one.outputs()
    run(one, 400, 900)
    straight = one.outputs()
    assert one.load(state) == OK
    assert one.outputs() == at_save
    run(one, 400, 900)
    assert one.outputs() == straight


def test_a_serialised_state_continues_in_another_instance(native: Callable[[], Any]) -> None:
    one = native().initialise(stiffness=40.0, mass=2.0)
    run(one, 0, 400)
    data = one.serialise(one.save())
    assert data == one.serialise(one.save())
    run(one, 400, 900)
    other = native().initialise()
    assert other.load(other.deserialise(data)) == OK
    assert other.get("mass") == 2.0
    run(other, 400, 900)
    assert other.outputs() == one.outputs()


def test_a_state_saved_before_initialisation_brings_that_phase_back(
    native: Callable[[], Any],
) -> None:
    one = native()
    state = one.save()
    run(one.initialise(), 0, 10)
    assert one.load(state) == OK
    assert one.step(0.01, STEP) == ERROR
    run(one.initialise(friction_coefficient=0.05), 0, 10)


def test_reset_gives_a_fresh_instance(native: Callable[[], Any]) -> None:
    one, fresh = native().initialise(mass=3.0), native().initialise()
    run(one, 0, 500)
    assert one.call("fmi2Reset") == OK
    assert one.get("mass") == 1.0
    one.initialise()
    run(one, 0, 500)
    run(fresh, 0, 500)
    assert one.outputs() == fresh.outputs()


def test_a_broken_serialised_state_is_refused_and_nothing_is_lost(
    native: Callable[[], Any],
) -> None:
    one, other = native().initialise(), native().initialise()
    run(one, 0, 300)
    run(other, 0, 300)
    data = one.serialise(one.save())
    # Places of the guid, the phase, the flags, the start time, the stop time and the time.
    nan = b"\xff" * 8
    broken_places = [sealed(data[:at] + nan + data[at + 8 :]) for at in range(0, 80, 8)]
    for broken in (b"", b"{}", data[: len(data) // 2], data + b"\0", *broken_places):
        buffer = (fmi2.c_char * max(1, len(broken))).from_buffer_copy(broken or b"\0")
        state = fmi2.fmi2FMUstate()
        status = one.call(
            "fmi2DeSerializeFMUstate", buffer, fmi2.c_size_t(len(broken)), fmi2.byref(state)
        )
        assert status == ERROR
        assert "the state cannot be restored" in one.messages[-1]
        assert not state
    run(one, 300, 500)
    run(other, 300, 500)
    assert one.outputs() == other.outputs()


@pytest.mark.parametrize("number", [math.nan, math.inf, -1e308, 1e-310, -1.0, 7.0])
def test_a_state_with_any_word_spoilt_is_refused_or_never_gives_what_is_not_finite(
    native: Callable[[], Any], number: float
) -> None:
    one = native().initialise(input_extrapolation_order=2, stiffness=40.0)
    run(one, 0, 300)
    good = one.save()
    data = one.serialise(good)
    derivative = fmi2.fmi2Real()
    of_velocity_by_shaking = (
        fmi2.byref(fmi2.fmi2ValueReference(one.references["relative_velocity"])),
        fmi2.c_size_t(1),
        fmi2.byref(fmi2.fmi2ValueReference(one.references["base_acceleration"])),
        fmi2.c_size_t(1),
        fmi2.byref(fmi2.fmi2Real(1.0)),
        fmi2.byref(derivative),
    )
    for at in range(40, len(data) - 4, 8):  # behind the guid
        spoilt = sealed(data[:at] + struct.pack("<d", number) + data[at + 8 :])
        state = fmi2.fmi2FMUstate()
        buffer = (fmi2.c_char * len(spoilt)).from_buffer_copy(spoilt)
        size = fmi2.c_size_t(len(spoilt))
        if one.call("fmi2DeSerializeFMUstate", buffer, size, fmi2.byref(state)) != OK:
            assert "the state cannot be restored" in one.messages[-1]
            continue
        assert one.load(state) == OK
        one.set(base_acceleration=1.0)
        assert all(math.isfinite(value) for value in one.outputs().values()), at
        assert one.get("shock_count") >= 0
        assert one.get("slip_count") >= 0
        if one.call("fmi2GetDirectionalDerivative", *of_velocity_by_shaking) == OK:
            assert math.isfinite(derivative.value)
        time = fmi2.fmi2Real()
        assert one.call("fmi2GetRealStatus", 2, fmi2.byref(time)) == OK
        one.step(time.value, STEP)
        assert all(math.isfinite(value) for value in one.outputs().values()), at
    assert one.load(good) == OK


def test_two_instances_do_not_disturb_each_other(native: Callable[[], Any]) -> None:
    alone = native().initialise(friction_coefficient=0.05)
    run(alone, 0, 400)
    one = native().initialise(friction_coefficient=0.05)
    two = native().initialise(stiffness=100.0, damping=1.0)
    for step in range(400):
        run(one, step, step + 1)
        run(two, step, step + 1)
    assert one.outputs() == alone.outputs()
    assert two.outputs() != alone.outputs()


def test_an_input_too_fast_for_the_steps_is_warned_of_once_in_the_same_words(
    pair: Callable[[], Hosts],
) -> None:
    said = []
    for one in pair():
        one.initialise()
        for index in range(600):
            # 6 steps a period.
            value = 5.0 * math.sin(math.pi / 3.0 * index + 0.3)
            assert one.step(index * 1e-2, 1e-2, base_acceleration=value) == OK
        said.append(one.messages[:])
        assert one.get("input_prediction_error") > 0.5
    native, python = said
    assert len(native) == 1
    assert "base_acceleration changes too fast for steps of 0.01 s" in native[0]
    assert native == python
