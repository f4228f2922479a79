"""Input over a step from its past samples: Newton's divided differences.

A slave sees an input at communication points only and must guess it up to the next one. The
polynomial through the last samples is exact for a polynomial input of that degree; it amplifies
noise and steps, so its order is a parameter.
"""

from __future__ import annotations


def extrapolate(samples: list[tuple[float, ...]], column: int) -> list[float]:
    """Polynomial through at most 4 samples, newest first, as coefficients in t − t_newest.

    A sample is a row (instant, value, value, …); `column` ≥ 1 names the value. A constant input
    gives one coefficient, so that the step stays as cheap as it can be.
    """
    count = len(samples)
    newest = samples[0]
    value = newest[column]
    if count == 1:
        return [value]
    before = samples[1]
    value_before = before[column]
    # A third and a fourth sample are asked only where there are any.
    if value == value_before and (
        count == 2 or (value == samples[2][column] and (count == 3 or value == samples[3][column]))
    ):
        return [value]
    # back_i: time from the i-th sample to the newest.
    back_1 = newest[0] - before[0]
    slope = (value - value_before) / back_1
    if count == 2:
        return [value, slope]
    third = samples[2]
    back_2 = newest[0] - third[0]
    slope_before = (value_before - third[column]) / (before[0] - third[0])
    if count == 3:
        bend = (slope - slope_before) / back_2
        return [value, slope + bend * back_1, bend]
    fourth = samples[3]
    back_3 = newest[0] - fourth[0]
    slope_long_before = (third[column] - fourth[column]) / (third[0] - fourth[0])
    bend = (slope - slope_before) / back_2
    bend_before = (slope_before - slope_long_before) / (before[0] - fourth[0])
    twist = (bend - bend_before) / back_3
    # Newton's form, t (t + back_1)(t + back_2) and so on, multiplied out.
    return [
        value,
        slope + back_1 * (bend + twist * back_2),
        bend + twist * (back_1 + back_2),
        twist,
    ]
