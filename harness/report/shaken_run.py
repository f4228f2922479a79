"""A run of the frictional shock with what its pictures need besides the outputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import cumulative_trapezoid

from harness.fmu.history import RunRecord
from harness.fmu.signals import Signal, SineSignal
from harness.report.curves import MOST_SAMPLES, Curve, history_curve
from harness.report.panels import Interval

MODES = {0: "flight", 1: "stick", 2: "slip"}


@dataclass(frozen=True)
class ShakenRun:
    """A run of FrictionalShock.fmu, or of an FMU that offers all that it does.

    Parameters
    ----------
    history : RunRecord
        Its outputs.
    parameters : mapping of str to float
        All of them, as `harness.case.parameter_notes.all_parameters` gives them.
    inputs : mapping of str to Signal
        Those that were fed.
    most_samples : int
        To which its curves are thinned.
    """

    history: RunRecord
    parameters: Mapping[str, float]
    inputs: Mapping[str, Signal]
    most_samples: int = MOST_SAMPLES

    @cached_property
    def base_acceleration(self) -> NDArray[np.float64]:
        """Acceleration of the support along u at the communication points, m/s2."""
        return self._sampled("base_acceleration")

    @cached_property
    def support_velocity(self) -> NDArray[np.float64]:
        """Velocity of the support, m/s: the sine's without mean, otherwise from rest."""
        signal = self.inputs.get("base_acceleration")
        times = self.history.times
        omega = signal.omega if isinstance(signal, SineSignal) else 0.0
        if isinstance(signal, SineSignal) and signal.offset == 0.0 and omega > 0.0:
            return -signal.amplitude / omega * np.cos(omega * times + signal.phase)
        integral = cumulative_trapezoid(self.base_acceleration, times, initial=0.0)
        return np.asarray(integral, dtype=np.float64)

    @cached_property
    def mass_velocity(self) -> NDArray[np.float64]:
        """Velocity of the mass in the fixed frame, m/s."""
        return self.support_velocity + self.history["relative_velocity"]

    @cached_property
    def friction_limit(self) -> NDArray[np.float64]:
        """Largest acceleration that dynamic friction can give the mass, μ F_N/m, m/s2."""
        factor = self.parameters["friction_coefficient"] / self.parameters["mass"]
        return factor * self.history["normal_force"]

    @property
    def slides(self) -> bool:
        """Whether anything moves along the support."""
        return bool(np.any(self.history["relative_velocity"]) or np.any(self.base_acceleration))

    @property
    def knocks(self) -> bool:
        """Whether the mass ever leaves its support or meets it."""
        gap, mode = self.history["gap"], self.history["contact_mode"]
        return bool(np.ptp(gap) > 0.0 or np.any(mode == 0.0))

    def curve(
        self,
        name: str,
        values: NDArray[np.float64],
        colour: str | None = None,
        *,
        style: str = "solid",
    ) -> Curve:
        """Return the curve of values at the first communication points, thinned."""
        times = self.history.times[: len(values)]
        return history_curve(name, times, values, colour, style=style, most=self.most_samples)

    def mode_intervals(self) -> dict[str, list[Interval]]:
        """Return the spans of time in each mode, to the communication step."""
        return mode_intervals(self.history.times, self.history["contact_mode"])

    def _sampled(self, name: str) -> NDArray[np.float64]:
        times = self.history.times
        return self.inputs[name].sample(times) if name in self.inputs else np.zeros_like(times)


def mode_intervals(
    times: NDArray[np.float64], modes: NDArray[np.float64]
) -> dict[str, list[Interval]]:
    """Return the spans of time in each mode by its name; a mode lasts until the next sample."""
    changes = np.flatnonzero(np.diff(modes)) + 1
    starts = np.concatenate([[0], changes])
    ends = np.concatenate([changes, [len(times) - 1]])
    intervals: dict[str, list[Interval]] = {name: [] for name in MODES.values()}
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        intervals[MODES[int(modes[start])]].append((float(times[start]), float(times[end])))
    return intervals
