"""Case files: one TOML file says what to simulate and what must come out.

Sections [case], [parameters], [inputs.<name>], [experiment], [[expect]] and [life], which is read
by `harness.life`. Everything that can
be checked without the FMU is checked when the file is read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import TypeAdapter, ValidationError

from harness.case.expectations import Expectation, ExpectationSection
from harness.errors import CaseError
from harness.fmu.experiment import Experiment
from harness.fmu.signals import CsvSignal, Signal, SignalSection
from harness.messages import first_problem
from harness.records.encoding import toml_content
from harness.schema import ParameterValue, Text, section

CASE_FILE_NAME = "case.toml"


@section
class Heading:
    """The section [case].

    Parameters
    ----------
    title : str
        One line.
    source : str
        Where the case comes from.
    fmu : str
        Name of one of our FMUs, or path of a .fmu file relative to the case file.
    """

    title: Text
    source: Text
    fmu: Text


@section
class _CaseDocument:
    """The whole file, as it is written."""

    case: Heading
    experiment: Experiment
    parameters: dict[str, ParameterValue] = field(default_factory=dict)
    inputs: dict[str, SignalSection] = field(default_factory=dict)
    expect: tuple[ExpectationSection, ...] = ()
    life: dict[str, Any] | None = None


_document = TypeAdapter(_CaseDocument)


@dataclass(frozen=True)
class Case:
    """A checked case.

    Parameters
    ----------
    file : Path
        Where it was read; messages name it and relative paths start there.
    heading : Heading
        Title, source and FMU.
    experiment : Experiment
        Span and step.
    parameters : mapping of str to bool, int, float or str
        Start values by variable name; enumerations by name or number.
    inputs : mapping of str to Signal
        By variable name; an input that is not listed keeps its start value.
    declared_inputs : mapping of str to SignalSection
        The same as the file declares them: a CSV file is named there and not yet read.
    expectations : tuple of Expectation
        What must come out.
    life : mapping, optional
        The section [life] as it is written; `harness.life` checks it.
    """

    file: Path
    heading: Heading
    experiment: Experiment
    parameters: Mapping[str, ParameterValue]
    inputs: Mapping[str, Signal]
    declared_inputs: Mapping[str, SignalSection]
    expectations: tuple[Expectation, ...]
    life: Mapping[str, Any] | None = None

    @property
    def name(self) -> str:
        """Name of the folder for a `case.toml`, else that of the file without its suffix."""
        return self.file.parent.name if self.file.name == CASE_FILE_NAME else self.file.stem

    @property
    def files_read(self) -> tuple[Path, ...]:
        """The case file, the data files that it names, and those that the FMU is told to read."""
        declared = self.declared_inputs.values()
        data = [self.file.parent / one.file for one in declared if isinstance(one, CsvSignal)]
        # A text may be the path of a file, as BaseMotion's parameter `file` is.
        texts = [one for one in self.parameters.values() if isinstance(one, str)]
        return (self.file, *data, *(Path(text) for text in texts if os.path.isfile(text)))


def load_case(path: Path | str) -> Case:
    """Read and check a case file and the data files that it names.

    Parameters
    ----------
    path : Path or str
        The TOML file.

    Raises
    ------
    CaseError
        With one line that names file, key, value and the rule broken.
    """
    content = toml_content(Path(path))
    file = Path(os.path.realpath(path))
    try:
        document = _document.validate_python(content)
    except ValidationError as problem:
        raise CaseError(f"{path}: {first_problem(problem)}") from None
    inputs = {}
    for name, declared in document.inputs.items():
        with naming(f"{path}: inputs.{name}"):
            signal = declared.read(file.parent) if isinstance(declared, CsvSignal) else declared
            # Both ends of the span: a table that is too short is refused here, not in the run.
            signal.sample(np.array([document.experiment.start_time, document.experiment.stop_time]))
            inputs[name] = signal
    for number, expectation in enumerate(document.expect, start=1):
        with naming(f"{path}: expect[{number}] ({expectation.label})"):
            expectation.check_times(document.experiment)
    return Case(
        file=file,
        heading=document.case,
        experiment=document.experiment,
        parameters=document.parameters,
        inputs=inputs,
        declared_inputs=document.inputs,
        expectations=document.expect,
        life=document.life,
    )


@contextmanager
def naming(place: str) -> Iterator[None]:
    """Turn a ValueError raised inside into a CaseError that says where."""
    try:
        yield
    except ValidationError as problem:
        raise CaseError(f"{place}.{first_problem(problem)}") from None
    except ValueError as problem:
        raise CaseError(f"{place}: {problem}") from None
