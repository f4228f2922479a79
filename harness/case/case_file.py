"""Case files: TOML files with a simulation and its expected values.

The sections are [case], [parameters], [[change]], [inputs.<name>], [experiment] and [[expect]], and
[life] and [fit], which `harness.life` and `harness.fitting` read. All checks that do not need the
FMU are made when the file is read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import TypeAdapter, ValidationError

from harness.case.expectations import Expectation, ExpectationSection
from harness.errors import CaseError
from harness.fmu.changes import ParameterChange
from harness.fmu.experiment import Experiment
from harness.fmu.signals import CsvSignal, Signal, SignalSection
from harness.messages import first_problem
from harness.records import toml_content
from harness.schema import ParameterValue, Text, section
from wearmodel.kernel.contact.friction import FrictionParameters
from wearmodel.quantities import with_columns

CASE_FILE_NAME = "case.toml"


@section
class Heading:
    """The section [case]."""

    title: Text
    # Name of a shipped FMU, or path of an .fmu file relative to the case file.
    fmu: Text
    # Origin of the case. Required if there are expected values.
    source: Text | None = None
    # Structure file of a ModalShock, relative to the case file.
    structure: Text | None = None


@section
class _CaseDocument:
    """The whole file."""

    case: Heading
    experiment: Experiment
    parameters: dict[str, ParameterValue] = field(default_factory=dict)
    change: tuple[dict[str, ParameterValue], ...] = ()
    inputs: dict[str, SignalSection] = field(default_factory=dict)
    expect: tuple[ExpectationSection, ...] = ()
    life: dict[str, Any] | None = None
    fit: dict[str, Any] | None = None


_document = TypeAdapter(_CaseDocument)


@dataclass(frozen=True)
class Case:
    """A checked case."""

    # Absolute path of the case file, and the path as written by the user, for messages.
    file: Path
    shown: str
    heading: Heading
    experiment: Experiment
    # Start values by variable name. Enumerations have a name or a number.
    parameters: Mapping[str, ParameterValue]
    # Signals by variable name. Other inputs keep their start value.
    inputs: Mapping[str, Signal]
    # The inputs as declared in the file, before CSV files are read.
    declared_inputs: Mapping[str, SignalSection]
    expectations: tuple[Expectation, ...]
    # The section [life], checked by `harness.life`.
    life: Mapping[str, Any] | None = None
    # New values of tunable parameters during the run, in order of time.
    changes: tuple[ParameterChange, ...] = ()
    # Files of friction tables, which `parameters` and `changes` contain as numbers.
    tables: tuple[Path, ...] = ()
    # The section [fit], checked by `harness.fitting`.
    fit: Mapping[str, Any] | None = None

    @property
    def name(self) -> str:
        """Name of the folder of a `case.toml`, otherwise name of the file without suffix."""
        return self.file.parent.name if self.file.name == CASE_FILE_NAME else self.file.stem

    @property
    def files_read(self) -> tuple[Path, ...]:
        """The case file, its data files, and files that the FMU reads."""
        from wearmodel.structure import files_of

        declared = self.declared_inputs.values()
        data = [
            self.file.parent / signal.file for signal in declared if isinstance(signal, CsvSignal)
        ]
        # A text may be the path of a file, such as the parameter `file` of BaseMotion.
        texts = [value for value in self.parameters.values() if isinstance(value, str)]
        named = (Path(text) for text in texts if os.path.isfile(text))
        structures = () if self.structure is None else files_of(self.structure)
        return (self.file, *data, *named, *self.tables, *structures)

    @property
    def structure(self) -> Path | None:
        """Structure file of a ModalShock, if the case has one."""
        name = self.heading.structure
        return None if name is None else self.file.parent / name


def load_case(path: Path | str) -> Case:
    """Read and check a TOML case file and its data files.

    Raises CaseError for an invalid case, with file, key, value and rule in one line.
    """
    content = toml_content(Path(path), "case")
    file = Path(os.path.realpath(path))
    try:
        flat = _with_flat_names(content)
        tables = _put_knots(flat, file.parent, str(path))
        document = _document.validate_python(flat)
    except ValidationError as problem:
        raise CaseError(f"{path}: {first_problem(problem)}") from None
    inputs = {}
    for name, declared in document.inputs.items():
        with naming(f"{path}: inputs.{name}"):
            signal = declared.read(file.parent) if isinstance(declared, CsvSignal) else declared
            # Both ends are sampled, so that a table that is too short is an error before the run.
            signal.sample(np.array([document.experiment.start_time, document.experiment.stop_time]))
            inputs[name] = signal
    if document.expect and document.case.source is None:
        raise CaseError(
            f"{path}: case.source is missing: a case with [[expect]] must name its source"
        )
    for number, expectation in enumerate(document.expect, start=1):
        with naming(f"{path}: expect[{number}] ({expectation.label})"):
            expectation.check_times(document.experiment)
    return Case(
        file=file,
        shown=str(path),
        heading=document.case,
        experiment=document.experiment,
        parameters=document.parameters,
        inputs=inputs,
        declared_inputs=document.inputs,
        expectations=document.expect,
        life=document.life,
        fit=document.fit,
        changes=_checked_changes(str(path), document),
        tables=tables,
    )


def require_no_changes(case: Case, reason: str) -> None:
    """Raise CaseError with a reason if parameters change during the run of a case."""
    if case.changes:
        raise CaseError(f"{case.shown}: change: {reason}")


def _checked_changes(path: str, document: _CaseDocument) -> tuple[ParameterChange, ...]:
    """Return the changes, which must be at different communication points in order of time."""
    changes: list[ParameterChange] = []
    for number, table in enumerate(document.change, start=1):
        with naming(f"{path}: change[{number}]"):
            values = dict(table)
            time = values.pop("time", None)
            if isinstance(time, bool) or not isinstance(time, int | float):
                raise ValueError(f"time={time!r} must be a number [s]")
            if not values:
                raise ValueError("must contain a parameter: add NAME = VALUE")
            change = ParameterChange(float(time), values)
            change.check_time(document.experiment)
            if any(change.time <= earlier.time for earlier in changes):
                raise ValueError(
                    f"time={time:.12g} s must be later than the change before it: write all "
                    "changes at one instant in one [[change]]"
                )
            changes.append(change)
    return tuple(changes)


def _with_flat_names(content: dict[str, Any]) -> dict[str, Any]:
    """Return the document with names such as `N14.gap` in parameters, changes and inputs.

    TOML reads `N14.gap = …` as a table within a table.
    """
    flat = dict(content)
    for name, is_value in (("parameters", _is_not_a_table), ("inputs", _is_signal)):
        if isinstance(content.get(name), dict):
            flat[name] = dict(_flattened("", content[name], is_value))
    if isinstance(content.get("change"), list):
        flat["change"] = [
            dict(_flattened("", table, _is_not_a_table)) if isinstance(table, dict) else table
            for table in content["change"]
        ]
    fit = content.get("fit")
    if isinstance(fit, dict) and isinstance(fit.get("parameters"), dict):
        flat["fit"] = {**fit, "parameters": dict(_flattened("", fit["parameters"], _is_signal))}
    return flat


def _put_knots(document: dict[str, Any], folder: Path, path: str) -> tuple[Path, ...]:
    """Replace friction tables by the numbers of their columns. Return the files of the tables."""
    from wearmodel.structure import read_friction_table

    files = []
    places = {f"change[{k}]": one for k, one in enumerate(document.get("change") or (), start=1)}
    for place, values in {"parameters": document.get("parameters"), **places}.items():
        if not isinstance(values, dict) or "friction_table" not in values:
            continue
        with naming(f"{path}: {place}"):
            table = values.pop("friction_table")
            if isinstance(table, str):
                files.append(folder / table)
                table = read_friction_table(files[-1])
            values.update(with_columns(FrictionParameters, {"friction_table": table}))
    return tuple(files)


def _flattened(
    prefix: str, table: dict[str, Any], is_value: Callable[[Any], bool]
) -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if is_value(value) or not value:
            yield f"{prefix}{key}", value
        else:
            yield from _flattened(f"{prefix}{key}.", value, is_value)


def _is_not_a_table(value: Any) -> bool:
    return not isinstance(value, dict)


def _is_signal(value: Any) -> bool:
    # A table without inner tables is a signal. If its kind is missing, a later check reports that.
    return not isinstance(value, dict) or not all(
        isinstance(inner, dict) for inner in value.values()
    )


@contextmanager
def naming(place: str) -> Iterator[None]:
    """Turn a ValueError raised inside into a CaseError that begins with `place`."""
    try:
        yield
    except ValidationError as problem:
        raise CaseError(f"{place}.{first_problem(problem)}") from None
    except ValueError as problem:
        raise CaseError(f"{place}: {problem}") from None
