"""Reads tables: columns of numbers in a text file.

The formats of `harness.records.formats` read the lines above the numbers. Names and units are found
by the rules of `harness.records.table_header`. Text is UTF-8, UTF-16 or Windows-1252. Numbers are
read in chunks, so that a long file needs little memory. A last line that is incomplete, because a
copy or a program ended early, is not read.
"""

from __future__ import annotations

import codecs
import io
import math
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple, TextIO

import numpy as np

from harness.records.encoding import MOST_TABLE_BYTES, UTF8, not_utf8, require_table, text_encoding
from harness.records.formats import FORMATS
from harness.records.head import Head
from harness.records.refusals import FEW_POINTS, NOT_FINITE, NOT_LATER, OTHER_COUNT
from harness.records.table_header import (
    MOST_SHOWN,
    TableHeader,
    cells_of,
    number_of,
    rows_of_numbers,
    torn_row,
)
from wearmodel.arrays import Floats
from wearmodel.read_files import open_regular

CHUNK_SAMPLES = 65536
# Maximum length of a line. A longer line is not a row of a table.
_MOST_CHARACTERS = 2**20
# A file whose numbers begin later is not a table.
_MOST_HEAD_LINES = 10_000


class Block(NamedTuple):
    """Successive rows: an array with a row for each column, and the number of the first row."""

    columns: Floats
    first_row: int


@dataclass(frozen=True)
class Table:
    """A file whose head has been read, and whose numbers have not yet been read.

    `left_out` is the last line if it may be incomplete and is not read.
    """

    path: Path
    encoding: str
    head: Head
    left_out: str = ""

    @property
    def header(self) -> TableHeader:
        """Names and units of the columns."""
        return self.head.header

    @property
    def form(self) -> str:
        """The format of the file, in words."""
        text = "" if self.encoding == UTF8 else f", text is {self.encoding}"
        return self.head.form + text

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on skipped lines."""
        notes = []
        if skipped := self.head.skipped:
            count = len(skipped)
            lines = "1 line" if count == 1 else f"{count} lines"
            shown = f"{skipped[0][:MOST_SHOWN]!r}{' …' if count > 1 else ''}"
            notes.append(f"{lines} of text above the numbers skipped: {shown}")
        return tuple(filter(None, (*notes, self.left_out_note)))

    @property
    def left_out_note(self) -> str:
        """Note on the last line if it is not read, otherwise ""."""
        if not self.left_out:
            return ""
        return (
            f"last line skipped: {self.left_out!r} has no line break and may be incomplete. "
            "If it is complete, add a line break"
        )

    def names(self) -> list[str]:
        """Return the name of each column from the header, or `column N`."""
        names = self.header.names() or [""] * self.header.column_count
        unnamed = [f"column {number}" for number in range(1, len(names) + 1)]
        if self.head.interval is not None:  # the file contains only the values
            unnamed = ["time", "column 1"]
        return [name or other for name, other in zip(names, unnamed, strict=True)]

    def blocks(
        self, numbers: Sequence[int], *, progress: Callable[[float], None] | None = None
    ) -> Iterator[Block]:
        """Read the columns with these numbers, from 1, in successive parts.

        Raises ValueError with the line if a cell is missing or is not a number.
        """
        size = self.path.stat().st_size
        row = 0
        line_number = self.head.line_count + 1
        try:
            with _opened(self.path, self.encoding) as stream:
                file_lines = _lines(self.path, stream)
                read = sum(map(len, islice(file_lines, self.head.line_count)))
                while lines := list(islice(file_lines, CHUNK_SAMPLES)):
                    if self.left_out and not lines[-1].endswith("\n"):
                        read += len(lines.pop())
                    columns = self._numbers(lines, line_number, numbers, row)
                    if columns.size:
                        yield Block(columns, row)
                        row += columns.shape[1]
                    line_number += len(lines)
                    read += sum(map(len, lines))
                    if progress is not None:
                        # Characters instead of bytes, which agree for numbers and separators.
                        progress(min(read / size, 1.0))
        except UnicodeDecodeError:
            raise ValueError(not_utf8(self.path)) from None
        count = self.head.value_count
        if count is not None and row != count:
            raise ValueError(f"{self.path} {OTHER_COUNT.format(values=row, count=count)}")

    def points(self, time_number: int, value_numbers: Sequence[int]) -> tuple[Floats, list[Floats]]:
        """Return increasing times and the values of columns with these numbers, from 1.

        Raises ValueError if times do not increase. See `columns` for further errors.
        """
        times, *values = self.columns((time_number, *value_numbers))
        later = np.diff(times) > 0.0
        if not later.all():
            row = int(np.argmin(later)) + 1
            name = self.names()[time_number - 1]
            problem = NOT_LATER.format(time=times[row].item(), before=times[row - 1].item())
            raise ValueError(
                f"{self.path}, line {self.line_of(row)}: {problem}, in column {name!r}"
            )
        return times, values

    def columns(self, numbers: Sequence[int]) -> list[Floats]:
        """Return the values of columns with these numbers, from 1.

        Raises ValueError for invalid rows, numbers that are not finite or fewer than two rows.
        """
        blocks = [block.columns for block in self.blocks(numbers)]
        columns = np.concatenate(blocks, axis=1) if blocks else np.empty((len(numbers), 0))
        finite = np.isfinite(columns).all(axis=0)
        if not finite.all():
            row = int(np.argmin(finite))
            value = next(value for value in columns[:, row].tolist() if not math.isfinite(value))
            problem = NOT_FINITE.format(text=f"'{value}'")
            raise ValueError(f"{self.path}, line {self.line_of(row)}: {problem}")
        if (count := columns.shape[1]) < 2:
            notes = "".join(f"; {note}" for note in self.notes)
            raise ValueError(f"{self.path} {FEW_POINTS.format(points=count)}{notes}")
        return list(columns)

    def line_of(self, row: int) -> int:
        """Return the line in the file of a row of numbers, counted from 0."""
        number = self.head.number
        with _opened(self.path, self.encoding) as stream:
            above = self.head.line_count
            for line_number, line in enumerate(islice(stream, above, None), above + 1):
                values = len(re.findall(number, line)) if number else 1
                row -= values * len(rows_of_numbers([line]))
                if row < 0:
                    return line_number
        raise IndexError(row)

    def _numbers(
        self, lines: list[str], first_line: int, numbers: Sequence[int], first_row: int
    ) -> Floats:
        """Return columns of lines of text, or raise ValueError for the first invalid line."""
        read = list(dict.fromkeys(numbers))
        try:
            values = self._all_at_once(rows_of_numbers(lines), read)
        except ValueError:
            # Rows with quotation marks or a final separator, and Booleans from FMPy.
            numbered = enumerate(lines, start=first_line)
            rows = (self._row(line, at, read) for at, line in numbered if rows_of_numbers([line]))
            values = np.array(list(chain.from_iterable(rows)))
        if self.head.interval is None:
            return values.reshape(-1, len(read)).T[[read.index(number) for number in numbers]]
        times = np.arange(first_row, first_row + len(values)) * self.head.interval
        if self.head.factor != 1.0:
            values = self.head.factor * values
        return np.stack([times if number == 1 else values for number in numbers])

    def _all_at_once(self, rows: list[str], read: list[int]) -> Floats:
        """Return the numbers of plain rows, or raise ValueError for other rows."""
        mark, count = self.head.separator, self.header.column_count
        if mark != ",":
            rows = [row.replace(",", ".") for row in rows]
        if self.head.interval is not None:
            values = re.findall(self.head.number or r"\S+", " ".join(rows))
            if not self.head.number and len(values) != len(rows):
                raise ValueError("several values in a line")
            return np.array(values, dtype=np.float64)
        if mark is None:
            is_plain = all(len(row.split()) == count for row in rows)
        else:
            is_plain = all(row.count(mark) == count - 1 for row in rows)
        if not is_plain or not rows:
            raise ValueError("a row does not have a cell for each column")
        return np.loadtxt(
            rows, delimiter=mark, usecols=[number - 1 for number in read], comments=None, ndmin=2
        )

    def _row(self, line: str, line_number: int, read: list[int]) -> list[float]:
        """Return the numbers of a line, or raise ValueError."""
        place = f"{self.path}, line {line_number}"
        if self.head.interval is not None:
            asked = re.findall(self.head.number or r"\S+", line)
            if not self.head.number and len(asked) != 1:
                raise ValueError(f"{place}: {line.strip()!r} must be one number")
        else:
            cells = cells_of(line.strip("\r\n"), self.head.separator)
            if (problem := torn_row(cells, self.header.column_count)) is not None:
                raise ValueError(f"{place}: {problem}")
            asked = [cells[number - 1] for number in read]
        row = []
        for cell in asked:
            try:
                text = cell if self.head.separator == "," else cell.replace(",", ".")
                row.append(number_of(text))
            except ValueError:
                gap = "" if cell else ": fill the empty cell or remove the row"
                problem = NOT_FINITE.format(text=repr(cell))
                raise ValueError(f"{place}: {problem}{gap}") from None
        return row


def open_table(path: Path, *, interval: float | None = None) -> Table:
    """Read the head of a file, or raise ValueError if it does not have a known format.

    `interval` is the sampling interval [s] of a file with a single column of values without times.
    """
    require_table(path)
    try:
        encoding = text_encoding(path)
        with _opened(path, encoding) as stream:
            first = islice(_lines(path, stream), _MOST_HEAD_LINES)
            lines = [line.strip("\r\n") for line in first]
    except UnicodeDecodeError:
        raise ValueError(not_utf8(path)) from None
    except OSError as problem:
        raise ValueError(f"{path}: {problem.strerror}") from None
    heads = (form.head(lines, str(path), interval) for form in FORMATS)
    head = next(head for head in heads if head is not None)
    return Table(path, encoding, head, left_out_line(path, encoding, head))


def _opened(path: Path, encoding: str) -> TextIO:
    return io.TextIOWrapper(open_regular(path, MOST_TABLE_BYTES), encoding=encoding)


def _lines(path: Path, stream: TextIO) -> Iterator[str]:
    """Yield the lines of a text, or raise ValueError for a line that is longer than any row."""
    for line in iter(partial(stream.readline, _MOST_CHARACTERS), ""):
        if len(line) == _MOST_CHARACTERS:
            raise ValueError(
                f"{path} is not a table: a line has {_MOST_CHARACTERS} characters or more"
            )
        yield line


# Number of bytes at the end of a file. They contain some hundred rows.
_TAIL_BYTES = 2**16
# A number with its decimals and exponent, which show whether digits are missing.
_NUMBER = re.compile(r"[-+]?\d*(?P<decimals>[.,]\d*)?(?P<exponent>[eE][-+]?\d*)?")
# Number of previous rows that must have the same form, so that it applies to the last row.
_ALIKE = 8


def left_out_line(path: Path, encoding: str, head: Head) -> str:
    """Return the last line if it may be incomplete and must not be read, otherwise "".

    A line with a line break is complete. If the head contains the number of values, a doubtful line
    is read, because this number is checked. Raises ValueError if the line is incomplete.
    """
    lines = _last_lines(path, encoding, head.line_count)
    if not lines or lines[-1].endswith("\n") or not rows_of_numbers(lines[-1:]):
        return ""
    if "\N{REPLACEMENT CHARACTER}" in lines[-1]:
        return ""  # wrong encoding, which is reported when the numbers are read
    last, before = lines[-1], rows_of_numbers(lines[:-1])
    if head.number and last[-1:].strip():
        *before, last = " ".join([*before, last]).split()
    is_whole = _is_whole(last, before, head.separator)
    shown = lines[-1].strip()
    shown = shown if len(shown) <= MOST_SHOWN else f"… {shown[-MOST_SHOWN:]}"
    if is_whole is False:
        raise ValueError(
            f"{path} ends in the middle of its last line, {shown!r}: copy the file again, or "
            "remove this line"
        )
    return shown if is_whole is None and head.value_count is None else ""


def _is_whole(last: str, before: list[str], delimiter: str | None) -> bool | None:
    """Return whether the last line of a file without final line break is complete.

    The line is incomplete if it has fewer cells than previous rows. It is also incomplete if the
    last numbers of these rows have a common form (number of decimals and of digits of the exponent)
    and its own differs. It is complete if the form is the same and has decimals, or if a delimiter
    or blank follows the number. Otherwise the result is unknown.
    """
    cells = cells_of(last.strip(), delimiter)
    rows = [cells_of(row.strip(), delimiter) for row in before]
    if rows and (len(cells) < len(rows[-1]) or (rows[-1][-1] and not cells[-1])):
        return False
    if last[-1:].isspace() or (delimiter is not None and last.endswith(delimiter)):
        return True
    forms = {_form(row[-1]) for row in rows}
    if len(rows) < _ALIKE or len(forms) != 1 or None in forms:
        return None
    own = _form(cells[-1])
    return False if own not in forms else own != (0, 0) or None


def _form(cell: str) -> tuple[int, int] | None:
    """Return the lengths of decimals and exponent of a number, or None for other text."""
    match = _NUMBER.fullmatch(cell)
    if match is None or not cell:
        return None
    exponent = match["exponent"] or ""
    return len(match["decimals"] or ""), len(exponent.lower().replace("+", "").replace("-", ""))


def _last_lines(path: Path, encoding: str, line_count: int) -> list[str]:
    """Return the lines at the end of a file, with line breaks \\n, without its head."""
    with open_regular(path, MOST_TABLE_BYTES) as stream:
        mark = stream.read(2)
        size = stream.seek(0, os.SEEK_END)
        start = max(0, size - _TAIL_BYTES)
        stream.seek(start)
        tail = stream.read()
    if encoding == "utf-16":
        encoding = "utf-16-le" if mark == codecs.BOM_UTF16_LE else "utf-16-be"
    text = tail.decode(encoding, errors="replace")
    return list(io.StringIO(text, newline=None))[1 if start else line_count :]
