"""Columns of time and acceleration in the file of a base motion, their units, and warnings.

Missing units are assumed, and the assumption is printed. Warnings are lines with remedies.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from harness.messages import nearest
from harness.records import (
    USUAL_NAMES,
    Fineness,
    Steps,
    Table,
    is_usual,
    missing_unit,
)
from wearmodel.arrays import Floats
from wearmodel.units import (
    ACCELERATION,
    STANDARD_GRAVITY,
    TIME,
    Dimension,
    Unit,
    require_unit,
    unit_of_text,
)

# Longer steps [s] are probably numbers of samples, or ms.
SLOW = 0.5
# Allowed final velocity as a share of the largest velocity, because a support comes to rest.
_FINAL_VELOCITY = 0.05
# Allowed first value as a share of the peak, because a support starts at rest.
_JUMP = 0.1
# Few records of strong earthquakes have peaks [g] outside this range.
_USUAL_PEAKS = (0.005, 2.5)


def time_warnings(times: Floats) -> list[str]:
    """Return warnings about times [s] with slow or irregular sampling."""
    steps = np.diff(times)
    usual = float(np.median(steps))
    warnings = []
    if usual >= SLOW:
        warnings.append(
            f"slow: a sample every {usual:.6g} s. If the times are in ms, name their column "
            "'time [ms]'. If they are sample numbers, multiply them by the sampling interval. "
            "--dt, and DT of an AT2 file, are in s"
        )
    seen = Steps()
    seen.add(times)
    return [*warnings, *seen.warnings()]


def unit_warnings(peak: float, column: Column) -> list[str]:
    """Return warnings about the peak [m/s2] of a column that suggests another unit."""
    share = peak / STANDARD_GRAVITY
    if column.because != ASSUMED:
        if not share or _USUAL_PEAKS[0] <= share <= _USUAL_PEAKS[1]:
            return []
        return [
            f"the peak of {column.name} is {share:.3g} g with the unit {column.unit.name} "
            f"({column.because}). Usual peaks are {_USUAL_PEAKS[0]:g} to {_USUAL_PEAKS[1]:g} g: is "
            "the unit right?"
        ]
    return missing_unit(peak, "add --unit {unit}")


def signal_warnings(name: str, times: Floats, signal: Floats) -> list[str]:
    """Return warnings about a signal [m/s2]: constant, offset, initial step, coarse sampling."""
    peak = float(np.max(np.abs(signal)))
    if np.ptp(signal / (peak or 1.0)) == 0.0:
        return [f"{name} is {signal[0]:.6g}{' m/s2' if peak else ''} throughout"]
    # Scaled by the peak to avoid overflow.
    shape = signal / peak
    warnings = []
    velocity = np.cumsum(0.5 * np.diff(times) * (shape[1:] + shape[:-1]))
    final, fastest = float(velocity[-1]), float(np.max(np.abs(velocity)))
    if abs(final) > _FINAL_VELOCITY * fastest:
        warnings.append(
            f"offset: {name} has a mean of {peak * float(np.mean(shape)):.3g} m/s2. The final "
            f"velocity is {peak * final:.3g} m/s, {100.0 * abs(final) / fastest:.0f} % of the "
            "peak velocity: if the support comes to rest, add --remove-mean"
        )
    if abs(shape[0]) > _JUMP:
        warnings.append(
            f"jump: {name} starts at {signal[0]:.3g} m/s2, {100.0 * abs(shape[0]):.0f} % of its "
            "peak, instead of 0"
        )
    fineness = Fineness(name)
    fineness.add(times, shape)
    return [*warnings, *fineness.warnings()]


ASSUMED = "assumed"
"""Reason of a unit that is not given by the file or the user."""

_SI_UNITS = {TIME: "s", ACCELERATION: "m/s2"}
_WORDS_OF_ACCELERATION = re.compile(USUAL_NAMES[ACCELERATION], re.IGNORECASE)
# Other quantities in a name without unit, such as columns of results.
_OTHER_QUANTITIES = re.compile(
    r"force|veloc|speed|displ|position|gap|penetration|work|power|energ|volume|depth|mode|count|"
    r"pressure|temperature|vitesse|kraft|geschwindigkeit|weg\b",
    re.IGNORECASE,
)
# Words and SEED channels of a vertical component, in the name of a column, or at the end of the
# name of a file or a component.
_UP = r"vertical|vert|vrt|ver|up|down|dwn|ud|z|[hbe][hnl]z"
_VERTICAL = re.compile(rf"{_UP}|normal", re.IGNORECASE)
_VERTICAL_COMPONENT = re.compile(rf"(.*[-_., ])?({_UP}|v)", re.IGNORECASE | re.DOTALL)

# A shorter table is not a recording.
_RECORDED = 100


@dataclass(frozen=True)
class Column:
    """A column of the file with its number, from 1, its unit and the reason for this unit."""

    number: int
    name: str
    unit: Unit
    because: str


def time_column(table: Table, wanted: str | None) -> Column:
    """Return the time column: the given column, a column with a usual name, or the first.

    Raises ValueError if the column is missing or its name occurs twice.
    """
    names = table.names()
    number = _number(names, wanted, "time")
    unit, because = _header_unit(table, number, TIME)
    if table.head.interval is not None:
        because = "from the sampling interval"
    return Column(number, names[number - 1], unit, because)


def require_time_unit(column: Column, times: Floats, path: Path) -> None:
    """Raise ValueError for times without unit that cannot be seconds.

    Times in ms, or numbers of samples, would give thousands of times too many steps and too much
    wear. A few points may be seconds apart.
    """
    usual = float(np.median(np.diff(times)))
    if column.because == ASSUMED and usual >= SLOW and len(times) >= _RECORDED:
        raise ValueError(
            f"{path}: column {column.name!r} has no unit, and a sample every {usual:.6g} s is too "
            "slow for a base motion: add the unit, as in 'time [s]' or 'time [ms]'. If the column "
            "contains sample numbers, multiply it by the sampling interval"
        )


def acceleration_column(
    table: Table,
    wanted: str | None,
    unit: str | None,
    *,
    time: Column,
    role: str,
    vertical: bool = False,
) -> Column:
    """Return the column of an acceleration.

    - `wanted`: name or number, from 1. The default is the only column with the name or unit of an
      acceleration, or the only column besides the time if its name is not another quantity. Of
      several accelerations it is the only horizontal one, or the only vertical one if `vertical`.
    - `unit`: unit. The default is the unit of the header, or m/s2.
    - `time`: the time column, which must be another column
    - `role`: name of the acceleration in messages

    Raises ValueError if the column is missing, ambiguous or the time column, its name occurs twice,
    or its unit is unknown or contradicts `unit`.
    """
    names = table.names()
    default = 0 if wanted else _likely_acceleration(table, time.number, vertical=vertical)
    number = default or _number(names, wanted, role)
    if number == time.number:
        raise ValueError(f"{role}: column {time.name!r} contains the time: select another column")
    if unit is None:
        try:
            known, because = _header_unit(table, number, ACCELERATION)
        except ValueError as problem:
            raise ValueError(f"{problem}; or give the unit by --unit") from None
    else:
        known, because = require_unit(unit, ACCELERATION), _agreed(table, number, unit)
    return Column(number, names[number - 1], known, because)


def is_vertical_column(name: str) -> bool:
    """Whether the name of a column is a vertical component."""
    return any(map(_VERTICAL.fullmatch, _words(name)))


def is_vertical_file(table: Table) -> bool:
    """Whether the name of a file, or the head of an AT2 file, is a vertical component."""
    names = (table.path.stem, table.header.remark if table.head.number else "")
    return any(_VERTICAL_COMPONENT.fullmatch(name.strip()) for name in names)


def _likely_acceleration(table: Table, time_number: int, *, vertical: bool) -> int:
    """Return the number of the only possible column, see `acceleration_column`."""
    names = dict(enumerate(table.names(), start=1))
    del names[time_number]
    usual = [n for n, name in names.items() if is_usual(name, ACCELERATION)]
    likely = [
        number
        for number, name in names.items()
        if any(map(_WORDS_OF_ACCELERATION.fullmatch, _words(name))) or _has_own_unit(table, number)
    ]
    preferred = [number for number in likely if is_vertical_column(names[number]) == vertical]
    found = (preferred if vertical else []) or usual or preferred or likely
    if not found and len(names) == 1:
        found = [number for number, name in names.items() if not _OTHER_QUANTITIES.search(name)]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(f"{number} {names[number]!r}" for number in found or names)
    problem = "several columns can be" if found else "no column has the name of"
    raise ValueError(
        f"{table.path}: {problem} the acceleration: {listed}. Select one by name or number with "
        f"--{'normal' if vertical else 'acceleration'} COLUMN, or rename it 'acceleration' in the "
        "file"
    )


def _words(name: str) -> list[str]:
    return re.split(r"[\W_]+", name)


def _has_own_unit(table: Table, number: int) -> bool:
    """Whether the header has a unit of acceleration for this column, not for all columns."""
    try:
        found = table.header.unit(number, ACCELERATION)
    except ValueError:
        return False
    rows = (row for row in table.header.rows if len(row) >= number)
    return found is not None and any(row[number - 1] == found[1] for row in rows)


def _number(names: Sequence[str], wanted: str | None, role: str) -> int:
    """Return the number of the given column, or of a column with a usual name of the time, or 1."""
    if wanted is None:
        matching = [name for name in names if is_usual(name, TIME)]
        if not matching:
            return 1
        wanted = matching[0]
    elif wanted not in names:
        if wanted.isdigit() and 1 <= int(wanted) <= len(names):
            return int(wanted)
        raise ValueError(
            f"{role}: {wanted!r} is not a column. Columns: {', '.join(names)}"
            f"{nearest(wanted, names)}"
        )
    numbers = [at for at, name in enumerate(names, start=1) if name == wanted]
    if len(numbers) > 1:
        raise ValueError(
            f"{role}: column {wanted!r} occurs {len(numbers)} times: select it by its number, "
            f"{' or '.join(map(str, numbers))}"
        )
    return numbers[0]


def _header_unit(table: Table, column: int, dimension: Dimension) -> tuple[Unit, str]:
    """Return the unit of a column in the header and its text, or the SI unit as an assumption."""
    found = table.header.unit(column, dimension)
    if found is None:
        return require_unit(_SI_UNITS[dimension], dimension), ASSUMED
    return found[0], f"from the header {found[1]!r}"


def _agreed(table: Table, column: int, unit: str) -> str:
    """Return the reason of a unit from --unit, or raise ValueError if the header contradicts it.

    The option replaces an unknown unit of the header.
    """
    try:
        found = table.header.unit(column, ACCELERATION)
    except ValueError:
        return "from --unit, because the unit of the header is not known"
    if found is None or found[0] == unit_of_text(unit):
        return "from --unit"
    raise ValueError(
        f"{table.path}: --unit {unit} contradicts the header, which gives the unit "
        f"{found[1]!r}: remove --unit, or correct the header"
    )
