"""Power series on [0, 1]: shift, evaluate, integrate, and the first exit of a guard, proven.

A series is a row of coefficients c[0] … c[n − 1] of Σ c_j x^j. Nothing here knows mechanics.
"""

from __future__ import annotations

from .limits import NEVER, VIOLATED

# Intervals narrower than this are not divided further: a guard that is neither positive nor
# falling there touches zero within rounding (a double root has a width of √ε ≈ 1.5e-8).
_NARROWEST = 1e-9
# A coefficient this small beside the largest one changes no sum by more than a rounding.
_SWALLOWED = 1e-16
# Halvings alone bring an interval to rounding in 53; Newton's steps, kept between, in five or so.
_MAXIMUM_ITERATIONS = 80


def rescale(
    source: list[float], count: int, start: float, length: float, target: list[float]
) -> None:
    """Rewrite Σ c_j t^j as a series in x, where t = start + length·x."""
    for j in range(count):
        target[j] = source[j]
    if start != 0.0:
        shift(target, count, start)
    power = 1.0
    for j in range(1, count):
        power *= length
        target[j] *= power


def shift(series: list[float], count: int, start: float) -> None:
    """Rewrite Σ c_j x^j in place as a series in x − start (repeated synthetic division)."""
    for i in range(count - 1):
        for j in range(count - 2, i - 1, -1):
            series[j] += start * series[j + 1]


def evaluate(series: list[float], count: int, x: float) -> float:
    """Σ_{j<count} c_j x^j."""
    value = 0.0
    for j in range(count - 1, -1, -1):
        value = value * x + series[j]
    return value


def size_over(series: list[float], count: int, x: float) -> float:
    """Σ_{j<count} |c_j| x^j: no sum of the terms is larger, anywhere in [0, x]."""
    size = abs(series[0])
    power = 1.0
    for j in range(1, count):
        power *= x
        size += abs(series[j]) * power
    return size


def evaluate_increment(series: list[float], count: int, x: float) -> float:
    """Σ_{1≤j<count} c_j x^j: the change since x = 0, free of cancellation with c_0."""
    value = 0.0
    for j in range(count - 1, 0, -1):
        value = value * x + series[j]
    return value * x


def evaluate_slope(series: list[float], count: int, x: float) -> float:
    """Σ_{1≤j<count} j c_j x^(j−1)."""
    value = 0.0
    for j in range(count - 1, 0, -1):
        value = value * x + j * series[j]
    return value


def integrate_product(
    first: list[float], first_count: int, second: list[float], second_count: int, x: float
) -> float:
    """∫₀ˣ (Σ a_i y^i)(Σ b_j y^j) dy, exactly, term by term."""
    total = 0.0
    outer = x
    for i in range(first_count):
        if first[i] != 0.0:
            inner = 0.0
            power = outer
            for j in range(second_count):
                inner += second[j] * power / (i + j + 1)
                power *= x
            total += first[i] * inner
        outer *= x
    return total


def integrate_square(series: list[float], count: int, x: float) -> float:
    """∫₀ˣ (Σ c_j y^j)² dy, term by term, each pair once, without what rounding would swallow."""
    largest = 0.0
    for j in range(count):
        largest = max(largest, abs(series[j]))
    terms = count
    while terms > 0 and abs(series[terms - 1]) <= _SWALLOWED * largest:
        terms -= 1
    total = 0.0
    outer = x
    for i in range(terms):
        if series[i] != 0.0:
            inner = 0.0
            order = i + terms
            for j in range(terms - 1, i, -1):
                inner = inner * x + series[j] / order
                order -= 1
            total += outer * series[i] * (2.0 * inner * x + series[i] / order)
        outer *= x * x
    return total


def first_exit(series: list[float], count: int, local: list[float]) -> float:
    """First x in [0, 1] where the guard Σ c_j x^j ≥ 0 stops to hold; NEVER if it holds throughout.

    VIOLATED where it does not even hold at 0.

    Leading coefficients that are exactly zero are divided out: the guard starts on its bound and
    the first coefficient that is not zero decides (negative: exit at 0). An interval is passed only
    when sums of coefficients prove the guard positive there; a root is accepted only where they
    prove it falling. Nothing is sampled, so no exit is missed. `local` is scratch.

    A series that overflows, or holds what is not a number, proves nothing: NEVER, mostly. What it
    belongs to overflows too, and the step is refused afterwards.
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
        if not proven and width <= _NARROWEST:
            # Every coefficient is in one of the sums. One that is infinite or not a number would be
            # carried on from interval to interval, and this search would take for ever.
            if lowest - lowest != 0.0 or steepest - steepest != 0.0:
                return NEVER
            proven = True
        if proven:
            shift(local, terms, width)
            left += width
            width *= 2.0
        else:
            width *= 0.5
    return NEVER


def _falling_root(series: list[float], count: int, width: float) -> float:
    """Root in [0, width] of a series that falls there and is not positive at width."""
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
    """Largest value of Σ c_j y^j on [0, x], x ≤ 1: at the ends or at a maximum between.

    `slope` and `local` are scratch.
    """
    best = max(series[0], evaluate(series, count, x))
    terms = count - 1
    position = 0.0
    rising = True
    # Each turn ends at an extremum, or at once where it only looked the wrong way.
    for _ in range(2 * count):
        if position >= x:
            break
        for j in range(terms):
            slope[j] = (j + 1) * series[j + 1]
        if position > 0.0:
            shift(slope, terms, position)
            slope[0] = 0.0  # an extremum lies here by construction
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
