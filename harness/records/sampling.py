"""Sampling of a record: number of samples, span, irregular steps, and too low a sampling rate."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from wearmodel.arrays import Floats
from wearmodel.statistics import STEP_TOLERANCE, ShockRecord, StatisticsSettings

# Times with few digits scatter by this share of a step without being irregular.
_REGULAR = 1e-2
# Allowed share of the energy above half of the Nyquist frequency.
_FINE_ENERGY = 0.05


@dataclass
class Steps:
    """Times of a record and the steps between them, read in successive parts."""

    sample_count: int = 0
    # Span [s].
    first_time: float = math.nan
    last_time: float = math.nan
    # Shortest and longest step [s].
    shortest_step: float = math.inf
    longest_step: float = 0.0
    # Median step of the first part [s].
    usual: float = 0.0
    # Number of other steps.
    irregular: int = 0
    # The most different step [s] and the time before it [s].
    worst: float = 0.0
    worst_time: float = 0.0

    def add(self, times: Floats) -> None:
        """Add successive times [s]. The step from the previous part counts as well."""
        if self.sample_count:
            times = np.append(self.last_time, times)
        else:
            self.first_time, self.sample_count = float(times[0]), 1
        self.last_time = float(times[-1])
        steps = np.diff(times)
        if not len(steps):
            return
        if self.sample_count == 1:
            self.usual = self.worst = float(np.median(steps))
        off = np.abs(steps - self.usual)
        at = int(np.argmax(off))
        if off[at] > abs(self.worst - self.usual):
            self.worst, self.worst_time = float(steps[at]), float(times[at])
        self.irregular += int(np.sum(off > _REGULAR * self.usual))
        self.shortest_step = min(self.shortest_step, float(steps.min()))
        self.longest_step = max(self.longest_step, float(steps.max()))
        self.sample_count += len(steps)

    def warnings(self) -> list[str]:
        """Return a warning about irregular steps."""
        if not self.irregular:
            return []
        return [
            f"irregular steps: {self.irregular} of {self.sample_count - 1} are not "
            f"{self.usual:.6g} s, for instance {self.worst:.6g} s after t={self.worst_time:.6g} s "
            "(linearly interpolated)"
        ]


@dataclass
class Fineness:
    """Share of the energy of a signal near the Nyquist frequency, read in parts."""

    name: str
    # Energy, and energy above half of the Nyquist frequency.
    whole: float = 0.0
    upper: float = 0.0
    # Half of the Nyquist frequency [Hz].
    half: float = 0.0

    def add(self, times: Floats, shape: Floats) -> None:
        """Add a part of the signal, scaled so that its energy does not overflow."""
        if len(times) < 2:
            return
        even = np.interp(np.linspace(times[0], times[-1], len(times)), times, shape)
        interval = (times[-1] - times[0]) / (len(times) - 1)
        frequencies = np.fft.rfftfreq(len(even), interval)
        energies = interval / len(even) * np.abs(np.fft.rfft(even - np.mean(even))) ** 2
        # All frequencies count twice, except the mean and the largest frequency of an even count.
        energies[1 : (len(even) + 1) // 2] *= 2.0
        self.half = 0.5 * float(frequencies[-1])
        self.whole += float(np.sum(energies))
        self.upper += float(np.sum(energies[frequencies > self.half]))

    def warnings(self) -> list[str]:
        """Return a warning about coarse sampling."""
        if not self.upper > _FINE_ENERGY * self.whole:
            return []
        return [
            f"coarse samples: {100.0 * self.upper / self.whole:.0f} % of the energy of {self.name} "
            f"is above {self.half:.3g} Hz, half of its Nyquist frequency. The motion between "
            "samples is not known"
        ]


# Signals from which wear is computed.
_SIGNALS = (
    "normal_force",
    "tangential_force_1",
    "tangential_force_2",
    "tangential_velocity_1",
    "tangential_velocity_2",
)
_WRITTEN = ("sample_count", "first_time", "last_time", "shortest_step", "longest_step")


@dataclass
class RecordGrid(Steps):
    """Times and fineness of the sampling of successive chunks of a record."""

    _fineness: dict[str, tuple[Fineness, float]] = field(default_factory=dict)
    _window_end: float = math.inf

    def watch(
        self, chunks: Iterable[ShockRecord], settings: StatisticsSettings
    ) -> Iterator[ShockRecord]:
        """Yield the chunks and store their times.

        The end of the window is limited to the record. Raises ValueError at the end, for fewer than
        two samples or a finite start of the window outside the record.
        """
        for chunk in chunks:
            self.add(chunk.time)
            for quantity in _SIGNALS:
                signal = getattr(chunk, quantity)
                peak = 0.0 if signal is None else float(np.max(np.abs(signal)))
                if peak > 0.0:
                    new = Fineness(quantity), peak
                    fineness, scale = self._fineness.setdefault(quantity, new)
                    fineness.add(chunk.time, signal / scale)
            yield chunk
        if self.sample_count < 2:
            raise ValueError(f"a record must have at least 2 samples and has {self.sample_count}")
        margin = STEP_TOLERANCE * self.shortest_step
        self._window_end = settings.window_end
        for end in (settings.window_start, min(settings.window_end, self.last_time)):
            inside = self.first_time - margin <= end <= self.last_time + margin
            if math.isfinite(end) and not inside:
                raise ValueError(
                    f"window [{settings.window_start:.12g}, {settings.window_end:.12g}] s must be "
                    f"inside the record, which spans [{self.first_time:.12g}, "
                    f"{self.last_time:.12g}] s"
                )

    def warnings(self) -> list[str]:
        """Return warnings about irregular steps and coarsely sampled signals."""
        coarse = [line for fineness, _ in self._fineness.values() for line in fineness.warnings()]
        limited = []
        if self.last_time + STEP_TOLERANCE * self.shortest_step < self._window_end < math.inf:
            limited = [
                f"the window ends at {self._window_end:.12g} s and is limited to the record, which "
                f"ends at {self.last_time:.12g} s"
            ]
        return [*limited, *super().warnings(), *coarse]

    def content(self) -> dict[str, float]:
        """Return samples, span and steps by name."""
        return {name: getattr(self, name) for name in _WRITTEN}

    def described(self) -> str:
        """Return samples, span and steps in words."""
        steps = f"steps of {self.shortest_step:.6g} to {self.longest_step:.6g} s"
        if self.longest_step - self.shortest_step <= STEP_TOLERANCE * self.shortest_step:
            steps = f"constant step {self.shortest_step:.6g} s"
        return (
            f"{self.sample_count} samples in [{self.first_time:.10g}, {self.last_time:.10g}] s, "
            f"{steps}"
        )
