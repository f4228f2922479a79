"""Discontinuities of inputs at events.

A discontinuous input does not use samples before its last discontinuity. At an event of the master,
each changed value is discontinuous. At an event of the model the master can set all inputs again. A
value is then discontinuous only in these cases:

- All samples are equal, and the value differs.
- The distance of the value from the polynomials of all orders through the samples exceeds the
  second difference of the last samples plus 16 times the rms of recent prediction errors. The
  difference is eight times the error of a master's linear interpolation between its samples. If the
  errors are unknown, the value is a sample.
- With input_timing end there are no predictions. The distance of the value from the straight line
  must exceed four times the sum of the last three changes, which must exist after the first line.
"""

from __future__ import annotations

from ..limits import INPUT_AT_END, LONGEST_ORDER, TIME
from .state_objects import Errors, Samples

# Largest squared error that is not a discontinuity, relative to the mean squared error and to the
# mean square of the input. The latter covers rounding after predictions without error.
_UNEXPLAINED = 256.0
_ROUNDING = 1e-18
_UNEXPLAINED_CHANGE = 4.0
_LINES_KNOWN = 4.0  # steps: three lines after the first, which may not follow the input
_LONG_AGO = -1e300  # s


def own_count(samples: Samples, column: int, count: float) -> float:
    """How many of the last `count` samples of an input follow its last discontinuity."""
    if samples.jumps[0] == 0.0:
        return count
    jump = samples.jumps[column]
    if count < 1.0 or samples.first[TIME] < jump:
        return 0.0
    if count < 2.0 or samples.second[TIME] < jump:
        return 1.0
    if count < 3.0 or samples.third[TIME] < jump:
        return 2.0
    if count < 4.0 or samples.fourth[TIME] < jump:
        return 3.0
    return 4.0 if count < 5.0 or samples.fifth[TIME] < jump else 5.0


def are_own(samples: Samples, length: int, count: float) -> bool:
    """Whether all inputs are continuous since the oldest of `count` samples of `length` numbers."""
    own = count
    for column in range(1, length):
        own = min(own, own_count(samples, column, count))
    return own == count


def jump(
    samples: Samples,
    column: int,
    length: int,
    time: float,
    errors: Errors,
    value: float,
    input_timing: float,
) -> None:
    """Set an input to a discontinuous `value` at `time` [s], in samples of `length` numbers."""
    errors.steady = 0.0
    if input_timing == INPUT_AT_END:
        samples.first[column] = value
        return
    jumps = samples.jumps
    if jumps[0] == 0.0:
        jumps[0] = 1.0
        for other in range(1, length):
            jumps[other] = _LONG_AGO
    jumps[column] = time


def extrapolated(samples: Samples, column: int, count: float, order: float, time: float) -> float:
    """Value at `time` [s] of the polynomial of an order through `count` samples, at least one."""
    value = samples.first[column]
    highest = min(order, count - 1.0)
    if highest < 1.0:
        return value
    since = time - samples.first[TIME]
    slope = (value - samples.second[column]) / (samples.first[TIME] - samples.second[TIME])
    value += slope * since
    if highest < 2.0:
        return value
    slope_2 = (samples.second[column] - samples.third[column]) / (
        samples.second[TIME] - samples.third[TIME]
    )
    bend = (slope - slope_2) / (samples.first[TIME] - samples.third[TIME])
    since *= time - samples.second[TIME]
    value += bend * since
    if highest < 3.0:
        return value
    slope_3 = (samples.third[column] - samples.fourth[column]) / (
        samples.third[TIME] - samples.fourth[TIME]
    )
    bend_2 = (slope_2 - slope_3) / (samples.second[TIME] - samples.fourth[TIME])
    twist = (bend - bend_2) / (samples.first[TIME] - samples.fourth[TIME])
    return value + twist * since * (time - samples.third[TIME])


def is_unexplained(
    samples: Samples,
    column: int,
    count: float,
    errors: Errors,
    order: float,
    steps: float,
    time: float,
    value: float,
) -> bool:
    """Whether a value at `time` [s] is further from the extrapolation than past errors explain.

    `count` is the number of samples, all of earlier instants, and `steps` the number of past steps.
    """
    own = own_count(samples, column, count)
    miss = abs(value - samples.first[column])
    varies = (
        (own > 1.0 and samples.second[column] != samples.first[column])
        or (own > 2.0 and samples.third[column] != samples.first[column])
        or (own > 3.0 and samples.fourth[column] != samples.first[column])
    )
    if not varies:
        return miss > 0.0
    if own < order + 1.0 or steps < order + 2.0:
        return False
    for tried in range(1, LONGEST_ORDER + 1):
        if tried < own:
            predicted = extrapolated(samples, column, own, float(tried), time)
            miss = min(miss, abs(value - predicted))
    if own > 2.0:
        bend = samples.first[column] - 2.0 * samples.second[column] + samples.third[column]
        miss = max(0.0, miss - abs(bend))
    return miss * miss > _UNEXPLAINED * errors.missed + _ROUNDING * errors.received


def is_off_the_line(samples: Samples, column: int, steps: float, value: float) -> bool:
    """As `is_unexplained`, with input_timing end. The newest sample is the end of the line."""
    change = 0.0
    if steps > 0.0:
        change += abs(samples.first[column] - samples.second[column])
    if steps > 1.0:
        change += abs(samples.second[column] - samples.third[column])
    if steps > 2.0:
        change += abs(samples.third[column] - samples.fourth[column])
    if change > 0.0 and steps < _LINES_KNOWN:
        return False
    return abs(value - samples.first[column]) > _UNEXPLAINED_CHANGE * change
