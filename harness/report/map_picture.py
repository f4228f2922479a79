"""Pictures of a sweep in one page: a line over one varied quantity, or a map over two."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from harness.errors import CaseError
from harness.figures.curves import Curve
from harness.figures.labels import shown_unit, with_unit
from harness.figures.log_axis import axis_over, decimal_ticks, tick_texts
from harness.figures.palette import light
from harness.figures.panels import Panel, framed, side_by_side_figure
from harness.optional_library import optional_module
from harness.report.document import Document, Grid, Picture, Section, write_document
from harness.report.uncertainty_page import write_uncertainty
from harness.sweep import RegimeLine, Row, Sweep, is_uncertain, regime_lines, spreads
from wearmodel.arrays import Floats

_PURPOSE = "--map"
_HEADING = "Results of the sweep"
# Colours of lines over a map, also on a dark screen.
_LINE, _EDGE = "#e0341a", "white"
_HEIGHT = 640
_NARROW_HEIGHT = 560
# Space below the axes [px]. plotly adds the height of the colour scale.
_BELOW_CURVE = 58
_BELOW_MAP = 10
# Largest range of logarithmic colours, because rounding errors of a 0 would use most colours.
_MOST_DECADES = 6
# Number of curves through a map, from the first to the last value of the second quantity.
_SECTIONS = 4


def require_map(sweep: Sweep) -> None:
    """Check before the sweep that `write_map` can draw its results.

    Raises CaseError if more than two quantities are varied, or one is not a number. Raises
    MissingLibraryError if plotly is not installed.
    """
    varied = {} if is_uncertain(sweep) else sweep.varied
    if len(varied) > 2:
        raise CaseError(
            f"{_PURPOSE}: {len(varied)} quantities are varied, but a picture shows at most "
            "two: vary fewer"
        )
    for name, quantity in varied.items():
        if not quantity.numeric:
            raise CaseError(f"{_PURPOSE}: the values of vary.{name} must be numbers")
    optional_module("plotly.graph_objects", _PURPOSE)


def write_map(sweep: Sweep, rows: Mapping[int, Row], path: Path) -> None:
    """Write the picture as an HTML page with a menu of quantities. See `write_document` for errors.

    Two varied quantities on a grid give a heat map with contours, other designs coloured points.
    """
    columns = _columns(sweep, rows)
    if is_uncertain(sweep):
        write_uncertainty(sweep, spreads(sweep, rows), columns, path)
        return
    lines = regime_lines(sweep)
    failed = sum(row.failure is not None for row in rows.values())
    picture = Section(
        "picture",
        f"Over {' and '.join(sweep.varied)}",
        warnings=[
            *(
                [f"{failed} points failed and are omitted. The results contain the reasons."]
                if failed
                else []
            ),
            *sweep.noted,
        ],
        pictures=[
            Picture(_HEADING, _caption(sweep, lines), map_figure(sweep, columns, lines)),
            *_sections(sweep, columns),
        ],
    )
    quantities = Grid(
        "Quantities computed at each point",
        ("quantity", "computed as", "unit", "smallest", "largest", "point of the largest value"),
        [
            _extremes(sweep, name, quantity.label, columns[name])
            for name, quantity in sweep.study.quantities.items()
        ],
    )
    numbers = Section("quantities", "Quantities", grids=[quantities])
    write_document(Document(sweep.title, sweep.summary, (), [picture, numbers]), path)


def _sections(sweep: Sweep, columns: Mapping[str, Floats]) -> list[Picture]:
    """Return curves through the map of each quantity, at values of the second varied quantity."""
    if sweep.design.kind != "grid" or len(sweep.varied) != 2:
        return []
    (first, along), (second, _) = sweep.varied.items()
    x, y = np.array(sweep.points, dtype=np.float64).T
    rows = np.unique(y)
    chosen = rows[np.unique(np.linspace(0, len(rows) - 1, _SECTIONS).round().astype(int))]
    pictures = []
    for name, values in columns.items():
        if np.all(np.isnan(values)):
            continue
        curves = []
        for value in chosen.tolist():
            at = y == value
            order = np.argsort(x[at])
            label = f"{second} = {value:.4g} {_unit(sweep, second)}".rstrip()
            curves.append(Curve(label, x[at][order], values[at][order]))
        panel = Panel(
            name,
            tuple(curves),
            x_title=first,
            unit=_unit(sweep, name),
            x_unit=_unit(sweep, first),
            logarithmic=_has_decades(values) and bool(np.nanmin(values) > 0.0),
            logarithmic_x=along.scale == "log",
        )
        caption = (
            f"Cuts through the map: {name} over {first}. Each curve is for one value of {second}."
        )
        figure = side_by_side_figure([panel])
        pictures.append(Picture(f"{name} over {first}", caption, figure))
    return pictures


def _caption(sweep: Sweep, lines: Sequence[RegimeLine]) -> str:
    caption = "Each point of the curve is a run. The menu selects the quantity and its scale."
    if len(sweep.varied) > 1:
        caption = (
            "Each point of the map is a run. Brighter colours are larger values, and thin lines "
            "connect equal values. The menu selects the quantity and its scale. Logarithmic "
            f"colours omit values ≤ 0 and cover {_MOST_DECADES} decades below the largest value."
        )
    if lines:
        caption += (
            " The lines are exact for a mass with friction on a support with a sinusoidal base "
            "motion: it never slips if the amplitude a₀ is at most μg, and never sticks if a₀ is "
            "at least μg/η*."
        )
    return caption


def _columns(sweep: Sweep, rows: Mapping[int, Row]) -> dict[str, Floats]:
    """Return the values of each quantity at all points, with NaN for missing values."""
    table = np.array([rows[number].values for number in range(len(sweep.points))], dtype=np.float64)
    return dict(zip(sweep.study.quantities, table.T, strict=True))


def _extremes(sweep: Sweep, name: str, computed_as: str, values: Floats) -> tuple[str, ...]:
    unit = shown_unit(sweep.units.get(name))
    if np.all(np.isnan(values)):
        return (name, computed_as, unit, "—", "—", "—")
    largest = int(np.nanargmax(values))
    where = ", ".join(
        f"{target} = {float(value):.6g} {shown_unit(sweep.units.get(target))}".rstrip()
        for target, value in zip(sweep.varied, sweep.points[largest], strict=True)
    )
    return (name, computed_as, unit, f"{np.nanmin(values):.6g}", f"{values[largest]:.6g}", where)


def map_figure(
    sweep: Sweep,
    columns: Mapping[str, Floats],
    lines: Sequence[RegimeLine] = (),
) -> Any:
    """Return the figure of a sweep.

    - `sweep`: sweep of one or two varied numbers
    - `columns`: values of each quantity. NaN for missing values, shape (number of points,).
    - `lines`: lines over the picture
    """
    graph_objects = optional_module("plotly.graph_objects", _PURPOSE)
    figure = graph_objects.Figure()
    single = len(sweep.varied) == 1
    buttons: list[dict[str, Any]] = []
    for name, values in columns.items():
        title = _label(sweep, name)
        for scale in ("linear", "log") if _has_decades(values) else ("linear",):
            # A curve has one trace for both scales. A map has a trace for each scale.
            if not single:
                _draw_map(figure, sweep, name, values, logarithmic=scale == "log")
            elif scale == "linear":
                _draw_curve(figure, sweep, name, values)
            ending = f", logarithmic {'axis' if single else 'colours'}" if scale == "log" else ""
            buttons.append(
                {
                    "label": f"{name}{ending}",
                    "method": "update",
                    "shown": len(figure.data) - 1,
                    "args": {"yaxis.title.text": title, "yaxis.type": scale},
                }
            )
    drawn = len(figure.data)
    _draw_lines(figure, lines)
    for button in buttons:
        shown = button.pop("shown")
        visible = [index == shown or index >= drawn for index in range(len(figure.data))]
        # Only the axis of a curve depends on the quantity.
        button["args"] = [{"visible": visible}, button["args"] if single else {}]
    for index in range(1, drawn):
        figure.data[index].visible = False
    framed(figure, height=_HEIGHT)
    _set_axes(figure, sweep, next(iter(columns)))
    margin = {"t": 92, "b": _BELOW_CURVE if single else _BELOW_MAP}
    figure.update_layout(
        hovermode="closest",
        margin={"l": 78, "r": 18, **margin},
        legend={"orientation": "h", "x": 0.0, "y": 1.01, "yanchor": "bottom"},
        meta={"narrow": {"height": _NARROW_HEIGHT, "margin": {"l": 56, "r": 8, **margin}}},
    )
    if len(buttons) > 1:
        menu = {
            "x": 0.0,
            "xanchor": "left",
            "y": 1.0,
            "yanchor": "bottom",
            "pad": {"b": 48},  # room for a legend of two rows
            "bgcolor": "rgba(128,128,128,0.12)",
            "bordercolor": light("limit"),
            "buttons": buttons,
        }
        figure.update_layout(updatemenus=[menu])
    return figure


def _has_decades(values: Floats) -> bool:
    """Whether the positive values cover at least a decade, so that a logarithmic scale helps."""
    positive = values[values > 0.0]
    return len(positive) > 1 and bool(np.max(positive) >= 10.0 * np.min(positive))


def _draw_curve(figure: Any, sweep: Sweep, name: str, values: Floats) -> None:
    places = np.array([point[0] for point in sweep.points], dtype=np.float64)
    order = np.argsort(places, kind="stable")
    figure.add_scatter(
        x=places[order],
        y=values[order],
        name=name,
        mode="lines+markers",
        line={"color": light("wear"), "width": 1.7},
        marker={"size": 4},
        hovertemplate=_read(sweep, "x") + f"<br>{name} %{{y:.6g}} {_unit(sweep, name)}".rstrip(),
        showlegend=False,
    )


def _draw_map(figure: Any, sweep: Sweep, name: str, values: Floats, *, logarithmic: bool) -> None:
    first, second = np.array(sweep.points, dtype=np.float64).T
    computed = values[~np.isnan(values)]
    # A quantity without values has an empty map.
    shown, low, high = values, 0.0, 1.0
    if len(computed):
        low, high = float(np.min(computed)), float(np.max(computed))
    bar = _colour_bar(_label(sweep, name))
    if logarithmic:
        with np.errstate(divide="ignore", invalid="ignore"):
            shown = np.where(values > 0.0, np.log10(values), np.nan)
        high = float(np.nanmax(shown))
        low = max(float(np.nanmin(shown)), high - _MOST_DECADES)
        marks = decimal_ticks(10.0**low, 10.0**high)
        bar |= {"tickvals": [math.log10(mark) for mark in marks], "ticktext": tick_texts(marks)}
    read = f"<br>{name} %{{customdata:.6g}} {_unit(sweep, name)}".rstrip() + "<extra></extra>"
    if sweep.design.kind == "grid":
        shape = (len(dict.fromkeys(first)), len(dict.fromkeys(second)))
        # Each value of the second quantity is a row of the picture.
        figure.add_contour(
            x=first[:: shape[1]],
            y=second[: shape[1]],
            z=shown.reshape(shape).T,
            customdata=values.reshape(shape).T,
            zmin=low,
            zmax=high,
            colorscale="Viridis",
            contours={"coloring": "heatmap"},
            line={"width": 0.5},
            colorbar=bar,
            hovertemplate=_read(sweep, "x", "y") + read,
            name=name,
        )
        return
    figure.add_scatter(
        x=first,
        y=second,
        mode="markers",
        marker={
            "color": shown,
            "cmin": low,
            "cmax": high,
            "colorscale": "Viridis",
            "colorbar": bar,
            "size": 6,
        },
        customdata=values,
        hovertemplate=_read(sweep, "x", "y") + read,
        name=name,
        showlegend=False,
    )


def _colour_bar(title: str) -> dict[str, Any]:
    """Return a colour bar below the map, so that both fit on a narrow screen."""
    return {
        "title": {"text": title, "side": "top"},
        "orientation": "h",
        "thickness": 12,
        "x": 0.5,
        "xanchor": "center",
        "y": 0.0,
        "yanchor": "top",
        "ypad": 70,
        "exponentformat": "power",
        "outlinewidth": 0,
    }


def _draw_lines(figure: Any, lines: Sequence[RegimeLine]) -> None:
    """Draw lines with a pale edge, so that they are visible on all colours."""
    for number, line in enumerate(lines):
        dash = "solid" if number == 0 else "dash"
        if not len(line.y):
            figure.add_vline(
                x=float(line.x[0]),
                line={"color": _LINE, "width": 1.5, "dash": dash},
                name=line.name,
                showlegend=True,
            )
            continue
        for colour, width in ((_EDGE, 5), (_LINE, 2.2)):
            edge = colour == _EDGE
            figure.add_scatter(
                x=line.x,
                y=line.y,
                name=line.name,
                mode="lines",
                line={"color": colour, "width": width, "dash": "solid" if edge else dash},
                hoverinfo="skip",
                showlegend=not edge,
            )


def _set_axes(figure: Any, sweep: Sweep, first_quantity: str) -> None:
    """Set titles of the axes, and decimal ticks of logarithmic axes."""
    updates = (figure.update_xaxes, figure.update_yaxes)
    for update, (name, varied), column in zip(
        updates, sweep.varied.items(), zip(*sweep.points, strict=True), strict=False
    ):
        scale = axis_over(np.array(column), logarithmic=varied.scale == "log")
        update(title_text=_label(sweep, name), **scale)
    if len(sweep.varied) == 1:
        figure.update_yaxes(title_text=_label(sweep, first_quantity))


def _read(sweep: Sweep, *axes: str) -> str:
    """Return the template of the varied quantities at the pointer."""
    return "<br>".join(
        f"{name} %{{{axis}:.6g}} {_unit(sweep, name)}".rstrip()
        for axis, name in zip(axes, sweep.varied, strict=True)
    )


def _unit(sweep: Sweep, name: str) -> str:
    return shown_unit(sweep.units.get(name))


def _label(sweep: Sweep, name: str) -> str:
    return with_unit(name, _unit(sweep, name))
