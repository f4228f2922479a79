"""Parameters of a structure's contacts that change in a run, by the names `NAME.gap` …"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy

from ..quantities import changes_between, with_changes
from ..structure.description import Contact, Structure


def changes_of(first: Structure, present: Structure) -> dict[str, float]:
    """Values by name of the contacts' parameters in which a structure differs from its first."""
    return {
        f"{contact.name}.{name}": value
        for before, contact in zip(first.contacts, present.contacts)
        for name, value in changes_between(before.parameters, contact.parameters).items()
    }


def with_contact_changes(structure: Structure, changes: Mapping[str, float]) -> Structure:
    """The structure with other values of contacts' tunable parameters, each held to its own range.

    TypeError or ValueError if a name is not a tunable parameter of a contact, or a value is out
    of its range.
    """
    by_contact: dict[str, dict[str, float]] = {contact.name: {} for contact in structure.contacts}
    for name, value in changes.items():
        owner, _, quantity = name.rpartition(".")
        if owner not in by_contact:
            raise TypeError(
                f"{name!r} is no parameter of a contact of this structure; there are the contacts: "
                f"{', '.join(by_contact)}"
            )
        by_contact[owner][quantity] = value
    # Copies, not constructed anew: rules between values are the caller's.
    changed = copy(structure)
    contacts = [_changed(contact, by_contact[contact.name]) for contact in structure.contacts]
    object.__setattr__(changed, "contacts", tuple(contacts))
    return changed


def _changed(contact: Contact, changes: Mapping[str, float]) -> Contact:
    if not changes:
        return contact
    changed = copy(contact)
    try:
        parameters = with_changes(contact.parameters, changes)
    except ValueError as error:
        raise ValueError(f"{contact.name}.{error}") from None
    object.__setattr__(changed, "parameters", parameters)
    return changed
