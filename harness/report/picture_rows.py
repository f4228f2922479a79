"""Rows of the table of pictures: panels, their series, what is shaded.

A series is named by its variable: an output or input of the FMU, or what is computed of a run of
its kind besides. It is drawn where the run has that variable, and a panel where it has a series.
Titles and captions are templates: `end[variable]` is the last value, `largest[variable]` the
largest magnitude, `run` the run itself, and other words are given with the run.
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
        What is drawn.
    colour : str
        Name in `palette.COLOURS`; empty: by the place in the panel.
    name : str
        In the legend; empty: the variable's; a space: not there.
    style : {"solid", "dash", "dot", "points", "marked", "band"}
        As for `curves.Curve`.
    factor : float
        By which the values are multiplied: −1 turns the sign, 1e6 shows m as µm.
    level : str
        Label of the horizontal line that stands for the curve where it is constant.
    x : str
        What it is drawn over where not over the panel's x.
    beside : str
        Colour on the page, where another panel in the same axes has `colour`.
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
        What it shows.
    title : str
        Of the y axis; empty: the first variable in words.
    unit : str, optional
        As shown; default: that of the first series that has one.
    x, x_title : str
        Variable along x; its title, by default in words.
    logarithmic, logarithmic_x : bool
        Whether an axis is.
    corners : bool
        Whether the curve changes at x = 0 alone, between the two samples about it.
    page : {"left", "right", ""}
        Side of its axis on the page, where the first panel at the right shares the picture of the
        first at the left, and so on; empty: not there.
    hidden_at_zero : bool
        Whether the page leaves it out where all of it is 0.
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
    """A picture on the page that computes, where one moves parameters and looks closer.

    Parameters
    ----------
    place : int
        Among the pictures of the page.
    title, caption : str
        Plain text.
    marks : str
        Counter whose steps are marked at the top; empty for none.
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
        Whether stick, slip and flight are, behind all panels.
    most_shades : float
        Spans of these; more are finer than a screen, and left out.
    beside : bool
        Whether the panels stand beside each other, with an x axis each.
    shows : tuple of str
        What must hold of the run, by its properties.
    page : OnPage, optional
        How it looks on the page; default: it is not there.
    """

    title: str
    caption: str
    panels: Sequence[PanelRow]
    shaded: bool = False
    most_shades: float = math.inf
    beside: bool = False
    shows: tuple[str, ...] = ()
    page: OnPage | None = None
