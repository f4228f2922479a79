"""Contact runs of a portion: when they begin and end, their peak, impulse and impact velocity.

``sampled`` uses the samples only. A run lasts from its first sample above the threshold to the next
sample below. Its impulse weights each sample above with (t_{i+1} − t_{i−1})/2, and its impact
velocity is the normal velocity of its first sample.

``interpolated`` extrapolates the force inside the run to the threshold on both sides, and locates
its maximum. The impulse is the trapezoid over the run's samples with the Euler–Maclaurin end
corrections, plus the integrals of the two extrapolated ends. On constant steps all of it is of the
stencil's order, 10. On irregular steps each interval is integrated by the cubic through four
samples, order 4. If the force is discontinuous (a damped contact, or a pulse of one or two
samples), it has no crossing. Then the middle of the interval is used, with an error of at most half
a step, or linear interpolation if the sample below the threshold is still in contact.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from .local_polynomial import Stencils, edge_stencils, integral_from_origin, roots, value
from .portions import Portion
from .runs import Runs, group_argmax, located_peaks, runs_in
from .shock_record import STEP_TOLERANCE, BoolArray, FloatArray, IndexArray, StatisticsSettings

# B_{2k}/(2k) of the Euler–Maclaurin formula, k = 1 … 4 (Bernoulli numbers 1/6, −1/30, 1/42, −1/30).
END_CORRECTIONS = ((1, 1.0 / 12.0), (3, -1.0 / 120.0), (5, 1.0 / 252.0), (7, -1.0 / 240.0))
# Largest distance, in steps, of an extrapolated crossing beyond the neighbouring sample. The
# crossing can coincide with this sample, and rounding and noise move it to either side.
CROSSING_MARGIN = 0.5


@dataclass(frozen=True, eq=False)
class ContactPieces:
    """r contact runs, or their parts in one core, in time order."""

    #: Instants [s]. The value is undefined at an end where the piece continues in another core.
    start: FloatArray
    end: FloatArray
    #: Largest |force| [N] and its instant [s].
    peak: FloatArray
    peak_time: FloatArray
    impulse: FloatArray  #: ∫|F| dt [N.s].
    #: Normal velocity at ``start`` [m/s], negative when approaching. NaN without that column.
    velocity: FloatArray
    continues: BoolArray  #: True for a piece whose run began in an earlier core.
    ended: BoolArray  #: False while the force is above the threshold at the piece's end.


@dataclass(frozen=True, eq=False)
class ContactEnds:
    """e first or last samples of contact runs, and the located crossings beyond them."""

    #: Numbers of the runs, and ascending sample numbers in the portion.
    rows: IndexArray
    samples: IndexArray
    #: Instants of the crossings, and time between sample and crossing [s].
    instants: FloatArray
    durations: FloatArray
    #: Impulse beyond the sample, and end correction of the trapezoid within the run [N.s].
    impulses: FloatArray
    end_corrections: FloatArray
    #: Crossings in the units of the stencils that begin at the samples.
    abscissae: FloatArray
    stencils: Stencils


@dataclass(frozen=True, eq=False)
class PortionContact:
    """Contact found in one portion."""

    above: BoolArray  #: True for the portion's samples in contact.
    pieces: ContactPieces  #: The runs' parts in the core.
    #: The located ends. None for the sampled reading, where the duration of a sample in contact is
    #: half the sum of its neighbouring intervals.
    onsets: ContactEnds | None = None
    finishes: ContactEnds | None = None
    threshold: float = 0.0  #: SEUIL_FORCE [N].


def joined_pieces(parts: list[ContactPieces]) -> ContactPieces:
    """Append the pieces of successive cores and join those that continue a run."""
    pieces = ContactPieces(
        **{f.name: np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(parts[0])}
    )
    first = np.flatnonzero(~pieces.continues)
    return grouped_pieces(pieces, first)


def grouped_pieces(pieces: ContactPieces, first: IndexArray) -> ContactPieces:
    """Merge groups of successive pieces. `first` contains the index of each group's first piece."""
    if not first.size:
        return pieces
    last = np.append(first[1:], pieces.start.size) - 1
    largest = group_argmax(pieces.peak, first)
    return ContactPieces(
        start=pieces.start[first],
        end=pieces.end[last],
        peak=pieces.peak[largest],
        peak_time=pieces.peak_time[largest],
        impulse=np.add.reduceat(pieces.impulse, first),
        velocity=pieces.velocity[first],
        continues=np.zeros(first.size, dtype=np.bool_),
        ended=pieces.ended[last],
    )


def portion_contact(portion: Portion, settings: StatisticsSettings) -> PortionContact:
    """Find contact (|normal force| > threshold) in a portion that has a normal force."""
    force = np.abs(portion.record.column("normal_force"))
    above = force > settings.force_threshold
    runs = runs_in(above, portion)
    if settings.interpolated:
        return _located_contact(portion, runs, force, above, settings.force_threshold)
    return PortionContact(above, _sampled_pieces(portion, runs, force))


def _sampled_pieces(portion: Portion, runs: Runs, force: FloatArray) -> ContactPieces:
    time = portion.record.time
    peak = runs.peaks(force)
    # At the ends of the window the sample itself replaces the missing neighbour.
    before = time[np.maximum(runs.samples - 1, 0)]
    after = time[np.minimum(runs.samples + 1, time.size - 1)]
    return ContactPieces(
        start=time[runs.begin],
        end=time[np.minimum(runs.end, time.size - 1)],
        peak=force[peak],
        peak_time=time[peak],
        impulse=runs.sums(0.5 * (after - before) * force[runs.samples]),
        velocity=(
            portion.record.column("normal_velocity")[runs.begin]
            if portion.record.has("normal_velocity")
            else np.full(len(runs), np.nan)
        ),
        continues=~runs.starts_here,
        ended=runs.ended,
    )


def _located_contact(
    portion: Portion, runs: Runs, force: FloatArray, above: BoolArray, threshold: float
) -> PortionContact:
    """Locate contact runs between samples. ``force`` is the magnitude of the normal force [N]."""
    first = np.flatnonzero(runs.starts_here)
    last = np.flatnonzero(runs.ends_here)
    onset = _ends(portion, runs, first, runs.begin[first], force, threshold, direction=1)
    finish = _ends(portion, runs, last, runs.end[last] - 1, force, threshold, direction=-1)
    return PortionContact(
        above,
        _pieces(portion, runs, force, onset, finish),
        onset,
        finish,
        threshold,
    )


def _ends(
    portion: Portion,
    runs: Runs,
    rows: IndexArray,
    sample: IndexArray,
    force: FloatArray,
    threshold: float,
    *,
    direction: int,
) -> ContactEnds:
    time = portion.record.time
    length = (runs.end - runs.begin)[rows]
    stencils = edge_stencils(time, sample, length, direction=direction)
    outer = sample - direction
    has_outer = (outer >= 0) & (outer < time.size)
    outer_time = time[np.clip(outer, 0, time.size - 1)]
    outer_abscissa = np.where(
        has_outer, (outer_time - stencils.origin) / stencils.scale, -float(direction)
    )
    polynomials = stencils.polynomials(force, outer_abscissa)
    shifted = polynomials.copy()
    shifted[:, 0] -= threshold
    crossing, is_crossed = roots(
        shifted, outer_abscissa * (1.0 + CROSSING_MARGIN), np.zeros_like(outer_abscissa)
    )
    nearest, farthest = np.minimum(outer_abscissa, 0.0), np.maximum(outer_abscissa, 0.0)
    outer_force = np.where(has_outer, force[np.clip(outer, 0, time.size - 1)], 0.0)
    # Linear interpolation if the outer sample is in contact, otherwise the middle of the interval.
    line = (force[sample] - threshold) / (force[sample] - outer_force)
    fallback = outer_abscissa * np.where(outer_force > 0.0, line, 0.5)
    abscissa = np.where(is_crossed, np.clip(crossing, nearest, farthest), fallback)
    # The ends of the window are not crossings. A run begins or ends there at its sample.
    abscissa = np.where(has_outer, abscissa, 0.0)
    duration = np.abs(abscissa) * stencils.scale
    return ContactEnds(
        rows=rows,
        samples=sample,
        instants=stencils.origin + stencils.scale * abscissa,
        durations=duration,
        impulses=np.where(
            is_crossed,
            -direction * stencils.scale * integral_from_origin(polynomials, abscissa),
            0.5 * duration * (force[sample] + threshold),
        ),
        end_corrections=direction
        * stencils.scale
        * sum(factor * polynomials[:, order] for order, factor in END_CORRECTIONS),
        abscissae=abscissa,
        stencils=stencils,
    )


def _pieces(
    portion: Portion, runs: Runs, force: FloatArray, onset: ContactEnds, finish: ContactEnds
) -> ContactPieces:
    time = portion.record.time
    start, end = time[runs.begin], time[runs.end - 1]
    start[onset.rows] = onset.instants
    end[finish.rows] = finish.instants
    peak, peak_time = located_peaks(time, force, runs, runs.peaks(force), start, end)
    velocity = np.full(len(runs), np.nan)
    if portion.record.has("normal_velocity"):
        polynomials = onset.stencils.polynomials(
            portion.record.column("normal_velocity"), onset.abscissae
        )
        velocity[onset.rows] = value(polynomials, onset.abscissae)
    impulse = _impulses(time, runs, force, onset, finish)
    return ContactPieces(
        start, end, peak, peak_time, impulse, velocity, ~runs.starts_here, runs.ended
    )


def _impulses(
    time: FloatArray, runs: Runs, force: FloatArray, onset: ContactEnds, finish: ContactEnds
) -> FloatArray:
    """∫|force| dt over each run's part in the core. An interval belongs to its first sample."""
    samples = runs.samples
    following = np.minimum(samples + 1, time.size - 1)
    steps = time[following] - time[samples]
    # The interval after a run's last sample is not part of the run.
    finals = runs.offsets + (runs.end - 1 - runs.core_begin)
    finals = finals[runs.ends_here]
    steps[finals] = 0.0
    areas = 0.5 * steps * (force[samples] + force[following])
    constant = _have_constant_steps(time, runs, steps, finals)
    if not constant.all():
        areas += _cubic_corrections(time, runs, force, ~constant, steps)
    impulse = runs.sums(areas)
    for edges in (onset, finish):
        impulse[edges.rows] += edges.impulses + edges.end_corrections * constant[edges.rows]
    return impulse


def _have_constant_steps(
    time: FloatArray, runs: Runs, steps: FloatArray, finals: IndexArray
) -> BoolArray:
    """Whether the steps of each run are equal, in the part of the run within the portion."""
    if not len(runs):
        return np.ones(0, dtype=np.bool_)
    shortest_steps = steps.copy()
    shortest_steps[finals] = np.inf
    shortest = np.minimum.reduceat(shortest_steps, runs.offsets)
    longest = np.maximum.reduceat(steps, runs.offsets)
    for row in np.flatnonzero(~(runs.starts_here & runs.ends_here)):
        # The core may contain only one sample of a run that it cuts. Use its neighbourhood too.
        shown = np.diff(time[runs.begin[row] : runs.end[row]])
        shortest[row], longest[row] = shown.min(), shown.max()
    return longest <= (1.0 + STEP_TOLERANCE) * shortest


def _cubic_corrections(
    time: FloatArray, runs: Runs, force: FloatArray, wanted: BoolArray, steps: FloatArray
) -> FloatArray:
    """Differences of the cubic through four samples of the run from the trapezoid of each interval.

    Simpson's rule is exact for a cubic p: ∫p dt − h (p_0 + p_1)/2 = 2h/3 (p_mid − (p_0 + p_1)/2).
    """
    lengths = runs.core_end - runs.core_begin
    wanted = wanted & (runs.end - runs.begin >= 4)
    chosen = np.repeat(wanted, lengths) & (steps > 0.0)
    first = runs.samples[chosen]
    begin, end = np.repeat(runs.begin, lengths)[chosen], np.repeat(runs.end, lengths)[chosen]
    base = np.clip(first - 1, begin, end - 4)
    middle = 0.5 * (time[first + 1] + time[first])
    middle_force = np.zeros_like(middle)
    for index in range(4):
        share = force[base + index]
        for other in range(4):
            if other != index:
                node = time[base + other]
                share = share * (middle - node) / (time[base + index] - node)
        middle_force += share
    mean_force = 0.5 * (force[first] + force[first + 1])
    corrections = np.zeros_like(steps)
    corrections[chosen] = 2.0 / 3.0 * steps[chosen] * (middle_force - mean_force)
    return corrections
