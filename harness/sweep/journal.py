"""The journal of a sweep, which stores computed rows on disk.

Each line of this text file contains a checksum and a JSON object. The first line identifies the
work, and each further line contains a batch. Lines are appended and synchronised to disk. If a
process was killed, its incomplete last line is removed. Lines with a wrong checksum are ignored. A
file is only written if its first line shows that it is a journal.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import Any

from harness.errors import CaseError
from harness.sweep.batch import Row
from wearmodel.written_files import named

_log = logging.getLogger(__name__)

try:
    import fcntl
except ImportError:  # on Windows, two sweeps with the same journal are not detected
    fcntl = None  # type: ignore[assignment]

_FORMAT = "wearfmu {work} 2"
# Work for which the user chooses the name of the journal.
_OTHER_NAME = {"sweep": ", or choose another sweep.output"}
# Flags of some systems: do not follow symbolic links, and do not change line breaks.
_AS_IT_IS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


class Journal:
    """An open journal. `rows` contains its rows by number of the point."""

    def __init__(self, path: Path, stream: FileIO, rows: dict[int, Row]) -> None:
        self.path = path
        self.rows = rows
        self._stream = stream

    def append(self, rows: Mapping[int, Row]) -> None:
        """Append the rows of a batch and synchronise them to disk."""
        batch = [[number, row.values, row.failure] for number, row in rows.items()]
        with named(self.path):
            _write(self._stream, _line({"rows": batch}))
        self.rows.update(rows)


@contextmanager
def open_journal(path: Path, digest: str, *, work: str = "sweep") -> Iterator[Journal]:
    """Open or begin the journal of a sweep, or of the work of another command.

    `digest` is the digest of all data that determine the rows.

    Raises CaseError if the file is not a journal, belongs to other work, or is used by another
    process. It is not changed. Raises OSError if it cannot be read or written. An interrupt tells
    how to resume.
    """
    # Unbuffered, because a buffered write that failed would be repeated when the file is closed.
    with open(_descriptor(path, work), "r+b", buffering=0) as stream:
        if fcntl is not None:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise CaseError(
                    f"{path.name} is used by another process, which computes this {work}"
                ) from None
        with named(path):
            batches = _read(path, stream, digest, work)
        rows: dict[int, Row] = {}
        damaged = 0
        for line in batches:
            try:
                batch = _content(line)["rows"]
            except ValueError:
                damaged += 1
            else:
                rows.update((number, Row(tuple(values), why)) for number, values, why in batch)
        if damaged:
            text = "note: %s: damaged lines: %d. Their points are computed again"
            _log.warning(text, path.name, damaged)
        try:
            yield Journal(path, stream, rows)
        except KeyboardInterrupt as problem:
            problem.args = (f"{path.name} keeps finished runs. Run the command again to resume",)
            raise


def _descriptor(path: Path, work: str) -> int:
    try:
        kind = path.lstat().st_mode
    except FileNotFoundError:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | _AS_IT_IS, 0o666)
    if not stat.S_ISREG(kind):
        problem = "is a symbolic link" if stat.S_ISLNK(kind) else "is not a regular file"
        raise _foreign(path, problem, work)
    return os.open(path, os.O_RDWR | _AS_IT_IS)


def _read(path: Path, stream: FileIO, digest: str, work: str) -> list[bytes]:
    """Return the complete lines after the first, and leave the stream at the end of the last."""
    head = _line({"journal": _FORMAT.format(work=work), "digest": digest})
    lines = stream.read().split(b"\n")
    torn = lines.pop()  # text after the last line break, empty if the last line is complete
    if not lines and head.startswith(torn):
        stream.seek(0)
        stream.truncate()
        _write(stream, head)
        _force_name(path)
        return []
    _require_head(path, (lines or [torn])[0], head, work)
    if torn:
        stream.seek(-len(torn), os.SEEK_END)
        stream.truncate()
    return lines[1:]


def _require_head(path: Path, line: bytes, head: bytes, work: str) -> None:
    """Raise CaseError unless this first line belongs to the journal of this work."""
    try:
        _content(line)
    except ValueError:
        raise _foreign(path, "does not have the first line of a journal", work) from None
    if line != head.removesuffix(b"\n"):
        raise CaseError(
            f"{path.name} was written before a change of the {work} file, its case, a data file, "
            "the FMU, wearfmu, Python or numpy: undo the change to resume, or delete the file "
            f"{path.name} to start again"
        )


def _foreign(path: Path, reason: str, work: str) -> CaseError:
    return CaseError(
        f"{path} {reason} and cannot be used as the journal of the {work}: move the file"
        f"{_OTHER_NAME.get(work, '')}"
    )


def _line(content: Mapping[str, Any]) -> bytes:
    text = json.dumps(content, allow_nan=False).encode()
    return f"{_checksum(text)} ".encode() + text + b"\n"


def _content(line: bytes) -> Any:
    """Return the content of a line, or raise ValueError for a wrong checksum."""
    checksum, _, text = line.partition(b" ")
    if checksum != _checksum(text).encode():
        raise ValueError("wrong checksum")
    return json.loads(text)


def _checksum(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:16]


def _write(stream: FileIO, line: bytes) -> None:
    left = line
    while left:
        left = left[stream.write(left) :]
    os.fsync(stream.fileno())


def _force_name(path: Path) -> None:
    """Synchronise the name of the file to disk too, on POSIX systems."""
    if os.name != "posix":
        return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
