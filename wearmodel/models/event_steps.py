"""Where a step that may end at an event has ended."""

from __future__ import annotations

from dataclasses import dataclass

from ..kernel.events import EventKinds, Watch

# What a model is told that is asked to pass an event when none is pending.
NOTHING_PENDING = "no event is pending: pass_event follows on a step_to_event that met one"


@dataclass(frozen=True)
class StepEnd:
    """Where a step ended.

    Attributes
    ----------
    reached
        Time since the step's start [s]; the whole step where no event ended it.
    event
        Kinds of the event that is pending at the model's present instant; ``EventKinds.none`` where
        the step was completed.
    warning
        What `step` would have returned.
    """

    reached: float
    event: EventKinds
    warning: str | None = None


def set_watch(watch: Watch, kinds: EventKinds, quiet_until: float) -> None:
    """Say what a step waits for.

    Raises
    ------
    ValueError
        `kinds` are no kinds of events, or `quiet_until` is not a time ≥ 0.
    """
    if not 0 <= kinds <= EventKinds.all:
        raise ValueError(f"kinds={kinds!r} must be a sum of EventKinds, {int(EventKinds.all)} all")
    if not quiet_until >= 0.0:
        raise ValueError(f"quiet_until={quiet_until!r} s must be ≥ 0")
    watch.kinds = float(kinds)
    watch.quiet_until = float(quiet_until)


def step_end(watch: Watch, warning: str | None) -> StepEnd:
    """Where the step that was watched ended."""
    return StepEnd(watch.reached, EventKinds(int(watch.pending_kinds)), warning)
