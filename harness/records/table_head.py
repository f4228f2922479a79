"""Where the numbers of a table begin, what separates its columns, and which rows name them.

The one grammar of tables: all commands read the head of a file here.
Comma, semicolon, tab, bar or blanks separate the columns; Excel's first line ``sep=X`` declares
another mark. A decimal comma is understood where commas do not separate. Empty lines and lines that
start with # are left out. Directly above the numbers there may be a row of names, below it one of
units or of code_aster's types (R, I, K8); the last comment serves where these are missing. Other
text above is skipped.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from itertools import pairwise

from harness.records.table_header import (
    TableHeader,
    cells_of,
    declared_delimiter,
    delimiter_of,
    header_cells,
    is_header,
    torn_row,
)
from wearmodel.units import TIME, bracketed_texts, name_without_unit, unit_of_text

# By precedence; a comma may mark decimals, so it comes last. Then blanks, None for `str.split`.
_SEPARATORS = (";", "\t", "|", ",")
_HEADER_ROWS = 2
_NAME_OF_TIME = re.compile(r"(t|times?|temps|zeit|tempo|inst|instant)\b(?!\w)", re.IGNORECASE)
_CODE_ASTER_TYPE = re.compile(r"I|R|C|K\d+")
_WHOLE_NUMBER = re.compile(r"[+-]?\d+(E[+-]?\d+)?", re.IGNORECASE)
_BOOLEANS = {"true": 1.0, "false": 0.0}
# A file whose numbers begin later is none of ours.
MOST_HEAD_LINES = 10_000
_FORM = (
    "above the rows of numbers there may be a row of names and one of units, or other lines of "
    "text, which are skipped"
)
MOST_SHOWN = 40


def rows_of_numbers(lines: list[str]) -> list[str]:
    """Return the lines that hold numbers: neither empty nor comments."""
    return [line for line in lines if (bare := line.lstrip()) and bare[0] != "#"]


def number_of(text: str) -> float:
    """Return the number in a cell; a Boolean is 1 or 0."""
    text = text.strip()
    return _BOOLEANS[text.lower()] if text.lower() in _BOOLEANS else float(text)


def _is_number(cell: str) -> bool:
    try:
        number_of(cell.replace(",", "."))
    except ValueError:
        return False
    return True


def _has_numbers_alone(line: str, separator: str | None) -> bool:
    """Whether all cells of a row that are filled are numbers; there is at least one."""
    filled = [cell for cell in cells_of(line, separator) if cell]
    return bool(filled) and all(map(_is_number, filled))


@dataclass(frozen=True)
class TableHead:
    """What the lines above the numbers say, and the first row of these.

    Parameters
    ----------
    header : TableHeader
        Names and units of the columns.
    separator : str, optional
        Mark between columns; None for blanks.
    line_count : int
        Lines above the numbers.
    skipped : tuple of str
        Lines of text above the numbers that are neither names nor units.
    """

    header: TableHeader
    separator: str | None
    line_count: int
    skipped: tuple[str, ...]


def table_head(lines: list[str], source: str, *, interval: float | None = None) -> TableHead:
    """Read the head of a table.

    Parameters
    ----------
    lines
        The file's lines, without their ends; at most the first MOST_HEAD_LINES are looked at.
    source
        What the file is, for messages.
    interval
        Sampling interval, s, of a file with one column of values; the time, which it does not hold,
        is then column 1.

    Raises
    ------
    ValueError
        There is no row of numbers, or what looks like one is none; the message says what is
        expected.
    """
    lines = lines[:MOST_HEAD_LINES]
    declared = declared_delimiter(lines[0]) if lines else None
    if declared is not None:
        lines[0] = ""
    try:
        first, separator = _beginning(lines, None if declared is None else (declared,))
    except csv.Error as problem:  # A word longer than any cell, as a page with pictures has.
        raise ValueError(f"{source} is no table of numbers: {problem}") from None
    if first is None:
        raise ValueError(f"{source} has no row of numbers; {_FORM}")
    cells = cells_of(lines[first].strip(), separator)
    _require_whole(source, lines, first, separator, cells, interval)
    rows, remark, skipped = rows_above(lines[:first], separator, cells)
    count = len(cells)
    if interval is not None:
        count = 2
        rows = [(above, *row) for above, row in zip(("time", "s"), rows, strict=False)]
    return TableHead(TableHeader(tuple(rows), count, source, remark), separator, first, skipped)


def _beginning(lines: list[str], declared: tuple[str, ...] | None) -> tuple[int | None, str | None]:
    """Return where the rows of numbers begin, and what separates their columns.

    They begin with the first row of numbers alone; or, where each row has words as well, with the
    first of two rows that have numbers in the same columns.
    """
    content = [(at, line.strip()) for at, line in enumerate(lines) if rows_of_numbers([line])]
    for index, (_, line) in enumerate(content):
        separator = _separator(line, declared)
        if not _has_numbers_alone(line, separator):
            continue
        # A row directly above that begins with a number, or has one and as many cells, has a word
        # as well: a remark beside the numbers, or a slip of the pen, which must not be skipped.
        count = len(cells_of(line, separator))
        while index and count > 1:
            above = cells_of(content[index - 1][1], separator)
            numbers = [_is_number(cell) for cell in above]
            alike = separator is not None and len(above) == count and any(numbers)
            if not (alike or (len(above) > 1 and numbers[0])):
                break
            index -= 1
        return content[index][0], separator
    for (at, line), (_, below) in pairwise(content):
        separator = _separator(line, declared)
        pattern, next_pattern = (
            [_is_number(cell) for cell in cells_of(row, separator)] for row in (line, below)
        )
        if pattern == next_pattern and any(pattern) and len(pattern) > 1:
            return at, separator
    return None, None


def _separator(line: str, declared: tuple[str, ...] | None) -> str | None:
    """Return what separates the columns of a row: the first mark that leaves numbers alone."""
    marks = declared or _SEPARATORS
    used = [mark for mark in marks if mark in line]
    for mark in used:
        if _has_numbers_alone(line, mark):
            return mark
    if not declared and _has_numbers_alone(line, None):
        return None
    return next(
        (mark for mark in used if any(map(_is_number, cells_of(line, mark)))),
        used[0] if used else None,
    )


def _require_whole(
    source: str,
    lines: list[str],
    first: int,
    separator: str | None,
    cells: tuple[str, ...],
    interval: float | None,
) -> None:
    """Refuse what only looks like rows of numbers, with the form that is expected."""
    place = f"{source}, line {first + 1}"
    if interval is not None:
        if len(cells) != 1:
            raise ValueError(
                f"{place}: {lines[first].strip()[:MOST_SHOWN]!r} must be one number, with a "
                "decimal point, where --dt gives the times"
            )
        return
    if sum(map(_is_number, cells)) < 2:
        raise ValueError(
            f"{place}: {' '.join(cells)[:MOST_SHOWN]!r} must hold ≥ 2 numbers, a time and a "
            f"value; {_FORM}; for one column of values, `run --input` and `wearfmu motion` take "
            "the sampling interval by --dt"
        )
    texts = [line.strip() for line in lines[:first] if rows_of_numbers([line])]
    names = [cell for cell in cells_of(texts[-1], separator) if cell] if texts else []
    filled = [cell for cell in cells if cell]
    torn = len(names) > 1 and len(filled) > len(names)
    # A point in a number, or a word, shows that the commas mark no decimals.
    if separator == "," and torn and all(map(_WHOLE_NUMBER.fullmatch, filled)):
        raise ValueError(
            f"{place}: has {len(cells)} cells between commas and the names above it {len(names)}; "
            "where commas mark decimals, semicolons or tabs must part the columns"
        )
    remarks = [line.strip("# \t") for line in lines[:first] if line.lstrip().startswith("#")]
    for line in [*texts[-_HEADER_ROWS:], *remarks[-1:]]:
        above = header_cells(line, separator, len(cells))
        count = len(_trimmed(above))
        # Of words between blanks more than there are columns are a sentence.
        is_sentence = separator is None and count > len(cells)
        is_whole = len(above) == len(cells) or len(_trimmed(cells)) <= count <= len(cells)
        if count > 1 and not is_whole and not is_sentence and any(map(_is_time, above)):
            raise ValueError(f"{place}: {torn_row(cells, count)}")


def _trimmed(cells: tuple[str, ...]) -> tuple[str, ...]:
    """Return cells without the empty ones at the end."""
    while cells and not cells[-1]:
        cells = cells[:-1]
    return cells


def _is_time(name: str) -> bool:
    """Whether the name of a column is one of the time, with a unit or without."""
    bare = name_without_unit(re.split(r"[\[({]", name)[0].strip(), TIME)
    return _NAME_OF_TIME.fullmatch(bare) is not None


def rows_above(
    lines: list[str], separator: str | None, cells: tuple[str, ...]
) -> tuple[list[tuple[str, ...]], str, tuple[str, ...]]:
    """Return the rows of names and units, the remark that may name units, and what was skipped."""
    count = len(cells)
    texts: list[str] = []
    remark = comment = above_units = ""
    for line in (line.strip() for line in lines):
        if line.startswith("#"):
            above_units, remark = remark, line.strip("# \t")
            comment = remark
        elif any(map(str.isalnum, line)):
            texts.append(line)
            above_units, remark, comment = comment, "", ""
    below = _cells_above(texts[-1], separator, cells) if texts else ()
    if len(texts) > 1 and below and all(map(_CODE_ASTER_TYPE.fullmatch, below)):
        texts.pop()
    rows = [_cells_above(line, separator, cells) for line in texts[-_HEADER_ROWS:]]
    if len(rows) == _HEADER_ROWS and any(map(_NAME_OF_TIME.match, rows[1])):
        del rows[0]
    # A row of units has a cell for each column; what is none is searched for units as a text.
    skipped = [*texts[: len(texts) - len(rows)]]
    above = list(zip(texts[len(skipped) :], rows, strict=True))
    skipped += [line for line, row in above if len(row) != count]
    # numpy.savetxt writes its header as a comment; below names it must be seen to hold units.
    remarked = _cells_above(remark, separator, cells)
    if len(remarked) == count and is_header(remarked):
        whole = [row for row in rows if len(row) == count]
        if not whole or any(unit_of_text(cell) for cell in remarked):
            rows.append(remarked)
            remark = ""
    named = header_cells(above_units, separator, count)
    is_named = len(named) == count and any(map(_is_time, named))
    if is_named and rows and not remark and _are_units(rows[-1]):
        skipped += [line for line, row in above if len(row) == count and row != rows[-1]]
        rows = [named, rows[-1]]
    return rows, remark, tuple(skipped)


def _are_units(row: tuple[str, ...]) -> bool:
    """Whether a row has units alone; a column without one has an empty cell or a dash."""
    units = [unit_of_text("".join(bracketed_texts(cell)) or cell) for cell in row]
    filled = [unit for cell, unit in zip(row, units, strict=True) if cell.strip("-")]
    return bool(filled) and None not in filled


def _cells_above(line: str, separator: str | None, cells: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cells of a row above the numbers, as many as these have where it can be."""
    header: tuple[str, ...] = ()
    for mark in dict.fromkeys((separator, delimiter_of(line, _SEPARATORS))):
        header = header_cells(line, mark, len(cells))
        filled = len(header)
        if 1 < filled < len(cells) and not any(cells[filled:]):
            header += ("",) * (len(cells) - filled)
        if len(header) == len(cells):
            return header
    return header
