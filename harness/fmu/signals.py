"""Input signals of a case: constant, sine, table, and a table read from a CSV file.

A signal is sampled at all communication points before the run, so that the loop only copies
numbers. A table is read inside its span only: to hold its last value silently would be to
invent an input.
"""

from __future__ import annotations

import math
import sys
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from harness.messages import nearest
from harness.records.points import read_point_file
from harness.schema import Number, Text, section
from harness.shaking.columns import time_unit

# A communication point start + i·step may miss the instant written in the table by a few
# roundings; "previous" must not then take the value of the interval before.
_ROUNDINGS = 8 * sys.float_info.epsilon


@section
class ConstantSignal:
    """The same value at all times.

    Parameters
    ----------
    value : float
        In the unit of the input it feeds.
    """

    kind: Literal["constant"]
    value: Number

    def sample(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the values at `times` (s), the same shape."""
        return np.full_like(times, self.value)


@section
class SineSignal:
    """offset + amplitude·sin(ω t + phase), with ω = angular_frequency or 2π·frequency.

    Parameters
    ----------
    amplitude, offset : float
        In the unit of the input the signal feeds.
    frequency, angular_frequency : float
        Hz or rad/s; exactly one of them.
    phase : float
        rad.

    Raises
    ------
    ValueError
        If both frequencies are given, or neither.
    """

    kind: Literal["sine"]
    amplitude: Number
    frequency: Number | None = None
    angular_frequency: Number | None = None
    phase: Number = 0.0
    offset: Number = 0.0

    def __post_init__(self) -> None:
        if (self.frequency is None) == (self.angular_frequency is None):
            raise ValueError(
                "frequency (Hz) or angular_frequency (rad/s), exactly one of them, must be given"
            )

    @property
    def omega(self) -> float:
        """Angular frequency, rad/s."""
        if self.angular_frequency is not None:
            return self.angular_frequency
        assert self.frequency is not None  # checked at construction
        return 2.0 * math.pi * self.frequency

    def sample(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the values at `times` (s), the same shape."""
        return self.offset + self.amplitude * np.sin(self.omega * times + self.phase)


Interpolation: TypeAlias = Literal["linear", "previous"]


@section
class TableSignal:
    """Values at given times, joined by straight lines or held until the next.

    Parameters
    ----------
    time : tuple of float
        Increasing, s, at least two.
    value : tuple of float
        As many, in the unit of the input the signal feeds.
    interpolation : {"linear", "previous"}
        Straight line between two points, or the value of the point before.

    Raises
    ------
    ValueError
        If the lengths differ or the times do not increase.
    """

    kind: Literal["table"]
    time: Annotated[tuple[Number, ...], Field(min_length=2)]
    value: tuple[Number, ...]
    interpolation: Interpolation = "linear"

    def __post_init__(self) -> None:
        if len(self.time) != len(self.value):
            raise ValueError(
                f"{len(self.time)} times and {len(self.value)} values: there must be as many"
            )
        for row, (earlier, later) in enumerate(pairwise(self.time), start=1):
            if later <= earlier:
                raise ValueError(
                    f"time[{row + 1}]={later:.12g} s must be > time[{row}]={earlier:.12g} s"
                )

    def sample(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the values at `times` (s), the same shape.

        Raises
        ------
        ValueError
            If a time lies outside the table.
        """
        rounding = _ROUNDINGS * np.max(np.abs(times))
        first, last = self.time[0], self.time[-1]
        for asked in (float(np.min(times)), float(np.max(times))):
            if not first - rounding <= asked <= last + rounding:
                raise ValueError(
                    f"the table spans [{first:.12g}, {last:.12g}] s and must cover t={asked:.12g} s"
                )
        values = np.array(self.value)
        if self.interpolation == "linear":
            return np.asarray(np.interp(times, self.time, values), dtype=np.float64)
        before = np.searchsorted(self.time, times + rounding, side="right") - 1
        return np.asarray(values[before], dtype=np.float64)


@section
class CsvSignal:
    """A table kept in a CSV file with a row of column names, in the form of an accelerogram.

    See `wearmodel.models.accelerogram`: separators, decimal comma, units below the names,
    comments. A PEER .AT2 file is read too; its columns are `time` [s] and `acceleration` [g].

    Parameters
    ----------
    file : str
        Path of the file, relative to the case file.
    time_column, value_column : str
        Names of the columns.
    scale : float
        Factor on the values, for instance to turn g into m/s².
    interpolation : {"linear", "previous"}
        As for a table.
    """

    kind: Literal["csv"]
    file: Text
    value_column: Text
    time_column: Text = "time"
    scale: Number = 1.0
    interpolation: Interpolation = "linear"

    def read(self, folder: Path) -> TableSignal:
        """Return the table in the file, `file` being relative to `folder`.

        Raises
        ------
        ValueError
            If the file is missing or in no known form, has no such column or two of that name, its
            header gives the time in another unit than s, or a cell is not a finite number.
        """
        path = folder / self.file
        if not path.is_file():
            raise ValueError(f"file = {self.file!r}: no such file {path}")
        table = read_point_file(path).table
        names = list(table.names())
        time_number = self._column(names, self.time_column)
        unit, because = time_unit(table, time_number)
        if unit.name != "s":
            raise ValueError(f"file = {self.file!r}: the time must be in s, and {because}")
        points = table.accelerogram(time_number, self._column(names, self.value_column))
        return TableSignal(
            kind="table",
            time=points.times,
            value=tuple(self.scale * value for value in points.values),
            interpolation=self.interpolation,
        )

    def _column(self, names: list[str], column: str) -> int:
        """Return the number, from 1, of a column."""
        if column not in names:
            raise ValueError(
                f"file = {self.file!r}: no column {column!r} among {names}{nearest(column, names)}"
            )
        if names.count(column) > 1:
            raise ValueError(f"file = {self.file!r}: column {column!r} must occur once")
        return names.index(column) + 1


Signal: TypeAlias = ConstantSignal | SineSignal | TableSignal
SignalSection: TypeAlias = Annotated[
    ConstantSignal | SineSignal | TableSignal | CsvSignal, Field(discriminator="kind")
]
