"""Checks of the archive of an FMU before it is unpacked."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from harness.errors import FmuError
from wearmodel.read_files import open_regular

# Far above any FMU, and below the capacity of usual temporary folders.
_MOST_BYTES = 2 * 1024**3
_MOST_MEMBERS = 20_000


def require_unpackable(fmu: Path) -> None:
    """Raise FmuError unless the archive can be unpacked into a folder without filling the disk.

    Only its directory is read, because no member can yield more bytes than declared there.
    """
    try:
        with open_regular(fmu, _MOST_BYTES) as stream, zipfile.ZipFile(stream) as archive:
            members = archive.infolist()
    except OSError as problem:
        raise FmuError(f"{fmu}: {problem.strerror}") from None
    except Exception as problem:  # damaged archives raise many types of exceptions
        raise FmuError(f"{fmu}: cannot be read as an FMU: {problem}") from problem
    size = sum(member.file_size for member in members)
    if len(members) > _MOST_MEMBERS or size > _MOST_BYTES:
        raise FmuError(
            f"{fmu}: contains {len(members)} files of {size / 1e9:.3g} GB together; must be "
            f"≤ {_MOST_MEMBERS} files and ≤ {_MOST_BYTES / 1e9:.3g} GB"
        )
    # `ZipInfo` may change the name.
    reason = _name_problem([member.orig_filename for member in members])
    if reason is not None:
        raise FmuError(f"{fmu}: cannot be unpacked: {reason}")


def require_whole(fmu: Path) -> None:
    """Raise FmuError unless the checksums of all members of the archive are correct."""
    try:
        with zipfile.ZipFile(fmu) as archive:
            damaged = archive.testzip()
    except Exception as problem:  # as above
        raise FmuError(f"{fmu}: is damaged: {problem}") from problem
    if damaged is not None:
        raise FmuError(f"{fmu}: is damaged: the checksum of {damaged} is wrong")


def require_model_identifier(fmu: Path, identifier: str) -> None:
    """Raise FmuError unless the modelIdentifier can be the name of a library."""
    if not re.fullmatch(r"\w[\w.-]*", identifier):
        raise FmuError(
            f"{fmu}: modelIdentifier {identifier!r} must be a C identifier: letters, digits and _"
        )


def _name_problem(names: Iterable[str]) -> str | None:
    """Return why files of these names cannot be unpacked into one folder, or None if they can."""
    files: set[str] = set()
    folders: set[str] = set()
    for name in names:
        parts = name.rstrip("/").split("/")
        if not name.isprintable() or re.search(r"[\\:]", name):
            return f"the name {name!r} contains a backslash, a colon or a control character"
        if name.startswith("/") or ".." in parts:
            return f"{name!r} is a path outside the FMU"
        path = str(PurePosixPath(name))
        if name.endswith("/"):
            folders.add(path)
        elif path in files:
            return f"there are two files {name!r}"
        else:
            files.add(path)
        folders.update(str(parent) for parent in PurePosixPath(name).parents)
    clash = min(files & folders, default=None)
    return None if clash is None else f"{clash!r} is both a file and a folder"
