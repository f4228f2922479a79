"""Heavy tails of wear rates widen the error bar of a depth like the scatter of its sum."""

from __future__ import annotations

import numpy as np
import pytest

from harness.life.known_power import JudgedRate, KnownPower, known_power
from harness.life.motion_runs import Rates
from wearmodel.arrays import Floats
from wearmodel.statistics.known_rate import known_rate
from wearmodel.statistics.paired_blocks import added, block_errors, half_widths

SAMPLES, STATES = 10_000, 12
# A Pareto distribution with this index has a variance. Its sums need wider intervals than normal
# ones.
INDEX = 2.3
EVENTS_A_SAMPLE = 0.03


def works_of_states(random: np.random.Generator, shared: float) -> list[Floats]:
    """Return the wear work of states that share a part of their events."""

    def events(share: float) -> Floats:
        return np.where(
            random.random(SAMPLES) < EVENTS_A_SAMPLE * share, random.pareto(INDEX, SAMPLES) + 1, 0.0
        )

    common = events(shared)
    states = [common + events(1.0 - shared) for _ in range(STATES)]
    return [np.concatenate(([0.0], np.cumsum(state))) for state in states]


def power_of(work: Floats) -> KnownPower:
    times = np.arange(SAMPLES + 1.0)
    rate = known_rate(times, work, start=1000.0)
    blocks = block_errors(times, work, 1000.0, float(SAMPLES))
    judged = JudgedRate(rate, True, True, None, 0.5, True)
    rates = Rates(rate, rate, blocks=tuple(blocks.tolist()))
    return known_power(rates, judged, 1.0, is_enough=True)


def half_width(blocks: list[Floats]) -> float:
    return float(half_widths(added(blocks)[:, np.newaxis])[0])


def test_the_error_bar_of_a_single_state_contains_its_tail() -> None:
    random = np.random.default_rng(1)
    tails = 0
    for _ in range(30):
        (work, *_) = works_of_states(random, 0.0)
        rate = known_rate(np.arange(SAMPLES + 1.0), work, start=1000.0)
        power = power_of(work)
        plain = block_errors(np.arange(SAMPLES + 1.0), work, 1000.0, float(SAMPLES))
        assert power.weighed_fixed == 0.0
        expected = half_width([plain]) + rate.tail
        assert half_width([np.array(power.blocks)]) == pytest.approx(expected, rel=1e-12)
        tails += rate.tail > 0.0
    # If no state has a heavy tail, the test is without effect.
    assert tails > 5


@pytest.mark.long
@pytest.mark.parametrize("shared", [0.0, 0.5, 1.0])
def test_the_error_bar_of_a_sum_of_states_with_heavy_tails_covers(shared: float) -> None:
    random = np.random.default_rng(2)
    true = STATES * EVENTS_A_SAMPLE * INDEX / (INDEX - 1.0)
    errors, widths = [], []
    for _ in range(100):
        powers = [power_of(work) for work in works_of_states(random, shared)]
        errors.append(sum(power.weighed for power in powers) - true)
        widths.append(half_width([np.array(power.blocks) for power in powers]))
    held = int(np.count_nonzero(np.abs(errors) <= widths))
    # 95 % of 100 draws, less two standard errors of this share.
    assert held >= 91, held
    # A sum of independent states has less scatter. The tails of its states do not add up.
    ratio = float(np.mean(widths) / (1.96 * np.std(errors, ddof=1)))
    assert 0.85 <= ratio <= 1.7, ratio
