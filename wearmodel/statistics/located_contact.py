"""Contact runs with crossings, peaks and impulses located between the samples.

The force is extrapolated inside the run to the threshold on both sides, and its maximum
is located.  The impulse is the trapezoid over the run's samples with the Euler–Maclaurin end
corrections, plus the integrals of the two extrapolated ends: on constant steps all of it is of the
stencil's order, 10; on irregular steps each interval is integrated by the cubic through four
samples, order 4.  A force that jumps (a damped contact, or a pulse of one or two samples) has no
crossing to be found: the middle of the interval is taken, at most half a step wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .contact_pieces import ContactPieces, ContactShares, StretchContact
from .local_polynomial import Stencils, edge_stencils, integral_from_origin, roots, value
from .record import STEP_TOLERANCE, BoolArray, FloatArray, IndexArray
from .runs import Runs, located_peaks, peak_samples, run_sums
from .stretches import Stretch

# B_{2k}/(2k) of the Euler–Maclaurin formula, k = 1 … 4 (Bernoulli numbers 1/6, −1/30, 1/42, −1/30).
END_CORRECTIONS = ((1, 1.0 / 12.0), (3, -1.0 / 120.0), (5, 1.0 / 252.0), (7, -1.0 / 240.0))
# How far past the neighbouring sample, in steps, an extrapolated crossing still counts as found:
# the crossing can fall on that sample, and rounding and noise move it to either side.
CROSSING_MARGIN = 0.5


def located_contact(
    stretch: Stretch, runs: Runs, force: FloatArray, above: BoolArray, threshold: float
) -> StretchContact:
    """Locate a stretch's contact runs between samples.

    Parameters
    ----------
    force, above : array (n,)
        Magnitude of the normal force [N] and whether it exceeds ``threshold`` [N].
    runs : Runs
        The maximal runs of ``above``.
    """
    inside = np.concatenate(([False], above[1:] & above[:-1], [False]))
    left = stretch.left_half_steps * inside[stretch.core_begin : stretch.core_end]
    right = stretch.right_half_steps * inside[stretch.core_begin + 1 : stretch.core_end + 1]
    first = np.flatnonzero(runs.starts_here)
    last = np.flatnonzero(runs.ends_here)
    onset = _edges(stretch, runs, first, runs.begin[first], force, threshold, direction=1)
    finish = _edges(stretch, runs, last, runs.end[last] - 1, force, threshold, direction=-1)
    pieces = _pieces(stretch, runs, force, above, left + right, onset, finish)
    shares = _shares(stretch, force, threshold, left, right, onset, finish)
    return StretchContact(above[stretch.core], shares, pieces)


@dataclass(frozen=True, eq=False)
class _Edges:
    """First or last samples of runs: which runs, where the force crosses, what lies beyond."""

    rows: IndexArray
    sample: IndexArray
    instant: FloatArray
    impulse: FloatArray
    place: FloatArray
    stencils: Stencils


def _edges(
    stretch: Stretch,
    runs: Runs,
    rows: IndexArray,
    sample: IndexArray,
    force: FloatArray,
    threshold: float,
    *,
    direction: int,
) -> _Edges:
    time = stretch.record.time
    length = (runs.end - runs.begin)[rows]
    stencils = edge_stencils(time, sample, length, direction=direction)
    outer = sample - direction
    has_outer = (outer >= 0) & (outer < time.size)
    outer_time = time[np.clip(outer, 0, time.size - 1)]
    outer_place = np.where(
        has_outer, (outer_time - stencils.origin) / stencils.scale, -float(direction)
    )
    polynomials = stencils.polynomials(force, outer_place)
    shifted = polynomials.copy()
    shifted[:, 0] -= threshold
    crossing, found = roots(
        shifted, outer_place * (1.0 + CROSSING_MARGIN), np.zeros_like(outer_place)
    )
    outermost, innermost = np.minimum(outer_place, 0.0), np.maximum(outer_place, 0.0)
    place = np.where(found, np.clip(crossing, outermost, innermost), 0.5 * outer_place)
    # The window's ends are no crossings: such a run begins or ends with its sample.
    place = np.where(has_outer, place, 0.0)
    beyond = np.where(
        found,
        direction * -stencils.scale * integral_from_origin(polynomials, place),
        np.abs(place) * stencils.scale * 0.5 * (force[sample] + threshold),
    )
    return _Edges(
        rows=rows,
        sample=sample,
        instant=stencils.origin + stencils.scale * place,
        impulse=beyond + _end_correction(stretch, stencils, polynomials, direction),
        place=place,
        stencils=stencils,
    )


def _end_correction(
    stretch: Stretch, stencils: Stencils, polynomials: FloatArray, direction: int
) -> FloatArray:
    """Euler–Maclaurin correction of the trapezoid at one end, constant steps only."""
    if not _steps_are_constant(stretch):
        return np.zeros(len(polynomials))
    odd_terms = sum(coefficient * polynomials[:, order] for order, coefficient in END_CORRECTIONS)
    return np.asarray(direction * stencils.scale * odd_terms)


def _steps_are_constant(stretch: Stretch) -> bool:
    steps = stretch.steps
    return bool(np.ptp(steps) <= STEP_TOLERANCE * steps.min())


def _pieces(
    stretch: Stretch,
    runs: Runs,
    force: FloatArray,
    above: BoolArray,
    weight: FloatArray,
    onset: _Edges,
    finish: _Edges,
) -> ContactPieces:
    time = stretch.record.time
    start, end = time[runs.begin], time[runs.end - 1]
    start[onset.rows] = onset.instant
    end[finish.rows] = finish.instant
    products = weight * force[stretch.core]
    if not _steps_are_constant(stretch):
        products += _cubic_corrections(stretch, runs, force)
    impulse = run_sums(products, runs, stretch.core)
    impulse[onset.rows] += onset.impulse
    impulse[finish.rows] += finish.impulse
    sample = peak_samples(force, above, runs, stretch.core)
    peak, peak_time = located_peaks(time, force, runs, sample, start, end)
    velocity = np.full(len(runs), np.nan)
    if stretch.record.has("normal_velocity"):
        polynomials = onset.stencils.polynomials(
            stretch.record.column("normal_velocity"), onset.place
        )
        velocity[onset.rows] = value(polynomials, onset.place)
    return ContactPieces(
        start, end, peak, peak_time, impulse, velocity, ~runs.starts_here, runs.ended
    )


def _cubic_corrections(stretch: Stretch, runs: Runs, force: FloatArray) -> FloatArray:
    """What the cubic through four samples of the run adds to the trapezoid of each interval.

    Simpson's rule is exact for a cubic p: ∫p dt − h (p_0 + p_1)/2 = 2h/3 (p_mid − (p_0 + p_1)/2).
    The correction is booked on the interval's first sample, core samples only.
    """
    time = stretch.record.time
    corrections = np.zeros(stretch.core_end - stretch.core_begin)
    long_enough = runs.end - runs.begin >= 4
    interval_end = np.minimum(runs.core_end, runs.end - 1)
    counts = np.where(long_enough, np.maximum(interval_end - runs.core_begin, 0), 0)
    if not counts.sum():
        return corrections
    number = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    first = np.repeat(runs.core_begin, counts) + number
    base = np.clip(first - 1, np.repeat(runs.begin, counts), np.repeat(runs.end, counts) - 4)
    step = time[first + 1] - time[first]
    middle = 0.5 * (time[first + 1] + time[first])
    middle_force = np.zeros_like(step)
    for one in range(4):
        share = force[base + one].copy()
        for other in range(4):
            if other != one:
                node = time[base + other]
                share *= (middle - node) / (time[base + one] - node)
        middle_force += share
    mean_force = 0.5 * (force[first] + force[first + 1])
    corrections[first - stretch.core_begin] = 2.0 / 3.0 * step * (middle_force - mean_force)
    return corrections


def _shares(
    stretch: Stretch,
    force: FloatArray,
    threshold: float,
    left: FloatArray,
    right: FloatArray,
    onset: _Edges,
    finish: _Edges,
) -> ContactShares:
    shares = ContactShares(left, right, left.copy(), right.copy())
    for edges, weights, durations in (
        (onset, shares.left_weight, shares.left_duration),
        (finish, shares.right_weight, shares.right_duration),
    ):
        duration = np.abs(edges.place) * edges.stencils.scale
        sample = edges.sample - stretch.core_begin
        durations[sample] = duration
        weights[sample] = 0.5 * duration * (1.0 + threshold / force[edges.sample])
    return shares
