"""Steps that can end at an event: their state, their result, and snapshots."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ..kernel.events import EventKinds, Watch, copy_watch
from ..kernel.state_objects import BUNDLES, field_names, state_object_of, values_of

# Time [s] of the last event if there is none. Later events are not simultaneous with it.
_LONG_AGO = -1e30


@contextmanager
def snapshot_numbers() -> Iterator[list[float]]:
    """Collect the numbers of a snapshot while it is read.

    ValueError if the snapshot has another form, or a number is not finite.
    """
    numbers: list[float] = []
    try:
        yield numbers
        # A sum is finite only if all its terms are finite.
        is_finite = math.isfinite(sum(numbers))
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"the snapshot has another form, for instance of another version: {error!r}"
        ) from None
    if not is_finite:
        raise ValueError("the snapshot contains a value that is not finite")


def copied(part: Any, numbers: Iterator[float] | None = None) -> Any:
    """Copy a bundle, a state object or rows of numbers, with its own or with other numbers."""
    if isinstance(part, (int, float)):
        return part if numbers is None else next(numbers)
    if isinstance(part, list):
        return [copied(inner, numbers) for inner in part]
    if type(part) in BUNDLES:
        inners = {name: copied(inner, numbers) for name, inner in vars(part).items()}
        return type(part)(**inners)
    return state_object_of(type(part), [copied(value, numbers) for value in values_of(part)])


def numbers_in(part: Any) -> Iterator[float]:
    """Yield all numbers of a state object or of rows, in the order of `copied`."""
    if isinstance(part, (int, float)):
        yield part
        return
    for inner in part if isinstance(part, list) else values_of(part):
        yield from numbers_in(inner)


@dataclass(frozen=True)
class StepEnd:
    """End of a step."""

    #: Time since the start of the step [s]. It is the whole step if an event did not end it.
    reached: float
    #: Kinds of the pending event at the present time of the model. ``EventKinds.none`` if the step
    #: is complete.
    event: EventKinds
    warning: str | None = None  #: Return value of `step`.


class EventStops:
    """Awaited, counted and pending events of a model, from `time` [s] on.

    `watch` is the kernel's state object. `after` contains the state objects and the watch after the
    pending event, if there is one.
    """

    def __init__(self, time: float) -> None:
        self.watch = Watch()
        self.after: tuple[Any, Watch] | None = None
        self._until = time

    def wait_for(self, kinds: EventKinds, quiet_until: float, time: float) -> Watch:
        """Set the events that end a step from `time` [s], and return the kernel's state object.

        ValueError if `kinds` is invalid, or `quiet_until` is not a time ≥ 0.
        """
        if not 0 <= kinds <= EventKinds.all:
            raise ValueError(
                f"kinds={kinds!r} must be a sum of EventKinds, {int(EventKinds.all)} all"
            )
        if not quiet_until >= 0.0:
            raise ValueError(f"quiet_until={quiet_until!r} s must be ≥ 0")
        watch = self.watch
        watch.kinds = float(kinds)
        watch.quiet_until = float(quiet_until)
        # Steps of other kinds may have advanced the time since then.
        watch.last -= time - self._until
        self._until = time
        return watch

    def end_at(
        self, time: float, warning: str | None, state_after: Callable[[Watch], Any]
    ) -> StepEnd:
        """Return the end of a step at `time` [s].

        `state_after` applies a pending event to copies. Its argument is a copy of the watch.
        """
        self._until = time
        self.after = None
        watch = self.watch
        if watch.pending != 0.0:
            passed = Watch()
            copy_watch(watch, passed)
            self.after = (state_after(passed), passed)
        return StepEnd(watch.reached, EventKinds(int(watch.pending_kinds)), warning)

    def leave(self) -> None:
        """Note that a step without awaited events was taken."""
        self.after = None
        self.watch.last = _LONG_AGO

    def take_after(self) -> Any:
        """Return the state after the pending event, which is the new state.

        ValueError if an event is not pending.
        """
        if self.after is None:
            raise ValueError(
                "no event is pending: call pass_event only after a step_to_event that ended at an "
                "event"
            )
        state, self.watch = self.after
        self.after = None
        return state

    def require_none_pending(self) -> None:
        """Raise ValueError if an event is pending. It was computed with the old parameters."""
        if self.after is not None:
            raise ValueError("an event is pending: call pass_event before a change of parameters")

    def snapshot(self) -> list[float]:
        """Return the state as numbers. The list is empty before the first event."""
        if not self.watch.events and self.after is None:
            return []
        numbers = [self._until, *values_of(self.watch)]
        if self.after is not None:
            state, watch = self.after
            for part in (watch, *state):
                numbers += values_of(part)
        return numbers

    @classmethod
    def restored(cls, numbers: Sequence[float], time: float, kinds: Sequence[type]) -> EventStops:
        """Return the stops of a snapshot of a model at `time` [s].

        `kinds` are the types of the state objects after an event. ValueError if the number of
        values differs from the result of `snapshot`.
        """
        stops = cls(time)
        if not numbers:
            return stops
        stops._until = numbers[0]
        parts: list[Any] = []
        at = 1
        for kind in (Watch, Watch, *kinds):
            end = at + len(field_names(kind))
            if end <= len(numbers):
                parts.append(state_object_of(kind, numbers[at:end]))
                at = end
        if at != len(numbers) or len(parts) not in (1, 2 + len(kinds)):
            raise ValueError(f"{len(numbers)} numbers do not describe the events")
        stops.watch = parts[0]
        if len(parts) > 1:
            stops.after = (parts[2:], parts[1])
        return stops
