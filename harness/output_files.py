"""Files that a command is to write, looked at before its work instead of after."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from harness.errors import UsageError


def require_outputs(outputs: Mapping[str, Path | None], *, read: Iterable[Path] = ()) -> None:
    """Make the folders of files to be written, and try that each can be; pipes are not tried.

    Parameters
    ----------
    outputs : mapping of str to Path
        The files by the option that names them; None where it is not given.
    read : iterable of Path
        Files that the command reads and must not overwrite.

    Raises
    ------
    UsageError
        If a file is one that is read, or two options name the same, or it is a folder, or lies
        in a file.
    OSError
        If it cannot be written.
    """
    taken = {path.resolve(): "the file that is read" for path in read}
    for option, path in outputs.items():
        if path is None:
            continue
        place = path.resolve()
        if place in taken:
            raise UsageError(f"{option} {path} is {taken[place]}; it must be another file")
        if place.is_dir():
            raise UsageError(f"{option} {path} is a folder and must be a file")
        taken[place] = f"also that of {option}"
        is_new = not path.exists()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise UsageError(f"{option} {path}: one of its folders is a file") from None
        if not is_new and not path.is_file():
            continue  # a pipe, whose reader would take the trial for all there is
        path.open("ab").close()
        if is_new:
            path.unlink()
