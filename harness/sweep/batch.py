"""Computation of a batch of points in any process: a row of numbers for each point."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from harness.fmu.history import RunRecord
from harness.sweep.fmu_runs import fmu_runs
from harness.sweep.kernel_runs import kernel_runs
from harness.sweep.points import Point
from harness.sweep.study import Study

# Desired computing time of a batch [s]: an interruption loses little, and sending takes only ms.
_BATCH_SECONDS = 0.5
# Maximum number of values in the histories of a batch, 8 bytes each.
_MOST_NUMBERS = 4_000_000


@dataclass(frozen=True)
class Row:
    """Result of a point: its quantities, `None` if missing, and the reason of a failure."""

    values: tuple[float | None, ...]
    failure: str | None = None


class PointWork(ABC):
    """Computation of rows that are not runs of a case. It is sent to processes like a study."""

    quantities: Collection[str]
    runs_fmu: bool
    """Whether an FMU runs, which may terminate its process."""

    @abstractmethod
    def row(self, point: Point) -> Row:
        """Compute a point, which may take minutes."""


def failed_row(study: Study | PointWork, reason: str) -> Row:
    """Return the row of a failed point."""
    return Row((None,) * len(study.quantities), " ".join(reason.split()))


class BatchSize:
    """Number of points of a batch, adapted to the computing time of previous batches.

    The first batch has `first` points. Batches of a `PointWork` always have a single point.
    """

    def __init__(self, study: Study | PointWork, *, first: int) -> None:
        if isinstance(study, PointWork):
            self._most = self.points = 1
            return
        variables = study.variables()
        # Models have about twenty outputs.
        samples = (study.experiment.step_count + 1) * (20 if variables is None else len(variables))
        self._most = max(1, _MOST_NUMBERS // samples)
        self.points = min(first, self._most)

    def adapt(self, points: int, seconds: float) -> None:
        """Adapt the size to the computing time of a batch."""
        if points == self.points and seconds < 0.5 * _BATCH_SECONDS:
            self.points = min(2 * self.points, self._most)
        elif seconds > 2.0 * _BATCH_SECONDS:
            self.points = max(1, self.points // 2)


def run_batch(study: Study | PointWork, points: Sequence[Point]) -> tuple[list[Row], float]:
    """Return the rows of points in their order, and the computing time [s].

    A failed point does not affect other points.
    """
    began = time.perf_counter()
    if isinstance(study, PointWork):
        return [study.row(point) for point in points], time.perf_counter() - began
    runs = fmu_runs if study.runs_fmu else kernel_runs
    rows = {index: _row(study, outcome) for index, outcome in runs(study, points)}
    return [rows[index] for index in range(len(points))], time.perf_counter() - began


def _row(study: Study, outcome: RunRecord | str) -> Row:
    if isinstance(outcome, str):
        return failed_row(study, outcome)
    values: list[float | None] = []
    failures = []
    for name, quantity in study.quantities.items():
        try:
            value = quantity.measure(outcome, study.experiment)
            if not math.isfinite(value):
                raise ValueError(f"{value} must be finite")
        except ValueError as problem:
            values.append(None)
            failures.append(f"{name}: {problem}")
        else:
            values.append(value)
    return Row(tuple(values), "; ".join(failures) or None)
