"""A body that has slid stays at rest, for every form of friction and any friction spring.

A block of 1 kg slides on a plane under its weight and comes to rest. In stick, the friction spring
pulls it back over less than μ F_N/K_T. With the critical damper, its velocity decays to far below
1e-300 m/s. Without a damper, it continues to oscillate inside the cone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.linalg import expm
from scipy.optimize import brentq

from wearmodel.batch.structure_runs import run_structure
from wearmodel.kernel.shoe.parameters import InputTiming
from wearmodel.models.modal_shock import ModalShock
from wearmodel.structure import Structure, structure_of

from ..friction_forms import FORMS, VANISHING, static_coefficient

GRAVITY = 10.0
UP = [0.0, 0.0, 1.0]
# μ and v_s [m/s] of the forms.
FAST, SLOW, DECAY = 0.1, 0.05, 0.02
STIFFNESSES = (1e4, 1e6, 1e8, 1e10)
VELOCITY = 0.1
DAMPINGS = pytest.mark.parametrize("damping", [-1.0, 0.0], ids=["critical", "undamped"])
# Velocity and stretch underflow after a decay by e^−1500.
DECAYED = 1500.0


def block(
    form: str,
    stiffness: float,
    damping: float,
    turned: bool = False,
    velocity: float = VELOCITY,
    forms: Mapping[str, Mapping[str, Any]] = {**FORMS, "vanishing": VANISHING},
    **contact: Any,
) -> Structure:
    """Return the block on rigid modes. If `turned`, it slides along x and y at once."""
    friction = forms[form]
    axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    return structure_of(
        {
            "modes": {"frequency": [0.0] * 3},
            "base": {
                **{f"participation_{a}": axes[d] for d, a in enumerate("xyz")},
                "gravity_z": -GRAVITY,
            },
            "point": [{"name": "p", **{f"shape_{a}": axes[d] for d, a in enumerate("xyz")}}],
            "contact": [
                {
                    "name": "c",
                    "point": "p",
                    **({} if contact else {"obstacle": "plane", "normal": UP}),
                    "contact_stiffness": 1e6,
                    "tangential_stiffness": stiffness,
                    "tangential_damping": damping,
                    **friction,
                    **contact,
                }
            ],
            "initial": {
                "velocity": [velocity, 0.3 * velocity if turned else 0.0, 0.0],
                "displacement": [0.0, 0.0, -contact.get("gap", 0.0) - GRAVITY / 1e6],
            },
        }
    )


def stopping(form: str, velocity: float) -> tuple[float, float]:
    """Return the time [s] and the distance [m] in which a block stops under rigid friction."""
    friction = FORMS[form]
    fast, decay = friction["friction_coefficient"], friction.get("friction_decay_velocity", 1.0)
    slow = friction.get("friction_coefficient_slow", fast)
    viscous = friction.get("viscous_friction", 0.0)

    def time_per_speed(v: float) -> float:
        return 1.0 / ((fast + (slow - fast) * math.exp(-v / decay) + viscous * v) * GRAVITY)

    time = quad(time_per_speed, 0.0, velocity, epsrel=1e-12)[0]
    return time, quad(lambda v: v * time_per_speed(v), 0.0, velocity, epsrel=1e-12)[0]


@pytest.mark.long
@pytest.mark.parametrize("turned", [False, True], ids=["straight", "turned"])
@pytest.mark.parametrize("stiffness", STIFFNESSES)
@pytest.mark.parametrize("form", FORMS)
def test_a_damped_body_comes_to_rest_and_stays_there(
    form: str, stiffness: float, turned: bool
) -> None:
    model = ModalShock(block(form, stiffness, -1.0, turned), input_timing=InputTiming.end)
    time, way = stopping(form, VELOCITY * (math.hypot(1.0, 0.3) if turned else 1.0))
    time += DECAYED / math.sqrt(stiffness)
    step = min(0.1, 1e3 / math.sqrt(stiffness))
    for _ in range(math.ceil(time / step)):
        model.step(step)
    resting = model.outputs()
    speed, place = model._state.motion.velocity, model._state.motion.displacement
    assert math.hypot(*speed[:2]) < 1e-18
    assert (resting["c.contact_mode"], resting["c.slip_velocity"]) == (1.0, 0.0)
    largest = max(FORMS[form]["friction_coefficient"], SLOW) * GRAVITY
    assert math.hypot(resting["c.friction_force_x"], resting["c.friction_force_y"]) <= largest
    # It slides as a block under rigid friction, apart from the deflection of the friction spring.
    given = 3.0 * largest / stiffness
    assert resting["c.sliding_distance"] == pytest.approx(way, abs=given)
    assert resting["wear_work"] == pytest.approx(GRAVITY * way, abs=GRAVITY * given)
    # The block is at rest, so a step of any length is possible.
    before = (place[:2], resting["wear_work"])
    for _ in range(3):
        model.step(step)
    after = model.outputs()
    assert (model._state.motion.displacement[:2], after["wear_work"]) == before
    assert after["c.sliding_distance"] == resting["c.sliding_distance"]
    model.step(600.0)
    assert model._work.counts.pieces == 1
    # The prediction error is not compared, because a few coarse steps do not define it.
    assert {**model.outputs(), "input_prediction_error": 0.0} == {
        **after,
        "input_prediction_error": 0.0,
    }


@pytest.mark.parametrize("stiffness", STIFFNESSES)
@pytest.mark.parametrize("form", FORMS)
def test_ten_minutes_of_undamped_rest_are_a_single_step(form: str, stiffness: float) -> None:
    # With separate pieces, this would be up to ten million oscillations of the friction spring.
    model = ModalShock(block(form, stiffness, 0.0), input_timing=InputTiming.end)
    time, _ = stopping(form, VELOCITY)
    step = min(0.1, 1e3 / math.sqrt(stiffness))
    for _ in range(math.ceil((time + 10.0 / math.sqrt(stiffness)) / step)):
        model.step(step)
    resting, energy = model.outputs(), swing(model._state, stiffness)
    model.step(600.0)
    outputs = model.outputs()
    assert model._work.counts.pieces == 1
    assert outputs["wear_work"] == resting["wear_work"]
    assert swing(model._state, stiffness) == pytest.approx(energy, rel=1e-13)
    friction = math.hypot(outputs["c.friction_force_x"], outputs["c.friction_force_y"])
    assert friction <= static_coefficient(FORMS[form]) * GRAVITY * (1.0 + 1e-12)


ROUND = {"axis": [1.0, 0.0, 0.0], "gap": 1e-3}
OBSTACLES: dict[str, dict[str, Any]] = {
    "plane": {"normal": UP},
    "two_planes": {"normal": UP, "gap": 1e-3},
    "circle": ROUND,
    "polygon": {**ROUND, "sides": 8},
}


@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_a_body_rests_in_every_obstacle_for_as_long_as_a_step_lasts(obstacle: str) -> None:
    # The block slides along the axis of the hole. Its weight keeps it at the bottom.
    place = OBSTACLES[obstacle]
    structure = block("both", 1e8, -1.0, obstacle=obstacle, **place)
    model = ModalShock(structure, input_timing=InputTiming.end)
    for _ in range(6):
        model.step(0.1)
    for _ in range(2):
        model.step(600.0)
        assert model._work.counts.pieces == 1
    outputs, (_, _, height) = model.outputs(), model._state.motion.displacement
    assert height == pytest.approx(-place.get("gap", 0.0) - GRAVITY / 1e6, rel=1e-14)
    assert outputs["c.normal_force"] == pytest.approx(GRAVITY, rel=1e-11)
    assert outputs["c.contact_mode"] == 1.0
    _, way = stopping("both", VELOCITY)
    assert outputs["c.sliding_distance"] == pytest.approx(way, abs=3e-8)


# Velocities [m/s] at the rest position of the friction spring. Slip starts at 10 mm/s.
@pytest.mark.parametrize("velocity", [1e-3, 1e-9, 1e-16, 1e-100, 1e-280])
def test_a_swing_is_not_taken_for_rest_however_small_it_is(velocity: float) -> None:
    # The step contains 12.7 oscillations.
    stiffness, step = 1e4, 0.8
    structure = block("constant", stiffness, 0.0, velocity=velocity)
    model = ModalShock(structure, input_timing=InputTiming.end)
    model.step(step)
    speed, place = model._state.motion.velocity[0], model._state.motion.displacement[0]
    rate = math.sqrt(stiffness)
    wanted = velocity * math.cos(rate * step), velocity / rate * math.sin(rate * step)
    assert (speed, place) == pytest.approx(wanted, rel=1e-12, abs=0.0)


@DAMPINGS
def test_a_step_to_an_event_finds_none_at_rest(damping: float) -> None:
    model = ModalShock(block("both", 1e6, damping), input_timing=InputTiming.end)
    for _ in range(30):
        model.step(0.1)
    assert model.step_to_event(600.0).reached == 600.0
    assert (model._work.counts.pieces, model.event_count) == (1, 0)


@pytest.mark.parametrize("share", [1.0 - 1e-9, 1.0 + 1e-9])
def test_a_swing_slips_only_if_it_leaves_the_cone(share: float) -> None:
    # m v²/2 = K_T e²/2 with K_T e = share μ F_N.
    stiffness = 1e4
    velocity = share * FAST * GRAVITY / math.sqrt(stiffness)
    structure = block("constant", stiffness, 0.0, velocity=velocity)
    model = ModalShock(structure, input_timing=InputTiming.end)
    model.step(6.0)
    outputs = model.outputs()
    assert (model._work.counts.pieces == 1) == (share < 1.0)
    assert (outputs["wear_work"] > 0.0) == (share > 1.0)


@pytest.mark.parametrize("share", [1.0 - 1e-9, 1.0 + 1e-9])
def test_a_swing_of_the_normal_force_opens_a_contact_if_it_exceeds_the_weight(
    share: float,
) -> None:
    # A ball is pressed by share g/K below its equilibrium and released. K is 1e6 N/m.
    structure = block("constant", 1e4, 0.0, velocity=0.0)
    model = ModalShock(structure, input_timing=InputTiming.start, input_extrapolation_order=0)
    model._state.motion.displacement[2] -= share * GRAVITY / 1e6
    model._state.contacts[0].contact_peak = model._state.contacts[0].peak_force = 30.0
    model.step(1.0)
    assert (model._work.counts.pieces == 1) == (share < 1.0)
    assert (model.outputs()["c.shock_count"] > 1.0) == (share > 1.0)


@pytest.mark.parametrize("modes", [2, 12])
def test_a_coupled_structure_swings_as_its_matrix_exponential(modes: int) -> None:
    # Two preloaded contacts stick on planes and couple all modes.
    random = np.random.default_rng(modes)
    mass, frequency = random.uniform(0.5, 2.0, modes), random.uniform(5.0, 60.0, modes)
    shapes = random.uniform(0.3, 1.0, size=(2, 3, modes))
    pressing, holding = 3e5, 1e6
    structure = structure_of(
        {
            "modes": {"frequency": frequency.tolist(), "generalised_mass": mass.tolist()},
            "point": [
                {
                    "name": f"p{n}",
                    **dict(zip(("shape_x", "shape_y", "shape_z"), shape.tolist(), strict=True)),
                }
                for n, shape in enumerate(shapes)
            ],
            "contact": [
                {
                    "name": f"c{n}",
                    "point": f"p{n}",
                    "obstacle": "plane",
                    "normal": UP,
                    "gap": -1e-2,
                    "contact_stiffness": pressing,
                    "tangential_stiffness": holding,
                    "tangential_damping": 0.0,
                    "friction_coefficient": 0.5,
                }
                for n in range(2)
            ],
            "initial": {"equilibrium": True},
        }
    )
    stiffness = np.diag(mass * (2.0 * np.pi * frequency) ** 2)
    for along_x, along_y, along_z in shapes:
        stiffness += pressing * np.outer(along_z, along_z)
        stiffness += holding * (np.outer(along_x, along_x) + np.outer(along_y, along_y))
    model = ModalShock(structure, input_timing=InputTiming.end)
    motion = model._state.motion
    start = np.array(motion.displacement)
    velocity = 1e-4 * random.normal(size=modes)
    motion.velocity[:] = velocity.tolist()
    for contact in model._state.contacts:
        contact.contact_peak = contact.peak_force = 1e5
    step, zero = 0.9, np.zeros((modes, modes))
    model.step(step)
    assert model._work.counts.pieces == 1
    system = np.block([[zero, np.eye(modes)], [-stiffness / mass[:, None], zero]])
    moved = expm(system * step) @ np.concatenate((np.zeros(modes), velocity))
    motion = model._state.motion
    # expm squares its matrix ten times, which amplifies rounding.
    largest = np.abs(velocity).max()
    rate = np.sqrt(np.linalg.eigvalsh(stiffness / np.sqrt(np.outer(mass, mass))).max())
    assert motion.velocity == pytest.approx(moved[modes:].tolist(), abs=1e-10 * largest)
    way = (np.array(motion.displacement) - start).tolist()
    assert way == pytest.approx(moved[:modes].tolist(), abs=1e-9 * largest / rate)
    stretches = [shapes[n][:2] @ np.array(way) for n in range(2)]
    for contact, stretch in zip(model._state.contacts, stretches, strict=True):
        size = math.hypot(contact.stretch_1, contact.stretch_2)
        assert size == pytest.approx(math.hypot(*stretch), rel=1e-11)


def test_a_body_that_a_load_has_just_been_put_on_is_not_at_rest() -> None:
    stiffness, load, step = 1e4, 0.3, 0.8
    structure = block("constant", stiffness, 0.0, velocity=0.0)
    model = ModalShock(structure, input_timing=InputTiming.start, input_extrapolation_order=0)
    model.step(step, base_acceleration_x=-load)
    wanted = load / stiffness * (1.0 - math.cos(math.sqrt(stiffness) * step))
    assert model._state.motion.displacement[0] == pytest.approx(wanted, rel=1e-12, abs=0.0)


@pytest.mark.parametrize("share", [1e-16, 1e-3, 0.9])
def test_a_body_at_rest_follows_a_load_that_grows(share: float) -> None:
    # At the end of the ramp, the force of the critical damper is 2e-3 of the spring force.
    stiffness, load = 1e8, share * FAST * GRAVITY
    model = ModalShock(
        block("constant", stiffness, -1.0, velocity=0.0), input_timing=InputTiming.end
    )
    model.step(10.0)
    model.step(0.1, base_acceleration_x=-load)
    place = model._state.motion.displacement[0]
    assert place == pytest.approx(load / stiffness, rel=3e-3)
    model.step(1.0, base_acceleration_x=-load)
    model.step(600.0, base_acceleration_x=-load)
    assert model._work.counts.pieces == 1
    assert model.outputs()["c.friction_force_x"] == pytest.approx(-load, rel=1e-13)


@pytest.mark.parametrize("stiffness", STIFFNESSES[:2])
@pytest.mark.parametrize("form", FORMS)
def test_an_undamped_body_swings_in_the_cone_and_neither_gains_nor_loses_energy(
    form: str, stiffness: float
) -> None:
    model = ModalShock(block(form, stiffness, 0.0), input_timing=InputTiming.end)
    time, _ = stopping(form, VELOCITY)
    model.step(time + 10.0 / math.sqrt(stiffness))
    outputs = model.outputs()
    for _ in range(100):
        worn = outputs["wear_work"]
        before = model._state
        energy = swing(before, stiffness)
        model.step(0.37 / math.sqrt(stiffness))
        outputs = model.outputs()
        # Energy is lost only by slip on the cone, with a friction coefficient below 2.2 `static`.
        rubbed = outputs["wear_work"] - worn
        static = max(FORMS[form].get("friction_coefficient_slow", 0.0), 0.05)
        assert abs(outputs["c.friction_force_x"]) <= 0.11 * GRAVITY
        assert swing(model._state, stiffness) <= energy * (1.0 + 1e-12)
        assert swing(model._state, stiffness) >= energy - 2.2 * static * rubbed - 1e-12 * energy


def swing(state: Any, stiffness: float) -> float:
    """Return the kinetic energy along the plane plus the energy of the friction spring [J]."""
    contact, speed = state.contacts[0], math.hypot(*state.motion.velocity[:2])
    stretch = math.hypot(contact.stretch_1, contact.stretch_2)
    return float(0.5 * speed**2 + 0.5 * stiffness * stretch**2)


@pytest.mark.native
@DAMPINGS
@pytest.mark.parametrize("form", FORMS)
def test_a_compiled_run_comes_to_rest_with_the_same_bits(form: str, damping: float) -> None:
    # The last steps are single pieces.
    structure = block(form, 1e8 if damping else 1e5, damping)
    names = ("c.friction_force_x", "c.sliding_distance", "wear_work")
    steps, step = 8, 0.05
    run = run_structure(structure, step_size=step, steps=steps, outputs=names)
    model = ModalShock(structure, input_timing=InputTiming.end)
    for number in range(1, steps + 1):
        model.step(step)
        outputs = model.outputs()
        assert [run.history[name][number] for name in names] == [outputs[name] for name in names]
    assert model._work.counts.pieces == 1


@pytest.mark.campaign
@pytest.mark.native
@DAMPINGS
@pytest.mark.parametrize("stiffness", STIFFNESSES)
@pytest.mark.parametrize("form", FORMS)
def test_ten_minutes_of_rest_change_nothing(form: str, stiffness: float, damping: float) -> None:
    rate = math.sqrt(stiffness)
    duration = 600.0
    step = min(0.5, 4e3 / rate)
    run = run_structure(
        block(form, stiffness, damping),
        step_size=step,
        steps=math.ceil(duration / step),
        outputs=("wear_work", "c.slip_velocity", "c.friction_force_x"),
    )
    resting = slice(math.ceil(1.0 / step), None)
    assert not run.history["c.slip_velocity"][resting].any()
    worn = run.history["wear_work"][resting]
    assert (worn == worn[0]).all()
    static = static_coefficient(FORMS[form])
    pulling = abs(run.history["c.friction_force_x"])
    assert pulling[resting].max() <= static * GRAVITY * (1.0 + 1e-12)
    if damping != 0.0:
        assert pulling[-1] < 1e-300


@pytest.mark.parametrize("stiffness", [1e5, 1e6])
def test_a_body_that_a_ground_motion_leaves_alone_comes_to_rest(stiffness: float) -> None:
    model = ModalShock(block("strengthening", stiffness, -1.0), input_timing=InputTiming.end)
    step = 0.01
    for number in range(1, 701):
        time = number * step
        shaking = 3.0 * math.sin(3.0 * math.pi * time) if time < 4.0 else 0.0
        model.step(step, base_acceleration_x=shaking)
    outputs = model.outputs()
    assert (outputs["c.contact_mode"], outputs["c.slip_velocity"]) == (1.0, 0.0)
    assert abs(model._state.motion.velocity[0]) < 1e-18


@DAMPINGS
def test_friction_that_vanishes_only_at_rest_slows_a_body_down(damping: float) -> None:
    # μ = μ_d (1 − e^(−v/v_s)), so e^(v/v_s) − 1 falls as e^(−μ_d g t/v_s) in slip.
    stiffness = 1e8
    rate = math.sqrt(stiffness)

    def held(time: float) -> float:
        """Return the distance [m/s2] from the force to the cone while only the spring acts."""
        bound = -FAST * GRAVITY * math.expm1(-VELOCITY * math.cos(rate * time) / DECAY)
        return bound - rate * VELOCITY * math.sin(rate * time)

    # The force of the critical damper is outside the cone at once.
    began = 0.0 if damping else brentq(held, 0.0, 1.0 / rate, xtol=1e-20)
    speed = VELOCITY * math.cos(rate * began)
    model = ModalShock(block("vanishing", stiffness, damping), input_timing=InputTiming.end)
    for number in range(1, 31):
        model.step(0.05)
        fall = math.exp(-FAST * GRAVITY * (0.05 * number - began) / DECAY)
        wanted = DECAY * math.log1p(math.expm1(speed / DECAY) * fall)
        assert model._state.motion.velocity[0] == pytest.approx(wanted, rel=1e-12, abs=1e-17)
    # The block slides by ∫ v dt, and the friction spring follows.
    outputs = model.outputs()
    assert outputs["c.contact_mode"] == 2.0
    way, _ = quad(
        lambda v: v / (FAST * GRAVITY * -math.expm1(-v / DECAY)), 0.0, speed, epsrel=1e-13
    )
    assert outputs["c.sliding_distance"] == pytest.approx(way, abs=3.0 * GRAVITY / stiffness)
