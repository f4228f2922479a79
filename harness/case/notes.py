"""The one list of notes on a case: command line, report and JSON show it alike.

A note is one line about what runs but rarely is meant so. It never changes a run or an exit code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from fmu_src.bundled.definition import FmuDefinition
from fmu_src.models import ModalShock
from harness.case.case_file import Case
from harness.case.parameter_notes import all_parameters, notes_on, parameter_notes
from harness.case.structure_notes import structure_notes, structure_of_run
from harness.fmu.history import RunRecord
from harness.fmu.interface import FmuInterface
from harness.fmu.noise import NoiseSignal
from harness.fmu.signals import SampledSignal, Signal
from harness.schema import ParameterValue
from wearmodel.structure import Structure

TRIAL_STRUCTURE = (
    "no structure is given: this is the tube that ModalShock has to try; "
    'structure = "FILE" under [case] names your own'
)


def case_notes(
    case: Case, interface: FmuInterface, history: RunRecord | None = None
) -> tuple[str, ...]:
    """Return the notes on a case; whoever has more to note adds it here.

    Parameters
    ----------
    case : Case
        As it ran.
    interface : FmuInterface
        The FMU that runs.
    history : RunRecord, optional
        What came out, all outputs; without it only what is known before the run is noted.
    """
    outputs = None if history is None else history.values
    compared = bool(case.expectations)
    notes = [
        *parameter_notes(interface, case.parameters, outputs=outputs, compared=compared),
        *input_notes(case.inputs),
    ]
    if case.heading.fmu == "ModalShock" and case.structure is None:
        notes.append(TRIAL_STRUCTURE)
    parameters = all_parameters(interface, case.parameters)
    structure = structure_of_run(interface, case.structure, parameters)
    if structure is not None:
        notes += structure_notes(structure, case.inputs, history, compared=compared)
    return tuple(notes)


def motion_notes(
    model: FmuInterface | FmuDefinition,
    given: Mapping[str, ParameterValue],
    inputs: Mapping[str, Signal],
    *,
    structure: Structure | None = None,
) -> tuple[str, ...]:
    """Return the notes on one of many runs, which are those that are known before it.

    Parameters
    ----------
    model : FmuInterface or FmuDefinition
        What runs: an FMU, or one of our models by the kernel.
    given : mapping
        Parameters that are set, by name.
    inputs : mapping of str to Signal
        Those that are fed.
    structure : Structure, optional
        Of a ModalShock that has one of its own, before parameters are set.

    Raises
    ------
    ValueError, TypeError
        For parameters that the model refuses.
    """
    notes = list(input_notes(inputs))
    if isinstance(model, FmuInterface):
        notes = [*parameter_notes(model, given), *notes]
        structure = structure_of_run(model, None, all_parameters(model, given))
    else:
        if model.name == ModalShock.__name__:
            structure = (structure or ModalShock.structure).with_parameters(given)
        else:
            values: dict[str, Any] = dict(given)
            parameters = model.parameters(**values)
            numbers = {
                quantity.name: getattr(parameters, quantity.name) for quantity in fields(parameters)
            }
            notes = [*notes_on(model.name, numbers, given), *notes]
    if structure is not None:
        notes += structure_notes(structure, inputs)
    return tuple(notes)


def input_notes(inputs: Mapping[str, Signal]) -> Iterator[str]:
    """Yield the notes on inputs: what was skipped in tables, and noises that are one."""
    for name, signal in inputs.items():
        for note in signal.notes if isinstance(signal, SampledSignal) else ():
            yield f"inputs.{name}: {note}"
    by_seed: dict[int, list[str]] = {}
    for name, signal in inputs.items():
        if isinstance(signal, NoiseSignal) and signal.rms > 0.0:
            by_seed.setdefault(signal.seed, []).append(f"inputs.{name}")
    for seed, names in by_seed.items():
        if len(names) > 1:
            yield (
                f"{', '.join(names[:-1])} and {names[-1]} have one seed, {seed}, and so are made "
                "of the same random numbers; give each its own unless they belong together"
            )
