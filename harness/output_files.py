"""Files that a command writes: looked at before its work, whole or untouched after it.

No file that a command reads is ever written, however its name is spelt. How files are written is
said in `wearmodel.written_files`.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from harness.errors import UsageError
from wearmodel.written_files import is_stream, replacing, require_writable, write_text

__all__ = ["replacing", "require_folder", "require_outputs", "write_json", "write_text"]


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
    taken = {identity: "the file that is read" for path in read for identity in _identities(path)}
    for option, path in outputs.items():
        if path is None:
            continue
        identities = _identities(path)
        for identity in identities:
            if identity in taken:
                raise UsageError(f"{option} {path} is {taken[identity]}; it must be another file")
        taken |= dict.fromkeys(identities, f"also that of {option}")
        if is_stream(path):
            continue  # a reader would take the trial for all there is
        if path.is_dir():
            raise UsageError(f"{option} {path} is a folder and must be a file")
        _require_link(option, path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise UsageError(f"{option} {path}: one of its folders is a file") from None
        require_writable(path)


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


def _require_link(option: str, path: Path) -> None:
    """Raise UsageError for a symbolic link by which no file can be made."""
    if not path.is_symlink():
        return
    end = os.path.realpath(path)
    if os.path.islink(end):
        raise UsageError(f"{option} {path} is a symbolic link that leads back to itself")
    if not os.path.isdir(os.path.dirname(end)):
        raise UsageError(f"{option} {path} is a symbolic link into a folder that is not there")
