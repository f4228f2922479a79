"""A picture of a sweep: a line over one varied quantity, a map over two; one page, no network."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.errors import CaseError
from harness.optional_library import optional_module
from harness.output_files import replacing
from harness.report.palette import light
from harness.sweep.batch import Row
from harness.sweep.sweep_file import Sweep

_PURPOSE = "--map"


def require_map(sweep: Sweep) -> None:
    """Raise before the work what would keep `write_map` from drawing.

    Raises
    ------
    CaseError
        If more than two quantities are varied, or one is not a number.
    MissingLibraryError
        If plotly is not installed.
    """
    if len(sweep.varied) > 2:
        raise CaseError(
            f"{_PURPOSE}: {len(sweep.varied)} quantities are varied; a picture shows one or two"
        )
    for name, varied in sweep.varied.items():
        if not varied.numeric:
            raise CaseError(f"{_PURPOSE}: vary.{name} takes values that are no numbers")
    optional_module("plotly.graph_objects", _PURPOSE)


def write_map(sweep: Sweep, rows: Mapping[int, Row], path: Path) -> None:
    """Write the picture as an HTML page; a menu chooses among several quantities.

    Two varied quantities on a grid make a heat map with contours, otherwise coloured points.
    """
    graph_objects = optional_module("plotly.graph_objects", _PURPOSE)
    names = list(sweep.study.quantities)
    columns = [
        [rows[number].values[index] for number in range(len(sweep.points))]
        for index in range(len(names))
    ]
    figure = graph_objects.Figure()
    draw = _draw_line if len(sweep.varied) == 1 else _draw_map
    for index, (name, values) in enumerate(zip(names, columns, strict=True)):
        draw(figure, sweep, name, values, visible=index == 0)
    figure.update_layout(
        template="none",
        title=sweep.title,
        font={"family": "system-ui, sans-serif", "size": 13, "color": light("text")},
        margin={"l": 90, "r": 30, "t": 90, "b": 70},
    )
    axes = (figure.update_xaxes, figure.update_yaxes)
    for update in axes:
        update(gridcolor=light("grid"), automargin=True)
    for update, (name, varied) in zip(axes, sweep.varied.items(), strict=False):
        update(title_text=_label(sweep, name), type=varied.scale, ticks="outside")
    if len(sweep.varied) == 1:
        figure.update_yaxes(
            title_text=_label(sweep, names[0]), gridcolor=light("grid"), automargin=True
        )
    if len(names) > 1:
        figure.update_layout(updatemenus=[_menu(sweep)])
    with replacing(path) as part:
        figure.write_html(part, include_plotlyjs=True, full_html=True)


def _draw_line(
    figure: Any, sweep: Sweep, name: str, values: list[float | None], *, visible: bool
) -> None:
    ordered = sorted(range(len(values)), key=lambda number: float(sweep.points[number][0]))
    figure.add_scatter(
        x=[sweep.points[number][0] for number in ordered],
        y=[values[number] for number in ordered],
        name=name,
        mode="lines+markers",
        line={"color": light("wear"), "width": 1.7},
        marker={"size": 4},
        visible=visible,
        showlegend=False,
    )


def _draw_map(
    figure: Any, sweep: Sweep, name: str, values: list[float | None], *, visible: bool
) -> None:
    first, second = zip(*sweep.points, strict=True)
    bar = {"title": {"text": _label(sweep, name)}, "exponentformat": "power"}
    if sweep.design.kind == "grid":
        rows, width = len(dict.fromkeys(first)), len(dict.fromkeys(second))
        figure.add_contour(
            x=first[::width],
            y=second[:width],
            # One row of the picture for each value of the second quantity.
            z=[[values[row * width + column] for row in range(rows)] for column in range(width)],
            colorscale="Viridis",
            contours={"coloring": "heatmap"},
            line={"width": 0.5},
            colorbar=bar,
            name=name,
            visible=visible,
        )
        return
    figure.add_scatter(
        x=first,
        y=second,
        mode="markers",
        marker={"color": values, "colorscale": "Viridis", "colorbar": bar, "size": 6},
        text=[f"{name} = {value}" for value in values],
        name=name,
        visible=visible,
        showlegend=False,
    )


def _menu(sweep: Sweep) -> dict[str, Any]:
    """A menu that shows one quantity at a time."""
    names = list(sweep.study.quantities)
    return {
        "x": 1.0,
        "xanchor": "right",
        "y": 1.02,
        "yanchor": "bottom",
        "buttons": [
            {
                "label": name,
                "method": "update",
                "args": [
                    {"visible": [other == name for other in names]},
                    {"yaxis.title.text": _label(sweep, name)} if len(sweep.varied) == 1 else {},
                ],
            }
            for name in names
        ],
    }


def _label(sweep: Sweep, name: str) -> str:
    return f"{name} [{sweep.units[name]}]" if name in sweep.units else name
