"""If the deepest sector exceeds the limit and the worn shape does not, a warning is printed."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from harness.life import LifeResult, answers, load_life, run_life
from harness.life.worn_sectors import SECTORS, WornSectors
from wearmodel.statistics.cycle_jump import Crossing

from .pads import LIFE, life_file

# Limit as a multiple of the depth at the end.
LIMIT = 2.0


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> LifeResult:
    """Return a service life of a pad that does not reach its depth limit."""
    folder: Path = tmp_path_factory.mktemp("pad")
    lines = [line for line in LIFE.splitlines() if not line.startswith("criterion")]
    text = "\n".join([*lines, 'criterion = { variable = "depth", limit = 1e-3 }'])
    ended = run_life(load_life(life_file(folder, text)))
    assert ended.life.criterion is not None
    criterion = replace(ended.life.criterion, limit=LIMIT * ended.first.states[-1].depth)
    never = Crossing(np.inf, np.inf, np.inf)
    return replace(
        ended,
        life=replace(ended.life, criterion=criterion),
        contacts=(replace(ended.first, crossing=never),),
    )


def warnings(result: LifeResult, depths: float, *, volume: bool = False) -> list[str]:
    """Return the lines on the limit if the deepest sector has a multiple of the uniform depth."""
    life, last = result.life, result.first.states[-1]
    if volume:
        assert life.criterion is not None
        life = replace(life, criterion=replace(life.criterion, variable="volume"))
    share = np.full(SECTORS, last.volume / SECTORS)
    share[16] *= depths
    sectors = WornSectors(
        volumes=tuple(share.tolist()),
        bars=(0.0,) * SECTORS,
        even_depth=last.depth,
        deepest_depth=depths * last.depth,
        deepest_depth_bar=None,
    )
    contact = replace(result.first, sectors=(sectors,))
    lines = answers(replace(result, life=life, contacts=(contact,)))
    return [line for line in lines if "may be reached locally" in line]


def test_a_sector_beyond_the_limit_is_a_warning_with_both_depths(result: LifeResult) -> None:
    (line,) = warnings(result, 1.5 * LIMIT)
    depth = 1e6 * result.first.states[-1].depth
    limit, deepest, uniform = (
        float(number) for number in re.findall(r"([\d.]+)(?: ± [\d.]+)? µm", line)
    )
    # Values are printed with at least three digits.
    assert (limit, deepest, uniform) == pytest.approx(
        (LIMIT * depth, 1.5 * LIMIT * depth, depth), rel=5e-3
    )


def test_a_sector_within_the_limit_does_not_warn(result: LifeResult) -> None:
    assert warnings(result, 0.9 * LIMIT) == []


def test_a_limit_of_volume_does_not_warn(result: LifeResult) -> None:
    assert warnings(result, 1.5 * LIMIT, volume=True) == []


def test_the_borders_of_a_side_are_around_a_direction_from_minus_180_to_180_degrees() -> None:
    # Four sides. The first one starts at 50°, so the middles are at 95°, 185°, 275° and 5°.
    nothing = (0.0,) * 4
    sides = WornSectors(nothing, nothing, None, None, None, first_angle=50.0, is_followed=True)
    borders = [sides.borders(number) for number in range(4)]
    assert borders == [(50.0, 140.0), (-220.0, -130.0), (-130.0, -40.0), (-40.0, 50.0)]
    # A middle at 180° or slightly below is not shifted by 360°.
    below = WornSectors(nothing, nothing, None, None, None, first_angle=130.0, is_followed=True)
    assert [below.borders(number)[0] for number in range(2)] == [130.0, -140.0]
    limit = WornSectors(nothing, nothing, None, None, None, first_angle=135.0, is_followed=True)
    assert limit.borders(0) == (135.0, 225.0)
