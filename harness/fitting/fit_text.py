"""Prints the result of a fit, and writes it as JSON and as a case file with the fitted values."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from harness.console import number_columns, text_table
from harness.errors import UsageError
from harness.figures.labels import shown_unit
from harness.fitting.fit_run import FitResult, FittedParameter
from harness.output_files import write_json, write_text
from wearmodel.read_files import read_text


def _texts(by: FittedParameter) -> tuple[str, str]:
    """Return value and interval, with one digit more than the interval determines."""
    if by.low is None or by.high is None:
        return "–", "not known"
    half = 0.5 * (by.high - by.low)
    largest = max(abs(by.low), abs(by.high))
    digits = 2 + math.floor(math.log10(largest)) - math.floor(math.log10(half)) if half else 6
    value, low, high = (
        f"{number:#.{digits}g}".rstrip(".") for number in (by.value, by.low, by.high)
    )
    return value, f"{low} to {high}{' (profile)' if by.is_profile else ''}"


def fit_grids(result: FitResult) -> list[tuple[list[str], list[list[str]]]]:
    """Return heads and rows of the tables: parameters, wear, measured data and correlations."""
    parameters = []
    for name, fitted in result.parameters.items():
        value, interval = _texts(fitted)
        parameters.append([name, value, shown_unit(fitted.unit), interval, f"{fitted.start:g}"])
    correlations = [[a, b, f"{value:.2f}"] for a, b, value in _correlations(result)]
    grids = [
        (["parameter", "value", "unit", "95 % interval", "start"], parameters),
        (["wear", "value", "unit", "95 % interval", "tests"], _wear_rows(result)),
        (["measured", "samples", "residuals (rms)", "relative", "noise"], _measured_rows(result)),
        (["parameter", "and parameter", "correlation"], correlations),
    ]
    return [grid for grid in grids if grid[1]]


def _wear_rows(result: FitResult) -> list[list[str]]:
    wear = result.wear
    if wear is None:
        return []
    tests = str(len(wear.tests))
    interval = "–" if wear.low is None else f"{wear.low:.4g} to {wear.high:.4g}"
    rows = [["coefficient k (median)", f"{wear.median:.4g}", shown_unit("m2/N"), interval, tests]]
    if wear.scatter is not None:
        interval = f"{wear.scatter_low:.3g} to {wear.scatter_high:.3g}"
        rows.append(["standard deviation of ln k", f"{wear.scatter:.3g}", "", interval, tests])
    return rows


def _measured_rows(result: FitResult) -> list[list[str]]:
    found, measured = result.estimate, []
    if found is None:
        return []
    for channel, residuals, by in zip(
        result.fit.channels, found.residuals, found.filters, strict=True
    ):
        if channel.quantity is not None:
            share = f"{abs(residuals[0]) / by.deviation:.2g} σ"
            measured.append([channel.name, "1", f"{abs(residuals[0]):.3g}", share, "–"])
            continue
        rms, scatter = np.sqrt(np.mean(residuals**2)), np.std(channel.values)
        share = f"{float(f'{100.0 * rms / scatter:.2g}'):g} %" if scatter > 0.0 else "–"
        size = f"{rms:.3g} {channel.unit}"
        noise = f"AR({len(by.coefficients)})" if len(by.coefficients) else "white"
        measured.append([channel.name, f"{len(residuals)}", size, share, noise])
    return measured


def fit_lines(result: FitResult) -> Iterator[str]:
    """Yield the lines below the tables: entry for a service life, horizon and other minima."""
    found = result.estimate
    if result.wear is not None:
        yield f"for a service life: coefficient = {result.wear.entry}"
    if found is None:
        return
    if result.horizon:
        yield (
            f"measured histories are used up to {result.horizon:.4g} s: after this horizon, "
            "changes within the intervals do not act linearly, as in chaotic motion. Only the "
            "values of [[fit.statistic]] include later times"
        )
    if found.starts < result.fit.section.starts:
        yield f"interrupted after {found.starts} of {result.fit.section.starts} starts"
    is_any_known = any(by.low is not None for by in result.parameters.values())
    for point, ratio in found.others if is_any_known else ():
        at = ", ".join(f"{name} = {by:.4g}" for name, by in result.fit.values(point).items())
        yield f"other minimum: {at}, sum of squares {ratio:.4g} times the smallest"


def _correlations(result: FitResult) -> Iterator[tuple[str, str, float]]:
    """Yield the correlation of each pair of parameters that are determined."""
    names, found = result.fit.names, result.estimate
    if found is None:
        return
    for second, error in enumerate(found.errors):
        for first in range(second):
            if (size := found.errors[first] * error) > 0.0:  # not for NaN
                yield names[first], names[second], float(found.covariance[first, second] / size)


def print_fit(result: FitResult, console: Console) -> None:
    """Print the tables, then wear, reasons of missing results, and warnings."""
    for heads, rows in fit_grids(result):
        console.print(text_table(heads[0], *number_columns(*heads[1:]), rows=rows))
        console.print()
    for line in fit_lines(result):
        console.print(line, soft_wrap=True)
    for reason in result.not_known:
        console.print(f"not known: {reason}", soft_wrap=True, style="red")
    for warning in result.warnings:
        console.print(f"warning: {warning}", soft_wrap=True, style="yellow")


def write_fit_json(result: FitResult, path: Path) -> None:
    """Write parameters with intervals, goodness of fit, wear and all remarks as JSON."""
    found = result.estimate
    content: dict[str, Any] = {
        "fitted": result.fit.case.name,
        "is_known": not result.not_known,
        "parameters": {name: vars(by) for name, by in result.parameters.items()},
    }
    if found is not None:
        content["correlations"] = [
            {"first": first, "second": second, "value": value}
            for first, second, value in _correlations(result)
        ]
        content["measured"] = {
            channel.name: {
                "samples": len(residuals),
                "rms_residual": float(np.sqrt(np.mean(residuals**2))),
                "noise_coefficients": by.coefficients.tolist(),
            }
            for channel, residuals, by in zip(
                result.fit.channels, found.residuals, found.filters, strict=True
            )
        }
        content["starts"], content["horizon"] = found.starts, result.horizon
        content["other_minima"] = [
            {"parameters": result.fit.values(point), "sum_of_squares_ratio": ratio}
            for point, ratio in found.others
        ]
    if result.wear is not None:
        content["wear_coefficient"] = vars(result.wear)
    content["not_known"], content["warnings"] = result.not_known, result.warnings
    write_json(path, content | {"notes": result.fit.notes})


def require_beside(result_file: Path, case_file: Path) -> None:
    """Raise UsageError unless the result is in the folder of the case, whose paths are relative."""
    if result_file.resolve().parent != case_file.parent:
        raise UsageError(
            f"--fitted {result_file} must be in the folder of the case, {case_file.parent}: the "
            "case refers to files relative to it"
        )


def write_fitted_case(result: FitResult, path: Path) -> None:
    """Write the case with the fitted values, without [fit]. Comments are kept.

    For a service life, comments give the coefficient of the tests, and distributions of the
    parameters with their standard errors.
    """
    fit = result.fit
    lines = [f"# Fitted by wearfmu fit from {fit.case.file.name}"]
    lines += [f"# not known: {reason}" for reason in result.not_known]
    if result.wear is not None:
        lines.append(
            f"# For [life.law], where factor bounds 95 %:\n# coefficient = {result.wear.entry}"
        )
    lines += [f"# {line}" for line in _distributions(result)]
    fitted: dict[str, dict[str, float]] = {"parameters": {}}
    for target, name in zip(fit.study.targets, fit.names, strict=False):
        table = "parameters" if target[0] == "parameters" else f"inputs.{target[1]}"
        fitted.setdefault(table, {})[target[-1]] = result.parameters[name].value
    for block in re.split(r"(?m)^(?=\s*\[)", read_text(fit.case.file)):
        head = re.match(r"\s*\[+\s*([^\]]*?)\s*\]", block)
        name = head[1] if head else ""
        if name.split(".")[0] != "fit":
            lines.append(_with_values(block, fitted.pop(name, {})))
    for name, values in fitted.items():
        lines.append(_with_values(f"[{name}]", values))
    write_text(path, re.sub(r"\n{3,}", "\n\n", "\n".join(lines)))


def _with_values(block: str, values: dict[str, float]) -> str:
    """Return the text of a section in which these values replace others with the same name."""
    for key in values:
        block = re.sub(rf'(?m)^[ \t]*"?{re.escape(key)}"?[ \t]*=[^\n]*(\n|$)', "", block)
    entries = (
        f"{key} = {value!r}" if re.fullmatch(r"\w+", key) else f'"{key}" = {value!r}'
        for key, value in values.items()
    )
    return "\n".join([block.strip("\n"), *entries, ""])


def _distributions(result: FitResult) -> Iterator[str]:
    """Yield the sections [life.vary] of the parameters of a model."""
    if text := "; ".join(f"{a}, {b} {value:.2f}" for a, b, value in _correlations(result)):
        yield f"Draws are independent, but the fit has these correlations: {text}"
    for target, name in zip(result.fit.study.targets, result.fit.names, strict=False):
        by = result.parameters[name]
        if by.standard_error is None:
            continue
        yield f'[life.vary."{name}"]\n# of = "{".".join(target)}"'
        if result.fit.parameters[name].scale == "log":
            factor = math.exp(by.standard_error)
            yield f'distribution = "lognormal"\n# median = {by.value!r}'
            yield f"factor = {factor!r}  # one standard deviation, 68 % of the values"
        else:
            yield f'distribution = "normal"\n# mean = {by.value!r}'
            yield f"standard_deviation = {by.standard_error!r}"
