"""Slips of a mass on a friction spring that start or end within rounding.

If rounding decides a change between stick and slip, the opposite change must not follow at the same
instant. Otherwise the changes would repeat without end.
"""

import math
import random
from typing import Any

import numpy as np
import pytest

from wearmodel.batch.record_runs import run_records
from wearmodel.kernel.shoe.parameters import FrictionalShockParameters, NormalLaw, TangentialLaw

SECONDS = 3.0


def shaken(seed: int, step_size: float, **parameters: Any) -> Any:
    """Run a mass with base motion during the first half of the time. All stiffnesses are random."""
    draw = random.Random(seed)

    def stiffness(low: float, high: float) -> float:
        return (2.0 * math.pi * 10.0 ** draw.uniform(low, high)) ** 2

    spring, damping = stiffness(1.0, 3.5), draw.choice([-1.0, -1.0, 0.1])
    whole = FrictionalShockParameters(
        mass=1.0,
        stiffness=draw.choice([0.0, stiffness(0.0, 1.5)]),
        tangential_law=TangentialLaw.penalty,
        tangential_stiffness=spring,
        tangential_damping=damping if damping < 0.0 else damping * 2.0 * math.sqrt(spring),
        contact_stiffness=stiffness(1.0, 3.0),
        **parameters,
    )
    time = np.arange(round(SECONDS / step_size) + 1) * step_size
    frequency, amplitude = 10.0 ** draw.uniform(-0.3, 1.0), 10.0 ** draw.uniform(-0.5, 1.3)
    wave = np.sin(2.0 * math.pi * frequency * time)
    if draw.random() < 0.5:
        wave = np.sign(wave)
    acceleration = np.where(time < 0.5 * SECONDS, amplitude * wave, 0.0)
    return run_records(whole, step_size, base_acceleration=acceleration)


FRICTION: dict[str, dict[str, Any]] = {
    "frictionless": {"friction_coefficient": 0.0},
    "viscous": {"friction_coefficient": 0.3, "viscous_friction": 0.3},
    "weakening": {
        "friction_coefficient": 0.1,
        "friction_coefficient_slow": 0.15,
        "friction_decay_velocity": 1e-3,
    },
    "strengthening": {
        "friction_coefficient": 0.1,
        "friction_coefficient_slow": 0.05,
        "friction_decay_velocity": 2e-3,
    },
    "table": {"friction_table": [[0.0, 0.3], [1e-3, 0.2], [0.01, 0.35], [0.3, 0.1]]},
}


STOPS: dict[str, dict[str, float]] = {
    "no stops": {},
    "stops without rebound": {"stop_lower": -3e-4, "stop_upper": 4e-4},
    "stops": {"stop_lower": -3e-4, "stop_upper": 4e-4, "stop_restitution": 0.5},
}


@pytest.mark.parametrize("stops", STOPS.values(), ids=STOPS)
@pytest.mark.parametrize("law", NormalLaw, ids=lambda law: law.name)
@pytest.mark.parametrize("friction", FRICTION.values(), ids=FRICTION)
def test_no_change_between_stick_and_slip_repeats_without_end(friction, law, stops):
    for seed in range(12 if stops else 8):
        run = shaken(seed, 2e-3, normal_law=law, **friction, **stops)
        assert not run.failures, seed


def test_a_mass_without_friction_turns_within_rounding():
    parameters = FrictionalShockParameters(
        mass=5.549127581250908,
        gravity=9.80665,
        friction_coefficient=0.0,
        stiffness=111961.51563864785,
        tangential_law=TangentialLaw.penalty,
        tangential_stiffness=39744.984489305534,
        tangential_damping=93.92550018945758,
    )
    for frequency in np.linspace(0.5, 8.0, 60):
        time = np.arange(401) * 5e-3
        wave = 5.0 * np.sin(2.0 * math.pi * frequency * time)
        run = run_records(parameters, 5e-3, base_acceleration=wave)
        assert not run.failures, frequency


def test_a_mass_at_rest_costs_the_same_while_its_velocity_decays_to_nothing():
    """An underdamped friction spring makes the velocity subnormal after half a second of rest."""
    parameters = FrictionalShockParameters(
        mass=2.2175191185142755,
        gravity=9.80665,
        preload=66.34867932181793,
        initial_gap=1e-4,
        normal_law=NormalLaw.penalty,
        contact_stiffness=316843.1439676214,
        contact_damping=1676.4316023248566,
        tangential_law=TangentialLaw.penalty,
        tangential_stiffness=466385909.8184327,
        tangential_damping=6431.857186312674,
        friction_coefficient=0.3,
        viscous_friction=7.256216811100225,
        initial_velocity=1e-3,
    )

    def pieces(steps: int) -> int:
        run = run_records(parameters, 5e-3, base_acceleration=np.zeros(steps + 1))
        assert not run.failures
        return run.pieces

    first, last = pieces(40), pieces(200) - pieces(160)
    assert last <= first, (first, last)
