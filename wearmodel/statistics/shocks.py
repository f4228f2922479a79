"""Contact runs joined into shocks.

A rebound is a contact run. Runs separated by less than the rest time belong to one shock. The shock
ends if contact does not follow within that time. If a run is in contact at the end of the window,
its shock is unfinished and counts only for the largest force.

The original ignores the rest time with variable steps. This implementation always uses it.

Source: EDF R7.10.02, section 4.2, for the elementary and the global shock.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .contact import ContactPieces, grouped_pieces
from .shock_record import BoolArray, FloatArray, IndexArray

# Separations are differences of instants: one that equals the rest time must not fall below it
# by rounding.
REST_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class Shocks:
    """Shocks in time order, n of them, unfinished ones included.

    Parameters
    ----------
    start, duration : array (n,)
        First exceedance of the threshold and time to the end of the shock's last run [s], the
        flights between its runs included.
    peak, peak_time : array (n,)
        Largest |normal force| [N] and its time [s].
    impulse : array (n,)
        ∫|normal force| dt over the contact [N.s].
    velocity : array (n,)
        Normal velocity at the start [m/s], negative during approach. NaN if unknown.
    rebounds : array (n,)
        Number of contact runs.
    contact_time : array (n,)
        Sum of the runs' durations [s].
    finished : array (n,) of bool
        False for a shock that is cut by the end of the window.
    """

    start: FloatArray
    duration: FloatArray
    peak: FloatArray
    peak_time: FloatArray
    impulse: FloatArray
    velocity: FloatArray
    rebounds: IndexArray
    contact_time: FloatArray
    finished: BoolArray

    def __len__(self) -> int:
        return int(self.start.size)


def shocks_of_runs(runs: ContactPieces, rest_time: float) -> Shocks:
    """Group whole contact runs into shocks.

    Parameters
    ----------
    runs : ContactPieces
        Whole runs in time order (see joined_pieces).
    rest_time : float
        DUREE_REPOS [s].
    """
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
