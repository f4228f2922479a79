"""A step with input derivatives equals the step with the Taylor polynomials of the inputs."""

import math
from typing import Any

import pytest

from wearmodel import FrictionalShock, FrictionalShockParameters
from wearmodel.kernel.inputs.state_objects import Samples
from wearmodel.kernel.limits import LONGEST_DERIVATIVE
from wearmodel.kernel.shoe import input_derivatives
from wearmodel.kernel.shoe.inputs_outputs import INPUTS
from wearmodel.kernel.shoe.parameters import Parameters
from wearmodel.kernel.shoe.state_objects import InputMemory, Predictions, Present, State, Work


@pytest.mark.parametrize("order", [0, 1, 2, 3, LONGEST_DERIVATIVE])
@pytest.mark.parametrize("name", [one.name for one in INPUTS])
def test_a_step_under_derivatives_is_the_step_under_their_taylor_polynomial(
    name, order, monkeypatch
):
    values = ([7.0, -3.0, 11.0, 5.0] * 4)[: order + 1]
    seen: dict[str, Any] = {}

    def remembered(p: Any, s: Any, samples: Any, now: Any, step_size: float, work: Work) -> int:
        for one in INPUTS:
            count = int(getattr(work.counts, one.name))
            seen[one.name] = list(getattr(work, one.name)[:count])
        return 0

    monkeypatch.setattr(input_derivatives, "step_along", remembered)
    at = [one.name for one in INPUTS].index(name)
    sample = [0.0] + [0.0] * len(INPUTS)
    sample[at + 1] = values[0]
    derivatives = [0.0] * (LONGEST_DERIVATIVE * len(INPUTS))
    first = LONGEST_DERIVATIVE * at
    derivatives[first : first + order] = values[1:]
    model = FrictionalShock(FrictionalShockParameters())
    input_derivatives.step_with_derivatives(
        Parameters(model.parameters),
        State(),
        InputMemory(Samples(), Samples(), Predictions(), Predictions()),
        Present(),
        sample,
        derivatives,
        1e-3,
        Work(),
    )
    want = {one.name: [0.0] for one in INPUTS}
    want[name] = [value / math.factorial(j) for j, value in enumerate(values)]
    assert seen == want
