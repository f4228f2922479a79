"""Notes on a case, which are the same on the command line, in the report and in JSON.

A note is one line about a valid but unusual setting. It never changes a run or an exit code.
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
    "no structure is given, so ModalShock runs its example, a tube: "
    'set structure = "FILE" under [case] to run your own'
)


def case_notes(
    case: Case, interface: FmuInterface, history: RunRecord | None = None
) -> tuple[str, ...]:
    """Return the notes on a case, and on its result if all outputs are given as `history`."""
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
    """Return the notes on a run of a sweep that are known before it.

    `model` is an FMU, or a shipped model that the kernel runs. `given` contains the parameters that
    are set. `structure` is the structure of a ModalShock before they are set. Raises ValueError or
    TypeError for invalid parameters.
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
    """Yield the notes on inputs: skipped lines of tables, and noises with the same seed."""
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
                f"{', '.join(names[:-1])} and {names[-1]} have the same seed, {seed}, and so the "
                "same random numbers: set different seeds for independent noise"
            )
