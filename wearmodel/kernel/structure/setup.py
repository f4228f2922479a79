"""Contacts of a structure: rules between their parameters, and derived quantities."""

from __future__ import annotations

from ..contact.obstacle import RULE_COUNT, broken_rule_in_place
from ..contact.parameters import ContactLaw, complete_contact
from ..limits import INPUT_AT_END, INPUT_AT_START, NO_RULE
from .state_objects import StructureParameters

# Number of the only rule that does not concern a contact.
UNKNOWN_TIMING = 4


def broken_structure_rule(
    p: StructureParameters, laws: list[ContactLaw]
) -> tuple[int, float, float]:
    """Number of the first rule that the declared values break, and two values to show."""
    timing = p.input_timing
    if not (timing == INPUT_AT_START or timing == INPUT_AT_END):
        return UNKNOWN_TIMING, timing, 0.0
    return broken_law(laws)


def broken_law(laws: list[ContactLaw]) -> tuple[int, float, float]:
    """As `broken_structure_rule`, for the contacts."""
    for index in range(len(laws)):
        rule, first, second = broken_rule_in_place(laws[index])
        if rule != NO_RULE:
            return index * RULE_COUNT + rule, first, second
    return NO_RULE, 0.0, 0.0


def complete_structure(laws: list[ContactLaw]) -> None:
    """Compute the derived quantities of all contacts."""
    for index in range(len(laws)):
        complete_contact(laws[index])
