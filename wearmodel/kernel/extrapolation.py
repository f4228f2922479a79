"""Input over a step from its past samples: which of them are used, and the polynomial through them.

An FMU receives its input at communication points only and must guess it up to the next one. The
polynomial through the last samples is exact for a polynomial input of that degree; it amplifies
noise and jumps, so its order is a parameter.

With a short step before a long one the weights of the samples, and with them noise and jumps, would
grow like (long/short)^order. So the samples are chosen such that an extrapolation of order k never
amplifies more than twice what it does on an even grid: there the |weights| at the step's end add
up to 2^(k+1) − 1, and nowhere to more than 2 (2^(k+1) − 1).
"""

from __future__ import annotations

# Shortest time between two samples, in steps ahead: the order 1 then just keeps its bound of 6.
_SHORTEST_SPACING = 0.4
# The weights w_0, w_1, … alternate in sign and add up to 1. So the orders 2 and 3 keep their bounds
# of 14 and 30 where |w_1| + |w_3| is no more than these.
_LARGEST_OPPOSED_2 = 6.5
_LARGEST_OPPOSED_3 = 14.5
# Where no spacing is shorter than the first of these, in steps ahead, and for the order 3 the
# newest no longer than the second, the bounds are kept: so on even grids, rounded as they may be.
_SHORTEST_ORDINARY = 0.75
_LONGEST_ORDINARY = 2.0


def keep_usable(samples: list[tuple[float, ...]], count: int, step_size: float, order: int) -> int:
    """Move the samples that the step ahead uses to the front; return how many they are.

    The `count` ≥ 1 samples are rows (instant, value, value, …), newest first. The newest is used;
    going back, a sample is used if it is at least 0.4 `step_size` [s] older than the last one used,
    up to `order` + 1 of them; and of these the newest, as many as the bound on the weights allows.
    A step that succeeds forgets the others.
    """
    if count > order:
        # Nearly all steps end here: this is written for speed.
        if order == 0:
            return 1
        shortest = _SHORTEST_ORDINARY * step_size
        second = samples[1][0]
        if samples[0][0] - second >= shortest:
            if order == 1:
                return 2
            third = samples[2][0]
            if second - third >= shortest:
                if order == 2:
                    return 3
                longest = _LONGEST_ORDINARY * step_size
                if third - samples[3][0] >= shortest and samples[0][0] - second <= longest:
                    return 4
    shortest = _SHORTEST_SPACING * step_size
    used = 1
    last = samples[0][0]
    for i in range(1, count):
        instant = samples[i][0]
        if used <= order and last - instant >= shortest:
            samples[used] = samples[i]
            used += 1
            last = instant
    if used == 4 and not _may_be_cubic(samples, step_size):
        used = 3
    if used == 3 and not _may_be_parabola(samples, step_size):
        used = 2
    return used


def _may_be_parabola(samples: list[tuple[float, ...]], ahead: float) -> bool:
    """Whether the order 2 keeps its bound over the time h `ahead`; x_i: from sample i till now.

    |w_1| = h (h + x_2)/(x_1 (x_2 − x_1))
    """
    back_1 = samples[0][0] - samples[1][0]
    back_2 = samples[0][0] - samples[2][0]
    from_2_to_1 = samples[1][0] - samples[2][0]
    return ahead * (ahead + back_2) <= _LARGEST_OPPOSED_2 * back_1 * from_2_to_1


def _may_be_cubic(samples: list[tuple[float, ...]], ahead: float) -> bool:
    """Whether the order 3 keeps its bound over the time h `ahead`; x_i: from sample i till now.

    |w_1| = h (h + x_2)(h + x_3)/(x_1 (x_2 − x_1)(x_3 − x_1)),
    |w_3| = h (h + x_1)(h + x_2)/(x_3 (x_3 − x_1)(x_3 − x_2))
    """
    back_1 = samples[0][0] - samples[1][0]
    back_2 = samples[0][0] - samples[2][0]
    back_3 = samples[0][0] - samples[3][0]
    from_2_to_1 = samples[1][0] - samples[2][0]
    from_3_to_1 = samples[1][0] - samples[3][0]
    from_3_to_2 = samples[2][0] - samples[3][0]
    opposed = (ahead + back_3) * back_3 * from_3_to_2 + (ahead + back_1) * back_1 * from_2_to_1
    bound = _LARGEST_OPPOSED_3 * back_1 * back_3 * from_2_to_1 * from_3_to_1 * from_3_to_2
    return ahead * (ahead + back_2) * opposed <= bound


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
