"""Warnings about a recorded base motion, in lines with remedies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from harness.records import Fineness, Steps

# Longer steps [s] are probably numbers of samples, or ms.
SLOW = 0.5
# Allowed final velocity as a share of the largest velocity, because a support comes to rest.
_FINAL_VELOCITY = 0.05
# Allowed first value as a share of the peak, because a support starts at rest.
_JUMP = 0.1
# Peaks of records in m/s2 are seldom smaller, peaks of records in g often.
_SMALL_PEAK = 2.0
# Peaks of records in m/s2 are seldom larger, peaks of records in cm/s2 often.
_LARGE_PEAK = 50.0


def time_warnings(times: NDArray[np.float64]) -> list[str]:
    """Return warnings about times [s] with slow or irregular sampling."""
    steps = np.diff(times)
    usual = float(np.median(steps))
    warnings = []
    if usual >= SLOW:
        warnings.append(
            f"slow: a sample every {usual:.6g} s. If the times are in ms, name their column "
            "'time [ms]'. If they are sample numbers, multiply them by the sampling interval"
        )
    seen = Steps()
    seen.add(times)
    return [*warnings, *seen.warnings()]


def unit_warnings(peak: float) -> list[str]:
    """Return warnings about the peak of a signal whose unit m/s2 was assumed."""
    for unit, suspicious in (("g", peak < _SMALL_PEAK), ("cm/s2", peak > _LARGE_PEAK)):
        if suspicious and peak > 0.0:
            return [
                f"the file does not contain a unit and its peak is {peak:.3g}. The unit is assumed "
                f"to be m/s2: if it is {unit}, add --unit {unit}"
            ]
    return []


def signal_warnings(
    name: str, times: NDArray[np.float64], signal: NDArray[np.float64]
) -> list[str]:
    """Return warnings about a signal [m/s2]: constant, offset, initial step, coarse sampling."""
    peak = float(np.max(np.abs(signal)))
    if np.ptp(signal / (peak or 1.0)) == 0.0:
        return [f"{name} is {signal[0]:.6g}{' m/s2' if peak else ''} throughout"]
    # Scaled by the peak to avoid overflow.
    shape = signal / peak
    warnings = []
    velocity = np.cumsum(0.5 * np.diff(times) * (shape[1:] + shape[:-1]))
    final, fastest = float(velocity[-1]), float(np.max(np.abs(velocity)))
    if abs(final) > _FINAL_VELOCITY * fastest:
        warnings.append(
            f"offset: {name} has a mean of {peak * float(np.mean(shape)):.3g} m/s2. The final "
            f"velocity is {peak * final:.3g} m/s, {100.0 * abs(final) / fastest:.0f} % of the "
            "peak velocity: if the support comes to rest, add --remove-mean"
        )
    if abs(shape[0]) > _JUMP:
        warnings.append(
            f"jump: {name} starts at {signal[0]:.3g} m/s2, {100.0 * abs(shape[0]):.0f} % of its "
            "peak, instead of 0"
        )
    fineness = Fineness(name)
    fineness.add(times, shape)
    return [*warnings, *fineness.warnings()]
