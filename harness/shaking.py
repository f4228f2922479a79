"""Runs FrictionalShock.fmu under a recorded shaking and sums up what came out."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from harness.errors import CaseError
from harness.experiment import Experiment
from harness.fmu_interface import FmuInterface
from harness.record_columns import matched_columns, shock_record
from harness.run_record import RunRecord
from harness.shaking_record import ShakingRecord
from harness.signals import Signal, TableSignal
from harness.simulation import simulate
from wearmodel.statistics import (
    StatisticsSettings,
    Table,
    shock_statistics,
    statistics_tables,
)

# Without another wish. Under shakings of filtered noise the wear work of ten held steps an interval
# was 3e-5 to 6e-5 from that of the exact straight lines, of five 2e-4, of one 5e-3; extrapolation
# by order 1 overshoots at every sample and was 4e-4, 1e-3 and 3e-2 off, order 2 7e-5, 3e-4, 1e-2.
_LONGEST_STEP = 1e-3
_FEWEST_SUBSTEPS = 10
_RECORD_ORDER = 0


@dataclass(frozen=True)
class Quantity:
    """A number of the result.

    Parameters
    ----------
    name, unit, meaning : str
        As the output's, and what it is.
    value : float
        In that unit.
    """

    name: str
    value: float
    unit: str
    meaning: str


@dataclass(frozen=True)
class ShakingResult:
    """What a shaking did.

    Parameters
    ----------
    shaking : ShakingRecord
        What was read.
    fmu_path : Path
        The FMU that ran.
    parameters : mapping
        What was set; the rest are defaults.
    experiment : Experiment
        Span and step.
    inputs : mapping of str to Signal
        What the FMU was fed.
    record : RunRecord
        Its outputs at all communication points.
    """

    shaking: ShakingRecord
    fmu_path: Path
    parameters: Mapping[str, bool | int | float | str]
    experiment: Experiment
    inputs: Mapping[str, Signal]
    record: RunRecord

    def quantities(self) -> list[Quantity]:
        """Return the numbers that people ask for, SI units."""
        record = self.record
        span = float(record.times[-1] - record.times[0])

        def last(name: str) -> float:
            return float(record[name][-1])

        def largest(name: str) -> float:
            return float(np.max(np.abs(record[name])))

        sliding = float(np.mean(record["contact_mode"][1:] == 2.0))
        return [
            Quantity("wear_work", last("wear_work"), "J", "∫ F_N |slip velocity| dt, impacts too"),
            Quantity("mean wear power", last("wear_work") / span, "W", "wear_work by the span"),
            Quantity("worn_volume", last("worn_volume"), "m3", "archard_coefficient · wear_work"),
            Quantity("wear_depth", last("wear_depth"), "m", "worn_volume / wear_area"),
            Quantity("friction_work", last("friction_work"), "J", "heat"),
            Quantity("sliding_distance", last("sliding_distance"), "m", "∫ |slip velocity| dt"),
            Quantity("time in slip", 100.0 * sliding, "%", "of the span, to the step"),
            Quantity("slip_count", last("slip_count"), "", "entries into slip, reversals too"),
            Quantity("shock_count", last("shock_count"), "", "flight to contact"),
            Quantity("peak_normal_force", last("peak_normal_force"), "N", "impulses not counted"),
            Quantity("peak slip_velocity", largest("slip_velocity"), "m/s", "at the samples"),
            Quantity(
                "peak displacement", largest("relative_displacement"), "m", "relative to support"
            ),
            Quantity("left displacement", last("relative_displacement"), "m", "at the end"),
        ]

    def tables(self) -> dict[str, Table]:
        """Return the statistics USURE and IMPACT of the run."""
        samples = {"time": self.record.times, **self.record.values}
        shocks = shock_record(matched_columns(samples, {}), samples)
        statistics = shock_statistics(shocks, StatisticsSettings(), usure=True, impact=True)
        return statistics_tables(statistics)


def parameters_of_texts(
    interface: FmuInterface, texts: Mapping[str, str]
) -> dict[str, bool | int | float | str]:
    """Return parameters given as NAME=VALUE by their FMI types.

    Raises
    ------
    CaseError
        If there is no such parameter, or the text is no value of its type.
    """
    return {name: _parameter(interface, name, text) for name, text in texts.items()}


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
        Values by name; `input_extrapolation_order` is 0 unless given: each value holds for a step.
    substeps : int, optional
        Communication steps in a sampling interval, ≥ 1; default as many as make a step ≤ 1 ms,
        and 10 at least.
    progress : callable, optional
        Called now and then with the fraction done, up to 1.

    Raises
    ------
    CaseError
        If `substeps` is not ≥ 1.
    FmuError, RunError
        As `harness.simulate`.
    """
    if substeps is None:
        substeps = max(_FEWEST_SUBSTEPS, math.ceil(shaking.interval / _LONGEST_STEP))
    if substeps < 1:
        raise CaseError(f"--substeps {substeps} must be ≥ 1")
    start, stop = float(shaking.times[0]), float(shaking.times[-1])
    step_size = (stop - start) / (shaking.interval_count * substeps)
    experiment = Experiment(
        start_time=start,
        stop_time=stop,
        step_size=step_size,
        output_interval=substeps * step_size,
    )
    inputs: dict[str, Signal] = {"base_acceleration": _table(shaking, shaking.acceleration)}
    if shaking.normal_acceleration is not None:
        inputs["base_acceleration_normal"] = _table(shaking, shaking.normal_acceleration)
    values = {"input_extrapolation_order": _RECORD_ORDER, **(parameters or {})}
    record = simulate(fmu_path, experiment, parameters=values, inputs=inputs, progress=progress)
    return ShakingResult(shaking, fmu_path, values, experiment, inputs, record)


def write_shaking_json(result: ShakingResult, path: Path) -> None:
    """Write a result for machines.

    One object: `file`, `fmu` (str), `understood`, `warnings` (lists of str), `parameters` set,
    `step_size` (s), `steps`, `quantities` (object of `value` and `unit` by name), `tables` (rows
    of the statistics by table). The history goes to CSV.

    Raises OSError if the file cannot be written.
    """
    content = {
        "file": str(result.shaking.path),
        "fmu": str(result.fmu_path),
        "understood": result.shaking.understood,
        "warnings": result.shaking.warnings,
        "parameters": dict(result.parameters),
        "step_size": result.experiment.step_size,
        "steps": result.record.steps,
        "quantities": {
            one.name: {"value": one.value, "unit": one.unit} for one in result.quantities()
        },
        "tables": {name: table.rows for name, table in result.tables().items()},
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1, allow_nan=False) + "\n", encoding="utf-8")


def _parameter(interface: FmuInterface, name: str, text: str) -> bool | int | float | str:
    variable = interface.variables.get(name)
    kind = variable.type if variable is not None else "String"
    value: bool | int | float | str = text
    try:
        if kind == "Real":
            value = float(text)
        elif kind == "Integer":
            value = int(text)
        elif kind == "Boolean" and text.lower() in ("true", "false"):
            value = text.lower() == "true"
    except ValueError:
        value = text  # refused below, where the type is named
    try:
        interface.parameter(name, value)
    except ValueError as problem:
        raise CaseError(f"--set {problem}") from None
    return value


def _table(shaking: ShakingRecord, values: NDArray[np.float64]) -> Signal:
    return TableSignal(
        kind="table", time=tuple(shaking.times.tolist()), value=tuple(values.tolist())
    )
