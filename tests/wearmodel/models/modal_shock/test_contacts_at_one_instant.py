"""Contacts that act at one instant are one event, and rounding does not affect the result."""

import json
import math
import random
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import pytest

from tests.structures import UNIT_BASE, contact, modal_structure, point
from wearmodel.models.modal_shock import ModalShock
from wearmodel.structure import Structure

from .pieces import record
from .structures import stored_energy, supplied_energy

STEP = 1e-3
MASS = 1.0
DROP = 1e-4
HALF_LENGTH, HALF_WIDTH, HEIGHT = 0.05, 0.03, 0.02


def feet(count: int) -> list[tuple[float, float]]:
    """Return the places of the feet: one in the middle, two along x, or a square grid."""
    if count == 1:
        return [(0.0, 0.0)]
    if count == 2:
        return [(-HALF_LENGTH, 0.0), (HALF_LENGTH, 0.0)]
    rows = math.isqrt(count)
    places = [2.0 * i / (rows - 1) - 1.0 for i in range(rows)]
    return [(x * HALF_LENGTH, y * HALF_WIDTH) for x, y in product(places, places)]


def block(
    count: int, *, turns: bool = True, tilt: float = 0.0, damping: float = 50.0, speed: float = 0.0
) -> Structure:
    """Return a rigid block over a plane on `count` feet with a common stiffness and damping."""
    points, contacts = [], []
    for number, (x, y) in enumerate(feet(count)):
        shapes = {
            "shape_x": [1.0, 0.0, 0.0, 0.0, -HEIGHT, -y],
            "shape_y": [0.0, 1.0, 0.0, HEIGHT, 0.0, x],
            "shape_z": [0.0, 0.0, 1.0, y, -x, 0.0],
        }
        points.append(
            {
                "name": f"p{number}",
                **{name: row if turns else row[:3] for name, row in shapes.items()},
            }
        )
        contacts.append(
            {
                "name": f"c{number}",
                "point": f"p{number}",
                "obstacle": "plane",
                "normal": [0.0, 0.0, 1.0],
                "gap": DROP + tilt * (x + 0.37 * y),
                "contact_stiffness": 1e6 / count,
                "contact_damping": damping / count,
                "tangential_stiffness": 1e6 / count,
                "friction_coefficient": 0.3,
            }
        )
    masses = [MASS, MASS, MASS, *([1e-2, 1e-2, 2e-2] if turns else [])]
    rest = [0.0] * (len(masses) - 3)
    return modal_structure(
        [0.0] * len(masses),
        *contacts,
        points=points,
        modes={"generalised_mass": masses},
        base={
            "participation_x": [MASS, 0.0, 0.0, *rest],
            "participation_y": [0.0, MASS, 0.0, *rest],
            "participation_z": [0.0, 0.0, MASS, *rest],
            "gravity_z": -9.81,
        },
        initial={"velocity": [speed, 0.0, 0.0, *rest]},
    )


def equal_contacts(
    seed: int, count: int, parted: float = 0.0
) -> tuple[Structure, Callable[[float], dict[str, float]]]:
    """Return contacts of one point that share a random law, and a base motion.

    `parted` is the relative difference between their gaps.
    """
    r = random.Random(seed)
    mass, stiffness, tangential = (10.0 ** r.uniform(*span) for span in ((-1, 1), (4, 6.5), (4, 6)))
    friction, gap = r.uniform(0.1, 0.6), 10.0 ** r.uniform(-5.0, -3.0)
    obstacle = r.choice(["plane", "two_planes", "circle"])
    damping = r.choice([0.0, r.uniform(0.02, 1.0) * math.sqrt(stiffness * mass)])
    critical = 2.0 * math.sqrt(tangential * mass)
    tangential_damping = r.choice([0.0, critical, r.uniform(0.2, 0.8) * critical])
    law = r.choice(
        [
            {},
            {"friction_coefficient_static": 1.3 * friction},
            {
                "friction_coefficient_slow": friction * r.choice([0.5, 1.5]),
                "friction_decay_velocity": r.uniform(0.05, 0.5),
                "viscous_friction": r.choice([0.0, 0.2]),
            },
            {"wear_feedback": True, "wear_time_scale": 10.0 ** r.uniform(4.0, 6.0)},
        ]
    )
    if "wear_feedback" in law and tangential_damping == 0.0:
        tangential_damping = critical  # Without a damper, wear would run away.
    frequency, strength, rate = r.choice([0.0, 5.0, 20.0]), r.uniform(2, 15), r.uniform(20, 200)
    velocity = [r.uniform(-0.3, 0.3), r.choice([0.0, 0.2]), r.uniform(-0.3, 0.3)]
    structure = modal_structure(
        [frequency] * 3,
        *(
            contact(
                f"c{number}",
                obstacle=obstacle,
                gap=gap * (1.0 + parted * r.choice([-1.0, 0.0, 1.0])),
                contact_stiffness=stiffness / count,
                contact_damping=damping / count,
                tangential_stiffness=tangential / count,
                tangential_damping=tangential_damping / count,
                friction_coefficient=friction,
                archard_coefficient=1e-12,
                wear_area=1e-4 / count,
                **law,
            )
            for number in range(count)
        ),
        modes={"generalised_mass": [mass] * 3, "damping_ratio": 0.01},
        base={
            **{name: [mass * value for value in row] for name, row in UNIT_BASE.items()},
            "gravity_z": -9.81,
        },
        initial={"velocity": velocity},
    )

    def shaking(time: float) -> dict[str, float]:
        return {
            "base_acceleration_x": strength * math.sin(rate * time),
            "base_acceleration_z": strength * math.cos(1.3 * rate * time),
        }

    return structure, shaking


def course(
    structure: Structure, steps: int, inputs: Callable[[float], dict[str, float]] = lambda _: {}
) -> tuple[list[list[float]], list[list[float]], list[float], set[float], float]:
    """Return displacements, velocities and wear work by step, the shock counts, and the events."""
    model = ModalShock(structure, input_extrapolation_order=2)
    places, speeds, wear, events = [], [], [], 0.0
    for step in range(steps):
        model.step(STEP, **inputs(step * STEP))
        places.append(model._state.motion.displacement[:])
        speeds.append(model._state.motion.velocity[:])
        wear.append(model.outputs()["wear_work"])
        events += model._work.counts.events
    outputs = model.outputs()
    counts = {outputs[f"{contact.name}.shock_count"] for contact in structure.contacts}
    return places, speeds, wear, counts, events


def assert_same(found: Any, expected: Any, rtol: float) -> None:
    """Check that the courses agree relative to the largest value of each kind."""
    flat = [float(v) for row in found for v in (row if isinstance(row, list) else [row])]
    want = [float(v) for row in expected for v in (row if isinstance(row, list) else [row])]
    assert flat == pytest.approx(want, rel=0.0, abs=rtol * max(map(abs, want)))


@pytest.mark.long
@pytest.mark.parametrize("turns", [False, True], ids=["upright", "free to turn"])
@pytest.mark.parametrize("count", [2, 4, 16])
def test_a_block_dropped_flat_counts_the_shocks_of_one_foot(count, turns):
    places, speeds, _, counts, events = course(block(1, turns=False), 130)
    assert counts == {max(counts)}
    assert max(counts) > 5.0
    on_feet = course(block(count, turns=turns), 130)
    assert on_feet[3] == counts
    if not turns:
        # Rounding of the feet turns the block, which then lands on one foot after the other.
        assert on_feet[4] <= events + 4.0
    # A few dozen shocks amplify rounding.
    assert_same([row[:3] for row in on_feet[0]], places, 1e-11)
    assert_same([row[:3] for row in on_feet[1]], speeds, 1e-11)


# Random laws: all obstacles and frictions, with and without C_N, with C_T 0, critical and less.
@pytest.mark.long
@pytest.mark.parametrize("parted", [0.0, 1e-15], ids=["equal", "parted by a rounding"])
@pytest.mark.parametrize(
    ("seed", "count"),
    [
        *((seed, 4) for seed in range(24) if seed not in (8, 21)),
        *((seed, 16) for seed in range(3)),
        # A friction spring without damper oscillates, which takes a quarter of a minute each.
        pytest.param(8, 4, marks=pytest.mark.campaign),
        pytest.param(21, 4, marks=pytest.mark.campaign),
    ],
)
def test_equal_contacts_are_one_contact(seed, count, parted):
    steps = 40
    places, speeds, wear, counts, _ = of_one_contact(seed, steps)
    found = course(*_ordered(equal_contacts(seed, count, parted), steps))
    assert found[3] == counts
    # Successive shocks amplify the rounding of forces that are added in a different order.
    assert_same(found[0], places, 1e-11)
    assert_same(found[1], speeds, 1e-11)
    assert_same(found[2], wear, 1e-11)


@cache
def of_one_contact(seed: int, steps: int) -> Any:
    """Return the course of the single contact with which others are compared."""
    return course(*_ordered(equal_contacts(seed, 1), steps))


def _ordered(problem: tuple[Structure, Any], steps: int) -> tuple[Structure, int, Any]:
    return problem[0], steps, problem[1]


@pytest.mark.long
@pytest.mark.parametrize("damping", [0.0, 50.0])
def test_energy_closes_over_events_of_many_contacts(damping):
    model = ModalShock(block(4, damping=damping, speed=0.05))
    pieces = record(model)
    before = largest = stored_energy(model)
    together = 0
    for step in range(30):
        pieces.clear()
        model.step(STEP, base_acceleration_x=3.0 * math.sin(90.0 * step * STEP))
        together += sum(sum(event != 0 for event in piece["events"]) > 1 for piece in pieces)
        now = stored_energy(model)
        largest = max(largest, now)
        supplied = supplied_energy(model, pieces, model.time - STEP)
        assert now - before == pytest.approx(supplied, rel=0.0, abs=1e-11 * largest)
        before = now
    assert together > 3


def test_a_saved_state_of_contacts_that_act_together_goes_on_bit_by_bit():
    model = ModalShock(block(4, speed=0.05))
    for _ in range(12):
        model.step(0.9 * STEP)
        saved = json.loads(json.dumps(model.snapshot()))
        model.step(STEP)
        wanted = model.snapshot()
        model.restore(saved)
        model.step(STEP)
        assert model.snapshot() == wanted
        model.restore(saved)


@pytest.mark.long
@pytest.mark.parametrize(
    "pull", [0.0, 1.5], ids=["upright", "pulled by half of what friction bears"]
)
@pytest.mark.parametrize("count", [4, 9, 16])
def test_feet_tilted_by_a_billionth_do_not_creep(count, pull):
    tilt, damping = 1e-9, 400.0  # A fifth of the critical damping brings the block to rest.

    def end_and_creep(tilt: float) -> tuple[float, float]:
        model = ModalShock(block(count, tilt=tilt, damping=damping))
        reached = []
        for step in range(120):
            model.step(STEP, base_acceleration_x=pull)
            if step in (99, 119):
                reached.append(model.outputs()["c0.relative_displacement_x"])
        return reached[1], reached[1] - reached[0]

    flat, settling = end_and_creep(0.0)
    end, creep = end_and_creep(tilt)
    # The tilt lifts a corner by 6e-11 m. Two or three shocks amplify this by at most 100. The
    # difference does not grow at rest.
    assert end == pytest.approx(flat, rel=0.0, abs=100.0 * tilt * 1.2 * HALF_LENGTH)
    assert creep == pytest.approx(settling, rel=0.0, abs=tilt * 1.2 * HALF_LENGTH)


def in_a_hole(aside: float, tangential_damping: float) -> Structure:
    """Return a point that moves across a round hole, started `aside` [m] from the diameter."""
    return modal_structure(
        [10.0, 10.0],
        contact(
            obstacle="circle",
            gap=1e-3,
            tangential_stiffness=1e5,
            tangential_damping=tangential_damping,
            friction_coefficient=0.2,
        ),
        points=[point(y=[1.0, 0.0], z=[0.0, 1.0])],
        initial={"velocity": [0.3, 0.0], "displacement": [0.0, aside]},
    )


@cache
def course_in_a_hole(aside: float, tangential_damping: float, steps: int) -> Any:
    return course(in_a_hole(aside, tangential_damping), steps)


@pytest.mark.parametrize("tangential_damping", [-1.0, 0.0], ids=["critical C_T", "C_T 0"])
@pytest.mark.parametrize("aside", [10.0**-k for k in range(10, 19)])
def test_nearly_radial_motion_in_a_hole_is_that_along_the_diameter(aside, tangential_damping):
    steps = 120
    along, _, _, counts, _ = course_in_a_hole(0.0, tangential_damping, steps)
    large = 1e-9
    trend = course_in_a_hole(large, tangential_damping, steps)[0]
    places, _, _, found, _ = course_in_a_hole(aside, tangential_damping, steps)
    assert found == counts
    # A displacement aside changes the motion along the diameter by its square.
    assert_same([row[0] for row in places], [row[0] for row in along], 1e-12)
    # The displacement aside stays small and proportional to its start, to a rounding of 1e-18 m.
    for row, larger in zip(places, trend, strict=True):
        assert row[1] == pytest.approx(larger[1] * aside / large, rel=0.0, abs=1e-4 * aside + 2e-19)
