"""Which column of a shaking's file is the time, which an acceleration, and in which unit.

What the file does not say is assumed, and the assumption is printed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from harness.messages import nearest
from harness.records import USUAL_NAMES, Table, is_usual
from harness.shaking.warnings import SLOW
from wearmodel.units import (
    ACCELERATION,
    TIME,
    Dimension,
    Unit,
    require_unit,
    unit_of_text,
)

ASSUMED = "assumed"
"""Why a unit is taken that neither the file nor the user named."""

_SI_UNITS = {TIME: "s", ACCELERATION: "m/s2"}
_WORDS_OF_ACCELERATION = re.compile(USUAL_NAMES[ACCELERATION], re.IGNORECASE)
# Of a name without a unit: columns of a result, or of another instrument.
_OTHER_QUANTITIES = re.compile(
    r"force|veloc|speed|displ|position|gap|penetration|work|power|energ|volume|depth|mode|count|"
    r"pressure|temperature|vitesse|kraft|geschwindigkeit|weg\b",
    re.IGNORECASE,
)
# In the name of a column or at the end of the name of a file or a component: words, and channels
# by the SEED convention.
_UP = r"vertical|vert|vrt|ver|up|down|dwn|ud|z|[hbe][hnl]z"
_VERTICAL = re.compile(rf"{_UP}|normal", re.IGNORECASE)
_VERTICAL_COMPONENT = re.compile(rf"(.*[-_., ])?({_UP}|v)", re.IGNORECASE | re.DOTALL)

# A recorded shaking has so many samples at least; fewer are points of somebody's own.
_RECORDED = 100


@dataclass(frozen=True)
class Column:
    """A column of the file.

    Parameters
    ----------
    number : int
        From 1.
    name : str
        From the header, else made of the number.
    unit : Unit
        Unit of its numbers.
    because : str
        Why this unit is taken.
    """

    number: int
    name: str
    unit: Unit
    because: str


def time_column(table: Table, wanted: str | None) -> Column:
    """Return the column of the time: the one named, else one with a usual name, else the first.

    Raises
    ------
    ValueError
        If there is no such column, or its name occurs twice.
    """
    names = table.names()
    number = _number(names, wanted, "time")
    unit, because = _header_unit(table, number, TIME)
    if table.head.interval is not None:
        because = "from the sampling interval"
    return Column(number, names[number - 1], unit, because)


def require_time_unit(column: Column, times: NDArray[np.float64], path: Path) -> None:
    """Raise ValueError for times in no known unit that no shaking has in seconds.

    Where they are milliseconds, or count the samples, the run would take thousands of times as
    many steps as it needs, and wear as much. A few points may well be seconds apart.
    """
    usual = float(np.median(np.diff(times)))
    if column.because == ASSUMED and usual >= SLOW and len(times) >= _RECORDED:
        raise ValueError(
            f"{path}: column {column.name!r} names no unit, and a sample every {usual:.6g} s is no "
            "shaking; name the unit, as 'time [s]' or 'time [ms]' does; where the column counts "
            "samples, multiply it by the sampling interval"
        )


def acceleration_column(
    table: Table, wanted: str | None, unit: str | None, *, time: Column, role: str
) -> Column:
    """Return a column of accelerations: the one chosen, else the only one that can be meant.

    Parameters
    ----------
    table : Table
        The file.
    wanted : str, optional
        Name or number, from 1; default the only column that is named as an acceleration or has
        its unit and is not vertical, else the only column beside the time if it is not named as
        another quantity.
    unit : str, optional
        As `wearmodel.units` reads it; default what the header says, else m/s2.
    time : Column
        The column of the time, which this must not be.
    role : str
        What it is for, for messages.

    Raises
    ------
    ValueError
        If there is no such column, or its name occurs twice, or it is that of the time, or none
        or several can be meant; or its unit is not known, or contradicts `unit`.
    """
    names = table.names()
    default = 0 if wanted else _likely_acceleration(table, time.number)
    number = default or _number(names, wanted, role)
    if number == time.number:
        raise ValueError(f"{role}: column {time.name!r} is the time and must be another column")
    if unit is None:
        try:
            said, because = _header_unit(table, number, ACCELERATION)
        except ValueError as problem:
            raise ValueError(f"{problem}; or name it by --unit") from None
    else:
        said, because = require_unit(unit, ACCELERATION), _agreed(table, number, unit)
    return Column(number, names[number - 1], said, because)


def is_vertical_column(name: str) -> bool:
    """Whether a column is named as a vertical component."""
    return any(map(_VERTICAL.fullmatch, _words(name)))


def is_vertical_file(table: Table) -> bool:
    """Whether the name of a file, or the head of an AT2 file, is that of a vertical component."""
    names = (table.path.stem, table.header.remark if table.head.number else "")
    return any(_VERTICAL_COMPONENT.fullmatch(name.strip()) for name in names)


def _likely_acceleration(table: Table, time_number: int) -> int:
    """Return the number of the only column that can be meant; see `acceleration_column`."""
    names = dict(enumerate(table.names(), start=1))
    del names[time_number]
    usual = [n for n, name in names.items() if is_usual(name, ACCELERATION)]
    likely = usual or [
        number
        for number, name in names.items()
        if any(map(_WORDS_OF_ACCELERATION.fullmatch, _words(name))) or _has_own_unit(table, number)
    ]
    level = [number for number in likely if not is_vertical_column(names[number])]
    found = level or likely
    if not found and len(names) == 1:
        found = [number for number, name in names.items() if not _OTHER_QUANTITIES.search(name)]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(f"{number} {names[number]!r}" for number in found or names)
    problem = "several columns can be" if found else "no column is named as"
    raise ValueError(
        f"{table.path}: {problem} the acceleration: {listed}; choose one by name or number with "
        "--acceleration COLUMN, or name it 'acceleration' in the file"
    )


def _words(name: str) -> list[str]:
    return re.split(r"[\W_]+", name)


def _has_own_unit(table: Table, number: int) -> bool:
    """Whether the header gives this column, and not all columns at once, a unit of acceleration."""
    try:
        said = table.header.unit(number, ACCELERATION)
    except ValueError:
        return False
    rows = (row for row in table.header.rows if len(row) >= number)
    return said is not None and any(row[number - 1] == said[1] for row in rows)


def _number(names: Sequence[str], wanted: str | None, role: str) -> int:
    """Return the number of a column: the one named, else one with a usual name of the time or 1."""
    if wanted is None:
        matching = [name for name in names if is_usual(name, TIME)]
        if not matching:
            return 1
        wanted = matching[0]
    elif wanted not in names:
        if wanted.isdigit() and 1 <= int(wanted) <= len(names):
            return int(wanted)
        raise ValueError(
            f"{role}: no column {wanted!r} among {', '.join(names)}{nearest(wanted, names)}"
        )
    numbers = [at for at, name in enumerate(names, start=1) if name == wanted]
    if len(numbers) > 1:
        raise ValueError(
            f"{role}: column {wanted!r} occurs {len(numbers)} times and must be taken by its "
            f"number, one of {', '.join(map(str, numbers))}"
        )
    return numbers[0]


def _header_unit(table: Table, column: int, dimension: Dimension) -> tuple[Unit, str]:
    """Return the unit that the header gives a column, and its words; else SI, assumed."""
    said = table.header.unit(column, dimension)
    if said is None:
        return require_unit(_SI_UNITS[dimension], dimension), ASSUMED
    return said[0], f"the header says {said[1]!r}"


def _agreed(table: Table, column: int, unit: str) -> str:
    """Return why a unit is taken that an option names; raise ValueError if the header has another.

    One in the header that is not known is what the option is for.
    """
    try:
        said = table.header.unit(column, ACCELERATION)
    except ValueError:
        return "from --unit; the one in the header is not known"
    if said is None or said[0] == unit_of_text(unit):
        return "from --unit"
    raise ValueError(
        f"{table.path}: --unit {unit} contradicts the header, where column {column} is {said[1]!r}:"
        " leave out --unit, or correct the header"
    )
