"""A hole with a convex polygonal profile: its sides and corners, and the one that a point faces.

Sides are numbered from 0 in the positive sense of the frame. The rows `side_1` and `side_2` of the
contact's work contain their outward normals n. The distance of a side from the centre of the hole
is law.gap + `side_beyond`. Corner i joins side i and the next side. A point faces a side or a
corner: side i has the number 2 i + 1 and corner i the number 2 i + 2.

The force follows from the distance to the polygon. A side acts as a plane, and a corner acts as a
circle of gap 0 about it, between the normals of its two sides. At the border between them the
coordinate along the side equals the corner's. Both guards of a border are exactly the same number
with opposite signs, so a point on it faces one of the two.
"""

from __future__ import annotations

from math import cos, pi, sin

from ..limits import CLOSING_LOWER, NEXT_FACED, OPENING, PREVIOUS_FACED, RELEASE
from .parameters import ContactLaw, ContactObstacle
from .state_objects import EXIT_SIDE, ContactState, ContactWork

POLYGON = float(ContactObstacle.polygon)

# Indices of the row `facing`: outward normal of a side or position of a corner [m], gap from there
# [m], guards constant + first · x + second · y ≥ 0 [m] of its two borders, number and gap for which
# the row was filled, and displacement of the point [m], see `stays_clear`.
FACING_1 = 0
FACING_2 = 1
ROOM = 2
IS_CORNER = 3
NEXT_BORDER = 4
PREVIOUS_BORDER = 7
FACED = 10
GAP = 11
WAY_1 = 12
WAY_2 = 13
BEND = 14


def fill_regular(law: ContactLaw, work: ContactWork) -> None:
    """Write the sides of a regular polygon. The first normal is the first axis of the frame."""
    side_1 = work.side_1
    side_2 = work.side_2
    side_beyond = work.side_beyond
    for side in range(int(law.sides)):
        angle = 2.0 * pi * side / law.sides
        side_1[side] = cos(angle)
        side_2[side] = sin(angle)
        side_beyond[side] = 0.0
    work.facing[FACED] = 0.0


def face(law: ContactLaw, s: ContactState, work: ContactWork) -> None:
    """Write the side or corner that the point faces. Outside the obstacle it is the nearest."""
    if law.obstacle == POLYGON:
        faced = int(s.faced)
        if faced == 0:
            faced = nearest(law, work, work.position_1[0], work.position_2[0])
        fill_facing(law, work, faced)


def gap_to(law: ContactLaw, work: ContactWork, side: int, place_1: float, place_2: float) -> float:
    """Gap [m] from a place in the frame to the line of a side."""
    side_beyond = work.side_beyond
    return law.gap + side_beyond[side] - (work.side_1[side] * place_1 + work.side_2[side] * place_2)


def nearest(law: ContactLaw, work: ContactWork, place_1: float, place_2: float) -> int:
    """Number of the side or corner that is nearest to a place [m] in the frame."""
    side = 0
    least = 0.0
    for i in range(int(law.sides)):
        gap = gap_to(law, work, i, place_1, place_2)
        if i == 0 or gap < least:
            least = gap
            side = i
    if least < 0.0:
        # The side with the largest depth is nearest, or one of its corners is.
        along = work.side_1[side] * place_2 - work.side_2[side] * place_1
        _, _, after = _corner(law, work, side, side)
        if along > after:
            return 2 * side + 2
        previous = side - 1 if side > 0 else int(law.sides) - 1
        _, _, before = _corner(law, work, previous, side)
        if along < before:
            return 2 * previous + 2
    return 2 * side + 1


def _corner(
    law: ContactLaw, work: ContactWork, side: int, along: int
) -> tuple[float, float, float]:
    """Position of the corner after a side, and its coordinate along the side `along` [m]."""
    side_1 = work.side_1
    side_2 = work.side_2
    after = next_side(law, side)
    gap = law.gap + work.side_beyond[side]
    gap_after = law.gap + work.side_beyond[after]
    turn = side_1[side] * side_2[after] - side_2[side] * side_1[after]
    place_1 = (gap * side_2[after] - gap_after * side_2[side]) / turn
    place_2 = (gap_after * side_1[side] - gap * side_1[after]) / turn
    return place_1, place_2, side_1[along] * place_2 - side_2[along] * place_1


def next_side(law: ContactLaw, side: int) -> int:
    """The side after a side."""
    return side + 1 if side + 1 < int(law.sides) else 0


def fill_facing(law: ContactLaw, work: ContactWork, faced: int) -> None:
    """Write the row `facing` of a side or corner."""
    facing = work.facing
    if facing[FACED] == faced and facing[GAP] == law.gap:
        return
    facing[FACED] = float(faced)
    facing[GAP] = law.gap
    side = (faced - 1) // 2
    if faced % 2 == 1:
        facing[FACING_1] = work.side_1[side]
        facing[FACING_2] = work.side_2[side]
        facing[ROOM] = law.gap + work.side_beyond[side]
        facing[IS_CORNER] = 0.0
        _, _, after = _corner(law, work, side, side)
        previous = side - 1 if side > 0 else int(law.sides) - 1
        _, _, before = _corner(law, work, previous, side)
        _fill_border(work, side, after, -1.0, NEXT_BORDER)
        _fill_border(work, side, before, 1.0, PREVIOUS_BORDER)
    else:
        after = next_side(law, side)
        place_1, place_2, along = _corner(law, work, side, side)
        facing[FACING_1] = place_1
        facing[FACING_2] = place_2
        facing[ROOM] = 0.0
        facing[IS_CORNER] = 1.0
        _, _, along_after = _corner(law, work, side, after)
        _fill_border(work, after, along_after, -1.0, NEXT_BORDER)
        _fill_border(work, side, along, 1.0, PREVIOUS_BORDER)


def _fill_border(work: ContactWork, side: int, along: float, sense: float, at: int) -> None:
    """Write ± (the place along a side − `along`), with the sign `sense`, into `facing`."""
    facing = work.facing
    facing[at] = -sense * along
    facing[at + 1] = -sense * work.side_2[side]
    facing[at + 2] = sense * work.side_1[side]


def stays_clear(work: ContactWork, gap: float, count: int) -> bool:
    """Whether a point `gap` [m] from the wall of a hole does not meet it in a piece.

    Also writes its displacement and a bound of the distance between path and chord, for `is_far`.
    """
    facing = work.facing
    position_1 = work.position_1
    position_2 = work.position_2
    way_1 = position_1[1]
    way_2 = position_2[1]
    bend = 0.0
    for j in range(2, count):
        way_1 += position_1[j]
        way_2 += position_2[j]
        bend += abs(position_1[j]) + abs(position_2[j])
    facing[WAY_1] = way_1
    facing[WAY_2] = way_2
    facing[BEND] = bend
    return abs(way_1) + abs(way_2) + bend < gap


def is_far(law: ContactLaw, work: ContactWork, side: int) -> bool:
    """Whether both ends of a path are further from a side than the path is from its chord."""
    facing = work.facing
    gap = gap_to(law, work, side, work.position_1[0], work.position_2[0])
    left = gap - (work.side_1[side] * facing[WAY_1] + work.side_2[side] * facing[WAY_2])
    return min(gap, left) > facing[BEND]


def is_beyond(work: ContactWork, rounding: float) -> bool:
    """Whether a point is beyond a border of its side or corner by more than `rounding` [m]."""
    facing = work.facing
    position_1 = work.position_1
    position_2 = work.position_2
    least = 0.0
    for at in (NEXT_BORDER, PREVIOUS_BORDER):
        room = facing[at] + facing[at + 1] * position_1[0] + facing[at + 2] * position_2[0]
        least = min(least, room)
    return least < -rounding


def time_to_border(work: ContactWork) -> float:
    """Time [s] to the first border ahead at the present velocity, or 0 without one."""
    facing = work.facing
    position_1 = work.position_1
    position_2 = work.position_2
    velocity_1 = work.velocity_1
    velocity_2 = work.velocity_2
    time = 0.0
    for at in (NEXT_BORDER, PREVIOUS_BORDER):
        rate = facing[at + 1] * velocity_1[0] + facing[at + 2] * velocity_2[0]
        if rate < 0.0:
            room = facing[at] + facing[at + 1] * position_1[0] + facing[at + 2] * position_2[0]
            ahead = -room / rate
            if ahead > 0.0 and (time == 0.0 or ahead < time):
                time = ahead
    return time


def share_of_next(work: ContactWork, along_1: float, along_2: float) -> float:
    """Share b/(a + b) of the next side in a force F = a n + b n' along this outward direction."""
    facing = work.facing
    if facing[IS_CORNER] == 0.0:
        return 0.0
    after = facing[PREVIOUS_BORDER + 1] * along_1 + facing[PREVIOUS_BORDER + 2] * along_2
    before = facing[NEXT_BORDER + 1] * along_1 + facing[NEXT_BORDER + 2] * along_2
    total = after + before
    if total <= 0.0:
        return 0.0
    return min(max(after / total, 0.0), 1.0)


def follow_event(
    law: ContactLaw, s: ContactState, work: ContactWork, event: int, works: list[float]
) -> None:
    """Set the side or corner faced after an event. `works` [J] has an entry for each side."""
    if law.obstacle != POLYGON:
        return
    faced = int(s.faced)
    if event == NEXT_FACED:
        faced = faced + 1 if faced < 2 * int(law.sides) else 1
    elif event == PREVIOUS_FACED:
        faced = faced - 1 if faced > 1 else 2 * int(law.sides)
    elif event == CLOSING_LOWER:
        faced = 2 * int(work.exit[EXIT_SIDE]) + 1
    elif event == RELEASE or (event == OPENING and law.contact_damping == 0.0):
        faced = 0
    if faced != int(s.faced):
        turn_to(law, s, faced, works)


def turn_to(law: ContactLaw, s: ContactState, faced: int, works: list[float]) -> None:
    """Set the side or corner faced (0: outside), and store the wear work of the previous one.

    The total work of a side is stored, so storing it twice has no effect.
    """
    keep_faced(law, s, works, 0)
    s.faced = float(faced)
    s.side_work = 0.0
    s.next_work = 0.0
    if faced > 0:
        side = (faced - 1) // 2
        s.side_work = works[side]
        if faced % 2 == 0:
            s.next_work = works[next_side(law, side)]


def keep_faced(law: ContactLaw, s: ContactState, works: list[float], at: int) -> None:
    """Write the wear work of the sides that the point faces into the works from `at` on."""
    faced = int(s.faced)
    if faced > 0:
        side = (faced - 1) // 2
        works[at + side] = s.side_work
        if faced % 2 == 0:
            works[at + next_side(law, side)] = s.next_work


def settle_facing(
    law: ContactLaw, s: ContactState, work: ContactWork, is_inside: bool, works: list[float]
) -> None:
    """Set the side or corner faced after a start or change: the nearest if the point is inside."""
    if law.obstacle == POLYGON:
        faced = 0
        if is_inside:
            faced = nearest(law, work, work.position_1[0], work.position_2[0])
        turn_to(law, s, faced, works)
