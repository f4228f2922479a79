"""What the README prints is what the commands print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def words(line: str) -> list[str]:
    """Words of a line; the width of a rule depends on the longest number in the table."""
    return re.sub("─+", "─", line).split()


def test_the_shown_output_of_validate_is_its_output(tmp_path: Path) -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "harness", "validate"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        check=True,
    ).stdout
    printed_lines = [words(line) for line in printed.splitlines()]
    shown = [line for line in blocks("text")[0].splitlines() if line not in ("", "…")]
    assert shown
    missing = [line for line in shown if words(line) not in printed_lines]
    assert missing == []


def test_the_python_example_runs_and_gives_wear() -> None:
    for example in blocks("python"):
        done = subprocess.run(
            [sys.executable, "-c", example], capture_output=True, text=True, check=True
        )
        # 12 s at a mean wear power near 15.3 W.
        assert 150.0 < float(done.stdout) < 200.0
