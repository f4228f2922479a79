"""Wear over years of service from runs of seconds: extrapolation with error bars.

A run at depths h gives the growth rates ḣ with the half widths of their intervals. Service time is
crossed in extrapolation steps of two halves by the midpoint rule:

    h½ = h + ½Δ ḣ(h + ¼Δ ḣ(h)),    and in the same way from h½ to the end

Rates are known at five times of the step, ¼Δ apart. The trapezoidal rule and Simpson's rule use the
same five rates. The larger difference from the midpoint rule is the error estimate of the step. To
leading order it is one to three times the error. Half of the allowed error is reserved for the
steps, in proportion half to their wear and half to their duration. The other half is reserved for
the runs. A step is shortened if a rate changes by more than half in its first quarter and this
matters for the worn depth, because all rules may then have the same error.

If two neighbours of the five rates differ by nearly half of the total difference, the rate changes
suddenly. The error is then proportional to the step. The step is shortened until the error is a
small part of the worn depth. This part is included in the error bar, and `LifePoint.cliffs`
contains the depth. Depths at which a longer step has found another rate are not skipped by shorter
steps. A minimum or maximum of a rate that is narrower than `LifePoint.spacing` can be missed. This
is the largest distance between neighbouring computed depths, at most 1/80 of the depth for a steady
rate.

An error of the depth is an error of the time at which a rate occurs. If rates depend on the depth,
it grows and decreases in proportion to the rate, δ(t)/ḣ(t) = const. Therefore each error is
multiplied by the ratio of the present rate to the rate at its origin. The sum is increased by half
the change of the rate over the error bar.

The error of a depth is Σ w_i e_i with the errors e_i of the rates and w_i = time × ratio of rates.
If the runs give their errors by blocks of time, the error bar is the interval of this sum
(`paired_blocks`). Differences between the rules then count only beyond their own intervals. Other
errors, such as bounds, are added as if they were equal.

Depths after the first `judged` depths may be shares of these, such as sides of a hole. They are
integrated in the same steps, and their rates do not determine the steps except by
`WearRates.longest`.

Not included: the scatter of coefficients, and service conditions that differ from the runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wearmodel.arrays import Floats

from ..quantities import require_finite, require_positive
from .paired_blocks import added, half_widths

__all__ = ["Crossing", "LifePoint", "WearRates", "time_to_reach", "wear_life"]


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
    """Rates at which depths grow, and their errors."""

    rates: Floats  #: ḣ [m/s], one for each depth. Shape (n,).
    #: Half widths [m/s], ≥ 0, of errors that are the same at all depths. Shape (n,).
    half_widths: Floats
    #: The part of `half_widths` that is the time step of the runs [m/s], or 0. Shape (n,).
    step_half_widths: Floats | None = None
    #: Errors by blocks of time [m/s], see `paired_blocks`, added to `half_widths`. Shape (b, n).
    blocks: Floats | None = None
    #: Rates [m/s] in whose proportion an error of a depth grows or decreases. The default is
    #: `rates`. They differ if a rate also changes with the time. Shape (n,).
    carried: Floats | None = None
    longest: float = math.inf  #: Longest time [s] of half an extrapolation step from these depths.

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
    def carried_rates(self) -> Floats:
        """Magnitudes of the rates in whose proportion errors change, (n,)."""
        return np.abs(self.rates if self.carried is None else self.carried)


@dataclass(frozen=True)
class HalfJump:
    """Half an extrapolation step by the midpoint rule."""

    length: float  #: Its time [s].
    depths: Floats  #: Depths at its start, midpoint and end [m]. Shape (3, n).
    #: Rates there.
    start: WearRates
    middle: WearRates
    end: WearRates


@dataclass(frozen=True)
class Jump:
    """An extrapolation step of two equal halves."""

    #: The second begins at the end of the first.
    first: HalfJump
    second: HalfJump

    @property
    def depths(self) -> Floats:
        """Five depths, evenly spaced in time, (5, n)."""
        return np.concatenate((self.first.depths, self.second.depths[1:]))

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
        # Both halves are evaluated separately, so that their errors do not cancel.
        first, second, simpson = (beyond_chance(weights, self.known) for weights in _RULES)
        return np.maximum(0.5 * (first + second), simpson)

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
    `settled` returns the depths that a body assumes instead of given depths.
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

    def halfway(self, depths: Floats, start: WearRates, length: float) -> Floats:
        """Return the depths [m] at the midpoint of half a step of a length [s]."""
        return self.settled(depths + 0.5 * length * start.rates)

    def half_jump(
        self, depths: Floats, start: WearRates, middle: WearRates, length: float
    ) -> HalfJump:
        """Return half a step by the rates at its midpoint, and the rates at its end."""
        after = self.settled(depths + length * middle.rates)
        path = np.array([depths, self.halfway(depths, start, length), after])
        return HalfJump(length, path, start, middle, self(after))

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


# The error of a step grows with its third power. The safety factor avoids most repeated steps.
_SAFETY = 0.9
_GREATEST_GROWTH = 4.0
_LEAST_GROWTH = 0.2
# Largest ratio of a repeated step to the rejected step at a sudden change (error ∝ step).
_CUT = 0.5
# Share of the wear at the present rate over the whole time. Less wear has no relative error limit.
_SMALL_SHARE = 0.01
# Largest relative change of a rate in a quarter of a step, if it matters for the worn depth.
_GREATEST_CHANGE = 0.5
# Share of the allowed error for one sudden change of a rate. A shorter step reduces the uncertain
# wear, but not the change itself.
_CLIFF_SHARE = 0.1
# Share of the duration. If rates still differ across a shorter step, they change suddenly there.
_CLIFF_JUMP = 0.01
# Share of a rate. A smaller sudden change is not listed in `LifePoint.cliffs`.
_CLIFF_CHANGE = 0.2
# Share of the half width of a rate's interval. Smaller differences between rules are scatter.
_LIKELY_CHANCE = 0.5
# Least number of extrapolation steps of a service time, and number of runs for each step.
FEWEST_JUMPS = 20
STATES_A_JUMP = 4
# Largest relative change of a rate over half an error bar. A larger change is sudden, or scatter.
_MOST_BENT = 0.5
# Largest depth over the whole time. Sums, products and powers of such depths are finite.
_MOST_WORN = 1e100
# Largest share of the scale of a depth that the first step wears.
_FIRST_SHARE = 0.1
# Least length of the first step, as a share of the longest step.
_LEAST_FIRST = 0.01
# Beyond these limits the rates are not a smooth function of the depths.
_MOST_ATTEMPTS = 1000
_SHORTEST_JUMP = 1e-6


@dataclass(frozen=True)
class LifePoint:
    """Depths after a service time."""

    time: float  #: Service time [s].
    #: Depths [m] and the half widths of their error bars [m]. Shape (n,).
    depths: Floats
    bars: Floats
    rates: Floats  #: Rates there [m/s]. Shape (n,).
    #: Parts of the error bars [m]: scatter, extrapolation, time step of the runs. Shape (3, n).
    parts: Floats
    #: Sudden changes of a rate up to this point, each with the index of the depth and the depth
    #: [m].
    cliffs: tuple[tuple[int, float], ...]
    #: Largest distance between neighbouring computed depths up to this point [m]. A narrower
    #: minimum or maximum of a rate may have been missed. Shape (n,).
    spacing: Floats
    #: Errors of the depths by blocks of time [m]. Shape (b, n).
    errors: Floats = field(default_factory=lambda: np.zeros((1, 0)))


def wear_life(
    wear_rates: Callable[[Floats], WearRates],
    duration: float,
    *,
    depths: ArrayLike = (0.0,),
    relative_error: float = 0.05,
    scales: ArrayLike = 0.0,
    judged: int | None = None,
    settled: Callable[[Floats], Floats] = lambda depths: depths,
    progress: Callable[[LifePoint], None] | None = None,
    is_finished: Callable[[LifePoint], bool] = lambda point: False,
) -> list[LifePoint]:
    """Compute wear depths from the start to the end of a service time, two points per step.

    It is one function because the test of each step also gives the length of the next.

    Parameters
    ----------
    wear_rates : callable
        Returns the rates at given depths (n,) [m], usually from a run. It is called four times per
        extrapolation step.
    duration : float
        Service time to cross, > 0 [s].
    depths : array (n,)
        Depths at the start [m].
    relative_error : float
        Allowed error of extrapolation and runs together, relative to the worn depth, > 0. Half of
        it is for the extrapolation.
    scales : float or array (n,)
        Depths [m], such as limits, to which the relative error may also refer. The default is 0.
    judged : int, optional
        Number of leading depths whose extrapolation errors determine the steps. The default is all.
    settled : callable
        Returns the depths (n,) that the body assumes instead of extrapolated depths. The judged
        depths do not change.
    progress : callable, optional
        Called with each new point.
    is_finished : callable, optional
        Whether the calculation may end at a point before the end of the service time.

    Raises
    ------
    ValueError
        For arguments outside their ranges, for rates that are not finite or so large that the worn
        depth overflows, or for rates that change so much with the depths that no extrapolation step
        is short enough.
    """
    require_positive("duration", duration, "s")
    require_positive("relative_error", relative_error)
    longest = duration / FEWEST_JUMPS
    present = np.array(depths, dtype=np.float64)
    if present.ndim != 1 or not np.isfinite(present).all():
        raise ValueError(f"depths={depths!r} m must be a row of finite numbers")
    start = present.copy()
    is_judged = np.arange(present.size) < (present.size if judged is None else judged)
    ask = AskedRates(wear_rates, int(is_judged.sum()), settled)
    known = ask(present)
    largest = float(np.max(np.abs(known.rates), initial=0.0))
    if largest > _MOST_WORN / duration:
        raise ValueError(
            f"rates={known.rates} over duration={duration:.6g} s must stay below {_MOST_WORN:g}, "
            "or the worn depth overflows"
        )
    errors = _CarriedErrors(present, known, int(is_judged.sum()))
    cliffs: tuple[tuple[int, float], ...] = ()
    spacing = np.zeros_like(present)
    points: list[LifePoint] = []

    def add_point(time: float, depths: Floats, rates: WearRates) -> None:
        parts, blocks = errors.grown(depths, rates)
        bars = parts.sum(axis=0)
        points.append(LifePoint(time, depths, bars, rates.rates, parts, cliffs, spacing, blocks))
        if progress is not None:
            progress(points[-1])

    add_point(0.0, present, known)
    all_scales = np.broadcast_to(np.asarray(scales, dtype=np.float64), present.shape)
    time, length = 0.0, min(duration, _first_jump(known, all_scales, longest))
    attempts = 0
    while time < duration and not is_finished(points[-1]):
        attempts += 1
        if attempts > _MOST_ATTEMPTS or length < _SHORTEST_JUMP * duration:
            raise ValueError(
                f"the rates change so much with the depths that {attempts} extrapolation"
                f" steps reach only {time:g} s of {duration:g} s: allow a larger"
                f" relative_error={relative_error}, or check the units of coefficient and loads"
            )
        length = min(length, 2.0 * known.longest)
        # The last step ends exactly at the duration, without a rounding error.
        is_last = time + length * (1.0 + 1e-9) >= duration
        if is_last:
            length = duration - time
        half = 0.5 * length
        quarter = ask(ask.halfway(present, known, half))
        # If the rates drop to zero between the points, the rules may agree by chance.
        change = np.abs(quarter.rates - known.rates)
        is_rough = change > _GREATEST_CHANGE * np.maximum(np.abs(known.rates), quarter.rates)
        worn = np.maximum(np.abs(present + half * quarter.rates - start), scales)
        if (is_judged & is_rough & (length * change > relative_error * worn)).any():
            length *= _LEAST_GROWTH
            continue
        first = ask.half_jump(present, known, quarter, half)
        reached = first.depths[-1]
        later = ask(ask.halfway(reached, first.end, half))
        second = ask.half_jump(reached, first.end, later, half)
        jump = Jump(first, second)
        worn = np.abs(jump.depths[-1] - start)
        # With rates that start like a root, the error is large relative to the wear so far.
        matters = np.maximum(worn, _SMALL_SHARE * duration * np.abs(known.rates))
        matters = np.maximum(matters, scales)
        # In proportion to the wear in this step and to its duration: both sums equal the total
        # wear. By duration alone, no step would be short enough at the start, where runs scatter.
        gained = np.abs(jump.depths[-1] - present)
        allowed = 0.25 * relative_error * (gained + matters * length / duration)
        difference, skipped = np.where(is_judged, jump.difference, 0.0), ask.skipped(jump)
        is_uneven = is_judged & (jump.is_uneven | (skipped > difference))
        if length < _CLIFF_JUMP * duration:
            open_at_cliff = np.maximum(allowed, _CLIFF_SHARE * relative_error * matters)
            allowed = np.where(is_uneven, open_at_cliff, allowed)
        left_open = length * np.maximum(difference, skipped)
        chance = length * jump.half_widths.max(axis=0)
        excess = _excess(left_open - _LIKELY_CHANCE * chance, allowed)
        factor = _GREATEST_GROWTH if excess == 0.0 else _SAFETY * excess ** (-1.0 / 3.0)
        sudden = left_open - chance
        if excess > 1.0:
            most = _CUT if (is_uneven & (sudden > allowed)).any() else _SAFETY
            length *= max(_LEAST_GROWTH, min(most, factor))
            continue
        is_cliff = is_uneven & (sudden > _CLIFF_CHANGE * 0.25 * gained)
        cliffs += tuple(
            (int(index), float(jump.depths[-1][index])) for index in np.flatnonzero(is_cliff)
        )
        spacing = np.maximum(spacing, np.abs(np.diff(jump.depths, axis=0)).max(axis=0))
        end = duration if is_last else time + length
        for part, instant in ((first, time + half), (second, end)):
            errors.add_chance(part)
            errors.add_open(0.5 * left_open, second.end)
            add_point(instant, part.depths[-1], part.end)
        time, present, known = end, jump.depths[-1], second.end
        ask.forget_before(present)
        length = min(longest, length * min(_GREATEST_GROWTH, max(_LEAST_GROWTH, factor)))
    return points


def _first_jump(known: WearRates, scales: Floats, longest: float) -> float:
    """Return the length of the first step [s]: it must not be much longer than the scales."""
    moves = (scales > 0.0) & (known.rates != 0.0)
    reached = _FIRST_SHARE * scales[moves] / np.abs(known.rates[moves])
    return max(_LEAST_FIRST * longest, float(np.min(reached, initial=longest)))


@dataclass(frozen=True)
class Crossing:
    """Time at which a depth reaches a limit."""

    time: float  #: Service time [s]. Infinite if the limit is not reached.
    #: Times at which the ends of the error bar reach the limit [s]. Infinite if they do not.
    earliest: float
    latest: float


def time_to_reach(points: list[LifePoint], limit: float, index: int = 0) -> Crossing:
    """Return the time at which depth `index` reaches a limit [m], with its interval.

    The depth is interpolated linearly between `points` of `wear_life`. ValueError if the limit is
    not finite.
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


class _CarriedErrors:
    """Errors of depths at their origin, and the rates there."""

    def __init__(self, depths: Floats, known: WearRates, judged: int) -> None:
        self._judged = judged
        # Sampling, extrapolation and step [m], errors by blocks [m], and rates [m/s].
        self._made: list[Floats] = []
        self._blocks: list[Floats] = []
        self._carriers: list[Floats] = []
        self._add(np.zeros((3, depths.size)), 0.0 * known.errors, known)
        # Depths [m] passed, and rates there.
        self._depths = [depths]
        self._known = [known]

    def add_chance(self, half: HalfJump) -> None:
        """Add the errors of the rates over half a step."""
        chance, step = half.length * half.middle.split
        made = np.array([chance, np.zeros_like(chance), step])
        self._add(made, half.length * half.middle.errors, half.middle)

    def add_open(self, left_open: Floats, end: WearRates) -> None:
        """Add the extrapolation error of a step at its end [m]."""
        nothing = np.zeros_like(left_open)
        self._add(np.array([nothing, left_open, nothing]), 0.0 * end.errors, end)

    def _add(self, made: Floats, blocks: Floats, known: WearRates) -> None:
        self._made.append(made)
        self._blocks.append(blocks)
        self._carriers.append(np.maximum(known.carried_rates, known.half_widths))

    def grown(self, depths: Floats, now: WearRates) -> tuple[Floats, Floats]:
        """Return the parts of the error bars [m], (3, n), and the errors by blocks [m], (b, n)."""
        before = np.array(self._carriers)
        # A bound keeps errors from vanishing, but it does not increase them.
        present = np.maximum(now.carried_rates, np.minimum(now.half_widths, before))
        growth = np.divide(present, before, out=np.ones_like(before), where=before > 0.0)
        parts: Floats = np.einsum("kpn,kn->pn", np.array(self._made), growth)
        blocks = added(ratio * errors for ratio, errors in zip(growth, self._blocks, strict=True))
        parts[0] += half_widths(blocks)
        # The rate may change over the next half of the error bar as it did over the last one.
        self._depths.append(depths)
        self._known.append(now)
        passed = np.array(self._depths)
        for index, bar in enumerate(parts.sum(axis=0)[: self._judged]):
            if not (now.rates[index] > 0.0 and bar > 0.0):
                continue
            later = int(np.searchsorted(passed[:, index], depths[index] - 0.5 * bar))
            later = min(max(1, later), len(passed) - 1)
            low, high = passed[later - 1 : later + 1, index]
            share = np.clip((depths[index] - 0.5 * bar - low) / max(high - low, 1e-300), 0.0, 1.0)
            weights = np.array([1.0, share - 1.0, -share])
            change = beyond_chance(weights, (now, *self._known[later - 1 : later + 1]))[index]
            parts[:, index] *= 1.0 + min(change / now.rates[index], _MOST_BENT)
        return parts, blocks


def _excess(errors: Floats, allowed: Floats) -> float:
    """Largest error relative to the allowed error, or 0 without errors."""
    is_error = errors > 0.0
    unbounded = np.where(is_error, math.inf, 0.0)
    shares = np.divide(errors, allowed, out=unbounded, where=is_error & (allowed > 0.0))
    return float(np.max(shares, initial=0.0))
