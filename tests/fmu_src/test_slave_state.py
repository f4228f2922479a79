"""The complete state travels: saved, restored, serialised, reset."""

from __future__ import annotations

import ctypes
import json
import math
from collections.abc import Callable
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


def test_a_restored_state_continues_bit_by_bit(host: Callable[..., Any]) -> None:
    one = host().initialise(stiffness=40.0, input_extrapolation_order=3)
    run(one, 0, 400)
    state = one.save()
    at_save = one.outputs()
    run(one, 400, 900)
    straight = one.outputs()
    assert one.load(state) == OK
    assert one.outputs() == at_save
    run(one, 400, 900)
    assert one.outputs() == straight


def test_a_serialised_state_continues_in_another_instance(host: Callable[..., Any]) -> None:
    one = host().initialise(stiffness=40.0, mass=2.0)
    run(one, 0, 400)
    data = one.serialise(one.save())
    run(one, 400, 900)
    other = host().initialise()
    assert other.load(other.deserialise(data)) == OK
    assert other.get("mass") == 2.0
    run(other, 400, 900)
    assert other.outputs() == one.outputs()


def test_a_state_read_from_bytes_gives_the_same_bytes_again(host: Callable[..., Any]) -> None:
    one = host().initialise()
    run(one, 0, 10)
    # A rounding residue of a master, far below 1e-30.
    assert one.step(0.01, STEP, base_acceleration=1e-40) == OK
    data = one.serialise(one.save())
    assert one.load(one.deserialise(data)) == OK
    assert one.serialise(one.save()) == data


def test_a_state_with_all_a_master_can_set_comes_back_from_bytes(host: Callable[..., Any]) -> None:
    one = host().initialise(
        -math.inf, base_acceleration=math.nan, mass=math.inf, input_extrapolation_order=-(2**31)
    )
    data = one.serialise(one.save())
    other = host().initialise()
    other.messages.clear()
    assert other.load(other.deserialise(data)) == OK
    assert other.messages == []
    assert other.get("input_extrapolation_order") == -(2**31)
    assert other.serialise(other.save()) == data


def test_a_state_saved_before_initialisation_brings_that_phase_back(
    host: Callable[..., Any],
) -> None:
    one = host()
    state = one.save()
    one.initialise()
    run(one, 0, 10)
    assert one.load(state) == OK
    assert one.step(0.01, STEP) == ERROR
    one.initialise(friction_coefficient=0.05)
    run(one, 0, 10)


@pytest.mark.parametrize(
    ("name", "parameter", "before", "after", "output"),
    [
        ("FrictionalShock", "friction_coefficient", 0.05, 0.0625, "friction_force"),
        ("BaseMotion", "amplitude", 1.0, 100.0, "acceleration"),
    ],
)
def test_a_restored_state_runs_with_its_own_parameters(
    host: Callable[..., Any], name: str, parameter: str, before: float, after: float, output: str
) -> None:
    # The model asked for its outputs at `before` must not serve the state saved at `after`.
    one = host(name)
    one.set(**{parameter: before})
    assert one.call("fmi2EnterInitializationMode") == OK
    one.get(output)
    initial = one.save()
    one.set(**{parameter: after})
    assert one.call("fmi2ExitInitializationMode") == OK
    inputs = {"base_acceleration": 9.0} if name == "FrictionalShock" else {}
    assert one.step(0.0, 0.25, **inputs) == OK
    at_save, stepping = one.outputs(), one.save()
    assert abs(at_save[output]) > before
    assert one.step(0.25, 0.25, **inputs) == OK
    straight = one.outputs()
    assert one.load(initial) == OK
    one.set(**{parameter: after})
    assert one.load(stepping) == OK
    assert one.outputs() == at_save
    assert one.step(0.25, 0.25, **inputs) == OK
    assert one.outputs() == straight


def test_a_state_saved_between_wrong_and_right_parameters_comes_back(
    host: Callable[..., Any],
) -> None:
    one = host()
    assert one.call("fmi2EnterInitializationMode") == OK
    one.get("normal_force")
    one.set(mass=-1.0)
    state = one.save()
    one.set(mass=2.0)
    assert one.load(state) == OK
    assert one.get("mass") == -1.0
    one.set(mass=3.0)
    assert one.get("normal_force") == 30.0
    assert one.call("fmi2ExitInitializationMode") == OK
    assert one.step(0.0, STEP) == OK


def test_reset_gives_a_fresh_instance(host: Callable[..., Any]) -> None:
    one = host().initialise(mass=3.0)
    run(one, 0, 500)
    assert one.call("fmi2Reset") == OK
    assert one.get("mass") == 1.0
    one.initialise()
    fresh = host().initialise()
    run(one, 0, 500)
    run(fresh, 0, 500)
    assert one.outputs() == fresh.outputs()


def test_a_broken_serialised_state_is_refused_and_nothing_is_lost(
    host: Callable[..., Any],
) -> None:
    one, other = host().initialise(), host().initialise()
    run(one, 0, 300)
    run(other, 0, 300)
    data = content_of(one.serialise(one.save()))
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
        one.load(one.deserialise(sealed(broken)))
        assert one.step(0.3, STEP) == ERROR
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
def test_a_state_read_from_garbage_can_be_written_freed_and_only_not_restored(
    host: Callable[..., Any], garbage: bytes
) -> None:
    one, other = host().initialise(), host().initialise()
    run(one, 0, 10)
    run(other, 0, 10)
    state = one.deserialise(garbage)
    written = one.serialise(state)
    assert one.serialise(state) == written
    again = one.deserialise(written)
    for each in (state, again):
        one.messages.clear()
        one.load(each)
        assert "the state cannot be restored" in one.messages[-1]
        assert one.step(0.01, STEP) == ERROR
        assert one.outputs() == other.outputs()
        assert one.call("fmi2FreeFMUstate", ctypes.byref(each)) == OK
    run(one, 10, 20)
    run(other, 10, 20)
    assert one.outputs() == other.outputs()


def test_a_state_written_again_without_being_restored_is_the_same(
    host: Callable[..., Any],
) -> None:
    one = host().initialise()
    run(one, 0, 10)
    data = one.serialise(one.save())
    assert one.serialise(one.deserialise(data)) == data


@pytest.mark.parametrize("value", [7.0, -2.0, math.nan, math.inf], ids=str)
@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("FrictionalShock", ("state", index_constants()["shoe_State_sliding"])),
        ("DisChoc", (list(SpringState.__annotations__).index("mode"),)),
    ],
    ids=["FrictionalShock", "DisChoc"],
)
def test_a_mode_that_does_not_exist_is_refused(
    host: Callable[..., Any], name: str, place: tuple[Any, ...], value: float
) -> None:
    one, other = host(name).initialise(), host(name).initialise()
    for each in (one, other):
        assert each.step(0.0, STEP) == OK
    state = json.loads(content_of(one.serialise(one.save())))
    at = state["model"]
    for key in place[:-1]:
        at = at[key]
    at[place[-1]] = value
    one.load(one.deserialise(sealed(json.dumps(state).encode())))
    assert "the state cannot be restored" in one.messages[-1]
    assert one.outputs() == other.outputs()
    assert one.step(STEP, STEP) == ERROR
    assert one.step(STEP, STEP) == OK


@pytest.mark.parametrize("value", [math.nan, 0.5, 2**31, "penalty", None], ids=str)
def test_an_enumeration_that_is_no_whole_number_is_refused(
    host: Callable[..., Any], value: Any
) -> None:
    one = host().initialise()
    state = json.loads(content_of(one.serialise(one.save())))
    parameters = [v for v in one.description.modelVariables if v.causality == "parameter"]
    (place,) = (i for i, v in enumerate(parameters) if v.name == "normal_law")
    for model in (state["model"], None):
        spoilt = json.loads(json.dumps({**state, "model": model}))
        spoilt["parameters"][place] = value
        one.load(one.deserialise(sealed(json.dumps(spoilt).encode())))
        assert "normal_law=" in one.messages[-1]
        assert one.get("normal_law") == 0
        assert one.step(0.0, STEP) == ERROR


def test_two_instances_do_not_disturb_each_other(host: Callable[..., Any]) -> None:
    alone = host().initialise(friction_coefficient=0.05)
    run(alone, 0, 400)
    one = host().initialise(friction_coefficient=0.05)
    two = host().initialise(stiffness=100.0, damping=1.0)
    for step in range(400):
        run(one, step, step + 1)
        run(two, step, step + 1)
    assert one.outputs() == alone.outputs()
    assert two.outputs() != alone.outputs()
