"""Maximal runs of flagged samples, found portion by portion.

A run that crosses the border of two cores has a piece in each core. The later piece is marked as a
continuation. The pieces are joined after the last portion.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .local_polynomial import centred_stencils, derivative, roots, value
from .portions import Portion
from .shock_record import BoolArray, FloatArray, IndexArray


@dataclass(frozen=True, eq=False)
class Runs:
    """r runs that overlap the core of a portion, with sample numbers in the portion."""

    #: The part [begin, end) of the run in the portion. Shape (r,).
    begin: IndexArray
    end: IndexArray
    #: Its part in the core. Shape (r,).
    core_begin: IndexArray
    core_end: IndexArray
    #: Whether its first and its last sample are in the core. Shape (r,).
    starts_here: BoolArray
    ends_here: BoolArray
    ended: BoolArray  #: True if an unflagged sample follows. False at the window's end. Shape (r,).
    samples: IndexArray  #: All flagged core samples, run after run. Shape (s,).
    offsets: IndexArray  #: Index in ``samples`` at which each run begins. Shape (r,).

    def __len__(self) -> int:
        return int(self.begin.size)

    def peaks(self, magnitude: FloatArray) -> IndexArray:
        """Sample number of each run's first largest magnitude within the core, shape (r,)."""
        return self.samples[group_argmax(magnitude[self.samples], self.offsets)]

    def sums(self, values: FloatArray) -> FloatArray:
        """Sum over each run of values given for ``samples``, shape (r,)."""
        if not len(self):
            return np.zeros(0)
        return np.add.reduceat(values, self.offsets)


def runs_in(flag: BoolArray, portion: Portion) -> Runs:
    """Find the maximal runs of samples with a true flag that overlap the core."""
    changes = np.flatnonzero(flag[1:] != flag[:-1]) + 1
    bounds = np.concatenate((np.flatnonzero(flag[:1]), changes, [flag.size]))
    begin, end = bounds[: bounds.size // 2 * 2].reshape(-1, 2).T
    meets = (end > portion.core_begin) & (begin < portion.core_end)
    begin, end = begin[meets], end[meets]
    core_begin = np.maximum(begin, portion.core_begin)
    core_end = np.minimum(end, portion.core_end)
    lengths = core_end - core_begin
    return Runs(
        begin=begin,
        end=end,
        core_begin=core_begin,
        core_end=core_end,
        starts_here=begin >= portion.core_begin,
        ends_here=end <= portion.core_end,
        ended=end < flag.size,
        samples=np.flatnonzero(flag[portion.core]) + portion.core_begin,
        offsets=np.cumsum(lengths) - lengths,
    )


def group_argmax(values: FloatArray, starts: IndexArray) -> IndexArray:
    """Index of the first maximum in each group. The groups divide ``values`` in sequence."""
    if not starts.size:
        return starts
    maxima = np.maximum.reduceat(values, starts)
    lengths = np.diff(np.append(starts, values.size))
    hits = np.flatnonzero(values == np.repeat(maxima, lengths))
    return hits[np.searchsorted(hits, starts)]


def located_peaks(
    time: FloatArray,
    values: FloatArray,
    runs: Runs,
    peak: IndexArray,
    earliest: FloatArray,
    latest: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Return the extrema of largest magnitude between samples and their instants [s], (r,) each.

    `peak` is the sample of largest magnitude. A polynomial through samples of the run near it is
    evaluated between the previous and the next sample, or up to the ends of the run, `earliest` and
    `latest` [s]. The extremum has the sign of the sample at `peak`. In runs of fewer than three
    samples, the extremum is this sample.
    """
    stencils = centred_stencils(time, peak, runs.begin, runs.end)
    sign = np.where(values[peak] < 0.0, -1.0, 1.0)
    # The maximum is usually at most half a step from the sample.
    polynomials = sign[:, np.newaxis] * stencils.polynomials(values, np.full(peak.size, 0.5))
    before = np.where(peak > runs.begin, time[np.maximum(peak - 1, 0)], earliest)
    after = np.where(peak < runs.end - 1, time[np.minimum(peak + 1, time.size - 1)], latest)
    left = (before - stencils.origin) / stencils.scale
    right = (after - stencils.origin) / stencils.scale
    abscissa, has_peak = roots(derivative(polynomials), left, right)
    # If the slope keeps its sign, the maximum is at a limit, or near a kink at the sample.
    candidates = np.stack([np.where(has_peak, abscissa, 0.0), left, right, np.zeros_like(left)])
    heights = np.stack([value(polynomials, candidate) for candidate in candidates])
    heights[1:3, has_peak] = -np.inf
    best = np.argmax(heights, axis=0)
    columns = np.arange(peak.size)
    enough = stencils.valid[:, 2]
    extremum = np.where(enough, sign * heights[best, columns], values[peak])
    instant = np.where(
        enough, stencils.origin + stencils.scale * candidates[best, columns], time[peak]
    )
    return extremum, instant
