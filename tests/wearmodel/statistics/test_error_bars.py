"""Confidence intervals against processes whose mean is known."""

import numpy as np
import pytest

from wearmodel import FrictionalShockParameters, run_records
from wearmodel.statistics.error_bars import BATCH_COUNT, mean_rate

# With 2000 intervals at 95 % the share that covers has a standard deviation of 0.5 %.
RUNS = 2000


def _accumulated(rates: np.ndarray, step: float) -> tuple[np.ndarray, np.ndarray]:
    time = np.arange(rates.shape[-1] + 1) * step
    return time, np.concatenate(
        [np.zeros((*rates.shape[:-1], 1)), np.cumsum(rates, axis=-1) * step], axis=-1
    )


def _autoregressive(count: int, samples: int, memory: float, seed: int) -> np.ndarray:
    """Normal rates of mean 0 and variance 1 whose correlation falls by e in `memory` samples."""
    random = np.random.default_rng(seed)
    keep = np.exp(-1.0 / memory)
    rates = np.empty((count, samples))
    rates[:, 0] = random.normal(size=count)
    shocks = random.normal(size=(samples, count)) * np.sqrt(1.0 - keep * keep)
    for i in range(1, samples):
        rates[:, i] = keep * rates[:, i - 1] + shocks[i]
    return rates


@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_intervals_of_a_process_with_memory_cover_its_mean(confidence):
    rates = 3.0 + _autoregressive(RUNS, 4000, 10.0, seed=7)
    time, totals = _accumulated(rates, 0.01)
    bars = [mean_rate(time, total, confidence=confidence) for total in totals]
    covered = np.mean([abs(bar.mean - 3.0) <= bar.half_width for bar in bars])
    # Batches of 20 memories leave a correlation of some 5 % between neighbours.
    assert covered == pytest.approx(confidence, abs=0.025)


def test_effective_samples_are_those_of_the_process():
    # Integral time of the correlation: coth(1/(2·10)) = 20.02 samples an effective one.
    rates = _autoregressive(400, 4000, 10.0, seed=11)
    time, totals = _accumulated(rates, 0.01)
    found = [mean_rate(time, total).effective_samples for total in totals]
    # 1/χ² with 19 degrees of freedom has the mean 19/17; 400 of them scatter by 2 %.
    assert np.mean(found) == pytest.approx(4000 / 20.02 * 19 / 17, rel=0.1)


def test_a_run_as_short_as_its_memory_is_warned_of():
    rates = _autoregressive(50, 400, 200.0, seed=3)
    time, totals = _accumulated(rates, 0.01)
    warned = [mean_rate(time, total).warning for total in totals]
    assert np.mean([bool(text) for text in warned]) > 0.9
    assert any("the run is too short" in text for text in warned)


def test_a_long_run_is_rarely_warned_of():
    rates = _autoregressive(400, 8000, 5.0, seed=5)
    time, totals = _accumulated(rates, 0.01)
    assert np.mean([bool(mean_rate(time, total).warning) for total in totals]) < 0.03


def test_a_steady_sine_has_an_interval_of_rounding():
    time = np.arange(0, 6001) * 1e-3
    # sin² of 2π·5 Hz adds up to half the time, in whole periods of 0.1 s.
    angle = 2.0 * np.pi * 5.0 * time
    total = 0.5 * time - np.sin(2.0 * angle) / (4.0 * 2.0 * np.pi * 5.0)
    bar = mean_rate(time, total, start=0.73, period=0.1)
    assert bar.mean == pytest.approx(0.5, rel=1e-12)
    assert bar.half_width <= 1e-12
    assert bar.duration == pytest.approx(4.0)
    # Without the period, batches of 0.2635 s cut through it.
    assert mean_rate(time, total, start=0.73).half_width > 1e-3


def test_half_the_width_takes_four_times_as_long():
    rates = _autoregressive(300, 16000, 5.0, seed=13)
    time, totals = _accumulated(rates, 0.01)
    whole = np.mean([mean_rate(time, total).half_width for total in totals])
    quarter = np.mean([mean_rate(time[:4001], total[:4001]).half_width for total in totals])
    assert quarter / whole == pytest.approx(2.0, rel=0.05)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.0, 1.0], [0.0]), r"shape \(2,\) and accumulated \(1,\)"),
        (([0.0, 0.0], [0.0, 1.0]), r"time must increase strictly"),
        (([0.0, np.inf], [0.0, 1.0]), r"must be finite"),
        (([0.0], [0.0]), r"must be in the time span of the run"),
        (([], []), r"must be in the time span of the run"),
    ],
)
def test_rows_that_make_no_run_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        mean_rate(*arguments)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"confidence": 1.0}, r"confidence=1\.0 must be between 0 and 1"),
        ({"start": 5.0}, r"start=5\.0 s must be in the time span of the run"),
        ({"period": 0.0}, r"period=0\.0 s must be > 0"),
        ({"period": 0.3}, r"has 3\.333 periods of 0\.3 s .* at least 20"),
    ],
)
def test_options_outside_their_range_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        mean_rate([0.0, 1.0], [0.0, 1.0], **options)  # type: ignore[arg-type]


def filtered_noise(runs: int, seconds: float, step: float, seed: int) -> np.ndarray:
    """Acceleration of an oscillator of 2 Hz, 20 % damped, under white noise; RMS 2 m/s²."""
    random = np.random.default_rng(seed)
    samples = round(seconds / step) + 1
    natural, damping = 2.0 * np.pi * 2.0, 0.2
    decay = np.exp(-damping * natural * step)
    turn = natural * np.sqrt(1.0 - damping * damping) * step
    noise = random.normal(size=(samples, runs))
    # An autoregressive process of the oscillator's poles.
    first, second = 2.0 * decay * np.cos(turn), -decay * decay
    values = np.zeros((samples, runs))
    for i in range(2, samples):
        values[i] = first * values[i - 1] + second * values[i - 2] + noise[i]
    variance = (1.0 - second) / ((1.0 + second) * ((1.0 - second) ** 2 - first**2))
    return 2.0 * values.T / np.sqrt(variance)


def test_intervals_cover_the_wear_power_of_a_shoe_shaken_by_noise():
    runs, seconds, step = 1000, 60.0, 0.01
    parameters = FrictionalShockParameters(friction_coefficient=0.1, gravity=10.0)
    motion = filtered_noise(runs, seconds, step, seed=17)
    time = np.arange(motion.shape[1]) * step
    result = run_records(parameters, step, base_acceleration=motion, histories=("wear_work",))
    work = result.histories["wear_work"].reshape(runs, -1)
    # The first two seconds belong to the filter's start.
    settled = 2.0
    truth = np.mean((work[:, -1] - work[:, round(settled / step)]) / (seconds - settled))
    bars = [mean_rate(time, row, start=settled) for row in work]
    covered = np.mean([abs(bar.mean - truth) <= bar.half_width for bar in bars])
    assert 0.92 <= covered <= 0.97
    assert BATCH_COUNT == 20
