"""SDND104's mass on a moving support, and the instants of its window."""

from __future__ import annotations

import math

MASS = 1.0
GRAVITY = 10.0
FRICTION_COEFFICIENT = 0.1
OMEGA = 2.0 * math.pi
NORMAL_FORCE = MASS * GRAVITY
# |A| that friction can hold [m/s2].
LIMIT = FRICTION_COEFFICIENT * GRAVITY
WINDOW_START = 4.0
WINDOW_END = 12.0
PERIODS = 12


def mean_power(work_at_start, work_at_end):
    """Mean wear power [W] on the window."""
    return (work_at_end - work_at_start) / (WINDOW_END - WINDOW_START)


def breakaway(amplitude, time):
    """First instant at or after `time` at which |A| reaches what friction can hold."""
    first = math.asin(LIMIT / amplitude) / OMEGA
    half = math.pi / OMEGA
    return first + half * math.ceil((time - first) / half)
