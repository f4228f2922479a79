"""Points of a sweep computed by the process that runs it: the first ones, or all of a small sweep.

The first point compiles the kernel where it never was on this machine: once, before worker
processes start that would each do the same. And workers take some seconds to start, in which a
small sweep is done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from harness.sweep.batch import BatchSize, PointWork, Row, run_batch
from harness.sweep.points import Point
from harness.sweep.study import Study

# What it takes to start workers, s: less work than that is done sooner here.
STARTING_SECONDS = 5.0
# How long points are computed before their time is judged, s: small batches say what a call costs,
# not a point.
_JUDGED_SECONDS = 0.25


def own_batches(
    study: Study | PointWork, points: Mapping[int, Point], *, most_seconds: float
) -> Iterator[dict[int, Row]]:
    """Compute points here; yield the rows of each batch, by number, as soon as it is done.

    Parameters
    ----------
    study : Study or PointWork
        What to compute. Not by the engine "fmu": anyone's FMU may end its process.
    points : mapping of int to Point
        At which points, by number.
    most_seconds : float
        Stop when the points that are left would take longer. The first one is computed in any
        case, and does not count: it may have to wait until the kernel is compiled.
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
