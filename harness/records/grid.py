"""Sampling times of a record read in chunks: number, span and steps."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from harness.records.sampling import Fineness, Steps
from wearmodel.statistics import STEP_TOLERANCE, ShockRecord, StatisticsSettings

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

    def watch(
        self, chunks: Iterable[ShockRecord], settings: StatisticsSettings
    ) -> Iterator[ShockRecord]:
        """Yield the chunks and store their times.

        Raises ValueError at the end, for fewer than two samples or a finite end of the window
        outside the record.
        """
        for chunk in chunks:
            self.add(chunk.time)
            self._look_at_signals(chunk)
            yield chunk
        if self.sample_count < 2:
            raise ValueError(f"a record must have at least 2 samples and has {self.sample_count}")
        margin = STEP_TOLERANCE * self.shortest_step
        for end in (settings.window_start, settings.window_end):
            inside = self.first_time - margin <= end <= self.last_time + margin
            if math.isfinite(end) and not inside:
                raise ValueError(
                    f"window [{settings.window_start:.12g}, {settings.window_end:.12g}] s must be "
                    f"inside the record, which spans [{self.first_time:.12g}, "
                    f"{self.last_time:.12g}] s"
                )

    def _look_at_signals(self, chunk: ShockRecord) -> None:
        """Update the fineness of the sampling of forces and velocities."""
        for quantity in _SIGNALS:
            signal = getattr(chunk, quantity)
            peak = 0.0 if signal is None else float(np.max(np.abs(signal)))
            if peak > 0.0:
                fineness, scale = self._fineness.setdefault(quantity, (Fineness(quantity), peak))
                fineness.add(chunk.time, signal / scale)

    def warnings(self) -> list[str]:
        """Return warnings about irregular steps and coarsely sampled signals."""
        coarse = [line for fineness, _ in self._fineness.values() for line in fineness.warnings()]
        return [*super().warnings(), *coarse]

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
