"""Input signals of a case: constant, sine, noise, table, and a table read from a CSV file.

A signal is sampled at all communication points before the run, so that the loop only copies
numbers. A table is read inside its span only: to hold its last value silently would be to
invent an input.
"""

from __future__ import annotations

import hashlib
import math
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import Field

from harness.fmu.noise import NoiseSignal
from harness.messages import nearest
from harness.records import TableHeader, open_table
from harness.schema import Number, Text, section
from wearmodel.units import TIME, converts_again, unit_of_text

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

    def derivatives(self, times: NDArray[np.float64], orders: int) -> NDArray[np.float64]:
        """Return the derivatives of order 1 to `orders` at `times` (s), shape (orders, n)."""
        phase = self.omega * times + self.phase
        # sin, cos, −sin, −cos: a quarter of a turn for each order, without rounding.
        turned = np.stack((np.sin(phase), np.cos(phase), -np.sin(phase), -np.cos(phase)))
        order = np.arange(1, orders + 1)
        factors = self.amplitude * self.omega ** order.astype(np.float64)
        return np.asarray(factors[:, None] * turned[order % 4], dtype=np.float64)


Interpolation: TypeAlias = Literal["linear", "previous"]


@dataclass(frozen=True, eq=False)
class SampledSignal:
    """Values at given instants, linearly interpolated or held until the next.

    Parameters
    ----------
    times : array_like, shape (n,)
        Increasing, s, at least two.
    values : array_like, shape (n,)
        In the unit of the input the signal feeds, or in that of the file: see `in_unit`.
    interpolation : {"linear", "previous"}
        Straight line between two points, or the value of the point before.
    scale : float
        Factor that is in the values, beside that of the unit.
    header : TableHeader, optional
        What stands above the values in their file, where it may name a unit to convert.
    column : int
        Number, from 1, of the values' column in that file.
    converted_from : str
        The unit from which the values were converted; empty where they were not.
    conversion : float
        The factor by which they were converted.
    notes : tuple of str
        What was passed over in the file, a line each.

    Raises
    ------
    ValueError
        If the lengths differ, there are fewer than two, a number is not finite, or the times do
        not increase.
    """

    times: NDArray[np.float64]
    values: NDArray[np.float64]
    interpolation: Interpolation = "linear"
    scale: float = 1.0
    header: TableHeader | None = None
    column: int = 0
    converted_from: str = ""
    conversion: float = 1.0
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "times", _read_only(self.times))
        object.__setattr__(self, "values", _read_only(self.values))
        if self.times.shape != self.values.shape or self.times.ndim != 1:
            raise ValueError(
                f"{self.times.size} times and {self.values.size} values: there must be as many"
            )
        if self.times.size < 2:
            raise ValueError(f"has {self.times.size} point(s); it must have ≥ 2")
        for name, array in (("time", self.times), ("value", self.values)):
            if not np.isfinite(array).all():
                row = int(np.argmin(np.isfinite(array)))
                raise ValueError(f"{name}[{row + 1}]={array[row]} must be finite")
        later = np.diff(self.times) > 0.0
        if not later.all():
            row = int(np.argmin(later)) + 1
            raise ValueError(
                f"time[{row + 1}]={self.times[row]:.12g} s must be > "
                f"time[{row}]={self.times[row - 1]:.12g} s"
            )

    def __repr__(self) -> str:
        """Tell two signals apart by their contents, in a few words."""
        content = hashlib.sha256(self.times.tobytes() + self.values.tobytes()).hexdigest()
        return f"SampledSignal({self.times.size} points, {self.interpolation}, sha256={content})"

    def sample(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the values at `times` (s), the same shape.

        Raises
        ------
        ValueError
            If a time lies outside the table.
        """
        rounding = _ROUNDINGS * np.max(np.abs(times))
        first, last = self.times[0], self.times[-1]
        for asked in (float(np.min(times)), float(np.max(times))):
            if not first - rounding <= asked <= last + rounding:
                raise ValueError(
                    f"the table spans [{first:.12g}, {last:.12g}] s and must cover t={asked:.12g} s"
                )
        if self.interpolation == "linear":
            return np.asarray(np.interp(times, self.times, self.values), dtype=np.float64)
        before = np.searchsorted(self.times, times + rounding, side="right") - 1
        return np.asarray(self.values[before], dtype=np.float64)

    def scaled(self, scale: float) -> SampledSignal:
        """Return the signal with its values multiplied.

        Raises
        ------
        ValueError
            If they have been converted from another unit, and the factor is nearly that of the
            conversion: it would be applied twice.
        """
        if self.converted_from:
            _require_no_conversion(scale, self.conversion, self.converted_from)
        # Not by 1.0, and not a copy either.
        values = self.values if scale == 1.0 else scale * self.values
        return replace(self, values=values, scale=scale * self.scale)

    def in_unit(self, unit: str | None) -> SampledSignal:
        """Return the signal in the unit of the variable that it feeds, as the header asks for it.

        Parameters
        ----------
        unit : str, optional
            Of the variable; without one, or with one that is not known, nothing is converted.

        Raises
        ------
        ValueError
            If the header names a unit that is not known, or that of another quantity; or the
            scale is nearly the factor of the conversion, as for `scaled`.
        """
        wanted = unit_of_text(unit) if unit else None
        if self.header is None or wanted is None:
            return self
        said = self.header.unit(self.column, wanted.dimension)
        if said is None or said[0].factor == wanted.factor:
            return replace(self, header=None)
        factor = said[0].factor / wanted.factor
        _require_no_conversion(self.scale, factor, said[0].name)
        return replace(
            self,
            values=factor * self.values,
            header=None,
            converted_from=said[0].name,
            conversion=factor,
        )


def _read_only(numbers: ArrayLike) -> NDArray[np.float64]:
    array = np.asarray(numbers, dtype=np.float64).view()
    array.flags.writeable = False
    return array


def _require_no_conversion(scale: float, factor: float, unit: str) -> None:
    if converts_again(scale, factor):
        raise ValueError(
            f"scale={scale!r} seems to convert from the unit {unit}: the file names it, and its "
            f"values are already multiplied by {factor:.7g}; leave the scale out"
        )


@section
class TableSignal:
    """Values at given times, linearly interpolated or held until the next.

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
        self.sampled()

    def sample(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the values at `times` (s), as `SampledSignal.sample`."""
        return self.sampled().sample(times)

    def sampled(self) -> SampledSignal:
        """Return the same as arrays."""
        return SampledSignal(np.array(self.time), np.array(self.value), self.interpolation)


@section
class CsvSignal:
    """A table kept in a text file with a row of column names.

    See `harness.records.table` for the forms of file. A PEER .AT2 file is read too; its columns are
    `time` [s] and `acceleration` [g]. Values are converted from the unit that the header names to
    that of the variable that the signal feeds.

    Parameters
    ----------
    file : str
        Path of the file, relative to the case file.
    time_column, value_column : str
        Names of the columns.
    scale : float
        Factor on the values, beside the conversion of the unit that the header names; refused
        where it is nearly the factor of that conversion.
    interpolation : {"linear", "previous"}
        As for a table.
    """

    kind: Literal["csv"]
    file: Text
    value_column: Text
    time_column: Text = "time"
    scale: Number = 1.0
    interpolation: Interpolation = "linear"

    def read(self, folder: Path) -> SampledSignal:
        """Return the table in the file, `file` being relative to `folder`.

        The times are converted to s; the values are in the unit of the file until `in_unit`.

        Raises
        ------
        ValueError
            If the file is missing or in no known form, has no such column or two of that name, its
            header gives the time in a unit that is not known, or a cell is not a finite number.
        """
        path = folder / self.file
        if not path.exists():
            raise ValueError(f"file = {self.file!r}: no such file {path}")
        table = open_table(path)
        names = table.names()
        time_number = self._column(names, self.time_column)
        value_number = self._column(names, self.value_column)
        time_unit = table.header.unit(time_number, TIME)
        times, (values,) = table.points(time_number, [value_number])
        signal = SampledSignal(
            times if time_unit is None else time_unit[0].factor * times,
            values,
            self.interpolation,
            header=table.header,
            column=value_number,
            notes=table.notes,
        )
        return signal.scaled(self.scale)

    def _column(self, names: list[str], column: str) -> int:
        """Return the number, from 1, of a column."""
        if column not in names:
            raise ValueError(
                f"file = {self.file!r}: no column {column!r} among {names}{nearest(column, names)}"
            )
        if names.count(column) > 1:
            raise ValueError(f"file = {self.file!r}: column {column!r} must occur once")
        return names.index(column) + 1


Signal: TypeAlias = ConstantSignal | SineSignal | NoiseSignal | TableSignal | SampledSignal
SignalSection: TypeAlias = Annotated[
    ConstantSignal | SineSignal | NoiseSignal | TableSignal | CsvSignal, Field(discriminator="kind")
]


def signal_in_unit(signal: Signal, unit: str | None) -> Signal:
    """Return a signal in the unit of the variable that it feeds; see `SampledSignal.in_unit`."""
    return signal.in_unit(unit) if isinstance(signal, SampledSignal) else signal
