"""Text files of users: encodings, TOML, and remedies for files that are not UTF-8."""

from __future__ import annotations

import codecs
import re
import tomllib
from pathlib import Path
from typing import Any

from harness.errors import CaseError
from harness.messages import point_for_comma
from harness.records.formats import RECORD_SUFFIXES
from harness.records.refusals import BINARY
from wearmodel.read_files import open_regular, read_text

# With or without a byte order mark.
UTF8 = "utf-8-sig"
# First bytes of UTF-16, which spreadsheets call "Unicode text".
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# Enough for the header. Numbers do not contain accents.
_HEAD_BYTES = 65536
MOST_TABLE_BYTES = 2**32
"""Maximum size of a table, which is read in parts: a hundred million points."""


def text_encoding(path: Path) -> str:
    """Return the encoding of a text file, for `open`.

    UTF-16 is recognised by its byte order mark. Files that are not UTF-16 or UTF-8 are read as
    Windows-1252, which western spreadsheets write. Other such encodings have the same digits.
    Raises ValueError if the file is not a text.
    """
    with open_regular(path, MOST_TABLE_BYTES) as stream:
        head = stream.read(_HEAD_BYTES)
    if head.startswith(_UTF16_MARKS):
        return "utf-16"
    if b"\0" in head:
        raise ValueError(f"{path} {BINARY}")
    try:
        # Incremental, because the last character may be cut.
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return "cp1252"
    return UTF8


def not_utf8(path: Path) -> str:
    """Return the message for a file that is not UTF-8, with its probable encoding and a remedy."""
    try:
        coding = "UTF-16" if text_encoding(path) == "utf-16" else "WINDOWS-1252"
    except ValueError as problem:
        return str(problem)
    return (
        f"{path} is not UTF-8, but probably {coding}: save it as 'CSV UTF-8', or convert it with "
        f"`iconv -f {coding} -t UTF-8 {path.name} > utf8_{path.name}`"
    )


def _comma_in(text: str, problem: tomllib.TOMLDecodeError) -> str:
    """Return the remedy if the invalid line contains a number with a decimal comma."""
    match = re.search(r"line (\d+)", str(problem))
    line = text.split("\n")[int(match[1]) - 1] if match else ""
    value = line.partition("=")[2]
    return point_for_comma(value.partition("#")[0].strip())


# First bytes of FMUs and other zip archives.
_ARCHIVE = b"PK\x03\x04"
# By kind of a TOML file: its characteristic section, its name, and the remedy.
_KINDS = {
    "table": ("", "a table", ""),  # has no sections
    "case": ("case", "a case", "run it with `wearfmu run`, `life` or `fit`"),
    "sweep": ("sweep", "a sweep", "run it with `wearfmu sweep`"),
    "structure": (
        "modes",
        "a structure file",
        "check it with `wearfmu structure`, or use it in a case with "
        'fmu = "ModalShock" and structure = "{name}" under [case]',
    ),
}


def toml_content(path: Path, kind: str) -> dict[str, Any]:
    """Return the content of a TOML file. `kind` is a key of `_KINDS`. Sections are not checked.

    Raises CaseError if it cannot be read, is not TOML in UTF-8, or is of another kind.
    """
    content = _any_toml(path)
    if _KINDS[kind][0] not in content:
        for section, found, remedy in _KINDS.values():
            if section in content:
                raise CaseError(
                    f"{path} is {found}, not {_KINDS[kind][1]}: {remedy.format(name=path.name)}"
                )
    return content


def require_table(path: Path) -> None:
    """Raise CaseError if a file that must be a table has the suffix of a TOML file."""
    if path.suffix.lower() == ".toml":
        toml_content(path, "table")
        raise CaseError(f"{path} is a TOML file, not a table")


def _any_toml(path: Path) -> dict[str, Any]:
    try:
        with open_regular(path) as stream:
            if stream.read(len(_ARCHIVE)) == _ARCHIVE:
                raise CaseError(
                    f"{path} is an archive, not a text file: run an FMU with a case that has fmu = "
                    f'"{path.name}" under [case], or check it with `wearfmu doctor`'
                )
        text = read_text(path)
        return tomllib.loads(text)
    except OSError as problem:
        raise CaseError(f"{path}: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise CaseError(not_utf8(path)) from None
    except tomllib.TOMLDecodeError as problem:
        if path.suffix.lower() in RECORD_SUFFIXES:
            remedy = f"if it is a record, use `wearfmu run --input {path.name}`"
            raise CaseError(f"{path} is a table, not a TOML file: {remedy}") from None
        raise CaseError(f"{path} is not a TOML file: {problem}{_comma_in(text, problem)}") from None
    except RecursionError:
        raise CaseError(f"{path} is not a TOML file: too many nested levels") from None
