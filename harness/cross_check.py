"""Files of the FMI cross-check for a case: `_in.csv`, `_ref.csv`, `_ref.opt`, and the FMU itself.

The cross-check knows no parameters, so each case gets an FMU whose defaults are the case's. The
reference is that FMU's own result at the timing that all masters have in common: an input set
before a step is the value at its start. How far it is from the truth is what `wearfmu validate`
says. Rules: names in quotes and exact, time first, at most 10 columns, files below 1 MB.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import fmpy
import numpy as np
from numpy.typing import NDArray

from harness.case.case_file import Case
from harness.case.result import checked_case
from harness.errors import CaseError
from harness.fmu.files import fmu_of
from harness.fmu.interface import FmuInterface, read_interface
from harness.fmu.simulation import simulate

_MOST_COLUMNS = 10
_MOST_BYTES = 1_000_000
# Keeps ten columns of full precision below the limit of size.
_MOST_ROWS = 4000
# Masters differ in how they add up their time; they agree far better than this.
_RELATIVE_TOLERANCE = 1e-6

_LATE = """\
One step late by definition: this FMU takes the input set before a step for the value at the step's
end, and the reference is that of a master that sets the value at the step's start. So the row at
time t holds the state that belongs to the input at t - {step_size!r} s.
"""


def write_cross_check(case: Case, folder: Path, *, fmu_folder: Path) -> Path:
    """Write the cross-check folder of a case and return it.

    It is ``folder/2.0/cs/<platform>/wearfmu/<version>/<case>``, where fmpy looks for it.

    Raises
    ------
    CaseError
        The case runs another FMU than ours, names what it does not have, or takes a file beyond
        1 MB.
    RunError
        The FMU refuses a call.
    """
    from fmu_src.archive.builder import build_fmu

    if case.heading.fmu.endswith(".fmu"):
        raise CaseError(f"{case.file}: case.fmu = {case.heading.fmu!r}: must be one of ours")
    interface = read_interface(fmu_of(case, fmu_folder))
    case = checked_case(case, interface)
    target: Path = (
        folder / "2.0" / "cs" / fmpy.platform / "wearfmu" / version("wearfmu") / case.name
    )
    target.mkdir(parents=True, exist_ok=True)
    fmu = build_fmu(
        case.heading.fmu,
        target,
        file_stem=case.name,
        start_values={name: _start_value(interface, case, name) for name in case.parameters},
    )
    experiment = replace(case.experiment, input_at="start")
    names = _reference_names(case, interface)
    record = simulate(fmu, experiment, inputs=case.inputs, variables=names)
    times = experiment.times()
    stimuli = [
        case.inputs[name].sample(times) if name in case.inputs else np.zeros_like(times)
        for name in _inputs(interface)
    ]
    stride = experiment.output_stride
    stride *= math.ceil(experiment.step_count / stride / _MOST_ROWS)
    _write_csv(target / f"{case.name}_in.csv", _inputs(interface), [times, *stimuli])
    _write_csv(
        target / f"{case.name}_ref.csv",
        names,
        [column[::stride] for column in (times, *(record.values[name] for name in names))],
    )
    options = {
        "StartTime": experiment.start_time,
        "StopTime": experiment.stop_time,
        "StepSize": experiment.step_size,
        "RelTol": _RELATIVE_TOLERANCE,
    }
    lines = (f"{name}, {value!r}\n" for name, value in options.items())
    (target / f"{case.name}_ref.opt").write_text("".join(lines), encoding="utf-8")
    late = case.experiment.input_at == "end"
    (target / "ReadMe.txt").write_text(
        f"{case.heading.title}\n{case.heading.source}\n"
        + (_LATE.format(step_size=experiment.step_size) if late else ""),
        encoding="utf-8",
    )
    for file in target.glob("*.csv"):
        if file.stat().st_size > _MOST_BYTES:
            raise CaseError(f"{case.file}: {file.name} must stay below 1 MB: take fewer steps")
    return target


def _start_value(interface: FmuInterface, case: Case, name: str) -> Any:
    value = case.parameters[name]
    # FMI's booleans are integers; the FMU's own start values are not.
    return value if isinstance(value, bool) else interface.parameter(name, value)[1]


def _inputs(interface: FmuInterface) -> list[str]:
    return [name for name, one in interface.variables.items() if one.causality == "input"]


def _reference_names(case: Case, interface: FmuInterface) -> tuple[str, ...]:
    """Outputs of the reference: first those that the case compares."""
    compared = (name for expectation in case.expectations for name in expectation.variables)
    outputs = interface.outputs()
    ordered = dict.fromkeys([*(name for name in compared if name in outputs), *outputs])
    return tuple(ordered)[: _MOST_COLUMNS - 1]


def _write_csv(file: Path, names: Iterable[str], columns: Sequence[NDArray[np.float64]]) -> None:
    with file.open("w", newline="", encoding="utf-8") as stream:
        header = csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\n")
        header.writerow(["time", *names])
        rows = zip(*(column.tolist() for column in columns), strict=True)
        csv.writer(stream, lineterminator="\n").writerows(rows)
