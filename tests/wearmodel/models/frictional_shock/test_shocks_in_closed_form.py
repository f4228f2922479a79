"""Normal motion in closed form: spring wall, bouncing ball, two planes, lift-off, dampers.

Tolerances are multiples of the rounding of a double, 1e-16: a few for the sums of one step (1e-15,
1e-14), and a few hundred for roots of guards or for many steps (1e-13, 1e-12).
"""

import math
from itertools import pairwise

import pytest

from wearmodel import FrictionalShock, FrictionalShockParameters, StepError
from wearmodel.kernel import limits
from wearmodel.kernel.shoe.parameters import NormalLaw, Parameters
from wearmodel.kernel.shoe.state_objects import State, Work
from wearmodel.kernel.shoe.transitions import apply_event

from .sine_series import sine_series
from .trace import Segment, Trace, record


def events(trace: Trace, beginning: str) -> list[Segment]:
    """Return the segments that ended in an event whose name has this beginning."""
    return [segment for segment in trace.segments if segment.event.startswith(beginning)]


def instants(trace: Trace, beginning: str) -> list[float]:
    """Return the times [s] of events whose name has this beginning."""
    return [segment.start + segment.duration for segment in events(trace, beginning)]


def run(step_size: float, count: int, **parameters: object) -> tuple[FrictionalShock, Trace]:
    """Return a run without inputs."""
    model = FrictionalShock(FrictionalShockParameters(**parameters))
    trace = record(model)
    for _ in range(count):
        model.step(step_size)
    return model, trace


SPRING_WALL = {
    "mass": 100.0,
    "gravity": 0.0,
    "normal_law": "penalty",
    "normal_stiffness": 1e4,
    "contact_stiffness": 1e6,
    "friction_coefficient": 0.0,
    "initial_normal_velocity": -1.0,
}


@pytest.mark.parametrize(("step_size", "count"), [(0.5, 1), (1e-3, 500), (0.0123, 41)])
def test_spring_wall_shocks_are_half_sines(step_size, count):
    # In contact ω_c = √((k + K_N)/m), in flight ω = √(k/m). Each shock returns the speed v0.
    in_contact = math.sqrt((1e4 + 1e6) / 100.0)
    in_flight = math.sqrt(1e4 / 100.0)
    model, trace = run(step_size, count, **SPRING_WALL)
    outputs = model.outputs()
    assert outputs["peak_normal_force"] == pytest.approx(1e6 / in_contact, rel=1e-13)
    assert 1e6 / in_contact == pytest.approx(9950.3719, abs=5e-5)  # rounded in the documents

    contact, flight = math.pi / in_contact, math.pi / in_flight
    # The mass touches the wall at the start, which closes the contact before the first step.
    assert instants(trace, "closing") == pytest.approx([contact + flight], abs=1e-14)
    assert instants(trace, "opening") == pytest.approx([contact, 2 * contact + flight], abs=1e-14)
    assert outputs["shock_count"] == 2.0
    velocities = [segment.moved["normal_velocity"] for segment in events(trace, "closing")]
    assert velocities == pytest.approx([-1.0], rel=1e-13)
    impulse = sum(
        segment.length
        * sum(
            c * (segment.duration / segment.length) ** (j + 1) / (j + 1)
            for j, c in enumerate(segment.series["normal_force"])
        )
        for segment in trace.segments
    )
    # Two shocks of 2 K_N v0/ω_c².
    assert impulse == pytest.approx(2 * 2e6 / in_contact**2, rel=1e-12)


@pytest.mark.parametrize("stiffness", [1e6, 1e8, 1e10])
def test_a_stiff_wall_costs_no_accuracy(stiffness):
    # m = 1 kg and a single spring: contact lasts π/ω with F = K v0/ω, then the mass flies away.
    model, trace = run(
        0.01,
        1,
        gravity=0.0,
        normal_law="penalty",
        contact_stiffness=stiffness,
        initial_gap=1e-3,
        initial_normal_velocity=-1.0,
    )
    frequency = math.sqrt(stiffness)
    assert instants(trace, "closing") == pytest.approx([1e-3], rel=1e-15)
    assert instants(trace, "opening") == pytest.approx([1e-3 + math.pi / frequency], rel=1e-14)
    outputs = model.outputs()
    assert outputs["peak_normal_force"] == pytest.approx(frequency, rel=1e-12)
    # The number of pieces is about the number of radians, and each piece is rounded.
    assert outputs["gap_velocity"] == pytest.approx(1.0, rel=1e-12)


def test_the_penalised_contact_goes_to_the_rigid_one_as_its_spring_stiffens():
    # The shock lasts π √(m/K_N), and the mass remains late by this time: order 1/2 in 1/K_N.
    rigid, _ = run(0.2, 1, normal_law="rigid", restitution=1.0, initial_gap=0.1)
    errors = []
    for stiffness in (1e6, 1e8, 1e10):
        penalised, _ = run(
            0.2, 1, normal_law="penalty", contact_stiffness=stiffness, initial_gap=0.1
        )
        errors.append(rigid.outputs()["gap"] - penalised.outputs()["gap"])
    speed, elapsed = math.sqrt(2.0), 0.2 - math.sqrt(0.02)
    # With the weight, the factor is π + 2 g/(v ω), a hundredth more at 1e6.
    late = math.pi * math.sqrt(1.0 / 1e10) * (speed - 10.0 * elapsed)
    assert errors[-1] == pytest.approx(late, rel=1e-3)
    orders = [math.log(coarse / fine, 100.0) for coarse, fine in pairwise(errors)]
    assert orders == pytest.approx([0.5, 0.5], abs=0.01), errors


@pytest.mark.parametrize("restitution", [0.3, 0.8, 0.95])
@pytest.mark.parametrize(("step_size", "count"), [(20.0, 1), (0.01, 700)])
def test_a_bouncing_ball_keeps_its_instants_and_heights_until_it_rests(
    restitution, step_size, count
):
    # The first impact is after √(2 h/g) at v = √(2 g h). The n-th flight lasts 2 eⁿ v/g and has the
    # height e²ⁿ h. The bouncing ends after √(2 h/g)·(1 + e)/(1 − e).
    height, gravity = 0.1, 10.0
    model, trace = run(
        step_size, count, normal_law="rigid", restitution=restitution, initial_gap=height
    )
    impacts = events(trace, "closing")
    first = math.sqrt(2 * height / gravity)
    speed = math.sqrt(2 * gravity * height)
    instant, power = first, 1.0
    for segment in impacts:
        assert segment.start + segment.duration == pytest.approx(instant, rel=0.0, abs=1e-13)
        # The speed belongs to the height e²ⁿ h. A difference of times has an error of 1e-16.
        assert -segment.moved["normal_velocity"] == pytest.approx(speed * power, rel=1e-12)
        power *= restitution
        instant += 2.0 * power * speed / gravity
    total = first * (1.0 + restitution) / (1.0 - restitution)
    # The ball rests when less than a nanosecond of bouncing remains, and not one bounce earlier.
    assert 0.0 <= total - impacts[-1].start - impacts[-1].duration <= 1e-9
    left = 2.0 * power * speed / gravity / (1.0 - restitution)
    assert left <= 1e-9 < left / restitution
    outputs = model.outputs()
    assert outputs["gap"] == outputs["gap_velocity"] == 0.0
    assert outputs["contact_mode"] == 1.0
    assert outputs["normal_force"] == 10.0
    assert outputs["shock_count"] == len(impacts)
    # Σ m (1 + e) eⁿ v = m v (1 + e)/(1 − e), including the bounces of the last nanosecond.
    assert outputs["impact_impulse"] == pytest.approx(
        speed * (1.0 + restitution) / (1.0 - restitution), rel=1e-12
    )


@pytest.mark.parametrize("restitution", [0.3, 0.8, 0.99])
@pytest.mark.parametrize("height", [1e-14, 1e-10, 1e-3, 1.0])
def test_a_ball_bounces_to_the_end_from_any_height(height, restitution):
    # For a fall from 1e-14 m, the nanosecond that ends the bouncing is 2 % of the time.
    model, trace = run(
        400.0 * math.sqrt(height),
        1,
        normal_law="rigid",
        restitution=restitution,
        initial_gap=height,
    )
    outputs = model.outputs()
    speed = math.sqrt(2.0 * 10.0 * height)
    # A few thousand impacts, each rounded.
    assert outputs["impact_impulse"] == pytest.approx(
        speed * (1.0 + restitution) / (1.0 - restitution), rel=1e-12
    )
    assert (outputs["contact_mode"], outputs["gap"]) == (1.0, 0.0)
    # The ball rests when it bounces below 1e-12 of the fall height, at 1e-6 of the speed.
    impacts = events(trace, "closing")
    last = -impacts[-1].moved["normal_velocity"] * restitution
    assert last <= 1e-6 * speed
    # The bouncing ends when eⁿ is below 1e-6 and the rest takes less than a nanosecond. A step may
    # have 10000 impacts.
    assert len(impacts) < 3000


def test_a_ball_that_was_at_rest_bounces_again_by_its_new_height():
    # A fall from 1 mm, rest, and a throw to 1e-12 m. The first fall must not be the scale of the
    # new bounces.
    model, _ = run(20.0, 1, normal_law="rigid", restitution=0.5, initial_gap=1e-3)
    before = model.outputs()
    assert before["contact_mode"] == 1.0
    trace = record(model)
    # w″ = 10 m/s2 for this time, then −10 m/s2. The ball returns √2 times as fast as it was thrown.
    push = math.sqrt(1e-13)
    model.step_polynomial(push, normal_load=(-20.0,))
    model.step_polynomial(1e-3)
    closings = events(trace, "closing")
    speed = -closings[0].moved["normal_velocity"]
    # The gap is a difference of positions of 1 mm, which are rounded to 1e-19 m.
    assert speed == pytest.approx(10.0 * push * math.sqrt(2.0), rel=1e-6)
    gained = model.outputs()["impact_impulse"] - before["impact_impulse"]
    # The rounding is relative to the 0.4 N.s of the first fall.
    assert gained == pytest.approx(3.0 * speed, rel=1e-12, abs=1e-15)
    assert len(closings) > 15


@pytest.mark.parametrize(("restitution", "spacing"), [(1.0, 0.05), (0.7, 0.05), (0.9, 1e-3)])
def test_a_mass_between_two_planes_bounces_from_one_to_the_other(restitution, spacing):
    # Without gravity, the n-th crossing lasts d/(v eⁿ) with d = 2·plane_half_spacing.
    model, trace = run(
        1.0,
        1,
        gravity=0.0,
        normal_law="rigid",
        obstacle="two_planes",
        plane_half_spacing=spacing,
        restitution=restitution,
        initial_gap=spacing / 2.0,
        initial_normal_velocity=-1.0,
    )
    instant, speed = spacing / 2.0, 1.0
    wanted, planes = [], []
    while instant < 1.0:
        wanted.append(instant)
        planes.append(
            "closing on the lower plane" if len(planes) % 2 == 0 else "closing on the upper plane"
        )
        speed *= restitution
        instant += 2.0 * spacing / speed
    assert instants(trace, "closing") == pytest.approx(wanted, rel=1e-13)
    assert [segment.event for segment in events(trace, "closing")] == planes
    assert model.outputs()["shock_count"] == len(wanted)


def test_a_mass_between_two_penalised_planes_swings_with_half_sines():
    # The contact lasts π √(m/K) and the flight d/v, so the period is 2 (π √(m/K) + d/v).
    stiffness, spacing = 1e4, 0.01
    model, trace = run(
        0.5,
        1,
        gravity=0.0,
        normal_law="penalty",
        obstacle="two_planes",
        plane_half_spacing=spacing,
        contact_stiffness=stiffness,
        initial_gap=spacing,
        initial_normal_velocity=-1.0,
    )
    shock, flight = math.pi / math.sqrt(stiffness), 2.0 * spacing
    closings = [spacing + n * (shock + flight) for n in range(10)]
    assert instants(trace, "closing") == pytest.approx([t for t in closings if t < 0.5], rel=1e-12)
    assert model.outputs()["peak_normal_force"] == pytest.approx(math.sqrt(stiffness), rel=1e-13)


def test_vertical_shaking_lifts_the_block_off_and_it_lands_on_the_support():
    # With the base acceleration A_n = −a sin ωt, the block leaves at g = a sin ωt₀ and lands later.
    amplitude, frequency, gravity = 15.0, 2.0 * math.pi, 10.0
    model = FrictionalShock(FrictionalShockParameters(normal_law="rigid"))
    trace = record(model)
    for index in range(20):
        shaking = sine_series(-amplitude, frequency, index * 0.05, 0.05)
        model.step_polynomial(0.05, base_acceleration_normal=shaking)
    lift_off = math.asin(gravity / amplitude) / frequency
    assert instants(trace, "opening")[0] == pytest.approx(lift_off, rel=1e-14)

    def gap(time: float) -> float:
        elapsed = time - lift_off
        # The acceleration of the gap, −g − A_n = −g + a sin ωt, is integrated twice from rest.
        return (
            -gravity * elapsed**2 / 2.0
            + amplitude / frequency * math.cos(frequency * lift_off) * elapsed
            + amplitude / frequency**2 * math.sin(frequency * lift_off)
            - amplitude / frequency**2 * math.sin(frequency * time)
        )

    low, high = lift_off + 0.3, lift_off + 0.9
    assert gap(low) > 0.0 > gap(high)
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if gap(middle) > 0.0 else (low, middle)
    assert instants(trace, "closing")[0] == pytest.approx(low, rel=1e-13)


def test_a_damped_contact_lets_go_inside_the_obstacle_and_never_pulls():
    # m w″ + C w′ + K w = 0 from w = 0 at −v. F = −K w − C w′ falls to 0 at
    # ωt = atan2(2 ζ √(1 − ζ²), 2 ζ² − 1), ω = ω₀ √(1 − ζ²). The mass is still inside, w < 0.
    stiffness, ratio = 1e4, 0.2
    natural = math.sqrt(stiffness)
    damping = 2.0 * ratio * natural
    model, trace = run(
        0.1,
        1,
        gravity=0.0,
        normal_law="penalty",
        contact_stiffness=stiffness,
        contact_damping=damping,
        initial_normal_velocity=-1.0,
    )
    damped = natural * math.sqrt(1.0 - ratio**2)
    release = math.atan2(2.0 * ratio * math.sqrt(1.0 - ratio**2), 2.0 * ratio**2 - 1.0) / damped
    assert instants(trace, "opening") == pytest.approx([release], rel=1e-13)
    at_release = events(trace, "opening")[0].moved
    decay = math.exp(-ratio * natural * release)
    position = -decay * math.sin(damped * release) / damped
    speed = -decay * (
        math.cos(damped * release) - ratio * natural / damped * math.sin(damped * release)
    )
    assert at_release["normal_displacement"] == pytest.approx(position, rel=1e-12)
    assert at_release["normal_velocity"] == pytest.approx(speed, rel=1e-12)
    # The mass leaves the obstacle at that speed.
    assert instants(trace, "release") == pytest.approx([release - position / speed], rel=1e-13)
    outputs = model.outputs()
    assert outputs["gap_velocity"] == pytest.approx(speed, rel=1e-12)
    assert outputs["shock_count"] == 1.0
    # The force of a damped contact starts at C v.
    assert trace.segments[0].series["normal_force"][0] == pytest.approx(damping, rel=1e-15)


@pytest.mark.parametrize(
    ("count", "span"),
    [(50, 0.5), (100, 0.5), (150, 0.5), (300, 0.5), (20, 0.4 * math.pi), (80, 0.4 * math.pi)],
)
def test_a_mass_placed_on_an_undamped_plane_touches_its_edge_but_does_not_leave_it(count, span):
    """F_N = m g (1 − cos ω t) is 0 once in each period. Rounding must not open the contact.

    The last two cases have steps that end where it is 0.
    """
    frequency, push, friction = 100.0, 7.0, 0.3
    model = FrictionalShock(
        FrictionalShockParameters(
            mass=1.0,
            normal_law="penalty",
            contact_stiffness=frequency**2,
            friction_coefficient=friction,
        ),
        base_acceleration=push,
    )
    for _ in range(count):
        model.step(span / count, base_acceleration=push)
    outputs = model.outputs()
    # |u̇| = a t + b sin ω t/ω, and the wear work is ∫ F_N |u̇| dt.
    a, b = push - friction * 10.0, friction * 10.0
    sine, cosine = math.sin(frequency * span), math.cos(frequency * span)
    assert outputs["relative_velocity"] == pytest.approx(
        -(a * span + b * sine / frequency), rel=1e-13
    )
    wear = a * span**2 / 2.0 + (a + b) * (1.0 - cosine) / frequency**2
    wear -= a * span * sine / frequency + b * sine**2 / (2.0 * frequency**2)
    assert outputs["wear_work"] == pytest.approx(10.0 * wear, rel=1e-13)
    assert (outputs["shock_count"], outputs["slip_count"]) == (0.0, 0.0)


@pytest.mark.parametrize("law", ["rigid", "penalty"])
@pytest.mark.parametrize("mass", [1e-6, 1.23456789e-6, 1.0])
def test_a_mass_at_rest_touches_its_edge_a_thousand_times_without_leaving_it(mass, law):
    """The friction cone vanishes at each touch, also for a mass that is not pushed."""
    model = FrictionalShock(
        FrictionalShockParameters(
            mass=mass,
            normal_law="penalty",
            tangential_law=law,
            contact_stiffness=1e6,
        )
    )
    frequency = math.sqrt(1e6 / mass)
    period = 2.0 * math.pi / frequency
    for _ in range(25):
        model.step(40.0 * period + 0.3 / frequency)
    outputs = model.outputs()
    assert outputs["shock_count"] == 0.0
    depth = 10.0 / frequency**2 * (1.0 - math.cos(7.5))
    assert outputs["gap"] == pytest.approx(-depth, rel=1e-9)


@pytest.mark.parametrize(("share", "shocks"), [(1e-3, 2.0), (1e-8, 2.0), (-1e-8, 0.0)])
def test_a_force_that_falls_a_little_below_0_opens_an_undamped_contact(share, shocks):
    """At the largest depth, 2 m g/K, the weight falls by a share. F_N then falls to −2 `share` m g.

    This happens twice in the 2.25 periods that follow.
    """
    model = FrictionalShock(
        FrictionalShockParameters(
            mass=1.0, normal_law="penalty", contact_stiffness=1e4, input_extrapolation_order=0
        )
    )
    model.step(0.01 * math.pi)
    for _ in range(3):
        model.step(0.015 * math.pi, normal_load=-10.0 * share)
    assert model.outputs()["shock_count"] == shocks


@pytest.mark.parametrize("law", ["rigid", "penalty"])
def test_a_mass_let_go_inside_by_its_damper_and_pressed_again_closes_inside(law):
    # The mass is released inside while it leaves at 0.1 m/s, then pressed by a sudden load of 50 N.
    model = FrictionalShock(
        FrictionalShockParameters(
            gravity=0.0,
            normal_law="penalty",
            tangential_law=law,
            contact_stiffness=1e3,
            contact_damping=60.0,
            initial_gap=-1e-3,
            initial_normal_velocity=0.1,
            input_extrapolation_order=0,
        )
    )
    assert model.outputs()["contact_mode"] == 0.0
    trace = record(model)
    model.step(0.02, normal_load=50.0)
    [closing] = events(trace, "closing")
    # F = −K gap − C gap′ = 0 with gap = g₀ + v t − 25 t², gap′ = v − 50 t is a quadratic equation.
    a, b, c = 1e3 * 25.0, -1e3 * 0.1 + 60.0 * 50.0, 1e3 * 1e-3 - 60.0 * 0.1
    want = (-b + math.sqrt(b * b - 4 * a * c)) / (2 * a)
    assert closing.start + closing.duration == pytest.approx(want, rel=1e-13)
    assert closing.after["normal_displacement"] == closing.moved["normal_displacement"] < 1e-3
    assert trace.segments[1].series["normal_force"][0] == 0.0
    assert model.outputs()["shock_count"] == 1.0


@pytest.mark.parametrize("plane", [1.0, -1.0], ids=["lower plane", "upper plane"])
@pytest.mark.parametrize(("damping", "rests"), [(0.0, False), (3e9, True)], ids=["free", "damped"])
def test_a_normal_damper_presses_a_rebounding_mass_back(plane, damping, rests):
    # e = 5e-7, v = 1 m/s, m = 1 kg, without a spring, and 10 N towards the plane. The damper c_n ẇ
    # adds 1500 N against the rebound, so 2 e v/(a (1 − e)) is 7e-10 s instead of 1e-7 s.
    declared = FrictionalShockParameters(
        normal_law="rigid", obstacle="two_planes", normal_damping=damping, restitution=5e-7
    )
    parameters = Parameters(declared)
    state = State()
    if plane < 0.0:
        state.normal_displacement = 1.0
    state.normal_velocity = -plane
    event = limits.CLOSING_LOWER if plane > 0.0 else limits.CLOSING_UPPER
    apply_event(parameters, state, event, 1, -10.0 * plane, Work())
    assert state.contact == (plane if rests else 0.0)
    assert state.normal_velocity == (0.0 if rests else plane * 5e-7)


def test_more_bounces_than_the_bound_fail_with_advice_and_leave_the_state():
    # At 1e-10 m/s and 10 m/s² without loss, there is a bounce every 2e-11 s.
    model = FrictionalShock(
        FrictionalShockParameters(
            normal_law="rigid", restitution=1.0, initial_normal_velocity=-1e-10
        )
    )
    before = model.snapshot()
    with pytest.raises(StepError, match=r"10000 contact events within one step: take smaller"):
        model.step(1e-3)
    assert model.snapshot() == before
    model.step(1e-8)
    # To rounding, the last of 500 bounces after the first contact is at the end of the step.
    assert model.outputs()["shock_count"] == pytest.approx(501, abs=1)


@pytest.mark.parametrize("restitution", [0.3, 0.5, 0.8])
@pytest.mark.parametrize("gap", [1e-20, 1e-22])
def test_a_short_fall_bounces_until_a_millionth_of_its_first_speed(gap, restitution):
    # All bounces together end within a nanosecond, so the speed alone determines the last bounce.
    parameters = FrictionalShockParameters(
        normal_law=NormalLaw.rigid, initial_gap=gap, restitution=restitution
    )
    model = FrictionalShock(parameters)
    model.step(1.0)
    bounces = math.ceil(math.log(1e-6) / math.log(restitution))
    assert model.outputs()["shock_count"] == bounces
