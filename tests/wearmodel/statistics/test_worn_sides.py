"""Sides of a worn hole: geometry, one-sided wear, stable steps, and the deepest side."""

from __future__ import annotations

import math

import numpy as np
import pytest

from wearmodel.kernel.contact.parameters import ContactObstacle, ContactParameters
from wearmodel.statistics.paired_blocks import half_widths
from wearmodel.statistics.worn_shapes import lune_area
from wearmodel.statistics.worn_sides import (
    TubeBySides,
    deepest_side,
    longest_half_step,
    side_lengths,
    spread_over_sides,
)
from wearmodel.structure import Contact

RADIUS, WIDTH, GAP = 0.0111, 0.02, 2e-4


def test_all_sides_at_the_same_depth_are_a_ring() -> None:
    shape = TubeBySides(RADIUS, WIDTH)
    # Equal to first order in the depth. The depth is defined by arc and width.
    ring = math.pi * (RADIUS**2 - (RADIUS - 1e-4) ** 2) * WIDTH
    assert shape.volume(1e-4) == pytest.approx(ring, rel=1e-4 / RADIUS)
    assert shape.depth(shape.volume(1e-4)) == pytest.approx(1e-4, rel=1e-14)


@pytest.mark.parametrize("steps", [1, 40])
@pytest.mark.parametrize(
    ("sides", "depth", "allowed"),
    # Sides replace the lune by arcs: the error decreases with their width and the depth.
    [(24, 65e-6, 0.1), (24, 184e-6, 0.03), (48, 65e-6, 0.03), (96, 184e-6, 0.01)],
)
def test_wear_of_a_single_side_becomes_the_lune_in_steps_of_any_length(
    sides: int, depth: float, allowed: float, steps: int
) -> None:
    volume = lune_area(RADIUS, RADIUS + GAP, depth) * WIDTH
    grown = volume * sides / (2.0 * math.pi * RADIUS * WIDTH)
    gaps = np.full(sides, GAP)
    for _ in range(steps):
        gaps[5] += grown / steps
        gaps = spread_over_sides(gaps)
    assert np.argmax(gaps) == 5
    assert gaps.max() - GAP == pytest.approx(depth, rel=allowed)
    assert gaps.sum() - sides * GAP == pytest.approx(grown, rel=1e-9)


def test_the_model_accepts_gaps_that_were_spread() -> None:
    random = np.random.default_rng(5)
    for sides in (8, 24, 48, 96):
        hole = Contact(
            name="hole",
            point="tube",
            obstacle=ContactObstacle.polygon,
            direction=(1.0, 0.0, 0.0),
            sides=sides,
            parameters=ContactParameters(gap=GAP, contact_stiffness=1e6),
        )
        for sharpness in (1, 4, 20, 100):
            gaps = GAP * (1.0 + random.random() * random.random(sides) ** sharpness)
            spread = spread_over_sides(gaps)
            hole.with_gaps(spread.tolist())
            assert spread.sum() == pytest.approx(gaps.sum(), rel=1e-12)


def test_gaps_whose_sides_all_have_a_length_do_not_change() -> None:
    angles = np.arange(24) * math.pi / 12.0
    gaps = GAP + 1e-5 * np.cos(2.0 * angles)
    assert spread_over_sides(gaps) is gaps
    # The length is the radius of curvature times α, from the support function of a smooth profile.
    curvature = GAP - 3e-5 * np.cos(2.0 * angles)
    assert side_lengths(gaps) == pytest.approx(curvature * math.pi / 12.0, rel=0.02)


def _after(gaps: np.ndarray, step: float, count: int) -> np.ndarray:
    """Return the gaps after half-steps by the midpoint rule, with wear in proportion to length."""
    for _ in range(count):
        middle = gaps + 0.5 * step * side_lengths(gaps)
        gaps = gaps + step * side_lengths(np.asarray(middle))
    return np.asarray(gaps)


@pytest.mark.parametrize("sides", [24, 96])
def test_neighbours_become_even_in_the_longest_steps_but_not_in_three_times_longer_ones(
    sides: int,
) -> None:
    zigzag = 1e-3 * GAP * math.pi**2 / sides**2 * (-1.0) ** np.arange(sides)
    gaps = GAP + zigzag
    longest = longest_half_step(gaps, side_lengths(gaps))
    for factor, is_even in ((1.0, True), (3.0, False)):
        after = _after(gaps, factor * longest, 4)
        assert (np.ptp(after) < np.ptp(gaps)) == is_even


BLOCKS, SIDES = 40, 24


def noisy_sides(random: np.random.Generator, true: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return volumes of sides with errors from blocks, and estimates of these errors."""
    blocks = random.normal(0.0, 0.1 / math.sqrt(BLOCKS), (BLOCKS, SIDES))
    found = blocks - blocks.mean(axis=0)
    return true + blocks.sum(axis=0), found / math.sqrt(1.0 - 1.0 / BLOCKS)


# Volumes by side, whose errors have the standard deviation 0.1.
EVEN = np.ones(SIDES)
PATTERNS = {
    "even": EVEN,
    "scar of 2 deviations": EVEN + 0.2 * np.eye(SIDES)[4] + 0.1 * np.eye(SIDES)[[3, 5]].sum(axis=0),
    "scar of 4 deviations": EVEN + 0.4 * np.eye(SIDES)[4] + 0.2 * np.eye(SIDES)[[3, 5]].sum(axis=0),
    "a quarter of the hole": np.where(np.arange(SIDES) < SIDES // 4, 1.0, 0.2),
    "one half": 1.0 + 0.3 * np.cos(2.0 * math.pi * np.arange(SIDES) / SIDES),
}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_deepest_of_uncertain_sides_has_a_small_bias_and_covers_the_truth(
    pattern: str,
) -> None:
    random = np.random.default_rng(8)
    true = PATTERNS[pattern]
    errors, widths, raw = [], [], []
    for _ in range(200):
        volumes, blocks = noisy_sides(random, true)
        deepest = deepest_side(volumes, blocks)
        errors.append(deepest.volume - true.max())
        raw.append(volumes.max() - true.max())
        widths.append(deepest.half_width)
    assert abs(np.mean(errors)) < 0.5 * np.mean(widths)
    # 35 of 40 service lives.
    assert np.mean(np.abs(errors) <= widths) >= 0.875
    if pattern == "even":
        # The maximum of the uncertain volumes is too large by nearly the half width.
        assert np.mean(raw) > 0.8 * np.mean(widths)


def test_a_deepest_side_without_errors_is_the_maximum() -> None:
    volumes = np.linspace(0.0, 1.0, SIDES)
    assert deepest_side(volumes, np.zeros((1, SIDES))) == (SIDES - 1, 1.0, 0.0)


def test_the_deepest_side_is_at_least_the_mean_and_has_its_own_interval() -> None:
    random = np.random.default_rng(3)
    volumes, blocks = noisy_sides(random, np.ones(SIDES))
    deepest = deepest_side(volumes, 5.0 * blocks)
    assert volumes.mean() <= deepest.volume < volumes.max()
    assert deepest.half_width == half_widths(5.0 * blocks)[deepest.number]


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"sides": 7}, "sides=7 must be a whole number from 8 to 96"),
        ({"sides": 97}, "sides=97 must be"),
        ({"sides": 24.5}, "sides=24.5 must be"),
        ({"support_coefficient": -1e-15}, "support_coefficient=-1e-15"),
        ({"support_coefficient": 2.0}, "must be at most 1"),
    ],
)
def test_parameters_out_of_range_are_rejected(change: dict[str, float], rule: str) -> None:
    with pytest.raises(ValueError, match=rule):
        TubeBySides(RADIUS, WIDTH, **change)  # type: ignore[arg-type]
