"""Contacts of a structure from their declared parameters: rules between these, and what follows.

The parameters of a structure stand in one row: input_extrapolation_order, input_timing, and then
those of each contact in the order of their declaration.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from .friction import coefficient_rule
from .modal_limits import CIRCLE, CONTACT_PARAMETERS, FIRST_CONTACT, LEAST_DAMPING

if TYPE_CHECKING:
    from .modal_records import ContactLaw

# Numbers of the rules of one contact, beside those of `friction`; the texts are in
# `contact_parameters.RULES`. Those of the contact with the index c are c · RULE_COUNT higher.
NO_RULE = 0
NO_STIFFNESS = 11
NO_FLEXIBILITY = 12
STICK_WITHOUT_SLIP = 13
VARYING_WITHOUT_SLIP = 14
NO_FRICTION_SPRING = 15
GAP_OF_CIRCLE = 16
WEAK_DAMPER = 17
RULE_COUNT = 19


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


def broken_contact_rule(law: ContactLaw) -> tuple[int, float, float]:
    """Number of the first rule that a contact's declared values break, and two values."""
    fast = law.friction_coefficient
    slow = law.friction_coefficient_slow
    static = law.friction_coefficient_static
    if law.contact_stiffness == 0.0:
        return NO_STIFFNESS, 0.0, 0.0
    if law.contact_stiffness < 0.0 and law.residual_flexibility == 0.0:
        return NO_FLEXIBILITY, law.contact_stiffness, 0.0
    rule, first, second = coefficient_rule(fast, slow, law.friction_decay_velocity, static)
    if rule != NO_RULE:
        return rule, first, second
    if fast == 0.0 and static > 0.0:
        return STICK_WITHOUT_SLIP, static, 0.0
    if fast == 0.0 and (slow > 0.0 or law.viscous_friction > 0.0):
        return VARYING_WITHOUT_SLIP, slow, law.viscous_friction
    if fast > 0.0 and law.tangential_stiffness == 0.0:
        return NO_FRICTION_SPRING, max(fast, static), 0.0
    return NO_RULE, 0.0, 0.0


def complete_structure(p: list[float], laws: list[ContactLaw]) -> None:
    """Give all contacts their parameters, and what follows from these."""
    for index in range(len(laws)):
        law = laws[index]
        take_parameters(p, index, law)
        complete_contact(law)


def complete_contact(law: ContactLaw) -> None:
    """Replace coefficients that stand for others, and fill in what follows from the declared ones.

    A negative μ_0 stands for μ_d, a negative μ_s for μ_0, and a negative C_T for the critical
    damping of the contact's mass.
    """
    law.stiffness = series_stiffness(law)
    if law.friction_coefficient_slow < 0.0:
        law.friction_coefficient_slow = law.friction_coefficient
    if law.friction_coefficient_static < 0.0:
        law.friction_coefficient_static = law.friction_coefficient_slow
    law.friction_varies = 0.0
    law.holding_varies = 0.0
    if law.viscous_friction > 0.0 or law.friction_coefficient_slow != law.friction_coefficient:
        law.friction_varies = 1.0
        if law.viscous_friction > 0.0 or law.friction_coefficient > law.friction_coefficient_static:
            law.holding_varies = 1.0
    law.volume_per_work = law.wear_time_scale * law.archard_coefficient
    law.opening_per_work = 0.0
    if law.wear_feedback != 0.0:
        law.opening_per_work = law.volume_per_work / law.wear_area
    if law.tangential_damping < 0.0:
        law.tangential_damping = 0.0
        if law.mobility > 0.0:
            law.tangential_damping = critical_damping(law.tangential_stiffness, law.mobility)


def critical_damping(stiffness: float, mobility: float) -> float:
    """2√(k/b) [N.s/m] of a spring k [N/m] on a point of mobility b > 0 [1/kg]."""
    return 2.0 * sqrt(stiffness / mobility)


def series_stiffness(law: ContactLaw) -> float:
    """K_eff = 1/(1/K_N + f) [N/m], the obstacle and the modes left out in series."""
    if law.contact_stiffness < 0.0:
        return 1.0 / law.residual_flexibility
    return law.contact_stiffness / (1.0 + law.contact_stiffness * law.residual_flexibility)


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
