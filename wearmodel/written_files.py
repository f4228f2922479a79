"""Atomic writing of files: after an interruption the previous file is unchanged.

A file is written next to its target under a random name, and then moved to it. Pipes and devices
are written directly.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

# Errors of a folder in which files cannot be created. Its files may still be writable.
_NO_NEW_FILE = (errno.EACCES, errno.EPERM, errno.EROFS)
# Errors of files that cannot be replaced, such as a mount point.
_NOT_REPLACED = (errno.EBUSY, errno.EXDEV)
#: Error numbers of a write. Such errors do not contain the name of the file.
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

_STANDARD_STREAMS = ("/dev/stdin", "/dev/stdout", "/dev/stderr")
# Flags of the temporary file: new, not a link, and binary on Windows.
_NEW_FILE = (
    os.O_WRONLY
    | os.O_CREAT
    | os.O_EXCL
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


@contextmanager
def replacing(path: Path, *, is_ours: bool = False) -> Iterator[Path]:
    """Yield a new file to write, and replace `path` by it at the end.

    The new file is in the same folder and has the permissions of the replaced file. The target of
    a symbolic link is replaced, and the link is kept. If writing fails, `path` is unchanged. Pipes,
    devices and files in a folder without write permission are written directly.

    `is_ours` means that this program chose the name, for example of an FMU or a file in a cache. A
    link of this name is then replaced itself, and the new file has default permissions. OSError
    with the name `path` if the file cannot be written.
    """
    with named(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        place = path if is_ours else Path(os.path.realpath(path))
        part = None if not is_ours and is_stream(path) else _new_file_beside(place, is_ours)
        if part is None:
            yield path
            _go_on_behind(path)
            return
        try:
            yield part
            with part.open("rb+") as stream:
                os.fsync(stream.fileno())
            if is_ours:
                part.replace(place)
            else:
                _move(part, Path(os.path.realpath(path)))
        finally:
            part.unlink(missing_ok=True)


def distrust(status: os.stat_result) -> str | None:
    """Return why the content of a file or folder must not be executed, if there is a reason.

    It must belong to this user and must not be writable by others. This is not checked on Windows,
    because other users cannot write to a user's folders.
    """
    if os.name != "posix":
        return None
    if status.st_uid != os.geteuid():
        return "belongs to another user"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "can be written by other users"
    return None


def write_text(path: Path, text: str) -> None:
    """Write a text, `encoded`, with `replacing` and unchanged line ends."""
    with replacing(path) as part:
        part.write_bytes(encoded(text))


def encoded(text: str) -> bytes:
    """Return a text in UTF-8. Bytes of a file name that are not UTF-8 become \\udcXX."""
    return text.encode("utf-8", "backslashreplace")


def is_stream(path: Path) -> bool:
    """Whether this is a pipe, a device, or the name of an open file of this process."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    name = os.path.abspath(path)
    return (
        not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
        or name in _STANDARD_STREAMS
        or re.fullmatch(r"/proc/\w+/fd", os.path.realpath(os.path.dirname(name))) is not None
    )


def require_writable(path: Path) -> None:
    """Raise OSError unless a file can be written by `replacing`. An existing file is unchanged.

    A missing file is not created, because another process might be about to create it.
    """
    place = Path(os.path.realpath(path))
    with named(path):
        try:
            place.stat()
        except FileNotFoundError:
            part = _new_file_beside(place)
            if part is not None:
                part.unlink()
        else:
            place.open("ab").close()


def _new_file_beside(place: Path, is_ours: bool = False) -> Path | None:
    """Create an empty file beside `place`. None if `place` must be written directly."""
    part = place.with_name(f".wearfmu-{secrets.token_hex(6)}.part")
    try:
        os.close(os.open(part, _NEW_FILE, 0o666))
    except OSError as problem:
        if problem.errno in _NO_NEW_FILE and place.exists() and not is_ours:
            return None
        raise
    return part


def _move(part: Path, place: Path) -> None:
    """Replace the file `place` by `part` and keep its permissions and owner."""
    if place.exists():
        place.open("ab").close()  # a file that must not be written must not be replaced
        status = place.stat()
        part.chmod(stat.S_IMODE(status.st_mode))
        if hasattr(os, "chown"):
            with suppress(OSError):
                os.chown(part, status.st_uid, status.st_gid)
    try:
        part.replace(place)
    except OSError as problem:
        if problem.errno not in _NOT_REPLACED:
            raise
        shutil.copyfile(part, place)


def _go_on_behind(path: Path) -> None:
    """Move standard output behind the written text if both use the same regular file."""
    with suppress(OSError, ValueError):
        if os.path.samestat(os.stat(path), os.fstat(1)) and stat.S_ISREG(os.fstat(1).st_mode):
            os.lseek(1, 0, os.SEEK_END)


@contextmanager
def named(path: Path, *, unnamed_only: bool = False) -> Iterator[None]:
    """Add the name of this file to errors of the system, such as errors of a write.

    With `unnamed_only` the name of a file in an error is kept.
    """
    try:
        yield
    except BrokenPipeError:
        raise  # the reader has closed the pipe, see `harness.command_line`
    except OSError as problem:
        if unnamed_only and (problem.filename is not None or problem.errno not in FULL):
            raise
        reason = problem.strerror or " ".join(str(problem).split())
        raise OSError(problem.errno or errno.EIO, reason, str(path)) from problem
