"""Slip without damper on a very stiff friction spring: the direction follows the velocity."""

import math
import random

import numpy as np
import pytest

from tests.structures import UNIT_BASE, contact, modal_structure
from wearmodel import InputTiming, ModalShock
from wearmodel.batch.structure_runs import run_structure

from .structures import energy_gained

SPEED, FRICTION, VISCOUS, GRAVITY, STEP = 1.0, 0.1, 0.05, 10.0, 0.1


def block(angle: float, stiffness: float, **friction: float) -> ModalShock:
    """Return a block of 1 kg that slides on a plane, obliquely to both axes."""
    resting = contact(
        gap=-GRAVITY / 1e6,
        friction_coefficient=FRICTION,
        tangential_stiffness=stiffness,
        tangential_damping=0.0,
        **friction,
    )
    velocity = [SPEED * math.cos(angle), SPEED * math.sin(angle), 0.0]
    base = {**UNIT_BASE, "gravity_z": -GRAVITY}
    return ModalShock(
        modal_structure([0.0] * 3, resting, base=base, initial={"velocity": velocity})
    )


@pytest.mark.parametrize("stiffness", [1e6, 1e8, 1e10, 1e12])
@pytest.mark.parametrize("angle", [0.0, 0.3, 1.0, 2.5])
def test_a_straight_slip_oblique_to_the_axes_takes_few_pieces_and_meets_the_closed_form(
    angle, stiffness
):
    # v' = −g (μ + η v). Before slip starts, the spring takes at most the energy (μ F_N)²/(2 K_T).
    model = block(angle, stiffness, viscous_friction=VISCOUS)
    for _ in range(7):
        model.step(STEP)
        assert model._work.counts.pieces < 40
    asymptote = FRICTION / VISCOUS
    expected = (SPEED + asymptote) * math.exp(-VISCOUS * GRAVITY * 0.7) - asymptote
    velocity = model._state.motion.velocity
    tolerance = 2.0 * (FRICTION * GRAVITY) ** 2 / stiffness + 1e-13
    assert math.hypot(velocity[0], velocity[1]) == pytest.approx(expected, abs=tolerance)
    assert math.atan2(velocity[1], velocity[0]) == pytest.approx(angle, abs=1e-14)


@pytest.mark.parametrize("seed", [3, 22, 30])
def test_a_slip_follows_its_velocity_while_that_of_another_contact_still_turns(seed):
    """Two contacts of one block land at different times, with very different stiffnesses."""
    draw = random.Random(seed)

    def support(name):
        return contact(
            name,
            gap=10.0 ** draw.uniform(-4.5, -3.5),
            contact_stiffness=10.0 ** draw.uniform(4.0, 7.0),
            contact_damping=draw.choice([0.0, 100.0, 1000.0]),
            tangential_stiffness=10.0 ** draw.uniform(5.0, 8.0),
            tangential_damping=0.0,
            friction_coefficient=draw.choice([0.1, 0.3]),
        )

    structure = modal_structure([0.0] * 3, support("c"), support("d"), base=UNIT_BASE)
    time = np.arange(1001) * 1e-3
    inputs = {
        "base_acceleration_x": 3.0 * np.sin(draw.uniform(5.0, 60.0) * time),
        "base_acceleration_y": 3.0 * np.sin(draw.uniform(5.0, 60.0) * time),
        "base_acceleration_z": 9.81 * (1.0 + 1.5 * np.sin(draw.uniform(30.0, 300.0) * time)),
    }
    assert run_structure(structure, inputs, step_size=1e-3, steps=1000).pieces < 100_000


@pytest.mark.parametrize("seed", [3, 15, 23])
def test_a_block_that_has_slid_far_lands_and_slips(seed):
    """The rounding of its place along the plane, up to 20 m, does not count as depth."""
    draw = random.Random(seed)
    landing = contact(
        gap=1e-4,
        contact_stiffness=10.0 ** draw.uniform(5.0, 7.0),
        tangential_stiffness=10.0 ** draw.uniform(5.0, 8.0),
        tangential_damping=0.0,
        friction_coefficient=0.1,
        viscous_friction=draw.choice([0.0, 0.2]),
    )
    structure = modal_structure([0.0] * 3, landing, base=UNIT_BASE)
    time = np.arange(2001) * 1e-3
    inputs = {
        "base_acceleration_x": np.where(time < 1.0, -20.0, 0.0),
        "base_acceleration_z": 9.81 * (1.0 + 1.5 * np.sin(draw.uniform(30.0, 300.0) * time)),
    }
    assert run_structure(structure, inputs, step_size=1e-3, steps=2000).pieces < 100_000


FRICTIONS = [
    {"friction_coefficient": 0.1},
    {
        "friction_coefficient": 0.1,
        "friction_coefficient_slow": 0.15,
        "friction_decay_velocity": 0.05,
    },
    {
        "friction_table": [[0.0, 0.14], [1e-2, 0.3], [0.1, 0.17]],
        "friction_table_rule": "pchip",
    },
]


@pytest.mark.parametrize("seed", [6, 17, 38])
def test_a_slip_whose_last_coefficients_converge_slowly_takes_few_pieces(seed):
    """A damped contact opens in slip while its series needs nearly all coefficients."""
    draw = random.Random(seed)
    obstacle = draw.choice(["plane", "circle", "polygon"])
    sides = {"sides": 12} if obstacle == "polygon" else {}
    friction = draw.choice(FRICTIONS)
    frequency = [draw.uniform(0.0, 5.0), draw.uniform(20.0, 100.0), draw.uniform(0.0, 5.0)]
    opening = contact(
        "c",
        "p",
        obstacle,
        gap=1e-4,
        contact_stiffness=10.0 ** draw.uniform(6.0, 8.0),
        contact_damping=10.0 ** draw.uniform(2.0, 4.0),
        tangential_stiffness=10.0 ** draw.uniform(5.0, 7.5),
        tangential_damping=0.0,
        **friction,
        **sides,
    )
    structure = modal_structure(frequency, opening, base=UNIT_BASE)
    time = np.arange(401) * 5e-3
    inputs = {
        "base_acceleration_x": 3.0 * np.sin(draw.uniform(5.0, 60.0) * time),
        "base_acceleration_y": 10.0 * np.sin(draw.uniform(5.0, 60.0) * time),
        "base_acceleration_z": 9.81 * (1.0 + 1.5 * np.sin(draw.uniform(30.0, 300.0) * time)),
    }
    assert run_structure(structure, inputs, step_size=5e-3, steps=400).pieces > 0


def oblique_planes(seed):
    """Return a block between three oblique planes whose friction springs have no dampers.

    The stiffnesses differ by up to five powers of ten. The inputs are samples every 2 ms.
    """
    draw = random.Random(seed)

    def support(name):
        normal = [draw.gauss(0.0, 1.0) for _ in range(3)]
        size = math.hypot(*normal)
        return contact(
            name,
            obstacle=draw.choice(["plane", "two_planes"]),
            normal=[component / size for component in normal],
            gap=draw.choice([1e-6, 1e-4, 1e-3]),
            contact_stiffness=10.0 ** draw.uniform(3.5, 8.0),
            tangential_stiffness=10.0 ** draw.uniform(3.5, 8.5),
            tangential_damping=0.0,
            friction_coefficient=draw.choice([0.05, 0.3]),
        )

    frequency = [0.0, 0.0, draw.uniform(0.0, 5.0)]
    supports = [support(name) for name in "cde"]
    time = np.arange(501) * 2e-3
    inputs = {
        "base_acceleration_x": 3.0 * np.sin(draw.uniform(5.0, 60.0) * time),
        "base_acceleration_y": 3.0 * np.sin(draw.uniform(5.0, 60.0) * time),
        "base_acceleration_z": 9.81 * (1.0 + 1.5 * np.sin(draw.uniform(30.0, 300.0) * time)),
    }
    return modal_structure(frequency, *supports, base=UNIT_BASE), inputs


@pytest.mark.parametrize("seed", [61, 90, 94, 111, 129, 133])
def test_slips_of_very_different_stiffnesses_take_few_pieces(seed):
    """One slip follows its velocity, another one turns slowly, starts from rest or opens."""
    structure, inputs = oblique_planes(seed)
    assert run_structure(structure, inputs, step_size=2e-3, steps=500).pieces < 10_000


@pytest.mark.long
@pytest.mark.parametrize(("seed", "steps"), [(78, 60), (129, 100)])
def test_energy_closes_with_slips_of_very_different_stiffnesses(seed, steps):
    structure, inputs = oblique_planes(seed)

    def shaking(time):
        return {name: float(values[round(time / 2e-3)]) for name, values in inputs.items()}

    model = ModalShock(structure, input_timing=InputTiming.end, **shaking(0.0))
    gained, largest = energy_gained(model, shaking, 2e-3, steps)
    # Some thousand pieces with about ten roundings each.
    assert abs(gained) < 1e-11 * largest
