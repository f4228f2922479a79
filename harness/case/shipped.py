"""The reference cases that come with the package, found beside the installed code."""

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
    """Return the file of a case given by shipped name, by its file or by its folder.

    Raises
    ------
    CaseError
        If it is none of them; with the nearest name, or where the names are.
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
    remedy = nearest(selector, shipped) or "; `wearfmu list` names the shipped ones"
    raise CaseError(f"{selector}: is neither a shipped case nor a case file{remedy}")
