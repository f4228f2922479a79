"""A fit: a case with [fit], measured data and wear tests."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, TypeAdapter, ValidationError

from fmu_src.bundled.variables import Variable
from harness.case.case_file import Case, load_case, naming, require_no_changes
from harness.case.case_fmu import structure_of_case
from harness.errors import CaseError
from harness.fitting.channels import KEYS, Channel
from harness.fmu.signals import CsvSignal
from harness.messages import first_problem
from harness.schema import Number, ParameterValue, Text, section
from harness.sweep import (
    Study,
    Target,
    Varied,
    csv_tables,
    kernel_interface,
    kernel_runs,
    quantity_of,
    target_of,
)
from wearmodel.arrays import Floats

Positive = Annotated[Number, Field(gt=0.0)]


@section
class FitParameter:
    """An entry of [fit.parameters]: start value and bounds, low ≤ start ≤ high."""

    start: Number
    low: Number
    high: Number
    # "linear" if differences are equally important in the whole range, "log" if ratios are.
    scale: Literal["linear", "log"] = "linear"

    def __post_init__(self) -> None:
        if not self.low <= self.start <= self.high or self.low == self.high:
            raise ValueError(
                f"start = {self.start!r} must be between low = {self.low!r} and high = "
                f"{self.high!r}, and low must be less than high"
            )
        if self.scale == "log" and self.low <= 0.0:
            raise ValueError(f"low = {self.low!r} must be > 0 on a log scale")

    @property
    def size(self) -> float:
        """Length of the range. On a log scale it is the difference of the logarithms."""
        return math.log(self.high / self.low) if self.scale == "log" else self.high - self.low

    def value(self, unit: float) -> float:
        """Return the value at a point of the range, 0 for low and 1 for high."""
        if self.scale == "log":
            return self.low * math.exp(unit * self.size)
        return self.low + unit * self.size

    def unit(self, value: float) -> float:
        """Return the point of a value in the range, the inverse of `value`."""
        if self.scale == "log":
            return math.log(value / self.low) / self.size
        return (value - self.low) / self.size


@section
class MeasuredSection(CsvSignal):
    """A section [[fit.measured]]: a measured history in a file, with the keys of a "csv" input."""

    kind: Literal["csv"] = "csv"
    # Output of the model, and name of the channel. The default name is the output.
    variable: Text
    name: Text | None = None


@section
class StatisticSection:
    """A section [[fit.statistic]]: a measured quantity of a whole run.

    `of` has the keys of a quantity of a sweep. `value` and `standard_deviation` are in its unit.
    """

    of: dict[str, Any]
    value: Number
    standard_deviation: Positive


@section
class WornSection:
    """A section [[fit.worn]]: a wear test.

    If wear work was not measured, it is the duration times the mean wear power of the case.
    """

    volume: Positive | None = None  # m³
    depth: Positive | None = None  # m, needs the parameter `wear_area`
    wear_work: Positive | None = None  # J
    duration: Positive | None = None  # s
    # Parameters that differ from the parameters of the case.
    parameters: dict[str, ParameterValue] = Field(default_factory=dict)

    def __post_init__(self) -> None:
        for first, second in (("volume", "depth"), ("wear_work", "duration")):
            if (getattr(self, first) is None) == (getattr(self, second) is None):
                raise ValueError(f"exactly one of {first} and {second} must be given")


@section
class FitSection:
    """The section [fit]."""

    # By name: a parameter of the model, inputs.NAME.KEY, or CHANNEL.KEY, see `channels.KEYS`.
    parameters: dict[str, FitParameter] = Field(default_factory=dict)
    measured: tuple[MeasuredSection, ...] = ()
    statistic: tuple[StatisticSection, ...] = ()
    worn: tuple[WornSection, ...] = ()
    # Number of starts: the start values, and points of a Latin hypercube with this seed.
    starts: Annotated[int, Field(ge=1, strict=True)] = 8
    seed: Annotated[int, Field(ge=0, strict=True)] = 0

    def __post_init__(self) -> None:
        if bool(self.parameters) != bool(self.measured or self.statistic):
            raise ValueError(
                "parameters requires measured or statistic, and the reverse: give both"
            )
        if not self.parameters and not self.worn:
            raise ValueError("measured is missing: give [[fit.measured]] or [[fit.worn]]")


_section = TypeAdapter(FitSection)


@dataclass(frozen=True)
class Fit:
    """A checked fit. Points are in units of the ranges: 0 for low and 1 for high."""

    case: Case
    section: FitSection
    # Data for the runs. Its targets are the first parameters. Parameters of channels follow them.
    study: Study
    channels: tuple[Channel, ...]
    parameters: Mapping[str, FitParameter]
    notes: tuple[str, ...]

    @property
    def variables(self) -> dict[str, Variable]:
        """Variables of the model by name."""
        return {variable.name: variable for variable in self.study.definition.slave.table}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parameters."""
        return tuple(self.parameters)

    @property
    def files_read(self) -> tuple[Path, ...]:
        """The case, its data files, and the measured data."""
        measured = (self.case.file.parent / by.file for by in self.section.measured)
        return (*self.case.files_read, *measured)

    def values(self, point: Floats) -> dict[str, float]:
        """Return the values of the parameters at a point."""
        units = zip(self.parameters.items(), point.tolist(), strict=True)
        return {name: by.value(unit) for (name, by), unit in units}

    def run_point(self, point: Floats) -> tuple[float, ...]:
        """Return the values of the targets of the study at a point."""
        return tuple(self.values(point).values())[: len(self.study.targets)]

    def computed(self, point: Floats, run: Any) -> list[Floats]:
        """Return the computed values of each channel from a run at a point."""
        values = self.values(point)
        return [by.computed(run, self.study.experiment, values) for by in self.channels]

    def residuals(self, points: Floats) -> list[Floats]:
        """Return computed − measured of each channel, shape (points, samples), from one batch."""
        runs = dict(kernel_runs(self.study, [self.run_point(point) for point in points]))
        rows = [self.computed(point, runs[index]) for index, point in enumerate(points)]
        return [
            np.array([row[number] for row in rows]) - channel.values
            for number, channel in enumerate(self.channels)
        ]


def load_fit(path: Path | str) -> Fit:
    """Read and check a case with a section [fit], and its measured data.

    Raises CaseError for an invalid file, with file, key, value and rule in one line.
    """
    case = load_case(path)
    if case.fit is None:
        raise CaseError(f"{path}: fit is missing: add a section [fit], or use `wearfmu run`")
    require_no_changes(case, "a fit requires constant parameters in each run")
    try:
        fit = _section.validate_python(dict(case.fit))
    except ValidationError as problem:
        raise CaseError(f"{path}: fit.{first_problem(problem)}") from None
    with naming(str(path)):
        structure = structure_of_case(case)
        names = kernel_interface(case.heading.fmu, structure)
        names.require("parameter", case.parameters)
        names.require("input", case.declared_inputs)
    for number, measured in enumerate(fit.measured, start=1):
        with naming(f"{path}: fit.measured[{number}].variable"):
            names.require("output", [measured.variable])
    variables = names.variables
    channels, notes = _channels(path, case, fit, names.units)
    of_channels = [f"{by.name}.{key}" for by in channels if by.variable for key in KEYS]
    targets: list[Target] = []
    varied = {}
    for name, by in fit.parameters.items():
        if name in of_channels:
            continue
        with naming(f"{path}: fit.parameters.{name}"):
            of = name if name.startswith("inputs.") else f"parameters.{name}"
            varied[name] = Varied(of=of, start=by.low, stop=by.high)
            targets.append(target_of(varied[name], case))
            if targets[-1][0] == "parameters":
                if of_channels and name not in variables and name.rpartition(".")[2] in KEYS:
                    raise ValueError(f"it must be one of {', '.join(of_channels)}")
                names.require("parameter", [name])
                if variables[name].type != "Real":
                    raise ValueError(f"it is {variables[name].type} and must be a real number")
    with naming(str(path)):
        tables = csv_tables(case, targets, varied, names.units)
    for number, worn in enumerate(fit.worn, start=1):
        with naming(f"{path}: fit.worn[{number}]"):
            names.require("parameter", worn.parameters)
            if worn.depth is not None and "wear_area" not in variables:
                raise ValueError("depth requires the parameter wear_area: give volume")
    recorded = {by.variable for by in channels if by.quantity is None}
    study = Study(
        model=case.heading.fmu,
        experiment=case.experiment,
        parameters=case.parameters,
        inputs=case.declared_inputs,
        tables=tables,
        targets=tuple(targets),
        quantities={by.name: by.quantity for by in channels if by.quantity is not None},
        recorded=(*sorted(recorded), *(["wear_work"] if fit.worn else [])),
        structure=structure,
    )
    notes += tuple(
        f"inputs.{name}: noise of a measured input shifts the result, and the intervals do not "
        "include it"
        for name, declared in case.declared_inputs.items()
        if isinstance(declared, CsvSignal)
    )
    parameters = dict(sorted(fit.parameters.items(), key=lambda by: by[0] in of_channels))
    return Fit(case, fit, study, channels, parameters, notes)


def _channels(
    path: Path | str, case: Case, fit: FitSection, units: Mapping[str, str | None]
) -> tuple[tuple[Channel, ...], tuple[str, ...]]:
    """Read the measured histories. Return them with notes on samples that are not used."""
    channels: list[Channel] = []
    notes = []
    # A communication point and a time in the file may differ by rounding.
    rounding = 1e-9 * case.experiment.step_size
    for number, measured in enumerate(fit.measured, start=1):
        name, unit = measured.name or measured.variable, units[measured.variable] or ""
        with naming(f"{path}: fit.measured[{number}]"):
            if name in [channel.name for channel in channels]:
                raise ValueError(f"name = {name!r} is the name of another channel")
            signal = measured.read(case.file.parent).in_unit(unit)
            shift = fit.parameters.get(f"{name}.time_offset")
            late, early = (shift.high, shift.low) if shift is not None else (0.0, 0.0)
            first = case.experiment.start_time + max(late, 0.0) - rounding
            last = case.experiment.stop_time + min(early, 0.0) + rounding
            inside = (signal.times >= first) & (signal.times <= last)
            used = f"samples of {measured.file} are between {first:.6g} s and {last:.6g} s"
            count, least = int(np.count_nonzero(inside)), len(fit.parameters) + 2
            if count < least:
                raise ValueError(f"{count} {used}: at least {least} are required")
            if count < len(inside):
                notes.append(f"{count} of {len(inside)} {used} and are used")
        notes += [f"{measured.file}: {note}" for note in signal.notes]
        times, values = signal.times[inside], signal.values[inside]
        channels.append(Channel(name, measured.variable, unit, times, values))
    for number, statistic in enumerate(fit.statistic, start=1):
        with naming(f"{path}: fit.statistic[{number}].of"):
            quantity = quantity_of(statistic.of)
            quantity.check_times(case.experiment)
            if unknown := set(quantity.variables) - set(units):
                raise ValueError(f"{min(unknown)!r} is not a variable of {case.heading.fmu}")
        value, error = np.array([statistic.value]), statistic.standard_deviation
        channels.append(Channel(quantity.label, "", "", np.empty(0), value, quantity, error))
    least = len(fit.parameters)
    if 0 < (count := sum(len(channel.values) for channel in channels)) < least:
        raise CaseError(f"{path}: fit: {count} measured values must be at least {least}")
    return tuple(channels), tuple(notes)
