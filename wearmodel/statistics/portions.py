"""One pass over a record of any length, in overlapping portions.

A portion has a core, and up to HALO samples of neighbourhood on either side.  Every sample is in
the core of exactly one portion, so sums over cores are sums over the record, and a local polynomial
at the core's edge sees the same samples as in its middle.  The cores lie at fixed sample numbers of
the window whatever the chunks were: a record read in pieces gives the same floats as one in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from .shock_record import STEP_TOLERANCE, ShockRecord, StatisticsSettings, joined_records

# Long enough that numpy's cost a call does not count even with few contacts in a core.
CORE_SAMPLES = 131072
# The longest stencil of local_polynomial, and one sample more on its outer side.
HALO = 12


@dataclass(frozen=True, eq=False)
class Portion:
    """Samples with their neighbourhood.

    Parameters
    ----------
    record : ShockRecord
        Core and neighbourhood.
    core_begin, core_end : int
        The core is ``record`` [core_begin, core_end).
    number : int
        Window's sample number of the core's first sample.
    is_last : bool
        True when the window ends with the core.
    """

    record: ShockRecord
    core_begin: int
    core_end: int
    number: int
    is_last: bool

    @property
    def core(self) -> slice:
        """The core's samples."""
        return slice(self.core_begin, self.core_end)


def portions(chunks: Iterable[ShockRecord], settings: StatisticsSettings) -> Iterator[Portion]:
    """Cut the window out of successive chunks of a record and yield it in portions.

    Raises
    ------
    ValueError
        When time goes back between chunks, columns change, or the window holds fewer than two
        samples.
    """
    pending: list[ShockRecord] = []
    pending_count = 0
    core_begin = 0
    number = 0
    window = _Window(settings)
    for chunk in chunks:
        inside = window.cut(chunk)
        if not len(inside):
            continue
        pending.append(inside)
        pending_count += len(inside)
        if pending_count < core_begin + CORE_SAMPLES + HALO:
            continue
        buffer = joined_records(pending)
        # More than HALO samples stay behind, so that the final core has no follower to miss.
        while len(buffer) > core_begin + CORE_SAMPLES + HALO:
            core_end = core_begin + CORE_SAMPLES
            yield _stretch(buffer, core_begin, core_end, number, is_last=False)
            number += CORE_SAMPLES
            core_begin = core_end
        kept_from = max(core_begin - HALO, 0)
        pending = [buffer.part(kept_from, len(buffer))]
        pending_count = len(buffer) - kept_from
        core_begin -= kept_from
    window.check_sample_count(number + pending_count - core_begin)
    buffer = joined_records(pending)
    while core_begin < len(buffer):
        core_end = min(core_begin + CORE_SAMPLES, len(buffer))
        yield _stretch(buffer, core_begin, core_end, number, is_last=core_end == len(buffer))
        number += CORE_SAMPLES
        core_begin = core_end


def window_sample_count(chunks: Iterable[ShockRecord], settings: StatisticsSettings) -> int:
    """Count the window's samples; the chunks need no other column than time.

    Raises
    ------
    ValueError
        When the window holds fewer than two samples.
    """
    window = _Window(settings)
    sample_count = sum(len(window.cut(chunk)) for chunk in chunks)
    window.check_sample_count(sample_count)
    return sample_count


def _stretch(
    buffer: ShockRecord, core_begin: int, core_end: int, number: int, *, is_last: bool
) -> Portion:
    begin = max(core_begin - HALO, 0)
    end = min(core_end + HALO, len(buffer))
    return Portion(buffer.part(begin, end), core_begin - begin, core_end - begin, number, is_last)


class _Window:
    """Cuts successive chunks and remembers the record's span for the message."""

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
                f"window [{self._settings.window_start}, {self._settings.window_end}] s must hold"
                f" at least 2 samples and holds {sample_count}: the record spans"
                f" [{self._first_time}, {self._last_time}] s"
            )
