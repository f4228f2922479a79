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
from harness.records import Table
from harness.shaking.warnings import SLOW
from wearmodel.units import (
    ACCELERATION,
    TIME,
    Dimension,
    Unit,
    name_without_unit,
    require_unit,
    unit_of_text,
)

ASSUMED = "assumed"
"""Why a unit is taken that neither the file nor the user named."""

_SI_UNITS = {TIME: "s", ACCELERATION: "m/s2"}
_USUAL_NAMES = {
    TIME: r"t|time|times|temps|zeit|tempo|instant",
    ACCELERATION: r"a|acc|accel|accélération|acceleration|beschleunigung|base_acceleration",
}

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
    number = _number(names, wanted, TIME, 1, "time")
    unit, because = _header_unit(table, number, TIME)
    if table.interval is not None:
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
    """Return a column of accelerations: the one named, else by a usual name, else beside the time.

    Parameters
    ----------
    table : Table
        The file.
    wanted : str, optional
        Name or number, from 1.
    unit : str, optional
        As `wearmodel.units` reads it; default what the header says, else m/s2.
    time : Column
        The column of the time, which this must not be.
    role : str
        What it is for, for messages.

    Raises
    ------
    ValueError
        If there is no such column, or its name occurs twice, or it is that of the time; or its
        unit is not known.
    """
    names = table.names()
    next_one = 2 if time.number == 1 else 1
    number = _number(names, wanted, ACCELERATION, next_one, role)
    if number == time.number:
        raise ValueError(f"{role}: column {time.name!r} is the time and must be another column")
    if unit is None:
        try:
            said, because = _header_unit(table, number, ACCELERATION)
        except ValueError as problem:
            raise ValueError(f"{problem}; or name it by --unit") from None
    else:
        said, because = require_unit(unit, ACCELERATION), _overruled(table, number, unit)
    return Column(number, names[number - 1], said, because)


def _number(
    names: Sequence[str], wanted: str | None, dimension: Dimension, default: int, role: str
) -> int:
    """Return the number of a column: the one named, else by a usual name, else the default."""
    if wanted is None:
        pattern = re.compile(rf"({_USUAL_NAMES[dimension]})\b(?!\w)", re.IGNORECASE)
        usual = (name_without_unit(name.strip(), dimension) for name in names)
        matching = [
            name for name, spelling in zip(names, usual, strict=True) if pattern.match(spelling)
        ]
        if not matching:
            return default
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


def _overruled(table: Table, column: int, unit: str) -> str:
    """Return that the unit is the option's, and what the header says where that is another."""
    try:
        said = table.header.unit(column, ACCELERATION)
    except ValueError:
        return "from --unit; the one in the header is not known"
    if said is None or said[0] == unit_of_text(unit):
        return "from --unit"
    return f"from --unit; the header says {said[1]!r}"
