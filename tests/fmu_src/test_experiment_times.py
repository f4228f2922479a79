"""The experiment's stop time [FMI 2.0.4, 2.1.6]: no step goes past it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from .conftest import content_of, sealed

OK, ERROR = 0, 3


@pytest.mark.parametrize("name", ["FrictionalShock", "DisChoc", "BaseMotion"])
def test_a_step_past_the_stop_time_is_refused_and_the_state_stands(
    host: Callable[..., Any], name: str
) -> None:
    one, other = host(name).initialise(stop_time=0.5), host(name).initialise()
    for each in (one, other):
        assert each.step(0.0, 0.25) == OK
    assert one.step(0.25, 0.5) == ERROR
    assert "current_time + step_size=0.75 s must be ≤ stop_time=0.5 s" in one.messages[-1]
    assert one.outputs() == other.outputs()
    for each in (one, other):
        assert each.step(0.25, 0.25) == OK
    assert one.outputs() == other.outputs()
    assert one.step(0.5, 1e-3) == ERROR


def test_rounding_may_carry_the_last_step_over_the_stop_time(host: Callable[..., Any]) -> None:
    # 0.1 + 0.1 + 0.1 is 0.30000000000000004.
    one, time = host().initialise(stop_time=0.3), 0.0
    for _ in range(3):
        assert one.step(time, 0.1) == OK
        time += 0.1
    assert time > 0.3


@pytest.mark.parametrize(("excess", "status"), [(0.5e-6, OK), (2e-6, ERROR)])
def test_what_counts_as_rounding_is_what_may_lie_between_two_steps(
    host: Callable[..., Any], excess: float, status: int
) -> None:
    one = host().initialise(stop_time=1.0)
    assert one.step(0.0, 0.5) == OK
    assert one.step(0.5, 0.5 * (1.0 + excess)) == status
    # The same offset between the end of a step and the start of the next.
    one = host().initialise()
    assert one.step(0.0, 0.5) == OK
    assert one.step(0.5 + 0.5 * excess, 0.5) == status


def test_the_stop_time_belongs_to_the_saved_state(host: Callable[..., Any]) -> None:
    short, long = host().initialise(stop_time=0.5), host().initialise(stop_time=1.0)
    for data in (short.serialise(short.save()), short.serialise(short.save())):
        assert long.step(0.0, 0.75) == OK
        unlimited = long.save()
        assert long.load(long.deserialise(data)) == OK
        assert long.step(0.0, 0.75) == ERROR
        assert "stop_time=0.5 s" in long.messages[-1]
        assert long.load(unlimited) == OK
        assert long.step(0.75, 0.25) == OK
        assert long.call("fmi2Reset") == OK
        long.initialise(stop_time=1.0)
    state = short.save()
    assert short.step(0.0, 0.5) == OK
    assert short.load(state) == OK
    assert short.step(0.0, 0.75) == ERROR


def test_no_stop_time_is_left_after_a_reset(host: Callable[..., Any]) -> None:
    one = host().initialise(stop_time=0.5)
    assert one.call("fmi2Reset") == OK
    one.initialise()
    assert one.step(0.0, 0.75) == OK


@pytest.mark.parametrize("stop_time", [0.5, -math.inf, math.nan], ids=["before", "-inf", "nan"])
def test_a_stop_time_before_the_start_is_refused(
    host: Callable[..., Any], stop_time: float
) -> None:
    one = host().initialise(1.0, stop_time)
    assert f"stop_time={stop_time!r} s must be ≥ start_time=1.0 s" in one.messages[-1]
    assert one.step(1.0, 0.25) == ERROR
    assert "fmi2SetupExperiment" in one.messages[-1]


def test_a_stop_time_that_is_no_number_in_a_state_is_refused(host: Callable[..., Any]) -> None:
    one = host().initialise(stop_time=0.5)
    data = one.serialise(one.save())
    spoilt = sealed(content_of(data).replace(b'"stop_time": 0.5', b'"stop_time": NaN'))
    assert spoilt != data
    one.load(one.deserialise(spoilt))
    assert one.step(0.0, 0.25) == ERROR
    assert "stop_time=nan s must be a number" in one.messages[-1]
    assert one.step(0.0, 0.75) == ERROR
