"""The one writer of files: whole or untouched, whatever happens meanwhile.

A file is written beside its place, under a name that nobody can foresee, and moved there when all
of it is on the disk; until then, what was there stands. Pipes and devices are written as they are.
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

# A folder that takes no new file may still hold one that can be written.
_NO_NEW_FILE = (errno.EACCES, errno.EPERM, errno.EROFS)
# What cannot be replaced: a file that is mounted by itself.
_NOT_REPLACED = (errno.EBUSY, errno.EXDEV)
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Error numbers of a write, which names no file."""

_STANDARD_STREAMS = ("/dev/stdin", "/dev/stdout", "/dev/stderr")
# Of the file beside: new, and no link; as it is, on Windows.
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
    """Give a new file to write, and move it into the place of `path` when that is done.

    The new file lies in the same folder and has the permissions of the one that it replaces. A
    symbolic link stays, and what it leads to is replaced. If the writing fails, `path` stands as it
    was. A pipe or a device is given as it is, and so is a file in a folder that takes no new one.

    Parameters
    ----------
    path
        The file.
    is_ours
        Whether its name is made here and nobody chose it, as that of an FMU or of what a cache
        keeps. What has that name is then replaced itself, whatever it is: a link that somebody
        put there leads nowhere. The new file has the permissions of any new file.

    Raises
    ------
    OSError
        If the file cannot be written; it names `path`.
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
    """Return why what a file or folder holds must not be run; None where it may be.

    Only this user can have written what belongs to this user and cannot be written by others. On
    Windows, where folders of a user are closed to others, nothing is looked at.
    """
    if os.name != "posix":
        return None
    if status.st_uid != os.geteuid():
        return "belongs to another user"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "can be written by other users"
    return None


def write_text(path: Path, text: str) -> None:
    """Write a text, `encoded`, with `replacing`; lines end as they do in it."""
    with replacing(path) as part:
        part.write_bytes(encoded(text))


def encoded(text: str) -> bytes:
    """Return a text in UTF-8; bytes of a file name that are not UTF-8 are written as \\udcXX."""
    return text.encode("utf-8", "backslashreplace")


def is_stream(path: Path) -> bool:
    """Whether this is a pipe or a device, or a name of what this process has open already."""
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
    """Raise OSError unless a file can be written by `replacing`; what is there stays as it is.

    One that is not there yet is not made: another process might be about to.
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
    """Make an empty file in the folder of another; None if one there must be written itself."""
    part = place.with_name(f".wearfmu-{secrets.token_hex(6)}.part")
    try:
        os.close(os.open(part, _NEW_FILE, 0o666))
    except OSError as problem:
        if problem.errno in _NO_NEW_FILE and place.exists() and not is_ours:
            return None
        raise
    return part


def _move(part: Path, place: Path) -> None:
    """Put a new file in the place of another, with the other's permissions and owner."""
    if place.exists():
        place.open("ab").close()  # one that must not be written must not be replaced
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
    """Let what is printed stand behind what was written, where both go into one regular file."""
    with suppress(OSError, ValueError):
        if os.path.samestat(os.stat(path), os.fstat(1)) and stat.S_ISREG(os.fstat(1).st_mode):
            os.lseek(1, 0, os.SEEK_END)


@contextmanager
def named(path: Path, *, unnamed_only: bool = False) -> Iterator[None]:
    """Let errors of the system name this file: a write names none, and parts are not known.

    With `unnamed_only` an error that names a file keeps that name.
    """
    try:
        yield
    except BrokenPipeError:
        raise  # who reads has seen enough; see `harness.command_line`
    except OSError as problem:
        if unnamed_only and (problem.filename is not None or problem.errno not in FULL):
            raise
        reason = problem.strerror or " ".join(str(problem).split())
        raise OSError(problem.errno or errno.EIO, reason, str(path)) from problem
