"""What a record's samples may miss: gaps between them, and motion that is faster than they are."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

# Times written with few digits scatter by this part of a step without being irregular.
_REGULAR = 1e-2
# Part of the energy that may lie in the upper half of the frequencies that the samples can hold.
_FINE_ENERGY = 0.05

Floats = NDArray[np.float64]


@dataclass
class Steps:
    """Instants of a record and the steps between them, seen in successive parts.

    Parameters
    ----------
    sample_count : int
        Samples seen.
    first_time, last_time : float
        Span, s.
    shortest_step, longest_step : float
        Between neighbouring samples, s.
    usual : float
        The median step, s; of a record in parts that of the first.
    irregular : int
        Steps that are not the usual one.
    worst, worst_time : float
        The one farthest from it, s, and where it begins, s.
    """

    sample_count: int = 0
    first_time: float = math.nan
    last_time: float = math.nan
    shortest_step: float = math.inf
    longest_step: float = 0.0
    usual: float = 0.0
    irregular: int = 0
    worst: float = 0.0
    worst_time: float = 0.0

    def add(self, times: Floats) -> None:
        """Look at successive instants, s; the step from the part before counts as well."""
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
        """Say where steps are irregular."""
        if not self.irregular:
            return []
        return [
            f"irregular steps: {self.irregular} of {self.sample_count - 1} are not "
            f"{self.usual:.6g} s, for instance {self.worst:.6g} s after t={self.worst_time:.6g} s; "
            "linearly interpolated"
        ]


@dataclass
class Fineness:
    """How much of a signal's energy lies where its samples hardly follow, seen in parts.

    Parameters
    ----------
    name : str
        Of its column.
    whole, upper : float
        Energy, and what of it lies above half of the largest frequency that the samples can hold.
    half : float
        That half, Hz.
    """

    name: str
    whole: float = 0.0
    upper: float = 0.0
    half: float = field(default=0.0)

    def add(self, times: Floats, shape: Floats) -> None:
        """Look at a part of the signal, in parts of some scale so that nothing overflows."""
        if len(times) < 2:
            return
        even = np.interp(np.linspace(times[0], times[-1], len(times)), times, shape)
        interval = (times[-1] - times[0]) / (len(times) - 1)
        frequencies = np.fft.rfftfreq(len(even), interval)
        energies = interval / len(even) * np.abs(np.fft.rfft(even - np.mean(even))) ** 2
        # All but the mean and the largest frequency of an even count stand for two.
        energies[1 : (len(even) + 1) // 2] *= 2.0
        self.half = 0.5 * float(frequencies[-1])
        self.whole += float(np.sum(energies))
        self.upper += float(np.sum(energies[frequencies > self.half]))

    def warnings(self) -> list[str]:
        """Say where the sampling is coarse."""
        if not self.upper > _FINE_ENERGY * self.whole:
            return []
        return [
            f"coarse: {100.0 * self.upper / self.whole:.0f} % of the energy of {self.name} lies "
            f"above {self.half:.3g} Hz, half of what its samples can hold; the motion between them "
            "is not known"
        ]
