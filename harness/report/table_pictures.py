"""Pictures of a run, drawn from the rows of the panel table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from harness.figures.curves import MOST_SAMPLES, Curve, reduced
from harness.figures.labels import length_unit, shown_unit, spoken
from harness.figures.panels import Interval, Panel, side_by_side_figure, stacked_figure
from harness.report.document import Picture
from harness.report.panel_table import PanelRow, PictureRow, Series
from wearmodel import ContactMode
from wearmodel.arrays import Floats


class Drawn:
    """Data of a picture: histories by variable, including `time`. By default they are properties.

    The conditions `shows` of a row are also properties. Histories are thinned to `most_samples`.
    """

    most_samples: int = MOST_SAMPLES

    def values(self, name: str) -> Floats | None:
        """Return the values of a variable, if there are any."""
        return np.asarray(getattr(self, name))

    def unit(self, name: str) -> str:
        """Return the unit of a variable in FMI's notation. Empty if it is not known."""
        return ""

    def largest(self, name: str) -> float:
        """Return the largest magnitude of a variable."""
        return float(np.max(np.abs(self[name])))

    def __getitem__(self, name: str) -> Floats:
        values = self.values(name)
        if values is None:
            raise KeyError(f"a picture requires {name}, which the run does not contain")
        return values


@dataclass(frozen=True)
class Columns(Drawn):
    """Data of a picture, given as columns."""

    columns: Mapping[str, Floats]
    # Units by variable, in FMI's notation.
    units: Mapping[str, str] = field(default_factory=dict)
    # Number of samples to which histories are thinned.
    most_samples: int = MOST_SAMPLES
    labels: tuple[str, ...] = ()

    def values(self, name: str) -> Floats | None:
        """Return the values of a variable, if there are any."""
        return self.columns.get(name)

    def unit(self, name: str) -> str:
        """Return the unit of a variable. Empty if it is not known."""
        return self.units.get(name, "")


class _Asked(dict[str, float]):
    """Numbers of a caption, computed when the template contains them."""

    def __init__(self, number: Callable[[str], float]) -> None:
        self.number = number

    def __missing__(self, name: str) -> float:
        return self.number(name)


def pictures(
    rows: Iterable[PictureRow], run: Drawn, *, instants: Mapping[str, float] | None = None
) -> list[Picture]:
    """Return the pictures for which a run has data. See `picture` for `instants`."""
    shown = (row for row in rows if all(getattr(run, name) for name in row.shows))
    return [
        picture(row, run, instants=instants if row.panels[0].x == "time" else None) for row in shown
    ]


def picture(
    row: PictureRow, run: Drawn, *, instants: Mapping[str, float] | None = None, **words: str
) -> Picture:
    """Return one picture.

    - `instants`: vertical lines through panels over time, by label
    - `**words`: other fields of title and caption by name. By default there are no other fields.
    """
    panels = [panel for panel in (_panel(panel, run) for panel in row.panels) if panel is not None]
    bands = mode_intervals(run["time"], run["contact_mode"]) if row.shaded else {}
    shaded = row.shaded and sum(map(len, bands.values())) <= row.most_shades
    if row.beside:
        figure = side_by_side_figure(panels)
    else:
        figure = stacked_figure(panels, bands=bands if shaded else None, instants=instants)
    asked = {
        "run": run,
        "end": _Asked(lambda name: float(run[name][-1])),
        "largest": _Asked(run.largest),
        "words": "",
        **words,
    }
    caption = row.caption.format(**asked).strip()
    return Picture(row.title.format(**asked), caption, figure, shaded=shaded)


def _panel(row: PanelRow, run: Drawn) -> Panel | None:
    """Return the panel with the series of the run, or None without a series."""
    values = {
        series: series.factor * y
        for series in row.series
        if (y := run.values(series.variable)) is not None
    }
    if not values:
        return None
    levels = {
        series.level: float(values.pop(series)[0])
        for series in list(values)
        if series.level and np.ptp(values[series]) == 0.0
    }
    units = (shown_unit(run.unit(series.variable)) for series in row.series)
    unit = next(filter(None, units), "") if row.unit is None else row.unit
    factor, unit = _prefixed(
        unit, [*values.values(), *(np.array([level]) for level in levels.values())]
    )
    x_unit = "s" if row.x == "time" else shown_unit(run.unit(row.x))
    x_factor, x_unit = _prefixed(x_unit, [run[series.x or row.x] for series in values])
    levels = {name: level / factor for name, level in levels.items()}
    return Panel(
        row.title or spoken(row.series[0].variable),
        tuple(
            _curve(row, series, y if factor == 1.0 else y / factor, run, x_factor)
            for series, y in values.items()
        ),
        x_title=row.x_title or spoken(row.x),
        unit=unit,
        x_unit=x_unit,
        levels=levels,
        logarithmic=row.logarithmic,
        logarithmic_x=row.logarithmic_x,
    )


def _prefixed(unit: str, columns: Iterable[Floats]) -> tuple[float, str]:
    """Return a suitable unit for the largest of given lengths [m], and its name.

    Other units are not changed, because mJ and J on one page would be harder to compare.
    """
    if unit != "m":
        return 1.0, unit
    sizes = (np.abs(column[np.isfinite(column)]) for column in columns)
    largest = max((float(np.max(size)) for size in sizes if len(size)), default=0.0)
    return length_unit(largest) if largest > 0.0 else (1.0, unit)


def _curve(row: PanelRow, series: Series, y: Floats, run: Drawn, x_factor: float) -> Curve:
    over = series.x or row.x
    x = run[over]
    if x_factor != 1.0:
        x = x / x_factor
    if over != "time":
        shown = slice(None, None, -(-len(x) // (2 * run.most_samples)) or 1)
        x, y = x[shown], y[shown]
    if row.corners:
        x, y = _with_corners(x, y)
    return Curve(
        series.name or series.variable,
        *reduced(x, y, run.most_samples if over == "time" else len(x)),
        series.colour or None,
        series.style,
        getattr(run, "labels", ()) if series.style == "points" else (),
    )


def _with_corners(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Insert x = 0 between two samples of opposite sign, with both values of y."""
    turns = np.flatnonzero((x[:-1] * x[1:] <= 0.0) & (x[:-1] != x[1:]))
    twice = np.repeat(turns + 1, 2)
    both = np.column_stack([y[turns], y[turns + 1]]).ravel()
    return np.insert(x, twice, 0.0), np.insert(y, twice, both)


def mode_intervals(times: Floats, modes: Floats) -> dict[str, list[Interval]]:
    """Return the time spans of each mode by name. A mode lasts until the next sample."""
    changes = np.flatnonzero(np.diff(modes)) + 1
    starts = np.concatenate([[0], changes])
    ends = np.concatenate([changes, [len(times) - 1]])
    intervals: dict[str, list[Interval]] = {mode.name.lower(): [] for mode in ContactMode}
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        mode = ContactMode(int(modes[start])).name.lower()
        intervals[mode].append((float(times[start]), float(times[end])))
    return intervals
