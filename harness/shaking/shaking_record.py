"""A recorded base motion: its file, detected columns and units, and warnings.

`harness.records.table` describes the files. The strict table of a base motion for BaseMotion.fmu is
written from a record. Its first line is `MOTION_HEADER`. Each further line contains a time and an
acceleration in SI units, separated by a comma.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from harness.errors import RecordError
from harness.fmu.files import not_a_motion_file
from harness.records import CONVERTED_TWICE, MOST_TABLE_BYTES, Table, open_table
from harness.shaking.shaking_columns import (
    ASSUMED,
    Column,
    acceleration_column,
    is_vertical_column,
    is_vertical_file,
    require_time_unit,
    signal_warnings,
    time_column,
    time_warnings,
    unit_warnings,
)
from wearmodel.arrays import Floats
from wearmodel.models.accelerogram import MOTION_HEADER
from wearmodel.read_files import open_regular
from wearmodel.units import STANDARD_GRAVITY, converts_again

_NOT_VERTICAL = (
    "the file is not a vertical component by its name or header, but moves the support "
    "perpendicular to the plane"
)
# Tolerance of equal times, in sampling intervals, because times often have about six digits.
_SAME_INSTANT = 1e-3
_VERTICAL = (
    "the file is a vertical component by its name or header, but moves the support along the "
    "plane. A vertical component is given by --normal or --normal-file"
)
# Maximum number of printed names of other columns.
_MOST_NAMES = 5


@dataclass(frozen=True)
class ShakingRecord:
    """A recorded base motion."""

    # The file.
    path: Path
    # Increasing times [s], shape (n,).
    times: Floats
    # Acceleration along the support [m/s2], shape (n,).
    acceleration: Floats
    # Acceleration away from the plane of the support [m/s2], shape (n,).
    normal_acceleration: Floats | None
    # One line each on sampling, columns and unit.
    understood: tuple[str, ...]
    warnings: tuple[str, ...]
    # Units of the accelerations in the file, as in `wearmodel.units`.
    units: tuple[str, ...]
    # Accelerations in these units, each of shape (n,).
    samples: tuple[Floats, ...]
    # Name of the column of the acceleration.
    column: str
    # Whether m/s2 is assumed, because the file and the user give no unit.
    is_unit_assumed: bool
    # Whether the name of the column or of the file, or the head, indicates a vertical component.
    is_vertical: bool
    # Note on the last line if it may be incomplete and was not read, otherwise "".
    left_out: str

    @property
    def listed(self) -> dict[str, Any]:
        """File, column, unit, step [s], peak [g] and duration [s] for a list of records."""
        return {
            "record": str(self.path),
            "column": self.column,
            "unit": self.units[0],
            "step": self.interval,
            "peak_g": float(np.max(np.abs(self.acceleration))) / STANDARD_GRAVITY,
            "duration": float(self.times[-1] - self.times[0]),
        }

    @property
    def interval(self) -> float:
        """Median sampling interval [s]."""
        return float(np.median(np.diff(self.times)))


def read_shaking(
    path: Path,
    *,
    time: str | None = None,
    acceleration: str | None = None,
    normal_acceleration: str | None = None,
    unit: str | None = None,
    interval: float | None = None,
    remove_mean: bool = False,
    scale: float = 1.0,
    normal_file: Path | None = None,
    vertical: bool = False,
) -> ShakingRecord:
    """Read a base motion, with warnings about implausible values.

    - `time`, `acceleration`: names or numbers, from 1, of the columns.
      `harness.shaking.shaking_columns` finds the default.
    - `normal_acceleration`: column of the acceleration away from the plane, which is optional. In a
      separate file the default is found as for `acceleration`, with `vertical`.
    - `unit`: unit of the accelerations. The default is the unit of the header, or m/s2.
    - `interval`: sampling interval [s] of a file with a single column of values without times
    - `remove_mean`: subtract the mean of each acceleration
    - `scale`: factor of all accelerations, in addition to the conversion of units
    - `normal_file`: file of the acceleration away from the plane, with the same times. The longer
      record is truncated.
    - `vertical`: whether a vertical component is expected. It is preferred to a horizontal one.

    Raises RecordError if the file cannot be read, a column is missing or used twice, a unit is
    unknown, the times do not increase or cannot be seconds, or the times of two files differ.
    """
    reading: dict[str, Any] = {
        "unit": unit, "interval": interval, "remove_mean": remove_mean, "scale": scale
    }  # fmt: skip
    if normal_file is not None:
        along = read_shaking(path, time=time, acceleration=acceleration, **reading)
        away = read_shaking(normal_file, acceleration=normal_acceleration, vertical=True, **reading)
        return _with_normal(along, away)
    try:
        table = open_table(path, interval=interval)
        at = time_column(table, time)
        wanted = {"acceleration": acceleration}
        if normal_acceleration is not None:
            wanted["normal acceleration"] = normal_acceleration
        columns = [
            acceleration_column(table, name, unit, time=at, role=role, vertical=vertical)
            for role, name in wanted.items()
        ]
        if len(columns) > 1 and columns[0].number == columns[1].number:
            raise _same_column(path, columns[0].name)
        times, values = table.points(at.number, [signal_column.number for signal_column in columns])
        require_time_unit(at, times, path)
    except ValueError as problem:
        raise RecordError(str(problem)) from None
    times = at.unit.factor * times
    for column in columns:
        if converts_again(scale, column.unit.factor):
            raise RecordError(
                f"{path}: "
                + CONVERTED_TWICE.format(
                    scale=f"{scale:.6g}", unit=column.unit.name, column=repr(column.name)
                )
            )
    signals = [by.unit.factor * samples for by, samples in zip(columns, values, strict=True)]
    if scale != 1.0:
        signals = [scale * signal for signal in signals]
    if remove_mean:
        signals = [signal - np.mean(signal) for signal in signals]
    # The values of the file without scale indicate the unit. A wrong unit is the worst mistake.
    warnings = unit_warnings(float(np.max(np.abs(signals[0]))) / abs(scale), columns[0])
    warnings += time_warnings(times)
    for column, signal in zip(columns, signals, strict=True):
        warnings += signal_warnings(column.name, times, signal)
    is_vertical = is_vertical_column(columns[0].name) or is_vertical_file(table)
    if acceleration is None and is_vertical != vertical:
        warnings.append(_VERTICAL if is_vertical else _NOT_VERTICAL)
    return ShakingRecord(
        path,
        times,
        signals[0],
        signals[1] if len(signals) > 1 else None,
        (
            f"{len(times)} points on [{times[0]:.10g}, {times[-1]:.10g}] s every "
            f"{np.median(np.diff(times)):.6g} s",
            f"{table.form}; {_columns_in_words(at, columns)}{_not_read(table, at, columns)}",
            _units(columns, float(np.max(np.abs(signals[0]))))
            + (f", scaled by {scale:.6g}" if scale != 1.0 else "")
            + (", mean removed" if remove_mean else ""),
            *table.notes,
        ),
        tuple(warnings),
        tuple(column.unit.name for column in columns),
        tuple(values),
        columns[0].name,
        columns[0].because == ASSUMED,
        is_vertical,
        table.left_out_note,
    )


def _with_normal(along: ShakingRecord, away: ShakingRecord) -> ShakingRecord:
    """Return a record with the acceleration of another record away from the plane."""
    if along.path.samefile(away.path) and along.column == away.column:
        raise _same_column(away.path, away.column)
    count = min(len(along.times), len(away.times))
    offsets = np.abs(along.times[:count] - away.times[:count])
    if float(np.max(offsets)) > _SAME_INSTANT * along.interval:
        at = int(np.argmax(offsets))
        raise RecordError(
            f"{away.path}: sample {at + 1} is at {away.times[at]:.10g} s, but in {along.path} at "
            f"{along.times[at]:.10g} s: both records must have the same times. Resample one of them"
        )
    understood = [*along.understood, f"normal acceleration from {away.path}: {away.understood[1]}"]
    understood.append(f"normal acceleration: {away.understood[2]}")
    if len(along.times) != len(away.times):
        understood.append(
            f"{along.path.name} has {len(along.times)} samples and {away.path.name} "
            f"{len(away.times)}: the run ends with the shorter, at {along.times[count - 1]:.10g} s"
        )
    return replace(
        along,
        times=along.times[:count],
        acceleration=along.acceleration[:count],
        normal_acceleration=away.acceleration[:count],
        understood=tuple(understood),
        warnings=tuple(
            f"{record.path}: {line}" for record in (along, away) for line in record.warnings
        ),
        units=(*along.units, *away.units),
        samples=(along.samples[0][:count], away.samples[0][:count]),
    )


def _same_column(path: Path, name: str) -> RecordError:
    return RecordError(
        f"{path}: normal acceleration: column {name!r} is the acceleration along the support and "
        "must be another column"
    )


def _columns_in_words(time: Column, columns: list[Column]) -> str:
    """Return the columns that were read, in words."""
    # Seconds are not mentioned.
    scaled = f" in {time.unit.name} ({time.because})" if time.unit.name != "s" else ""
    taken = f"time from {time.name!r}{scaled}, acceleration from {columns[0].name!r}"
    if len(columns) > 1:
        taken += f", normal acceleration from {columns[1].name!r}"
    return taken


def _not_read(table: Table, time: Column, columns: list[Column]) -> str:
    """Return the other columns, in words, because they may be accelerations too."""
    read = {time.number, *(column.number for column in columns)}
    others = [name for number, name in enumerate(table.names(), start=1) if number not in read]
    if not others:
        return ""
    more = f" and {len(others) - _MOST_NAMES} more" if len(others) > _MOST_NAMES else ""
    vertical = [name for name in others if is_vertical_column(name) and len(columns) == 1]
    remedy = f" (`run --normal {vertical[0]!r}` reads the vertical component)" if vertical else ""
    return f"; not read: {', '.join(map(repr, others[:_MOST_NAMES]))}{more}{remedy}"


def _units(columns: list[Column], peak: float) -> str:
    """Return the units of the accelerations and the peak, in words."""
    units = f"unit {columns[0].unit.name} ({columns[0].because})"
    if columns[-1].unit != columns[0].unit:
        units += f", of the normal acceleration {columns[-1].unit.name} ({columns[-1].because})"
    return f"{units}, peak {peak:.4g} m/s2 = {peak / STANDARD_GRAVITY:.3g} g"


def motion_text(shaking: ShakingRecord, header: str = MOTION_HEADER) -> str:
    """Return the acceleration along the support as a strict table with all digits."""
    rows = zip(shaking.times.tolist(), shaking.acceleration.tolist(), strict=True)
    return "\n".join([header, *(f"{time!r},{value!r}" for time, value in rows), ""])


def require_motion_text(path: Path) -> str:
    """Return the text of a strict table from `motion_text`, or raise RecordError."""
    text = motion_text(read_shaking(path))
    with open_regular(path, MOST_TABLE_BYTES) as stream:
        if stream.read() != text.encode():
            raise not_a_motion_file(path)
    return text
