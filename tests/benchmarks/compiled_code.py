"""Functions for benchmarks of compiled code: two clocks, the interpreted form, the first call.

Run as a program, it runs a record and prints the CPU seconds, including loading.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from wearmodel.compiled.run_library import Runs, run_source


class Seconds(NamedTuple):
    """Wall time and CPU time of a run. Other processes increase only the wall time."""

    clock: float
    processor: float


def clocked(action: Callable[[], object]) -> Seconds:
    """Return the wall time and the CPU time of a call. The latter covers all threads."""
    clock, processor = time.perf_counter(), time.process_time()
    action()
    return Seconds(time.perf_counter() - clock, time.process_time() - processor)


def median(runs: Sequence[Seconds]) -> Seconds:
    """Return the medians of both times."""
    return Seconds(*(statistics.median(column) for column in zip(*runs, strict=True)))


@contextmanager
def interpreted(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hide all libraries from `module`."""
    with monkeypatch.context() as patch:
        patch.setattr(module, "runs_of", lambda name, **_: Runs(run_source(name), None))
        yield


def run_record() -> None:
    from wearmodel import FrictionalShockParameters
    from wearmodel.batch.record_runs import run_records

    run_records(FrictionalShockParameters(), 0.01, base_acceleration=[0.0, 3.0, 0.0])


def first_call_seconds(cache: Path) -> tuple[float, float]:
    """Return the CPU seconds of a first call that compiles, and of one that uses `cache`."""
    environment = {**os.environ, "WEARFMU_CACHE": str(cache)}
    cold, warm = (
        float(
            subprocess.run(
                [sys.executable, __file__],
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        )
        for _ in range(2)
    )
    return cold, warm


if __name__ == "__main__":
    started = time.process_time()
    run_record()
    print(time.process_time() - started)
