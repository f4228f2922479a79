"""The scripts that reproduce defects of other programs print the documented output."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from .documents import ROOT

PAGES = sorted(one for one in (ROOT / "docs" / "upstream").glob("*.md") if one.stem != "README")


# These scripts need a C compiler or another master.
HOSTS = (
    "announced_events_are_passed_over",
    "booleans_are_left_out",
    "request_to_stop_is_passed_over",
)


def marked(page: Path) -> object:
    marks = pytest.mark.hosts if page.stem in HOSTS else ()
    return pytest.param(page, id=page.stem, marks=marks)


def block(page: str, language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)
    return str(found)


@pytest.mark.parametrize("page", [marked(page) for page in PAGES])
def test_a_reproduction_shows_the_defect(page, tmp_path):
    text = page.read_text(encoding="utf-8")
    program = tmp_path / "reproduction.py"
    program.write_text(block(text, "python"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(program)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    shown = [line for line in done.stdout.splitlines() if not line.startswith("[")]
    assert shown == block(text, "text").splitlines(), done.stderr
    crashes = "and ends with signal 11." in text
    assert done.returncode == (-11 if crashes else 0), done.stderr


def test_the_index_names_every_page():
    index = (ROOT / "docs" / "upstream" / "README.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"\((\w+)\.md\)", index)) == [page.stem for page in PAGES]
