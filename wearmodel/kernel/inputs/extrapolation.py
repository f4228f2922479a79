"""Inputs over a step from past samples: choice of samples, and polynomials through them.

An FMU receives its inputs at communication points only and must extrapolate them up to the next
one. The polynomial through the last samples is exact for a polynomial input of that degree, but it
amplifies noise. Its order is a parameter, or chosen from the errors of past predictions.

A fixed order is a linear filter of unit gain, so its errors cancel over a run. The errors of an
order that changes at every kink have one sign and add up. Therefore the automatic order has a long
memory: running means over some 64 steps of the squared errors e_k² of the orders 0, 2 and 3. Order
1 is excluded, because odd orders change the amplitude. Even orders only add a delay, and wear does
not depend on it.

If a short step precedes a long one, the weights of the samples, and the noise, would grow like
(long/short)^order. Therefore samples are chosen such that an extrapolation of order k never
amplifies more than twice as much as on an even grid. There the |weights| at the step's end add up
to 2^(k+1) − 1.

The newest sample is at the instant at which the extrapolation begins.
"""

from __future__ import annotations

from ..limits import (
    JUDGED_FROM,
    LATE_LIMIT,
    LONGEST_ORDER,
    MEMORY_STEPS,
    OK,
    SAMPLES_NOT_PAST,
    TIME,
)
from ..state_objects import Row
from .state_objects import Errors, Samples, copy_errors

# Replaces the number of samples if all exist and are evenly spaced. `errors` then contains the
# divided differences of the previous sample.
EVEN = 1e9
# Shortest time between two samples, as a share of the step ahead: order 1 just keeps its bound 6.
_SHORTEST_SPACING = 0.4
# The weights w_0, w_1, … alternate in sign and their sum is 1. Therefore orders 2 and 3 keep their
# bounds of 14 and 30 if |w_1| + |w_3| does not exceed these values.
_LARGEST_OPPOSED_2 = 6.5
_LARGEST_OPPOSED_3 = 14.5
# The bounds are kept if no spacing is shorter than the first of these shares of the step ahead, and
# for order 3 the newest spacing is at most the second. Even grids with rounding satisfy this.
SHORTEST_ORDINARY = 0.75
_LONGEST_ORDINARY = 2.0

# Share of a new error in the running means.
_NEW = 1.0 / MEMORY_STEPS
# An order is used if its mean squared error is below the first share of the error of order 0, which
# holds the input, and no longer used above the second share. The roots are 0.05 and 0.1.
_TAKEN_BELOW = 0.0025
_LEFT_ABOVE = 0.01
# An input with later kinks looks smooth at first. Leaving an order at the first kink costs a
# permanent velocity error h A/2. Therefore this bound applies at the start to all orders. Order 3
# satisfies it for a sine with more than 63 steps per period. The root is 0.001.
_AT_START = 1e-6
# An input is late if its squared prediction error exceeds this share of its mean square. A late
# step counts three, and any other step subtracts one. Therefore the count does not grow if fewer
# than one step in four is late. In a short run, from the eighth step in which an input varies, the
# limit is half a count for each such step (three late steps in eight), and at least 15, which a
# single discontinuity or kink does not reach.
_LATE_ABOVE = 0.01
_LATE_COUNT = 3.0
_LATE_AT_START = 0.5
_LATE_AT_LEAST = 15.0
# The same share for a short run of a held input, because the start of any ramp has larger errors.
_HELD_LATE_ABOVE = 0.09


def is_ordinary(samples: Samples, order: float, ahead: float) -> bool:
    """Whether the spacing of the samples that `order` needs keeps its bound over `ahead` [s]."""
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
    """Drop samples less than 0.4 `ahead` [s] older than a newer one. Return their new number."""
    shortest = _SHORTEST_SPACING * ahead
    while count > 1.0 and samples.first[TIME] - samples.second[TIME] < shortest:
        samples.second[:] = samples.third
        samples.third[:] = samples.fourth
        samples.fourth[:] = samples.fifth
        count -= 1.0
    while count > 2.0 and samples.second[TIME] - samples.third[TIME] < shortest:
        samples.third[:] = samples.fourth
        samples.fourth[:] = samples.fifth
        count -= 1.0
    while count > 3.0 and samples.third[TIME] - samples.fourth[TIME] < shortest:
        samples.fourth[:] = samples.fifth
        count -= 1.0
    if count > 4.0 and samples.fourth[TIME] - samples.fifth[TIME] < shortest:
        count -= 1.0
    return count


def bounded_order(samples: Samples, order: float, ahead: float) -> float:
    """Largest order ≤ `order` that keeps its bound over the time h `ahead` [s].

    With x_i the time from sample i until now, |w_1| = h (h + x_2)/(x_1 (x_2 − x_1)) at order 2. At
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


def older_differences(samples: Samples, column: int, count: float) -> tuple[float, float, float]:
    """Newton's divided differences of order 1, 2 and 3 from the second of `count` samples back.

    A difference that needs more samples than `count` is 0.
    """
    slope = 0.0
    bend = 0.0
    twist = 0.0
    if count > 2.0:
        time_1 = samples.second[TIME]
        time_2 = samples.third[TIME]
        two = samples.third[column]
        slope = (samples.second[column] - two) / (time_1 - time_2)
        if count > 3.0:
            time_3 = samples.fourth[TIME]
            three = samples.fourth[column]
            slope_2 = (two - three) / (time_2 - time_3)
            bend = (slope - slope_2) / (time_1 - time_3)
            if count > 4.0:
                time_4 = samples.fifth[TIME]
                slope_3 = (three - samples.fifth[column]) / (time_3 - time_4)
                bend_2 = (slope_2 - slope_3) / (time_2 - time_4)
                twist = (bend - bend_2) / (time_1 - time_4)
    return slope, bend, twist


def polynomial(
    samples: Samples,
    column: int,
    errors: Errors,
    tried: Errors,
    count: float,
    order: float,
    factor: float,
    target: Row,
) -> int:
    """Coefficients in t − t_first of `factor` times the polynomial of `order` through a column.

    Returns their number, which is 1 for equal samples, because such steps are cheap. `count` is the
    number of samples, or EVEN. `tried` becomes `errors` after the step. It is one function because
    polynomial and error share the divided differences.
    """
    second = samples.second
    value = samples.first[column]
    target[0] = factor * value
    known = errors.known
    if count < 2.0:
        tried.known = known
        tried.missed = errors.missed
        tried.received = errors.received
        tried.late = errors.late
        return 1
    # Error of the order's prediction at the newest sample, as in `predicted`.
    error = value - second[column]
    highest = 1
    if order > 0.0:
        if count == EVEN:
            slope_1 = errors.slope
            bend_1 = errors.bend
            twist_1 = errors.twist
        else:
            slope_1, bend_1, twist_1 = older_differences(samples, column, count)
            tried.bend = 0.0
            tried.twist = 0.0
        time = samples.first[TIME]
        back_1 = time - second[TIME]
        slope = error / back_1
        tried.slope = slope
        if order > 1.0:
            back_2 = time - samples.third[TIME]
            bend = (slope - slope_1) / back_2
            tried.bend = bend
            if order > 2.0:
                back_3 = time - samples.fourth[TIME]
                twist = (bend - bend_1) / back_3
                tried.twist = twist
                error = (twist - twist_1) * back_1 * back_2 * back_3
                if slope != 0.0 or bend != 0.0 or twist != 0.0:
                    target[1] = factor * (slope + back_1 * (bend + twist * back_2))
                    target[2] = factor * (bend + twist * (back_1 + back_2))
                    target[3] = factor * twist
                    highest = 4
            else:
                error = (bend - bend_1) * back_1 * back_2
                if slope != 0.0 or bend != 0.0:
                    target[1] = factor * (slope + bend * back_1)
                    target[2] = factor * bend
                    highest = 3
        else:
            error = (slope - slope_1) * back_1
            if slope != 0.0:
                target[1] = factor * slope
                highest = 2
    missed = errors.missed
    received = errors.received
    late = errors.late
    if known < MEMORY_STEPS and value != second[column]:
        known += 1.0
    tried.known = known
    if count > order + 1.0:
        error *= error
        missed += _NEW * (error - missed)
        received += _NEW * (value * value - received)
        if missed > _LATE_ABOVE * received and error > _LATE_ABOVE * received:
            is_judged = order > 0.0 or missed > _HELD_LATE_ABOVE * received
            late = _later(late, known if is_judged else 0.0)
        elif 0.0 < late < LATE_LIMIT:
            late -= 1.0
    tried.missed = missed
    tried.received = received
    tried.late = late
    return highest


def _later(late: float, varied: float) -> float:
    """The count after one more late step, of an input that has varied in `varied` steps."""
    count = late + _LATE_COUNT
    if JUDGED_FROM <= varied < MEMORY_STEPS and count >= max(
        _LATE_AT_LEAST, _LATE_AT_START * varied
    ):
        return LATE_LIMIT
    return min(count, LATE_LIMIT)


def straight_line(samples: Samples, column: int, length: float, factor: float, target: Row) -> int:
    """Coefficients of `factor` times the line from the second sample to the first in `length` [s].

    Returns their number.
    """
    last = samples.second[column]
    value = samples.first[column]
    target[0] = factor * last
    if value == last:
        return 1
    target[1] = factor * ((value - last) / length)
    return 2


def join_samples(samples: Samples, length: int, step_size: float, reached: float) -> None:
    """Replace the newest sample, at the step's end, by the straight line at `reached` [s].

    `length` is the length of a sample. Times are not changed.
    """
    first = samples.first
    second = samples.second
    for column in range(1, length):
        last = second[column]
        first[column] = last + (first[column] - last) / step_size * reached


def predicted(
    samples: Samples,
    column: int,
    errors: Errors,
    tried: Errors,
    count: float,
    highest: float,
    factor: float,
    target: Row,
) -> int:
    """As `polynomial`, with an order up to `highest` that past prediction errors determine.

    e_k = |f[t_0 … t_(k+1)] Π_(i=1…k+1) (t_0 − t_i)| is the error at the newest of `count` samples,
    if order k predicts it from the older samples. The order is 0 until the smaller running mean of
    e_2² and e_3² is below 0.05² times the mean of e_0², and again if it exceeds 0.1² times this
    mean. Before 64 steps of an input are known both bounds are 0.001². It is one function because
    polynomial and errors share the divided differences.
    """
    value = samples.first[column]
    target[0] = factor * value
    if count < LONGEST_ORDER + 2.0:
        return _few(samples, column, errors, tried, count, highest, factor, target)
    if count == EVEN:
        slope_1 = errors.slope
        bend_1 = errors.bend
        twist_1 = errors.twist
    else:
        slope_1, bend_1, twist_1 = older_differences(samples, column, count)
    time = samples.first[TIME]
    back_1 = time - samples.second[TIME]
    back_2 = time - samples.third[TIME]
    back_3 = time - samples.fourth[TIME]
    error = value - samples.second[column]
    slope = error / back_1
    bend = (slope - slope_1) / back_2
    rise = bend - bend_1
    twist = rise / back_3
    square_0 = errors.square_0
    span = back_1 * back_2
    error_2 = rise * span
    error_3 = (twist - twist_1) * span * back_3
    square_0 += _NEW * (error * error - square_0)
    square_2 = errors.square_2
    square_2 += _NEW * (error_2 * error_2 - square_2)
    square_3 = errors.square_3
    square_3 += _NEW * (error_3 * error_3 - square_3)
    received = errors.received
    received += _NEW * (value * value - received)
    order = 3.0
    missed = square_3
    if square_2 <= square_3:
        order = 2.0
        missed = square_2
        error_3 = error_2
    share = _LEFT_ABOVE if errors.order > 0.0 else _TAKEN_BELOW
    known = errors.known
    if known < MEMORY_STEPS:
        known += 1.0
        share = _AT_START
    if missed >= share * square_0:
        order = 0.0
        missed = square_0
    else:
        error = error_3
    late = errors.late
    # At the start all inputs are held, so the test uses the order that later steps can use.
    judged = missed
    if known < MEMORY_STEPS:
        judged = min(square_0, square_2, square_3)
        error = min(abs(error), abs(error_2), abs(error_3))
    if judged > _LATE_ABOVE * received and error * error > _LATE_ABOVE * received:
        late = _later(late, known + LONGEST_ORDER + 1.0)
    elif 0.0 < late < LATE_LIMIT:
        late -= 1.0
    tried.slope = slope
    tried.bend = bend
    tried.twist = twist
    tried.square_0 = square_0
    tried.square_2 = square_2
    tried.square_3 = square_3
    tried.missed = missed
    tried.received = received
    tried.order = order
    tried.known = known
    tried.late = late
    order = min(order, highest)
    if order == 0.0 or (slope == 0.0 and bend == 0.0 and twist == 0.0):
        return 1
    if order == 1.0:
        target[1] = factor * slope
        return 2
    if order == 2.0:
        target[1] = factor * (slope + bend * back_1)
        target[2] = factor * bend
        return 3
    target[1] = factor * (slope + back_1 * (bend + twist * back_2))
    target[2] = factor * (bend + twist * (back_1 + back_2))
    target[3] = factor * twist
    return 4


def _few(
    samples: Samples,
    column: int,
    errors: Errors,
    tried: Errors,
    count: float,
    highest: float,
    factor: float,
    target: Row,
) -> int:
    """As `predicted` if the errors of some orders are not known yet. The order does not change."""
    copy_errors(errors, tried)
    missed = errors.missed
    received = errors.received
    late = errors.late
    known = errors.known
    order = min(errors.order, highest)
    terms = polynomial(samples, column, errors, tried, count, order, factor, target)
    tried.missed = missed
    tried.received = received
    tried.late = late
    tried.known = known
    return terms


def samples_past(samples: Samples, count: float, present: float) -> tuple[int, float, float]:
    """OK if each of the newest `count` samples is before the next one and the `present` time [s].

    Otherwise SAMPLES_NOT_PAST, and the times of a sample and of the next one.
    """
    later = present
    age = 0.0
    newest = samples.first[TIME]
    for time in (newest, samples.second[TIME], samples.third[TIME], samples.fourth[TIME]):
        if age < count and not time < later:
            return SAMPLES_NOT_PAST, time, later
        later = time
        age += 1.0
    return OK, 0.0, 0.0
