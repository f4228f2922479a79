"""Reads a sweep file, with all checks before the first run."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from pydantic import TypeAdapter, ValidationError

from harness.case import expectations
from harness.case.case_file import load_case, naming, require_no_changes
from harness.case.case_fmu import fmu_of, structure_of_case
from harness.case.shipped import case_file, shipped_cases
from harness.errors import CaseError
from harness.fmu.input_timing import input_reading
from harness.fmu.interface import read_interface
from harness.messages import first_problem, nearest
from harness.provenance import used
from harness.records import toml_content
from harness.schema import section
from harness.sweep.kernel_runs import kernel_interface
from harness.sweep.notes import sweep_notes
from harness.sweep.points import Point, design_points
from harness.sweep.sections import Design, SweepSection, Varied, require_si
from harness.sweep.study import Study, Target
from harness.sweep.targets import csv_tables, require_different, target_of

# Columns of the results in addition to the varied and the computed quantities.
OWN_COLUMNS = ("point", "failure")

# Keys of an expectation that are not allowed in a sweep, which does not compare its results.
_NOTHING_WANTED = {"value": 0.0, "atol": 0.0, "source": "a sweep", "reason": "a sweep"}
_MEASURED_BY: dict[str, type[Any]] = {
    "value": expectations.InstantExpectation,
    "statistic": expectations.StatisticExpectation,
    **dict.fromkeys(get_args(expectations.WindowQuantity), expectations.WindowExpectation),
}


@section
class _SweepDocument:
    """The whole file."""

    sweep: SweepSection
    design: Design
    vary: dict[str, Varied]


_document = TypeAdapter(_SweepDocument)


@dataclass(frozen=True)
class Sweep:
    """A checked sweep."""

    file: Path
    title: str
    design: Design
    varied: Mapping[str, Varied]
    # All points, numbered by their index.
    points: list[Point]
    study: Study
    # File of the results.
    output: Path
    # Units of columns, if given in the file.
    units: Mapping[str, str]
    # Notes on skipped text in data files and on unusual settings, each with its first point.
    notes: Mapping[str, int]
    # The sweep file, its case, the FMU, and all data files, without the journal.
    files_read: tuple[Path, ...]

    @property
    def journal(self) -> Path:
        """The file that stores rows until the results are written."""
        return self.output.with_name(f"{self.output.name}.journal")

    @property
    def results(self) -> Collection[str]:
        """Names of the computed quantities."""
        return self.study.quantities

    @property
    def summary(self) -> str:
        """Description of the sweep for pictures."""
        return f"{len(self.points)} points of {self.file.name}, engine {self.study.engine}"

    @property
    def noted(self) -> list[str]:
        """One line for each note, with its point."""
        return [f"note, as at point {number}: {note}" for note, number in self.notes.items()]

    @property
    def columns(self) -> list[str]:
        """Names of the columns of the results."""
        return [OWN_COLUMNS[0], *self.varied, *self.study.quantities, OWN_COLUMNS[1]]


def load_sweep(path: Path | str, *, fmu_folder: Path | None, native: bool = False) -> Sweep:
    """Read and check a sweep file, its case and, for the engine "fmu", the FMU.

    It is one function because it builds a single `Study` from the tables of the file.

    - `fmu_folder`: folder for built FMUs. The default is `build` in the current folder if it
      contains the FMU, otherwise the user's cache.
    - `native`: use the native FMU if the model has one. It requires the engine "fmu".

    Raises CaseError for an invalid sweep, with file, key, value and rule in one line, and FmuError
    if the FMU cannot be read or built.
    """
    content = toml_content(Path(path), "sweep")
    file = Path(os.path.realpath(path))
    try:
        document = _document.validate_python(content)
    except ValidationError as problem:
        raise CaseError(f"{path}: {first_problem(problem)}") from None
    if not document.vary:
        raise CaseError(f"{path}: vary is empty: at least one quantity must be varied")
    with naming(f"{path}: sweep.case"):
        case = load_case(_case_file(document.sweep.case, file.parent))
        require_no_changes(case, "a sweep requires constant parameters in each run")
    targets: list[Target] = []
    units = {
        name: quantity.unit for name, quantity in document.vary.items() if quantity.unit is not None
    }
    for name, varied in document.vary.items():
        with naming(f"{path}: vary.{name}.of = {varied.of!r}"):
            targets.append(target_of(varied, case))
    with naming(f"{path}: vary"):
        require_different(targets)
    quantities: dict[str, expectations.Expectation] = {}
    for number, table in enumerate(document.sweep.quantities, start=1):
        with naming(f"{path}: sweep.quantities[{number}]"):
            name = _column_name(table, {*OWN_COLUMNS, *document.vary, *quantities})
            quantities[name] = quantity_of(table)
            quantities[name].check_times(case.experiment)
            if "unit" in table:
                require_si(str(table["unit"]))
                units[name] = str(table["unit"])
    with naming(f"{path}: design"):
        points = design_points(document.design, document.vary)
    engine = document.sweep.engine
    if native and engine != "fmu":
        raise CaseError(
            f"{path}: sweep.engine = {engine!r} does not use an FMU: remove --native, or use "
            "engine = 'fmu'"
        )
    fmu = fmu_of(case, fmu_folder, native=native) if engine == "fmu" else None
    with naming(str(path)):
        structure = structure_of_case(case) if fmu is None else None
        model = read_interface(fmu) if fmu else kernel_interface(case.heading.fmu, structure)
    with naming(f"{path}: vary"):
        tables = csv_tables(case, targets, document.vary, model.units)
    study = Study(
        model=case.heading.fmu if fmu is None else fmu.name,
        fmu=None if fmu is None else fmu.read_bytes(),
        experiment=case.experiment,
        parameters=case.parameters,
        inputs=case.declared_inputs,
        tables=tables,
        targets=tuple(targets),
        quantities=quantities,
        structure=structure,
    )
    used(
        case.name,
        case.parameters,
        study.definition.slave.table if fmu is None else model.variables.values(),
    )
    with naming(str(path)):
        parameters = study.parameters_at(points[0])
        model.require_all(parameters, study.inputs, study.variables() or ())
        input_reading(study.experiment, model, parameters)
        notes = sweep_notes(study, points, model)
    return Sweep(
        file=file,
        title=document.sweep.title,
        design=document.design,
        varied=document.vary,
        points=points,
        study=study,
        output=Path(os.path.realpath(file.parent / document.sweep.output)),
        units=units,
        notes={
            **{
                f"{signal.file}: {note}": 0
                for signal, table in tables.items()
                for note in table.notes
            },
            **notes,
        },
        files_read=(
            file,
            *case.files_read,
            *(case.file.parent / table.file for table in tables),
            *([fmu] if fmu is not None else []),
        ),
    )


def _case_file(selector: str, folder: Path) -> Path:
    if selector in shipped_cases():
        return case_file(selector)
    path = folder / selector
    if not path.exists():
        raise ValueError(
            f"{selector!r} must be a shipped case or a case file beside the sweep file"
            f"{nearest(selector, shipped_cases())}"
        )
    return case_file(str(path))


def _column_name(table: Mapping[str, Any], taken: Iterable[str]) -> str:
    name = table.get("name")
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"name = {name!r} must be a text, the name of a column of the results")
    if name in taken:
        raise ValueError(f"name = {name!r} is the name of another column")
    return name


def quantity_of(table: Mapping[str, Any]) -> expectations.Expectation:
    """Return the expectation that measures a quantity, with a meaningless expected value."""
    keys = {key: value for key, value in table.items() if key not in ("name", "unit")}
    for key in ("rtol", *_NOTHING_WANTED):
        if key in keys:
            raise ValueError(f"{key} is not allowed: a sweep does not compare its results")
    kind = keys.get("quantity")
    if kind not in _MEASURED_BY:
        raise ValueError(f"quantity = {kind!r}: must be one of {', '.join(_MEASURED_BY)}")
    measured: expectations.Expectation = TypeAdapter(_MEASURED_BY[kind]).validate_python(
        {**keys, **_NOTHING_WANTED}
    )
    return measured
