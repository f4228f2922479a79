"""A structure of rigid modes on a plane, compared with FrictionalShock under penalty laws."""

import dataclasses
import math
import random
from collections.abc import Callable, Iterable
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from wearmodel import FrictionalShock, FrictionalShockParameters, StepError
from wearmodel.models.modal_shock import ModalShock

from ..frictional_shock.trace import record
from .structures import (
    mass_problem,
    masses_on_planes,
    with_friction_table,
    with_pendulum,
    with_varying_friction,
    with_wear,
)

STEP = 1e-3
STEPS = 120
MOST_EVENTS = 20
# Ten roundings of the largest values, amplified by events (see the perturbation).
TOLERANCE = 1e-12

COMPARED = {
    # Output of the structure: output of the mass, and the least scale of a relative error.
    "relative_displacement_x": ("relative_displacement", 1e-3),
    "normal_force": ("normal_force", 1.0),
    "friction_force_x": ("friction_force", 1.0),
    "slip_velocity": ("slip_velocity", 1.0),
    "wear_work": ("wear_work", 1e-3),
    "sliding_distance": ("sliding_distance", 1e-3),
    "clearance": ("gap", 1e-3),
    "contact_mode": ("contact_mode", 1.0),
    "shock_count": ("shock_count", 1.0),
    "peak_normal_force": ("peak_normal_force", 1.0),
    "wear_depth_lower": ("wear_depth_lower", 1e-3),
    "wear_depth_upper": ("wear_depth_upper", 1e-3),
    "slip_count": ("slip_count", 1.0),
    "friction_power": ("friction_power", 1.0),
    "friction_work": ("friction_work", 1e-3),
    "contact_damping_work": ("contact_damping_work", 1e-3),
    "pendulum_work": ("pendulum_work", 1e-3),
}


def loads(seed: int, step: int) -> tuple[float, float]:
    """Return the tangential and the normal load [N] at the start of a step."""
    r = random.Random(seed)
    waves = [(r.uniform(-30, 30), r.uniform(1, 60), r.uniform(0, 6)) for _ in range(2)]
    along, across = (a * math.sin(w * step * STEP + phase) for a, w, phase in waves)
    return along, across


def mass_history(p: FrictionalShockParameters, seed: int) -> tuple[NDArray[np.float64], int]:
    """Return the compared outputs after each step, and the number of events."""
    mass = FrictionalShock(p)
    trace = record(mass)
    rows = []
    for step in range(STEPS):
        along, across = loads(seed, step)
        mass.step(STEP, tangential_load=p.mass * along, normal_load=p.mass * across)
        outputs = mass.outputs()
        rows.append([abs_slip(name, outputs[name]) for name, _ in COMPARED.values()])
    return np.array(rows), sum(segment.event != "none" for segment in trace.segments)


def abs_slip(name: str, value: float) -> float:
    return abs(value) if name == "slip_velocity" else value


def structure_histories(
    problems: list[FrictionalShockParameters],
    seeds: list[int],
    normal: tuple[float, ...] = (0.0, 0.0, 1.0),
    tangent: tuple[float, ...] = (1.0, 0.0, 0.0),
) -> list[NDArray[np.float64]]:
    """Return the same for each mass of one structure."""
    model = ModalShock(
        masses_on_planes(problems, normal, tangent),
        **{f"load.weight{number}": 1.0 for number in range(len(problems))},
    )
    rows: list[list[list[float]]] = [[] for _ in problems]
    for step in range(STEPS):
        inputs = {}
        for number, (p, seed) in enumerate(zip(problems, seeds, strict=True)):
            along, across = loads(seed, step)
            inputs[f"load.t{number}"] = p.mass * along
            inputs[f"load.n{number}"] = p.mass * across
            inputs[f"load.weight{number}"] = 1.0
        model.step(STEP, **inputs)
        outputs = model.outputs()
        for number in range(len(problems)):
            values = {name: outputs[f"c{number}.{name}"] for name in COMPARED}
            for vector in ("relative_displacement", "friction_force"):
                along = sum(
                    outputs[f"c{number}.{vector}_{axis}"] * tangent[d]
                    for d, axis in enumerate("xyz")
                )
                values[f"{vector}_x"] = along
            rows[number].append(list(values.values()))
    return [np.array(one) for one in rows]


def difference(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    sizes = np.array([size for _, size in COMPARED.values()])
    return float(np.max(abs(first - second) / np.maximum(abs(first), sizes)))


def perturbed(p: FrictionalShockParameters) -> list[FrictionalShockParameters]:
    """Return the problem with one parameter at a time changed by about fifty roundings."""
    names = ("mass", "initial_gap", "contact_stiffness", "initial_velocity")
    return [dataclasses.replace(p, **{name: getattr(p, name) * (1 + 1e-14)}) for name in names]


def agreeing(
    seeds: Iterable[int], problem: Callable[[int], FrictionalShockParameters] = mass_problem
) -> tuple[int, int]:
    """Return how many problems agree, and how many differ as under a perturbation of 1e-14."""
    agreed = sensitive = 0
    for seed in seeds:
        p = problem(seed)
        wanted, events = mass_history(p, seed)
        if events > MOST_EVENTS:
            continue
        (found,) = structure_histories([p], [seed])
        worst = difference(wanted, found)
        if worst > TOLERANCE:
            moves = max(difference(wanted, mass_history(moved, seed)[0]) for moved in perturbed(p))
            assert worst < 10.0 * moves, f"seed {seed}: {worst:.3g}, moved by {moves:.3g}"
            sensitive += 1
        else:
            agreed += 1
    return agreed, sensitive


def test_a_mass_on_rigid_modes_is_a_frictional_shock():
    agreed, sensitive = agreeing(range(25))
    assert agreed >= 15
    assert sensitive <= 2


@pytest.mark.campaign
def test_two_hundred_masses_on_rigid_modes_are_frictional_shocks():
    agreed, sensitive = agreeing(range(300))
    assert agreed >= 200
    assert sensitive <= 20


def varying(seed: int) -> FrictionalShockParameters:
    return with_varying_friction(mass_problem(seed), seed)


@pytest.mark.long
def test_friction_that_depends_on_speed_is_that_of_a_frictional_shock():
    agreed, sensitive = agreeing(range(40), varying)
    assert agreed >= 20
    assert sensitive <= 3


@pytest.mark.campaign
def test_two_hundred_masses_whose_friction_depends_on_speed_are_frictional_shocks():
    agreed, sensitive = agreeing(range(400), varying)
    assert agreed >= 200
    assert sensitive <= 20


def tabled(seed: int) -> FrictionalShockParameters:
    return with_friction_table(mass_problem(seed), seed)


@pytest.mark.long
def test_friction_by_a_table_is_that_of_a_frictional_shock():
    agreed, sensitive = agreeing(range(40), tabled)
    assert agreed >= 20
    assert sensitive <= 3


@pytest.mark.campaign
def test_two_hundred_masses_whose_friction_is_a_table_are_frictional_shocks():
    agreed, sensitive = agreeing(range(400), tabled)
    assert agreed >= 200
    assert sensitive <= 20


def swinging(seed: int) -> FrictionalShockParameters:
    with_law = (lambda p, _: p, with_varying_friction, with_friction_table, with_wear)[seed % 4]
    return with_pendulum(with_law(mass_problem(seed), seed), seed)


@pytest.mark.long
def test_a_pendulum_bearing_is_that_of_a_frictional_shock():
    agreed, sensitive = agreeing(range(60), swinging)
    assert agreed >= 30
    assert sensitive <= 4


@pytest.mark.campaign
def test_two_hundred_pendulum_bearings_are_those_of_a_frictional_shock():
    # Wear runs away with seed 371.
    agreed, sensitive = agreeing([*range(371), *range(372, 400)], swinging)
    assert agreed >= 200
    assert sensitive <= 20


def wearing(seed: int) -> FrictionalShockParameters:
    p = with_wear(mass_problem(seed), seed)
    return with_varying_friction(p, seed) if seed % 2 else p


# Wear runs away with these seeds, which the campaign leaves out.
RUNAWAYS = (52, 82, 92, 100, 108, 144)


@pytest.mark.long
def test_wear_that_opens_the_gap_does_so_as_in_a_frictional_shock():
    agreed, sensitive = agreeing(range(40), wearing)
    assert agreed >= 25
    assert sensitive <= 3


@pytest.mark.campaign
def test_a_hundred_masses_whose_wear_opens_the_gap_are_frictional_shocks():
    agreed = sensitive = 0
    for first, last in pairwise((-1, *RUNAWAYS, 160)):
        found = agreeing(range(first + 1, last), wearing)
        agreed, sensitive = agreed + found[0], sensitive + found[1]
    assert agreed >= 100
    assert sensitive <= 10


def test_wear_that_runs_away_is_refused_at_the_same_step_in_the_same_words():
    p = wearing(RUNAWAYS[4])
    with pytest.raises(StepError, match="wear opens the gap too fast for a friction spring") as of:
        mass_history(p, RUNAWAYS[4])
    with pytest.raises(StepError) as ours:
        structure_histories([p], [RUNAWAYS[4]])
    assert str(ours.value) == str(of.value)


@pytest.mark.parametrize("damping", [0.0, 20.0])
@pytest.mark.parametrize("step", [0.02, 0.005, 0.02 * math.pi, 0.005 * math.pi])
def test_a_mass_that_starts_at_the_edge_of_its_contact_touches_it_without_leaving(step, damping):
    """F_N = m g (1 − cos ω t) is 0 once in each period, with two of the steps at their ends."""
    p = FrictionalShockParameters(
        mass=1.0,
        normal_law="penalty",  # type: ignore[arg-type]
        tangential_law="penalty",  # type: ignore[arg-type]
        contact_stiffness=1e4,
        tangential_stiffness=5e4,
        tangential_damping=damping,
        friction_coefficient=0.3,
    )
    mass = FrictionalShock(p, tangential_load=5.0)
    model = ModalShock(masses_on_planes([p]), **{"load.weight0": 1.0, "load.t0": 5.0})
    for number in range(1, round(1.3 / step)):
        load = 5.0 * math.cos(30.0 * number * step)
        mass.step(step, tangential_load=load)
        model.step(step, **{"load.weight0": 1.0, "load.t0": load})
    wanted, found = mass.outputs(), model.outputs()
    for name in ("wear_work", "sliding_distance", "friction_work"):
        assert found[f"c0.{name}"] == pytest.approx(wanted[name], rel=1e-12)
    for name in ("shock_count", "slip_count"):
        assert found[f"c0.{name}"] == wanted[name]
    assert wanted["shock_count"] == 0.0


def test_masses_in_one_file_do_not_know_of_each_other():
    seeds = [2, 5, 7]
    problems = [mass_problem(seed) for seed in seeds]
    for p, seed, found in zip(problems, seeds, structure_histories(problems, seeds), strict=True):
        assert difference(mass_history(p, seed)[0], found) < TOLERANCE


@pytest.mark.parametrize("seed", [0, 1, 4, 7])
def test_a_plane_may_face_any_way_and_friction_act_along_any_tangent(seed):
    r = random.Random(seed)
    normal = np.array([r.gauss(0, 1) for _ in range(3)])
    normal /= np.linalg.norm(normal)
    tangent = np.cross(normal, [r.gauss(0, 1) for _ in range(3)])
    tangent /= np.linalg.norm(tangent)
    p = mass_problem(seed)
    (found,) = structure_histories([p], [seed], tuple(normal), tuple(tangent))
    # Components along three axes have their own rounding, which events amplify.
    assert difference(mass_history(p, seed)[0], found) < 100.0 * TOLERANCE
