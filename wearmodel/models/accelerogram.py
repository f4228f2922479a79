"""Points of an accelerogram, out of a text or a file: times that increase, and a value at each.

A file has one row a point; columns are parted by semicolons, tabs, commas or blanks (the first of
these that the first row of numbers holds, or X where the first line is Excel's ``sep=X``). Empty
rows and rows that start with # are left out. At the top there may be a row of names, and below it
one of units; where there is neither, the last row that starts with # holds the names, if it has as
many cells as the rows of numbers. Names may carry units, as `wearmodel.units` says. The decimal
mark is the point, or the comma where commas do not part the columns.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace

from ..units import (
    ACCELERATION,
    TIME,
    Dimension,
    Unit,
    bracketed_texts,
    require_unit,
    unit_in_name,
    unit_in_words,
    unit_of_text,
)

# What parts columns, by precedence; blanks come last and are None for `str.split`.
_DELIMITERS = (";", "\t", ",")
_HEADER_ROWS = 2
_DECLARATION = "sep="
_BLANKS_OUTSIDE_BRACKETS = re.compile(r"(?:\[[^\]]*\]|\([^)]*\)|[^\s\[(]|[\[(])+")


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
    unit : str
        Unit of the values that the source names; empty where it names none.

    Raises
    ------
    ValueError
        There are fewer than two points, or their times do not increase.
    """

    times: tuple[float, ...]
    values: tuple[float, ...]
    source: str
    lines: tuple[int, ...] = ()
    unit: str = ""

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
    """Points of acceleration in a text file, the time in its first column, in s and m/s2.

    See the module for the form of the file. Units that stand above its columns are converted; where
    there are none, the numbers are taken as s and m/s2.

    Parameters
    ----------
    path
        Of the file; a relative one counts from the working folder of the process.
    value_column
        Column of the values, from 2; the time is column 1.

    Raises
    ------
    ValueError
        The file cannot be read, a row lacks the column, a cell is not a finite number, or a unit
        is not known; and as `Accelerogram`.
    """
    table = read_point_table(path)
    points = table.accelerogram(1, value_column)
    time_unit = table.unit(1, TIME)
    value_unit = table.unit(value_column, ACCELERATION)
    time_factor = time_unit[0].factor if time_unit else 1.0
    value_factor = value_unit[0].factor if value_unit else 1.0
    return replace(
        points,
        times=tuple(time_factor * time for time in points.times),
        values=tuple(value_factor * value for value in points.values),
        unit=value_unit[0].name if value_unit else "",
    )


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
    remark : str
        The last line that starts with #, above the rows, where it is no row of names.
    """

    header: tuple[tuple[str, ...], ...]
    delimiter: str | None
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    source: str
    remark: str = ""

    def names(self) -> tuple[str, ...]:
        """Return the names of the columns, empty where no row above has one for each."""
        rows = self._whole_header()
        return rows[0] if rows else ()

    def unit(self, number: int, dimension: Dimension) -> tuple[Unit, str] | None:
        """Return the unit that stands above a column, counted from 1, and the words that say so.

        None where nothing does. What is there and cannot be understood is never passed over.

        Raises
        ------
        ValueError
            There is a unit, and it is not known, or that of another quantity; or there are two.
        """
        found = []
        for place, row in enumerate(self._whole_header()):
            text = row[number - 1]
            bare = "".join(bracketed_texts(text)) or text
            try:
                if place == 0:
                    unit = unit_in_name(text, dimension)
                else:
                    unit = require_unit(bare, dimension) if bare else None
            except ValueError as problem:
                raise ValueError(f"{self.source}, column {number} {text!r}: {problem}") from None
            if unit is not None:
                found.append((unit, text))
        if len({unit for unit, _ in found}) > 1:
            texts = " and ".join(repr(text) for _, text in found)
            raise ValueError(f"{self.source}, column {number}: {texts} name two units")
        if found:
            return found[0]
        count = len(self.rows[0][1])
        torn = [" ".join(row) for row in self.header if len(row) != count]
        for text in (*torn, self.remark):
            unit = unit_in_words(text, dimension)
            if unit is not None:
                return unit, text
        return None

    def _whole_header(self) -> list[tuple[str, ...]]:
        """Return the rows above that have a cell for each column."""
        count = len(self.rows[0][1]) if self.rows else 0
        return [row for row in self.header if len(row) == count]

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
    texts = [(number, line.strip()) for number, line in enumerate(lines, start=1) if line.strip()]
    if declared is not None:
        texts.pop(0)
    names: list[str] = []
    remark = ""
    while texts:
        line = texts[0][1]
        if line.startswith("#"):
            remark = line.strip("# \t")
        elif len(names) < _HEADER_ROWS and _is_header(_cells(line, _delimiter(line, marks))):
            names.append(line)
            remark = ""
        else:
            break
        texts.pop(0)
    delimiter = _delimiter(texts[0][1], marks) if texts else None
    rows = tuple(
        (number, _cells(line, delimiter)) for number, line in texts if not line.startswith("#")
    )
    count = len(rows[0][1]) if rows else 0
    header = [_header_cells(line, _delimiter(line, marks), count) for line in names]
    # numpy.savetxt writes its header as a comment; below names it must be seen to hold units.
    remarked = _header_cells(remark, _delimiter(remark, marks), count)
    is_header = bool(rows and remark) and len(remarked) == count and _is_header(remarked)
    if is_header and (not header or any(unit_of_text(cell) for cell in remarked)):
        header.append(remarked)
        remark = ""
    return PointTable(tuple(header), delimiter, rows, source, remark)


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


def _header_cells(line: str, delimiter: str | None, count: int) -> tuple[str, ...]:
    """Return the cells of a row of names; blanks within a name are told by brackets and units."""
    cells = _cells(line, delimiter)
    if delimiter is not None or len(cells) == count:
        return cells
    joined: list[str] = []
    for cell in _BLANKS_OUTSIDE_BRACKETS.findall(line):
        is_unit = cell[0] in "[({" or unit_of_text(cell) is not None
        if joined and is_unit:
            joined[-1] += f" {cell}"
        else:
            joined.append(cell)
    bracketed = [cell.strip() for cell in re.findall(r".*?[\])}]+(?=\s|$)", line)]
    for whole in (joined, bracketed):
        if len(whole) == count and " ".join(" ".join(whole).split()) == " ".join(line.split()):
            return tuple(whole)
    return cells


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
