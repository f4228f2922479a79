"""Least squares with correlated residuals: minima, covariance, and undetermined combinations.

Points are in units of the ranges: 0 is a lower and 1 an upper bound. The model computes many points
at once, so that a Jacobian is a single batch of runs.

Residuals are prewhitened by an autoregressive filter of the residuals themselves, and fitted again.
The variances are the diagonal of the sandwich H⁻¹ S H⁻¹ with H = JᵀJ and the long-run covariance S
of the scores (Newey and West, Econometrica 55, 1987, eq. 5), which includes the correlation after
the filter. If H⁻¹ is larger, it is used instead, because a few samples that determine a parameter
have small residuals. Undetermined combinations follow from the singular values of the Jacobian with
columns of unit length (Belsley, Kuh and Welsch, Regression Diagnostics, 1980, chapter 3).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from scipy.linalg import solve_toeplitz
from scipy.optimize import brentq, least_squares
from scipy.signal import lfilter
from scipy.stats import norm, qmc, t

from wearmodel.arrays import Floats

Model = Callable[[Floats], list[Floats]]
"""Points, shape (points, parameters) → residuals of each channel, shape (points, samples)."""

# Highest order of the filter, and number of samples for each of its coefficients.
_MOST_ORDER = 20
_SAMPLES_PER_ORDER = 20
# Step of differences in the search. The final step is this share of a parameter's standard error if
# the others are known, so that an event that passes a sample counts with its probability.
SEARCH_STEP = 1e-6
_SHARE = 0.5
_SMALLEST_STEP, _LARGEST_STEP = 1e-7, 1e-2
# The same for a statistic. In chaotic motion, the effect of smaller changes is only scatter.
_STATISTIC_STEP, _STATISTIC_SHARE = 0.1, 2.0
# Squared singular value below which parameters are not separated. Their intervals are a thousand
# times as wide as if the others were known, so that model errors of 1e-3 of the noise matter.
_INSEPARABLE = 1e-6
# Smaller components of a singular direction are not included in a combination.
_COMPONENT = 0.1
_TOLERANCE = 1e-9
# Parts of the record that are fitted in turn from a drawn start.
_SHARES = (0.125, 0.25, 0.5, 1.0)
_MOST_EVALUATIONS = 100
# Relative error of the linear model at an end of an interval above which the profile is computed,
# and tolerance of the ends of a profile, in half widths.
_SKEWED = 0.1
_PROFILE_TOLERANCE = 1e-2
# Minima are different if a parameter differs by this part of its range. Minima are not listed if
# their sum of squares is larger than the smallest by this factor.
_DIFFERENT = 1e-3
_MUCH_LARGER = 10.0


@dataclass(frozen=True)
class Filter:
    """Prewhitening filter of a channel: e_t = (r_t − Σ coefficients[i] r_(t−1−i)) / deviation."""

    coefficients: Floats
    deviation: float
    # Whether the deviation is given, as it is for a statistic.
    is_known: bool = False

    @property
    def step(self) -> float:
        """Step of differences during the search, and first step of the final differences."""
        return _STATISTIC_STEP if self.is_known else SEARCH_STEP

    def whitened(self, residuals: Floats) -> Floats:
        """Return the filtered residuals along the last axis, without the first `order` samples."""
        kernel = np.concatenate(([1.0], -self.coefficients)) / self.deviation
        filtered = lfilter(kernel, [1.0], residuals, axis=-1)
        return np.asarray(filtered[..., len(self.coefficients) :], dtype=np.float64)


def filter_of(residuals: Floats) -> Filter:
    """Return the autoregressive filter of residuals by Yule and Walker, with the order by BIC."""
    count = len(residuals)
    most = min(_MOST_ORDER, count // _SAMPLES_PER_ORDER)
    lagged = [float(residuals[lag:] @ residuals[: count - lag]) for lag in range(most + 1)]
    covariances = np.array(lagged) / count
    chosen, best = Filter(np.empty(0), 1.0), np.inf
    for order in range(most + 1 if covariances[0] > 0.0 else 0):
        after = covariances[1 : order + 1]
        coefficients = solve_toeplitz(covariances[:order], after) if order else np.empty(0)
        variance = float(covariances[0] - coefficients @ after)
        if variance <= 0.0:
            break
        criterion = count * np.log(variance) + order * np.log(count)
        if criterion < best:
            chosen, best = Filter(coefficients, float(np.sqrt(variance))), criterion
    return chosen


@dataclass(frozen=True)
class Combination:
    """Parameters of which the data determine only a combination.

    `changes`, in units of the ranges, cancel. `correlation` is the multiple correlation of the
    parameter that the others can replace best.
    """

    indices: tuple[int, ...]
    changes: tuple[float, ...]
    correlation: float


@dataclass(frozen=True)
class Estimate:
    """Estimated parameters, in units of their ranges."""

    # The minimum, and the half width of a 95 % interval in standard errors.
    point: Floats
    quantile: float
    # Other minima of the residuals before whitening: point, and sum of squares / smallest sum.
    others: tuple[tuple[Floats, float], ...]
    # Shape (parameters, parameters), NaN for parameters that are not determined.
    covariance: Floats
    # Ends of the 95 % intervals, shape (parameters, 2), and indices of profile intervals.
    ends: Floats
    profiles: tuple[int, ...]
    # Indices of parameters that are not determined even if all others are known.
    without_influence: tuple[int, ...]
    combinations: tuple[Combination, ...]
    # Values of each channel before whitening: shapes (samples,) and (parameters, samples).
    filters: list[Filter]
    residuals: list[Floats]
    jacobian: list[Floats]
    # Number of completed starts.
    starts: int

    @property
    def errors(self) -> Floats:
        """Standard errors."""
        return np.asarray(np.sqrt(np.diag(self.covariance)))


def estimate(
    model: Model,
    start: Floats,
    *,
    deviations: Sequence[float | None],
    starts: int = 8,
    seed: int = 0,
    progress: Callable[[int], None] = lambda done: None,
) -> Estimate:
    """Return the estimate from several starts: `start` and points of a Latin hypercube.

    `deviations` are the known standard deviations of channels, or None. If the user interrupts the
    search after the first start, the best minimum is used. Raises ValueError if no start succeeds.
    """
    first = [residuals[0] for residuals in model(start[None])]
    sizes = (float(np.sqrt(np.mean(np.nan_to_num(residuals) ** 2))) or 1.0 for residuals in first)
    pairs = zip(deviations, sizes, strict=True)
    plain = [Filter(np.empty(0), by or size, by is not None) for by, size in pairs]
    minima: list[Any] = []
    done = 0
    try:
        drawn = qmc.LatinHypercube(len(start), seed=np.random.default_rng(seed))
        for done, point in enumerate((start, *drawn.random(starts - 1)), start=1):
            # Far from the minimum, only the beginning of the motion is similar.
            for share in _SHARES if done > 1 else (1.0,):
                found = _minimum(_beginning(model, share), plain, point)
                point = found[0].x if found else point
            minima += found
            progress(done)
    except KeyboardInterrupt:
        if not minima:
            raise
        done -= 1
    if not minima:
        raise ValueError("the model cannot be computed at any start: change start, low and high")
    minima.sort(key=lambda minimum: float(minimum.cost))
    point, filters = minima[0].x, plain
    for _ in range(2):
        each = zip(plain, model(point[None]), strict=True)
        filters = [by if by.is_known else filter_of(values[0]) for by, values in each]
        point = _minimum(model, filters, point)[0].x
    jacobian = _jacobian(model, filters, point)
    residuals = [values[0] for values in model(point[None])]
    samples = sum(map(len, residuals)) - len(point)
    is_known = None not in deviations or samples < 1
    quantile = float(norm.ppf(0.975) if is_known else t.ppf(0.975, samples))
    covariance = _sandwich(filters, residuals, jacobian)
    without, combinations = _open(_joined(filters, jacobian).T, quantile)
    for index in {*without, *(index for by in combinations for index in by.indices)}:
        covariance[index] = covariance[:, index] = np.nan
    ends = point[:, None] + np.outer(quantile * np.sqrt(np.diag(covariance)), (-1.0, 1.0))
    return Estimate(
        point, quantile, _different(minima), covariance, ends, (), without, combinations, filters,
        residuals, jacobian, done,
    )  # fmt: skip


def with_profiles(model: Model, found: Estimate) -> Estimate:
    """Return the estimate with profile intervals if the linear intervals are not valid.

    In a linear model, the root of the increase of the sum of squares, minimised over the other
    parameters, is the distance from the minimum in standard errors. An interval is replaced if it
    extends beyond a bound, or if the root at an end differs by more than `_SKEWED`. At the new ends
    the root is equal to the quantile, or they are bounds.
    """
    slopes = _joined(found.filters, found.jacobian)
    plain = np.diag(np.linalg.pinv(slopes @ slopes.T, rcond=1e-14, hermitian=True))
    least = float(np.sum(_joined(found.filters, [by[None] for by in found.residuals]) ** 2))
    ends, profiles = found.ends.copy(), []

    def root(index: int, value: float, *, is_fitted: bool = True) -> float:
        variance = found.covariance[index, index]
        change = found.covariance[index] / variance * (value - found.point[index])
        point = np.clip(found.point + np.nan_to_num(change), 0.0, 1.0)
        others = np.arange(len(point)) != index
        if is_fitted and np.any(others):

            def at_value(points: Floats) -> list[Floats]:
                return model(np.insert(points, index, value, axis=1))

            for minimum in _minimum(at_value, found.filters, point[others]):
                point[others] = minimum.x
        squares = float(np.sum(_joined(found.filters, model(point[None])) ** 2))
        increase = max(squares - least, 0.0) if math.isfinite(squares) else math.inf
        return math.sqrt(increase * plain[index] / variance) - found.quantile

    for index in np.flatnonzero(found.errors > 0.0).tolist():  # not for NaN
        if any(
            not 0.0 <= end <= 1.0
            or abs(root(index, end, is_fitted=False)) > _SKEWED * found.quantile
            for end in found.ends[index]
        ):
            profiles.append(index)
            at_end = partial(_crossing, partial(root, index), found.point[index])
            ends[index] = [at_end(end) for end in found.ends[index]]
    return replace(found, ends=ends, profiles=tuple(profiles))


def _crossing(root: Callable[[float], float], point: float, end: float) -> float:
    """Return the point towards `end` at which `root` changes its sign, or the bound."""
    step, bound = end - point, 1.0 if end > point else 0.0
    inner = outer = float(point)
    while outer != bound:
        inner, outer = outer, float(np.clip(outer + step, 0.0, 1.0))
        if root(outer) > 0.0:
            return float(brentq(root, inner, outer, xtol=_PROFILE_TOLERANCE * abs(step)))
        step *= 2.0
    return bound


def _beginning(model: Model, share: float) -> Model:
    """Return a model with the residuals of the first part of each channel."""
    return lambda points: [by[:, : math.ceil(share * by.shape[1])] for by in model(points)]


def _joined(filters: Sequence[Filter], channels: Sequence[Floats]) -> Floats:
    """Return the whitened residuals of all channels along the last axis."""
    whitened = [by.whitened(values) for by, values in zip(filters, channels, strict=True)]
    return np.concatenate(whitened, axis=-1)


def _minimum(model: Model, filters: Sequence[Filter], start: Floats) -> list[Any]:
    """Return the minimum from a start, or [] if the model cannot be computed there.

    Other points that cannot be computed are avoided.
    """
    start = np.clip(start, 1e-9, 1.0 - 1e-9)
    largest = np.max(np.abs(_joined(filters, model(start[None]))))
    if not np.isfinite(largest):
        return []

    def residuals(point: Floats) -> Floats:
        values = _joined(filters, model(point[None]))[0]
        return values if np.isfinite(values).all() else np.full_like(values, 1e3 * largest)

    def slopes(point: Floats) -> Floats:
        sides, steps = np.where(point > 0.5, -1.0, 1.0), sorted({by.step for by in filters})
        ends = [point + np.diag(step * sides) for step in steps]
        changes = [
            (np.split(values[1:], len(steps))[steps.index(by.step)] - values[0]) / by.step
            for by, values in zip(filters, model(np.vstack([point, *ends])), strict=True)
        ]
        return np.asarray(np.nan_to_num(_joined(filters, changes).T * sides))

    with np.errstate(all="ignore"):
        found = least_squares(
            residuals, start, slopes, bounds=(0.0, 1.0), xtol=_TOLERANCE, ftol=_TOLERANCE,
            gtol=None, max_nfev=_MOST_EVALUATIONS,
        )  # fmt: skip
    return [found]


def _different(minima: list[Any]) -> tuple[tuple[Floats, float], ...]:
    """Return the minima that differ from the first and best minimum, and from each other."""
    kept: list[Any] = minima[:1]
    for minimum in minima[1:]:
        is_new = all(np.max(np.abs(minimum.x - other.x)) > _DIFFERENT for other in kept)
        if is_new and minimum.cost < _MUCH_LARGER * minima[0].cost:
            kept.append(minimum)
    return tuple((minimum.x, float(minimum.cost / minima[0].cost)) for minimum in kept[1:])


def _jacobian(model: Model, filters: Sequence[Filter], point: Floats) -> list[Floats]:
    """Return central differences of each channel, with steps relative to the standard errors."""
    slopes = [np.empty(0)] * len(filters)
    # Histories share their runs. Each statistic has its own scatter, and thus its own steps.
    histories = [number for number, by in enumerate(filters) if not by.is_known]
    statistics = [[number] for number, by in enumerate(filters) if by.is_known]
    for group in filter(None, [histories, *statistics]):
        by = [filters[number] for number in group]
        steps, most = np.full(len(point), by[0].step), max(_LARGEST_STEP, by[0].step)
        share = _STATISTIC_SHARE if by[0].is_known else _SHARE
        for _ in range(2):
            upper, lower = np.minimum(point + steps, 1.0), np.maximum(point - steps, 0.0)
            ends = np.concatenate([point + np.diag(upper - point), point - np.diag(point - lower)])
            values = model(ends)
            for number in group:
                up, low = np.split(values[number], 2)
                slopes[number] = np.nan_to_num((up - low) / (upper - lower)[:, None])
            lengths = np.linalg.norm(_joined(by, [slopes[number] for number in group]), axis=1)
            steps = np.clip(share / np.maximum(lengths, 1e-9), _SMALLEST_STEP, most)
    return slopes


def _open(slopes: Floats, quantile: float) -> tuple[tuple[int, ...], tuple[Combination, ...]]:
    """Return the parameters without influence, and combinations that are not determined."""
    lengths = np.linalg.norm(slopes, axis=0)
    has_influence = lengths > 2.0 * quantile
    kept = np.flatnonzero(has_influence)
    combinations = []
    _, values, directions = np.linalg.svd(slopes[:, kept] / lengths[kept], full_matrices=False)
    for value, direction in zip(np.maximum(values, 1e-150), directions, strict=True):
        changes = direction / lengths[kept]
        if value**2 < _INSEPARABLE or np.max(2.0 * quantile * np.abs(changes) / value) > 1.0:
            members = np.abs(direction) > _COMPONENT
            inflation = max(float(np.max(direction**2)) / value**2, 1.0)
            indices, cancelling = kept[members].tolist(), changes[members].tolist()
            correlation = float(np.sqrt(1.0 - 1.0 / inflation))
            combinations.append(Combination(tuple(indices), tuple(cancelling), correlation))
    return tuple(np.flatnonzero(~has_influence).tolist()), tuple(combinations)


def _sandwich(
    filters: Sequence[Filter], residuals: Sequence[Floats], jacobian: Sequence[Floats]
) -> Floats:
    """Return the covariance: correlations of H⁻¹, and the larger variance of H⁻¹ or sandwich."""
    size = len(jacobian[0])
    hessian, spread = np.zeros((size, size)), np.zeros((size, size))
    for by, values, slopes in zip(filters, residuals, jacobian, strict=True):
        columns = by.whitened(slopes)
        hessian += columns @ columns.T
        scores = columns if by.is_known else columns * by.whitened(values)
        if not by.is_known:
            # Sums over √n samples give the weights of Newey and West.
            lags = int(np.sqrt(count := scores.shape[1])) + 1
            padded = np.pad(scores, ((0, 0), (0, lags - 1)))
            scores = lfilter(np.ones(lags), [1.0], padded) / np.sqrt(lags)
            scores *= np.sqrt(count / max(count - size, 1))
        spread += scores @ scores.T
    inverse = np.linalg.pinv(hessian, rcond=1e-14, hermitian=True)
    plain, robust = np.diag(inverse), np.diag(inverse @ spread @ inverse)
    ratio = np.sqrt(np.maximum(robust / np.maximum(plain, 1e-300), 1.0))
    return np.asarray(ratio[:, None] * inverse * ratio)
