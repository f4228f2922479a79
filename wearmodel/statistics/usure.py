"""Option USURE: moments of positions and forces, shock times, mean wear power.

``sampled``: with constant steps the means are means of the samples, and with irregular steps
trapezoidal integrals. The wear power integrates the intervals that start in slip.
``interpolated``: every mean is a trapezoidal integral over the duration, the contact time ends at
the located crossings, and the wear power integrates F|V| with V = 0 in stick. Both are of second
order in the step.

Over blocks the result is the mean of the block means, the square root of the mean of the squares,
or the extreme of the extremes. A mean over shock time uses the blocks with shocks. Shock statistics
use the whole window, because the borders of blocks would divide shocks.

As in the original, the mean wear power over a block is divided by the whole time, not the slip
time. Defects of the original are not copied: the shortest shock time is reported (the original
gives 0), and means over shock time with variable steps are divided once.

Source: EDF R7.10.02, section 3, and U4.84.02, option USURE, with the definitions above.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .blocks import BlockSums
from .shock_record import FloatArray
from .shocks import Shocks

POSITIONS = {"position_x": "DEPL_X", "position_y": "DEPL_Y", "position_z": "DEPL_Z"}
FORCES = {
    "normal_force": "FORCE_NORMALE",
    "tangential_force_1": "FORCE_TANG_1",
    "tangential_force_2": "FORCE_TANG_2",
}


@dataclass(frozen=True)
class Moments:
    """Moments of a position [m] (DEPL_ANGULAIRE in degrees, not unwrapped at ±180).

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
    """STAT_CHOC of finished shocks. Means are NaN without finished shocks.

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
        %_T_CHOC: contact time over the time of the blocks, unfinished shocks included [%].
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
    """Result of option USURE. Quantities without columns in the record are missing.

    Parameters
    ----------
    positions : dict of str to Moments
        DEPL_X, DEPL_Y, DEPL_Z, DEPL_RADIAL = √(y² + z²), DEPL_ANGULAIRE = atan2(z, y).
    forces : dict of str to ForceMoments
        FORCE_NORMALE, FORCE_TANG_1, FORCE_TANG_2.
    shock_times : ShockTimes
        STAT_CHOC.
    wear_power : float
        PUIS_USURE, mean of |normal force| × sliding speed [W]. NaN without tangential velocity.
    """

    positions: dict[str, Moments]
    forces: dict[str, ForceMoments]
    shock_times: ShockTimes
    wear_power: float


def usure_of_sums(
    names: list[str],
    shift: FloatArray,
    blocks: list[BlockSums],
    shocks: Shocks,
    *,
    total: int,
    window_duration: float,
) -> Usure:
    """Turn the sums over the blocks into means.

    Parameters
    ----------
    names : list of str
        The operator's names of the summed quantities.
    shift : array (quantities, 1)
        Constants subtracted from the quantities before summation.
    blocks : list of BlockSums
        At least one.
    shocks : Shocks
        The window's shocks.
    total : int
        Column of the sums over the total time. The next column is for the shock time.
    window_duration : float
        The whole window [s], in which the shocks were counted.
    """
    positions: dict[str, Moments] = {}
    forces: dict[str, ForceMoments] = {}
    measures = np.stack([block.measures for block in blocks])[:, np.newaxis]
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.stack([block.sums for block in blocks]) / measures
        squares = np.stack([block.square_sums for block in blocks]) / measures
    largest = np.max([block.largest for block in blocks], axis=0) + shift[:, 0]
    smallest = np.min([block.smallest for block in blocks], axis=0) + shift[:, 0]
    for row, name in enumerate(names):
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
        wear_power=sum(block.wear_work / block.duration for block in blocks) / len(blocks),
    )


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
