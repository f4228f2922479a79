"""Inputs set in Event Mode: discontinuities, samples, and values that getters return there."""

import math
from collections.abc import Callable
from typing import Any

import fmpy
import pytest

from wearmodel import InputTiming, NormalLaw

from .fmi3_host import ERROR, OK, Host3

Make = Callable[..., Host3]
NONE, SHOCKS, SLIP_CHANGES, ALL = range(4)
ORDERS = [*((InputTiming.start, order) for order in (-1, 0, 1, 2, 3)), (InputTiming.end, 0)]
MASS, FRICTION, GRAVITY, LOAD, STEP = 1.0, 0.1, 10.0, 2.0, 0.1
# A block of 1 kg that a load of 2 N moves against friction of 1 N.
BLOCK: dict[str, Any] = {
    "mass": MASS,
    "gravity": GRAVITY,
    "stiffness": 0.0,
    "preload": 0.0,
    "friction_coefficient": FRICTION,
    "tangential_law": 0,
}
ACCELERATION = LOAD / MASS - FRICTION * GRAVITY
# A mass that falls for 0.1 s without a load, and rebounds.
BALL: dict[str, Any] = {
    "normal_law": NormalLaw.rigid,
    "restitution": 0.5,
    "gravity": GRAVITY,
    "initial_gap": 0.05,
}


def in_step_mode(host: Host3, **values: Any) -> Host3:
    host.initialise(**values)
    host.leave_event_mode()
    return host


def at_rest(make: Make, timing: InputTiming, order: int, steps: int) -> tuple[Host3, float]:
    """Return the block after some steps without load, and the time."""
    host = make(event_mode=True, early_return=True)
    in_step_mode(host, **BLOCK, input_timing=timing, input_extrapolation_order=order)
    for number in range(steps):
        assert host.step(number * STEP, STEP).status == OK
    return host, steps * STEP


@pytest.mark.parametrize("steps", [0, 1, 7])
@pytest.mark.parametrize(("timing", "order"), ORDERS)
def test_a_jump_set_in_event_mode_is_a_jump(host3, timing, order, steps):
    host, time = at_rest(host3, timing, order, steps)
    host.pass_event(tangential_load=LOAD)
    for number in range(1, 11):
        assert host.step(time, STEP).status == OK
        time += STEP
        # Constant force after the discontinuity: v = a t, and wear work = ½ m g a t².
        span = number * STEP
        assert host.get("relative_velocity") == pytest.approx(ACCELERATION * span, rel=1e-12)
        work = 0.5 * MASS * GRAVITY * ACCELERATION * span**2
        assert host.get("wear_work") == pytest.approx(work, rel=1e-12)


@pytest.mark.parametrize(("timing", "order"), ORDERS)
def test_only_the_last_value_before_the_update_counts(host3, timing, order):
    host, time = at_rest(host3, timing, order, 3)
    assert host.call("fmi3EnterEventMode") == OK
    for load in (50.0, -7.0, LOAD):
        host.set(tangential_load=load)
        host.get("friction_force")
    host.leave_event_mode()
    assert host.step(time, STEP).status == OK
    assert host.get("relative_velocity") == pytest.approx(ACCELERATION * STEP, rel=1e-12)


@pytest.mark.parametrize("steps", [0, 1, 2])
@pytest.mark.parametrize(("timing", "order"), ORDERS)
def test_an_input_that_has_jumped_keeps_its_value_while_another_jumps(host3, timing, order, steps):
    host, time = at_rest(host3, timing, order, 4)
    acceleration, load = -8.0, 5.0
    host.pass_event(base_acceleration_normal=acceleration)
    for _ in range(steps):
        assert host.step(time, STEP).status == OK
        time += STEP
    assert host.call("fmi3EnterEventMode") == OK
    host.set(normal_load=load)
    expected = MASS * (GRAVITY + acceleration) + load
    assert host.get("normal_force") == pytest.approx(expected, rel=1e-14)
    host.leave_event_mode()
    assert host.step(time, STEP).status == OK
    assert host.get("normal_force") == pytest.approx(expected, rel=1e-14)


def test_with_end_a_value_given_in_step_mode_is_that_of_the_steps_end(host3):
    host, time = at_rest(host3, InputTiming.end, 0, 2)
    host.pass_event(tangential_load=LOAD)
    # A linear load from 2 N at the event to 4 N at the end of the step has a mean of 3 N.
    assert host.step(time, STEP, tangential_load=2.0 * LOAD).status == OK
    mean = 1.5 * LOAD / MASS - FRICTION * GRAVITY
    assert host.get("relative_velocity") == pytest.approx(mean * STEP, rel=1e-12)


@pytest.mark.parametrize(("timing", "order"), ORDERS)
def test_a_jump_at_an_event_that_the_fmu_reports_is_a_jump(host3, timing, order):
    # The ball lands at 0.1 s and rebounds with 0.5 m/s. A load then compensates for its weight.
    host = host3(event_mode=True, early_return=True)
    options = {"input_timing": timing, "input_extrapolation_order": order, "return_at": SHOCKS}
    in_step_mode(host, **BALL, **options)
    time = 0.0
    for size in (0.03, 0.03, 0.03):
        assert not host.step(time, size).early
        time += size
    end = host.step(time, 0.03)
    assert end.event
    assert host.call("fmi3EnterEventMode") == OK
    mass = host.variables["mass"].start
    host.set(normal_load=-float(mass) * GRAVITY)
    host.leave_event_mode()
    assert host.step(end.time, 0.12 - end.time).status == OK
    assert host.get("gap_velocity") == pytest.approx(0.5, rel=1e-12)
    assert host.get("gap") == pytest.approx(0.5 * (0.12 - end.time), rel=1e-12)


def test_a_jump_of_one_input_leaves_the_past_of_the_others(host3):
    # Order 3 is exact for a cubic base acceleration, before and after a discontinuity of a load.
    host = host3(event_mode=True, early_return=True)
    in_step_mode(
        host,
        **{**BLOCK, "friction_coefficient": 0.0},
        input_timing=InputTiming.start,
        input_extrapolation_order=3,
    )

    def acceleration(time: float) -> float:
        return 1.0 + 2.0 * time - 3.0 * time**2 + 4.0 * time**3

    def speed(time: float) -> float:
        return time + time**2 - time**3 + time**4

    before = 0.0
    for number in range(20):
        time = number * 0.05
        host.set(base_acceleration=acceleration(time))
        if number == 10:
            host.pass_event(tangential_load=LOAD)
        assert host.step(time, 0.05).status == OK
        now = host.get("relative_velocity")
        if number >= 4:
            load = LOAD / MASS * 0.05 if number >= 10 else 0.0
            gain = load - (speed(time + 0.05) - speed(time))
            assert now - before == pytest.approx(gain, rel=1e-10)
        before = now


@pytest.mark.parametrize("start", [0.0, -7.0])
@pytest.mark.parametrize("order", [1, 2, 3])
def test_a_smooth_value_at_a_reported_event_is_a_sample(host3, order, start):
    # The host sets all inputs at each landing, as FMPy does. The order does not change, so a
    # polynomial of this order is extrapolated exactly.
    host = host3(event_mode=True, early_return=True)
    in_step_mode(
        host,
        **BALL,
        start_time=start,
        stiffness=0.0,
        friction_coefficient=0.0,
        input_timing=InputTiming.start,
        input_extrapolation_order=order,
        return_at=SHOCKS,
    )
    time, landings, last = 0.0, 0, -1.0
    while time < 0.27:
        host.set(base_acceleration=1.0 + time**order)
        end = host.step(start + time, 0.005)
        assert end.status == OK
        begun, time = time, end.time - start
        gain = (time - begun) + (time ** (order + 1) - begun ** (order + 1)) / (order + 1)
        now = host.get("relative_velocity")
        if begun > 0.03:
            assert last - now == pytest.approx(gain, rel=1e-9), begun
        last = now
        if end.event:
            landings += 1
            host.pass_event(base_acceleration=1.0 + time**order)
    assert landings > 1


def test_an_impact_at_the_start_is_applied_by_the_first_update(host3):
    host = host3(event_mode=True, early_return=True)
    host.initialise(**{**BALL, "initial_gap": 0.0}, initial_normal_velocity=-1.0)
    assert host.update() == OK
    assert host.get("gap_velocity") == 0.5
    assert (host.get("event_count"), host.get("shock_count")) == (1, 1)
    assert host.call("fmi3EnterStepMode") == OK
    assert not host.step(0.0, 0.01).event
    assert (host.get("event_count"), host.get("shock_count")) == (1, 1)
    assert host.get("gap_velocity") == pytest.approx(0.5 - GRAVITY * 0.01, rel=1e-14)


def test_without_event_mode_an_impact_at_the_start_comes_before_the_first_output(host3):
    host = host3()
    host.initialise(**{**BALL, "initial_gap": 0.0}, initial_normal_velocity=-1.0)
    assert host.get("gap_velocity") == 0.5
    assert (host.get("event_count"), host.get("shock_count")) == (1, 1)


def test_getters_in_event_mode_show_what_is_behind_the_event(host3):
    host = host3(event_mode=True, early_return=True)
    in_step_mode(host, **BALL, return_at=SHOCKS)
    end = host.step(0.0, 0.5)
    speed = GRAVITY * end.time
    assert host.get("gap_velocity") == pytest.approx(-speed, rel=1e-14)
    assert host.call("fmi3EnterEventMode") == OK
    assert host.get("gap_velocity") == pytest.approx(0.5 * speed, rel=1e-14)
    assert (host.get("event_count"), host.get("shock_count")) == (1, 1)
    shown = host.outputs()
    assert host.update() == OK
    assert host.outputs() == shown


def test_getters_in_event_mode_follow_inputs_and_change_nothing(host3):
    host, time = at_rest(host3, InputTiming.start, 3, 3)
    other, _ = at_rest(host3, InputTiming.start, 3, 3)
    assert host.call("fmi3EnterEventMode") == OK
    before = host.outputs()
    for load in (5.0, 0.5, 30.0, LOAD):
        host.set(tangential_load=load, normal_load=load)
        force = GRAVITY * MASS + load
        assert host.get("normal_force") == pytest.approx(force, rel=1e-14)
        slips = load > FRICTION * force
        assert host.get("contact_mode") == (2 if slips else 1)
        expected = -FRICTION * force if slips else -load
        assert host.get("friction_force") == pytest.approx(expected, rel=1e-14)
        assert host.get("event_count") == slips
    host.set(tangential_load=0.0, normal_load=0.0)
    assert host.outputs() == before
    # Only the last values are used, and reading does not change the state.
    assert other.call("fmi3EnterEventMode") == OK
    for each in (host, other):
        each.set(tangential_load=LOAD)
        each.leave_event_mode()
        assert each.get("event_count") == 1
        assert each.step(time, STEP).status == OK
    assert host.outputs() == other.outputs()
    assert host.serialise(host.save()) == other.serialise(other.save())


def test_outputs_are_declared_to_follow_the_inputs(host3):
    # FMI 3.0, 2.4.8: dependencies are also valid in Event Mode.
    declared = {
        unknown.variable.name: {known.name for known in unknown.dependencies}
        for unknown in host3().description.outputs
    }
    inputs = {"base_acceleration", "base_acceleration_normal", "tangential_load", "normal_load"}
    assert all(followed == inputs for followed in declared.values())


def test_slip_that_a_changed_parameter_causes_is_an_event(host3):
    host = host3(event_mode=True)
    in_step_mode(host, **BLOCK, tangential_load=0.8)
    assert host.step(0.0, STEP).status == OK
    assert (host.get("contact_mode"), host.get("event_count")) == (1, 0)
    host.set(friction_coefficient=0.05)
    assert (host.get("contact_mode"), host.get("event_count")) == (2, 1)
    assert host.step(STEP, STEP).status == OK
    assert (host.get("slip_count"), host.get("event_count")) == (1, 1)


def test_an_input_that_is_not_finite_is_refused_at_the_update(host3):
    host, _ = at_rest(host3, InputTiming.start, 3, 2)
    assert host.call("fmi3EnterEventMode") == OK
    host.set(tangential_load=math.inf)
    assert host.update() == ERROR
    assert "must be finite" in host.messages[-1]
    host.set(tangential_load=0.0)
    assert host.update() == OK


def test_a_spring_whose_drive_jumps_is_led_there_as_slowly_as_can_be(host3):
    # A quasi-static path does not depend on time: a discontinuity and a step have the same result.
    jumping, led = (host3("DisChoc", event_mode=True, early_return=True) for _ in range(2))
    for host in (jumping, led):
        in_step_mode(host, drive=1, dist_1=0.0, length=1.0)
        assert host.step(0.0, 1.0, imposed_displacement_x=-0.5).status == OK
    assert jumping.call("fmi3EnterEventMode") == OK
    jumping.set(imposed_displacement_x=-2.0)
    shown = jumping.get("force_x")
    jumping.leave_event_mode()
    assert led.step(1.0, 1.0, imposed_displacement_x=-2.0).status == OK
    assert jumping.get("force_x") == shown == led.get("force_x") != 0.0
    assert jumping.get("event_count") == led.get("event_count") == 1
    assert jumping.step(1.0, 1.0).status == OK
    assert jumping.get("displacement_x") == led.get("displacement_x")


@pytest.mark.parametrize(
    ("is_reported", "is_entered"),
    [(False, True), (True, False), (True, True)],
    ids=["entered", "reported", "entered after a reported one"],
)
def test_the_next_line_of_a_spring_starts_from_a_jump_in_an_event_mode_that_the_host_entered(
    host3, is_reported, is_entered
):
    # The damper force shows the velocity of the linear path: k x + c v at its end.
    stiffness, damping, jump, last = 1e3, 50.0, -2.0, -3.0
    host = host3("DisChoc", event_mode=True, early_return=True)
    in_step_mode(
        host, drive=1, dist_1=0.0, contact_stiffness=stiffness, contact_damping=damping,
        return_at=SHOCKS if is_reported else NONE,
    )  # fmt: skip
    assert host.step(0.0, 1.0, imposed_displacement_x=0.5).status == OK
    end = host.step(1.0, 1.0, imposed_displacement_x=-0.5)
    assert end.event == is_reported
    if is_reported:
        # It reaches the obstacle at 0 m. The input is the value at the end of the step.
        assert host.call("fmi3EnterEventMode") == OK
        if not is_entered:
            host.set(imposed_displacement_x=jump)
        assert host.update() == OK
        assert host.get("displacement_x") == pytest.approx(0.0, abs=1e-15)
        assert host.call("fmi3EnterStepMode") == OK
    if is_entered:
        assert host.call("fmi3EnterEventMode") == OK
        host.set(imposed_displacement_x=jump)
        assert host.update() == OK
        assert host.get("displacement_x") == jump
        assert host.get("force_x") == pytest.approx(stiffness * jump, rel=1e-14)
        assert host.call("fmi3EnterStepMode") == OK
    begun = jump if is_entered else 0.0
    left = 2.5 - end.time
    assert host.step(end.time, left, imposed_displacement_x=last).status == OK
    force = stiffness * last + damping * (last - begun) / left
    assert host.get("force_x") == pytest.approx(force, rel=1e-12)


def test_a_structure_takes_a_jump_of_a_load(host3):
    # Two equivalent inputs: a load that is discontinuous in Event Mode, or constant from the start.
    jumping, loaded = (host3("ModalShock", event_mode=True) for _ in range(2))
    for timing in (InputTiming.start, InputTiming.end):
        ends = []
        for host, first in ((jumping, 0.0), (loaded, 5.0)):
            assert host.call("fmi3Reset") == OK
            host.set(input_timing=timing, base_acceleration_y=first)
            host.initialise()
            host.set(base_acceleration_y=5.0)
            host.leave_event_mode()
            for number in range(5):
                assert host.step(number * 1e-3, 1e-3).status == OK
            ends.append(host.outputs())
        assert ends[0] == ends[1]


def test_fmpy_leads_a_jump_of_a_table_into_event_mode(unpacked3):
    import numpy as np

    table = np.array(
        [(0.0, 0.0), (0.5, 0.0), (0.5, LOAD), (1.0, LOAD)],
        dtype=[("time", float), ("tangential_load", float)],
    )
    rows = fmpy.simulate_fmu(
        str(unpacked3("FrictionalShock")),
        stop_time=1.0,
        output_interval=STEP,
        start_values={**BLOCK, "input_extrapolation_order": 3},
        input=table,
        use_event_mode=True,
        early_return_allowed=True,
        output=["relative_velocity"],
    )
    assert rows["relative_velocity"][-1] == pytest.approx(ACCELERATION * 0.5, rel=1e-12)


def test_what_was_foreseen_is_forgotten_without_an_update(host3):
    # A value without an update belongs to the next step, whether it was read or not.
    ends = []
    for is_read in (False, True):
        host, time = at_rest(host3, InputTiming.start, 0, 2)
        before = host.outputs()
        assert host.call("fmi3EnterEventMode") == OK
        host.set(normal_load=5.0)
        if is_read:
            assert host.get("normal_force") == pytest.approx(MASS * GRAVITY + 5.0, rel=1e-14)
        assert host.call("fmi3EnterStepMode") == OK
        assert host.outputs() == before
        assert host.step(time, STEP).status == OK
        ends.append(host.outputs())
    assert ends[0] == ends[1]


def test_what_was_foreseen_is_forgotten_at_the_end_of_a_run(host3):
    for is_read in (False, True):
        host, _ = at_rest(host3, InputTiming.start, 0, 2)
        before = host.outputs()
        assert host.call("fmi3EnterEventMode") == OK
        host.set(normal_load=5.0)
        if is_read:
            assert host.get("normal_force") == pytest.approx(MASS * GRAVITY + 5.0, rel=1e-14)
        assert host.call("fmi3Terminate") == OK
        assert host.outputs() == before


def test_a_refused_call_in_event_mode_leaves_a_jump_to_be_taken(host3):
    host, time = at_rest(host3, InputTiming.start, 3, 3)
    assert host.call("fmi3EnterEventMode") == OK
    host.set(tangential_load=LOAD)
    assert host.call("fmi3ExitInitializationMode") == ERROR
    host.leave_event_mode()
    assert host.step(time, STEP).status == OK
    assert host.get("relative_velocity") == pytest.approx(ACCELERATION * STEP, rel=1e-12)
