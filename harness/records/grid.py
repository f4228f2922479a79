"""The instants of a record, seen in passing: how many, over which span, in which steps."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields

import numpy as np

from harness.records.sampling import Fineness, Steps
from wearmodel.statistics import STEP_TOLERANCE, ShockRecord, StatisticsSettings

# What forces do to sliding is wear.
_SIGNALS = (
    "normal_force",
    "tangential_force_1",
    "tangential_force_2",
    "tangential_velocity_1",
    "tangential_velocity_2",
)


@dataclass
class RecordGrid:
    """What successive chunks of a record say about its instants.

    Parameters
    ----------
    sample_count : int
        Samples seen.
    first_time, last_time : float
        Span, s.
    shortest_step, longest_step : float
        Between neighbouring samples, s.
    """

    sample_count: int = 0
    first_time: float = math.nan
    last_time: float = math.nan
    shortest_step: float = math.inf
    longest_step: float = 0.0
    _steps: Steps = field(default_factory=Steps)
    _fineness: dict[str, tuple[Fineness, float]] = field(default_factory=dict)

    def watch(
        self, chunks: Iterable[ShockRecord], settings: StatisticsSettings
    ) -> Iterator[ShockRecord]:
        """Pass chunks on and note their instants.

        Raises
        ------
        ValueError
            At the end, for fewer than two samples, or a finite end of the window outside the
            record: the statistics would clip it, and the user would not know.
        """
        for chunk in chunks:
            # The step from the chunk before counts as well.
            instants = np.append(self.last_time, chunk.time) if self.sample_count else chunk.time
            steps = np.diff(instants)
            self._steps.add(instants)
            self._look_at_signals(chunk)
            self.shortest_step = min(self.shortest_step, float(steps.min(initial=math.inf)))
            self.longest_step = max(self.longest_step, float(steps.max(initial=0.0)))
            if not self.sample_count:
                self.first_time = float(chunk.time[0])
            self.last_time = float(chunk.time[-1])
            self.sample_count += len(chunk)
            yield chunk
        if self.sample_count < 2:
            raise ValueError(f"a record must have at least 2 samples and has {self.sample_count}")
        margin = STEP_TOLERANCE * self.shortest_step
        for end in (settings.window_start, settings.window_end):
            inside = self.first_time - margin <= end <= self.last_time + margin
            if math.isfinite(end) and not inside:
                raise ValueError(
                    f"window [{settings.window_start:.12g}, {settings.window_end:.12g}] s must lie "
                    f"inside the record, which spans [{self.first_time:.12g}, "
                    f"{self.last_time:.12g}] s"
                )

    def _look_at_signals(self, chunk: ShockRecord) -> None:
        """Note how finely the forces and velocities that wear follows from are sampled."""
        for quantity in _SIGNALS:
            signal = getattr(chunk, quantity)
            peak = 0.0 if signal is None else float(np.max(np.abs(signal)))
            if peak > 0.0:
                fineness, scale = self._fineness.setdefault(quantity, (Fineness(quantity), peak))
                fineness.add(chunk.time, signal / scale)

    def warnings(self) -> list[str]:
        """Say what the samples may miss: steps that are irregular, signals that are coarse."""
        coarse = [line for fineness, _ in self._fineness.values() for line in fineness.warnings()]
        return [*self._steps.warnings(), *coarse]

    def content(self) -> dict[str, float]:
        """Return samples, span and steps by name."""
        return {
            quantity.name: getattr(self, quantity.name)
            for quantity in fields(self)
            if quantity.name[:1] != "_"
        }

    def described(self) -> str:
        """Tell samples, span and steps in words."""
        steps = f"steps of {self.shortest_step:.6g} to {self.longest_step:.6g} s"
        if self.longest_step - self.shortest_step <= STEP_TOLERANCE * self.shortest_step:
            steps = f"constant step {self.shortest_step:.6g} s"
        return (
            f"{self.sample_count} samples in [{self.first_time:.10g}, {self.last_time:.10g}] s, "
            f"{steps}"
        )
