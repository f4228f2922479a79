"""A recorded shaking: what was read of its file, how it was understood, and what is suspicious.

The forms of file are those of `harness.records.table`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.errors import RecordError
from harness.records import Table, open_table
from harness.shaking.shaking_columns import (
    ASSUMED,
    Column,
    acceleration_column,
    is_vertical_column,
    is_vertical_file,
    require_time_unit,
    time_column,
)
from harness.shaking.warnings import signal_warnings, time_warnings, unit_warnings
from wearmodel.units import STANDARD_GRAVITY, converts_again

# Intervals; times are written with some six digits.
_SAME_INSTANT = 1e-3
# Of columns that are not read.
_MOST_NAMES = 5


@dataclass(frozen=True)
class ShakingRecord:
    """A shaking, with all that was understood of its file.

    Parameters
    ----------
    path : Path
        The file.
    times : ndarray, shape (n,)
        Increasing, s.
    acceleration : ndarray, shape (n,)
        Along the support, m/s2.
    normal_acceleration : ndarray, shape (n,), optional
        Away from the support's plane, m/s2.
    unit : str
        That of the acceleration in the file, in the spelling of `wearmodel.units`.
    understood : tuple of str
        Sampling, columns and unit, a line each.
    warnings : tuple of str
        What is suspicious, a line each, with the remedy.
    units : tuple of str
        Those of the accelerations in the file.
    samples : tuple of ndarray, each of shape (n,)
        The accelerations as the file has them, in these units.
    column : str
        Name of the column of the acceleration.
    is_vertical : bool
        Whether column, file or head name a vertical component.
    """

    path: Path
    times: NDArray[np.float64]
    acceleration: NDArray[np.float64]
    normal_acceleration: NDArray[np.float64] | None
    unit: str
    understood: tuple[str, ...]
    warnings: tuple[str, ...]
    units: tuple[str, ...]
    samples: tuple[NDArray[np.float64], ...]
    column: str
    is_vertical: bool

    @property
    def listed(self) -> dict[str, Any]:
        """The record in a list of many: file, column, unit, step and duration, s, and peak, g."""
        return {
            "record": str(self.path),
            "column": self.column,
            "unit": self.unit,
            "step": self.interval,
            "peak_g": float(np.max(np.abs(self.acceleration))) / STANDARD_GRAVITY,
            "duration": float(self.times[-1] - self.times[0]),
        }

    @property
    def interval(self) -> float:
        """The usual sampling interval, s: the median."""
        return float(np.median(np.diff(self.times)))

    @property
    def interval_count(self) -> int:
        """Number of usual intervals in the span."""
        return max(1, round(float(self.times[-1] - self.times[0]) / self.interval))


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
) -> ShakingRecord:
    """Read a shaking and look for what is suspicious.

    Parameters
    ----------
    path : Path
        The CSV or AT2 file.
    time, acceleration : str, optional
        Name or number, from 1, of the column; default as `harness.shaking.shaking_columns` finds
        them.
    normal_acceleration : str, optional
        Column of the acceleration away from the plane; default none, or in a file of its own the
        only one that can be meant.
    unit : str, optional
        Of the accelerations, as `wearmodel.units` reads it; default what the header says, else
        m/s2.
    interval : float, optional
        Sampling interval, s, of a file that has one column of values and no times.
    remove_mean : bool
        Whether to subtract each acceleration's mean.
    scale : float
        Factor on all accelerations, beside the conversion of their unit.
    normal_file : Path, optional
        File of the acceleration away from the plane, with the same instants. The longer of both
        records ends with the shorter.

    Raises
    ------
    RecordError
        If the file cannot be read or has no such column, a unit is not known, its times do not
        increase, or they are in no known unit and no shaking has them in seconds; if both
        accelerations are one column, or two files have other instants.
    """
    reading: dict[str, Any] = {
        "unit": unit, "interval": interval, "remove_mean": remove_mean, "scale": scale
    }  # fmt: skip
    if normal_file is not None:
        along = read_shaking(path, time=time, acceleration=acceleration, **reading)
        away = read_shaking(normal_file, acceleration=normal_acceleration, **reading)
        return _with_normal(along, away)
    try:
        table = open_table(path, interval=interval)
        at = time_column(table, time)
        wanted = {"acceleration": acceleration}
        if normal_acceleration is not None:
            wanted["normal acceleration"] = normal_acceleration
        columns = [
            acceleration_column(table, name, unit, time=at, role=role)
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
                f"{path}: scale={scale:.6g} seems to convert from the unit {column.unit.name} of "
                f"{column.name!r}, whose values are converted already; leave the scale out"
            )
    signals = [
        column.unit.factor * samples for column, samples in zip(columns, values, strict=True)
    ]
    if scale != 1.0:
        signals = [scale * signal for signal in signals]
    if remove_mean:
        signals = [signal - np.mean(signal) for signal in signals]
    warnings = time_warnings(times)
    for column, signal in zip(columns, signals, strict=True):
        warnings += signal_warnings(column.name, times, signal)
    if columns[0].because == ASSUMED:
        # The unit shows in what the file holds, whatever the scale.
        warnings += unit_warnings(float(np.max(np.abs(signals[0]))) / abs(scale))
    return ShakingRecord(
        path,
        times,
        signals[0],
        signals[1] if len(signals) > 1 else None,
        columns[0].unit.name,
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
        is_vertical_column(columns[0].name) or is_vertical_file(table),
    )


def _with_normal(along: ShakingRecord, away: ShakingRecord) -> ShakingRecord:
    """Return a shaking with the acceleration of another away from the plane."""
    if along.path.samefile(away.path) and along.column == away.column:
        raise _same_column(away.path, away.column)
    count = min(len(along.times), len(away.times))
    offsets = np.abs(along.times[:count] - away.times[:count])
    if float(np.max(offsets)) > _SAME_INSTANT * along.interval:
        at = int(np.argmax(offsets))
        raise RecordError(
            f"{away.path}: sample {at + 1} is at {away.times[at]:.10g} s, that of {along.path} at "
            f"{along.times[at]:.10g} s: both records must have the same instants; resample one"
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
        warnings=(*along.warnings, *away.warnings),
        units=(*along.units, *away.units),
        samples=(along.samples[0][:count], away.samples[0][:count]),
    )


def _same_column(path: Path, name: str) -> RecordError:
    return RecordError(
        f"{path}: normal acceleration: column {name!r} is the acceleration along the support and "
        "must be another column"
    )


def _columns_in_words(time: Column, columns: list[Column]) -> str:
    """Return which columns were taken, in words."""
    # That the time is in s is the rule, and not worth a word.
    scaled = f" in {time.unit.name} ({time.because})" if time.unit.name != "s" else ""
    taken = f"time from {time.name!r}{scaled}, acceleration from {columns[0].name!r}"
    if len(columns) > 1:
        taken += f", normal acceleration from {columns[1].name!r}"
    return taken


def _not_read(table: Table, time: Column, columns: list[Column]) -> str:
    """Return which columns were left, in words: others of them may be accelerations."""
    read = {time.number, *(column.number for column in columns)}
    others = [name for number, name in enumerate(table.names(), start=1) if number not in read]
    if not others:
        return ""
    more = f" and {len(others) - _MOST_NAMES} more" if len(others) > _MOST_NAMES else ""
    return f"; not read: {', '.join(map(repr, others[:_MOST_NAMES]))}{more}"


def _units(columns: list[Column], peak: float) -> str:
    """Return the units of the accelerations and the peak, in words."""
    units = f"unit {columns[0].unit.name} ({columns[0].because})"
    if columns[-1].unit != columns[0].unit:
        units += f", of the normal acceleration {columns[-1].unit.name} ({columns[-1].because})"
    return f"{units}; peak {peak:.4g} m/s2 = {peak / STANDARD_GRAVITY:.3g} g"
