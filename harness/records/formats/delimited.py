"""Tables: rows of numbers below rows of names and units.

Columns are separated by commas, semicolons, tabs, vertical lines or blanks. Excel's first line
``sep=X`` declares another separator. Decimal commas are accepted if commas are not separators.
Empty lines and lines that start with # are skipped. There may be a row of names above the numbers,
and between them a row of units or of code_aster's types (R, I, K8). A comment can replace missing
rows. Other text above the numbers is skipped.
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

# In order of precedence. A comma may be a decimal mark, so only blanks (None) follow it.
SEPARATORS = {";": "semicolon", "\t": "tab", "|": "bar", ",": "comma", None: "blank"}
"""Names of the separators of columns."""
# Excel's first line.
_DECLARATION = re.compile(r'"?sep=([^ ])"?', re.IGNORECASE)
_HEADER_ROWS = 2
_CODE_ASTER_TYPE = re.compile(r"I|R|C|K\d+")
_WHOLE_NUMBER = re.compile(r"[+-]?\d+(E[+-]?\d+)?", re.IGNORECASE)


def table_head(lines: list[str], source: str, interval: float | None = None) -> Head:
    """Return the head of a table. The package describes the arguments.

    Raises ValueError if there is no row of numbers, or the first row has another form. The message
    describes the expected form.
    """
    declared = _DECLARATION.fullmatch(lines[0]) if lines else None
    lines = ["", *lines[1:]] if declared else lines
    try:
        first, separator = _beginning(lines, (declared[1],) if declared else ())
    except csv.Error as problem:  # a cell is too long, for example in a page with pictures
        raise ValueError(
            f"{source} is not a table of numbers ({problem}): save it as CSV"
        ) from None
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
            "decimal point, because --dt is given: remove --dt if the file contains times"
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
    # A comma may be a separator or a decimal mark, so that it is rejected.
    return Head(form, TableHeader(tuple(rows), 2, source, remark), first, ",", skipped, interval)


FORMAT = TableFormat("table", (".csv", ".txt", ".dat"), table_head)


def _has_numbers_alone(line: str, separator: str | None) -> bool:
    """Whether a row contains numbers, and otherwise only empty cells."""
    filled = [cell for cell in cells_of(line, separator) if cell]
    return bool(filled) and all(map(is_number, filled))


def _beginning(lines: list[str], declared: tuple[str, ...]) -> tuple[int | None, str | None]:
    """Return the start of the rows of numbers and the column separator.

    They begin with the first row that contains only numbers. If all rows also contain words, they
    begin with the first of two rows that have numbers in the same columns.
    """
    content = [(at, line.strip(" ")) for at, line in enumerate(lines) if rows_of_numbers([line])]
    for index, (_, line) in enumerate(content):
        separator = _separator(line, declared)
        if not _has_numbers_alone(line, separator):
            continue
        # A row above that begins with a number, or has as many cells and a number, is a row of
        # numbers with a remark or a typing error. It must not be skipped.
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
    """Return the column separator of a row: the first mark for which all cells are numbers."""
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
    """Raise ValueError if a row of numbers has more or fewer cells than the names above it."""
    count, filled = _width(above), [cell for cell in cells if cell]
    if len(above) == len(cells) or count < 2:
        return
    # A point in a number, or a word, shows that the commas are not decimal marks.
    if separator == "," and count < len(filled) and all(map(_WHOLE_NUMBER.fullmatch, filled)):
        raise ValueError(
            f"{place}: has {len(cells)} cells between commas, but {count} names above: if commas "
            f"are decimal marks, separate the columns by semicolons or tabs"
        )
    # If blanks separate the words and there are more words than columns, they are a sentence.
    may_be = separator is None and count > len(cells)
    may_be = may_be or _width(cells) <= count <= len(cells)
    if not may_be and any(is_usual(name, TIME, alone=True) for name in above):
        raise ValueError(f"{place}: {torn_row(cells, count)}")


def _width(cells: tuple[str, ...]) -> int:
    """Return the number of cells without empty cells at the end."""
    return max((at for at, cell in enumerate(cells, start=1) if cell), default=0)


def rows_above(
    lines: list[str], separator: str | None, cells: tuple[str, ...]
) -> tuple[list[tuple[str, ...]], str, tuple[str, ...]]:
    """Return the rows of names and units, the remark that may contain units, and the skipped text.

    The rows are the last two lines of text, and the comment below them if it contains units or is
    the only text. A line with the name of a time, or directly above a row of units, is the row of
    names, even if it is a comment.
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
    # No cell is a number, so that a mistyped number is not mistaken for a name.
    whole = [
        at
        for at, row in enumerate(parsed)
        if len(row) == len(cells) and not any(map(is_number, row))
    ]
    units = [at for at in whole if _are_units(parsed[at])]
    last = len(above) - 1
    if last in whole and last not in texts:
        # numpy.savetxt writes its header as a comment. Below a row of names it must contain units.
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
    """Whether a row contains only units. Columns without a unit have an empty cell or a dash."""
    filled = [cell.strip("[({})] ") for cell in row if cell.strip("-")]
    return bool(filled) and all(map(unit_of_text, filled))


def _cells_above(
    line: str, separator: str | None, cells: tuple[str, ...], is_comment: bool
) -> tuple[str, ...]:
    """Return the cells of a row above the numbers, if possible one for each column."""
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
