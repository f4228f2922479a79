"""Notes on the step and the parameters of a sweep, without repetitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from harness.case.notes import motion_notes, step_model_of
from harness.fmu.input_timing import input_reading
from harness.fmu.interface import FmuInterface
from harness.fmu.signals import Signal
from harness.fmu.step_check import Finding, largest_input, step_findings
from harness.sweep.points import Point
from harness.sweep.study import Study

# Parameters of the interpretation of inputs between communication points.
_READING = ("input_timing", "input_extrapolation_order")
# Maximum number of checked points. A check takes about ten microseconds.
_MOST_LOOKS = 1000


def sweep_notes(study: Study, points: Sequence[Point], interface: FmuInterface) -> dict[str, int]:
    """Return the notes on the points of a sweep, each with its first point.

    Varied numbers change only the numbers in a note. Therefore a single point is checked for each
    combination of varied laws and switches. `interface` belongs to the FMU or the model.
    """
    variables = interface.variables.values()
    laws = {("parameters", by.name) for by in variables if by.type == "Enumeration"}
    switches = [
        at
        for at, (target, value) in enumerate(zip(study.targets, points[0], strict=True))
        if isinstance(value, bool | str) or target in laws
    ]
    combinations: dict[Point, int] = {}
    for number, point in enumerate(points if switches else points[:1]):
        combinations.setdefault(tuple(point[at] for at in switches), number)
    notes = _step_notes(study, points, interface)
    for number in combinations.values():
        for note in _notes_at(study, points[number], interface):
            notes.setdefault(note, number)
    return notes


def _step_notes(study: Study, points: Sequence[Point], interface: FmuInterface) -> dict[str, int]:
    """Return a note for each sine that needs a smaller step, with its first point.

    If there are many different inputs, only some are checked. The effect of the step is computed at
    the first point and at the point with the largest inputs. Raises ValueError if the effect is too
    large.
    """
    varied = [
        at
        for at, target in enumerate(study.targets)
        if target[0] == "inputs" or target[1] in _READING
    ]
    different: dict[Point, int] = {}
    for number, point in enumerate(points if varied else points[:1]):
        different.setdefault(tuple(point[at] for at in varied), number)
    numbers = list(different.values())
    chosen = {
        round(place) for place in np.linspace(0, len(numbers) - 1, min(len(numbers), _MOST_LOOKS))
    }
    looked = [numbers[at] for at in sorted(chosen)]
    largest = looked[largest_input([_inputs_at(study, points[number]) for number in looked])]
    is_meant = study.experiment.allow_coarse_step
    notes: dict[str, tuple[str, int]] = {}
    for number in looked:
        is_judged = number in (looked[0], largest)
        for finding in _findings_at(study, points[number], interface, is_judged=is_judged):
            if is_meant or not finding.is_error:
                notes.setdefault(finding.problem.partition(": ")[0], (finding.line, number))
            elif finding.is_effect:
                raise ValueError(f"point {number}: {finding.refusal}")
    return dict(notes.values())


def _inputs_at(study: Study, point: Point) -> Mapping[str, Signal]:
    """Return the inputs at a point, or {} if it fails."""
    try:
        return study.inputs_at(point)
    except ValueError:
        return {}


def _findings_at(
    study: Study, point: Point, interface: FmuInterface, *, is_judged: bool
) -> list[Finding]:
    """Return the problems of the step at a point, or [] if the point fails."""
    model = None
    try:
        parameters = study.parameters_at(point)
        reading = input_reading(study.experiment, interface, parameters)
        if is_judged:
            model = step_model_of(interface, None, parameters, structure=study.structure)
        if model is not None:
            measured = study.variables()
            is_result = measured is None or any("displacement" in name for name in measured)
            model = replace(model, judges_displacement=is_result)
        return step_findings(study.inputs_at(point), study.experiment, reading, model)
    except (ValueError, TypeError):
        return []


def _notes_at(study: Study, point: Point, interface: FmuInterface) -> tuple[str, ...]:
    """Return the notes at a point, or () if it fails."""
    given: dict[str, Any] = study.parameters_at(point)
    try:
        return motion_notes(interface, given, study.inputs_at(point), structure=study.structure)
    except (ValueError, TypeError):
        return ()
