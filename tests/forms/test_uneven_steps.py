"""Discontinuous inputs and tiny steps through the FMU, as in fmpy's master."""

from pathlib import Path

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
from .instance import OK, Instance


def simulated_jump(path: Path, order: int, offset: float) -> float:
    """Return the wear work [J] from fmpy's master for a load step after a communication point."""
    # At such an early communication point, fmpy treats a time 1e-12 s later as distinct.
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


def steps_of(one: Instance) -> Step:
    def step(time: float, step_size: float, acceleration: float, load: float) -> None:
        inputs = {"base_acceleration": acceleration, "tangential_load": load}
        assert one.steps(time, step_size, **inputs), one.messages[-1:]

    return step


@pytest.mark.parametrize("order", ORDERS)
def test_a_jump_wears_no_more_than_on_an_even_grid(make, order):
    one = make().begun(input_extrapolation_order=order)
    for offset in (1e-4, 1e-7, 1e-10, 1e-12):
        assert simulated_jump(one.folder, order, offset) <= JUMP_BOUNDS[order]
    start = one.save()
    # Just after and just before a communication point.
    for offset in (*JUMP_OFFSETS, *(STEP - offset for offset in JUMP_OFFSETS)):
        play_jump(steps_of(one), offset)
        assert one.get("wear_work") <= JUMP_BOUNDS[order]
        assert one.load(start) == OK


@pytest.mark.parametrize("order", ORDERS)
def test_three_tiny_steps_change_little_under_a_smooth_sine(make, order):
    even, tiny = (make().begun(input_extrapolation_order=order) for _ in range(2))
    play_sine(steps_of(even), even_instants())
    play_sine(steps_of(tiny), instants_with_tiny_steps())
    # The order is lower for up to three steps. Constant extrapolation of the sine has an error of
    # 9e-3 m/s2 (half of it on average). The error of the speed, at most 0.3 m/s, is 1.5e-5 m/s or
    # 5e-5 of it.
    assert tiny.get("wear_work") == pytest.approx(even.get("wear_work"), rel=1e-4, abs=0.0)


def test_a_step_as_short_as_the_clocks_rounding_must_lead_on(make):
    one = make().begun(1.0)
    assert one.steps(1.0, STEP)
    reached = 1.0 + STEP
    ulp = float(np.spacing(reached))
    # It is within the allowed rounding of the master's clock, but would end before its start.
    assert not one.steps(reached - 3 * ulp, 2 * ulp)
    assert "must be the end of the last step" in one.messages[-1]
    assert one.steps(reached - 3 * ulp, 5 * ulp)
    assert one.load(one.save()) == OK
    assert one.steps(reached + 2 * ulp, STEP)
