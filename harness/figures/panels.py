"""Plotly figures of panels: stacked over one time axis, or side by side with separate axes.

A panel has a legend if some of its curves are in no previous legend, because different quantities
have the same few colours. Panels of the same curves, such as support and mass, share a legend.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from harness.figures.curves import Curve
from harness.figures.labels import with_unit
from harness.figures.log_axis import axis_over
from harness.figures.palette import light
from harness.optional_library import optional_module

# Height of a row, and distance of a legend from the axes below it [px]. Above the first of stacked
# panels, the labels of instants are between them.
ROW_HEIGHT = 19
_GAP = 2.0
_LABEL_GAP = 18.0

Names = Sequence[Sequence[str]]


def own_legends(names: Names) -> list[bool]:
    """Return whether each panel has its own legend, from the names of its curves."""
    explained: set[str] = set()
    own = []
    for panel in names:
        # A single curve is described by the title of the axis.
        own.append(len(panel) > 1 and not explained.issuperset(panel))
        if own[-1]:
            explained.update(panel)
    return own


def _legend_heights(names: Names) -> list[int]:
    """Return the height of each legend [px] with one curve per row, or 0 without a legend."""
    own = own_legends(names)
    return [ROW_HEIGHT * len(panel) * has for panel, has in zip(names, own, strict=True)]


def place_legends(figure: Any, names: Names, *, height: float, beside: bool) -> None:
    """Put each legend above its panel.

    - `figure`: figure whose traces are the curves of the panels, in their order
    - `names`: names of the curves of each panel. The legend omits curves whose name is a space.
    - `height`: height of all panels, px
    - `beside`: whether the panels are side by side, with narrow legends (one curve in each row)
    """
    traces = iter(figure.data)
    for index, (panel, own) in enumerate(zip(names, own_legends(names), strict=True)):
        number = "" if index == 0 else str(index + 1)
        for name in panel:
            next(traces).update(legend=f"legend{number}", showlegend=own and not name.isspace())
        if not own:
            continue
        layout = figure.layout
        x = layout[f"xaxis{number}"].domain[0] if beside else 0.0
        top = 1.0 if beside else layout[f"yaxis{number}"].domain[1]
        gap = _LABEL_GAP if index == 0 and not beside else _GAP
        figure.update_layout(
            {
                f"legend{number}": {
                    "orientation": "v" if beside else "h",
                    "tracegroupgap": 0,
                    "x": x,
                    "xanchor": "left",
                    "y": top + gap / height,
                    "yanchor": "bottom",
                }
            }
        )


_DASHES = {"dash": "dash", "dot": "dot", "band": "dot"}
# Colours of curves without a colour, by their index in the panel.
_CYCLE = ("support", "mass", "wear", "exact", "limit")
_PANEL_HEIGHT = 210
_FRAME_HEIGHT = 110
# Margins below the axes for ticks and title, and at their sides, on wide and narrow screens [px].
_BELOW = 58
_LEFT, _RIGHT = 78, 18
_NARROW_LEFT, _NARROW_RIGHT = 62, 8
_NARROW_TOP = 24
# Width of the axes on a narrow screen, and of a letter of the labels above them [px].
_NARROW_WIDTH = 290
_LETTER_WIDTH = 9
_ROOM = 0.01
_ROOM_PIXELS = 6

Interval = tuple[float, float]


@dataclass(frozen=True)
class Panel:
    """A pair of axes."""

    # Title of the y axis.
    title: str
    curves: tuple[Curve, ...]
    x_title: str = "time"
    # Units in the titles and of the values at the pointer.
    unit: str = ""
    x_unit: str = "s"
    # Horizontal lines, by their label.
    levels: Mapping[str, float] = field(default_factory=dict)
    # Whether the y axis is logarithmic.
    logarithmic: bool = False
    # Whether the x axis is logarithmic. Stacked panels share the axis.
    logarithmic_x: bool = False


def stacked_figure(
    panels: Sequence[Panel],
    *,
    title: str = "",
    bands: Mapping[str, Sequence[Interval]] | None = None,
    instants: Mapping[str, float] | None = None,
) -> Any:
    """Return a figure of panels one below the other that zoom together in x.

    - `panels`: panels from top to bottom. The last panel has the x title.
    - `bands`: spans of x that are shaded in all panels, by the name of their colour
    - `instants`: vertical lines through all panels, by label
    """
    subplots = optional_module("plotly.subplots", "a plot")
    figure = subplots.make_subplots(
        rows=len(panels),
        cols=1,
        shared_xaxes=True,
        vertical_spacing=_spacing(panels),
    )
    for row, panel in enumerate(panels, start=1):
        _draw(figure, panel, row, 1)
    figure.update_xaxes(_axis_of_x(panels))
    if panels:
        last = panels[-1]
        figure.update_xaxes(title_text=with_unit(last.x_title, last.x_unit), row=len(panels), col=1)
        figure.update_xaxes(unifiedhovertitle={"text": _value("x", last.x_unit)})
    shapes = [
        _band_shape(name, intervals, row)
        for name, intervals in (bands or {}).items()
        for row in range(1, len(panels) + 1)
        if intervals
    ]
    figure.update_layout(shapes=[*(figure.layout.shapes or ()), *shapes], hovermode="x unified")
    for label, instant in (instants or {}).items():
        figure.add_vline(
            x=instant, line={"color": light("limit"), "width": 1, "dash": "dot"}, row="all", col=1
        )
        figure.add_annotation(
            x=instant, y=1.0, xref="x", yref="y domain", text=label, showarrow=False,
            yanchor="bottom", font={"size": 12},
        )  # fmt: skip
    _framed(figure, title, panels, rows=len(panels), beside=False)
    if instants:
        dropped = set(instants) - _spaced(instants, figure.layout.xaxis.range or [0.0, 1.0])
        figure.layout.meta["narrow"]["annotations"] = [
            label.to_plotly_json()
            for label in figure.layout.annotations
            if label.text not in dropped
        ]
    return figure


def _spaced(instants: Mapping[str, float], span: Sequence[float]) -> set[str]:
    """Return the labels that do not overlap the previous label on a narrow screen."""
    kept = set()
    taken = -np.inf
    for label, instant in sorted(instants.items(), key=lambda labelled: labelled[1]):
        middle = (instant - span[0]) / (span[1] - span[0]) * _NARROW_WIDTH
        half = 0.5 * _LETTER_WIDTH * len(label)
        if middle - half > taken:
            kept.add(label)
            taken = middle + half
    return kept


def side_by_side_figure(panels: Sequence[Panel]) -> Any:
    """Return a figure of panels side by side, each with its own axes.

    On a narrow screen they are stacked. `meta.narrow` of the layout contains the differences.
    """
    subplots = optional_module("plotly.subplots", "a plot")
    figure = subplots.make_subplots(rows=1, cols=len(panels), horizontal_spacing=0.12)
    for column, panel in enumerate(panels, start=1):
        _draw(figure, panel, 1, column, with_x=True)
        figure.update_xaxes(title_text=with_unit(panel.x_title, panel.x_unit), row=1, col=column)
        figure.update_xaxes(_axis_of_x([panel]), row=1, col=column)
    figure.update_layout(hovermode="closest")
    return _framed(figure, "", panels, rows=1.7, beside=True)


def _names(panels: Sequence[Panel]) -> list[list[str]]:
    return [[curve.name for curve in panel.curves] for panel in panels]


def _spacing(panels: Sequence[Panel]) -> float:
    """Return the fraction of the height between stacked panels, with space for their legends."""
    room = ROW_HEIGHT + 2 * _ROOM_PIXELS if any(own_legends(_names(panels))[1:]) else 0
    count = max(len(panels), 1)
    return min(max(0.06, room / (_PANEL_HEIGHT * count)), 0.5 / count)


def _axis_of_x(panels: Sequence[Panel]) -> dict[str, Any]:
    """Return the range of x from the first to the last sample, with a margin, and its ticks."""
    over = [curve.x for panel in panels for curve in panel.curves]
    logarithmic = any(panel.logarithmic_x for panel in panels)
    return axis_over(np.concatenate([np.empty(0), *over]), logarithmic=logarithmic, room=_ROOM)


def _value(axis: str, unit: str) -> str:
    """Return the template of the value at the pointer, with its unit."""
    return f"%{{{axis}:.6g}} {unit}".rstrip()


def _draw(figure: Any, panel: Panel, row: int, column: int, *, with_x: bool = False) -> None:
    read = _value("y", panel.unit)
    if with_x:
        read = f"{panel.x_title} {_value('x', panel.x_unit)}<br>{panel.title} {read}"
    for index, curve in enumerate(panel.curves):
        colour = light(curve.colour or _CYCLE[index % len(_CYCLE)])
        mode = {"points": "markers", "marked": "lines+markers"}.get(curve.style, "lines")
        circle = {"color": colour, "size": 8, "symbol": "circle-open", "line": {"width": 2}}
        figure.add_scatter(
            x=curve.x,
            y=curve.y,
            name=curve.name,
            mode=mode,
            legendgroup=curve.name,
            line={
                "color": colour,
                "width": curve.width,
                "dash": _DASHES.get(curve.style, "solid"),
                "simplify": False,  # the thinning of plotly makes curves angular
            },
            fill="tonexty" if curve.style == "band" else None,
            marker=circle if "markers" in mode else None,
            text=list(curve.labels) or None,
            hovertemplate=f"%{{text}}<br>{read}" if curve.labels else read,
            row=row,
            col=column,
        )
    if panel.levels:
        _draw_levels(figure, panel, row, column)
    figure.update_yaxes(title_text=with_unit(panel.title, panel.unit), row=row, col=column)
    if panel.logarithmic:
        figure.update_yaxes(type="log", exponentformat="power", dtick=1, row=row, col=column)


def _draw_levels(figure: Any, panel: Panel, row: int, column: int) -> None:
    for label, level in panel.levels.items():
        # At the end with more space between curves and level.
        first, last = (
            min((abs(curve.y[end] - level) for curve in panel.curves if len(curve.y)), default=0.0)
            for end in (0, -1)
        )
        side = "left" if first > last else "right"
        figure.add_hline(
            y=level,
            line={"color": light("limit"), "width": 1, "dash": "dash"},
            annotation={"text": label, "font": {"size": 11, "color": light("limit")}},
            annotation_position=f"{'top' if level >= 0.0 else 'bottom'} {side}",
            row=row,
            col=column,
        )


def _band_shape(name: str, intervals: Sequence[Interval], row: int) -> dict[str, Any]:
    """Return one shape for all intervals, so that a page with hundreds of them is fast."""
    axis = "" if row == 1 else str(row)
    path = "".join(f"M{start:.7g},0V1H{stop:.7g}V0Z" for start, stop in intervals)
    return {
        "type": "path",
        "path": path,
        "xref": f"x{axis}",
        "yref": f"y{axis} domain",
        "fillcolor": light(name),
        "line": {"width": 0},
        "layer": "below",
    }


def _framed(figure: Any, title: str, panels: Sequence[Panel], *, rows: float, beside: bool) -> Any:
    names = _names(panels)
    top, bottom = 70 if title else 46, _BELOW
    height = _FRAME_HEIGHT + _PANEL_HEIGHT * max(rows, 1)
    place_legends(figure, names, height=height - top - bottom, beside=beside)
    above = max(_legend_heights(names), default=0) if beside else 0
    framed(figure, height=height + above)
    # A narrow screen does not show buttons above the axes.
    room = top if title or own_legends(names)[0] else _NARROW_TOP
    narrow: dict[str, Any] = {"margin": {"l": _NARROW_LEFT, "r": _NARROW_RIGHT, "t": room}}
    if beside:
        narrow = _one_below_the_other(names)
    figure.update_layout(
        title={"text": title, "font": {"size": 15}} if title else None,
        margin={"l": _LEFT, "r": _RIGHT, "t": top + above, "b": bottom},
        meta={"narrow": narrow, "over_time": not beside},
    )
    return figure


def framed(figure: Any, *, height: float) -> Any:
    """Set the fonts, colours and axes that all pictures have in common, and return the figure."""
    figure.update_layout(
        template="none",
        height=height,
        paper_bgcolor=light("paper"),
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": "system-ui, sans-serif", "size": 12, "color": light("text")},
        modebar={
            "bgcolor": "rgba(0,0,0,0)",
            "color": light("limit"),
            "activecolor": light("support"),
            "remove": ["select2d", "lasso2d", "zoomIn2d", "zoomOut2d"],
        },
    )
    axis = {
        "gridcolor": light("grid"),
        "zerolinecolor": light("limit"),
        "zerolinewidth": 1,
        "linecolor": light("limit"),
        "ticks": "outside",
        "tickcolor": light("limit"),
        "automargin": True,
    }
    figure.update_xaxes(**axis)
    figure.update_yaxes(**axis, exponentformat="power", title_standoff=8)  # from long ticks
    return figure


def _one_below_the_other(names: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Return the changes of the layout if panels side by side are stacked."""
    legends = _legend_heights(names)
    area = sum(legends) + len(names) * _PANEL_HEIGHT + (len(names) - 1) * _BELOW
    layout: dict[str, Any] = {
        "height": area + _NARROW_TOP + _BELOW,
        "margin": {"l": _NARROW_LEFT, "r": _NARROW_RIGHT, "t": _NARROW_TOP, "b": _BELOW},
    }
    top = float(area)
    for index, legend in enumerate(legends):
        number = "" if index == 0 else str(index + 1)
        top -= legend
        bottom = top - _PANEL_HEIGHT
        layout[f"xaxis{number}"] = {"domain": [0.0, 1.0]}
        layout[f"yaxis{number}"] = {"domain": [bottom / area, top / area]}
        if legend:
            layout[f"legend{number}"] = {"x": 0.0, "y": top / area}
        top = bottom - _BELOW
    return layout
