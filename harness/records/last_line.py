"""The last line of a table's file: whole, or perhaps cut where a copy or a program ended early."""

from __future__ import annotations

import codecs
import io
import os
from pathlib import Path

from harness.records.encoding import MOST_TABLE_BYTES
from harness.records.table_head import MOST_SHOWN, rows_of_numbers
from harness.records.table_header import CUT, UNKNOWN, ending
from wearmodel.read_files import open_regular

# Of the end of a file: some hundred rows, in whose form the last one is expected.
_TAIL_BYTES = 2**16


def left_out_line(
    path: Path, encoding: str, line_count: int, separator: str | None, *, is_row: bool
) -> str:
    """Return the last line where it must not be read, for it may be cut; empty where it may.

    A line that ends as lines do is whole. `harness.records.table_header.ending` judges others.

    Parameters
    ----------
    path : Path
        The file.
    encoding : str
        As `harness.records.encoding.text_encoding` gives it.
    line_count : int
        Lines above the numbers.
    separator : str, optional
        What parts the columns; None for blanks.
    is_row : bool
        Whether each line is a row; otherwise, as in an AT2 file, the last may have fewer numbers.

    Raises
    ------
    ValueError
        If the line is cut.
    """
    lines = _last_lines(path, encoding, line_count)
    if not lines or lines[-1].endswith("\n") or not rows_of_numbers(lines[-1:]):
        return ""
    if "\N{REPLACEMENT CHARACTER}" in lines[-1]:
        return ""  # no text in this encoding: the reading says so
    last, before = lines[-1], rows_of_numbers(lines[:-1])
    if not is_row and last[-1:].strip():
        *words, last = " ".join([*before, last]).split()
        before = words
    judged = ending(last, before, separator)
    shown = lines[-1].strip()
    shown = shown if len(shown) <= MOST_SHOWN else f"… {shown[-MOST_SHOWN:]}"
    if judged == CUT:
        raise ValueError(
            f"{path} ends in the middle of its last line, {shown!r}: it is cut; copy it anew, or "
            "remove that line"
        )
    return shown if judged == UNKNOWN else ""


def _last_lines(path: Path, encoding: str, line_count: int) -> list[str]:
    """Return the lines at the end of a file, with their ends as \\n, without those of its head."""
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
