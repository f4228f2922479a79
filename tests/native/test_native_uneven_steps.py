"""The native FMU selects the same samples as the Python one, and its states contain them."""

import itertools
import random
import struct

import pytest

from wearmodel import FrictionalShock, FrictionalShockParameters
from wearmodel.models.frictional_shock import OUTPUT_NAMES

from ..wearmodel.models.uneven_steps import ORDERS
from .conftest import sealed
from .test_directional_derivatives import derivatives

OK, ERROR = 0, 3
orders = pytest.mark.parametrize("order", ORDERS)


@orders
@pytest.mark.parametrize("normal_law", ["prescribed", "penalty", "rigid"])
def test_uneven_steps_have_the_models_bits(native, order, normal_law):
    parameters = FrictionalShockParameters(
        input_extrapolation_order=order, normal_law=normal_law, friction_coefficient_static=0.2
    )
    model = FrictionalShock(parameters)
    law = ["prescribed", "penalty", "rigid"].index(normal_law)
    one = native().initialise(
        input_extrapolation_order=order, normal_law=law, friction_coefficient_static=0.2
    )
    generator = random.Random(order)
    for _ in range(500):
        step_size = 10.0 ** generator.uniform(-5.0, -2.0)
        inputs = {
            "base_acceleration": generator.gauss(0.0, 3.0),
            "base_acceleration_normal": generator.gauss(0.0, 8.0),
            "tangential_load": generator.choice([0.0, 0.0, 0.5]),
        }
        assert one.step(model.time, step_size, **inputs) == OK
        model.step(step_size, **inputs)
        outputs = one.outputs()
        assert tuple(float(outputs[name]) for name in OUTPUT_NAMES) == model.output_values()


def test_derivatives_repeat_the_choice_of_samples(native):
    # In stick, the friction force at the end of a step is proportional to the newest sample with
    # the weight w_0.
    one = native().initialise(input_extrapolation_order=2)
    time = 0.0
    for step_size in (1e-3, 1e-3, 1e-3, 1e-9):
        assert one.step(time, step_size, tangential_load=0.1) == OK
        time += step_size
    # The sample 1e-9 s earlier is not used over 1e-3 s: w_0 = 3 as on an even grid, not about 1e6.
    assert one.step(time, 1e-3, tangential_load=0.1) == OK
    (got,) = derivatives(one, "friction_force", tangential_load=1.0)
    assert got == pytest.approx(-3.0, rel=1e-5, abs=0.0)  # the grid is even to 1e-6
    # The same after the state was restored from bytes.
    other = native().initialise()
    assert other.restores(one.written())
    assert derivatives(other, "friction_force", tangential_load=1.0) == [got]
    # By difference, from a saved state: a repeated step uses the same samples.
    saved = one.save()
    forces = []
    for load in (0.1, 0.2):
        assert one.load(saved) == OK
        assert one.step(time + 1e-3, 1e-3, tangential_load=load) == OK
        forces.append(one.get("friction_force"))
    (slope,) = derivatives(one, "friction_force", tangential_load=1.0)
    assert slope == pytest.approx((forces[1] - forces[0]) / 0.1, rel=1e-9, abs=0.0)


@pytest.mark.parametrize("later", [0.0, 1e-9, 1.0], ids=["at once", "soon", "much later"])
def test_a_state_with_a_sample_that_is_not_past_is_refused(native, later):
    one = native().initialise(start_time=0.625)
    play = [0.625, 0.75, 0.8125, 0.859375]
    for begin, end in itertools.pairwise(play):
        assert one.step(begin, end - begin, base_acceleration=begin) == OK
    data = one.written()
    newest, present = struct.pack("d", play[-2]), struct.pack("d", play[-1] + later)
    assert data.count(newest) >= 2  # as a sample and an input
    assert not one.restores(sealed(data.replace(newest, present)))
    assert "the snapshot has a sample at" in one.messages[-1]
    assert one.step(play[-1], 1e-3) == OK
