"""A sweep on a cluster detects workers with another program and the loss of all workers."""

import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from .sweep_processes import dask_cluster, dask_worker, finished, journal_rows, wait_for_rows

# Each test starts a scheduler and workers.
pytestmark = pytest.mark.hosts

Starter = Callable[..., "subprocess.Popen[str]"]
Change = Callable[..., None]

PROGRAM = r"wearfmu \S+ \(sources (\w{12})\) with Python \S+ and numpy \S+"
OTHER_PROGRAM = (
    rf"wearfmu: worker tcp://127\.0\.0\.1:\d+ runs {PROGRAM}, and must run {PROGRAM} to "
    r"compute the same rows: install this version and start the worker again\n"
)


@pytest.fixture
def other_kernel(changed_packages: Callable[..., Path]) -> Path:
    """Return another version of the packages, with a kernel that computes half of the wear."""
    measures = "wearmodel/kernel/shoe/measures.py"
    return changed_packages(measures, "= s.wear_work", "= 0.5 * s.wear_work")


def test_a_worker_with_another_kernel_is_refused_by_its_name_with_both_versions(
    sweep_file, tmp_path, start_sweep, other_kernel
):
    with (
        dask_cluster(tmp_path, 0) as (_, address),
        dask_worker(tmp_path, "other_worker", PYTHONPATH=str(other_kernel)),
    ):
        code, text = finished(start_sweep(sweep_file, "--scheduler", address))
    assert code == 2
    said = re.fullmatch(OTHER_PROGRAM, text)
    assert said is not None, text
    assert said[1] != said[2]
    assert journal_rows(sweep_file.with_name("shoe.csv.journal")) == 0


def test_a_worker_with_another_kernel_that_comes_late_gives_no_row(
    sweep_file, tmp_path, change, start_sweep, other_kernel
):
    # The only worker of the cluster would take minutes.
    change(sweep_file, ("count = 40", "count = 4_000"))
    with dask_cluster(tmp_path, 1) as (_, address):
        process = start_sweep(sweep_file, "--scheduler", address)
        wait_for_rows(process, sweep_file.with_name("shoe.csv.journal"), 1)
        with dask_worker(tmp_path, "late", PYTHONPATH=str(other_kernel)):
            code, text = finished(process)
    assert code == 2
    assert re.fullmatch(OTHER_PROGRAM, text), text


def test_a_sweep_whose_workers_are_all_gone_says_so_after_ten_seconds(
    sweep_file, tmp_path, change, start_sweep
):
    change(sweep_file, ("count = 40", "count = 4_000"))
    with dask_cluster(tmp_path, 0) as (_, address):
        with dask_worker(tmp_path, "worker") as worker:
            process = start_sweep(sweep_file, "--scheduler", address)
            wait_for_rows(process, sweep_file.with_name("shoe.csv.journal"), 1)
            worker.kill()
            began = time.monotonic()
        code, text = finished(process)
        seconds = time.monotonic() - began
    assert (code, text) == (
        2,
        f"wearfmu: scheduler {address} has had no workers for 10 s: start workers, and "
        "run the sweep again to resume\n",
    )
    # Dask detects at once that a process of the same machine has ended.
    assert 9.0 < seconds < 20.0
