"""Inputs over a step from past samples: which samples are used, and the polynomials through them.

An FMU receives its inputs at communication points only and must guess them up to the next one. The
polynomial through the last samples is exact for a polynomial input of that degree; it amplifies
noise and jumps, so its order is a parameter, or chosen from the errors of past predictions.

With a short step before a long one the weights of the samples, and with them noise and jumps, would
grow like (long/short)^order. So the samples are chosen such that an extrapolation of order k never
amplifies more than twice what it does on an even grid: there the |weights| at the step's end add
up to 2^(k+1) − 1, and nowhere to more than 2 (2^(k+1) − 1).

The newest sample is at the instant where the extrapolation begins.
"""

from __future__ import annotations

from .limits import TIME
from .records import Errors, Row, Samples

# Shortest time between two samples, in steps ahead: the order 1 then just keeps its bound of 6.
_SHORTEST_SPACING = 0.4
# The weights w_0, w_1, … alternate in sign and add up to 1. So the orders 2 and 3 keep their bounds
# of 14 and 30 where |w_1| + |w_3| is no more than these.
_LARGEST_OPPOSED_2 = 6.5
_LARGEST_OPPOSED_3 = 14.5
# Where no spacing is shorter than the first of these, in steps ahead, and for the order 3 the
# newest no longer than the second, the bounds are kept: so on even grids, rounded as they may be.
SHORTEST_ORDINARY = 0.75
_LONGEST_ORDINARY = 2.0


def is_ordinary(samples: Samples, order: float, ahead: float) -> bool:
    """Whether the samples that `order` needs keep its bound over `ahead` [s] by their spacing."""
    if order < 1.0:
        return True
    shortest = SHORTEST_ORDINARY * ahead
    newest = samples.first[TIME] - samples.second[TIME]
    if newest < shortest:
        return False
    if order < 2.0:
        return True
    if samples.second[TIME] - samples.third[TIME] < shortest:
        return False
    if order < 3.0:
        return True
    return (
        samples.third[TIME] - samples.fourth[TIME] >= shortest
        and newest <= _LONGEST_ORDINARY * ahead
    )


def drop_crowded(samples: Samples, count: float, ahead: float) -> float:
    """Drop samples that are less than 0.4 `ahead` [s] older than a newer one; how many are left."""
    shortest = _SHORTEST_SPACING * ahead
    while count > 1.0 and samples.first[TIME] - samples.second[TIME] < shortest:
        spare = samples.second
        samples.second = samples.third
        samples.third = samples.fourth
        samples.fourth = samples.fifth
        samples.fifth = spare
        count -= 1.0
    while count > 2.0 and samples.second[TIME] - samples.third[TIME] < shortest:
        spare = samples.third
        samples.third = samples.fourth
        samples.fourth = samples.fifth
        samples.fifth = spare
        count -= 1.0
    while count > 3.0 and samples.third[TIME] - samples.fourth[TIME] < shortest:
        spare = samples.fourth
        samples.fourth = samples.fifth
        samples.fifth = spare
        count -= 1.0
    if count > 4.0 and samples.fourth[TIME] - samples.fifth[TIME] < shortest:
        count -= 1.0
    return count


def bounded_order(samples: Samples, order: float, ahead: float) -> float:
    """Largest order ≤ `order` that keeps its bound over the time h `ahead` [s].

    With x_i the time from sample i until now, |w_1| = h (h + x_2)/(x_1 (x_2 − x_1)) at order 2; at
    order 3 |w_1| = h (h + x_2)(h + x_3)/(x_1 (x_2 − x_1)(x_3 − x_1)) and
    |w_3| = h (h + x_1)(h + x_2)/(x_3 (x_3 − x_1)(x_3 − x_2)).
    """
    if order < 2:
        return order
    time = samples.first[TIME]
    back_1 = time - samples.second[TIME]
    back_2 = time - samples.third[TIME]
    step_2 = samples.second[TIME] - samples.third[TIME]
    if order > 2:
        back_3 = time - samples.fourth[TIME]
        step_3 = samples.third[TIME] - samples.fourth[TIME]
        steps = samples.second[TIME] - samples.fourth[TIME]
        opposed = (ahead + back_3) * back_3 * step_3 + (ahead + back_1) * back_1 * step_2
        bound = _LARGEST_OPPOSED_3 * back_1 * back_3 * step_2 * step_3 * steps
        if ahead * (ahead + back_2) * opposed <= bound:
            return 3.0
    if ahead * (ahead + back_2) <= _LARGEST_OPPOSED_2 * back_1 * step_2:
        return 2.0
    return 1.0


def polynomial(samples: Samples, column: int, order: float, factor: float, target: Row) -> int:
    """Coefficients in t − t_first of `factor` times the polynomial of `order` through a column.

    Returns how many they are: samples that are equal give one, so that the step stays as cheap as
    it can be.
    """
    first = samples.first
    second = samples.second
    value = first[column]
    target[0] = factor * value
    if order == 0:
        return 1
    one = second[column]
    if order == 1:
        if value == one:
            return 1
        target[1] = factor * ((value - one) / (first[TIME] - second[TIME]))
        return 2
    third = samples.third
    two = third[column]
    if value == one and value == two and (order == 2 or value == samples.fourth[column]):
        return 1
    # Newton's divided differences.
    time = first[TIME]
    time_1 = second[TIME]
    time_2 = third[TIME]
    back_1 = time - time_1
    back_2 = time - time_2
    slope = (value - one) / back_1
    slope_2 = (one - two) / (time_1 - time_2)
    bend = (slope - slope_2) / back_2
    twist = 0.0
    if order == 3:
        fourth = samples.fourth
        time_3 = fourth[TIME]
        slope_3 = (two - fourth[column]) / (time_2 - time_3)
        bend_2 = (slope_2 - slope_3) / (time_1 - time_3)
        twist = (bend - bend_2) / (time - time_3)
    return _multiply_out(order, factor, slope, bend, twist, back_1, back_2, target)


def _multiply_out(
    order: float,
    factor: float,
    slope: float,
    bend: float,
    twist: float,
    back_1: float,
    back_2: float,
    target: Row,
) -> int:
    """Coefficients of Newton's slope t + bend t (t + back_1) + twist t (t + back_1)(t + back_2).

    `order` 2 leaves the last term out. Returns how many they are with the constant one, which
    stands.
    """
    if order == 2:
        target[1] = factor * (slope + bend * back_1)
        target[2] = factor * bend
        return 3
    target[1] = factor * (slope + back_1 * (bend + twist * back_2))
    target[2] = factor * (bend + twist * (back_1 + back_2))
    target[3] = factor * twist
    return 4


def straight_line(samples: Samples, column: int, length: float, factor: float, target: Row) -> int:
    """Coefficients of `factor` times the line from the second sample to the first in `length` [s].

    Returns how many they are.
    """
    last = samples.second[column]
    value = samples.first[column]
    target[0] = factor * last
    if value == last:
        return 1
    target[1] = factor * ((value - last) / length)
    return 2


def predicted(
    samples: Samples,
    column: int,
    errors: Errors,
    count: float,
    highest: float,
    factor: float,
    target: Row,
) -> int:
    """As `polynomial`, by the order up to `highest` whose past predictions erred least.

    e_k = |f[t_0 … t_(k+1)] Π_(i=1…k+1) (t_0 − t_i)| is by how much the order k, through the older
    of the `count` samples, misses the newest. The order with the smallest E_k is taken, the largest
    of the last three e_k, the lower one of equals; the value is held unless E_k < E_0/2.
    """
    first = samples.first
    second = samples.second
    value = first[column]
    one = second[column]
    target[0] = factor * value
    errors.order = 0.0
    if count < 5.0 or highest < 3.0:
        errors.tried_1 = 0.0
        errors.tried_2 = 0.0
        errors.tried_3 = 0.0
        if count < 2.0:
            errors.tried_0 = 0.0
            return 1
    error = abs(value - one)
    errors.tried_0 = error
    if count < 3.0 or highest < 1.0:
        return 1
    least = 0.5 * max(error, errors.last_0, errors.before_0)
    order = 0.0
    twist = 0.0
    time = first[TIME]
    time_1 = second[TIME]
    third = samples.third
    time_2 = third[TIME]
    two = third[column]
    back_1 = time - time_1
    back_2 = time - time_2
    slope = (value - one) / back_1
    slope_2 = (one - two) / (time_1 - time_2)
    bend = (slope - slope_2) / back_2
    span = back_1 * back_2
    error = abs(bend * span)
    errors.tried_1 = error
    # All three are less than `least` where the largest is.
    if error < least and errors.last_1 < least and errors.before_1 < least:
        order = 1.0
        least = max(error, errors.last_1, errors.before_1)
    if count > 3.0 and highest > 1.0:
        fourth = samples.fourth
        time_3 = fourth[TIME]
        three = fourth[column]
        slope_3 = (two - three) / (time_2 - time_3)
        bend_2 = (slope_2 - slope_3) / (time_1 - time_3)
        back_3 = time - time_3
        twist = (bend - bend_2) / back_3
        span *= back_3
        error = abs(twist * span)
        errors.tried_2 = error
        if error < least and errors.last_2 < least and errors.before_2 < least:
            order = 2.0
            least = max(error, errors.last_2, errors.before_2)
        if count > 4.0 and highest > 2.0:
            fifth = samples.fifth
            time_4 = fifth[TIME]
            slope_4 = (three - fifth[column]) / (time_3 - time_4)
            bend_3 = (slope_3 - slope_4) / (time_2 - time_4)
            twist_2 = (bend_2 - bend_3) / (time_1 - time_4)
            error = abs((twist - twist_2) * span)
            errors.tried_3 = error
            if error < least and errors.last_3 < least and errors.before_3 < least:
                order = 3.0
    errors.order = order
    if order == 0.0:
        return 1
    if order == 1.0:
        target[1] = factor * slope
        return 2
    return _multiply_out(order, factor, slope, bend, twist, back_1, back_2, target)


def keep_errors(errors: Errors) -> None:
    """What was tried has come true: it is the last prediction's error now."""
    errors.before_0 = errors.last_0
    errors.before_1 = errors.last_1
    errors.before_2 = errors.last_2
    errors.before_3 = errors.last_3
    errors.last_0 = errors.tried_0
    errors.last_1 = errors.tried_1
    errors.last_2 = errors.tried_2
    errors.last_3 = errors.tried_3
