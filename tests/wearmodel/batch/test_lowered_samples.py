"""The lowered kernel moves all inputs of a structure's samples, for any number of inputs."""

from typing import Any

import numpy as np
import pytest

from wearmodel.compiled.lowering import lowered_kernel
from wearmodel.kernel.inputs.extrapolation import drop_crowded
from wearmodel.kernel.inputs.state_objects import Samples
from wearmodel.kernel.state_objects import values_of


@pytest.mark.parametrize("inputs", [3, 4, 5, 8])
def test_dropping_crowded_samples_moves_all_of_their_inputs(inputs):
    # A step of 1 s after a step of 1 ms: the second sample is dropped.
    instants = [0.0, -1e-3, -1.0, -2.0, -3.0, -4.0]
    rows = [[instant, *(10.0 * k + instant for k in range(inputs))] for instant in instants]
    rows.append([0.0] * (inputs + 1))  # no input is discontinuous
    samples = Samples()
    for name, row in zip(Samples.__annotations__, rows, strict=True):
        setattr(samples, name, row[:])
    wanted = drop_crowded(samples, 5.0, 1.0)
    lowered = np.array(rows)
    namespace: dict[str, Any] = {}
    exec(lowered_kernel(("inputs.extrapolation",)).text, namespace)
    assert namespace["inputs_extrapolation_drop_crowded"](lowered, 5.0, 1.0) == wanted
    kept = int(wanted)
    assert lowered[:kept].tolist() == values_of(samples)[:kept]
