"""Velocity-dependent friction of a mass that slows down from hundreds of its decay velocity."""

import math
import os
import random

import pytest
from scipy.optimize import brentq

from wearmodel import FrictionalShock, FrictionalShockParameters, NormalLaw, TangentialLaw

from .independent_shock import IndependentShock
from .law_combinations import laws
from .trace import record

COMPARED = {"relative_displacement": 0, "relative_velocity": 1, "wear_work": 5, "friction_work": 6}
# Error of scipy after a few hundred steps at 1e-12 each.
TOLERANCE = 1e-11


def one_step(
    parameters: FrictionalShockParameters, inputs: dict[str, list[float]], length: float
) -> dict[str, float]:
    model = FrictionalShock(parameters, **{name: series[0] for name, series in inputs.items()})
    model.step_polynomial(length, **inputs)  # type: ignore[arg-type]
    return model.outputs()


def load(series: list[float]) -> dict[str, list[float]]:
    still = {"base_acceleration": [0.0], "base_acceleration_normal": [0.0]}
    return {**still, "tangential_load": series, "normal_load": [0.0]}


@pytest.mark.parametrize(
    ("fast", "slow"), [(0.1, 0.5), (0.3, 0.05)], ids=["weakens", "strengthens"]
)
@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize(
    "law",
    [
        {"tangential_law": TangentialLaw.rigid},
        {"tangential_law": TangentialLaw.penalty, "tangential_stiffness": 2e3},
        {
            "normal_law": NormalLaw.penalty,
            "contact_stiffness": 50.0,
            "initial_gap": -0.2,
            "wear_feedback": True,
            "archard_coefficient": 1e-9,
            "wear_area": 1e-4,
            "wear_time_scale": 100.0,
        },
    ],
    ids=["rigid friction", "penalised friction", "wearing slip"],
)
def test_a_slip_whose_braking_starts_at_zero_feels_its_exponential_at_the_end(
    law, order, fast, slow
):
    """The drive balances friction at first, and then slows the mass to a twentieth of its speed.

    At the start, the exponential e^(−125) and its rates do not show its later effect.
    """
    length = 0.13
    parameters = FrictionalShockParameters(
        friction_coefficient=fast,
        friction_coefficient_slow=slow,
        friction_decay_velocity=0.008,
        initial_velocity=1.0,
        **law,  # type: ignore[arg-type]
    )
    series = [10.0 * fast] + [0.0] * order
    series[order] = -0.95 * (order + 1) / length ** (order + 1)
    want = IndependentShock(parameters, load(series)).run(length)
    got = one_step(parameters, load(series), length)
    for name, index in COMPARED.items():
        assert got[name] == pytest.approx(want[index], abs=TOLERANCE), name


@pytest.mark.parametrize("ratio", [50.0, 100.0, 300.0, 500.0])
def test_stick_breaks_away_where_strengthening_friction_dips_as_the_mass_turns(ratio):
    """F_T = K_T e oscillates up to 2 N. The cone of 3 N narrows briefly to 0.9 N around u̇ = 0."""
    stiffness, fast, slow = 2e4, 0.3, 0.09
    natural = math.sqrt(stiffness)
    speed = 2.0 / stiffness * natural
    decay = speed / ratio
    model = FrictionalShock(
        FrictionalShockParameters(
            friction_coefficient=fast,
            friction_coefficient_slow=slow,
            friction_decay_velocity=decay,
            tangential_law=TangentialLaw.penalty,
            tangential_stiffness=stiffness,
            tangential_damping=0.0,
            initial_velocity=speed,
        )
    )

    def excess(time: float) -> float:
        bound = fast + (slow - fast) * math.exp(-speed * math.cos(natural * time) / decay)
        return 10.0 * bound - 2.0 * math.sin(natural * time)

    quarter = 0.5 * math.pi / natural
    want = brentq(excess, 0.0, quarter, xtol=1e-17)
    trace = record(model)
    model.step(1.01 * quarter)
    events = [(one.event, one.start + one.duration) for one in trace.segments]
    name, instant = next(event for event in events if event[0] != "none")
    assert name.startswith("breakaway")
    # The tolerance is the rounding of the time.
    assert instant == pytest.approx(want, abs=1e-15)
    # The anchor moves to the stretch for μ_0 F_N as the mass comes to rest.
    assert model.outputs()["wear_work"] == pytest.approx(
        10.0 * (2.0 - 0.9) / stiffness, rel=1e-2 + 1.0 / ratio
    )


@pytest.mark.long
@laws
def test_shocks_and_slips_from_hundreds_of_decay_velocities_agree_with_an_independent_integration(
    normal_law, tangential_law
):
    r = random.Random(f"{normal_law.name} {tangential_law.name} far above")
    for _ in range(12 if os.environ.get("WEARFMU_CAMPAIGN") else 3):
        fast = r.choice([0.05, 0.1, 0.3])
        speed = r.choice([-1.0, 1.0]) * 10.0 ** r.uniform(-1.0, 0.5)
        gap = 0.0
        if normal_law is not NormalLaw.prescribed:
            gap = 0.02  # Bouncing must not end within the run.
        parameters = FrictionalShockParameters(
            friction_coefficient=fast,
            friction_coefficient_slow=fast * r.choice([0.3, 2.5, 5.0]),
            friction_decay_velocity=abs(speed) / 10.0 ** r.uniform(1.3, math.log10(500.0)),
            viscous_friction=r.choice([0.0, 0.1]),
            stiffness=r.choice([0.0, 100.0]),
            initial_gap=gap,
            normal_law=normal_law,
            tangential_law=tangential_law,
            contact_stiffness=r.choice([2e2, 2e3]),
            contact_damping=r.choice([0.0, 20.0]),
            tangential_stiffness=r.choice([2e3, 2e4]),
            tangential_damping=r.choice([0.0, 5.0]),
            restitution=r.choice([0.0, 0.8]),
            initial_velocity=speed,
        )
        length = 0.25
        order = r.choice([1, 2, 3])
        series = [fast * math.copysign(10.0, speed)] + [0.0] * order
        series[order] = -speed * (order + 1) / (r.uniform(0.6, 1.0) * length) ** (order + 1)
        # Strengthening friction falls briefly as the mass turns.
        want = IndependentShock(parameters, load(series)).run(length, 1500)
        got = one_step(parameters, load(series), length)
        for name, index in COMPARED.items():
            scale = max(1.0, abs(want[index]))
            assert got[name] == pytest.approx(want[index], abs=100.0 * TOLERANCE * scale), name
