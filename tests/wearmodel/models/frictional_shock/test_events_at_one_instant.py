"""Touching guards, events at step ends, several events at one instant, discontinuous inputs.

Numbers are dyadic in tests in which rounding must not affect the result.

Tolerances are multiples of the rounding of a double, 1e-16: a few for the sums of one step (1e-15,
1e-14), and a few hundred for roots of guards or for many steps (1e-13, 1e-12).
"""

import math
from itertools import product

import pytest

from .models import model_of
from .trace import Trace, record


def lasting_modes(trace: Trace) -> list[tuple[int, int]]:
    """Return contact and sliding of the segments with a duration, without repetitions."""
    modes: list[tuple[int, int]] = []
    for segment in trace.segments:
        mode = (segment.contact, segment.sliding)
        if segment.duration > 1e-12 and (not modes or modes[-1] != mode):
            modes.append(mode)
    return modes


@pytest.mark.parametrize("tangential_law", ["rigid", "penalty"])
@pytest.mark.parametrize(
    ("normal_law", "restitution"),
    [("rigid", 0.0), ("rigid", 0.5), ("rigid", 1.0), ("penalty", 0.0)],
)
@pytest.mark.parametrize(("step_size", "count"), [(2.0, 1), (1.0, 2), (0.5, 4), (0.1, 20)])
def test_a_mass_that_only_grazes_the_plane_flies_on(
    step_size, count, normal_law, restitution, tangential_law
):
    # A pull of 1 m/s2 reduces the velocity to 0 at the plane: gap = (1 − t)²/2.
    model = model_of(
        gravity=-1.0,
        normal_law=normal_law,
        tangential_law=tangential_law,
        restitution=restitution,
        contact_stiffness=1e6,
        initial_gap=0.5,
        initial_velocity=1.0,
        initial_normal_velocity=-1.0,
    )
    for _ in range(count):
        model.step(step_size)
    outputs = model.outputs()
    # With steps of 0.1 s, a rounding of 1e-16 m decides whether the mass reaches the plane. The
    # speed is then √(1e-16) m/s.
    assert outputs["gap"] == pytest.approx(0.5, abs=1e-7)
    assert outputs["gap_velocity"] == pytest.approx(1.0, abs=1e-7)
    assert outputs["impact_impulse"] <= 1e-7
    assert outputs["wear_work"] <= 1e-7
    assert outputs["contact_mode"] == 0.0


@pytest.mark.parametrize(("step_size", "count"), [(2.0, 1), (1.0, 2), (0.25, 8), (0.1, 20)])
@pytest.mark.parametrize("normal_law", ["prescribed", "rigid"])
@pytest.mark.parametrize("friction_law", ["rigid", "penalty"])
def test_a_contact_that_unloads_to_nothing_and_loads_again_opens_not_at_all(
    step_size, count, normal_law, friction_law
):
    # F_N = 10 (1 − t)² has a double root. The tangential load stays at a tenth of the cone.
    model = model_of(gravity=0.0, normal_law=normal_law, tangential_law=friction_law, preload=10.0)
    trace = record(model)
    for index in range(count):
        time = index * step_size
        model.step_polynomial(
            step_size,
            normal_load=(10.0 * (time * time - 2.0 * time), 20.0 * (time - 1.0), 10.0),
            tangential_load=(0.1 * (1.0 - time) ** 2, 0.2 * (time - 1.0), 0.1),
        )
    outputs = model.outputs()
    assert outputs["normal_force"] == pytest.approx(10.0, rel=1e-13)
    # A guard may be found within √(1e-16) of the instant, which does not affect the displacement.
    assert outputs["gap"] == pytest.approx(0.0, abs=1e-15)
    assert outputs["impact_impulse"] <= 1e-12
    assert outputs["wear_work"] <= 1e-12
    assert all(s.contact for s in trace.segments if s.duration > 1e-6)


@pytest.mark.parametrize(("step_size", "count"), [(2.0, 1), (1.0, 2), (0.25, 8)])
@pytest.mark.parametrize("friction_law", ["rigid", "penalty"])
def test_cone_and_contact_that_close_together_let_the_mass_go_without_wear(
    step_size, count, friction_law
):
    # F_N = 10 (1 − t), and the load is half the cone. Both vanish at t = 1, then the mass leaves.
    model = model_of(normal_law="rigid", tangential_law=friction_law)
    trace = record(model)
    for index in range(count):
        time = index * step_size
        model.step_polynomial(
            step_size, normal_load=(-10.0 * time, -10.0), tangential_load=(0.5 * (1.0 - time), -0.5)
        )
    outputs = model.outputs()
    # In flight u″ = −(t − 1)/2 and w″ = 10 (t − 1). A spring K_T = 9e6 N/m moves back with its
    # load, and moves the mass.
    leaving = -0.5 / 9e6 if friction_law == "penalty" else 0.0
    assert outputs["relative_velocity"] == pytest.approx(leaving - 0.25, rel=1e-12)
    assert outputs["gap_velocity"] == pytest.approx(5.0, rel=1e-12)
    assert outputs["gap"] == pytest.approx(10.0 / 6.0, rel=1e-12)
    assert outputs["wear_work"] <= 1e-15
    assert lasting_modes(trace)[0] == (1, 0)
    assert lasting_modes(trace)[-1] == (0, 0)


@pytest.mark.parametrize(("step_size", "count"), [(2.0, 1), (1.0, 2), (0.25, 8), (0.1, 20)])
def test_a_load_on_the_cone_all_the_time_never_moves_the_mass(step_size, count):
    # |F_T| = μ_s F_N throughout. Equality is stick as long as the guard does not fall.
    model = model_of(friction_coefficient=0.125, gravity=8.0)
    for index in range(count):
        time = index * step_size
        model.step_polynomial(
            step_size, tangential_load=(1.0 - time, -1.0), normal_load=(-8.0 * time, -8.0)
        )
        if time + step_size <= 1.0:
            assert model.outputs()["contact_mode"] <= 1.0
    # After t = 1 the contact is open, and the load pulls back.
    assert model.outputs()["relative_velocity"] == pytest.approx(-0.5, abs=1e-12)
    assert model.outputs()["wear_work"] <= 1e-15


@pytest.mark.parametrize(
    ("static", "friction_law"), list(product([0.125, 0.25], ["rigid", "penalty"]))
)
@pytest.mark.parametrize(("step_size", "count"), [(2.0, 1), (1.0, 2), (0.25, 8), (0.1, 20)])
def test_breakaway_at_the_end_of_a_step_starts_in_the_next_one(
    step_size, count, static, friction_law
):
    # The load t·μ_s F_N causes breakaway at t = 1, then u″ = (μ_s − μ_d) g + μ_s g (t − 1).
    model = model_of(
        friction_coefficient=0.125,
        friction_coefficient_static=static,
        gravity=8.0,
        tangential_law=friction_law,
        tangential_stiffness=1e6,
    )
    for index in range(count):
        time = index * step_size
        model.step_polynomial(step_size, tangential_load=(8.0 * static * time, 8.0 * static))
    outputs = model.outputs()
    want = 8.0 * (static - 0.125) + 4.0 * static
    # Penalised friction has a delay of C_T/K_T = 2e-3 s.
    tolerance = 1e-13 if friction_law == "rigid" else 5e-3
    assert outputs["relative_velocity"] == pytest.approx(want, rel=tolerance)
    assert outputs["slip_count"] == 1.0


@pytest.mark.parametrize(("step_size", "count"), [(2.0, 1), (1.0, 2), (0.25, 8), (0.1, 20)])
@pytest.mark.parametrize("load", [0.0, 0.5, 1.0, 3.0])
def test_arrest_at_the_end_of_a_step_is_followed_by_the_right_mode(load, step_size, count):
    # The deceleration μ g + load = 1 + load stops the mass at t = 1. It then sticks under a load up
    # to 1 = μ F_N. A larger load minus friction moves it back.
    model = model_of(friction_coefficient=0.125, gravity=8.0, initial_velocity=1.0 + load)
    for _ in range(count):
        model.step(step_size, tangential_load=-load)
    outputs = model.outputs()
    back = max(0.0, load - 1.0)
    assert outputs["relative_velocity"] == pytest.approx(-back, abs=1e-14)
    assert outputs["relative_displacement"] == pytest.approx(
        (1.0 + load) / 2.0 - back / 2.0, abs=1e-14
    )
    assert outputs["contact_mode"] == (2.0 if back else 1.0)
    # A reversal is a new slip.
    assert outputs["slip_count"] == (1.0 if back else 0.0)


def test_outputs_at_the_instant_of_an_event_keep_the_laws():
    # Arrest and breakaway coincide with the communication point t = 1.
    sliding = model_of(friction_coefficient=0.125, gravity=8.0, initial_velocity=1.0)
    sliding.step(1.0)
    assert sliding.outputs()["relative_velocity"] == 0.0
    assert sliding.outputs()["wear_power"] == 0.0
    pulled = model_of(friction_coefficient=0.125, gravity=8.0)
    pulled.step_polynomial(1.0, tangential_load=(0.0, 1.0))
    assert pulled.outputs()["friction_force"] == -1.0
    assert pulled.outputs()["contact_mode"] == 1.0


def test_a_held_input_that_jumps_across_the_cone_switches_at_once():
    # The cone is 1 N, and m = 1 kg. Loads of 0, 3, −3, 0.5 N act for 0.5 s each, from rest.
    model = model_of(input_extrapolation_order=0)
    wanted = [
        (0.0, 0.0, 0.0, 1.0),  # stick
        (3.0, 1.0, 0.25, 2.0),  # u″ = 3 − 1
        (-3.0, -0.5, 0.3125, 2.0),  # u″ = −3 − 1 for 0.25 s to rest, then −3 + 1
    ]
    for load, velocity, displacement, mode in wanted:
        model.step(0.5, tangential_load=load)
        outputs = model.outputs()
        assert outputs["relative_velocity"] == pytest.approx(velocity, abs=1e-15)
        assert outputs["relative_displacement"] == pytest.approx(displacement, abs=1e-15)
        assert outputs["contact_mode"] == mode
    # From −0.5 m/s, u″ = 0.5 + 1 stops the mass in 1/3 s.
    model.step(0.5, tangential_load=0.5)
    outputs = model.outputs()
    assert outputs["relative_velocity"] == 0.0
    assert outputs["relative_displacement"] == pytest.approx(0.3125 - 0.25 / 3.0, abs=1e-15)
    assert outputs["contact_mode"] == 1.0
    assert outputs["slip_count"] == 2.0


@pytest.mark.parametrize("friction_law", ["rigid", "penalty"])
def test_a_prescribed_force_that_jumps_takes_effect_at_once(friction_law):
    # The normal force is 0, 10, 0 and 20 N for 0.1 s each. μ = 0.1, and the mass starts at 1 m/s.
    model = model_of(
        gravity=0.0,
        input_extrapolation_order=0,
        initial_velocity=1.0,
        tangential_law=friction_law,
        tangential_stiffness=1e8,
    )
    velocity, wear = 1.0, 0.0
    # Each closing of the penalised law starts in stick, so friction has a delay C_T/K_T = 2e-4 s.
    tolerance = 1e-14 if friction_law == "rigid" else 1e-3
    for load in (0.0, 10.0, 0.0, 20.0):
        model.step(0.1, normal_load=load)
        after = velocity - 0.1 * load * 0.1
        wear += load * 0.1 * (velocity + after) / 2.0
        velocity = after
        outputs = model.outputs()
        assert outputs["normal_force"] == load
        assert outputs["contact_mode"] == (2.0 if load else 0.0)
        assert outputs["relative_velocity"] == pytest.approx(velocity, rel=tolerance)
        assert outputs["wear_work"] == pytest.approx(wear, rel=tolerance)
    assert outputs["slip_count"] == 2.0
    assert outputs["shock_count"] == 0.0


def test_a_rigid_contact_follows_a_held_load_that_lifts_and_drops_it():
    # A pull of 20 N against 10 N of weight for 0.1 s gives 0.05 m and 1 m/s. The mass then returns
    # to the plane after (1 + √2)/10 s more, at √2 m/s.
    model = model_of(normal_law="rigid", input_extrapolation_order=0)
    model.step(0.1, normal_load=0.0)
    model.step(0.1, normal_load=-20.0)
    outputs = model.outputs()
    assert outputs["contact_mode"] == 0.0
    assert outputs["gap_velocity"] == pytest.approx(1.0, rel=1e-15)
    assert outputs["gap"] == pytest.approx(0.05, rel=1e-14)
    model.step(0.3, normal_load=0.0)
    outputs = model.outputs()
    assert (outputs["contact_mode"], outputs["normal_force"]) == (1.0, 10.0)
    assert outputs["impact_impulse"] == pytest.approx(math.sqrt(2.0), rel=1e-14)


@pytest.mark.parametrize("damping", [0.0, 50.0])
def test_a_normal_force_that_jumps_down_lets_the_stretched_anchor_slip(damping):
    # The contact sticks under 0.9 N in a cone of 1 N, which then falls to 0.5 N. K_T = 1e4 N/m.
    model = model_of(
        tangential_law="penalty",
        tangential_stiffness=1e4,
        tangential_damping=damping,
        input_extrapolation_order=0,
        damping=300.0,
    )
    model.step(1.0, tangential_load=0.9)
    model.step(1.0, tangential_load=0.9)
    stuck = model.outputs()
    assert stuck["contact_mode"] == 1.0
    # The time constant is at most 0.035 s, so the mass is at rest after 2 s.
    assert stuck["friction_force"] == pytest.approx(-0.9, rel=1e-14)
    trace = record(model)
    model.step(1e-2, tangential_load=0.9, normal_load=-5.0)
    slipping = model.outputs()
    assert slipping["contact_mode"] == 2.0
    assert slipping["friction_force"] == -0.5
    assert slipping["slip_count"] == 1.0
    excess = (0.9 - 0.5) / 1e4
    if damping == 0.0:
        # The anchor moves by the stretch that exceeds the cone.
        jump = trace.segments[1].before["stretch"] - trace.segments[1].series["stretch"][0]
        assert jump == pytest.approx(excess, rel=1e-13)
    assert slipping["sliding_distance"] > 0.9 * excess
    # The cone grows again. The stretch is too small for slip, so the contact sticks.
    model.step(1e-2, tangential_load=0.9, normal_load=0.0)
    assert model.outputs()["contact_mode"] == 1.0


@pytest.mark.parametrize("normal_law", ["prescribed", "rigid"])
@pytest.mark.parametrize("friction_law", ["rigid", "penalty"])
@pytest.mark.parametrize("static", [0.5, 0.65])
@pytest.mark.parametrize("damping", [0.0, 0.2, -1.0])
def test_a_contact_left_without_any_force_is_flight(normal_law, friction_law, static, damping):
    # The contact sticks under base motion for a while. The support then falls with exactly g and
    # accelerates sideways.
    model = model_of(
        normal_law=normal_law,
        tangential_law=friction_law,
        tangential_stiffness=4e4,
        tangential_damping=damping,
        friction_coefficient=0.5,
        friction_coefficient_static=static,
        input_extrapolation_order=0,
    )
    for acceleration in (2.0, -3.0, 4.0):
        model.step(0.01, acceleration)
    before = model.outputs()
    for _ in range(10):
        model.step(0.01, 30.0, -10.0)
    outputs = model.outputs()
    assert outputs["contact_mode"] == 0.0
    assert outputs["normal_force"] == outputs["friction_force"] == 0.0
    assert outputs["gap"] == 0.0
    for name in ("slip_count", "sliding_distance", "wear_work", "friction_work"):
        assert outputs[name] == before[name]
    velocity = before["relative_velocity"] - 3.0
    assert outputs["relative_velocity"] == pytest.approx(velocity, rel=1e-13)
    model.step(0.01)
    assert model.outputs()["contact_mode"] != 0.0
    assert model.outputs()["impact_impulse"] == 0.0


def test_friction_without_a_coefficient_forgets_its_stretch_in_bounded_time():
    # μ = 0 with a damper whose C_T/K_T is a millionth of the step. Friction does not resist slip.
    model = model_of(
        friction_coefficient=0.0,
        tangential_law="penalty",
        tangential_damping=1.0,
        initial_velocity=1.0,
    )
    trace = record(model)
    for index in range(10):
        model.step(0.1, 15.0 * math.sin(index))
    # After 70 C_T/K_T, any stretch is below the size of an atomic nucleus.
    assert len(trace.segments) < 200
    assert model.outputs()["friction_force"] == 0.0


@pytest.mark.parametrize("damping", [1e-3, 1e-6])
def test_a_small_friction_damper_on_a_stiff_contact_costs_few_pieces(damping):
    # Large offsets round the contact force to 1e-10 N, and the stretch follows this force.
    model = model_of(
        normal_law="penalty",
        tangential_law="penalty",
        tangential_damping=damping,
        contact_stiffness=1e6,
        initial_gap=0.5,
        initial_normal_displacement=-0.5,
    )
    trace = record(model)
    for index in range(20):
        model.step(1e-2, 15.0 * math.sin(0.06 * index), 5.0 * math.sin(1.0 + 0.06 * index))
    # Ten pieces a step for ω h = 10, and 40 for each start of slip.
    assert len(trace.segments) < 20 * (10 + 2 * 40)
