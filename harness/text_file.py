"""Text of a user's file, and what to do about one that is not UTF-8."""

from __future__ import annotations

import codecs
from pathlib import Path

# How a text in UTF-16 begins, which spreadsheets call "Unicode text".
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file, with or without a byte order mark.

    Raises
    ------
    ValueError
        If it cannot be read, or is not UTF-8; the message says what to do.
    """
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise ValueError(f"{path} cannot be read: {problem.strerror}") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(not_utf8(path)) from None


def not_utf8(path: Path) -> str:
    """Return one line on a file that is not UTF-8: what it seems to be, and what to do."""
    with path.open("rb") as stream:
        head = stream.read(4096)
    if head.startswith(_UTF16_MARKS):
        coding = "UTF-16"
    elif b"\0" in head:
        return f"{path} is not a text file: save it as CSV"
    else:
        # Western spreadsheets write it; Latin-1 is the same for all that occurs in headers.
        coding = "WINDOWS-1252"
    return (
        f"{path} is not UTF-8, but probably {coding}: save it as 'CSV UTF-8', or convert it with "
        f"`iconv -f {coding} -t UTF-8 {path.name} > utf8_{path.name}`"
    )
