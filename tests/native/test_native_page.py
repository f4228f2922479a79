"""The script of docs/how_to/native_fmu.md runs as it stands there, and prints what stands there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "how_to" / "native_fmu.md"


def test_the_script_of_the_page_prints_what_it_says(native_fmu: Path, tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    (script,) = re.findall(r"^```python\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    (printed,) = re.findall(r"^```text\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    folder = tmp_path / "build" / "native"
    folder.mkdir(parents=True)
    (folder / "FrictionalShock.fmu").symlink_to(native_fmu)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60.0,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == printed
