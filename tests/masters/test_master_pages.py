"""The scripts in docs/masters run unchanged and print the documented results."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .cases import CASES
from .roster import MASTERS, masters_of

PAGES = Path(__file__).parents[2] / "docs" / "masters"
TRIED = ("index", "fmpy", "libcosim", "ecos", "fmucontainer", "pathsim", "c_host")

# Name of the file to which the user saves a block of the page.
C_FILE = "shoe.c"


def blocks(page: str) -> list[tuple[str, str]]:
    """Return language and text of the fenced code blocks of a page."""
    text = (PAGES / f"{page}.md").read_text(encoding="utf-8")
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", TRIED)
def test_the_scripts_of_the_page_print_what_it_says(page, fmu_folder, tmp_path):
    for name in ("BaseMotion.fmu", "FrictionalShock.fmu"):
        (tmp_path / name).symlink_to(fmu_folder / name)
    (tmp_path / "harness").symlink_to(PAGES.parents[1] / "harness")
    # As in the root of a clone.
    environment = {
        **os.environ,
        "PYTHONPATH": str(PAGES.parents[1]),
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
    }
    printed = ""
    compared = 0
    for language, text in blocks(page):
        if language == "text":
            assert printed == text
            compared += 1
        elif language == "c":
            (tmp_path / C_FILE).write_text(text, encoding="utf-8")
        else:
            command = {
                "python": [sys.executable, "-W", "error", "-c", text],
                "sh": ["bash", "-euo", "pipefail", "-c", text],
            }[language]
            done = subprocess.run(
                command,
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
                timeout=60.0,
            )
            assert done.returncode == 0, done.stderr
            # Masters may log before the last line of the script.
            printed = "".join(done.stdout.splitlines(keepends=True)[-1:])
    assert compared > 0


def test_every_page_is_reached_from_the_first():
    index = (PAGES / "index.md").read_text(encoding="utf-8")
    for page in PAGES.glob("*.md"):
        assert page.name == "index.md" or f"({page.name})" in index


@pytest.mark.parametrize(("page", "fmi"), [("table", 2), ("native_table", 2), ("fmi3_table", 3)])
def test_the_table_shows_every_master_and_no_failure(page, fmi):
    table = (PAGES / f"{page}.md").read_text(encoding="utf-8")
    rows = [line for line in table.splitlines() if line.startswith("| ")]
    assert [row.split("|")[1].split(" (")[0].strip() for row in rows[1:]] == [
        MASTERS[name].title for name in masters_of(fmi)
    ]
    assert [cell.strip() for cell in rows[0].split("|")[2:-1]] == [case.name for case in CASES]
    assert "failed" not in table
    assert "Not passed" not in table


def test_all_tables_show_the_same_errors():
    def errors(page: str) -> dict[str, list[str]]:
        text = (PAGES / f"{page}.md").read_text(encoding="utf-8")
        rows = [line.split("|") for line in text.splitlines() if line.startswith("| ")]
        return {row[1]: [cell.split(",")[0].strip() for cell in row[2:-1]] for row in rows[1:]}

    assert errors("table") == errors("native_table")
    assert errors("fmi3_table").items() <= errors("native_table").items()
