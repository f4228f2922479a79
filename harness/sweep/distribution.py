"""Points of a sweep computed by Dask: on a cluster of one's own processes, or on a given one.

Needs `distributed`. A study goes once to each process, as a plugin, so that a process that joins
later, or is started again after it died, has it too.
"""

from __future__ import annotations

import logging
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from typing import Any
from weakref import WeakSet

from harness.optional_library import optional_module
from harness.sweep.batch import BatchSize, PointWork, Row, failed_row, run_batch
from harness.sweep.own_cluster import started_cluster
from harness.sweep.points import Point
from harness.sweep.program import PROGRAM, program
from harness.sweep.study import Study
from wearmodel.batch.cores import core_count

# Typed in part only.
distributed: Any = optional_module("distributed", "wearfmu sweep")

_FIRST_BATCH = 4
# Batches sent ahead for each thread, so that none waits for the next.
_BATCHES_AHEAD = 2
# How long to wait for a scheduler, and for its first worker, s.
_SCHEDULER_PATIENCE = 5.0
_WORKER_PATIENCE = 60.0
# How long a cluster may be without any worker while it works, s; our own workers, which are started
# again when they die, may take as long as at the start.
_ABSENCE_PATIENCE = 10.0
# How often a cluster that gives no row is asked for its workers, s.
_ASKING_INTERVAL = 1.0

_studies: dict[str, Study | PointWork] = {}
_own_clients: WeakSet[Any] = WeakSet()


class ClusterError(OSError):
    """The workers of a cluster are gone, or are not what runs here; one line."""


class _StudyPlugin(distributed.WorkerPlugin):  # type: ignore[misc]  # untyped base
    """Brings a study to a worker."""

    def __init__(self, digest: str, study: Study | PointWork) -> None:
        self.name = f"wearfmu-sweep-{digest}"
        self._digest = digest
        self._study = study

    def setup(self, worker: Any) -> None:
        _studies[self._digest] = self._study

    def teardown(self, worker: Any) -> None:
        _studies.pop(self._digest, None)


class _OwnWorkerPlugin(distributed.WorkerPlugin):  # type: ignore[misc]  # untyped base
    """Leaves to the process that started the workers what concerns all of them.

    Saying that the kernel runs interpreted; and removing temporary files, which a worker that is
    ended does not.
    """

    name = "wearfmu-own-worker"

    def setup(self, worker: Any) -> None:
        tempfile.tempdir = worker.local_directory
        logging.getLogger("wearmodel.compiled.run_library").setLevel(logging.ERROR)


def _run_here(digest: str, points: Sequence[Point]) -> tuple[list[Row], float, str]:
    return (*run_batch(_studies[digest], points), PROGRAM)


@contextmanager
def local_client(workers: int | None = None) -> Iterator[Any]:
    """Start worker processes on this machine, and end them on leaving.

    Parameters
    ----------
    workers : int, optional
        How many; default as many as there are cores for this process.

    Raises
    ------
    OSError
        If they cannot be started.
    """
    with (
        started_cluster(workers or core_count()) as address,
        distributed.Client(address, timeout=_WORKER_PATIENCE) as client,
    ):
        client.register_plugin(_OwnWorkerPlugin())
        try:
            client.wait_for_workers(1, timeout=_WORKER_PATIENCE)
        except TimeoutError:
            raise ClusterError(
                f"no worker process has started within {_WORKER_PATIENCE:g} s"
            ) from None
        _own_clients.add(client)
        yield client


@contextmanager
def cluster_client(address: str) -> Iterator[Any]:
    """Connect with a running Dask scheduler that has a worker at least.

    Raises
    ------
    OSError
        If there is none.
    """
    for name in ("asyncio", "distributed", "distributed.client"):
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
        yield client


def computed_batches(
    client: Any, digest: str, study: Study | PointWork, points: Mapping[int, Point]
) -> Iterator[dict[int, Row]]:
    """Compute points; yield the rows of each batch, by number, as soon as it is done.

    A batch whose process dies is computed again by halves, each alone, until the point that does
    it is found: that one fails, the others do not.

    Parameters
    ----------
    client : distributed.Client
        Of the cluster that works.
    digest : str
        Names the study on the cluster.
    study : Study or PointWork
        What to compute.
    points : mapping of int to Point
        At which points, by number.

    Raises
    ------
    OSError
        If the scheduler or all workers are gone, or a worker runs another program than this.
    """
    _require_this_program(client)
    plugin = _StudyPlugin(digest, study)
    try:
        client.register_plugin(plugin)
    except Exception as problem:  # distributed raises a bare one for what a worker cannot load
        raise OSError(
            f"the cluster cannot take the sweep: {problem}; wearfmu must be installed where its "
            "workers run, in the version that is here"
        ) from problem
    try:
        yield from _batches(client, digest, study, points)
    except ClusterError:
        raise
    except (OSError, CancelledError) as problem:
        raise OSError(
            "the connection with the scheduler is lost: run the sweep again to go on"
        ) from problem
    finally:
        # A cluster that is gone has forgotten the study too.
        with suppress(OSError, CancelledError):
            client.unregister_worker_plugin(plugin.name)


def _require_this_program(client: Any) -> None:
    """Raise ClusterError for a worker whose rows could be others than those of this process."""
    try:
        programs = client.run(program, on_error="return")
    except (OSError, CancelledError) as problem:
        raise ClusterError(f"the cluster cannot be asked what it runs: {problem}") from problem
    for worker, other in programs.items():
        if isinstance(other, Exception):
            raise _other_program(worker, f"cannot say what it runs ({other})")
        if other != PROGRAM:
            raise _other_program(worker, f"runs {other}")


def _other_program(worker: str, what_it_does: str) -> ClusterError:
    return ClusterError(
        f"worker {worker} {what_it_does}, and here runs {PROGRAM}: their rows may differ; install "
        "the same there and start the worker again"
    )


def _batches(
    client: Any, digest: str, study: Study | PointWork, points: Mapping[int, Point]
) -> Iterator[dict[int, Row]]:
    waiting = iter(points)
    size = BatchSize(study, first=_FIRST_BATCH)
    suspects: list[list[int]] = []
    running: dict[str, list[int]] = {}

    def submit() -> list[Any]:
        """Send batches until there are enough under way; return them."""
        wanted = _BATCHES_AHEAD * max(1, sum(client.nthreads().values()))
        sent = []
        while len(running) < wanted:
            numbers = list(islice(waiting, size.points))
            if not numbers:
                break
            future = _submit(client, digest, points, numbers)
            running[future.key] = numbers
            sent.append(future)
        return sent

    pending = set(submit())
    while pending:
        done = _first_done(client, pending)
        pending -= done
        for future in done:
            numbers = running.pop(future.key)
            if future.status == "error":
                suspects.append(numbers)
                continue
            try:
                rows, seconds = _result(client, future)
            except distributed.KilledWorker:  # rows that were lost on the way, computed again
                suspects.append(numbers)
                continue
            size.adapt(len(numbers), seconds)
            yield dict(zip(numbers, rows, strict=True))
        pending.update(submit())
    while suspects:
        numbers = suspects.pop()
        future = _submit(client, digest, points, numbers)
        problem = _while_there_are_workers(client, future.exception)
        if problem is None:
            yield dict(zip(numbers, _result(client, future)[0], strict=True))
        elif len(numbers) == 1:
            reason = (
                "the process that computed this point died"
                if isinstance(problem, distributed.KilledWorker)
                else f"{type(problem).__name__}: {problem}"
            )
            yield {numbers[0]: failed_row(study, reason)}
        else:
            half = len(numbers) // 2
            suspects += [numbers[half:], numbers[:half]]


def _submit(client: Any, digest: str, points: Mapping[int, Point], numbers: Sequence[int]) -> Any:
    return client.submit(_run_here, digest, [points[number] for number in numbers], pure=False)


def _first_done(client: Any, pending: set[Any]) -> set[Any]:
    """Wait for batches; return those that are done."""
    first = partial(distributed.wait, pending, return_when="FIRST_COMPLETED")
    done: set[Any] = _while_there_are_workers(client, first).done
    return done


def _while_there_are_workers(client: Any, attempt: Callable[..., Any]) -> Any:
    """Return what `attempt(timeout=…)` gives once it does not time out.

    What is done may have to be done again: rows lie with their worker until they are fetched.

    Raises
    ------
    ClusterError
        If there is no worker for too long.
    """
    patience = _WORKER_PATIENCE if client in _own_clients else _ABSENCE_PATIENCE
    seen = time.monotonic()
    while True:
        try:
            return attempt(timeout=_ASKING_INTERVAL)
        except TimeoutError:
            now = time.monotonic()
        if client.nthreads():
            seen = now
        elif now - seen >= patience:
            raise ClusterError(
                f"scheduler {client.scheduler.address}: all its workers are gone, for "
                f"{patience:g} s now: start some, and run the sweep again to go on"
            )


def _result(client: Any, future: Any) -> tuple[list[Row], float]:
    """Return what a batch gave, if this program computed it: a worker may have come late."""
    rows, seconds, *said = _while_there_are_workers(client, future.result)
    if said != [PROGRAM]:
        workers = client.who_has([future]).get(future.key) or ["of this batch"]
        raise _other_program(workers[0], f"runs {said[0] if said else 'an older wearfmu'}")
    return rows, seconds
