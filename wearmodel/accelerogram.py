"""Points of an accelerogram, out of a text or a file: times that increase, and a value at each.

A file has one row a point; columns are parted by semicolons, tabs, commas or blanks (the first of
these that the first row of numbers holds). Empty rows and rows that start with # are left out. At
the top there may be a row of names, and below it one of units. The decimal mark is the point, or
the comma where commas do not part the columns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

# What parts columns, by precedence; blanks come last and are None for `str.split`.
_DELIMITERS = (";", "\t", ",")
_HEADER_ROWS = 2


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
    """Points in a text file, the time in its first column; see the module for its form.

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
    table = read_point_table(path)
    return Accelerogram(table.column(1), table.column(value_column), table.source)


@dataclass(frozen=True)
class PointTable:
    """Rows of a text file, parted in cells but not yet read as numbers.

    Parameters
    ----------
    header : tuple of tuple of str
        Cells of the rows of names and units; empty without any.
    delimiter : str, optional
        What parts the columns; None for blanks.
    rows : tuple of (int, tuple of str)
        Line in the file and cells of each point.
    source : str
        What was read, for messages.
    """

    header: tuple[tuple[str, ...], ...]
    delimiter: str | None
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    source: str

    def column(self, number: int) -> tuple[float, ...]:
        """Return the numbers in a column, counted from 1.

        Raises
        ------
        ValueError
            A row lacks the column, or a cell is not a finite number.
        """
        numbers = []
        for line, cells in self.rows:
            place = f"{self.source}, line {line}"
            if len(cells) < number:
                raise ValueError(
                    f"{place}: has {len(cells)} column(s) and must have column {number}"
                )
            # Where commas part the columns there is none left in a cell.
            numbers.append(_number(cells[number - 1], place, decimal_mark=","))
        return tuple(numbers)


def read_point_table(path: str) -> PointTable:
    """Read a text file of columns; see the module for its form.

    Raises
    ------
    ValueError
        The file cannot be read.
    """
    if not path:
        raise ValueError("file='' must be the path of a file with a time and a value column")
    source = f"file={path!r}"
    try:
        with open(path, encoding="utf-8-sig") as stream:
            lines = stream.read().splitlines()
    except OSError as error:
        raise ValueError(f"{source} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{source} is not UTF-8 text: save it as such") from None
    texts = [
        (number, line.strip())
        for number, line in enumerate(lines, start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    header: list[tuple[str, ...]] = []
    while texts and len(header) < _HEADER_ROWS and _is_header(texts[0][1]):
        line = texts.pop(0)[1]
        header.append(_cells(line, _delimiter(line)))
    delimiter = _delimiter(texts[0][1]) if texts else None
    rows = tuple((number, _cells(line, delimiter)) for number, line in texts)
    return PointTable(tuple(header), delimiter, rows, source)


def _is_header(line: str) -> bool:
    """True where no cell is a number, so that a mistyped number is not taken for a name."""
    for cell in _cells(line, _delimiter(line)):
        try:
            float(cell.replace(",", "."))
        except ValueError:
            continue
        return False
    return True


def _delimiter(line: str) -> str | None:
    for mark in _DELIMITERS:
        if mark in line:
            return mark
    return None


def _cells(line: str, delimiter: str | None) -> tuple[str, ...]:
    return tuple(cell.strip().strip('"') for cell in line.split(delimiter))


def _number(text: str, place: str, *, decimal_mark: str = ".") -> float:
    try:
        number = float(text.replace(decimal_mark, "."))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{place}: {text.strip()!r} must be a finite number")
    return number


def _joined(points: list[list[float]], source: str) -> Accelerogram:
    return Accelerogram(
        tuple(time for time, _ in points), tuple(value for _, value in points), source
    )
