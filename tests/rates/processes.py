"""Processes of wear with a mean rate of 1 per sample, drawn in pieces as a run is extended.

A process yields times and increments of wear. If it is constant for long or changes slowly, it
yields few times, so that a thousand long records take seconds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.signal import lfilter
from scipy.stats import norm

Floats = NDArray[np.float64]
Piece = tuple[Floats, Floats]
# A limit of all methods: a rare event that has not occurred is not in the record.
NOT_SEEN = "rare shocks over steady wear"
# Number of samples that are combined in a slow process.
COARSE = 100


@dataclass(frozen=True)
class Process:
    """A process of mean 1.

    Parameters
    ----------
    name : str
        Name in the table.
    deviation : float
        √(n Var) of the mean of n samples, n → ∞, or infinite if this limit does not exist.
    pieces : callable
        Function of a random generator that returns a generator. It receives numbers of samples and
        yields the times and increments of these samples, the times from 0.
    asked : bool
        Whether the intervals must be nearly as short as the ideal ones.
    """

    name: str
    deviation: float
    pieces: Callable[[np.random.Generator], Iterator[Piece]]
    asked: bool = False


def _even(increments: Floats, step: int = 1) -> Piece:
    return step * np.arange(1.0, increments.size + 1.0), increments


def _independent(
    draw: Callable[[np.random.Generator, int], Floats],
) -> Callable[..., Iterator[Piece]]:
    def pieces(random: np.random.Generator) -> Iterator[Piece]:
        count = yield  # type: ignore[misc]
        while True:
            count = yield _even(draw(random, count))

    return pieces


def _autoregressive(random: np.random.Generator, memory: float) -> Iterator[Floats]:
    """Yield normal numbers of variance 1. The correlation decreases by e over `memory`."""
    keep = math.exp(-1.0 / memory)
    last = random.normal()
    count = yield  # type: ignore[misc]
    while True:
        shocks = math.sqrt(1.0 - keep * keep) * random.standard_normal(count)
        values, _ = lfilter([1.0], [1.0, -keep], shocks, zi=[keep * last])
        last = values[-1]
        count = yield values


def _driven(
    memory: float, rate: Callable[[np.random.Generator, Floats], Floats], step: int = 1
) -> Callable[..., Iterator[Piece]]:
    """Return a rate that follows a slow normal process. `step` samples are combined."""

    def pieces(random: np.random.Generator) -> Iterator[Piece]:
        slow = _autoregressive(random, memory / step)
        next(slow)
        count = yield  # type: ignore[misc]
        while True:
            values = slow.send(count // step)  # type: ignore[attr-defined]
            count = yield _even(step * rate(random, values), step)

    return pieces


def _shocks(
    draw: Callable[[np.random.Generator, int], tuple[Floats, Floats]],
) -> Callable[..., Iterator[Piece]]:
    """Return wear at single samples. `draw` returns times and sizes for a number of samples."""

    def pieces(random: np.random.Generator) -> Iterator[Piece]:
        count = yield  # type: ignore[misc]
        while True:
            at, sizes = draw(random, count)
            at = np.floor(np.minimum(at, count - 1.0))
            order = np.argsort(at, kind="stable")
            at, first = np.unique(at[order], return_index=True)
            sums = np.add.reduceat(sizes[order], first) if at.size else sizes
            # The wear is added between the start and the end of the sample.
            instants = np.concatenate((at, at + 1.0, [float(count)]))
            amounts = np.concatenate((np.zeros(at.size), sums, [0.0]))
            order = np.argsort(instants, kind="stable")
            instants, amounts = instants[order], amounts[order]
            instants, first = np.unique(instants, return_index=True)
            amounts = np.add.reduceat(amounts, first)
            keep = instants > 0.0
            count = yield instants[keep], amounts[keep]

    return pieces


def _poisson(random: np.random.Generator, count: int, between: float) -> Floats:
    return random.uniform(0.0, count, random.poisson(count / between))


def _rare(
    between: float, sizes: Callable[[np.random.Generator, int], Floats]
) -> Callable[..., Iterator[Piece]]:
    def draw(random: np.random.Generator, count: int) -> tuple[Floats, Floats]:
        at = _poisson(random, count, between)
        return at, between * sizes(random, at.size)

    return _shocks(draw)


def _pareto(index: float) -> Callable[[np.random.Generator, int], Floats]:
    return lambda random, count: (
        (index - 1.0) / index * (1.0 - random.random(count)) ** (-1.0 / index)
    )


def _clusters(random: np.random.Generator, count: int) -> tuple[Floats, Floats]:
    # Clusters have ten shocks on average, geometrically distributed, with a mean distance of five
    # samples.
    starts = _poisson(random, count, 500.0)
    members = random.geometric(0.1, starts.size)
    which = np.repeat(np.arange(starts.size), members)
    gaps = random.exponential(5.0, which.size)
    ends = np.cumsum(gaps)
    first = np.concatenate(([0], np.cumsum(members)[:-1])) if members.size else members
    offset = ends - np.repeat(ends[first] - gaps[first], members) if members.size else ends
    return starts[which] + offset, 50.0 * random.exponential(1.0, which.size)


_FOUR = 4.0
_EXCEED = 2.0 * float(norm.sf(_FOUR))
_EXCESS = 2.0 * float(norm.pdf(_FOUR) - _FOUR * norm.sf(_FOUR))
_EXCESS_SQUARE = 2.0 * float((1.0 + _FOUR**2) * norm.sf(_FOUR) - _FOUR * norm.pdf(_FOUR))


def _above_four(random: np.random.Generator, count: int) -> tuple[Floats, Floats]:
    at = _poisson(random, count, 1.0 / _EXCEED)
    values = norm.isf(0.5 * _EXCEED * random.random(at.size))
    return at, (values - _FOUR) / _EXCESS


def _switching(
    on: Callable[[np.random.Generator, int], Floats],
    off: Callable[[np.random.Generator, int], Floats],
    rates: Callable[[np.random.Generator, int], tuple[Floats, Floats]],
    scale: float,
) -> Callable[..., Iterator[Piece]]:
    """Return two alternating rates. `on` and `off` draw lengths of mean 1 in units of `scale`."""

    def pieces(random: np.random.Generator) -> Iterator[Piece]:
        # A long stretch before the record, so that the record starts in a random phase.
        times, totals = np.zeros(1), np.zeros(1)
        begin = 100.0 * scale * random.uniform(0.5, 1.5)
        count = yield  # type: ignore[misc]
        while True:
            while times[-1] < begin + count:
                number = 256
                lengths = np.empty(2 * number)
                lengths[0::2], lengths[1::2] = on(random, number), off(random, number)
                high = np.empty(2 * number)
                high[0::2], high[1::2] = rates(random, number)
                lengths *= scale
                times = np.concatenate((times, times[-1] + np.cumsum(lengths)))
                totals = np.concatenate((totals, totals[-1] + np.cumsum(lengths * high)))
            inside = (times > begin) & (times < begin + count)
            instants = np.concatenate((times[inside], [begin + count]))
            added = np.interp(np.concatenate(([begin], instants)), times, totals)
            begin += count
            late = np.flatnonzero(times <= begin)[-1]
            times, totals = times[late:], totals[late:]
            count = yield instants - (begin - count), np.diff(added)

    return pieces


def _exponential(random: np.random.Generator, count: int) -> Floats:
    return random.exponential(1.0, count)


def _bursts(random: np.random.Generator, count: int) -> tuple[Floats, Floats]:
    return 50.0 * random.exponential(1.0, count), np.zeros(count)


def _long_memory(random: np.random.Generator) -> Iterator[Piece]:
    """Fractional normal noise with Hurst index 0.85 by a circulant, ± 30 % of coarse samples."""
    size, hurst = 1 << 17, 0.85
    lags = np.arange(size + 1.0)
    covariance = 0.5 * (
        (lags + 1.0) ** (2 * hurst) - 2.0 * lags ** (2 * hurst) + np.abs(lags - 1.0) ** (2 * hurst)
    )
    circle = np.concatenate((covariance, covariance[-2:0:-1]))
    power = np.maximum(np.fft.rfft(circle).real, 0.0)
    white = np.fft.rfft(random.standard_normal(2 * size))
    noise = np.fft.irfft(np.sqrt(power) * white, 2 * size)[:size]
    place = 0
    count = yield  # type: ignore[misc]
    while True:
        number = count // COARSE
        part = noise[place : place + number]
        place += number
        count = yield _even(COARSE * (1.0 + 0.3 * part), COARSE)


def _sine(random: np.random.Generator) -> Iterator[Piece]:
    phase, place = random.uniform(0.0, 2.0 * math.pi), 0
    count = yield  # type: ignore[misc]
    while True:
        angle = 2.0 * math.pi / 7013.0 * np.arange(place, place + count) + phase
        place += count
        count = yield _even(1.0 + 0.8 * np.sin(angle) + 3.0 * random.standard_normal(count))


def _beat(random: np.random.Generator) -> Iterator[Piece]:
    """(sin a + sin b)² with periods of 37 and 37.3 samples, reduced to coarse samples."""
    phase, place = random.uniform(0.0, 2.0 * math.pi), 0.0
    wave = 2.0 * math.pi * (1.0 / 37.0 - 1.0 / 37.3)
    count = yield  # type: ignore[misc]
    while True:
        instants = place + COARSE * np.arange(count // COARSE + 1.0)
        place = float(instants[-1])
        totals = instants + np.sin(wave * instants + phase) / wave
        count = yield _even(np.diff(totals), COARSE)


_SELDOM = 1e5


def _seldom_over_steady(random: np.random.Generator) -> Iterator[Piece]:
    """A fifth of the wear is in shocks. Few records contain one before their rate is known."""
    count = yield  # type: ignore[misc]
    while True:
        increments = 0.8 * (1.0 + 0.1 * random.standard_normal(count))
        at = _poisson(random, count, _SELDOM).astype(int)
        np.add.at(increments, at, 0.2 * _SELDOM * random.exponential(1.0, at.size))
        count = yield _even(increments)


def _regular(random: np.random.Generator, count: int) -> tuple[Floats, Floats]:
    at = 977.0 * (np.arange(count // 977) + random.uniform(0.0, 1.0))
    at += 977.0 * 0.1 * random.standard_normal(at.size)
    sizes = random.exponential(count / max(1, at.size), at.size)
    return np.clip(at, 0.0, None), sizes


def _alternating(random: np.random.Generator) -> Iterator[Piece]:
    last = random.standard_normal(1)
    count = yield  # type: ignore[misc]
    while True:
        shocks = np.concatenate((last, random.standard_normal(count)))
        last = shocks[-1:]
        count = yield _even(1.0 + 6.0 * (shocks[1:] - 0.5 * shocks[:-1]))


def _memory_factor(memory: float) -> float:
    """Return √(Σ of all correlations) of `_autoregressive`."""
    return math.sqrt(1.0 / math.tanh(0.5 / memory))


def _slow_and_white(slow: float, white: float) -> Callable[[np.random.Generator, Floats], Floats]:
    return lambda random, drift: (
        1.0 + slow * drift + white / math.sqrt(COARSE) * random.standard_normal(drift.size)
    )


def _log_drift(random: np.random.Generator, drift: Floats) -> Floats:
    return np.exp(drift - 0.5) * random.gamma(float(COARSE), 1.0 / COARSE, drift.size)


def _volatile(random: np.random.Generator, slow: Floats) -> Floats:
    return np.exp(0.7 * slow - 0.245) * random.exponential(1.0, slow.size)


# ∫ (exp(v e^(−t)) − 1) dt from −∞ to ∞ = 2 Σ vᵏ/(k k!)
def _log_memory(variance: float) -> float:
    return 2.0 * sum(variance**k / (k * math.factorial(k)) for k in range(1, 40))


PROCESSES = (
    Process("white", 3.0, _independent(lambda r, n: 1.0 + 3.0 * r.standard_normal(n)), True),
    Process("AR(10)", _memory_factor(10.0), _driven(10.0, lambda r, x: 1.0 + x), True),
    Process(
        "AR(100)", 0.5 * _memory_factor(100.0), _driven(100.0, lambda r, x: 1.0 + 0.5 * x), True
    ),
    Process("AR(1000)", 0.3 * _memory_factor(1000.0), _driven(1000.0, lambda r, x: 1.0 + 0.3 * x)),
    Process(
        "lognormal, σ = 2",
        math.sqrt(math.expm1(4.0)),
        _independent(lambda r, n: np.exp(2.0 * r.standard_normal(n) - 2.0)),
    ),
    Process(
        "gamma, shape 0.1", math.sqrt(10.0), _independent(lambda r, n: 10.0 * r.gamma(0.1, 1.0, n))
    ),
    Process("Pareto 1.5", math.inf, _independent(_pareto(1.5))),
    Process("Pareto 2.5 once in 20", math.sqrt(20.0 * 1.8), _rare(20.0, _pareto(2.5))),
    Process("shocks once in 1000", math.sqrt(2000.0), _rare(1000.0, _exponential)),
    Process("regular shocks", math.sqrt(977.0), _shocks(_regular)),
    Process("clusters of shocks", math.sqrt(500.0 * (1.9 + 0.1)), _shocks(_clusters)),
    Process("above 4σ", math.sqrt(_EXCESS_SQUARE) / _EXCESS, _shocks(_above_four)),
    Process(
        "bursts in 2 % of the time",
        # Compound of lengths with E l² = 2, each at a rate with E r² = 2.
        math.sqrt(1e4 * (4.0 - 2.0 * 0.02 + 0.02**2 + 0.98**2 - 1.0)),
        _switching(
            lambda r, n: 0.02 * _exponential(r, n),
            lambda r, n: 0.98 * _exponential(r, n),
            _bursts,
            1e4,
        ),
    ),
    Process(
        "two rates by turns",
        # Rates 1 ± ½, each for 5000 samples on average.
        math.sqrt(0.25 * 5000.0),
        _switching(
            _exponential, _exponential, lambda r, n: (np.full(n, 1.5), np.full(n, 0.5)), 5000.0
        ),
    ),
    Process(
        "on and off, lengths Pareto 1.5",
        math.inf,
        _switching(_pareto(1.5), _pareto(1.5), lambda r, n: (np.full(n, 2.0), np.zeros(n)), 100.0),
    ),
    Process(
        "slow drift and white",
        math.sqrt(0.09 * _memory_factor(2e4) ** 2 + 1.0),
        _driven(2e4, _slow_and_white(0.3, 1.0), COARSE),
    ),
    Process(
        "slow drift by a factor",
        math.sqrt(_log_memory(1.0) * 2e4 + 1.0),
        _driven(2e4, _log_drift, COARSE),
    ),
    Process(
        "changing scatter",
        math.sqrt(_log_memory(0.49) * 200.0 + math.exp(0.49)),
        _driven(200.0, _volatile),
    ),
    Process("long memory, H = 0.85", math.inf, _long_memory),
    Process("sine of unknown period", 3.0, _sine),
    Process("beat of two sines", math.inf, _beat),
    Process("alternating", 3.0, _alternating),
    Process(NOT_SEEN, math.sqrt(0.2**2 * 2.0 * _SELDOM + 0.08**2), _seldom_over_steady),
)
