"""What is suspicious in a recorded shaking, a line each, with the remedy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from harness.records import Fineness, Steps

# s. No shaking is sampled as slowly; counted samples and milliseconds seem to be.
SLOW = 0.5
# A velocity at the end beyond this part of the largest one: the support of a shaking comes to rest.
_FINAL_VELOCITY = 0.05
# A first value beyond this part of the peak is a jump from rest.
_JUMP = 0.1
# m/s2. A shaking in m/s2 that wears anything seldom peaks below; one in g often does.
_SMALL_PEAK = 2.0
# m/s2. Ground and floors stay below; records in cm/s2 often do not.
_LARGE_PEAK = 50.0


def time_warnings(times: NDArray[np.float64]) -> list[str]:
    """Return what is suspicious in the instants, s: slow or irregular sampling."""
    steps = np.diff(times)
    usual = float(np.median(steps))
    warnings = []
    if usual >= SLOW:
        warnings.append(
            f"slow: a sample every {usual:.6g} s; if the times are in ms, name their column "
            "'time [ms]'; if they count samples, multiply them by the sampling interval"
        )
    seen = Steps()
    seen.add(times)
    return [*warnings, *seen.warnings()]


def unit_warnings(peak: float) -> list[str]:
    """Return what is suspicious in the peak, m/s2, of a signal that was assumed to be in m/s2."""
    for unit, suspicious in (("g", peak < _SMALL_PEAK), ("cm/s2", peak > _LARGE_PEAK)):
        if suspicious and peak > 0.0:
            return [
                f"the file names no unit and its peak is {peak:.3g}: taken as m/s2; "
                f"if it is in {unit}, add --unit {unit}"
            ]
    return []


def signal_warnings(
    name: str, times: NDArray[np.float64], signal: NDArray[np.float64]
) -> list[str]:
    """Return what is suspicious in a signal, m/s2: zero, constant, offset, jump, coarseness.

    Parameters
    ----------
    name : str
        Of its column.
    times, signal : ndarray, shape (n,)
        s and m/s2.
    """
    peak = float(np.max(np.abs(signal)))
    if np.ptp(signal / (peak or 1.0)) == 0.0:
        return [f"{name} is {signal[0]:.6g}{' m/s2' if peak else ''} throughout"]
    # In parts of the peak nothing overflows, however large the values.
    shape = signal / peak
    warnings = []
    velocity = np.cumsum(0.5 * np.diff(times) * (shape[1:] + shape[:-1]))
    final, fastest = float(velocity[-1]), float(np.max(np.abs(velocity)))
    if abs(final) > _FINAL_VELOCITY * fastest:
        warnings.append(
            f"offset: {name} has a mean of {peak * float(np.mean(shape)):.3g} m/s2 and leaves the "
            f"support with {peak * final:.3g} m/s, {100.0 * abs(final) / fastest:.0f} % of its "
            "peak velocity; if that is no motion of it, add --remove-mean"
        )
    if abs(shape[0]) > _JUMP:
        warnings.append(
            f"jump: {name} starts at {signal[0]:.3g} m/s2, {100.0 * abs(shape[0]):.0f} % of its "
            "peak, not from rest"
        )
    fineness = Fineness(name)
    fineness.add(times, shape)
    return [*warnings, *fineness.warnings()]
