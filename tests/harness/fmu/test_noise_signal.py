"""Noise as an input: its rms, band and repeatability."""

import math

import numpy as np
import pytest
from pydantic import ValidationError
from scipy.signal import sosfilt

from harness.fmu import noise
from harness.fmu.noise import NoiseSignal


def _band(**options: object) -> NoiseSignal:
    declared = {"rms": 2.0, "sample_interval": 0.01, "low": 2.0, "high": 8.0, **options}
    return NoiseSignal(kind="noise", **declared)  # type: ignore[arg-type]


def _oscillator(**options: object) -> NoiseSignal:
    declared = {
        "rms": 2.0,
        "sample_interval": 0.01,
        "frequency": 3.0,
        "damping_ratio": 0.1,
        **options,
    }
    return NoiseSignal(kind="noise", **declared)  # type: ignore[arg-type]


TIMES = np.arange(400_000) * 0.01


@pytest.mark.parametrize("signal", [_band(), _oscillator()], ids=["band", "oscillator"])
def test_noise_has_its_root_mean_square_from_the_start(signal):
    values = signal.sample(TIMES)
    # 4000 s of 6 Hz, or with a memory of 0.5 s, give about ten thousand independent samples.
    assert math.sqrt(np.mean(values**2)) == pytest.approx(2.0, rel=0.03)
    starts = [
        NoiseSignal(**{**vars(signal), "seed": seed}).sample(TIMES[:1])[0] for seed in range(500)
    ]
    assert np.std(starts) == pytest.approx(2.0, rel=0.13)


def test_the_power_of_band_noise_lies_in_its_band():
    spectrum = np.abs(np.fft.rfft(_band().sample(TIMES))) ** 2
    frequency = np.fft.rfftfreq(TIMES.size, 0.01)
    inside = (frequency > 2.0) & (frequency < 8.0)
    far = (frequency < 1.0) | (frequency > 16.0)
    # A Butterworth band of order 8 has the power ∫_0^1 dx/(1 + x^16) between its limits, and
    # (π/16)/sin(π/16) in total.
    want = 0.95968 / 1.00646
    assert spectrum[inside].sum() / spectrum.sum() == pytest.approx(want, abs=0.005)
    assert spectrum[far].sum() < 1e-4 * spectrum.sum()


def test_oscillator_noise_remembers_as_an_oscillator_does():
    values = _oscillator().sample(TIMES)
    lags = np.arange(1, 100)
    found = [np.mean(values[lag:] * values[:-lag]) / 4.0 for lag in lags]
    natural, damping = 2.0 * math.pi * 3.0, 0.1
    damped = natural * math.sqrt(1.0 - damping**2)
    # AR(2) process: e^{−ζωt} (cos ω_d t + B sin ω_d t), with B from its first lag.
    decay = np.exp(-damping * natural * 0.01 * lags)
    first, second = 2.0 * decay[0] * math.cos(damped * 0.01), -(decay[0] ** 2)
    lean = (first / (1.0 - second) / decay[0] - math.cos(damped * 0.01)) / math.sin(damped * 0.01)
    want = decay * (np.cos(damped * 0.01 * lags) + lean * np.sin(damped * 0.01 * lags))
    assert found == pytest.approx(want, abs=0.06)


def test_a_longer_run_continues_a_shorter_one():
    longer, shorter = (_band().sample(TIMES[:count]) for count in (20_000, 7_000))
    assert np.array_equal(longer[:7_000], shorter)


def test_another_seed_is_another_noise_and_the_same_seed_the_same():
    first, again, other = (_band(seed=seed).sample(TIMES) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert abs(np.corrcoef(first, other)[0, 1]) < 0.02


def test_noise_is_linear_between_its_samples():
    values = _band().sample(np.array([0.05, 0.0525, 0.06]))
    assert values[1] == pytest.approx(0.75 * values[0] + 0.25 * values[2], rel=1e-12)


def test_noise_before_its_beginning_is_refused():
    with pytest.raises(ValueError, match=r"begins at 0 s and must cover t=-1 s"):
        _band().sample(np.array([-1.0, 0.0]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"high": 50.0}, r"high=50\.0 Hz must be > 0 and less than 50 Hz"),
        ({"low": 9.0}, r"low=9\.0 Hz must be > 0 and less than high=8\.0 Hz"),
        ({"high": None}, r"must be given"),
        ({"frequency": 3.0, "damping_ratio": 0.1}, r"must be given"),
        ({"rms": -1.0}, r"greater than or equal to 0"),
        ({"sample_interval": 0.0}, r"greater than 0"),
        ({"seed": 1.5}, r"valid integer"),
    ],
)
def test_noise_outside_its_ranges_is_refused(options, message):
    with pytest.raises(ValidationError, match=message):
        _band(**options)


def test_an_oscillator_without_or_with_critical_damping_is_refused():
    with pytest.raises(ValidationError, match=r"damping_ratio=1\.0 must be between 0 and 1"):
        _oscillator(damping_ratio=1.0)


def test_the_same_noise_is_made_once_and_a_shorter_run_takes_its_beginning(monkeypatch):
    made = []
    generator = np.random.default_rng

    def counted(seed: int) -> np.random.Generator:
        made.append(seed)
        return generator(seed)

    monkeypatch.setattr(np.random, "default_rng", counted)
    signal = _band(seed=987_654)
    whole = signal.sample(TIMES)
    again, shorter = signal.sample(TIMES), _band(seed=987_654).sample(TIMES[:1000])
    between = signal.sample(TIMES[:1000] + 0.005)
    assert made == [987_654]
    assert np.array_equal(again, whole)
    assert np.array_equal(shorter, whole[:1000])
    assert between == pytest.approx(0.5 * (whole[:1000] + whole[1:1001]), rel=1e-9, abs=1e-12)
    # The samples are shared by later runs, so they are read-only.
    with pytest.raises(ValueError, match="read-only"):
        whole[0] = 1.0
    # Noise with another rms is another signal.
    assert np.array_equal(_band(seed=987_654, rms=4.0).sample(TIMES[:10]), 2.0 * whole[:10])
    assert made == [987_654, 987_654]


def test_a_longer_noise_continues_a_shorter_one_to_the_bit():
    shorter = _oscillator(seed=987_655).sample(TIMES[:1000])
    assert np.array_equal(_oscillator(seed=987_655).sample(TIMES[:5000])[:1000], shorter)


def test_noise_that_is_drawn_in_parts_has_the_bits_of_one_draw():
    signal = _band(seed=4_000_000, low=1.0, high=4.0)
    count = 3 * noise._PART
    sections, slowest = signal._filter()
    lead = math.ceil(math.log(1e-9) / math.log(slowest))
    impulse = np.zeros(lead)
    impulse[0] = 1.0
    gain = np.sqrt(np.sum(sosfilt(sections, impulse) ** 2))
    white = np.random.default_rng(4_000_000).standard_normal(lead + count)
    whole = signal.rms / gain * sosfilt(sections, white)[lead:]
    times = signal.sample_interval * np.arange(count - 2)
    assert np.array_equal(signal.sample(times), whole[:-2])
    # Parts start at any time, also between samples or before an earlier part.
    for first in (noise._PART + 5, 2 * noise._PART, noise._PART - 3, 7):
        part = slice(first, first + 1000)
        assert np.array_equal(signal.sample(times[part]), whole[part])
        middles = times[part] + 0.25 * signal.sample_interval
        expected = np.interp(middles, times, whole[:-2])
        assert np.array_equal(signal.sample(middles), expected)


def test_parts_that_are_no_longer_kept_are_drawn_again():
    assert noise._part.cache_info().maxsize * noise._PART <= noise._MOST_KEPT
    signal = _band(seed=5_000_000)
    whole = signal.sample(TIMES[: 2 * noise._PART])
    noise._part.cache_clear()
    assert np.array_equal(signal.sample(TIMES[:10]), whole[:10])
    noise._part.cache_clear()
    last = slice(2 * noise._PART - 10, 2 * noise._PART)
    assert np.array_equal(signal.sample(TIMES[last]), whole[last])


def test_sources_of_many_noises_fill_no_memory(monkeypatch):
    monkeypatch.setattr(noise, "_MOST_SOURCES", 3)
    for seed in range(2_000_000, 2_000_010):
        _band(seed=seed).sample(TIMES[:10])
        assert len(noise._sources) <= 4
