"""The page of a fit: measured and computed histories, residuals, and friction over the speed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from harness.figures.curves import MOST_SAMPLES, Curve, reduced
from harness.figures.panels import Panel, side_by_side_figure, stacked_figure
from harness.fitting import Fit, FitResult, fit_grids, fit_lines
from harness.report.document import Document, Grid, Picture, Section, write_document
from harness.report.shaken_run import friction_of
from harness.sweep import kernel_runs
from wearmodel.arrays import Floats
from wearmodel.kernel.contact.friction import FrictionParameters, sliding_friction
from wearmodel.quantities import variable_name

_METHOD = "Least squares with whitened residuals. The 95 % intervals assume a correct model."
_DRAWS = 400
_SPEEDS = 60


def write_fit_report(result: FitResult, path: Path) -> None:
    """Write the page. See `write_document` for errors."""
    grids = [Grid("", heads, rows) for heads, rows in fit_grids(result)]
    fitted = [grid for grid in grids if "95 % interval" in grid.columns]
    lines = [_METHOD, *result.fit.notes, *fit_lines(result)]
    warnings = [*(f"not known: {reason}" for reason in result.not_known), *result.warnings]
    pictures = [*_histories(result), *_laws(result)]
    sections = [
        Section("fit", "Fitted parameters", (), warnings, pictures=pictures, answer=fitted),
        Section("details", "Details", lines, grids=[grid for grid in grids if grid not in fitted]),
    ]
    rows = [row for grid in fitted for row in grid.rows]
    summary = ", ".join(" ".join(filter(None, by)) + f" ({interval})" for *by, interval, _ in rows)
    title = f"Fit: {result.fit.case.heading.title}"
    write_document(Document(title, summary or warnings[0], (), sections), path)


def _histories(result: FitResult) -> Iterator[Picture]:
    found = result.estimate
    for channel, residuals in zip(
        result.fit.channels, [] if found is None else found.residuals, strict=False
    ):
        if channel.quantity is not None:
            continue
        curves = [
            Curve(name, *reduced(channel.instants, values, MOST_SAMPLES), colour, width=width)
            for name, values, colour, width in (
                ("measured", channel.values, "support", 4.0),  # visible below a narrower line
                ("computed", channel.values + residuals, "mass", 1.5),
                ("computed − measured", residuals, "wear", 1.0),
            )
        ]
        panels = [
            Panel(channel.name, tuple(curves[:2]), unit=channel.unit),
            Panel("residuals", tuple(curves[2:]), unit=channel.unit),
        ]
        caption = "Above: measured and computed values. Below: their difference."
        yield Picture(f"Measured and computed {channel.name}", caption, stacked_figure(panels))


def _laws(result: FitResult) -> Iterator[Picture]:
    """Yield the friction law of each contact with fitted friction, over the speeds of the run."""
    fit, found = result.fit, result.estimate
    if found is None or result.not_known:
        return
    law = [variable_name(by) for by in fields(FrictionParameters)]
    contacts = {name.rpartition(".")[0] for name in fit.names if name.split(".")[-1] in law}
    random = np.random.default_rng(0)
    drawn = random.multivariate_normal(found.point, found.covariance, _DRAWS, method="eigh")
    points = np.clip(drawn, 0.0, 1.0)
    study = replace(fit.study, quantities={}, recorded=())
    run = dict(kernel_runs(study, [fit.run_point(found.point)]))[0]
    for contact in sorted(contacts - {"inputs"}):
        prefix = f"{contact}." if contact else ""
        if isinstance(run, str) or f"{prefix}slip_velocity" not in run.values:
            continue
        speeds = np.linspace(0.0, float(np.max(np.abs(run[f"{prefix}slip_velocity"]))), _SPEEDS)
        laws = [_coefficients(fit, point, prefix, speeds) for point in points]
        low, high = np.quantile(laws, (0.025, 0.975), axis=0)
        curves = (
            Curve("95 % band", speeds, high, "limit", "dot"),
            Curve(" ", speeds, low, "limit", "band"),
            Curve("fitted", speeds, _coefficients(fit, found.point, prefix, speeds), "mass"),
        )
        panel = Panel("coefficient of friction", curves, "slip speed", x_unit="m/s")
        caption = "Coefficient in slip over the speeds of the run, with its 95 % band."
        title = f"Friction law{f' of {contact}' if contact else ''}"
        yield Picture(title, caption, side_by_side_figure([panel]))


def _coefficients(fit: Fit, point: Floats, prefix: str, speeds: Floats) -> Floats:
    """Return the friction coefficient at these speeds with the values of a point."""
    starts = {name: variable.start for name, variable in fit.variables.items()}
    values: dict[str, Any] = starts | fit.study.parameters_at(fit.run_point(point))
    friction = friction_of(values, prefix)
    return np.array([sliding_friction(friction, speed) for speed in speeds.tolist()])
