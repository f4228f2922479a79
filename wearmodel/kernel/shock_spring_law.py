"""Quasi-static shock spring: unilateral contact with friction along one straight leg.

Contact, with x along the axis of the spring and y, z across it; p is the driving point:

    N = normal_stiffness · max(0, −(p_x + gap_at_rest))

Friction is that of `planar_slip`: the tangential spring is stretched by e = (p_y, p_z) − δ, and its
anchor δ slips so that |e| ≤ μ N / tangential_stiffness. In flight e = 0 and δ follows p.

A stretch is a length, so the driving point may be the tip of the contact spring itself or the far
end of an elastic spring in series with it: `wearmodel.models.shock_spring` reduces an imposed
displacement and a given load to this one law. Not modelled: inertia, damping, any effect of wear
on the gap. Source: SSND116 section 2.1, in three dimensions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .limits import FLIGHT, OK, SLIP, STICK
from .planar_slip import first_slip, length_of, slide

if TYPE_CHECKING:
    from .shock_spring_records import SpringState

# Result code.
OUT_OF_RANGE = 1

# Largest length [m] and force [N]: fourth powers of lengths occur and must not overflow.
LARGEST = 1e60


def shrink_to_cone(
    s: SpringState, gap_at_rest: float, normal_stiffness: float, stretch_per_force: float
) -> None:
    """Let the anchor jump straight towards the driving point where the cone has become narrower.

    So it does where the coefficient of friction falls from one leg to the next. The wear work of
    the jump is N times its way. The other arguments are those of `advance`.
    """
    force = normal_stiffness * max(0.0, -(s.drive_x + gap_at_rest))
    stretch_y = s.stretch_y + (s.drive_y - s.anchoring_y)
    stretch_z = s.stretch_z + (s.drive_z - s.anchoring_z)
    stretch = length_of(stretch_y, stretch_z)
    bound = stretch_per_force * force
    if stretch > bound:
        s.stretch_y = stretch_y * (bound / stretch)
        s.stretch_z = stretch_z * (bound / stretch)
        s.anchoring_y = s.drive_y
        s.anchoring_z = s.drive_z
        s.wear_work += force * (stretch - bound)


def advance(
    s: SpringState,
    drive_x: float,
    drive_y: float,
    drive_z: float,
    gap_at_rest: float,
    normal_stiffness: float,
    stretch_per_force: float,
) -> int:
    """Lead the driving point along a straight leg to (drive_x, drive_y, drive_z).

    The leg crosses the closing or the opening of the contact at most once; what lies before a
    closing and after an opening is flight. An event at the very end of the leg belongs to the
    next one.

    Parameters
    ----------
    s : SpringState
        Changed in place; left alone unless OK is returned.
    drive_x, drive_y, drive_z : float
        The driving point at the end of the leg [m].
    gap_at_rest : float
        Contact where drive_x + gap_at_rest < 0 [m].
    normal_stiffness : float
        Normal force per length of drive_x [N/m], > 0.
    stretch_per_force : float
        μ / tangential_stiffness [m/N], ≥ 0.

    Returns
    -------
    int
        OK, or OUT_OF_RANGE where a length or a force is not a number or above LARGEST.
    """
    depth_start = -(s.drive_x + gap_at_rest)
    depth_end = -(drive_x + gap_at_rest)
    force_start = normal_stiffness * max(0.0, depth_start)
    force_end = normal_stiffness * max(0.0, depth_end)
    # Written so that a value that is not a number fails as well.
    if not (
        abs(depth_end) <= LARGEST
        and abs(drive_y) <= LARGEST
        and abs(drive_z) <= LARGEST
        and force_end <= LARGEST
        and stretch_per_force * force_end <= LARGEST
    ):
        return OUT_OF_RANGE

    start_y = s.drive_y
    start_z = s.drive_z
    s.drive_x = drive_x
    s.drive_y = drive_y
    s.drive_z = drive_z
    closing = 0.0
    opening = 1.0
    slipping = False
    if depth_start > 0.0 or depth_end > 0.0:
        if depth_start <= 0.0:
            closing = depth_start / (depth_start - depth_end)
            s.anchoring_y = start_y + closing * (drive_y - start_y)
            s.anchoring_z = start_z + closing * (drive_z - start_z)
        if depth_end <= 0.0:
            opening = depth_start / (depth_start - depth_end)
        path_y = (opening - closing) * (drive_y - start_y)
        path_z = (opening - closing) * (drive_z - start_z)
        stretch_y = 0.0
        stretch_z = 0.0
        if depth_start > 0.0:
            stretch_y = s.stretch_y + (start_y - s.anchoring_y)
            stretch_z = s.stretch_z + (start_z - s.anchoring_z)
        begin = first_slip(
            stretch_y,
            stretch_z,
            path_y,
            path_z,
            stretch_per_force * force_start,
            stretch_per_force * force_end,
        )
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
            s.anchoring_y = drive_y
            s.anchoring_z = drive_z
            s.stretch_y = end_y
            s.stretch_z = end_z
            s.wear_work += wear
    if depth_end <= 0.0:
        s.anchoring_y = drive_y
        s.anchoring_z = drive_z
        s.stretch_y = 0.0
        s.stretch_z = 0.0
        s.mode = FLIGHT
    elif slipping:
        s.mode = SLIP
    else:
        s.mode = STICK
    return OK
