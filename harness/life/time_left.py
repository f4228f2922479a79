"""How long a life will still take, from its runs and jumps so far."""

from __future__ import annotations

from collections.abc import Callable

from wearmodel.statistics.cycle_jump import FEWEST_JUMPS, STATES_A_JUMP

# It is told again where it will take longer than was said by this factor: less is no news.
_NEWS = 2.0
# Of the last runs, in jumps, what the next ones are expected to take.
_JUMPS_BEFORE = 2
# Of the service time, what is left of it is expected to be like. Where a rate changes suddenly, a
# life goes on in tiny jumps for a moment, which tell nothing of the rest.
_LIKE_THE_REST = 0.1
# Of the service time: what is left after this is not told any more.
_NEARLY_DONE = 0.9


class TimeLeft:
    """Says how long the states that are left will take, and again where that turns out longer.

    Parameters
    ----------
    duration : float
        Service time to cross [s].
    say : callable
        Called with the time [s] that the states left will take, and their number.
    """

    def __init__(self, duration: float, say: Callable[[float, int], None]) -> None:
        self._duration = duration
        self._say = say
        self._asked = 0
        # Of the last states that were run, and of all [s].
        self._seconds: list[float] = []
        self._spent = 0.0
        # Service time [s] after which so many states had been asked for.
        self._points: list[tuple[float, int]] = []
        self._said: float | None = None

    def ran(self, number: int, seconds: float | None) -> None:
        """Take note of the runs of a state, by its number, and of the time that they took [s].

        None where an earlier process had run them.
        """
        self._asked = number + 1
        self._spent += seconds or 0.0
        if number == 0 or seconds is None:
            return  # the first runs at half the step too
        self._seconds = [*self._seconds[1 - STATES_A_JUMP * _JUMPS_BEFORE :], seconds]
        if self._said is None:
            self._tell(self._states_left())

    def reached(self, time: float) -> None:
        """Take note of the service time [s] that the states so far have led to."""
        # Both halves of a jump are known at once.
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
