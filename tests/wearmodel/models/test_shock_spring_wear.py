"""Wear of the shock spring: rate, volume and depth in addition to the wear work."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from wearmodel import ShockSpring, ShockSpringParameters
from wearmodel.models.shock_spring import Drive

FLIGHT, STICK, SLIP = 0, 1, 2


def pressed(depth: float = 1.0, **parameters: object) -> ShockSpring:
    """Return a spring with K_N = 10 N/m, K_T = 1000 N/m, μ = 0.1, pressed by `depth` [m]."""
    values = {
        "drive": Drive.displacement,
        "contact_stiffness": 10.0,
        "tangential_stiffness": 1000.0,
        "dist_1": 0.0,
        "friction_coefficient": 0.1,
        **parameters,
    }
    model = ShockSpring(ShockSpringParameters(**values))  # type: ignore[arg-type]
    model.step(imposed_displacement_x=-depth, step_size=0.5)
    return model


def test_nothing_moves_at_the_start():
    model = ShockSpring(ShockSpringParameters(dist_1=-1.0))
    assert model.force_x < 0.0
    assert (model.slip_velocity, model.wear_power, model.worn_volume, model.wear_depth) == (0,) * 4


def test_volume_and_depth_follow_from_the_wear_work():
    model = pressed(archard_coefficient=3e-13, wear_area=2e-4)
    model.step(imposed_displacement_x=-1.0, imposed_displacement_y=2.0, step_size=0.1)
    # 2 m minus the stretch μN/K_T.
    assert model.wear_work == pytest.approx(10.0 * (2.0 - 1e-3), rel=1e-14)
    assert model.worn_volume == pytest.approx(3e-13 * model.wear_work, rel=1e-15)
    assert model.wear_depth == pytest.approx(3e-13 * model.wear_work / 2e-4, rel=1e-15)


def test_a_dragged_spring_slides_with_its_point_and_a_held_one_does_not():
    model = pressed()
    model.step(imposed_displacement_x=-1.0, imposed_displacement_y=2.0, step_size=0.1)
    assert model.slip_velocity == pytest.approx(20.0, rel=1e-15)
    assert model.wear_power == pytest.approx(200.0, rel=1e-15)
    model.step(imposed_displacement_x=-1.0, imposed_displacement_y=2.0, step_size=0.1)
    assert (model.contact_mode, model.slip_velocity, model.wear_power) == (STICK, 0.0, 0.0)
    model.step(imposed_displacement_x=1.0, imposed_displacement_y=2.0, step_size=0.1)
    assert (model.contact_mode, model.slip_velocity, model.wear_power) == (FLIGHT, 0.0, 0.0)


def test_a_shrinking_cone_slides_about_a_held_point():
    model = pressed()
    model.step(imposed_displacement_x=-1.0, imposed_displacement_y=1.0)
    model.step(imposed_displacement_x=-0.5, imposed_displacement_y=1.0, step_size=0.2)
    # μN/K_T falls from 1 mm to 0.5 mm in 0.2 s.
    assert model.slip_velocity == pytest.approx(2.5e-3, rel=1e-12)
    assert model.wear_power == pytest.approx(5.0 * 2.5e-3, rel=1e-12)


@pytest.mark.parametrize("drive", Drive, ids=lambda drive: drive.name)
def test_the_wear_power_is_the_rate_of_the_wear_work(drive):
    """Compare with a five-point difference in slip that turns while the normal force grows."""
    names = "load" if drive is Drive.load else "imposed_displacement"
    parameters = ShockSpringParameters(
        drive=drive,
        elastic_stiffness=3.0,
        contact_stiffness=2.0,
        tangential_stiffness=1.5,
        friction_coefficient=0.4,
    )
    corners = np.array([[-4.0, 0.0, 0.0], [-4.0, 3.0, 0.0], [-5.5, 4.0, 5.0]])
    if drive is Drive.displacement:
        corners /= 3.0

    def led(share: float) -> ShockSpring:
        model = ShockSpring(parameters)
        last = corners[1] + share * (corners[2] - corners[1])
        for point, step_size in ((corners[0], 1.0), (corners[1], 1.0), (last, 0.5 * share)):
            values = {f"{names}_{axis}": float(one) for axis, one in zip("xyz", point, strict=True)}
            model.step(**values, step_size=step_size)
        assert model.contact_mode == SLIP
        return model

    width = 0.01
    weights = {-2: 1 / 12, -1: -8 / 12, 1: 8 / 12, 2: -1 / 12}
    rate = sum(weight * led(0.6 + at * width).wear_work for at, weight in weights.items())
    # One leg takes 0.5 s. The error is the fifth derivative times width⁴/30, about 1e-9, plus
    # rounding/width.
    assert led(0.6).wear_power == pytest.approx(rate / (0.5 * width), rel=1e-7)


def test_a_step_that_takes_for_ever_has_no_rates():
    model = pressed()
    model.step(imposed_displacement_x=-1.0, imposed_displacement_y=2.0, step_size=math.inf)
    assert model.contact_mode == SLIP
    assert (model.slip_velocity, model.wear_power) == (0.0, 0.0)


def test_a_rate_that_overflows_is_refused_and_the_state_stands():
    model = pressed()
    before = model.snapshot()
    with pytest.raises(ValueError, match=r"their rates within 1e\+60 m/s"):
        model.step(imposed_displacement_x=-2.0, step_size=1e-310)
    assert model.snapshot() == before


def worn_under_a_spring(
    steps: int, way: float, *, drive: Drive = Drive.displacement, **parameters: object
) -> ShockSpring:
    """Press with K = 1e6 N/m by 10 µm, and move the point by `way` plus the stretch μF/K_T."""
    stiffness, friction = 1e6, 0.3
    values = {
        "drive": drive,
        "elastic_stiffness": 1e6,
        "contact_stiffness": 1e6,
        "tangential_stiffness": stiffness,
        "friction_coefficient": friction,
        "dist_1": 0.0,
        **parameters,
    }
    model = ShockSpring(ShockSpringParameters(**values))  # type: ignore[arg-type]
    seen, name = 1.0, "imposed_displacement"
    if drive is Drive.load:
        # The contact and its friction spring act in series with the elastic spring.
        seen, name = 2.0, "load"
    force = 10.0 / math.e if values.get("wear_feedback") else 10.0
    press, drag = -1e-5 * seen, way + friction * force / stiffness * seen
    factor = 1e6 if drive is Drive.load else 1.0
    for step in range(steps + 1):
        values = {f"{name}_x": factor * press, f"{name}_y": factor * drag * step / steps}
        model.step(**values, step_size=0.1)  # type: ignore[arg-type]
    return model


@pytest.mark.parametrize("drive", Drive, ids=lambda drive: drive.name)
@pytest.mark.parametrize("steps", [1, 7, 100])
@pytest.mark.parametrize("scale", [1.0, 10.0, 1e3, 1e6])
def test_a_spring_loaded_contact_wears_its_force_away_by_the_exponential(scale, steps, drive):
    """F = F_0 exp(−β K x). 1000 m of service correspond to 1000 m/scale of the run.

    With given loads, both springs act in series. The stiffness is K/2, which halves the decay.
    """
    seen = 1.0 if drive is Drive.displacement else 2.0
    model = worn_under_a_spring(
        steps, 1e3 * seen / scale, drive=drive, wear_feedback=True, wear_time_scale=scale
    )
    assert model.contact_mode == SLIP
    assert model.force_x == pytest.approx(-10.0 / math.e, rel=1e-13)
    depth = seen * 1e-5 * -math.expm1(-1.0)
    assert model.wear_depth == pytest.approx(depth, rel=1e-13)
    assert model.worn_volume == pytest.approx(depth * 1e-4, rel=1e-13)
    assert model.wear_work == pytest.approx(depth / (scale * 1e-9), rel=1e-13)


def test_without_feedback_the_same_slide_does_ten_thousand_joules():
    model = worn_under_a_spring(7, 1e3)
    assert model.wear_work == pytest.approx(1e4, rel=1e-13)
    assert model.force_x == pytest.approx(-10.0, rel=1e-15)
    assert model.wear_depth == pytest.approx(1e-5, rel=1e-13)


def test_wear_faster_than_the_friction_spring_can_follow_is_refused_and_the_state_stands():
    model = pressed(wear_feedback=True, wear_time_scale=1e12)
    before = model.snapshot()
    # μ K_N β F = 0.1 · 10 · 1e3 · 10 ≥ 1000 N/m
    with pytest.raises(ValueError, match="Take a smaller wear_time_scale"):
        model.step(imposed_displacement_x=-1.0, imposed_displacement_y=1.0, step_size=1.0)
    assert model.snapshot() == before


def test_wear_acts_back_on_nothing_in_flight_and_stick():
    on, off = (pressed(-0.5, wear_feedback=one, wear_time_scale=1e6) for one in (True, False))
    for point in ((0.2, 3.0), (-0.5, 3.0), (-1.0, 3.0), (-1.0, 3.0005), (-0.8, 3.0006)):
        for model in (on, off):
            model.step(imposed_displacement_x=point[0], imposed_displacement_y=point[1])
        assert on.contact_mode != SLIP
        # One solution is by series and the other in closed form.
        assert on.outputs() == pytest.approx(off.outputs(), rel=1e-14)


def test_the_gap_that_wear_opens_takes_its_energy_from_the_contact_spring():
    """∫ F dh = β ∫ F dW is taken from ½ K_N d². With constant x there is no other work."""
    model = worn_under_a_spring(1, 1e3, wear_feedback=True)
    left = 0.5 * 1e6 * (model.force_x / 1e6) ** 2
    # F dh with F = F_0 exp(−β K x): F_0²/2K (1 − e⁻²)
    taken = 0.5 * 100.0 / 1e6 * -math.expm1(-2.0)
    assert left + taken == pytest.approx(0.5 * 1e6 * 1e-10, rel=1e-13)


def test_a_cone_that_narrows_lets_the_anchor_jump_until_wear_has_eased_the_force():
    """stretch − w = bound e^(−fall w), because the damper force vanishes when the point stops."""
    model = pressed(
        tangential_stiffness=20.0,
        friction_coefficient=0.2,
        contact_damping=20.0,
        wear_feedback=True,
        archard_coefficient=1e-5,
        wear_area=1.0,
        wear_time_scale=1e4,
    )
    stretch, bound, fall = 0.4, 0.2 * 20.0 / 20.0, 10.0 * 0.1
    # At 2 m/s the damper adds 40 N to the spring force of 20 N.
    model.step(imposed_displacement_x=-2.0, imposed_displacement_y=stretch, step_size=0.5)
    assert (model.contact_mode, model.wear_work) == (STICK, 0.0)
    model.step(imposed_displacement_x=-2.0, imposed_displacement_y=stretch, step_size=0.5)
    way = brentq(lambda w: stretch - w - bound * math.exp(-fall * w), 0.0, stretch, xtol=1e-16)
    assert model.wear_work == pytest.approx(20.0 * -math.expm1(-fall * way) / fall, rel=1e-10)
    assert model.force_x == pytest.approx(-20.0 * math.exp(-fall * way), rel=1e-10)
    assert model.force_y == pytest.approx(20.0 * (stretch - way), rel=1e-10)


@pytest.mark.parametrize("push", [-0.25, 0.25], ids=["pressed on", "drawn back"])
def test_an_undamped_slip_that_wears_follows_the_force_along_both_axes(push):
    """Solve (1 − μ K_N β N/K_T) ȧ = v + (μ K_N/K_T) ẋ and Ṅ = −K_N (ẋ + β N ȧ) by scipy."""
    speed, ratio, beta = 2.0, 0.3 * 10.0 / 20.0, 0.02
    model = pressed(
        tangential_stiffness=20.0,
        friction_coefficient=0.3,
        wear_feedback=True,
        archard_coefficient=1e-5,
        wear_area=1.0,
        wear_time_scale=beta / 1e-5,
    )
    # First to the cone at μN/K_T, then in slip.
    model.step(imposed_displacement_x=-1.0, imposed_displacement_y=0.15, step_size=1.0)
    model.step(
        imposed_displacement_x=-1.0 + push, imposed_displacement_y=0.15 + speed, step_size=1.0
    )

    def rates(_: float, state: tuple[float, float]) -> list[float]:
        force = state[0]
        anchor = (speed + ratio * push) / (1.0 - ratio * beta * force)
        return [-10.0 * (push + beta * force * anchor), force * anchor]

    end = solve_ivp(rates, (0.0, 1.0), [10.0, 0.0], method="DOP853", rtol=1e-13, atol=1e-15)
    force, wear = end.y[:, -1]
    assert model.contact_mode == SLIP
    assert model.force_x == pytest.approx(-force, rel=1e-11)
    assert model.wear_work == pytest.approx(wear, rel=1e-11)


@pytest.mark.parametrize("steps", [1, 8])
def test_the_normal_damper_widens_the_cone_from_the_instant_of_closing(steps):
    """N = 3 + 5 s in the second half of the leg, which is in contact. Stick ends at s = 0.2."""
    model = ShockSpring(
        ShockSpringParameters(
            drive=Drive.displacement,
            dist_1=0.0,
            contact_stiffness=10.0,
            contact_damping=3.0,
            tangential_stiffness=20.0,
            friction_coefficient=0.3,
        )
    )
    model.step(imposed_displacement_x=0.5, step_size=1.0)
    for step in range(1, steps + 1):
        share = step / steps
        model.step(
            imposed_displacement_x=0.5 - share,
            imposed_displacement_y=0.6 * share,
            step_size=1.0 / steps,
        )
    # Slip per unit of s: the point moves 0.3 m, and the cone grows by 0.12 m − 0.045 m.
    slip = 0.3 - 0.075
    assert model.slip_y == pytest.approx(0.6 - 0.12, rel=1e-12)
    assert model.wear_work == pytest.approx(slip * (3.0 * 0.8 + 2.5 * 0.96), rel=1e-12)
