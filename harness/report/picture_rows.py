"""Rows of the table of pictures: panels, series and shading.

A series is identified by its variable: an output or input of the FMU, or a quantity computed from
a run. A series is drawn if the run has its variable, and a panel if it has a series. Titles and
captions are templates: `end[variable]` is the last value, `largest[variable]` the largest
magnitude, `run` the run itself. Other fields are passed with the run.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Series:
    """A curve of a panel."""

    # Name of the drawn variable.
    variable: str
    # Name in `palette.COLOURS`. Default: by its position in the panel.
    colour: str = ""
    # Name in the legend. Default: the variable. A space excludes the series from the legend.
    name: str = ""
    # {"solid", "dash", "dot", "points", "marked", "band"}: As for `curves.Curve`.
    style: str = "solid"
    # Factor on the values: −1 changes the sign, 1e6 shows m as µm.
    factor: float = 1.0
    # If the values are constant, a horizontal line with this label is drawn instead.
    level: str = ""
    # Variable along x. Default: the panel's x.
    x: str = ""
    # Colour on the page if another panel in the same axes has `colour`.
    beside: str = ""


@dataclass(frozen=True)
class PanelRow:
    """A pair of axes."""

    series: Sequence[Series]
    # Title of the y axis. Default: the first variable in words.
    title: str = ""
    # Shown unit. Default: the unit of the first series that has a unit.
    unit: str | None = None
    # Variable along x, and its title, by default in words.
    x: str = "time"
    x_title: str = ""
    # Whether an axis is logarithmic.
    logarithmic: bool = False
    logarithmic_x: bool = False
    # Whether y changes at x = 0 only, between the adjacent samples.
    corners: bool = False
    # {"left", "right", ""}: Side of its axis on the page. The first panel at the right shares the
    # picture of the first panel at the left, and so on. Empty: the page does not show the panel.
    page: str = "left"
    # Whether the page omits a panel with zeros only.
    hidden_at_zero: bool = False


@dataclass(frozen=True)
class OnPage:
    """A picture on the page that computes."""

    # Position among the pictures of the page.
    place: int
    # Plain text.
    title: str
    caption: str
    # Counter whose increments are marked at the top. Empty: without marks.
    marks: str = ""


@dataclass(frozen=True)
class PictureRow:
    """A picture of one or more panels."""

    # Templates, see above.
    title: str
    caption: str
    # From top to bottom, or from left to right.
    panels: Sequence[PanelRow]
    # Whether stick, slip and flight are shaded in all panels.
    shaded: bool = False
    # Largest number of shaded spans. With more spans the picture is not shaded.
    most_shades: float = math.inf
    # Whether the panels are side by side, each with an x axis.
    beside: bool = False
    # Properties of the run that must be true.
    shows: tuple[str, ...] = ()
    # The picture on the page. Default: the page does not show it.
    page: OnPage | None = None
