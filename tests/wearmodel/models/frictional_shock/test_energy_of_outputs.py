"""The energy balance from outputs only, as a user would compute it.

Inputs are constant in each step, so their work is a force times a displacement, independent of the
path.
"""

import math
import random
from typing import Any

import pytest

from wearmodel import FrictionalShock, FrictionalShockParameters, NormalLaw, TangentialLaw

from .law_combinations import laws
from .trace import record


def stored(parameters: FrictionalShockParameters, outputs: dict[str, float]) -> float:
    """Return the energy [J] of mass and springs from outputs."""
    values = parameters
    w = outputs["gap"] - values.initial_gap
    energy = 0.5 * values.mass * outputs["relative_velocity"] ** 2
    energy += 0.5 * values.mass * outputs["gap_velocity"] ** 2
    energy += 0.5 * values.stiffness * outputs["relative_displacement"] ** 2
    energy += 0.5 * values.normal_stiffness * w**2
    if values.normal_law is NormalLaw.penalty:
        energy += 0.5 * values.contact_stiffness * max(0.0, -outputs["gap"]) ** 2
    if values.tangential_law is TangentialLaw.penalty and outputs["contact_mode"]:
        rate = outputs["relative_velocity"] - outputs["slip_velocity"]
        damper = values.in_force().tangential_damping * rate
        force = outputs["friction_force"] + damper
        energy += 0.5 * force**2 / values.tangential_stiffness
    return energy


@laws
@pytest.mark.parametrize("step_size", [1e-4, 1e-3, 0.02])
@pytest.mark.parametrize("friction_damping", [0.0, 1e-3, 0.3, 1.0, 20.0])
@pytest.mark.parametrize("contact_damping", [0.0, 0.2, 3.0])
def test_the_balance_closes_from_the_outputs(
    contact_damping, friction_damping, step_size, normal_law, tangential_law
):
    # Other losses are excluded: c = 0, c_n = 0 and e = 1.
    extra: dict[str, Any] = {}
    if normal_law is not NormalLaw.prescribed:
        extra = {"normal_stiffness": 50.0}
    parameters = FrictionalShockParameters(
        mass=2.0,
        friction_coefficient=0.4,
        friction_coefficient_static=0.5,
        stiffness=30.0,
        normal_law=normal_law,
        tangential_law=tangential_law,
        contact_stiffness=1e4,
        contact_damping=contact_damping * 2.0 * math.sqrt(2.0 * 1e4),
        tangential_stiffness=2e4,
        tangential_damping=friction_damping * 2.0 * math.sqrt(2.0 * 2e4),
        restitution=1.0,
        initial_velocity=0.3,
        input_extrapolation_order=0,
        **extra,
    )
    model = FrictionalShock(parameters)
    before = start = model.outputs()
    largest = stored(parameters, start)
    supplied = turned = 0.0
    noise = random.Random(7)
    for _ in range(300 if step_size < 0.01 else 60):
        push = noise.choice([0.0, 3.0, -3.0, 20.0])
        press = noise.choice([0.0, 0.0, 5.0, -15.0, -30.0])
        model.step(step_size, tangential_load=push, normal_load=press)
        after = model.outputs()
        work = push * (after["relative_displacement"] - before["relative_displacement"])
        work -= (20.0 + press) * (after["gap"] - before["gap"])
        supplied += work
        turned += abs(work)
        before = after
        largest = max(largest, stored(parameters, after))
    taken = before["friction_work"] + before["contact_damping_work"]
    change = stored(parameters, before) - stored(parameters, start)
    # Rounding of a few hundred steps, relative to all energy supplied or stored.
    assert supplied - taken == pytest.approx(change, rel=0.0, abs=1e-12 * (turned + largest))
    friction_damper = tangential_law is TangentialLaw.penalty and friction_damping > 0.0
    if friction_damper or (normal_law is NormalLaw.penalty and contact_damping > 0.0):
        assert before["contact_damping_work"] > 0.0
    elif tangential_law is TangentialLaw.rigid:
        assert before["contact_damping_work"] == 0.0
    assert before["wear_work"] > 0.0


def test_a_vibration_in_stick_turns_into_the_damper_s_heat():
    # A mass in stick dissipates ½ m v² until it is at rest. A trace makes the kernel use pieces.
    for quiet in (True, False):
        model = FrictionalShock(
            FrictionalShockParameters(
                mass=3.0,
                tangential_law="penalty",
                tangential_stiffness=1e4,
                tangential_damping=40.0,
                initial_velocity=1e-3,
            )
        )
        if not quiet:
            record(model)
        for _ in range(4000):
            model.step(1e-3)
        outputs = model.outputs()
        # A share e^−26 of the amplitude remains.
        assert outputs["contact_damping_work"] == pytest.approx(0.5 * 3.0 * 1e-6, rel=1e-12)
        assert outputs["friction_work"] == 0.0


def test_an_opening_contact_forgets_the_energy_of_its_stretch():
    # A spring of 1e4 N/m without damper carries 0.9 N when the contact opens: ½ F²/K.
    model = FrictionalShock(
        FrictionalShockParameters(
            tangential_law="penalty",
            tangential_stiffness=1e4,
            tangential_damping=0.0,
            damping=300.0,
            input_extrapolation_order=0,
        )
    )
    for _ in range(2):
        model.step(1.0, tangential_load=0.9)
    assert model.outputs()["contact_damping_work"] == 0.0
    assert model.snapshot()["state"][4] == pytest.approx(0.9 / 1e4, rel=1e-13)
    model.step(1e-3, tangential_load=0.9, normal_load=-20.0)
    assert model.outputs()["contact_damping_work"] == pytest.approx(0.5 * 0.81 / 1e4, rel=1e-12)


@pytest.mark.parametrize("ratio", [0.2, 1.5])
def test_a_damped_shock_loses_what_its_rebound_lacks(ratio):
    # Without weight the loss is ½ m (v² − v′²), including the energy of the spring at the opening.
    model = FrictionalShock(
        FrictionalShockParameters(
            gravity=0.0,
            normal_law="penalty",
            contact_stiffness=1e4,
            contact_damping=2.0 * ratio * 100.0,
            initial_gap=1e-3,
            initial_normal_velocity=-1.0,
        )
    )
    for _ in range(2000):
        model.step(1e-3)
    outputs = model.outputs()
    assert outputs["contact_mode"] == 0.0
    assert outputs["gap"] > 0.0
    left = 0.5 * outputs["gap_velocity"] ** 2
    assert outputs["contact_damping_work"] == pytest.approx(0.5 - left, rel=1e-12)
