"""Runs of a sweep by the kernel, without an FMU. The results agree with the FMU to rounding.

FrictionalShock and structures run by a compiled library if there is one. All points of
FrictionalShock with the same inputs run in a single call. Other models run step by step, by the
slave of their FMU.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from fmu_src.bundled.definition import FmuDefinition
from fmu_src.bundled.slave import SafeSlave
from fmu_src.models import ModalShock, fmu_names
from harness.fmu.history import RunRecord
from harness.fmu.input_timing import InputReading, input_reading
from harness.fmu.signals import Signal, input_derivatives
from harness.fmu.step_check import require_fine_step
from harness.messages import unknown_variable
from harness.sweep.points import Point
from harness.sweep.study import Study, model_definition
from wearmodel import FrictionalShockParameters
from wearmodel.batch.record_runs import run_records
from wearmodel.batch.run_state import RunState
from wearmodel.batch.structure_runs import run_structure
from wearmodel.kernel.shoe.parameters import InputTiming
from wearmodel.models.frictional_shock import OUTPUT_NAMES
from wearmodel.structure import Structure

# The index of each point with its histories or its failure.
_Outcomes: TypeAlias = Iterator[tuple[int, RunRecord | str]]
# Parameters of a structure that do not belong to contacts, except for the timing of inputs.
_OPTIONS = ("input_extrapolation_order",)


@dataclass(frozen=True)
class ModelNames:
    """Names of the variables of a model by role, and the units of its inputs."""

    model: str
    names: Mapping[str, tuple[str, ...]]
    units: Mapping[str, str]

    def require(self, role: str, asked: Iterable[str]) -> None:
        """Raise ValueError for the first name that does not have this role."""
        causalities = {name: has for has, names in self.names.items() for name in names}
        for name in asked:
            if causalities.get(name) != role:
                raise ValueError(unknown_variable(name, role, self.model, causalities, self.model))

    def require_all(
        self, parameters: Iterable[str], inputs: Iterable[str], outputs: Iterable[str]
    ) -> None:
        """Raise ValueError unless the model has these variables, as `FmuInterface.require_all`."""
        self.require("parameter", parameters)
        self.require("input", inputs)
        self.require("output", outputs)


def kernel_names(model: str, structure: Structure | None = None) -> ModelNames:
    """Return the names of parameters, inputs and outputs of a model with its structure.

    Raises ValueError if the kernel cannot run the model.
    """
    if model not in fmu_names():
        raise ValueError(
            f"sweep.engine = 'kernel' runs cases of {', '.join(fmu_names())}, not of {model}: use "
            "engine = 'fmu'"
        )
    definition = model_definition(model, structure)
    table = definition.slave.table
    return ModelNames(
        model,
        {role: _names(definition, role) for role in ("parameter", "input", "output")},
        {variable.name: variable.unit for variable in table if variable.causality == "input"},
    )


def _names(definition: FmuDefinition, role: str) -> tuple[str, ...]:
    return tuple(variable.name for variable in definition.slave.table if variable.causality == role)


def kernel_runs(study: Study, points: Sequence[Point]) -> _Outcomes:
    """Run the points, and yield the index of each with its histories or its failure."""
    return _COMPILED.get(study.model, _stepped_runs)(study, points, None)


def continued_run(study: Study, state: RunState) -> RunRecord | str:
    """Continue a run of a study without targets, and return its histories or its failure.

    `state` is left by a previous run of the study, which may have been shorter. The histories begin
    at its time. If the run fails, or the model does not store its state, `state` becomes empty, and
    the histories begin at the start.
    """
    ((_, outcome),) = _COMPILED.get(study.model, _stepped_runs)(study, [()], state)
    return outcome


def _shock_points(study: Study, points: Sequence[Point], state: RunState | None) -> _Outcomes:
    """Run the points of FrictionalShock, those with the same inputs and timing together."""
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
    return input_reading(study.experiment, study.definition, study.parameters_at(point))


def _shock_runs(
    study: Study,
    reading: InputReading,
    inputs: Mapping[str, Signal],
    runs: list[tuple[int, FrictionalShockParameters]],
    state: RunState | None,
) -> _Outcomes:
    times = study.experiment.times()
    samples: dict[str, Any] = {"base_acceleration": np.zeros_like(times)}
    try:
        require_fine_step(inputs, study.experiment, reading)
        samples.update((name, signal.sample(times)) for name, signal in inputs.items())
        slopes = input_derivatives(inputs, times, reading.derivatives)
        wanted = study.variables() or OUTPUT_NAMES
        done = run_records(
            [parameters for _, parameters in runs],
            study.experiment.step_size,
            **samples,
            between_samples=(
                "derivatives" if slopes else "linear" if reading.end == "end" else "extrapolated"
            ),
            derivatives=slopes or None,
            histories=wanted,
            threads=1,
            state=state,
        )
    except ValueError as problem:
        # A parameter set without initial equilibrium must not affect the others.
        if len(runs) == 1:
            yield runs[0][0], str(problem)
            return
        for run in runs:
            yield from _shock_runs(study, reading, inputs, [run], state)
        return
    began = study.experiment.start_time
    failures = {
        failure.parameter_set: f"t={began + failure.time:.12g} s: {failure.reason}"
        for failure in done.failures
    }
    for row, (index, _) in enumerate(runs):
        if row in failures:
            yield index, failures[row]
        else:
            values = {name: done.histories[name][row] for name in wanted}
            reached = times[times.size - done.time.size :]
            yield index, RunRecord(times=reached, values=values, seconds=0.0, messages=())


def _structure_points(study: Study, points: Sequence[Point], state: RunState | None) -> _Outcomes:
    """Run the points of a structure one after the other."""
    structure = study.structure or ModalShock.structure
    for index, point in enumerate(points):
        try:
            yield index, _structure_run(study, structure, point, state)
        except (ValueError, TypeError, ArithmeticError) as problem:
            yield index, str(problem)


def _structure_run(
    study: Study, structure: Structure, point: Point, state: RunState | None
) -> RunRecord:
    experiment = study.experiment
    times = experiment.times()
    wanted = study.variables() or _names(study.definition, "output")
    parameters = study.parameters_at(point)
    options: dict[str, Any] = {name: parameters[name] for name in _OPTIONS if name in parameters}
    reading = _reading(study, point)
    options["input_timing"] = InputTiming[reading.end]
    inputs = study.inputs_at(point)
    require_fine_step(inputs, experiment, reading)
    run = run_structure(
        structure.with_parameters(parameters),
        {name: signal.sample(times) for name, signal in inputs.items()},
        step_size=experiment.step_size,
        steps=experiment.step_count,
        outputs=wanted,
        start_time=experiment.start_time,
        derivatives=input_derivatives(inputs, times, reading.derivatives) or None,
        state=state,
        **options,
    )
    return RunRecord(times=run.time, values=dict(run.history), seconds=0.0, messages=())


# Functions that run points by a compiled kernel, by model.
_Points = Callable[[Study, Sequence[Point], RunState | None], _Outcomes]
_COMPILED: dict[str, _Points] = {
    "FrictionalShock": _shock_points,
    "ModalShock": _structure_points,
}


def _stepped_runs(study: Study, points: Sequence[Point], state: RunState | None) -> _Outcomes:
    """Run the points one after the other, step by step, without storing the state."""
    slave = study.definition.slave(instance_name=study.model, resources="")
    for index, point in enumerate(points):
        try:
            yield index, _stepped_run(slave, study, point)
        except (ValueError, TypeError, ArithmeticError) as problem:
            yield index, str(problem)


def _stepped_run(slave: SafeSlave, study: Study, point: Point) -> RunRecord:
    experiment = study.experiment
    times = experiment.times()
    signals = study.inputs_at(point)
    reading = _reading(study, point)
    require_fine_step(signals, experiment, reading)
    inputs = [
        signals[name].sample(times) if name in signals else np.zeros_like(times)
        for name in _names(study.definition, "input")
    ]
    samples = np.array(inputs).reshape(len(inputs), len(times)).T.tolist()
    model = slave.create_model(study.parameters_at(point), experiment.start_time, samples[0])
    rows = [model.output_values()]
    # As in an FMU, each step receives the inputs of its start or end.
    fed = samples[1:] if reading.end == "end" else samples[:-1]
    for time, row in zip(times[:-1].tolist(), fed, strict=True):
        slave.advance(model, time, experiment.step_size, row)
        rows.append(model.output_values())
    histories = np.array(rows, dtype=np.float64).T
    values = dict(zip(_names(study.definition, "output"), histories, strict=True))
    return RunRecord(times=times, values=values, seconds=0.0, messages=())
