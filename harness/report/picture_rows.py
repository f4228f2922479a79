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
    """A curve of a panel.

    Parameters
    ----------
    variable : str
        Name of the drawn variable.
    colour : str
        Name in `palette.COLOURS`. Default: by its position in the panel.
    name : str
        Name in the legend. Default: the variable. A space excludes the series from the legend.
    style : {"solid", "dash", "dot", "points", "marked", "band"}
        As for `curves.Curve`.
    factor : float
        Factor on the values: −1 changes the sign, 1e6 shows m as µm.
    level : str
        If the values are constant, a horizontal line with this label is drawn instead.
    x : str
        Variable along x. Default: the panel's x.
    beside : str
        Colour on the page if another panel in the same axes has `colour`.
    """

    variable: str
    colour: str = ""
    name: str = ""
    style: str = "solid"
    factor: float = 1.0
    level: str = ""
    x: str = ""
    beside: str = ""


@dataclass(frozen=True)
class PanelRow:
    """A pair of axes.

    Parameters
    ----------
    series : sequence of Series
        Series of the panel.
    title : str
        Title of the y axis. Default: the first variable in words.
    unit : str, optional
        Shown unit. Default: the unit of the first series that has a unit.
    x, x_title : str
        Variable along x, and its title, by default in words.
    logarithmic, logarithmic_x : bool
        Whether an axis is logarithmic.
    corners : bool
        Whether y changes at x = 0 only, between the adjacent samples.
    page : {"left", "right", ""}
        Side of its axis on the page. The first panel at the right shares the picture of the first
        panel at the left, and so on. Empty: the page does not show the panel.
    hidden_at_zero : bool
        Whether the page omits a panel with zeros only.
    """

    series: Sequence[Series]
    title: str = ""
    unit: str | None = None
    x: str = "time"
    x_title: str = ""
    logarithmic: bool = False
    logarithmic_x: bool = False
    corners: bool = False
    page: str = "left"
    hidden_at_zero: bool = False


@dataclass(frozen=True)
class OnPage:
    """A picture on the page that computes.

    Parameters
    ----------
    place : int
        Position among the pictures of the page.
    title, caption : str
        Plain text.
    marks : str
        Counter whose increments are marked at the top. Empty: without marks.
    """

    place: int
    title: str
    caption: str
    marks: str = ""


@dataclass(frozen=True)
class PictureRow:
    """A picture of one or more panels.

    Parameters
    ----------
    title, caption : str
        Templates, see above.
    panels : sequence of PanelRow
        From top to bottom, or from left to right.
    shaded : bool
        Whether stick, slip and flight are shaded in all panels.
    most_shades : float
        Largest number of shaded spans. With more spans the picture is not shaded.
    beside : bool
        Whether the panels are side by side, each with an x axis.
    shows : tuple of str
        Properties of the run that must be true.
    page : OnPage, optional
        The picture on the page. Default: the page does not show it.
    """

    title: str
    caption: str
    panels: Sequence[PanelRow]
    shaded: bool = False
    most_shades: float = math.inf
    beside: bool = False
    shows: tuple[str, ...] = ()
    page: OnPage | None = None
