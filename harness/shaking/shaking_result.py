"""What a recorded shaking did to the mass: numbers, statistics, and both as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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

# After the wear, in this order.
_KEY_NUMBERS = (
    "sliding_distance",
    "peak displacement",
    "residual displacement",
    "peak_normal_force",
    "shock_count",
)
_OUTPUTS = {variable.name: variable for variable in FMU.slave.table}


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
    values : mapping of str to float
        All parameters as the run had them, enumerations by their code.
    notes : tuple of str
        Parameters that rarely mean what they say, and why nothing wore, a line each.
    experiment : Experiment
        Span and step.
    inputs : mapping of str to Signal
        What the FMU was fed.
    history : RunRecord
        Its outputs at all communication points; of a long run, one a sample of the shaking.
    largest : mapping of str to float
        Largest magnitudes at the communication points, by output.
    slip_share : float
        Part of the communication points that are in slip, the initial one not counted.
    statistics : ShockStatistics
        USURE and IMPACT of all communication points.
    step_comparison : StepComparison, optional
        The key numbers at half the step, where it was asked for.
    """

    shaking: ShakingRecord
    fmu_path: Path
    parameters: Mapping[str, bool | int | float | str]
    values: Mapping[str, float]
    notes: tuple[str, ...]
    experiment: Experiment
    inputs: Mapping[str, Signal]
    history: RunRecord
    largest: Mapping[str, float]
    slip_share: float
    statistics: ShockStatistics
    step_comparison: StepComparison | None = None

    @property
    def sample_stride(self) -> int:
        """Every which row of `history` is one a sample of the shaking."""
        return self.experiment.output_stride * self.history.steps // self.experiment.step_count

    def quantities(self) -> list[Quantity]:
        """Return the numbers that people ask for, SI units."""
        history = self.history
        duration = float(history.times[-1] - history.times[0])

        def last(name: str) -> Quantity:
            """An output at the end, with the first sentence that its table says of it."""
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
            Quantity(
                "residual displacement",
                float(history["relative_displacement"][-1]),
                _OUTPUTS["relative_displacement"].unit,
                "relative_displacement at the end",
            ),
        ]

    def key_quantities(self) -> list[Quantity]:
        """Return the quantities to print first: at most eight, wear if its coefficient was set."""
        worn = ["mean wear power"]
        if "archard_coefficient" in self.parameters:
            worn = ["worn_volume", *(["wear_depth"] if "wear_area" in self.parameters else [])]
        by_name = {quantity.name: quantity for quantity in self.quantities()}
        return [by_name[name] for name in ("wear_work", *worn, *_KEY_NUMBERS)]

    def tables(self) -> dict[str, Table]:
        """Return the statistics USURE and IMPACT of the run."""
        return statistics_tables(self.statistics)


def write_shaking_json(result: ShakingResult, path: Path) -> None:
    """Write a result as JSON.

    One object: `file`, `fmu` (str), `understood`, `warnings`, `notes` (lists of str),
    `parameters` set, `step_size` (s), `steps`, `quantities` (object of `value` and `unit` by
    name), `tables` (rows of the statistics by table), `step_comparison` (as `write_case_json` gives
    it). The history goes to CSV.

    Raises OSError if the file cannot be written.
    """
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
