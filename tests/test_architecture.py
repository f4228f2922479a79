"""The page on the architecture names files and folders that exist, in both pictures once each."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"


def paths(text: str) -> list[str]:
    """What stands as code and looks like a path in the clone."""
    return re.findall(r"`((?:wearmodel|fmu_src|harness|tests)/[\w/.]*)`", text)


def test_every_path_on_the_page_exists() -> None:
    named = paths(PAGE.read_text(encoding="utf-8"))
    assert len(named) > 40
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_a_picture_names_no_module_twice() -> None:
    pictures = PAGE.read_text(encoding="utf-8").split("\n## ")[1:]
    assert len(pictures) == 2
    for picture in pictures:
        modules = [path for path in paths(picture) if not path.endswith("/")]
        assert sorted(modules) == sorted(set(modules))


def test_the_page_names_every_folder_that_holds_modules() -> None:
    named = {path.rstrip("/") for path in paths(PAGE.read_text(encoding="utf-8"))}
    rooms = {
        module.parent.relative_to(ROOT).as_posix()
        for package in ("wearmodel", "fmu_src", "harness")
        for module in (ROOT / package).glob("*/__init__.py")
    }
    # Its modules move to tests/masters, out of the packages.
    assert sorted(rooms - named) == []
