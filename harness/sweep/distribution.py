"""Points of a sweep computed by other processes: of this machine, or of a Dask cluster.

Both take a batch of points by `Workers.submit`, and have the study from the start.
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
from harness.sweep.batch import BatchSize, PointWork, Row, failed_row, run_batch
from harness.sweep.points import Point
from harness.sweep.program import PROGRAM, program
from harness.sweep.study import Study
from harness.worker_process import begin, call
from wearmodel.batch.cores import core_count

_FIRST_BATCH = 4
# Batches under way for each worker, so that none waits for the next.
_BATCHES_AHEAD = 2
# Windows waits for no more processes of a pool.
_MOST_OF_WINDOWS = 61
# How often an interrupt is looked for, where waiting cannot be interrupted, and a cluster is asked
# for its workers, s.
_ASKING_INTERVAL = 1.0
# How long to wait for a scheduler, and for its first worker, s.
_SCHEDULER_PATIENCE = 5.0
_WORKER_PATIENCE = 60.0
# How long a cluster may be without any worker while it works, s.
_ABSENCE_PATIENCE = 10.0

# Rows of a batch, the time that it took [s], and the program that computed it.
_Computed = tuple[list[Row], float, str]


class WorkersError(OSError):
    """The workers are gone, or are not those of this program; one line."""


@dataclass(frozen=True)
class Workers:
    """Processes that compute batches of one study.

    Parameters
    ----------
    submit : callable
        Takes the points of a batch.
    count : callable
        Gives how many batches are computed at a time, at present.
    death : type of Exception
        What a batch raises whose process died.
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
    """Compute points; yield the rows of each batch, by number, as soon as it is done.

    The first batch is empty: from then on there are workers. Batches whose process died are
    computed again by halves, by new workers, until the point that ends it is found. Only that
    point fails.

    Parameters
    ----------
    study : Study or PointWork
        What to compute.
    points : mapping of int to Point
        At which points, by number.
    workers, scheduler
        As for `run_sweep`.

    Raises
    ------
    MissingLibraryError
        If Dask is needed and not installed.
    OSError
        If the workers cannot be started, are gone, or run another program than this.
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
    """Compute the points of a group until one is lost; yield the rows of each batch.

    Returns the numbers that were left, those that were lost, and why, if they are to blame.
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
                reason = "the process that computed this point died"
                lost += numbers
            except Exception as problem:
                reason = f"{type(problem).__name__}: {problem}"
                lost += numbers
            else:
                if computed_by == PROGRAM:
                    size.adapt(len(numbers), seconds)
                    yield dict(zip(numbers, rows, strict=True))
                else:
                    # By a worker that came late. It is named where workers are opened again.
                    lost += numbers


def _computed(study: Study | PointWork, points: Sequence[Point]) -> _Computed:
    return (*run_batch(study, points), PROGRAM)


@contextmanager
def own_workers(study: Study | PointWork, count: int) -> Iterator[Workers]:
    """Start processes on this machine, and end them on leaving, whatever they are at."""
    with ExitStack() as ending:
        with held_interrupts():
            folder = ending.enter_context(
                tempfile.TemporaryDirectory(
                    prefix="wearfmu-", dir=safe_folder(), ignore_cleanup_errors=True
                )
            )
            # Processes that are forked may inherit a lock that nobody will release.
            context = get_context("spawn")
            reader, writer = context.Pipe(duplex=False)
            ending.enter_context(reader)
            arguments = (reader, folder, pickle.dumps(partial(_computed, study)))
            pool = ending.enter_context(ProcessPoolExecutor(count, context, begin, arguments))
            # Closed before the pool waits for its processes, which end with it.
            ending.callback(writer.close)

        def submit(points: Sequence[Point]) -> Future[_Computed]:
            return pool.submit(call, points)

        with held_interrupts():
            # All are started now, where no Ctrl-C reaches them, and not one by one when needed.
            started = [submit(()) for _ in range(count)]
        while not (done := wait(started, _ASKING_INTERVAL, FIRST_COMPLETED).done):
            pass
        try:
            _, _, computed_by = done.pop().result()
        except BrokenProcessPool:
            raise WorkersError(
                "the worker processes cannot be started: they import the script that computes a "
                'sweep, which must do so below `if __name__ == "__main__":`'
            ) from None
        if computed_by != PROGRAM:
            raise _other_program("process", f"runs {computed_by}")
        yield Workers(submit, lambda: count, BrokenProcessPool)


@contextmanager
def cluster_workers(study: Study | PointWork, address: str) -> Iterator[Workers]:
    """Connect with a running Dask scheduler that has a worker at least."""
    # Typed in part only.
    distributed: Any = optional_module("distributed", "--scheduler")
    for name in ("asyncio", "distributed", "distributed.client", "tornado.application"):
        # A scheduler that goes, or a worker, is told of by us, in one line.
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
                f"scheduler {address}: has no worker; start one: dask worker {address} --nthreads 1"
            ) from None
        try:
            _require_this_program(client)
            # As a task, the study is made again where a worker that had it is gone.
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
                "the connection with the scheduler is lost: run the sweep again to go on"
            ) from problem


class _Presence:
    """Whether a cluster has workers."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._seen = time.monotonic()

    def threads(self) -> int:
        """Return how many threads the workers have, at least 1; WorkersError if long none."""
        threads: int = sum(self._client.nthreads().values())
        if threads:
            self._seen = time.monotonic()
        elif time.monotonic() - self._seen >= _ABSENCE_PATIENCE:
            raise WorkersError(
                f"scheduler {self._client.scheduler.address}: all its workers are gone, for "
                f"{_ABSENCE_PATIENCE:g} s now: start some, and run the sweep again to go on"
            )
        return max(1, threads)


def _require_this_program(client: Any) -> None:
    """Raise WorkersError for a worker whose rows could be others than those of this process."""
    for worker, other in client.run(program, on_error="return").items():
        if isinstance(other, Exception):
            raise _other_program(worker, f"cannot say what it runs ({other})")
        if other != PROGRAM:
            raise _other_program(worker, f"runs {other}")


def _other_program(worker: str, what_it_does: str) -> WorkersError:
    return WorkersError(
        f"worker {worker} {what_it_does}, and here runs {PROGRAM}: their rows may differ; install "
        "the same there and start the worker again"
    )
