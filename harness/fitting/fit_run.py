"""The run of a fit, and its result in the units of the parameters."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from harness.errors import RunError
from harness.fitting.estimation import Combination, Estimate, estimate
from harness.fitting.fit_file import Fit, load_fit
from harness.fitting.model_check import departures
from harness.fitting.wear_tests import WearCoefficient, outlying_tests, wear_coefficient
from harness.sweep import kernel_runs

# A larger correlation of two estimates is a warning.
_STRONG = 0.99
_AT_BOUND = 1e-6
# Computed and measured values that differ by a larger factor are probably in different units.
_OTHER_UNIT = 50.0
# Intervals of time in which the linearity of effects is judged.
_BLOCKS = 20


@dataclass(frozen=True)
class FittedParameter:
    """A fitted parameter."""

    unit: str
    # Value at the minimum, and start value of the file.
    value: float
    start: float
    # 95 % interval, or None if the data do not determine the parameter.
    low: float | None = None
    high: float | None = None
    # Of the logarithm on a log scale.
    standard_error: float | None = None


@dataclass(frozen=True)
class FitResult:
    """Result of a fit."""

    fit: Fit = field(repr=False)
    parameters: dict[str, FittedParameter]
    # Details of the fit of measured data, and the wear coefficient of tests.
    estimate: Estimate | None = field(repr=False)
    wear: WearCoefficient | None
    # Parameters that are not determined, and doubts about the result, with their causes.
    not_known: tuple[str, ...]
    warnings: tuple[str, ...]


def fit(path: Path | str, *, progress: Callable[[int], None] = lambda done: None) -> FitResult:
    """Fit the parameters of a case with a section [fit] to its measured data.

    `progress` is called with the number of completed starts. Raises CaseError if the file is
    invalid, and RunError if the model cannot be computed.
    """
    return run_fit(load_fit(path), progress=progress)


def run_fit(fit: Fit, *, progress: Callable[[int], None] = lambda done: None) -> FitResult:
    """Run a checked fit, as `fit`."""
    start = np.array([by.unit(by.start) for by in fit.parameters.values()])
    parameters: dict[str, FittedParameter] = {}
    found, wear = None, None
    not_known: list[str] = []
    warnings: list[str] = []
    if fit.channels:
        try:
            found = estimate(
                fit.residuals,
                start,
                deviations=[channel.deviation for channel in fit.channels],
                starts=fit.section.starts,
                seed=fit.section.seed,
                progress=progress,
            )
        except ValueError as problem:
            run = dict(kernel_runs(fit.study, [fit.run_point(start)]))[0]
            reason = run if isinstance(run, str) else problem
            raise RunError(f"{fit.case.shown}: {reason}") from None
        start = found.point
        parameters = dict(_parameters(fit, found))
        not_known += _not_known(fit, found)
        warnings += _warnings(fit, found)
        warnings += [] if not_known else departures(fit, found)
    if fit.section.worn:
        if not_known and any(worn.wear_work is None for worn in fit.section.worn):
            not_known.append(
                "wear coefficient: the wear work of its tests is computed with parameters that "
                "are not known. Set them in [parameters], or give wear_work instead of duration"
            )
        else:
            wear = wear_coefficient(fit, fit.study_at(start))
            warnings += outlying_tests(wear)
            if wear.factor is None:
                not_known.append("scatter of the wear coefficient: a single test does not show it")
    return FitResult(fit, parameters, found, wear, tuple(not_known), tuple(warnings))


def _parameters(fit: Fit, found: Estimate) -> Iterator[tuple[str, FittedParameter]]:
    rows = zip(fit.parameters.items(), found.point.tolist(), found.errors.tolist(), strict=True)
    for (name, by), unit, error in rows:
        variable = fit.variables.get(name)
        known = (variable.unit if variable is not None else "", by.value(unit), by.start)
        if not math.isfinite(error):
            yield name, FittedParameter(*known)
            continue
        half = found.quantile * error
        low, high = by.value(unit - half), by.value(unit + half)
        yield name, FittedParameter(*known, low, high, error * by.size)


def _not_known(fit: Fit, found: Estimate) -> Iterator[str]:
    for index in found.without_influence:
        name, by = fit.names[index], fit.parameters[fit.names[index]]
        yield (
            f"{name}: no influence on the measured data that exceeds their noise, between "
            f"{by.low:g} and {by.high:g}. Set it in [parameters], or measure where it has an effect"
        )
    for combination in found.combinations:
        members = [fit.names[index] for index in combination.indices]
        changes = _changes(fit, found, combination)
        cancelling = zip(members, changes, strict=True)
        yield (
            f"{' and '.join(members)}: only a combination is determined, correlation "
            f"{combination.correlation:.6f}. These changes cancel: "
            f"{', '.join(f'{name} {change:+.3g}' for name, change in cancelling)}. Set one of them "
            "in [parameters]"
        )


def _changes(fit: Fit, found: Estimate, combination: Combination) -> list[float]:
    """Changes of the parameters that cancel, the first by 1 % of its value or of its range."""
    members = [fit.parameters[fit.names[index]] for index in combination.indices]
    units = [float(found.point[index]) for index in combination.indices]
    slopes = [
        change * by.size * (by.value(unit) if by.scale == "log" else 1.0)
        for by, unit, change in zip(members, units, combination.changes, strict=True)
    ]
    size = 0.01 * (abs(members[0].value(units[0])) or members[0].size)
    return [slope * size / slopes[0] for slope in slopes]


def _warnings(fit: Fit, found: Estimate) -> Iterator[str]:
    for channel, residuals in zip(fit.channels, found.residuals, strict=True):
        measured, computed = np.std(channel.values), np.std(channel.values + residuals)
        if max(measured, computed) > _OTHER_UNIT * min(measured, computed):
            yield (
                f"{channel.name}: the computed values scatter by {computed:.3g} {channel.unit}, "
                f"the measured values by {measured:.3g} {channel.unit}: is the unit right?"
            )
    halves = found.quantile * found.errors
    for (name, by), unit, half in zip(fit.parameters.items(), found.point, halves, strict=True):
        for bound, distance in (("low", unit), ("high", 1.0 - unit)):
            if distance < _AT_BOUND:
                yield (
                    f"{name}: the minimum is at the bound {bound} = {getattr(by, bound):g}: extend "
                    "the range, or set it in [parameters]"
                )
            elif distance < half:
                yield (
                    f"{name}: the interval extends beyond {bound} = {getattr(by, bound):g}: it is "
                    "a linear approximation there. Extend the range, or measure longer"
                )
    if (horizon := _horizon(fit, found)) is not None:
        yield (
            f"from {horizon:.4g} s on, changes within the intervals do not act linearly, as in "
            "chaotic motion: reduce experiment.stop_time to this time, or fit a [[fit.statistic]]"
        )
    for first, second, correlation in found.correlations():
        if abs(correlation) > _STRONG:
            yield (
                f"{fit.names[first]} and {fit.names[second]}: correlation {correlation:.4f}. The "
                "data hardly separate them"
            )


def _horizon(fit: Fit, found: Estimate) -> float | None:
    """Time from which the effect of a half interval differs from half the effect, by 10 %."""
    times = []
    halves = np.nan_to_num(found.quantile * found.errors)
    for index in np.flatnonzero(halves > 0.0):
        step = np.zeros(len(halves))
        step[index] = halves[index] * (1.0 if found.point[index] < 0.5 else -1.0)
        points = np.clip(found.point + np.outer((0.0, 0.5, 1.0), step), 0.0, 1.0)
        for channel, (base, half, whole) in zip(fit.channels, fit.residuals(points), strict=True):
            if len(channel.instants) < _BLOCKS:
                continue
            pairs = zip(
                *(np.array_split(by, _BLOCKS) for by in (whole - base, half - base)), strict=True
            )
            sizes = [(np.linalg.norm(by), np.linalg.norm(by - 2.0 * part)) for by, part in pairs]
            largest = max(size for size, _ in sizes)
            is_linear = [bend <= 0.1 * max(size, 0.1 * largest) for size, bend in sizes]
            if not is_linear[-1]:
                last = max((at for at, linear in enumerate(is_linear) if linear), default=-1)
                block = np.array_split(channel.instants, _BLOCKS)[last + 1]
                times.append(float(block[0]))
    return min(times, default=None)
