"""Runs of a service life are divided into pieces with equal results for any number of processes."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.case.case_file import Case
from harness.command_line import main
from harness.errors import RunError
from harness.fmu.experiment import Experiment
from harness.fmu.history import RunRecord
from harness.life import Life, life_run, load_life, piece_workers, run_life, write_life_json
from harness.life.motion_runs import MARKS, MotionRuns, Piece, Rates, joined, kept, pieces_of_run
from harness.life.piece_workers import PieceWorkers
from harness.sweep import Workers

from .pads import LIFE, life_file

SINE = 'kind = "sine"\namplitude = 2.0\nfrequency = 5.0'
NOISE = """kind = "noise"
rms = 4.0
low = 5.0
high = 20.0
sample_interval = 0.002
seed = 1"""


def rubbing(folder: Path, error: float = 0.2, more: str = "") -> Path:
    """Write a service life of a pad that rubs under noise, so that its wear has scatter."""
    return life_file(
        folder,
        LIFE.replace("relative_error = 0.02", f"relative_error = {error}{more}"),
        (SINE, NOISE),
        ("friction_coefficient = 0.0", "friction_coefficient = 0.2\ncontact_damping = 1e3"),
        ("initial_velocity = 0.06366197723675814\n", 'input_timing = "end"\n'),
    )


@pytest.mark.long
def test_the_number_of_processes_does_not_change_a_bit_of_a_life(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    life = load_life(rubbing(tmp_path), years=2.0)
    texts = []
    for workers in (1, 3):
        write_life_json(run_life(life, workers=workers), tmp_path / "life.json")
        texts.append((tmp_path / "life.json").read_bytes())
    assert texts[0] == texts[1]


@pytest.mark.parametrize("interval", [None, 0.02])
@pytest.mark.parametrize("lengths", [1, 2, 3, 4, 16])
@pytest.mark.parametrize("has_slowest", [False, True])
def test_pieces_cover_a_run_once_and_start_a_tenth_of_the_first_run_before(
    lengths: int, interval: float | None, *, has_slowest: bool
) -> None:
    first = Experiment(start_time=5.0, stop_time=25.0, step_size=0.002, output_interval=interval)
    sample = interval or 0.002
    longer = replace(first, stop_time=5.0 + 20.0 * lengths)
    pieces = pieces_of_run(longer, first, has_slowest=has_slowest)
    shortest = 20.0 if has_slowest else 10.0
    if lengths == 1 and has_slowest:
        assert pieces == []
        return
    assert len(pieces) == min(8, lengths if has_slowest else 2 * lengths)
    ends = [5.0, *(piece.stop for piece in pieces)]
    assert ends[-1] == pytest.approx(longer.stop_time)
    for before, piece in zip(ends, pieces, strict=False):
        assert piece.settled == pytest.approx(before)
        # The pieces of a run can differ by a sample if their length is not a whole number of
        # samples.
        assert piece.stop - piece.settled >= shortest - 2.0 * sample
        assert piece.start == pytest.approx(max(5.0, before - 2.0))
        for time in piece:
            assert (time - 5.0) / sample == pytest.approx(round((time - 5.0) / sample), abs=1e-6)


@pytest.mark.parametrize("has_marks", [False, True])
@pytest.mark.parametrize("settled", [0.0, 0.25, 0.5, 1.0])
def test_the_kept_part_of_a_record_begins_at_the_sample_of_its_time(
    settled: float, *, has_marks: bool
) -> None:
    times = np.linspace(0.0, 2.0, 9)
    values = {"a.x": times + 7.0}
    if has_marks:
        values |= {MARKS: times[::2], "a.by_side": times[::2] - 3.0}
    # The time is a sum of steps and has a rounding error.
    part = kept(RunRecord(times, values, 4.0, ("note",)), settled * (1.0 + 1e-14), 0.25)
    assert part.times.tolist() == times[times >= settled].tolist()
    assert part.values["a.x"].tolist() == (part.times + 7.0).tolist()
    assert (part.seconds, part.messages) == (4.0, ("note",))
    if has_marks:
        assert part.values[MARKS].tolist() == [t for t in times[::2] if t >= settled]
        assert part.values["a.by_side"].tolist() == (part.values[MARKS] - 3.0).tolist()


def test_joined_pieces_accumulate_what_all_of_them_accumulate_after_their_starts() -> None:
    # ∫(1 + ½ sin t) dt, and a start with 3 J of additional wear that decays with 50 ms.
    def record(piece: Piece) -> RunRecord:
        times = np.linspace(piece.start, piece.stop, round(1e3 * (piece.stop - piece.start)) + 1)
        start = 3.0 * -np.expm1(-(times - piece.start) / 0.05)
        work = times - 0.5 * np.cos(times)
        values = {"a.wear_work": work - work[0] + start, "a.x": np.sin(times)}
        return kept(RunRecord(times, values, 0.0, ()), piece.settled, 1e-3)

    first = Experiment(stop_time=20.0, step_size=1e-3)
    pieces = pieces_of_run(replace(first, stop_time=80.0), first, has_slowest=False)
    whole = joined([record(piece) for piece in pieces])
    assert whole.times == pytest.approx(np.arange(80_001) * 1e-3, abs=1e-9)
    assert whole.values["a.x"] == pytest.approx(np.sin(whole.times), abs=1e-12)
    settled = whole.times >= 2.0
    work = whole.values["a.wear_work"][settled]
    times = whole.times[settled]
    # After 2 s, e⁻⁴⁰ of the start remains.
    want = times - times[0] - 0.5 * (np.cos(times) - np.cos(times[0]))
    assert work - work[0] == pytest.approx(want, abs=1e-9)


@pytest.mark.long
def test_a_confirming_run_is_whole_and_the_printed_limit_is_a_quarter_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole: list[float] = []
    divided: list[float] = []
    rates, of_pieces = MotionRuns.rates, MotionRuns.rates_of_pieces

    def seen(runs: MotionRuns, motion: object, case: Case, depths: object) -> list[Rates]:
        whole.append(case.experiment.stop_time)
        return rates(runs, motion, case, depths)  # type: ignore[arg-type]

    def seen_divided(
        runs: MotionRuns, motion: object, case: Case, depths: object, run: object
    ) -> list[Rates]:
        divided.append(case.experiment.stop_time)
        return of_pieces(runs, motion, case, depths, run)  # type: ignore[arg-type]

    monkeypatch.setattr(MotionRuns, "rates", seen)
    monkeypatch.setattr(MotionRuns, "rates_of_pieces", seen_divided)
    result = run_life(load_life(rubbing(tmp_path), years=2.0), workers=1)
    assert len(divided) >= 80
    # The first state confirms its rate. Later runs in one piece confirm rates that have changed.
    confirming = [longer for shorter, longer in pairwise(whole) if longer > shorter]
    assert result.valid_for == pytest.approx(min(confirming[-1], whole[-1]) / 4.0)
    assert result.is_known


def test_a_life_whose_pieces_disagree_with_the_whole_run_is_not_divided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    divided: list[float] = []
    of_pieces = MotionRuns.rates_of_pieces

    def biased(*given: object) -> list[Rates]:
        divided.append(1.0)
        found = of_pieces(*given)  # type: ignore[arg-type]
        return [
            replace_mean(rates, 2.0 * rates.weighed.mean) if len(divided) == 1 else rates
            for rates in found
        ]

    def replace_mean(rates: Rates, mean: float) -> Rates:
        return rates._replace(weighed=replace(rates.weighed, mean=mean))

    monkeypatch.setattr(MotionRuns, "rates_of_pieces", biased)
    result = run_life(load_life(rubbing(tmp_path), years=2.0), workers=1)
    assert divided == [1.0]
    assert result.is_known


def test_a_motion_without_noise_is_not_divided(tmp_path: Path) -> None:
    life = load_life(life_file(tmp_path))
    assert MotionRuns(life).pieces(life.motions[0].case) == []


def test_the_command_takes_a_number_of_workers(tmp_path: Path) -> None:
    assert main(["life", str(life_file(tmp_path)), "--years", "1", "--workers", "2"]) == 0


def test_a_process_that_dies_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that the system kills for lack of memory has no result."""

    @contextmanager
    def dying(work: object, count: int) -> Iterator[Workers]:
        lost: Future[Any] = Future()
        lost.set_exception(BrokenProcessPool())
        yield Workers(lambda points: lost, lambda: count, BrokenProcessPool)

    monkeypatch.setattr(piece_workers, "own_workers", dying)
    life = load_life(rubbing(tmp_path))
    with PieceWorkers(life, 2) as pieces, pytest.raises(RunError, match="a piece of a run died"):
        pieces.records(0, [Piece(0.0, 0.0, 1.0)], [np.zeros(1)])


def test_a_life_runs_in_this_process_by_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts: list[int | None] = []

    def counted(life: Life, workers: int | None = 1) -> PieceWorkers:
        counts.append(workers)
        raise RunError("no run")

    monkeypatch.setattr(life_run, "PieceWorkers", counted)
    with pytest.raises(RunError):
        run_life(load_life(rubbing(tmp_path)))
    assert counts == [1]
