"""The mean rate of what a run adds up once its start has settled, with its interval."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from harness.fmu.noise import NoiseSignal
from harness.fmu.signals import ConstantSignal, Signal, SineSignal
from wearmodel.statistics.error_bars import BATCH_COUNT, MeanRate, mean_rate
from wearmodel.statistics.known_rate import KnownRate, known_rate

# Of the run, for what the start leaves behind.
TRANSIENT_SHARE = 0.1


def settled_mean(
    times: NDArray[np.float64], accumulated: NDArray[np.float64], *, period: float | None = None
) -> MeanRate:
    """Return the mean rate of what a run adds up, its first tenth left out as transient.

    Parameters
    ----------
    times, accumulated : ndarray, shape (n,)
        Instants [s], and for instance the wear work.
    period : float, optional
        Of the inputs [s]. Batches last whole periods if at least 20 are left. Then they differ by a
        drift, not by chance: where it shows, the interval covers its whole range within the run.
    """
    start, period = _settled(times, period)
    mean = mean_rate(times, accumulated, start=start, period=period)
    if mean.warning and period is not None:
        # This is rounding where the motion is steady.
        mean = replace(mean, half_width=math.sqrt(BATCH_COUNT) * mean.half_width, warning="")
    return mean


def settled_rate(
    times: NDArray[np.float64], accumulated: NDArray[np.float64], inputs: Mapping[str, Signal]
) -> KnownRate:
    """Return the mean rate of what a run adds up, judged, its first tenth left out as transient.

    Parameters
    ----------
    times, accumulated : ndarray, shape (n,)
        Instants [s], and for instance the wear work.
    inputs : mapping of str to Signal
        What drives the run. Under sines of one frequency batches last whole periods if at least 20
        are left; without noise nothing is left to chance.
    """
    start, period = _settled(times, common_period(inputs))
    certain = not any(isinstance(signal, NoiseSignal) for signal in inputs.values())
    return known_rate(times, accumulated, start=start, period=period, certain=certain)


def _settled(times: NDArray[np.float64], period: float | None) -> tuple[float, float | None]:
    """Return where the transient ends [s], and the period if enough of them are left."""
    first, last = float(times[0]), float(times[-1])
    start = first + TRANSIENT_SHARE * (last - first)
    is_short = period is not None and last - start < BATCH_COUNT * period * (1.0 - 1e-9)
    return start, None if is_short else period


def common_period(inputs: Mapping[str, Signal]) -> float | None:
    """Return the period of the inputs [s] where they are constants and sines of one frequency."""
    rates = set()
    for signal in inputs.values():
        if not isinstance(signal, ConstantSignal | SineSignal):
            return None
        if isinstance(signal, SineSignal) and signal.omega != 0.0:
            rates.add(abs(signal.omega))
    return 2.0 * math.pi / rates.pop() if len(rates) == 1 else None
