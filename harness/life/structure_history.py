"""A run of a structure for a life: compiled, its inputs joined by straight lines."""

from __future__ import annotations

from collections.abc import Sequence

from harness.case.case_file import Case
from harness.fmu.history import RunRecord
from wearmodel import StepError, run_structure
from wearmodel.structure import Structure


def structure_history(structure: Structure, case: Case, outputs: Sequence[str]) -> RunRecord | str:
    """Return the histories of a case's run of a structure, or why it failed.

    Parameters
    ----------
    structure : Structure
        As it is described; the case's parameters take the place of its contacts'.
    case : Case
        Parameters, inputs and times.
    outputs : sequence of str
        Names of the outputs wanted.
    """
    experiment = case.experiment
    times = experiment.times()
    try:
        run = run_structure(
            structure.with_parameters(case.parameters),
            {name: signal.sample(times) for name, signal in case.inputs.items()},
            step_size=experiment.step_size,
            steps=experiment.step_count,
            outputs=outputs,
            start_time=experiment.start_time,
        )
    except (ValueError, StepError) as problem:
        return str(problem)
    return RunRecord(times=times, values=dict(run.history), seconds=0.0, messages=())
