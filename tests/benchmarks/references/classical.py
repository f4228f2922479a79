"""The classical schemes as methods of the comparison."""

from __future__ import annotations

import time
from functools import cache
from typing import Any

from wearmodel.reference.schemes import (
    SCHEMES,
    WINDOW_END,
    SchemeRecord,
    march,
    mean_wear_power,
    rubbing_shoe,
)

from .method import Method, Setting, geometric

# Only the first half period of a run is timed, and the result is scaled.
_TIMED_PERIODS = 0.5
# EULER archives at most this number of samples per period, because 8 million would not fit into
# memory.
_ARCHIVED_PER_PERIOD = 40_000


def _euler_ladders() -> list[list[Setting]]:
    return [
        [
            {"step_size": 1.0 / steps, "archive_every": max(1, steps // _ARCHIVED_PER_PERIOD)}
            for steps in (5000 * 2**k for k in range(8))
        ]
    ]


def _adapt_ladders() -> list[list[Setting]]:
    return [
        [
            {"first_step": 1e-5, "largest_step": 1.0 / steps, "points_per_period": points}
            for steps in geometric(1000, 2.0**0.5, 128_000)
        ]
        for points in (20, 50)
    ]


def _devoge_ladders() -> list[list[Setting]]:
    return [
        [
            {"first_step": 1e-5, "largest_step": 1.0 / steps}
            for steps in geometric(2000, 2.0**0.5, 256_000)
        ]
    ]


def _runge_kutta_ladders() -> list[list[Setting]]:
    return [
        [
            {"first_step": 1e-5, "largest_step": 1.0 / steps, "tolerance": tolerance}
            for steps in geometric(1000, 2.0**0.5, 128_000)
        ]
        for tolerance in (1e-2, 1e-5)
    ]


_LADDERS = {
    "EULER": _euler_ladders(),
    "ADAPT 2": _adapt_ladders(),
    "DEVOGE": _devoge_ladders(),
    "RUNGE_KUTTA 3(2)": _runge_kutta_ladders(),
    "RUNGE_KUTTA 5(4)": _runge_kutta_ladders(),
}


def classical_methods() -> list[Method]:
    """Return a method for each scheme."""
    return [_method(scheme) for scheme in _LADDERS]


def _method(scheme: str) -> Method:
    def solve(amplitude: float, setting: Setting) -> float:
        return _power(scheme, amplitude, tuple(setting.items()))

    def seconds(amplitude: float, setting: Setting) -> float:
        started = time.process_time()
        _run(scheme, amplitude, setting, _TIMED_PERIODS)
        return (time.process_time() - started) * WINDOW_END / _TIMED_PERIODS

    return Method(scheme, "interpreted", _LADDERS[scheme], solve, seconds)


def _run(scheme: str, amplitude: float, setting: Setting, duration: float) -> SchemeRecord:
    options = dict(setting)
    tableau = SCHEMES[scheme]
    points = options.pop("points_per_period", tableau.points_per_period)
    tableau = tableau._replace(points_per_period=points)
    return march(tableau, rubbing_shoe(amplitude), duration=duration, **options)


@cache
def _power(scheme: str, amplitude: float, options: tuple[tuple[str, Any], ...]) -> float:
    """Return the mean wear power in the window [W]."""
    record = _run(scheme, amplitude, dict(options), WINDOW_END)
    return mean_wear_power(record)
