"""Conditions on steps are checked once for all models, before the model is called."""

import math
from collections.abc import Sequence
from typing import Any

import pytest

from fmu_src.bundled.slave import SafeSlave
from fmu_src.bundled.variables import Variable


class Trusting:
    """A model that accepts any time."""

    def __init__(self, time: float) -> None:
        self.time = time

    def output_values(self) -> list[float]:
        return [self.time]

    def snapshot(self) -> float:
        return self.time

    def restore(self, snapshot: float) -> None:
        self.time = snapshot


class Clock(SafeSlave):
    """A slave of a new model without checks of its own."""

    title = "A clock"
    table = (Variable("time", "output", "Real", "Present instant", "s"),)

    def create_model(
        self, parameters: dict[str, Any], start_time: float, inputs: Sequence[float]
    ) -> Trusting:
        return Trusting(start_time)

    def advance(
        self, model: Trusting, time: float, step_size: float, inputs: Sequence[float]
    ) -> None:
        model.time = time + step_size


def clock(start_time: float = 0.0, stop_time: float | None = None) -> Clock:
    slave = Clock(instance_name="clock")
    slave.setup_experiment(start_time, stop_time)
    slave.enter_initialization_mode()
    slave.exit_initialization_mode()
    return slave


@pytest.mark.parametrize("stop_time", [None, 10.0], ids=["open", "with a stop time"])
@pytest.mark.parametrize("step_size", [-0.5, 0.0, -0.0, math.nan, math.inf, -math.inf, 1e-20])
def test_a_step_that_leads_nowhere_is_refused_whatever_the_model_checks(step_size, stop_time):
    slave = clock(1.0, stop_time)
    assert slave.do_step(1.0, step_size) is False
    assert slave.get_real([0]) == [1.0]
    message = slave.log_queue[-1].msg
    assert f"step_size={step_size!r} s must be > 0, finite" in message
    assert slave.do_step(1.0, 0.5) is True
    assert slave.get_real([0]) == [1.5]


def test_a_step_to_beyond_all_numbers_is_refused():
    slave = clock(1.7e308)
    assert slave.do_step(1.7e308, 1e308) is False
    assert slave.get_real([0]) == [1.7e308]


def test_the_last_step_ends_at_the_stop_time_or_within_its_rounding():
    slave = clock(0.0, 1.0)
    assert slave.do_step(0.0, 0.5) is True
    assert slave.do_step(0.5, 0.5 + 1e-6) is False
    assert slave.do_step(0.5, 0.5 + 1e-7) is True
