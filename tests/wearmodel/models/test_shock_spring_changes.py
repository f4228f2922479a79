"""Parameter changes of the shock spring between two legs: closed forms, new springs, energy.

A new spring reaches the place and the stretch of the changed spring on a different path. Tolerances
are the rounding of a few sums, 1e-12 of the largest force and length, and 1e-11 for series in a
hole.
"""

import math
import random

import pytest

from wearmodel import ShockSpring, ShockSpringParameters
from wearmodel.models.shock_spring import Drive

FLIGHT, STICK, SLIP = 0, 1, 2


def led(values: dict[str, object], path: list[tuple[float, float, float]]) -> ShockSpring:
    """Return a spring driven by displacements along a path."""
    spring = ShockSpring(ShockSpringParameters(drive=Drive.displacement, **values))  # type: ignore[arg-type]
    follow(spring, path)
    return spring


def follow(spring: ShockSpring, path: list[tuple[float, float, float]]) -> list[list[float]]:
    courses = []
    for x, y, z in path:
        spring.step(
            imposed_displacement_x=x,
            imposed_displacement_y=y,
            imposed_displacement_z=z,
            step_size=0.1,
        )
        courses.append(list(spring.output_values()))
    return courses


PLANE = {"dist_1": 0.1, "contact_stiffness": 100.0, "tangential_stiffness": 50.0}


@pytest.mark.parametrize(
    ("obstacle", "side"), [("plane", -1.0), ("two_planes", -1.0), ("two_planes", 1.0)]
)
def test_friction_that_falls_lets_the_anchor_jump_to_the_cone_and_books_it(obstacle, side):
    spring = led(
        {**PLANE, "obstacle": obstacle}, [(side * 0.3, 0.0, 0.0), (side * 0.3, 0.06, 0.08)]
    )
    assert spring.contact_mode == STICK
    spring.change_parameters({"friction_coefficient": 0.1})
    force, stretch = 100.0 * 0.2, 0.1
    held = 0.1 * force / 50.0
    assert (spring.force_y, spring.force_z) == pytest.approx((50.0 * held * 0.6, 50.0 * held * 0.8))
    assert (spring.slip_y, spring.slip_z) == pytest.approx(
        ((stretch - held) * 0.6, (stretch - held) * 0.8), rel=1e-13
    )
    assert spring.wear_work == pytest.approx(force * (stretch - held), rel=1e-13)
    upper = spring.wear_work if side > 0.0 else 0.0
    parts = spring.wear_depth_lower, spring.wear_depth_upper
    scale = spring.wear_depth / spring.wear_work
    assert parts == pytest.approx((scale * (spring.wear_work - upper), scale * upper), rel=1e-13)


def test_a_stiffer_contact_under_a_given_load_moves_the_point_and_takes_the_work():
    spring = ShockSpring(
        ShockSpringParameters(elastic_stiffness=100.0, contact_stiffness=100.0, dist_1=0.0)
    )
    spring.step(load_x=-10.0)
    assert spring.displacement_x == pytest.approx(-10.0 / 200.0)
    spring.change_parameters({"contact_stiffness": 300.0})
    assert spring.displacement_x == pytest.approx(-10.0 / 400.0)
    # ½ k x² + ½ K x² − P x at equilibrium is −½ P²/(k + K).
    gained = 0.5 * 10.0**2 * (1.0 / 200.0 - 1.0 / 400.0)
    assert spring.parameter_change_work == pytest.approx(gained, rel=1e-13)


def test_a_gap_that_is_opened_lets_the_contact_go_and_one_that_is_closed_presses_it():
    spring = led(PLANE, [(-0.3, 0.0, 0.0), (-0.3, 0.05, 0.0)])
    held = 0.5 * 100.0 * 0.2**2
    spring.change_parameters({"dist_1": 0.4})
    assert (spring.contact_mode, spring.normal_force, spring.force_y) == (FLIGHT, 0.0, 0.0)
    assert spring.slip_y == 0.05
    assert spring.parameter_change_work == pytest.approx(-held, rel=1e-13)
    spring.change_parameters({"dist_1": 0.2})
    assert (spring.contact_mode, spring.force_y) == (STICK, 0.0)
    assert spring.normal_force == pytest.approx(100.0 * 0.1, rel=1e-13)
    assert spring.parameter_change_work == pytest.approx(-held + 0.5 * 100.0 * 0.01, rel=1e-13)
    follow(spring, [(-0.3, 0.06, 0.0)])
    assert spring.force_y == pytest.approx(50.0 * 0.01, rel=1e-12)


def new_values(draw: random.Random) -> dict[str, float]:
    every = {
        "friction_coefficient": draw.uniform(0.05, 1.0),
        "contact_stiffness": 10.0 ** draw.uniform(1.0, 3.0),
        "tangential_stiffness": 10.0 ** draw.uniform(1.0, 3.0),
        "dist_1": draw.uniform(0.0, 0.25),
    }
    return {name: every[name] for name in draw.sample(list(every), draw.randint(1, 4))}


@pytest.mark.parametrize("obstacle", ["plane", "two_planes"])
def test_after_a_change_a_spring_goes_on_as_a_new_one_in_its_place(obstacle):
    """The new spring is pressed at the anchor, and moved to the present place in stick."""
    pressed = 0
    for seed in range(60):
        draw = random.Random(seed)
        values = {**PLANE, "obstacle": obstacle, "friction_coefficient": draw.uniform(0.1, 1.0)}
        reach = 0.3 if obstacle == "two_planes" else 0.0

        def place(draw: random.Random = draw, reach: float = reach) -> tuple[float, float, float]:
            return draw.uniform(-0.35, reach), draw.uniform(-0.2, 0.2), draw.uniform(-0.2, 0.2)

        spring = led(values, [place() for _ in range(4)])
        changes, wear = new_values(draw), spring.wear_work
        spring.change_parameters(changes)
        force, bound = spring.normal_force, spring.parameters.friction_coefficient
        assert math.hypot(spring.force_y, spring.force_z) <= bound * force * (1.0 + 1e-13)
        assert spring.wear_work >= wear
        here = (spring.displacement_x, spring.displacement_y, spring.displacement_z)
        path = [place() for _ in range(4)]
        if force > 0.0:
            pressed += 1
            above = (here[0], spring.slip_y, spring.slip_z)
            fresh = led({**values, **changes}, [(0.0, spring.slip_y, spring.slip_z), above, here])
        else:
            fresh = led({**values, **changes}, [here])
        names = list(spring.outputs())
        gained = names.index("wear_work")
        before = spring.wear_work, fresh.wear_work
        for got, want in zip(follow(spring, path), follow(fresh, path), strict=True):
            assert got[: names.index("contact_mode") + 1] == pytest.approx(
                want[: names.index("contact_mode") + 1], rel=1e-11, abs=1e-11
            )
            assert got[gained] - before[0] == pytest.approx(want[gained] - before[1], abs=1e-11)
    assert pressed > 20


@pytest.mark.parametrize("obstacle", ["plane", "two_planes", "circle"])
@pytest.mark.parametrize("wears", [False, True], ids=["even", "wearing"])
def test_the_energy_balance_closes_over_a_change(obstacle, wears):
    """The change of spring energy is the work of the change minus losses by friction or opening."""

    def held(spring: ShockSpring) -> float:
        p = spring.parameters
        depth = max(0.0, -spring.clearance)
        normal, tangential = p.contact_stiffness, p.tangential_stiffness
        along = math.hypot(spring.force_y, spring.force_z)
        if obstacle == "circle":
            along = math.sqrt(max(0.0, spring.force_x**2 + along**2 - spring.normal_force**2))
        return 0.5 * normal * depth**2 + 0.5 * along**2 / tangential

    # In a circle, the tangential force is computed from a difference of squares.
    rounding = 1e-7 if obstacle == "circle" else 1e-12
    for seed in range(25):
        draw = random.Random(seed)
        values = {**PLANE, "obstacle": obstacle, "wear_feedback": wears, "wear_time_scale": 1e4}

        def place(draw: random.Random = draw) -> tuple[float, float, float]:
            return draw.uniform(-0.35, -0.05), draw.uniform(-0.2, 0.2), draw.uniform(-0.2, 0.2)

        spring = led(values, [place() for _ in range(4)])
        before, clearance = held(spring), spring.clearance
        changes = new_values(draw)
        if obstacle == "circle":
            changes["dist_1"] = draw.uniform(0.01, 0.25)
        if draw.random() < 0.5:
            changes.pop("friction_coefficient", None)
        wear, work = spring.wear_work, spring.parameter_change_work
        spring.change_parameters(changes)
        lost = before + spring.parameter_change_work - work - held(spring)
        scale = before + held(spring) + abs(spring.parameter_change_work)
        if spring.wear_work == wear and spring.normal_force > 0.0 and clearance < 0.0:
            assert lost == pytest.approx(0.0, abs=rounding * scale)
        else:
            assert lost >= -rounding * scale


def test_a_damped_contact_keeps_its_force_inside_the_cone_over_a_change():
    values = {**PLANE, "tangential_damping": 5.0, "contact_damping": 2.0}
    spring = led(values, [(-0.3, 0.0, 0.0), (-0.32, 0.05, 0.0)])
    force = spring.normal_force
    assert force == pytest.approx(100.0 * 0.22 + 2.0 * 0.2, rel=1e-13)
    slip = spring.slip_y
    spring.change_parameters({"friction_coefficient": 0.1})
    assert (spring.normal_force, spring.contact_mode) == (force, SLIP)
    assert spring.force_y == pytest.approx(0.1 * force, rel=1e-13)
    assert spring.slip_y == slip  # The damper keeps the anchor in place.
    dragged = 50.0 * (0.05 - slip) + 5.0 * 0.5
    assert spring.slip_velocity == pytest.approx((dragged - 0.1 * force) / 5.0, rel=1e-12)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"elastic_stiffness": 2.0}, "elastic_stiffness is a fixed parameter: 2.0 N/m cannot be"),
        ({"contact_stiffness": 0.0}, r"contact_stiffness=0\.0 N/m must be > 0"),
        ({"friction_coefficient": math.nan}, "friction_coefficient=nan must be finite"),
        ({"dist_2": 0.1}, r"dist_2=0\.1 m must be 0 with one node"),
        ({"contact_damping": 1.0}, r"contact_damping=1\.0 N\.s/m .* need drive displacement"),
    ],
    ids=str,
)
def test_a_change_that_breaks_a_rule_is_refused_and_all_stands(changes, message):
    spring = ShockSpring()
    spring.step(load_x=-1.0, load_y=0.1)
    before = spring.snapshot()
    with pytest.raises(ValueError, match=message):
        spring.change_parameters({"friction_coefficient": 0.2, **changes})
    assert spring.snapshot() == before
    assert spring.parameters == ShockSpringParameters()


@pytest.mark.parametrize("obstacle", ["plane", "two_planes", "circle"])
def test_a_snapshot_brings_the_changed_values_back_bit_by_bit(obstacle):
    spring = led({**PLANE, "obstacle": obstacle}, [(-0.3, 0.0, 0.0), (-0.3, 0.05, 0.0)])
    spring.change_parameters({"friction_coefficient": 0.2, "contact_stiffness": 300.0})
    saved = spring.snapshot()
    path = [(-0.3, 0.1, 0.1), (-0.25, -0.1, 0.0)]
    want = follow(spring, path)
    fresh = led({**PLANE, "obstacle": obstacle}, [])
    for host in (spring, fresh):
        host.restore(saved)
        assert host.changes == {"friction_coefficient": 0.2, "contact_stiffness": 300.0}
        assert follow(host, path) == want
    spring.change_parameters({"friction_coefficient": 0.2})
    assert list(spring.output_values()) == want[-1]
