"""Obstacles of a contact: gap, normal, frame and curvature of planes and of holes.

The frame of a contact has three axes:

- Planes: the normal, towards the free side or the upper one of two planes, and two tangents.
  Friction acts along the tangents.
- Circle, a round hole: two axes across the axis of the hole, and this axis. The normal is −r̂.
  Friction acts along t = axis × r̂ and along the axis.
- Polygon: the frame of the circle. A side acts as a plane, and a corner acts as a circle of gap 0,
  see `polygon`.

A `side` is +1 at the (lower) plane and in a hole, and −1 at the upper one of two planes. Two planes
are never touched at the same time.

In the rest of the kernel, only the modules of the shock spring distinguish obstacles. Their closed
form is for planes, where a straight path also has a constant speed along the obstacle.
"""

from __future__ import annotations

from ..limits import NO_RULE
from ..series.arithmetic import direction_of, magnitude, significant, square_sum, unit_coefficient
from .parameters import (
    FASTEST_DAMPER,
    LEAST_DAMPING,
    ContactLaw,
    ContactObstacle,
    broken_contact_rule,
    critical_damping,
    largest_damping,
    series_stiffness,
)
from .parameters import RULES as DECLARED_RULES
from .polygon import FACING_1, FACING_2, IS_CORNER, POLYGON, ROOM, fill_facing, gap_to, nearest
from .state_objects import ContactState, ContactTerms, ContactWork

PLANE = float(ContactObstacle.plane)
TWO_PLANES = float(ContactObstacle.two_planes)
CIRCLE = float(ContactObstacle.circle)

# Numbers of the rules that depend on the place of the contact, in addition to `parameters`.
FAST_NORMAL_DAMPER = 2
FAST_TANGENTIAL_DAMPER = 3
WEAR_IN_POLYGON = 5
PENDULUM_IN_HOLE = 7
GAP_OF_POLYGON = 6
GAP_OF_CIRCLE = 16
WEAK_DAMPER = 17
UNKNOWN_OBSTACLE = 19
# The numbers of the contact with the index c are higher by c · RULE_COUNT.
RULE_COUNT = 40
_TOO_FAST = (
    "={0!r} N.s/m must be at most {1!r} N.s/m, a rate of "
    f"{FASTEST_DAMPER:g} 1/s on the point's mass or 10 times the critical damping. "
    "A faster damper needs too many power series in each step: take a smaller value"
)
# Texts of all rules of one contact. {0} and {1} are the invalid values.
RULES = {
    **DECLARED_RULES,
    WEAR_IN_POLYGON: (
        "wear_feedback=true is invalid in a polygon: its sides wear unequally, and a run keeps its "
        "shape. Use false, and gaps for worn sides or a service life of a circle with shape SIDES"
    ),
    PENDULUM_IN_HOLE: (
        "pendulum_radius={0!r} m is invalid in a hole: it is the radius of a sliding surface at a "
        "plane. Use 0, or obstacle plane"
    ),
    GAP_OF_POLYGON: (
        "gap={0!r} m is invalid in this polygon: it must be > {1!r} m, or a side vanishes. Use a "
        "larger gap, or leave out the side"
    ),
    GAP_OF_CIRCLE: "gap={0!r} m must be > 0 in a circle: set gap, the radial gap in m",
    WEAK_DAMPER: (
        "tangential_damping={0!r} N.s/m must be 0, its limit, or at least {1!r} N.s/m, "
        f"{LEAST_DAMPING:g} of the critical damping"
    ),
    FAST_NORMAL_DAMPER: f"contact_damping{_TOO_FAST}",
    FAST_TANGENTIAL_DAMPER: f"tangential_damping{_TOO_FAST}",
    UNKNOWN_OBSTACLE: f"obstacle={{0!r}} {ContactObstacle.rule()}",
}


def is_obstacle(number: float) -> bool:
    """Whether `number` is the number of a known obstacle."""
    return number == PLANE or number == TWO_PLANES or number == CIRCLE or number == POLYGON


def gap_rule(obstacle: float, gap: float) -> int:
    """Number of the rule that a gap [m] breaks at an obstacle, or NO_RULE."""
    if obstacle == CIRCLE and not gap > 0.0:
        return GAP_OF_CIRCLE
    return NO_RULE


def broken_rule_in_place(law: ContactLaw) -> tuple[int, float, float]:
    """As `broken_contact_rule`, with the rules for the obstacle and for the point's mobility."""
    if not is_obstacle(law.obstacle):
        return UNKNOWN_OBSTACLE, law.obstacle, 0.0
    rule, first, second = broken_contact_rule(law)
    if rule != NO_RULE:
        return rule, first, second
    rule = gap_rule(law.obstacle, law.gap)
    if rule != NO_RULE:
        return rule, law.gap, 0.0
    if law.pendulum_radius > 0.0 and is_hole(law):
        return PENDULUM_IN_HOLE, law.pendulum_radius, 0.0
    if law.obstacle == POLYGON:
        if law.gap <= law.least_gap:
            return GAP_OF_POLYGON, law.gap, law.least_gap
        if law.wear_feedback != 0.0:
            return WEAR_IN_POLYGON, 1.0, 0.0
    if law.friction_coefficient > 0.0 and law.mobility > 0.0:
        least = LEAST_DAMPING * critical_damping(law.tangential_stiffness, law.mobility)
        if 0.0 < law.tangential_damping < least:
            return WEAK_DAMPER, law.tangential_damping, least
        most = largest_damping(law.tangential_stiffness, law.mobility)
        if law.tangential_damping > most:
            return FAST_TANGENTIAL_DAMPER, law.tangential_damping, most
    if law.contact_damping > 0.0 and law.normal_mobility > 0.0:
        most = largest_damping(series_stiffness(law), law.normal_mobility)
        if law.contact_damping > most:
            return FAST_NORMAL_DAMPER, law.contact_damping, most
    return NO_RULE, 0.0, 0.0


def open_gap(law: ContactLaw, s: ContactState, side: float) -> float:
    """Gap at rest [m], including the opening by wear."""
    worn = s.wear_work_upper
    if side > 0.0:
        worn = s.wear_work - s.wear_work_upper
    return law.gap + law.opening_per_work * worn


def facing_side(law: ContactLaw, s: ContactState, work: ContactWork) -> float:
    """The side that is nearer to the point at the start of the piece."""
    if law.obstacle != TWO_PLANES:
        return 1.0
    middle = 0.5 * law.opening_per_work * (2.0 * s.wear_work_upper - s.wear_work)
    return -1.0 if work.position_1[0] > middle else 1.0


def is_hole(law: ContactLaw) -> bool:
    """Whether the obstacle surrounds an axis, the last axis of the contact's frame."""
    return law.obstacle == CIRCLE or law.obstacle == POLYGON


def is_round(law: ContactLaw, work: ContactWork) -> bool:
    """Whether the point faces a circle or a corner."""
    if law.obstacle == POLYGON:
        return work.facing[IS_CORNER] != 0.0
    return law.obstacle == CIRCLE


def _room(law: ContactLaw, s: ContactState, work: ContactWork) -> float:
    """The part of the gap [m] in a hole that does not depend on the point, 0 at a corner."""
    if law.obstacle == POLYGON:
        return work.facing[ROOM]
    return open_gap(law, s, 1.0)


def _from_middle(work: ContactWork) -> tuple[float, float]:
    """Position of the point relative to the centre of a circle or to the faced corner [m]."""
    return work.position_1[0] - work.facing[FACING_1], work.position_2[0] - work.facing[FACING_2]


def _outward(work: ContactWork, first: list[float], second: list[float], j: int) -> float:
    """Coefficient j of a vector's component along the outward normal of the faced side."""
    return work.facing[FACING_1] * first[j] + work.facing[FACING_2] * second[j]


def gap_now(law: ContactLaw, s: ContactState, work: ContactWork) -> float:
    """Gap [m] at the start of the piece, between two planes the smaller gap."""
    if is_round(law, work):
        along_1, along_2 = _from_middle(work)
        return _room(law, s, work) - magnitude(along_1, along_2)
    if law.obstacle == POLYGON:
        return _room(law, s, work) - _outward(work, work.position_1, work.position_2, 0)
    side = facing_side(law, s, work)
    return open_gap(law, s, side) + side * work.position_1[0]


def needed_axes(law: ContactLaw, s: ContactState) -> int:
    """Number of axes of the frame along which the point's motion is used."""
    if s.closed != 0.0:
        return int(law.axes)
    return 2 if is_hole(law) else 1


# Functions of series over a piece.


def add_pressing_coefficient(
    law: ContactLaw,
    s: ContactState,
    work: ContactWork,
    terms: list[ContactTerms],
    length: float,
    j: int,
) -> float:
    """Coefficient j of −K gap − C_N d(gap)/dt, with the opening by wear at the piece's start.

    Also writes the coefficients of the velocities along the two directions of friction. `length`
    [s] is the duration of the piece.
    """
    work.sliding_2[j] = work.velocity_3[j]
    if is_hole(law):
        if is_round(law, work):
            rate, turning = add_curved_coefficient(work, terms, length, j)
        else:
            rate, turning = _add_flat_coefficient(work, j)
        work.sliding_1[j] = turning
        depth = work.radius[j]
        if j == 0:
            depth -= _room(law, s, work)
        value = law.stiffness * depth
        # The rate is available later than the distance. Without damping it is not needed.
        if law.contact_damping > 0.0:
            value += law.contact_damping * rate
        return value
    work.sliding_1[j] = work.velocity_2[j]
    # The operations of `kinematics`: the depth of a light touch is a small difference of lengths.
    gap = s.closed * work.position_1[j]
    if j == 0:
        gap += open_gap(law, s, s.closed)
    return -law.stiffness * gap - s.closed * law.contact_damping * work.velocity_1[j]


def force_coefficient(
    law: ContactLaw, s: ContactState, work: ContactWork, terms: list[ContactTerms], j: int
) -> tuple[float, float, float]:
    """Coefficient j of the force on the structure [N] along the axes of the contact's frame."""
    force = work.force
    friction_1 = work.friction_1
    friction_2 = work.friction_2
    if is_round(law, work):
        now = terms[j]
        first = terms[0]
        now.force_1 = force[j]
        now.force_2 = force[j]
        now.friction_1 = friction_1[j]
        now.friction_2 = friction_1[j]
        along_1 = now.force_1 * first.normal_1 + now.friction_1 * first.normal_2
        along_2 = now.force_1 * first.normal_2 - now.friction_1 * first.normal_1
        if j > 0:
            along_1 += first.force_1 * now.normal_1 + first.friction_1 * now.normal_2
            along_2 += first.force_1 * now.normal_2 - first.friction_1 * now.normal_1
            along_1 += now.force_normal_1 + now.friction_normal_2
            along_2 += now.force_normal_2 - now.friction_normal_1
        return -along_1, -along_2, friction_2[j]
    if law.obstacle == POLYGON:
        facing = work.facing
        along_1 = force[j] * facing[FACING_1] + friction_1[j] * facing[FACING_2]
        along_2 = force[j] * facing[FACING_2] - friction_1[j] * facing[FACING_1]
        return -along_1, -along_2, friction_2[j]
    return s.closed * force[j], friction_1[j], friction_2[j]


def is_inside_curved(law: ContactLaw, s: ContactState, work: ContactWork) -> bool:
    """Whether an open contact's point is inside a curved obstacle, where the normal is needed."""
    return (
        s.closed == 0.0
        and law.contact_damping > 0.0
        and is_round(law, work)
        and gap_now(law, s, work) < 0.0
    )


def add_curved_coefficient(
    work: ContactWork, terms: list[ContactTerms], length: float, j: int
) -> tuple[float, float]:
    """Write coefficient j of the distance from a circle's axis or a corner, its direction and rate.

    Returns the coefficients of the rate and of the velocity around the axis. `length` [s] is the
    duration of the piece.
    """
    velocity_1 = work.velocity_1
    velocity_2 = work.velocity_2
    first = terms[0]
    now = terms[j]
    now.velocity_1 = velocity_1[j]
    now.velocity_2 = velocity_2[j]
    now.turned_1 = velocity_2[j]
    now.turned_2 = -velocity_1[j]
    if j == 0:
        along_1, along_2 = _from_middle(work)
        size, normal_1, normal_2 = direction_of(along_1, along_2)
    else:
        _add_normal_products(terms, j)
        moved = (length * velocity_1[j - 1], length * velocity_2[j - 1])
        size, normal_1, normal_2 = unit_coefficient(
            length * work.radial_velocity[j - 1],
            moved,
            (now.radius_normal_1, now.radius_normal_2),
            first.radius_1,
            (first.normal_1, first.normal_2),
            j,
        )
    now.radius_1 = size
    now.radius_2 = size
    now.normal_1 = normal_1
    now.normal_2 = normal_2
    now.normal_3 = normal_1
    now.normal_4 = normal_2
    rate = now.velocity_1 * first.normal_1 + now.velocity_2 * first.normal_2
    turning = now.velocity_2 * first.normal_1 - now.velocity_1 * first.normal_2
    if j > 0:
        rate += first.velocity_1 * normal_1 + first.velocity_2 * normal_2
        turning += first.velocity_2 * normal_1 - first.velocity_1 * normal_2
        rate += now.velocity_normal_1 + now.velocity_normal_2
        turning += now.turned_normal_1 + now.turned_normal_2
    work.radius[j] = size
    work.radial_1[j] = normal_1
    work.radial_2[j] = normal_2
    work.radial_velocity[j] = rate
    return rate, turning


def _add_flat_coefficient(work: ContactWork, j: int) -> tuple[float, float]:
    """As `add_curved_coefficient`, at a side of a polygon, with a constant direction."""
    facing = work.facing
    work.radial_1[j] = facing[FACING_1] if j == 0 else 0.0
    work.radial_2[j] = facing[FACING_2] if j == 0 else 0.0
    work.radius[j] = _outward(work, work.position_1, work.position_2, j)
    work.radial_velocity[j] = _outward(work, work.velocity_1, work.velocity_2, j)
    turning = facing[FACING_1] * work.velocity_2[j] - facing[FACING_2] * work.velocity_1[j]
    return work.radial_velocity[j], turning


def _add_normal_products(terms: list[ContactTerms], j: int) -> None:
    """Sums Σ_{0<i<j} a_i n_{j−i} of the series a that are multiplied by the normal n."""
    velocity_1 = 0.0
    velocity_2 = 0.0
    turned_1 = 0.0
    turned_2 = 0.0
    force_1 = 0.0
    force_2 = 0.0
    friction_1 = 0.0
    friction_2 = 0.0
    radius_1 = 0.0
    radius_2 = 0.0
    for i in range(1, j):
        term = terms[i]
        other = terms[j - i]
        velocity_1 += term.velocity_1 * other.normal_1
        velocity_2 += term.velocity_2 * other.normal_2
        turned_1 += term.turned_1 * other.normal_3
        turned_2 += term.turned_2 * other.normal_4
        force_1 += term.force_1 * other.normal_1
        force_2 += term.force_2 * other.normal_2
        friction_1 += term.friction_1 * other.normal_3
        friction_2 += term.friction_2 * other.normal_4
        radius_1 += term.radius_1 * other.normal_1
        radius_2 += term.radius_2 * other.normal_2
    now = terms[j]
    now.velocity_normal_1 = velocity_1
    now.velocity_normal_2 = velocity_2
    now.turned_normal_1 = turned_1
    now.turned_normal_2 = turned_2
    now.force_normal_1 = force_1
    now.force_normal_2 = force_2
    now.friction_normal_1 = friction_1
    now.friction_normal_2 = friction_2
    now.radius_normal_1 = radius_1
    now.radius_normal_2 = radius_2


def curved_size(law: ContactLaw, work: ContactWork, j: int) -> float:
    """Size of coefficient j of the normal, 0 if the normal does not turn."""
    if not is_round(law, work):
        return 0.0
    return abs(work.radial_1[j]) + abs(work.radial_2[j])


def side_count(law: ContactLaw) -> int:
    """Number of sides on which an open contact can close."""
    if law.obstacle == POLYGON:
        return int(law.sides)
    return 2 if law.obstacle == TWO_PLANES else 1


def fill_gap_guard(
    law: ContactLaw, s: ContactState, work: ContactWork, index: int, gap: float, count: int
) -> tuple[int, bool]:
    """Write a series with the sign of an open contact's gap, and return its number of terms.

    Also returns whether `gap`, the gap [m] at the start, belongs to the side of number `index`.
    """
    guard = work.guard
    position_1 = work.position_1
    if law.obstacle == CIRCLE:
        position_2 = work.position_2
        terms = max(2, significant(position_1, count), significant(position_2, count))
        total = square_sum(position_1, position_2, terms, -1.0, guard)
        # gap² − r², as a product without cancellation.
        guard[0] = gap * (open_gap(law, s, 1.0) + magnitude(position_1[0], position_2[0]))
        return significant(guard, total), True
    terms = max(2, significant(position_1, count))
    if law.obstacle == POLYGON:
        position_2 = work.position_2
        side_1 = work.side_1
        side_2 = work.side_2
        terms = max(terms, significant(position_2, count))
        for j in range(1, terms):
            guard[j] = -(side_1[index] * position_1[j] + side_2[index] * position_2[j])
        guard[0] = gap_to(law, work, index, position_1[0], position_2[0])
        return terms, guard[0] == gap
    side = 1.0 - 2.0 * index
    for j in range(terms):
        guard[j] = side * position_1[j]
    guard[0] += open_gap(law, s, side)
    return terms, guard[0] == gap


def fill_gap(law: ContactLaw, s: ContactState, work: ContactWork, count: int) -> None:
    """Write the gap [m] of a point inside the obstacle as a series into the row `spare`."""
    spare = work.spare
    position_1 = work.position_1
    if is_hole(law):
        for j in range(count):
            if is_round(law, work):
                spare[j] = -work.radius[j]
            else:
                spare[j] = -_outward(work, position_1, work.position_2, j)
        spare[0] += _room(law, s, work)
    else:
        side = facing_side(law, s, work)
        for j in range(count):
            spare[j] = side * position_1[j]
        spare[0] += open_gap(law, s, side)


# Functions at an instant. Position and velocity are the first numbers of their work rows.


def kinematics(
    law: ContactLaw, s: ContactState, work: ContactWork
) -> tuple[float, float, float, float]:
    """Gap [m] and its rate [m/s], and the point's velocities [m/s] in the directions of friction.

    In a hole, the outward direction is written to the work rows.
    """
    gap = gap_now(law, s, work)
    velocity_1 = work.velocity_1
    velocity_2 = work.velocity_2
    if not is_hole(law):
        return gap, facing_side(law, s, work) * velocity_1[0], velocity_2[0], work.velocity_3[0]
    radial_1 = work.radial_1
    radial_2 = work.radial_2
    if is_round(law, work):
        along_1, along_2 = _from_middle(work)
        _, outward_1, outward_2 = direction_of(along_1, along_2)
        radial_1[0] = outward_1
        radial_2[0] = outward_2
    else:
        radial_1[0] = work.facing[FACING_1]
        radial_2[0] = work.facing[FACING_2]
    rate = velocity_1[0] * radial_1[0] + velocity_2[0] * radial_2[0]
    turning = velocity_2[0] * radial_1[0] - velocity_1[0] * radial_2[0]
    return gap, -rate, turning, work.velocity_3[0]


def velocity_along(law: ContactLaw, work: ContactWork) -> tuple[float, float]:
    """Velocity of the point [m/s] along the two directions of friction, after `kinematics`."""
    velocity_2 = work.velocity_2
    velocity_3 = work.velocity_3
    if not is_hole(law):
        return velocity_2[0], velocity_3[0]
    return velocity_2[0] * work.radial_1[0] - work.velocity_1[0] * work.radial_2[0], velocity_3[0]


def gap_acceleration(
    law: ContactLaw, s: ContactState, work: ContactWork, along_1: float, along_2: float
) -> float:
    """Second derivative of the gap [m/s2] for these accelerations of the point in the frame."""
    if not is_hole(law):
        return facing_side(law, s, work) * along_1
    turning, _ = velocity_along(law, work)
    radius = _curvature_radius(law, work)
    rate = -along_1 * work.radial_1[0] - along_2 * work.radial_2[0]
    if radius > 0.0:
        rate -= turning * turning / radius
    return rate


def _curvature_radius(law: ContactLaw, work: ContactWork) -> float:
    """Distance [m] of the point from the centre of a circle or from its corner, 0 at a side."""
    if not is_round(law, work):
        return 0.0
    along_1, along_2 = _from_middle(work)
    return magnitude(along_1, along_2)


def acceleration_along(law: ContactLaw, work: ContactWork, along_1: float, along_2: float) -> float:
    """Rate [m/s2] of the velocity along the first direction of friction.

    `along_1` and `along_2` are the point's accelerations in the frame.
    """
    if not is_hole(law):
        return along_2
    radius = _curvature_radius(law, work)
    rate = along_2 * work.radial_1[0] - along_1 * work.radial_2[0]
    if radius > 0.0:
        turning, _ = velocity_along(law, work)
        outward = work.velocity_1[0] * work.radial_1[0] + work.velocity_2[0] * work.radial_2[0]
        rate -= turning * outward / radius
    return rate


def force_in_frame(
    law: ContactLaw, s: ContactState, work: ContactWork, normal: float, first: float
) -> tuple[float, float]:
    """F_N and the first component of F_T on the structure [N] along the first two frame axes."""
    along_1, along_2 = friction_in_frame(law, work, first)
    if not is_hole(law):
        return s.closed * normal, along_2
    return along_1 - normal * work.radial_1[0], along_2 - normal * work.radial_2[0]


def friction_in_frame(law: ContactLaw, work: ContactWork, first: float) -> tuple[float, float]:
    """The first component of F_T on the structure [N] along the first two frame axes."""
    if not is_hole(law):
        return 0.0, first
    return -first * work.radial_2[0], first * work.radial_1[0]


def pressed(
    law: ContactLaw, work: ContactWork, along_1: float, along_2: float
) -> tuple[float, float, float, float]:
    """Depth [m] of a point at rest in its obstacle, the normal there, and the radius of curvature.

    `along_1` and `along_2` are the coordinates of the point [m]. The radius is 0 at a flat side.
    """
    if law.obstacle == CIRCLE:
        radius = magnitude(along_1, along_2)
        if radius <= law.gap:
            return 0.0, 0.0, 0.0, radius
        return radius - law.gap, -along_1 / radius, -along_2 / radius, radius
    if law.obstacle == POLYGON:
        fill_facing(law, work, nearest(law, work, along_1, along_2))
        facing = work.facing
        first = facing[FACING_1]
        second = facing[FACING_2]
        if facing[IS_CORNER] == 0.0:
            return first * along_1 + second * along_2 - facing[ROOM], -first, -second, 0.0
        radius, first, second = direction_of(along_1 - first, along_2 - second)
        return radius, -first, -second, radius
    side = -1.0 if law.obstacle == TWO_PLANES and along_1 > 0.0 else 1.0
    return -(law.gap + side * along_1), side, 0.0, 0.0
