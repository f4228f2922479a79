"""Estimate of the remaining computing time, from the runs and extrapolation steps so far."""

from __future__ import annotations

from collections.abc import Callable

from wearmodel.statistics.cycle_jump import FEWEST_JUMPS, STATES_A_JUMP

# The estimate is reported again if it exceeds the reported one by this factor.
_NEWS = 2.0
# Number of last extrapolation steps whose mean time per state is used.
_JUMPS_BEFORE = 2
# Fraction of the service time whose states per time are extrapolated. At a sudden change of a rate
# the extrapolation steps are tiny for a short time. They are not typical of the rest.
_LIKE_THE_REST = 0.1
# Fraction of the service time after which the estimate is not reported again.
_NEARLY_DONE = 0.9


class TimeLeft:
    """Reports the remaining computing time, and again if the estimate becomes much longer.

    Parameters
    ----------
    duration : float
        Service time [s].
    say : callable
        Called with the time [s] of the remaining states, and their number.
    """

    def __init__(self, duration: float, say: Callable[[float, int], None]) -> None:
        self._duration = duration
        self._say = say
        self._asked = 0
        # Times of the last states, and the sum for all states [s].
        self._seconds: list[float] = []
        self._spent = 0.0
        # Service time [s] and number of states up to it.
        self._points: list[tuple[float, int]] = []
        self._said: float | None = None

    def ran(self, number: int, seconds: float | None) -> None:
        """Add the time [s] of the runs of a state, or None if an earlier process ran them."""
        self._asked = number + 1
        self._spent += seconds or 0.0
        if number == 0 or seconds is None:
            return  # the first state has runs at half the step, too
        self._seconds = [*self._seconds[1 - STATES_A_JUMP * _JUMPS_BEFORE :], seconds]
        if self._said is None:
            self._tell(self._states_left())

    def reached(self, time: float) -> None:
        """Add the service time [s] reached by the states so far."""
        # Both halves of an extrapolation step end at the same state.
        if self._points and self._points[-1][1] == self._asked:
            self._points.pop()
        self._points.append((time, self._asked))
        if self._said is None or time > _NEARLY_DONE * self._duration:
            return
        left = self._states_left()
        expected = max(self._said - self._spent, self._mean_seconds)
        seconds = left * self._mean_seconds
        if seconds > _NEWS * expected:
            self._tell(left)

    @property
    def _mean_seconds(self) -> float:
        return sum(self._seconds) / len(self._seconds)

    def _states_left(self) -> int:
        if len(self._points) < 2:
            return max(STATES_A_JUMP * FEWEST_JUMPS + 1 - self._asked, 1)
        now, asked = self._points[-1]
        before, asked_before = self._points[0]
        for point in self._points:
            if point[0] <= now - _LIKE_THE_REST * self._duration:
                before, asked_before = point
        covered = max(now - before, _LIKE_THE_REST * self._duration)
        share = (self._duration - now) / covered
        return max(round(share * (asked - asked_before)) - (self._asked - asked), 1)

    def _tell(self, states: int) -> None:
        seconds = states * self._mean_seconds
        self._said = seconds + self._spent
        self._say(seconds, states)
