"""Save, restore, serialise and reset the complete state."""

import json
import math
from typing import Any

import pytest

from wearmodel.compiled.declarations import index_constants
from wearmodel.kernel.spring.state_objects import SpringState

from .conftest import content_of, sealed

OK = 0
ERROR = 3
STEP = 1e-3


def run(one: Any, first: int, last: int) -> None:
    for step in range(first, last):
        acceleration = 1.5 * math.sin(2.0 * math.pi * step * STEP)
        assert one.step(step * STEP, STEP, base_acceleration=acceleration) == OK


def test_a_state_read_from_bytes_gives_the_same_bytes_again(host):
    one = host().initialise()
    run(one, 0, 10)
    # A rounding error of a master, far below 1e-30.
    assert one.step(0.01, STEP, base_acceleration=1e-40) == OK
    data = one.written()
    assert one.restores(data)
    assert one.written() == data


def test_a_state_with_all_a_master_can_set_comes_back_from_bytes(host):
    one = host().initialise(
        -math.inf, base_acceleration=math.nan, mass=math.inf, input_extrapolation_order=-(2**31)
    )
    data = one.written()
    other = host().initialise()
    other.messages.clear()
    assert other.restores(data)
    assert other.messages == []
    assert other.get("input_extrapolation_order") == -(2**31)
    assert other.written() == data


def test_a_broken_serialised_state_is_refused_and_nothing_is_lost(host):
    one, other = host().initialise(), host().initialise()
    run(one, 0, 300)
    run(other, 0, 300)
    data = content_of(one.written())
    for broken in (
        b"",
        b"{}",
        data[: len(data) // 2],
        data.replace(b"stepping", b"walking "),
        data.replace(b'"state": [', b'"state": [NaN, '),
        data.replace(b'"state": [', b'"state": [0.0, '),
        data.replace(b'"samples": [', b'"samples": [[], '),
        data.replace(b'"time": 0.3', b'"time": null'),
    ):
        assert broken != data
        assert not one.restores(sealed(broken))
        assert "the state cannot be restored" in one.messages[-1]
    run(one, 300, 500)
    run(other, 300, 500)
    assert one.outputs() == other.outputs()


@pytest.mark.parametrize(
    "garbage",
    [
        b"garbage",
        b"",
        b"{}",
        b"null",
        b"\xff\xfe\x00",
        b'{"model": null}',
        b"[" * 100_000,
        b'{"is_extreme": false, "inputs": [], "parameters": [], "model": '
        + b"[" * 700
        + b"]" * 700
        + b"}",
    ],
    ids=["text", "empty", "no-key", "null", "no-utf8", "one-key", "deep", "nested"],
)
def test_garbage_is_not_read_as_a_state(host, garbage):
    one, other = host().initialise(), host().initialise()
    run(one, 0, 10)
    run(other, 0, 10)
    for damaged in (garbage, sealed(garbage)):
        one.messages.clear()
        assert not one.restores(damaged)
        assert "the state cannot be restored" in one.messages[-1]
        assert one.outputs() == other.outputs()
    run(one, 10, 20)
    run(other, 10, 20)
    assert one.outputs() == other.outputs()


def test_a_state_written_again_without_being_restored_is_the_same(host):
    one = host().initialise()
    run(one, 0, 10)
    data = one.written()
    assert one.serialise(one.deserialise(data)[1]) == data


@pytest.mark.parametrize("value", [7.0, -2.0, math.nan, math.inf], ids=str)
@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("FrictionalShock", ("state", index_constants()["shoe_State_sliding"])),
        ("DisChoc", (list(SpringState.__annotations__).index("mode"),)),
    ],
    ids=["FrictionalShock", "DisChoc"],
)
def test_a_mode_that_does_not_exist_is_refused(host, name, place, value):
    one, other = host(name).initialise(), host(name).initialise()
    for each in (one, other):
        assert each.step(0.0, STEP) == OK
    state = json.loads(content_of(one.written()))
    at = state["model"]
    for key in place[:-1]:
        at = at[key]
    at[place[-1]] = value
    assert not one.restores(sealed(json.dumps(state).encode()))
    assert "the state cannot be restored" in one.messages[-1]
    assert one.outputs() == other.outputs()
    assert one.step(STEP, STEP) == OK


@pytest.mark.parametrize("value", [math.nan, 0.5, 2**31, "penalty", None], ids=str)
def test_an_enumeration_that_is_no_whole_number_is_refused(host, value):
    one = host().initialise()
    state = json.loads(content_of(one.written()))
    parameters = [v for v in one.description.modelVariables if v.causality == "parameter"]
    (place,) = (i for i, v in enumerate(parameters) if v.name == "normal_law")
    for model in (state["model"], None):
        spoilt = json.loads(json.dumps({**state, "model": model}))
        spoilt["parameters"][place] = value
        assert not one.restores(sealed(json.dumps(spoilt).encode()))
        assert "normal_law=" in one.messages[-1]
        assert one.get("normal_law") == 0
    assert one.step(0.0, STEP) == OK


def test_a_stop_time_that_is_no_number_in_a_state_is_refused(host):
    one = host().initialise(stop_time=0.5)
    data = one.written()
    spoilt = sealed(content_of(data).replace(b'"stop_time": 0.5', b'"stop_time": NaN'))
    assert spoilt != data
    assert not one.restores(spoilt)
    assert "stop_time=nan s must be a number" in one.messages[-1]
    assert one.step(0.0, 0.25) == OK
    assert one.step(0.25, 0.75) == ERROR


def test_an_instance_without_an_experiment_starts_at_time_0(host):
    one = host()
    new = one.written()
    state = json.loads(content_of(new))
    assert (state["start_time"], state["time"], state["stop_time"]) == (0.0, 0.0, math.inf)
    assert one.call("fmi2EnterInitializationMode") == OK
    assert one.call("fmi2ExitInitializationMode") == OK
    assert one.step(0.0, STEP) == OK
    assert one.call("fmi2Reset") == OK
    one.initialise(5.0, 6.0)
    assert one.step(5.0, STEP) == OK
    assert one.call("fmi2Reset") == OK
    assert one.written() == new


@pytest.mark.parametrize("value", [-(2**31), 2**31 - 1, -(2**31) - 1, 2**31])
def test_a_whole_number_of_a_state_fits_32_bits(host, value):
    # Before initialisation, an instance may have any value that a master can set.
    one = host()
    state = json.loads(content_of(one.written()))
    parameters = [v for v in one.description.modelVariables if v.causality == "parameter"]
    names = ("input_extrapolation_order", "normal_law")
    for place, variable in enumerate(parameters):
        if variable.name in names:
            spoilt = json.loads(json.dumps(state))
            spoilt["parameters"][place] = value
            fits = -(2**31) <= value < 2**31
            assert one.restores(sealed(json.dumps(spoilt).encode())) is fits
            if fits:
                assert one.get(variable.name) == value
            else:
                assert f"{variable.name}={value} must be a " in one.messages[-1]


@pytest.mark.parametrize("key", ["parameters", "inputs", "start_parameters"])
@pytest.mark.parametrize("change", [1, -1], ids=["longer", "shorter"])
def test_a_state_has_a_value_for_each_variable(host, key, change):
    one, other = host().initialise(), host().initialise()
    run(one, 0, 10)
    run(other, 0, 10)
    state = json.loads(content_of(one.written()))
    state[key] = [*state[key], 0.0] if change > 0 else state[key][:-1]
    assert not one.restores(sealed(json.dumps(state).encode()))
    reason = "parameters of its start" if key == "start_parameters" else "value for each input"
    assert reason in one.messages[-1]
    assert one.outputs() == other.outputs()


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("key", ["time", "start_time"])
def test_the_times_of_a_state_in_a_run_are_finite(host, key, value):
    one = host().initialise()
    run(one, 0, 10)
    state = json.loads(content_of(one.written()))
    state[key] = value
    assert not one.restores(sealed(json.dumps(state).encode()))
    assert f"{key}={value!r} s must be finite" in one.messages[-1]
    run(one, 10, 20)
