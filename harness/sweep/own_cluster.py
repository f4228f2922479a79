"""A Dask cluster on this machine, in a process of its own: `started_cluster` starts and ends it.

What Dask starts is ended from outside, at once and in silence, whatever it is at: the process is
the head of a group that Ctrl-C in the terminal does not reach, and the whole group is killed. It
kills itself when the process that started it is gone.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from harness.fmu.instance import safe_folder
from harness.interrupts import held_interrupts
from harness.optional_library import optional_module

# Typed in part only, or not at all.
dask: Any = optional_module("dask", "wearfmu sweep")
distributed: Any = optional_module("distributed", "wearfmu sweep")
psutil: Any = optional_module("psutil", "wearfmu sweep")

# How long killed processes may take to be gone, s; they write no files meanwhile, if all is well.
_ENDING_PATIENCE = 1.0


@contextmanager
def started_cluster(workers: int) -> Iterator[str]:
    """Start a scheduler and worker processes; yield its address as soon as there is one.

    A worker that dies is started again. All are ended on leaving, and leave no file.

    Parameters
    ----------
    workers : int
        How many processes, each with one thread.

    Raises
    ------
    OSError
        If Dask cannot start.
    """
    with ExitStack() as ending:
        with held_interrupts():
            folder = ending.enter_context(
                tempfile.TemporaryDirectory(
                    prefix="wearfmu-", dir=safe_folder(), ignore_cleanup_errors=True
                )
            )
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "harness.sweep.own_cluster", folder, str(workers)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
            ending.callback(_kill, process)
        assert process.stdout is not None  # it is a pipe
        address = process.stdout.readline().strip()
        if not address:
            raise OSError("the worker processes cannot be started on this machine")
        yield address


def _kill(process: subprocess.Popen[str]) -> None:
    """Kill a process with all that it started, and wait until they are gone."""
    family = _family(process.pid)
    _kill_family(process.pid)
    process.communicate()
    deadline = time.monotonic() + _ENDING_PATIENCE
    while any(_runs(member) for member in family) and time.monotonic() < deadline:
        time.sleep(0.01)


def _runs(process: Any) -> bool:
    try:
        # Where nobody waits for orphans they stay as zombies.
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _family(leader: int) -> list[Any]:
    """A process and all that it has started, the processes that these have started included."""
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(leader)
        return [*process.children(recursive=True), process]
    return []


def _kill_family(leader: int) -> None:
    if hasattr(os, "killpg"):
        # At once: none of them can start another one meanwhile.
        with suppress(ProcessLookupError):
            os.killpg(leader, signal.SIGKILL)
        return
    for member in _family(leader):
        with suppress(psutil.NoSuchProcess):
            member.kill()


def _end_with_parent() -> None:
    """Kill this process and its own when the other end of the standard input is gone."""
    sys.stdin.read()
    _kill_family(os.getpid())


def _serve(folder: str, workers: int) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    settings = {
        # A batch that ends its process is taken apart by us, so Dask need not try it again; and
        # no batch waits in a process that another one may end.
        "distributed.scheduler.allowed-failures": 0,
        "distributed.scheduler.worker-saturation": 1.0,
        "temporary-directory": folder,
    }
    with (
        dask.config.set(settings),
        distributed.LocalCluster(
            n_workers=0,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            local_directory=folder,
            silence_logs="CRITICAL",
        ) as cluster,
    ):
        print(cluster.scheduler_address, flush=True)
        # What runs in the workers may print; nobody reads this pipe any more.
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        cluster.scale(workers)
        threading.Event().wait()


if __name__ == "__main__":
    _serve(sys.argv[1], int(sys.argv[2]))
