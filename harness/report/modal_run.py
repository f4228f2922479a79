"""A run of a structure in its contacts, with quantities of its page that are not outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from harness.case.structure_notes import contact_wear_powers, rubs
from harness.fmu.changes import ParameterChange
from harness.fmu.history import RunRecord
from harness.fmu.signals import Signal
from wearmodel import ContactMode
from wearmodel.statistics.error_bars import MeanRate
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR
from wearmodel.structure import Contact, Structure


@dataclass(frozen=True)
class ModalRun:
    """A run of ModalShock.fmu, or of an FMU with the same variables."""

    # Outputs.
    history: RunRecord
    # The structure with the parameters of the contacts at the end of the run.
    structure: Structure
    inputs: Mapping[str, Signal]
    # Changes of the contacts' parameters.
    changes: Sequence[ParameterChange] = ()

    def of(self, contact: Contact, name: str) -> NDArray[np.float64]:
        """Return the history of one output of a contact."""
        return self.history[f"{contact.name}.{name}"]

    def at_end(self, contact: Contact, name: str) -> float:
        """Return the last value of one output of a contact."""
        return float(self.of(contact, name)[-1])

    def vectors(self, contact: Contact, name: str) -> NDArray[np.float64]:
        """Return the history of an output along x, y and z, shape (n, 3)."""
        return np.column_stack([self.of(contact, f"{name}_{axis}") for axis in "xyz"])

    def friction_force(self, contact: Contact) -> NDArray[np.float64]:
        """Return the magnitude of the friction force, N."""
        return np.asarray(np.linalg.norm(self.vectors(contact, "friction_force"), axis=1))

    def share(self, contact: Contact, *modes: ContactMode) -> float:
        """Return the share of the communication points, without the initial one, in these modes."""
        return float(np.mean(np.isin(self.of(contact, "contact_mode")[1:], modes)))

    def worn_gaps(self, contact: Contact) -> tuple[float, float] | None:
        """Return the gaps at the end, m, of the lower and the upper plane. A hole has the first.

        There is no result if wear does not open the gap.
        """
        if not contact.parameters.wear_feedback:
            return None
        lower, upper = (
            contact.parameters.gap + self.at_end(contact, f"wear_depth_{plane}")
            for plane in ("lower", "upper")
        )
        return lower, upper

    @property
    def rubs(self) -> bool:
        """Whether any contact has friction. Contacts without friction do not wear."""
        return rubs(self.structure)

    @property
    def most_worn(self) -> list[Contact]:
        """The contacts in the order of their wear work and then of their largest force."""
        return sorted(
            self.structure.contacts,
            key=lambda contact: (
                -self.at_end(contact, "wear_work"),
                -self.at_end(contact, "peak_normal_force"),
            ),
        )

    def depth_a_year(self, contact: Contact) -> float | None:
        """Return the wear depth after a year of such motion [m], unless the run is too short."""
        power = self.wear_powers.get(contact.name)
        if power is None:
            return None
        p = contact.parameters
        return float(p.archard_coefficient * power.mean / p.wear_area * SECONDS_PER_YEAR)

    @cached_property
    def wear_powers(self) -> dict[str, MeanRate]:
        """Mean wear power [W] with its interval of each contact. The name of the total is ""."""
        return contact_wear_powers(self.history, self.structure, self.inputs)
