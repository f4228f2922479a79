"""A run of a structure in its contacts with what its page needs besides the outputs."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fmu_src.models.modal_shock import FMU as MODAL_SHOCK
from fmu_src.models.modal_shock import STRUCTURE_FILE, ModalShock
from harness.case.mean_until import common_period, settled_mean
from harness.fmu.history import RunRecord
from harness.fmu.interface import FmuInterface
from harness.fmu.signals import Signal
from harness.report.labels import shown_unit
from wearmodel import ContactMode
from wearmodel.models.modal_quantities import structure_outputs
from wearmodel.statistics.error_bars import MeanRate
from wearmodel.structure import Contact, Structure, structure_of

# Fewer communication points have no batches to compare.
_LEAST_STEPS = 100


@dataclass(frozen=True)
class ModalRun:
    """A run of ModalShock.fmu, or of an FMU that offers all that it does.

    Parameters
    ----------
    history : RunRecord
        Its outputs.
    structure : Structure
        With the parameters that the contacts had in the run.
    inputs : mapping of str to Signal
        Those that were fed.
    """

    history: RunRecord
    structure: Structure
    inputs: Mapping[str, Signal]

    def of(self, contact: Contact, name: str) -> NDArray[np.float64]:
        """Return the history of one output of a contact."""
        return self.history[f"{contact.name}.{name}"]

    def at_end(self, contact: Contact, name: str) -> float:
        """Return the last value of one output of a contact."""
        return float(self.of(contact, name)[-1])

    def unit(self, contact: Contact, name: str) -> str:
        """Return the unit of one output of a contact as it is shown."""
        return shown_unit(self.history.units.get(f"{contact.name}.{name}"))

    def vectors(self, contact: Contact, name: str) -> NDArray[np.float64]:
        """Return the history of an output along x, y and z, shape (n, 3)."""
        return np.column_stack([self.of(contact, f"{name}_{axis}") for axis in "xyz"])

    def friction_force(self, contact: Contact) -> NDArray[np.float64]:
        """Return the magnitude of the friction force, N."""
        return np.asarray(np.linalg.norm(self.vectors(contact, "friction_force"), axis=1))

    def share(self, contact: Contact, *modes: ContactMode) -> float:
        """Return the part of the communication points after the initial one in these modes."""
        return float(np.mean(np.isin(self.of(contact, "contact_mode")[1:], modes)))

    @property
    def rubs(self) -> bool:
        """Whether any contact has friction, without which none wears."""
        return any(one.parameters.friction_coefficient > 0.0 for one in self.structure.contacts)

    @property
    def most_worn(self) -> list[Contact]:
        """The contacts by their wear work, the largest first; then by their largest force."""
        return sorted(
            self.structure.contacts,
            key=lambda one: (
                -self.at_end(one, "wear_work"),
                -self.at_end(one, "peak_normal_force"),
            ),
        )

    @cached_property
    def wear_powers(self) -> dict[str, MeanRate]:
        """Mean wear power [W] with its interval of each contact, and of all by the name ""."""
        if self.history.steps < _LEAST_STEPS:
            return {}
        period = common_period(self.inputs)
        names = {one.name: f"{one.name}.wear_work" for one in self.structure.contacts}
        return {
            owner: settled_mean(self.history.times, self.history[name], period=period)
            for owner, name in {**names, "": "wear_work"}.items()
        }


def structure_of_run(
    interface: FmuInterface, path: Path | None, parameters: Mapping[str, float]
) -> Structure | None:
    """Return the structure that an FMU has, with the parameters of a run; None if it has none.

    Parameters
    ----------
    interface : FmuInterface
        Of the FMU.
    path : Path, optional
        The structure file of the case.
    parameters : mapping of str to float
        All of them, as `harness.case.parameter_notes.all_parameters` gives them.
    """
    structure = _structure(interface, path)
    if structure is None:
        return None
    outputs = (one.name for one in structure_outputs(structure))
    if not all(name in interface.variables for name in outputs):
        return None
    return structure.with_parameters(parameters)


def _structure(interface: FmuInterface, path: Path | None) -> Structure | None:
    from wearmodel.structure import read_structure

    if path is not None:
        return read_structure(path)
    member = f"resources/{STRUCTURE_FILE}"
    text = None
    if interface.path.is_dir():
        file = interface.path / member
        text = file.read_text(encoding="utf-8") if file.is_file() else None
    else:
        with zipfile.ZipFile(interface.path) as archive:
            if member in archive.namelist():
                text = archive.read(member).decode("utf-8")
    if text is not None:
        return structure_of(json.loads(text))
    own = (one.name for one in MODAL_SHOCK.slave.table)
    return ModalShock.structure if all(name in interface.variables for name in own) else None
