"""What the README says to type works, and prints what the README says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from .documents import README, ROOT, run_document


def test_the_readme_s_starts_run_and_print_what_it_shows(tmp_path: Path) -> None:
    assert run_document(README, tmp_path) == 4
    assert (tmp_path / "quake.html").exists()


def test_the_extras_of_the_installation_exist() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = README.read_text(encoding="utf-8")
    (installed,) = re.findall(r"pip install '\.\[(.*)\]'", text)
    (said,) = re.findall(r"The extras are optional: (.*)\.", text)
    named = set(re.findall(r"`(\w+)`", said.split(". On Windows")[0]))
    assert named >= set(installed.split(","))
    assert named <= set(project["optional-dependencies"])
