"""Points of a sweep computed by Dask: on a cluster of one's own processes, or on a given one.

Needs `distributed`. A study goes once to each process, as a plugin, so that a process that joins
later, or is started again after it died, has it too.
"""

from __future__ import annotations

import logging
import signal
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from typing import Any

from harness.optional_library import optional_module
from harness.slave import safe_folder
from harness.sweep.batch import Row, failed_row, run_batch
from harness.sweep.points import Point
from harness.sweep.study import Study
from wearmodel.compiled_modules import core_count

# Both are typed in part only.
dask: Any = optional_module("dask", "wearfmu sweep")
distributed: Any = optional_module("distributed", "wearfmu sweep")

# A batch should take about this long, s: short enough to lose little when all is killed, long
# beside the milliseconds that it costs to send it.
_BATCH_SECONDS = 0.5
_FIRST_BATCH = 4
# Batches sent ahead for each thread, so that none waits for the next.
_BATCHES_AHEAD = 2
# Numbers that the histories of a batch may hold: 8 bytes each.
_MOST_NUMBERS = 4_000_000
# How long to wait for a scheduler, and for its first worker, s.
_SCHEDULER_PATIENCE = 5.0
_WORKER_PATIENCE = 60.0

_studies: dict[str, Study] = {}


class _StudyPlugin(distributed.WorkerPlugin):  # type: ignore[misc]  # untyped base
    """Brings a study to a worker."""

    def __init__(self, digest: str, study: Study) -> None:
        self.name = f"wearfmu-sweep-{digest}"
        self._digest = digest
        self._study = study

    def setup(self, worker: Any) -> None:
        _studies[self._digest] = self._study

    def teardown(self, worker: Any) -> None:
        _studies.pop(self._digest, None)


class _OwnWorkerPlugin(distributed.WorkerPlugin):  # type: ignore[misc]  # untyped base
    """Leaves to the process that started the workers what concerns all of them.

    Ctrl-C, which a terminal sends to every process; saying that the kernel runs interpreted; and
    removing temporary files, which a worker that is ended does not.
    """

    name = "wearfmu-own-worker"

    def setup(self, worker: Any) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        tempfile.tempdir = worker.local_directory
        logging.getLogger("wearmodel").setLevel(logging.ERROR)


def _run_here(digest: str, points: Sequence[Point]) -> tuple[list[Row], float]:
    return run_batch(_studies[digest], points)


@contextmanager
def local_client(workers: int | None = None) -> Iterator[Any]:
    """Start worker processes on this machine, and end them on leaving.

    Parameters
    ----------
    workers : int, optional
        How many; default as many as there are cores for this process.
    """
    settings = {
        # A batch that ends its process is taken apart by us, so Dask need not try it again; and
        # no batch waits in a process that another one may end.
        "distributed.scheduler.allowed-failures": 0,
        "distributed.scheduler.worker-saturation": 1.0,
    }
    with ExitStack() as stack:
        folder = stack.enter_context(
            tempfile.TemporaryDirectory(
                prefix="wearfmu-", dir=safe_folder(), ignore_cleanup_errors=True
            )
        )
        stack.enter_context(dask.config.set({**settings, "temporary-directory": folder}))
        cluster = stack.enter_context(
            distributed.LocalCluster(
                n_workers=workers or core_count(),
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                local_directory=folder,
                silence_logs="CRITICAL",
            )
        )
        client = stack.enter_context(distributed.Client(cluster))
        client.register_plugin(_OwnWorkerPlugin())
        yield client


@contextmanager
def cluster_client(address: str) -> Iterator[Any]:
    """Connect with a running Dask scheduler that has a worker at least.

    Raises
    ------
    OSError
        If there is none.
    """
    for name in ("distributed", "distributed.client"):
        # A scheduler that goes is told of by us, in one line.
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
    client: Any, digest: str, study: Study, points: Mapping[int, Point]
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
    study : Study
        What to compute.
    points : mapping of int to Point
        At which points, by number.

    Raises
    ------
    OSError
        If the scheduler is gone, or the workers do not know wearfmu.
    """
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
    except (OSError, CancelledError) as problem:
        raise OSError(
            "the connection with the scheduler is lost: run the sweep again to go on"
        ) from problem
    finally:
        # A cluster that is gone has forgotten the study too.
        with suppress(OSError, CancelledError):
            client.unregister_worker_plugin(plugin.name)


def _batches(
    client: Any, digest: str, study: Study, points: Mapping[int, Point]
) -> Iterator[dict[int, Row]]:
    waiting = iter(points)
    variables = study.variables()
    # All outputs are some twenty variables.
    samples = (study.experiment.step_count + 1) * (20 if variables is None else len(variables))
    most = max(1, _MOST_NUMBERS // samples)
    size = min(_FIRST_BATCH, most)
    suspects: list[list[int]] = []
    running: dict[str, list[int]] = {}

    def submit() -> list[Any]:
        """Send batches until there are enough under way; return them."""
        wanted = _BATCHES_AHEAD * max(1, sum(client.nthreads().values()))
        sent = []
        while len(running) < wanted:
            numbers = list(islice(waiting, size))
            if not numbers:
                break
            future = _submit(client, digest, points, numbers)
            running[future.key] = numbers
            sent.append(future)
        return sent

    done = distributed.as_completed(submit())
    for future in done:
        numbers = running.pop(future.key)
        if future.status == "error":
            suspects.append(numbers)
        else:
            rows, seconds = _result(future)
            if len(numbers) == size and seconds < 0.5 * _BATCH_SECONDS:
                size = min(2 * size, most)
            elif seconds > 2.0 * _BATCH_SECONDS:
                size = max(1, size // 2)
            yield dict(zip(numbers, rows, strict=True))
        done.update(submit())
    while suspects:
        numbers = suspects.pop()
        future = _submit(client, digest, points, numbers)
        problem = future.exception()
        if problem is None:
            yield dict(zip(numbers, _result(future)[0], strict=True))
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


def _result(future: Any) -> tuple[list[Row], float]:
    rows, seconds = future.result()
    return rows, seconds
