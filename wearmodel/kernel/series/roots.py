"""The proven first root of a power series on [0, 1], and its largest value.

`polynomials` defines a series.
"""

from __future__ import annotations

from ..limits import NEVER, ROW_LENGTH, VIOLATED
from .polynomials import evaluate, evaluate_slope, shift, size_over

# Intervals narrower than this are not divided further. A guard that is not positive and not falling
# there touches zero within rounding (a double root has a width of √ε ≈ 1.5e-8).
_NARROWEST = 1e-9
# Rounding of a guard after a million pieces, as a share of the sum of its terms in this piece.
TOUCH = 1e-10
# A guard is evaluated to this share of the sum of its terms.
_LEAST_LIFT = 1e-15
# Result of `simple_exit` for a guard that it cannot judge, and an exit not yet searched.
UNDECIDED = -2.0
# Bisection alone needs 53 halvings to reach rounding. Newton steps reduce them to about five.
_MAXIMUM_ITERATIONS = 80


def first_exit(series: list[float], count: int, local: list[float]) -> float:
    """First x in [0, 1] where the guard Σ c_j x^j ≥ 0 is violated.

    NEVER if it is not violated in [0, 1], and VIOLATED if it is negative at 0.

    Leading coefficients that are exactly zero are divided out: the guard starts on its bound, and
    a negative first coefficient means an exit at 0. An interval is passed only if sums of
    coefficients prove that the guard is positive. A root is accepted only if they prove that the
    guard decreases. Exits cannot be missed, because the guard is not sampled. `local` is work
    space.

    For a series with infinite or invalid numbers the result is usually NEVER. The step is then
    rejected because its state is not finite.
    """
    zeros = 0
    while zeros < count and series[zeros] == 0.0:
        zeros += 1
    if zeros == count:
        return NEVER
    if series[zeros] < 0.0:
        if zeros == 0:
            return VIOLATED
        return 0.0
    lowest = series[zeros]
    for j in range(zeros + 1, count):
        if series[j] < 0.0:
            lowest += series[j]
    if lowest >= 0.0 or lowest - lowest != 0.0:
        return NEVER

    terms = count - zeros
    for j in range(terms):
        local[j] = series[zeros + j]
    # A guard that does not decrease at its start can be arbitrarily small there.
    narrowest = 0.0 if local[1] >= 0.0 else _NARROWEST
    left = 0.0
    width = 0.5
    while left < 1.0:
        width = min(width, 1.0 - left)
        lowest = local[0]
        steepest = local[1]
        power = 1.0
        for j in range(1, terms):
            slope = j * local[j] * power
            power *= width
            if local[j] < 0.0:
                lowest += local[j] * power
            elif j > 1:
                steepest += slope
        proven = lowest > 0.0
        if not proven and steepest < 0.0:
            if evaluate(local, terms, width) <= 0.0:
                if lowest - lowest != 0.0 or steepest - steepest != 0.0:
                    return NEVER
                return left + _falling_root(local, terms, width)
            proven = True
        if not proven and width <= narrowest:
            # Each coefficient is in one of the sums. An infinite or NaN coefficient would propagate
            # from interval to interval, and this search would not end.
            if lowest - lowest != 0.0 or steepest - steepest != 0.0:
                return NEVER
            proven = True
        if proven:
            narrowest = _NARROWEST
            shift(local, terms, width)
            left += width
            width *= 2.0
        else:
            width *= 0.5
    return NEVER


def clear_zeros(series: list[float], count: int, zeros: float) -> None:
    """Set the leading coefficients to 0 that are 0 by construction."""
    for j in range(min(int(zeros), count)):
        series[j] = 0.0


def touch_lift(
    series: list[float], count: int, local: list[float], rounding: float, share: float
) -> float:
    """Amount that raises a violated guard above its bound if it only touches it, 0 otherwise.

    It touches the bound if its minimum is not below it by more than `rounding` and this share of
    its terms. Rounding, and so the step size, would decide whether such an event occurs. The
    minimum of a guard that is below its bound at 1 is the minimum of the parabola there: the step
    size does not matter, and an event has a slope whose parabola is deep.
    """
    size = size_over(series, count, 1.0)
    bound = rounding + share * size
    end = evaluate(series, count, 1.0)
    if end <= 0.0:
        slope = evaluate_slope(series, count, 1.0)
        bend = 0.0
        for j in range(2, count):
            bend += j * (j - 1) * series[j]
        # The minimum at −bound or above: end − slope²/(2 bend).
        if bend <= 0.0 or 0.5 * min(0.0, slope) * slope > (bound + end) * bend:
            return 0.0
    start = series[0]
    lift = _LEAST_LIFT * size
    while 0.0 < lift < bound:  # 0, which does not double, is the share of a subnormal size
        series[0] = start + lift
        exit_position = first_exit(series, count, local)
        series[0] = start
        if exit_position == NEVER:
            return lift
        lift *= 2.0
    return 0.0


def simple_exit(series: list[float], count: int) -> float:
    """Like `first_exit`, for a guard that stays positive or decreases throughout.

    Returns UNDECIDED if neither is proven, because the guard is too curved.
    """
    fall = 0.0
    rise = 0.0
    for j in range(2, count):
        if series[j] < 0.0:
            fall += series[j]
        else:
            rise += j * series[j]
    # A negative term c_j x^j is at least c_j x, so that the guard is not below a straight line.
    if series[0] >= 0.0 and series[0] + series[1] + fall >= 0.0:
        return NEVER
    if series[0] > 0.0 and series[1] + rise < 0.0:
        return NEVER if evaluate(series, count, 1.0) > 0.0 else _falling_root(series, count, 1.0)
    return UNDECIDED


def _falling_root(series: list[float], count: int, width: float) -> float:
    """Root in [0, width] of a series that decreases there and is not positive at width."""
    low = 0.0
    high = width
    if series[0] <= 0.0:
        return low
    root = -series[0] / series[1]
    for _ in range(_MAXIMUM_ITERATIONS):
        if not low < root < high:
            root = 0.5 * (low + high)
        value = series[count - 1]
        slope = 0.0
        for j in range(count - 2, -1, -1):
            slope = slope * root + value
            value = value * root + series[j]
        if value > 0.0:
            low = root
        else:
            high = root
        previous = root
        if slope < 0.0:
            root -= value / slope
        else:
            root = high
        if abs(root - previous) <= 1e-16 * width:
            break
    return min(max(root, low), high)


def largest_value(
    series: list[float], count: int, x: float, slope: list[float], local: list[float]
) -> float:
    """Largest value of Σ c_j y^j on [0, x], x ≤ 1: at an end or at a maximum between the ends.

    `slope` and `local` are work space.
    """
    best = max(series[0], evaluate(series, count, x))
    terms = count - 1
    position = 0.0
    rising = True
    # Each iteration ends at an extremum, or at once if it assumed the wrong sign of the slope.
    for _ in range(2 * count):
        if position >= x:
            break
        for j in range(terms):
            slope[j] = (j + 1) * series[j + 1]
        if position > 0.0:
            shift(slope, terms, position)
            slope[0] = 0.0  # the interval contains an extremum by construction
        if not rising:
            for j in range(terms):
                slope[j] = -slope[j]
        step = first_exit(slope, terms, local)
        if step == NEVER:
            break
        position += max(step, 0.0)
        if rising and position < x:
            best = max(best, evaluate(series, count, position))
        rising = not rising
    return best


def impossible_count(
    first: float, second: float, third: float, fourth: float, fifth: float
) -> float:
    """The first of these numbers that is not a valid count of leading zeros, or 0."""
    for number in (first, second, third, fourth, fifth):
        # The range is checked first, because 1e300 cannot be converted to an integer.
        if not 0.0 <= number <= ROW_LENGTH or number != int(number):
            return number
    return 0.0
