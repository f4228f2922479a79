"""Quasi-static shock spring: unilateral contact with friction along one straight leg.

Contact, with x along the axis of the spring and y, z across it; p is the driving point, which moves
at a constant velocity along a leg:

    N = max(0, normal_stiffness · depth − C_N ṗ_x),   depth = −(p_x + gap_at_rest + h)

It closes where depth becomes positive, or N inside the obstacle, and opens where N falls to 0.

Friction is that of `planar_slip`: the tangential spring is stretched by e = (p_y, p_z) − δ, and its
anchor δ slips so that |e| ≤ μ N / tangential_stiffness. In flight e = 0 and δ follows p. With a
damper beside that spring, |tangential_stiffness e + C_T ė| ≤ μ N. The depth h that wear opens grows
by β for each wear work, β = 0 where wear does not act back.

A stretch is a length, so the driving point may be the tip of the contact spring itself or the far
end of an elastic spring in series with it: `wearmodel.models.shock_spring` reduces an imposed
displacement and a given load to this one law. Not modelled: inertia. Source: SSND116 section 2.1,
in three dimensions; Archard, J. Appl. Phys. 24 (1953) for h.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..contact.friction import jump_to_cone, sliding_friction
from ..limits import FLIGHT, NEVER, OK, ON_CONE, SLIP, STICK
from ..series.arithmetic import magnitude
from .course import LENGTH_ROUNDING, note_mode
from .parameters import LARGEST, bound_per_force
from .planar_slip import first_slip, slide, stays_on_cone
from .slip import WEAR_RUNS_AWAY, follow_contact

if TYPE_CHECKING:
    from .parameters import SpringParameters
    from .records import Leg, SpringState, SpringWork

# Result code.
OUT_OF_RANGE = 1


def shrink_to_cone(s: SpringState, leg: Leg, gap_at_rest: float) -> int:
    """Let the anchor jump straight towards the driving point where the cone has become narrower.

    So it does from one leg to the next where no damper holds it back: the coefficient of friction
    has fallen, or the normal force has, with the velocity. The wear work of the jump is that of N
    after the instant over its way; where wear acts back, N falls with it. OK or WEAR_RUNS_AWAY.
    """
    depth = -(s.drive_x + (gap_at_rest + s.opening))
    force = leg.normal_stiffness * depth - leg.normal_damper * leg.path_x
    if s.mode == FLIGHT or not force > 0.0:
        return OK
    stretch_y = s.stretch_y + (s.drive_y - s.anchoring_y)
    stretch_z = s.stretch_z + (s.drive_z - s.anchoring_z)
    stretch = magnitude(stretch_y, stretch_z)
    bound = leg.stretch_per_force * force
    if stretch <= bound:
        return OK
    fall = leg.normal_stiffness * leg.opening_per_work
    if fall > 0.0 and not leg.runaway_per_force * force < 1.0:
        return WEAR_RUNS_AWAY
    way, wear = jump_to_cone(stretch, bound, force, fall)
    bound = stretch - way
    s.stretch_y = stretch_y * (bound / stretch)
    s.stretch_z = stretch_z * (bound / stretch)
    s.anchoring_y = s.drive_y
    s.anchoring_z = s.drive_z
    s.wear_work += wear
    s.opening += leg.opening_per_work * wear
    return OK


def lead_along(
    p: SpringParameters,
    s: SpringState,
    stretch_per_force: float,
    pull: float,
    leg: Leg,
    work: SpringWork,
) -> int:
    """Lead the driving point along a straight leg to its end.

    The leg crosses the closing or the opening of the contact at most once; what lies before a
    closing and after an opening is flight. An event at the very end of the leg belongs to the
    next one.

    Parameters
    ----------
    p : SpringParameters
        Contact where its drive_x + gap_at_rest + opening < 0.
    s : SpringState
        Changed in place; left alone unless OK is returned. Its slip_velocity is then the rate per
        leg, not per time [m].
    stretch_per_force : float
        μ / tangential_stiffness [m/N], ≥ 0.
    pull : float
        What the damper takes off the normal force [N].
    leg : Leg
        Its end; path and law count unless the parameters are plain.
    work : SpringWork
        Work space.

    Returns
    -------
    int
        OK, or OUT_OF_RANGE where a length or a force is not a number or above LARGEST, or the codes
        of `slip`.
    """
    drive_x = leg.end_x
    drive_y = leg.end_y
    drive_z = leg.end_z
    normal_stiffness = p.driven_normal_stiffness
    follows = False
    # The depth at which the damper takes all of the force.
    least = pull / normal_stiffness if pull > 0.0 else 0.0
    drag = 0.0
    gap = p.gap_at_rest
    if p.is_plain == 0.0:
        gap += s.opening
        follows = leg.tangential_damper > 0.0 or leg.opening_per_work > 0.0
        drag = leg.tangential_damper * magnitude(leg.path_y, leg.path_z)
    depth_start = -(s.drive_x + gap)
    depth_end = -(drive_x + gap)
    force_start = 0.0
    touching = depth_start > least
    if touching:
        force_start = max(0.0, normal_stiffness * depth_start - pull)
    elif follows and s.mode != FLIGHT:
        # Where wear opens the gap of a contact that is pressed on, its damper may be all that
        # bears.
        force_start = max(0.0, normal_stiffness * depth_start - pull)
        touching = force_start > 0.0
    force_end = 0.0
    if depth_end > least:
        force_end = max(0.0, normal_stiffness * depth_end - pull)
    # Written so that a value that is not a number fails as well.
    if not (
        abs(depth_end) <= LARGEST
        and abs(drive_y) <= LARGEST
        and abs(drive_z) <= LARGEST
        and force_start <= LARGEST
        and force_end <= LARGEST
        and stretch_per_force * force_end <= LARGEST
        and pull <= LARGEST
        and drag <= LARGEST
        and (p.driven_tangential_stiffness > 0.0 or not follows)
    ):
        return OUT_OF_RANGE

    start_y = s.drive_y
    start_z = s.drive_z
    anchoring_y = s.anchoring_y
    anchoring_z = s.anchoring_z
    slipping = False
    wear = 0.0
    slip_rate = 0.0
    flies = depth_end <= least
    is_noted = leg.is_watched != 0.0
    # What a depth is known by, a difference of lengths, and that at which the damper takes all.
    rounding = 0.0
    if is_noted:
        rounding = LENGTH_ROUNDING * (abs(gap) + abs(s.drive_x) + least)
        if pull != 0.0:
            rounding += leg.normal_damper * LENGTH_ROUNDING * abs(s.drive_x) / normal_stiffness
        is_noted = _is_contact_noted(
            work, depth_start - least, depth_end - least, rounding, touching
        )
    if touching or depth_end > least:
        if is_noted:
            _know_cone(p, s, stretch_per_force, rounding, leg, work)
        closing = 0.0
        if not touching:
            closing = depth_start / (depth_start - depth_end)
            force_start = max(0.0, -pull)
            anchoring_y = start_y + closing * (drive_y - start_y)
            anchoring_z = start_z + closing * (drive_z - start_z)
        stretch_y = 0.0
        stretch_z = 0.0
        if touching:
            stretch_y = s.stretch_y + (start_y - anchoring_y)
            stretch_z = s.stretch_z + (start_z - anchoring_z)
        if follows:
            is_watched = leg.is_watched
            if not is_noted:
                leg.is_watched = 0.0
            code = follow_contact(leg, work, closing, force_start, stretch_y, stretch_z)
            leg.is_watched = is_watched
            if code != OK:
                return code
            wear = leg.wear
            opened = leg.opening_per_work * wear
            if not opened <= LARGEST:
                return OUT_OF_RANGE
            slipping = leg.sliding != 0.0
            depth_end -= opened
            s.opening += opened
            flies = leg.opening_place < NEVER or normal_stiffness * depth_end - pull <= 0.0
            if leg.slipped != 0.0:
                anchoring_y = start_y + leg.anchoring_place * (drive_y - start_y)
                anchoring_z = start_z + leg.anchoring_place * (drive_z - start_z)
                if slipping:
                    anchoring_y = drive_y
                    anchoring_z = drive_z
                s.stretch_y = leg.anchored_y
                s.stretch_z = leg.anchored_z
            slip_rate = leg.slip_rate
        else:
            opening = 1.0
            if depth_end <= least:
                opening = (depth_start - least) / (depth_start - depth_end)
            path_y = (opening - closing) * (drive_y - start_y)
            path_z = (opening - closing) * (drive_z - start_z)
            begin = first_slip(
                stretch_y,
                stretch_z,
                path_y,
                path_z,
                stretch_per_force * force_start,
                stretch_per_force * force_end,
            )
            if is_noted:
                is_on_cone = stays_on_cone(
                    stretch_y,
                    stretch_z,
                    path_y,
                    path_z,
                    stretch_per_force * force_start,
                    stretch_per_force * force_end,
                    begin,
                    leg.cone_rounding + leg.cone_rounding_per_force * force_start,
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
                # λ of `planar_slip`; never negative: only rounding could make it so.
                bound = stretch_per_force * force_end
                if bound > 0.0:
                    slip_rate = end_y / bound * (drive_y - start_y) + end_z / bound * (
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
    elif slipping:
        s.mode = SLIP
    else:
        s.mode = STICK
        slip_rate = 0.0
    s.anchoring_y = anchoring_y
    s.anchoring_z = anchoring_z
    s.slip_velocity = slip_rate
    return OK


def _is_contact_noted(
    work: SpringWork, start: float, end: float, rounding: float, touching: bool
) -> bool:
    """Take note of a flight with which a leg begins; whether the contact along it is to be noted.

    `start` and `end` are by what the depths at the leg's ends exceed that of closing. What begins
    at this depth, to `rounding` [m], goes on as it ended: a contact that is pressed on has not
    opened in between, and one that leaves has not closed.
    """
    course = work.course
    is_at_border = abs(start) <= rounding
    if is_at_border and end > 0.0 and course.mode != FLIGHT:
        return True
    if not touching or (is_at_border and end < 0.0):
        note_mode(work, 0.0, FLIGHT)
    return end > 0.0 or not is_at_border


def _know_cone(
    p: SpringParameters,
    s: SpringState,
    stretch_per_force: float,
    rounding: float,
    leg: Leg,
    work: SpringWork,
) -> None:
    """Write into the leg how well it is known whether a stretch lies on the cone.

    `rounding` [m] is that of the depth. Stretch and speed are differences of lengths: on a leg that
    is short beside these, what depends on the speed is known less well.
    """
    along = LENGTH_ROUNDING * (abs(s.drive_y) + abs(s.drive_z))
    force = p.driven_normal_stiffness * rounding
    leg.cone_rounding_per_force = ON_CONE * stretch_per_force
    if p.is_plain == 0.0:
        course = work.course
        duration = course.span
        if p.constant_friction < 0.0 and duration > 0.0:
            speed = (magnitude(leg.path_y, leg.path_z) + along) / duration
            other = bound_per_force(p, sliding_friction(p, speed))
            leg.cone_rounding_per_force += abs(other - stretch_per_force)
        if leg.tangential_damper > 0.0:
            along += leg.tangential_damper * along / leg.tangential_stiffness
    leg.cone_rounding = along + stretch_per_force * force


def _note_contact(
    work: SpringWork, closing: float, opening: float, begin: float, is_on_cone: bool, flies: bool
) -> None:
    """Take note of the modes of a contact that lasts from `closing` to `opening` of the leg.

    Slip begins at the share `begin` of this, or NEVER; on the cone it goes on from the start.
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
