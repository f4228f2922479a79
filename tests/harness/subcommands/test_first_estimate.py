"""If a computation takes long, its remaining time is printed once."""

from typing import Any

import pytest

from harness.subcommands import progress
from harness.sweep import distribution
from harness.sweep.batch import PointWork, Row
from harness.sweep.journal import open_journal
from harness.sweep.points import Point
from harness.sweep.sweep_run import compute_rows


@pytest.mark.parametrize(
    ("seconds_each", "said"),
    [(10.0, "2 of 101 points done, remaining time about 16 min"), (0.5, "")],
    ids=["long", "short"],
)
def test_the_rest_of_long_work_is_told_once(seconds_each, said, monkeypatch, capsys):
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    told = progress.first_estimate(101, "of 101 points")
    for done in range(102):
        told(done)
        # The kernel is compiled before the first result.
        now[0] += seconds_each if done else 120.0
    assert capsys.readouterr().err.strip() == said


def test_the_rest_of_a_long_run_is_told_in_a_pipe(monkeypatch, capsys):
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    with progress.shown_progress() as shown:
        for step in range(101):
            now[0] += 10.0
            shown("{long}.csv", step / 100.0)
    assert capsys.readouterr().err == "2 % of {long}.csv done, remaining time about 16 min\n"


def test_a_forecast_starts_when_the_workers_have_started(monkeypatch, capsys):
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    with progress.shown_count("sweep", 1000, "points") as progressed:
        progressed(0)
        # The first point is computed in this process. Then the workers start.
        now[0] += 1.0
        progressed(1)
        now[0] += 6.0
        progressed(1)
        for done in range(2, 1001):
            now[0] += 0.035
            progressed(done)
    assert capsys.readouterr().err == ""


class Numbers(PointWork):
    """Work that returns a constant for each point."""

    quantities = ("number",)
    runs_fmu = False

    def row(self, point: Point) -> Row:
        return Row((1.0,))


def test_a_sweep_reports_that_its_workers_have_started(tmp_path, monkeypatch):
    events: list[int | str] = []

    def opened(*arguments: Any) -> Any:
        events.append("workers start")
        return own_workers(*arguments)

    own_workers = distribution.own_workers
    monkeypatch.setattr(distribution, "own_workers", opened)
    with open_journal(tmp_path / "journal", "") as journal:
        compute_rows(
            journal, Numbers(), [(), (), ()], workers=1, scheduler=None, report=events.append
        )
    assert events == [0, 1, "workers start", 1, 2, 3]
