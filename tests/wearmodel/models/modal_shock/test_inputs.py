"""Each input of a structure moves its own mass, and its prediction is assessed separately."""

import math

import pytest

from tests.structures import X, Y, Z, modal_structure, point
from wearmodel.kernel.limits import MEMORY_STEPS
from wearmodel.kernel.shoe.parameters import InputTiming
from wearmodel.models.modal_shock import ModalShock
from wearmodel.structure import Structure

STEP = 1e-2
MASSES = (1.0, 2.0, 4.0)


def free_masses() -> Structure:
    """Return three free masses, each driven along x by its own load."""
    return modal_structure(
        [0.0] * 3,
        points=[point(f"p{i}", x=row) for i, row in enumerate((X, Y, Z))],
        modes={"generalised_mass": list(MASSES)},
        load=[{"name": f"l{i}", "shape": row} for i, row in enumerate((X, Y, Z))],
        observe=[{"point": f"p{i}"} for i in range(3)],
    )


def test_each_load_given_at_the_end_of_a_step_is_a_line_that_moves_its_own_mass():
    # From rest, with the load P t/h over a step h, v = P h/2m and x = P h²/6m.
    model = ModalShock(free_masses(), input_timing=InputTiming.end)
    loads = (3.0, -5.0, 7.0)
    model.step(STEP, **{f"load.l{i}": load for i, load in enumerate(loads)})
    outputs = model.outputs()
    for i, (load, mass) in enumerate(zip(loads, MASSES, strict=True)):
        velocity, way = load * STEP / (2.0 * mass), load * STEP**2 / (6.0 * mass)
        assert outputs[f"p{i}.velocity_x"] == pytest.approx(velocity, rel=1e-14, abs=0)
        assert outputs[f"p{i}.displacement_x"] == pytest.approx(way, rel=1e-14, abs=0)


@pytest.mark.parametrize("order", [0, -1])
@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        # With constant extrapolation, inputs x, x + d, x, x + d … have an error of d in each step.
        # Other orders are not better.
        (((1.0, -2.0), (3.5, -1.0), (5.0, 0.0)), 2.0),
        (((5.0, 0.0), (1.0, -2.0), (3.5, -1.0)), 2.0),
        (((3.5, -1.0), (5.0, 0.0), (5.0, 0.0)), 1.0 / math.sqrt(0.5 * (3.5**2 + 2.5**2))),
        (((5.0, 0.0), (5.0, 0.0), (5.0, 0.0)), 0.0),
    ],
    ids=["first", "second", "small", "constant"],
)
def test_the_prediction_error_is_that_of_the_input_predicted_worst(inputs, expected, order):
    starts = {f"load.l{i}": first for i, (first, _) in enumerate(inputs)}
    model = ModalShock(free_masses(), input_extrapolation_order=order, **starts)
    for number in range(10 * int(MEMORY_STEPS)):
        values = {f"load.l{i}": x + d * (number % 2) for i, (x, d) in enumerate(inputs)}
        model.step(STEP, **values)
        if number == 6:  # The error is known from the eighth step on.
            assert model.outputs()["input_prediction_error"] == -1.0
    # The means over about 64 steps give the last step a weight of about 1/64.
    found = model.outputs()["input_prediction_error"]
    assert found == pytest.approx(expected, rel=0.5 / MEMORY_STEPS, abs=0)
