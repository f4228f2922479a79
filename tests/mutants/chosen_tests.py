"""Plugin of pytest: run chosen tests in a given order, each with a limit of its CPU time.

Hypothesis draws the same examples each time and does not shrink them.
"""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import NoReturn

import hypothesis
import pytest

from .line_map import processor_seconds


class TooSlowError(Exception):
    """A test takes much longer than without the mutant."""


class ChosenTests:
    """Select the tests of `limits`, a CPU time in s by test, in its order. None selects all."""

    def __init__(
        self,
        limits: dict[str, float] | None,
        default_limit: float,
        progress: Path | None = None,
    ) -> None:
        self._limits, self._default, self._progress = limits, default_limit, progress
        self.failed = ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """Set the profile after `tests/conftest.py` has set its own."""
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.reuse, hypothesis.Phase.generate)
        hypothesis.settings.register_profile(
            "mutants", deadline=None, derandomize=True, database=None, phases=phases
        )
        hypothesis.settings.load_profile("mutants")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Select the chosen tests in their order. The map takes long tests last."""
        if self._limits is None:
            items.sort(key=lambda item: item.get_closest_marker("long") is not None)
        else:
            places = {test: place for place, test in enumerate(self._limits)}
            chosen = [item for item in items if item.nodeid in places]
            items[:] = sorted(chosen, key=lambda item: places[item.nodeid])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Interrupt a test that exceeds its limit."""
        limit = (self._limits or {}).get(item.nodeid, self._default)
        if self._progress is not None:
            # A signal does not interrupt compiled code, so the parent process also checks the time.
            started = {"test": item.nodeid, "began": processor_seconds(), "limit": limit}
            self._progress.write_text(json.dumps(started), encoding="utf-8")
        signal.signal(signal.SIGPROF, _stop)
        signal.setitimer(signal.ITIMER_PROF, limit)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Store the name of the test that fails."""
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Store the name of a file that cannot be imported."""
        if report.failed and not self.failed:
            self.failed = report.nodeid


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    raise TooSlowError("the CPU time of this test exceeds its limit")


def arguments_for(files: Sequence[str], markers: str) -> list[str]:
    """Return the arguments of pytest that all runs have in common."""
    # Libraries were imported before pytest began.
    rewrite = "ignore::pytest.PytestAssertRewriteWarning"
    return ["-q", "-W", rewrite, "-p", "no:cacheprovider", "-p", "no:xdist", "-m", markers, *files]
