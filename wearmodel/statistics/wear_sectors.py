"""Wear by sectors around a tube: mean wear power or wear work of each sector.

Source: EDF POST_USURE, wear by sectors.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .shock_record import FloatArray, ShockRecord

# Numbers of blocks for the errors of the shares. The wider interval is used.
_SHARE_BLOCKS = (20, 10)


def sector_wear_power(record: ShockRecord, sector_count: int) -> FloatArray:
    """Mean wear power of equal sectors around the axis of the obstacle.

    The sectors divide the angle atan2(position_z, position_y) from −180° to 180°. An angle on the
    border belongs to the upper sector. F|V| of a sample, 0 in stick, counts in the sector of its
    position with its weight in the trapezoidal rule. The sum of the powers is the mean wear power
    of `shock_statistics`.

    Parameters
    ----------
    record : ShockRecord
        With `position_y`, `position_z`, `normal_force` and at least `tangential_velocity_1`.
    sector_count : int
        Number of sectors, ≥ 1.

    Returns
    -------
    array (sector_count,)
        Mean wear power over the whole duration [W].

    Raises
    ------
    ValueError
        A column is missing, there are fewer than 2 samples, or the count is below 1.
    """
    if sector_count < 1:
        raise ValueError(f"sector_count={sector_count} must be ≥ 1")
    if len(record) < 2:
        raise ValueError(f"the record has {len(record)} samples and must have at least 2")
    speed = np.abs(record.column("tangential_velocity_1"))
    if record.has("tangential_velocity_2"):
        speed = np.hypot(speed, record.column("tangential_velocity_2"))
    power = np.abs(record.column("normal_force")) * speed
    sector = _sector(record.column("position_y"), record.column("position_z"), sector_count)
    if record.stick is not None:
        power = np.where(record.stick, 0.0, power)
    half_steps = 0.5 * np.diff(record.time, prepend=record.time[0], append=record.time[-1])
    work = np.bincount(
        sector, weights=power * (half_steps[:-1] + half_steps[1:]), minlength=sector_count
    )
    powers: FloatArray = work.astype(np.float64) / (record.time[-1] - record.time[0])
    return powers


def sector_wear_shares(
    position_y: FloatArray, position_z: FloatArray, wear_work: FloatArray, sector_count: int
) -> tuple[FloatArray, FloatArray]:
    """Share of each sector in the wear work of a run, with the half width of its 95 % interval.

    Sectors are those of `sector_wear_power`. The increase of the work from one sample to the next
    counts in the sector of the mean position. The run is divided into blocks b of equal length,
    with the work W_b, and W_jb in sector j. The share p_j = Σ W_jb/Σ W_b is a ratio of means. To
    leading order its variance is

        Σ_b (W_jb − p_j W_b)²/(B (B − 1) W̄²),  W̄ = Σ W_b/B

    The interval uses Student's distribution with B − 1 degrees of freedom. The wider interval of 20
    and 10 blocks is returned, which includes correlation as long as a block.

    Parameters
    ----------
    position_y, position_z : array (n,)
        Position across the axis [m].
    wear_work : array (n,)
        Accumulated work [J].
    sector_count : int
        Number of sectors, ≥ 1.

    Returns
    -------
    shares, half_widths : array (sector_count,)
        Shares and half widths. Zero without wear.

    Raises
    ------
    ValueError
        The count is below 1.

    Source: W. Cochran, "Sampling Techniques", Wiley 1977, section 2.11 (ratio estimates).
    """
    from scipy.special import stdtrit

    if sector_count < 1:
        raise ValueError(f"sector_count={sector_count} must be ≥ 1")
    y, z = (0.5 * (place[:-1] + place[1:]) for place in (position_y, position_z))
    most, fewest = _SHARE_BLOCKS
    block = np.arange(y.size) * most // max(1, y.size)
    works = np.bincount(
        block * sector_count + _sector(y, z, sector_count),
        weights=np.diff(wear_work),
        minlength=most * sector_count,
    ).reshape(most, sector_count)
    total = float(works.sum())
    nothing: FloatArray = np.zeros(sector_count)
    if not total > 0.0:
        return nothing, nothing
    shares: FloatArray = works.sum(axis=0) / total
    half_widths = nothing
    for count in (most, fewest):
        parts = works.reshape(count, most // count, sector_count).sum(axis=1)
        deviations = parts - shares * parts.sum(axis=1, keepdims=True)
        variance = np.sum(deviations**2, axis=0) * count / ((count - 1.0) * total**2)
        half_widths = np.maximum(half_widths, float(stdtrit(count - 1, 0.975)) * np.sqrt(variance))
    return shares, half_widths


def _sector(y: FloatArray, z: FloatArray, count: int) -> NDArray[np.intp]:
    sector = np.floor((np.arctan2(z, y) + np.pi) / (2.0 * np.pi) * count).astype(np.intp)
    # 180° is the upper end of the last sector.
    return np.minimum(sector, count - 1)
