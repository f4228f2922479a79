"""The journal of a sweep: rows that are computed, safe on the disk, whatever happens next.

A text file that only grows, a checksum and a JSON object a line: first what it belongs to, then one
line a batch. A line is forced to the disk before it counts; a process that dies while it writes one
leaves a torn last line, which the next one cuts off. A line whose checksum is wrong does not count.

Nothing is written into a file before its first line has shown that it is a journal.
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
except ImportError:  # Windows: two sweeps at once on one journal are not noticed there
    fcntl = None  # type: ignore[assignment]

_FORMAT = "wearfmu {work} 2"
# Where the user can choose the name.
_OTHER_NAME = {"sweep": ", or choose another sweep.output"}
# Flags that not every system knows: no symbolic link is followed, no line end is changed.
_AS_IT_IS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


class Journal:
    """An open journal; `rows` holds what it knows, by the number of the point."""

    def __init__(self, path: Path, stream: FileIO, rows: dict[int, Row]) -> None:
        self.path = path
        self.rows = rows
        self._stream = stream

    def append(self, rows: Mapping[int, Row]) -> None:
        """Add the rows of a batch; on return they are on the disk."""
        batch = [[number, row.values, row.failure] for number, row in rows.items()]
        with named(self.path):
            _write(self._stream, _line({"rows": batch}))
        self.rows.update(rows)


@contextmanager
def open_journal(path: Path, digest: str, *, work: str = "sweep") -> Iterator[Journal]:
    """Open the journal of a sweep or of other work, or begin it.

    Parameters
    ----------
    path : Path
        Its file.
    digest : str
        Of all that the rows depend on.
    work : str
        What it belongs to, in a word: the name of the command.

    Raises
    ------
    CaseError
        If the file is no journal, one of another sweep, or in use by another process; it stands
        as it is.
    OSError
        If it cannot be read or written.
    """
    # Unbuffered, or a write that failed would be tried and fail again where the file is closed.
    with open(_descriptor(path, work), "r+b", buffering=0) as stream:
        if fcntl is not None:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise CaseError(f"{path}: another process is at this {work}") from None
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
            said = "line is" if damaged == 1 else "lines are"
            _log.warning(
                "note: %s: %d %s damaged: the points are computed again", path, damaged, said
            )
        yield Journal(path, stream, rows)


def _descriptor(path: Path, work: str) -> int:
    try:
        kind = path.lstat().st_mode
    except FileNotFoundError:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | _AS_IT_IS, 0o666)
    if not stat.S_ISREG(kind):
        what = "a symbolic link" if stat.S_ISLNK(kind) else "no plain file"
        raise _foreign(path, f"is {what}", work)
    return os.open(path, os.O_RDWR | _AS_IT_IS)


def _read(path: Path, stream: FileIO, digest: str, work: str) -> list[bytes]:
    """Return the whole lines behind the first, and leave the stream behind the last of them."""
    head = _line({"journal": _FORMAT.format(work=work), "digest": digest})
    lines = stream.read().split(b"\n")
    torn = lines.pop()  # what follows the last end of a line: nothing, or a line cut short
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
    """Raise CaseError unless a file with this first line is the journal of this work."""
    try:
        _content(line)
    except ValueError:
        raise _foreign(path, "does not begin as a journal", work) from None
    if line != head.removesuffix(b"\n"):
        raise CaseError(
            f"{path}: belongs to this {work} as it was before the {work} file, its case, a data "
            "file, the FMU, wearfmu, Python or numpy changed: take the change back to go on, or "
            "remove the journal to start anew"
        )


def _foreign(path: Path, reason: str, work: str) -> CaseError:
    return CaseError(
        f"{path}: {reason}, and is left as it is; the {work}'s journal needs this name: move it "
        f"away{_OTHER_NAME.get(work, '')}"
    )


def _line(content: Mapping[str, Any]) -> bytes:
    text = json.dumps(content, allow_nan=False).encode()
    return f"{_checksum(text)} ".encode() + text + b"\n"


def _content(line: bytes) -> Any:
    """Return what a line holds, or raise ValueError if it is not as it was written."""
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
    """Bring the file's name to the disk too, where the system knows how."""
    if os.name != "posix":
        return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
