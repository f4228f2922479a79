"""Mean wear power of a shock record, in blocks of samples.

Archard's sense of the power of wear, PUIS_USURE of the shock statistics (post-processing operator
for shock non-linearities, option USURE): the normal force times the sliding speed, without μ.
"""

from __future__ import annotations

import numpy as np

from wearmodel.schemes.record import SchemeRecord


def mean_wear_power(record: SchemeRecord, *, start: float, end: float, blocks: int = 1) -> float:
    """Return the mean of F_N |v| over the intervals that start in slip [W].

    P = mean over blocks of 1/(t_n − t_1) Σ ½ (F_i |v_i| + F_{i+1} |v_{i+1}|) (t_{i+1} − t_i)

    The window's samples are split into runs of equal count, the remainder is dropped, and the
    interval between two runs is not integrated: with 8 blocks of 10 000 samples 7 intervals are
    lost, which the recorded values show. The time in stick counts in t_n − t_1.

    Parameters
    ----------
    record
        Archived samples.
    start, end
        Window [s], both ends inside; clipped to the record.
    blocks
        Number of runs, ≥ 1.

    Raises
    ------
    ValueError
        Where the window is empty or leaves a block fewer than two samples.
    """
    if not start < end:
        raise ValueError(f"start={start} s must be < end={end} s")
    if blocks < 1:
        raise ValueError(f"blocks={blocks} must be ≥ 1")
    # Instants are multiples of a step in binary, so the window's ends need room for rounding.
    tolerance = 1e-12 * max(abs(start), abs(end))
    inside = (record.time >= start - tolerance) & (record.time <= end + tolerance)
    time = record.time[inside]
    samples = len(time) // blocks
    if samples < 2:
        raise ValueError(f"blocks={blocks} must leave ≥ 2 samples each of {len(time)}")
    power = (record.normal_force * np.abs(record.tangential_velocity))[inside]
    slipping = ~record.sticking[inside]
    means = []
    for first in range(0, samples * blocks, samples):
        block = slice(first, first + samples)
        area = 0.5 * (power[block][1:] + power[block][:-1]) * np.diff(time[block])
        means.append(np.sum(area * slipping[block][:-1]) / (time[block][-1] - time[block][0]))
    return float(np.mean(means))
