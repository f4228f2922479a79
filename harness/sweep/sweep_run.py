"""Run of a sweep: points in the journal are kept, and all others are computed.

The calling process computes the first point, which compiles the kernel if necessary, so that worker
processes do not compile it repeatedly. A small sweep takes less time than starting workers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice

from harness.sweep.batch import BatchSize, PointWork, Row, run_batch
from harness.sweep.distribution import PROGRAM, computed_batches
from harness.sweep.journal import Journal, open_journal
from harness.sweep.points import Point
from harness.sweep.result_file import require_format, write_results
from harness.sweep.study import Study
from harness.sweep.sweep_file import Sweep
from wearmodel.structure import document_of


@dataclass(frozen=True)
class SweepResult:
    """Result of a sweep."""

    # Rows of all points, by number.
    rows: Mapping[int, Row]
    # Number of points computed in this run. The others are from the journal.
    computed: int

    @property
    def failures(self) -> dict[int, str]:
        """Reasons of failed points, by number."""
        return {
            number: row.failure
            for number, row in sorted(self.rows.items())
            if row.failure is not None
        }


def run_sweep(
    sweep: Sweep,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> SweepResult:
    """Compute the points that are not in the journal, and write the results.

    The journal has the name of the results with the suffix `.journal`. It is removed after the
    results have been written. Their folder is created if necessary.

    - `workers`: number of processes on this machine. The default is the number of available cores.
      By default, a sweep that takes only seconds without FMU runs in this process.
    - `scheduler`: address of the Dask scheduler of a cluster, which computes all points
    - `progress`: called with the number of completed points, including the journal

    Raises CaseError if the journal belongs to another sweep or is in use, MissingLibraryError if
    pyarrow for Parquet files, or Dask for a scheduler, is not installed, and OSError if a file
    cannot be written or there are no workers.
    """
    require_format(sweep.output)
    sweep.output.parent.mkdir(parents=True, exist_ok=True)
    digest = sweep_digest(sweep)
    report = progress or (lambda done: None)
    with open_journal(sweep.journal, digest) as journal:
        computed = compute_rows(
            journal,
            sweep.study,
            sweep.points,
            workers=workers,
            scheduler=scheduler,
            report=report,
        )
        write_results(sweep.output, sweep.columns, sweep.points, journal.rows)
    # Windows cannot remove an open file.
    sweep.journal.unlink()
    return SweepResult(journal.rows, computed)


def compute_rows(
    journal: Journal,
    study: Study | PointWork,
    points: Sequence[Point],
    *,
    workers: int | None,
    scheduler: str | None,
    report: Callable[[int], None],
) -> int:
    """Compute the points that are not in an open journal, and return their number.

    `run_sweep` describes `workers` and `scheduler`. `report` is called with the number of completed
    points, and again when the workers have started.
    """
    missing = {number: point for number, point in enumerate(points) if number not in journal.rows}
    report(len(journal.rows))

    def keep(rows: Mapping[int, Row]) -> None:
        if rows:
            journal.append(rows)
        report(len(journal.rows))

    # An FMU may terminate its process, so that it does not run in this one.
    if scheduler is None and not study.runs_fmu:
        most = STARTING_SECONDS if workers is None else 0.0
        for rows in own_batches(study, missing, most_seconds=most):
            keep(rows)
    left = {number: point for number, point in missing.items() if number not in journal.rows}
    if left:
        batches = computed_batches(study, left, workers=workers, scheduler=scheduler)
        with closing(batches):
            for rows in batches:
                keep(rows)
    return len(missing)


def sweep_digest(sweep: Sweep) -> str:
    """Return a digest of the points, the study and the program, which determine the rows."""
    study = sweep.study
    content = {
        "columns": sweep.columns,
        "points": sweep.points,
        "model": study.model,
        "engine": study.engine,
        "program": PROGRAM,
        "fmu": None if study.fmu is None else hashlib.sha256(study.fmu).hexdigest(),
        "experiment": repr(study.experiment),
        "parameters": study.parameters,
        "inputs": repr(study.inputs),
        "tables": repr(study.tables),
        "targets": study.targets,
        "quantities": [quantity.described() for quantity in study.quantities.values()],
        "structure": None if study.structure is None else document_of(study.structure),
    }
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


# Time to start workers [s].
STARTING_SECONDS = 5.0
# Minimum computing time before the remaining time is estimated [s].
_JUDGED_SECONDS = 0.25


def own_batches(
    study: Study | PointWork, points: Mapping[int, Point], *, most_seconds: float
) -> Iterator[dict[int, Row]]:
    """Compute points in this process, and yield the rows of each batch by number.

    Stop if the remaining points would take longer than `most_seconds`. The first point is always
    computed and does not count, because it may compile the kernel. The engine "fmu" is not allowed,
    because an FMU may terminate its process.
    """
    waiting = iter(points)
    size = BatchSize(study, first=1)
    computed, spent = -1, 0.0
    while numbers := list(islice(waiting, size.points)):
        rows, seconds = run_batch(study, [points[number] for number in numbers])
        yield dict(zip(numbers, rows, strict=True))
        is_first = computed < 0
        computed += len(numbers)
        spent += 0.0 if is_first else seconds
        left = len(points) - 1 - computed
        is_judged = spent > _JUDGED_SECONDS
        if most_seconds <= 0.0 or (is_judged and spent / computed * left > most_seconds):
            return
        size.adapt(len(numbers), seconds)
