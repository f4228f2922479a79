"""Wear that opens the gap during the run. `test_varying_friction` contains random runs."""

import math

import numpy as np
import pytest
from numpy.polynomial import polynomial
from scipy.linalg import expm

from wearmodel import (
    FrictionalShock,
    FrictionalShockParameters,
    NormalLaw,
    StepError,
    TangentialLaw,
)

from .independent_shock import IndependentShock
from .trace import record

PRESSED = {"normal_law": NormalLaw.penalty, "start_in_equilibrium": True, "contact_stiffness": 1e4}


def slid(*, steps: int = 100, until: float = 1.0, **parameters: object) -> FrictionalShock:
    """Return a mass pressed on a penalised plane, which starts to slide at 2 m/s."""
    values = {**PRESSED, "friction_coefficient": 0.2, "initial_velocity": 2.0, **parameters}
    model = FrictionalShock(FrictionalShockParameters(**values))  # type: ignore[arg-type]
    for _ in range(steps):
        model.step(until / steps)
    return model


@pytest.mark.parametrize("scale", [1.0, 1e3, 1e6])
@pytest.mark.parametrize("steps", [1, 7, 200])
@pytest.mark.parametrize(
    ("spring", "damper"),
    [(1e3, 5.0), (1e3, 0.0), (0.0, 5.0)],
    ids=["spring and damper", "spring", "damper"],
)
def test_a_held_contact_wears_itself_free_by_the_matrix_exponential(spring, damper, steps, scale):
    """Without friction the slip speed v is constant, and wear is linear in F_N: ḣ = β v F_N."""
    mass, contact, speed, preload, until = 2.0, 1e5, 1.5, 20.0, 0.4
    model = FrictionalShock(
        FrictionalShockParameters(
            mass=mass,
            gravity=0.0,
            preload=preload,
            normal_law=NormalLaw.penalty,
            start_in_equilibrium=True,
            normal_stiffness=spring,
            normal_damping=damper,
            contact_stiffness=contact,
            friction_coefficient=0.0,
            initial_velocity=speed,
            wear_feedback=True,
            wear_time_scale=scale,
        )
    )
    for _ in range(steps):
        model.step(until / steps)
    beta = scale * 1e-13 / 1e-4
    # (w, ẇ, h, 1): F_N = −K_N (w + h)
    rates = [
        [0.0, 1.0, 0.0, 0.0],
        [-(spring + contact) / mass, -damper / mass, -contact / mass, -preload / mass],
        [-beta * speed * contact, 0.0, -beta * speed * contact, 0.0],
        [0.0, 0.0, 0.0, 0.0],
    ]
    place = -preload / (spring + contact)
    w, w_rate, depth, _ = expm(until * np.array(rates)) @ [place, 0.0, 0.0, 1.0]
    force = -contact * (w + depth)
    outputs = model.outputs()
    # expm has an error of about 1e-13 of displacements, which K_N multiplies.
    assert outputs["normal_force"] == pytest.approx(force, rel=1e-10)
    assert outputs["gap"] == pytest.approx(w + depth, rel=1e-10)
    assert outputs["gap_velocity"] == pytest.approx(w_rate + beta * speed * force, abs=1e-11)
    assert outputs["wear_depth"] == pytest.approx(depth, rel=1e-10)
    assert outputs["wear_depth"] == outputs["wear_depth_lower"]


def test_the_opening_takes_out_of_the_contact_spring_what_the_trace_says():
    """½ K_N gap² changes by K_N gap (ẇ + ḣ). The mass takes the first part, wear the second."""
    model = FrictionalShock(
        FrictionalShockParameters(
            **PRESSED,  # type: ignore[arg-type]
            friction_coefficient=0.2,
            initial_velocity=2.0,
            wear_feedback=True,
            wear_time_scale=1e6,
        )
    )
    trace = record(model)
    before = model.outputs()
    model.step(0.1)
    after = model.outputs()
    taken = 0.0
    worked = 0.0
    for segment in trace.segments:
        end = segment.duration / segment.length
        force = segment.series["normal_force"]
        for name, sign in (("opening", 1.0), ("normal_displacement", -1.0)):
            product = polynomial.polymul(force, polynomial.polyder(segment.series[name]))
            part = float(polynomial.polyval(end, polynomial.polyint(product)))
            if name == "opening":
                taken += part
            else:
                worked += sign * part
    stored = 0.5 * 1e4 * (after["gap"] ** 2 - before["gap"] ** 2)
    assert taken > 0.0
    assert stored == pytest.approx(worked - taken, rel=1e-9, abs=1e-13)


def test_each_plane_keeps_its_own_depth_and_both_add_up():
    model = FrictionalShock(
        FrictionalShockParameters(
            normal_law=NormalLaw.penalty,
            obstacle="two_planes",  # type: ignore[arg-type]
            plane_half_spacing=1e-3,
            initial_gap=1e-3,
            contact_stiffness=1e5,
            initial_velocity=5.0,
            wear_feedback=True,
            wear_time_scale=1e6,
        )
    )
    for step in range(2000):
        model.step(1e-3, base_acceleration_normal=40.0 * math.sin(60.0 * step * 1e-3))
    outputs = model.outputs()
    lower, upper = outputs["wear_depth_lower"], outputs["wear_depth_upper"]
    assert min(lower, upper) > 1e-5
    assert lower + upper == pytest.approx(outputs["wear_depth"], rel=1e-14)
    # The planes have moved apart, which increases the distances of a mass at rest in the middle.
    assert outputs["gap"] <= 1e-3 + 0.5 * (lower + upper)


def test_without_feedback_the_time_scale_multiplies_volume_and_depth_alone():
    plain, scaled = slid().outputs(), slid(wear_time_scale=1e6).outputs()
    for name, value in plain.items():
        factor = 1e6 if name.startswith(("worn", "wear_depth")) else 1.0
        assert scaled[name] == pytest.approx(factor * value, rel=1e-15)


def test_wear_that_runs_away_from_an_undamped_friction_spring_fails_the_step_and_says_why():
    with pytest.raises(StepError, match="Take a smaller wear_time_scale"):
        slid(
            tangential_law="penalty",
            tangential_stiffness=1e2,
            tangential_damping=0.0,
            wear_feedback=True,
            wear_time_scale=1e7,
        )


@pytest.mark.parametrize("slow", [-1.0, 0.6], ids=["constant", "weakening"])
def test_wear_that_takes_a_third_of_the_friction_springs_stiffness_agrees_with_an_integration(slow):
    """μ K_N β F_N = 0.3 K_T, so each coefficient of the depth contains the slip that it adds."""
    parameters = FrictionalShockParameters(
        friction_coefficient=0.3,
        friction_coefficient_slow=slow,
        friction_decay_velocity=0.5 if slow > 0.0 else 0.0,
        normal_law=NormalLaw.penalty,
        contact_stiffness=50.0,
        initial_gap=-0.2,
        tangential_law=TangentialLaw.penalty,
        tangential_stiffness=100.0,
        tangential_damping=0.0,
        initial_velocity=1.0,
        wear_feedback=True,
        archard_coefficient=1e-9,
        wear_area=1e-4,
        wear_time_scale=2e4,
    )
    inputs = {
        "base_acceleration": [0.0],
        "base_acceleration_normal": [0.0],
        "tangential_load": [3.0],
        "normal_load": [0.0],
    }
    until = 0.12
    want = IndependentShock(parameters, inputs).run(until)
    model = FrictionalShock(parameters, tangential_load=3.0)
    model.step(until, tangential_load=3.0)
    outputs = model.outputs()
    assert outputs["contact_mode"] == 2.0
    assert outputs["wear_work"] == pytest.approx(want[5], rel=1e-10)
    assert outputs["relative_velocity"] == pytest.approx(want[1], rel=1e-10)
    assert outputs["wear_depth"] > 1e-3


@pytest.mark.parametrize("law", [NormalLaw.prescribed, NormalLaw.rigid], ids=lambda law: law.name)
def test_feedback_is_refused_where_no_gap_follows_from_a_force(law):
    with pytest.raises(ValueError, match="wear_feedback=True needs normal_law penalty"):
        FrictionalShockParameters(normal_law=law, wear_feedback=True)


@pytest.mark.parametrize("damping", [0.0, 0.5, 5.0])
def test_negligible_wear_with_feedback_does_not_change_a_damped_friction_spring(damping):
    spring = {
        "tangential_law": TangentialLaw.penalty,
        "tangential_stiffness": 1e3,
        "tangential_damping": damping,
        "friction_coefficient_static": 0.3,
        "friction_decay_velocity": 0.5,
        "archard_coefficient": 1e-30,
    }
    worn, plain = (slid(wear_feedback=feedback, **spring).outputs() for feedback in (True, False))
    for name in ("relative_displacement", "relative_velocity", "friction_force", "wear_work"):
        assert worn[name] == pytest.approx(plain[name], rel=1e-9, abs=1e-12)
