"""A ball dropped on a rigid plane, and the condition for its rest."""

from __future__ import annotations

import math

MASS = 2.0
GRAVITY = 10.0
RESTITUTION = 0.5
HEIGHT = 1.25
# The gap is compared at these times [s], and the impulse of all impacts at the last one.
TIMES = (0.25, 0.75, 1.125, 1.31, 2.0)
# Speed after an impact [m/s] below which the ball rests. The remaining impacts take 2e-9 s.
SLOW = 5e-9


def remaining_impulse(speed):
    """Return the impulse [N.s] of all impacts that follow a rebound with this speed."""
    return MASS * (1.0 + RESTITUTION) * speed / (1.0 - RESTITUTION)


def exact():
    """Return the closed-form gaps [m] at all times but the last, and the impulse [N.s]."""
    impact = math.sqrt(2.0 * HEIGHT / GRAVITY)
    speed = GRAVITY * impact
    values = []
    for time in TIMES[:-1]:
        begin, up = impact, RESTITUTION * speed
        if time < begin:
            values.append(HEIGHT - 0.5 * GRAVITY * time**2)
            continue
        while time > begin + 2.0 * up / GRAVITY:
            begin, up = begin + 2.0 * up / GRAVITY, RESTITUTION * up
        values.append(up * (time - begin) - 0.5 * GRAVITY * (time - begin) ** 2)
    return [*values, MASS * (1.0 + RESTITUTION) * speed / (1.0 - RESTITUTION)]
