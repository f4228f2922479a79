"""The reference cases of the package."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from harness.case.case_file import CASE_FILE_NAME
from harness.errors import CaseError
from harness.messages import nearest


def shipped_cases() -> dict[str, Path]:
    """Return the case files by name, sorted."""
    folder = Path(str(files("harness"))) / "cases"
    return {file.parent.name: file for file in sorted(folder.glob(f"*/{CASE_FILE_NAME}"))}


def case_file(selector: str) -> Path:
    """Return the case file for the name of a shipped case, a file or a folder.

    Raises CaseError with the nearest name if it does not exist.
    """
    shipped = shipped_cases()
    if selector in shipped:
        return shipped[selector]
    path = Path(selector)
    if path.is_dir():
        if not (path / CASE_FILE_NAME).is_file():
            raise CaseError(f"{selector}: is a folder without {CASE_FILE_NAME}")
        return path / CASE_FILE_NAME
    if path.is_file():
        return path
    if path.suffix == ".toml":
        raise CaseError(f"{selector}: No such file or directory{nearest(path.stem, shipped)}")
    remedy = nearest(selector, shipped) or ": `wearfmu list` prints the names"
    raise CaseError(f"{selector}: must be a shipped case or a case file{remedy}")
