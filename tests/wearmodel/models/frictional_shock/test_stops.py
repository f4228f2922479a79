"""Stops of a sliding mass: closed forms, independent integration, energy, events, snapshots."""

import math
import os
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from wearmodel import FrictionalShock, FrictionalShockParameters, NormalLaw, TangentialLaw
from wearmodel.batch.record_runs import run_records
from wearmodel.kernel.events import EventKinds

from .energy import EnergyAccount
from .independent_shock import IndependentShock
from .law_combinations import laws
from .random_runs import assert_agrees, run_in_parts

G = 10.0  # m/s2, the default
# In run 14, the spring pulls a mass away from a rigid stop.
SEEDS = range(35) if os.environ.get("WEARFMU_CAMPAIGN") else (*range(11), 14)


def shock(**values: Any) -> FrictionalShock:
    return FrictionalShock(FrictionalShockParameters(**values))


def drawn_problem(seed: int, normal: NormalLaw, tangential: TangentialLaw) -> Any:
    """Return parameters with stops that are reached within half a second, and cubic inputs."""
    draw = random.Random(f"{seed} {normal} {tangential}")
    dynamic = draw.choice([0.05, 0.1, 0.3, 0.6])
    if tangential is TangentialLaw.rigid:
        dynamic = draw.choice([0.0, dynamic])
    varying: dict[str, float] = {}
    if dynamic and draw.random() < 0.3:
        varying = {
            "friction_coefficient_slow": dynamic * draw.choice([0.8, 1.5]),
            "friction_decay_velocity": draw.uniform(0.1, 1.0),
            "viscous_friction": draw.choice([0.0, 0.05]),
        }
    stops: dict[str, float] = {
        "stop_upper": draw.choice([1e30, 0.05, 0.12]),
        "stop_lower": draw.uniform(-0.1, -0.02),
    }
    if draw.random() < 0.5:
        stops["stop_restitution"] = draw.choice([0.0, 0.3, 0.7, 1.0])
    else:
        stops["stop_stiffness"] = 10.0 ** draw.uniform(2.5, 4.5)
        ratio = draw.choice([0.0, 0.1, 0.8, 3.0])
        stops["stop_damping"] = ratio * 2.0 * math.sqrt(stops["stop_stiffness"])
    parameters = FrictionalShockParameters(
        mass=draw.choice([1.0, 2.0]),
        friction_coefficient=dynamic,
        friction_coefficient_static=draw.choice([-1.0, 1.6 * dynamic + 0.05]),
        stiffness=draw.choice([0.0, 40.0]),
        damping=draw.choice([0.0, 0.5]),
        normal_law=normal,
        tangential_law=tangential,
        contact_stiffness=3e3,
        contact_damping=draw.choice([0.0, 20.0]),
        tangential_stiffness=draw.choice([500.0, 3e3]),
        tangential_damping=draw.choice([-1.0, 5.0]) if dynamic else -1.0,
        restitution=draw.choice([0.0, 0.5]),
        initial_gap=draw.choice([1e-3, 5e-3]) if normal is not NormalLaw.prescribed else 0.0,
        initial_velocity=draw.uniform(-2.0, 2.0),
        **varying,
        **stops,
    )
    span = 0.5
    inputs = {
        "base_acceleration": [draw.uniform(-40.0, 40.0) / span**order for order in range(4)],
        "base_acceleration_normal": [draw.uniform(-8.0, 8.0) / span**order for order in range(3)],
        "tangential_load": [draw.uniform(-5.0, 5.0)],
        "normal_load": [0.0],
    }
    return parameters, inputs, span


@laws
@pytest.mark.parametrize("seed", SEEDS)
def test_random_runs_agree_with_an_independent_integration(seed, normal_law, tangential_law):
    parameters, inputs, span = drawn_problem(seed, normal_law, tangential_law)
    assert_agrees(parameters, inputs, span, lambda: IndependentShock(parameters, inputs))


@laws
@pytest.mark.parametrize("seed", SEEDS)
def test_the_energy_balance_closes_with_the_losses_of_the_stops(seed, normal_law, tangential_law):
    parameters, inputs, span = drawn_problem(seed, normal_law, tangential_law)
    got, trace = run_in_parts(parameters, inputs, span)
    account = EnergyAccount(parameters, trace.segments)
    # A hundred roundings of a few dozen terms.
    assert account.relative_residual <= 1e-12
    rounding = 1e-12 * account.turnover
    assert abs(got["stop_work"] - account.terms.get("stop", 0.0)) <= rounding
    assert abs(got["wear_work"] - account.wear_work) <= 1e-10 * account.wear_work + rounding
    if parameters.stop_stiffness == 0.0:
        for segment in trace.segments:
            assert parameters.stop_lower <= segment.after["displacement"] <= parameters.stop_upper


@pytest.mark.parametrize("step_size", [1e-3, 0.05, 3.0])
@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("restitution", [0.3, 0.8])
def test_bounces_under_a_push_come_to_rest_as_the_geometric_series_does(
    restitution, side, step_size
):
    mass, friction, push, way = 2.0, 0.2, 9.0, 0.3
    normal = mass * G
    model = shock(
        mass=mass,
        friction_coefficient=friction,
        # At 0, the displacement resolves the smallest bounce.
        stop_upper=0.0 if side > 0.0 else 1e30,
        stop_lower=0.0 if side < 0.0 else -1e30,
        initial_displacement=-side * way,
        stop_restitution=restitution,
        input_extrapolation_order=0,
    )
    forth, back = (push - friction * normal) / mass, (push + friction * normal) / mass
    fastest = math.sqrt(2.0 * forth * way)
    ratio = restitution * math.sqrt(forth / back)
    rebound = restitution * fastest
    lasts = rebound * (1.0 / back + 1.0 / math.sqrt(forth * back)) / (1.0 - ratio)
    end = math.sqrt(2.0 * way / forth) + lasts
    distance = way + rebound**2 / back / (1.0 - ratio**2)
    steps = math.ceil(3.0 / step_size)
    rested_at = None
    model = FrictionalShock(model.parameters, tangential_load=side * push)
    for step in range(steps):
        model.step(step_size, tangential_load=side * push)
        if rested_at is None and model.outputs()["contact_mode"] == 1.0:
            rested_at = (step + 1) * step_size
    got = model.outputs()
    assert rested_at == pytest.approx(end, abs=step_size)
    impulse = mass * (1.0 + restitution) * fastest / (1.0 - ratio)
    # The bounces that are left out are slower than 1e-6 of the first impact.
    assert got["stop_impulse"] == pytest.approx(impulse, rel=1e-12)
    assert got["sliding_distance"] == pytest.approx(distance, rel=1e-11)
    assert got["wear_work"] == pytest.approx(normal * distance, rel=1e-11)
    lost = push * way - friction * normal * distance
    assert got["stop_work"] == pytest.approx(lost, rel=1e-11)
    assert got["relative_displacement"] == 0.0
    assert got["relative_velocity"] == 0.0
    assert got["friction_force"] == pytest.approx(-side * friction * normal, rel=1e-15)
    assert got["stop_force"] == pytest.approx(-side * (push - friction * normal), rel=1e-14)
    assert got["absolute_acceleration"] == pytest.approx(0.0, abs=1e-14)


@pytest.mark.parametrize("acceleration", [1.0, 30.0, 1000.0])
@pytest.mark.parametrize("place", [1e-3, 0.3, 3.0])
@pytest.mark.parametrize("restitution", [0.5, 0.9, 1.0])
@pytest.mark.parametrize("share", [0.01, 0.09, 0.5])
def test_bounces_at_a_stop_far_from_0_come_to_rest(share, restitution, place, acceleration):
    """The displacement is rounded, and so is the height of the smallest bounces."""
    friction = share * acceleration
    parameters = FrictionalShockParameters(
        mass=1.0, friction_coefficient=friction / G, stop_upper=place, stop_restitution=restitution
    )
    forth, back = acceleration - friction, acceleration + friction
    ratio = restitution * math.sqrt(forth / back)
    fastest = math.sqrt(2.0 * forth * place)
    rebound = restitution * fastest
    lasts = rebound * (1.0 / back + 1.0 / math.sqrt(forth * back)) / (1.0 - ratio)
    end = math.sqrt(2.0 * place / forth) + lasts
    steps = math.ceil(1.01 * end / 1e-3)
    run = run_records(parameters, 1e-3, base_acceleration=np.full(steps + 1, -acceleration))
    assert not run.failures
    final = run.final
    assert final["contact_mode"] == 1.0
    assert final["relative_velocity"] == 0.0
    assert final["relative_displacement"] == place
    distance = place + rebound**2 / back / (1.0 - ratio**2)
    assert final["sliding_distance"] == pytest.approx(distance, rel=1e-11)
    impulse = (1.0 + restitution) * fastest / (1.0 - ratio)
    assert final["stop_impulse"] == pytest.approx(impulse, rel=1e-6)


def test_at_rest_friction_bears_the_push_up_to_its_limit_and_the_stop_the_remainder():
    model = shock(
        friction_coefficient=0.2,
        friction_coefficient_static=0.3,
        stop_upper=0.0,
        input_timing="end",
    )
    # N = 10 N, so the limit is 3 N.
    for push, friction, stop in [
        (0.0, 0.0, 0.0),
        (2.0, -2.0, 0.0),
        (7.5, -3.0, -4.5),
        (3.0, -3.0, 0.0),
        (-2.9, 2.9, 0.0),
    ]:
        model.step(0.1, tangential_load=push)
        got = model.outputs()
        assert got["friction_force"] == pytest.approx(friction, abs=1e-14)
        assert got["stop_force"] == pytest.approx(stop, abs=1e-14)
        assert (got["relative_velocity"], got["stop_count"]) == (0.0, 0.0)
        total = got["stop_force"] + got["friction_force"]
        assert got["support_force_tangential"] == pytest.approx(-total, abs=1e-14)
    # The mass leaves the stop when the pull reaches the limit, at (3 − 2.9)/(5 − 2.9) of a step.
    model.step(1.0, tangential_load=-5.0)
    left = 0.1 / 2.1
    forcing = lambda t: -2.9 - 2.1 * t  # noqa: E731
    speed = (forcing(1.0) + forcing(left)) / 2.0 * (1.0 - left) + 2.0 * (1.0 - left)
    assert model.outputs()["relative_velocity"] == pytest.approx(speed, abs=1e-13)


@pytest.mark.parametrize("ratio", [0.0, 0.5])
def test_a_penalised_stop_returns_a_mass_as_the_closed_form_of_a_damper_that_never_pulls(ratio):
    stiffness, speed, gap = 1e4, 2.0, 0.1
    model = shock(
        gravity=0.0,
        stop_upper=gap,
        stop_stiffness=stiffness,
        stop_damping=2.0 * ratio * math.sqrt(stiffness),
        initial_velocity=speed,
    )
    for _ in range(100):
        model.step(1e-3)
    got = model.outputs()
    back = 1.0
    if ratio:
        damped = math.sqrt(1.0 - ratio**2)
        angle = math.pi - math.atan2(2.0 * ratio * damped, 1.0 - 2.0 * ratio**2)
        back = math.exp(-ratio * angle / damped)
        assert back == pytest.approx(0.298436059192, abs=1e-12)
    assert got["relative_velocity"] == pytest.approx(-back * speed, rel=1e-12)
    assert got["stop_work"] == pytest.approx(0.5 * speed**2 * (1.0 - back**2), rel=1e-11, abs=1e-13)
    assert (got["stop_count"], got["stop_force"]) == (1.0, 0.0)


MODELICA = FrictionalShockParameters(
    # u is measured from the unstretched spring. The stops are ±0.4 m from the start at 0.25 m.
    stiffness=500.0,
    friction_coefficient=0.3,
    friction_coefficient_slow=0.8,
    friction_decay_velocity=0.5,
    viscous_friction=0.1,
    friction_coefficient_static=0.8008,
    initial_displacement=0.25,
    initial_velocity=-5.0,
    stop_lower=-0.15,
    stop_upper=0.65,
)


@pytest.mark.long
@pytest.mark.parametrize("step_size", [0.02, 0.1])
def test_modelicas_mass_with_stop_agrees_with_an_independent_integration(step_size):
    model = FrictionalShock(MODELICA)
    still = {"base_acceleration": [0.0], "tangential_load": [0.0]}
    still |= {"base_acceleration_normal": [0.0], "normal_load": [0.0]}
    ten = round(0.1 / step_size)
    for number in range(1, 21):
        for _ in range(ten):
            model.step(step_size)
        want = IndependentShock(MODELICA, still).run(0.1 * number)
        got = model.outputs()
        assert got["relative_displacement"] == pytest.approx(want[0], abs=1e-10)
        assert got["relative_velocity"] == pytest.approx(want[1], abs=1e-9)
    assert got["stop_count"] == 1.0


def test_a_step_ends_before_the_impact_at_a_stop_and_goes_on_after_it():
    model = shock(
        friction_coefficient=0.0, initial_velocity=1.0, stop_upper=0.05, stop_restitution=0.5
    )
    end = model.step_to_event(0.2)
    assert end.reached == pytest.approx(0.05, rel=1e-14)
    assert end.event == EventKinds.others | EventKinds.slip_changes
    assert model.outputs()["relative_velocity"] == 1.0
    model.pass_event()
    assert model.outputs()["relative_velocity"] == -0.5
    assert model.event_count == 1


def test_a_mass_that_moves_into_a_stop_at_the_start_strikes_it_there():
    model = shock(initial_velocity=2.0, stop_upper=0.0, stop_restitution=0.25)
    got = model.outputs()
    assert (got["relative_velocity"], got["stop_count"]) == (-0.5, 1.0)
    assert model.event_count == 1


@laws
@pytest.mark.parametrize("seed", range(8))
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


@laws
def test_stops_out_of_reach_change_results_by_rounding_only(normal_law, tangential_law):
    parameters, _, span = drawn_problem(3, normal_law, tangential_law)
    free = replace(
        parameters,
        stop_lower=-1e30,
        stop_upper=1e30,
        stop_restitution=0.0,
        stop_stiffness=0.0,
        stop_damping=0.0,
    )
    models = FrictionalShock(free), FrictionalShock(replace(free, stop_upper=1e6))
    draw = random.Random(5)
    for _ in range(100):
        values = [draw.uniform(-20.0, 20.0), draw.uniform(-8.0, 8.0), draw.uniform(-5.0, 5.0)]
        for model in models:
            model.step(span / 50, *values)
        first, second = (np.array(model.output_values()) for model in models)
        assert second == pytest.approx(first, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("splits", [1, 3])
def test_a_mass_creeps_to_rest_between_a_penalised_stop_and_the_limit_of_friction(splits):
    """Rounding alone ends the slip at the instant of its start, again and again."""
    parameters = FrictionalShockParameters(
        mass=0.11828710463411965,
        normal_law="prescribed",
        tangential_law="penalty",
        tangential_stiffness=104337.01759144927,
        gravity=9.81,
        initial_velocity=0.10836677606659345,
        friction_coefficient=0.2542827315998987,
        stop_upper=0.0,
        stop_stiffness=37507.07529877738,
        stop_damping=133.21566485044144,
        input_extrapolation_order=0,
    )
    push, load = -0.006900326124086104, -0.017743065695117948
    model = FrictionalShock(parameters, tangential_load=push, normal_load=load)
    for _ in range(100 * splits):
        model.step(3e-3 / splits, tangential_load=push, normal_load=load)
    got = model.outputs()
    limit = parameters.friction_coefficient * (parameters.mass * parameters.gravity + load)
    assert got["friction_force"] == pytest.approx(limit, rel=1e-11)
    pressed = (push + limit) / parameters.stop_stiffness
    assert got["relative_displacement"] == pytest.approx(pressed, rel=1e-11)
    assert abs(got["relative_velocity"]) < 1e-15
    assert got["stop_count"] == 2.0


def test_a_vanishing_contact_force_does_not_push_a_resting_mass_into_a_stop():
    model = shock(
        mass=0.14129530544778487,
        normal_law="penalty",
        tangential_law="penalty",
        contact_stiffness=10384.83799480693,
        tangential_stiffness=2128248.9172533364,
        tangential_damping=54.83717542253865,
        stiffness=3611.9940472844237,
        friction_coefficient=0.4065529055236257,
        stop_upper=0.0,
        stop_stiffness=96763.37856369189,
        stop_damping=233.856461363089,
        pendulum_radius=0.6776776277613481,
    )
    # F_N = 0 at the end of each of its seven bounces.
    model = FrictionalShock(model.parameters, normal_load=0.01082161809739136)
    model.step(0.165, normal_load=0.01082161809739136)
    assert abs(model.outputs()["relative_displacement"]) < 1e-15


@pytest.mark.parametrize("place", [0.0, 1e-3, 0.3])
def test_a_mass_pushed_from_rest_at_the_edge_of_an_undamped_stop_reaches_it_once(place):
    """The mass returns to the edge in each period and only touches it."""
    stiffness, push = 1e4, 9.0
    parameters = FrictionalShockParameters(
        mass=1.0,
        friction_coefficient=0.0,
        stop_upper=place,
        initial_displacement=place,
        stop_stiffness=stiffness,
    )
    for steps in (7, 20, 90, 501):
        run = run_records(parameters, 1.0 / steps, tangential_load=np.full(steps + 1, push))
        depth = push / stiffness * (1.0 - math.cos(math.sqrt(stiffness)))
        assert run.final["relative_displacement"] == pytest.approx(place + depth, rel=1e-11)
        assert run.final["stop_count"] == 1.0


@pytest.mark.parametrize("place", [0.0, 3.0])
@pytest.mark.parametrize("restitution", [0.1, 0.5, 0.9])
def test_the_count_of_bounces_before_rest_does_not_depend_on_the_step(restitution, place):
    parameters = FrictionalShockParameters(
        mass=2.0,
        friction_coefficient=0.2,
        stop_upper=place,
        initial_displacement=place - 3.0,
        stop_restitution=restitution,
    )
    finals = []
    for step_size, steps in [(600.0, 1), (3.0, 200), (0.05, 12000)]:
        run = run_records(parameters, step_size, tangential_load=np.full(steps + 1, 9.0))
        assert not run.failures
        finals.append(run.final)
    assert len({float(final["stop_count"]) for final in finals}) == 1
    for final in finals[1:]:
        assert final["stop_impulse"] == pytest.approx(float(finals[0]["stop_impulse"]), rel=1e-11)
