"""The reference cases that come with the package, found beside the installed code."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from harness.case import CASE_FILE_NAME
from harness.errors import CaseError
from harness.schema import nearest


def shipped_cases() -> dict[str, Path]:
    """Return the case files by name, sorted."""
    folder = Path(str(files("harness"))) / "cases"
    return {file.parent.name: file for file in sorted(folder.glob(f"*/{CASE_FILE_NAME}"))}


def case_file(selector: str) -> Path:
    """Return the file of a case given by shipped name, by its file or by its folder.

    Raises
    ------
    CaseError
        If it is none of them.
    """
    shipped = shipped_cases()
    if selector in shipped:
        return shipped[selector]
    path = Path(selector)
    if path.is_dir():
        path = path / CASE_FILE_NAME
    if not path.is_file():
        raise CaseError(
            f"{selector}: is neither a shipped case nor a case file{nearest(selector, shipped)}"
        )
    return path
