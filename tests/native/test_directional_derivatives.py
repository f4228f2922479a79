"""Directional derivatives of outputs by the inputs of the last step."""

import ctypes
import math
from collections.abc import Mapping, Sequence
from typing import Any

import mpmath
import pytest
from fmpy import fmi2

OK, DISCARD, ERROR = 0, 2, 3
STEP = 1e-3


def ask(one: Any, outputs: Sequence[int], inputs: Mapping[int, float]) -> tuple[int, list[float]]:
    """Return status and derivatives, by value references."""
    derivatives = (fmi2.fmi2Real * len(outputs))()
    status = one.call(
        "fmi2GetDirectionalDerivative",
        (fmi2.fmi2ValueReference * len(outputs))(*outputs),
        ctypes.c_size_t(len(outputs)),
        (fmi2.fmi2ValueReference * len(inputs))(*inputs),
        ctypes.c_size_t(len(inputs)),
        (fmi2.fmi2Real * len(inputs))(*inputs.values()),
        derivatives,
    )
    return int(status), list(derivatives)


def derivatives(one: Any, *outputs: str, **inputs: float) -> list[float]:
    """Return derivatives of the outputs along a change of the inputs."""
    status, values = ask(
        one,
        [one.references[name] for name in outputs],
        {one.references[name]: change for name, change in inputs.items()},
    )
    assert status == OK, one.messages[-1:]
    return values


def differences(one, time, inputs, outputs, direction, step_size, distance=1e-6):
    """Return central differences of outputs of a step along a direction. The state is restored."""
    state = one.save()
    sides = []
    for change in (distance, -distance):
        moved = {name: at + change * direction.get(name, 0.0) for name, at in inputs.items()}
        assert one.step(time, step_size, **moved) == OK
        sides.append([one.get(name) for name in outputs])
        assert one.load(state) == OK
    return [(after - before) / (2.0 * distance) for after, before in zip(*sides, strict=True)]


# Differences of linear and quadratic outputs have only rounding errors: a few 1e-16 of an output,
# divided by its change. The smallest change is a displacement of 0.04 by h²/2 = 5e-5 for an input
# that changes by 2.
LINEAR = 1e-10
# For nonlinear outputs, the best distance between rounding and curvature errors loses one digit.
CURVED = 1e-9


def test_slip_gives_the_step_of_a_sliding_mass(native):
    # v1 = v0 + h (P − m a − μ N)/m, W1 = W0 + N (v0 + v1) h/2, with N = m g + P_N.
    mass, friction, load, v0, a, h = 2.0, 0.3, 5.0, 4.0, 1.5, 0.01
    force = mass * 10.0 + load
    one = native().initialise(
        mass=mass, friction_coefficient=friction, friction_coefficient_static=friction,
        initial_velocity=v0, normal_load=load,
    )  # fmt: skip
    assert one.step(0.0, h, base_acceleration=a) == OK
    names = ("relative_velocity", "relative_displacement", "wear_work", "normal_force")
    v1 = v0 - h * (a + friction * force / mass)
    distance = h * (v0 + v1) / 2
    assert derivatives(one, *names, base_acceleration=1.0) == pytest.approx(
        [-h, -(h**2) / 2, -force * h**2 / 2, 0.0], rel=LINEAR, abs=1e-15
    )
    slowed = friction / mass * h**2 / 2
    assert derivatives(one, *names, normal_load=1.0) == pytest.approx(
        [-friction * h / mass, -slowed, distance - force * slowed, 1.0], rel=LINEAR
    )
    assert derivatives(one, "wear_power", normal_load=1.0) == pytest.approx(
        [v1 - force * friction * h / mass], rel=LINEAR
    )


def test_a_small_effect_on_a_large_output_is_not_lost(native):
    # A displacement of 1 m changes by h²/2 = 5e-7 per unit of the input. A force of 1e7 N changes
    # by 1 N per newton.
    one = native().initialise(
        initial_displacement=1.0, initial_velocity=100.0, preload=1e7, friction_coefficient=1e-3
    )
    assert one.step(0.0, STEP, base_acceleration=1.0) == OK
    names = ("relative_displacement", "relative_velocity")
    # Rounding of 1 m and 100 m/s, 1e-16 and 1e-14, for input changes of some units.
    assert derivatives(one, *names, base_acceleration=1.0) == pytest.approx(
        [-(STEP**2) / 2, -STEP], rel=1e-9
    )
    names = ("normal_force", "friction_force")
    assert derivatives(one, *names, normal_load=1.0) == pytest.approx([1.0, -1e-3], rel=1e-8)


def test_stick_gives_the_friction_force_of_the_present_inputs(native):
    one = native().initialise(mass=3.0)
    assert one.step(0.0, STEP, base_acceleration=0.2, tangential_load=0.1) == OK
    names = ("friction_force", "support_force_tangential", "relative_velocity", "wear_work")
    # In stick, F_T = m a − P_T, and the mass does not move.
    assert derivatives(one, *names, base_acceleration=1.0) == pytest.approx(
        [3.0, -3.0, 0.0, 0.0], rel=LINEAR
    )
    assert derivatives(one, *names, tangential_load=1.0) == pytest.approx(
        [-1.0, 1.0, 0.0, 0.0], rel=LINEAR
    )


def test_the_direction_may_mix_inputs_and_repeat_one(native):
    one = native().initialise(initial_velocity=1.0)
    assert one.step(0.0, STEP, base_acceleration=1.5) == OK
    mixed = derivatives(one, "relative_velocity", base_acceleration=2.0, tangential_load=-3.0)
    assert mixed == pytest.approx([STEP * (-2.0 - 3.0)], rel=LINEAR)
    assert derivatives(one, "relative_velocity", base_acceleration=0.0) == [0.0]
    assert derivatives(one, "relative_velocity") == [0.0]


def test_springs_give_the_response_of_the_oscillator(native):
    # Constant force on m ẍ + c ẋ + k x: ∂x/∂F = (1 − e^(−δh)(cos ωh + δ/ω sin ωh))/k.
    mass, k, c, h = 0.5, 800.0, 4.0, 0.02
    delta = c / (2 * mass)
    omega = math.sqrt(k / mass - delta**2)
    decay = math.exp(-delta * h)
    one = native().initialise(
        mass=mass, stiffness=k, damping=c, friction_coefficient=0.0,
        friction_coefficient_static=0.0, initial_velocity=1.0,
    )  # fmt: skip
    assert one.step(0.0, h, tangential_load=3.0) == OK
    place = (1 - decay * (math.cos(omega * h) + delta / omega * math.sin(omega * h))) / k
    speed = decay * math.sin(omega * h) / (mass * omega)
    assert derivatives(
        one, "relative_displacement", "relative_velocity", tangential_load=1.0
    ) == pytest.approx([place, speed], rel=LINEAR)


def test_an_arrest_inside_the_step_moves_along(native):
    # v0 stops after v0²/(2 b) with b = a + μ g, then sticks.
    v0, a = 1e-3, 0.25
    one = native().initialise(initial_velocity=v0)
    assert one.step(0.0, 0.01, base_acceleration=a) == OK
    assert one.get("contact_mode") == 1
    braking = a + 1.0
    assert derivatives(
        one, "relative_displacement", "sliding_distance", "relative_velocity", base_acceleration=1.0
    ) == pytest.approx([-(v0**2) / (2 * braking**2)] * 2 + [0.0], rel=CURVED)


def test_a_shock_inside_the_step_moves_along(native):
    # A mass falls by `gap` onto a spring K under weight and load. Contact ends within the step.
    mass, wall, gap, h, load = 1.0, 1e4, 0.01, 0.09, 2.0
    one = native().initialise(
        mass=mass, normal_law=1, contact_stiffness=wall, initial_gap=gap, normal_load=load,
    )  # fmt: skip
    assert one.step(0.0, h, normal_load=load) == OK
    assert one.get("contact_mode") == 0
    assert one.get("shock_count") == 1

    def after(force: Any) -> tuple[Any, Any]:
        """Return the gap and its rate after fall, half a wave about equilibrium, and rebound."""
        fall = mpmath.sqrt(2 * gap * mass / force)
        speed = force / mass * fall
        omega = mpmath.sqrt(wall / mass)
        contact = (mpmath.pi + 2 * mpmath.atan(force * omega / (wall * speed))) / omega
        rest = h - fall - contact
        return speed * rest - force / mass * rest**2 / 2, speed - force / mass * rest

    with mpmath.workdps(30):
        exact = [
            float(mpmath.diff(lambda f, i=i: after(f)[i], mass * 10.0 + load)) for i in range(2)
        ]
    got = derivatives(one, "gap", "gap_velocity", normal_load=1.0)
    assert got == pytest.approx(exact, rel=CURVED)


def test_a_gap_that_wear_has_opened_stays_open_for_the_neighbours(native):
    one = native().initialise(
        mass=0.01, gravity=0.0, preload=20.0, normal_law=1, start_in_equilibrium=True,
        normal_stiffness=1e3, normal_damping=5.0, contact_stiffness=1e5, friction_coefficient=0.0,
        initial_velocity=1.5, wear_feedback=True, wear_time_scale=1e6,
    )  # fmt: skip
    for step in range(300):
        assert one.step(step * STEP, STEP) == OK
    # Wear is 7 mm of the 20 mm by which the contact was compressed.
    assert one.get("wear_depth") > 5e-3
    before = one.save()

    def after(load: float) -> list[float]:
        assert one.load(before) == OK
        assert one.step(300 * STEP, STEP, normal_load=load) == OK
        return [one.get(name) for name in ("wear_work", "gap", "normal_force")]

    low, high = after(-1.0), after(1.0)
    after(0.0)
    got = derivatives(one, "wear_work", "gap", "normal_force", normal_load=1.0)
    # The step is linear in the load, except for the wear caused by its displacement.
    slopes = [(b - a) / 2.0 for a, b in zip(low, high, strict=True)]
    assert got == pytest.approx(slopes, rel=1e-6)


def test_at_initialisation_outputs_follow_inputs_and_parameters(native):
    one = native()
    one.set(mass=2.0, damping=0.0, initial_velocity=0.5, normal_load=1.0)
    assert ask(one, [4], {0: 1.0})[0] == ERROR  # not yet allowed
    assert "fmi2GetDirectionalDerivative is not allowed in phase" in one.messages[-1]
    assert one.call("fmi2EnterInitializationMode") == OK
    # F_N = m g + P_N.
    assert derivatives(one, "normal_force", gravity=1.0) == pytest.approx([2.0], rel=LINEAR)
    assert derivatives(one, "normal_force", mass=1.0) == pytest.approx([10.0], rel=LINEAR)
    assert derivatives(one, "normal_force", normal_load=1.0) == pytest.approx([1.0], rel=LINEAR)
    one.set(mass=1e-9, normal_load=0.0)
    assert derivatives(one, "normal_force", mass=1.0) == pytest.approx([10.0], rel=LINEAR)
    one.set(mass=2.0, normal_load=1.0)
    # Damping is at its lower bound, so the difference is one-sided. m ü = −c v + ….
    assert derivatives(one, "absolute_acceleration", damping=1.0) == pytest.approx(
        [-0.5 / 2.0], rel=LINEAR
    )
    assert one.call("fmi2ExitInitializationMode") == OK
    assert derivatives(one, "normal_force", normal_load=1.0) == pytest.approx([1.0], rel=LINEAR)
    status, _ = ask(one, [one.references["normal_force"]], {one.references["gravity"]: 1.0})
    assert status == ERROR
    assert "must be an input" in one.messages[-1]


def test_friction_across_a_slip_has_a_slope_at_small_distances_only(native):
    # The stretch r = μ N/K_T of a dragged point turns towards the path: tan(θ/2) decreases by
    # e^(−ℓ/r).
    stiffness, friction, press, way = 1e6, 0.2, 2e-4, 1e-5
    force, stretch = friction * stiffness * press, friction * press

    def forces(side):
        angle = mpmath.atan2(side, way)
        left = mpmath.tan(angle / 2) * mpmath.exp(-mpmath.hypot(side, way) / stretch)
        turned = angle - 2 * mpmath.atan(left)
        return force * mpmath.cos(turned), force * mpmath.sin(turned)

    one = native("DisChoc").initialise(
        drive=1, dist_1=0.0, contact_stiffness=stiffness, tangential_stiffness=stiffness,
        friction_coefficient=friction, imposed_displacement_x=-press,
    )  # fmt: skip
    assert one.step(0.0, 1.0, imposed_displacement_y=1.25 * stretch) == OK
    assert one.step(1.0, 1.0, imposed_displacement_y=1.25 * stretch + way,
                    imposed_displacement_z=way) == OK  # fmt: skip
    assert [one.get("force_y"), one.get("force_z")] == pytest.approx(forces(way), rel=1e-12)
    slopes = [float(mpmath.diff(lambda side, k=k: forces(side)[k], way)) for k in range(2)]
    # The force is nonlinear over 1e-5 m. The best distance tried, 1e-9 m, gives an error of
    # 1e-15/1e-9.
    assert derivatives(one, "force_y", "force_z", imposed_displacement_z=1.0) == pytest.approx(
        slopes, rel=1e-7
    )


def test_a_higher_order_of_extrapolation_counts_the_newest_sample_only(native):
    # Linear extrapolation from a0 at −h and a1 at 0 over [0, h]: ∂v/∂a1 = −3h/2.
    one = native().initialise(initial_velocity=5.0, input_extrapolation_order=1)
    assert one.step(0.0, STEP, base_acceleration=1.0) == OK
    assert one.step(STEP, STEP, base_acceleration=2.0) == OK
    assert derivatives(one, "relative_velocity", base_acceleration=1.0) == pytest.approx(
        [-1.5 * STEP], rel=LINEAR
    )


def test_asking_and_setting_inputs_change_no_result(native):
    one, other = native().initialise(), native().initialise()
    for step in range(400):
        time = step * STEP
        shaking = 15.0 * math.sin(2.0 * math.pi * time)
        for instance in (one, other):
            assert instance.step(time, STEP, base_acceleration=shaking) == OK
        if step % 7 == 0:
            before = derivatives(one, "relative_velocity", base_acceleration=1.0)
            one.set(base_acceleration=-99.0)
            assert derivatives(one, "relative_velocity", base_acceleration=1.0) == before
    assert one.outputs() == other.outputs()


def test_derivatives_come_back_with_a_saved_state(native):
    one = native().initialise(initial_velocity=1.0)
    assert one.step(0.0, STEP, base_acceleration=1.0) == OK
    state = one.save()
    before = derivatives(one, "wear_work", base_acceleration=1.0)
    for step in range(1, 400):
        assert one.step(step * STEP, STEP, base_acceleration=9.0) == OK
    assert derivatives(one, "wear_work", base_acceleration=1.0) != before
    assert one.load(state) == OK
    assert derivatives(one, "wear_work", base_acceleration=1.0) == before


def test_a_step_that_is_refused_leaves_the_derivatives(native):
    one = native().initialise(mass=4.0, initial_velocity=1.0)
    assert one.step(0.0, STEP, base_acceleration=1.0) == OK
    before = derivatives(one, "wear_work", base_acceleration=1.0)
    assert one.step(STEP, STEP, base_acceleration=1e308) == ERROR
    assert derivatives(one, "wear_work", base_acceleration=1.0) == before


def test_at_the_edge_of_a_mode_the_side_that_stays_in_it_counts(native):
    # m a = μ_s N exactly: a larger input causes slip, and a smaller one keeps the present mode,
    # stick.
    one = native().initialise(friction_coefficient=0.125, friction_coefficient_static=0.125)
    assert one.step(0.0, STEP, base_acceleration=1.25) == OK
    assert one.get("contact_mode") == 1
    assert derivatives(one, "friction_force", base_acceleration=1.0) == pytest.approx(
        [1.0], rel=LINEAR
    )


def test_where_both_sides_leave_the_mode_there_is_no_derivative(native):
    # Without friction and force, the mass is at rest and slips in either direction at the smallest
    # force.
    one = native().initialise(friction_coefficient=0.0, friction_coefficient_static=0.0)
    assert one.step(0.0, STEP) == OK
    assert one.get("contact_mode") == 1
    status, _ = ask(one, [one.references["relative_velocity"]], {0: 1.0})
    assert status == DISCARD
    assert "the contact's mode changes with any change of the inputs" in one.messages[-1]


@pytest.mark.parametrize(
    ("outputs", "inputs", "message"),
    [
        ([0], {0: 1.0}, "valueReference 0 must be a Real output"),
        ([18], {0: 1.0}, "valueReference 18 must be a Real output"),  # contact_mode
        ([31], {0: 1.0}, "valueReference 31 must be a Real output"),  # stop_count
        ([36], {0: 1.0}, "valueReference 36 must be a Real output"),  # mass
        ([4], {4: 1.0}, "valueReference 4 must be an input"),
        ([4], {2**32 - 1: 1.0}, "valueReference 4294967295 must be an input"),
        ([4], {0: math.nan}, "the change of base_acceleration=nan must be finite"),
    ],
)
def test_what_has_no_derivative_is_refused_by_name(native, outputs, inputs, message):
    one = native().initialise()
    assert ask(one, outputs, inputs)[0] == ERROR
    assert message in one.messages[-1]
    assert one.step(0.0, STEP) == OK


def test_a_failed_initialisation_has_no_derivatives(native):
    one = native().initialise(mass=-1.0)
    assert ask(one, [4], {0: 1.0})[0] == ERROR
    assert "mass=-1.0 kg must be > 0" in one.messages[-1]


def test_newton_closes_a_loop_that_repetition_cannot(native):
    # A support of 0.5 kg under a shoe of 1 kg in stick: M a = F − R(a), R = −m a.
    # Setting a = (F − R)/M repeatedly doubles the error each time. A single step of Newton's
    # method is exact.
    support, mass, force = 0.5, 1.0, 0.9
    one = native().initialise(mass=mass)
    state = one.save()

    def residual(acceleration: float) -> float:
        assert one.load(state) == OK
        assert one.step(0.0, STEP, base_acceleration=acceleration) == OK
        return float(support * acceleration - force - one.get("support_force_tangential"))

    acceleration = 0.0
    value = residual(acceleration)
    slope = support - derivatives(one, "support_force_tangential", base_acceleration=1.0)[0]
    acceleration -= value / slope
    # Exact solution: both have the same acceleration.
    assert acceleration == pytest.approx(force / (support + mass), rel=1e-12)
    assert abs(residual(acceleration)) < 1e-12
