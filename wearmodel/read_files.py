"""Opening of files that a user names: regular files of limited size, without blocking.

A device may be endless, and opening a pipe may block. All errors are OSError with the path and a
reason in the style of the operating system. The FMU uses this module too.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

#: Largest size of a file that is read as a whole, such as a case with ten million points.
MOST_BYTES = 2**28
# A zero byte in the first bytes shows that a file is not a text.
_HEAD_BYTES = 2**16
# Do not block if a pipe replaces the file in the meantime, and do not convert line ends.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def open_regular(path: Path | str, most_bytes: int = MOST_BYTES) -> BinaryIO:
    """Open a regular file of at most `most_bytes` for reading.

    OSError if it cannot be opened, is not a regular file, or is larger.
    """
    _require_regular(path, os.stat(path), most_bytes)
    descriptor = os.open(path, _FLAGS)
    try:
        _require_regular(path, os.fstat(descriptor), most_bytes)
        return open(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_text(path: Path | str) -> str:
    """Return a text in UTF-8, without its byte order mark.

    Raises
    ------
    OSError
        As `open_regular`, or the file contains a zero byte and is not a text.
    UnicodeDecodeError
        The file is not UTF-8.
    """
    with open_regular(path) as stream:
        content = stream.read(_HEAD_BYTES)
        if b"\0" not in content:
            content += stream.read(MOST_BYTES)
    if b"\0" in content:
        raise OSError(errno.EINVAL, "it is not a text file", os.fspath(path))
    return content.decode("utf-8-sig")


def _require_regular(path: Path | str, status: os.stat_result, most_bytes: int) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, "is a folder: give a file", os.fspath(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", os.fspath(path))
    if status.st_size > most_bytes:
        size, most = status.st_size / 1e9, most_bytes / 1e9
        raise OSError(
            errno.EFBIG, f"it has {size:.3g} GB and must have ≤ {most:.3g} GB", os.fspath(path)
        )
