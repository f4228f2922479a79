"""Tunable parameters in FMI 3.0: in event mode, without event mode, and refused changes."""

from collections.abc import Callable
from typing import Any

import pytest

from wearmodel import EventKinds, FrictionalShock, FrictionalShockParameters, InputTiming, NormalLaw

from .fmi3_host import ERROR, OK, Host3

Make = Callable[..., Host3]
# A mass that falls on an elastic plane.
FALL: dict[str, Any] = {
    "normal_law": NormalLaw.penalty,
    "contact_stiffness": 1e4,
    "input_timing": InputTiming.end,
    "gravity": 10.0,
    "initial_gap": 0.05,
}
ALL = 3
STEP = 0.13
OUTPUTS = ("gap", "gap_velocity", "normal_force", "shock_count", "parameter_change_work")


def started(make: Make, **modes: bool) -> Host3:
    host = make(**modes)
    host.initialise(**FALL, return_at=ALL)
    if modes.get("event_mode"):
        host.leave_event_mode()
    return host


def test_a_change_in_event_mode_comes_behind_the_pending_event(host3):
    host = started(host3, event_mode=True, early_return=True)
    end = host.step(0.0, STEP)
    assert end.event
    assert host.get("shock_count") == 0
    assert host.call("fmi3EnterEventMode") == OK
    host.set(contact_stiffness=3e4)
    # Values read there are after the event and the change.
    shown = [host.get(name) for name in OUTPUTS]
    assert host.get("shock_count") == 1
    assert host.update() == OK
    assert [host.get(name) for name in OUTPUTS] == shown
    assert host.call("fmi3EnterStepMode") == OK
    assert not host.step(end.time, 0.003).early

    model = FrictionalShock(FrictionalShockParameters(**FALL))
    assert model.step_to_event(STEP, kinds=EventKinds.all).event
    model.pass_event()
    model.change_parameters({"contact_stiffness": 3e4})
    model.step(0.003)
    # The clocks of master and kernel differ by rounding.
    wanted = model.outputs()
    for name in OUTPUTS:
        assert host.get(name) == pytest.approx(wanted[name], rel=1e-11, abs=1e-15), name


def test_without_event_mode_a_change_acts_between_two_steps(host3):
    host = started(host3, event_mode=False, early_return=False)
    assert host.step(0.0, STEP).status == OK
    pressed = -host.get("gap")
    assert pressed > 0.0
    host.set(contact_stiffness=3e4)
    assert host.get("normal_force") == pytest.approx(3e4 * pressed, rel=1e-14)
    work = 0.5 * 2e4 * pressed**2
    assert host.get("parameter_change_work") == pytest.approx(work, rel=1e-12)


def test_a_state_that_is_saved_at_an_event_brings_the_change_back(host3):
    host = started(host3, event_mode=True, early_return=True)
    end = host.step(0.0, STEP)
    assert host.call("fmi3EnterEventMode") == OK
    host.set(contact_stiffness=3e4)
    state = host.save()
    ends = []
    for stiffness in (None, 5e4, None):
        if stiffness is not None:
            host.set(contact_stiffness=stiffness)
        host.leave_event_mode()
        assert host.step(end.time, 0.003).status == OK
        ends.append([host.get(name) for name in OUTPUTS])
        assert host.load(state) == OK
    assert ends[0] == ends[2] != ends[1]


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("mass", 2.0, "mass is a fixed parameter"),
        ("contact_stiffness", -1.0, "contact_stiffness=-1.0 N/m must be"),
        ("friction_coefficient", float("nan"), "friction_coefficient=nan must be finite"),
    ],
)
def test_what_may_not_change_is_refused_in_event_mode(host3, name, value, reason):
    host = started(host3, event_mode=True, early_return=True)
    host.step(0.0, STEP)
    assert host.call("fmi3EnterEventMode") == OK
    was = host.get(name)
    reference = host.variables[name].valueReference
    assert host.set_reference("Float64", reference, value) == ERROR
    assert reason in host.messages[-1]
    assert host.get(name) == was
    assert host.update() == OK


def test_values_that_break_a_rule_together_can_be_put_right_in_event_mode(host3):
    host = started(host3, event_mode=True, early_return=True)
    end = host.step(0.0, STEP)
    assert host.call("fmi3EnterEventMode") == OK
    host.set(friction_coefficient_static=0.01)
    assert host.update() == ERROR
    assert "friction_coefficient_static" in host.messages[-1]
    host.set(friction_coefficient_static=0.9)
    assert host.update() == OK
    assert host.get("shock_count") == 1
    assert host.call("fmi3EnterStepMode") == OK
    assert host.step(end.time, 0.003).status == OK
