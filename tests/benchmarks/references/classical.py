"""The classical schemes, compiled and interpreted, as methods of the comparison."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

from wearmodel.compiled.run_library import SWITCH, runs_of

from . import classical_scheme
from .method import Method, Setting, geometric
from .shoe import WINDOW_END
from .worker import Worker

# An interpreted run is timed over its first half period and scaled.
_TIMED_PERIODS = 0.5
# EULER keeps at most so many samples a period: 8 million of them would fill the memory.
_ARCHIVED_PER_PERIOD = 40_000


def _euler_ladders() -> list[list[Setting]]:
    return [
        [
            {
                "step_size": 1.0 / steps,
                "archive_every": max(1, steps // _ARCHIVED_PER_PERIOD),
            }
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


class ClassicalSchemes:
    """The schemes' rows; the interpreted ones run in a process where nothing is compiled."""

    def __init__(self) -> None:
        program = Path(classical_scheme.__file__)
        self.worker = Worker(sys.executable, program, **{SWITCH: "1"})
        forms = ["interpreted"]
        if runs_of("ClassicalSchemes").is_compiled:
            forms.append("compiled")
        self.methods = [self._method(scheme, form) for scheme in _LADDERS for form in forms]

    def _method(self, scheme: str, form: str) -> Method:
        def solve(amplitude: float, setting: Setting) -> float:
            return _power(scheme, amplitude, tuple(setting.items()))

        def compiled_seconds(amplitude: float, setting: Setting) -> float:
            return classical_scheme.run(scheme, amplitude, dict(setting), WINDOW_END)[1]

        def interpreted_seconds(amplitude: float, setting: Setting) -> float:
            answer: dict[str, Any] = self.worker.ask(
                scheme=scheme, amplitude=amplitude, options=dict(setting), duration=_TIMED_PERIODS
            )
            return float(answer["seconds"]) * WINDOW_END / _TIMED_PERIODS

        clock = interpreted_seconds if form == "interpreted" else compiled_seconds
        return Method(scheme, form, _LADDERS[scheme], solve, clock)


@cache
def _power(scheme: str, amplitude: float, options: tuple[tuple[str, Any], ...]) -> float:
    """Mean wear power [W]; both forms of a scheme give the same, so the search runs once."""
    return classical_scheme.run(scheme, amplitude, dict(options), WINDOW_END)[0]
