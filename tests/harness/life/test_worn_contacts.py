"""Gaps that open by wear, and their effect on the service life of a spring."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.life import load_life, run_life
from harness.life.worn_contact import WornContact
from harness.life.worn_sectors import SideState, WornSectors, sector_volumes, worn_sectors
from wearmodel.statistics.cycle_jump import LifePoint
from wearmodel.statistics.paired_blocks import half_widths
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR
from wearmodel.statistics.worn_shapes import CrownedPad, FlatPad, TubeInHole, TubeOnFlatBar
from wearmodel.statistics.worn_sides import (
    deepest_side,
    longest_half_step,
    side_lengths,
    spread_over_sides,
)

from .holes import GAP, RADIUS, WIDTH, pushed


@pytest.mark.parametrize(
    ("scars", "spacing"), [(1, 1.5e-4), (2, 2e-4)], ids=["one side", "both sides"]
)
def test_between_two_planes_the_sum_of_the_gaps_grows_by_all_scars(
    scars: int, spacing: float
) -> None:
    case = {"normal_law": "penalty", "obstacle": "two_planes", "plane_half_spacing": 1e-4}
    worn = WornContact("FrictionalShock").worn({**case, "initial_gap": 1e-4}, 1e-4, scars)
    assert worn is not None
    assert worn.gap == 2e-4
    assert worn.parameters["plane_half_spacing"] == pytest.approx(spacing, rel=1e-15)


@pytest.mark.parametrize(
    ("parameters", "dist_1"),
    [({"dist_1": 1e-3}, 1.1e-3), ({"length": 3e-3, "dist_1": 1e-3, "dist_2": 1e-3}, 0.9e-3)],
    ids=["one node", "two nodes"],
)
def test_wear_opens_the_gap_of_a_shock_spring(parameters: Any, dist_1: float) -> None:
    worn = WornContact("DisChoc").worn(parameters, 1e-4, 1)
    assert worn is not None
    assert worn.parameters["dist_1"] == pytest.approx(dist_1, rel=1e-15)
    assert worn.gap == pytest.approx(1.1e-3, rel=1e-12)


def test_two_planes_of_a_shock_spring_have_one_gap_and_need_two_scars() -> None:
    parameters = {"obstacle": "two_planes", "dist_1": 1e-3}
    worn = WornContact("DisChoc").worn(parameters, 1e-4, 2)
    assert worn is not None
    assert worn.parameters["dist_1"] == worn.gap == pytest.approx(1.1e-3, rel=1e-15)
    with pytest.raises(
        ValueError, match="between the two planes of DisChoc both gaps grow equally"
    ):
        WornContact("DisChoc").worn(parameters, 1e-4, 1)


def test_a_contact_begins_to_slip_at_its_largest_coefficient(tmp_path: Path) -> None:
    load = load_life(pushed(tmp_path, years=1.0)).contacts[0]
    hole = WornContact("ModalShock", load.name, load.structure)
    assert hole.friction_coefficient({}) == 1e-6
    given = {"S1.friction_coefficient": 0.2, "S1.friction_coefficient_static": 0.3}
    assert hole.friction_coefficient(given) == 0.3
    block = WornContact("FrictionalShock")
    sliding = {"friction_coefficient": 0.2}
    assert block.friction_coefficient(sliding) == 0.2
    assert block.friction_coefficient({**sliding, "friction_coefficient_static": 0.3}) == 0.3
    assert WornContact("DisChoc").friction_coefficient(sliding) == 0.0


# A spring of 1e6 N/m, compressed by 10 µm and rubbed back and forth by 0.1 mm without friction.
# The path from sample to sample is 4 · 0.1 mm per period, because the samples include its ends.
SPRING = """\
[case]
title = "A shock spring that is rubbed"
source = "test"
fmu = "DisChoc"

[parameters]
drive = "displacement"
dist_1 = -1e-5
contact_stiffness = 1e6
tangential_stiffness = 1e6
friction_coefficient = 0.0

[inputs.imposed_displacement_y]
kind = "sine"
amplitude = 1e-4
frequency = 5.0

[experiment]
stop_time = 2.0
step_size = 0.002

[life]
years = 40.0
relative_error = 0.02
law = { kind = "ARCHARD", coefficient = 4e-17 }
shape = { kind = "FLAT", wear_area = 1e-4 }
"""


@pytest.mark.long
@pytest.mark.parametrize("feedback", [False, True], ids=["plain", "wear_feedback in the case"])
def test_a_shock_spring_wears_its_gap_by_the_exponential_within_its_bar(
    tmp_path: Path, feedback: bool
) -> None:
    """ḣ = k/S · K (d − h) · 4 A f. The feedback of the run is off, because it would count twice."""
    text = SPRING
    if feedback:
        changed = "friction_coefficient = 0.0\nwear_feedback = true\nwear_time_scale = 1e8"
        text = text.replace("friction_coefficient = 0.0", changed)
    file = tmp_path / "spring.toml"
    file.write_text(text, encoding="utf-8")
    states = run_life(load_life(file)).states
    assert states[-1].time == 40.0 * SECONDS_PER_YEAR
    for state in states[1:]:
        want = 1e-5 * -math.expm1(-4e-17 / 1e-4 * 1e6 * 2e-3 * state.time)
        assert abs(state.depth - want) <= state.depth_bar + 1e-9 * want
        # The initial compression is 10 µm.
        assert state.gap == pytest.approx(state.depth - 1e-5, rel=1e-9)
    assert states[-1].depth_bar <= 0.02 * states[-1].depth
    # Without the opening of the gap, the depth would be twice as large.
    assert states[-1].depth == pytest.approx(1e-5 * -math.expm1(-1.009), rel=0.02)


@pytest.mark.parametrize("depth", [1e-6, 1e-4, 1e-3])
def test_the_arc_of_a_lune_ends_where_its_circles_meet(depth: float) -> None:
    tube, hole = 0.011, 0.0112
    shift = hole - tube + depth
    # The circle of the tube about (shift, 0), at the end of the arc seen from the hole.
    half = 0.5 * TubeInHole(tube, 0.02, hole_radius=hole).arc(depth) / 2.0
    x, y = hole * math.cos(half), hole * math.sin(half)
    assert math.hypot(x - shift, y) == pytest.approx(tube, rel=1e-12)


def test_sectors_add_up_to_the_volume_and_follow_where_the_wear_moves() -> None:
    # All wear is in the first sector, then half in each, then none at the end of the second part.
    first, both, none = np.zeros((2, 24)), np.zeros((2, 24)), np.zeros((2, 24))
    first[0, 0], both[0, :2] = 1.0, 0.5
    first[1, 0], both[1, :2] = 0.2, 0.1
    rows, bars = sector_volumes(
        [first, both, none], [0.0, 2.0, 3.0], [0.0, 1.0, 2.0], np.array([0.5, 1.0, 2.0])
    )
    assert rows.sum(axis=1) == pytest.approx([1.0, 2.0, 3.0])
    assert rows[:, 1] == pytest.approx([0.25, 0.5, 1.0])
    # The intervals are added. For the first sector ± 0.15 of two units, then ± 0.1 of one.
    assert bars[:, 0] == pytest.approx([0.15, 0.3, 0.4])
    assert bars[:, 1] == pytest.approx([0.05, 0.1, 0.2])


def test_a_sector_is_as_deep_as_its_volume_by_the_shape_s_radius_and_width() -> None:
    volumes = np.zeros(24)
    volumes[:3] = (1e-9, 4e-9, 1e-9)
    bars = np.full(24, 0.5e-9)
    worn = worn_sectors(TubeOnFlatBar(0.011, 0.02), volumes, bars)
    assert worn.direction == "-165° to -150°"
    assert worn.share == pytest.approx(2.0 / 3.0)
    # R − √(R² − 2V/(h Δα)), to first order V/(h R Δα).
    assert worn.deepest_depth == pytest.approx(4e-9 / (0.02 * 0.011 * math.pi / 12.0), rel=0.01)
    assert worn.even_depth == pytest.approx(6e-9 / (0.02 * 0.011 * 2.0 * math.pi), rel=0.01)
    assert worn.deepest_depth_bar == pytest.approx(worn.deepest_depth / 8.0, rel=0.01)
    # A less deep sector with a larger error may be the deepest one.
    bars[2] = 4e-9
    unsure = worn_sectors(TubeOnFlatBar(0.011, 0.02), volumes, bars)
    assert unsure.deepest_depth_bar == pytest.approx(worn.deepest_depth / 4.0, rel=0.02)
    # A volume larger than the sector, and a shape without a radius.
    assert worn_sectors(TubeOnFlatBar(0.011, 0.02), 1e3 * volumes, bars).deepest_depth is None
    assert worn_sectors(CrownedPad(0.01), volumes, bars).even_depth is None


def sectors_of(volumes: dict[int, float], count: int = 24, **changed: Any) -> WornSectors:
    row = np.zeros(count)
    row[list(volumes)] = list(volumes.values())
    return WornSectors(tuple(row.tolist()), (0.0,) * count, None, None, None, **changed)


@pytest.mark.parametrize("count", [8, 16, 24])
def test_the_borders_of_sectors_go_once_around_from_minus_180_degrees(count: int) -> None:
    angle = 360.0 / count
    plain = sectors_of({0: 1.0}, count)
    sides = sectors_of({0: 1.0}, count, first_angle=-0.5 * angle, is_followed=True)
    for number in range(count):
        low, high = plain.borders(number)
        assert (low, high) == pytest.approx(
            (angle * number - 180.0, angle * number + angle - 180.0)
        )
        # Side 1 is at 0°. Its angle is between −180° (excluded) and 180°.
        low, high = sides.borders(number)
        middle = angle * number
        assert 0.5 * (low + high) == pytest.approx(middle if middle <= 180.0 else middle - 360.0)
        assert high - low == pytest.approx(angle)
        worn = sectors_of({number: 2.0, (number + 1) % count: 1.0}, count)
        assert worn.share == pytest.approx(2.0 / 3.0)
        assert worn.direction == "{:g}° to {:g}°".format(*worn.borders(number))
    assert sectors_of({}).share == 0.0


@pytest.mark.parametrize(
    ("volumes", "arc"),
    [
        ({3: 1.0}, 15.0),
        ({3: 9.1, 17: 0.9}, 15.0),
        ({3: 8.9, 17: 1.1}, 30.0),
        (dict.fromkeys(range(24), 1.0), 330.0),
        (dict.fromkeys(range(10), 1.0), 135.0),
    ],
)
def test_the_arc_of_a_pattern_contains_nine_tenths_of_the_wear(
    volumes: dict[int, float], arc: float
) -> None:
    assert sectors_of(volumes).arc == arc


@pytest.mark.parametrize("shape", [TubeInHole(0.011, 0.02, hole_radius=0.0112)])
def test_wear_beyond_the_arc_of_the_scars_and_a_sector_each_does_not_fit(
    shape: TubeInHole,
) -> None:
    depth = 2e-5
    arc = math.degrees(shape.arc(depth))
    fitting = math.floor((arc + 15.0 * shape.scars) / 15.0)
    assert sectors_of({}).excess_arc(shape, 0.0) == ""
    # For equal sectors, 90 % are counted.
    for count in range(1, 24):
        worn = sectors_of(dict.fromkeys(range(count), 1.0))
        text = worn.excess_arc(shape, depth)
        assert (text == "") == (math.ceil(0.9 * count - 1e-9) <= fitting)
        if text:
            assert f"covers {worn.arc:g}° of the hole" in text
            assert f"of this volume cover {arc:.0f}°." in text
    assert sectors_of({}).excess_arc(shape, depth) == ""
    everywhere = sectors_of(dict.fromkeys(range(24), 1.0))
    assert everywhere.excess_arc(FlatPad(1e-4), depth) == ""
    assert everywhere.excess_arc(TubeOnFlatBar(0.011, 0.02), depth) == ""


def test_a_sector_of_a_flat_pad_has_its_part_of_the_area() -> None:
    volumes = np.linspace(1.0, 2.0, 24) * 1e-12
    worn = worn_sectors(FlatPad(2.4e-4), volumes, 0.1 * volumes)
    assert worn.even_depth == pytest.approx(volumes.sum() / 2.4e-4)
    assert worn.deepest_depth == pytest.approx(2e-12 / 1e-5)
    assert worn.deepest_depth_bar == pytest.approx(0.1 * 2e-12 / 1e-5)
    # The largest lower end can belong to another sector. Volumes are not negative.
    bars = np.zeros(24)
    bars[23] = 3e-12
    unsure = worn_sectors(FlatPad(2.4e-4), volumes, bars)
    assert unsure.deepest_depth_bar == pytest.approx(3e-12 / 1e-5)
    bars = 2.0 * volumes
    assert worn_sectors(FlatPad(2.4e-4), volumes, bars).deepest_depth_bar == pytest.approx(4e-7)


def side_point(time: float, sides: list[list[float]], error: float) -> LifePoint:
    """Return a point of two contacts with eight sides, each with one block error."""
    volumes = np.array(sides)
    depths = np.concatenate((volumes.sum(axis=1), [time], volumes.ravel()))
    errors = np.zeros((4, depths.size))
    errors[0, 3:] = error * volumes.ravel()
    errors[0, :2] = error * volumes.sum(axis=1)
    parts = np.zeros((3, depths.size))
    parts[:, :2] = np.array([[0.3], [0.2], [0.1]]) * depths[:2]
    rates = np.concatenate((0.5 * depths[:2], [1.0], np.zeros(16)))
    return LifePoint(time, depths, parts.sum(axis=0), rates, parts, (), parts[0], errors)


UNEVEN = [3.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
EVEN = [2.0] * 8


@pytest.fixture
def sides(tmp_path: Path) -> SideState:
    """Return the state of two contacts with eight sides."""
    life = load_life(pushed(tmp_path, years=1.0, shape=", sides = 8"))
    (contact,) = life.contacts
    return SideState(replace(life, contacts=(contact, contact)))


def test_the_deepest_side_determines_the_depth_of_a_contact(sides: SideState) -> None:
    assert sides.start.tolist() == [0.0] * 19
    point = side_point(7.0, [UNEVEN, EVEN], 0.0)
    deepest = sides.deepest(point)
    # The depth if all eight sides had this volume.
    assert deepest.depths.tolist() == pytest.approx([24.0, 16.0, 7.0])
    assert deepest.rates.tolist() == pytest.approx([12.0, 8.0, 1.0])
    assert deepest.parts[1].tolist() == pytest.approx([4.8, 3.2, 0.0])
    assert deepest.parts[2].tolist() == pytest.approx([2.4, 1.6, 0.0])
    # Without block errors, the whole scatter of the volume counts as another error.
    assert deepest.parts[0].tolist() == pytest.approx([7.2, 4.8, 0.0])
    assert deepest.bars.tolist() == pytest.approx([14.4, 9.6, 0.0])
    # The point itself does not change.
    assert point.depths[:3].tolist() == [10.0, 16.0, 7.0]


@pytest.mark.parametrize("error", [0.02, 0.2])
def test_other_errors_than_scatter_are_those_of_the_whole_volume(
    sides: SideState, error: float
) -> None:
    point = side_point(7.0, [UNEVEN, EVEN], error)
    scatter = half_widths(point.errors[:, :2])
    # 3 and 4.8 m³ are the scatter and other errors of 10 and 16 m³.
    others = np.maximum(np.array([3.0, 4.8]) - scatter, 0.0) / np.array([10.0, 16.0])
    assert (others > 0.0).all() == (error < 0.1)
    found = sides.deepest(point)
    for index, volumes in enumerate((UNEVEN, EVEN)):
        of_sides = point.errors[:, 3 + 8 * index : 11 + 8 * index]
        deepest = deepest_side(np.array(volumes), of_sides)
        volume = 8.0 * deepest.volume
        assert found.depths[index] == pytest.approx(volume)
        want = 8.0 * deepest.half_width + others[index] * volume
        assert found.parts[0, index] == pytest.approx(want)
        worn = sides.sectors([point], 7.0, index)
        bars = half_widths(of_sides) + others[index] * np.array(volumes)
        assert worn.bars == pytest.approx(tuple(bars))


def test_depths_of_the_deepest_sides_never_decrease(sides: SideState) -> None:
    points = [side_point(1.0, [UNEVEN, EVEN], 0.0), side_point(2.0, [EVEN, EVEN], 0.0)]
    found = sides.never_back(points)
    assert [point.depths[0] for point in found] == pytest.approx([24.0, 24.0])
    assert [point.depths[2] for point in found] == [1.0, 2.0]
    assert sides.never_back([]) == []


def test_sides_between_two_points_are_on_the_line_between_them(sides: SideState) -> None:
    unworn = side_point(0.0, [[0.0] * 8] * 2, 0.0)
    points = [unworn, side_point(4.0, [UNEVEN, EVEN], 0.0), side_point(8.0, [UNEVEN, EVEN], 0.0)]
    for time, share in ((0.0, 0.0), (1.0, 0.25), (3.0, 0.75), (4.0, 1.0), (6.0, 1.0), (9.0, 1.0)):
        for index, volumes in enumerate((UNEVEN, EVEN)):
            worn = sides.sectors(points, time, index)
            assert worn.volumes == pytest.approx(share * np.array(volumes))
            assert worn.bars == pytest.approx(0.3 * share * np.array(volumes))
            area = 2.0 * math.pi * RADIUS * WIDTH
            assert worn.even_depth == pytest.approx(share * sum(volumes) / area)
            assert worn.deepest_depth == pytest.approx(share * 8.0 * max(volumes) / area)
            assert worn.deepest_depth_bar == pytest.approx(0.6 * share * 8.0 * max(volumes) / area)
            assert (worn.first_angle, worn.is_followed) == (-22.5, True)


def test_the_depths_of_sides_are_their_volumes_over_their_areas(sides: SideState) -> None:
    state = side_point(1.0, [UNEVEN, EVEN], 0.0).depths
    side = 2.0 * math.pi * RADIUS * WIDTH / 8.0
    first, second = sides.depths(state)
    assert first == pytest.approx(np.array(UNEVEN) / side)
    assert second == pytest.approx(np.array(EVEN) / side)


def test_a_side_is_not_deeper_than_its_neighbours_allow(sides: SideState) -> None:
    side = 2.0 * math.pi * RADIUS * WIDTH / 8.0
    for depth, is_allowed in ((0.2 * GAP, True), (2.0 * GAP, False)):
        volumes = [[depth * side, *[0.0] * 7], [0.0] * 8]
        state = side_point(1.0, volumes, 0.0).depths
        settled = sides.settled(state)
        assert (settled == state).all() == is_allowed
        # The volume does not change, and the neighbours have equal parts.
        assert settled[3:11].sum() == pytest.approx(depth * side)
        assert settled[4] == pytest.approx(settled[10])
        assert settled[11:].tolist() == [0.0] * 8
        lengths = side_lengths(GAP + settled[3:11] / side)
        assert lengths.min() > 0.0


def test_uneven_rates_limit_half_a_step_to_a_half_of_the_depth_between_sides(
    sides: SideState,
) -> None:
    state = sides.start
    side = 2.0 * math.pi * RADIUS * WIDTH / 8.0
    rates = np.zeros((2, 8))
    assert sides.longest(state, rates) == math.inf
    rates[1, 2] = 1e-15
    gaps = np.full(8, GAP)
    want = longest_half_step(gaps, rates[1] / side)
    assert sides.longest(state, rates) == pytest.approx(want)
    rates[0, 1] = 4e-15
    assert sides.longest(state, rates) == pytest.approx(want / 4.0)


def test_the_gaps_of_sides_grow_by_the_wear_of_tube_and_support(tmp_path: Path) -> None:
    life = load_life(pushed(tmp_path, years=1.0, shape=", sides = 8"))
    (contact,) = life.contacts
    both = SideState(replace(life, contacts=(contact, replace(contact, growth=3.0))))
    side = 2.0 * math.pi * RADIUS * WIDTH / 8.0
    # The depth is possible for the first contact, and not if the gap grows by three times as much.
    volumes = np.array([0.2 * GAP * side, *[0.0] * 7])
    state = side_point(1.0, [volumes.tolist()] * 2, 0.0).depths
    settled = both.settled(state)
    assert settled[:11].tolist() == state[:11].tolist()
    spread = spread_over_sides(GAP + 3.0 * volumes / side)
    assert settled[11:] == pytest.approx((spread - GAP) * side / 3.0)
    # The contact that limits the step is the first or the second.
    for factor, rates in ((1.0, [8e-15, 1e-15]), (3.0, [1e-15, 8e-15])):
        growing = np.array([[rate, *[0.0] * 7] for rate in rates])
        want = longest_half_step(GAP + factor * volumes / side, factor * growing.max(0) / side)
        assert both.longest(state, growing) == pytest.approx(want)


@pytest.mark.parametrize("sides", [0.5, 1.2])
def test_a_sector_whose_error_bar_exceeds_the_radius_has_no_error_bar(sides: float) -> None:
    # The volume of a sector that is worn through is R²/2 · 2π/24 · h. The values are parts of it.
    whole = 0.5 * 0.011**2 * math.pi / 12.0 * 0.02
    volumes, bars = np.zeros(24), np.zeros(24)
    volumes[3], bars[3] = 0.4 * whole, 0.1 * whole
    shape = TubeOnFlatBar(0.011, 0.02)
    within = worn_sectors(shape, volumes, bars)
    # R − √(R² − 2V/(h Δα))
    depths = [0.011 * (1.0 - math.sqrt(1.0 - part)) for part in (0.3, 0.4, 0.5)]
    assert within.deepest_depth == pytest.approx(depths[1])
    assert within.deepest_depth_bar == pytest.approx(depths[2] - depths[1])
    bars[7] = sides * whole
    beyond = worn_sectors(shape, volumes, bars)
    assert beyond.deepest_depth == pytest.approx(depths[1])
    assert (beyond.deepest_depth_bar is None) == (sides > 1.0)
