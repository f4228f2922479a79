"""Division of a run into numbered pieces, which can be computed at the same time.

Each piece is an independent realisation: it starts anew, and its start is discarded. It lasts as
long as the start of the first run, a tenth of it. Piece k has the noise of an undivided run at the
same time. The record of all pieces therefore has the blocks of an undivided run, and the number of
processes that compute them does not change it.

A piece lasts at least half as long as the first run, or as long as that run if the service has a
slowest process. A longer run has at most eight pieces, so that the effect of their starts decreases
with its length.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from harness.case.mean_until import ACCUMULATED
from harness.case.settled_mean import TRANSIENT_SHARE
from harness.fmu.experiment import Experiment
from harness.fmu.history import RunRecord

_MOST_PIECES = 8
# Name of the times [s] at which runs know the wear work of sides, instead of at each sample.
MARKS = "marks"
# Pieces in the time of the first run.
_PIECES_OF_THE_FIRST = 2


class Piece(NamedTuple):
    """A piece of a run: where it starts, and the part of it that is kept [s]."""

    start: float
    settled: float
    stop: float


def pieces_of_run(experiment: Experiment, first: Experiment, *, has_slowest: bool) -> list[Piece]:
    """Return the pieces of a run, or an empty list if it must not be divided.

    Parameters
    ----------
    experiment : Experiment
        Of the run.
    first : Experiment
        Of the first run, which has the same step.
    has_slowest : bool
        Whether a piece must last as long as the first run.
    """
    stride = experiment.output_stride
    samples, of_first = experiment.step_count // stride, first.step_count // stride
    most = (1 if has_slowest else _PIECES_OF_THE_FIRST) * samples // of_first
    count = min(_MOST_PIECES, most)
    if count < 2:
        return []
    lead = math.ceil(TRANSIENT_SHARE * of_first)
    borders = [samples * number // count for number in range(count + 1)]
    return [
        Piece(
            *(
                experiment.start_time + stride * sample * experiment.step_size
                for sample in (max(0, low - lead), low, high)
            )
        )
        for low, high in pairwise(borders)
    ]


def kept(record: RunRecord, settled: float) -> RunRecord:
    """Return the part of a record from a time [s] on."""
    earliest = settled - 0.5 * (record.times[1] - record.times[0])
    marks = record.values.get(MARKS, record.times)
    first = {times.size: int(np.searchsorted(times, earliest)) for times in (marks, record.times)}
    return RunRecord(
        times=record.times[first[record.times.size] :],
        values={name: values[first[len(values)] :] for name, values in record.values.items()},
        seconds=record.seconds,
        messages=record.messages,
    )


def joined(records: Sequence[RunRecord]) -> RunRecord:
    """Return the record of all pieces, each of which begins at the end of the last one.

    Accumulated quantities continue. Other values at the ends are those of the earlier piece.
    """
    values = {}
    for name in records[0].values:
        parts = [records[0].values[name]]
        for record in records[1:]:
            values_of_part = record.values[name]
            if name.endswith(ACCUMULATED):
                values_of_part = values_of_part + (parts[-1][-1] - values_of_part[0])
            parts.append(values_of_part[1:])
        values[name] = np.concatenate(parts)
    times = [records[0].times, *(record.times[1:] for record in records[1:])]
    return RunRecord(times=np.concatenate(times), values=values, seconds=0.0, messages=())
