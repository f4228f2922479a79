"""Jumps and tiny steps through the FMU, as fmpy's master enters them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import fmpy
import numpy as np
import pytest

from ..wearmodel.models.uneven_steps import (
    JUMP,
    JUMP_BOUNDS,
    JUMP_OFFSETS,
    ORDERS,
    STEP,
    Step,
    even_instants,
    instants_with_tiny_steps,
    play_jump,
    play_sine,
)

OK = 0


def simulated_jump(path: Path, order: int, offset: float) -> float:
    """Wear work [J] of a load that jumps after a communication point, by fmpy's own master."""
    # At a communication point this small, 1e-12 s after it is a point of its own for fmpy.
    jump = STEP + offset
    load = np.array(
        [(0.0, 0.0), (jump, 0.0), (jump, JUMP), (0.2, JUMP)],
        dtype=[("time", float), ("tangential_load", float)],
    )
    result = fmpy.simulate_fmu(
        str(path),
        stop_time=0.2,
        output_interval=STEP,
        input=load,
        output=["wear_work"],
        start_values={"input_extrapolation_order": order},
    )
    return float(result["wear_work"][-1])


def steps_of(one: Any) -> Step:
    def step(time: float, step_size: float, acceleration: float, load: float) -> None:
        assert (
            one.step(time, step_size, base_acceleration=acceleration, tangential_load=load) == OK
        ), one.messages[-1:]

    return step


def check_jumps(one: Any, path: Path, order: int) -> None:
    """A jump of the load wears no more than on an even grid, whatever its offset."""
    for offset in (1e-4, 1e-7, 1e-10, 1e-12):
        assert simulated_jump(path, order, offset) <= JUMP_BOUNDS[order]
    start = one.save()
    for offset in JUMP_OFFSETS:
        play_jump(steps_of(one), offset)
        assert one.get("wear_work") <= JUMP_BOUNDS[order]
        assert one.load(start) == OK


def check_tiny_steps(even: Any, tiny: Any) -> None:
    """Three steps of 1e-13 s under a smooth sine change next to nothing."""
    play_sine(steps_of(even), even_instants())
    play_sine(steps_of(tiny), instants_with_tiny_steps())
    # See tests/wearmodel/models/frictional_shock/test_uneven_steps.py.
    assert tiny.get("wear_work") == pytest.approx(even.get("wear_work"), rel=1e-4, abs=0.0)


@pytest.mark.parametrize("order", ORDERS)
def test_a_jump_wears_no_more_than_on_an_even_grid(
    host: Callable[..., Any], built: Callable[[str], Path], order: int
) -> None:
    one = host().initialise(input_extrapolation_order=order)
    check_jumps(one, built("FrictionalShock"), order)


@pytest.mark.parametrize("order", ORDERS)
def test_three_tiny_steps_change_little_under_a_smooth_sine(
    host: Callable[..., Any], order: int
) -> None:
    check_tiny_steps(*(host().initialise(input_extrapolation_order=order) for _ in range(2)))


def test_a_step_as_short_as_the_clocks_rounding_must_lead_on(host: Callable[..., Any]) -> None:
    one = host().initialise(start_time=1.0)
    assert one.step(1.0, STEP) == OK
    reached = 1.0 + STEP
    ulp = float(np.spacing(reached))
    # Within the rounding that a master's clock is allowed, but it would end before it began.
    assert one.step(reached - 3 * ulp, 2 * ulp) != OK
    assert "must follow on the last step" in one.messages[-1]
    assert one.step(reached - 3 * ulp, 5 * ulp) == OK
    assert one.load(one.save()) == OK
    assert one.step(reached + 2 * ulp, STEP) == OK
