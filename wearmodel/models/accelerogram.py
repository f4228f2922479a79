"""Points of an accelerogram, out of a text or a file: times that increase, and a value at each.

A file is a table of numbers by the rules of `table_head`, which are those of the commands; each row
of it is a point. A last row that is cut is refused, as far as its form shows it; see
`table_header.ending`.

An AT2 file of the Pacific Earthquake Engineering Research Center's strong motion database has four
lines of words – database, event and station, what and in which unit, number of points NPTS and
their interval DT – and below them the values alone, several a line, in g. The first is that of
t = 0.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace

from ..read_files import read_text
from ..units import ACCELERATION, TIME
from .table_head import number_of, rows_of_numbers, table_head
from .table_header import CUT, TableHeader, cells_of, ending, torn_row

MOTION_HEADER = "time [s],acceleration [m/s2]"
"""First line of the strict table of two columns, the one form of file that a native FMU reads."""
OWN_MOTION = "resources/motion.csv"
"""What `file` says where the table lies in the FMU itself."""
# As the native FMU reads: ten million points have a third of them.
_MOST_BYTES = 2**30
# Rows in whose form the last one is expected.
_SEEN_ROWS = 1000
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


def read_accelerogram(
    path: str, *, value_column: int = 2, own_motion: str | None = None
) -> Accelerogram:
    """Points of acceleration in a text file, the time in its first column, in s and m/s2.

    See the module for the form of the file. Units that stand above its columns are converted; where
    there are none, the numbers are taken as s and m/s2.

    Parameters
    ----------
    path
        Of the file; a relative one counts from the working folder of the process.
    value_column
        Column of the values, from 2; the time is column 1.
    own_motion
        Text of the file that the path OWN_MOTION names.

    Raises
    ------
    ValueError
        The file cannot be read, a row has not one cell for each column or lacks the one wanted,
        the last row is cut, a cell is not a finite number, or a unit is not known; and as
        `Accelerogram`.
    """
    if path == OWN_MOTION and own_motion is not None:
        table = point_table_of_text(own_motion, f"file={path!r}")
    else:
        table = read_point_table(path)
    points = table.accelerogram(1, value_column)
    time_unit = table.header.unit(1, TIME)
    value_unit = table.header.unit(value_column, ACCELERATION)
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
    header : TableHeader
        Rows of names and units.
    delimiter : str, optional
        What parts the columns; None for blanks.
    rows : tuple of (int, tuple of str)
        Line in the file and cells of each point.
    source : str
        What was read, for messages.
    """

    header: TableHeader
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
            mark = "." if self.delimiter == "," else ","
            numbers.append(_number(cells[number - 1], place, decimal_mark=mark))
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
        The file cannot be read, or its last row is cut.
    """
    if not path:
        raise ValueError("file='' must be the path of a file with a time and a value column")
    source = f"file={path!r}"
    try:
        text = read_text(path, _MOST_BYTES).replace("\r\n", "\n").replace("\r", "\n")
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
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    at2 = at2_header(lines, source)
    if at2 is not None:
        return _at2_table(text, lines, at2, source)
    head = table_head(lines, source)
    numbered = enumerate(lines[head.line_count :], start=head.line_count + 1)
    kept = [(number, line) for number, line in numbered if rows_of_numbers([line])]
    if kept[-1][0] == len(lines) and not text.endswith("\n"):
        before = [line for _, line in kept[-_SEEN_ROWS:-1]]
        _require_whole(lines[-1], before, head.separator, source)
    rows = tuple((number, cells_of(line.strip(), head.separator)) for number, line in kept)
    for number, cells in rows:
        if (problem := torn_row(cells, head.header.column_count)) is not None:
            raise ValueError(f"{source}, line {number}: {problem}")
    return PointTable(head.header, head.separator, rows, source)


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
        It is an AT2 file, but not of accelerations in g.
    """
    for number, line in enumerate(lines[:_AT2_HEADER_LINES], start=1):
        for pattern in _AT2_POINTS:
            match = pattern.search(line)
            if not match:
                continue
            said = " ".join(lines[:number]).upper()
            if _AT2_QUANTITY not in said or not _AT2_UNIT.search(said):
                at = max(1, number - 1)
                raise ValueError(
                    f"{source}, line {at}: {lines[at - 1].strip()!r} must say 'ACCELERATION TIME "
                    "SERIES IN UNITS OF G', as a PEER .AT2 file does"
                )
            return At2Header(number, int(match["count"]), float(match["step"]))
    return None


def _require_whole(last: str, before: list[str], delimiter: str | None, source: str) -> None:
    """Raise ValueError where the last row is cut; see `table_header.ending`."""
    if ending(last, before, delimiter) == CUT:
        raise ValueError(f"{source} ends in the middle of its last line, {last[-40:]!r}: it is cut")


def _at2_table(text: str, lines: list[str], header: At2Header, source: str) -> PointTable:
    """Return the rows of an AT2 file, with the times that its interval makes."""
    rows: list[tuple[int, tuple[str, ...]]] = []
    for number, line in enumerate(lines[header.line_count :], start=header.line_count + 1):
        for value in line.split():
            rows.append((number, (repr(len(rows) * header.interval), value)))
    header.require_count(len(rows), source)
    values = [value for _, (_, value) in rows[-_SEEN_ROWS:-1]]
    if rows and rows[-1][0] == len(lines) and not text[-1].isspace():
        _require_whole(lines[-1].split()[-1], values, None, source)
    return PointTable(TableHeader(AT2_COLUMNS, 2, source), None, tuple(rows), source)


def _number(text: str, place: str, *, decimal_mark: str = ".") -> float:
    try:
        number = number_of(text.replace(decimal_mark, "."))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{place}: {text.strip()!r} must be a finite number")
    return number


def _joined(points: list[list[float]], source: str) -> Accelerogram:
    return Accelerogram(
        tuple(time for time, _ in points), tuple(value for _, value in points), source
    )
