"""The mass of SDND104 on a moving support, and the limits of its window."""

from __future__ import annotations

import math

MASS = 1.0
GRAVITY = 10.0
FRICTION_COEFFICIENT = 0.1
OMEGA = 2.0 * math.pi
NORMAL_FORCE = MASS * GRAVITY
# |A| up to which the mass sticks [m/s2].
LIMIT = FRICTION_COEFFICIENT * GRAVITY
WINDOW_START = 4.0
WINDOW_END = 12.0
PERIODS = 12


def mean_power(work_at_start, work_at_end):
    """Return the mean wear power [W] on the window."""
    return (work_at_end - work_at_start) / (WINDOW_END - WINDOW_START)


def breakaway(amplitude, time):
    """Return the first time at or after `time` at which |A| reaches the limit of stick."""
    first = math.asin(LIMIT / amplitude) / OMEGA
    half = math.pi / OMEGA
    return first + half * math.ceil((time - first) / half)
