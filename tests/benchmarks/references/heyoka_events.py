"""The rubbing shoe by heyoka: Taylor's method of any order, compiled for the problem, with events.

Slip lasts until the velocity comes back to 0, which heyoka finds as the first root of the step's
Taylor polynomial; stick until |A| reaches μ g, which is an arcsine. The wear work is a component of
the state. The step follows from the tolerance; the compilation, a second for each tolerance, is not
counted. Source: Biscani and Izzo, Mon. Not. R. Astron. Soc. 504 (2021) 2614 and 513 (2022) 4833.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import heyoka

from .method import Method, Setting
from .shoe import (
    ANGULAR_FREQUENCY,
    FRICTION_COEFFICIENT,
    GRAVITY,
    NORMAL_FORCE,
    WINDOW_END,
    WINDOW_START,
)

LIMIT = FRICTION_COEFFICIENT * GRAVITY
"""|A| that friction can hold [m/s2]."""


@cache
def _slip(tolerance: float) -> Any:
    """Slip in direction par[1] under a support of amplitude par[0]."""
    velocity, work = heyoka.make_vars("velocity", "work")
    direction = heyoka.par[1]
    support = heyoka.par[0] * heyoka.sin(ANGULAR_FREQUENCY * heyoka.time)
    arrest = heyoka.t_event(
        direction * velocity, direction=heyoka.event_direction.negative, cooldown=1e-9
    )
    return heyoka.taylor_adaptive(
        [(velocity, -support - direction * LIMIT), (work, NORMAL_FORCE * direction * velocity)],
        [0.0, 0.0],
        tol=tolerance,
        t_events=[arrest],
    )


def _breakaway(amplitude: float, time: float) -> float:
    """First instant ≥ `time` at which |A| reaches what friction can hold."""
    first = math.asin(LIMIT / amplitude) / ANGULAR_FREQUENCY
    half = math.pi / ANGULAR_FREQUENCY
    return first + half * math.ceil((time - first) / half)


def mean_wear_power(amplitude: float, *, tolerance: float) -> float:
    """Return the mean wear power [W] on the window."""
    slip = _slip(tolerance)
    slip.pars[0] = amplitude
    slip.state[:] = 0.0
    slip.time = 0.0
    is_sliding = False
    wear_work = []
    for stop in (WINDOW_START, WINDOW_END):
        while slip.time < stop:
            if not is_sliding:
                slip.time = min(stop, _breakaway(amplitude, slip.time))
                if slip.time == stop:
                    break
                slip.pars[1] = -math.copysign(1.0, math.sin(ANGULAR_FREQUENCY * slip.time))
                is_sliding = True
            start = float(slip.time)
            outcome = slip.propagate_until(stop)[0]
            # The velocity is 0 at the start of a slip too, which counts once.
            if slip.time == start:
                outcome = slip.propagate_until(stop)[0]
            if outcome != heyoka.taylor_outcome.time_limit:
                slip.state[0] = 0.0
                support = amplitude * math.sin(ANGULAR_FREQUENCY * slip.time)
                is_sliding = abs(support) > LIMIT
                slip.pars[1] = -math.copysign(1.0, support)
        wear_work.append(float(slip.state[1]))
    return (wear_work[1] - wear_work[0]) / (WINDOW_END - WINDOW_START)


def _solve(amplitude: float, setting: Setting) -> float:
    return mean_wear_power(amplitude, **setting)


METHOD = Method(
    "heyoka, events", "compiled", [[{"tolerance": 10.0**-power} for power in range(3, 17)]], _solve
)
