"""An FMU uses the times of its master, and a step does not end after the stop time."""

import math
from collections.abc import Iterator

import pytest

from .instance import OK
from .plays import PLAY_OF

STEPS = 3000
STEP = 1e-3


def multiplied(steps: int) -> Iterator[float]:
    """Yield t = k·h. Each time is rounded only once."""
    return (number * STEP for number in range(steps))


def added(steps: int) -> Iterator[float]:
    """Yield t += h, with accumulated rounding."""
    time = 0.0
    for _ in range(steps):
        yield time
        time += STEP


def early_and_late(steps: int) -> Iterator[float]:
    """Yield times within 1e-6 of a step, which is treated as rounding."""
    return (number * STEP + 0.9e-6 * STEP * math.sin(number) for number in range(steps))


MASTERS = {"k·h": multiplied, "t += h": added, "within the slack": early_and_late}
each_master = pytest.mark.parametrize("instants", MASTERS.values(), ids=MASTERS)


@each_master
def test_a_base_motion_is_that_of_the_masters_instant(make, instants):
    one = make("BaseMotion").begun(frequency=50.0)
    for time in instants(STEPS):
        assert one.steps(time, STEP)
        assert one.get("acceleration") == 15.0 * math.sin(2.0 * math.pi * 50.0 * (time + STEP))


@each_master
@pytest.mark.parametrize("play", PLAY_OF.values(), ids=PLAY_OF)
def test_all_forms_give_the_same_bits_however_the_master_counts(make, play, instants):
    one, slave = make(play.model).begun(**play.start), play.slave()
    for number, time in enumerate(instants(100)):
        for each in (one, slave):
            assert each.steps(time, STEP, **play.inputs(number))
        outputs = one.outputs()
        assert slave.outputs().items() <= outputs.items(), time


def test_rounding_may_carry_the_last_step_over_the_stop_time(make):
    # 0.1 + 0.1 + 0.1 is 0.30000000000000004.
    one, time = make().begun(0.0, 0.3), 0.0
    for _ in range(3):
        assert one.steps(time, 0.1)
        time += 0.1
    assert time > 0.3


@pytest.mark.parametrize(("excess", "is_done"), [(0.5e-6, True), (2e-6, False)])
def test_what_counts_as_rounding_is_what_may_lie_between_two_steps(make, excess, is_done):
    one = make().begun(0.0, 1.0)
    assert one.steps(0.0, 0.5)
    assert one.steps(0.5, 0.5 * (1.0 + excess)) is is_done
    # The same offset between the end of a step and the start of the next.
    one = make().begun()
    assert one.steps(0.0, 0.5)
    assert one.steps(0.5 + 0.5 * excess, 0.5) is is_done


def test_the_stop_time_belongs_to_the_saved_state(make):
    short, long = make().begun(0.0, 0.5), make().begun(0.0, 1.0)
    for data in (short.written(), short.written()):
        assert long.steps(0.0, 0.75)
        unlimited = long.save()
        assert long.restores(data)
        assert not long.steps(0.0, 0.75)
        assert "stop_time=0.5 s" in long.messages[-1]
        assert long.load(unlimited) == OK
        assert long.steps(0.75, 0.25)
        assert long.changes("Reset")
        long.begun(0.0, 1.0)
    state = short.save()
    assert short.steps(0.0, 0.5)
    assert short.load(state) == OK
    assert not short.steps(0.0, 0.75)


def test_no_stop_time_is_left_after_a_reset(make):
    one = make().begun(0.0, 0.5)
    assert one.changes("Reset")
    one.begun()
    assert one.steps(0.0, 0.75)
