"""The journal of a sweep: rows that are computed, safe on the disk, whatever happens next.

A text file of JSON lines that only grows: first what it belongs to, then one line a batch. A line
is forced to the disk before it counts; a process that dies while it writes one leaves a torn last
line, which the next one cuts off.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from harness.errors import CaseError
from harness.sweep.batch import Row

try:
    import fcntl
except ImportError:  # Windows: two sweeps at once on one journal are not noticed there
    fcntl = None  # type: ignore[assignment]


class Journal:
    """An open journal; `rows` holds what it knows, by the number of the point."""

    def __init__(self, path: Path, stream: BinaryIO, rows: dict[int, Row]) -> None:
        self.path = path
        self.rows = rows
        self._stream = stream

    def append(self, rows: Mapping[int, Row]) -> None:
        """Add the rows of a batch; on return they are on the disk."""
        batch = [[number, row.values, row.failure] for number, row in rows.items()]
        _write_line(self._stream, {"rows": batch})
        self.rows.update(rows)


@contextmanager
def open_journal(path: Path, digest: str) -> Iterator[Journal]:
    """Open the journal of a sweep, or begin it.

    Parameters
    ----------
    path : Path
        Its file.
    digest : str
        Of all that the rows depend on.

    Raises
    ------
    CaseError
        If the journal is of another sweep, damaged, or in use by another process.
    OSError
        If it cannot be written.
    """
    with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b") as stream:
        if fcntl is not None:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise CaseError(f"{path}: another process is at this sweep") from None
        yield Journal(path, stream, _read(path, stream, digest))


def _read(path: Path, stream: BinaryIO, digest: str) -> dict[int, Row]:
    """Return the rows of whole lines, and leave the stream behind the last of them."""
    lines = stream.read().split(b"\n")
    torn = lines.pop()  # what follows the last end of a line: nothing, or a line cut short
    if torn:
        stream.seek(-len(torn), os.SEEK_END)
        stream.truncate()
    if not lines:
        _write_line(stream, {"digest": digest})
        _force_name(path)
        return {}
    try:
        head, *batches = (json.loads(line) for line in lines)
        found = head["digest"]
        rows = {
            number: Row(tuple(values), failure)
            for batch in batches
            for number, values, failure in batch["rows"]
        }
    except (ValueError, KeyError, TypeError) as problem:
        raise CaseError(
            f"{path}: is damaged ({problem}): remove it to start the sweep anew"
        ) from None
    if found != digest:
        raise CaseError(
            f"{path}: belongs to this sweep as it was before the sweep file, its case, a data "
            "file, the FMU or wearfmu changed: take the change back to go on, or remove the "
            "journal to start anew"
        )
    return rows


def _write_line(stream: BinaryIO, content: Mapping[str, Any]) -> None:
    stream.write(json.dumps(content, allow_nan=False).encode() + b"\n")
    stream.flush()
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
