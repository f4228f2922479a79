"""The run of a fit, and its result in the units of the parameters."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np

from harness.errors import RunError
from harness.fitting.channels import Channel
from harness.fitting.estimation import SEARCH_STEP, Estimate, estimate, with_profiles
from harness.fitting.fit_file import Fit, load_fit
from harness.fitting.model_check import departures
from harness.fitting.wear_tests import WearCoefficient, outlying_tests, wear_coefficient
from harness.sweep import kernel_runs
from wearmodel.arrays import Floats

_AT_BOUND = 1e-6
# Residuals that are a larger part of the measured values suggest a wrong unit or input.
_UNEXPLAINED = 0.5
# Number of time intervals in which the linearity of effects is checked, and number of intervals
# that are fitted first in chaotic motion.
_BLOCKS, _FIRST_BLOCKS = 40, 5


@dataclass(frozen=True)
class FittedParameter:
    """A fitted parameter."""

    unit: str
    # Value at the minimum, and start value of the file.
    value: float
    start: float
    # 95 % interval, if the data determine the parameter, and whether it is a profile interval.
    low: float | None = None
    high: float | None = None
    is_profile: bool = False
    # Standard error, of the logarithm on a log scale.
    standard_error: float | None = None


@dataclass(frozen=True)
class FitResult:
    """Result of a fit."""

    fit: Fit = field(repr=False)
    parameters: dict[str, FittedParameter]
    # Details of the fit to measured data.
    estimate: Estimate | None = field(repr=False)
    # End of the used histories [s] if later samples are not used. 0 if no part is linear.
    horizon: float | None
    wear: WearCoefficient | None
    # Parameters that are not determined, and warnings about the result, with their causes.
    not_known: tuple[str, ...]
    warnings: tuple[str, ...]


def fit(path: Path | str, *, progress: Callable[[int], None] = lambda done: None) -> FitResult:
    """Fit the parameters of a case with a section [fit] to its measured data.

    `progress` is called with the number of completed starts. Raises CaseError if the file is
    invalid, and RunError if the model cannot be computed.
    """
    return run_fit(load_fit(path), progress=progress)


def run_fit(fit: Fit, *, progress: Callable[[int], None] = lambda done: None) -> FitResult:
    """Run a checked fit. See `fit`."""
    start = np.array([by.unit(by.start) for by in fit.parameters.values()])
    parameters: dict[str, FittedParameter] = {}
    found, wear, horizon = None, None, None
    not_known: list[str] = []
    warnings: list[str] = []
    if fit.channels:
        try:
            fit, found, horizon = _within_horizon(fit, start, progress)
            try:
                found = with_profiles(fit.residuals, found)
            except KeyboardInterrupt:
                warnings.append("interrupted: intervals at bounds and skewed ones are not profiles")
        except ValueError as problem:
            run = dict(kernel_runs(fit.study, [fit.run_point(start)]))[0]
            reason = run if isinstance(run, str) else problem
            raise RunError(f"{fit.case.shown}: {reason}") from None
        start = found.point
        parameters = dict(_parameters(fit, found))
        not_known += _not_known(fit, found)
        if horizon == 0.0:
            warnings.append(
                "changes within the intervals do not act linearly in any part of the "
                "record: measure with less noise, or fit a [[fit.statistic]]"
            )
        warnings += _warnings(fit, found)
        warnings += [] if not_known else departures(fit, found)
    if fit.section.worn:
        if not_known and any(worn.wear_work is None for worn in fit.section.worn):
            not_known.append(
                "wear coefficient: the wear work of its tests is computed with parameters that "
                "are not known. Set them in [parameters], or give wear_work instead of duration"
            )
        else:
            wear = wear_coefficient(fit, start)
            warnings += outlying_tests(wear)
            if wear.factor is None:
                not_known.append("scatter of the wear coefficient: a single test does not show it")
    return FitResult(fit, parameters, found, horizon, wear, tuple(not_known), tuple(warnings))


def _parameters(fit: Fit, found: Estimate) -> Iterator[tuple[str, FittedParameter]]:
    values, errors, variables = fit.values(found.point), found.errors.tolist(), fit.variables
    for index, (name, by) in enumerate(fit.parameters.items()):
        unit = variables[name].unit if name in variables else ""
        fitted = FittedParameter(unit, values[name], by.start)
        if math.isfinite(error := errors[index] * by.size):
            low, high = map(by.value, found.ends[index].tolist())
            fitted = replace(fitted, low=low, high=high, standard_error=error)
            fitted = replace(fitted, is_profile=index in found.profiles)
        yield name, fitted


def _not_known(fit: Fit, found: Estimate) -> Iterator[str]:
    remedy = "Set it in [parameters], or measure where it has an effect"
    if any(map(_is_unexplained, fit.channels, found.residuals)):
        remedy = "The model does not follow the measured data: see the warning first"
    for index in found.without_influence:
        name, by = fit.names[index], fit.parameters[fit.names[index]]
        yield (
            f"{name}: no influence on the measured data that exceeds their noise, between "
            f"{by.low:g} and {by.high:g}. {remedy}"
        )
    for combination in found.combinations:
        members = [fit.names[index] for index in combination.indices]
        step = 0.01 / max(map(abs, combination.changes))  # a hundredth of the range of a parameter
        cancelling = []
        for index, change in zip(combination.indices, combination.changes, strict=True):
            by, unit = fit.parameters[fit.names[index]], float(found.point[index])
            difference = by.value(unit + step * change) - by.value(unit)
            cancelling.append(f"{fit.names[index]} {difference:+.3g}")
        yield (
            f"{' and '.join(members)}: only a combination is determined, correlation "
            f"{combination.correlation:.6f}. These changes cancel: "
            f"{', '.join(cancelling)}. Set one of them in [parameters]"
        )


def _is_unexplained(channel: Channel, residuals: Floats) -> bool:
    return bool(np.std(residuals) > _UNEXPLAINED * np.std(channel.values))


def _warnings(fit: Fit, found: Estimate) -> Iterator[str]:
    for channel, residuals in zip(fit.channels, found.residuals, strict=True):
        measured, computed = np.std(channel.values), np.std(channel.values + residuals)
        if _is_unexplained(channel, residuals):
            yield (
                f"{channel.name}: the residuals are {np.std(residuals):.3g} {channel.unit}, the "
                f"measured values scatter by {measured:.3g} and the computed values by "
                f"{computed:.3g} {channel.unit}: are the units, the inputs and the other "
                "parameters right?"
            )
    for (name, by), unit, ends in zip(fit.parameters.items(), found.point, found.ends, strict=True):
        for bound, at, end in (("low", 0.0, ends[0]), ("high", 1.0, ends[1])):
            is_minimum = abs(unit - at) < _AT_BOUND
            if is_minimum or end == at:
                yield (
                    f"{name}: the {'minimum is' if is_minimum else 'interval ends'} at the bound "
                    f"{bound} = {getattr(by, bound):g}: extend the range, or measure longer"
                )


def _within_horizon(
    fit: Fit, start: Floats, progress: Callable[[int], None]
) -> tuple[Fit, Estimate, float | None]:
    """Fit the histories, or their beginning if the effects of changes are not linear.

    A change has the size of a parameter's interval. The beginning is extended while the effects are
    linear. Return the fit with the used histories, and their end, or None for the whole record.
    """
    known, starts = [channel.deviation for channel in fit.channels], fit.section.starts
    estimated = partial(estimate, deviations=known, seed=fit.section.seed, progress=progress)
    found = estimated(fit.residuals, start, starts=starts)
    if _linear_blocks(fit, found) == _BLOCKS:
        return fit, found, None
    used, length, part, kept = 0, _FIRST_BLOCKS, fit, found
    while length > used:
        channels = tuple(channel.beginning(length / _BLOCKS) for channel in fit.channels)
        beginning = replace(fit, channels=channels)
        try:
            longer = estimated(beginning.residuals, start, starts=1 if used else starts)
        except KeyboardInterrupt:
            if not used:
                raise
            break
        linear = _linear_blocks(fit, longer)
        if used and (linear < length or longer.combinations):
            break
        if linear < length:
            length = max(linear, length // 2)
        else:
            used, start, part, kept = length, longer.point, beginning, longer
            length = min(linear, 2 * length)
    end = max(by.instants[-1] for by in part.channels if len(by.instants))
    horizon = None if used == _BLOCKS else float(end) if used else 0.0
    return part, replace(kept, starts=found.starts), horizon


def _linear_blocks(fit: Fit, found: Estimate) -> int:
    """Return the number of time intervals, of `_BLOCKS`, in which effects are linear.

    After them, the effect of half a change differs from half the effect by more than 10 %. A change
    has the size of the interval of a parameter, and at least the step of differences in the search.
    """
    blocks = _BLOCKS
    for index in np.flatnonzero(found.errors > 0.0):  # not for NaN
        size = max(found.quantile * found.errors[index], SEARCH_STEP)
        points = np.tile(found.point, (3, 1))
        points[:, index] += np.array([0.0, 0.5, 1.0]) * (size if points[0, index] < 0.5 else -size)
        for base, half, whole in fit.residuals(np.clip(points, 0.0, 1.0)):
            if len(base) < _BLOCKS:
                continue
            bends, sizes = (
                np.array([np.linalg.norm(by) for by in np.array_split(values, _BLOCKS)])
                for values in (whole - 2.0 * half + base, whole - base)
            )
            is_linear = bends <= 0.1 * np.maximum(sizes, 0.1 * np.max(sizes))
            if not is_linear[-1]:
                blocks = min(blocks, int(np.max(np.flatnonzero(is_linear), initial=-1)) + 1)
    return blocks
