"""Files that a command writes: looked at before its work, whole or untouched after it.

No file that a command reads is ever written, however its name is spelt. A file is written beside
its place and moved there when all of it is on the disk; until then, what was there stands. Pipes
and devices are written as they are.
"""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from harness.errors import UsageError

# A folder that takes no new file may still hold one that can be written.
_NO_NEW_FILE = (errno.EACCES, errno.EPERM, errno.EROFS)
# What cannot be replaced: a file that is mounted by itself.
_NOT_REPLACED = (errno.EBUSY, errno.EXDEV)
_STANDARD_STREAMS = ("/dev/stdin", "/dev/stdout", "/dev/stderr")


def require_outputs(outputs: Mapping[str, Path | None], *, read: Iterable[Path] = ()) -> None:
    """Make the folders of files to be written, and try that each can be; pipes are not tried.

    Parameters
    ----------
    outputs : mapping of str to Path
        The files by the option that names them; None where it is not given.
    read : iterable of Path
        All files that the command reads, directly or through one of them, and must not overwrite.

    Raises
    ------
    UsageError
        If a file is one that is read, or two options name the same, under whatever names; or it is
        a folder, or lies in a file, or is a symbolic link that leads nowhere.
    OSError
        If it cannot be written.
    """
    taken = {one: "the file that is read" for path in read for one in _identities(path)}
    for option, path in outputs.items():
        if path is None:
            continue
        identities = _identities(path)
        for one in identities:
            if one in taken:
                raise UsageError(f"{option} {path} is {taken[one]}; it must be another file")
        taken |= dict.fromkeys(identities, f"also that of {option}")
        if _is_stream(path):
            continue  # a reader would take the trial for all there is
        if path.is_dir():
            raise UsageError(f"{option} {path} is a folder and must be a file")
        _require_link(option, path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise UsageError(f"{option} {path}: one of its folders is a file") from None
        with _named(path):
            _try(Path(os.path.realpath(path)))


def require_folder(option: str, folder: Path) -> None:
    """Make a folder for files to be written.

    Raises
    ------
    UsageError
        If it is a file, or lies in one.
    OSError
        If it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise UsageError(f"{option} {folder}: it or one of its folders is a file") from None


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a new file to write, and move it into the place of `path` when that is done.

    The new file lies in the same folder and has the permissions of the one that it replaces. A
    symbolic link stays, and what it leads to is replaced. If the writing fails, `path` stands as it
    was. A pipe or a device is given as it is, and so is a file in a folder that takes no new one.

    Raises
    ------
    OSError
        If the file cannot be written; it names `path`.
    """
    with _named(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        part = None if _is_stream(path) else _new_file_beside(Path(os.path.realpath(path)))
        if part is None:
            yield path
            _go_on_behind(path)
            return
        try:
            yield part
            with part.open("rb+") as stream:
                os.fsync(stream.fileno())
            _move(part, Path(os.path.realpath(path)))
        finally:
            part.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text in UTF-8 with `replacing`; lines end as they do in it."""
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as stream:
        stream.write(text)


def write_json(path: Path, content: Mapping[str, Any], *, compact: bool = False) -> None:
    """Write an object as JSON with `write_text`, on one line where it is compact.

    Raises
    ------
    OSError
        If the file cannot be written.
    ValueError
        If a number is not finite, for which JSON has no form.
    """
    text = json.dumps(content, indent=None if compact else 1, allow_nan=False)
    write_text(path, text + "\n")


def _identities(path: Path) -> list[tuple[object, ...]]:
    """Return what all names of one file have in common, whether it is there or not."""
    identities: list[tuple[object, ...]] = [(os.path.realpath(path),)]
    with suppress(OSError):
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            return []  # one pipe or device serves many
        identities.append((status.st_dev, status.st_ino))
    return identities


def _is_stream(path: Path) -> bool:
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


def _require_link(option: str, path: Path) -> None:
    """Raise UsageError for a symbolic link by which no file can be made."""
    if not path.is_symlink():
        return
    end = os.path.realpath(path)
    if os.path.islink(end):
        raise UsageError(f"{option} {path} is a symbolic link that leads back to itself")
    if not os.path.isdir(os.path.dirname(end)):
        raise UsageError(f"{option} {path} is a symbolic link into a folder that is not there")


def _try(place: Path) -> None:
    """Raise OSError unless a file can be written; what is there stays as it is.

    One that is not there yet is not made: another process might be about to.
    """
    try:
        place.stat()
    except FileNotFoundError:
        part = _new_file_beside(place)
        if part is not None:
            part.unlink()
    else:
        place.open("ab").close()


def _new_file_beside(place: Path) -> Path | None:
    """Make an empty file in the folder of another; None if the folder takes no new file."""
    part = place.with_name(f".wearfmu-{secrets.token_hex(6)}.part")
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    except OSError as problem:
        if problem.errno in _NO_NEW_FILE and place.exists():
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
def _named(path: Path) -> Iterator[None]:
    """Let errors of the system name this file: a write names none, and parts are not known."""
    try:
        yield
    except BrokenPipeError:
        raise  # who reads has seen enough; see `harness.command_line`
    except OSError as problem:
        reason = problem.strerror or " ".join(str(problem).split())
        raise OSError(problem.errno or errno.EIO, reason, str(path)) from problem
