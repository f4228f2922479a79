"""Steps that end right before an event: time, kind, count and continuation.

The runs are random (`random_lives`). The closed forms are for a ball that falls and bounces.
"""

import itertools
import math
from typing import Any

import pytest

from wearmodel import EventKinds, FrictionalShock, FrictionalShockParameters, StepEnd

from .models import model_of
from .random_lives import (
    STEPS,
    Life,
    copy_through_json,
    events_of_trace,
    random_life,
    stop_at_events,
)

LIVES = 200
MANY_LIVES = 10_000
GRAVITY = 10.0  # m/s2
FALL = 0.05  # m, a fall of 0.1 s


def ball(start_time: float = 0.0, **parameters: Any) -> FrictionalShock:
    """Return a mass that falls onto a plane."""
    laws = {"normal_law": "rigid", "restitution": 0.5, "input_timing": "end"}
    fall = {"gravity": GRAVITY, "initial_gap": FALL}
    return FrictionalShock(
        FrictionalShockParameters(**{**laws, **fall, **parameters}), start_time=start_time
    )


def stops(model: FrictionalShock, duration: float, *inputs: float, **wanted: Any) -> list[StepEnd]:
    """Stop at all events of a duration and pass them. `reached` is counted from the start."""
    done = 0.0
    ends = []
    while done < duration:
        end = model.step_to_event(duration - done, *inputs, **wanted)
        done += end.reached
        if not end.event:
            break
        ends.append(StepEnd(done, end.event))
        model.pass_event()
    return ends


def bounces(restitution: float, count: int) -> list[float]:
    """Return the times [s] at which a ball lands."""
    fall = math.sqrt(2.0 * FALL / GRAVITY)
    return [
        fall * (1.0 + 2.0 * sum(restitution**k for k in range(1, number)))
        for number in range(1, count + 1)
    ]


def hold_against_the_trace(seeds: range, steps: int) -> int:
    """Compare each step of runs that stop at all events with the trace. Return the event count."""
    count = 0
    for seed in seeds:
        life = random_life(seed)
        whole = life.begin()
        for step in range(steps):
            parted = copy_through_json(whole, life)
            expected = events_of_trace(whole, life.step_size, life.inputs(step + 1))
            events = list(stop_at_events(parted, life, step))
            assert [event.kinds for event in events] == [event.kinds for event in expected], seed
            for event, other in zip(events, expected, strict=True):
                assert event.time == pytest.approx(other.time, rel=0.0, abs=1e-12), seed
            count += len(events)
            whole.time = life.instant(step + 1)
    return count


def differences(seed: int, start_time: float, steps: int) -> tuple[int, float]:
    """Return the events of a run that is restored before and after each event, and a difference.

    The difference is from the end of a run without stops, relative for values above 1.
    """
    life = random_life(seed, start_time)
    whole, parted = life.begin(), life.begin()
    stopped = 0
    for step in range(steps):
        end = whole.step_to_event(life.step_size, *life.inputs(step + 1), kinds=EventKinds.none)
        assert end == StepEnd(life.step_size, EventKinds.none)
        whole.time = life.instant(step + 1)
        stopped += restored_at_events(parted, life, step)
    assert parted.event_count == whole.event_count, seed
    worst = 0.0
    for name, value in whole.outputs().items():
        if name != "input_prediction_error":
            other = parted.outputs()[name]
            worst = max(worst, abs(value - other) / max(1.0, abs(value)))
    return stopped, worst


def restored_at_events(model: FrictionalShock, life: Life, step: int) -> int:
    """Take a step that stops at each event and returns to it twice. Return the event count."""
    stopped = 0
    for _ in stop_at_events(model, life, step):
        pending = model.snapshot()
        before = model.output_values()
        model.pass_event()
        after = model.output_values()
        model.step(life.step_size, *life.inputs(step))
        other = copy_through_json(model, life)
        other.restore(pending)
        assert other.output_values() == before
        other.pass_event()
        assert other.output_values() == after
        model.restore(pending)
        stopped += 1
    return stopped


def test_events_of_random_lives_lie_where_the_trace_has_them():
    assert hold_against_the_trace(range(LIVES), 12) > 2.5 * LIVES


@pytest.mark.campaign
def test_events_of_ten_thousand_random_lives_lie_where_the_trace_has_them():
    assert hold_against_the_trace(range(LIVES, LIVES + MANY_LIVES), STEPS) > 5 * MANY_LIVES


@pytest.mark.parametrize("start_time", [0.0, 1e6])
def test_lives_restored_inside_each_event_pass_it_once_and_end_where_one_that_never_stops_does(
    start_time,
):
    ends = [differences(seed, start_time, 12) for seed in range(60)]
    assert sum(stopped for stopped, _ in ends) > 150
    assert max(difference for _, difference in ends) < 1e-10


@pytest.mark.campaign
def test_ten_thousand_lives_restored_inside_each_event_pass_it_once():
    ends = [differences(seed, 0.0, STEPS) for seed in range(MANY_LIVES)]
    assert sum(stopped for stopped, _ in ends) > 5 * MANY_LIVES
    assert max(difference for _, difference in ends) < 1e-10


@pytest.mark.parametrize("seed", range(40))
def test_a_step_that_waits_for_nothing_has_the_bits_of_an_ordinary_one(seed):
    life = random_life(seed)
    ordinary, watched = life.begin(), life.begin()
    for step in range(12):
        ordinary.step(life.step_size, *life.inputs(step + 1))
        watched.step_to_event(life.step_size, *life.inputs(step + 1), kinds=EventKinds.none)
        assert watched.output_values() == ordinary.output_values()
    kept = watched.snapshot()
    kept.pop("events", None)
    assert kept == ordinary.snapshot()


@pytest.mark.parametrize(("start_time", "error"), [(0.0, 1e-12), (1e6, 1e-9)])
def test_a_ball_stops_where_it_lands_in_closed_form(start_time, error):
    model = ball(start_time)
    ends = stops(model, 0.29)
    assert [end.event for end in ends] == [EventKinds.shocks] * 5
    assert [end.reached for end in ends] == pytest.approx(bounces(0.5, 5), rel=0.0, abs=error)


def test_the_state_is_that_before_the_event_until_it_is_passed():
    model = ball()
    end = model.step_to_event(0.5)
    assert model.time == end.reached
    assert model.outputs()["shock_count"] == 0
    assert model.outputs()["gap_velocity"] == pytest.approx(-1.0, rel=1e-14)
    assert model.event_count == 0
    model.pass_event()
    assert model.time == end.reached
    assert model.outputs()["shock_count"] == 1
    assert model.outputs()["gap_velocity"] == pytest.approx(0.5, rel=1e-14)
    assert model.event_count == 1
    with pytest.raises(ValueError, match="no event is pending"):
        model.pass_event()


def test_a_step_applies_an_event_that_nobody_passed():
    model, passing = ball(), ball()
    end = model.step_to_event(0.5)
    model.step(0.1)
    passing.step_to_event(0.5)
    passing.pass_event()
    passing.step(0.1)
    assert model.output_values() == pytest.approx(passing.output_values(), rel=1e-12, abs=1e-12)
    again = ball()
    again.step_to_event(0.5)
    assert not again.step_to_event(0.05).event
    assert again.event_count == 1
    assert end.event is EventKinds.shocks


def test_bounces_that_never_end_come_to_rest():
    model, whole = ball(), ball()
    ends = stops(model, 0.5)
    # The bounces take 0.3 s in total. The last bounces take less than a nanosecond.
    assert 20 < len(ends) < 40
    assert ends[-1].reached == pytest.approx(0.3, abs=2e-9)
    assert ends[-1].event & EventKinds.shocks
    whole.step(0.5)
    # The prediction error is known from the eighth step on, and `whole` has taken one step.
    found, exact = ({**run.outputs(), "input_prediction_error": 0.0} for run in (model, whole))
    assert found == pytest.approx(exact, rel=1e-10, abs=1e-10)


def test_events_before_the_quiet_time_end_no_step_but_are_counted():
    model = ball()
    first, second, third = bounces(0.5, 3)
    end = model.step_to_event(0.29, quiet_until=second + 1e-6)
    assert end.reached == pytest.approx(third, abs=1e-12)
    assert model.event_count == 2
    assert model.outputs()["shock_count"] == 2
    assert first < second


def test_only_the_kinds_that_are_waited_for_end_a_step():
    # The mass lands and slides. Friction of 0.1 F_N stops it.
    laws = {"restitution": 0.0, "initial_velocity": 0.5, "friction_coefficient": 0.1}
    ends = stops(ball(**laws), 2.0)
    shocks = EventKinds.shocks | EventKinds.slip_changes
    assert [end.event for end in ends] == [shocks, EventKinds.slip_changes]
    # The impact takes 0.1 m/s of the 0.5 m/s. Then 1 m/s2 stops the mass.
    assert [end.reached for end in ends] == pytest.approx([0.1, 0.5], abs=1e-12)
    for kinds in (EventKinds.shocks, EventKinds.slip_changes, EventKinds.others):
        wanted = [end.reached for end in ends if end.event & kinds]
        assert [end.reached for end in stops(ball(**laws), 2.0, kinds=kinds)] == pytest.approx(
            wanted, abs=1e-12
        )


def test_a_reversal_of_slip_is_one_event():
    # Rigid friction under a load that reverses the slip: arrest and breakaway at one instant.
    model = model_of(
        mass=1.0, friction_coefficient=0.1, gravity=10.0, initial_velocity=0.1, input_timing="end"
    )
    before = model.outputs()["slip_count"]
    end = model.step_to_event(0.2, 0.0, 0.0, -4.0)
    assert end.event is EventKinds.slip_changes
    model.pass_event()
    after = model.step_to_event(0.2 - end.reached, 0.0, 0.0, -4.0)
    assert not after.event
    assert model.outputs()["slip_count"] == before + 1
    assert model.outputs()["slip_velocity"] < 0.0


def test_a_contact_that_opens_is_one_of_the_others():
    model = model_of(
        normal_law="penalty", contact_stiffness=1e4, input_timing="end", start_in_equilibrium=True
    )
    # The normal acceleration falls to −2 g, and the contact force vanishes half-way.
    end = model.step_to_event(1.0, 0.0, -20.0, kinds=EventKinds.others)
    assert end.event & EventKinds.others
    assert model.outputs()["contact_mode"] != 0.0
    model.pass_event()
    assert model.outputs()["contact_mode"] == 0.0


def test_an_event_at_the_start_is_applied_there_and_counted():
    # The mass starts on the plane with a velocity into it.
    model = ball(initial_gap=0.0, initial_normal_velocity=-1.0)
    end = model.step_to_event(0.05)
    assert end == StepEnd(0.05, EventKinds.none)
    assert model.outputs()["shock_count"] == 1
    assert model.event_count == 1


def test_a_new_input_that_causes_an_event_at_once_ends_no_step_and_is_counted():
    model = model_of(friction_coefficient=0.1, gravity=10.0, mass=1.0, input_extrapolation_order=0)
    assert not model.step_to_event(0.01, 0.0, 0.0, 0.5).event
    assert model.event_count == 0
    # The load exceeds the friction limit of 1 N from the start of the step.
    end = model.step_to_event(0.01, 0.0, 0.0, 3.0)
    assert end == StepEnd(0.01, EventKinds.none)
    assert model.outputs()["contact_mode"] == 2.0
    assert model.event_count == 1


def test_an_event_at_the_very_end_of_a_step_is_pending_there():
    # The ball lands after 0.125 s, which is dyadic.
    model = ball(gravity=8.0, initial_gap=0.0625)
    ends = [model.step_to_event(0.0625), model.step_to_event(0.0625)]
    assert ends == [StepEnd(0.0625, EventKinds.none), StepEnd(0.0625, EventKinds.shocks)]
    assert model.outputs()["shock_count"] == 0
    model.pass_event()
    assert not model.step_to_event(0.0625).event
    assert model.outputs()["shock_count"] == 1
    assert model.event_count == 1


@pytest.mark.parametrize("after", [-40.0, 0.0, 5.0, 40.0])
def test_new_inputs_at_a_stop_never_report_its_event_again(after):
    for seed in range(20):
        life = random_life(seed)
        model = life.begin()
        for step in range(8):
            end = model.step_to_event(life.step_size, *life.inputs(step + 1))
            if end.event:
                model.pass_event()
                count = model.event_count
                tiny = model.step_to_event(1e-9, after, -after, after, after)
                assert not tiny.event or tiny.reached > 1e-14
                assert model.event_count <= count + 1 or tiny.reached > 1e-14
                break


def flown(order: int, delay: float) -> float:
    """Return the velocity error [m/s] of a free mass under a sine, with divided seventh steps."""
    model = model_of(
        normal_law="rigid", gravity=0.0, initial_gap=1.0, input_extrapolation_order=order
    )
    pulse = 2.0 * math.pi * 5.0
    worst = 0.0
    for number in range(400):
        start, end = number * 1e-3, (number + 1) * 1e-3
        parts = [start, start + delay] if delay and number % 7 == 0 else [start]
        for begin, stop in itertools.pairwise([*parts, end]):
            model.time = begin
            model.step_to_event(stop - begin, 15.0 * math.sin(pulse * begin))
        model.time = end
        exact = -15.0 / pulse * (1.0 - math.cos(pulse * end))
        worst = max(worst, abs(model.outputs()["relative_velocity"] - exact))
    return worst


@pytest.mark.parametrize("order", [-1, 0, 1, 2, 3])
@pytest.mark.parametrize("delay", [1e-9, 1e-7, 1e-5, 1e-3 - 1e-9])
def test_a_sample_close_to_another_does_not_spoil_an_extrapolation(order, delay):
    # A sample close to another is dropped. The order is kept, and the error does not change.
    assert flown(order, delay) < 1.5 * flown(order, 0.0)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"kinds": 8}, "kinds=8 must be a sum of EventKinds"),
        ({"quiet_until": -1.0}, r"quiet_until=-1\.0 s must be ≥ 0"),
        ({"quiet_until": math.nan}, "quiet_until=nan s must be ≥ 0"),
    ],
)
def test_wrong_wishes_are_refused_and_the_state_stands(wrong, message):
    model = ball()
    before = model.snapshot()
    with pytest.raises(ValueError, match=message):
        model.step_to_event(0.1, **wrong)
    with pytest.raises(ValueError, match="must be > 0, finite"):
        model.step_to_event(0.0)
    assert model.snapshot() == before


def test_a_change_of_parameters_waits_for_a_pending_event():
    model = ball(restitution=0.0, normal_law="penalty", contact_stiffness=1e4)
    assert model.step_to_event(0.2, kinds=EventKinds.all).event
    before = model.snapshot()
    with pytest.raises(ValueError, match="an event is pending: call pass_event before"):
        model.change_parameters({"contact_stiffness": 2e4})
    assert model.snapshot() == before
    model.pass_event()
    model.change_parameters({"contact_stiffness": 2e4})
    assert model.parameters.contact_stiffness == 2e4
