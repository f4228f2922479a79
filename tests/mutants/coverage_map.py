"""The map from lines to the tests that execute them, stored in build/mutants/map.

Each test file has a map of its own, which is created again when the tests change. If the product
changes, all are created again unless the earlier map is adapted (see `carried_map`).
"""

from __future__ import annotations

import json
import os
import shutil
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from .chosen_tests import ChosenTests, arguments_for
from .line_map import LineMap
from .processes import Job, run_jobs
from .trees import FOLDER, MAP_FOLDER, ROOT, digest_of, environment

#: Folders of tests that decide about mutants. Other folders run external programs, the
#: documentation, pictures or benchmarks, and would be slow.
TEST_FOLDERS = (
    "tests/wearmodel",
    "tests/fmu_src",
    "tests/harness/records",
    "tests/harness/life",
    "tests/harness/blocks",
    "tests/harness/case",
    "tests/harness/fmu",
    "tests/harness/post",
    "tests/harness/shaking",
    "tests/harness/sweep",
    "tests/harness/fitting",
    "tests/harness/subcommands",
)
#: Also tests of the C++.
NATIVE_FOLDERS = ("tests/native", "tests/forms")
MARKERS = "not campaign and not hosts"
NATIVE_MARKERS = "not campaign"
# s of CPU time. Slower tests are not used. If a file takes longer, its last tests are not used.
LONGEST_TEST = 15.0
_LONGEST_FILE = 90.0


@dataclass
class CoverageMap:
    """Tests by line of a file, their CPU time, and tests by mutant of the C++."""

    seconds: dict[str, float] = field(default_factory=dict)
    #: Files of tests that have not been mapped.
    missing: list[str] = field(default_factory=list)
    lines: dict[str, dict[str, set[str]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(set))
    )

    def tests_at(self, file: str, line: int | str) -> set[str]:
        """Return tests that execute a line, or that reach a mutant of the C++ with this key."""
        return self.lines.get(file, {}).get(str(line), set())

    def tests_of_file(self, file: str) -> set[str]:
        """Return tests that execute any line of a file."""
        return set().union(*self.lines.get(file, {}).values())

    def in_order(self, tests: set[str]) -> list[str]:
        """Return the fastest test of each test file, then all others in order of time."""
        by_time = sorted(tests, key=lambda test: (self.seconds[test], test))
        first: dict[str, str] = {}
        for test in by_time:
            first.setdefault(test.partition("::")[0], test)
        chosen = set(first.values())
        return [*first.values(), *(test for test in by_time if test not in chosen)]


def test_files(folders: tuple[str, ...]) -> list[str]:
    """Return the test files in folders of the repository."""
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("test_*.py"))]
    return [path.relative_to(ROOT).as_posix() for path in paths]


def _place(file: str) -> Path:
    return MAP_FOLDER / f"{file.replace('/', '+')}.json"


def _is_made(file: str, product: str) -> bool:
    try:
        made = json.loads(_place(file).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return made["test_digest"] == digest_of(file) and product == made["product"]


def record(file: str, folder: Path, plugin: type[LineMap], markers: str) -> dict[str, Any]:
    """Run a file of tests and write its map."""
    target = folder / "lines.json"
    plugins = [ChosenTests(None, LONGEST_TEST), plugin(folder, target, _LONGEST_FILE)]
    code = pytest.main(arguments_for([file], markers), plugins)
    return {"code": int(code), "target": str(target)}


def make_map(
    files: list[str],
    tree: Path,
    product: str,
    workers: int,
    *,
    plugin: type[LineMap] = LineMap,
    markers: str = MARKERS,
) -> None:
    """Make the map of the files of tests that do not have one for the present sources."""
    missing = [file for file in files if not _is_made(file, product)]

    def job(file: str, number: int) -> Job:
        folder = FOLDER / "jobs" / str(os.getpid()) / f"lines{number}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        act = partial(record, file, folder, plugin, markers)
        return Job(file, tree, act, environment(), 3 * _LONGEST_FILE)

    jobs: deque[Callable[[int], Job]] = deque(partial(job, file) for file in missing)
    for count, done in enumerate(run_jobs(jobs, workers, FOLDER / "jobs"), start=1):
        target = (done.result or {}).get("target")
        made = {"tests": [], "failed": [], "lines": {}}
        if target and Path(str(target)).is_file():
            made = json.loads(Path(str(target)).read_text(encoding="utf-8"))
        made.update(test_digest=digest_of(done.name), product=product, seconds=done.seconds)
        _place(done.name).parent.mkdir(parents=True, exist_ok=True)
        _place(done.name).write_text(json.dumps(made), encoding="utf-8")
        print(
            f"{count}/{len(missing)} {done.name}: {len(made['tests'])} tests, "
            f"{len(made['failed'])} not used, {done.seconds:.0f} s",
            flush=True,
        )


def read_map(files: list[str]) -> CoverageMap:
    """Read the map of files of tests."""
    read = CoverageMap()
    for file in files:
        if not _place(file).is_file():
            read.missing.append(file)
            continue
        made = json.loads(_place(file).read_text(encoding="utf-8"))
        tests = [test["id"] for test in made["tests"]]
        read.seconds.update((test["id"], test["seconds"]) for test in made["tests"])
        for source, of_file in made["lines"].items():
            for line, places in of_file.items():
                read.lines[source][line].update(tests[place] for place in places)
    return read
