"""A run does not depend on earlier contents of its work space."""

import math

import pytest

from wearmodel import FrictionalShockParameters, InputTiming
from wearmodel.kernel.inputs.state_objects import Samples
from wearmodel.kernel.shoe.parameters import Parameters
from wearmodel.kernel.shoe.state_objects import InputMemory, Predictions, Present, State, Work
from wearmodel.kernel.shoe.steps import outputs, start, step

STEPS, STEP = 81, 1e-2


def last_outputs(memory: tuple[Predictions, Predictions], timing: InputTiming) -> tuple[float, ...]:
    """Return the outputs after some steps of all inputs, with the given predictions."""
    p = Parameters(FrictionalShockParameters(input_timing=timing))
    s, now, work = State(), Present(), Work()
    inputs = InputMemory(Samples(), Samples(), *memory)
    for k in range(STEPS + 1):
        time = k * STEP
        sample = [time, *(math.sin((20.0 + 3.0 * j) * time + j) for j in range(4))]
        if k == 0:
            start(p, s, inputs.samples, inputs.predictions, now, sample)
        else:
            step(p, s, inputs, now, sample, STEP, work)
    return outputs(p, s, inputs.predictions, now)


@pytest.mark.parametrize("timing", list(InputTiming), ids=lambda timing: timing.name)
def test_a_run_in_the_memory_of_another_gives_the_outputs_of_the_first(timing):
    fresh = last_outputs((Predictions(), Predictions()), timing)
    memory = Predictions(), Predictions()
    assert last_outputs(memory, InputTiming.start)[-1] > 0.0
    assert last_outputs(memory, timing) == fresh
