"""The campaign: the covering tests of each mutant of a sample, with a journal to continue from."""

from __future__ import annotations

import hashlib
import json
import os
import time
import tomllib
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from .chosen_tests import ChosenTests, arguments_for
from .coverage_map import MARKERS, NATIVE_MARKERS, CoverageMap
from .mutant import Mutant
from .native_mutants import ACTIVE
from .native_tree import MUTANTS, NATIVE_FOLDER
from .processes import Job, run_jobs
from .trees import FOLDER, ROOT, copy_tree, digest_of, environment, write_changed

JOURNAL = FOLDER / "journal.jsonl"
EQUIVALENT = Path(__file__).with_name("equivalent.toml")
#: s of CPU time per mutant.
LIMIT = 120.0
# A test fails if its time exceeds this factor and this number of seconds, because it may never end.
_SLOWER, _SLOW = 10.0, 15.0
# Tests of each mode. A change of the kernel or of the definition of an FMU would be translated and
# compiled again.
_MARKERS = {
    "native": NATIVE_MARKERS,
    "native in Python": NATIVE_MARKERS,
    "FMU in Python": f"{MARKERS} and not native",
    "interpreted": f"{MARKERS} and not native",
    "python": MARKERS,
}
# Numbers of tests of the first runs of pytest. The last run has the others.
_BATCHES = (20, 150)


def proofs() -> dict[tuple[str, ...], str]:
    """Return the proofs of equivalent mutants, by file, text of the line, change and place."""
    with EQUIVALENT.open("rb") as file:
        listed = tomllib.load(file).get("mutant", [])
    return {
        (
            entry["file"],
            entry["line"],
            entry["before"],
            entry["after"],
            str(entry.get("place", 0)),
        ): (entry["proof"])
        for entry in listed
    }


def proof_of(mutant: Mutant, proved: dict[tuple[str, ...], str]) -> str | None:
    """Return the proof that a mutant is equivalent, or None."""
    words = (mutant.file, mutant.text, mutant.before, mutant.after, str(mutant.place))
    return proved.get(words)


def _act(
    limits: dict[str, float], markers: str, progress: Path, batches: Sequence[int]
) -> dict[str, Any]:
    """Run tests until the first failure."""
    tests, count = list(limits), 0
    for size in (*batches, len(tests)):
        batch = {test: limits[test] for test in tests[:size]}
        tests = tests[size:]
        if not batch:
            continue
        chosen = ChosenTests(batch, _SLOW, progress)
        files = list(dict.fromkeys(test.partition("::")[0] for test in batch))
        code = int(pytest.main([*arguments_for(files, markers), "-x"], [chosen]))
        if chosen.failed or code not in (0, 5):
            return {"failed": chosen.failed or f"pytest ended with {code}", "run": count}
        count += len(batch)
    return {"failed": "", "run": count}


@dataclass
class Campaign:
    """Decides the mutants of a sample and writes each verdict to the journal."""

    sample: list[Mutant]
    coverage: CoverageMap
    numbers: dict[str, int]
    workers: int
    seed: int
    importers: Callable[[str], set[str]] = lambda file: set()
    _unreliable: set[tuple[str, str]] = field(default_factory=set)
    _clean: set[tuple[str, str]] = field(default_factory=set)
    _changed: dict[int, str] = field(default_factory=dict)

    # -- which tests ------------------------------------------------------------------------------

    def mode(self, mutant: Mutant) -> str:
        """Return the mode in which its tests run, a key of `_MARKERS`."""
        if mutant.is_native:
            return "native"
        if mutant.file.startswith(NATIVE_FOLDER):
            return "native in Python"
        return {"kernel": "interpreted", "FMI layer": "FMU in Python"}.get(mutant.group, "python")

    def tests_of(self, mutant: Mutant) -> list[str]:
        """Return covering tests in their order, up to the time limit."""
        if mutant.is_native:
            tests = self.coverage.tests_at(MUTANTS, mutant.key)
        elif mutant.imported:
            tests = self.coverage.tests_of_file(mutant.file) or self.importers(mutant.file)
        else:
            content = (ROOT / mutant.file).read_bytes()
            first = content.count(b"\n", 0, mutant.start) + 1
            last = content.count(b"\n", 0, mutant.end) + 1
            found = [self.coverage.tests_at(mutant.file, line) for line in range(first, last + 1)]
            tests = set().union(*found)
        mode = self.mode(mutant)
        tests = {test for test in tests if (test, mode) not in self._unreliable}
        chosen, seconds = [], 0.0
        for test in self.coverage.in_order(tests):
            seconds += self.coverage.seconds[test]
            # The times are from the map, in which tests are slower.
            if seconds > 2 * LIMIT:
                break
            chosen.append(test)
        return chosen

    def _digest(self, tests: Sequence[str]) -> str:
        """Return a digest of the names of tests and of their files."""
        files = digest_of(*sorted({test.partition("::")[0] for test in tests}))
        return hashlib.sha256("\n".join([files, *sorted(tests)]).encode()).hexdigest()[:16]

    # -- jobs -------------------------------------------------------------------------------------

    def _job(self, mutant: Mutant | None, tests: list[str], mode: str, number: int) -> Job:
        """Return a job with a mutant, or without one to check that its tests pass."""
        tree = FOLDER / ("native" if mode == "native" else f"tree{number}")
        variables = environment()
        changed = self._changed.pop(number, "")
        if changed:
            write_changed(tree / changed, (ROOT / changed).read_bytes())
        if mutant is not None and mutant.is_native:
            variables[ACTIVE] = str(self.numbers[mutant.key])
        elif mutant is not None:
            tree = FOLDER / f"tree{number}"
            write_changed(tree / mutant.file, mutant.applied((ROOT / mutant.file).read_bytes()))
            self._changed[number] = mutant.file
        if mode == "interpreted":
            variables["WEARFMU_INTERPRETED"] = "1"
        markers = _MARKERS[mode]
        limits = {test: max(_SLOW, _SLOWER * self.coverage.seconds[test]) for test in tests}
        progress = FOLDER / "jobs" / str(os.getpid()) / f"progress{number}.json"
        progress.parent.mkdir(parents=True, exist_ok=True)
        progress.unlink(missing_ok=True)
        name = json.dumps([mutant.key if mutant else "", tests[:1], mode, str(progress)])
        act = partial(_act, limits, markers, progress, _BATCHES)
        return Job(name, tree, act, variables, LIMIT)

    def run(self, report: Callable[[dict[str, Any]], None]) -> None:
        """Decide all mutants of the sample that the journal does not contain."""
        for number in range(self.workers):
            copy_tree(f"tree{number}")
        by_key = {mutant.key: mutant for mutant in self.sample}
        decided = read_journal()
        proved = proofs()
        jobs: deque[Callable[[int], Job]] = deque()
        waiting: dict[tuple[str, str], list[tuple[Mutant, Job]]] = {}

        def add(mutant: Mutant, *, first: bool = False) -> None:
            tests = self.tests_of(mutant)
            if not tests and self.coverage.missing:
                # A test outside the map may execute the mutant.
                return
            if not tests:
                self._write(mutant, "survived", "no test executes it", 0.0, report)
                return
            make = partial(self._job, mutant, tests, self.mode(mutant))
            (jobs.appendleft if first else jobs.append)(make)

        def settle(mutant: Mutant, job: Job, test: str) -> None:
            how = "too slow" if job.exceeded else "crash" if job.result is None else "failure"
            self._write(mutant, "killed", test, job.seconds, report, how)

        for mutant in self.sample:
            entry = decided.get(mutant.key)
            if proof_of(mutant, proved) is not None:
                self._write(mutant, "equivalent", "", 0.0, report)
            elif entry is None or not self._holds(mutant, entry):
                add(mutant)
        for job in run_jobs(jobs, self.workers, FOLDER / "jobs"):
            key, first, mode, progress = json.loads(job.name)
            failed = self._failed_test(job, Path(progress))
            if not key:
                place = (first[0], mode)
                (self._unreliable if failed or job.exceeded else self._clean).add(place)
                for mutant, killed in waiting.pop(place, []):
                    if place in self._clean:
                        settle(mutant, killed, first[0])
                    else:
                        add(mutant, first=True)
                continue
            mutant = by_key[key]
            if failed and "::" in failed:
                place = (failed, mode)
                if place in self._clean:
                    settle(mutant, job, failed)
                elif place in waiting:
                    waiting[place].append((mutant, job))
                else:
                    waiting[place] = [(mutant, job)]
                    jobs.appendleft(partial(self._job, None, [failed], mode))
            elif failed:
                # A test file cannot be imported, or pytest does not start.
                settle(mutant, job, failed)
            else:
                verdict = "undecided" if job.exceeded else "survived"
                count = (job.result or {}).get("run", "some")
                self._write(mutant, verdict, f"{count} tests pass", job.seconds, report)

    def _failed_test(self, job: Job, progress: Path) -> str:
        """Return the test that failed, ended the process, or took much longer than usual."""
        if job.result is not None:
            return str(job.result["failed"])
        if not progress.is_file():
            return "" if job.exceeded else "pytest ended"
        started = json.loads(progress.read_text(encoding="utf-8"))
        if job.exceeded and job.seconds - started["began"] < started["limit"]:
            return ""
        return str(started["test"])

    # -- journal ----------------------------------------------------------------------------------

    def _holds(self, mutant: Mutant, entry: dict[str, Any]) -> bool:
        """Return whether a verdict of the journal applies to the present sources and tests."""
        if entry["source"] != digest_of(mutant.file) or entry["verdict"] == "equivalent":
            return False
        return entry["verdict"] == "killed" or entry["tests"] == self._digest(self.tests_of(mutant))

    def _write(
        self,
        mutant: Mutant,
        verdict: str,
        reason: str,
        seconds: float,
        report: Callable[[dict[str, Any]], None],
        how: str = "",
    ) -> None:
        entry = {
            "key": mutant.key,
            "group": mutant.group,
            "file": mutant.file,
            "line": mutant.line,
            "operator": mutant.operator,
            "before": mutant.before,
            "after": mutant.after,
            "text": mutant.text,
            "place": mutant.place,
            "verdict": verdict,
            "reason": reason,
            "how": how,
            "seconds": round(seconds, 2),
            "source": digest_of(mutant.file),
            "tests": self._digest(self.tests_of(mutant)),
            "date": time.strftime("%Y-%m-%d"),
            "seed": self.seed,
        }
        JOURNAL.parent.mkdir(parents=True, exist_ok=True)
        with JOURNAL.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")
        report(entry)


def read_journal() -> dict[str, dict[str, Any]]:
    """Return the last entry of each mutant, by key."""
    if not JOURNAL.is_file():
        return {}
    lines = JOURNAL.read_text(encoding="utf-8").splitlines()
    return {entry["key"]: entry for entry in map(json.loads, lines)}
