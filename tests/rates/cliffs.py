"""Coverage of the error bar of service lives with discontinuous rates, by a closed form.

A rate decreases slowly with the depth, as under a spring. It is multiplied by a factor from a
random depth on, or between two depths: falling, rising, a dip, a peak. The time to a depth is known
in closed form.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from wearmodel.statistics.cycle_jump import WearRates, wear_life

Floats = NDArray[np.float64]

KINDS = ("falling", "rising", "dips", "peaks")
# Relative errors of the rates.
ERRORS = (0.0, 0.02)
# Widths of dips and peaks, as shares of the depth that is worn without them.
NARROWEST, WIDEST = 0.01, 0.1
# Largest decay of the smooth part of a rate, per depth of 1.
_DECAY = 0.5


@dataclass(frozen=True)
class CliffRate:
    """A rate ḣ(h) = e^(−ch), times a factor for begin ≤ h < end.

    Parameters
    ----------
    decay : float
        c ≥ 0.
    begin, end : float
        Depths; `end` may be infinite.
    factor : float
        > 0.
    """

    decay: float
    begin: float
    end: float
    factor: float

    def __call__(self, depth: float) -> float:
        """Return the rate at a depth."""
        inside = self.begin <= depth < self.end
        return math.exp(-self.decay * depth) * (self.factor if inside else 1.0)

    def time(self, depth: float) -> float:
        """Return the time after which a depth is reached."""
        inside = min(max(depth, self.begin), self.end)
        before, after = self._evenly(self.begin), self._evenly(inside)
        if depth < self.begin:
            return self._evenly(depth)
        return before + (after - before) / self.factor + self._evenly(depth) - after

    def depth(self, time: float) -> float:
        """Return the depth after a time."""
        most = 2.0 * max(1.0, self.factor) * time
        return float(brentq(lambda depth: self.time(depth) - time, 0.0, most, xtol=1e-15))

    def _evenly(self, depth: float) -> float:
        return math.expm1(self.decay * depth) / self.decay if self.decay > 0.0 else depth


def cliff_rate(kind: str, random: np.random.Generator) -> CliffRate:
    """Draw a rate of a kind that wears a depth of about 1 in a time of 1."""
    decay = _DECAY * random.random()
    smooth = CliffRate(decay, math.inf, math.inf, 1.0).depth(1.0)
    begin = smooth * random.uniform(0.02, 0.9)
    strength = math.exp(random.uniform(math.log(1.25), math.log(20.0)))
    factor = 1.0 / strength if kind in ("falling", "dips") else strength
    width = smooth * math.exp(random.uniform(math.log(NARROWEST), math.log(WIDEST)))
    end = begin + width if kind in ("dips", "peaks") else math.inf
    return CliffRate(decay, begin, end, factor)


@dataclass(frozen=True)
class CliffOutcome:
    """Results of the lives with rates of one kind.

    Parameters
    ----------
    kind : str
        Kind of the rates.
    error : float
        Relative error of the rates, equal in all depths of a life, and also the stated error.
    lives : int
        Number of lives.
    outside : int
        Number of lives whose closed form is outside the error bar at the end.
    worst : float
        Largest distance outside the error bar, relative to the depth.
    bar : float
        Median error bar, relative to the depth.
    asked : float
        Median number of requested depths.
    refused : int
        Number of lives that end with an error instead of a depth.
    """

    kind: str
    error: float
    lives: int
    outside: int
    worst: float
    bar: float
    asked: float
    refused: int


def cliff_outcome(kind: str, lives: int, *, error: float = 0.0, seed: int = 1) -> CliffOutcome:
    """Compute lives with random rates. A tenth of `error` differs from depth to depth."""
    outside = refused = 0
    worst = 0.0
    bars, asked = [], []
    for random in np.random.default_rng(seed).spawn(lives):
        rate = cliff_rate(kind, random)
        calls: list[float] = []
        try:
            last = wear_life(_erring(rate, error, random, calls), 1.0)[-1]
        except ValueError:
            refused += 1
            continue
        depth = rate.depth(1.0)
        beyond = abs(last.depths[0] - depth) - last.bars[0]
        # A difference by rounding is inside the error bar.
        outside += beyond > 1e-12
        worst = max(worst, beyond / depth)
        bars.append(last.bars[0] / depth)
        asked.append(len(calls))
    return CliffOutcome(
        kind, error, lives, outside, worst, float(np.median(bars)), float(np.median(asked)), refused
    )


def _erring(
    rate: CliffRate, error: float, random: np.random.Generator, calls: list[float]
) -> Callable[[Floats], WearRates]:
    shared = random.uniform(-0.9, 0.9)

    def wear_rates(depths: Floats) -> WearRates:
        calls.append(float(depths[0]))
        rates = np.array([rate(depth) for depth in depths])
        own = random.uniform(-0.1, 0.1, rates.size)
        return WearRates(rates * (1.0 + error * (shared + own)), rates * error)

    return wear_rates
