"""The page of uncertain results: histogram with quantiles, and Sobol indices."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any, TypeAlias

import numpy as np

from harness.figures.labels import shown_unit, spoken, with_unit
from harness.figures.palette import light
from harness.figures.panels import framed
from harness.life import DrawnLives
from harness.optional_library import optional_module
from harness.report.document import Document, Grid, KeyNumber, Picture, Section, write_document
from harness.sweep import SHARES, Index, Spread, Sweep, independent_sample
from wearmodel.arrays import Floats

# Heights [px] of a histogram, of a varied quantity among the indices, and of their frame.
_HISTOGRAM_HEIGHT = 380
_QUANTITY_HEIGHT = 46
_FRAME_HEIGHT = 110
# Letters of a name on a narrow screen, where the intervals need most of the width.
_NARROW_NAME = 14
# Values over a larger range are shown on a logarithmic axis.
_DECADE = 10.0
_FEWEST_BINS, _MOST_BINS = 8, 60
# Shares of `SHARES` drawn over a histogram.
_DRAWN = (0.05, 0.5, 0.95)


Shown: TypeAlias = Sweep | DrawnLives
"""Results of a design, with the texts of their page."""


def write_uncertainty(
    sweep: Shown,
    spreads: Mapping[str, Spread],
    columns: Mapping[str, Floats],
    path: Path,
    *,
    first: Sequence[Section] = (),
) -> None:
    """Write a page with histogram, quantiles and indices of each result.

    See `write_document` for errors.

    - `columns`: values of each result at all points, NaN for missing values
    - `first`: sections before the results
    """
    sections = list(first) + [
        _section(sweep, name, spread, independent_sample(sweep, columns[name]))
        for name, spread in spreads.items()
    ]
    if sweep.noted:
        sections.insert(0, Section("notes", "Notes", warnings=sweep.noted))
    write_document(Document(sweep.title, sweep.summary, (), sections), path)


def _section(sweep: Shown, name: str, spread: Spread, sample: Floats) -> Section:
    unit = shown_unit(sweep.units.get(name))
    pictures = [
        Picture(
            f"Histogram of {name}",
            "Share of the points in each bin. Lines are quantiles.",
            histogram(sample, spread, with_unit(name, unit)),
        )
    ]
    grids = [_quantiles(name, unit, spread)]
    if spread.indices:
        pictures.append(
            Picture(
                f"Sources of the variance: Sobol indices of {name}",
                "Share of the variance caused by each varied quantity. Alone: the part that would "
                "vanish if this quantity were known. With others: the part that would remain if "
                "all others were known. Error bars are 95 % intervals.",
                indices_figure(spread.indices),
            )
        )
        grids.append(_indices(spread.indices))
    low, middle, high = (_quantile(spread, share) for share in _DRAWN)
    numbers = [
        KeyNumber("median", f"{middle:.4g}", unit),
        KeyNumber("90 % of the values", f"{low:.4g} … {high:.4g}", unit),
    ]
    if spread.indices:
        most = max(spread.indices, key=lambda varied: spread.indices[varied].total)
        numbers.append(KeyNumber("most influential quantity", spoken(most)))
    return Section(name, name, grids=grids, pictures=pictures, key_numbers=numbers)


def _quantile(spread: Spread, share: float) -> float:
    return spread.quantiles[SHARES.index(share)]


def histogram(sample: Floats, spread: Spread, label: str) -> Any:
    """Return the histogram of a result, logarithmic if it covers more than a decade.

    - `sample`: finite values
    - `spread`: their quantiles
    - `label`: title of the axis, with the unit
    """
    figure = optional_module("plotly.graph_objects", "a picture").Figure()
    is_logarithmic = bool(np.min(sample) > 0.0 and np.max(sample) > _DECADE * np.min(sample))
    shown = np.log10(sample) if is_logarithmic else sample
    bins = min(max(len(np.histogram_bin_edges(shown, "fd")) - 1, _FEWEST_BINS), _MOST_BINS)
    counts, edges = np.histogram(shown, bins)
    if is_logarithmic:
        edges = 10.0**edges
    shares = counts / sample.size
    # Corners of the steps, because steps have different widths on a logarithmic axis.
    corners = np.repeat(edges, 2)
    heights = np.concatenate(([0.0], np.repeat(shares, 2), [0.0]))
    figure.add_scatter(
        x=corners,
        y=heights,
        mode="lines",
        fill="tozeroy",
        line={"color": light("wear"), "width": 1.4},
        fillcolor=light("slip"),
        hoverinfo="skip",
        showlegend=False,
    )
    figure.add_scatter(
        x=np.sqrt(edges[1:] * edges[:-1]) if is_logarithmic else 0.5 * (edges[1:] + edges[:-1]),
        y=shares,
        mode="markers",
        marker={"opacity": 0.0, "color": light("wear")},
        customdata=np.stack((edges[:-1], edges[1:]), axis=1),
        hovertemplate="%{customdata[0]:.4g} … %{customdata[1]:.4g}<br>%{y:.3g} of the points"
        "<extra></extra>",
        showlegend=False,
    )
    for share in _DRAWN:
        value = _quantile(spread, share)
        figure.add_vline(x=value, line={"color": light("limit"), "width": 1.2, "dash": "dash"})
        figure.add_annotation(
            x=math.log10(value) if is_logarithmic else value,
            y=1.0,
            yref="y domain",
            yanchor="bottom",
            text=f"{100.0 * share:g} %",
            showarrow=False,
            font={"size": 11, "color": light("limit")},
        )
    axis = {"type": "log", "dtick": 1, "exponentformat": "power"} if is_logarithmic else {}
    figure.update_xaxes(title_text=label, **axis)
    figure.update_yaxes(title_text="share of the points", rangemode="tozero")
    figure.update_layout(
        margin={"l": 70, "r": 18, "t": 46, "b": 58},
        meta={"narrow": {"margin": {"l": 58, "r": 8, "t": 28}}},
    )
    return framed(figure, height=_HISTOGRAM_HEIGHT)


def indices_figure(indices: Mapping[str, Index]) -> Any:
    """Return the indices of each varied quantity with their intervals, the largest on top."""
    figure = optional_module("plotly.graph_objects", "a picture").Figure()
    names = sorted(indices, key=lambda name: indices[name].total)
    places = np.arange(len(names), dtype=np.float64)
    columns = np.array([_numbers(indices[name]) for name in names]).T
    for label, colour, shift, (middle, low, high) in (
        ("alone", "support", 0.14, columns[:3]),
        ("with others", "mass", -0.14, columns[3:]),
    ):
        figure.add_scatter(
            x=middle,
            y=places + shift,
            name=label,
            mode="markers",
            marker={"color": light(colour), "size": 9},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": np.maximum(high - middle, 0.0),
                "arrayminus": np.maximum(middle - low, 0.0),
                "color": light(colour),
                "thickness": 1.6,
                "width": 5,
            },
            text=names,
            customdata=np.stack((low, high), axis=1),
            hovertemplate="%{text}: %{x:.3f} (%{customdata[0]:.3f} … %{customdata[1]:.3f})"
            f"<extra>{label}</extra>",
        )
    ticks = [spoken(name) for name in names]
    figure.update_xaxes(title_text="share of the variance", rangemode="tozero")
    figure.update_yaxes(
        tickvals=places, ticktext=ticks, range=[-0.6, len(names) - 0.4], showgrid=False
    )
    broken = [
        "<br>".join(wrap(tick, _NARROW_NAME, break_long_words=False, break_on_hyphens=False))
        for tick in ticks
    ]
    figure.update_layout(
        margin={"l": 120, "r": 18, "t": 46, "b": 58},
        legend={"orientation": "h", "x": 0.0, "y": 1.0, "yanchor": "bottom"},
        meta={"narrow": {"margin": {"l": 62, "r": 8, "t": 34}, "yaxis": {"ticktext": broken}}},
    )
    framed(figure, height=_FRAME_HEIGHT + _QUANTITY_HEIGHT * len(names))
    # The axis of names has no zero line.
    return figure.update_yaxes(zeroline=False)


def _numbers(index: Index) -> tuple[float, ...]:
    """Return the first-order and total index, each with the ends of its interval."""
    return (index.first, *index.first_interval, index.total, *index.total_interval)


def _quantiles(name: str, unit: str, spread: Spread) -> Grid:
    return Grid(
        f"Quantiles of {spread.count} points",
        ("", with_unit(name, unit)),
        [
            ("mean", f"{spread.mean:.6g}"),
            ("standard deviation", f"{spread.standard_deviation:.6g}"),
            *(
                (f"{100.0 * share:g} %", f"{value:.6g}")
                for share, value in zip(SHARES, spread.quantiles, strict=True)
            ),
        ],
    )


def _indices(indices: Mapping[str, Index]) -> Grid:
    return Grid(
        "Sobol indices: shares of the variance, with 95 % intervals",
        ("varied", "alone", "from", "to", "with others", "from", "to"),
        [
            (varied, *(f"{value:.3f}" for value in _numbers(index)))
            for varied, index in indices.items()
        ],
    )
