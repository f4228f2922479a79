"""Option USURE: moments of positions and forces, shock times, mean wear power.

``sampled``: with constant steps the means are means of the samples, and with irregular steps
trapezoidal integrals. The wear power integrates the intervals that start in slip.
``interpolated``: every mean is a trapezoidal integral over the duration, the contact time ends at
the located crossings, and the wear power integrates F|V| with V = 0 in stick. Both are of second
order in the step.

Blocks have equal sample counts. Over blocks the result is the mean of the block means, the square
root of the mean of the squares, or the extreme of the extremes. A mean over shock time uses the
blocks with shocks. Shock statistics use the whole window, because the borders of blocks would
divide shocks.

As in the original, the mean wear power over a block is divided by the whole time, not the slip
time. Defects of the original are not copied: the shortest shock time is reported (the original
gives 0), and means over shock time with variable steps are divided once.

Source: EDF R7.10.02, section 3, and U4.84.02, option USURE, with the definitions above.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .contact import PortionContact
from .portions import Portion
from .shock_record import STEP_TOLERANCE, FloatArray, ShockRecord, StatisticsSettings
from .shocks import Shocks

POSITIONS = {"position_x": "DEPL_X", "position_y": "DEPL_Y", "position_z": "DEPL_Z"}
FORCES = {
    "normal_force": "FORCE_NORMALE",
    "tangential_force_1": "FORCE_TANG_1",
    "tangential_force_2": "FORCE_TANG_2",
}
# A dozen columns of this length remain in the second-level cache while they are summed.
CACHED_SAMPLES = 8192
SLIDING = ("tangential_velocity_1", "tangential_velocity_2")
# The measures of BlockSums. The counts serve the sampled reading only.
TIME, SHOCK_TIME, COUNT, SHOCK_COUNT = range(4)
DEGREES_PER_RADIAN = 180.0 / math.pi


@dataclass(frozen=True)
class Moments:
    """Moments of a position [m] (DEPL_ANGULAIRE in degrees, not unwrapped at ±180°)."""

    mean: float  #: MOYEN.
    deviation: float  #: ECART_TYPE (population).
    rms: float  #: RMS.
    largest: float  #: MAXI.
    smallest: float  #: MINI.


@dataclass(frozen=True)
class ForceMoments:
    """Moments of a force [N] over the total time and over the shock time (NaN without shocks)."""

    mean_total: float  #: MOYEN_T_TOTAL.
    mean_shock: float  #: MOYEN_T_CHOC.
    rms_total: float  #: RMS_T_TOTAL.
    rms_shock: float  #: RMS_T_CHOC.
    largest: float  #: MAXI.
    smallest: float  #: MINI.


@dataclass(frozen=True)
class ShockTimes:
    """STAT_CHOC of finished shocks. Means are NaN without finished shocks."""

    shocks_per_second: float  #: NB_CHOC_S [1/s].
    rebounds_per_shock: float  #: NB_REBON_CHOC.
    #: T_CHOC_MOYEN, T_CHOC_MAXI, T_CHOC_MINI [s]: first exceedance to the end of the shock.
    mean_duration: float
    largest_duration: float
    smallest_duration: float
    mean_rebound_time: float  #: T_REBON_MOYEN [s], mean duration of the contact runs.
    #: %_T_CHOC: contact time over the time of the blocks, including unfinished shocks [%].
    contact_percentage: float


@dataclass(frozen=True)
class Usure:
    """Result of option USURE. Quantities without columns in the record are missing."""

    #: DEPL_X, DEPL_Y, DEPL_Z, DEPL_RADIAL = √(y² + z²), DEPL_ANGULAIRE = atan2(z, y).
    positions: dict[str, Moments]
    forces: dict[str, ForceMoments]  #: FORCE_NORMALE, FORCE_TANG_1, FORCE_TANG_2.
    shock_times: ShockTimes  #: STAT_CHOC.
    #: PUIS_USURE, mean of |normal force| × sliding speed [W]. NaN without tangential velocity.
    wear_power: float


def _mean_over_blocks(values: FloatArray) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else math.nan


def _shock_times(shocks: Shocks, duration: float, contact_percentage: float) -> ShockTimes:
    finished = shocks.finished
    count = int(finished.sum())
    durations = shocks.duration[finished]
    rebounds = int(shocks.rebounds[finished].sum())
    return ShockTimes(
        shocks_per_second=count / duration,
        rebounds_per_shock=rebounds / count if count else math.nan,
        mean_duration=float(durations.mean()) if count else math.nan,
        largest_duration=float(durations.max()) if count else math.nan,
        smallest_duration=float(durations.min()) if count else math.nan,
        mean_rebound_time=(
            float(shocks.contact_time[finished].sum() / rebounds) if count else math.nan
        ),
        contact_percentage=contact_percentage,
    )


@dataclass(frozen=True)
class BlockPart:
    """Samples of a portion's core that belong to one block."""

    block: int  #: Number of the block, from 0.
    #: Sample numbers [start, stop) in the portion.
    start: int
    stop: int
    #: Whether they include the first and the last sample of the block. The interval between two
    #: blocks is not integrated.
    begins: bool
    ends: bool

    def half_steps(self, time: FloatArray) -> FloatArray:
        """Half of each step before and after the samples [s], 0 at the ends of the block.

        Shape (stop − start + 1,): sample i is between entries i and i + 1.
        """
        half = np.zeros(self.stop - self.start + 1)
        low, high = int(self.begins), half.size - int(self.ends)
        first = self.start - 1 + low
        half[low:high] = 0.5 * np.diff(time[first : first + high - low + 1])
        return half


@dataclass(frozen=True)
class BlockLayout:
    """Blocks of equal sample count. The remaining samples of the window are not used.

    Raises ValueError if `sample_count` is required and missing, or a block has fewer than two
    samples.
    """

    block_count: int  #: NB_BLOC ≥ 1.
    sample_count: int | None  #: Samples in the window. Required for more than one block.

    def __post_init__(self) -> None:
        if self.block_count == 1:
            return
        if self.sample_count is None:
            raise ValueError(
                f"block_count={self.block_count} needs sample_count, the window's number of"
                " samples, because blocks have equal sample counts"
            )
        if self.sample_count < 2 * self.block_count:
            raise ValueError(
                f"block_count={self.block_count} must be ≤ half the window's"
                f" {self.sample_count} samples"
            )

    def parts(self, portion: Portion) -> Iterator[BlockPart]:
        """Split a portion's core at the borders of blocks and into pieces that fit in the cache."""
        first = portion.number - portion.core_begin
        position = portion.number
        stop = first + portion.core_end
        size: int | None = None
        if self.sample_count is not None:
            size = self.sample_count // self.block_count
            stop = min(stop, size * self.block_count)
        while position < stop:
            end = min(stop, position + CACHED_SAMPLES)
            if size is None:
                begins, ends, block = position == 0, portion.is_last and end == stop, 0
            else:
                block = position // size
                end = min(end, (block + 1) * size)
                begins, ends = position == block * size, end == (block + 1) * size
            yield BlockPart(block, position - first, end - first, begins, ends)
            position = end


@dataclass(eq=False)
class BlockSums:
    """Sums over one block. Rows are quantities, and columns are measures."""

    #: Σ w x and Σ w x² under each measure w. Shape (quantities, measures).
    sums: FloatArray
    square_sums: FloatArray
    measures: FloatArray  #: Σ w, by which the sums are divided. Shape (measures,).
    #: Extreme samples. Shape (quantities,).
    smallest: FloatArray
    largest: FloatArray
    wear_work: float = 0.0  #: ∫F|V| dt [J].

    @classmethod
    def empty(cls, quantities: int, measures: int) -> BlockSums:
        """Return sums before the first sample."""
        return cls(
            np.zeros((quantities, measures)),
            np.zeros((quantities, measures)),
            np.zeros(measures),
            np.full(quantities, np.inf),
            np.full(quantities, -np.inf),
        )


class UsureSums:
    """Sums of option USURE, collected portion by portion."""

    def __init__(self, settings: StatisticsSettings, layout: BlockLayout) -> None:
        self._settings = settings
        self._layout = layout
        self._names: list[str] = []
        self._shift = np.zeros((0, 1))
        self._blocks: list[BlockSums] = []
        self._shortest_half_step = math.inf
        self._longest_half_step = 0.0
        self._has_sliding = False

    def feed(self, portion: Portion, contact: PortionContact) -> None:
        """Add a portion's core."""
        for part in self._layout.parts(portion):
            self._add(part, portion.record, contact)

    def result(self, shocks: Shocks, window_duration: float) -> Usure:
        """Return the result from the sums, the shocks of the window and its duration [s]."""
        spread = self._longest_half_step - self._shortest_half_step
        constant = spread <= STEP_TOLERANCE * self._shortest_half_step
        # Column of the total time. The next column is for the shock time.
        total = COUNT if constant and not self._settings.interpolated else TIME
        blocks, shift = self._blocks, self._shift
        positions: dict[str, Moments] = {}
        forces: dict[str, ForceMoments] = {}
        measures = np.stack([block.measures for block in blocks])[:, np.newaxis]
        with np.errstate(invalid="ignore", divide="ignore"):
            means = np.stack([block.sums for block in blocks]) / measures
            squares = np.stack([block.square_sums for block in blocks]) / measures
        largest = np.max([block.largest for block in blocks], axis=0) + shift[:, 0]
        smallest = np.min([block.smallest for block in blocks], axis=0) + shift[:, 0]
        for row, name in enumerate(self._names):
            if name in FORCES.values():
                forces[name] = ForceMoments(
                    mean_total=_mean_over_blocks(means[:, row, total]),
                    mean_shock=_mean_over_blocks(means[:, row, total + 1]),
                    rms_total=math.sqrt(_mean_over_blocks(squares[:, row, total])),
                    rms_shock=math.sqrt(_mean_over_blocks(squares[:, row, total + 1])),
                    largest=float(largest[row]),
                    smallest=float(smallest[row]),
                )
                continue
            variance = np.maximum(squares[:, row, total] - means[:, row, total] ** 2, 0.0)
            block_means = means[:, row, total] + shift[row, 0]
            positions[name] = Moments(
                mean=float(block_means.mean()),
                deviation=float(np.sqrt(variance.mean())),
                rms=float(np.sqrt(np.mean(variance + block_means**2))),
                largest=float(largest[row]),
                smallest=float(smallest[row]),
            )
        contact_share = measures[:, 0, total + 1].sum() / measures[:, 0, total].sum()
        return Usure(
            positions=positions,
            forces=forces,
            shock_times=_shock_times(shocks, window_duration, 100.0 * float(contact_share)),
            wear_power=(
                sum(block.wear_work / float(block.measures[TIME]) for block in blocks) / len(blocks)
                if self._has_sliding
                else math.nan
            ),
        )

    def _start(self, record: ShockRecord, start: int) -> None:
        """Create the sums for the columns of the record, relative to the first positions."""
        first = _quantities(record, start, start + 1)
        self._names = list(first)
        # Positions are summed relative to the first position, to avoid cancellation if their
        # scatter is small relative to their mean. Forces are 0 most of the time.
        self._shift = np.array(
            [[0.0 if name in FORCES.values() else float(first[name][0])] for name in first]
        )
        self._has_sliding = any(record.has(quantity) for quantity in SLIDING)
        self._blocks = [
            BlockSums.empty(len(first), 1 + SHOCK_COUNT) for _ in range(self._layout.block_count)
        ]

    def _add(self, part: BlockPart, record: ShockRecord, contact: PortionContact) -> None:
        if not self._blocks:
            self._start(record, part.start)
        half = part.half_steps(record.time)
        inner_half = half[int(part.begins) : half.size - int(part.ends)]
        if inner_half.size:
            self._shortest_half_step = min(self._shortest_half_step, float(inner_half.min()))
            self._longest_half_step = max(self._longest_half_step, float(inner_half.max()))
        total = half[:-1] + half[1:]
        above = contact.above[part.start : part.stop]
        in_contact = bool(above.any())
        # Weights by measure. Without contact, the weights of the shock time are left out.
        weights = {TIME: total}
        block = self._blocks[part.block]
        block.measures[TIME] += total.sum()
        if in_contact:
            weights[SHOCK_TIME], shock_time = _shock_weight(part, record, contact, half)
            block.measures[SHOCK_TIME] += shock_time
        if not self._settings.interpolated:
            weights[COUNT] = np.ones_like(total)
            block.measures[COUNT] += total.size
            if in_contact:
                weights[SHOCK_COUNT] = above.astype(np.float64)
                block.measures[SHOCK_COUNT] += np.count_nonzero(above)
        rows = np.empty((len(self._names), total.size))
        for row, values in enumerate(_quantities(record, part.start, part.stop).values()):
            np.subtract(values, self._shift[row], out=rows[row])
        measures = list(weights)
        columns = np.stack(list(weights.values()), axis=1)
        block.sums[:, measures] += rows @ columns
        block.largest = np.maximum(block.largest, rows.max(axis=1))
        block.smallest = np.minimum(block.smallest, rows.min(axis=1))
        rows *= rows
        block.square_sums[:, measures] += rows @ columns
        # The force may be below the threshold, or begin at the sample after the part.
        if self._has_sliding and record.column("normal_force")[part.start : part.stop + 1].any():
            power, slip = _wear_power(record, part)
            if self._settings.interpolated:
                # F|V| is 0 in stick, even if the record has a velocity there.
                block.wear_work += float(np.dot(total, power[: total.size] * slip))
            else:
                block.wear_work += float(np.dot(half[1:] * slip, power[:-1] + power[1:]))


def _quantities(record: ShockRecord, start: int, stop: int) -> dict[str, FloatArray]:
    """Positions, derived positions and forces under the operator's names."""
    columns: dict[str, FloatArray] = {}
    for quantity, name in POSITIONS.items():
        if record.has(quantity):
            columns[name] = record.column(quantity)[start:stop]
    if "DEPL_Y" in columns and "DEPL_Z" in columns:
        y, z = columns["DEPL_Y"], columns["DEPL_Z"]
        columns["DEPL_RADIAL"] = np.sqrt(y * y + z * z)
        columns["DEPL_ANGULAIRE"] = np.arctan2(z, y) * DEGREES_PER_RADIAN
    for quantity, name in FORCES.items():
        if record.has(quantity):
            columns[name] = record.column(quantity)[start:stop]
    return columns


def _shock_weight(
    part: BlockPart, record: ShockRecord, contact: PortionContact, half: FloatArray
) -> tuple[FloatArray, float]:
    """Weights of samples in integrals of a force over the contact time, and the contact time.

    In the interval in which |F| falls to the threshold S, the force x is interpolated linearly from
    its sample to x S/|F|. This adds duration (1 + S/|F|)/2 to the weight of the sample.
    """
    if contact.onsets is None or contact.finishes is None:
        weight = (half[:-1] + half[1:]) * contact.above[part.start : part.stop]
        return weight, float(weight.sum())
    inside = half.copy()
    low, high = int(part.begins), half.size - int(part.ends)
    before, after = part.start - 1 + low, part.start - 1 + high
    inside[low:high] *= contact.above[before:after] & contact.above[before + 1 : after + 1]
    weight = inside[:-1] + inside[1:]
    duration = float(weight.sum())
    # The time beyond the end of a block is between two blocks, or 0 at the end of the window.
    for ends, first, last in (
        (contact.onsets, part.start + int(part.begins), part.stop),
        (contact.finishes, part.start, part.stop - int(part.ends)),
    ):
        low, high = np.searchsorted(ends.samples, (first, last))
        samples = ends.samples[low:high]
        force = np.abs(record.column("normal_force")[samples])
        share = 0.5 * (1.0 + contact.threshold / force)
        weight[samples - part.start] += ends.durations[low:high] * share
        duration += float(ends.durations[low:high].sum())
    return weight, duration


def _wear_power(record: ShockRecord, part: BlockPart) -> tuple[FloatArray, FloatArray]:
    """|normal force| × sliding speed [W] of the samples and the next sample, and slip as 0 or 1.

    The value after the last sample of a block is 0.
    """
    stop = part.stop + int(not part.ends)
    power = np.zeros(part.stop - part.start + 1)
    speed = power[: stop - part.start]
    velocities = [record.column(q)[part.start : stop] for q in SLIDING if record.has(q)]
    if len(velocities) == 1:
        np.abs(velocities[0], out=speed)
    else:
        np.sqrt(velocities[0] ** 2 + velocities[1] ** 2, out=speed)
    speed *= np.abs(record.column("normal_force")[part.start : stop])
    slip = np.ones(part.stop - part.start)
    if record.stick is not None:
        slip -= record.stick[part.start : part.stop]
    return power, slip
