"""Input signals of a case: constant, sine, noise, table, and a table read from a CSV file.

Signals are sampled at all communication points before the run, so that the loop only copies
numbers. A table is never extrapolated.
"""

from __future__ import annotations

import hashlib
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from harness.fmu.noise import NoiseSignal
from harness.messages import nearest
from harness.records import FEW_POINTS, TableHeader, open_table
from harness.schema import Number, Text, section
from wearmodel.arrays import Floats
from wearmodel.units import ACCELERATION, TIME, converts_again, unit_of_text

# A communication point start + i·step may precede a time of the table by a few rounding errors.
# With "previous" it must still have the value at this time.
_ROUNDINGS = 8 * sys.float_info.epsilon


@section
class ConstantSignal:
    """A constant `value`, in the unit of the input."""

    kind: Literal["constant"]
    value: Number

    def sample(self, times: Floats) -> Floats:
        """Return the values at `times` (s), the same shape."""
        return np.full_like(times, self.value)


@section
class SineSignal:
    """offset + amplitude·sin(ω t + phase), with ω = angular_frequency or 2π·frequency."""

    kind: Literal["sine"]
    # In the unit of the input, like `offset`.
    amplitude: Number
    # Frequency [Hz] or angular frequency [rad/s]. Exactly one is required.
    frequency: Number | None = None
    angular_frequency: Number | None = None
    # Phase [rad].
    phase: Number = 0.0
    offset: Number = 0.0

    def __post_init__(self) -> None:
        if (self.frequency is None) == (self.angular_frequency is None):
            raise ValueError(
                "exactly one of frequency (Hz) and angular_frequency (rad/s) must be given"
            )

    @property
    def omega(self) -> float:
        """Angular frequency, rad/s."""
        if self.angular_frequency is not None:
            return self.angular_frequency
        assert self.frequency is not None  # checked at construction
        return 2.0 * math.pi * self.frequency

    def sample(self, times: Floats) -> Floats:
        """Return the values at `times` (s), the same shape."""
        return self.offset + self.amplitude * np.sin(self.omega * times + self.phase)

    def derivatives(self, times: Floats, orders: int) -> Floats:
        """Return the derivatives of order 1 to `orders` at `times` (s), shape (orders, n)."""
        phase = self.omega * times + self.phase
        # sin, cos, −sin, −cos: a quarter turn for each order, without rounding.
        turned = np.stack((np.sin(phase), np.cos(phase), -np.sin(phase), -np.cos(phase)))
        order = np.arange(1, orders + 1)
        factors = self.amplitude * self.omega ** order.astype(np.float64)
        return np.asarray(factors[:, None] * turned[order % 4], dtype=np.float64)


Interpolation: TypeAlias = Literal["linear", "previous"]


@dataclass(frozen=True, eq=False)
class SampledSignal:
    """Values at given times, linearly interpolated or constant until the next time.

    Raises ValueError if the lengths differ or are below two, a number is not finite, or the times
    do not increase.
    """

    # Increasing times [s], at least two, shape (n,).
    times: Floats
    # Values in the unit of the input, or of the file before `in_unit`, shape (n,).
    values: Floats
    # Linear between points, or the value of the previous point.
    interpolation: Interpolation = "linear"
    # Factor already applied to the values, without the conversion of units.
    scale: float = 1.0
    # Header of the file, if it may contain a unit to convert.
    header: TableHeader | None = None
    # Number of the column of the values in the file, from 1.
    column: int = 0
    # Unit before the conversion, or "".
    converted_from: str = ""
    # Factor of the conversion.
    conversion: float = 1.0
    notes: tuple[str, ...] = ()
    # Whether the values are accelerations in a file without unit, see `in_unit`.
    is_assumed: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "times", _read_only(self.times))
        object.__setattr__(self, "values", _read_only(self.values))
        if self.times.shape != self.values.shape or self.times.ndim != 1:
            raise ValueError(
                f"{self.times.size} times and {self.values.size} values must be equally many"
            )
        if self.times.size < 2:
            raise ValueError(FEW_POINTS.format(points=self.times.size))
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
        """Return a short text that differs for signals with different values."""
        content = hashlib.sha256(self.times.tobytes() + self.values.tobytes()).hexdigest()
        return f"SampledSignal({self.times.size} points, {self.interpolation}, sha256={content})"

    def sample(self, times: Floats) -> Floats:
        """Return the values at `times` [s], or raise ValueError outside the table."""
        rounding = _ROUNDINGS * np.max(np.abs(times))
        first, last = self.times[0], self.times[-1]
        for time in (float(np.min(times)), float(np.max(times))):
            if not first - rounding <= time <= last + rounding:
                raise ValueError(
                    f"the table spans [{first:.12g}, {last:.12g}] s and must cover t={time:.12g} s"
                )
        if self.interpolation == "linear":
            return np.asarray(np.interp(times, self.times, self.values), dtype=np.float64)
        before = np.searchsorted(self.times, times + rounding, side="right") - 1
        return np.asarray(self.values[before], dtype=np.float64)

    def scaled(self, scale: float) -> SampledSignal:
        """Return the signal with its values multiplied by a factor.

        Raises ValueError if the factor seems to repeat a conversion of units.
        """
        if self.converted_from:
            _require_no_conversion(scale, self.conversion, self.converted_from)
        values = self.values if scale == 1.0 else scale * self.values
        return replace(self, values=values, scale=scale * self.scale)

    def in_unit(self, unit: str | None) -> SampledSignal:
        """Return the signal converted from the unit of its header to the unit of its input.

        Without a known unit of the input the values are not converted. Raises ValueError if the
        unit of the header is not known or has another dimension, or the scale seems to repeat the
        conversion.
        """
        wanted = unit_of_text(unit) if unit else None
        if self.header is None or wanted is None:
            return self
        found = self.header.unit(self.column, wanted.dimension)
        if found is None or found[0].factor == wanted.factor:
            is_assumed = found is None and wanted.dimension == ACCELERATION
            return replace(self, header=None, is_assumed=is_assumed)
        factor = found[0].factor / wanted.factor
        _require_no_conversion(self.scale, factor, found[0].name)
        return replace(
            self,
            values=factor * self.values,
            header=None,
            converted_from=found[0].name,
            conversion=factor,
        )


def _read_only(numbers: ArrayLike) -> Floats:
    array = np.asarray(numbers, dtype=np.float64).view()
    array.flags.writeable = False
    return array


def _require_no_conversion(scale: float, factor: float, unit: str) -> None:
    if converts_again(scale, factor):
        raise ValueError(
            f"scale={scale!r} seems to repeat a conversion: the file contains the unit {unit}, so "
            f"its values are already multiplied by {factor:.7g}. Remove scale"
        )


@section
class TableSignal:
    """A `SampledSignal` written in the case file."""

    kind: Literal["table"]
    time: Annotated[tuple[Number, ...], Field(min_length=2)]
    value: tuple[Number, ...]
    interpolation: Interpolation = "linear"

    def __post_init__(self) -> None:
        self.sampled()

    def sample(self, times: Floats) -> Floats:
        """Return the values at `times` (s). See `SampledSignal.sample`."""
        return self.sampled().sample(times)

    def sampled(self) -> SampledSignal:
        """Return the signal as arrays."""
        return SampledSignal(np.array(self.time), np.array(self.value), self.interpolation)


@section
class CsvSignal:
    """A table in a text file with a row of column names, see `harness.records.table`.

    A PEER .AT2 file has the columns `time` [s] and `acceleration` [g]. Values are converted from
    the unit in the header to the unit of the input.
    """

    kind: Literal["csv"]
    # Path of the file, relative to the case file.
    file: Text
    value_column: Text
    # Default: "time".
    time_column: Text | None = None
    # Time between rows of a file without times [s]. The first row is at t = 0.
    interval: Annotated[Number, Field(gt=0.0)] | None = None
    # Further factor of the values. It is rejected if it seems to repeat the conversion.
    scale: Number = 1.0
    # See `SampledSignal`.
    interpolation: Interpolation = "linear"

    def __post_init__(self) -> None:
        if self.time_column is not None and self.interval is not None:
            raise ValueError(
                f"time_column = {self.time_column!r} and interval = {self.interval!r} must not be "
                "given together: remove one"
            )

    def read(self, folder: Path) -> SampledSignal:
        """Return the table in a file relative to `folder`, or raise ValueError if it is invalid.

        Times are in s. Values are in the unit of the file until `in_unit`.
        """
        path = folder / self.file
        if not path.exists():
            raise ValueError(f"file = {self.file!r}: no such file {path}")
        table = open_table(path)
        names = table.names()
        if self.interval is not None:
            value_number = self._column(names, self.value_column)
            (values,) = table.columns([value_number])
            times = self.interval * np.arange(len(values), dtype=np.float64)
        else:
            time_number = self._column(names, self.time_column or "time")
            value_number = self._column(names, self.value_column)
            time_unit = table.header.unit(time_number, TIME)
            times, (values,) = table.points(time_number, [value_number])
            times = times if time_unit is None else time_unit[0].factor * times
        signal = SampledSignal(
            times,
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
                f"file = {self.file!r}: {column!r} must be one of its columns {names}"
                f"{nearest(column, names)}"
            )
        if names.count(column) > 1:
            raise ValueError(f"file = {self.file!r}: column {column!r} must occur once")
        return names.index(column) + 1


Signal: TypeAlias = ConstantSignal | SineSignal | NoiseSignal | TableSignal | SampledSignal
SignalSection: TypeAlias = Annotated[
    ConstantSignal | SineSignal | NoiseSignal | TableSignal | CsvSignal, Field(discriminator="kind")
]


def input_derivatives(
    inputs: Mapping[str, Signal], times: Floats, orders: int
) -> dict[str, Floats]:
    """Return derivatives, from order 1 to `orders`, of inputs that vary between points.

    The arrays have shape (orders or 1, n), in the unit of the input by s^order, at the n
    communication points `times` [s]. Tables and noise are linear between these points, even if they
    have more samples (`harness.fmu.step_check` reports that). The derivative of a line is 0 at the
    last point. Raises ValueError if a table does not cover the span.
    """
    derivatives: dict[str, Floats] = {}
    if orders == 0:
        return derivatives
    for name, signal in inputs.items():
        if isinstance(signal, SineSignal):
            derivatives[name] = signal.derivatives(times, orders)
        elif not (isinstance(signal, ConstantSignal) or is_held(signal)):
            slopes = np.diff(signal.sample(times)) / np.diff(times)
            derivatives[name] = np.append(slopes, 0.0)[None, :]
    return derivatives


def is_held(signal: Signal) -> bool:
    """Return whether a signal keeps each value until its next sample."""
    return isinstance(signal, SampledSignal | TableSignal) and signal.interpolation == "previous"
