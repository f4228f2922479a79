"""What stands above the samples of a CSV record: comments, names, units.

The first line that is neither empty nor begins with # holds the names. Where that one holds
numbers, the last comment before it does, as numpy.savetxt writes it. The line below the names may
hold units. Above all may stand Excel's `sep=X`, which tells what parts the columns.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from harness.errors import RecordError
from harness.records.encoding import not_utf8, text_encoding
from wearmodel.models.accelerogram import declared_delimiter

# The first that the line of names holds parts the columns.
_SEPARATORS = ";\t,| "
# A file whose names come later is none of ours.
_MOST_LINES = 200


@dataclass(frozen=True)
class RecordHeader:
    """Names, units and where the samples begin.

    Parameters
    ----------
    separator : str
        Character between columns.
    names : tuple of str
        Of all columns.
    units : tuple of str
        As many, from a line of units; empty without one.
    line_count : int
        Lines above the samples.
    encoding : str
        Of the file, as `open` takes it.
    """

    separator: str
    names: tuple[str, ...]
    units: tuple[str, ...]
    line_count: int
    encoding: str


def read_header(path: Path) -> RecordHeader:
    """Read what stands above the samples.

    Raises
    ------
    RecordError
        If the file is no text, or no line of names shows what parts the columns.
    OSError
        If it cannot be read.
    """
    try:
        encoding = text_encoding(path)
        with path.open(encoding=encoding, newline="") as stream:
            rows = list(islice(stream, _MOST_LINES))
    except UnicodeDecodeError:
        raise RecordError(not_utf8(path)) from None
    except ValueError as problem:
        raise RecordError(str(problem)) from None
    declared = declared_delimiter(rows[0]) if rows else None
    lines = [row.strip() for row in rows]
    if declared is not None:
        lines[0] = ""
    at = next((at for at, line in enumerate(lines) if line and not line.startswith("#")), None)
    header, line_count = (lines[at], at + 1) if at is not None else ("", 0)
    remark = next((line for line in reversed(lines[:at]) if line.startswith("#")), None)
    if at and remark is not None and _has_number(header, _separator(header)):
        header, line_count = remark.strip("# \t"), at
    separator = declared or _separator(header)
    if separator is None:
        raise RecordError(
            f"{path}: the first line {header[:40]!r} must hold column names separated by comma, "
            "semicolon, tab, bar or space"
        )
    if _has_number(header, separator):
        raise RecordError(f"{path}: column names must stand above the numbers {header[:40]!r}")
    names = split_row(header, separator)
    units: tuple[str, ...] = ()
    below = lines[line_count] if line_count < len(lines) else ""
    cells = split_row(below, separator)
    if any(cells) and len(cells) == len(names) and not _has_number(below, separator):
        units, line_count = cells, line_count + 1
    return RecordHeader(separator, names, units, line_count, encoding)


def split_row(line: str, separator: str) -> tuple[str, ...]:
    """Return the cells of a line."""
    if separator == " ":
        return tuple(line.split())
    return tuple(cell.strip() for cell in next(csv.reader([line], delimiter=separator), []))


def _separator(line: str) -> str | None:
    return next((mark for mark in _SEPARATORS if mark in line), None)


def _has_number(line: str, separator: str | None) -> bool:
    """Whether a cell is a number, so that the line holds neither names nor units."""
    for cell in split_row(line, separator) if separator else (line,):
        try:
            float(cell.replace(",", "."))
        except ValueError:
            continue
        return True
    return False
