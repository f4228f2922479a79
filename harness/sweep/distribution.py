"""Points of a sweep computed by other processes, on this machine or on a Dask cluster.

Workers receive the study at the start, and batches of points by `Workers.submit`.
"""

from __future__ import annotations

import logging
import os
import pickle
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Future,
    ProcessPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from multiprocessing import get_context
from typing import Any

from harness.fmu.instance import safe_folder
from harness.interrupts import held_interrupts
from harness.optional_library import optional_module
from harness.provenance import program
from harness.sweep.batch import BatchSize, PointWork, Row, failed_row, run_batch
from harness.sweep.points import Point
from harness.sweep.study import Study
from harness.worker_process import begin, call
from wearmodel.batch.cores import core_count

_FIRST_BATCH = 4
# Submitted batches per worker, so that workers do not wait.
_BATCHES_AHEAD = 2
# Maximum number of processes in a pool on Windows.
_MOST_OF_WINDOWS = 61
# Interval [s] of checks for interrupts and for the workers of a cluster.
_ASKING_INTERVAL = 1.0
# Maximum waiting times [s] for a scheduler, and for its first worker.
_SCHEDULER_PATIENCE = 5.0
_WORKER_PATIENCE = 60.0
# Maximum time [s] of a cluster without workers.
_ABSENCE_PATIENCE = 10.0

# Computed when the module is loaded, because files may change later.
PROGRAM = program()

# Rows of a batch, its computing time [s], and the program that computed it.
_Computed = tuple[list[Row], float, str]


class WorkersError(OSError):
    """Workers are lost, or run another version of the program. The message is one line."""


@dataclass(frozen=True)
class Workers:
    """Processes that compute batches of a study.

    `count` returns the present number of workers. `death` is the exception of a batch whose process
    terminated.
    """

    submit: Callable[[Sequence[Point]], Future[_Computed]]
    count: Callable[[], int]
    death: type[Exception]


def computed_batches(
    study: Study | PointWork,
    points: Mapping[int, Point],
    *,
    workers: int | None,
    scheduler: str | None,
) -> Generator[dict[int, Row], None, None]:
    """Compute points, and yield the rows of each batch by number.

    The first batch is empty and shows that the workers have started. If the process of a batch
    terminates, new workers compute the batch again in halves, until the point that causes it is
    found. Only that point fails. `run_sweep` describes `workers` and `scheduler`.

    Raises MissingLibraryError if Dask is required and not installed. Raises OSError if the workers
    cannot be started, are lost, or run another program.
    """

    def opened() -> AbstractContextManager[Workers]:
        if scheduler is not None:
            return cluster_workers(study, scheduler)
        count = workers or core_count()
        return own_workers(study, min(count, _MOST_OF_WINDOWS) if os.name == "nt" else count)

    size = BatchSize(study, first=_FIRST_BATCH)
    groups = [list(points)]
    with ExitStack() as ending:
        at_work = ending.enter_context(opened())
        yield {}
        while groups:
            group = groups.pop()
            left, lost, reason = yield from _group_batches(at_work, size, points, group)
            if reason and len(group) == 1:
                yield {group[0]: failed_row(study, reason)}
            else:
                half = len(lost) // 2
                groups += [part for part in (left, lost[half:], lost[:half]) if part]
            if lost and groups:
                ending.close()
                at_work = ending.enter_context(opened())


def _group_batches(
    workers: Workers, size: BatchSize, points: Mapping[int, Point], group: Sequence[int]
) -> Generator[dict[int, Row], None, tuple[list[int], list[int], str]]:
    """Compute the points of a group until points are lost, and yield the rows of each batch.

    Return the remaining numbers, the lost numbers, and the reason if the lost points caused it.
    """
    waiting = iter(group)
    running: dict[Future[_Computed], list[int]] = {}
    lost: list[int] = []
    reason = ""
    while True:
        wanted = _BATCHES_AHEAD * workers.count()
        while not lost and len(running) < wanted:
            numbers = list(islice(waiting, size.points))
            if not numbers:
                break
            try:
                running[workers.submit([points[number] for number in numbers])] = numbers
            except BrokenProcessPool:
                lost += numbers
        if not running:
            return list(waiting), lost, reason
        for future in wait(running, _ASKING_INTERVAL, FIRST_COMPLETED).done:
            numbers = running.pop(future)
            try:
                rows, seconds, computed_by = future.result()
            except CancelledError:
                raise
            except workers.death:
                reason = "the process that computed this point ended unexpectedly"
                lost += numbers
            except Exception as problem:
                reason = f"{type(problem).__name__}: {problem}"
                lost += numbers
            else:
                if computed_by == PROGRAM:
                    size.adapt(len(numbers), seconds)
                    yield dict(zip(numbers, rows, strict=True))
                else:
                    # From a worker with another program. Opening the workers again reports it.
                    lost += numbers


def _computed(study: Study | PointWork, points: Sequence[Point]) -> _Computed:
    return (*run_batch(study, points), PROGRAM)


@contextmanager
def own_workers(study: Study | PointWork, count: int) -> Iterator[Workers]:
    """Start processes on this machine, and end them at the end of the context."""
    with ExitStack() as ending:
        with held_interrupts():
            folder = ending.enter_context(
                tempfile.TemporaryDirectory(
                    prefix="wearfmu-", dir=safe_folder(), ignore_cleanup_errors=True
                )
            )
            # Forked processes could inherit a lock that is never released.
            context = get_context("spawn")
            reader, writer = context.Pipe(duplex=False)
            ending.enter_context(reader)
            arguments = (reader, folder, pickle.dumps(partial(_computed, study)))
            pool = ending.enter_context(ProcessPoolExecutor(count, context, begin, arguments))
            # The writer is closed before the pool waits for its processes, which then end.
            ending.callback(writer.close)

        def submit(points: Sequence[Point]) -> Future[_Computed]:
            return pool.submit(call, points)

        with held_interrupts():
            # All processes start now, while Ctrl-C is blocked.
            started = [submit(()) for _ in range(count)]
        while not (done := wait(started, _ASKING_INTERVAL, FIRST_COMPLETED).done):
            pass
        try:
            _, _, computed_by = done.pop().result()
        except BrokenProcessPool:
            raise WorkersError(
                "the worker processes cannot be started, because they import the calling script: "
                'call run_sweep below `if __name__ == "__main__":`'
            ) from None
        if computed_by != PROGRAM:
            raise _other_program("process", f"runs {computed_by}")
        yield Workers(submit, lambda: count, BrokenProcessPool)


@contextmanager
def cluster_workers(study: Study | PointWork, address: str) -> Iterator[Workers]:
    """Connect to a running Dask scheduler that has at least one worker."""
    # The library is only partly typed.
    distributed: Any = optional_module("distributed", "--scheduler")
    for name in ("asyncio", "distributed", "distributed.client", "tornado.application"):
        # Lost schedulers and workers are reported below, in one line.
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = distributed.Client(address, timeout=_SCHEDULER_PATIENCE)
    except (OSError, ValueError) as problem:
        raise OSError(f"scheduler {address}: cannot be reached: {problem}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=_WORKER_PATIENCE)
        except TimeoutError:
            raise OSError(
                f"scheduler {address} has no workers: run `dask worker {address} --nthreads 1`"
            ) from None
        try:
            _require_this_program(client)
            # The study is a task, so that Dask computes it again if its worker is lost.
            there = client.submit(pickle.loads, pickle.dumps(study), pure=False)
            executor = client.get_executor(pure=False, retries=0)
            yield Workers(
                partial(executor.submit, _computed, there),
                _Presence(client).threads,
                distributed.KilledWorker,
            )
        except WorkersError:
            raise
        except (OSError, CancelledError) as problem:
            raise OSError(
                "the connection with the scheduler is lost: run the sweep again to resume"
            ) from problem


class _Presence:
    """Whether a cluster has workers."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._seen = time.monotonic()

    def threads(self) -> int:
        """Return the number of threads of the workers, or raise WorkersError if they are lost."""
        threads: int = sum(self._client.nthreads().values())
        if threads:
            self._seen = time.monotonic()
        elif time.monotonic() - self._seen >= _ABSENCE_PATIENCE:
            raise WorkersError(
                f"scheduler {self._client.scheduler.address} has had no workers for "
                f"{_ABSENCE_PATIENCE:g} s: start workers, and run the sweep again to resume"
            )
        return max(1, threads)


def _require_this_program(client: Any) -> None:
    """Raise WorkersError for a worker with another program, whose rows may differ."""
    for worker, other in client.run(program, on_error="return").items():
        if isinstance(other, Exception):
            raise _other_program(worker, f"does not report its program ({other})")
        if other != PROGRAM:
            raise _other_program(worker, f"runs {other}")


def _other_program(worker: str, problem: str) -> WorkersError:
    return WorkersError(
        f"worker {worker} {problem}, and must run {PROGRAM} to compute the same rows: install this "
        "version and start the worker again"
    )
