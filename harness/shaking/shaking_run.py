"""Run of a recorded base motion through FrictionalShock.fmu.

Statistics, largest values and the time in slip include all communication points. The history of a
long run contains only some of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from pydantic import ValidationError

from fmu_src.models import fmu_definition
from harness.case.notes import all_parameters, notes_on
from harness.errors import UsageError
from harness.fmu.experiment import Experiment
from harness.fmu.history import RunRecord
from harness.fmu.input_timing import InputReading, input_reading
from harness.fmu.interface import FmuInterface, read_interface
from harness.fmu.model_runs import StepModel
from harness.fmu.signals import SampledSignal, Signal
from harness.fmu.simulation import simulated_blocks
from harness.fmu.step_check import Finding, has_error, step_findings
from harness.fmu.step_comparison import compared
from harness.messages import first_problem
from harness.post import require_finite
from harness.provenance import used
from harness.records import matched_columns, shock_record
from harness.schema import ParameterValue
from harness.shaking.shaking_record import ShakingRecord
from harness.shaking.shaking_result import ShakingResult
from wearmodel import ContactMode, FrictionalShock, FrictionalShockParameters
from wearmodel.kernel.shoe.parameters import InputTiming
from wearmodel.statistics import (
    ShockRecord,
    StatisticsSettings,
    shock_statistics,
    statistics_tables,
)
from wearmodel.units import STANDARD_GRAVITY

# Outputs whose largest magnitude is stored.
_LARGEST = ("slip_velocity", "relative_displacement")


class ShakingHistory:
    """Collects the successive blocks of a run, and stores every `stride`-th communication point."""

    def __init__(self, stride: int) -> None:
        self.largest = dict.fromkeys(_LARGEST, 0.0)
        self.slip_count = 0
        self._stride = stride
        self._point_count = 0
        self._kept: list[RunRecord] = []

    def shock_records(self, blocks: Iterable[RunRecord]) -> Iterator[ShockRecord]:
        """Yield the record of each block for the statistics."""
        for block in blocks:
            initial = 1 if self._point_count == 0 else 0
            self.slip_count += int(
                np.count_nonzero(block["contact_mode"][initial:] == ContactMode.SLIP)
            )
            for name in _LARGEST:
                self.largest[name] = max(self.largest[name], float(np.max(np.abs(block[name]))))
            self._keep(block)
            samples = {"time": block.times, **block.values}
            yield shock_record(matched_columns(samples, {}), samples)

    def history(self) -> RunRecord:
        """Return the stored points."""
        first, last = self._kept[0], self._kept[-1]
        if first is last:
            return first
        return replace(
            last,
            times=np.concatenate([part.times for part in self._kept]),
            values={
                name: np.concatenate([part[name] for part in self._kept]) for name in first.values
            },
            seconds=sum(part.seconds for part in self._kept),
        )

    def _keep(self, block: RunRecord) -> None:
        begin = -self._point_count % self._stride
        self._point_count += len(block.times)
        if self._stride > 1:
            # Copied, because a view would keep the whole block in memory.
            kept = {
                name: column[begin :: self._stride].copy() for name, column in block.values.items()
            }
            block = replace(block, times=block.times[begin :: self._stride].copy(), values=kept)
        self._kept.append(block)


FMU = fmu_definition("FrictionalShock")

SHAKEN_FMU = FMU.name
# Default limit of the step [s]. Linear interpolation between samples is exact at any step, but
# peaks, the time in slip and the statistics are evaluated at communication points.
_LONGEST_STEP = 1e-3
# Inputs are values at the ends of steps. The gravity is equal to the unit g of accelerations.
RECORD_PARAMETERS: Mapping[str, ParameterValue] = MappingProxyType(
    {"input_timing": InputTiming.end.name, "gravity": STANDARD_GRAVITY}
)
"""Defaults for a record, which replace the FMU's defaults."""
# Factors of the number of steps, tried in turn if samples at irregular times are within steps.
_FINER = (1, 2, 4, 8, 16)
# Maximum number of rows of a history, about 200 bytes each.
_MOST_ROWS = 2_000_000
# Steps of a block of a longer run.
_BLOCK_STEPS = 100_000
# The default window of the operator ends at 999 s.
_ALL_THE_RUN = StatisticsSettings(window_start=-math.inf, window_end=math.inf)


def require_parameters(
    shaking: ShakingRecord, parameters: Mapping[str, bool | int | float | str]
) -> None:
    """Raise UsageError if FrictionalShock rejects these parameters, set by `--set`.

    It checks the rules between parameters and the initial equilibrium. The range of each parameter
    was checked before, see `harness.fmu.interface`.
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
    """Run FrictionalShock.fmu under a recorded base motion.

    - `shaking`: the record, which is linearly interpolated
    - `parameters`: values by name, in addition to `RECORD_PARAMETERS`
    - `substeps`: communication steps per sampling interval, ≥ 1. The default gives steps ≤ 1 ms, or
      shorter steps if samples at irregular times are within steps.
    - `progress`: called with the completed fraction, 0 to 1

    Raises UsageError if `substeps` gives too many steps or too coarse a step. Raises
    RecordError if a number of the statistics overflows. See `harness.simulate` for FmuError
    and RunError.
    """
    inputs: dict[str, Signal] = {
        "base_acceleration": SampledSignal(shaking.times, shaking.acceleration)
    }
    if shaking.normal_acceleration is not None:
        inputs["base_acceleration_normal"] = SampledSignal(
            shaking.times, shaking.normal_acceleration
        )
    values = {**RECORD_PARAMETERS, **(parameters or {})}
    interface = read_interface(fmu_path)
    used(SHAKEN_FMU, values, interface.variables.values())
    experiment, substeps, findings = _experiment_for(shaking, inputs, substeps, interface, values)
    is_long = experiment.step_count > _MOST_ROWS
    kept = ShakingHistory(substeps if is_long else 1)
    blocks = simulated_blocks(
        fmu_path,
        experiment,
        parameters=values,
        inputs=inputs,
        progress=progress,
        # Blocks of whole samples. A short run is a single block, which is not copied.
        block_steps=substeps * -(-_BLOCK_STEPS // substeps) if is_long else experiment.step_count,
    )
    # `require_finite` reports overflows.
    with closing(blocks), np.errstate(over="ignore", invalid="ignore"):
        statistics = shock_statistics(kept.shock_records(blocks), _ALL_THE_RUN)
    require_finite(shaking.path, statistics_tables(statistics))
    history = kept.history()
    all_values = all_parameters(interface, values)
    model = interface.description.modelName
    notes = (*findings, *notes_on(model, all_values, values, outputs=history.values))
    if is_long:
        notes += (
            f"{experiment.step_count} steps are too many to store: pictures and history contain "
            "the samples of the record only. Numbers and statistics include all steps",
        )
    return ShakingResult(
        shaking=shaking,
        fmu_path=fmu_path,
        parameters=values,
        values=all_values,
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
    """Run the record of a result again at half the step, and return it with the comparison."""
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
    """Return the experiment, its steps per sampling interval, and notes on the step."""
    # The tolerance allows for rounding if the interval is a multiple of the longest step.
    first = substeps or max(1, math.ceil(shaking.interval / _LONGEST_STEP - 1e-9))
    for factor in (1,) if substeps else _FINER:
        count = factor * first
        experiment = _experiment(shaking, count)
        reading = input_reading(experiment, interface, parameters)
        model = StepModel(SHAKEN_FMU, parameters)
        findings = step_findings(inputs, experiment, reading, model)
        # Finer steps can reach the samples of a record. An extrapolation was selected by the user.
        if not findings or (reading.is_extrapolated and not has_error(findings)):
            break
    if has_error(findings):
        raise UsageError(f"--substeps {count}: {_in_substeps(findings[0], reading)}")
    return experiment, count, [_in_substeps(finding, reading) for finding in findings]


def _experiment(shaking: ShakingRecord, substeps: int) -> Experiment:
    start, stop = float(shaking.times[0]), float(shaking.times[-1])
    step_size = (stop - start) / (max(1, round((stop - start) / shaking.interval)) * substeps)
    try:
        return Experiment(
            start_time=start,
            stop_time=stop,
            step_size=step_size,
            output_interval=substeps * step_size,
        )
    except ValidationError as problem:
        span = f"{shaking.path}: a record of {stop - start:g} s"
        raise UsageError(f"{span} with --substeps {substeps}: {first_problem(problem)}") from None


def _in_substeps(finding: Finding, reading: InputReading) -> str:
    """Return a finding with the remedy for a recorded base motion."""
    other = ", or set input_timing=end" if reading.is_extrapolated else ""
    return f"{finding.problem}: take more --substeps{other}"
