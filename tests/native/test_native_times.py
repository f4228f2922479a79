"""The instants of a native FMU are the master's, however it counts its time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fmu_src.models import native_fmu_names

OK = 0
STEPS = 3000
STEP = 1e-3


def multiplied(steps: int) -> Iterator[float]:
    """t = k·h: each instant is rounded once, and is not the sum of those before."""
    return (number * STEP for number in range(steps))


def added(steps: int) -> Iterator[float]:
    """t += h: rounding adds up."""
    time = 0.0
    for _ in range(steps):
        yield time
        time += STEP


def early_and_late(steps: int) -> Iterator[float]:
    """Within the millionth of a step that counts as rounding."""
    return (number * STEP + 0.9e-6 * STEP * math.sin(number) for number in range(steps))


MASTERS = {"k·h": multiplied, "t += h": added, "within the slack": early_and_late}
each_master = pytest.mark.parametrize("instants", MASTERS.values(), ids=MASTERS)


@each_master
def test_a_base_motion_is_that_of_the_masters_instant(
    pair_of: Callable[[str], Callable[[], tuple[Any, Any]]],
    instants: Callable[[int], Iterator[float]],
) -> None:
    both = pair_of("BaseMotion")()
    for one in both:
        one.initialise(frequency=50.0)
    for time in instants(STEPS):
        expected = 15.0 * math.sin(2.0 * math.pi * 50.0 * (time + STEP))
        for one in both:
            assert one.step(time, STEP) == OK
            assert one.get("acceleration") == expected, time


@each_master
@pytest.mark.parametrize("name", native_fmu_names())
def test_both_forms_give_the_same_bits_however_the_master_counts(
    pair_of: Callable[[str], Callable[[], tuple[Any, Any]]],
    name: str,
    instants: Callable[[int], Iterator[float]],
) -> None:
    both = pair_of(name)()
    inputs = [v.name for v in both[0].description.modelVariables if v.causality == "input"]
    for one in both:
        one.initialise()
    for number, time in enumerate(instants(300)):
        values = {
            each: (3.0 + index) * math.sin(0.05 * number * (1 + index))
            for index, each in enumerate(inputs[:3])
        }
        assert [one.step(time, STEP, **values) for one in both] == [OK, OK]
        assert both[0].outputs() == both[1].outputs(), time
