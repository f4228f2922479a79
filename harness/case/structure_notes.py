"""The structure of a run, the wear powers of its contacts, and the notes on both."""

from __future__ import annotations

import json
import math
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from fmu_src.models import STRUCTURE_FILE, ModalShock, fmu_names
from harness.case.note_rules import FAR_GAP
from harness.case.parameter_notes import all_parameters, far_start
from harness.case.settled_mean import common_period, settled_mean
from harness.fmu.history import RunRecord
from harness.fmu.interface import FmuInterface
from harness.fmu.signals import ConstantSignal, Signal, SineSignal
from harness.fmu.step_effect import StepModel
from harness.schema import ParameterValue
from wearmodel.models.modal_quantities import structure_outputs
from wearmodel.statistics.error_bars import MeanRate
from wearmodel.structure import Structure, structure_of, warnings_of

# Shorter runs have no batches to compare.
_LEAST_STEPS = 100


def structure_notes(
    structure: Structure,
    inputs: Mapping[str, Signal],
    history: RunRecord | None = None,
    *,
    compared: bool = False,
) -> Iterator[str]:
    """Yield the notes on a run of a structure, and on its result if `history` is given.

    A case with expected values (`compared`) has no note on missing modes.
    """
    yield from warnings_of(structure, truncation=not compared)
    if not _is_moved(structure, inputs):
        known = "base_acceleration_x, _y and _z"
        loads = "".join(f", load.{load.name}" for load in structure.loads)
        yield (
            "the structure does not move: it starts at rest without gravity, and no input is set. "
            f"Set one of {known}{loads}"
        )
    if history is None:
        return
    for contact in structure.contacts:
        if history[f"{contact.name}.peak_normal_force"][-1] == 0.0:
            far = far_start(history[f"{contact.name}.clearance"])
            if far is not None:
                yield FAR_GAP.format(
                    gap=f"contact {contact.name}: its gap",
                    start=f"{far[0]:g}",
                    range=f"{far[1]:g}",
                    parameter=f"{contact.name}.gap",
                )
    if rubs(structure):
        for name, power in contact_wear_powers(history, structure, inputs).items():
            if power.warning:
                yield f"mean wear power of {name or 'all contacts'}: {power.warning}"


def rubs(structure: Structure) -> bool:
    """Return whether any contact has friction. Contacts without friction do not wear."""
    return any(contact.parameters.friction_coefficient > 0.0 for contact in structure.contacts)


def _is_moved(structure: Structure, inputs: Mapping[str, Signal]) -> bool:
    initial = structure.initial
    return (
        any(not _is_zero(signal) for signal in inputs.values())
        or any((*initial.displacement, *initial.velocity))
        or (any(structure.base.gravity) and not initial.equilibrium)
    )


def _is_zero(signal: Signal) -> bool:
    match signal:
        case ConstantSignal():
            return signal.value == 0.0
        case SineSignal():
            return signal.amplitude == signal.offset == 0.0
    return False


def contact_wear_powers(
    history: RunRecord, structure: Structure, inputs: Mapping[str, Signal]
) -> dict[str, MeanRate]:
    """Return the mean wear power [W] of each contact, and of all contacts by the name "".

    The result is empty for a run of fewer than 100 steps.
    """
    if history.steps < _LEAST_STEPS:
        return {}
    period = common_period(inputs)
    names = {contact.name: f"{contact.name}.wear_work" for contact in structure.contacts}
    return {
        owner: settled_mean(history.times, history[name], period=period)
        for owner, name in {**names, "": "wear_work"}.items()
    }


def structure_of_run(
    interface: FmuInterface, path: Path | None, parameters: Mapping[str, float]
) -> Structure | None:
    """Return the structure of an FMU with all parameters of a run, or `None` for another FMU.

    `path` is the structure file of the case, if it has one.
    """
    structure = _structure(interface, path)
    if structure is None:
        return None
    outputs = (output.name for output in structure_outputs(structure))
    if not all(name in interface.variables for name in outputs):
        return None
    switches = {
        name for name, variable in interface.variables.items() if variable.type == "Boolean"
    }
    typed = {name: bool(value) if name in switches else value for name, value in parameters.items()}
    return structure.with_parameters(typed)


def step_model_of(
    interface: FmuInterface,
    path: Path | None,
    given: Mapping[str, ParameterValue],
    *,
    changes_at: float = math.inf,
) -> StepModel | None:
    """Return the model of a shipped FMU, which is used to check the step, or `None`.

    `given` contains the parameters that are set, and `changes_at` is the time [s] of their first
    change.
    """
    name = interface.description.modelName
    if name not in fmu_names():
        return None
    structure = structure_of_run(interface, path, all_parameters(interface, given))
    if structure is None and name == ModalShock.__name__:
        return None
    return StepModel(name, given, structure, changes_at)


def own_step_model(
    name: str, given: Mapping[str, ParameterValue], structure: Structure | None
) -> StepModel:
    """Return a shipped model, which is used to check the step of a run without an FMU."""
    if name == ModalShock.__name__:
        structure = (structure or ModalShock.structure).with_parameters(given)
    return StepModel(name, given, structure)


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
    own = (variable.name for variable in ModalShock.table)
    return ModalShock.structure if all(name in interface.variables for name in own) else None
