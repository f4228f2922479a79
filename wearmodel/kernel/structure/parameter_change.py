"""A change of the contacts' parameters in a run of a structure, as in `shoe.parameter_change`."""

from __future__ import annotations

from ..contact.obstacle import gap_now
from ..contact.parameter_change import contact_energy, presses_otherwise, settle_contact
from ..contact.parameters import ContactLaw
from ..contact.polygon import settle_facing, turn_to
from ..limits import CHANGE_OVERFLOWS, CHANGE_RUNS_AWAY, OK
from .measures import place_point, slack_energy
from .state_objects import Body, StructureState, StructureWork
from .steps import state_total


def change_structure_parameters(
    old_laws: list[ContactLaw], body: Body, state: StructureState, work: StructureWork
) -> tuple[int, float, float]:
    """Change the contacts from the completed `old_laws` to the laws of the body, at this instant.

    Returns OK, or a code and two numbers for its message. The state is then incomplete.
    """
    shapes = body.shapes
    laws = body.laws
    motion = state.motion
    contacts = state.contacts
    side_works = state.side_works
    works = work.works
    now = state.now
    for index in range(len(laws)):
        law = laws[index]
        old_law = old_laws[index]
        s = contacts[index]
        contact_work = works[index]
        presses_anew = presses_otherwise(old_law, law)
        place_point(shapes, old_law, s, motion, contact_work, index)
        before = contact_energy(old_law, s, contact_work)
        slack = slack_energy(old_law, s, gap_now(old_law, s, contact_work))
        if presses_anew:
            turn_to(old_law, s, 0, side_works[index])
        place_point(shapes, law, s, motion, contact_work, index)
        now.parameter_change_work += contact_energy(law, s, contact_work) - before
        if presses_anew:
            is_inside = gap_now(law, s, contact_work) < 0.0
            settle_facing(law, s, contact_work, is_inside, side_works[index])
        if not settle_contact(law, s, contact_work, presses_anew):
            return CHANGE_RUNS_AWAY, float(index), 0.0
        s.damping_work += slack_energy(law, s, gap_now(law, s, contact_work)) - slack
    total = state_total(motion, contacts) + now.parameter_change_work
    # The difference is zero unless the sum, and so one of the numbers, is not finite.
    if total - total != 0.0:
        return CHANGE_OVERFLOWS, 0.0, 0.0
    return OK, 0.0, 0.0
