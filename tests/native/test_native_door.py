"""The native FMU refuses what the Python FMU refuses, in the same words, and more of it at once."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fmpy import fmi2

from .conftest import Host, Make, sealed

OK, ERROR = 0, 3
STEP = 1e-3

Hosts = tuple[Any, Any]


@pytest.fixture
def pair(native: Make, host: Callable[[Path], Host], python_fmu: Path) -> Callable[[], Hosts]:
    """A native and a Python instance."""
    return lambda: (native(), host(python_fmu))


def shaking(step: int) -> float:
    """SDND104's support acceleration [m/s2] at a0 = 15."""
    return 15.0 * math.sin(2.0 * math.pi * step * STEP)


def run(one: Any, first: int, last: int) -> None:
    for step in range(first, last):
        assert one.step(step * STEP, STEP, base_acceleration=shaking(step)) == OK


def test_the_end_of_a_failed_initialisation_says_so_itself(native: Make) -> None:
    one = native()
    one.set(mass=-1.0)
    assert one.call("fmi2EnterInitializationMode") == OK
    assert one.call("fmi2ExitInitializationMode") == ERROR
    assert one.call("fmi2Reset") == OK
    run(one.initialise(), 0, 10)


@pytest.mark.parametrize(
    ("kind", "variable", "value"),
    [
        ("Integer", "mass", 2),
        ("Real", "contact_mode", 2.0),
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
    native: Make, kind: str, asked: str | int
) -> None:
    one = native().initialise()
    reference = asked if isinstance(asked, int) else one.references[asked]
    value = (getattr(fmi2, f"fmi2{kind}") * 1)()
    references = (fmi2.fmi2ValueReference * 1)(reference)
    assert one.call(f"fmi2Get{kind}", references, fmi2.c_size_t(1), value) == ERROR
    assert f"valueReference {reference} must refer to a variable of type {kind}" in one.messages[-1]
    run(one, 0, 5)


def test_calls_out_of_order_are_refused_and_change_nothing(native: Make) -> None:
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
        (b"x", None, fmi2.fmi2ModelExchange, "the model supports co-simulation only"),
    ],
)
def test_an_instance_that_cannot_be_is_refused_with_the_reason(
    native: Make, name: bytes, guid: bytes | None, kind: Any, message: str
) -> None:
    one = native()
    own = one.description.guid.encode()
    resources = (one.folder / "resources").as_uri().encode()
    made = one.slave.dll.fmi2Instantiate(
        name, kind, guid or own, resources, fmi2.byref(one.slave.callbacks), 0, 1
    )
    assert not made
    assert message in one.messages[-1]


# -- complete state ----------------------------------------------------------------------------


def test_a_broken_serialised_state_is_refused_and_nothing_is_lost(
    native: Make,
) -> None:
    one, other = native().initialise(), native().initialise()
    run(one, 0, 300)
    run(other, 0, 300)
    data = one.written()
    # Places of the guid, the phase, the flags, the start time, the stop time and the time.
    nan = b"\xff" * 8
    broken_places = [sealed(data[:at] + nan + data[at + 8 :]) for at in range(0, 80, 8)]
    for broken in (b"", b"{}", data[: len(data) // 2], data + b"\0", *broken_places):
        assert not one.restores(broken)
        assert "the state cannot be restored" in one.messages[-1]
    run(one, 300, 500)
    run(other, 300, 500)
    assert one.outputs() == other.outputs()


@pytest.mark.parametrize("number", [math.nan, math.inf, -1e308, 1e-310, -1.0, 7.0])
def test_a_state_with_any_word_spoilt_is_refused_or_never_gives_what_is_not_finite(
    native: Make, number: float
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
        if not one.restores(spoilt):
            assert "the state cannot be restored" in one.messages[-1]
            continue
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
