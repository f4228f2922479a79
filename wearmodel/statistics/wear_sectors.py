"""Where round a tube the wear happens: the mean wear power of each sector.

Source: EDF POST_USURE, wear by sectors.
"""

from __future__ import annotations

import numpy as np

from .shock_record import FloatArray, ShockRecord


def sector_wear_power(record: ShockRecord, sector_count: int) -> FloatArray:
    """Mean wear power of each of the equal sectors round the obstacle's axis.

    The sectors divide −180° to 180° of the angle atan2(position_z, position_y); an angle on the
    border of two belongs to the upper one.  F|V| of a sample, 0 in stick, counts in the sector of
    its position with the sample's weight in a trapezoid rule, so that the powers add up to the mean
    wear power of `shock_statistics`.

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
        For a column that is missing, fewer than 2 samples, or a count below 1.
    """
    if sector_count < 1:
        raise ValueError(f"sector_count={sector_count} must be ≥ 1")
    if len(record) < 2:
        raise ValueError(f"the record has {len(record)} samples and must have at least 2")
    speed = np.abs(record.column("tangential_velocity_1"))
    if record.has("tangential_velocity_2"):
        speed = np.hypot(speed, record.column("tangential_velocity_2"))
    power = np.abs(record.column("normal_force")) * speed
    angle = np.arctan2(record.column("position_z"), record.column("position_y"))
    sector = np.floor((angle + np.pi) / (2.0 * np.pi) * sector_count).astype(np.intp)
    # 180° is the upper end of the last sector.
    sector = np.minimum(sector, sector_count - 1)
    if record.stick is not None:
        power = np.where(record.stick, 0.0, power)
    half_steps = 0.5 * np.diff(record.time, prepend=record.time[0], append=record.time[-1])
    work = np.bincount(
        sector, weights=power * (half_steps[:-1] + half_steps[1:]), minlength=sector_count
    )
    powers: FloatArray = work.astype(np.float64) / (record.time[-1] - record.time[0])
    return powers
