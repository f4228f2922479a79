"""Runs FrictionalShock.fmu under a recorded shaking."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from pydantic import ValidationError

from fmu_src.models import fmu_definition
from harness.case.parameter_notes import all_parameters, parameter_notes
from harness.errors import UsageError
from harness.fmu.experiment import Experiment
from harness.fmu.input_timing import InputReading, input_reading
from harness.fmu.interface import FmuInterface, read_interface
from harness.fmu.signals import SampledSignal, Signal
from harness.fmu.simulation import simulated_blocks
from harness.fmu.step_check import Finding, has_error, step_findings
from harness.fmu.step_comparison import compared
from harness.fmu.step_effect import StepModel
from harness.messages import first_problem
from harness.post import require_finite
from harness.schema import ParameterValue
from harness.shaking.shaking_history import ShakingHistory
from harness.shaking.shaking_record import ShakingRecord
from harness.shaking.shaking_result import ShakingResult
from wearmodel import FrictionalShock, FrictionalShockParameters
from wearmodel.kernel.shoe.parameters import InputTiming
from wearmodel.statistics import StatisticsSettings, shock_statistics, statistics_tables
from wearmodel.units import STANDARD_GRAVITY

FMU = fmu_definition("FrictionalShock")

# What is shaken: what the shaking's pictures, notes and statistics are about.
SHAKEN_FMU = FMU.name
# Without another wish. The lines between samples are taken exactly at any step; but peaks, the time
# in slip and the statistics are those of the communication points.
_LONGEST_STEP = 1e-3
# Samples are taken at the ends of steps, and weights by the g in which accelerations are recorded.
RECORD_PARAMETERS: Mapping[str, ParameterValue] = MappingProxyType(
    {"input_timing": InputTiming.end.name, "gravity": STANDARD_GRAVITY}
)
"""Defaults for a record in place of the FMU's."""
# Times as many steps, tried in turn where samples at irregular times lie within steps.
_FINER = (1, 2, 4, 8, 16)
# Rows of a history, some 200 bytes each.
_MOST_ROWS = 2_000_000
# Of a run with more: long beside what a block costs, short beside the history that is kept.
_BLOCK_STEPS = 100_000
# The operator's own window ends at 999 s.
_ALL_THE_RUN = StatisticsSettings(window_start=-math.inf, window_end=math.inf)


def require_parameters(
    shaking: ShakingRecord, parameters: Mapping[str, bool | int | float | str]
) -> None:
    """Raise UsageError if FrictionalShock would refuse these parameters, set by `--set`.

    Each is in its own range already, see `harness.case.parameter_texts`; these are the rules
    between them, and whether there is an equilibrium to start in.
    """
    values: dict[str, Any] = {**RECORD_PARAMETERS, **parameters}
    normal = shaking.normal_acceleration
    try:
        FrictionalShock(
            FrictionalShockParameters(**values),
            base_acceleration=float(shaking.acceleration[0]),
            base_acceleration_normal=0.0 if normal is None else float(normal[0]),
        )
    except ValueError as problem:
        raise UsageError(f"--set {problem}") from None


def run_shaking(
    fmu_path: Path,
    shaking: ShakingRecord,
    *,
    parameters: Mapping[str, bool | int | float | str] | None = None,
    substeps: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> ShakingResult:
    """Drive FrictionalShock.fmu with a shaking.

    Parameters
    ----------
    fmu_path : Path
        The FMU.
    shaking : ShakingRecord
        Straight lines join its points.
    parameters : mapping, optional
        Values by name, which replace `RECORD_PARAMETERS`.
    substeps : int, optional
        Communication steps in a sampling interval, ≥ 1; default as many as make a step ≤ 1 ms, or
        more where samples at irregular times would be lost within steps.
    progress : callable, optional
        Called at the start and then now and then, with the fraction done, up to 1.

    Raises
    ------
    UsageError
        If `substeps` is not ≥ 1, leaves more steps than a history can hold, or makes a step that is
        too coarse for the shaking.
    RecordError
        If a number of the statistics is beyond what a float holds.
    FmuError, RunError
        As `harness.simulate`.
    """
    if substeps is not None and substeps < 1:
        raise UsageError(f"--substeps {substeps} must be ≥ 1")
    inputs: dict[str, Signal] = {
        "base_acceleration": SampledSignal(shaking.times, shaking.acceleration)
    }
    if shaking.normal_acceleration is not None:
        inputs["base_acceleration_normal"] = SampledSignal(
            shaking.times, shaking.normal_acceleration
        )
    values = {**RECORD_PARAMETERS, **(parameters or {})}
    interface = read_interface(fmu_path)
    experiment, substeps, findings = _experiment_for(shaking, inputs, substeps, interface, values)
    is_long = experiment.step_count > _MOST_ROWS
    kept = ShakingHistory(substeps if is_long else 1)
    blocks = simulated_blocks(
        fmu_path,
        experiment,
        parameters=values,
        inputs=inputs,
        progress=progress,
        # Whole samples; what fits is one block, so that nothing is copied.
        block_steps=substeps * -(-_BLOCK_STEPS // substeps) if is_long else experiment.step_count,
    )
    # What overflows is refused where it is laid out.
    with closing(blocks), np.errstate(over="ignore", invalid="ignore"):
        statistics = shock_statistics(kept.shock_records(blocks), _ALL_THE_RUN)
    require_finite(shaking.path, statistics_tables(statistics))
    history = kept.history()
    notes = (
        *findings,
        *parameter_notes(interface, values, outputs=history.values),
    )
    if is_long:
        notes += (
            f"{experiment.step_count} steps are too many to keep: pictures and history have one "
            "point a sample of the record; numbers and statistics count every step",
        )
    return ShakingResult(
        shaking=shaking,
        fmu_path=fmu_path,
        parameters=values,
        values=all_parameters(interface, values),
        notes=notes,
        experiment=experiment,
        inputs=inputs,
        history=history,
        largest=kept.largest,
        slip_share=kept.slip_count / experiment.step_count,
        statistics=statistics,
    )


def with_half_the_step(
    result: ShakingResult, *, progress: Callable[[float], None] | None = None
) -> ShakingResult:
    """Run the shaking of a result again at half the step; return it with the comparison.

    Parameters and errors are those of `run_shaking`.
    """
    experiment = result.experiment
    finer = run_shaking(
        result.fmu_path,
        result.shaking,
        parameters=result.parameters,
        substeps=2 * experiment.output_stride,
        progress=progress,
    )
    numbers = [(quantity.name, quantity.unit, quantity.value) for quantity in result.quantities()]
    others = [quantity.value for quantity in finer.quantities()]
    return replace(result, step_comparison=compared(experiment.step_size, numbers, others))


def _experiment_for(
    shaking: ShakingRecord,
    inputs: Mapping[str, Signal],
    substeps: int | None,
    interface: FmuInterface,
    parameters: Mapping[str, bool | int | float | str],
) -> tuple[Experiment, int, list[str]]:
    """Return the experiment, its steps in a sampling interval, and notes on the step."""
    # An interval that is a whole number of these but for rounding.
    first = substeps or max(1, math.ceil(shaking.interval / _LONGEST_STEP - 1e-9))
    for factor in (1,) if substeps else _FINER:
        count = factor * first
        experiment = _experiment(shaking, count)
        reading = input_reading(experiment, interface, parameters)
        model = StepModel(SHAKEN_FMU, parameters)
        findings = step_findings(inputs, experiment, reading, model)
        # Finer steps meet the samples of a record; an extrapolation is the user's wish.
        if not findings or (reading.is_extrapolated and not has_error(findings)):
            break
    if has_error(findings):
        raise UsageError(f"--substeps {count}: {_in_substeps(findings[0], reading)}")
    return experiment, count, [_in_substeps(finding, reading) for finding in findings]


def _experiment(shaking: ShakingRecord, substeps: int) -> Experiment:
    start, stop = float(shaking.times[0]), float(shaking.times[-1])
    step_size = (stop - start) / (shaking.interval_count * substeps)
    try:
        return Experiment(
            start_time=start,
            stop_time=stop,
            step_size=step_size,
            output_interval=substeps * step_size,
        )
    except ValidationError as problem:
        raise UsageError(f"--substeps {substeps}: {first_problem(problem)}") from None


def _in_substeps(finding: Finding, reading: InputReading) -> str:
    """Return a finding with the remedy that there is for a recorded shaking."""
    other = ", or leave input_timing at end" if reading.is_extrapolated else ""
    return f"{finding.problem}: take more --substeps{other}"
