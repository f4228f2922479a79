"""Tangential motion in closed form: sliding to rest, springs, impacts, breakaway, anchors.

Tolerances are multiples of the rounding of a double, 1e-16: a few for the sums of one step (1e-15,
1e-14), and a few hundred for roots of guards or for many steps (1e-13, 1e-12).
"""

import math
import random
from itertools import pairwise

import pytest

from .energy import EnergyAccount
from .models import model_of
from .trace import record


@pytest.mark.parametrize(("step_size", "count"), [(2.0, 1), (0.01, 200), (0.5, 4), (0.3, 7)])
def test_a_body_slides_to_rest_after_half_v_squared_over_mu_g(step_size, count):
    # v = v0 − μ g t gives rest after v0/(μ g), distance v0²/(2 μ g), friction work ½ m v0².
    model = model_of(mass=2.0, friction_coefficient=0.2, gravity=9.81, initial_velocity=-1.7)
    for _ in range(count):
        model.step(step_size)
    outputs = model.outputs()
    distance = 1.7**2 / (2 * 0.2 * 9.81)
    assert outputs["relative_displacement"] == pytest.approx(-distance, rel=1e-14)
    assert outputs["sliding_distance"] == pytest.approx(distance, rel=1e-14)
    assert outputs["wear_work"] == pytest.approx(2.0 * 9.81 * distance, rel=1e-14)
    assert outputs["friction_work"] == pytest.approx(0.5 * 2.0 * 1.7**2, rel=1e-14)
    assert outputs["relative_velocity"] == 0.0
    assert outputs["contact_mode"] == 1.0


@pytest.mark.parametrize(("step_size", "count"), [(10.0, 1), (0.01, 1000)])
def test_each_half_cycle_on_a_spring_is_shorter_by_twice_the_friction_over_k(step_size, count):
    # The mass follows half cosines about s μ F_N/k with amplitudes a, a − 2δ, a − 4δ, …, where
    # δ = μ F_N/k. It stops where |u| ≤ δ. With a = 1.05 m and δ = 0.1 m, five half cycles lead to
    # −0.05 m.
    model = model_of(stiffness=10.0, friction_coefficient=0.1, initial_displacement=1.05)
    trace = record(model)
    for _ in range(count):
        model.step(step_size)
    outputs = model.outputs()
    assert outputs["relative_displacement"] == pytest.approx(-0.05, abs=1e-14)
    amplitudes = [1.05, 0.85, 0.65, 0.45, 0.25, 0.05]
    distance = sum(a + b for a, b in pairwise(amplitudes))
    assert outputs["sliding_distance"] == pytest.approx(distance, rel=1e-13)
    assert outputs["wear_work"] == pytest.approx(10.0 * distance, rel=1e-13)
    # The mass starts in slip. Each of the four reversals counts as a new slip.
    assert outputs["slip_count"] == 4.0
    arrests = [s.start + s.duration for s in trace.segments if s.event == "arrest"]
    half = math.pi / math.sqrt(10.0)
    assert arrests == pytest.approx([half * n for n in range(1, 6)], rel=1e-13)


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
@pytest.mark.parametrize(
    ("tangential", "slides_through"), [(2.0, True), (-2.0, True), (0.1, False), (-0.1, False)]
)
def test_an_oblique_impact_takes_coulombs_share_of_the_tangential_velocity(
    tangential, slides_through, restitution
):
    # P = m (1 + e) v and |u′⁺| = max(0, |u′⁻| − μ P/m). The wear is P_s (|u′⁻| + |u′⁺|)/2 with
    # P_s = min(P, m |u′⁻|/μ).
    mass, friction, speed = 3.0, 0.4, 0.5
    model = model_of(
        mass=mass,
        gravity=0.0,
        friction_coefficient=friction,
        normal_law="rigid",
        restitution=restitution,
        initial_gap=0.05,
        initial_velocity=tangential,
        initial_normal_velocity=-speed,
    )
    model.step(0.15)
    outputs = model.outputs()
    impulse = mass * (1.0 + restitution) * speed
    after = abs(tangential) - friction * impulse / mass
    if slides_through:
        assert after > 0.0
        used = impulse
    else:
        assert after < 0.0
        after, used = 0.0, mass * abs(tangential) / friction
    assert outputs["relative_velocity"] == pytest.approx(
        math.copysign(after, tangential), abs=1e-15
    )
    assert outputs["impact_impulse"] == pytest.approx(impulse, rel=1e-15)
    assert outputs["wear_work"] == pytest.approx(used * (abs(tangential) + after) / 2, rel=1e-14)
    assert outputs["friction_work"] == pytest.approx(
        mass * (tangential**2 - after**2) / 2, rel=1e-14
    )
    # μ P_s (|u′⁻| + |u′⁺|)/2 is the same energy.
    assert outputs["friction_work"] == pytest.approx(friction * outputs["wear_work"], rel=1e-14)
    assert outputs["gap_velocity"] == pytest.approx(restitution * speed, rel=1e-14, abs=0.0)
    assert outputs["gap"] == pytest.approx(restitution * speed * 0.05, abs=1e-16)
    # The tangential velocity is u′⁻ for 0.1 s and u′⁺ for 0.05 s.
    want = 0.1 * tangential + 0.05 * outputs["relative_velocity"]
    assert outputs["relative_displacement"] == pytest.approx(want, rel=1e-14)


def test_an_impact_without_friction_leaves_the_tangential_velocity():
    model = model_of(
        gravity=0.0,
        friction_coefficient=0.0,
        normal_law="rigid",
        restitution=0.5,
        initial_gap=0.05,
        initial_velocity=0.3,
        initial_normal_velocity=-1.0,
    )
    model.step(0.1)
    outputs = model.outputs()
    assert outputs["relative_velocity"] == 0.3
    # F_N |slip velocity| does not depend on friction.
    assert outputs["wear_work"] == pytest.approx(1.5 * 0.3, rel=1e-15)
    assert outputs["friction_work"] == 0.0


@pytest.mark.parametrize("step_size", [0.02, 0.001])
def test_a_penalised_shock_that_slides_through_takes_mu_times_its_impulse(step_size):
    # F_N = K_N v/ω sin ωt for π/ω has the impulse 2 m v, and u′ falls by μ 2 v. F_N is symmetric in
    # time and its impulse is antisymmetric, so ∫ F_N u′ dt = 2 m v (u′⁻ + u′⁺)/2. This is the wear
    # of a rigid impact with e = 1.
    model = model_of(
        mass=2.0,
        gravity=0.0,
        friction_coefficient=0.3,
        normal_law="penalty",
        contact_stiffness=1e6,
        initial_gap=1e-3,
        initial_velocity=1.0,
        initial_normal_velocity=-0.5,
    )
    trace = record(model)
    for _ in range(round(0.02 / step_size)):
        model.step(step_size)
    outputs = model.outputs()
    assert outputs["relative_velocity"] == pytest.approx(1.0 - 0.3 * 2.0 * 0.5, rel=1e-13)
    assert outputs["wear_work"] == pytest.approx(2.0 * 2.0 * 0.5 * (1.0 + 0.7) / 2.0, rel=1e-12)
    assert (outputs["shock_count"], outputs["slip_count"]) == (1.0, 1.0)
    # The contact closes in slip, without stick in between.
    assert {segment.sliding for segment in trace.segments if segment.contact} == {1}


@pytest.mark.parametrize(("step_size", "count"), [(3.0, 1), (0.25, 12), (0.1, 30)])
def test_a_growing_load_breaks_static_friction_and_then_meets_the_dynamic_one(step_size, count):
    # The load is r t. Breakaway is at μ_s F_N/r, then m u″ = (μ_s − μ_d) F_N + r τ.
    model = model_of(
        mass=2.0, gravity=5.0, friction_coefficient=0.1, friction_coefficient_static=0.2
    )
    trace = record(model)
    for index in range(count):
        model.step_polynomial(step_size, tangential_load=(index * step_size, 1.0))
    assert next(s.start + s.duration for s in trace.segments if "break" in s.event) == (
        pytest.approx(2.0, rel=1e-15)
    )
    outputs = model.outputs()
    assert outputs["relative_velocity"] == pytest.approx((1.0 + 0.5) / 2.0, rel=1e-13)
    assert outputs["relative_displacement"] == pytest.approx((0.5 + 1.0 / 6.0) / 2.0, rel=1e-13)
    assert outputs["friction_force"] == -1.0
    assert outputs["slip_count"] == 1.0


@pytest.mark.parametrize("static", [0.1, 0.15])
def test_an_anchor_without_damper_jumps_at_breakaway_and_books_its_wear(static):
    # A mass with velocity −v0 in the spring K_T follows u = (v0/ω) sin ωt until K_T |u| = μ_s F_N.
    # The anchor then moves until K_T |e| = μ_d F_N. After this, friction is constant and the mass
    # moves by v_b²/(2 μ_d g), where v_b is its velocity at breakaway. Then it oscillates in stick.
    stiffness, dynamic, force, start = 1e4, 0.1, 10.0, -0.5
    model = model_of(
        friction_coefficient=dynamic,
        friction_coefficient_static=static,
        tangential_law="penalty",
        tangential_stiffness=stiffness,
        tangential_damping=0.0,
        initial_velocity=start,
    )
    trace = record(model)
    model.step(0.6)
    first = trace.segments
    breakaway = next(s for s in first if "break" in s.event)
    frequency = math.sqrt(stiffness)
    sine = static * force / stiffness * frequency / 0.5
    assert breakaway.start + breakaway.duration == pytest.approx(
        math.asin(sine) / frequency, rel=1e-13
    )
    speed = 0.5 * math.sqrt(1.0 - sine**2)
    jump = (static - dynamic) * force / stiffness
    slid = speed**2 / (2.0 * dynamic * force)
    outputs = model.outputs()
    assert outputs["sliding_distance"] == pytest.approx(jump + slid, rel=1e-12)
    assert outputs["wear_work"] == pytest.approx(force * (jump + slid), rel=1e-12)
    # Loss of the spring: (μ_s² − μ_d²) F_N²/(2 K_T).
    loss = (static**2 - dynamic**2) * force**2 / (2.0 * stiffness)
    assert outputs["friction_work"] == pytest.approx(loss + dynamic * force * slid, rel=1e-12)
    account = EnergyAccount(model.parameters, trace.segments)
    assert account.terms["anchor jump"] == pytest.approx(loss, rel=1e-12, abs=1e-18)
    # The mass stops with K_T |e| = μ_d F_N and oscillates with that amplitude. If μ_s = μ_d, it
    # touches the cone again at every peak, within rounding.
    assert outputs["slip_count"] == 1.0 or static == dynamic
    energy = (
        0.5 * outputs["relative_velocity"] ** 2 + 0.5 * outputs["friction_force"] ** 2 / stiffness
    )
    assert energy == pytest.approx(0.5 * (dynamic * force) ** 2 / stiffness, rel=1e-10)


@pytest.mark.parametrize("damping", [0.0, 1.0, 200.0])
def test_penalised_friction_lags_behind_its_force_in_slip_by_c_over_k(damping):
    # Steady slip under F_N = N0 + N1 t: e = s (μ_d/K_T)(F_N − N1 C_T/K_T), ȧ = u̇ − s μ_d N1/K_T.
    stiffness = 1e4
    model = model_of(
        friction_coefficient=0.2,
        tangential_law="penalty",
        tangential_stiffness=stiffness,
        tangential_damping=damping,
        initial_velocity=10.0,
    )
    # The influence of the start has decayed to e^-45, because C_T/K_T is at most 0.02 s.
    model.step_polynomial(0.9, normal_load=(0.0, 4.0))
    outputs = model.outputs()
    force = 10.0 + 4.0 * 0.9
    assert outputs["normal_force"] == pytest.approx(force, rel=1e-15)
    assert outputs["friction_force"] == pytest.approx(-0.2 * force, rel=1e-15)
    sliding = outputs["relative_velocity"] - 0.2 * 4.0 / stiffness
    assert outputs["slip_velocity"] == pytest.approx(sliding, rel=1e-14)
    lag = outputs["relative_displacement"] - outputs["sliding_distance"]
    assert lag == pytest.approx(0.2 / stiffness * (force - 4.0 * damping / stiffness), abs=1e-14)
    # The mass follows m u″ = −μ_d F_N for any stretch, except at the start in stick.
    velocity = 10.0 - 0.2 * (10.0 * 0.9 + 2.0 * 0.81)
    assert outputs["relative_velocity"] == pytest.approx(velocity, abs=1e-4)


@pytest.mark.long
@pytest.mark.parametrize("damping", [1e-13, 1e-15, 1e-20])
@pytest.mark.parametrize("start", [1e-3, 1.0])
@pytest.mark.parametrize("shaking", [0.0, 15.0], ids=["free", "shaken"])
@pytest.mark.parametrize("normal_law", ["prescribed", "penalty"])
def test_a_vanishing_friction_damper_is_none(normal_law, shaking, start, damping):
    # C_T u̇ is a few roundings of μ F_N, or less, so the anchor reaches the velocity of the mass
    # almost at once. F_N is constant, so wear_work = F_N × sliding_distance.
    def run(damping: float) -> tuple[dict[str, float], EnergyAccount]:
        model = model_of(
            normal_law=normal_law,
            start_in_equilibrium=normal_law == "penalty",
            contact_stiffness=1e5,
            tangential_law="penalty",
            tangential_damping=damping,
            initial_velocity=start,
        )
        trace = record(model)
        for index in range(20):
            model.step(0.02, shaking * math.sin(0.04 * math.pi * index))
        return model.outputs(), EnergyAccount(model.parameters, trace.segments)

    outputs, account = run(damping)
    # The sum has a few thousand pieces.
    assert outputs["wear_work"] == pytest.approx(10.0 * outputs["sliding_distance"], rel=1e-13)
    assert account.relative_residual <= 1e-12, account.terms
    # Without base motion, the mass stops and then oscillates up to the cone. The tolerance is a
    # thousand radians a second times a hundred roundings.
    limit, _ = run(0.0)
    for name in ("wear_work", "friction_work", "relative_displacement"):
        assert outputs[name] == pytest.approx(limit[name], rel=1e-10, abs=1e-17), name


@pytest.mark.parametrize(
    ("seed", "damping"),
    [(31, 1e-18), (225, 2.3e-19), (342, 9.3e-18), (594, 7.5e-16), (768, 1e-21), (1009, 6e-19)],
)
def test_a_vanishing_friction_damper_is_none_under_a_bouncing_force(seed, damping):
    # Discontinuous loads make the penalised contact open, close with a very small force, and slip
    # while its force falls. The damper force is then less than the rounding of the other forces.
    draw = random.Random(seed)
    parameters: dict[str, object] = {
        "tangential_law": "penalty",
        "normal_law": draw.choice(["penalty", "prescribed"]),
        "tangential_stiffness": 10 ** draw.uniform(2, 7),
        "friction_coefficient_static": draw.choice([-1.0, -1.0, 0.15]),
        "stiffness": draw.choice([0.0, 100.0]),
        "contact_stiffness": 10 ** draw.uniform(3, 6),
        "initial_velocity": draw.choice([0.0, 0.3]),
        "input_extrapolation_order": 0,
        "contact_damping": draw.choice([0.0, 0.0, 10 ** draw.uniform(-2, 3)]),
    }
    draw.uniform(-21, -8)
    step_size = draw.choice([1e-3, 1e-2])
    loads = [(draw.choice([0, 2, -3, 10]), draw.choice([0, 0, 5, -15, -20])) for _ in range(60)]
    results = []
    for tangential_damping in (damping, 0.0):
        model = model_of(tangential_damping=tangential_damping, **parameters)
        for tangential, normal in loads:
            model.step(step_size, tangential_load=tangential, normal_load=normal)
        results.append(model.outputs())
    got, limit = results
    # Events at touching guards are located to the square root of the rounding.
    for name in ("wear_work", "sliding_distance", "relative_displacement", "relative_velocity"):
        assert got[name] == pytest.approx(limit[name], rel=1e-6, abs=1e-9), name
