"""Rows of time and value in a user's file: columns of text, or PEER's format AT2.

Columns of text are those of `wearmodel.models.accelerogram`, in UTF-8, UTF-16 or Windows-1252.
An AT2 file of the Pacific Earthquake Engineering Research Center's strong motion database has four
lines of words – database, event and station, what and in which unit, number of points NPTS and
their interval DT – and below them the values alone, several a line, in g. The first is that of
t = 0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from harness.records.encoding import UTF8, not_utf8, text_encoding
from wearmodel.models.accelerogram import PointTable, point_table_of_text

_DELIMITER_NAMES = {";": "semicolons", ",": "commas", "\t": "tabs", None: "blanks"}
_FORM = (
    "above the rows of numbers there may be a row of names and one of units; other lines must "
    "start with #"
)
# "NPTS=  4000, DT=   .0050 SEC", and in older files "4000    .0050    NPTS, DT".
_AT2_HEADER_LINES = 4
_AT2_POINTS = (
    re.compile(r"NPTS\s*=\s*(?P<count>\d+)\s*,?\s*DT\s*=\s*(?P<step>[\d.]+(E[+-]?\d+)?)", re.I),
    re.compile(r"^\s*(?P<count>\d+)\s+(?P<step>[\d.]+(E[+-]?\d+)?)\s+NPTS\s*,\s*DT", re.I),
)
_AT2_QUANTITY = "ACCELERATION TIME"
_AT2_UNIT = re.compile(r"UNITS\s+OF\s+G\b", re.I)


@dataclass(frozen=True)
class PointFile:
    """What a file holds.

    Parameters
    ----------
    table : PointTable
        Its rows; an AT2 file has the columns time [s] and acceleration [g].
    form : str
        How it was read, in words.
    """

    table: PointTable
    form: str


def read_point_file(path: Path) -> PointFile:
    """Read a file of points.

    Raises
    ------
    ValueError
        If it cannot be read or is in no known form; the message says what is expected.
    """
    try:
        encoding = text_encoding(path)
        text = path.read_text(encoding=encoding)
    except OSError as problem:
        raise ValueError(f"{path} cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(not_utf8(path)) from None
    lines = text.splitlines()
    for number, line in enumerate(lines[:_AT2_HEADER_LINES], start=1):
        for pattern in _AT2_POINTS:
            if found := pattern.search(line):
                count, step = int(found["count"]), float(found["step"])
                return _at2_points(path, lines[:number], lines[number:], count, step)
    table = point_table_of_text(text, f"file={str(path)!r}")
    _require_numbers(table)
    parted_by = _DELIMITER_NAMES.get(table.delimiter, repr(table.delimiter))
    form = f"columns are parted by {parted_by}"
    if encoding != UTF8:
        form += f", text is {encoding}"
    return PointFile(table, form)


def _at2_points(
    path: Path, header: list[str], lines: list[str], count: int, step: float
) -> PointFile:
    """Return the points of an AT2 file, its values as they are written."""
    said = " ".join(header).upper()
    if _AT2_QUANTITY not in said or not _AT2_UNIT.search(said):
        raise ValueError(
            f"{path}, line {max(1, len(header) - 1)}: {header[-2:][0].strip()!r} must say "
            "'ACCELERATION TIME SERIES IN UNITS OF G', as a PEER .AT2 file does"
        )
    rows: list[tuple[int, tuple[str, ...]]] = []
    for number, line in enumerate(lines, start=len(header) + 1):
        for value in line.split():
            rows.append((number, (repr(len(rows) * step), value)))
    if len(rows) != count:
        raise ValueError(f"{path}: has {len(rows)} values and must have NPTS={count}")
    names = (("time", "acceleration"), ("s", "g"))
    table = PointTable(names, None, tuple(rows), f"file={str(path)!r}")
    return PointFile(table, f"PEER AT2, {count} values every {step:g} s")


def _require_numbers(table: PointTable) -> None:
    """Refuse, with the form expected, what only looks like rows of numbers."""
    if not table.rows:
        raise ValueError(f"{table.source} has no row of numbers; {_FORM}")
    line, cells = table.rows[0]
    place = f"{table.source}, line {line}"
    if sum(map(_is_number, cells)) < 2:
        raise ValueError(
            f"{place}: {' '.join(cells)[:40]!r} must hold ≥ 2 numbers, a time and an "
            f"acceleration; {_FORM}"
        )
    names = [cell for cell in table.header[0] if cell] if table.header else []
    filled = [cell for cell in cells if cell]
    torn = names and len(filled) > len(names)
    if table.delimiter == "," and (torn or any(" " in cell for cell in cells)):
        named = f" and the names above it {len(names)}" if torn else ""
        raise ValueError(
            f"{place}: has {len(cells)} cells between commas{named}; where commas mark decimals, "
            "semicolons or tabs must part the columns"
        )


def _is_number(cell: str) -> bool:
    try:
        float(cell.replace(",", "."))
    except ValueError:
        return False
    return True
