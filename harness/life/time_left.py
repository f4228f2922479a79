"""Estimate of the remaining computing time, from the runs and extrapolation steps so far.

The number of remaining states is estimated with four states for each extrapolation step. Steps are
short at the start, at sudden changes, and if sides of a hole wear unevenly. If the last step is
shorter than the longest one, the number is smallest if steps double, and largest if they do not
grow. A life with a limit ends when all contacts have reached it. This time is extrapolated with the
present rates once a contact has worn two fifths of the limit. Earlier, a rate may change too much.

The duration of a state is the mean of all states after the first. Runs become shorter on average,
because a rate near the end of the service needs less accuracy. The factor `_SHORTER` was determined
from ten lives. `python -m tests.rates.forecasts` compares the estimates with the necessary samples.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from wearmodel.statistics.cycle_jump import FEWEST_JUMPS, STATES_A_JUMP, LifePoint

# Number of states before the first report, because the first states are not typical.
_FIRST_REPORT = 10
# The estimate is reported again if the longest total time has changed by this factor.
_NEWS = 1.5
# An estimate with a larger ratio of longest to shortest time is not reported.
_WIDEST = 4.0
# Mean time of the remaining states, divided by the mean time so far.
_SHORTER = 0.8
# Growth of an extrapolation step that is shorter than the longest one.
_GROWTH = 2.0
# Share of the limit after which a rate is extrapolated to the limit.
_NEAR_LIMIT = 0.4


def expected_end(point: LifePoint, limit: float, duration: float) -> float:
    """Return the service time [s] at which all depths will have reached a limit, or the duration.

    The lower ends of the error bars are used. The rates and the relative error bars are assumed to
    be constant. The last depth of the point is the service time.
    """
    end = point.time
    rows = (point.depths, point.bars, point.rates)
    for depth, bar, rate in zip(*(row[:-1].tolist() for row in rows), strict=True):
        if depth - bar >= limit:
            continue
        if depth < _NEAR_LIMIT * limit or rate <= 0.0:
            return duration
        end = max(end, point.time + (limit * (1.0 + bar / depth) - depth) / rate)
    return min(end, duration)


class Forecast(NamedTuple):
    """The remaining computing time and number of states, at least and at most."""

    # Time of the remaining states [s].
    seconds: tuple[float, float]
    states: tuple[int, int]
    # Share of the service time that has been reached.
    share: float


class TimeLeft:
    """Reports the remaining computing time, and again if the longest estimate changes much.

    - `duration`: service time [s]
    - `say`: called with each reported estimate
    """

    def __init__(self, duration: float, say: Callable[[Forecast], None]) -> None:
        self._duration = duration
        self._say = say
        self._asked = 0
        # Times of the states after the first that this process ran, and the time of all [s].
        self._seconds: list[float] = []
        self._spent = 0.0
        # Service time [s] of each point, number of states up to it, and expected end [s].
        self._points: list[tuple[float, int, float]] = []
        # Longest total time in the last report [s].
        self._said = 0.0

    def ran(self, number: int, seconds: float | None) -> None:
        """Add the time [s] of the runs of a state, or None if an earlier process ran them."""
        self._asked = number + 1
        self._spent += seconds or 0.0
        if number > 0 and seconds is not None:  # the first state has other runs, too
            self._seconds.append(seconds)
        if self._asked < _FIRST_REPORT or not self._seconds:
            return
        left = self.left
        whole = left.seconds[1] + self._spent
        is_news = not self._said / _NEWS <= whole <= _NEWS * self._said
        if is_news and left.seconds[1] <= _WIDEST * left.seconds[0]:
            self._said = whole
            self._say(left)

    def reached(self, time: float, end: float) -> None:
        """Add the service time [s] reached by the states so far, and the expected end [s]."""
        self._points.append((time, self._asked, end))

    @property
    def left(self) -> Forecast:
        """Estimate for the remaining states."""
        of_a_state = _SHORTER * sum(self._seconds) / len(self._seconds)
        fewest, most = self._states_left(_GROWTH), self._states_left(1.0)
        seconds = of_a_state * fewest, of_a_state * most
        return Forecast(seconds, (fewest, most), self._points[-1][0] / self._duration)

    def _states_left(self, growth: float) -> int:
        """Estimated number of remaining states if each step grows by a factor."""
        now, asked, end = self._points[-1]
        longest = self._duration / FEWEST_JUMPS
        # Each step has two points. Before the first step, the longest step is assumed.
        step = now - self._points[-3][0] if len(self._points) > 2 else longest
        halves = 0
        while now < end * (1.0 - 1e-9):
            step = min(longest, growth * step)
            halves += min(2, math.ceil(2.0 * (end - now) / step - 1e-6))
            now += step
        states = halves * STATES_A_JUMP // 2 - (self._asked - asked)
        return max(states, 1)
