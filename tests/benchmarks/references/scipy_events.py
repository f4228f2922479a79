"""The rubbing shoe by scipy's `solve_ivp`, as an engineer writes it: phases and events.

Stick lasts until |A| reaches μ g; slip in direction s until the velocity comes back to 0, then
stick if |A| ≤ μ g, otherwise slip the other way; each phase is one call, restarted at the event.
The wear work is a component of the state. `max_step` keeps the solver from stepping over a slip,
for events are looked for by sign changes between steps.
"""

from __future__ import annotations

import math
from typing import Any

from scipy.integrate import solve_ivp

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


def mean_wear_power(amplitude: float, *, method: str, rtol: float, max_step: float) -> float:
    """Return the mean wear power [W] on the window; velocities are resolved to 1e-3 rtol m/s."""

    def support(time: float) -> float:
        return amplitude * math.sin(ANGULAR_FREQUENCY * time)

    def stick(time: float, state: Any, direction: float) -> list[float]:
        return [0.0, 0.0]

    def slip(time: float, state: Any, direction: float) -> list[float]:
        return [-support(time) - direction * LIMIT, NORMAL_FORCE * abs(state[0])]

    def breakaway(time: float, state: Any, direction: float) -> float:
        return LIMIT - abs(support(time))

    def arrest(time: float, state: Any, direction: float) -> float:
        return float(direction * state[0])

    for event in (breakaway, arrest):
        event.terminal = True  # type: ignore[attr-defined]
        event.direction = -1  # type: ignore[attr-defined]

    time = 0.0
    state = [0.0, 0.0]
    direction = 0.0
    wear_work = []
    for stop in (WINDOW_START, WINDOW_END):
        while time < stop:
            solution = solve_ivp(
                slip if direction else stick,
                (time, stop),
                state,
                method=method,
                events=arrest if direction else breakaway,
                rtol=rtol,
                atol=1e-3 * rtol,
                max_step=max_step,
                args=(direction,),
            )
            time = float(solution.t[-1])
            state = [float(value) for value in solution.y[:, -1]]
            if solution.status == 1:
                state[0] = 0.0
                if direction and abs(support(time)) <= LIMIT:
                    direction = 0.0
                else:
                    direction = -math.copysign(1.0, support(time))
        wear_work.append(state[1])
    return (wear_work[1] - wear_work[0]) / (WINDOW_END - WINDOW_START)


def _solve(amplitude: float, setting: Setting) -> float:
    return mean_wear_power(amplitude, **setting)


METHOD = Method(
    "scipy solve_ivp, events",
    "interpreted",
    [
        [
            {"method": method, "rtol": 10.0 ** (-0.5 * power), "max_step": max_step}
            for power in range(8, 24)
        ]
        for method in ("RK45", "DOP853", "LSODA")
        for max_step in (0.1, 0.02)
    ],
    _solve,
)
