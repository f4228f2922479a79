"""Distribution of points to workers, and detection of a point that ends its process."""

import math
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

import pytest

from harness.sweep import PointWork, Row, distribution
from harness.sweep.distribution import PROGRAM, Workers, computed_batches
from harness.sweep.points import Point
from wearmodel.compiled.run_library import SWITCH


class Numbers(PointWork):
    """Work that returns the value of each point."""

    quantities = ("value",)
    runs_fmu = True

    def row(self, point: Point) -> Row:
        return Row((float(point[0]),))


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """Replace the workers. Return the number of concurrent batches of each pool, in order.

    All workers of a pool break if one computes a point of 13 or more. Batches are completed in
    order, each when the next one is requested.
    """
    pools: list[list[int]] = []

    @contextmanager
    def opened(study: PointWork, count: int) -> Iterator[Workers]:
        under_way: list[Future[Any]] = []
        most = [0]
        broken = False
        pools.append(most)

        def submit(points: Sequence[Point]) -> Future[Any]:
            if broken:
                raise BrokenProcessPool
            future: Future[Any] = Future()
            under_way.append(future)
            future.points = points  # type: ignore[attr-defined]
            most[0] = max(most[0], len(under_way))
            return future

        def done_of(running: Any, timeout: float, return_when: str) -> Any:
            nonlocal broken
            future: Any = under_way.pop(0)
            if broken or any(point[0] >= 13 for point in future.points):
                broken = True
                future.set_exception(BrokenProcessPool())
            else:
                rows = [study.row(point) for point in future.points]
                future.set_result((rows, 0.5, PROGRAM))
            return type("Done", (), {"done": {future}})

        monkeypatch.setattr(distribution, "wait", done_of)
        yield Workers(submit, lambda: count, BrokenProcessPool)

    monkeypatch.setattr(distribution, "own_workers", opened)
    return pools


@pytest.mark.parametrize(
    "deadly",
    [(), (0,), (39,), (7, 8), (3, 21, 22, 38), tuple(range(10)), tuple(range(40))],
    ids=lambda numbers: f"{len(numbers)} deadly",
)
def test_exactly_the_points_that_end_their_process_fail(started, deadly):
    points = {number: (13.0 + number if number in deadly else 1.0,) for number in range(40)}
    batches = computed_batches(Numbers(), points, workers=3, scheduler=None)
    rows = {number: row for batch in batches for number, row in batch.items()}
    assert sorted(rows) == list(range(40))
    assert sorted(number for number, row in rows.items() if row.failure) == list(deadly)
    assert {row.values for row in rows.values() if not row.failure} <= {(1.0,)}
    assert {row.failure for row in rows.values()} <= {
        None,
        "the process that computed this point ended unexpectedly",
    }


def test_no_worker_has_more_than_four_batches_ahead(started):
    points = {number: (1.0,) for number in range(40)}
    assert len(list(computed_batches(Numbers(), points, workers=3, scheduler=None))) == 41
    assert 3 < started[0][0] <= 4 * 3


def test_the_point_among_many_is_found_by_halves(started):
    """The n concurrent batches are bisected, so as many pools break as n has binary digits."""
    points = {number: (13.0 if number == 17 else 1.0,) for number in range(40)}
    list(computed_batches(Numbers(), points, workers=16, scheduler=None))
    assert len(started) <= 2 + math.ceil(math.log2(4 * 16))


SCRIPT = """\
from pathlib import Path
from harness.sweep import load_sweep, run_sweep
run_sweep(load_sweep({file!r}, fmu_folder=Path(".")), workers=1)
"""


@pytest.mark.long
def test_a_script_without_a_guard_learns_how_to_call_a_sweep(sweep_file, tmp_path, change):
    change(sweep_file, ("count = 40", "count = 2"))
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(file=str(sweep_file)), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {SWITCH: "1"},
    )
    assert done.returncode == 1
    assert 'below `if __name__ == "__main__":`' in done.stderr.splitlines()[-1]
