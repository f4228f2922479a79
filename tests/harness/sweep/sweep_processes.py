"""Processes of sweeps and of Dask, and their rows in the journal."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

import psutil

# Limit in s for each process of these tests, also on a busy machine.
PATIENCE = 240.0
ADDRESS_FILE = "scheduler.json"


def finished(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Return the exit code and the output."""
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, without_estimate(out + err)


def without_estimate(text: str) -> str:
    """Return the output without the remaining time, which a long sweep prints once.

    The lines on the compilation of the kernel and on interpreted runs are removed too.
    """
    expected = (
        r"\d+ of \d+ points done, remaining time about |"
        "compiling the kernel of |waiting for another process to compile the kernel of |"
        "the kernel is not compiled, "
    )
    return re.sub(rf"(?m)^(?:{expected}).*\n", "", text)


def journal_rows(journal: Path) -> int:
    """Return the number of rows in the complete lines of a journal."""
    if not journal.is_file():
        return 0
    _, *lines = journal.read_bytes().split(b"\n")
    return sum(len(json.loads(line.partition(b" ")[2])["rows"]) for line in lines[:-1])


def wait_for_rows(process: subprocess.Popen[str], journal: Path, wanted: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while journal_rows(journal) < wanted:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.005)


def kill_when_rows(process: subprocess.Popen[str], journal: Path, wanted: int) -> int:
    """Kill the command and all its processes at once. Return the number of rows in the journal."""
    wait_for_rows(process, journal, wanted)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate(timeout=PATIENCE)
    return journal_rows(journal)


def processes_under(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """Return all processes that a process has started, directly or indirectly."""
    return psutil.Process(process.pid).children(recursive=True)


@contextmanager
def process_of_dask(*arguments: str, **extra: str) -> Iterator[subprocess.Popen[str]]:
    """Run a scheduler or a worker, and end it on leaving. `extra` is added to its environment."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", *arguments],
        env=os.environ | {"WEARFMU_INTERPRETED": "1"} | extra,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


@contextmanager
def dask_cluster(
    folder: Path, workers: int, *, nanny: bool = False
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a scheduler and workers on the loopback, each as a process. Yield scheduler and address.

    With a nanny, a worker that has ended is started again. Its computation is not repeated.
    """
    tries = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"} if nanny else {}
    quiet = _quiet(folder)
    with ExitStack() as cluster:
        scheduler = cluster.enter_context(
            process_of_dask("distributed.cli.dask_scheduler", *quiet, "--port", "0", **tries)
        )
        for number in range(workers):
            cluster.enter_context(dask_worker(folder, f"worker{number}", nanny=nanny))
        address_file = folder / ADDRESS_FILE
        deadline = time.monotonic() + PATIENCE
        # The scheduler opens the file before it writes the address.
        while not (address_file.is_file() and address_file.read_text(encoding="utf-8").strip()):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield scheduler, json.loads(address_file.read_text(encoding="utf-8"))["address"]


def dask_worker(
    folder: Path, name: str, *, nanny: bool = False, **extra: str
) -> AbstractContextManager[subprocess.Popen[str]]:
    """Run a worker of the cluster whose address is in `folder`."""
    return process_of_dask(
        *("distributed.cli.dask_worker", *_quiet(folder), "--nthreads", "1"),
        *("--nanny" if nanny else "--no-nanny", "--local-directory", str(folder / name)),
        **extra,
    )


def _quiet(folder: Path) -> tuple[str, ...]:
    address_file = str(folder / ADDRESS_FILE)
    return ("--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", address_file)
