"""Notes on a case, which are the same on the command line, in the report and in JSON.

A note is one line about a valid but unusual setting. It never changes a run or an exit code. The
defaults of FrictionalShock reproduce SDND104, and some of them are not suitable for other contacts.
Parameters of one law have no effect with another law. There is no note on a default that the user
has set. The rules on parameters are in `harness.case.note_rules`.
"""

from __future__ import annotations

import json
import math
import zipfile
from collections.abc import Collection, Iterator, Mapping
from math import prod
from pathlib import Path
from typing import TypeAlias

import numpy as np

from fmu_src.models import STRUCTURE_FILE, ModalShock, fmu_definition, fmu_names
from harness.case.case_file import Case
from harness.case.note_rules import DEFAULTS, FAR, FAR_GAP, RULES, NoteRule
from harness.case.settled_mean import settled_rate
from harness.fmu.history import RunRecord
from harness.fmu.interface import FmuInterface
from harness.fmu.model_runs import StepModel
from harness.fmu.noise import NoiseSignal
from harness.fmu.signals import SampledSignal, Signal
from harness.fmu.step_check import input_size
from harness.records import missing_unit
from harness.schema import ParameterValue
from wearmodel.arrays import Floats
from wearmodel.models.modal_quantities import structure_outputs
from wearmodel.statistics.known_rate import KnownRate
from wearmodel.structure import Structure, normal_directions, structure_of, warnings_of

Outputs: TypeAlias = Mapping[str, Floats]
"""Histories of a run by the names of its outputs."""


def all_parameters(
    interface: FmuInterface, given: Mapping[str, bool | int | float | str]
) -> dict[str, float]:
    """Return all numeric parameters of a run, enumerations by their code.

    Parameters that are not `given` have their start values.
    """
    values = {}
    for name, variable in interface.variables.items():
        if variable.causality != "parameter" or variable.type == "String" or variable.dimensions:
            continue
        if name in given:
            value = interface.parameter(name, given[name])[1]
        else:
            value = {"true": 1, "false": 0}.get(variable.start, variable.start)
        values[name] = float(value)
    return values


def notes_on(
    model: str,
    values: Mapping[str, float],
    given: Collection[str],
    *,
    outputs: Outputs | None = None,
    compared: bool = False,
) -> tuple[str, ...]:
    """Return the notes on a run. They are empty for a model without rules.

    - `values`: parameters, enumerations by their code. Missing parameters have the default of the
      model.
    - `given`: names of the parameters that the user has set
    - `outputs`: result of the run. Without it, only notes that are known before the run are
      returned.
    - `compared`: whether the case has expected values
    """
    values = {**DEFAULTS, **values}
    noted = (
        _note(rule, values, given, outputs)
        for rule in RULES.get(model, ())
        if not (compared and rule.unless_compared)
    )
    return tuple(note for note in noted if note is not None)


def _note(
    rule: NoteRule,
    values: Mapping[str, float],
    given: Collection[str],
    outputs: Outputs | None,
) -> str | None:
    """Return the text of a rule for a run if it applies."""
    total = sum(
        parameter.factor * prod(values[name] for name in parameter.names)
        for parameter in rule.positive
    )
    applies = (
        all(values[name] in codes for name, codes in rule.where.items())
        and all(name not in given and values[name] == DEFAULTS[name] for name in rule.untouched)
        and all(name in given and values[name] != DEFAULTS[name] for name in rule.changed)
        and (not rule.positive or total > 0.0)
    )
    if not applies:
        return None
    figures = {**values, "sum": total}
    if rule.outputs:
        # An FMU from another tool may have the same model name.
        if outputs is None or any(name not in outputs for name in rule.outputs):
            return None
        if not all(outputs[name][-1] == 0.0 for name in rule.zero):
            return None
        if rule.not_zero and all(outputs[name][-1] == 0.0 for name in rule.not_zero):
            return None
        if rule.falls_to_zero:
            values_of = outputs[rule.falls_to_zero]
            if np.min(values_of[np.argmax(values_of > 0.0) :]) > 0.0:
                return None
        if rule.far:
            far = far_start(outputs[rule.far])
            if far is None:
                return None
            figures["start"], figures["range"] = far
    return rule.text.format_map({name: f"{figure:g}" for name, figure in figures.items()})


def far_start(gap: Floats) -> tuple[float, float] | None:
    """Return start and range of a gap that starts at more than `FAR` times its range, or None.

    A gap that does not change is not far, because the contact does not move.
    """
    start, change = float(gap[0]), float(np.max(gap) - np.min(gap))
    return (start, change) if start > FAR * change > 0.0 else None


# A static deflection above this number of gaps and above this length [m] is implausible.
_MANY_GAPS, _FAR_DEFLECTION = 100.0, 0.05
# Shorter runs do not have enough batches to compare.
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
    for axis in "xyz":
        name = f"base_acceleration_{axis}"
        if name in inputs and axis not in structure.base.given_axes:
            yield f"{name} has no effect: give participation_{axis} in [base] of the structure"
    yield from _load_notes(structure, inputs)
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
            if power.reason:
                yield f"mean wear power of {name or 'all contacts'}: {power.reason}"


def rubs(structure: Structure) -> bool:
    """Return whether any contact has friction. Contacts without friction do not wear."""
    return any(max(contact.parameters.coefficients) > 0.0 for contact in structure.contacts)


def _load_notes(structure: Structure, inputs: Mapping[str, Signal]) -> Iterator[str]:
    """Yield a note on each load whose static deflection without contacts is implausible."""
    stiffness = np.array(structure.modes.stiffness)
    flexibility = np.divide(1.0, stiffness, out=np.zeros_like(stiffness), where=stiffness > 0.0)
    for load in structure.loads:
        name = f"load.{load.name}"
        size = input_size(inputs[name]) if name in inputs else 0.0
        for contact in structure.contacts:
            moved = np.array(structure.contact_shape(contact)) @ (flexibility * load.shape)
            deflection = size * float(np.linalg.norm(normal_directions(contact).T @ moved))
            if deflection > max(_MANY_GAPS * contact.parameters.gap, _FAR_DEFLECTION):
                yield (
                    f"{name}: {size:.4g} N would deflect contact {contact.name} by "
                    f"{deflection:.3g} m without supports, {_MANY_GAPS:g} gaps or more: is it in N?"
                )
                break


def _is_moved(structure: Structure, inputs: Mapping[str, Signal]) -> bool:
    initial = structure.initial
    return (
        any(map(input_size, inputs.values()))
        or any((*initial.displacement, *initial.velocity))
        or (any(structure.base.gravity) and not initial.equilibrium)
    )


def contact_wear_powers(
    history: RunRecord, structure: Structure, inputs: Mapping[str, Signal]
) -> dict[str, KnownRate]:
    """Return the mean wear power [W] of each contact, and of all contacts by the name "".

    The result is empty for a run of fewer than 100 steps.
    """
    if history.steps < _LEAST_STEPS:
        return {}
    names = {contact.name: f"{contact.name}.wear_work" for contact in structure.contacts}
    return {
        owner: settled_rate(history.times, history[name], inputs)
        for owner, name in {**names, "": "wear_work"}.items()
    }


def structure_of_run(
    interface: FmuInterface, path: Path | None, parameters: Mapping[str, float]
) -> Structure | None:
    """Return the structure of an FMU with all parameters of a run, or `None` for other FMUs.

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
    structure: Structure | None = None,
    changes_at: float = math.inf,
) -> StepModel | None:
    """Return the model of a shipped FMU, which is used to check the step, or `None`.

    `given` contains the parameters that were set. `changes_at` is the time [s] of their first
    change. `structure` is the structure of a ModalShock that runs without an FMU.
    """
    name = interface.description.modelName
    if interface.is_model:
        return own_step_model(name, given, structure)
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


TRIAL_STRUCTURE = (
    "no structure is given, so ModalShock runs its example, a tube: "
    'set structure = "FILE" under [case] to run your own'
)


def case_notes(
    case: Case, interface: FmuInterface, history: RunRecord | None = None
) -> tuple[str, ...]:
    """Return the notes on a case, and on its result if `history` contains all outputs."""
    outputs = None if history is None else history.values
    compared = bool(case.expectations)
    parameters, model = all_parameters(interface, case.parameters), interface.description.modelName
    notes = [
        *notes_on(model, parameters, case.parameters, outputs=outputs, compared=compared),
        *input_notes(case.inputs),
    ]
    if case.heading.fmu == "ModalShock" and case.structure is None:
        notes.append(TRIAL_STRUCTURE)
    structure = structure_of_run(interface, case.structure, parameters)
    if structure is not None:
        notes += structure_notes(structure, case.inputs, history, compared=compared)
    return tuple(notes)


def motion_notes(
    interface: FmuInterface,
    given: Mapping[str, ParameterValue],
    inputs: Mapping[str, Signal],
    *,
    structure: Structure | None = None,
) -> tuple[str, ...]:
    """Return the notes on a run of a sweep that are known before it.

    `given` contains the parameters that were set. `structure` is the structure of a ModalShock that
    runs without an FMU, before they are set. Raises ValueError or TypeError for invalid parameters.
    """
    notes = list(input_notes(inputs))
    name = interface.description.modelName
    if not interface.is_model:
        known = all_parameters(interface, given)
        notes = [*notes_on(name, known, given), *notes]
        structure = structure_of_run(interface, None, known)
    elif name == ModalShock.__name__:
        structure = (structure or ModalShock.structure).with_parameters(given)
    else:
        parameters = fmu_definition(name).parameters(**given)
        notes = [*notes_on(name, vars(parameters), given), *notes]
    if structure is not None:
        notes += structure_notes(structure, inputs)
    return tuple(notes)


def input_notes(inputs: Mapping[str, Signal]) -> Iterator[str]:
    """Yield the notes on inputs: lines and units of tables, and noise inputs with the same seed."""
    for name, signal in inputs.items():
        if not isinstance(signal, SampledSignal):
            continue
        notes = list(signal.notes)
        # Other factors convert the unit, or change the peak on purpose.
        if signal.is_assumed and 0.5 <= abs(signal.scale) <= 2.0:
            peak = float(np.max(np.abs(signal.values / signal.scale)))
            notes += missing_unit(peak, "name the column 'acceleration [{unit}]'")
        yield from (f"inputs.{name}: {note}" for note in notes)
    by_seed: dict[int, list[str]] = {}
    for name, signal in inputs.items():
        if isinstance(signal, NoiseSignal) and signal.rms > 0.0:
            by_seed.setdefault(signal.seed, []).append(f"inputs.{name}")
    for seed, names in by_seed.items():
        if len(names) > 1:
            yield (
                f"{', '.join(names[:-1])} and {names[-1]} have the same seed, {seed}, and so the "
                "same random numbers: set different seeds for independent noise"
            )
