"""Histories of a run: the values of its variables at all communication points."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.figures.curves import Curve
from harness.figures.panels import Panel, stacked_figure
from harness.messages import nearest
from harness.optional_library import optional_module
from harness.output_files import replacing
from wearmodel.arrays import Floats

_CSV_ROWS = 10_000


@dataclass(frozen=True)
class EventRecord:
    """Events at which a run stopped, with the values before and after each event."""

    # Times of the events [s], shape (m,).
    times: Floats
    # Values by variable name, immediately before and after the events, shape (m,).
    before: dict[str, Floats]
    after: dict[str, Floats]

    def __len__(self) -> int:
        return len(self.times)

    def as_json(self) -> dict[str, Any]:
        """Return `time`, and `before` and `after` by name, as lists."""
        sides = {"before": self.before, "after": self.after}
        return {
            "time": self.times.tolist(),
            **{
                side: {name: column.tolist() for name, column in columns.items()}
                for side, columns in sides.items()
            },
        }


@dataclass(frozen=True, repr=False)
class RunRecord:
    """Histories of a run. `record["wear_work"]` and `record.wear_work` are the same array."""

    # Communication points [s], shape (n + 1,), also available as `record["time"]`.
    times: Floats
    # Values by variable name, in the unit of the variable, shape (n + 1,). Integers, enumerations
    # and booleans are floats.
    values: dict[str, Floats]
    # Computing time of the n steps [s], without loading and initialisation.
    seconds: float
    # Messages logged by the FMU.
    messages: tuple[str, ...]
    # Units by variable name, if the variable has a unit.
    units: Mapping[str, str] = field(default_factory=dict)
    # Name of the FMU.
    title: str = ""
    # Events at which the run stopped, or None without `stop_at_events`.
    events: EventRecord | None = None

    @property
    def steps(self) -> int:
        """Number of communication steps."""
        return len(self.times) - 1

    def __getitem__(self, name: str) -> Floats:
        """Return the samples of a variable, or of `time`, shape (n + 1,)."""
        columns = self._columns()
        if name not in columns:
            raise KeyError(_not_recorded(name, columns))
        return columns[name]

    def __getattr__(self, name: str) -> Floats:
        # Called for names that are not fields. Names that Python and copy use start with _.
        columns = {} if name.startswith("_") or name == "values" else self._columns()
        if name not in columns:
            raise AttributeError(_not_recorded(name, columns))
        return columns[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._columns()]

    def __repr__(self) -> str:
        return (
            f"<RunRecord of {self.title or 'an FMU'}: {self.steps} steps on "
            f"[{self.times[0]:.10g}, {self.times[-1]:.10g}] s, {len(self.values)} variables>"
        )

    def _repr_html_(self) -> str:
        """Return a table for notebooks: each variable with its last and extreme values."""
        rows = "".join(
            f"<tr><th scope='row'>{escape(name)}</th><td>{escape(self.units.get(name, ''))}</td>"
            f"<td>{column[-1]:.6g}</td><td>{column.min():.6g}</td><td>{column.max():.6g}</td></tr>"
            for name, column in self.values.items()
        )
        return (
            f"<table><caption>{escape(repr(self)[1:-1])}</caption><thead><tr><th>variable</th>"
            "<th>unit</th><th>at the end</th><th>least</th><th>largest</th></tr></thead>"
            f"<tbody>{rows}</tbody></table>"
        )

    def structured(self) -> NDArray[Any]:
        """Return the histories as FMPy does, as a structured array with `time` first."""
        columns = self._columns()
        table = np.empty(len(self.times), dtype=[(name, np.float64) for name in columns])
        for name, column in columns.items():
            table[name] = column
        return table

    def to_pandas(self) -> Any:
        """Return the histories as a pandas DataFrame with the index `time` [s].

        Raises MissingLibraryError if pandas is not installed.
        """
        pandas = optional_module("pandas", "to_pandas")
        return pandas.DataFrame(self.values, index=pandas.Index(self.times, name="time"))

    def plot(self, *names: str | Sequence[str]) -> Any:
        """Return a plotly figure with a panel for each variable.

        - `names`: names of variables, or a sequence of names. The default is all variables that
          change during the run, or all variables if all are constant.

        Raises KeyError if a variable was not recorded, ValueError if the record contains no
        variables, and MissingLibraryError if plotly is not installed.
        """
        changing = [name for name, column in self.values.items() if np.ptp(column) > 0.0]
        asked = [label for name in names for label in ((name,) if isinstance(name, str) else name)]
        shown = asked or changing or list(self.values)
        if not shown:
            raise ValueError("a plot requires at least one recorded variable")
        panels = [
            Panel(name, (Curve(name, self.times, self[name]),), unit=self.units.get(name, ""))
            for name in shown
        ]
        return stacked_figure(panels, title=self.title)

    def thinned(self, stride: int) -> dict[str, list[float]]:
        """Return every `stride`-th sample of each column by name, `time` first."""
        return {name: column[::stride].tolist() for name, column in self._columns().items()}

    def _columns(self) -> dict[str, Floats]:
        return {"time": self.times, **self.values}


def _not_recorded(name: str, recorded: Iterable[str]) -> str:
    """Return the message for a missing variable, with the nearest name or all names."""
    names = list(recorded)
    remedy = nearest(name, names) or f"; recorded are {', '.join(names)}"
    return f"{name!r} was not recorded{remedy if names else ''}"


def write_csv(history: RunRecord, path: Path, *, stride: int) -> None:
    """Write every `stride`-th sample as CSV: a row of names with `time` first, then numbers.

    Numbers are written with all digits.
    """
    columns = {"time": history.times, **history.values}
    with replacing(path) as part, part.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(columns)
        # In parts, because Python numbers need four times the memory of the array.
        for begin in range(0, len(history.times), stride * _CSV_ROWS):
            rows = slice(begin, begin + stride * _CSV_ROWS, stride)
            lists = (column[rows].tolist() for column in columns.values())
            writer.writerows(zip(*lists, strict=True))
