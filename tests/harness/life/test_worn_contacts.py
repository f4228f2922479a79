"""The gaps that wear opens, and what they do to the life of a spring."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.life import load_life, run_life
from harness.life.worn_contact import WornContact
from harness.life.worn_sectors import sector_volumes, worn_sectors
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR
from wearmodel.statistics.worn_shapes import CrownedPad, TubeInHole, TubeOnFlatBar


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


# A spring of 1e6 N/m that is pressed by 10 µm and rubbed to and fro by 0.1 mm, without friction:
# the path from sample to sample is 4 · 0.1 mm a period, for the samples hold its ends.
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
    """ḣ = k/S · K (d − h) · 4 A f; feedback of the run itself is off, it would count it twice."""
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
        # The gap is pressed by 10 µm at first.
        assert state.gap == pytest.approx(state.depth - 1e-5, rel=1e-9)
    assert states[-1].depth_bar <= 0.02 * states[-1].depth
    # Without the gap's opening the depth would be twice as large.
    assert states[-1].depth == pytest.approx(1e-5 * -math.expm1(-1.009), rel=0.02)


@pytest.mark.parametrize("depth", [1e-6, 1e-4, 1e-3])
def test_the_arc_of_a_lune_ends_where_its_circles_meet(depth: float) -> None:
    tube, hole = 0.011, 0.0112
    shift = hole - tube + depth
    # The circle of the tube about (shift, 0) at the angle of the arc's end, seen from the hole.
    half = 0.5 * TubeInHole(tube, 0.02, hole_radius=hole).arc(depth) / 2.0
    x, y = hole * math.cos(half), hole * math.sin(half)
    assert math.hypot(x - shift, y) == pytest.approx(tube, rel=1e-12)


def test_sectors_add_up_to_the_volume_and_follow_where_the_wear_moves() -> None:
    # All in the first sector, then half each, then none seen at the end of the second part.
    first, both, none = np.zeros((2, 24)), np.zeros((2, 24)), np.zeros((2, 24))
    first[0, 0], both[0, :2] = 1.0, 0.5
    first[1, 0], both[1, :2] = 0.2, 0.1
    rows, bars = sector_volumes(
        [first, both, none], [0.0, 2.0, 3.0], [0.0, 1.0, 2.0], np.array([0.5, 1.0, 2.0])
    )
    assert rows.sum(axis=1) == pytest.approx([1.0, 2.0, 3.0])
    assert rows[:, 1] == pytest.approx([0.25, 0.5, 1.0])
    # Intervals add up likewise: of the first sector ± 0.15 of two units, then ± 0.1 of one.
    assert bars[:, 0] == pytest.approx([0.15, 0.3, 0.4])
    assert bars[:, 1] == pytest.approx([0.05, 0.1, 0.2])


def test_a_sector_is_as_deep_as_its_volume_by_the_shape_s_radius_and_width() -> None:
    volumes = np.zeros(24)
    volumes[:3] = (1e-9, 4e-9, 1e-9)
    bars = np.full(24, 0.5e-9)
    worn = worn_sectors(TubeOnFlatBar(0.011, 0.02), volumes, bars)
    assert worn.limits == (-165.0, -150.0)
    assert worn.share == pytest.approx(2.0 / 3.0)
    # R − √(R² − 2V/(h Δα)), to first order V/(h R Δα).
    assert worn.deepest_depth == pytest.approx(4e-9 / (0.02 * 0.011 * math.pi / 12.0), rel=0.01)
    assert worn.even_depth == pytest.approx(6e-9 / (0.02 * 0.011 * 2.0 * math.pi), rel=0.01)
    assert worn.deepest_depth_bar == pytest.approx(worn.deepest_depth / 8.0, rel=0.01)
    # Another sector that is less deep, but less sure, may be the deepest.
    bars[2] = 4e-9
    unsure = worn_sectors(TubeOnFlatBar(0.011, 0.02), volumes, bars)
    assert unsure.deepest_depth_bar == pytest.approx(worn.deepest_depth / 4.0, rel=0.02)
    # More than the sector holds, and a shape without a radius.
    assert worn_sectors(TubeOnFlatBar(0.011, 0.02), 1e3 * volumes, bars).deepest_depth is None
    assert worn_sectors(CrownedPad(0.01), volumes, bars).even_depth is None
