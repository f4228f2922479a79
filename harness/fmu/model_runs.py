"""Runs of the shipped models by the kernel, without an FMU, with inputs that are known as arrays.

FrictionalShock and ModalShock use a compiled library if there is one. Other models run step by
step, by the slave of their FMU.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fmu_src.models import fmu_definition
from harness.errors import RunError
from harness.fmu.step_inputs import Course
from harness.schema import ParameterValue
from wearmodel.arrays import Floats
from wearmodel.batch.record_runs import RecordRuns, run_records
from wearmodel.batch.run_state import RunState
from wearmodel.batch.structure_runs import run_structure
from wearmodel.compiled.run_library import KERNELS, runs_of
from wearmodel.kernel.shoe.parameters import FrictionalShockParameters, InputTiming
from wearmodel.structure import Structure

Histories = Mapping[str, Floats]

_ORDER = "input_extrapolation_order"


@dataclass(frozen=True)
class StepModel:
    """A shipped model that is run without an FMU."""

    name: str
    # Parameters by name, except parameters of a structure.
    parameters: Mapping[str, ParameterValue]
    # Structure of a ModalShock, with the parameters of the run.
    structure: Structure | None = None
    # Time of the first change of a parameter [s].
    changes_at: float = math.inf
    # Whether displacements are checked, or only shown.
    judges_displacement: bool = True

    @property
    def takes_derivatives(self) -> bool:
        """Whether the kernel uses derivatives of inputs."""
        return fmu_definition(self.name).takes_derivatives

    @property
    def is_compiled(self) -> bool:
        """Whether there is a library that runs the model."""
        return self.name in KERNELS and runs_of(self.name, compiles=False).is_compiled

    def run(
        self, course: Course, names: Sequence[str], state: RunState, *, compiles: bool
    ) -> tuple[Histories, int]:
        """Run from the start or from a state, and return the histories of outputs and the pieces.

        The course begins at the state.

        Only FrictionalShock and ModalShock count pieces. If `compiles`, a missing library is
        is compiled. Raises ValueError, TypeError or ArithmeticError if the model rejects a value,
        and RunError or ArithmeticError if the run fails.
        """
        if self.structure is not None:
            return _structure_run(self, course, names, state, compiles)
        if self.name not in KERNELS:
            return _stepped_run(self, course, names, state)
        parameters: dict[str, Any] = dict(self.parameters)
        shoe = FrictionalShockParameters(**parameters)
        done = shoe_runs(shoe, course, names, state, compiles=compiles)
        if done.failures:
            raise RunError(done.failures[0].reason)
        return done.histories, done.pieces


def shoe_runs(
    parameters: FrictionalShockParameters | Sequence[FrictionalShockParameters],
    course: Course,
    names: Sequence[str],
    state: RunState | None,
    *,
    compiles: bool,
) -> RecordRuns:
    """Run FrictionalShock with one or several sets of parameters, see `run_records`."""
    between: Any = "linear" if course.timing is InputTiming.end else "extrapolated"
    given: dict[str, Any] = {"base_acceleration": np.zeros_like(course.times), **course.values}
    return run_records(
        parameters,
        course.step_sizes if isinstance(course.step_sizes, float) else course.times,
        between_samples=between if course.derivatives is None else "derivatives",
        derivatives=course.derivatives,
        histories=names,
        threads=1,
        state=state,
        compiles=compiles,
        **given,
    )


def _structure_run(
    model: StepModel, course: Course, names: Sequence[str], state: RunState, compiles: bool
) -> tuple[Histories, int]:
    assert model.structure is not None
    order: dict[str, Any] = {_ORDER: model.parameters[_ORDER]} if _ORDER in model.parameters else {}
    done = run_structure(
        model.structure,
        course.values,
        step_size=course.step_sizes,
        steps=course.times.size - 1,
        outputs=names,
        start_time=float(course.times[0]),
        input_timing=course.timing,
        derivatives=course.derivatives,
        state=state,
        compiles=compiles,
        **order,
    )
    return done.history, done.pieces


def _stepped_run(
    model: StepModel, course: Course, names: Sequence[str], state: RunState
) -> tuple[Histories, int]:
    """Run step by step as in the FMU of the model, with the inputs at the end of each step."""
    slave = fmu_definition(model.name).slave(instance_name=model.name, resources="")
    named = {
        causality: [variable.name for variable in slave.table if variable.causality == causality]
        for causality in ("input", "output")
    }
    samples = np.zeros((course.times.size, len(named["input"])))
    for column, name in enumerate(named["input"]):
        samples[:, column] = course.values.get(name, 0.0)
    start, *fed = samples.tolist()
    if not state.contents:
        begin = float(course.times[0])
        state.contents = [slave.create_model(dict(model.parameters), begin, start)]
    (running,) = state.contents
    rows = [running.output_values()]
    times = course.times[:-1]
    sizes = np.broadcast_to(course.step_sizes, times.size)
    steps = zip(times.tolist(), sizes.tolist(), fed, strict=True)
    for time, step_size, row in steps:
        slave.advance(running, time, step_size, row)
        rows.append(running.output_values())
    state.reach(state.steps + times.size, state.contents)
    columns = np.array(rows, dtype=np.float64).T
    return {name: columns[named["output"].index(name)] for name in names}, 0
