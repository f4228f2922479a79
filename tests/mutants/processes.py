"""Run pytest in processes that are forked from this one, which has imported the libraries.

A process has its own source tree. Its CPU time includes all processes in its session.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# Imported before the first fork, to save time for each mutant. They do not import the sources.
_LIBRARIES = (
    "coverage",
    "fmpy",
    "hypothesis.strategies",
    "jinja2",
    "mpmath",
    "numpy",
    "pydantic",
    "pytest",
    "rich.console",
    "scipy.integrate",
    "scipy.optimize",
    "scipy.stats",
)
# Maximum wall time per allowed CPU time. On a busy machine, a process gets a small share.
_LONGEST_WAIT = 15
# s between two checks of the CPU time.
_INTERVAL = 3.0
_TICKS = os.sysconf("SC_CLK_TCK")


def import_libraries() -> None:
    """Import the libraries that most tests use."""
    for library in _LIBRARIES:
        __import__(library)


@dataclass
class Job:
    """The work of a process: `act` in a source tree, with more environment variables.

    `act` returns a JSON object, `result`. It is None if the process ends for another reason.
    """

    name: str
    tree: Path
    act: Callable[[], dict[str, Any]]
    environment: dict[str, str] = field(default_factory=dict)
    seconds_allowed: float = 120.0
    result: dict[str, Any] | None = None
    seconds: float = 0.0
    exceeded: bool = False
    began: float = field(default_factory=time.monotonic)
    looked: float = 0.0


def _become(job: Job, answer: Path, log: Path) -> None:
    """Set up this process for a job, in a session of its own, and run it."""
    os.setsid()
    os.chdir(job.tree)
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(output, 1)
    os.dup2(output, 2)
    root = Path(__file__).parents[2]
    # The tree replaces the repository, also in the child processes of the tests.
    sys.path[:] = [str(job.tree), *(p for p in sys.path if p and Path(p).resolve() != root)]
    os.environ.update(job.environment, PYTHONPATH=str(job.tree))
    for name in [name for name in sys.modules if name.split(".")[0] == "tests"]:
        del sys.modules[name]
    result = job.act()
    answer.write_text(json.dumps(result), encoding="utf-8")


def _session_seconds(session: int) -> float:
    """Return the CPU time of the processes of a session, including awaited children."""
    total = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            # Fields after the name, which may contain spaces: 3 is the session, 11 to 14 are times.
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            total += sum(map(int, fields[11:15]))
    return total / _TICKS


def _end_session(session: int) -> None:
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
            if int(fields[3]) == session:
                os.kill(int(path.parent.name), signal.SIGKILL)
        except (OSError, ValueError):
            continue


def run_jobs(jobs: deque[Callable[[int], Job]], workers: int, folder: Path) -> Iterator[Job]:
    """Run jobs in at most `workers` processes, and yield each job when it has ended.

    A job is created with the number of its worker when a process is free. Jobs can be added while
    others run.
    """
    # Several campaigns may run at the same time.
    folder = folder / str(os.getpid())
    folder.mkdir(parents=True, exist_ok=True)
    running: dict[int, tuple[Job, int, Path]] = {}
    free = list(range(workers))
    while jobs or running:
        while jobs and free:
            number = free.pop()
            job = jobs.popleft()(number)
            answer, log = folder / f"answer{number}.json", folder / f"log{number}.txt"
            answer.unlink(missing_ok=True)
            sys.stdout.flush()
            process = os.fork()
            if process == 0:
                code = 1
                try:
                    _become(job, answer, log)
                    code = 0
                except BaseException:
                    traceback.print_exc()
                finally:
                    os._exit(code)
            running[process] = (job, number, answer)
        for process, (job, number, answer) in list(running.items()):
            ended = os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            # Reading the times of all processes takes time, so it is done at intervals.
            if ended or time.monotonic() - job.looked > _INTERVAL:
                job.looked = time.monotonic()
                job.seconds = max(job.seconds, _session_seconds(process))
            used = job.seconds
            # A blocked test does not use CPU time.
            waited = time.monotonic() - job.began > _LONGEST_WAIT * job.seconds_allowed
            if ended is None and used <= job.seconds_allowed and not waited:
                continue
            job.exceeded = ended is None
            _end_session(process)
            os.waitpid(process, 0)
            if answer.is_file():
                job.result = json.loads(answer.read_text(encoding="utf-8"))
            del running[process]
            free.append(number)
            yield job
        time.sleep(0.1)
