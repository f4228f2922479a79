"""Events in FMI 3.0: ends of steps, outputs at events, and subsequent steps."""

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from wearmodel import FrictionalShock, FrictionalShockParameters, InputTiming, NormalLaw

from .fmi3_host import ERROR, OK, Host3, StepEnd

GRAVITY, FALL, RESTITUTION = 10.0, 0.05, 0.5
# A ball that falls for 0.1 s and bounces. It lands within steps.
BALL: dict[str, Any] = {
    "normal_law": NormalLaw.rigid,
    "restitution": RESTITUTION,
    "input_timing": InputTiming.end,
    "gravity": GRAVITY,
    "initial_gap": FALL,
}
STEP = 0.035
NONE, SHOCKS, SLIP_CHANGES, ALL = range(4)
Make = Callable[..., Host3]


def landings(count: int) -> list[float]:
    """Return the landing times [s] of the ball."""
    fall = math.sqrt(2.0 * FALL / GRAVITY)
    flights = itertools.accumulate(2.0 * fall * RESTITUTION**k for k in range(1, count))
    return [fall, *(fall + flight for flight in flights)]


def play(host: Host3, duration: float, step_size: float = STEP) -> Iterator[StepEnd]:
    """Step to multiples of the step size up to a duration, also if steps end early."""
    time = 0.0
    for number in itertools.count(1):
        goal = number * step_size
        if goal > duration * (1.0 + 1e-9):
            return
        while time < goal:
            end = host.step(time, goal - time)
            assert end.status == OK, host.messages
            yield end
            time = end.time if end.early else goal
            if end.event:
                host.pass_event()


def ball(make: Make, event_mode: bool, early_return: bool, **values: Any) -> Host3:
    host = make(event_mode=event_mode, early_return=early_return)
    host.initialise(**{**BALL, "return_at": SHOCKS, **values})
    if event_mode:
        host.leave_event_mode()
    return host


def test_steps_end_where_the_ball_lands(host3):
    host = ball(host3, event_mode=True, early_return=True)
    ends = [end for end in play(host, 0.28) if end.event]
    assert all(end.early for end in ends)
    # A landing time is a root with a rounding error of some 1e-16 s at 0.3 s.
    assert [end.time for end in ends] == pytest.approx(landings(4), rel=0.0, abs=1e-12)
    assert host.get("event_count") == host.get("shock_count") == 4


def test_before_an_event_is_passed_all_is_as_before_it(host3):
    host = ball(host3, event_mode=True, early_return=True)
    end = host.step(0.0, 0.5)
    assert end == StepEnd(OK, event=True, early=True, time=end.time)
    assert host.get("time") == end.time
    speed = GRAVITY * end.time
    assert host.get("gap_velocity") == pytest.approx(-speed, rel=1e-14)
    assert (host.get("shock_count"), host.get("event_count")) == (0, 0)
    assert host.call("fmi3EnterEventMode") == OK
    assert host.update() == OK
    assert host.get("gap_velocity") == pytest.approx(RESTITUTION * speed, rel=1e-14)
    assert (host.get("shock_count"), host.get("event_count")) == (1, 1)
    after = host.outputs()
    assert host.update() == OK  # a second update does not change anything
    assert host.outputs() == after
    assert host.get("time") == end.time


def test_a_pending_event_is_passed_before_the_next_step(host3):
    host = ball(host3, event_mode=True, early_return=True)
    end = host.step(0.0, 0.5)
    assert host.step(end.time, 0.1).status == ERROR
    assert "must be handled first: call fmi3EnterEventMode" in host.messages[-1]
    assert host.call("fmi3EnterEventMode") == OK
    assert host.call("fmi3EnterStepMode") == ERROR
    host.leave_event_mode()
    assert host.step(end.time, 0.05) == StepEnd(OK, False, False, end.time + 0.05)


def test_without_event_mode_a_step_ends_after_the_event(host3):
    host = ball(host3, event_mode=False, early_return=True)
    end = host.step(0.0, 0.5)
    assert end == StepEnd(OK, event=False, early=True, time=end.time)
    assert end.time == pytest.approx(landings(1)[0], rel=0.0, abs=1e-12)
    assert host.get("gap_velocity") == pytest.approx(RESTITUTION * GRAVITY * end.time, rel=1e-14)
    assert (host.get("shock_count"), host.get("event_count")) == (1, 1)


def test_without_early_return_only_an_event_at_the_end_is_reported(host3):
    host = ball(host3, event_mode=True, early_return=False)
    first, second = landings(2)
    # The step ends at the landing, or differs by the last bit.
    assert host.step(0.0, first) == StepEnd(OK, event=True, early=False, time=first)
    assert host.get("shock_count") == 0
    host.pass_event()
    assert host.get("shock_count") == 1
    assert not host.step(first, second - first + 0.01).event
    assert (host.get("shock_count"), host.get("event_count")) == (2, 2)


def test_without_both_no_step_ends_and_all_events_are_counted(host3):
    host = ball(host3, event_mode=False, early_return=False)
    assert not any(end.event or end.early for end in play(host, 0.28))
    assert host.get("event_count") == host.get("shock_count") == 4


@pytest.mark.parametrize(
    ("event_mode", "early_return"), [*itertools.product((False, True), repeat=2)]
)
def test_a_master_that_stops_ends_where_one_that_does_not_does(host3, event_mode, early_return):
    stopping = ball(host3, event_mode, early_return)
    passing = ball(host3, event_mode=False, early_return=False)
    for host in (stopping, passing):
        assert [end.status for end in play(host, 0.28)]
    for name, value in passing.outputs().items():
        if name != "input_prediction_error":
            assert stopping.get(name) == pytest.approx(value, rel=1e-10, abs=1e-10), name


@pytest.mark.parametrize(
    ("return_at", "ends"), [(NONE, 0), (SHOCKS, 4), (SLIP_CHANGES, 0), (ALL, 4)]
)
def test_events_that_the_user_does_not_want_end_no_step(host3, return_at, ends):
    host = ball(host3, event_mode=True, early_return=True, return_at=return_at)
    assert sum(end.event for end in play(host, 0.28)) == ends
    assert host.get("event_count") == 4


def test_events_closer_than_the_interval_are_passed_inside(host3):
    # Landings at 0.1, 0.2, 0.25, 0.275 s. With an interval of 0.12 s, steps end at 0.1 and 0.25 s.
    host = ball(host3, event_mode=True, early_return=True, minimum_return_interval=0.12)
    ends = [end.time for end in play(host, 0.28) if end.event]
    first, _, third, _ = landings(4)
    assert ends == pytest.approx([first, third], rel=0.0, abs=1e-12)
    assert host.get("event_count") == host.get("shock_count") == 4


def test_a_resting_ball_stops_nobody(host3):
    # With this restitution, landings accumulate at 0.3 s, and the ball then stays on the ground.
    host = ball(host3, event_mode=True, early_return=True)
    ends = [end.time for end in play(host, 0.6) if end.event]
    assert len(ends) < 60
    assert ends == sorted(set(ends))
    assert host.get("gap") == 0.0


def test_the_instants_are_the_kernels_own(host3):
    for start_time in (0.0, 1e6):
        model = FrictionalShock(FrictionalShockParameters(**BALL), start_time=start_time)
        host = host3(event_mode=True, early_return=True)
        host.set(**BALL, return_at=SHOCKS)
        host.enter(start_time)
        assert host.call("fmi3ExitInitializationMode") == OK
        assert host.call("fmi3EnterStepMode") == OK
        time = start_time
        for _ in range(5):
            reached = model.step_to_event(0.5).reached
            end = host.step(time, 0.5)
            assert end.time == time + reached
            time = end.time
            host.pass_event()
            model.pass_event()
            model.time = time


def test_a_state_saved_at_an_event_is_refused_without_event_mode(host3):
    host, plain = ball(host3, event_mode=True, early_return=True), ball(host3, False, True)
    host.step(0.0, 0.5)
    status, state = plain.deserialise(host.serialise(host.save()))
    assert status == OK
    before = plain.outputs()
    assert plain.load(state) == ERROR
    assert "saved at an event" in plain.messages[-1]
    assert plain.outputs() == before


def test_new_inputs_at_the_event_act_after_it(host3):
    host = ball(host3, event_mode=True, early_return=True, input_timing=InputTiming.start)
    end = host.step(0.0, 0.5)
    assert host.call("fmi3EnterEventMode") == OK
    host.set(normal_load=-3.0)
    assert host.update() == OK
    assert host.get("gap_velocity") == pytest.approx(RESTITUTION * GRAVITY * end.time, rel=1e-14)
    assert host.call("fmi3EnterStepMode") == OK
    # The same event is not reported again.
    assert not host.step(end.time, 1e-3).event
    assert host.get("event_count") == 1


def test_there_is_no_derivative_at_an_event(host3):
    host = ball(host3, event_mode=True, early_return=True)
    end = host.step(0.0, 0.5)
    for passed in (False, True):
        status, _ = host.derivative(["gap"], ["normal_load"], [1.0])
        assert status == 2
        assert "the derivative does not exist at an event" in host.messages[-1]
        if not passed:
            host.pass_event()
    host.step(end.time, 0.01)
    status, (slope,) = host.derivative(["gap_velocity"], ["normal_load"], [1.0])
    assert status == OK
    assert math.isfinite(slope)
    assert slope != 0.0


def test_a_spring_led_to_its_obstacle_ends_its_step_there(host3):
    # The gap of 1 m closes after a quarter of the path of 4 m. Slip begins when the force of the
    # friction spring reaches the cone.
    host = host3("DisChoc", event_mode=True, early_return=True)
    host.set(drive=1, dist_1=0.0, length=1.0, return_at=ALL)
    host.initialise()
    assert host.call("fmi3EnterStepMode") == OK
    end = host.step(0.0, 1.0, imposed_displacement_x=-4.0)
    assert (end.event, end.early) == (True, True)
    assert end.time == pytest.approx(0.25, rel=0.0, abs=1e-12)
    assert host.get("contact_mode") == 0
    host.pass_event()
    assert host.get("contact_mode") > 0
    assert host.get("event_count") == 1
    # The given displacement remains valid for the rest of the path.
    rest = host.step(end.time, 1.0 - end.time)
    assert not rest.event
    assert host.get("displacement_x") == pytest.approx(-4.0, rel=1e-14)
