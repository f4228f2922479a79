"""Files that a command writes. They are checked before the run, and are complete or unchanged.

A command never overwrites a file that it reads, even under another name. It replaces only files
that the same option of the same command wrote, unless the user forces it. The module
`wearmodel.written_files` writes the files.
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
from harness.output_kinds import CSV_METADATA, OutputKind
from harness.provenance import SIDECAR, command, csv_metadata, note_files, provenance
from wearmodel import written_files
from wearmodel.written_files import is_stream, require_writable

__all__ = ["replacing", "require_folder", "require_outputs", "write_json", "write_text"]

_log = logging.getLogger(__name__)


Outputs: TypeAlias = Mapping[str, tuple[Path | None, OutputKind]]
"""Output files and their formats by option. The path is None if the option is not given."""

WRITTEN_BELOW = "WEARFMU_WRITTEN_BELOW"
"""Environment variable of a command that must not write outside of a folder."""

# Formats by real path, for files that appear while a command runs.
_allowed: dict[str, OutputKind] = {}
# CSV files of a command, which get a file of metadata.
_tables: set[str] = set()
# Results that existed before the command.
_older: set[str] = set()


def require_outputs(outputs: Outputs, *, read: Iterable[Path] = (), force: bool = False) -> None:
    """Make the folders of output files, and check that each file can be written.

    - `outputs`: the files and their formats, by option. Pipes are not checked.
    - `read`: all files that the command reads, directly or through another file
    - `force`: accept any suffix, and replace files of another format: the option `--force`

    Raises UsageError if a file is also read, is named by two options, is a folder or a symbolic
    link without target, or if its folder is a file. Without `force` its suffix must be right, and
    an existing file must have the same form. Raises MissingLibraryError if the library that writes
    it is not installed, and OSError if it cannot be written.
    """
    read = [*read]
    taken = {identity: "an input file" for path in read for identity in _identities(path)}
    _allowed.clear()
    given = {option: (path, kind) for option, (path, kind) in outputs.items() if path is not None}
    note_files(read, [path for path, _ in given.values()])
    tables = {
        option: path
        for option, (path, kind) in given.items()
        if ".csv" in kind.suffixes and not is_stream(path)
    }
    _tables.clear()
    _tables.update(map(os.path.realpath, tables.values()))
    given |= {
        f"{option}, metadata:": (path.with_name(path.name + SIDECAR), CSV_METADATA)
        for option, path in tables.items()
    }
    _older.clear()
    for option, (path, kind) in given.items():
        if kind.library:
            optional_module(kind.library, option)
        identities = _identities(path)
        for identity in identities:
            if identity in taken:
                raise UsageError(f"{option} {path} is {taken[identity]}: choose another file")
        taken |= dict.fromkeys(identities, f"also the file of {option}")
        below = os.environ.get(WRITTEN_BELOW)
        if below and not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(below)):
            raise UsageError(f"{option} {path} is outside of the folder of a repeated command")
        if is_stream(path):
            continue  # the reader would mistake the check for the whole output
        if path.is_dir():
            raise UsageError(f"{option} {path} is a folder and must be a file")
        _require_link(option, path)
        if not force:
            _require_kind(option, path, kind)
            _allowed[os.path.realpath(path)] = kind
        if kind is not CSV_METADATA and path.exists() and path.stat().st_size:
            _older.add(os.path.realpath(path))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise UsageError(f"{option} {path}: one of its folders is a file") from None
        require_writable(path)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a new file to write. See `wearmodel.written_files.replacing`.

    If another file has appeared with its name since `require_outputs`, the new file gets an unused
    name, which is logged. The result of a long run is not lost, and the other file is kept.
    """
    kind = _allowed.get(os.path.realpath(path))
    has_metadata = os.path.realpath(path) in _tables
    is_free = kind is None or is_stream(path)
    with suppress(OSError):  # an unreadable file is not replaced
        is_free = is_free or (kind is not None and kind.has(path, command()))
    if not is_free:
        free = (path.with_name(f"{path.stem}-{n}{path.suffix}") for n in itertools.count(2))
        other = next(place for place in free if not os.path.lexists(place))
        _log.warning(
            "note: another program has written %s meanwhile; the result is in %s", path, other
        )
        path = other
    with written_files.replacing(path) as part:
        yield part
    if os.path.realpath(path) in _older:
        _older.discard(os.path.realpath(path))
        _log.info("replaced %s", path)
    if has_metadata:
        with open(path, encoding="utf-8") as stream:
            metadata = csv_metadata(path, stream.readline().rstrip("\n"))
        write_text(path.with_name(path.name + SIDECAR), f"{json.dumps(metadata, indent=1)}\n")


def write_text(path: Path, text: str) -> None:
    """Write a text in UTF-8 with `replacing`. See `wearmodel.written_files.write_text`."""
    with replacing(path) as part:
        part.write_bytes(written_files.encoded(text))


def require_folder(option: str, folder: Path) -> None:
    """Make a folder for output files, or raise UsageError if it or its parent is a file."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise UsageError(f"{option} {folder} must be a folder, not a file or in a file") from None


def write_json(path: Path, content: Mapping[str, Any], *, compact: bool = False) -> None:
    """Write an object with its provenance as JSON, on one line if `compact`.

    Numbers that are not finite are errors.
    """
    content = {**content, "provenance": provenance(path)}
    text = json.dumps(content, indent=None if compact else 1, allow_nan=False)
    write_text(path, text + "\n")


def _identities(path: Path) -> list[tuple[object, ...]]:
    """Return the identities of a file, which are the same for all its names."""
    identities: list[tuple[object, ...]] = [(os.path.realpath(path),)]
    with suppress(OSError):
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            return []  # several options may write to the same pipe or device
        identities.append((status.st_dev, status.st_ino))
    return identities


def _require_kind(option: str, path: Path, kind: OutputKind) -> None:
    """Raise UsageError if the suffix is wrong or the existing file has another form."""
    if path.suffix.lower() not in kind.suffixes:
        suffixes = " or ".join(kind.suffixes)
        raise UsageError(
            f"{option} {path} must end in {suffixes}: choose such a name, or add --force"
        )
    if not kind.has(path, command()):
        author = " ".join(dict.fromkeys(filter(None, (command(), option))))
        raise UsageError(
            f"{option} {path} exists and was not written by {author}: choose another file, or "
            "replace it by --force"
        )


def _require_link(option: str, path: Path) -> None:
    """Raise UsageError if the path is a symbolic link whose target cannot be created."""
    if not path.is_symlink():
        return
    end = os.path.realpath(path)
    if os.path.islink(end):
        raise UsageError(f"{option} {path} is a symbolic link that leads back to itself")
    if not os.path.isdir(os.path.dirname(end)):
        raise UsageError(f"{option} {path} is a symbolic link into a folder that does not exist")
