"""One pass over a record of any length, in overlapping portions.

A portion has a core and up to HALO neighbouring samples on each side. Each sample is in the core of
exactly one portion, so sums over cores are sums over the record. A local polynomial at the edge of
a core uses the same samples as in its middle. Cores begin at fixed sample numbers of the window and
do not depend on the chunks, so chunks give the same floats as a record in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from .shock_record import STEP_TOLERANCE, ShockRecord, StatisticsSettings, joined_records

# Large enough to make the overhead of numpy calls negligible, even with few contacts in a core.
CORE_SAMPLES = 131072
# The longest stencil of local_polynomial, and one sample more on its outer side.
HALO = 12


@dataclass(frozen=True, eq=False)
class Portion:
    """Samples with their neighbourhood."""

    record: ShockRecord  #: Core and neighbourhood.
    #: The core is ``record`` [core_begin, core_end).
    core_begin: int
    core_end: int
    number: int  #: Sample number in the window of the core's first sample.
    is_last: bool  #: True if the window ends with the core.

    @property
    def core(self) -> slice:
        """The core's samples."""
        return slice(self.core_begin, self.core_end)


def portions(chunks: Iterable[ShockRecord], settings: StatisticsSettings) -> Iterator[Portion]:
    """Cut the window out of successive chunks of a record and yield it in portions.

    ValueError if time decreases between chunks, the columns of chunks differ, or the window
    contains fewer than two samples.
    """
    window = _Window(settings)
    before: list[ShockRecord] = []
    begin = number = 0
    cores = _cores(window.cut(chunk) for chunk in chunks)
    core = next(cores, None)
    window.check_sample_count(len(core) if core else 0)
    while core is not None:
        after = next(cores, None)
        shown = [*before, core, *([after.part(0, HALO)] if after else [])]
        end = begin + len(core)
        yield Portion(joined_records(shown), begin, end, number, is_last=after is None)
        number += len(core)
        before = [core.part(len(core) - HALO, len(core))]
        begin = HALO
        core = after


def _cores(chunks: Iterable[ShockRecord]) -> Iterator[ShockRecord]:
    """Yield the samples of successive chunks in records of CORE_SAMPLES and a shorter last one."""
    pending: list[ShockRecord] = []
    missing = CORE_SAMPLES
    for chunk in chunks:
        rest = chunk
        while len(rest) >= missing:
            yield joined_records([*pending, rest.part(0, missing)])
            rest = rest.part(missing, len(rest))
            pending, missing = [], CORE_SAMPLES
        if len(rest):
            pending.append(rest)
            missing -= len(rest)
    if pending:
        yield joined_records(pending)


def window_sample_count(chunks: Iterable[ShockRecord], settings: StatisticsSettings) -> int:
    """Count the samples of the window. The chunks need only the column of time.

    ValueError if the window contains fewer than two samples.
    """
    window = _Window(settings)
    sample_count = sum(len(window.cut(chunk)) for chunk in chunks)
    window.check_sample_count(sample_count)
    return sample_count


class _Window:
    """Cuts successive chunks and keeps the time span of the record for the error message."""

    def __init__(self, settings: StatisticsSettings) -> None:
        self._settings = settings
        self._first_time: float | None = None
        self._last_time = -np.inf
        self._margin: float | None = None

    def cut(self, chunk: ShockRecord) -> ShockRecord:
        if not len(chunk):
            return chunk
        if self._first_time is None:
            self._first_time = float(chunk.time[0])
        if chunk.time[0] <= self._last_time:
            raise ValueError(
                f"time={chunk.time[0]!s} s at a chunk's start must be > {self._last_time!s} s,"
                " the end of the chunk before it"
            )
        self._last_time = float(chunk.time[-1])
        if self._margin is None and len(chunk) > 1:
            self._margin = STEP_TOLERANCE * float(chunk.time[1] - chunk.time[0])
        margin = self._margin or 0.0
        begin = int(np.searchsorted(chunk.time, self._settings.window_start - margin, "left"))
        end = int(np.searchsorted(chunk.time, self._settings.window_end + margin, "right"))
        return chunk.part(begin, end)

    def check_sample_count(self, sample_count: int) -> None:
        if sample_count < 2:
            raise ValueError(
                f"window [{self._settings.window_start}, {self._settings.window_end}] s must"
                f" contain at least 2 samples and contains {sample_count}: the record spans"
                f" [{self._first_time}, {self._last_time}] s"
            )
