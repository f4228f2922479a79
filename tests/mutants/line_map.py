"""Plugin of pytest: record the lines of the sources that each test executes, and its CPU time.

Lines of a fixture with a wider scope than a test belong to all tests that use the fixture. Python
processes started by a test are included by `sitecustomize`. FMUs run the sources in another folder,
so files are named by their path in the repository.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

_SOURCES = ["*/wearmodel/*", "*/fmu_src/*", "*/harness/*"]
_TESTS = ["*/tests/*", "*/site-packages/*"]
#: Environment variable: folder of the data of processes that a test starts.
FOLDER = "WEARFMU_LINES"
_FIXTURE = "fixture "

# Executed by each Python that starts with the folder of this file on its path.
_CUSTOMISATION = f"""
import atexit, os
if os.environ.get("PYTEST_CURRENT_TEST") and os.environ.get("{FOLDER}"):
    import coverage
    _lines = coverage.Coverage(
        data_file=os.path.join(os.environ["{FOLDER}"], f"process.{{os.getpid()}}"),
        include={_SOURCES!r}, omit={_TESTS!r}, config_file=False, messages=False,
        context=os.environ["PYTEST_CURRENT_TEST"].rpartition(" ")[0],
    )
    _lines._warn_no_data = False
    _lines.start()
    def _save():
        _lines.stop()
        _lines.save()
    atexit.register(_save)
"""


def processor_seconds() -> float:
    """Return the CPU time of this process and its ended children."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class LineMap:
    """Records the tests of a process and writes them to a JSON file."""

    def __init__(self, folder: Path, target: Path, seconds_allowed: float) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._target, self._allowed = folder, target, seconds_allowed
        (folder / "sitecustomize.py").write_text(_CUSTOMISATION, encoding="utf-8")
        os.environ[FOLDER] = str(folder)
        os.environ["PYTHONPATH"] = os.pathsep.join([str(folder), os.environ["PYTHONPATH"]])
        self._coverage = coverage.Coverage(
            data_file=str(folder / "process.main"),
            include=_SOURCES,
            omit=_TESTS,
            config_file=False,
            messages=False,
        )
        self._seconds: dict[str, float] = {}
        self._failed: set[str] = set()
        self._fixtures: dict[str, set[str]] = {}
        self._test = ""
        self._began = processor_seconds()

    def pytest_collection(self) -> None:
        """Start before the test modules import the sources."""
        self._coverage.start()

    def record(self, name: str) -> None:
        """Record the following lines for a test or a fixture."""
        self._coverage.switch_context(name)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Measure a test with its fixtures."""
        self._test = item.nodeid
        self._fixtures[item.nodeid] = set(getattr(item, "fixturenames", ()))
        self.record(item.nodeid)
        began = processor_seconds()
        result = yield
        now = processor_seconds()
        self._seconds[item.nodeid] = now - began
        if now - self._began > self._allowed:
            item.session.shouldstop = "the remaining tests of this file are not used"
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Iterator[None]:
        """Record the lines of a fixture that is used by several tests."""
        if fixturedef.scope == "function":
            return (yield)
        self.record(_FIXTURE + fixturedef.argname)
        try:
            return (yield)
        finally:
            self.record(self._test)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Do not use tests that fail or are skipped."""
        if not report.passed:
            self._failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Write the map."""
        self._coverage.stop()
        self._coverage.save()
        tests = [test for test in self._seconds if test not in self._failed]
        places = {test: place for place, test in enumerate(tests)}
        users = defaultdict(set)
        for test in tests:
            for fixture in self._fixtures[test]:
                users[_FIXTURE + fixture].add(places[test])
        lines: dict[str, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
        for path in self._folder.glob("process.*"):
            data = coverage.CoverageData(str(path))
            data.read()
            for measured in data.measured_files():
                file = source_name(measured)
                for line, contexts in data.contexts_by_lineno(measured).items():
                    for context in contexts:
                        if context in places:
                            lines[file][line].add(places[context])
                        else:
                            lines[file][line] |= users.get(context, set())
            path.unlink()
        content = {
            "tests": [{"id": test, "seconds": self._seconds[test]} for test in tests],
            "failed": sorted(self._failed),
            "lines": {
                file: {line: sorted(found) for line, found in of_file.items() if found}
                for file, of_file in lines.items()
            },
            "made": time.strftime("%Y-%m-%d"),
        }
        self._target.parent.mkdir(parents=True, exist_ok=True)
        self._target.write_text(json.dumps(content), encoding="utf-8")


def source_name(path: str) -> str:
    """Return the path in the repository of a source file or a copy of it."""
    found = re.search(r".*/((?:wearmodel|fmu_src|harness)/.*)", path.replace(os.sep, "/"))
    return found[1] if found else path
