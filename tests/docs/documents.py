"""Run the fenced blocks of a document in order and compare their output with the document.

A `sh` or `python` block runs in a folder with the cases and examples of the clone. The `text` block
after it contains its output. In a `text` block, a line `…` matches any number of lines, and `…`
inside a line matches any words.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
DOCUMENTS = [README, ROOT / "CONTRIBUTING.md", ROOT / "examples" / "README.md"]
DOCUMENTS += sorted((ROOT / "docs").rglob("*.md"))

# The commands of a document read these folders of the clone. A copy protects the originals.
_CLONE = ("harness/cases", "examples")
_SECONDS = 300.0


def blocks(document: Path) -> list[tuple[str, str]]:
    """Return language and text of the fenced blocks."""
    text = document.read_text(encoding="utf-8")
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def commands(document: Path, program: str) -> Iterator[str]:
    """Yield the command lines of a program: in blocks, with continuation lines, and in the text."""
    text = document.read_text(encoding="utf-8").replace("\\\n", " ")
    fenced = re.findall(r"^```(?:sh|console)?\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    indented = re.findall(rf"^    ({program} .*)$", text, re.MULTILINE)
    for line in "\n".join([*fenced, *indented]).splitlines():
        if match := re.match(rf"(?:\$ )?({program}(?: [^#|>]*)?)", line.strip()):
            yield match[1].strip()
    yield from re.findall(rf"`({program} [^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.S))


def run_document(
    document: Path, folder: Path, printed_before: Mapping[str, Path] | None = None
) -> int:
    """Run the blocks in a folder, compare their output, and return the number of compared outputs.

    The command lines in `printed_before` are not run again. Their files contain the output.
    """
    for place in _CLONE:
        shutil.copytree(ROOT / place, folder / place, ignore=shutil.ignore_patterns("__pycache__"))
    environment = {
        **os.environ,
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
        "PYTHONIOENCODING": "utf-8",
        "COLUMNS": "100",
    }
    printed, compared = "", 0
    for language, text in blocks(document):
        if language == "text":
            assert shows(text, printed), f"{document.name} shows\n{text}\nprinted is\n{printed}"
            compared += 1
        if language not in ("sh", "python") or "pip install" in text:
            continue  # test_wheel.py tests the installation
        for line, output in (printed_before or {}).items():
            text = re.sub(rf"^{re.escape(line)}$", f"cat '{output}'", text, flags=re.MULTILINE)
        command = {
            "sh": ["bash", "-euo", "pipefail", "-c", text],
            "python": [sys.executable, "-c", text],
        }[language]
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=_SECONDS,
        )
        assert done.returncode == 0, f"{document.name}:\n{text}\n{done.stdout}{done.stderr}"
        printed = done.stdout
    return compared


def shows(shown: str, printed: str) -> bool:
    """Whether an abridged output matches the printed one, apart from the widths of columns."""
    pattern = ""
    for line in shown.splitlines():
        if line.strip() == "…":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += re.escape(_words(line)).replace("…", ".*") + r"\n"
    printed = "".join(f"{_words(line)}\n" for line in printed.splitlines())
    return re.fullmatch(pattern, printed) is not None


def _words(line: str) -> str:
    return " ".join(re.sub("─+", "─", line).split())
