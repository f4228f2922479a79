"""A method of the comparison, and the search for its best setting at a given error."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# For the choice of settings, a run above this time is timed once, a shorter one four times.
_LONG_RUN = 0.1

Setting = Mapping[str, Any]
"""Settings of a method, such as its step, order and tolerance."""


@dataclass(frozen=True)
class Method:
    """A method to compute the mean wear power, in one form."""

    name: str
    form: str
    """"FMU", "interpreted" or "compiled"."""
    ladders: Sequence[Sequence[Setting]]
    """Families of settings, each from coarse to fine."""
    solve: Callable[[float, Setting], float]
    """Amplitude [m/s2], setting → mean wear power [W]."""
    clock: Callable[[float, Setting], float] | None = None
    """Amplitude, setting → CPU seconds of a whole run. The default is the CPU time of `solve`."""
    search: Callable[[float, Setting], float] | None = None
    """Faster function with the results of `solve`, for the search. The default is `solve`."""

    def seconds(self, amplitude: float, setting: Setting) -> float:
        """Run once and return the CPU seconds of the whole run.

        CPU time does not depend on other processes. Each method uses a single core.
        """
        if self.clock is not None:
            return self.clock(amplitude, setting)
        started = time.process_time()
        self.solve(amplitude, setting)
        return time.process_time() - started


@dataclass(frozen=True)
class Choice:
    """The setting with which a method is timed."""

    method: Method
    setting: Setting
    error: float
    """Relative error with its sign."""
    reached: bool
    """Whether this setting and the next finer one reach the required error."""

    @property
    def described(self) -> str:
        """Text of the setting."""
        return ", ".join(
            f"{name} {value:.3g}" if isinstance(value, float) else f"{name} {value}"
            for name, value in self.setting.items()
        )


def best_setting(method: Method, amplitude: float, truth: float, goal: float) -> Choice:
    """Return the fastest setting whose relative error is and remains below the goal.

    In each family, this is the first setting that meets the goal together with the next finer one,
    because an error may be small by chance. If no family meets the goal, it is the finest setting
    with the smallest error.
    """
    candidates: list[Choice] = []
    finest: list[Choice] = []
    search = method.search or method.solve
    for ladder in method.ladders:
        previous: Choice | None = None
        for setting in ladder:
            error = search(amplitude, setting) / truth - 1.0
            choice = Choice(method, setting, error, abs(error) <= goal)
            if choice.reached and previous is not None and previous.reached:
                candidates.append(previous)
                break
            previous = choice
        else:
            finest.append(choice)
    if not candidates:
        closest = min(finest, key=lambda choice: abs(choice.error))
        return Choice(method, closest.setting, closest.error, False)
    best = candidates[0]
    if len(candidates) > 1:
        best = min(candidates, key=lambda choice: _least_seconds(choice, amplitude))
    if method.search is None:
        return best
    error = method.solve(amplitude, best.setting) / truth - 1.0
    return Choice(method, best.setting, error, abs(error) <= goal)


def _least_seconds(choice: Choice, amplitude: float) -> float:
    first = choice.method.seconds(amplitude, choice.setting)
    if first > _LONG_RUN:
        return first
    return min(first, *(choice.method.seconds(amplitude, choice.setting) for _ in range(3)))


def geometric(start: int, factor: float, stop: int) -> list[int]:
    """Return integers from `start` to at most `stop`, which increase by `factor`."""
    count = int(math.log(stop / start) / math.log(factor) + 1e-9)
    return [round(start * factor**power) for power in range(count + 1)]
