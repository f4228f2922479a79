"""Option USURE: moments of positions and forces, shock times, mean wear power.

``sampled``: on constant steps the means are those of the samples, on irregular steps trapezoid
integrals; the wear power integrates the intervals that start in slip.  ``interpolated``: every mean
is a trapezoid integral over the duration, the contact time is cut at the located crossings, and the
wear power integrates F|V| with V = 0 in stick.  Both are of second order in the step.

Over blocks: mean of the block means, square root of the mean of the squares, extreme of the
extremes; a mean over shock time takes the blocks that have any.  Shock statistics take the whole
window, because a block's border would cut shocks.

The original's mean wear power over a block is divided by the whole time, not the slip time; so it
is here.  Its defects are not copied: the shortest shock time is reported (the original gives 0),
and means over shock time on variable steps are divided once.

Source: EDF R7.10.02, section 3, and U4.84.02, option USURE; definitions as above.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .blocks import BlockLayout, BlockPart, BlockSums
from .contact_pieces import StretchContact
from .record import STEP_TOLERANCE, FloatArray, StatisticsSettings
from .shocks import Shocks
from .stretches import Stretch

POSITIONS = {"position_x": "DEPL_X", "position_y": "DEPL_Y", "position_z": "DEPL_Z"}
FORCES = {
    "normal_force": "FORCE_NORMALE",
    "tangential_force_1": "FORCE_TANG_1",
    "tangential_force_2": "FORCE_TANG_2",
}


@dataclass(frozen=True)
class Moments:
    """Moments of a position, in m (DEPL_ANGULAIRE: degrees, not unwrapped at ±180).

    Parameters
    ----------
    mean, deviation, rms, largest, smallest : float
        MOYEN, ECART_TYPE (population), RMS, MAXI, MINI.
    """

    mean: float
    deviation: float
    rms: float
    largest: float
    smallest: float


@dataclass(frozen=True)
class ForceMoments:
    """Moments of a force [N], over the total time and over the shock time (NaN where it is 0).

    Parameters
    ----------
    mean_total, mean_shock, rms_total, rms_shock, largest, smallest : float
        MOYEN_T_TOTAL, MOYEN_T_CHOC, RMS_T_TOTAL, RMS_T_CHOC, MAXI, MINI.
    """

    mean_total: float
    mean_shock: float
    rms_total: float
    rms_shock: float
    largest: float
    smallest: float


@dataclass(frozen=True)
class ShockTimes:
    """STAT_CHOC, finished shocks only; means are NaN without one.

    Parameters
    ----------
    shocks_per_second : float
        NB_CHOC_S [1/s].
    rebounds_per_shock : float
        NB_REBON_CHOC.
    mean_duration, largest_duration, smallest_duration : float
        T_CHOC_MOYEN, T_CHOC_MAXI, T_CHOC_MINI [s]: first exceedance to the end of the shock.
    mean_rebound_time : float
        T_REBON_MOYEN [s], mean duration of the contact runs.
    contact_percentage : float
        %_T_CHOC: contact time over the window's duration, unfinished shocks included [%].
    """

    shocks_per_second: float
    rebounds_per_shock: float
    mean_duration: float
    largest_duration: float
    smallest_duration: float
    mean_rebound_time: float
    contact_percentage: float


@dataclass(frozen=True)
class Usure:
    """Result of option USURE; what the record has no columns for is absent.

    Parameters
    ----------
    positions : dict of str to Moments
        DEPL_X, DEPL_Y, DEPL_Z, DEPL_RADIAL = √(y² + z²), DEPL_ANGULAIRE = atan2(z, y).
    forces : dict of str to ForceMoments
        FORCE_NORMALE, FORCE_TANG_1, FORCE_TANG_2.
    shock_times : ShockTimes
        STAT_CHOC.
    wear_power : float
        PUIS_USURE, mean of |normal force| × sliding speed [W]; NaN without tangential velocity.
    """

    positions: dict[str, Moments]
    forces: dict[str, ForceMoments]
    shock_times: ShockTimes
    wear_power: float


class UsureSums:
    """Collects the sums of option USURE stretch by stretch.

    Measures, in this order: time, shock time, and for ``sampled`` also sample count and count of
    samples in shock.
    """

    def __init__(self, settings: StatisticsSettings, layout: BlockLayout) -> None:
        self._settings = settings
        self._layout = layout
        self._names: list[str] = []
        self._shift: FloatArray | None = None
        self._blocks: list[BlockSums] = []
        self._smallest_step = math.inf
        self._largest_step = 0.0

    def feed(self, stretch: Stretch, contact: StretchContact) -> None:
        """Add a stretch's core."""
        quantities = self._quantities(stretch)
        measures = 2 if self._settings.interpolated else 4
        if self._shift is None:
            self._shift = quantities[:, :1].copy()
            # Positions are summed relative to the first, so that a small spread about a large mean
            # keeps its digits.  Forces are 0 most of the time and stay as they are.
            force_count = sum(name in FORCES.values() for name in self._names)
            self._shift[len(self._names) - force_count :] = 0.0
            self._blocks = [
                BlockSums.empty(len(self._names), measures) for _ in range(self._layout.block_count)
            ]
        steps = stretch.steps
        self._smallest_step = min(self._smallest_step, float(steps.min()))
        self._largest_step = max(self._largest_step, float(steps.max()))
        quantities -= self._shift
        power = _wear_power(stretch)
        for part in self._layout.parts(stretch):
            self._add(part, stretch, contact, quantities[:, part.samples], power)

    def result(self, shocks: Shocks) -> Usure:
        """Report what was fed, with the shocks of the same window."""
        constant = self._largest_step - self._smallest_step <= STEP_TOLERANCE * self._smallest_step
        total = 2 if constant and not self._settings.interpolated else 0
        shift = np.zeros((len(self._names), 1)) if self._shift is None else self._shift
        positions: dict[str, Moments] = {}
        forces: dict[str, ForceMoments] = {}
        means = np.stack([block.sums for block in self._blocks])
        squares = np.stack([block.square_sums for block in self._blocks])
        measures = np.stack([block.measures for block in self._blocks])[:, np.newaxis]
        with np.errstate(invalid="ignore", divide="ignore"):
            means, squares = means / measures, squares / measures
        largest = np.max([block.largest for block in self._blocks], axis=0) + shift[:, 0]
        smallest = np.min([block.smallest for block in self._blocks], axis=0) + shift[:, 0]
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
        duration = sum(block.duration for block in self._blocks)
        powers = [block.wear_work / block.duration for block in self._blocks]
        shares = measures[:, 0, total + 1].sum() / measures[:, 0, total].sum()
        return Usure(
            positions=positions,
            forces=forces,
            shock_times=_shock_times(shocks, duration, 100.0 * float(shares)),
            wear_power=sum(powers) / len(powers),
        )

    def _quantities(self, stretch: Stretch) -> FloatArray:
        """Rows: positions, derived positions, forces; columns: core samples."""
        record = stretch.record
        rows = [(POSITIONS[q], record.column(q)[stretch.core]) for q in POSITIONS if record.has(q)]
        if record.has("position_y") and record.has("position_z"):
            y = record.column("position_y")[stretch.core]
            z = record.column("position_z")[stretch.core]
            rows.append(("DEPL_RADIAL", np.sqrt(y * y + z * z)))
            rows.append(("DEPL_ANGULAIRE", np.degrees(np.arctan2(z, y))))
        rows += [(FORCES[q], record.column(q)[stretch.core]) for q in FORCES if record.has(q)]
        self._names = [name for name, _ in rows]
        return np.stack([values for _, values in rows])

    def _add(
        self,
        part: BlockPart,
        stretch: Stretch,
        contact: StretchContact,
        quantities: FloatArray,
        power: FloatArray,
    ) -> None:
        block = self._blocks[part.block]
        samples = part.samples
        left, right = stretch.left_half_steps[samples], stretch.right_half_steps[samples]
        shares = contact.shares
        halves = [
            (left, right),
            (shares.left_weight[samples].copy(), shares.right_weight[samples].copy()),
            (shares.left_duration[samples].copy(), shares.right_duration[samples].copy()),
        ]
        for before, after in halves:
            before[0] *= not part.begins
            after[-1] *= not part.ends
        total, weight, shock_duration = (before + after for before, after in halves)
        columns = [total, weight]
        measures = [float(total.sum()), float(shock_duration.sum())]
        if not self._settings.interpolated:
            above = contact.above[samples].astype(np.float64)
            columns += [np.ones_like(above), above]
            measures += [float(above.size), float(above.sum())]
        weights = np.stack(columns, axis=1)
        block.sums += quantities @ weights
        block.square_sums += (quantities * quantities) @ weights
        block.measures += measures
        np.maximum(block.largest, quantities.max(axis=1), out=block.largest)
        np.minimum(block.smallest, quantities.min(axis=1), out=block.smallest)
        block.wear_work += self._wear_work(stretch, part, power, total, right)
        block.duration += measures[0]

    def _wear_work(
        self,
        stretch: Stretch,
        part: BlockPart,
        power: FloatArray,
        total: FloatArray,
        right: FloatArray,
    ) -> float:
        """∫F|V| dt over the intervals that start in a part of a block."""
        begin = stretch.core_begin + part.samples.start
        end = stretch.core_begin + part.samples.stop
        slip = np.ones(end - begin)
        if stretch.record.stick is not None:
            slip -= stretch.record.stick[begin:end]
        if self._settings.interpolated:
            return float(np.dot(total, power[begin:end] * slip))
        # The last sample of a block has right = 0, so the value after it does not matter.
        following = np.append(power[begin + 1 : end + 1], 0.0)[: end - begin]
        return float(np.dot(right * slip, power[begin:end] + following))


def _wear_power(stretch: Stretch) -> FloatArray:
    """|normal force| × sliding speed [W] of all the stretch's samples; NaN without velocity."""
    record = stretch.record
    force = np.abs(record.column("normal_force"))
    components = [
        record.column(quantity)
        for quantity in ("tangential_velocity_1", "tangential_velocity_2")
        if record.has(quantity)
    ]
    if not components:
        return np.full_like(force, np.nan)
    if len(components) == 1:
        return force * np.abs(components[0])
    return np.asarray(force * np.sqrt(components[0] ** 2 + components[1] ** 2))


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
