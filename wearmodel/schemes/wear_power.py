"""A scheme's record handed to the shock statistics, and the mean wear power they give."""

from __future__ import annotations

from ..statistics import ShockRecord, StatisticsSettings, shock_statistics
from .record import SchemeRecord


def shock_record(record: SchemeRecord) -> ShockRecord:
    """Return the samples as the shock statistics take them, tangential axis 1 along the motion."""
    return ShockRecord(
        time=record.time,
        normal_force=record.normal_force,
        normal_velocity=record.gap_velocity,
        tangential_force_1=record.friction_force,
        tangential_velocity_1=record.tangential_velocity,
        stick=record.sticking,
    )


def mean_wear_power(record: SchemeRecord, *, start: float, end: float, blocks: int = 1) -> float:
    """Return PUIS_USURE, the mean of F_N |v| over the intervals that start in slip [W].

    Parameters
    ----------
    record
        Archived samples.
    start, end
        Window [s], both ends inside; clipped to the record.
    blocks
        Runs of equal sample count that the window is split into. The interval between two runs is
        not integrated: with 8 runs of 10 000 samples 7 intervals are lost, which the recorded
        values show.

    Raises
    ------
    ValueError
        Where the window is empty or the blocks cannot be laid out.
    """
    settings = StatisticsSettings(
        window_start=start, window_end=end, block_count=blocks, reading="sampled"
    )
    usure = shock_statistics(shock_record(record), settings, impact=False).usure
    assert usure is not None  # asked for by default
    return usure.wear_power
