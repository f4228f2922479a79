"""Contacts in stick or at rest that open, slip or turn, with friction that depends on speed."""

import math
import random
from typing import Any

import numpy as np
import pytest

from tests.structures import UNIT_BASE, contact, modal_structure, point
from wearmodel.batch.structure_runs import run_structure

SECONDS = 2.0
FRICTION: dict[str, dict[str, Any]] = {
    "viscous": {"friction_coefficient": 0.6, "viscous_friction": 0.25},
    "table": {"friction_table": [[0.0, 0.14], [1.8e-3, 0.2], [0.1, 0.27]]},
}


def run_shaken_block(seed: int, friction: dict[str, Any]) -> int:
    """Return the number of pieces for a block above a plane, under base motion that ends."""
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
    return run_structure(structure, inputs, step_size=step, steps=steps).pieces


@pytest.mark.parametrize("friction", FRICTION.values(), ids=FRICTION)
def test_a_contact_that_opens_or_turns_in_stick_is_followed(friction):
    """The contact sticks, opens and turns many times."""
    for seed in range(10):
        assert run_shaken_block(seed, friction) > 0


def test_a_slip_that_begins_from_equilibrium_finds_its_direction():
    """An unloaded block starts to slip with an acceleration of 0, whose sign is due to rounding."""
    assert run_shaken_block(11, FRICTION["table"]) > 0


@pytest.mark.parametrize("seed", [15, 21])
def test_a_motion_below_rounding_of_the_limit_does_not_end_stick(seed):
    """Velocities of 1e-13 m/s change μ(|v_t|) by less than its rounding."""
    draw, noise = random.Random(seed), np.random.default_rng(seed)

    def support(name: str, at: str) -> dict[str, Any]:
        return contact(
            name,
            at,
            gap=1e-5,
            contact_stiffness=10.0 ** draw.uniform(5.0, 7.5),
            contact_damping=draw.choice([0.0, 50.0]),
            tangential_stiffness=10.0 ** draw.uniform(4.0, 6.0),
            friction_coefficient=0.6,
            viscous_friction=3.0,
        )

    points = [
        point(f"p{k}", **{axis: noise.normal(size=6).tolist() for axis in "xyz"}) for k in range(2)
    ]
    structure = modal_structure(
        [10.0 ** draw.uniform(0.3, 2.0) for _ in range(6)],
        support("c", "p0"),
        support("d", "p1"),
        points=points,
        base={f"participation_{axis}": noise.normal(size=6).tolist() for axis in "xyz"},
    )
    time = np.arange(2001) * 1e-3
    shaking = np.where(time < 1.0, 1.0, 0.0)
    inputs = {
        "base_acceleration_x": shaking * 5.0 * np.sin(40.0 * time),
        "base_acceleration_y": shaking * 3.0 * np.sin(60.0 * time),
        "base_acceleration_z": 9.81 + shaking * 2.0 * np.sin(90.0 * time),
    }
    assert run_structure(structure, inputs, step_size=1e-3, steps=2000).pieces > 0
