"""The textbook's time stepping and Siconos as methods of the comparison."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .method import Method, Setting, geometric
from .moreau_jean import moreau_jean
from .shoe import PERIODS, WINDOW_END, WINDOW_START
from .worker import Worker

_LADDERS = [
    [{"theta": theta, "steps a period": steps} for steps in geometric(500, 2.0**0.5, 16_000_000)]
    for theta in (0.5, 1.0)
]
# A run that takes more steps is timed over its first ones and scaled: each step costs the same.
_INTERPRETED_STEPS = 300_000
_SICONOS_STEPS = 20_000


def _arguments(amplitude: float, setting: Setting, most_steps: float = 1e18) -> dict[str, Any]:
    steps = setting["steps a period"]
    return {
        "amplitude": amplitude,
        "time_step": 1.0 / steps,
        "steps": int(min(PERIODS * steps, most_steps)),
        "first_counted": int(WINDOW_START) * steps,
        "theta": setting["theta"],
    }


def _scale(setting: Setting, most_steps: int) -> float:
    return max(1.0, PERIODS * setting["steps a period"] / most_steps)


@cache
def _fastest() -> Callable[..., Any]:
    """Compiled where numba, which is installed by hand, is there."""
    if find_spec("numba") is None:
        return moreau_jean
    from numba import njit

    compiled: Callable[..., Any] = njit(moreau_jean)
    return compiled


def _solve(amplitude: float, setting: Setting) -> float:
    # Both forms do the same arithmetic: the search runs the fast one.
    return _fastest()(**_arguments(amplitude, setting))[0] / (WINDOW_END - WINDOW_START)


def _interpreted_seconds(amplitude: float, setting: Setting) -> float:
    arguments = _arguments(amplitude, setting, _INTERPRETED_STEPS)
    started = time.process_time()
    moreau_jean(**arguments)
    return (time.process_time() - started) * _scale(setting, _INTERPRETED_STEPS)


MOREAU_JEAN_COMPILED = Method("Moreau–Jean", "compiled", _LADDERS, _solve)
MOREAU_JEAN_INTERPRETED = Method(
    "Moreau–Jean", "interpreted", _LADDERS, _solve, _interpreted_seconds
)


class Siconos:
    """Siconos in a process of its own; `method` is its row of the comparison."""

    SOLVER = "SICONOS_RELAY_PGS"
    """The fastest of its relay solvers here; for one contact all give the same floats."""

    def __init__(self, interpreter: str) -> None:
        self.worker = Worker(interpreter, Path(__file__).with_name("siconos_shoe.py"))
        # The scheme is the textbook's one, so its best setting is too.
        self.method = Method("Siconos", "compiled", _LADDERS, _solve, self.seconds)

    def power(self, amplitude: float, setting: Setting) -> float:
        """Return the mean wear power [W] that Siconos itself finds."""
        answer = self.worker.ask(**_arguments(amplitude, setting), solver=self.SOLVER)
        return answer["wear_work"] / (WINDOW_END - WINDOW_START)

    def seconds(self, amplitude: float, setting: Setting) -> float:
        """Return the seconds of a whole run, scaled from its first steps where it is long."""
        arguments = _arguments(amplitude, setting, _SICONOS_STEPS)
        answer = self.worker.ask(**arguments, solver=self.SOLVER)
        return answer["seconds"] * _scale(setting, _SICONOS_STEPS)
