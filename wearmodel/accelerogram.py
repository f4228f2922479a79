"""Points of an accelerogram, out of a text or a file: times that increase, and a value at each.

A file has one row a point; columns are parted by semicolons, tabs, commas or blanks (the first of
these that the first row of numbers holds, or X where the first line is Excel's ``sep=X``). Empty
rows and rows that start with # are left out. At the top there may be a row of names, and below it
one of units. The decimal mark is the point, or the comma where commas do not part the columns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

# What parts columns, by precedence; blanks come last and are None for `str.split`.
_DELIMITERS = (";", "\t", ",")
_HEADER_ROWS = 2
_DECLARATION = "sep="


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
    lines : tuple of int, optional
        Line of each point in the source, for messages; empty where it has no lines.

    Raises
    ------
    ValueError
        There are fewer than two points, or their times do not increase.
    """

    times: tuple[float, ...]
    values: tuple[float, ...]
    source: str
    lines: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(self.times) < 2:
            raise ValueError(f"{self.source} has {len(self.times)} point(s); it must have ≥ 2")
        for index in range(1, len(self.times)):
            earlier, later = self.times[index - 1], self.times[index]
            if later <= earlier:
                place = f"line {self.lines[index]}" if self.lines else f"point {index + 1}"
                raise ValueError(
                    f"{self.source}, {place}: time {later!r} s must be > {earlier!r} s, the one "
                    "before"
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
    return read_point_table(path).accelerogram(1, value_column)


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

    def accelerogram(self, time_column: int, value_column: int) -> Accelerogram:
        """Return the points in two columns, counted from 1.

        Raises
        ------
        ValueError
            As `column` and `Accelerogram`.
        """
        lines = tuple(line for line, _ in self.rows)
        return Accelerogram(self.column(time_column), self.column(value_column), self.source, lines)


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
            text = stream.read()
    except OSError as error:
        raise ValueError(f"{source} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{source} is not UTF-8 text: save it as such") from None
    return point_table_of_text(text, source)


def point_table_of_text(text: str, source: str) -> PointTable:
    """Part the text of a file in rows and cells; see the module for its form.

    Parameters
    ----------
    text
        All of the file.
    source
        What it is, for messages.
    """
    lines = text.splitlines()
    declared = declared_delimiter(lines[0]) if lines else None
    marks = _DELIMITERS if declared is None else (declared,)
    texts = [
        (number, line.strip())
        for number, line in enumerate(lines, start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if declared is not None:
        texts.pop(0)
    header: list[tuple[str, ...]] = []
    while texts and len(header) < _HEADER_ROWS:
        cells = _cells(texts[0][1], _delimiter(texts[0][1], marks))
        if not _is_header(cells):
            break
        header.append(cells)
        texts.pop(0)
    delimiter = _delimiter(texts[0][1], marks) if texts else None
    rows = tuple((number, _cells(line, delimiter)) for number, line in texts)
    return PointTable(tuple(header), delimiter, rows, source)


def declared_delimiter(line: str) -> str | None:
    """Return the X of Excel's first line ``sep=X``, None for any other line."""
    text = line.strip('\r\n"')
    mark = text[len(_DECLARATION) :]
    is_declaration = text.lower().startswith(_DECLARATION) and len(mark) == 1 and mark != " "
    return mark if is_declaration else None


def _is_header(cells: tuple[str, ...]) -> bool:
    """True where no cell is a number, so that a mistyped number is not taken for a name."""
    for cell in cells:
        try:
            float(cell.replace(",", "."))
        except ValueError:
            continue
        return False
    return True


def _delimiter(line: str, marks: tuple[str, ...]) -> str | None:
    for mark in marks:
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
