"""Points of a sweep computed by the calling process: the first points, or all of a small sweep.

The first point compiles the kernel if necessary, so that worker processes do not compile it
repeatedly. A small sweep takes less time than the start of workers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from harness.sweep.batch import BatchSize, PointWork, Row, run_batch
from harness.sweep.points import Point
from harness.sweep.study import Study

# Time to start workers [s].
STARTING_SECONDS = 5.0
# Computing time before the time of a point is estimated [s].
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
