"""The one reader of tables: columns of numbers in a text file, whoever wrote it.

`harness.records.table_head` reads the lines above the numbers and finds the separator. Names and
units are found by the rules of `harness.records.table_header`. Text is UTF-8,
UTF-16 or Windows-1252. PEER's .AT2 files are read, and files of one column of values whose
sampling interval is given. Numbers are read in chunks, so that a long file needs little memory.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from harness.records.at2 import AT2_COLUMNS, At2Header, at2_header
from harness.records.encoding import MOST_TABLE_BYTES, UTF8, not_utf8, text_encoding
from harness.records.last_line import left_out_line
from harness.records.table_head import (
    MOST_HEAD_LINES,
    MOST_SHOWN,
    number_of,
    rows_of_numbers,
    table_head,
)
from harness.records.table_header import TableHeader, cells_of, torn_row
from wearmodel.read_files import open_regular

RECORD_SUFFIXES = (".csv", ".txt", ".dat", ".at2")
"""Of files that are taken for records by their names."""
CHUNK_SAMPLES = 65536
# Of a line; a file without lines must not be taken for one.
_MOST_CHARACTERS = 2**20
_SEPARATOR_NAMES = {";": "semicolon", ",": "comma", "\t": "tab", None: "blank"}


@dataclass(frozen=True)
class Block:
    """Successive rows of a table.

    Parameters
    ----------
    columns : ndarray, shape (number of columns asked for, n)
        The numbers.
    first_row : int
        Number of the first row, from 0.
    """

    columns: NDArray[np.float64]
    first_row: int


@dataclass(frozen=True)
class Table:
    """A file whose head has been understood, and whose numbers have not yet been read.

    Parameters
    ----------
    path : Path
        The file.
    encoding : str
        Of the text, as `open` takes it.
    separator : str, optional
        Mark between columns; None for blanks.
    header : TableHeader
        Names and units of the columns.
    line_count : int
        Lines above the numbers.
    skipped : tuple of str
        Lines of text above the numbers that are neither names nor units.
    interval : float, optional
        Sampling interval, s, of a file of values alone; its column 1 is then the time, from 0.
    at2 : At2Header, optional
        Head of an AT2 file, which has several values a line.
    left_out : str
        The last line, where it may be cut and is not read.
    """

    path: Path
    encoding: str
    separator: str | None
    header: TableHeader
    line_count: int
    skipped: tuple[str, ...] = ()
    interval: float | None = None
    at2: At2Header | None = None
    left_out: str = ""

    @property
    def form(self) -> str:
        """How the file is read, in words."""
        if self.at2 is not None:
            return f"PEER AT2, {self.at2.value_count} values every {self.interval:g} s"
        if self.interval is not None:
            form = f"one column of values every {self.interval:g} s"
        else:
            mark = _SEPARATOR_NAMES.get(self.separator, repr(self.separator))
            form = f"{mark}-separated"
        if self.encoding != UTF8:
            form += f", text is {self.encoding}"
        return form

    @property
    def notes(self) -> tuple[str, ...]:
        """What was passed over, a line each."""
        notes = []
        if self.skipped:
            count = len(self.skipped)
            lines = "1 line" if count == 1 else f"{count} lines"
            shown = f"{self.skipped[0][:MOST_SHOWN]!r}{' …' if count > 1 else ''}"
            notes.append(f"{lines} of text above the numbers skipped: {shown}")
        if self.left_out:
            notes.append(
                f"last line left out: {self.left_out!r} does not end as a line does and may be "
                "cut; if it is whole, end it with a line break"
            )
        return tuple(notes)

    def names(self) -> list[str]:
        """Return a name for each column: the header's, else `column N`."""
        names = self.header.names() or [""] * self.header.column_count
        return [name or f"column {number}" for number, name in enumerate(names, start=1)]

    def blocks(
        self, numbers: Sequence[int], *, progress: Callable[[float], None] | None = None
    ) -> Iterator[Block]:
        """Read columns in successive parts.

        Parameters
        ----------
        numbers : sequence of int
            Of the columns, from 1.
        progress : callable, optional
            Called with the fraction of the file read, up to 1.

        Raises
        ------
        ValueError
            For a row that has not one cell for each column, or text that is no number; the message
            names the line.
        """
        size = self.path.stat().st_size
        row = 0
        line_number = self.line_count + 1
        try:
            with _opened(self.path, self.encoding) as stream:
                file_lines = _lines(self.path, stream)
                read = sum(map(len, islice(file_lines, self.line_count)))
                while lines := list(islice(file_lines, CHUNK_SAMPLES)):
                    if self.left_out and not lines[-1].endswith("\n"):
                        read += len(lines.pop())
                    if rows := rows_of_numbers(lines):
                        try:
                            columns = self._numbers(rows, numbers, row)
                        except ValueError:
                            self._refuse(lines, line_number, numbers)
                            raise
                        yield Block(columns, row)
                        row += columns.shape[1]
                    line_number += len(lines)
                    read += sum(map(len, lines))
                    if progress is not None:
                        # Characters for bytes: numbers and separators take one each.
                        progress(min(read / size, 1.0))
        except UnicodeDecodeError:
            raise ValueError(not_utf8(self.path)) from None
        if self.at2 is not None:
            self.at2.require_count(row, str(self.path))

    def points(
        self, time_number: int, value_numbers: Sequence[int]
    ) -> tuple[NDArray[np.float64], list[NDArray[np.float64]]]:
        """Return the times, which increase, and the values in columns, counted from 1.

        Raises
        ------
        ValueError
            As `blocks`; if a number is not finite, there are fewer than two rows, or the times do
            not increase.
        """
        numbers = (time_number, *value_numbers)
        blocks = [block.columns for block in self.blocks(numbers)]
        columns = np.concatenate(blocks, axis=1) if blocks else np.empty((len(numbers), 0))
        finite = np.isfinite(columns).all(axis=0)
        if not finite.all():
            row = int(np.argmin(finite))
            value = next(value for value in columns[:, row].tolist() if not math.isfinite(value))
            raise ValueError(
                f"{self.path}, line {self.line_of(row)}: '{value}' must be a finite number"
            )
        times, *values = columns
        if len(times) < 2:
            notes = "".join(f"; {note}" for note in self.notes)
            raise ValueError(f"{self.path} has {len(times)} point(s); it must have ≥ 2{notes}")
        later = np.diff(times) > 0.0
        if not later.all():
            row = int(np.argmin(later)) + 1
            name = self.names()[time_number - 1]
            raise ValueError(
                f"{self.path}, line {self.line_of(row)}: time {times[row].item()!r} s must be > "
                f"{times[row - 1].item()!r} s, the one before; the time was read from {name!r}"
            )
        return times, values

    def line_of(self, row: int) -> int:
        """Return the line in the file of a row of numbers, counted from 0."""
        with _opened(self.path, self.encoding) as stream:
            numbered = enumerate(islice(stream, self.line_count, None), self.line_count + 1)
            for number, line in numbered:
                values = len(line.split()) if self.at2 is not None else 1
                row -= values * len(rows_of_numbers([line]))
                if row < 0:
                    return number
        raise IndexError(row)

    def _numbers(
        self, rows: list[str], numbers: Sequence[int], first_row: int
    ) -> NDArray[np.float64]:
        """Return columns of rows of text."""
        if self.interval is None and not self._are_whole(rows):
            raise ValueError("a row has not one cell for each column")
        if self.separator != ",":
            rows = [row.replace(",", ".") for row in rows]
        if self.interval is not None:
            values = np.array(" ".join(rows).split(), dtype=np.float64)
            if self.at2 is None and len(values) != len(rows):
                raise ValueError("several values in a line")
            times = np.arange(first_row, first_row + len(values)) * self.interval
            return np.stack([times if number == 1 else values for number in numbers])
        read = tuple(dict.fromkeys(numbers))
        try:
            values = self._loaded(rows, read)
        except ValueError:
            # FMPy writes Booleans as True and False.
            values = self._loaded(rows, read, converters=number_of)
        return values.T[[read.index(number) for number in numbers]]

    def _are_whole(self, rows: list[str]) -> bool:
        """Whether each row has one cell for each column."""
        count, mark = self.header.column_count, self.separator
        # Nearly all rows are whole, which shows without looking at their cells.
        if mark is None:
            rows = [row for row in rows if len(row.split()) != count]
        else:
            rows = [row for row in rows if row.count(mark) != count - 1 or '"' in row]
        cells = (cells_of(row.strip("\r\n"), mark) for row in rows)
        return all(torn_row(row, count) is None for row in cells)

    def _loaded(
        self,
        rows: list[str],
        read: Sequence[int],
        converters: Callable[[str], float] | None = None,
    ) -> NDArray[np.float64]:
        loaded: NDArray[np.float64] = np.loadtxt(
            rows,
            delimiter=self.separator,
            usecols=[number - 1 for number in read],
            converters=converters,
            quotechar='"',
            comments=None,
            ndmin=2,
        )
        return loaded

    def _refuse(self, lines: list[str], first: int, numbers: Sequence[int]) -> None:
        """Raise ValueError for the first line that has not the numbers asked for."""
        for number, line in enumerate(lines, start=first):
            if not rows_of_numbers([line]):
                continue
            place = f"{self.path}, line {number}"
            if self.interval is not None:
                cells: tuple[str, ...] = tuple(line.split())
                if self.at2 is None and len(cells) != 1:
                    raise ValueError(f"{place}: {line.strip()!r} must be one number")
                asked = cells
            else:
                cells = cells_of(line.strip("\r\n"), self.separator)
                if (problem := torn_row(cells, self.header.column_count)) is not None:
                    raise ValueError(f"{place}: {problem}")
                asked = tuple(cells[number - 1] for number in numbers)
            for cell in asked:
                text = cell if self.separator == "," else cell.replace(",", ".")
                try:
                    number_of(text)
                except ValueError:
                    gap = "" if cell else "; fill the empty cell or leave out the row"
                    raise ValueError(f"{place}: {cell!r} must be a finite number{gap}") from None


def open_table(path: Path, *, interval: float | None = None) -> Table:
    """Read the head of a file.

    Parameters
    ----------
    path : Path
        The file.
    interval : float, optional
        Sampling interval, s, of a file with one column of values and no times.

    Raises
    ------
    ValueError
        If the file cannot be read, has no row of numbers, or is in no known form; the message says
        what is expected.
    """
    try:
        encoding = text_encoding(path)
        with _opened(path, encoding) as stream:
            head_lines = islice(_lines(path, stream), MOST_HEAD_LINES)
            lines = [line.strip("\r\n") for line in head_lines]
    except UnicodeDecodeError:
        raise ValueError(not_utf8(path)) from None
    except OSError as problem:
        raise ValueError(f"{path}: {problem.strerror}") from None
    source = str(path)
    if (at2 := at2_header(lines, source)) is not None:
        if interval is not None:
            raise ValueError(f"{path} says its interval itself, {at2.interval:g} s: leave out --dt")
        # The line of event and station, above those of the quantity and of the points.
        station = lines[max(0, at2.line_count - 3)]
        header = TableHeader(AT2_COLUMNS, 2, source, station)
        left_out_line(path, encoding, at2.line_count, None, is_row=False)
        return Table(path, encoding, None, header, at2.line_count, interval=at2.interval, at2=at2)
    head = table_head(lines, source, interval=interval)
    first = head.line_count
    # With an interval a comma might separate as well as mark decimals: a separator is refused.
    separator = head.separator if interval is None else ","
    left_out = left_out_line(path, encoding, first, separator, is_row=True)
    return Table(
        path, encoding, separator, head.header, first, head.skipped, interval, left_out=left_out
    )


def _opened(path: Path, encoding: str) -> TextIO:
    return io.TextIOWrapper(open_regular(path, MOST_TABLE_BYTES), encoding=encoding)


def _lines(path: Path, stream: TextIO) -> Iterator[str]:
    """Yield the lines of a text; raise ValueError for one that is longer than any row."""
    for line in iter(partial(stream.readline, _MOST_CHARACTERS), ""):
        if len(line) == _MOST_CHARACTERS:
            raise ValueError(
                f"{path} is not a table: a line has {_MOST_CHARACTERS} characters or more"
            )
        yield line
