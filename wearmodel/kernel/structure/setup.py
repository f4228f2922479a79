"""Contacts of a structure from their declared parameters: rules between these, and what follows.

The parameters of a structure stand in one row: input_extrapolation_order, input_timing, and then
those of each contact in the order of their declaration.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..contact.obstacle import CIRCLE
from ..contact.parameters import (
    GAP_OF_CIRCLE,
    LEAST_DAMPING,
    RULE_COUNT,
    WEAK_DAMPER,
    broken_contact_rule,
    complete_contact,
    critical_damping,
)
from ..limits import NO_RULE
from .limits import CONTACT_PARAMETERS, FIRST_CONTACT

if TYPE_CHECKING:
    from ..contact.parameters import ContactLaw


def broken_structure_rule(
    p: list[float], laws: list[ContactLaw], law: ContactLaw
) -> tuple[int, float, float]:
    """Number of the first rule that the contacts' values break, and the two that its text shows.

    `laws` tells the contacts' obstacles and mobilities; `law` is scratch.
    """
    for index in range(len(laws)):
        known = laws[index]
        take_parameters(p, index, law)
        law.obstacle = known.obstacle
        rule, first, second = broken_contact_rule(law)
        if rule == NO_RULE and law.obstacle == CIRCLE and not law.gap > 0.0:
            rule = GAP_OF_CIRCLE
            first = law.gap
        if rule == NO_RULE and law.friction_coefficient > 0.0 and known.mobility > 0.0:
            least = LEAST_DAMPING * critical_damping(law.tangential_stiffness, known.mobility)
            if 0.0 < law.tangential_damping < least:
                rule = WEAK_DAMPER
                first = law.tangential_damping
                second = least
        if rule != NO_RULE:
            return index * RULE_COUNT + rule, first, second
    return NO_RULE, 0.0, 0.0


def complete_structure(p: list[float], laws: list[ContactLaw]) -> None:
    """Give all contacts their parameters, and what follows from these."""
    for index in range(len(laws)):
        law = laws[index]
        take_parameters(p, index, law)
        complete_contact(law)


def take_parameters(p: list[float], index: int, law: ContactLaw) -> None:
    """Copy the declared parameters of the contact `index`, in the order of their declaration."""
    at = FIRST_CONTACT + index * CONTACT_PARAMETERS
    law.gap = p[at]
    law.contact_stiffness = p[at + 1]
    law.contact_damping = p[at + 2]
    law.residual_flexibility = p[at + 3]
    law.tangential_stiffness = p[at + 4]
    law.tangential_damping = p[at + 5]
    law.friction_coefficient = p[at + 6]
    law.friction_coefficient_static = p[at + 7]
    law.archard_coefficient = p[at + 8]
    law.wear_area = p[at + 9]
    law.friction_coefficient_slow = p[at + 10]
    law.friction_decay_velocity = p[at + 11]
    law.viscous_friction = p[at + 12]
    law.wear_feedback = p[at + 13]
    law.wear_time_scale = p[at + 14]
