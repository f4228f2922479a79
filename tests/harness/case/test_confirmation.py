"""Rates are accepted only if a run four times as long and its quarters agree with them."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest

from harness.case.case_file import load_case
from harness.case.mean_until import extended_run
from wearmodel.statistics.known_rate import KnownRate, known_rate

from .test_mean_until import HEAD, NOISE


def accepted(tmp_path: Path, rate: object, seed: int) -> tuple[bool, KnownRate, list[float]]:
    """Extend a run of 1e4 samples of a rate with noise until the rate is known to 5 %."""
    file = tmp_path / "shoe.toml"
    file.write_text(HEAD + NOISE, encoding="utf-8")
    case = load_case(file)
    first = case.experiment.stop_time
    noise = np.random.default_rng(seed).standard_normal(1 << 19)
    spans: list[float] = []

    def measure(longer: object) -> KnownRate:
        span = longer.experiment.stop_time / first  # type: ignore[attr-defined]
        spans.append(span)
        times = np.arange(round(100 * span) + 1) * 100.0
        rates = rate(0.5 * (times[1:] + times[:-1])) + 0.1 * noise[: times.size - 1]  # type: ignore[operator]
        totals = np.concatenate(([0.0], np.cumsum(100.0 * rates)))
        return known_rate(times, totals, start=0.1 * times[-1])

    run = extended_run(
        case,
        measure,
        lambda rate: 1.0 if not rate.reason and rate.relative_half_width <= 0.05 else math.inf,
        lambda rate: rate.is_steady,
    )
    assert run is not None
    return run.is_enough, run.found, spans


def test_a_start_up_is_not_accepted_as_the_rate(tmp_path):
    # The first 3e4 samples have ten times the rate. The first run ends long before.
    known, rate, spans = accepted(tmp_path, lambda t: np.where(t < 3e4, 10.0, 1.0), 1)
    assert not known or rate.lower <= 1.0 <= rate.upper
    assert max(spans) >= 16.0


def test_a_slow_sine_is_not_accepted_before_the_run_holds_it(tmp_path):
    for seed in range(10):
        phase = 0.2 * math.pi * seed
        known, rate, spans = accepted(
            tmp_path, lambda t, phase=phase: 1.0 + 0.5 * np.sin(2e-5 * math.pi * t + phase), seed
        )
        # The period is 1e5 samples, equal to 10 first runs.
        assert not known or (max(spans) >= 40.0 and rate.lower <= 1.0 <= rate.upper)


def test_white_noise_is_confirmed_by_the_first_run_four_times_as_long(tmp_path):
    at_once = 0
    for seed in range(100):
        known, _, spans = accepted(tmp_path, np.ones_like, seed)
        assert known
        ratios = [after / before for before, after in itertools.pairwise(spans)]
        at_once += ratios.count(4.0) == 1 and ratios[-1] == 4.0
    assert at_once >= 90


@pytest.mark.parametrize("memory", [1, 10])
def test_quarters_of_a_steady_record_differ_in_few_of_a_hundred(memory):
    steady = 0
    for seed in range(400):
        random = np.random.default_rng(seed)
        values = np.convolve(random.standard_normal(10_000 + memory), np.ones(memory), "valid")
        totals = np.concatenate(([0.0], np.cumsum(1.0 + 0.1 * values)))
        steady += known_rate(np.arange(totals.size) * 1.0, totals).is_steady
    # 2.3 % of 400 are 9, with a standard deviation of 3.
    assert 400 - 18 <= steady < 400
