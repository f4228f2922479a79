"""The data that a process needs to compute points of a sweep.

A study is sent to other processes, which may be on other machines. It contains the tables of CSV
files and the FMU, so that these processes do not read files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from fmu_src.bundled.definition import FmuDefinition
from fmu_src.models import definition_of
from harness.case.expectations import Expectation, StatisticExpectation
from harness.fmu.experiment import Experiment
from harness.fmu.interface import FmuInterface, interface_of
from harness.fmu.signals import CsvSignal, SampledSignal, Signal, SignalSection
from harness.messages import first_problem
from harness.schema import ParameterValue
from harness.sweep.points import Point
from harness.sweep.sections import Engine
from wearmodel.structure import Structure

Target = tuple[str, ...]
"""("parameters", name) or ("inputs", name, key)."""

# Number of signals that are cached for the points of a batch.
_KEPT_SIGNALS = 64


@dataclass(frozen=True)
class Study:
    """A case with its varied quantities and its results."""

    # Name of the model, or of the file of the FMU.
    model: str
    experiment: Experiment
    parameters: Mapping[str, ParameterValue]
    # Inputs of the case as declared.
    inputs: Mapping[str, SignalSection]
    # Contents of all CSV files, by their section with scale 1.
    tables: Mapping[CsvSignal, SampledSignal] = field(default_factory=dict)
    # Parameters and keys of inputs that are replaced by the values of a point.
    targets: tuple[Target, ...] = ()
    quantities: Mapping[str, Expectation] = field(default_factory=dict)
    # Names of further variables that are recorded.
    recorded: tuple[str, ...] = ()
    # The FMU, or None if the kernel runs the model.
    fmu: bytes | None = None
    # Structure of a ModalShock, if the kernel runs it.
    structure: Structure | None = None

    @property
    def engine(self) -> Engine:
        """Name of the engine that runs the model."""
        return "kernel" if self.fmu is None else "fmu"

    @property
    def runs_fmu(self) -> bool:
        """Whether an FMU runs, which may terminate its process."""
        return self.fmu is not None

    @property
    def definition(self) -> FmuDefinition:
        """The model, with its structure if it has one."""
        return model_definition(self.model, self.structure)

    @property
    def interface(self) -> FmuInterface:
        """The variables of the model, for engines without an FMU."""
        return model_interface(self.model, self.structure)

    def variables(self) -> tuple[str, ...] | None:
        """Return the names of the variables to record, or `None` for all outputs."""
        quantities = self.quantities.values()
        if any(isinstance(quantity, StatisticExpectation) for quantity in quantities):
            return None
        measured = [name for quantity in quantities for name in quantity.variables]
        return tuple(dict.fromkeys([*self.recorded, *measured]))

    def parameters_at(self, point: Point) -> dict[str, ParameterValue]:
        """Return the parameters of the run at a point."""
        parameters = dict(self.parameters)
        for target, value in zip(self.targets, point, strict=True):
            if target[0] == "parameters":
                parameters[target[1]] = value
        return parameters

    def inputs_at(self, point: Point) -> dict[str, Signal]:
        """Return the inputs of the run at a point, or raise ValueError for an invalid value."""
        changes: dict[str, dict[str, ParameterValue]] = {name: {} for name in self.inputs}
        for target, value in zip(self.targets, point, strict=True):
            if target[0] == "inputs":
                changes[target[1]][target[2]] = value
        signals = {}
        for name, declared in self.inputs.items():
            try:
                signals[name] = self._signal(declared, tuple(changes[name].items()))
            except ValidationError as problem:
                raise ValueError(f"inputs.{name}.{first_problem(problem)}") from None
        return signals

    def _signal(
        self, declared: SignalSection, changes: tuple[tuple[str, ParameterValue], ...]
    ) -> Signal:
        values: dict[str, Any] = dict(changes)
        changed = replace(declared, **values) if values else declared
        if not isinstance(changed, CsvSignal):
            return changed
        return _scaled(self.tables[unscaled(changed)], changed.scale)


@lru_cache(maxsize=4)
def model_interface(model: str, structure: Structure | None) -> FmuInterface:
    """Return `harness.fmu.interface.interface_of` a model with a structure, cached."""
    return interface_of(model_definition(model, structure))


@lru_cache(maxsize=4)
def model_definition(model: str, structure: Structure | None) -> FmuDefinition:
    """Return `fmu_src.models.definition_of`, cached."""
    return definition_of(model, structure)


def unscaled(declared: CsvSignal) -> CsvSignal:
    """Return the section with scale 1, which is the key of its stored table."""
    return replace(declared, scale=1.0)


# The same product as in `CsvSignal.read`, so that a point equals the case.
_scaled = lru_cache(maxsize=_KEPT_SIGNALS)(SampledSignal.scaled)
