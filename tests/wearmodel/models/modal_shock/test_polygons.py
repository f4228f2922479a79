"""A hole with a convex polygonal profile: forces, energy, change of side, wear by side."""

import math
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from wearmodel.batch.structure_runs import run_structure
from wearmodel.kernel import limits
from wearmodel.kernel.contact.parameters import ContactObstacle
from wearmodel.models.modal_shock import ModalShock
from wearmodel.structure import Structure, structure_of
from wearmodel.structure.document import document_of

from .pieces import record

GAP = 2e-4
STIFFNESS = 1e6
SQUARE = {"directions": [0.0, 90.0, 180.0, 270.0]}


def ball(
    start: tuple[float, float] = (0.0, 0.0),
    velocity: tuple[float, ...] = (0.0, 0.0),
    *,
    springs: float = 0.0,
    loads: tuple[float, float] = (0.0, 0.0),
    **contact: Any,
) -> Structure:
    """Return a mass of 1 kg in a hole about z, on springs [N/m] along x and y and free along z.

    With springs, it starts in equilibrium under the loads [N].
    """
    frequency = math.sqrt(springs) / (2.0 * math.pi)
    section = {
        "name": "c",
        "point": "p",
        "obstacle": "polygon",
        "axis": [0.0, 0.0, 1.0],
        "contact_stiffness": STIFFNESS,
        **({} if "gaps" in contact else {"gap": GAP}),
        **contact,
    }
    document: dict[str, Any] = {
        "modes": {"frequency": [frequency, frequency, 0.0]},
        # Gravity represents the loads, because the masses are 1 kg.
        "base": {
            "participation_x": [1, 0, 0],
            "participation_y": [0, 1, 0],
            "gravity_x": loads[0],
            "gravity_y": loads[1],
        },
        "point": [{"name": "p", "shape_x": [1, 0, 0], "shape_y": [0, 1, 0], "shape_z": [0, 0, 1]}],
        "contact": [section],
        "observe": [{"point": "p"}],
    }
    document["initial"] = {"equilibrium": True}
    if not springs:
        speeds = [*velocity, 0.0, 0.0][:3]
        document["initial"] = {"displacement": [*start, 0.0], "velocity": speeds}
    return structure_of(document)


def normals(angles: Any) -> NDArray[np.float64]:
    turned = np.radians(np.asarray(angles))
    return np.stack([np.cos(turned), np.sin(turned)], axis=1)


def regular(sides: int) -> NDArray[np.float64]:
    return normals(360.0 * np.arange(sides) / sides)


def corners(outward: Any, gaps: Any) -> NDArray[np.float64]:
    """Return the corners. Corner i joins side i and the next side."""
    pairs = zip(outward, np.roll(outward, -1, axis=0), gaps, np.roll(gaps, -1), strict=True)
    return np.array([np.linalg.solve([n, m], [g, h]) for n, m, g, h in pairs])


def into_wall(place: Any, outward: Any, gaps: Any) -> NDArray[np.float64]:
    """Return the vector [m] from the polygon to a place, by projection on each edge."""
    place = np.asarray(place)
    if np.all(outward @ place <= gaps):
        return np.zeros(2)
    ends = corners(outward, gaps)
    ways = []
    for first, second in zip(np.roll(ends, 1, axis=0), ends, strict=True):
        edge = second - first
        share = np.clip((place - first) @ edge / (edge @ edge), 0.0, 1.0)
        ways.append(place - first - share * edge)
    return min(ways, key=lambda way: float(way @ way))


def place_of(model: ModalShock) -> NDArray[np.float64]:
    outputs = model.outputs()
    return np.array([outputs["p.displacement_x"], outputs["p.displacement_y"]])


@pytest.mark.parametrize("seed", range(20))
def test_force_in_equilibrium_is_that_of_the_distance_to_the_polygon(seed):
    r = random.Random(seed)
    sides = r.choice([3, 4, 5, 8, 12])
    gaps = [GAP * r.uniform(0.97, 1.03) for _ in range(sides)]
    outward = regular(sides)
    corner = corners(outward, gaps)[r.randrange(sides)]
    angle = math.atan2(corner[1], corner[0]) + r.choice([0.0, 0.1, -0.3, 0.7])
    loads = (60.0 * math.cos(angle), 60.0 * math.sin(angle))
    springs = 1e3
    model = ModalShock(ball(springs=springs, loads=loads, sides=sides, gaps=gaps))
    place = place_of(model)
    way = into_wall(place, outward, gaps)
    assert np.linalg.norm(way) > 1e-5
    wanted = STIFFNESS * way + springs * place
    # Places are rounded to 1e-20 m and forces to 1e-14 N. Newton's method ends at 1e-13 of them.
    assert wanted == pytest.approx(np.array(loads), abs=1e-10)
    assert model.outputs()["c.normal_force"] == pytest.approx(
        STIFFNESS * float(np.linalg.norm(way)), rel=1e-11
    )


@pytest.mark.parametrize("sides", [12, 24, 48, 96])
def test_stiffness_is_that_of_a_single_contact_for_any_number_of_sides(sides):
    depth = 2e-5
    for angle in (0.0, math.pi / sides, 1.0):
        place = np.array([math.cos(angle), math.sin(angle)]) * (GAP + depth)
        model = ModalShock(ball(tuple(place), sides=sides))
        way = np.linalg.norm(into_wall(place, regular(sides), [GAP] * sides))
        force = model.outputs()["c.normal_force"]
        assert force == pytest.approx(STIFFNESS * float(way), rel=1e-11)
        assert 0.5 < force / (STIFFNESS * depth) <= 1.0 + 1e-12


@pytest.mark.long
@pytest.mark.parametrize(
    "sides", [3, 24, *(pytest.param(sides, marks=pytest.mark.campaign) for sides in (4, 96))]
)
def test_a_bouncing_ball_keeps_its_energy_over_hundreds_of_impacts(sides):
    r = random.Random(sides)
    gaps = [GAP * r.uniform(0.999, 1.001) for _ in range(sides)]
    model = ModalShock(ball(velocity=(0.31, 0.14), sides=sides, gaps=gaps))
    pieces = record(model)
    energy = model.outputs()["kinetic_energy"]
    for _ in range(700):
        model.step(2e-3)
        outputs = model.outputs()
        depth = min(0.0, outputs["c.clearance"])
        whole = outputs["kinetic_energy"] + 0.5 * STIFFNESS * depth**2
        # About 10^4 pieces, each with rounding.
        assert whole == pytest.approx(energy, rel=1e-12)
    assert outputs["c.shock_count"] > 200.0
    events = [piece["events"][0] for piece in pieces]
    assert min(events.count(event) for event in (limits.NEXT_FACED, limits.PREVIOUS_FACED)) > 50


def test_a_square_hole_is_two_pairs_of_planes():
    """At right angles, the force at a corner is the sum of the forces of both planes."""
    square = ball(velocity=(0.31, 0.14), **SQUARE, gaps=[GAP, 2 * GAP, GAP, 2 * GAP])
    document = document_of(square)
    plain = {"point": "p", "obstacle": "two_planes", "contact_stiffness": STIFFNESS}
    document["contact"] = [
        {**plain, "name": "x", "normal": [1.0, 0.0, 0.0], "gap": GAP},
        {**plain, "name": "y", "normal": [0.0, 1.0, 0.0], "gap": 2 * GAP},
    ]
    models = [ModalShock(square), ModalShock(structure_of(document))]
    at_corner = 0
    for _ in range(400):
        for model in models:
            model.step(1e-3)
        place, wanted = map(place_of, models)
        assert place == pytest.approx(wanted, abs=1e-12)
        at_corner += abs(place[0]) > GAP and abs(place[1]) > 2 * GAP
    assert at_corner > 5


def test_a_ball_that_meets_a_corner_exactly_goes_back_the_way_it_came():
    model = ModalShock(ball(velocity=(0.2, 0.2), **SQUARE))
    speed = math.hypot(0.2, 0.2)
    contact = math.pi / math.sqrt(STIFFNESS)
    model.step(2.0 * (GAP * math.sqrt(2.0) / speed) + contact)
    assert place_of(model) == pytest.approx(np.zeros(2), abs=1e-15)
    assert model.outputs()["p.velocity_x"] == pytest.approx(-0.2, rel=1e-12)


def whirl(friction: float, **contact: Any) -> dict[str, float]:
    """Return the outputs of a ball after two revolutions in its hole, pressed by inertia."""
    radius = 1.1 * GAP
    rate = math.sqrt(STIFFNESS * 0.1 / 1.1)
    if friction:
        contact.update(friction_coefficient=friction, tangential_stiffness=1e5)
    model = ModalShock(ball((radius, 0.0), (0.0, rate * radius), **contact))
    for _ in range(40):
        model.step(math.pi / (10.0 * rate))
    return model.outputs()


@pytest.mark.parametrize("friction", [0.0, 0.1])
def test_polygons_become_the_circle_as_the_square_of_their_sides(friction):
    circle = whirl(friction, obstacle="circle")
    errors = np.empty((3, 2))
    for row, sides in enumerate((24, 48, 96)):
        outputs = whirl(friction, sides=sides)
        moved = [outputs[name] - circle[name] for name in ("p.displacement_x", "p.displacement_y")]
        work = outputs["c.wear_work"] - circle["c.wear_work"]
        errors[row] = [math.hypot(*moved) / GAP, abs(work)]
    columns = 2 if friction else 1  # Without friction there is no wear.
    orders = np.log2(errors[:-1, :columns] / errors[1:, :columns])
    assert errors[-1, 0] < 3e-3
    assert orders[:, 0] == pytest.approx(2.0, abs=0.05)
    # With 24 sides, the wear still has an error of higher order.
    assert orders[:, -1] == pytest.approx(2.0, abs=0.4)


@pytest.mark.parametrize("seed", range(4))
def test_wear_of_each_side_at_a_corner_does_not_depend_on_the_step(seed):
    r = random.Random(seed)
    start = tuple(0.9 * corners(regular(3), [GAP] * 3)[0])
    velocity = (r.uniform(-0.3, 0.3), r.uniform(-0.3, 0.3), r.uniform(-0.2, 0.2))
    springs = {"contact_stiffness": 3e4, "tangential_stiffness": 1e4}
    works = []
    for cuts in (1, 11):
        model = ModalShock(ball(start, velocity, sides=3, friction_coefficient=0.3, **springs))
        for _ in range(cuts):
            model.step(0.06 / cuts)
        works.append(model.wear_work_by_side()["c"])
    # A few dozen pieces with one or two roundings each.
    assert works[0] == pytest.approx(works[1], rel=0.0, abs=1e-13 * sum(works[1]))


@pytest.mark.parametrize("seed", range(6))
def test_a_run_turns_with_the_frame_of_the_hole(seed):
    r = random.Random(seed)
    turn = r.uniform(0.0, 360.0)
    angles = [72.0 * side + r.uniform(-10.0, 10.0) for side in range(5)]
    gaps = [GAP * r.uniform(0.95, 1.05) for _ in angles]
    options: dict[str, Any] = {
        "gaps": gaps,
        "friction_coefficient": 0.3,
        "tangential_stiffness": 5e5,
        "contact_damping": r.choice([0.0, 50.0]),
    }
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    matrix = np.array([[cos, -sin], [sin, cos]])
    velocity = np.array([0.25, 0.1])
    runs = []
    for directions, speeds in (
        (angles, velocity),
        ([angle + turn for angle in angles], matrix @ velocity),
    ):
        model = ModalShock(ball(velocity=(*speeds, 0.05), directions=directions, **options))
        for _ in range(10):
            model.step(1e-3)
        runs.append(model)
    straight, turned = runs
    # Impacts amplify the rounding of the rotated numbers.
    assert place_of(turned) == pytest.approx(matrix @ place_of(straight), abs=1e-12)
    works, others = (model.wear_work_by_side()["c"] for model in runs)
    assert others == pytest.approx(works, rel=1e-7, abs=1e-14)


def integrated(seed: int) -> tuple[ModalShock, float, Any]:
    """Return the model of a random ball with friction in a polygon, an end time, the problem."""
    r = random.Random(100 + seed)
    sides = r.choice([3, 4, 6, 12])
    gaps = np.array([GAP * r.uniform(0.98, 1.02) for _ in range(sides)])
    options: dict[str, Any] = {
        "friction_coefficient": r.uniform(0.05, 0.5),
        "tangential_stiffness": 10.0 ** r.uniform(4.5, 6.0),
        "tangential_damping": 10.0 ** r.uniform(2.0, 3.0),
        "contact_damping": r.choice([0.0, 10.0 ** r.uniform(0.5, 2.0)]),
    }
    start = (0.3 * GAP * r.uniform(-1, 1), 0.3 * GAP * r.uniform(-1, 1))
    velocity = (r.choice([-0.2, 0.3]), r.uniform(-0.3, 0.3), r.uniform(-0.3, 0.3))
    structure = ball(start, velocity, sides=sides, gaps=gaps.tolist(), **options)
    return ModalShock(structure), r.uniform(8e-3, 12e-3), (sides, gaps, options, start, velocity)


def reference(problem: Any, end: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return x, y, z, their rates, the stretch, and the wear works of sides at `end`, by scipy."""
    sides, gaps, options, start, velocity = problem
    outward = regular(sides)
    friction, spring = options["friction_coefficient"], options["tangential_stiffness"]
    damper, normal_damper = options["tangential_damping"], options["contact_damping"]

    def forces(state: Any) -> Any:
        place, speed, stretch = state[:2], state[3:6], state[6:8]
        way = into_wall(place, outward, gaps)
        depth = float(np.linalg.norm(way))
        if depth == 0.0:
            side = int(np.argmax(outward @ place - gaps))
            out = outward[side]
        else:
            out = way / depth
        along = np.array([-out[1], out[0]])
        pressing = STIFFNESS * depth + normal_damper * float(out @ speed[:2])
        sliding = np.array([along @ speed[:2], speed[2]])
        return out, along, pressing, sliding, spring * stretch + damper * sliding

    def rates(time: float, state: Any) -> Any:
        out, along, pressing, sliding, trial = forces(state)
        pull = float(np.hypot(*trial))
        share = min(1.0, friction * max(pressing, 0.0) / pull) if pull > 0.0 else 1.0
        anchor = (1.0 - share) * trial / damper
        force = -share * trial
        accelerations = [*(-max(pressing, 0.0) * out + force[0] * along), force[1]]
        works = np.zeros(sides)
        power = max(pressing, 0.0) * float(np.hypot(*anchor))
        shares = np.zeros(sides)
        angles = np.arctan2(outward[:, 1], outward[:, 0])
        apart = (math.atan2(out[1], out[0]) - angles) % (2.0 * math.pi)
        first = int(np.argmin(apart))
        second = (first + 1) % sides
        if apart[first] < 1e-9 or apart[first] > 2.0 * math.pi - 1e-9:
            shares[first] = 1.0
        else:
            both = np.linalg.solve(np.stack([outward[first], outward[second]], axis=1), out)
            shares[first], shares[second] = both / both.sum()
        works = power * shares
        return np.concatenate([state[3:6], accelerations, sliding - anchor, works])

    def free(time: float, state: Any) -> Any:
        return np.concatenate([state[3:6], np.zeros(5), np.zeros(sides)])

    def gap(time: float, state: Any) -> float:
        return float(np.min(gaps - outward @ state[:2]))

    def pressing(time: float, state: Any) -> float:
        return float(forces(state)[2])

    def released(time: float, state: Any) -> float:
        return float(np.max(outward @ state[:2] - gaps))

    for event in (gap, pressing, released):
        event.terminal = True  # type: ignore[attr-defined]
        event.direction = -1.0  # type: ignore[attr-defined]
    state = np.concatenate([[*start, 0.0], velocity, np.zeros(2 + sides)])
    time, mode = 0.0, "free"
    tight: dict[str, Any] = {"method": "DOP853", "rtol": 1e-11, "atol": 1e-15, "max_step": 2e-5}
    while time < end:
        law, event = {"free": (free, gap), "closed": (rates, pressing), "inside": (free, released)}[
            mode
        ]
        found = solve_ivp(law, (time, end), state, events=event, **tight)
        state, time = found.y[:, -1], float(found.t[-1])
        if mode == "closed":
            state[6:8] = 0.0
        mode = {
            "free": "closed",
            "closed": "inside" if normal_damper else "free",
            "inside": "free",
        }[mode]
    return state, state[8:]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_runs_agree_with_an_independent_integration(seed):
    model, end, problem = integrated(seed)
    steps = 5
    for _ in range(steps):
        model.step(end / steps)
    state, works = reference(problem, end)
    outputs = model.outputs()
    assert outputs["c.shock_count"] >= 2.0
    got = [outputs[f"p.{name}_{axis}"] for name in ("displacement", "velocity") for axis in "xyz"]
    # The integrator steps over kinks of the force without locating them.
    assert got[:3] == pytest.approx(state[:3], abs=2e-10)
    assert got[3:] == pytest.approx(state[3:6], abs=2e-7)
    mine = model.wear_work_by_side()["c"]
    assert sum(mine) == pytest.approx(outputs["c.wear_work"], rel=1e-12)
    assert mine == pytest.approx(works, abs=1e-5 * float(works.sum()))


@pytest.mark.parametrize("share", [0.02, 0.3, 0.5, 0.9])
def test_wear_at_a_corner_is_split_along_the_normals_of_its_sides(share):
    """A ball pressed into a corner slides along the axis. F = a n + b n' does not turn."""
    sides, side = 5, 3
    outward = regular(sides)
    turn = 2.0 * math.pi / sides
    angle = turn * (side + share)
    springs, force = 1e4, 30.0
    out = np.array([math.cos(angle), math.sin(angle)])
    corner = corners(outward, [GAP] * sides)[side]
    loads = force * out + springs * (corner + out * force / STIFFNESS)
    structure = ball(
        springs=springs,
        loads=(loads[0], loads[1]),
        sides=sides,
        friction_coefficient=0.2,
        tangential_stiffness=1e6,
    )
    document = document_of(structure)
    # The start is the equilibrium of another run, plus a speed along the axis.
    document["initial"] = {
        "displacement": [*(corner + out * force / STIFFNESS), 0.0],
        "velocity": [0.0, 0.0, 0.1],
    }
    model = ModalShock(structure_of(document))
    model.step(5e-3)
    first, second = np.linalg.solve(
        np.stack([outward[side], outward[side + 1]], axis=1), force * out
    )
    works = model.wear_work_by_side()["c"]
    whole = model.outputs()["c.wear_work"]
    assert whole > 1e-5
    assert works[side] == pytest.approx(whole * first / (first + second), rel=1e-9)
    assert works[side + 1] == pytest.approx(whole * second / (first + second), rel=1e-9)
    assert sum(works) == pytest.approx(whole, rel=1e-12)


def rubbing_ball(sides: int, **options: Any) -> Structure:
    return ball(
        velocity=(0.3, 0.11, 0.05),
        sides=sides,
        friction_coefficient=0.2,
        tangential_stiffness=1e5,
        contact_damping=20.0,
        **options,
    )


def test_a_run_does_not_depend_on_its_steps_nor_on_an_interruption():
    whole, many, restored = (ModalShock(rubbing_ball(24)) for _ in range(3))
    for _ in range(12):
        whole.step(1e-3)
        for _ in range(7):
            many.step(1e-3 / 7.0)
    for _ in range(4):
        restored.step(1e-3)
    snapshot = restored.snapshot()
    restored.step(1e-3)
    restored = ModalShock(rubbing_ball(24))
    restored.restore(snapshot)
    for _ in range(8):
        restored.step(1e-3)
    assert restored.outputs() == whole.outputs()
    assert restored.wear_work_by_side() == whole.wear_work_by_side()
    assert place_of(many) == pytest.approx(place_of(whole), abs=1e-12)
    works = whole.wear_work_by_side()["c"]
    assert many.wear_work_by_side()["c"] == pytest.approx(works, abs=1e-9 * sum(works))


def test_steps_that_end_at_events_keep_the_wear_work_of_each_side():
    whole, stopping = (ModalShock(rubbing_ball(12)) for _ in range(2))
    whole.step(2e-2)
    left = 2e-2
    while left > 0.0:
        end = stopping.step_to_event(left)
        left = 2e-2 - stopping.time
        if end.event:
            stopping.pass_event()
    assert stopping.event_count > 5
    works = whole.wear_work_by_side()["c"]
    assert stopping.wear_work_by_side()["c"] == pytest.approx(works, abs=1e-9 * sum(works))


def test_a_changed_gap_moves_all_sides_by_the_same_distance():
    gaps = [GAP, 1.2 * GAP, GAP, 1.1 * GAP]
    place = (1.05 * GAP, 1.3 * GAP)
    model = ModalShock(ball(place, **SQUARE, gaps=gaps))
    energy = 0.5 * STIFFNESS * float(np.sum(into_wall(place, regular(4), gaps) ** 2))
    model.change_parameters({"c.gap": 0.9 * GAP})
    moved = [gap - 0.1 * GAP for gap in gaps]
    way = into_wall(place, regular(4), moved)
    outputs = model.outputs()
    assert outputs["c.normal_force"] == pytest.approx(STIFFNESS * np.linalg.norm(way), rel=1e-12)
    gained = 0.5 * STIFFNESS * float(way @ way) - energy
    assert outputs["parameter_change_work"] == pytest.approx(gained, rel=1e-11)
    with pytest.raises(ValueError, match=r"c\.gap|c: gap"):
        model.change_parameters({"c.gap": -GAP})


def test_gaps_and_directions_survive_a_document_bit_by_bit():
    r = random.Random(3)
    gaps = [GAP * r.uniform(0.99, 1.01) for _ in range(24)]
    structure = rubbing_ball(24, gaps=gaps)
    assert structure_of(document_of(structure)) == structure
    assert structure.contacts[0].gaps == tuple(gaps)
    assert structure.contacts[0].parameters.gap == min(gaps)
    worn = structure.contacts[0].with_gaps([1.1 * gap for gap in gaps])
    assert worn.gaps == tuple(1.1 * gap for gap in gaps)


def test_a_circle_becomes_a_polygon_by_its_obstacle_and_sides():
    circle = ball(obstacle="circle").contacts[0]
    polygon = replace(circle, obstacle=ContactObstacle.polygon, sides=24)
    assert polygon.gaps == (GAP,) * 24
    assert polygon.directions[:3] == (0.0, 15.0, 30.0)


@pytest.mark.parametrize(
    ("contact", "message"),
    [
        ({"sides": 2}, r"sides = 2 is invalid.*3 to 96.*Give sides"),
        ({"sides": 97}, r"sides = 97 is invalid.*3 to 96"),
        ({}, r"sides = 0 is invalid"),
        ({"sides": 4, "gap": -1e-4}, r"-0.0001 m is invalid"),
        ({"sides": 4, "gaps": [1e-4] * 5}, r"sides = 4 contradicts the lists of 5 sides"),
        ({"sides": 3, "gaps": [1e-4, -1e-4, 1e-4]}, r"gaps\[2\] = -0.0001 m.*> 0.*offset"),
        ({"directions": [0.0, 90.0, 179.0]}, r"directions\[3\] = 179.0°.*less than 180°.*missing"),
        ({"directions": [0.0, 240.0, 120.0]}, r"directions\[1\] = 0.0°.*increase.*Sort"),
        ({"directions": [0.0, 90.0, 90.0, 270.0]}, r"directions\[2\] = 90.0°.*increase"),
        (
            {"directions": [0.0, 45.0, 90.0, 180.0, 270.0], "gaps": [1e-4, 2e-4, 1e-4, 1e-4, 1e-4]},
            r"gaps\[2\] = 0.0002 m is invalid.*side 2 has the length -.*leave out",
        ),
        ({"gap": 1e-4, "gaps": [2e-4] * 4}, r"gap = 0.0001 m .*smallest value is 0.0002 m: remove"),
        ({"obstacle": "circle", "sides": 24}, r"sides is invalid with obstacle = 'circle'"),
        (
            {"sides": 24, "wear_feedback": True},
            r"wear_feedback=true .*: its sides wear.*shape SIDES",
        ),
    ],
)
def test_a_polygon_that_is_no_convex_hole_is_refused(contact, message):
    with pytest.raises(ValueError, match=message):
        ModalShock(ball(**contact))


@pytest.mark.native
@pytest.mark.parametrize("sides", [3, 24, 96])
def test_compiled_and_interpreted_runs_have_equal_bits(sides):
    r = random.Random(sides)
    structure = rubbing_ball(sides, gaps=[GAP * r.uniform(0.999, 1.001) for _ in range(sides)])
    compiled = run_structure(structure, step_size=1e-3, steps=60)
    model = ModalShock(structure, input_timing="end")  # type: ignore[arg-type]  # given by name
    for _ in range(60):
        model.step(1e-3)
    assert compiled.final == model.outputs()
    assert tuple(compiled.wear_work_by_side["c"]) == model.wear_work_by_side()["c"]
    assert sum(work > 0.0 for work in model.wear_work_by_side()["c"]) > 2
