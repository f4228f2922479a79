"""Contacts in stick that open, or whose point turns, while friction depends on speed."""

import math
import random
from typing import Any

import numpy as np
import pytest

from tests.structures import UNIT_BASE, contact, modal_structure
from wearmodel.batch.structure_runs import run_structure

SECONDS = 2.0
FRICTION: dict[str, dict[str, Any]] = {
    "viscous": {"friction_coefficient": 0.6, "viscous_friction": 0.25},
    "table": {"friction_table": [[0.0, 0.14], [1.8e-3, 0.2], [0.1, 0.27]]},
}


@pytest.mark.parametrize("friction", FRICTION.values(), ids=FRICTION)
def test_a_contact_that_opens_or_turns_in_stick_is_followed(friction):
    """Shaken along and across the plane with gaps: it sticks, opens and turns many times."""
    for seed in range(10):
        draw, noise = random.Random(seed), np.random.default_rng(seed)
        structure = modal_structure(
            [0.0, draw.choice([0.0, 4.0]), draw.choice([0.0, 1.0])],
            contact(
                gap=1e-4,
                contact_stiffness=10.0 ** draw.uniform(4.0, 6.0),
                tangential_stiffness=10.0 ** draw.uniform(4.5, 7.5),
                **friction,
            ),
            base=UNIT_BASE,
        )
        step = draw.choice([1e-3, 5e-3])
        steps = round(SECONDS / step)
        time = np.arange(steps + 1) * step
        shaking = np.where(time < 0.7 * SECONDS, 1.0, 0.0)
        amplitude = 10.0 ** draw.uniform(-0.5, 1.0)
        across = draw.choice([0.0, 1.0])
        wave = amplitude * np.sin(2.0 * math.pi * draw.uniform(0.5, 15.0) * time)
        rough = amplitude * noise.normal(size=time.size)
        inputs = {
            "base_acceleration_x": across * shaking * wave,
            "base_acceleration_y": shaking * draw.choice([wave, rough]),
            "base_acceleration_z": 9.81 + shaking * draw.choice([rough, wave]),
        }
        assert run_structure(structure, inputs, step_size=step, steps=steps).pieces > 0
