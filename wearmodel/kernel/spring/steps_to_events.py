"""Steps of the shock spring that end right before an event.

A step is first computed to its end, and its modes are recorded. If a user waits for an event in it,
it is computed again from its start to the event. This is exact, because legs can be divided
anywhere. The states before and after the event differ in mode and in values derived from it.
"""

from __future__ import annotations

from ..contact.state_objects import ContactState, copy_contact
from ..events import (
    ALL_KINDS,
    LOOK_AHEAD,
    Watch,
    begin_watch,
    count_pending,
    end_watch,
    is_at_end,
    waits_for,
)
from ..limits import FLIGHT, OK, SLIP, TIME
from ..series.arithmetic import magnitude
from .course import begin_course, leave_instant
from .parameters import SpringParameters
from .path import place_as_led, tell_contact
from .state_objects import BodyImage, SpringMemory, SpringState, copy_spring
from .steps import lead_spring, step_spring, upper_side


def step_spring_to_event(
    p: SpringParameters,
    s: SpringState,
    contact: ContactState,
    image: BodyImage,
    sample: list[float],
    step_size: float,
    watch: Watch,
    memory: SpringMemory,
) -> int:
    """As `step_spring`, but end right before the first event that `watch` waits for.

    With an effective mass a step never ends early, because the mean force belongs to the whole
    step. `step_size` [s] is > 0 and finite. See also `shoe.steps_to_events.step_to_event`.
    """
    work = memory.work
    watching = work.watching
    begin_watch(watch, watching, sample[TIME], step_size)
    if p.effective_mass > 0.0:
        code = step_spring(p, s, contact, image, sample, step_size, memory)
        end_watch(watching, watch, code)
        return code
    begin_course(work, s.mode, step_size)
    if watching.kinds != 0.0:
        copy_spring(s, work.at_start)
    memory.leg.is_watched = 1.0
    code = step_spring(p, s, contact, image, sample, step_size, memory)
    if code <= OK:
        leave_instant(work)
        if watching.pending == 0.0 and watching.kinds != 0.0:
            _look_ahead(p, s, contact, step_size, memory)
    memory.leg.is_watched = 0.0
    if code <= OK and watching.pending != 0.0:
        failure = _end_before(p, s, contact, step_size, memory)
        code = code if failure == OK else failure
    end_watch(watching, watch, code)
    return code


def pass_spring_event(
    s: SpringState, contact: ContactState, watch: Watch, memory: SpringMemory
) -> int:
    """Apply the event before which `step_spring_to_event` ended, and all others of its instant.

    The work space is unchanged since the step. Returns OK.
    """
    if watch.pending != 0.0:
        copy_spring(memory.work.after, s)
        copy_contact(memory.work.contact_after, contact)
        count_pending(watch)
    return OK


def _look_ahead(
    p: SpringParameters,
    s: SpringState,
    contact: ContactState,
    step_size: float,
    memory: SpringMemory,
) -> None:
    """Find an event at the end of a step in motion, which the next step would begin with."""
    leg = memory.leg
    work = memory.work
    course = work.course
    watching = work.watching
    start = work.at_start
    end_x = leg.end_x
    end_y = leg.end_y
    end_z = leg.end_z
    if end_x == start.drive_x and end_y == start.drive_y and end_z == start.drive_z:
        return
    leg.end_x += LOOK_AHEAD * (end_x - start.drive_x)
    leg.end_y += LOOK_AHEAD * (end_y - start.drive_y)
    leg.end_z += LOOK_AHEAD * (end_z - start.drive_z)
    course.offset = step_size
    course.span = LOOK_AHEAD * step_size
    # The first event of any kind becomes pending.
    kinds = watching.kinds
    quiet_until = watching.quiet_until
    watching.kinds = float(ALL_KINDS)
    watching.quiet_until = 0.0
    copy_spring(s, work.after)
    copy_contact(contact, memory.contact_before)
    code = lead_spring(p, s, contact, course.span, memory)
    copy_spring(work.after, s)
    copy_contact(memory.contact_before, contact)
    if code == OK:
        leave_instant(work)
    leg.end_x = end_x
    leg.end_y = end_y
    leg.end_z = end_z
    happened = int(watching.pending_kinds)
    watching.pending = 0.0
    watching.pending_kinds = 0.0
    watching.kinds = kinds
    watching.quiet_until = quiet_until
    if code == OK and happened != 0 and is_at_end(course.left, step_size):
        waits_for(watching, happened, step_size)


def _end_before(
    p: SpringParameters,
    s: SpringState,
    contact: ContactState,
    step_size: float,
    memory: SpringMemory,
) -> int:
    """Move the spring to the instant right before the pending event.

    `work.after` and `contact_after` become the states after the event. Returns OK or an error.
    """
    leg = memory.leg
    work = memory.work
    course = work.course
    watching = work.watching
    start = work.at_start
    after = work.after
    reached = watching.reached
    copy_spring(start, s)
    leg.path_x = leg.end_x - start.drive_x
    leg.path_y = leg.end_y - start.drive_y
    leg.path_z = leg.end_z - start.drive_z
    if reached < step_size:
        share = reached / step_size
        leg.end_x = start.drive_x + share * leg.path_x
        leg.end_y = start.drive_y + share * leg.path_y
        leg.end_z = start.drive_z + share * leg.path_z
    if p.is_plain == 0.0:
        _put_contact(s, work.contact_prior, step_size, memory)
        copy_contact(work.contact_prior, contact)
        copy_spring(s, after)
        _put_contact(after, work.contact_after, step_size, memory)
        return OK
    code = lead_spring(p, s, contact, reached, memory)
    if code == OK:
        leg.path_x = leg.end_x - start.drive_x
        leg.path_y = leg.end_y - start.drive_y
        leg.path_z = leg.end_z - start.drive_z
        copy_spring(s, after)
        _put_mode(p, s, course.mode_before, reached, memory)
        _put_mode(p, after, course.mode, reached, memory)
    return code


def _put_contact(
    s: SpringState, contact: ContactState, step_size: float, memory: SpringMemory
) -> None:
    """Place the spring at the end of the leg, with the contact's state there."""
    leg = memory.leg
    s.drive_x = leg.end_x
    s.drive_y = leg.end_y
    s.drive_z = leg.end_z
    s.velocity_x = leg.path_x / step_size
    s.velocity_y = leg.path_y / step_size
    s.velocity_z = leg.path_z / step_size
    place_as_led(memory.law, s, contact, memory.series)
    tell_contact(memory.law, s, contact, memory.series)


def _put_mode(
    p: SpringParameters, s: SpringState, mode: float, duration: float, memory: SpringMemory
) -> None:
    """Set the mode of a plain spring at the end of a leg that has taken `duration` [s]."""
    if mode == s.mode:
        return
    s.mode = mode
    s.slip_velocity = 0.0
    if mode == FLIGHT:
        s.anchoring_y = s.drive_y
        s.anchoring_z = s.drive_z
        s.stretch_y = 0.0
        s.stretch_z = 0.0
    elif mode == SLIP:
        s.slip_velocity = _slip_velocity(p, s, duration, memory)


def _slip_velocity(
    p: SpringParameters, s: SpringState, duration: float, memory: SpringMemory
) -> float:
    """Rate of the anchor [m/s] of a plain spring that has just begun to slip."""
    leg = memory.leg
    velocity_x = upper_side(p, s) * leg.path_x / duration
    velocity_y = leg.path_y / duration
    velocity_z = leg.path_z / duration
    stretch_y = s.stretch_y + (s.drive_y - s.anchoring_y)
    stretch_z = s.stretch_z + (s.drive_z - s.anchoring_z)
    along = magnitude(velocity_y, velocity_z)
    stretch = magnitude(stretch_y, stretch_z)
    if stretch > 0.0:
        along = (stretch_y * velocity_y + stretch_z * velocity_z) / stretch
    return max(0.0, along + p.bound_per_force * p.driven_normal_stiffness * velocity_x)
