"""Input over a step from its past samples: Newton's divided differences.

A slave sees an input at communication points only and must guess it up to the next one. The
polynomial through the last samples is exact for a polynomial input of that degree; it amplifies
noise and steps, so its order is a parameter.
"""

from __future__ import annotations


def extrapolate(times: list[float], values: list[float], count: int) -> list[float]:
    """Coefficients in t − times[0] of the polynomial through `count` ≤ 4 samples, newest first.

    A constant input gives one coefficient, so that the step stays as cheap as it can be.
    """
    newest = values[0]
    if count == 1 or (values[1] == newest and values[count - 1] == newest and count < 4):
        return [newest]
    # b_i: distance from the newest sample to the i-th, backwards.
    back_1 = times[0] - times[1]
    slope = (newest - values[1]) / back_1
    if count == 2:
        return [newest, slope]
    slope_before = (values[1] - values[2]) / (times[1] - times[2])
    back_2 = times[0] - times[2]
    bend = (slope - slope_before) / back_2
    if count == 3:
        return [newest, slope + bend * back_1, bend]
    slope_long_before = (values[2] - values[3]) / (times[2] - times[3])
    bend_before = (slope_before - slope_long_before) / (times[1] - times[3])
    back_3 = times[0] - times[3]
    twist = (bend - bend_before) / back_3
    if slope == 0.0 and bend == 0.0 and twist == 0.0:
        return [newest]
    # (t)(t + back_1)(t + back_2) expanded.
    return [
        newest,
        slope + back_1 * (bend + twist * back_2),
        bend + twist * (back_1 + back_2),
        twist,
    ]
