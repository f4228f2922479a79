"""Modes of the contact along a step, for a user who waits for an event.

Each leg and each of its pieces records the modes that begin. A step is first computed to its end.
If a user waits for an event in it, it is computed again up to this event (`steps_to_events`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..events import NO_INSTANT, kinds_of_change, passes
from ..limits import FLIGHT, SLIP

if TYPE_CHECKING:
    from .state_objects import SpringWork


def begin_course(work: SpringWork, mode: float, step_size: float) -> None:
    """Begin to record the modes of a step that begins in `mode`."""
    course = work.course
    course.mode = mode
    course.mode_before = mode
    course.offset = 0.0
    course.span = step_size
    course.duration = step_size


def note_mode(work: SpringWork, place: float, mode: float) -> None:
    """Record that `mode` begins at `place` in [0, 1] of the leg.

    Modes after a pending event are ignored, so the course keeps the modes before and after it.
    """
    course = work.course
    watching = work.watching
    if watching.pending != 0.0 or mode == course.mode:
        return
    time = course.offset + place * course.span
    if watching.instant != NO_INSTANT and time - watching.instant > watching.resolution:
        leave_instant(work)
        if watching.pending != 0.0:
            return
    if watching.instant == NO_INSTANT:
        watching.instant = time
        course.mode_before = course.mode
    course.mode = mode


def leave_instant(work: SpringWork) -> None:
    """Leave the present instant, if there is one. It is counted, or its event becomes pending."""
    course = work.course
    watching = work.watching
    if watching.instant != NO_INSTANT:
        course.left = watching.instant
        before = course.mode_before
        mode = course.mode
        shocks = min(mode, 1.0) if before == FLIGHT else 0.0
        slip_before = float(before == SLIP)
        kinds = kinds_of_change(
            shocks, min(before, 1.0), min(mode, 1.0), slip_before, float(mode == SLIP)
        )
        passes(watching, kinds, course.duration)
