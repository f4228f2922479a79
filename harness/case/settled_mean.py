"""Mean rate of an accumulated quantity after the transient of a run, with its interval."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from harness.fmu.noise import NoiseSignal
from harness.fmu.signals import ConstantSignal, Signal, SineSignal
from wearmodel.arrays import Floats
from wearmodel.statistics.error_bars import BATCH_COUNT, MeanRate, mean_rate
from wearmodel.statistics.known_rate import KnownRate, known_rate

TRANSIENT_SHARE = 0.1
"""Share of the run that is discarded at the start."""


def settled_mean(times: Floats, accumulated: Floats, *, period: float | None = None) -> MeanRate:
    """Return the mean rate of an accumulated quantity such as the wear work, without transient.

    With the `period` [s] of the inputs, batches last whole periods if at least 20 periods remain.
    Such batches differ by a drift, not randomly. The interval then covers the drift over the run.
    """
    start, period = _settled(times, period)
    mean = mean_rate(times, accumulated, start=start, period=period)
    if mean.warning and period is not None:
        # In steady motion this width is rounding.
        mean = replace(mean, half_width=math.sqrt(BATCH_COUNT) * mean.half_width, warning="")
    return mean


def settled_rate(
    times: Floats,
    accumulated: Floats,
    inputs: Mapping[str, Signal],
    *,
    start: float | None = None,
) -> KnownRate:
    """Return the mean rate of an accumulated quantity, without transient, and its reliability.

    With inputs of one frequency, batches last whole periods if at least 20 periods remain. Without
    noise the run is deterministic. The transient ends at the time `start` [s], or after a tenth of
    the run.
    """
    tenth, period = _settled(times, common_period(inputs))
    start = tenth if start is None else start
    certain = not any(isinstance(signal, NoiseSignal) for signal in inputs.values())
    return known_rate(times, accumulated, start=start, period=period, certain=certain)


def _settled(times: Floats, period: float | None) -> tuple[float, float | None]:
    """Return the end of the transient [s], and the period if enough periods remain."""
    first, last = float(times[0]), float(times[-1])
    start = first + TRANSIENT_SHARE * (last - first)
    is_short = period is not None and last - start < BATCH_COUNT * period * (1.0 - 1e-9)
    return start, None if is_short else period


def common_period(inputs: Mapping[str, Signal]) -> float | None:
    """Return the period [s] of inputs that are constants and sines of one frequency, or None."""
    rates = set()
    for signal in inputs.values():
        if not isinstance(signal, ConstantSignal | SineSignal):
            return None
        if isinstance(signal, SineSignal) and signal.omega != 0.0:
            rates.add(abs(signal.omega))
    return 2.0 * math.pi / rates.pop() if len(rates) == 1 else None
