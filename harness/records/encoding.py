"""A user's text file: its encoding, what to do about one that had to be UTF-8, and TOML."""

from __future__ import annotations

import codecs
import re
import tomllib
from pathlib import Path
from typing import Any

from harness.errors import CaseError
from harness.messages import point_for_comma
from wearmodel.read_files import open_regular, read_text

# With or without a byte order mark.
UTF8 = "utf-8-sig"
# How a text in UTF-16 begins, which spreadsheets call "Unicode text".
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# Enough for the header, where letters with accents are; numbers have none.
_HEAD_BYTES = 65536
MOST_TABLE_BYTES = 2**32
"""Of a table, which is read in parts: a hundred million points."""


def text_encoding(path: Path) -> str:
    """Return the encoding that a text file begins in, as `open` takes it.

    UTF-16 shows by its byte order mark. What is neither that nor UTF-8 is taken as Windows-1252,
    which western spreadsheets write; numbers are the same in all that it might be instead.

    Raises
    ------
    ValueError
        If it is no text.
    OSError
        If it cannot be read.
    """
    with open_regular(path, MOST_TABLE_BYTES) as stream:
        head = stream.read(_HEAD_BYTES)
    if head.startswith(_UTF16_MARKS):
        return "utf-16"
    if b"\0" in head:
        raise ValueError(f"{path} is not a text file: save it as CSV")
    try:
        # Not to its end, where a character may be cut.
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return "cp1252"
    return UTF8


def not_utf8(path: Path) -> str:
    """Return one line on a file that is not UTF-8: what it seems to be, and what to do."""
    try:
        coding = "UTF-16" if text_encoding(path) == "utf-16" else "WINDOWS-1252"
    except ValueError as problem:
        return str(problem)
    return (
        f"{path} is not UTF-8, but probably {coding}: save it as 'CSV UTF-8', or convert it with "
        f"`iconv -f {coding} -t UTF-8 {path.name} > utf8_{path.name}`"
    )


def _comma_in(text: str, problem: tomllib.TOMLDecodeError) -> str:
    """Return the remedy where the line that is no TOML gives a number with a decimal comma."""
    match = re.search(r"line (\d+)", str(problem))
    line = text.split("\n")[int(match[1]) - 1] if match else ""
    value = line.partition("=")[2]
    return point_for_comma(value.partition("#")[0].strip())


# How every FMU and every other zip archive begins.
_ARCHIVE = b"PK\x03\x04"
# Kind of a TOML file → the section that tells it, and what takes such a file.
_KINDS = {
    "case": ("case", "a case: `wearfmu run` takes it"),
    "sweep": ("sweep", "a sweep: `wearfmu sweep` takes it"),
    "structure": (
        "modes",
        "a structure file: `wearfmu structure` examines it, and a case of "
        'fmu = "ModalShock" names it by structure = "{name}" under [case]',
    ),
}


def toml_content(path: Path, kind: str) -> dict[str, Any]:
    """Return what a TOML file holds.

    `kind` is what it should be, one of `_KINDS`; its sections are not checked here.

    Raises
    ------
    CaseError
        If it cannot be read, is no TOML in UTF-8, or is one of another kind; one line that begins
        with the path.
    """
    content = _any_toml(path)
    if _KINDS[kind][0] not in content:
        for section, takers in _KINDS.values():
            if section in content:
                raise CaseError(f"{path} is {takers.format(name=path.name)}")
    return content


def _any_toml(path: Path) -> dict[str, Any]:
    try:
        with open_regular(path) as stream:
            if stream.read(len(_ARCHIVE)) == _ARCHIVE:
                raise CaseError(
                    f"{path} is an archive, not a text file; a case names an FMU by fmu = "
                    f'"{path.name}" under [case], and `wearfmu doctor` loads one'
                )
        text = read_text(path)
        return tomllib.loads(text)
    except OSError as problem:
        raise CaseError(f"{path}: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise CaseError(not_utf8(path)) from None
    except tomllib.TOMLDecodeError as problem:
        raise CaseError(f"{path}: is not TOML: {problem}{_comma_in(text, problem)}") from None
    except RecursionError:
        raise CaseError(f"{path}: is not TOML: it is nested too deeply") from None
