"""Shocks of one or more contact runs, and option IMPACT: a row per shock, totals, and a histogram.

A rebound is a contact run. Runs separated by less than the rest time belong to one shock. The shock
ends if contact does not return within this time. If contact continues at the end of the window, the
shock is unfinished and contributes only to the largest force.

The original ignores the rest time with variable steps, reads old data if the window begins after
the record, and uses samples for the largest force, its time and the impact velocity. This
implementation always uses the rest time and cuts the window first. The interpolated reading
computes these three values between samples.

Source: EDF R7.10.02, section 4.2, for the elementary and the global shock; EDF U4.84.02
(POST_DYNA_MODA_T), option IMPACT, section 4.1.1 "Execution with option IMPACT" of its verification
page.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .contact import ContactPieces, grouped_pieces
from .shock_record import BoolArray, FloatArray, IndexArray

# Rounding of instants must not make a separation that equals the rest time shorter than it.
REST_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class Shocks:
    """n shocks in time order, including unfinished shocks."""

    #: First exceedance of the threshold, and time from there to the end of the last run [s],
    #: including flights between its runs.
    start: FloatArray
    duration: FloatArray
    #: Largest |normal force| [N] and its time [s].
    peak: FloatArray
    peak_time: FloatArray
    impulse: FloatArray  #: ∫|normal force| dt over the contact [N.s].
    #: Normal velocity at the start [m/s], negative during approach. NaN if unknown.
    velocity: FloatArray
    rebounds: IndexArray  #: Number of contact runs.
    contact_time: FloatArray  #: Sum of the runs' durations [s].
    finished: BoolArray  #: False for a shock that is cut by the end of the window.

    def __len__(self) -> int:
        return int(self.start.size)


def shocks_of_runs(runs: ContactPieces, rest_time: float) -> Shocks:
    """Group complete contact runs in time order (see `joined_pieces`) by the rest time [s]."""
    separation = runs.start[1:] - runs.end[:-1]
    parts_shocks = separation >= rest_time * (1.0 - REST_TOLERANCE)
    first = np.flatnonzero(np.concatenate(([runs.start.size > 0], parts_shocks)))
    whole = grouped_pieces(runs, first)
    run_times = runs.end - runs.start
    return Shocks(
        start=whole.start,
        duration=whole.end - whole.start,
        peak=whole.peak,
        peak_time=whole.peak_time,
        impulse=whole.impulse,
        velocity=whole.velocity,
        rebounds=np.diff(np.append(first, runs.start.size)),
        contact_time=np.add.reduceat(run_times, first) if first.size else run_times,
        finished=whole.ended,
    )


# Peaks of a periodic vibration differ only by rounding. Such narrow classes have no meaning.
EQUAL_PEAKS = 1e-12


@dataclass(frozen=True)
class Shock:
    """Finished shock."""

    number: int  #: CHOC, from 1.
    instant: float  #: INSTANT of the largest force [s].
    peak_force: float  #: F_MAX, largest |normal force| [N].
    impulse: float  #: IMPULSION, ∫|normal force| dt over the contact [N.s].
    #: T_CHOC, from the first exceedance of the threshold to the end of the last run [s].
    duration: float
    impact_velocity: float  #: V_IMPACT [m/s], negative when approaching. NaN without velocities.
    rebounds: int  #: NB_IMPACT, number of contact runs in the shock.


@dataclass(frozen=True)
class HistogramClass:
    """One class of the histogram of F_MAX."""

    number: int  #: CLASSE, from 1.
    #: DEBUT and FIN [N]. The last class includes its end.
    start: float
    end: float
    fraction: float  #: PROBA, count/total, as printed by the operator.
    #: fraction/(end − start) [1/N], as in its document. NaN if all F_MAX are equal.
    density: float


@dataclass(frozen=True)
class Impact:
    """Result of option IMPACT."""

    shocks: tuple[Shock, ...]  #: The finished shocks.
    largest_force: float  #: F_MAX_ABS [N], including unfinished shocks. 0 without contact.
    #: F_MAX_MOY and F_MAX_ETYPE (population standard deviation) [N]. NaN without finished shocks.
    mean_peak_force: float
    peak_force_deviation: float
    #: Equal classes between the smallest and the largest F_MAX. A single class if they are equal to
    #: rounding, and empty without finished shocks.
    histogram: tuple[HistogramClass, ...]


def impact_of_shocks(shocks: Shocks, class_count: int) -> Impact:
    """Return the result of option IMPACT for the shocks of a record."""
    finished = np.flatnonzero(shocks.finished)
    peaks = shocks.peak[finished]
    names = ("peak_time", "peak", "impulse", "duration", "velocity", "rebounds")
    rows = zip(*(getattr(shocks, name)[finished].tolist() for name in names), strict=True)
    return Impact(
        shocks=tuple(Shock(number, *row) for number, row in enumerate(rows, start=1)),
        largest_force=float(shocks.peak.max(initial=0.0)),
        mean_peak_force=float(peaks.mean()) if peaks.size else float("nan"),
        peak_force_deviation=float(peaks.std()) if peaks.size else float("nan"),
        histogram=_histogram(peaks.tolist(), class_count),
    )


def _histogram(peaks: list[float], class_count: int) -> tuple[HistogramClass, ...]:
    if not peaks:
        return ()
    smallest, largest = min(peaks), max(peaks)
    if largest - smallest <= EQUAL_PEAKS * largest:
        return (HistogramClass(1, smallest, largest, 1.0, float("nan")),)
    counts, edges = np.histogram(peaks, bins=class_count, range=(smallest, largest))
    fractions = counts / len(peaks)
    columns = (edges[:-1], edges[1:], fractions, fractions / np.diff(edges))
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return tuple(HistogramClass(number, *row) for number, row in enumerate(rows, start=1))
