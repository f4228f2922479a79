"""Measured data: a history, a loop without time, or a statistic, compared with a run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from scipy.interpolate import CubicSpline

from harness.case.expectations import Expectation
from harness.fmu.experiment import Experiment
from harness.fmu.history import RunRecord
from wearmodel.arrays import Floats

KEYS = {"gain": 1.0, "offset": 0.0, "time_offset": 0.0}
"""Parameters of a channel: measured(t) = gain · computed(t − time_offset) + offset."""


@dataclass(frozen=True)
class Channel:
    """Measured data in SI units."""

    name: str
    # Output of the model and its unit, for a history.
    variable: str
    unit: str
    # Times [s] and measured values, shape (samples,).
    instants: Floats
    values: Floats
    # Quantity of a run, for a statistic with a single value.
    quantity: Expectation | None = None
    # Known standard deviation of the values. The default is estimated from the residuals.
    deviation: float | None = None

    def beginning(self, share: float) -> Channel:
        """Return the first part of a history. A statistic is unchanged."""
        count = math.ceil(share * len(self.values))
        return replace(self, instants=self.instants[:count], values=self.values[:count])

    def computed(
        self, run: RunRecord | str, experiment: Experiment, values: Mapping[str, float]
    ) -> Floats:
        """Return the computed values, NaN if the run failed. Names in `values` may be NAME.KEY."""
        if isinstance(run, str):
            return np.full(len(self.values), np.nan)
        if self.quantity is not None:
            try:
                return np.array([self.quantity.measure(run, experiment)])
            except ValueError:
                return np.array([math.nan])
        gain, offset, shift = (values.get(f"{self.name}.{key}", KEYS[key]) for key in KEYS)
        history = sampled(run.times, run.values[self.variable], self.instants - shift)
        return gain * history + offset


def sampled(times: Floats, history: Floats, instants: Floats) -> Floats:
    """Return a history at other instants, by a cubic spline through the communication points."""
    step = times[1] - times[0]
    indices = np.clip(np.rint((instants - times[0]) / step).astype(int), 0, len(times) - 1)
    if np.max(np.abs(times[indices] - instants)) <= 1e-6 * step:
        return np.asarray(history[indices])
    inside = np.clip(instants, times[0], times[-1])
    return np.asarray(CubicSpline(times, history)(inside), dtype=np.float64)
