"""Friction that depends on velocity: closed forms, an independent integration, energy, splits."""

import math
import os
import random
from dataclasses import replace
from typing import Any

import pytest

from wearmodel import FrictionalShock, FrictionalShockParameters, NormalLaw, Obstacle, TangentialLaw
from wearmodel.kernel.shoe import steps as communication
from wearmodel.kernel.shoe.stepper import advance

from .energy import EnergyAccount
from .independent_shock import IndependentShock, TooManyEventsError
from .trace import record

LAWS = [(normal, tangential) for normal in NormalLaw for tangential in TangentialLaw]
DURATION = 0.5
COMPARED = {
    "relative_displacement": 0,
    "relative_velocity": 1,
    "gap": 2,
    "gap_velocity": 3,
    "wear_work": 5,
    "friction_work": 6,
}
# Error of scipy after a few hundred steps at 1e-12 each.
TOLERANCE = 1e-9
# Effect of cutting a step into parts, because each piece has its own rounding.
SPLIT_TOLERANCE = 1e-10
GRAVITY = 10.0


def random_problem(
    normal: NormalLaw, tangential: TangentialLaw, seed: int
) -> tuple[FrictionalShockParameters, dict[str, list[float]]]:
    """Return a problem with weakening, strengthening or viscous friction for a pair of laws."""
    r = random.Random(f"{normal.name} {tangential.name} {seed}")
    dynamic = r.choice([0.05, 0.1, 0.3])
    slow, decay = r.choice(
        [(-1.0, 0.0), (2.5 * dynamic, 0.1), (2.5 * dynamic, 0.02), (0.4 * dynamic, 0.05)]
    )
    viscous = 0.2 if slow < 0.0 else r.choice([0.0, 0.1])
    static = r.choice([-1.0, -1.0, 1.2 * max(slow, dynamic)])
    gap = 0.0
    if normal is not NormalLaw.prescribed:
        gap = r.choice([2e-3, 0.02])
        if normal is NormalLaw.penalty:
            gap = r.choice([gap, -5e-3])
    parameters = FrictionalShockParameters(
        mass=r.choice([1.0, 2.5]),
        friction_coefficient=dynamic,
        friction_coefficient_static=static,
        friction_coefficient_slow=slow,
        friction_decay_velocity=decay,
        viscous_friction=viscous,
        stiffness=r.choice([0.0, 100.0, 400.0]),
        damping=r.choice([0.0, 1.0]),
        normal_stiffness=r.choice([0.0, 50.0]),
        normal_damping=r.choice([0.0, 1.0]),
        initial_gap=gap,
        normal_law=normal,
        tangential_law=tangential,
        obstacle=r.choice(list(Obstacle)) if gap >= 0.0 else Obstacle.one_plane,
        plane_half_spacing=0.03,
        contact_stiffness=r.choice([2e3, 2e4]),
        contact_damping=r.choice([0.0, 20.0]),
        tangential_stiffness=r.choice([2e3, 2e4]),
        tangential_damping=r.choice([-1.0, 0.0, 5.0]),
        restitution=r.choice([0.0, 0.5, 0.8]),
        initial_velocity=r.choice([0.0, 0.3, -0.5]),
    )
    size = r.choice([5.0, 15.0])
    inputs = {
        "base_acceleration": [r.uniform(-1, 1) * size / DURATION**j for j in range(4)],
        "base_acceleration_normal": [r.uniform(-1, 1) * 0.3 * size / DURATION**j for j in range(3)],
        "tangential_load": [0.0],
        "normal_load": [r.uniform(0.0, 5.0), r.uniform(-2.0, 2.0)],
    }
    return parameters, inputs


def computed(
    parameters: FrictionalShockParameters, inputs: dict[str, list[float]], steps: int = 1
) -> dict[str, float]:
    """Return the outputs after DURATION in `steps` steps under the exact polynomials."""
    model = FrictionalShock(parameters, **{name: series[0] for name, series in inputs.items()})
    length = DURATION / steps
    for step in range(steps):
        start = step * length
        shifted: dict[str, Any] = {
            name: [
                math.fsum(
                    math.comb(k, j) * series[k] * start ** (k - j) for k in range(j, len(series))
                )
                for j in range(len(series))
            ]
            for name, series in inputs.items()
        }
        model.step_polynomial(length, **shifted)
    return model.outputs()


def difference(got: dict[str, float], want: dict[str, float]) -> float:
    """Return the largest difference, which is relative for works above 1 J."""
    worst = 0.0
    for name in COMPARED:
        is_work = name.endswith("work")
        scale = max(1.0, abs(want[name])) if is_work else 1.0
        worst = max(worst, abs(got[name] - want[name]) / scale)
    return worst


def compared(
    normal: NormalLaw, tangential: TangentialLaw, runs: int, *, wearing: bool = False
) -> int:
    """Compare `runs` runs with the independent integration. Return how many were too sensitive.

    With `wearing`, wear opens the gaps by 1e-4 to 3e-3 m per joule.
    """
    seed = counted = left_out = 0
    while counted < runs:
        parameters, inputs = random_problem(normal, tangential, seed)
        if wearing:
            scale = (1e5, 1e6, 3e6)[seed % 3]
            parameters = replace(parameters, wear_feedback=True, wear_time_scale=scale)
        seed += 1
        shock = IndependentShock(parameters, inputs)
        try:
            state = shock.run(DURATION)
        except TooManyEventsError:
            continue
        got = computed(parameters, inputs)
        nudged = {name: [c * (1.0 + 1e-14) for c in series] for name, series in inputs.items()}
        if difference(computed(parameters, nudged), got) > TOLERANCE:
            left_out += 1
            continue
        counted += 1
        want = {name: float(state[index]) for name, index in COMPARED.items()}
        want["gap"] = want["gap_velocity"] = 0.0
        if normal is not NormalLaw.prescribed:
            planes = (1, -1) if parameters.obstacle is Obstacle.two_planes else (1,)
            gap, plane = min((shock.gap(plane, state), plane) for plane in planes)
            opening_rate = shock.opening * shock.rates(shock.time, state)[5]
            want["gap"], want["gap_velocity"] = gap, plane * float(state[3]) + opening_rate
        assert difference(got, want) <= TOLERANCE, (seed - 1, got, want)
        for parts in (2, 7, 50):
            assert difference(computed(parameters, inputs, parts), got) <= SPLIT_TOLERANCE, seed - 1
    return left_out


laws = pytest.mark.parametrize(
    ("normal", "tangential"), LAWS, ids=[f"{one.name}-{two.name}" for one, two in LAWS]
)


@pytest.mark.long
@laws
def test_random_runs_agree_with_an_independent_integration(normal, tangential):
    # The other 180 runs are in the campaigns.
    assert compared(normal, tangential, 4) == 0


@pytest.mark.long
@pytest.mark.parametrize("tangential", TangentialLaw, ids=lambda law: law.name)
def test_random_runs_whose_wear_opens_the_gaps_agree_with_an_independent_integration(tangential):
    assert compared(NormalLaw.penalty, tangential, 6, wearing=True) == 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("normal", "tangential", "wearing"),
    [(*pair, False) for pair in LAWS] + [(NormalLaw.penalty, one, True) for one in TangentialLaw],
    ids=[f"{one.name}-{two.name}" for one, two in LAWS]
    + [f"wearing-{one.name}" for one in TangentialLaw],
)
def test_energy_closes_from_the_trace_of_random_runs(normal, tangential, wearing):
    for seed in range(24 if os.environ.get("WEARFMU_CAMPAIGN") else 6):
        parameters, inputs = random_problem(normal, tangential, seed)
        if wearing:
            if parameters.in_force().tangential_damping == 0.0:
                continue  # the trace does not resolve sudden steps of the anchor
            parameters = replace(parameters, wear_feedback=True, wear_time_scale=1e6)
        model = FrictionalShock(parameters, **{name: one[0] for name, one in inputs.items()})
        trace = record(model)
        model.step_polynomial(DURATION, **inputs)
        account = EnergyAccount(parameters, trace.segments)
        # Relative to the energy turnover, because the sums over the pieces are rounded.
        assert account.relative_residual <= 1e-13, (seed, account.terms)
        outputs = model.outputs()
        assert outputs["wear_work"] == pytest.approx(account.wear_work, rel=1e-10)
        friction_work = pytest.approx(account.friction_work, rel=1e-10, abs=1e-13)
        assert outputs["friction_work"] == friction_work


def free_slide(**parameters: float) -> FrictionalShock:
    """Return a mass that starts at 1 m/s on a support at rest, with μ_d = 0.1."""
    return FrictionalShock(
        FrictionalShockParameters(
            gravity=GRAVITY, friction_coefficient=0.1, initial_velocity=1.0, **parameters
        )
    )


@pytest.mark.parametrize("steps", [1, 3, 100])
def test_viscous_friction_lets_a_body_slow_down_exponentially(steps):
    model, viscous, until = free_slide(viscous_friction=0.05), 0.05, 0.5
    for _ in range(steps):
        model.step(until / steps)
    ratio = 0.1 / viscous
    speed = (1.0 + ratio) * math.exp(-GRAVITY * viscous * until) - ratio
    assert model.outputs()["relative_velocity"] == pytest.approx(speed, rel=1e-14 + 1e-15 * steps)


@pytest.mark.parametrize("steps", [1, 3, 100])
@pytest.mark.parametrize("slow", [0.3, 0.05], ids=["weakening", "strengthening"])
def test_exponential_friction_follows_the_closed_form_of_a_free_slide(slow, steps):
    decay, until, drop = 0.2, 0.5, slow - 0.1
    model = free_slide(friction_coefficient_slow=slow, friction_decay_velocity=decay)
    for _ in range(steps):
        model.step(until / steps)
    start = 0.1 * math.exp(1.0 / decay) + drop
    grown = start * math.exp(-GRAVITY * 0.1 * until / decay) - drop
    speed = decay * math.log(grown / 0.1)
    assert model.outputs()["relative_velocity"] == pytest.approx(speed, rel=1e-14 + 1e-15 * steps)


@pytest.mark.parametrize("viscous", [0.0, 0.2])
@pytest.mark.parametrize("slow", [0.3, 0.05], ids=["weakening", "strengthening"])
def test_a_free_slide_dissipates_its_kinetic_energy_whatever_the_law(slow, viscous):
    model = free_slide(
        friction_coefficient_slow=slow, friction_decay_velocity=0.2, viscous_friction=viscous
    )
    for _ in range(30):
        model.step(0.1)
    outputs = model.outputs()
    assert outputs["contact_mode"] == 1.0
    assert outputs["friction_work"] == pytest.approx(0.5, rel=1e-14)


def test_an_impact_slows_the_mass_down_as_a_slide_does():
    """m d|u̇|/dP = −μ has the closed forms of the free slide, with P instead of m g t."""
    decay, drop, approach = 0.2, 0.2, 0.15
    model = FrictionalShock(
        FrictionalShockParameters(
            mass=2.0,
            gravity=0.0,
            normal_law=NormalLaw.rigid,
            restitution=0.5,
            initial_gap=0.015,
            initial_velocity=1.0,
            initial_normal_velocity=-approach,
            friction_coefficient=0.1,
            friction_coefficient_slow=0.3,
            friction_decay_velocity=decay,
        )
    )
    model.step(0.2)
    impulse = 2.0 * 1.5 * approach
    grown = (0.1 * math.exp(1.0 / decay) + drop) * math.exp(-0.1 * impulse / 2.0 / decay) - drop
    speed = decay * math.log(grown / 0.1)
    outputs = model.outputs()
    assert outputs["relative_velocity"] == pytest.approx(speed, rel=1e-14)
    assert outputs["friction_work"] == pytest.approx(1.0 - speed**2, rel=1e-13)
    # ∫ |u̇| dP by Simpson's rule on the closed form, with an error of order 1e-4^4.
    count = 2000
    speeds = [
        decay
        * math.log(
            (
                (0.1 * math.exp(1.0 / decay) + drop) * math.exp(-0.05 * i / count * impulse / decay)
                - drop
            )
            / 0.1
        )
        for i in range(count + 1)
    ]
    weights = [1.0] + [4.0, 2.0] * (count // 2 - 1) + [4.0, 1.0]
    wear = sum(w * v for w, v in zip(weights, speeds, strict=True)) * impulse / count / 3.0
    assert outputs["wear_work"] == pytest.approx(wear, rel=1e-12)


def test_weakening_friction_loses_no_event_at_a_hundredth_of_the_step():
    """With dμ/dv < 0 and a rigid law, modes and their times do not depend on the step."""
    parameters = FrictionalShockParameters(
        friction_coefficient=0.1,
        friction_coefficient_slow=0.4,
        friction_decay_velocity=0.02,
        stiffness=100.0,
        initial_velocity=-0.1,
    )
    # m ü + k u = −m A. In the frame of a belt at 0.1 m/s, the load on the mass grows steadily.
    histories = []
    for parts in (10, 1000):
        model = FrictionalShock(parameters)
        trace = record(model)
        length = 10.0 / parts
        for step in range(parts):
            pulled = 100.0 * 0.1
            model.step_polynomial(length, tangential_load=[pulled * step * length, pulled])
        histories.append(
            [(one.event, one.start + one.duration) for one in trace.segments if one.event != "none"]
        )
    few, many = histories
    assert len(few) > 20
    assert [event for event, _ in few] == [event for event, _ in many]
    for (_, one), (_, other) in zip(few, many, strict=True):
        assert one == pytest.approx(other, abs=1e-11)


@pytest.mark.parametrize("tangential", TangentialLaw, ids=lambda law: law.name)
@pytest.mark.parametrize("normal", NormalLaw, ids=lambda law: law.name)
def test_weakening_friction_under_a_changing_load_keeps_its_events_in_steps_taken_at_once(
    normal, tangential, monkeypatch
):
    """With dμ/dv < 0, compare long steps in pieces with 250 short steps each, mostly at once."""
    by_pieces = []

    def counted(*arguments: Any) -> int:
        by_pieces.append(arguments)
        return advance(*arguments)

    parameters = FrictionalShockParameters(
        friction_coefficient=0.1,
        friction_coefficient_slow=0.4,
        friction_decay_velocity=0.02,
        stiffness=100.0,
        normal_law=normal,
        tangential_law=tangential,
        tangential_stiffness=1e5,
        contact_stiffness=1e4,
        start_in_equilibrium=normal is NormalLaw.penalty,
    )
    whole, parts = FrictionalShock(parameters), FrictionalShock(parameters)
    trace = record(whole)
    length, count, slips = 0.5, 250, 0
    monkeypatch.setattr(communication, "advance", counted)
    for step in range(20):
        # The load corresponds to a belt at 0.1 m/s that slows down and turns back.
        start = step * length
        load = [10.0 * start - 0.8 * start**2, 10.0 - 1.6 * start, -0.8]
        whole.step_polynomial(length, tangential_load=load)
        for part in range(count):
            t = part * length / count
            parts.step_polynomial(
                length / count,
                tangential_load=[
                    load[0] + load[1] * t + load[2] * t**2,
                    load[1] + 2.0 * load[2] * t,
                    load[2],
                ],
            )
        want, got = whole.outputs(), parts.outputs()
        del want["input_prediction_error"]  # depends on the steps
        for name, value in want.items():
            # Five thousand steps are rounded. K_N and K_T multiply the rounding of positions.
            assert got[name] == pytest.approx(value, rel=1e-10, abs=1e-11), (name, step)
        slips = int(want["slip_count"])
    assert len(by_pieces) < 0.1 * 20 * count
    # Chattering is excluded: every breakaway starts a slip with a duration.
    breakaways = [one for one in trace.segments if one.event.startswith("breakaway")]
    assert len(breakaways) == slips >= 6


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"friction_coefficient_slow": 0.3}, "friction_coefficient_slow=0.3 needs"),
        (
            {
                "friction_coefficient_slow": 0.3,
                "friction_decay_velocity": 0.1,
                "friction_coefficient_static": 0.2,
            },
            "friction_coefficient_static=0.2 must be ≥ friction_coefficient_slow=0.3",
        ),
        ({"viscous_friction": -0.1}, "viscous_friction=-0.1 s/m must be ≥ 0"),
        ({"friction_decay_velocity": -0.1}, "friction_decay_velocity=-0.1 m/s must be ≥ 0"),
    ],
    ids=["no decay velocity", "static below slow", "viscous", "decay velocity"],
)
def test_coefficients_that_contradict_each_other_are_refused(values, message):
    with pytest.raises(ValueError, match=message):
        FrictionalShockParameters(**values)


def test_a_static_coefficient_below_the_fast_one_is_allowed_where_friction_strengthens():
    parameters = FrictionalShockParameters(
        friction_coefficient=0.15, friction_coefficient_slow=0.05, friction_decay_velocity=0.1
    )
    assert parameters.static_coefficient == 0.05
