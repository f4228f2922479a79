"""A recorded shaking in a CSV file: which columns and units it has, and what is suspicious in it.

The form of the file is that of `wearmodel.accelerogram`. What the file does not say is supposed
and told: nothing is guessed in silence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.constants import g as STANDARD_GRAVITY  # noqa: N812
from scipy.signal import periodogram

from harness.errors import RecordError
from harness.schema import nearest
from wearmodel.accelerogram import Accelerogram, PointTable, read_point_table

UNITS = {"m/s2": 1.0, "g": STANDARD_GRAVITY, "cm/s2": 1e-2, "mm/s2": 1e-3}
"""Accepted units → m/s2."""

# How each unit is written in a header, most particular first.
_UNIT_PATTERNS = {
    "cm/s2": r"cm\s*/\s*s(\^?2|²)|\bgals?\b",
    "mm/s2": r"mm\s*/\s*s(\^?2|²)",
    "m/s2": r"\bm\s*/\s*s(\^?2|²|\*\*2)|\bm\.?s-2|\bmps2\b",
    "g": r"[\[(]\s*g\s*[\])]|[_ ]g$|^g$",
}
_TIME_NAMES = r"t|time|times|temps|zeit|tempo|instant"
_ACCELERATION_NAMES = r"a|acc|accel|accélération|acceleration|beschleunigung|base_acceleration"
_DELIMITER_NAMES = {";": "semicolons", ",": "commas", "\t": "tabs", None: "blanks"}

# Times written with few digits scatter by this part of a step without being irregular.
_REGULAR = 1e-2
# A mean beyond this part of the peak leaves the support with a velocity that no shaking has.
_OFFSET = 1e-2
# Part of the energy that may lie in the upper half of the frequencies that the samples can hold.
_FINE_ENERGY = 0.05
# A first value beyond this part of the peak is a jump from rest.
_JUMP = 0.1
# A shaking in m/s2 that wears anything seldom peaks below; one in g often does.
_SMALL_PEAK = 2.0


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
    understood : tuple of str
        Columns, unit and sampling, a line each.
    warnings : tuple of str
        What is suspicious, a line each, with the remedy.
    """

    path: Path
    times: NDArray[np.float64]
    acceleration: NDArray[np.float64]
    normal_acceleration: NDArray[np.float64] | None
    understood: tuple[str, ...]
    warnings: tuple[str, ...]

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
    remove_mean: bool = False,
) -> ShakingRecord:
    """Read a shaking and look for what is suspicious.

    Parameters
    ----------
    path : Path
        The CSV file.
    time, acceleration : str, optional
        Name or number, from 1, of the column; found by name, else the first and the next.
    normal_acceleration : str, optional
        Column of the acceleration away from the plane; default none.
    unit : str, optional
        One of `UNITS`; default what the header says, else m/s2.
    remove_mean : bool
        Whether to subtract each acceleration's mean.

    Raises
    ------
    RecordError
        If the file cannot be read or has no such column, or its times do not increase.
    """
    try:
        table = read_point_table(str(path))
        names = _names(table)
        time_at = _column(names, time, _TIME_NAMES, 1, "time")
        start = next(number for number in range(1, len(names) + 2) if number != time_at)
        along_at = _column(names, acceleration, _ACCELERATION_NAMES, start, "acceleration")
        columns = [along_at]
        if normal_acceleration is not None:
            columns.append(_column(names, normal_acceleration, "", 0, "normal acceleration"))
        times = table.column(time_at)
        # Checks the times too.
        points = [Accelerogram(times, table.column(at), table.source) for at in columns]
    except ValueError as problem:
        raise RecordError(str(problem)) from None
    unit_used, because = _unit(table, along_at, unit)
    signals = [UNITS[unit_used] * np.array(one.values) for one in points]
    warnings = []
    if remove_mean:
        signals = [signal - np.mean(signal) for signal in signals]
    instants = np.array(times)
    for name, signal in zip((names[at - 1] for at in columns), signals, strict=True):
        warnings += _signal_warnings(name, instants, signal)
    peak = float(np.max(np.abs(signals[0])))
    if because == "supposed" and peak < _SMALL_PEAK:
        warnings.append(
            f"the file names no unit and its peak is {peak:.3g}: taken as m/s2; "
            "if it is in g, add --unit g"
        )
    taken = f"time from {names[time_at - 1]!r}, acceleration from {names[along_at - 1]!r}"
    if len(columns) > 1:
        taken += f", normal acceleration from {names[columns[1] - 1]!r}"
    return ShakingRecord(
        path,
        instants,
        signals[0],
        signals[1] if len(signals) > 1 else None,
        (
            f"{len(times)} points on [{times[0]:.10g}, {times[-1]:.10g}] s every "
            f"{np.median(np.diff(instants)):.6g} s",
            f"columns are parted by {_DELIMITER_NAMES[table.delimiter]}; {taken}",
            f"unit {unit_used} ({because}); peak {peak:.4g} m/s2 = {peak / STANDARD_GRAVITY:.3g} g"
            + (", mean removed" if remove_mean else ""),
        ),
        (*_time_warnings(instants), *warnings),
    )


def _names(table: PointTable) -> list[str]:
    """Return a name for each column: the header's where it has as many cells as the rows."""
    if not table.rows:
        raise ValueError(f"{table.source} has no row of numbers")
    count = len(table.rows[0][1])
    if count < 2:
        raise ValueError(
            f"{table.source} has {count} column and must have ≥ 2: a time and an acceleration"
        )
    if table.header and len(table.header[0]) == count:
        return [name or f"column {at}" for at, name in enumerate(table.header[0], start=1)]
    return [f"column {at}" for at in range(1, count + 1)]


def _column(names: Sequence[str], wanted: str | None, known: str, default: int, role: str) -> int:
    """Return the number of a column: as asked, else by a usual name, else the default."""
    if wanted is not None:
        if wanted in names:
            return names.index(wanted) + 1
        if wanted.isdigit() and 1 <= int(wanted) <= len(names):
            return int(wanted)
        raise ValueError(
            f"{role}: no column {wanted!r} among {', '.join(names)}{nearest(wanted, names)}"
        )
    pattern = re.compile(rf"({known})\b(?!\w)", re.IGNORECASE)
    for at, name in enumerate(names, start=1):
        if pattern.match(re.sub(r"_(s|g|mps2|m_s2|ms2)$", "", name.strip())):
            return at
    return default


def _unit(table: PointTable, column: int, wanted: str | None) -> tuple[str, str]:
    """Return the unit and why it is taken; that it is not the header's must not be overlooked."""
    count = len(table.rows[0][1])
    # Of a header that blanks tear apart, all is looked at.
    texts = [
        row[column - 1] if len(row) == count else " ".join(row)
        for row in table.header
    ]  # fmt: skip
    found = [
        (unit, f"the header says {text.strip()!r}")
        for text in texts
        for unit, pattern in _UNIT_PATTERNS.items()
        if re.search(pattern, text.strip(), re.IGNORECASE)
    ]
    said, because = found[0] if found else ("m/s2", "supposed")
    if wanted is None:
        return said, because
    return wanted, f"as asked; {because}" if found and said != wanted else "as asked"


def _time_warnings(times: NDArray[np.float64]) -> list[str]:
    steps = np.diff(times)
    usual = float(np.median(steps))
    worst = int(np.argmax(np.abs(steps - usual)))
    if abs(steps[worst] - usual) <= _REGULAR * usual:
        return []
    irregular = int(np.sum(np.abs(steps - usual) > _REGULAR * usual))
    return [
        f"irregular steps: {irregular} of {len(steps)} are not {usual:.6g} s, for instance "
        f"{steps[worst]:.6g} s after t={times[worst]:.6g} s; joined by straight lines"
    ]


def _signal_warnings(
    name: str, times: NDArray[np.float64], signal: NDArray[np.float64]
) -> list[str]:
    peak = float(np.max(np.abs(signal)))
    if peak == 0.0:
        return [f"{name} is 0 throughout"]
    warnings = []
    mean = float(np.mean(signal))
    if abs(mean) > _OFFSET * peak:
        drift = float(np.trapezoid(signal, times))
        warnings.append(
            f"offset: {name} has a mean of {mean:.3g} m/s2 and leaves the support with "
            f"{drift:.3g} m/s; if that is no motion of it, add --remove-mean"
        )
    if abs(signal[0]) > _JUMP * peak:
        warnings.append(
            f"jump: {name} starts at {signal[0]:.3g} m/s2, "
            f"{100.0 * abs(signal[0]) / peak:.0f} % of its peak, not from rest"
        )
    even = np.interp(np.linspace(times[0], times[-1], len(times)), times, signal)
    frequencies, energies = periodogram(even, 1.0 / ((times[-1] - times[0]) / (len(times) - 1)))
    upper = float(np.sum(energies[frequencies > 0.5 * frequencies[-1]]) / np.sum(energies))
    if upper > _FINE_ENERGY:
        warnings.append(
            f"coarse: {100.0 * upper:.0f} % of the energy of {name} lies above "
            f"{0.5 * frequencies[-1]:.3g} Hz, half of what its samples can hold; "
            "the motion between them is not known"
        )
    return warnings
