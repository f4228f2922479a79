"""A jump over service time: rates at five depths, and what they leave open of its wear."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Of the range of the five rates of a jump: by how much two neighbours differ at a cliff. A quarter
# where the rate changes evenly.
_CLIFF_UNEVEN = 0.45


@dataclass(frozen=True)
class WearRates:
    """Rates at which depths grow, and how sure they are.

    Parameters
    ----------
    rates : array (n,)
        ḣ [m/s], one for each depth.
    half_widths : array (n,)
        Half widths of their intervals [m/s], ≥ 0.
    step_half_widths : array (n,), optional
        The part of them that is no chance but the step of the runs [m/s]; none by default.
    """

    rates: Floats
    half_widths: Floats
    step_half_widths: Floats | None = None

    @property
    def split(self) -> Floats:
        """Half widths (2, n) of chance and of the step."""
        step = self.step_half_widths
        step = np.zeros_like(self.half_widths) if step is None else step
        return np.array([self.half_widths - step, step])


@dataclass(frozen=True)
class HalfJump:
    """Half a jump by the midpoint rule.

    Parameters
    ----------
    length : float
        Its time [s].
    depths : array (3, n)
        At its start, halfway, and at its end [m].
    start, middle, end : WearRates
        There.
    """

    length: float
    depths: Floats
    start: WearRates
    middle: WearRates
    end: WearRates


@dataclass(frozen=True)
class Jump:
    """A jump of two equal halves.

    Parameters
    ----------
    first, second : HalfJump
        The second begins where the first ends.
    """

    first: HalfJump
    second: HalfJump

    @property
    def depths(self) -> Floats:
        """Five depths, evenly spaced in time, (5, n)."""
        depths: Floats = np.concatenate((self.first.depths, self.second.depths[1:]))
        return depths

    @property
    def _known(self) -> tuple[WearRates, ...]:
        first, second = self.first, self.second
        return first.start, first.middle, first.end, second.middle, second.end

    @property
    def rates(self) -> Floats:
        """Rates at these depths, (5, n)."""
        return np.array([known.rates for known in self._known])

    @property
    def half_widths(self) -> Floats:
        """Half widths of their intervals, (5, n)."""
        return np.array([known.half_widths for known in self._known])

    @property
    def difference(self) -> Floats:
        """Largest difference between the midpoint rule and others for the mean rates, (n,)."""
        start, quarter, middle, later, end = self.rates
        # Each half by itself, so that two errors do not cancel.
        first = np.abs(quarter - 0.5 * (start + middle))
        second = np.abs(later - 0.5 * (middle + end))
        simpson = np.abs((start + 4.0 * middle + end) / 6.0 - 0.5 * (quarter + later))
        largest: Floats = np.maximum(0.5 * (first + second), simpson)
        return largest

    @property
    def is_uneven(self) -> NDArray[np.bool_]:
        """Whether two neighbouring rates differ by nearly half of what all five do, (n,)."""
        rates = self.rates
        largest = np.abs(np.diff(rates, axis=0)).max(axis=0)
        uneven: NDArray[np.bool_] = largest > _CLIFF_UNEVEN * np.ptp(rates, axis=0)
        return uneven


class AskedRates:
    """Rates at depths, with a memory of those that lie ahead."""

    def __init__(self, wear_rates: Callable[[Floats], WearRates]) -> None:
        self._wear_rates = wear_rates
        self._ahead: list[tuple[Floats, Floats]] = []

    def __call__(self, depths: Floats) -> WearRates:
        known = self._wear_rates(depths)
        if not (np.isfinite(known.rates).all() and np.isfinite(known.half_widths).all()):
            raise ValueError(f"rates={known.rates} ± {known.half_widths} m/s must be finite")
        self._ahead.append((depths, known.rates))
        return known

    def passed_over(self, jump: Jump) -> Floats:
        """Return what a rate that was asked before, and is not the jump's, may change its mean by.

        Such a rate may hold for as much of the jump as lies between two of its depths, a quarter.
        """
        largest: Floats = np.zeros_like(jump.depths[0])
        for index in range(largest.size):
            inside = [
                (depths[index], rates[index])
                for depths, rates in self._ahead
                if jump.depths[0][index] < depths[index] < jump.depths[-1][index]
            ]
            if inside:
                at, rates = np.array(inside).T
                told = np.interp(at, jump.depths[:, index], jump.rates[:, index])
                largest[index] = 0.25 * float(np.abs(rates - told).max())
        return largest

    def forget_before(self, depths: Floats) -> None:
        """Forget what all depths have passed."""
        self._ahead = [known for known in self._ahead if (known[0] > depths).any()]


def half_jump(
    ask: AskedRates, depths: Floats, start: WearRates, middle: WearRates, length: float
) -> HalfJump:
    """Ask for the rates at the end of half a jump of a length [s], by those halfway."""
    after = depths + length * middle.rates
    return HalfJump(
        length,
        np.array([depths, halfway(depths, start, length), after]),
        start,
        middle,
        ask(after),
    )


def halfway(depths: Floats, start: WearRates, length: float) -> Floats:
    """Return the depths [m] halfway through half a jump of a length [s]."""
    return depths + 0.5 * length * start.rates
