"""Tables: rows of numbers, and above them rows of names and units.

Comma, semicolon, tab, vertical line or blanks separate the columns. Excel's first line ``sep=X``
declares another mark. A decimal comma is understood if commas do not separate. Empty lines and
lines that start with # are left out. Directly above the numbers there may be a row of names, below
it a row of units or of code_aster's types (R, I, K8). A comment replaces them if they are missing.
Other text above is skipped.
"""

from __future__ import annotations

import csv
import re
from itertools import pairwise

from harness.records.head import Head, TableFormat
from harness.records.refusals import NO_NUMBERS
from harness.records.table_header import (
    MOST_SHOWN,
    TableHeader,
    cells_of,
    header_cells,
    is_number,
    is_usual,
    rows_of_numbers,
    torn_row,
)
from wearmodel.units import TIME, unit_of_text

# By precedence. A comma may be a decimal mark, so it is last. Then blanks, None for `str.split`.
SEPARATORS = {";": "semicolon", "\t": "tab", "|": "bar", ",": "comma", None: "blank"}
"""Names of the marks between columns."""
# Excel's first line.
_DECLARATION = re.compile(r'"?sep=([^ ])"?', re.IGNORECASE)
_HEADER_ROWS = 2
_CODE_ASTER_TYPE = re.compile(r"I|R|C|K\d+")
_WHOLE_NUMBER = re.compile(r"[+-]?\d+(E[+-]?\d+)?", re.IGNORECASE)


def table_head(lines: list[str], source: str, interval: float | None = None) -> Head:
    """Return the head of a table; the arguments are those of all formats.

    Raises ValueError if there is no row of numbers, or the first one has another form. The message
    describes the expected form.
    """
    declared = _DECLARATION.fullmatch(lines[0]) if lines else None
    lines = ["", *lines[1:]] if declared else lines
    try:
        first, separator = _beginning(lines, (declared[1],) if declared else ())
    except csv.Error as problem:  # A word longer than any cell, as a page with pictures has.
        raise ValueError(f"{source} is not a table of numbers: {problem}") from None
    if first is None:
        raise ValueError(f"{source} {NO_NUMBERS}")
    cells = cells_of(lines[first].strip(" "), separator)
    place = f"{source}, line {first + 1}"
    if interval is None and sum(map(is_number, cells)) < 2:
        raise ValueError(
            f"{place}: {' '.join(cells)[:MOST_SHOWN]!r} must contain at least 2 numbers, a "
            f"time and a value. If the file has only one column of values, give the sampling "
            "interval in seconds with --dt"
        )
    if interval is not None and len(cells) != 1:
        raise ValueError(
            f"{place}: {lines[first].strip()[:MOST_SHOWN]!r} must be a single number with a "
            f"decimal point, because --dt is given"
        )
    rows, remark, skipped = rows_above(lines[:first], separator, cells)
    if interval is None:
        for above in (*rows, header_cells(remark, separator, len(cells))):
            _require_as_many(place, above, cells, separator)
        header = TableHeader(tuple(rows), len(cells), source, remark)
        form = f"{SEPARATORS.get(separator, repr(separator))}-separated"
        return Head(form, header, first, separator, skipped)
    rows = [(above, *row) for above, row in zip(("time", "s"), rows, strict=False)]
    form = f"one column of values every {interval:g} s"
    # A comma might separate as well as mark decimals: a separator is refused.
    return Head(form, TableHeader(tuple(rows), 2, source, remark), first, ",", skipped, interval)


FORMAT = TableFormat("table", (".csv", ".txt", ".dat"), table_head)


def _has_numbers_alone(line: str, separator: str | None) -> bool:
    """Whether all cells of a row that are filled are numbers; there is at least one."""
    filled = [cell for cell in cells_of(line, separator) if cell]
    return bool(filled) and all(map(is_number, filled))


def _beginning(lines: list[str], declared: tuple[str, ...]) -> tuple[int | None, str | None]:
    """Return the start of the rows of numbers and the column separator.

    They begin with the first row of numbers alone; or, where each row has words as well, with the
    first of two rows that have numbers in the same columns.
    """
    content = [(at, line.strip(" ")) for at, line in enumerate(lines) if rows_of_numbers([line])]
    for index, (_, line) in enumerate(content):
        separator = _separator(line, declared)
        if not _has_numbers_alone(line, separator):
            continue
        # A row directly above that begins with a number, or has one and as many cells, has a word
        # as well: a remark beside the numbers, or a slip of the pen, which must not be skipped.
        count = len(cells_of(line, separator))
        while index and count > 1:
            above = cells_of(content[index - 1][1], separator)
            numbers = [is_number(cell) for cell in above]
            alike = separator is not None and len(above) == count and any(numbers)
            if not (alike or (len(above) > 1 and numbers[0])):
                break
            index -= 1
        return content[index][0], separator
    for (at, line), (_, below) in pairwise(content):
        separator = _separator(line, declared)
        pattern, next_pattern = (
            [is_number(cell) for cell in cells_of(row, separator)] for row in (line, below)
        )
        if pattern == next_pattern and any(pattern) and len(pattern) > 1:
            return at, separator
    return None, None


def _separator(line: str, declared: tuple[str, ...]) -> str | None:
    """Return the column separator of a row: the first mark that leaves numbers alone."""
    used = [mark for mark in declared or SEPARATORS if mark and mark in line]
    for mark in used:
        if _has_numbers_alone(line, mark):
            return mark
    if not declared and "\t" not in line.strip() and _has_numbers_alone(line, None):
        return None
    return next(
        (mark for mark in used if any(map(is_number, cells_of(line, mark)))),
        used[0] if used else None,
    )


def _require_as_many(
    place: str, above: tuple[str, ...], cells: tuple[str, ...], separator: str | None
) -> None:
    """Refuse a row of numbers that has more or fewer cells than a row of names above it."""
    count, filled = _width(above), [cell for cell in cells if cell]
    if len(above) == len(cells) or count < 2:
        return
    # A point in a number, or a word, shows that the commas mark no decimals.
    if separator == "," and count < len(filled) and all(map(_WHOLE_NUMBER.fullmatch, filled)):
        raise ValueError(
            f"{place}: has {len(cells)} cells between commas, but {count} names above: if commas "
            f"are decimal marks, separate the columns by semicolons or tabs"
        )
    # Of words between blanks more than there are columns are a sentence.
    may_be = separator is None and count > len(cells)
    may_be = may_be or _width(cells) <= count <= len(cells)
    if not may_be and any(is_usual(name, TIME, alone=True) for name in above):
        raise ValueError(f"{place}: {torn_row(cells, count)}")


def _width(cells: tuple[str, ...]) -> int:
    """Return the number of cells without the empty ones at the end."""
    return max((at for at, cell in enumerate(cells, start=1) if cell), default=0)


def rows_above(
    lines: list[str], separator: str | None, cells: tuple[str, ...]
) -> tuple[list[tuple[str, ...]], str, tuple[str, ...]]:
    """Return the rows of names and units, the remark that may name units, and the skipped text.

    They are the last two lines of text and the comment below them, if that has units or if there is
    no such text. A line among them with the name of a time, or directly above one of units alone,
    is the row of names, be it a comment or not.
    """
    above = [
        (line.lstrip("# "), line.startswith("#"))
        for line in (line.strip(" \r\n") for line in lines)
        if any(map(str.isalnum, line))
    ]
    parsed = [_cells_above(text, separator, cells, is_comment) for text, is_comment in above]
    texts = [at for at, (_, is_comment) in enumerate(above) if not is_comment]
    if len(texts) > 1 and all(map(_CODE_ASTER_TYPE.fullmatch, parsed[texts[-1]])):
        del above[texts[-1]], parsed[texts.pop()]
    rows = {at: parsed[at] for at in texts[-_HEADER_ROWS:]}
    # No cell is a number, so that a mistyped number is not taken for a name.
    whole = [
        at
        for at, row in enumerate(parsed)
        if len(row) == len(cells) and not any(map(is_number, row))
    ]
    units = [at for at in whole if _are_units(parsed[at])]
    last = len(above) - 1
    if last in whole and last not in texts:
        # numpy.savetxt writes its header as a comment; below names it must be seen to hold units.
        is_named = any(len(row) == len(cells) for row in rows.values())
        if not is_named or any(map(unit_of_text, parsed[last])):
            rows[last] = parsed[last]
    first = texts[-_HEADER_ROWS] if len(texts) >= _HEADER_ROWS else 0
    named = [at for at in reversed(whole) if at >= first and at not in units]
    timed = [
        at for at in named if any(is_usual(cell, TIME, alone=above[at][1]) for cell in parsed[at])
    ]
    for at in [*timed, *(at for at in named if at + 1 in units)][:1]:
        rows = {at: parsed[at]} | {below: row for below, row in rows.items() if below > at}
    remark = "" if last in (-1, *texts, *rows) else above[last][0]
    whole_rows = [at for at, row in rows.items() if len(row) == len(cells)]
    skipped = (above[at][0].strip() for at in texts if at not in whole_rows)
    return list(rows.values()), remark, tuple(skipped)


def _are_units(row: tuple[str, ...]) -> bool:
    """Whether a row has units alone; a column without one has an empty cell or a dash."""
    filled = [cell.strip("[({})] ") for cell in row if cell.strip("-")]
    return bool(filled) and all(map(unit_of_text, filled))


def _cells_above(
    line: str, separator: str | None, cells: tuple[str, ...], is_comment: bool
) -> tuple[str, ...]:
    """Return the cells of a row above the numbers, as many as these have where it can be."""
    own = next((mark for mark in SEPARATORS if mark and mark in line), None)
    rows = []
    for mark in dict.fromkeys((separator, separator if is_comment and own is None else own)):
        row = header_cells(line, mark, len(cells))
        if 1 < len(row) < len(cells) and not any(cells[len(row) :]):
            row += ("",) * (len(cells) - len(row))
        if len(row) == len(cells):
            return row
        rows.append(row)
    return rows[0]
