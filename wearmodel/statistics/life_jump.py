"""One extrapolation step over service time: rates at five depths, and the error of its wear."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .paired_blocks import added, half_widths

Floats = NDArray[np.float64]

# Share of the range of the five rates of a step by which two neighbours differ at a sudden change.
# It is a quarter if the rate changes evenly.
_CLIFF_UNEVEN = 0.45
# Differences between the midpoint rule and the trapezoidal rule in both halves, and Simpson's rule.
_RULES = np.array(
    [
        [-0.5, 1.0, -0.5, 0.0, 0.0],
        [0.0, 0.0, -0.5, 1.0, -0.5],
        [1.0 / 6.0, -0.5, 4.0 / 6.0, -0.5, 1.0 / 6.0],
    ]
)


@dataclass(frozen=True)
class WearRates:
    """Rates at which depths grow, and their errors.

    Parameters
    ----------
    rates : array (n,)
        ḣ [m/s], one for each depth.
    half_widths : array (n,)
        Half widths [m/s], ≥ 0, of errors that are the same at all depths.
    step_half_widths : array (n,), optional
        The part of `half_widths` that is the time step of the runs [m/s]. The default is 0.
    blocks : array (b, n), optional
        Errors by blocks of time [m/s], see `paired_blocks`. They are added to `half_widths`.
    carried : array (n,), optional
        Rates [m/s] in whose proportion an error of a depth grows or decreases. The default is
        `rates`. They differ if a rate also changes with the time.
    longest : float
        Longest time [s] of half an extrapolation step from these depths.
    """

    rates: Floats
    half_widths: Floats
    step_half_widths: Floats | None = None
    blocks: Floats | None = None
    carried: Floats | None = None
    longest: float = math.inf

    @property
    def split(self) -> Floats:
        """Half widths (2, n) without the time step, and of the time step."""
        step = self.step_half_widths
        step = np.zeros_like(self.half_widths) if step is None else step
        return np.array([self.half_widths - step, step])

    @property
    def errors(self) -> Floats:
        """Errors by blocks (b, n)."""
        return np.zeros((1, self.rates.size)) if self.blocks is None else self.blocks

    @property
    def intervals(self) -> Floats:
        """Half widths of the intervals [m/s], (n,)."""
        return self.half_widths + half_widths(self.errors)

    @property
    def carried_rates(self) -> Floats:
        """Magnitudes of the rates in whose proportion errors change, (n,)."""
        return np.abs(self.rates if self.carried is None else self.carried)


@dataclass(frozen=True)
class HalfJump:
    """Half an extrapolation step by the midpoint rule.

    Parameters
    ----------
    length : float
        Its time [s].
    depths : array (3, n)
        Depths at its start, midpoint and end [m].
    start, middle, end : WearRates
        Rates there.
    """

    length: float
    depths: Floats
    start: WearRates
    middle: WearRates
    end: WearRates


@dataclass(frozen=True)
class Jump:
    """An extrapolation step of two equal halves.

    Parameters
    ----------
    first, second : HalfJump
        The second begins at the end of the first.
    """

    first: HalfJump
    second: HalfJump

    @property
    def depths(self) -> Floats:
        """Five depths, evenly spaced in time, (5, n)."""
        depths: Floats = np.concatenate((self.first.depths, self.second.depths[1:]))
        return depths

    @property
    def known(self) -> tuple[WearRates, ...]:
        """Rates at these depths with their errors."""
        first, second = self.first, self.second
        return first.start, first.middle, first.end, second.middle, second.end

    @property
    def rates(self) -> Floats:
        """Rates at these depths, (5, n)."""
        return np.array([known.rates for known in self.known])

    @property
    def half_widths(self) -> Floats:
        """Half widths of errors that are the same at all depths, (5, n)."""
        return np.array([known.half_widths for known in self.known])

    @property
    def difference(self) -> Floats:
        """Largest difference beyond chance between the midpoint rule and others, (n,)."""
        # Each half by itself, so that two errors do not cancel.
        first, second, simpson = (beyond_chance(weights, self.known) for weights in _RULES)
        largest: Floats = np.maximum(0.5 * (first + second), simpson)
        return largest

    @property
    def is_uneven(self) -> NDArray[np.bool_]:
        """Whether two neighbouring rates differ by nearly half of the range of all five, (n,)."""
        rates = self.rates
        largest = np.abs(np.diff(rates, axis=0)).max(axis=0)
        uneven: NDArray[np.bool_] = largest > _CLIFF_UNEVEN * np.ptp(rates, axis=0)
        return uneven


def beyond_chance(weights: Floats, known: tuple[WearRates, ...]) -> Floats:
    """Return how far |Σ w r| exceeds the half width of its interval, (n,)."""
    pairs = list(zip(weights.tolist(), known, strict=True))
    total = np.abs(sum(weight * rates.rates for weight, rates in pairs))
    chance = half_widths(added(weight * rates.errors for weight, rates in pairs))
    beyond: Floats = np.maximum(0.0, total - chance)
    return beyond


class AskedRates:
    """Rates at depths. Rates at larger depths are kept, because steps may skip them later.

    `judged` is the number of leading depths whose extrapolation errors are determined, and
    `settled` returns the depths that a body assumes instead of given ones.
    """

    def __init__(
        self,
        wear_rates: Callable[[Floats], WearRates],
        judged: int,
        settled: Callable[[Floats], Floats],
    ) -> None:
        self._wear_rates = wear_rates
        self._judged = judged
        self.settled = settled
        self._ahead: list[tuple[Floats, WearRates]] = []

    def __call__(self, depths: Floats) -> WearRates:
        known = self._wear_rates(depths)
        if not (np.isfinite(known.rates).all() and np.isfinite(known.half_widths).all()):
            raise ValueError(f"rates={known.rates} ± {known.half_widths} m/s must be finite")
        self._ahead.append((depths, known))
        return known

    def skipped(self, jump: Jump) -> Floats:
        """Return how much a known rate that a step skips may change the mean rate of the step.

        Such a rate may be valid between two of its depths, a quarter of the step. The result has
        the shape (n,).
        """
        largest: Floats = np.zeros_like(jump.depths[0])
        nodes = np.eye(5)
        for index in range(self._judged):
            path = jump.depths[:, index]
            for depths, known in self._ahead:
                if not path[0] < depths[index] < path[-1]:
                    continue
                weights = [-float(np.interp(depths[index], path, node)) for node in nodes]
                all_known = (*jump.known, known)
                beyond = beyond_chance(np.array([*weights, 1.0]), all_known)[index]
                largest[index] = max(largest[index], 0.25 * float(beyond))
        return largest

    def forget_before(self, depths: Floats) -> None:
        """Forget rates at depths that all depths have exceeded."""
        self._ahead = [known for known in self._ahead if (known[0] > depths).any()]


def half_jump(
    ask: AskedRates, depths: Floats, start: WearRates, middle: WearRates, length: float
) -> HalfJump:
    """Return half a step of a length [s] by the rates at its midpoint, and the rates at its end."""
    after = ask.settled(depths + length * middle.rates)
    return HalfJump(
        length,
        np.array([depths, halfway(ask, depths, start, length), after]),
        start,
        middle,
        ask(after),
    )


def halfway(ask: AskedRates, depths: Floats, start: WearRates, length: float) -> Floats:
    """Return the depths [m] at the midpoint of half a step."""
    return ask.settled(depths + 0.5 * length * start.rates)
