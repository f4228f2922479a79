"""Runs of a sweep by the kernel, without an FMU: the numbers are those of the FMU, to rounding.

`FrictionalShock` runs compiled where numba is installed, all points with the same inputs in one
call; `DisChoc`, whose steps cost next to nothing, runs interpreted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.fmu.experiment import Experiment
from harness.fmu.history import RunRecord
from harness.fmu.signals import Signal
from harness.messages import nearest
from harness.sweep.points import Point
from harness.sweep.study import Study
from wearmodel import FrictionalShockParameters, ShockSpring, ShockSpringParameters
from wearmodel.batch.record_runs import run_records
from wearmodel.models.frictional_shock import INPUT_UNITS
from wearmodel.models.frictional_shock import OUTPUT_NAMES as SHOCK_OUTPUTS
from wearmodel.models.shock_spring import OUTPUT_NAMES as SPRING_OUTPUTS

_SPRING_INPUTS = (
    *(f"load_{axis}" for axis in "xyz"),
    *(f"imposed_displacement_{axis}" for axis in "xyz"),
)


@dataclass(frozen=True)
class ModelNames:
    """Names that a model of the kernel knows, by role."""

    model: str
    names: Mapping[str, tuple[str, ...]]

    def require(self, role: str, asked: Iterable[str]) -> None:
        """Raise ValueError for the first name asked that is not one of this role."""
        known = self.names[role]
        for name in asked:
            if name not in known:
                raise ValueError(f"{self.model} has no {role} {name!r}{nearest(name, known)}")


def kernel_names(model: str, experiment: Experiment) -> ModelNames:
    """Return the names of a model's parameters, inputs and outputs.

    Raises
    ------
    ValueError
        If the kernel cannot run such a case.
    """
    if model == "FrictionalShock" and experiment.input_at == "start":
        return _names(model, FrictionalShockParameters, tuple(INPUT_UNITS), SHOCK_OUTPUTS)
    if model == "DisChoc":
        return _names(model, ShockSpringParameters, _SPRING_INPUTS, SPRING_OUTPUTS)
    raise ValueError(
        "sweep.engine = 'kernel' runs cases of FrictionalShock with experiment.input_at = "
        f"'start', and of DisChoc; this one is of {model} with '{experiment.input_at}': take "
        "engine = 'fmu'"
    )


def _names(
    model: str, parameters: type[Any], inputs: tuple[str, ...], outputs: tuple[str, ...]
) -> ModelNames:
    parameter_names = tuple(one.name for one in fields(parameters))
    return ModelNames(model, {"parameter": parameter_names, "input": inputs, "output": outputs})


def kernel_runs(study: Study, points: Sequence[Point]) -> Iterator[tuple[int, RunRecord | str]]:
    """Run the points; yield the place of each with its histories, or with why it failed."""
    if study.model == "DisChoc":
        for place, point in enumerate(points):
            try:
                yield place, _spring_run(study, point)
            except (ValueError, TypeError) as problem:
                yield place, str(problem)
        return
    together: dict[tuple[tuple[str, Signal], ...], list[tuple[int, FrictionalShockParameters]]] = {}
    for place, point in enumerate(points):
        try:
            inputs = tuple(study.inputs_at(point).items())
            parameters: dict[str, Any] = study.parameters_at(point)
            run = (place, FrictionalShockParameters(**parameters))
        except (ValueError, TypeError) as problem:
            yield place, str(problem)
            continue
        together.setdefault(inputs, []).append(run)
    for inputs, runs in together.items():
        yield from _shock_runs(study, dict(inputs), runs)


def _shock_runs(
    study: Study, inputs: Mapping[str, Signal], runs: list[tuple[int, FrictionalShockParameters]]
) -> Iterator[tuple[int, RunRecord | str]]:
    times = study.experiment.times()
    samples: dict[str, NDArray[np.float64]] = {"base_acceleration": np.zeros_like(times)}
    try:
        samples.update((name, signal.sample(times)) for name, signal in inputs.items())
        wanted = study.variables() or SHOCK_OUTPUTS
        done = run_records(
            [parameters for _, parameters in runs],
            study.experiment.step_size,
            **samples,
            between_samples="extrapolated",
            histories=wanted,
            threads=1,
        )
    except ValueError as problem:
        # One set of parameters, without an equilibrium to start in, must not fail the others.
        if len(runs) == 1:
            yield runs[0][0], str(problem)
            return
        for run in runs:
            yield from _shock_runs(study, inputs, [run])
        return
    failures = {
        one.parameter_set: f"t={study.experiment.start_time + one.time:.12g} s: {one.reason}"
        for one in done.failures
    }
    for row, (place, _) in enumerate(runs):
        if row in failures:
            yield place, failures[row]
        else:
            values = {name: done.histories[name][row] for name in wanted}
            yield place, RunRecord(times=times, values=values, seconds=0.0, messages=())


def _spring_run(study: Study, point: Point) -> RunRecord:
    parameters: dict[str, Any] = study.parameters_at(point)
    spring = ShockSpring(ShockSpringParameters(**parameters))
    times = study.experiment.times()
    inputs = {
        name: signal.sample(times).tolist() for name, signal in study.inputs_at(point).items()
    }
    history = np.empty((len(times), len(SPRING_OUTPUTS)))
    # As in an FMU: the first inputs at once, then before each step those of its start or end.
    lead = 1 if study.experiment.input_at == "end" else 0
    for row in range(len(times)):
        sample = 0 if row == 0 else row - 1 + lead
        spring.step(**{name: samples[sample] for name, samples in inputs.items()})
        history[row] = spring.output_values()
    values = dict(zip(SPRING_OUTPUTS, history.T, strict=True))
    return RunRecord(times=times, values=values, seconds=0.0, messages=())
