"""Wear over years of service from runs of seconds: jumps over time, with the error that they make.

A run gives the rates ḣ at which depths grow, each with the half width of its interval, as long as
the depths are h. Service time is crossed in jumps by the midpoint rule, each jump once whole and
once in halves:

    whole    h₁ = h + Δ ḣ(h + ½Δ ḣ(h))
    halves   the same twice with Δ/2, giving h₂;  the jump's own error is taken as |h₂ − h₁|

h₂ is kept, whose error is about a third of that difference. Jumps are as long as their errors, in
proportion half to what they wear and half to the time they cross, stay within half of the error
allowed; the other half belongs to the runs. A jump over which a rate changes by more than half of
itself, and by what has been worn, is cut: there both may miss the same thing.

The rates at the start, in the middle and at the end of a jump tell its wear by the trapezoidal
rule, as those at its quarters do by the midpoint rule. Where the two differ by more than the
intervals of the runs allow, a rate changes suddenly somewhere in the jump: the difference counts as
its error, and the jump is halved until what is left of it is a small part of what has been worn.
That part goes into the bar, and `LifePoint.cliffs` says at which depth it is. A dip or a peak of
the rate that is narrower than a forty-eighth of the depth may lie between all that is asked.

Errors that exist are carried along with the growth exp(Δ ∂ḣ/∂h) seen from one rate to the next, at
the upper or the lower end of its interval, where that is more than 1: a wear that accelerates makes
them larger; and where that slope grows with h, by half its growth over the bar.

The intervals of all runs are added up as if they erred together. They do where the runs are made
under the same noise, which keeps the rates smooth in h; where they do not, the bar is too long, not
too short.

Not included: the scatter of coefficients, and service that differs from what the runs show.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..quantities import require_finite, require_positive

Floats = NDArray[np.float64]

# A jump's error grows with its third power; some safety keeps most jumps from being taken twice.
_SAFETY = 0.9
_GREATEST_GROWTH = 4.0
_LEAST_GROWTH = 0.2
# Of what the present rate would wear in all the time: less than that needs no relative error.
_SMALL_SHARE = 0.01
# Of a rate, within a quarter of a jump, where that matters to what has been worn.
_GREATEST_CHANGE = 0.5
# Of the error allowed, what one sudden change of a rate may leave: halving a jump halves the wear
# that it leaves open, and never makes the change itself smaller.
_CLIFF_SHARE = 0.1
# Of the duration: a jump as short as this across which rates still differ crosses a cliff.
_CLIFF_JUMP = 0.01
# Of a rate, by which it changes over a cliff.
_CLIFF_CHANGE = 0.2
# Of the duration: a dip of the rate over a depth narrower than a quarter of what a jump wears may
# lie between the depths that are asked.
_LONGEST_SHARE = 1.0 / 12.0
# Of the growth of errors over half a jump: rates that change by less than the above stay below 1,
# and what is more is chance.
_GREATEST_EXPONENT = 2.0
# Of a depth over all the time: sums, products and powers of such depths are still numbers.
_MOST_WORN = 1e100
# Beyond this the rates are no smooth function of the depths.
_MOST_ATTEMPTS = 1000
_SHORTEST_JUMP = 1e-6


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
class LifePoint:
    """Depths after a service time.

    Parameters
    ----------
    time : float
        Service time [s].
    depths, bars : array (n,)
        Depths [m] and the half widths of their error bars [m].
    rates, rate_bars : array (n,)
        Rates there [m/s] and the half widths of their intervals [m/s].
    parts : array (3, n)
        What the bars add up [m]: chance of the runs, error of the jumps, step of the runs.
    cliffs : tuple of tuple (int, float)
        Sudden changes of a rate on the way here, each with the index of the depth and the depth
        [m].
    """

    time: float
    depths: Floats
    bars: Floats
    rates: Floats
    rate_bars: Floats
    parts: Floats
    cliffs: tuple[tuple[int, float], ...] = ()


def wear_life(
    wear_rates: Callable[[Floats], WearRates],
    duration: float,
    *,
    depths: ArrayLike = (0.0,),
    relative_error: float = 0.05,
    longest_jump: float | None = None,
    scales: ArrayLike = 0.0,
    progress: Callable[[LifePoint], None] | None = None,
) -> list[LifePoint]:
    """Follow depths of wear over a service time.

    Parameters
    ----------
    wear_rates : callable
        Returns the rates at given depths (n,) [m]; usually by a run. It is asked about five times
        a jump.
    duration : float
        Service time to cross, > 0 [s].
    depths : array (n,)
        Depths at the start [m].
    relative_error : float
        Error allowed for the jumps and the runs together, by what has been worn, > 0; the jumps
        take half of it.
    longest_jump : float, optional
        Upper bound of a jump [s]; a twelfth of the duration by default.
    scales : float or array (n,)
        Depths [m] of which a relative error of each is small enough, such as limits; none by
        default.
    progress : callable, optional
        Called with each point as soon as it is known.

    Returns
    -------
    list of LifePoint
        From the start to the end of the service time, one after every half jump.

    Raises
    ------
    ValueError
        For arguments outside their ranges, rates that are not finite or that would wear beyond
        what a float can follow, or rates that jump so much with the depths that no jump is short
        enough.
    """
    require_positive("duration", duration, "s")
    require_positive("relative_error", relative_error)
    longest = _LONGEST_SHARE * duration if longest_jump is None else longest_jump
    require_positive("longest_jump", longest, "s")
    present = np.array(depths, dtype=np.float64)
    if present.ndim != 1 or not np.isfinite(present).all():
        raise ValueError(f"depths={depths!r} m must be a row of finite numbers")
    start = present.copy()
    # Chance, jumps, step.
    parts = np.zeros((3, present.size))
    bars = np.zeros_like(present)
    cliffs: tuple[tuple[int, float], ...] = ()
    known = _asked(wear_rates, present)
    largest = float(np.max(np.abs(known.rates), initial=0.0))
    if largest > _MOST_WORN / duration:
        raise ValueError(
            f"rates={known.rates} over duration={duration:.6g} s must stay below {_MOST_WORN:g}, "
            "or what is worn overflows"
        )
    points = [LifePoint(0.0, present, bars, known.rates, known.half_widths, parts)]
    if progress is not None:
        progress(points[0])
    time, jump = 0.0, min(longest, duration)
    slopes, bent_from = np.full_like(present, math.inf), present
    attempts = 0
    while time < duration:
        attempts += 1
        if attempts > _MOST_ATTEMPTS or jump < _SHORTEST_JUMP * duration:
            raise ValueError(
                f"the rates change so much with the depths that {attempts} jumps end at"
                f" {time:g} s of {duration:g} s: allow a larger relative_error={relative_error}"
            )
        # The last jump ends at the duration itself, not a rounding beside it.
        is_last = time + jump * (1.0 + 1e-9) >= duration
        if is_last:
            jump = duration - time
        whole = _midpoint(wear_rates, present, known, jump)
        first = _midpoint(wear_rates, present, known, 0.5 * jump)
        between = _asked(wear_rates, first.depths)
        second = _midpoint(wear_rates, first.depths, between, 0.5 * jump)
        errors = np.abs(second.depths - whole.depths)
        worn = np.abs(second.depths - start)
        # Where rates start as steep as a root, no error is small by what is worn yet.
        matters = np.maximum(worn, _SMALL_SHARE * duration * np.abs(known.rates))
        matters = np.maximum(matters, scales)
        # By what this jump wears, and by its share of the time: the sums of both are what is worn.
        # By the time alone no jump would be short enough at the start, where runs err by chance.
        gained = np.abs(second.depths - present)
        allowed = 0.25 * relative_error * (gained + matters * jump / duration)
        excess = _excess(errors, allowed)
        # Whole and halves agree by chance where the rates end between the points that they ask.
        change = np.abs(first.middle.rates - known.rates)
        is_rough = change > _GREATEST_CHANGE * np.maximum(np.abs(known.rates), first.middle.rates)
        rough_scale = np.maximum(worn, scales)
        if (is_rough & (jump * change > relative_error * rough_scale)).any():
            jump *= _LEAST_GROWTH
            continue
        tolerated = allowed
        if jump < _CLIFF_JUMP * duration:
            tolerated = np.maximum(allowed, _CLIFF_SHARE * relative_error * matters)
        if _excess(errors, tolerated) > 1.0:
            jump *= max(_LEAST_GROWTH, _SAFETY * excess ** (-1.0 / 3.0))
            continue
        after = _asked(wear_rates, second.depths)
        sudden = jump * _unexplained(known, first.middle, between, second.middle, after)
        if _excess(sudden, tolerated) > 1.0:
            jump *= 0.5
            continue
        cliffs += tuple(
            (int(index), float(second.depths[index]))
            for index in np.flatnonzero(sudden > allowed)
            if sudden[index] > _CLIFF_CHANGE * 0.25 * gained[index]
        )
        errors = np.maximum(errors, sudden)
        for part, rates, end in (
            (first, known, time + 0.5 * jump),
            (second, between, duration if is_last else time + jump),
        ):
            slope = _slope(part, rates, 0.5 * jump)
            bend = _bend(slope - slopes, part.depths - bent_from)
            # The slope belongs to the first half of the part; its middle is a quarter further on.
            further = 0.25 * (part.depths - present) + 0.5 * bars
            exponent = (slope + bend * further) * (0.5 * jump)
            growth = np.exp(np.minimum(exponent, _GREATEST_EXPONENT))
            added = np.vstack((part.middle.split, np.zeros_like(present)))[[0, 2, 1]]
            # What is added within the part grows for half of it.
            parts = growth * parts + np.sqrt(growth) * 0.5 * jump * added
            parts[1] += 0.5 * errors
            bars = parts.sum(axis=0)
            slopes, bent_from, present = slope, part.depths, part.depths
            if part is first:
                points.append(
                    LifePoint(end, present, bars, between.rates, between.half_widths, parts, cliffs)
                )
                if progress is not None:
                    progress(points[-1])
        known = after
        time = duration if is_last else time + jump
        points.append(LifePoint(time, present, bars, known.rates, known.half_widths, parts, cliffs))
        if progress is not None:
            progress(points[-1])
        factor = _GREATEST_GROWTH if excess == 0.0 else _SAFETY * excess ** (-1.0 / 3.0)
        jump = min(longest, jump * min(_GREATEST_GROWTH, max(_LEAST_GROWTH, factor)))
    return points


@dataclass(frozen=True)
class Crossing:
    """When a depth reaches a limit.

    Parameters
    ----------
    time : float
        Service time [s]; infinite where the limit is not reached.
    earliest, latest : float
        Where the ends of the error bar reach it [s]; infinite likewise.
    """

    time: float
    earliest: float
    latest: float


def time_to_reach(points: list[LifePoint], limit: float, index: int = 0) -> Crossing:
    """Tell when a depth reaches a limit, with its bar.

    Between two points the depth is taken as linear.

    Parameters
    ----------
    points : list of LifePoint
        From `wear_life`.
    limit : float
        Depth [m].
    index : int
        Which of the depths.

    Raises
    ------
    ValueError
        For a limit that is not finite.
    """
    require_finite("limit", limit, "m")
    times = np.array([point.time for point in points])
    depths = np.array([point.depths[index] for point in points])
    bars = np.array([point.bars[index] for point in points])
    return Crossing(*(_first_time(times, depths + sign * bars, limit) for sign in (0.0, 1.0, -1.0)))


def _first_time(times: Floats, depths: Floats, limit: float) -> float:
    reached = np.flatnonzero(depths >= limit)
    if not reached.size:
        return math.inf
    later = int(reached[0])
    if later == 0:
        return float(times[0])
    share = (limit - depths[later - 1]) / (depths[later] - depths[later - 1])
    return float(times[later - 1] + share * (times[later] - times[later - 1]))


@dataclass(frozen=True)
class _Jump:
    depths: Floats
    middle: WearRates


def _midpoint(
    wear_rates: Callable[[Floats], WearRates], depths: Floats, known: WearRates, jump: float
) -> _Jump:
    halfway = depths + 0.5 * jump * known.rates
    middle = _asked(wear_rates, halfway)
    return _Jump(depths + jump * middle.rates, middle)


def _unexplained(*rates: WearRates) -> Floats:
    """How much two rules for the mean of five evenly spaced rates differ beyond their intervals."""
    start, quarter, middle, later, end = rates
    midpoint = 0.5 * (quarter.rates + later.rates)
    trapezoid = 0.25 * (start.rates + 2.0 * middle.rates + end.rates)
    chance = np.max([rate.half_widths for rate in rates], axis=0)
    left: Floats = np.maximum(np.abs(midpoint - trapezoid) - chance, 0.0)
    return left


def _slope(part: _Jump, start: WearRates, jump: float) -> Floats:
    """Largest ∂ḣ/∂h ≥ 0 [1/s] over a jump, at either end of the rates' intervals."""
    # Halfway the depth has moved by half a jump at the first rate.
    moved = 0.5 * jump * start.rates
    slope = np.zeros_like(moved)
    for side in (-1.0, 1.0):
        change = part.middle.rates - start.rates
        change += side * (part.middle.half_widths - start.half_widths)
        # Rates smaller than their bars are bounds, whose change is chance as far as these reach.
        chance = part.middle.half_widths + start.half_widths
        is_bound = (part.middle.half_widths > part.middle.rates) | (start.half_widths > start.rates)
        change = np.where(is_bound, part.middle.rates - start.rates - chance, change)
        np.maximum(slope, np.divide(change, moved, out=slope.copy(), where=moved > 0.0), out=slope)
    return slope


def _bend(steeper: Floats, moved: Floats) -> Floats:
    """How fast slopes grow with the depth, ∂²ḣ/∂h² ≥ 0 [1/(m.s)]; 0 before there are two."""
    bend = np.zeros_like(moved)
    rises = (steeper > 0.0) & (moved > 0.0)
    return np.divide(steeper, moved, out=bend, where=rises)


def _excess(errors: Floats, allowed: Floats) -> float:
    """Largest error by what is allowed; 0 where nothing errs."""
    excess = 0.0
    for error, bound in zip(errors, allowed, strict=True):
        if error > 0.0:
            excess = max(excess, float(error / bound) if bound > 0.0 else math.inf)
    return excess


def _asked(wear_rates: Callable[[Floats], WearRates], depths: Floats) -> WearRates:
    known = wear_rates(depths)
    if not (np.isfinite(known.rates).all() and np.isfinite(known.half_widths).all()):
        raise ValueError(f"rates={known.rates} ± {known.half_widths} m/s must be finite")
    return known
