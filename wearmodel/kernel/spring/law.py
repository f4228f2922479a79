"""Quasi-static shock spring in closed form: constant friction, no dampers, no wear feedback.

The axis x is along the spring, and y and z are across it. The driving point p moves along a
straight leg:

    N = normal_stiffness · max(0, depth),   depth = −(p_x + gap_at_rest)

Friction is computed by `planar_slip`: the tangential spring has the stretch e = (p_y, p_z) − δ, and
its anchor δ slips so that |e| ≤ μ N / tangential_stiffness. In flight e = 0 and δ follows p.

The driving point can be the tip of the contact spring or the far end of an elastic spring in
series: `wearmodel.models.shock_spring` reduces an imposed displacement and a given load to this
law. Laws with rates and holes are computed by `path`. Not modelled: inertia. Source: SSND116
section 2.1, in three dimensions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..limits import FLIGHT, LENGTH_ROUNDING, OK, ON_CONE, SLIP, STICK
from ..series.arithmetic import magnitude
from .course import note_mode
from .parameters import LARGEST
from .planar_slip import first_slip, slide, stays_on_cone

if TYPE_CHECKING:
    from .parameters import SpringParameters
    from .state_objects import Leg, SpringState, SpringWork

# Result code.
OUT_OF_RANGE = 1


def lead_along(p: SpringParameters, s: SpringState, leg: Leg, work: SpringWork) -> int:
    """Move the driving point along a straight leg to its end.

    The contact closes or opens at most once along the leg, with flight before a closing and after
    an opening. An event at the very end belongs to the next leg. Returns OK, or OUT_OF_RANGE
    without a change if a length or a force is not a number or above LARGEST. The slip_velocity is
    the rate per leg [m], not per time. It is one function because each call of a further function
    would take 5 % of the time of a plain step.
    """
    drive_x = leg.end_x
    drive_y = leg.end_y
    drive_z = leg.end_z
    normal_stiffness = p.driven_normal_stiffness
    stretch_per_force = p.bound_per_force
    gap = p.gap_at_rest
    depth_start = -(s.drive_x + gap)
    depth_end = -(drive_x + gap)
    touching = depth_start > 0.0
    force_start = normal_stiffness * depth_start if touching else 0.0
    force_end = normal_stiffness * depth_end if depth_end > 0.0 else 0.0
    # This form also rejects NaN.
    if not (
        abs(depth_end) <= LARGEST
        and abs(drive_y) <= LARGEST
        and abs(drive_z) <= LARGEST
        and force_start <= LARGEST
        and force_end <= LARGEST
        and stretch_per_force * force_end <= LARGEST
    ):
        return OUT_OF_RANGE

    start_y = s.drive_y
    start_z = s.drive_z
    anchoring_y = s.anchoring_y
    anchoring_z = s.anchoring_z
    slipping = False
    slip_rate = 0.0
    flies = depth_end <= 0.0
    is_noted = leg.is_watched != 0.0
    # Rounding error of a depth, a difference of lengths.
    rounding = 0.0
    if is_noted:
        rounding = LENGTH_ROUNDING * (abs(gap) + abs(s.drive_x))
        is_noted = _is_contact_noted(work, depth_start, depth_end, rounding)
    if touching or depth_end > 0.0:
        closing = 0.0
        stretch_y = 0.0
        stretch_z = 0.0
        if touching:
            stretch_y = s.stretch_y + (start_y - anchoring_y)
            stretch_z = s.stretch_z + (start_z - anchoring_z)
        else:
            closing = depth_start / (depth_start - depth_end)
            anchoring_y = start_y + closing * (drive_y - start_y)
            anchoring_z = start_z + closing * (drive_z - start_z)
        opening = 1.0
        if depth_end <= 0.0:
            opening = depth_start / (depth_start - depth_end)
        path_y = (opening - closing) * (drive_y - start_y)
        path_z = (opening - closing) * (drive_z - start_z)
        bound_start = stretch_per_force * force_start
        bound_end = stretch_per_force * force_end
        begin = first_slip(stretch_y, stretch_z, path_y, path_z, bound_start, bound_end)
        if is_noted:
            # Stretch and depth are differences of lengths.
            known = LENGTH_ROUNDING * (abs(start_y) + abs(start_z))
            known += stretch_per_force * (normal_stiffness * rounding + ON_CONE * force_start)
            is_on_cone = stays_on_cone(
                stretch_y, stretch_z, path_y, path_z, bound_start, bound_end, begin, known
            )
            _note_contact(work, closing, opening, begin, is_on_cone, flies)
        if begin < 1.0:
            slipping = True
            end_y, end_z, wear = slide(
                stretch_y + begin * path_y,
                stretch_z + begin * path_z,
                (1.0 - begin) * path_y,
                (1.0 - begin) * path_z,
                force_start + begin * (force_end - force_start),
                force_end,
                stretch_per_force,
            )
            anchoring_y = drive_y
            anchoring_z = drive_z
            s.stretch_y = end_y
            s.stretch_z = end_z
            # λ of `planar_slip`. It can be negative only by rounding.
            if bound_end > 0.0:
                slip_rate = end_y / bound_end * (drive_y - start_y) + end_z / bound_end * (
                    drive_z - start_z
                )
            else:
                slip_rate = magnitude(drive_y - start_y, drive_z - start_z)
            slip_rate += stretch_per_force * normal_stiffness * (drive_x - s.drive_x)
            slip_rate = max(0.0, slip_rate)
            s.wear_work += wear
    s.drive_x = drive_x
    s.drive_y = drive_y
    s.drive_z = drive_z
    if flies:
        anchoring_y = drive_y
        anchoring_z = drive_z
        s.stretch_y = 0.0
        s.stretch_z = 0.0
        slip_rate = 0.0
        s.mode = FLIGHT
    else:
        s.mode = SLIP if slipping else STICK
    s.anchoring_y = anchoring_y
    s.anchoring_z = anchoring_z
    s.slip_velocity = slip_rate
    return OK


def _is_contact_noted(work: SpringWork, start: float, end: float, rounding: float) -> bool:
    """Record a flight at the start of a leg, and return whether to record a contact along it.

    `start` and `end` are the depths at the ends of the leg. If the leg starts at depth 0, to
    `rounding` [m], its mode continues: a contact that is pressed further has not opened, and a
    point that moves away has not closed the contact.
    """
    course = work.course
    is_at_border = abs(start) <= rounding
    if is_at_border and end > 0.0 and course.mode != FLIGHT:
        return True
    if not start > 0.0 or (is_at_border and end < 0.0):
        note_mode(work, 0.0, FLIGHT)
    return end > 0.0 or not is_at_border


def _note_contact(
    work: SpringWork, closing: float, opening: float, begin: float, is_on_cone: bool, flies: bool
) -> None:
    """Record the modes of a contact that lasts from `closing` to `opening` of the leg.

    Slip begins at the share `begin` of this interval, or NEVER. On the cone it begins at its start.
    """
    slips_at = closing + begin * (opening - closing)
    if is_on_cone:
        slips_at = closing
    else:
        note_mode(work, closing, STICK)
    if begin < 1.0:
        note_mode(work, slips_at, SLIP)
    if flies:
        note_mode(work, opening, FLIGHT)
