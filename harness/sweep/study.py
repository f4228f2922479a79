"""What a process needs to compute points of a sweep: no file is read there, nothing is looked up.

A study goes to other processes, perhaps on other machines, so it carries the tables of CSV files
and the FMU itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from fmu_src.bundled.definition import FmuDefinition
from fmu_src.models import definition_of
from harness.case.expectations import Expectation
from harness.case.statistic_expectation import StatisticExpectation
from harness.fmu.experiment import Experiment
from harness.fmu.signals import CsvSignal, SampledSignal, Signal, SignalSection
from harness.messages import first_problem
from harness.schema import ParameterValue
from harness.sweep.points import Point
from harness.sweep.sections import Engine
from wearmodel.structure import Structure

Target = tuple[str, ...]
"""("parameters", name) or ("inputs", name, key)."""

# Signals that the points of one batch share are made once; a record may have many samples.
_KEPT_SIGNALS = 64


@dataclass(frozen=True)
class Study:
    """A case, what is varied of it, and what is wanted.

    Parameters
    ----------
    model : str
        Name of the model, or of the FMU's file.
    engine : {"kernel", "fmu", "closed_form"}
        What computes a run.
    fmu : bytes, optional
        The FMU, for the engine "fmu".
    experiment : Experiment
        Span and step.
    parameters : mapping
        The case's, by name.
    inputs : mapping of str to SignalSection
        The case's inputs as declared.
    tables : mapping of CsvSignal to SampledSignal
        Contents of all CSV files, keyed by their section with scale 1.
    targets : tuple of Target
        What the values of a point replace.
    quantities : mapping of str to Expectation
        What is measured, by name.
    structure : Structure, optional
        Of a ModalShock that has one of its own, for the engine "kernel".
    """

    model: str
    engine: Engine
    fmu: bytes | None
    experiment: Experiment
    parameters: Mapping[str, ParameterValue]
    inputs: Mapping[str, SignalSection]
    tables: Mapping[CsvSignal, SampledSignal]
    targets: tuple[Target, ...]
    quantities: Mapping[str, Expectation]
    structure: Structure | None = None

    @property
    def runs_fmu(self) -> bool:
        """Whether an FMU runs, which may end its process."""
        return self.engine == "fmu"

    @property
    def definition(self) -> FmuDefinition:
        """What the engine "kernel" runs: the model, with its structure if it has one."""
        return model_definition(self.model, self.structure)

    def variables(self) -> tuple[str, ...] | None:
        """Names of the variables that the quantities need; None: all outputs."""
        named = dict.fromkeys(
            name for quantity in self.quantities.values() for name in quantity.variables
        )
        if any(
            isinstance(varied_quantity, StatisticExpectation)
            for varied_quantity in self.quantities.values()
        ):
            return None
        return tuple(named)

    def parameters_at(self, point: Point) -> dict[str, ParameterValue]:
        """Return the parameters of the run at a point."""
        parameters = dict(self.parameters)
        for target, value in zip(self.targets, point, strict=True):
            if target[0] == "parameters":
                parameters[target[1]] = value
        return parameters

    def inputs_at(self, point: Point) -> dict[str, Signal]:
        """Return the inputs of the run at a point.

        Raises
        ------
        ValueError
            If a signal refuses a value, or a table is too short.
        """
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
def model_definition(model: str, structure: Structure | None) -> FmuDefinition:
    """As `fmu_src.models.definition_of`, which makes that of a structure anew each time."""
    return definition_of(model, structure)


def unscaled(declared: CsvSignal) -> CsvSignal:
    """Return the section whose table serves all scales."""
    return replace(declared, scale=1.0)


@lru_cache(maxsize=_KEPT_SIGNALS)
def _scaled(table: SampledSignal, scale: float) -> SampledSignal:
    """The product that `CsvSignal.read` takes, so that a point is the case with that scale."""
    return table.scaled(scale)
