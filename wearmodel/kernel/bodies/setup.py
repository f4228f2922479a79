"""Contacts between bodies: rules between their parameters, and derived quantities."""

from __future__ import annotations

from math import sqrt

from ..contact.parameters import ContactLaw
from ..state_objects import Rows
from ..structure.setup import broken_law
from ..structure.state_objects import Modes


def broken_bodies_rule(
    masses: list[float], contact_bodies: Rows, modes: Modes, coupling: Rows, laws: list[ContactLaw]
) -> tuple[int, float, float]:
    """Number of the first rule that the declared values break, and two values to show.

    Also writes the modes, and the mobilities of the contacts, which the rules need.
    """
    for i in range(3 * len(masses)):
        modes.inverse_mass[i] = 1.0 / masses[i // 3]
        modes.root_mass[i] = sqrt(masses[i // 3])
    for index in range(len(laws)):
        row = coupling[index]
        for other in range(len(laws)):
            row[other] = 0.0
            for side in range(2):
                for other_side in range(2):
                    number = contact_bodies[index][side]
                    if number >= 0.0 and number == contact_bodies[other][other_side]:
                        row[other] += 1.0 / masses[int(number)]
        law = laws[index]
        law.mobility = row[index]
        law.normal_mobility = row[index]
    return broken_law(laws)
