"""File formats written by the options of commands, and how each is recognised.

The header or a marker identifies the format, also in files of earlier versions.
"""

from __future__ import annotations

import os
import re
import zipfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from wearmodel.read_files import open_regular

_HEAD_BYTES = 2**16
# Provenance and footer of a report, which are followed by its scripts.
_TAIL_BYTES = 2**18
_ANY_SIZE = 2**63
# The command in the provenance of a JSON file or a report.
_COMMAND = re.compile(rb'(?:"|&#34;)arguments(?:"|&#34;): \[\s*(?:"|&#34;)(\w+)')


@dataclass(frozen=True)
class OutputKind:
    """A file format."""

    # Allowed endings of the name.
    suffixes: tuple[str, ...]
    # Recognises the format by the first and the last bytes of a file, and its path.
    marks: Callable[[bytes, bytes, Path], bool]
    # Optional module that writes it, or "".
    library: str = ""

    def has(self, path: Path, command: str = "") -> bool:
        """Whether the file is missing, empty, or of this format and not from another command."""
        if not path.exists():
            return True
        with open_regular(path, _ANY_SIZE) as stream:
            head = stream.read(_HEAD_BYTES)
            stream.seek(-min(_TAIL_BYTES, stream.seek(0, os.SEEK_END)), os.SEEK_END)
            tail = stream.read()
            by = _COMMAND.search(tail)
            is_own = not (by and command) or by[1].decode() == command
            return not head or (is_own and self.marks(head, tail, path))


def _begins(pattern: str, *suffixes: str) -> OutputKind:
    begin = re.compile(pattern.encode())
    return OutputKind(suffixes, lambda head, tail, path: begin.match(head) is not None)


def archive_member(path: Path, name: str) -> bytes:
    """Return the first bytes of a member of an archive, or b"" if it is missing."""
    with (
        suppress(OSError, ValueError, KeyError, zipfile.BadZipFile),
        zipfile.ZipFile(path) as archive,
        archive.open(name) as stream,
    ):
        return stream.read(_HEAD_BYTES)
    return b""


_TEXT = r'"(?:[^"\\]|\\.)*"'
_FILE = rf'\{{\s*"file": {_TEXT},\s*'

CASE_JSON = _begins(r'\{\s*"verdict": "', ".json")
SHAKING_JSON = _begins(rf'{_FILE}"fmu":', ".json")
POST_JSON = _begins(rf'{_FILE}"columns":', ".json")
BLOCKS_JSON = _begins(r'\{\s*"slope_degrees":', ".json")
LIFE_JSON = _begins(rf'\{{\s*"title": {_TEXT},\s*"file": {_TEXT},\s*"contact":', ".json")
SPREADS_JSON = _begins(r'\{\s*"shares":', ".json")
FIT_JSON = _begins(r'\{\s*"fitted": "', ".json")
FITTED_CASE = _begins(r"# Fitted by wearfmu fit", ".toml")
JUNIT = _begins(r'<\?xml [^>]*>\s*<testsuites>\s*<testsuite [^>]*package="wearfmu"', ".xml")
MOTION_TABLE = _begins(r"time \[s\],acceleration \[m/s2\]\n", ".csv")
FMPY_TABLE = _begins(r"time,base_acceleration\n", ".csv")
BLOCKS_CSV = _begins(r"record,(peak_acceleration_g,|failure\n)", ".csv")
LIFE_CSV = _begins(r"(contact,)?time,power,power_bar,", ".csv")
POINTS_CSV = _begins(r"(point|draw),[^\n]*\bfailure\r?\n", ".csv")
CSV_METADATA = _begins(r'\{\s*"@context": "http://www.w3.org/ns/csvw",', ".json")
STATISTICS_CSV = _begins(r"CALCUL,|RELATION,NOEUD,|span,duration,wear_work,", ".csv")
_HISTORY_CSV = _begins(r'time,([^\n]*[,."])?wear_work["\r\n,]', ".csv")
POINTS_PARQUET = OutputKind(
    (".parquet",),
    lambda head, tail, path: (
        head[:4] == b"PAR1" and re.search(rb"point|draw", tail) is not None and b"failure" in tail
    ),
)
REPORT = OutputKind(
    (".html",), lambda head, tail, path: b"<footer><p>wearfmu " in tail, "plotly.subplots"
)
PAGE = _begins(r"(?s)<!doctype html>.*<title>Friction, shock and wear</title>", ".html")
PACKAGE = OutputKind(
    (".ssp",),
    lambda head, tail, path: b'name="Shaken' in archive_member(path, "SystemStructure.ssd"),
)
FMU = OutputKind(
    (".fmu",), lambda head, tail, path: re.search(rb"wearfmu \w{64}$", tail) is not None
)


def is_fmu_of_another_tool(path: Path) -> bool:
    """Whether a file is an FMU with a readable description that another tool built."""
    description = archive_member(path, "modelDescription.xml")
    return description != b"" and b'generationTool="wearfmu' not in description


def history_csv(columns: Iterable[str] = ()) -> OutputKind:
    """Return the format of a history: a table with a wear work, or with the given columns."""
    names = ",".join(["time", *columns]).encode()

    def marks(head: bytes, tail: bytes, path: Path) -> bool:
        is_same = len(names) > len("time") and head.splitlines()[0] == names
        return is_same or _HISTORY_CSV.marks(head, tail, path)

    return replace(_HISTORY_CSV, marks=marks)


def points_table(path: Path) -> OutputKind:
    """Return the format of a table of points, from the suffix of its file."""
    return POINTS_PARQUET if path.suffix == POINTS_PARQUET.suffixes[0] else POINTS_CSV
