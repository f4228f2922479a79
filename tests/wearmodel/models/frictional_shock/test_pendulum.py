"""Pendulum bearing: closed forms, independent integration, energy, events and snapshots."""

import math
import random
from typing import Any

import pytest
from scipy.integrate import quad

from wearmodel import FrictionalShock, FrictionalShockParameters, NormalLaw, TangentialLaw
from wearmodel.kernel.contact.friction import knot_coefficient, knot_speed

from .energy import EnergyAccount
from .independent_shock import IndependentShock
from .law_combinations import laws
from .random_runs import assert_agrees, run_in_parts
from .test_friction_table import RULES, TabledShock, random_table

G = 9.81


def shock(**values: Any) -> FrictionalShock:
    return FrictionalShock(FrictionalShockParameters(gravity=G, **values))


@pytest.mark.parametrize("step_size", [0.01, 0.35, 20.0])
@pytest.mark.parametrize("start", [1e-6, 0.3, 40.0])
@pytest.mark.parametrize("radius", [0.5, 2.0])
@pytest.mark.parametrize("friction", [0.0, 0.02])
def test_half_swings_have_the_period_of_the_pendulum_and_lose_twice_the_friction(
    friction, radius, start, step_size
):
    start *= radius
    if friction * radius >= start:
        friction = 0.2 * start / radius
    model = shock(
        mass=3.0, friction_coefficient=friction, pendulum_radius=radius, initial_displacement=start
    )
    half = math.pi * math.sqrt(radius / G)
    rate = math.pi / half
    time, amplitude, side = 0.0, start, 1.0
    centre = friction * radius
    for step in range(1, 1 + math.ceil(min(3.0, 30 * step_size) / step_size)):
        model.step(step_size)
        while time + half <= step * step_size and amplitude > centre:
            time, amplitude, side = time + half, amplitude - 2.0 * centre, -side
        place = side * amplitude
        if amplitude > centre:
            angle = rate * (step * step_size - time)
            place = side * (centre + (amplitude - centre) * math.cos(angle))
        assert model.outputs()["relative_displacement"] == pytest.approx(place, abs=1e-10 * start)


@pytest.mark.parametrize(
    ("share", "period", "force"), [(0.1, 6e-4, 0.0125), (0.2, 2.5e-3, 0.034), (0.3, 5.8e-3, 0.065)]
)
def test_the_rise_that_the_usual_model_neglects_has_the_documented_size(share, period, force):
    # Bearing of radius R = 1 m without friction, with a mass of 1 kg. The angle φ has sin φ = u/R.
    turn = math.asin(share)
    modulus = math.sin(0.5 * turn)
    whole = quad(lambda x: 4.0 / math.sqrt(1.0 - (modulus * math.sin(x)) ** 2), 0.0, math.pi / 2)
    assert 1.0 - 2.0 * math.pi / whole[0] == pytest.approx(period, abs=5e-5)
    # Horizontal force for a slow motion under the weight W: W tan(φ + atan μ).
    exact = math.tan(turn + math.atan(0.1))
    assert 1.0 - (share + 0.1) / exact == pytest.approx(force, abs=5e-4)


def drawn_problem(seed: int, normal: NormalLaw, tangential: TangentialLaw) -> Any:
    """Return pendulum parameters with random normal force, stops and friction, and cubic inputs."""
    draw = random.Random(f"{seed} {normal} {tangential}")
    dynamic = draw.choice([0.02, 0.05, 0.1, 0.3])
    if tangential is TangentialLaw.rigid:
        dynamic = draw.choice([0.0, dynamic])
    values: dict[str, Any] = {
        "friction_coefficient": dynamic,
        "friction_coefficient_static": draw.choice([-1.0, 1.6 * dynamic + 0.05]),
    }
    kind = draw.choice(["constant", "decaying", "table"])
    if dynamic and normal is not NormalLaw.rigid and kind == "table":
        values = {"friction_table": random_table(draw), "friction_table_rule": draw.choice(RULES)}
    elif dynamic and normal is not NormalLaw.rigid and kind == "decaying":
        values["friction_coefficient_slow"] = dynamic * draw.choice([0.8, 1.5])
        values["friction_decay_velocity"] = draw.uniform(0.1, 1.0)
        values["viscous_friction"] = draw.choice([0.0, 0.05])
    if draw.random() < 0.4:
        values["stop_upper"] = draw.choice([1e30, 0.05])
        values["stop_lower"] = draw.uniform(-0.1, -0.02)
        if draw.random() < 0.5:
            values["stop_restitution"] = draw.choice([0.0, 0.3, 0.7])
        else:
            values["stop_stiffness"] = 10.0 ** draw.uniform(2.5, 4.5)
    if normal is NormalLaw.penalty and draw.random() < 0.3:
        values["wear_feedback"] = True
        values["archard_coefficient"], values["wear_area"] = 1e-7, 1e-4
    if normal is not NormalLaw.prescribed:
        values["initial_gap"] = draw.choice([1e-3, 5e-3])
    parameters = FrictionalShockParameters(
        mass=draw.choice([1.0, 2.0]),
        stiffness=draw.choice([0.0, 40.0]),
        damping=draw.choice([0.0, 0.5]),
        normal_law=normal,
        tangential_law=tangential,
        contact_stiffness=3e3,
        contact_damping=draw.choice([0.0, 20.0]),
        tangential_stiffness=draw.choice([500.0, 3e3]),
        tangential_damping=draw.choice([-1.0, 5.0]) if dynamic else -1.0,
        restitution=draw.choice([0.0, 0.5]),
        initial_velocity=draw.uniform(-1.0, 1.0),
        pendulum_radius=10.0 ** draw.uniform(-1.3, 0.3),
        **values,
    )
    span = 0.5
    inputs = {
        "base_acceleration": [draw.uniform(-20.0, 20.0) / span**order for order in range(4)],
        "base_acceleration_normal": [draw.uniform(-8.0, 8.0) / span**order for order in range(3)],
        "tangential_load": [draw.uniform(-5.0, 5.0)],
        "normal_load": [0.0],
    }
    return parameters, inputs, span


def integration(parameters: FrictionalShockParameters, inputs: Any) -> IndependentShock:
    """Return the independent integration, with a table if the parameters contain one."""
    knots = int(parameters.in_force().knots)
    if not knots:
        return IndependentShock(parameters, inputs)
    law = parameters.in_force()
    table = [[knot_speed(law, k), knot_coefficient(law, k)] for k in range(knots)]
    rule = parameters.friction_table_rule.name
    return TabledShock(parameters, inputs, table, rule)


@pytest.mark.long
@laws
@pytest.mark.parametrize("seed", range(40))
def test_random_runs_agree_with_an_independent_integration(seed, normal_law, tangential_law):
    parameters, inputs, span = drawn_problem(seed, normal_law, tangential_law)
    fewest = 1500 if parameters.in_force().knots else 200
    assert_agrees(parameters, inputs, span, lambda: integration(parameters, inputs), fewest)


@laws
@pytest.mark.parametrize("seed", range(40))
def test_the_energy_balance_closes_with_the_work_of_the_pendulum(seed, normal_law, tangential_law):
    parameters, inputs, span = drawn_problem(seed, normal_law, tangential_law)
    got, trace = run_in_parts(parameters, inputs, span)
    account = EnergyAccount(parameters, trace.segments)
    assert account.relative_residual <= 1e-12
    rounding = 1e-12 * account.turnover
    assert abs(got["pendulum_work"] - account.terms.get("pendulum", 0.0)) <= rounding
    assert abs(got["friction_work"] - account.friction_work) <= rounding
    assert abs(got["wear_work"] - account.wear_work) <= 1e-10 * account.wear_work + rounding


@laws
@pytest.mark.parametrize("seed", range(6))
def test_a_restored_run_goes_on_with_equal_bits(seed, normal_law, tangential_law):
    parameters, _, span = drawn_problem(seed, normal_law, tangential_law)
    model, other = FrictionalShock(parameters), FrictionalShock(parameters)
    draw = random.Random(seed)
    for _ in range(50):
        values = [draw.uniform(-20.0, 20.0), draw.uniform(-8.0, 8.0), draw.uniform(-5.0, 5.0)]
        other.restore(model.snapshot())
        model.step(span / 50, *values)
        other.step(span / 50, *values)
        assert other.outputs() == model.outputs()


def test_a_step_ends_at_the_reversal_of_a_swing():
    radius = 1.5
    model = shock(friction_coefficient=0.02, pendulum_radius=radius, initial_displacement=0.3)
    half = math.pi * math.sqrt(radius / G)
    for swing in (1, 2, 3):
        done = 0.0
        while done < (1.0 - 1e-9) * half:
            end = model.step_to_event(5.0)
            done += end.reached
            assert end.event
            model.pass_event()
        assert done == pytest.approx(half, rel=1e-12)
        place = model.outputs()["relative_displacement"]
        assert abs(place) == pytest.approx(0.3 - 0.04 * swing * radius, rel=1e-12)


def test_a_mass_at_rest_breaks_away_where_the_restoring_force_exceeds_the_limit_in_stick():
    for share, mode in ((0.999, 1.0), (1.001, 2.0)):
        model = shock(
            friction_coefficient=0.1,
            friction_coefficient_static=0.15,
            pendulum_radius=2.0,
            initial_displacement=share * 0.15 * 2.0,
        )
        assert model.outputs()["contact_mode"] == mode


def test_the_limit_of_a_large_radius_is_a_flat_surface():
    flat = {"friction_coefficient": 0.1, "initial_velocity": 1.0, "stiffness": 20.0}
    models = shock(**flat), shock(**flat, pendulum_radius=1e12)
    for _ in range(50):
        for model in models:
            model.step(0.02, base_acceleration=3.0)
    first, second = (model.outputs() for model in models)
    for name, value in first.items():
        assert second[name] == pytest.approx(value, rel=1e-9, abs=1e-9), name
