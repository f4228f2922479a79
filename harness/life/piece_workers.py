"""Computes the pieces of runs of a service life, in this process or in several."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass, replace

import numpy as np

from harness.errors import RunError
from harness.fmu.history import RunRecord
from harness.life.life_file import Life
from harness.life.motion_runs import MotionRuns, Piece, kept
from harness.sweep import Point, PointWork, Row, Workers, failed_row, own_workers
from wearmodel.arrays import Floats
from wearmodel.batch.cores import core_count

# Computing time [s] of a divided run above which processes are started. A service life has at least
# 80 runs, so that their start is worth it.
_WORTH_SECONDS = 0.1


@dataclass(frozen=True)
class _RecordRow(Row):
    """The record of a piece."""

    record: RunRecord | None = None


class _PieceWork(PointWork):
    """Pieces of runs. A point contains the condition, the times of a piece, and the depths."""

    def __init__(self, life: Life) -> None:
        self._life = life
        self.quantities = ()
        self.runs_fmu = life.fmu is not None

    def row(self, point: Point) -> Row:
        """Run a piece and return its record without the discarded start."""
        number, start, settled, stop, *worn = (float(value) for value in point)
        runs = MotionRuns(self._life)
        motion = self._life.motions[int(number)]
        depths = list(np.reshape(worn, (len(self._life.contacts), -1)))
        experiment = replace(motion.case.experiment, start_time=start, stop_time=stop)
        case = replace(motion.case, experiment=experiment)
        try:
            record = runs.record(motion, runs.worn(case, depths), depths)
        except RunError as problem:
            return failed_row(self, str(problem))
        return _RecordRow((), None, kept(record, settled, experiment.step_size))


class PieceWorkers(ExitStack):
    """Computes pieces of runs. It is a context that ends its processes.

    - `workers`: number of processes. The default is the number of cores, or this process for short
      runs.
    """

    def __init__(self, life: Life, workers: int | None = 1) -> None:
        super().__init__()
        self._work = _PieceWork(life)
        self._count = workers or core_count()
        self._is_worth_it = workers is not None
        self._workers: Workers | None = None
        # By condition: the last depths, and the records of pieces there, reused by longer runs.
        self._known: dict[int, tuple[list[float], dict[Piece, RunRecord]]] = {}

    def records(
        self, motion: int, pieces: Sequence[Piece], depths: Sequence[Floats]
    ) -> list[RunRecord]:
        """Run pieces of a condition, by its number, at depths [m], and return their records.

        Raises RunError if a run fails or a process dies.
        """
        worn = np.concatenate(depths).tolist()
        if self._known.get(motion, ([], {}))[0] != worn:
            self._known[motion] = worn, {}
        known = self._known[motion][1]
        missing = [piece for piece in pieces if piece not in known]
        points: list[Point] = [(float(motion), *piece, *worn) for piece in missing]
        if self._count > 1 and self._is_worth_it:
            rows = self._by_processes(points)
        else:
            began = time.monotonic()
            rows = [self._work.row(point) for point in points]
            self._is_worth_it = time.monotonic() - began > _WORTH_SECONDS
        for piece, row in zip(missing, rows, strict=True):
            if not isinstance(row, _RecordRow) or row.record is None:
                raise RunError(row.failure or "")
            known[piece] = row.record
        return [known[piece] for piece in pieces]

    def _by_processes(self, points: Sequence[Point]) -> list[Row]:
        if self._workers is None:
            self._workers = self.enter_context(own_workers(self._work, self._count))
        submitted = [self._workers.submit([point]) for point in points]
        try:
            return [future.result()[0][0] for future in submitted]
        except BrokenProcessPool:
            raise RunError("the process that computed a piece of a run died") from None
