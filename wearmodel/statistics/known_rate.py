"""Mean rate of an accumulating record, its interval, and whether it is known.

A run determines a mean rate only if it contains enough events. A record is judged in four ways:

- **Without events the rate is only bounded.** If a record has no wear, the rate of independent
  events is below 3/T at 95 % (the rule of three, −ln 0.05 = 3.0).
- **Few events give no interval.** Events are runs of wear between two times without wear, or peaks
  of the rate if it is hardly ever zero. A constant rate is one event.
- **Correlation.** The record is divided into 128, 64, 32, 16 and 8 equal blocks. If blocks are
  independent, all divisions give the same variance of the mean. If they are correlated, longer
  blocks give a larger variance, by the factor 1 + 2ρ with the correlation ρ of neighbours. The
  widest of Student's intervals is used. The variance of the mean is the spectrum at frequency zero.
  A sufficiently long record has a flat spectrum at its 16 and at its 64 lowest frequencies. If it
  decreases there beyond chance (a score test, 2.3 % each), the record is too short or no length is
  sufficient, and its mean is not known.
- **Heavy tails.** The largest events may be missing in the record. Hill's estimate α of the tail
  index, of independent blocks or of the events, widens the upper side. The mean of a record is too
  small more often, and by more, the smaller α is. At α ≤ 1 the mean does not exist.

The factor of the upper side, 2/(α − 1) + ½ standard errors, is the factor for self-normalised sums
of a Pareto law: they need 6.8 at α = 1.3, 4.1 at 1.5, 2.6 at 2 and 2.2 at 2.5 for 97.5 % (Logan,
Mallows, Rice and Shepp, Ann. Prob. 1 (1973) 788, for the limit). It uses the observed scatter,
which is too small if large events are missing. If the tail shows beyond chance (2.3 %) that its
variance is infinite, a power law replaces the k largest parts. With u the next part, all counted
from the median, they add k u α/(α − 1) to the sum of the others. The median is subtracted because a
steady part of the wear would make the tail look lighter. The error of this mean includes the error
of the other parts, the term 1/√k of k, and the effect of α (1 − 1/√k) instead of α. The upper side
of the interval is at least this mean with its error. docs/verification.md gives the coverage of the
intervals.

A record cannot show rare events that did not occur, even if they add much to an otherwise steady
rate. It cannot show changes that are slower than itself. Therefore accept a rate only if a record
four times as long gives it too. `KnownRate.is_steady` compares the quarters of a record by an F
test. The rate is then valid for processes faster than a quarter of the record.

Sources:

- Batch means: G. Fishman, "Discrete-Event Simulation", Springer 2001, ch. 6.
- Score test of a long memory: I. Lobato and P. Robinson, Rev. Econ. Stud. 65 (1998) 475.
- Tail index: B. Hill, Ann. Stat. 3 (1975) 1163.
- Mean by a law of the tail: L. Peng, Stat. Probab. Lett. 52 (2001) 255.
- Rule of three: J. Hanley and A. Lippman-Hand, J. Am. Med. Assoc. 249 (1983) 1743.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from wearmodel.arrays import Floats

from ..quantities import require_finite

# Batches of whole periods. Student's quantile at 20 batches is 7 % above the normal one.
BATCH_COUNT = 20
# Correlation of neighbouring batches at which a one-sided test at 1 % rejects independence.
_SUSPICIOUS_CORRELATION = 2.326 / math.sqrt(BATCH_COUNT)
# With fewer effective samples the batches are shorter than the correlation time.
_LEAST_EFFECTIVE_SAMPLES = 2.0 * BATCH_COUNT
# Largest and smallest number of blocks for the variance of the mean. If the spectrum decreases at
# low frequencies, half of the smallest number is also used.
_MOST_COMPARED, _FEWEST_COMPARED = 128, 8
# In standard errors. The lag-one correlation of m independent blocks exceeds 2/√m with 2.3 %.
_SUSPICIOUS = 2.0
# Numbers of lowest frequencies in the score test. They detect correlation without a limit, and the
# spectrum is flat there if a record is some hundred times longer than its correlation.
_LOWEST_FREQUENCIES = (16, 64)
# Limit of the normal deviate of the score test. White noise exceeds it with 2.3 %.
_SUSPICIOUS_SLOPE = 2.0
# Largest number of blocks for the spectrum. It contains all tested frequencies.
_SPECTRUM_BLOCKS = 2048
# Blocks are independent for the tail if the correlation of neighbours is smaller.
_SMALL_CORRELATION = 0.2
# More blocks add no information on the tail.
_MOST_BLOCKS = 1 << 17
# With fewer events an interval would be a guess.
LEAST_EVENTS = 20
# Share of the time with wear above which peaks of the rate are counted instead of wear events. The
# few pauses would give few events, even if the rate varies a lot between them.
_HARDLY_STILL = 0.9
# Number of events that shows approximately how large they are.
_EVENTS_THAT_SIZE = 5
# Least number of events, and of equal independent events with the same scatter. With fewer, the
# scatter is so uncertain that the time needed could be wrong by more than a factor of 3.
_LEAST_EFFECTIVE = 12.0
# Number of parts of a record that are compared with each other, and of blocks in each part.
_QUARTERS = 4
_BLOCKS_OF_A_QUARTER = 8
# Level of the F test of the quarters.
_DRIFT_BY_CHANCE = 0.023
# Confidence of bounds on events.
_ONE_SIDED = 0.95
# Least number k of parts in a tail. The relative error of Hill's estimate is 1/√k.
_LEAST_TAIL = 20
# Least number of parts if the law of the tail represents unobserved events (error of α: 10 %).
_SURE_TAIL = 100
# Index of the tail below which its variance is infinite.
_FINITE_VARIANCE = 2.0


@dataclass(frozen=True)
class KnownRate:
    """Mean rate, its interval, and the reason if it is not known."""

    #: Increase divided by the duration, in the unit of the accumulated quantity per second.
    mean: float
    #: Interval. `upper` is infinite if the record gives no bound.
    lower: float
    upper: float
    confidence: float  #: Probability that such intervals contain the true mean.
    duration: float  #: Averaged time [s].
    #: Number of runs of samples in which the quantity grows, or of peaks of its rate if the rate is
    #: hardly ever zero. Infinite for a deterministic record.
    events: float
    #: Standard error of the mean from sufficiently long blocks, without a safety margin.
    standard_error: float
    reason: str = ""  #: Reason why the mean is not known. Empty if it is known.
    #: Whether `standard_error` can be extrapolated to other durations.
    scatter_is_known: bool = True
    largest_event: float = 0.0  #: Largest contribution of an event or of an independent block.
    tail: float = 0.0  #: Part of the upper side of the interval that only a heavy tail explains.
    is_steady: bool = True  #: Whether the four quarters of the record differ by chance only.

    @property
    def half_width(self) -> float:
        """Longer side of the interval."""
        return max(self.upper - self.mean, self.mean - self.lower)

    @property
    def relative_half_width(self) -> float:
        """half_width / |mean|. Infinite for a mean of zero with a nonzero interval."""
        if self.half_width == 0.0:
            return 0.0
        return self.half_width / abs(self.mean) if self.mean != 0.0 else math.inf

    @property
    def effective_samples(self) -> float:
        """Number of equal independent events with the same scatter. Infinite without scatter."""
        if self.standard_error == 0.0:
            return math.inf
        return (self.mean / self.standard_error) ** 2

    def time_needed(self, half_width: float) -> float | None:
        """Duration [s] after which 95 % of means are within a half width, or `None` if unknown.

        The half width has the unit of `mean`.
        """
        if not self.scatter_is_known or self.mean == 0.0 or not half_width > 0.0:
            return None
        return self.duration * (NORMAL * self.standard_error / half_width) ** 2


# Quantile of a normal law for 95 % on both sides.
NORMAL = 1.959963984540054


def known_rate(
    time: ArrayLike,
    accumulated: ArrayLike,
    *,
    confidence: float = 0.95,
    start: float | None = None,
    period: float | None = None,
    certain: bool = False,
) -> KnownRate:
    """Return the mean rate of an accumulating record such as wear_work.

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
        Period of the input [s]. The record is then deterministic. Batches have whole numbers of
        periods, and the remainder is removed from the start. For a steady vibration the half width
        is 0 or a rounding error. If the batches drift, the interval is about their range.
    certain : bool
        Whether the excitation is deterministic. A record without wear then has the rate zero.

    Raises
    ------
    ValueError
        Arrays have different lengths, values are not finite, times do not increase, the confidence
        is outside (0, 1), or there are fewer than two samples (with a period: fewer than 20
        periods) after `start`.
    """
    instants, totals, begin = _checked(time, accumulated, confidence, start)
    if period is not None:
        return _periodic(instants, totals, confidence, begin, period)
    instants, totals = _settled(instants, totals, begin)
    duration = float(instants[-1] - instants[0])
    mean = float(totals[-1] - totals[0]) / duration
    increments = np.diff(totals)
    rounding = _rounding_of_differences(totals)
    moves = np.abs(increments) > rounding
    if not moves.any():
        upper = 0.0 if certain else math.inf
        told = "" if certain else _no_event(duration)
        return KnownRate(0.0, 0.0, upper, confidence, duration, 0.0, 0.0, told, certain)
    blocks = _equal_blocks(instants, totals)
    spread, width, alike = _from_blocks(blocks, duration, confidence, rounding)
    first = np.flatnonzero(moves & ~np.concatenate(([False], moves[:-1])))
    spans = np.diff(instants)
    still = float(np.sum(spans[moves])) < _HARDLY_STILL * duration
    events: float = first.size if still else _peaks(increments / spans)
    if certain and spread == 0.0:
        events = math.inf
    if spread == 0.0 and events >= LEAST_EVENTS:
        return KnownRate(mean, mean, mean, confidence, duration, events, 0.0)
    sizes = np.add.reduceat(increments, first) if still else np.zeros(0)
    independent = _independent(blocks)
    # Events describe a tail better than blocks that contain several of them, or part of one.
    parts = sizes if still and 1 < sizes.size <= independent.size else independent
    index = _tail_index(parts)
    largest = float(np.max(parts))
    heavy = math.inf if index <= 1.0 else (2.0 / (index - 1.0) + 0.5) * spread
    # The tail widens the upper side only. The lower side is at least 0 for an increasing quantity.
    upper = mean + max(width, heavy * _quantile(math.inf, confidence) / NORMAL)
    upper = max(upper, mean + _more_by_power_law(parts, confidence) / duration)
    lower = mean - width
    if not (increments < -rounding).any():
        lower = max(0.0, lower)
    reason = ""
    if index <= 1.0:
        reason = (
            f"the largest contributions in {duration:.4g} s have a tail of index {index:.2g}: "
            f"such a distribution has no mean"
        )
    elif math.isinf(upper):
        reason = (
            f"the largest contributions in {duration:.4g} s have a tail of index 1 or slightly more"
        )
    elif alike:
        reason = f"the rate still changes over times as long as the record of {duration:.4g} s"
    elif events < LEAST_EVENTS:
        reason = (
            f"only {events:.0f} event{'' if events == 1 else 's'} of wear in {duration:.4g} s,"
            f" fewer than {LEAST_EVENTS}"
        )
    effective = (mean / spread) ** 2 if spread > 0.0 else 0.0
    scatter_is_known = (
        not alike and index > _FINITE_VARIANCE and min(events, effective) >= _LEAST_EFFECTIVE
    )
    return KnownRate(
        mean,
        lower,
        upper,
        confidence,
        duration,
        events,
        spread,
        reason,
        scatter_is_known,
        largest,
        max(0.0, upper - mean - width),
        _quarters_agree(instants, totals),
    )


def bounded_by_events(rate: KnownRate, size: float) -> KnownRate:
    """Return a rate with few events with a one-sided bound instead of its interval.

    upper = q n₉₅/T: at most n₉₅ independent events in T, each at most q. n₉₅ is Poisson's upper
    95 % bound for the observed number (3.0 for zero events).

    q is `size` ≥ 0, the largest event of similar records, in the unit of the accumulated quantity.
    If the record has at least five events, its own largest event is used. With 0 there is no bound.
    A rate with `LEAST_EVENTS` events or more is returned unchanged.
    """
    if rate.events >= LEAST_EVENTS or rate.relative_half_width == 0.0:
        return rate
    largest = rate.largest_event
    if rate.events < _EVENTS_THAT_SIZE:
        largest = max(size, largest)
    if largest == 0.0:
        return rate
    from scipy.special import gammaincinv

    count = float(gammaincinv(rate.events + 1.0, _ONE_SIDED))
    upper = max(count * largest / rate.duration, rate.mean)
    return replace(rate, lower=0.0, upper=upper)


def _no_event(duration: float) -> str:
    between = duration / -math.log1p(-_ONE_SIDED)
    return (
        f"no wear in {duration:.4g} s: less than one event in {between:.4g} s with 95 %, if events"
        " are independent"
    )


def _checked(
    time: ArrayLike, accumulated: ArrayLike, confidence: float, start: float | None
) -> tuple[Floats, Floats, float]:
    """Times [s], totals, and the end of the transient [s]."""
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
    begin = float(instants[0]) if start is None and instants.size else start
    if begin is None or instants.size < 2 or not instants[0] <= begin < instants[-1]:
        raise ValueError(
            f"start={start} s must be in the time span of the run, which must contain at least "
            f"two samples"
        )
    return instants, totals, begin


def _settled(instants: Floats, totals: Floats, begin: float) -> tuple[Floats, Floats]:
    """Return the part of a record from `begin` [s] on, with a sample at this time."""
    first = int(np.searchsorted(instants, begin, side="right"))
    if instants[first - 1] == begin:
        return instants[first - 1 :], totals[first - 1 :]
    at_begin = np.interp([begin], instants, totals)
    return np.append([begin], instants[first:]), np.append(at_begin, totals[first:])


def _rounding_of_differences(totals: Floats) -> float:
    """Bound of the rounding errors in differences of an accumulated quantity."""
    return 4.0 * float(np.finfo(np.float64).eps) * float(np.max(np.abs(totals)))


def _periodic(
    instants: Floats, totals: Floats, confidence: float, begin: float, period: float
) -> KnownRate:
    end = float(instants[-1])
    begin = _whole_periods(begin, end, period)
    borders = np.linspace(begin, end, BATCH_COUNT + 1)
    means = np.diff(np.interp(borders, instants, totals)) / ((end - begin) / BATCH_COUNT)
    mean, spread = float(np.mean(means)), float(np.std(means, ddof=1))
    if spread <= _rounding_of_differences(totals) / ((end - begin) / BATCH_COUNT):
        spread = 0.0
    width = _quantile(BATCH_COUNT - 1, confidence) * spread / math.sqrt(BATCH_COUNT)
    if spread > 0.0:
        inside = instants >= begin
        steps = np.diff(instants[inside])
        rates = np.diff(totals[inside]) / steps
        variance = float(np.average((rates - mean) ** 2, weights=steps))
        effective = variance / (spread * spread / BATCH_COUNT)
        # The batches drift, so their range is not random.
        if _correlation(means) > _SUSPICIOUS_CORRELATION or effective < _LEAST_EFFECTIVE_SAMPLES:
            width *= math.sqrt(BATCH_COUNT)
    return KnownRate(
        mean,
        mean - width,
        mean + width,
        confidence,
        end - begin,
        math.inf,
        0.0,
        scatter_is_known=False,
    )


def _whole_periods(begin: float, end: float, period: float) -> float:
    """Start [s] of the largest number of last periods that divides evenly into the batches."""
    require_finite("period", period, "s")
    if not period > 0.0:
        raise ValueError(f"period={period} s must be > 0")
    # Times written as i·dt may be shorter than a whole period by rounding.
    each = math.floor((end - begin) / (period * BATCH_COUNT) * (1.0 + 1e-9))
    if each < 1:
        raise ValueError(
            f"the run has {(end - begin) / period:.4g} periods of {period} s after its start and"
            f" must have at least {BATCH_COUNT}"
        )
    return max(begin, end - each * BATCH_COUNT * period)


def _equal_blocks(instants: Floats, totals: Floats) -> Floats:
    """Increments of blocks of equal duration. Their number is a power of 2, from 128 to 2^17."""
    fewest = _MOST_COMPARED.bit_length() - 1
    power = min(max(fewest, (instants.size - 1).bit_length() - 1), _MOST_BLOCKS.bit_length() - 1)
    borders = np.linspace(instants[0], instants[-1], (1 << power) + 1)
    return np.diff(np.interp(borders, instants, totals))


def _quarters_agree(instants: Floats, totals: Floats) -> bool:
    """Whether the scatter of the means of four quarters agrees with their blocks (F test)."""
    from scipy.special import fdtrc

    count = _QUARTERS * _BLOCKS_OF_A_QUARTER
    borders = np.linspace(instants[0], instants[-1], count + 1)
    blocks = np.diff(np.interp(borders, instants, totals)).reshape(_QUARTERS, -1)
    within = float(np.mean(np.var(blocks, axis=1, ddof=1)))
    between = _BLOCKS_OF_A_QUARTER * float(np.var(np.mean(blocks, axis=1), ddof=1))
    if within == 0.0:
        return between == 0.0
    probability = fdtrc(_QUARTERS - 1, count - _QUARTERS, between / within)
    return bool(probability >= _DRIFT_BY_CHANCE)


def _paired(blocks: Floats) -> Floats:
    return blocks[0::2] + blocks[1::2]


def _peaks(rates: Floats) -> int:
    """Number of maxima of a rate, without differences by rounding."""
    changes = np.diff(rates)
    changes = changes[np.abs(changes) > 1e-9 * float(np.max(np.abs(rates)))]
    return int(np.count_nonzero((changes[:-1] > 0.0) & (changes[1:] < 0.0)))


def _correlation(blocks: Floats) -> float:
    """Correlation of neighbours, or 0 if all blocks are equal."""
    deviations = blocks - np.mean(blocks)
    # The threads of np.dot would cost more than this short sum.
    square = float(np.sum(deviations * deviations))
    return float(np.sum(deviations[1:] * deviations[:-1])) / square if square > 0.0 else 0.0


def _from_blocks(
    blocks: Floats, duration: float, confidence: float, rounding: float
) -> tuple[float, float, bool]:
    """Standard error of the mean, half width of its interval, and result of the score test."""
    is_alike = _falls_at_low_frequencies(blocks)
    while blocks.size > _MOST_COMPARED:
        blocks = _paired(blocks)
    fewest = _FEWEST_COMPARED // 2 if is_alike else _FEWEST_COMPARED
    errors, widths = [], []
    while (count := blocks.size) >= fewest:
        spread = float(np.std(blocks, ddof=1))
        error = 0.0 if spread <= rounding else math.sqrt(count) * spread / duration
        errors.append(error)
        # Var = s²/m (1 + 2 Σ ρ): the remaining correlation of the longer blocks.
        left = 1.0
        if count > _FEWEST_COMPARED:
            left += 2.0 * max(0.0, _correlation(blocks))
        widths.append(_quantile(count - 1, confidence) * error * math.sqrt(left))
        blocks = _paired(blocks)
    # The median of the longer blocks: memory or chance in few blocks does not affect it.
    return float(np.median(errors[1:])), max(widths), is_alike


def _falls_at_low_frequencies(blocks: Floats) -> bool:
    """Whether the spectrum decreases beyond chance at the lowest frequencies (score test).

    I_j is the periodogram and ν_j = ln j minus its mean. If the spectrum is flat,
    −Σ ν_j I_j/(Ī √Σν_j²) is a normal deviate.
    """
    while blocks.size > _SPECTRUM_BLOCKS:
        blocks = _paired(blocks)
    power = np.abs(np.fft.rfft(blocks - np.mean(blocks))[1:]) ** 2
    for count in _LOWEST_FREQUENCIES:
        lowest = power[:count]
        mean = float(np.mean(lowest))
        logarithms = np.log(np.arange(1.0, lowest.size + 1.0))
        logarithms -= np.mean(logarithms)
        scale = mean * math.sqrt(float(np.dot(logarithms, logarithms)))
        if scale > 0.0 and -float(np.dot(logarithms, lowest)) > _SUSPICIOUS_SLOPE * scale:
            return True
    return False


def _independent(blocks: Floats) -> Floats:
    """Return the shortest blocks that are nearly uncorrelated."""
    while blocks.size > _MOST_COMPARED and _correlation(blocks) > max(
        _SMALL_CORRELATION, _SUSPICIOUS / math.sqrt(blocks.size)
    ):
        blocks = _paired(blocks)
    return blocks


def _tail_count(parts: Floats) -> int:
    """Number of parts in the tail."""
    return min(parts.size // 4, max(_LEAST_TAIL, round(2.0 * math.sqrt(parts.size))))


def _tail_index(parts: Floats) -> float:
    """Hill's estimate of the index of the upper tail, infinite if there are too few parts."""
    count = _tail_count(parts)
    if count < _LEAST_TAIL:
        return math.inf
    largest = np.partition(parts, parts.size - count - 1)[parts.size - count - 1 :]
    least = float(largest.min())
    if not least > 0.0:
        return math.inf
    excess = float(np.sum(np.log(largest / least)))
    return count / excess if excess > 0.0 else math.inf


def _more_by_power_law(parts: Floats, confidence: float) -> float:
    """Excess of the upper bound of the parts' sum if a power law represents the tail.

    It has the unit of `parts`. It is infinite if the law may not have a mean, and 0 if the law may
    have a variance.
    """
    count = _tail_count(parts)
    if count < _SURE_TAIL:
        return 0.0
    # Blocks without events are not part of the law.
    came = parts[parts != 0.0]
    ordered = parts - np.median(came) if came.size else parts
    others, tail = np.split(np.partition(ordered, parts.size - count - 1), [parts.size - count])
    least = float(others[-1])
    if not least > 0.0:
        return 0.0
    index = count / float(np.sum(np.log(tail / least)))
    error = 1.0 / math.sqrt(count)
    if index * (1.0 + _SUSPICIOUS * error) >= _FINITE_VARIANCE:
        return 0.0
    lower = index * (1.0 - error)
    if lower <= 1.0:
        return math.inf
    law = count * least * index / (index - 1.0)
    heavier = count * least * lower / (lower - 1.0)
    body = math.sqrt(others.size) * float(np.std(others))
    errors = math.hypot(body, error * law, heavier - law)
    return law - float(np.sum(tail)) + _quantile(math.inf, confidence) * errors


def _quantile(freedom: float, confidence: float) -> float:
    from scipy.special import ndtri, stdtrit

    probability = 0.5 * (1.0 + confidence)
    if math.isinf(freedom):
        return float(ndtri(probability))
    return float(stdtrit(freedom, probability))
