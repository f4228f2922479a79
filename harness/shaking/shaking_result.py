"""Result of the run of a base motion: numbers, statistics, and both as JSON."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from fmu_src.models import fmu_definition
from harness.fmu.experiment import Experiment
from harness.fmu.history import RunRecord
from harness.fmu.signals import Signal
from harness.fmu.step_comparison import StepComparison
from harness.output_files import write_json
from harness.shaking.shaking_record import ShakingRecord
from wearmodel.statistics import ShockStatistics, Table, statistics_tables

FMU = fmu_definition("FrictionalShock")

# Printed after the wear, in this order.
_KEY_NUMBERS = (
    "sliding_distance",
    "peak displacement",
    "residual displacement",
    "peak_normal_force",
    "shock_count",
)
# Results of wear, with the parameters that they require.
_WORN = {"worn_volume": "archard_coefficient", "wear_depth": "wear_area"}
_OUTPUTS = {variable.name: variable for variable in FMU.slave.table}


@dataclass(frozen=True)
class Quantity:
    """A number of the result in its unit."""

    name: str
    value: float
    unit: str
    meaning: str


@dataclass(frozen=True)
class ShakingResult:
    """Result of the run of a base motion."""

    shaking: ShakingRecord
    fmu_path: Path
    # Parameters that were set. Others have their defaults.
    parameters: Mapping[str, bool | int | float | str]
    # All parameters, enumerations by their code.
    values: Mapping[str, float]
    notes: tuple[str, ...]
    experiment: Experiment
    inputs: Mapping[str, Signal]
    # Outputs at all communication points. A long run has only the samples of the record.
    history: RunRecord
    # Largest magnitudes at the communication points, by output.
    largest: Mapping[str, float]
    # Share of the communication points in slip, without the initial point.
    slip_share: float
    # USURE and IMPACT of all communication points.
    statistics: ShockStatistics
    # Comparison with half the step, if requested.
    step_comparison: StepComparison | None = None

    @property
    def sample_stride(self) -> int:
        """Number of rows of `history` per sample of the record."""
        return self.experiment.output_stride * self.history.steps // self.experiment.step_count

    def quantities(self) -> list[Quantity]:
        """Return all numbers of the result in SI units."""
        history = self.history
        duration = float(history.times[-1] - history.times[0])

        def last(name: str) -> Quantity:
            """Return an output at the end, with the first part of its description."""
            output = _OUTPUTS[name]
            unit = "" if output.kind == "Integer" else output.unit
            return Quantity(name, float(history[name][-1]), unit, output.description.split(";")[0])

        def largest(label: str, name: str) -> Quantity:
            return Quantity(label, self.largest[name], _OUTPUTS[name].unit, "at the steps' ends")

        work = last("wear_work")
        return [
            work,
            Quantity("mean wear power", work.value / duration, "W", "wear_work / duration"),
            last("worn_volume"),
            last("wear_depth"),
            last("friction_work"),
            last("sliding_distance"),
            Quantity("time in slip", 100.0 * self.slip_share, "%", "of the duration, ± one step"),
            last("slip_count"),
            last("shock_count"),
            last("peak_normal_force"),
            largest("peak slip_velocity", "slip_velocity"),
            largest("peak displacement", "relative_displacement"),
            replace(
                last("relative_displacement"),
                name="residual displacement",
                meaning="relative_displacement at the end",
            ),
        ]

    def worn_quantities(self) -> list[Quantity]:
        """Return all numbers, without worn volume and depth if their parameters were not set."""
        # A depth also needs the volume.
        shown = itertools.takewhile(lambda name: _WORN[name] in self.parameters, _WORN)
        hidden = _WORN.keys() - set(shown)
        return [quantity for quantity in self.quantities() if quantity.name not in hidden]

    def key_quantities(self) -> list[Quantity]:
        """Return the quantities to print first: at most eight, wear if its coefficient was set."""
        by_name = {quantity.name: quantity for quantity in self.worn_quantities()}
        worn = [name for name in _WORN if name in by_name] or ["mean wear power"]
        return [by_name[name] for name in ("wear_work", *worn, *_KEY_NUMBERS)]

    def tables(self) -> dict[str, Table]:
        """Return the statistics USURE and IMPACT of the run."""
        return statistics_tables(self.statistics)


def write_shaking_json(result: ShakingResult, path: Path) -> None:
    """Write a result as JSON, `$defs/record` of docs/results.schema.json."""
    content = {
        "file": str(result.shaking.path),
        "fmu": str(result.fmu_path),
        "understood": result.shaking.understood,
        "warnings": result.shaking.warnings,
        "notes": result.notes,
        "parameters": dict(result.parameters),
        "step_size": result.experiment.step_size,
        "steps": result.experiment.step_count,
        "quantities": {
            quantity.name: {"value": quantity.value, "unit": quantity.unit}
            for quantity in result.quantities()
        },
        "tables": {name: table.rows for name, table in result.tables().items()},
        "step_comparison": result.step_comparison and result.step_comparison.as_json(),
    }
    write_json(path, content)
