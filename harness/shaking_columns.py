"""Which column of a shaking's file is the time, which an acceleration, and in which unit.

What the file does not say is supposed and told: nothing is guessed in silence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scipy.constants import g as STANDARD_GRAVITY  # noqa: N812

from harness.schema import nearest
from wearmodel.accelerogram import PointTable

UNITS = {"m/s2": 1.0, "g": STANDARD_GRAVITY, "cm/s2": 1e-2, "mm/s2": 1e-3}
"""Accepted units of acceleration → m/s2."""

TIME_UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6}
"""Units of time → s."""

SUPPOSED = "supposed"
"""Why a unit is taken that neither the file nor the user named."""

# How each unit is written in a header, most particular first.
_UNIT_PATTERNS = {
    "cm/s2": r"cm\s*/\s*s(\^?2|²)|\bgals?\b",
    "mm/s2": r"mm\s*/\s*s(\^?2|²)",
    "m/s2": r"\bm\s*/\s*s(\^?2|²|\*\*2)|\bm\.?s-2|\bmps2\b",
    "g": r"[\[(]\s*g\s*[\])]|[_ ]g$|^g$",
}
_TIME_UNIT_PATTERNS = {
    "ms": r"[\[(]\s*m(illi)?s(ec)?\s*[\])]|[_ ]ms(ec)?$|^ms(ec)?$",
    "us": r"[\[(]\s*[uµμ]s(ec)?\s*[\])]|[_ ][uµμ]s$|^[uµμ]s$",
    "s": r"[\[(]\s*s(ec)?\s*[\])]|[_ ]s(ec)?$|^s(ec)?$",
}
_TIME_NAMES = r"t|time|times|temps|zeit|tempo|instant"
_ACCELERATION_NAMES = r"a|acc|accel|accélération|acceleration|beschleunigung|base_acceleration"


@dataclass(frozen=True)
class Column:
    """A column of the file.

    Parameters
    ----------
    number : int
        From 1.
    name : str
        The header's, else made of the number.
    unit : str
        One of `UNITS`, or of `TIME_UNITS`.
    because : str
        Why this unit is taken.
    """

    number: int
    name: str
    unit: str
    because: str


def time_column(table: PointTable, wanted: str | None) -> Column:
    """Return the column of the time: as asked, else by a usual name, else the first.

    Raises
    ------
    ValueError
        If there is no such column, or its name occurs twice.
    """
    names = _names(table)
    number = _number(names, wanted, _TIME_NAMES, 1, "time")
    unit, because = time_unit(table, number)
    return Column(number, names[number - 1], unit, because)


def time_unit(table: PointTable, number: int) -> tuple[str, str]:
    """Return the unit that the header gives the times in a column, and why; supposed: s."""
    return _said(table, number, _TIME_UNIT_PATTERNS, "s")


def acceleration_column(
    table: PointTable, wanted: str | None, unit: str | None, *, time: Column, role: str
) -> Column:
    """Return a column of accelerations: as asked, else by a usual name, else the next to the time.

    Parameters
    ----------
    table : PointTable
        The file.
    wanted : str, optional
        Name or number, from 1.
    unit : str, optional
        One of `UNITS`; default what the header says, else m/s2.
    time : Column
        The column of the time, which this must not be.
    role : str
        What it is for, for messages.

    Raises
    ------
    ValueError
        If there is no such column, or its name occurs twice, or it is that of the time.
    """
    names = _names(table)
    next_one = 2 if time.number == 1 else 1
    number = _number(names, wanted, _ACCELERATION_NAMES, next_one, role)
    if number == time.number:
        raise ValueError(f"{role}: column {time.name!r} is the time and must be another column")
    said, because = _said(table, number, _UNIT_PATTERNS, "m/s2")
    if unit is not None:
        overruled = because != SUPPOSED and said != unit
        said, because = unit, f"as asked; {because}" if overruled else "as asked"
    return Column(number, names[number - 1], said, because)


def _names(table: PointTable) -> list[str]:
    """Return a name for each column: the header's where it has as many cells as the rows."""
    count = len(table.rows[0][1])
    if table.header and len(table.header[0]) == count:
        return [name or f"column {at}" for at, name in enumerate(table.header[0], start=1)]
    return [f"column {at}" for at in range(1, count + 1)]


def _number(names: Sequence[str], wanted: str | None, known: str, default: int, role: str) -> int:
    """Return the number of a column: as asked, else by a usual name, else the default."""
    if wanted is None:
        pattern = re.compile(rf"({known})\b(?!\w)", re.IGNORECASE)
        usual = (re.sub(r"_(s|ms|us|g|mps2|m_s2|ms2)$", "", name.strip()) for name in names)
        found = [name for name, one in zip(names, usual, strict=True) if pattern.match(one)]
        if not found:
            return default
        wanted = found[0]
    elif wanted not in names:
        if wanted.isdigit() and 1 <= int(wanted) <= len(names):
            return int(wanted)
        raise ValueError(
            f"{role}: no column {wanted!r} among {', '.join(names)}{nearest(wanted, names)}"
        )
    places = [at for at, name in enumerate(names, start=1) if name == wanted]
    if len(places) > 1:
        raise ValueError(
            f"{role}: column {wanted!r} occurs {len(places)} times and must be taken by its "
            f"number, one of {', '.join(map(str, places))}"
        )
    return places[0]


def _said(
    table: PointTable, column: int, patterns: Mapping[str, str], supposed: str
) -> tuple[str, str]:
    """Return the unit that the header gives a column, and its words; else the one supposed."""
    count = len(table.rows[0][1])
    for row in table.header:
        # Of a header that blanks tear apart, all is looked at.
        text = (row[column - 1] if len(row) == count else " ".join(row)).strip()
        for unit, pattern in patterns.items():
            if re.search(pattern, text, re.IGNORECASE):
                return unit, f"the header says {text!r}"
    return supposed, SUPPOSED
