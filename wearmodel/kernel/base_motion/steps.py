"""Base motion at an instant, for the Python object and the native FMU.

    a(t) = offset + scale · s(t)

with s(t) a sine, or the points `times` [s] and `values` of a table or a file. A sine does
not use the points. A sample is a row that contains only the instant.
"""

from __future__ import annotations

from math import pi, sin
from typing import TYPE_CHECKING

from ..limits import OK, TIME
from ..state_objects import state_object
from .parameters import PREVIOUS, SINE

if TYPE_CHECKING:
    from ..state_objects import Sample
    from .parameters import MotionParameters

# Result code: the instant is outside the points.
OUTSIDE = 1
# Errors of a saved state.
OTHER_VALUE = 1
# A communication point start + i·step may miss the instant written in a table by a few roundings.
# Even then, "previous" must not use the value of the interval before.
ROUNDINGS = 8.0 * 2.220446049250313e-16


@state_object
class MotionState:
    """The present instant and acceleration, and numbers for a message about an invalid instant."""

    time: float  # s
    acceleration: float  # m/s2
    asked: float  # s, the last requested instant
    first: float  # s, first instant of the points
    last: float  # s, last instant of the points


def start_motion(
    p: MotionParameters,
    s: MotionState,
    sample: Sample,
    times: list[float],
    values: list[float],
) -> int:
    """Start at the instant of a sample. Return OK or OUTSIDE."""
    return move_to(p, s, sample[TIME], times, values)


def step_motion(
    p: MotionParameters,
    s: MotionState,
    sample: Sample,
    step_size: float,
    times: list[float],
    values: list[float],
) -> int:
    """Advance to the end of a step of `step_size` [s]. Return OK or OUTSIDE."""
    return move_to(p, s, sample[TIME] + step_size, times, values)


def move_to(
    p: MotionParameters, s: MotionState, time: float, times: list[float], values: list[float]
) -> int:
    """Make `time` [s] the present instant, unless it is OUTSIDE."""
    s.asked = time
    signal = 0.0
    if p.kind == SINE:
        signal = p.amplitude * sin(2.0 * pi * p.frequency * time + p.phase)
    else:
        last = len(times) - 1
        s.first = times[0]
        s.last = times[last]
        rounding = ROUNDINGS * max(abs(times[0]), abs(times[last]))
        if not times[0] - rounding <= time <= times[last] + rounding:
            return OUTSIDE
        if p.interpolation == PREVIOUS:
            signal = values[max(_count_up_to(times, time + rounding) - 1, 0)]
        else:
            before = min(max(_count_up_to(times, time) - 1, 0), last - 1)
            fraction = (time - times[before]) / (times[before + 1] - times[before])
            fraction = min(max(fraction, 0.0), 1.0)
            signal = values[before] + fraction * (values[before + 1] - values[before])
    s.time = time
    s.acceleration = p.offset + p.scale * signal
    return OK


def _count_up_to(times: list[float], time: float) -> int:
    """Number of the increasing `times` [s] that are not later than `time` [s]."""
    low = 0
    high = len(times)
    while low < high:
        middle = (low + high) // 2
        if time < times[middle]:
            high = middle
        else:
            low = middle + 1
    return low


def motion_outputs(p: MotionParameters, s: MotionState) -> tuple[float, ...]:
    """The acceleration [m/s2] at the present instant."""
    return (s.acceleration,)


def broken_motion_state(
    p: MotionParameters, s: MotionState, times: list[float], values: list[float]
) -> tuple[int, float, float]:
    """OTHER_VALUE, acceleration and instant if they do not match, otherwise three zeros."""
    kept = s.acceleration
    if move_to(p, s, s.time, times, values) != OK or s.acceleration != kept:
        return OTHER_VALUE, kept, s.time
    return 0, 0.0, 0.0
