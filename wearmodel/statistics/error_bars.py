"""Confidence intervals of the mean of a run of limited length, from batch means.

The run is divided into equal batches. If a batch is much longer than the correlation time of the
motion, the batch means are nearly independent and normal. Student's distribution gives:

    half_width = t(confidence, b − 1) s/√b,  s the standard deviation of b batch means

The interval covers only the sampling scatter of a stationary motion over a limited time. It does
not cover a transient (exclude it by `start`), uncertain parameters, or later changes.

Source: G. Fishman, "Discrete-Event Simulation", Springer 2001, ch. 6 (batch means); J. von Neumann,
Ann. Math. Stat. 12 (1941) 367 (the test of independence).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from wearmodel.arrays import Floats

from ..quantities import require_finite

# Student's quantile at 20 batches is 7 % above the normal one. More batches gain little, and
# shorter batches may depend on each other.
BATCH_COUNT = 20
# Below this the batches are shorter than the motion's own memory, whatever their means look like.
LEAST_EFFECTIVE_SAMPLES = 2.0 * BATCH_COUNT
# Correlation of neighbouring batch means at which a one-sided test at 1 % rejects independence.
_SUSPICIOUS_CORRELATION = 2.326 / math.sqrt(BATCH_COUNT)


@dataclass(frozen=True)
class MeanRate:
    """A mean rate with its confidence interval."""

    #: Increase divided by the duration, in the unit of the accumulated quantity per second.
    mean: float
    half_width: float  #: The interval is mean ± half_width.
    confidence: float  #: Probability that such intervals contain the true mean.
    duration: float  #: Averaged time [s].
    #: Number of independent samples of the rate with the same uncertainty. Infinite if all batches
    #: agree, and for whole periods.
    effective_samples: float
    warning: str = ""  #: Reason why the interval may be too narrow. Empty if there is no objection.

    @property
    def relative_half_width(self) -> float:
        """half_width / |mean|. Infinite for a mean of zero with a nonzero interval."""
        return relative(self.half_width, self.mean)


def mean_rate(
    time: ArrayLike,
    accumulated: ArrayLike,
    *,
    confidence: float = 0.95,
    start: float | None = None,
    period: float | None = None,
) -> MeanRate:
    """Mean rate of an accumulating quantity such as wear_work, with its confidence interval.

    The rate has the unit of `accumulated` per second.

    Parameters
    ----------
    time : array (n,)
        Times [s], strictly increasing.
    accumulated : array (n,)
        Accumulated quantity, interpolated linearly between samples.
    confidence : float
        Between 0 and 1.
    start : float, optional
        Time [s] before which the record is excluded as transient.
    period : float, optional
        Period of the input [s]. Batches then have whole numbers of periods, and the remainder is
        removed from the start. The interval of a steady periodic motion is rounding.

    Raises
    ------
    ValueError
        Arrays have different lengths, values are not finite, times do not increase, the confidence
        is outside (0, 1), or there are fewer than two samples (with a period: fewer than 20
        periods) after `start`.
    """
    from scipy.special import stdtrit  # what reads results need not load it

    instants, totals = _record(time, accumulated, confidence)
    begin, end = _begin(instants, start), float(instants[-1])
    if period is not None:
        begin = _whole_periods(begin, end, period)
    borders = np.linspace(begin, end, BATCH_COUNT + 1)
    batch_duration = (end - begin) / BATCH_COUNT
    means = np.diff(np.interp(borders, instants, totals)) / batch_duration
    mean = float(np.mean(means))
    spread = float(np.std(means, ddof=1))
    if spread <= rounding_of_differences(totals) / batch_duration:
        spread = 0.0
    quantile = float(stdtrit(BATCH_COUNT - 1, 0.5 * (1.0 + confidence)))
    effective, warning = _judged(instants, totals, begin, means, mean, spread)
    if period is not None:
        effective = math.inf
    return MeanRate(
        mean,
        quantile * spread / math.sqrt(BATCH_COUNT),
        confidence,
        end - begin,
        effective,
        warning,
    )


def settled_record(
    time: ArrayLike, accumulated: ArrayLike, *, confidence: float, start: float | None
) -> tuple[Floats, Floats]:
    """Return times [s] and totals of a record from `start` on, checked as in `mean_rate`."""
    instants, totals = _record(time, accumulated, confidence)
    begin = _begin(instants, start)
    first = int(np.searchsorted(instants, begin, side="right"))
    if instants[first - 1] == begin:
        return instants[first - 1 :], totals[first - 1 :]
    at_begin = np.interp([begin], instants, totals)
    return np.append([begin], instants[first:]), np.append(at_begin, totals[first:])


def rounding_of_differences(totals: Floats) -> float:
    """Return a bound of the rounding errors in differences of an accumulated quantity."""
    return 4.0 * float(np.finfo(np.float64).eps) * float(np.max(np.abs(totals)))


def relative(half_width: float, mean: float) -> float:
    """Return half width / |mean|. It is 0 for a zero width and infinite for a zero mean."""
    if half_width == 0.0:
        return 0.0
    return half_width / abs(mean) if mean != 0.0 else math.inf


def _record(time: ArrayLike, accumulated: ArrayLike, confidence: float) -> tuple[Floats, Floats]:
    instants = np.asarray(time, dtype=np.float64)
    totals = np.asarray(accumulated, dtype=np.float64)
    if instants.ndim != 1 or instants.shape != totals.shape:
        raise ValueError(
            f"time has the shape {instants.shape} and accumulated {totals.shape}: they must be "
            f"two rows of equal length"
        )
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence={confidence} must be between 0 and 1")
    if not (np.isfinite(instants).all() and np.isfinite(totals).all()):
        raise ValueError("time and accumulated must be finite")
    if instants.size > 1 and not (np.diff(instants) > 0.0).all():
        raise ValueError("time must increase strictly")
    return instants, totals


def _begin(instants: Floats, start: float | None) -> float:
    begin = float(instants[0]) if start is None and instants.size else start
    if begin is None or instants.size < 2 or not instants[0] <= begin < instants[-1]:
        raise ValueError(
            f"start={start} s must be in the time span of the run, which must contain at least "
            f"two samples"
        )
    return begin


def _whole_periods(begin: float, end: float, period: float) -> float:
    """Start of a run that contains as many periods as divide evenly into the batches."""
    require_finite("period", period, "s")
    if not period > 0.0:
        raise ValueError(f"period={period} s must be > 0")
    # Times written as i·dt fall short of a whole period by rounding.
    each = math.floor((end - begin) / (period * BATCH_COUNT) * (1.0 + 1e-9))
    if each < 1:
        raise ValueError(
            f"the run has {(end - begin) / period:.4g} periods of {period} s after its start and"
            f" must have at least {BATCH_COUNT}"
        )
    return max(begin, end - each * BATCH_COUNT * period)


def _judged(
    instants: np.ndarray[tuple[int], np.dtype[np.float64]],
    totals: np.ndarray[tuple[int], np.dtype[np.float64]],
    begin: float,
    means: np.ndarray[tuple[int], np.dtype[np.float64]],
    mean: float,
    spread: float,
) -> tuple[float, str]:
    """Number of effective samples, and the objection to the interval."""
    if spread == 0.0:
        return math.inf, ""
    inside = instants >= begin
    steps = np.diff(instants[inside])
    rates = np.diff(totals[inside]) / steps
    variance = float(np.average((rates - mean) ** 2, weights=steps))
    effective = variance / (spread * spread / BATCH_COUNT)
    deviations = means - mean
    correlation = float(np.dot(deviations[1:], deviations[:-1]) / np.dot(deviations, deviations))
    if correlation > _SUSPICIOUS_CORRELATION:
        return effective, (
            f"neighbouring batches of {(instants[-1] - begin) / BATCH_COUNT:.3g} s are correlated "
            f"(coefficient {correlation:.2f}): the run is too short, or still in its transient"
        )
    if effective < LEAST_EFFECTIVE_SAMPLES:
        return effective, (
            f"only {effective:.1f} effective samples in the run, too few for {BATCH_COUNT} batches"
        )
    return effective, ""
