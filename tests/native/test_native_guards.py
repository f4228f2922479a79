"""Special cases of kept, discarded and refused values that other tests do not cover."""

import ctypes
import math
import struct
from collections.abc import Callable
from typing import Any

import pytest

from fmu_src.models import definition_of
from fmu_src.native.entry_points import entry_points
from wearmodel.kernel.events import Watch
from wearmodel.kernel.state_objects import field_names

from ..fmu_src.conftest import Host, saved_count
from .conftest import sealed
from .fmi3_host import ERROR, OK, Host3
from .test_input_derivatives import set_derivatives

Make = Callable[..., Host3]
STEP = 1e-2
WARNING = 1
# Sizes in bytes at the end of a state of FMI 3.0: the message, the checksum, and each number before
# them.
MESSAGE, CHECKSUM, NUMBER = 480, 4, 8
# A mass that differs from all other numbers in the state.
MASS = 1.2345678901


@pytest.fixture
def fmi2(native: Callable[[], Host]) -> Host:
    return native()


def test_a_change_that_is_refused_half_way_leaves_the_state(fmi2, host3):
    # ½ Δk u² overflows only during the change.
    new, beside = host3(), host3()
    values: dict[str, Any] = {"initial_displacement": 3.0, "stiffness": 2.0, "tangential_law": 0}
    for each in (fmi2, new, beside):
        each.set(**values)
        each.initialise()
        assert _status(each.step(0.0, STEP)) == OK
    for each in (fmi2, new):
        before = each.outputs()
        each.set(stiffness=1.7e308)
        assert _status(each.step(STEP, STEP)) == ERROR
        assert "too large" in each.messages[-1]
        each.set(stiffness=2.0)
        assert each.outputs() == before
        assert _status(each.step(STEP, STEP)) == OK
    assert beside.step(STEP, STEP).status == OK
    assert new.outputs() == beside.outputs()
    assert fmi2.get("parameter_change_work") == new.get("parameter_change_work") == 0.0


def _status(answer: Any) -> int:
    status: int = getattr(answer, "status", answer)
    return status


def test_after_derivatives_an_input_is_extrapolated_again(native):
    # Derivatives of a single step. From the next step but one, order 1 extrapolates a ramp from
    # samples.
    given = native()
    given.set(friction_coefficient=0.0, stiffness=0.0, input_extrapolation_order=1)
    given.initialise()
    assert set_derivatives(given, 7.0) == OK
    assert given.step(0.0, STEP, base_acceleration=0.0) == OK
    before = 0.0
    for number in range(1, 5):
        time = number * STEP
        assert given.step(time, STEP, base_acceleration=7.0 * time) == OK
        now = given.get("relative_velocity")
        if number > 1:
            assert now - before == pytest.approx(-7.0 * (time + 0.5 * STEP) * STEP, rel=1e-12)
        before = now


def test_derivatives_of_inputs_serve_one_step(native):
    # Higher orders than in the second step, or any order in the third, would be outdated.
    given, plain = native(), native()
    for each, orders in ((given, (1.0, 50.0, 400.0)), (plain, (0.0, 0.0, 0.0))):
        each.set(friction_coefficient=0.0, stiffness=0.0)
        each.initialise()
        assert set_derivatives(each, *orders) == OK
        assert each.step(0.0, STEP, base_acceleration=2.0) == OK
    gained = [each.get("relative_velocity") for each in (given, plain)]
    for number, slopes in enumerate(((3.0,), ()), start=1):
        for index, each in enumerate((given, plain)):
            if slopes:
                assert set_derivatives(each, *slopes) == OK
            assert each.step(number * STEP, STEP, base_acceleration=2.0) == OK
            now = each.get("relative_velocity")
            # From the second step on, both have the same inputs.
            gain = -(2.0 * STEP + 0.5 * sum(slopes) * STEP**2)
            assert now - gained[index] == pytest.approx(gain, rel=1e-12)
            gained[index] = now


@pytest.mark.parametrize("is_logged", [False, True])
def test_a_run_of_twenty_coarse_steps_warns_once(fmi2, host3, is_logged):
    # FMI 3.0, 2.3.1: with logging off, the logger is not called, and only the status shows a
    # warning.
    new = host3()
    new.call("fmi3SetDebugLogging", ctypes.c_bool(is_logged), ctypes.c_size_t(0), None)
    fmi2.call("fmi2SetDebugLogging", int(is_logged), ctypes.c_size_t(0), None)
    answers = []
    for each in (fmi2, new):
        each.initialise()
        each.messages.clear()
        answers.append(
            [
                _status(each.step(0.25 * n, 0.25, base_acceleration=15.0 * math.sin(1.6 * n)))
                for n in range(20)
            ]
        )
        assert len(each.messages) == is_logged
        assert each.get("input_prediction_error") > 1.0
    assert set(answers[0]) == {OK}
    assert sorted(answers[1]) == [OK] * 19 + [WARNING]
    assert answers[1].index(WARNING) >= 7


def test_an_input_too_fast_for_the_steps_is_warned_of_once_in_the_same_words(pair_of):
    said = []
    for one in pair_of("FrictionalShock")():
        one.initialise()
        for index in range(600):
            # 6 steps per period.
            value = 5.0 * math.sin(math.pi / 3.0 * index + 0.3)
            assert one.step(index * 1e-2, 1e-2, base_acceleration=value) == OK
        said.append(one.messages[:])
        assert one.get("input_prediction_error") > 0.5
    native, python = said
    assert len(native) == 1
    assert "base_acceleration changes too fast for steps of 0.01 s" in native[0]
    assert native == python


@pytest.fixture
def at_landing(host3: Make) -> tuple[Host3, bytes]:
    """Return a host just before the second landing of a ball, and its state."""
    host = host3(event_mode=True, early_return=True)
    host.set(normal_law=2, restitution=0.5, gravity=10.0, initial_gap=0.05, return_at=1, mass=MASS)
    host.initialise()
    assert host.call("fmi3EnterStepMode") == OK
    first = host.step(0.0, 0.15)
    host.pass_event()
    host.set(friction_coefficient=0.25)
    assert host.step(first.time, 0.15).event
    assert host.get("event_count") == 1
    return host, host.written()


def refused(host: Host3, data: bytes) -> str:
    """Return the reason why altered bytes with a valid checksum are refused."""
    status, state = host.deserialise(sealed(data))
    assert (status, state.value) == (ERROR, None), "the state was taken"
    return host.messages[-1]


def with_number(data: bytes, at: int, number: float) -> bytes:
    return data[:at] + struct.pack("<d", number) + data[at + NUMBER :]


def places_of(data: bytes, number: float) -> list[int]:
    return [
        at
        for at in range(0, len(data) - NUMBER, NUMBER)
        if data[at : at + NUMBER] == struct.pack("<d", number)
    ]


@pytest.mark.parametrize("forged", [2.5, -1.0, math.nan])
def test_a_state_with_forged_parameters_of_the_last_step_is_refused(at_landing, forged):
    host, data = at_landing
    # As set, as in effect, and as in the last step.
    *_, last = places_of(data, MASS)
    assert len(places_of(data, MASS)) == 3
    assert "mass" in (reason := refused(host, with_number(data, last, forged))) or (
        "differ from those of the last step" in reason
    )


def test_a_tunable_parameter_of_the_last_step_keeps_its_range(host3):
    # A change was accepted after the step. Parameters of the step may differ but must be valid.
    host = host3(event_mode=True)
    host.set(friction_coefficient=0.3712)
    host.initialise()
    assert host.call("fmi3EnterStepMode") == OK
    assert host.step(0.0, STEP).status == OK
    host.set(friction_coefficient=0.25)
    host.get("friction_force")
    data = host.written()
    (last,) = places_of(data, 0.3712)
    status, state = host.deserialise(sealed(with_number(data, last, 0.4)))
    assert status == OK
    host.release(state)
    assert "friction_coefficient" in refused(host, with_number(data, last, -0.1))


@pytest.mark.parametrize("forged", [0.5, -1.0, math.nan, math.inf, 2.0**60])
@pytest.mark.parametrize("which", ["watch", "watch_after"])
def test_a_state_with_a_forged_account_of_events_is_refused(at_landing, which, forged):
    host, data = at_landing
    definition = definition_of("FrictionalShock")
    entry = entry_points(definition)
    fields = field_names(Watch)
    # From the end: data of Event Mode, the state after the event, and both `Watch` objects.
    behind = entry.counts["input"] + 1 + saved_count(entry)
    first = len(data) - CHECKSUM - MESSAGE - NUMBER * (behind + 2 * len(fields))
    accounts = dict(
        zip(("watch", "watch_after"), (first, first + NUMBER * len(fields)), strict=True)
    )
    count = accounts[which] + NUMBER * fields.index("events")
    assert struct.unpack_from("<d", data, count)[0] == (1.0 if which == "watch" else 2.0)
    assert "event data" in refused(host, with_number(data, count, forged))
    if not math.isfinite(forged):
        last = accounts[which] + NUMBER * fields.index("last")
        assert "event data" in refused(host, with_number(data, last, forged))
