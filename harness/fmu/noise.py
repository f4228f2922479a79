"""Stationary noise as an input signal: filtered normal numbers, linear between samples.

With the same seed, a longer run begins with the numbers of a shorter run.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from harness.schema import Number, section
from wearmodel.arrays import Floats

# Order of the band-pass filter: 8 poles on each side, 48 dB per octave.
_BAND_ORDER = 8
# At the first sample the transient of the filter has decayed to this share.
_FORGOTTEN = 1e-9
# Number of samples that are kept for further runs with the same noise (320 MB).
_MOST_KEPT = 40_000_000
# Number of samples that are drawn at once. Filtering needs several arrays of this length.
_PART = 1 << 14
# Number of noise signals whose next part is drawn without the previous parts.
_MOST_SOURCES = 1000


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
    # Frequency [Hz] and damping ratio of the oscillator, as an alternative to the band: 0 <
    # frequency < 0.5/sample_interval and 0 < damping_ratio < 1.
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
        first = max(0, math.floor(earliest / self.sample_interval) - 1)
        last = math.ceil(latest / self.sample_interval) + 2
        values = _samples(self, first, last)
        instants = np.arange(first, last) * self.sample_interval
        begin = int(np.searchsorted(instants, earliest))
        if np.array_equal(times, instants[begin : begin + times.size]):
            return values[begin : begin + times.size]
        return np.asarray(np.interp(times, instants, values), dtype=np.float64)

    def parts(self) -> Iterator[Floats]:
        """Draw the samples in parts of equal length, without end."""
        from scipy.signal import sosfilt  # the import takes half a second and is seldom needed

        sections, slowest = self._filter()
        lead = math.ceil(math.log(_FORGOTTEN) / math.log(slowest))
        impulse = np.zeros(lead)
        impulse[0] = 1.0
        gain = math.sqrt(float(np.sum(sosfilt(sections, impulse) ** 2)))
        random, state = np.random.default_rng(self.seed), np.zeros((len(sections), 2))
        _, state = sosfilt(sections, random.standard_normal(lead), zi=state)
        while True:
            filtered, state = sosfilt(sections, random.standard_normal(_PART), zi=state)
            yield np.asarray(self.rms / gain * filtered, dtype=np.float64)

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


# By noise signal: the number of its next part, and the source of further parts.
_sources: dict[NoiseSignal, tuple[int, Iterator[Floats]]] = {}
_one_thread = threading.Lock()


@lru_cache(maxsize=_MOST_KEPT // _PART)
def _part(noise: NoiseSignal, number: int) -> Floats:
    """Return a part of the samples. A service life reuses parts at each state."""
    following, parts = _sources.pop(noise, (0, noise.parts()))
    if following > number:
        following, parts = 0, noise.parts()
    part = next(islice(parts, number - following, None))
    if len(_sources) > _MOST_SOURCES:
        _sources.clear()
    _sources[noise] = number + 1, parts
    return part


def _samples(noise: NoiseSignal, first: int, last: int) -> Floats:
    """Return the samples from number `first` to `last`, without the last, read-only."""
    parts = range(first // _PART, (last - 1) // _PART + 1)
    with _one_thread:
        values: Floats = np.concatenate([_part(noise, number) for number in parts])
    values.flags.writeable = False
    return values[first % _PART :][: last - first]
