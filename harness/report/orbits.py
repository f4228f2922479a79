"""Figures of orbits: paths of points in their clearances, drawn to scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.figures.labels import length_unit, with_unit
from harness.figures.palette import light
from harness.figures.panels import framed
from harness.optional_library import optional_module
from wearmodel.arrays import Floats

# px: height of a row, margins above and below, and height of a picture on a narrow screen.
_ROW, _ABOVE, _BELOW, _NARROW_ROW = 330, 62, 58, 300
_BETWEEN = 88
# Ratio of the range of an axis to the largest value.
_ROOM = 1.06
# Above this ratio of the extents, equal scales would leave half of the picture empty.
_MOST_SLENDER = 2.0
_ROUND = 181


@dataclass(frozen=True)
class Orbit:
    """The motion of a point in the plane across its obstacle."""

    title: str
    # Position in the obstacle, m, shape (n,).
    x: Floats
    y: Floats
    # Whether the contact is closed, shape (n,).
    closed: NDArray[np.bool_]
    # Directions of the axes.
    x_title: str
    y_title: str
    # Radius of a round clearance about the origin, or of the circle around the corners, m.
    radius: float | None = None
    # Positions of planes along y, m.
    levels: tuple[float, ...] = ()
    # The same at the end, if wear has opened the gap.
    worn_radius: float | None = None
    worn_levels: tuple[float, ...] = ()
    # Corners of a polygon, m, shape (n, 2), and at the end.
    corners: Floats | None = None
    worn_corners: Floats | None = None

    @property
    def extents(self) -> tuple[float, float]:
        """Extents of the drawing along x and y, m."""
        reach = self.worn_radius or self.radius or 0.0
        x = np.concatenate([self.x, [-reach, reach]]) if self.radius else self.x
        y = np.concatenate([self.y, [-reach, reach], self.levels, self.worn_levels])
        return float(np.ptp(x)), float(np.ptp(y))

    @property
    def to_scale(self) -> bool:
        """Whether both axes have the same scale, for round clearances and for similar extents."""
        small, large = sorted(self.extents)
        return self.radius is not None or small == 0.0 or small * _MOST_SLENDER >= large


def orbit_figure(orbits: Sequence[Orbit]) -> Any:
    """Return a figure of orbits side by side. On a narrow screen they are stacked."""
    subplots = optional_module("plotly.subplots", "a plot")
    columns = 2 if len(orbits) in (2, 4) else min(3, len(orbits))
    rows = -(-len(orbits) // columns)
    figure = subplots.make_subplots(
        rows=rows,
        cols=columns,
        horizontal_spacing=0.09,
        vertical_spacing=_BETWEEN / (_ROW * rows + _BETWEEN * (rows - 1)),
    )
    for number, orbit in enumerate(orbits):
        _draw(figure, orbit, number, number // columns + 1, number % columns + 1)
    height = _ROW * rows + _BETWEEN * (rows - 1)
    framed(figure, height=height + _ABOVE + _BELOW)
    area = len(orbits) * _NARROW_ROW + (len(orbits) - 1) * _BETWEEN
    narrow: dict[str, Any] = {
        "height": area + _ABOVE + _BELOW,
        "margin": {"l": 62, "r": 8},
        "legend": {"y": 1.0 + 26.0 / area},
    }
    top = float(area)
    for number in range(len(orbits)):
        suffix = _suffix(number)
        narrow[f"xaxis{suffix}"] = {"domain": [0.0, 1.0]}
        narrow[f"yaxis{suffix}"] = {"domain": [(top - _NARROW_ROW) / area, top / area]}
        top -= _NARROW_ROW + _BETWEEN
    figure.update_layout(
        margin={"l": 70, "r": 18, "t": _ABOVE, "b": _BELOW},
        hovermode="closest",
        legend={"orientation": "h", "x": 0.0, "y": 1.0 + 26.0 / height, "yanchor": "bottom"},
        meta={"narrow": narrow},
    )
    return figure


def _suffix(number: int) -> str:
    return "" if number == 0 else str(number + 1)


def _draw(figure: Any, orbit: Orbit, number: int, row: int, column: int) -> None:
    factor, unit = length_unit(max(orbit.extents))
    place: Any = {"row": row, "col": column}

    def line(name: str, x: Floats, y: Floats, colour: str, **options: Any) -> None:
        figure.add_scatter(
            x=(x / factor).astype(np.float32),
            y=(y / factor).astype(np.float32),
            name=name,
            legendgroup=name,
            showlegend=all(trace.name != name for trace in figure.data),
            mode="lines",
            line={"color": light(colour), "simplify": False, **options},
            hovertemplate=f"%{{x:.6g}} {unit}, %{{y:.6g}} {unit}",
            **place,
        )

    if len(orbit.x):
        line("path", orbit.x, orbit.y, "support", width=1.0)
        # Samples in contact. Other samples interrupt the line.
        touched = np.where(orbit.closed, 1.0, math.nan)
        line("in contact", orbit.x * touched, orbit.y * touched, "mass", width=2.0)
    outline = _outline(orbit, orbit.corners, orbit.radius, orbit.levels)
    line("clearance", *outline, "text", width=1.8)
    if orbit.worn_radius is not None or orbit.worn_levels or orbit.worn_corners is not None:
        corners = orbit.corners if orbit.worn_corners is None else orbit.worn_corners
        outline = _outline(orbit, corners, orbit.worn_radius, orbit.worn_levels)
        line("worn clearance", *outline, "wear", width=1.8)
    suffix = _suffix(number)
    if orbit.radius is not None:
        drawn = np.concatenate([orbit.x, orbit.y, [orbit.worn_radius or orbit.radius]])
        reach = _ROOM * float(np.max(np.abs(drawn))) / factor
        figure.update_xaxes(range=[-reach, reach], **place)
        figure.update_yaxes(range=[-reach, reach], **place)
    if orbit.to_scale:
        figure.update_yaxes(scaleanchor=f"x{suffix}", constrain="domain", **place)
        figure.update_xaxes(constrain="domain", **place)
    figure.update_xaxes(title_text=with_unit(orbit.x_title, unit), **place)
    figure.update_yaxes(title_text=with_unit(orbit.y_title, unit), **place)
    figure.add_annotation(
        text=f"<b>{orbit.title}</b>" + ("" if orbit.to_scale else " (unequal scales)"),
        xref=f"x{suffix} domain",
        yref=f"y{suffix} domain",
        x=0.5,
        y=1.0,
        yanchor="bottom",
        showarrow=False,
    )


def _outline(
    orbit: Orbit, corners: Floats | None, radius: float | None, levels: tuple[float, ...]
) -> tuple[Floats, Floats]:
    """Return the circle, the polygon, or the lines of planes across the whole motion."""
    if corners is not None:
        closed = np.vstack([corners, corners[:1]])
        return closed[:, 0], closed[:, 1]
    if radius is not None:
        angle = np.linspace(0.0, 2.0 * math.pi, _ROUND)
        return radius * np.cos(angle), radius * np.sin(angle)
    ends = np.array([orbit.x.min(), orbit.x.max()])
    if orbit.to_scale:
        # A plane is at least as wide as the extent along y.
        ends = np.mean(ends) + 0.5 * max(np.ptp(ends), orbit.extents[1]) * np.array([-1.0, 1.0])
    return np.concatenate([[*ends, math.nan] for _ in levels]), np.repeat(np.array(levels), 3)
