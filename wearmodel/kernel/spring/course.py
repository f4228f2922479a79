"""What becomes of the contact along a step, for a user who waits for an event in it.

Legs, and pieces of them, tell each mode that begins. A step is first led to its end; where a user
waits for an event in it, it is led again up to there (`steps.step_spring_to_event`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..events import NO_INSTANT, kinds_of_change, passes
from ..limits import FLIGHT, SLIP

if TYPE_CHECKING:
    from .state_objects import SpringWork


def begin_course(work: SpringWork, mode: float, step_size: float) -> None:
    """Follow the modes of a step that begins in `mode`."""
    course = work.course
    course.mode = mode
    course.mode_before = mode
    course.offset = 0.0
    course.span = step_size
    course.duration = step_size


def note_mode(work: SpringWork, place: float, mode: float) -> None:
    """Take note that `mode` holds from `place` in [0, 1] of the leg on.

    Once an event is pending nothing is noted any more: the course has the modes about it.
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
    """Leave the instant at hand, if there is one: it is counted, or its event is pending."""
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
