"""Contacts on modes in closed form: masses, elastic waves, a ring, a slope, a pressed net."""

import math
from typing import Any

import numpy as np
import pytest
import scipy.linalg
from numpy.typing import NDArray
from scipy.optimize import brentq

from tests.structures import UNIT_BASE, X, Y, contact, modal_structure, point
from wearmodel import InputTiming
from wearmodel.models.modal_shock import ModalShock
from wearmodel.structure import Structure

from .pieces import record


def test_two_masses_that_meet_swap_their_relative_velocity():
    first, second, stiffness, speed, gap = 2.0, 3.0, 1e4, 0.3, 0.01
    structure = modal_structure(
        [0.0, 0.0],
        contact("meeting", "above", second_point="below", gap=gap, contact_stiffness=stiffness),
        points=[point("above", z=[1.0, 0.0]), point("below", z=[0.0, 1.0])],
        modes={"generalised_mass": [first, second]},
        observe=[{"point": "above"}, {"point": "below"}],
        initial={"velocity": [-speed, 0.1]},
    )
    model = ModalShock(structure)
    pieces = record(model)
    model.step(0.1)
    model.step(0.1)
    outputs = model.outputs()
    approach = speed + 0.1
    closed = [piece for piece in pieces if piece["before"][0].closed]
    duration = sum(piece["duration"] for piece in closed)
    reduced = first * second / (first + second)
    assert closed[0]["start"] == pytest.approx(gap / approach, rel=1e-14)
    # The contact opens at 1e-13 of the peak force, which is early by 3e-14 of the duration.
    assert duration == pytest.approx(math.pi * math.sqrt(reduced / stiffness), rel=1e-12)
    after = outputs["above.velocity_z"] - outputs["below.velocity_z"]
    assert after == pytest.approx(approach, rel=1e-12)
    momentum = first * outputs["above.velocity_z"] + second * outputs["below.velocity_z"]
    assert momentum == pytest.approx(-first * speed + second * 0.1, rel=1e-13)
    peak = approach * math.sqrt(stiffness * reduced)
    assert outputs["meeting.peak_normal_force"] == pytest.approx(peak, rel=1e-13)


def dropped_bar(modes: int) -> Structure:
    """Return a bar of 10 m, E A = 900 N, ρ A = 1 kg/m that falls onto a rigid wall 5 m below."""
    length, tension, mass = 10.0, 900.0, 10.0
    wave = math.sqrt(tension * length / mass)
    tail = math.pi**2 / 6.0 - sum(1.0 / i**2 for i in range(1, modes + 1))
    flexibility = 2.0 * length / (tension * math.pi**2) * tail
    wall = contact("wall", "end", gap=5.0, contact_stiffness=-1.0, residual_flexibility=flexibility)
    return modal_structure(
        [i * wave / (2.0 * length) for i in range(modes + 1)],
        wall,
        points=[point("end", z=[1.0] * (modes + 1))],
        modes={"generalised_mass": [mass] + [0.5 * mass] * modes},
        base={"participation_z": [mass] + [0.0] * modes, "gravity_z": -10.0},
    )


def bar_errors(modes: int) -> tuple[float, float]:
    """Return the error of the release time [s] and the relative error of the impulse."""
    model = ModalShock(dropped_bar(modes))
    pieces = record(model)
    for _ in range(18):
        model.step(0.1)
    closed = [piece for piece in pieces if piece["before"][0].closed]
    assert closed[0]["start"] == pytest.approx(1.0, rel=1e-13)
    released = closed[-1]["start"] + closed[-1]["duration"]
    # The momentum of the centre is the impulse of the wall minus the impulse of gravity.
    impulse = 10.0 * (model._state.motion.velocity[0] + 10.0 * 1.8)
    return released - 5.0 / 3.0, impulse / (800.0 / 3.0) - 1.0


def test_a_bar_that_falls_on_a_wall_leaves_it_after_a_wave_s_return():
    found = {modes: bar_errors(modes) for modes in (20, 40, 80)}
    release, impulse = found[20]
    # Errors with 20 modes: 4e-4 s and −7.5e-4. An independent integration has the same errors.
    assert release == pytest.approx(4.4e-4, abs=1e-5)
    assert impulse == pytest.approx(-7.5e-4, abs=1e-5)
    # First order or better in the number of modes.
    assert abs(impulse) > 1.9 * abs(found[40][1]) > 1.9**2 * abs(found[80][1])


def sliding_ring(stiffness: float, friction: float, damping: float) -> Structure:
    """Return a mass of 1 kg that slides at 1 m/s in a ring of 1 m, pressed by centripetal force."""
    depth = 0.5 * (math.sqrt(1.0 + 4.0 / stiffness) - 1.0)
    ring = contact(
        "ring",
        "slider",
        "circle",
        gap=1.0,
        contact_stiffness=stiffness,
        contact_damping=damping,
        tangential_stiffness=stiffness,
        friction_coefficient=friction,
    )
    return modal_structure(
        [0.0, 0.0],
        ring,
        points=[point("slider", y=[1.0, 0.0], z=[0.0, 1.0])],
        initial={"displacement": [1.0 + depth, 0.0], "velocity": [0.0, 1.0]},
    )


def test_a_slider_in_a_ring_tends_to_the_exponential_as_the_ring_grows_stiff():
    friction = 0.3
    # v(t) = v/(1 + μ v t/R), so one turn takes (e^(2πμ) − 1) R/μv.
    turn = (math.exp(2.0 * math.pi * friction) - 1.0) / friction
    speed = math.exp(-2.0 * math.pi * friction)
    errors = []
    for stiffness in (3e3, 3e4):
        model = ModalShock(sliding_ring(stiffness, friction, 2.0 * math.sqrt(stiffness)))
        for _ in range(10):
            model.step(turn / 10.0)
        left = math.hypot(*model._state.motion.velocity)
        wear = model.outputs()["ring.wear_work"]
        errors.append((left / speed - 1.0, wear / (0.5 * (1.0 - speed**2) / friction) - 1.0))
    # The errors are of first order in 1/K_N.
    for coarse, fine in zip(*errors, strict=True):
        assert coarse / fine == pytest.approx(10.0, rel=0.2)
    assert max(map(abs, errors[1])) < 1e-4


def bounced_in_a_circle(bounces: int) -> ModalShock:
    model = ModalShock(sliding_ring(1e5, 0.0, 0.0))
    model._state.motion.displacement = [0.0, 0.3]
    model._state.motion.velocity = [1.0, 0.0]
    model._state.contacts[0].closed = 0.0
    chord = 2.0 * math.sqrt(1.0 - 0.3**2)
    model.step(0.5 * chord)
    while model.outputs()["ring.shock_count"] < bounces:
        model.step(chord)
    return model


@pytest.mark.parametrize(
    "bounces", [60, pytest.param(1000, marks=pytest.mark.campaign)], ids=["60", "1000"]
)
def test_bounces_in_a_smooth_circle_keep_energy_and_angle(bounces):
    model = bounced_in_a_circle(bounces)
    y, z = model._state.motion.displacement
    velocity_y, velocity_z = model._state.motion.velocity
    pressed = max(0.0, math.hypot(y, z) - 1.0)
    energy = 0.5 * (velocity_y**2 + velocity_z**2) + 0.5e5 * pressed**2
    # Each bounce adds a few roundings.
    error = 5e-15 * bounces
    assert energy == pytest.approx(0.5, rel=error)
    # The angle of incidence is preserved, so the chords keep their distance from the centre.
    assert y * velocity_z - z * velocity_y == pytest.approx(-0.3, rel=error)


def slope_error(stiffness: float) -> float:
    """Return the change of v (1 + cos ψ) of a block pushed across a slope as steep as its friction.

    ψ is the angle from the line of fall. v' = g_t cos ψ − a and (v cos ψ)' = g_t − a cos ψ, with
    equal pull g_t and friction a. The block ends in the line of fall at v/2.
    """
    friction, pull, weight = 0.5, 2.0, 4.0
    slope = contact(
        gap=-weight / stiffness,
        contact_stiffness=stiffness,
        tangential_stiffness=stiffness,
        friction_coefficient=friction,
    )
    structure = modal_structure(
        [0.0] * 3,
        slope,
        base={**UNIT_BASE, "gravity_x": pull, "gravity_z": -weight},
        initial={"velocity": Y},
    )
    model = ModalShock(structure)
    for _ in range(20):
        model.step(0.1)
    velocity_x, velocity_y, _ = model._state.motion.velocity
    speed = math.hypot(velocity_x, velocity_y)
    assert velocity_x > 0.45
    return abs(speed + velocity_x - 1.0)


def test_a_block_pushed_across_a_slope_turns_into_the_line_of_fall():
    coarse, fine = slope_error(1e4), slope_error(1e6)
    # The stretch of the friction spring, μ F_N/K_T = 2e-6 m in the finer run, turns with the block.
    assert fine < 1e-3
    assert fine < 0.2 * coarse


def pressed_structure() -> Structure:
    """Return five modes that are pressed in two closed contacts in stick."""
    rng = np.random.default_rng(7)
    modes = 5
    law = {
        "gap": -0.5,
        "contact_stiffness": 3e3,
        "contact_damping": 5.0,
        "tangential_stiffness": 2e3,
        "tangential_damping": 3.0,
        "friction_coefficient": 50.0,
    }

    def row() -> list[float]:
        drawn: list[float] = rng.normal(size=modes).tolist()
        return drawn

    return modal_structure(
        [0.0, 7.0, 19.0, 33.0, 60.0],
        contact("at_left", "left", normal=[0.0, 0.6, 0.8], **law),
        contact("at_right", "right", normal=X, **law),
        modes={"damping_ratio": 0.02, "generalised_mass": [1.0, 0.5, 0.7, 0.4, 0.9]},
        base={"participation_z": row(), "gravity_z": -9.81},
        points=[point(name, x=row(), y=row(), z=row()) for name in ("left", "right")],
        initial={"displacement": [0.0] * modes, "velocity": [0.1] * modes},
    )


def linear_answer(structure: Structure, time: float, acceleration: float) -> NDArray[np.float64]:
    """Return the modal coordinates from the matrix exponential for (q, q̇, 1)."""
    modes = structure.modes
    count = modes.count
    stiffness = np.diag(modes.stiffness)
    damping = np.diag(modes.damping)
    load = np.array(structure.base.participation_z) * (structure.base.gravity_z - acceleration)
    for pressed in structure.contacts:
        shape = np.array(structure.contact_shape(pressed))
        normal = np.array(pressed.direction)
        p = pressed.parameters
        across = np.eye(3) - np.outer(normal, normal)
        tangential: Any = shape.T @ across @ shape
        along: Any = shape.T @ np.outer(normal, normal) @ shape
        stiffness = stiffness + p.contact_stiffness * along + p.tangential_stiffness * tangential
        damping = damping + p.contact_damping * along + p.tangential_damping * tangential
        load = load - p.contact_stiffness * p.gap * (shape.T @ normal)
    inverse = np.diag(1.0 / np.array(modes.generalised_mass))
    matrix = np.zeros((2 * count + 1, 2 * count + 1))
    matrix[:count, count : 2 * count] = np.eye(count)
    matrix[count : 2 * count, :count] = -inverse @ stiffness
    matrix[count : 2 * count, count : 2 * count] = -inverse @ damping
    matrix[count : 2 * count, -1] = inverse @ load
    start = np.concatenate([structure.initial.displacement, structure.initial.velocity, [1.0]])
    return np.asarray((scipy.linalg.expm(matrix * time) @ start)[:count])


def test_pressed_contacts_that_never_open_are_linear_springs():
    structure = pressed_structure()
    model = ModalShock(structure, base_acceleration_z=3.0)
    for _ in range(40):
        model.step(2.5e-3, base_acceleration_z=3.0)
    outputs = model.outputs()
    assert outputs["at_left.contact_mode"] == outputs["at_right.contact_mode"] == 1.0
    assert outputs["at_left.shock_count"] == 0.0
    wanted = linear_answer(structure, 0.1, 3.0)
    # A few hundred terms with an error of 1e-16, for coordinates that reach 0.3 m.
    assert model._state.motion.displacement == pytest.approx(wanted, abs=1e-13)


@pytest.mark.parametrize("pull", [1.0, 3.0], ids=["too weak to hold", "holds"])
@pytest.mark.parametrize("radius", [0.5, 2.0])
def test_a_point_that_rolls_along_a_ring_starts_in_contact_unless_it_is_drawn_off_its_circle(
    radius, pull
):
    """With v along the ring, the second derivative of the gap is the pull minus v²/R, 2 m/s2."""
    speed = math.sqrt(2.0 * radius)
    # The spring pulls towards the centre.
    frequency = [math.sqrt(pull / radius) / (2.0 * math.pi), 0.0]
    structure = modal_structure(
        frequency,
        contact("ring", "slider", "circle", gap=radius, contact_stiffness=1e5),
        points=[point("slider", y=[1.0, 0.0], z=[0.0, 1.0])],
        initial={"displacement": [radius, 0.0], "velocity": [0.0, speed]},
    )
    model = ModalShock(structure)
    assert (model._state.contacts[0].closed != 0.0) == (pull < 2.0)


def test_a_slip_that_ends_as_it_begins_leaves_the_lower_friction_force():
    # The normal force falls, so the returning block breaks away. The friction force then falls more
    # slowly than the spring force, so the block sticks again at once, at the kinetic limit.
    static, kinetic, first_force, rate = 0.3, 0.05, 4.0, 2.4
    frequency = math.sqrt(1e4)
    law = {
        "contact_stiffness": frequency**2,
        "tangential_stiffness": 1.0,
        "tangential_damping": 0.0,
        "friction_coefficient": kinetic,
        "friction_coefficient_static": static,
    }
    structure = modal_structure(
        [0.0, 0.0],
        contact(**law),
        points=[point(y=[1.0, 0.0], z=[0.0, 1.0])],
        load=[{"name": "pull", "shape": [0.0, 1.0]}],
        initial={"displacement": [0.0, -first_force / frequency**2], "velocity": [1.0, 0.0]},
    )

    def force(time: float) -> float:
        return first_force - rate * time + rate * math.sin(frequency * time) / frequency

    model = ModalShock(structure, input_timing=InputTiming.end, **{"load.pull": -first_force})
    model.step(0.5 * math.pi, **{"load.pull": -first_force})
    end = 0.6
    model.step(end, **{"load.pull": -first_force + rate * end})

    slips = brentq(lambda time: math.cos(time) - static * force(time), 0.3, 0.5, xtol=1e-15)
    rest = end - slips
    stretch = kinetic * force(slips) * math.cos(rest) - math.sin(slips) * math.sin(rest)
    outputs = model.outputs()
    assert outputs["c.friction_force_y"] == pytest.approx(-stretch, rel=1e-10)
    wear = force(slips) ** 2 * (static - kinetic)
    assert outputs["c.wear_work"] == pytest.approx(wear, rel=1e-10)
