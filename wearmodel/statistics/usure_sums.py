"""The sums behind option USURE, collected in one pass."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from .blocks import BlockLayout, BlockPart, BlockSums
from .contact import PortionContact
from .portions import Portion
from .shock_record import STEP_TOLERANCE, FloatArray, ShockRecord, StatisticsSettings
from .shocks import Shocks
from .usure import FORCES, POSITIONS, Usure, usure_of_sums

SLIDING = ("tangential_velocity_1", "tangential_velocity_2")
# The measures of BlockSums; the counts serve the sampled reading only.
TIME, SHOCK_TIME, COUNT, SHOCK_COUNT = range(4)
DEGREES_PER_RADIAN = 180.0 / math.pi


class UsureSums:
    """Collects the sums of option USURE portion by portion."""

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
        """Report what was fed, with the shocks of the same window and its length [s]."""
        spread = self._longest_half_step - self._shortest_half_step
        constant = spread <= STEP_TOLERANCE * self._shortest_half_step
        by_count = constant and not self._settings.interpolated
        usure = usure_of_sums(
            self._names,
            self._shift,
            self._blocks,
            shocks,
            total=COUNT if by_count else TIME,
            window_duration=window_duration,
        )
        return usure if self._has_sliding else replace(usure, wear_power=math.nan)

    def _start(self, record: ShockRecord, start: int) -> None:
        """Lay out the sums from the columns that there are and the first sample."""
        first = _quantities(record, start, start + 1)
        self._names = list(first)
        # Positions are summed relative to the first, so that a small spread about a large mean
        # keeps its digits.  Forces are 0 most of the time and stay as they are.
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
        # Weights by measure; those of the shock time are left out where there is no contact.
        weights = {TIME: total}
        block = self._blocks[part.block]
        block.measures[TIME] += total.sum()
        block.duration += float(total.sum())
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
        # The force may be below the threshold, or begin with the sample after the part.
        if self._has_sliding and record.column("normal_force")[part.start : part.stop + 1].any():
            power, slip = _wear_power(record, part)
            if self._settings.interpolated:
                # F|V| is 0 in stick, whatever velocity the record has there.
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
    """Weights of the part's samples in integrals of a force over the contact time, and that time.

    They differ in the interval in which the force reaches the threshold S: a straight line from the
    sample's value x to x S/|F| gives the sample the weight duration (1 + S/|F|)/2.
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
    # The time beyond a block's end lies between two blocks, or is 0 at the window's end.
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
    """|normal force| × sliding speed [W] of the part's samples and the next one, and slip as 0, 1.

    The value after a block's last sample is 0.
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
