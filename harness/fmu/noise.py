"""Stationary noise as an input signal: filtered normal numbers, linear between samples.

With the same seed, a longer run begins with the numbers of a shorter run.
"""

from __future__ import annotations

import math
import threading
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from harness.schema import Number, section
from wearmodel.arrays import Floats

# Order of the band-pass filter: 8 poles on each side, 48 dB per octave.
_BAND_ORDER = 8
# At the first sample the filter's transient has decayed to this share.
_FORGOTTEN = 1e-9
# Number of samples kept for further runs with the same noise: 320 MB.
_MOST_KEPT = 40_000_000


@section
class NoiseSignal:
    """Normal noise of zero mean in a band, or as the response of an oscillator to white noise."""

    kind: Literal["noise"]
    # Root mean square, ≥ 0, in the unit of the input.
    rms: Annotated[Number, Field(ge=0.0)]
    # Time between samples [s], > 0.
    sample_interval: Annotated[Number, Field(gt=0.0)]
    # Seed of the random numbers, ≥ 0.
    seed: Annotated[int, Field(ge=0, strict=True)] = 0
    # Limits of the band [Hz], 0 < low < high < 0.5/sample_interval.
    low: Number | None = None
    high: Number | None = None
    # Frequency [Hz] and damping ratio of the oscillator, instead of the band: 0 < frequency <
    # 0.5/sample_interval and 0 < damping_ratio < 1.
    frequency: Number | None = None
    damping_ratio: Number | None = None

    def __post_init__(self) -> None:
        match (self.low, self.high, self.frequency, self.damping_ratio):
            case (float(low), float(high), None, None):
                self._require_below_half("high", high)
                if not 0.0 < low < high:
                    raise ValueError(f"low={low} Hz must be > 0 and less than high={high} Hz")
            case (None, None, float(frequency), float(damping_ratio)):
                self._require_below_half("frequency", frequency)
                if not 0.0 < damping_ratio < 1.0:
                    raise ValueError(f"damping_ratio={damping_ratio} must be between 0 and 1")
            case _:
                raise ValueError(
                    "either low and high (Hz), or frequency (Hz) and damping_ratio, must be given"
                )

    def _require_below_half(self, name: str, frequency: float) -> None:
        half = 0.5 / self.sample_interval
        if not 0.0 < frequency < half:
            raise ValueError(
                f"{name}={frequency} Hz must be > 0 and less than {half:g} Hz, half of the "
                "sampling frequency"
            )

    def sample(self, times: Floats) -> Floats:
        """Return the values at `times` [s], or raise ValueError if a time is negative."""
        earliest, latest = float(np.min(times)), float(np.max(times))
        if earliest < 0.0:
            raise ValueError(
                f"the noise begins at 0 s and must cover t={earliest:.12g} s: start the run at 0 s "
                "or later"
            )
        count = math.ceil(latest / self.sample_interval) + 2
        values = _kept(self, count)
        instants = np.arange(count) * self.sample_interval
        if np.array_equal(times, instants[: times.size]):
            return values[: times.size]
        return np.asarray(np.interp(times, instants, values), dtype=np.float64)

    def made(self, count: int) -> Floats:
        """Compute the first samples."""
        from scipy.signal import sosfilt  # imported for half a second, and seldom needed

        sections, slowest = self._filter()
        lead = math.ceil(math.log(_FORGOTTEN) / math.log(slowest))
        impulse = np.zeros(lead)
        impulse[0] = 1.0
        gain = math.sqrt(float(np.sum(sosfilt(sections, impulse) ** 2)))
        white = np.random.default_rng(self.seed).standard_normal(lead + count)
        filtered = sosfilt(sections, white)[lead:]
        return np.asarray(self.rms / gain * filtered, dtype=np.float64)

    def _filter(self) -> tuple[Floats, float]:
        """Return second-order sections, and the modulus of the slowest pole."""
        from scipy.signal import butter, zpk2sos

        rate = 1.0 / self.sample_interval
        if self.frequency is None or self.damping_ratio is None:
            band = (self.low, self.high)
            zeros, poles, gain = butter(_BAND_ORDER, band, "bandpass", fs=rate, output="zpk")
        else:
            natural = 2.0 * math.pi * self.frequency
            side = math.sqrt(1.0 - self.damping_ratio**2)
            root = natural * complex(-self.damping_ratio, side)
            pole = np.exp(root * self.sample_interval)
            zeros, poles, gain = np.array([]), np.array([pole, pole.conjugate()]), 1.0
        sections = np.asarray(zpk2sos(zeros, poles, gain), dtype=np.float64)
        return sections, float(np.max(np.abs(poles)))


_kept_by_noise: dict[NoiseSignal, Floats] = {}
_one_thread = threading.Lock()


def _kept(noise: NoiseSignal, count: int) -> Floats:
    """Return the first samples, read-only. A service life uses them again at each state."""
    with _one_thread:
        samples = _kept_by_noise.pop(noise, None)
        if samples is None or samples.size < count:
            samples = noise.made(count)
            samples.flags.writeable = False
        if samples.size <= _MOST_KEPT:
            # Appended at the end, so that the least recently used samples are removed first.
            _kept_by_noise[noise] = samples
        while sum(kept.size for kept in _kept_by_noise.values()) > _MOST_KEPT:
            del _kept_by_noise[next(iter(_kept_by_noise))]
    return samples[:count]
