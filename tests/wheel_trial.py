"""Use a wheel and the folder `examples` in an empty environment: wall time and size of each step.

    python -m tests.wheel_trial build/wheel/wearfmu-….whl [--markdown FILE]

The environment and the examples are in a temporary folder without the rest of the clone. The
program prints the table, or writes it between the marks of a page. It stops if a command fails.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
CONSTRAINTS = ROOT / "constraints.txt"
_MARKED = re.compile(r"(<!-- wheel trial -->\n).*?(<!-- end -->)", re.DOTALL)
# The record of a shipped case, located by the Python of the environment.
_RECORD = (
    "import harness, pathlib; folder = pathlib.Path(harness.__file__).parent / 'cases'; "
    "print(folder / 'synthetic_quake' / 'acceleration.csv')"
)
COMMANDS = (
    "wearfmu validate",
    "wearfmu run --input {record} --set friction_coefficient=0.15 --csv run.csv",
    "wearfmu build --native",
    "wearfmu blocks {record} --yield 0.05,0.1,0.2 --csv blocks.csv",
    "wearfmu life examples/life_of_a_pad.toml --json life.json",
    "wearfmu fit examples/rig.toml --json fit.json",
)


def trial(wheel: Path, folder: Path) -> Iterator[tuple[str, float, int]]:
    """Run the steps in an empty folder. Yield each command, its wall time and its written bytes."""
    environment = folder / "environment"
    shutil.copytree(
        ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__")
    )
    install = [
        *(sys.executable, "-m", "pip", "--python", environment, "install", "--quiet"),
        *("--constraint", CONSTRAINTS, wheel),
    ]
    began, before = time.perf_counter(), _size(folder)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    subprocess.run(install, check=True)
    yield f"pip install {wheel.name}", time.perf_counter() - began, _size(folder) - before
    programs = environment / ("Scripts" if os.name == "nt" else "bin")
    found = subprocess.run(
        [programs / "python", "-c", _RECORD], capture_output=True, text=True, check=True, cwd=folder
    )
    record = found.stdout.strip()
    variables = {
        # Without the compiler and the caches of the current user.
        **{name: os.environ[name] for name in ("SYSTEMROOT", "TEMP") if name in os.environ},
        "PATH": str(programs),
        "HOME": str(folder),
        "WEARFMU_CACHE": str(folder / "cache"),
        "PYTHONIOENCODING": "utf-8",
    }
    for command in COMMANDS:
        program, *arguments = command.format(record=record).split(" ")
        began, before = time.perf_counter(), _size(folder)
        done = subprocess.run(
            [programs / program, *arguments],
            cwd=folder,
            env=variables,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        seconds = time.perf_counter() - began
        if done.returncode != 0:
            sys.exit(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        yield command.format(record="acceleration.csv"), seconds, _size(folder) - before


def _size(folder: Path) -> int:
    """Return the size of the files of a folder in bytes, without compiled Python."""
    paths = (path for path in folder.rglob("*") if "__pycache__" not in path.parts)
    return sum(path.lstat().st_size for path in paths if path.is_file())


def table(wheel: Path, rows: Sequence[tuple[str, float, int]]) -> str:
    """Return the table of the page, with the conditions of the measurement."""
    day = datetime.now(UTC).strftime("%d %B %Y").lstrip("0")
    release = ".".join(map(str, sys.version_info[:2]))
    load = f", load {os.getloadavg()[0]:.0f}" if hasattr(os, "getloadavg") else ""
    lines = [
        f"Measured on {day} with Python {release} on {os.cpu_count()} shared cores{load}. "
        f"The wheel has {wheel.stat().st_size / 1e6:.1f} MB.",
        "",
        "| step | wall time [s] | written [kB] |",
        "|---|---|---|",
        *(f"| `{step}` | {seconds:.1f} | {size / 1e3:,.1f} |" for step, seconds, size in rows),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print or write the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.wheel_trial", description=__doc__)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="page with the table")
    arguments = parser.parse_args()
    wheel = arguments.wheel.resolve()
    with tempfile.TemporaryDirectory() as folder:
        text = table(wheel, list(trial(wheel, Path(folder).resolve())))
    print(text)
    if arguments.markdown:
        page = arguments.markdown.read_text(encoding="utf-8")
        written = _MARKED.sub(lambda mark: f"{mark[1]}\n{text}\n{mark[2]}", page)
        arguments.markdown.write_text(written, encoding="utf-8")


if __name__ == "__main__":
    main()
