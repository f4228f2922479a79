"""The pictures of runs as data: panels, series and shading.

A series is identified by its variable: an output or input of the FMU, or a quantity computed from a
run. A series is drawn if the run has its variable. A panel is drawn if it has a series. Titles and
captions are templates: `end[variable]` is the last value, `largest[variable]` the largest
magnitude, `run` the run itself. Other fields are passed with the run. The report draws all pictures
(`table_pictures`). The page that computes draws the pictures with an `OnPage`
(`harness.page.page_table`).

`pictures.toml` contains the pictures. Pictures that depend on the names of contacts are functions.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Collection, Sequence
from importlib.resources import files

from pydantic import ConfigDict, TypeAdapter
from pydantic.dataclasses import dataclass

_CHECKED = ConfigDict(extra="forbid")


@dataclass(frozen=True, config=_CHECKED)
class Series:
    """A curve of a panel."""

    # Name of the drawn variable.
    variable: str
    # Name in `palette.COLOURS`. The default depends on the position in the panel.
    colour: str = ""
    # Name in the legend. Default: the variable. A space excludes the series from the legend.
    name: str = ""
    # {"solid", "dash", "dot", "points", "marked", "band"}, see `curves.Curve`.
    style: str = "solid"
    # Factor of the values: −1 changes the sign, 1e6 shows m as µm.
    factor: float = 1.0
    # If the values are constant, a horizontal line with this label is drawn instead.
    level: str = ""
    # Variable along x. Default: the x of the panel.
    x: str = ""
    # Colour on the page if another panel in the same axes has `colour`.
    beside: str = ""


@dataclass(frozen=True, config=_CHECKED)
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
    # {"left", "right", ""}: side of the axis on the page. The first panel at the right shares the
    # picture of the first panel at the left, and so on. If empty, the page does not show the panel.
    page: str = "left"
    # Whether the page omits the panel if all values are 0.
    hidden_at_zero: bool = False


@dataclass(frozen=True, config=_CHECKED)
class OnPage:
    """A picture on the page that computes."""

    # Position among the pictures of the page.
    place: int
    title: str
    caption: str
    # Counter whose increments are marked at the top. Empty if there are no marks.
    marks: str = ""


@dataclass(frozen=True, config=_CHECKED)
class PictureRow:
    """A picture of one or more panels."""

    # Templates, see the module.
    title: str
    caption: str
    # Panels from top to bottom, or from left to right.
    panels: Sequence[PanelRow]
    # Whether stick, slip and flight are shaded in all panels.
    shaded: bool = False
    # Largest number of shaded spans. With more spans the picture is not shaded.
    most_shades: float = math.inf
    # Whether the panels are side by side, each with an x axis.
    beside: bool = False
    # Properties of the run that must be true to draw the picture.
    shows: tuple[str, ...] = ()
    # The picture on the page. Default: the page does not show it.
    page: OnPage | None = None


_PICTURES = TypeAdapter(dict[str, tuple[PictureRow, ...]]).validate_python(
    tomllib.loads(files(__package__).joinpath("pictures.toml").read_text(encoding="utf-8"))
)
FRICTIONAL_SHOCK, DIS_CHOC = _PICTURES["frictional_shock"], _PICTURES["dis_choc"]
MOTION, FRICTION = FRICTIONAL_SHOCK[0], FRICTIONAL_SHOCK[2]
(RECORD,), (CONTACT,) = _PICTURES["record"], _PICTURES["contact"]
(LIFE,), (DRAWN_LIVES,) = _PICTURES["life"], _PICTURES["drawn_lives"]
(THETA,), (WEAR_POWER,) = _PICTURES["theta"], _PICTURES["wear_power"]
(CONVERGENCE,) = _PICTURES["convergence"]

# Curves of `CONVERGENCE`: the classical scheme, and the FMU with each extrapolation order.
EULER_AMPLITUDES = (15.0, 1.5, 1.01)
INPUT_ORDERS = (0, 1, 2, 3)
_LINES = ("solid", "dash", "dot")
_COLOURS = 5
# Colours that are easy to distinguish. Their number is the number of curves in a panel.
_LIFE_COLOURS = ("support", "mass", "wear", "exact")


def wear_works(contacts: Sequence[str]) -> PictureRow:
    """Return the wear work of some contacts of a structure."""
    series = [
        Series(f"{name}.wear_work", name=name, style=_LINES[number // _COLOURS % len(_LINES)])
        for number, name in enumerate(contacts)
    ]
    return PictureRow(
        "Wear work",
        "Integral of the wear power of each contact. A straight line means steady wear. All "
        "contacts together: {end[wear_work]:.6g} J at the end.",
        (PanelRow(series, "wear work"),),
    )


def observed_points(points: Sequence[str], moving: Collection[str]) -> PictureRow:
    """Return the displacements of the observed points of a structure that move."""
    panels = []
    for axis in "xyz":
        names = {point: f"{point}.displacement_{axis}" for point in points}
        series = [Series(name, name=point) for point, name in names.items() if name in moving]
        if series:
            panels.append(PanelRow(series, f"displacement {axis}"))
    return PictureRow("Observed points", "Displacement relative to the support.", panels)


def fed_inputs(names: Collection[str]) -> PictureRow:
    """Return the inputs of a run of a structure."""
    panels = [
        PanelRow([Series(name)], unit="m/s²" if name.startswith("base_acceleration") else "N")
        for name in names
    ]
    return PictureRow("Inputs", "Inputs of the FMU.", panels)


def depths_of_contacts(names: Sequence[str]) -> PictureRow:
    """Return the picture of the depths of all contacts over service time, four in a panel."""
    groups = [
        names[first : first + len(_LIFE_COLOURS)]
        for first in range(0, len(names), len(_LIFE_COLOURS))
    ]
    return PictureRow(
        "Depth of all contacts",
        "Points: computed states. Bands: 95 % intervals. A limit of more than three times the "
        "largest depth is not drawn. {words}",
        [
            PanelRow(
                [
                    *(
                        series
                        for name, colour in zip(group, _LIFE_COLOURS, strict=False)
                        for series in (
                            Series(f"{name}.depth_lower", colour, " ", "dot", 1e6),
                            Series(f"{name}.depth_upper", colour, " ", "band", 1e6),
                            Series(f"{name}.depth", colour, name, "marked", factor=1e6),
                        )
                    ),
                    Series("depth_limit", factor=1e6, level="limit"),
                ],
                "depth",
                "µm",
                "service time",
            )
            for group in groups
        ],
    )
