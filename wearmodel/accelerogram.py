"""Points of an accelerogram, out of a text or a file: times that increase, and a value at each.

A file has one row a point, the time first; columns are parted by semicolons, commas or blanks (the
first of these that the first row of numbers holds). Empty rows and rows that start with # are left
out, and so is one row of names at the top. The decimal mark is the point.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Accelerogram:
    """Points of a signal.

    Parameters
    ----------
    times : tuple of float
        Increasing [s], at least two.
    values : tuple of float
        As many, in the unit of the source.
    source : str
        What the points were read from, for messages.

    Raises
    ------
    ValueError
        There are fewer than two points, or their times do not increase.
    """

    times: tuple[float, ...]
    values: tuple[float, ...]
    source: str

    def __post_init__(self) -> None:
        if len(self.times) < 2:
            raise ValueError(f"{self.source} has {len(self.times)} point(s); it must have ≥ 2")
        for index in range(1, len(self.times)):
            earlier, later = self.times[index - 1], self.times[index]
            if later <= earlier:
                raise ValueError(
                    f"{self.source}: time {later!r} s must be > {earlier!r} s, the one before"
                )


def accelerogram_of_text(text: str) -> Accelerogram:
    """Points written as ``time value; time value; …``.

    Raises
    ------
    ValueError
        A point does not have two finite numbers; and as `Accelerogram`.
    """
    source = "table"
    points = []
    for count, point in enumerate(text.rstrip("; \n").split(";"), start=1):
        words = point.split()
        if len(words) != 2:
            raise ValueError(f"{source}, point {count}: {point!r} must be a time and a value")
        points.append([_number(word, f"{source}, point {count}") for word in words])
    return _joined(points, source)


def read_accelerogram(path: str, *, value_column: int = 2) -> Accelerogram:
    """Points in a text file; see the module for its form.

    Parameters
    ----------
    path
        Of the file; a relative one counts from the working folder of the process.
    value_column
        Column of the values, from 2; the time is column 1.

    Raises
    ------
    ValueError
        The file cannot be read, a row lacks the column, or a cell is not a finite number; and as
        `Accelerogram`.
    """
    if not path:
        raise ValueError("file='' must be the path of a file with a time and a value column")
    source = f"file={path!r}"
    try:
        with open(path, encoding="utf-8-sig") as stream:
            lines = stream.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{source} cannot be read: {error}") from None
    rows = [
        (number, line.strip())
        for number, line in enumerate(lines, start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if rows and _is_header(rows[0][1]):
        del rows[0]
    delimiter = _delimiter(rows[0][1]) if rows else None
    points = []
    for number, line in rows:
        cells = line.split(delimiter)
        place = f"{source}, line {number}"
        if len(cells) < value_column:
            raise ValueError(
                f"{place}: has {len(cells)} column(s) and must have value_column={value_column}"
            )
        points.append([_number(cells[0], place), _number(cells[value_column - 1], place)])
    return _joined(points, source)


def _is_header(line: str) -> bool:
    """True where no cell is a number, so that a mistyped number is not taken for a name."""
    for cell in line.split(_delimiter(line)):
        try:
            float(cell)
        except ValueError:
            continue
        return False
    return True


def _delimiter(line: str) -> str | None:
    for mark in (";", ","):
        if mark in line:
            return mark
    return None


def _number(text: str, place: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{place}: {text.strip()!r} must be a finite number")
    return number


def _joined(points: list[list[float]], source: str) -> Accelerogram:
    return Accelerogram(
        tuple(time for time, _ in points), tuple(value for _, value in points), source
    )
