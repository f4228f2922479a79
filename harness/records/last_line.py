"""The last line of a table, which is incomplete if a copy or a program ended early."""

from __future__ import annotations

import codecs
import io
import os
import re
from pathlib import Path

from harness.records.encoding import MOST_TABLE_BYTES
from harness.records.head import Head
from harness.records.table_header import MOST_SHOWN, cells_of, rows_of_numbers
from wearmodel.read_files import open_regular

# Bytes at the end of a file, some hundred rows that have the form of the last row.
_TAIL_BYTES = 2**16
# A number with its decimals and exponent, which show whether digits are missing.
_NUMBER = re.compile(r"[-+]?\d*(?P<decimals>[.,]\d*)?(?P<exponent>[eE][-+]?\d*)?")
# Rows of numbers before the last that must agree for their form to be a rule.
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

    It is incomplete if it has fewer cells than the rows before it, or if the last numbers of these
    rows have the same numbers of decimals and digits of the exponent and its own number differs. It
    is complete if these agree and there are decimals, or a delimiter or blank follows the number.
    For numbers with as few digits as possible the answer is None, unknown.
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
        start -= start % 2
        stream.seek(start)
        tail = stream.read()
    if encoding == "utf-16":
        encoding = "utf-16-le" if mark == codecs.BOM_UTF16_LE else "utf-16-be"
    text = tail.decode(encoding, errors="replace")
    return list(io.StringIO(text, newline=None))[1 if start else line_count :]
