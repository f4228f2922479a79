"""Points of a sweep that the command computes itself, before or instead of workers."""

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from harness.sweep import Sweep, load_sweep, run_sweep, sweep_run
from harness.sweep.batch import Row, run_batch
from harness.sweep.points import Point
from harness.sweep.study import Study
from wearmodel.installation import install_command

from .sweep_processes import finished

ROW = Row((1.0, 2.0))


@pytest.fixture
def sweep(sweep_file: Path, tmp_path: Path) -> Sweep:
    """Load a sweep of 1000 points."""
    return load_sweep(sweep_file, fmu_folder=tmp_path)


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Record place and size of batches. A point takes 0.1 s, and the first one 60 s."""
    batches: list[tuple[str, int]] = []

    def here(study: Study, points: Sequence[Point]) -> tuple[list[Row], float]:
        seconds = 0.1 * len(points) if batches else 60.0
        batches.append(("here", len(points)))
        return [ROW] * len(points), seconds

    def there(study: Study, points: dict[int, Point], **where: Any) -> Iterator[dict[int, Row]]:
        batches.append(("workers", len(points)))
        yield dict.fromkeys(points, ROW)

    monkeypatch.setattr(sweep_run, "run_batch", here)
    monkeypatch.setattr(sweep_run, "computed_batches", there)
    return batches


@pytest.fixture
def workers_start_in(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Return a function that sets the start time of workers, s."""
    return lambda seconds: monkeypatch.setattr(sweep_run, "STARTING_SECONDS", seconds)


def test_a_sweep_that_takes_no_longer_than_workers_to_start_needs_none(
    sweep, computed, workers_start_in
):
    workers_start_in(150.0)
    result = run_sweep(sweep)
    assert len(result.rows) == result.computed == 1000
    assert {where for where, _ in computed} == {"here"}


def test_a_long_sweep_is_handed_over_once_the_first_points_have_shown_how_long_it_takes(
    sweep, computed, workers_start_in
):
    workers_start_in(5.0)
    result = run_sweep(sweep)
    # The first point compiles the kernel, so its time is not used. 0.1 s are not enough.
    assert computed == [("here", 1), ("here", 1), ("here", 2), ("workers", 996)]
    assert sorted(result.rows) == list(range(1000))


def test_a_sweep_whose_batches_take_as_long_as_a_point_is_not_handed_over_for_its_first_points(
    sweep, monkeypatch, computed, workers_start_in
):
    """Each call takes 20 ms. The second point predicts 20 s, but the sweep takes 0.1 s."""

    def here(study: Study, points: Sequence[Point]) -> tuple[list[Row], float]:
        return [ROW] * len(points), 0.02

    monkeypatch.setattr(sweep_run, "run_batch", here)
    workers_start_in(5.0)
    assert run_sweep(sweep).computed == 1000
    assert computed == []


def test_where_workers_are_asked_for_the_first_point_alone_is_computed_before_they_start(
    sweep, computed
):
    run_sweep(sweep, workers=2)
    assert computed == [("here", 1), ("workers", 999)]


def test_a_cluster_elsewhere_computes_all(sweep, computed):
    run_sweep(sweep, scheduler="tcp://node1:8786")
    assert computed == [("workers", 1000)]


def test_an_fmu_never_runs_in_the_process_of_the_command(
    sweep_file, tmp_path, change, computed, workers_start_in
):
    workers_start_in(1e9)
    change(sweep_file, ('engine = "kernel"', 'engine = "fmu"'))
    run_sweep(load_sweep(sweep_file, fmu_folder=tmp_path))
    assert computed == [("workers", 1000)]


def test_rows_are_the_same_wherever_they_are_computed(
    sweep_file, tmp_path, change, workers_start_in
):
    change(sweep_file, ("count = 40", "count = 3"), ("count = 25", "count = 3"))
    sweep = load_sweep(sweep_file, fmu_folder=tmp_path)
    rows, _ = run_batch(sweep.study, sweep.points)
    workers_start_in(math.inf)
    here = run_sweep(sweep)
    there = run_sweep(sweep, workers=2)
    assert [here.rows[number] for number in range(9)] == rows
    assert [there.rows[number] for number in range(9)] == rows


@pytest.mark.long
def test_several_processes_of_this_machine_need_no_dask(sweep_file, change, start_sweep):
    change(sweep_file, ("count = 40", "count = 2"), ("count = 25", "count = 2"))
    without = ("dask", "distributed", "psutil")
    code, text = finished(start_sweep(sweep_file, "--workers", "2", without=without))
    assert code == 0, text
    assert "4 points in " in text


def test_a_scheduler_without_dask_names_the_command_that_installs_it(
    sweep_file, tmp_path, monkeypatch, start_sweep
):
    monkeypatch.chdir(tmp_path)
    needs = "--scheduler needs distributed, which cannot be imported"
    cluster = ("--scheduler", "tcp://127.0.0.1:9")
    code, text = finished(start_sweep(sweep_file, *cluster, without=("distributed",)))
    assert (code, text) == (2, f"wearfmu: {needs}: {install_command('sweep')}\n")
