"""Error bars of sums of rates from runs with common time, compared with the scatter of draws."""

import itertools
import math

import numpy as np
import pytest
from scipy.signal import lfilter

from wearmodel.statistics.cycle_jump import WearRates, wear_life
from wearmodel.statistics.paired_blocks import added, block_errors, half_widths

MEMORY, SAMPLES = 10.0, 2000
NORMAL = 1.959963984540054


def autoregressive(random: np.random.Generator, count: int) -> np.ndarray:
    keep = math.exp(-1.0 / MEMORY)
    shocks = math.sqrt(1.0 - keep * keep) * random.standard_normal(count)
    return np.asarray(lfilter([1.0], [1.0, -keep], shocks, zi=[keep * random.standard_normal()])[0])


def run(noise: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the mean of a run after its first tenth, and the errors of its blocks."""
    times = np.arange(noise.size + 1.0)
    totals = np.concatenate(([0.0], np.cumsum(noise)))
    start = 0.1 * noise.size
    mean = (totals[-1] - np.interp(start, times, totals)) / (0.9 * noise.size)
    return mean, block_errors(times, totals, start, SAMPLES)


@pytest.mark.long
@pytest.mark.parametrize("lengths", [(1,), (1, 2, 4)], ids=["equal", "unequal"])
@pytest.mark.parametrize("correlation", [0.0, 0.5, 1.0])
def test_the_interval_of_40_states_covers_the_truth_whatever_their_correlation(
    correlation, lengths
):
    random = np.random.default_rng(2)
    weights = np.linspace(1.0, 0.3, 40)
    draws, longest = 500, SAMPLES * max(lengths)
    errors, widths = np.zeros(draws), np.zeros(draws)
    for draw in range(draws):
        common = autoregressive(random, longest)
        blocks = []
        for weight, length in zip(weights.tolist(), itertools.cycle(lengths), strict=False):
            own = autoregressive(random, SAMPLES * length)
            mixed = math.sqrt(correlation) * common[: own.size]
            mean, of_run = run(mixed + math.sqrt(1.0 - correlation) * own)
            errors[draw] += weight * mean
            blocks.append(weight * of_run[:, np.newaxis])
        widths[draw] = half_widths(added(blocks))[0]
    cover = float(np.mean(np.abs(errors) <= widths))
    # The coverage of 95 % scatters by 1 % in 500 draws.
    assert 0.93 - 0.01 <= cover <= 0.97 + 0.01
    assert 1.0 <= np.mean(widths) / (NORMAL * np.std(errors)) <= 1.3


def test_errors_that_cancel_between_states_leave_no_interval():
    _, errors = run(autoregressive(np.random.default_rng(1), SAMPLES))
    assert half_widths(added([errors[:, np.newaxis], -errors[:, np.newaxis]]))[0] == 0.0


@pytest.mark.long
@pytest.mark.parametrize("correlation", [0.0, 1.0], ids=["own noise", "shared noise"])
@pytest.mark.parametrize("slope", [-0.8, 0.5], ids=["falling", "rising"])
def test_the_error_bar_of_a_life_is_as_long_as_its_scatter(slope, correlation):
    random = np.random.default_rng(3)
    depths, bars = [], []
    for _ in range(60):
        common = autoregressive(random, SAMPLES)

        def wear_rates(depth: np.ndarray, common: np.ndarray = common) -> WearRates:
            own = autoregressive(random, SAMPLES)
            noise = math.sqrt(correlation) * common + math.sqrt(1.0 - correlation) * own
            mean, errors = run(noise)
            rate = 1.0 + slope * depth
            # One standard deviation of the mean is 5 % of the rate.
            scale = 0.05 / math.sqrt(2.0 * MEMORY / (0.9 * SAMPLES)) * rate
            blocks = scale * errors[:, np.newaxis]
            return WearRates(rate + scale * mean, np.zeros(1), blocks=blocks)

        last = wear_life(wear_rates, 1.0, relative_error=0.2)[-1]
        depths.append(last.depths[0])
        bars.append(last.bars[0])
    exact = math.expm1(slope) / slope
    held = sum(abs(depth - exact) <= bar for depth, bar in zip(depths, bars, strict=True))
    # 95 % of 60 are 57, with a standard deviation of 1.7.
    assert held >= 53
    # A standard deviation from 60 service lives has an error of 9 %.
    assert 0.85 <= np.mean(bars) / (NORMAL * np.std(depths)) <= 1.7
