"""Files that a command writes: looked at before its work, whole or untouched after it.

No file that a command reads is ever written, however its name is spelt, and no file is replaced
that the same option did not write, unless the user forces it. `wearmodel.written_files` writes.
"""

from __future__ import annotations

import itertools
import json
import logging
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias

from harness.errors import UsageError
from harness.optional_library import optional_module
from harness.output_kinds import OutputKind
from wearmodel import written_files
from wearmodel.written_files import is_stream, require_writable

__all__ = ["replacing", "require_folder", "require_outputs", "write_json", "write_text"]

_log = logging.getLogger(__name__)


Outputs: TypeAlias = Mapping[str, tuple[Path | None, OutputKind]]
"""Files to be written and their forms, by the option that names them; None if it is not given."""

# What may be written, by the real path: a file may appear while a command works.
_allowed: dict[str, OutputKind] = {}


def require_outputs(outputs: Outputs, *, read: Iterable[Path] = (), force: bool = False) -> None:
    """Make the folders of files to be written, and try that each can be; pipes are not tried.

    Parameters
    ----------
    outputs : mapping of str to a Path and an OutputKind
        The files and their forms, by option.
    read : iterable of Path
        All files that the command reads, directly or through one of them, and must not overwrite.
    force : bool
        Whether a file of another form is replaced, and any suffix taken: the option `--force`.

    Raises
    ------
    UsageError
        If a file is one that is read, or two options name the same, under whatever names; or it is
        a folder, or lies in a file, or is a symbolic link that leads nowhere; without `force` also
        if its suffix is not one of its form, or what is there has another form.
    MissingLibraryError
        If the library that writes it is not installed.
    OSError
        If it cannot be written.
    """
    taken = {identity: "the file that is read" for path in read for identity in _identities(path)}
    _allowed.clear()
    for option, (path, kind) in outputs.items():
        if path is None:
            continue
        if kind.library:
            optional_module(kind.library, option)
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
        if not force:
            _require_kind(option, path, kind)
            _allowed[os.path.realpath(path)] = kind
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise UsageError(f"{option} {path}: one of its folders is a file") from None
        require_writable(path)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a new file to write, as `wearmodel.written_files.replacing`.

    If another file has appeared under its name since `require_outputs`, the new one gets a name
    that is free, which is logged: the work of hours is not lost, and neither is that file.
    """
    kind = _allowed.get(os.path.realpath(path))
    is_free = kind is None or is_stream(path)
    with suppress(OSError):  # what cannot be read is not replaced
        is_free = is_free or (kind is not None and kind.has(path))
    if not is_free:
        free = (path.with_name(f"{path.stem}-{n}{path.suffix}") for n in itertools.count(2))
        other = next(place for place in free if not os.path.lexists(place))
        _log.warning("note: %s was written by another program meanwhile: see %s", path, other)
        path = other
    with written_files.replacing(path) as part:
        yield part


def write_text(path: Path, text: str) -> None:
    """Write a text in UTF-8 with `replacing`, as `wearmodel.written_files.write_text`."""
    with replacing(path) as part:
        part.write_bytes(written_files.encoded(text))


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


def _require_kind(option: str, path: Path, kind: OutputKind) -> None:
    """Raise UsageError for another suffix than the option's, or a file that it did not write."""
    if path.suffix.lower() not in kind.suffixes:
        suffixes = " or ".join(kind.suffixes)
        raise UsageError(
            f"{option} {path} must end in {suffixes}: choose such a name, or add --force"
        )
    if not kind.has(path):
        raise UsageError(
            f"{option} {path} exists and was not written by {option}: choose another file, or add "
            "--force to replace it"
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
