"""The lines above the values of a PEER .AT2 file.

An AT2 file of the Pacific Earthquake Engineering Research Center's strong motion database has four
lines of words: database, event and station, quantity and unit, number of points NPTS and their
interval DT. Below them are the values alone, several a line, in g. The first is that of t = 0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# "NPTS=  4000, DT=   .0050 SEC", and in older files "4000    .0050    NPTS, DT".
_AT2_HEADER_LINES = 4
_AT2_POINTS = (
    re.compile(r"NPTS\s*=\s*(?P<count>\d+)\s*,?\s*DT\s*=\s*(?P<step>[\d.]+(E[+-]?\d+)?)", re.I),
    re.compile(r"^\s*(?P<count>\d+)\s+(?P<step>[\d.]+(E[+-]?\d+)?)\s+NPTS\s*,\s*DT", re.I),
)
_AT2_QUANTITY = "ACCELERATION TIME"
_AT2_UNIT = re.compile(r"UNITS\s+OF\s+G\b", re.I)
AT2_COLUMNS = (("time", "acceleration"), ("s", "g"))
"""Names and units of the columns of an AT2 file, which it does not write."""


@dataclass(frozen=True)
class At2Header:
    """What the words above the values of an AT2 file say.

    Parameters
    ----------
    line_count : int
        Lines of words.
    value_count : int
        Values that must follow, NPTS.
    interval : float
        Between two values, DT [s].
    """

    line_count: int
    value_count: int
    interval: float

    def require_count(self, count: int, source: str) -> None:
        """Raise ValueError unless there are as many values as NPTS says."""
        if count != self.value_count:
            raise ValueError(f"{source}: has {count} values and must have NPTS={self.value_count}")


def at2_header(lines: list[str], source: str) -> At2Header | None:
    """Return what the first lines of a file say, None where they are not those of an AT2 file.

    Raises
    ------
    ValueError
        It is an AT2 file, but not of accelerations in g, or without its time step.
    """
    for number, line in enumerate(lines[:_AT2_HEADER_LINES], start=1):
        words = " ".join(lines[:number]).upper()
        for pattern in _AT2_POINTS:
            match = pattern.search(line)
            if not match:
                continue
            if _AT2_QUANTITY not in words or not _AT2_UNIT.search(words):
                at = max(1, number - 1)
                raise ValueError(
                    f"{source}, line {at}: {lines[at - 1].strip()!r} must say 'ACCELERATION TIME "
                    "SERIES IN UNITS OF G', as a PEER .AT2 file does"
                )
            return At2Header(number, int(match["count"]), float(match["step"]))
        if "NPTS" in line.upper() and _AT2_QUANTITY in words:
            raise ValueError(
                f"{source}, line {number}: {line.strip(' ,')!r} must also give the time step DT, "
                "such as 'NPTS= 4000, DT= .0050 SEC'"
            )
    return None
