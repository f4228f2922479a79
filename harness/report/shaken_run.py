"""A run of the frictional shock with what its pictures need besides the outputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import cumulative_trapezoid

from harness.fmu.history import RunRecord
from harness.fmu.signals import Signal, SineSignal
from harness.report.curves import MOST_SAMPLES, Curve, history_curve
from harness.report.labels import shown_unit, spoken
from harness.report.panels import Interval, Panel
from wearmodel import ContactMode
from wearmodel.kernel.contact.friction import Friction, complete_friction, sliding_friction
from wearmodel.kernel.records import field_names


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
    counted_largest : mapping of str to float
        Largest magnitudes that count more points than the history keeps, by output.
    counted_slip_share : float, optional
        The same of the part of time in slip.
    """

    history: RunRecord
    parameters: Mapping[str, float]
    inputs: Mapping[str, Signal]
    most_samples: int = MOST_SAMPLES
    counted_largest: Mapping[str, float] = field(default_factory=dict)
    counted_slip_share: float | None = None

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
        """Largest acceleration that friction in slip can give the mass, μ F_N/m, m/s2."""
        coefficient: float | NDArray[np.float64] = self.parameters["friction_coefficient"]
        if self.friction_varies:
            coefficient = self.friction_coefficient(np.abs(self.history["relative_velocity"]))
        return coefficient * self.history["normal_force"] / self.parameters["mass"]

    @cached_property
    def friction(self) -> Friction:
        """The law of friction in force."""
        law = Friction()
        for name in field_names(Friction):
            setattr(law, name, self.parameters.get(name, 0.0))
        complete_friction(law, True)
        return law

    def friction_coefficient(self, speeds: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the coefficient of friction in slip at some speeds, m/s."""
        return np.array([sliding_friction(self.friction, float(speed)) for speed in speeds])

    @property
    def friction_varies(self) -> bool:
        """Whether the coefficient of friction in slip depends on the speed."""
        return self.friction.constant_friction < 0.0

    @property
    def wears_its_gap(self) -> bool:
        """Whether wear opens the gap."""
        return bool(self.parameters["wear_feedback"])

    @property
    def slides(self) -> bool:
        """Whether anything moves along the support."""
        return bool(np.any(self.history["relative_velocity"]) or np.any(self.base_acceleration))

    @property
    def knocks(self) -> bool:
        """Whether the mass ever leaves its support or meets it."""
        gap, mode = self.history["gap"], self.history["contact_mode"]
        return bool(np.ptp(gap) > 0.0 or np.any(mode == 0.0))

    def largest(self, name: str) -> float:
        """Return the largest magnitude of an output at the communication points."""
        if name in self.counted_largest:
            return self.counted_largest[name]
        return float(np.max(np.abs(self.history[name])))

    @property
    def slip_share(self) -> float:
        """Part of the communication points after the initial one that are in slip."""
        if self.counted_slip_share is not None:
            return self.counted_slip_share
        return float(np.mean(self.history["contact_mode"][1:] == ContactMode.SLIP))

    def unit(self, name: str) -> str:
        """Return the unit of an output as it is shown."""
        return shown_unit(self.history.units.get(name))

    def panel(self, name: str, colour: str, *, levels: Mapping[str, float] | None = None) -> Panel:
        """Return the panel of one output over time."""
        curves = (self.curve(name, self.history[name], colour),)
        return Panel(spoken(name), curves, unit=self.unit(name), levels=levels or {})

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
    intervals: dict[str, list[Interval]] = {mode.name.lower(): [] for mode in ContactMode}
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        mode = ContactMode(int(modes[start])).name.lower()
        intervals[mode].append((float(times[start]), float(times[end])))
    return intervals
