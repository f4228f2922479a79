"""Rules between the declared parameters, each value being within its own range."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .friction import friction_rule
from .limits import PENALTY, PRESCRIBED, RIGID_CONTACT

if TYPE_CHECKING:
    from .records import Parameters

# Numbers of the rules, those of `friction` left out; the texts are in `parameters.RULES`.
NO_RULE = 0
GAP_WHERE_PRESCRIBED = 2
GAP_BELOW_ZERO = 3
GAP_TOO_WIDE = 4
START_BELOW_ZERO = 5
START_TOO_WIDE = 6
EQUILIBRIUM_WITHOUT_PENALTY = 7
EQUILIBRIUM_WITH_A_START = 8
FEEDBACK_WITHOUT_PENALTY = 11


def broken_rule(p: Parameters) -> tuple[int, float, float]:
    """Number of the first rule that the values break and the two values its text shows.

    What follows from the declared values is not asked for: they serve themselves as well.
    """
    rule, first, second = friction_rule(p)
    if rule != NO_RULE:
        return rule, first, second
    if p.wear_feedback != 0.0 and p.normal_law != PENALTY:
        return FEEDBACK_WITHOUT_PENALTY, 0.0, 0.0
    gap = p.initial_gap
    if p.normal_law == PRESCRIBED and gap != 0.0:
        return GAP_WHERE_PRESCRIBED, gap, 0.0
    if p.normal_law == RIGID_CONTACT:
        widest = 2.0 * p.plane_half_spacing
        start = gap + p.initial_normal_displacement
        if gap < 0.0:
            return GAP_BELOW_ZERO, gap, 0.0
        if p.obstacle != 0.0 and gap > widest:
            return GAP_TOO_WIDE, gap, widest
        if start < 0.0:
            return START_BELOW_ZERO, start, 0.0
        if p.obstacle != 0.0 and start > widest:
            return START_TOO_WIDE, start, widest
    if p.start_in_equilibrium != 0.0:
        if p.normal_law != PENALTY:
            return EQUILIBRIUM_WITHOUT_PENALTY, 0.0, 0.0
        if p.initial_normal_displacement != 0.0 or p.initial_normal_velocity != 0.0:
            return (
                EQUILIBRIUM_WITH_A_START,
                p.initial_normal_displacement,
                p.initial_normal_velocity,
            )
    return NO_RULE, 0.0, 0.0
