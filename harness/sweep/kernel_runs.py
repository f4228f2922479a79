"""Runs of a sweep by the kernel, without an FMU. Results agree with the FMU within rounding.

All points of FrictionalShock with the same inputs run in a single call of its compiled library.
Other models run point by point, see `harness.fmu.model_runs`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from fmu_src.models import fmu_names
from harness.case.notes import own_step_model
from harness.fmu.history import RunRecord
from harness.fmu.input_timing import InputReading, input_reading
from harness.fmu.interface import FmuInterface
from harness.fmu.model_runs import shoe_runs
from harness.fmu.signals import Signal
from harness.fmu.step_check import require_fine_step
from harness.fmu.step_inputs import received_course
from harness.sweep.points import Point
from harness.sweep.study import Study, model_interface
from wearmodel import FrictionalShockParameters
from wearmodel.batch.run_state import RunState
from wearmodel.models.frictional_shock import OUTPUT_NAMES
from wearmodel.structure import Structure

# The index of each point with its record or its failure.
_Outcomes: TypeAlias = Iterator[tuple[int, RunRecord | str]]


def kernel_interface(model: str, structure: Structure | None = None) -> FmuInterface:
    """Return the variables of a model with its structure.

    Raises ValueError if the kernel cannot run the model.
    """
    if model not in fmu_names():
        raise ValueError(
            f"sweep.engine = 'kernel' runs cases of {', '.join(fmu_names())}, not of {model}: use "
            "engine = 'fmu'"
        )
    return model_interface(model, structure)


def continued_run(study: Study, state: RunState) -> RunRecord | str:
    """Continue a run of a study without targets, and return its record or its failure.

    `state` is from a previous run of the study, which may have been shorter. The record begins at
    its time. If the run fails, `state` may become empty.
    """
    ((_, outcome),) = kernel_runs(study, [()], state)
    return outcome


def kernel_runs(study: Study, points: Sequence[Point], state: RunState | None = None) -> _Outcomes:
    """Run the points, and yield the index of each with its record or its failure.

    `state`: see `continued_run`
    """
    if study.model == "FrictionalShock":
        yield from _shock_points(study, points, state)
        return
    for index, point in enumerate(points):
        try:
            yield index, _model_run(study, point, state or RunState())
        except (ValueError, TypeError, ArithmeticError) as problem:
            yield index, str(problem)


def _shock_points(study: Study, points: Sequence[Point], state: RunState | None) -> _Outcomes:
    """Run the points of FrictionalShock. Points with the same inputs and timing run together."""
    together: dict[
        tuple[InputReading, tuple[tuple[str, Signal], ...]],
        list[tuple[int, FrictionalShockParameters]],
    ] = {}
    for index, point in enumerate(points):
        try:
            inputs = tuple(study.inputs_at(point).items())
            parameters: dict[str, Any] = study.parameters_at(point)
            run = (index, FrictionalShockParameters(**parameters))
            reading = _reading(study, point)
        except (ValueError, TypeError) as problem:
            yield index, str(problem)
            continue
        together.setdefault((reading, inputs), []).append(run)
    for (reading, inputs), runs in together.items():
        yield from _shock_runs(study, reading, dict(inputs), runs, state)


def _reading(study: Study, point: Point) -> InputReading:
    return input_reading(study.experiment, study.interface, study.parameters_at(point))


def _shock_runs(
    study: Study,
    reading: InputReading,
    inputs: Mapping[str, Signal],
    runs: list[tuple[int, FrictionalShockParameters]],
    state: RunState | None,
) -> _Outcomes:
    times = study.experiment.times(0 if state is None else state.steps)
    wanted = study.variables() or OUTPUT_NAMES
    try:
        require_fine_step(inputs, study.experiment, reading)
        course = received_course(inputs, times, study.experiment.step_size, reading)
        sets = [parameters for _, parameters in runs]
        done = shoe_runs(sets, course, wanted, state, compiles=True)
    except ValueError as problem:
        # A parameter set without initial equilibrium must not affect other parameter sets.
        if len(runs) == 1:
            yield runs[0][0], str(problem)
            return
        for run in runs:
            yield from _shock_runs(study, reading, inputs, [run], state)
        return
    failures = {
        failure.parameter_set: f"t={times[0] + failure.time:.12g} s: {failure.reason}"
        for failure in done.failures
    }
    for row, (index, _) in enumerate(runs):
        if row in failures:
            yield index, failures[row]
        else:
            values = {name: done.histories[name][row] for name in wanted}
            yield index, RunRecord(times=times, values=values, seconds=0.0, messages=())


def _model_run(study: Study, point: Point, state: RunState) -> RunRecord:
    experiment, parameters = study.experiment, study.parameters_at(point)
    inputs, reading = study.inputs_at(point), _reading(study, point)
    require_fine_step(inputs, experiment, reading)
    model = own_step_model(study.model, parameters, study.structure)
    times = experiment.times(state.steps)
    course = received_course(inputs, times, experiment.step_size, reading)
    wanted = study.variables() or study.interface.outputs()
    histories, _ = model.run(course, wanted, state, compiles=True)
    return RunRecord(times=times, values=dict(histories), seconds=0.0, messages=())
