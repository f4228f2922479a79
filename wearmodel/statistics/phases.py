"""RELA_EFFO_DEPL: phases in which a force-displacement relation is active.

A phase is a maximal run of samples with the flag 1. It begins and ends at samples in both readings,
because the flag is not defined between samples. ``interpolated`` locates the extremum.

Source: EDF U4.84.02, section 4.2 "For the keyword RELA_EFFO_DEPL" of its verification page.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .portions import Portion
from .runs import group_argmax, located_peaks, runs_in
from .shock_record import BoolArray, FloatArray, StatisticsSettings


@dataclass(frozen=True)
class Phase:
    """One active phase."""

    number: int  #: PHASE, from 1.
    #: INST_INIT and INST_FIN [s]: first and last flagged sample.
    start: float
    end: float
    extremum: float  #: MAXI, the signed displacement of largest magnitude [m].
    instant: float  #: INST_MAXI [s].


class PhaseSearch:
    """Phases, collected portion by portion."""

    def __init__(self, settings: StatisticsSettings) -> None:
        self._settings = settings
        # By core: start, end, extremum, instant, and whether the phase began in an earlier core.
        self._parts: list[tuple[FloatArray, FloatArray, FloatArray, FloatArray, BoolArray]] = []

    def feed(self, portion: Portion) -> None:
        """Add a portion's core. A missing column raises ValueError."""
        time = portion.record.time
        active = portion.record.column("relation_active").astype(np.bool_, copy=False)
        displacement = portion.record.column("relation_displacement")
        runs = runs_in(active, portion)
        peak = runs.peaks(np.abs(displacement))
        extremum, instant = displacement[peak], time[peak]
        if self._settings.interpolated:
            extremum, instant = located_peaks(
                time, displacement, runs, peak, time[runs.begin], time[runs.end - 1]
            )
        start, end = time[runs.core_begin], time[runs.core_end - 1]
        self._parts.append((start, end, extremum, instant, ~runs.starts_here))

    def result(self) -> tuple[Phase, ...]:
        """Return the phases of all portions. The result is empty if the flag is never 1."""
        start, end, extremum, instant, continues = map(
            np.concatenate, zip(*self._parts, strict=True)
        )
        first = np.flatnonzero(~continues)
        last = np.append(first, start.size)[1:] - 1
        largest = group_argmax(np.abs(extremum), first)
        columns = (start[first], end[last], extremum[largest], instant[largest])
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return tuple(Phase(number, *row) for number, row in enumerate(rows, start=1))
