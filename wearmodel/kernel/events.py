"""Events at which a step can end: awaited kinds, end of the step, and count.

An event is a visible change of the outputs: a contact closes, opens, starts or stops slipping,
or reverses its slip. A change of the form of the friction law is not an event. All changes
at one instant are one event, which can have several kinds. They follow from the modes before and
after the instant, so modes of zero duration are ignored.

A watched stepper keeps the states before and after the instant. When time advances past the
instant, the stepper passes the kinds to `passes`. The step ends before the instant if a user waits
for one of them.
"""

from __future__ import annotations

from enum import IntFlag

from .limits import OK
from .state_objects import copying, state_object

# Kinds of events. The kinds of simultaneous events are added.
SHOCK = 1
SLIP_CHANGE = 2
OTHER_CHANGE = 4
ALL_KINDS = 7

# Share of the step by which a watched stepper looks beyond its end, for events at the end.
LOOK_AHEAD = 1e-3
# Value of `Watch.instant` if there are no present events.
NO_INSTANT = -1.0
# Instants that differ by at most these shares of the absolute time and of the step are equal.
_SAME_TIME = 1e-15
_SAME_PLACE = 1e-13


class EventKinds(IntFlag):
    """Kinds of events at which a step can end, which can be added.

    `shocks` are contacts that close after flight, as in `shock_count`. `slip_changes` are the start
    and end of slip, and changes of its direction. `others` are contacts that open, contacts
    under a prescribed force that close, and stops that are reached.
    """

    none = 0
    shocks = SHOCK
    slip_changes = SLIP_CHANGE
    others = OTHER_CHANGE
    all = ALL_KINDS


@state_object
class Watch:
    """Events that a user waits for, and the number of events so far."""

    kinds: float  # sum of the kinds that end a step
    quiet_until: float  # s since the step's start, an event before it does not end the step
    reached: float  # s since the step's start, when the step ended
    pending: float  # 1 if the step ended right before an event that is not applied yet
    events: float  # count of event instants that have been applied
    pending_kinds: float  # sum of the kinds of the pending event
    last: float  # s since the step's start, event instant counted last, negative in earlier steps
    # s, instants that differ by at most this are equal, and an event up to this after the step's
    # start does not end the step. 0: events are not watched.
    resolution: float
    instant: float  # s since the step's start, of the present events, or NO_INSTANT


copy_watch = copying(Watch)


def begin_watch(watch: Watch, watching: Watch, time: float, step_size: float) -> None:
    """Start to watch a step at `time` [s]. `watching` is in the stepper's work space."""
    copy_watch(watch, watching)
    watching.reached = step_size
    watching.pending = 0.0
    watching.pending_kinds = 0.0
    watching.resolution = _SAME_TIME * (abs(time) + step_size) + _SAME_PLACE * step_size
    watching.instant = NO_INSTANT


def end_watch(watching: Watch, watch: Watch, code: int) -> None:
    """Store the events of a successful step in `watch`, with times relative to its end."""
    if code <= OK:
        watching.last -= watching.reached
        copy_watch(watching, watch)
    watching.resolution = 0.0


def kinds_of_change(
    shocks: float, closed_before: float, closed: float, sliding_before: float, sliding: float
) -> int:
    """Sum of the kinds of events by which a contact has changed over an instant.

    `shocks` is not 0 if the contact closed after flight. `closed` is 0 if the contact is open and
    depends on the obstacle. `sliding` is 0 without slip and depends on its direction.
    """
    kinds = 0
    if shocks != 0.0:
        kinds = SHOCK
    elif closed != closed_before:
        kinds = OTHER_CHANGE
    if sliding != sliding_before:
        kinds += SLIP_CHANGE
    return kinds


def passes(watching: Watch, kinds: int, step_size: float) -> bool:
    """Leave the present instant, if there is one. False if the step ends before its events.

    `kinds` is the sum of the kinds of its events. An instant without events is not counted.
    """
    time = watching.instant
    watching.instant = NO_INSTANT
    if time == NO_INSTANT or kinds == 0:
        return True
    if time > watching.resolution and waits_for(watching, kinds, time):
        # A remaining step must be long enough to distinguish its ends.
        watching.reached = time if step_size - time > watching.resolution else step_size
        return False
    if watching.events == 0.0 or time - watching.last > watching.resolution:
        watching.events += 1.0
        watching.last = time
    return True


def waits_for(watching: Watch, kinds: int, time: float) -> bool:
    """Make events of these kinds at `time` pending if a user waits for them."""
    if time < watching.quiet_until or kinds & int(watching.kinds) == 0:
        return False
    watching.pending = 1.0
    watching.pending_kinds = float(kinds)
    return True


def is_at_end(time: float, step_size: float) -> bool:
    """Whether an event after the step's end is at the end, to rounding."""
    return time - step_size <= _SAME_PLACE * step_size


def count_pending(watch: Watch) -> None:
    """Count the pending event at the end of the step, which has been applied."""
    watch.pending = 0.0
    watch.pending_kinds = 0.0
    if watch.events == 0.0 or -watch.last > watch.resolution:
        watch.events += 1.0
    watch.last = 0.0
