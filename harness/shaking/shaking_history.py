"""History of a run in blocks, with fewer points of a long run, and its largest values.

Statistics, largest values and the time in slip include all communication points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from harness.fmu.history import RunRecord
from harness.records import matched_columns, shock_record
from wearmodel import ContactMode
from wearmodel.statistics import ShockRecord

# Outputs whose largest magnitude is stored.
_LARGEST = ("slip_velocity", "relative_displacement")


class ShakingHistory:
    """Collects the successive blocks of a run, and stores every `stride`-th communication point."""

    def __init__(self, stride: int) -> None:
        self.largest = dict.fromkeys(_LARGEST, 0.0)
        self.slip_count = 0
        self._stride = stride
        self._point_count = 0
        self._kept: list[RunRecord] = []

    def shock_records(self, blocks: Iterable[RunRecord]) -> Iterator[ShockRecord]:
        """Yield the record of each block for the statistics."""
        for block in blocks:
            initial = 1 if self._point_count == 0 else 0
            self.slip_count += int(
                np.count_nonzero(block["contact_mode"][initial:] == ContactMode.SLIP)
            )
            for name in _LARGEST:
                self.largest[name] = max(self.largest[name], float(np.max(np.abs(block[name]))))
            self._keep(block)
            samples = {"time": block.times, **block.values}
            yield shock_record(matched_columns(samples, {}), samples)

    def history(self) -> RunRecord:
        """Return the stored points."""
        first, last = self._kept[0], self._kept[-1]
        if first is last:
            return first

        def joined(columns: Iterable[NDArray[np.float64]]) -> NDArray[np.float64]:
            return np.concatenate(list(columns))

        return replace(
            last,
            times=joined(part.times for part in self._kept),
            values={name: joined(part[name] for part in self._kept) for name in first.values},
            seconds=sum(part.seconds for part in self._kept),
        )

    def _keep(self, block: RunRecord) -> None:
        begin = -self._point_count % self._stride
        self._point_count += len(block.times)
        if self._stride > 1:
            # Copies: a view would keep the whole block.
            kept = {
                name: column[begin :: self._stride].copy() for name, column in block.values.items()
            }
            block = replace(block, times=block.times[begin :: self._stride].copy(), values=kept)
        self._kept.append(block)
