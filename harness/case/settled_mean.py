"""Mean rate of an accumulated quantity after the transient of a run, with its interval."""

from __future__ import annotations

import math
from collections.abc import Mapping

from harness.fmu.noise import NoiseSignal
from harness.fmu.signals import ConstantSignal, Signal, SineSignal
from wearmodel.arrays import Floats
from wearmodel.statistics.known_rate import BATCH_COUNT, KnownRate, known_rate

TRANSIENT_SHARE = 0.1
"""Share of the run that is discarded at the start."""


def settled_rate(
    times: Floats,
    accumulated: Floats,
    inputs: Mapping[str, Signal],
    *,
    start: float | None = None,
) -> KnownRate:
    """Return the mean rate of an accumulated quantity after the transient, and its reliability.

    With inputs of one frequency, batches last whole periods if at least 20 periods remain. Without
    noise the run is deterministic. The transient ends at the time `start` [s], or after a tenth of
    the run.
    """
    first, last = float(times[0]), float(times[-1])
    tenth = first + TRANSIENT_SHARE * (last - first)
    period = common_period(inputs)
    if period is not None and last - tenth < BATCH_COUNT * period * (1.0 - 1e-9):
        period = None
    start = tenth if start is None else start
    certain = not any(isinstance(signal, NoiseSignal) for signal in inputs.values())
    return known_rate(times, accumulated, start=start, period=period, certain=certain)


def common_period(inputs: Mapping[str, Signal]) -> float | None:
    """Return the period [s] of inputs that are constants and sines of one frequency, or None."""
    rates = set()
    for signal in inputs.values():
        if not isinstance(signal, ConstantSignal | SineSignal):
            return None
        if isinstance(signal, SineSignal) and signal.omega != 0.0:
            rates.add(abs(signal.omega))
    return 2.0 * math.pi / rates.pop() if len(rates) == 1 else None
