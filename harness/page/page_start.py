"""Start settings of a page: runs to choose from, and their records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np

from fmu_src.models import fmu_definition
from harness.case.case_file import Case, load_case
from harness.case.shipped import shipped_cases
from harness.errors import UsageError
from harness.fmu.input_timing import input_reading
from harness.fmu.interface import interface_of
from harness.fmu.signals import ConstantSignal, CsvSignal, SampledSignal, Signal, SineSignal
from harness.schema import ParameterValue
from harness.shaking import RECORD_PARAMETERS, ShakingRecord
from wearmodel.arrays import Floats
from wearmodel.kernel.shoe.parameters import FrictionalShockParameters
from wearmodel.quantities import variable_name

FMU = fmu_definition("FrictionalShock")

_FIRST_CASE = "sdnd104_a15"
# Inputs that a record can drive, in the order of its columns.
_RECORDED = ("base_acceleration", "base_acceleration_normal")
_NORMAL_COLUMN = 3
# Relative tolerance for a whole number of steps, because files can have few digits.
_WHOLE = 1e-6


@dataclass(frozen=True)
class PageRecord:
    """A record inside a page."""

    name: str
    # A table with names and units of all columns, so that the page needs no further input.
    content: bytes


@dataclass(frozen=True)
class PageStart:
    """Start settings of a run on the page."""

    title: str
    # Values by name, with enumerations by their names. Other parameters have their defaults.
    parameters: Mapping[str, ParameterValue] = field(default_factory=dict)
    # `amplitude`, `frequency` (Hz), `phase` (rad) and `offset` of the sine of each input.
    inputs: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    # Duration and step size of a run without a record [s].
    stop_time: float = 12.0
    step_size: float = 1e-3
    # Base motion instead of a sine.
    record: PageRecord | None = None
    # Options of the record: `normal` (number of the column of the normal acceleration, from 1),
    # `scale`, `remove_mean` and `substeps`.
    reading: Mapping[str, Any] = field(default_factory=dict)


def start_of_record(
    path: Path,
    shaking: ShakingRecord,
    *,
    parameters: Mapping[str, ParameterValue] | None = None,
    **reading: Any,
) -> PageStart:
    """Return start settings with a record, and with the parameters of `wearfmu run --input`.

    - `reading`: `scale`, `remove_mean` and `substeps`, if the file was read with them
    """
    if len(shaking.samples) > 1:
        reading["normal"] = _NORMAL_COLUMN
    columns = zip(shaking.units, shaking.samples, strict=True)
    return PageStart(
        f"{path.name}, recorded",
        {**RECORD_PARAMETERS, **(parameters or {})},
        record=PageRecord(path.name, _plain_table(shaking.times, columns)),
        reading={key: value for key, value in reading.items() if value},
    )


def _plain_table(times: Floats, columns: Iterable[tuple[str, Floats]]) -> bytes:
    """Return times [s] and accelerations in their units as text, with all digits."""
    units, values = zip(*columns, strict=True)
    names = ("acceleration", "normal acceleration")
    header = [f"{name} [{unit}]" for name, unit in zip(names, units, strict=False)]
    rows = zip(times.tolist(), *(column.tolist() for column in values), strict=True)
    lines = [",".join(["time [s]", *header]), *(",".join(map(repr, row)) for row in rows), ""]
    return "\n".join(lines).encode()


def starts_of_cases(cases: Iterable[Case]) -> list[PageStart]:
    """Return the start settings of the cases that the page supports, in the same order."""
    starts = []
    for case in cases:
        try:
            starts.append(start_of_case(case))
        except UsageError:
            continue
    return starts


def shipped_starts() -> list[PageStart]:
    """Return the shipped cases that the page supports. The first case is shown first."""
    shipped = shipped_cases()
    first = shipped.pop(_FIRST_CASE)
    return starts_of_cases(load_case(file) for file in (first, *shipped.values()))


def start_of_case(case: Case) -> PageStart:
    """Return a case as start settings.

    Raises UsageError if it is not a case of FrictionalShock, or the page does not support one of
    its inputs.
    """
    name, experiment = case.name, case.experiment
    if case.heading.fmu != FMU.name:
        raise UsageError(
            f"{name} is a case of {case.heading.fmu}, but the page computes {FMU.name} only"
        )
    if case.changes:
        raise UsageError(f"{name}: parameters cannot change during a run on the page")
    if experiment.start_time != 0.0:
        raise UsageError(f"{name}: start_time={experiment.start_time:g} s must be 0 on the page")
    timing = input_reading(experiment, interface_of(FMU), case.parameters)
    if timing.derivatives:
        raise UsageError(f"{name}: the page does not support input_derivatives")
    parameters = {**case.parameters, "input_timing": timing.end}
    files = {
        key: declared
        for key, declared in case.declared_inputs.items()
        if isinstance(declared, CsvSignal)
    }
    if not files:
        inputs = {
            input_name: _sine(f"{name}: inputs.{input_name}", of)
            for input_name, of in case.inputs.items()
        }
        stop, step = experiment.stop_time, experiment.step_size
        return PageStart(case.heading.title, parameters, inputs, stop, step)
    record, reading = _recorded(case, files)
    return PageStart(case.heading.title, parameters, record=record, reading=reading)


def _sine(place: str, signal: Signal) -> dict[str, float]:
    """Return a signal as a sine of the page, which can be constant."""
    if isinstance(signal, ConstantSignal):
        return {"offset": signal.value}
    if not isinstance(signal, SineSignal):
        raise UsageError(
            f"{place}: the page supports constants, sines, and accelerations from files only"
        )
    frequency = signal.frequency
    if frequency is None:
        frequency = signal.omega / (2.0 * np.pi)
    return {
        "amplitude": signal.amplitude,
        "frequency": frequency,
        "phase": signal.phase,
        "offset": signal.offset,
    }


def _recorded(case: Case, files: Mapping[str, CsvSignal]) -> tuple[PageRecord, dict[str, Any]]:
    """Return the record of a case, and its options on the page."""
    signals = [case.inputs[name] for name in _RECORDED if name in files]
    sampled = [signal for signal in signals if isinstance(signal, SampledSignal)]
    if "base_acceleration" not in files or len(sampled) < len(case.inputs):
        raise UsageError(
            f"{case.name}: if an input is a file, the page supports only base accelerations from "
            "files"
        )
    for input_name, declared in files.items():
        if declared.interpolation != "linear":
            raise UsageError(
                f"{case.name}: inputs.{input_name}: the page supports linear interpolation only"
            )
    times = sampled[0].times
    if not all(np.array_equal(signal.times, times) for signal in sampled):
        raise UsageError(f"{case.name}: on the page all inputs must have the same sample times")
    interval = float(np.median(np.diff(times)))
    step = case.experiment.step_size
    reading: dict[str, Any] = {"substeps": round(interval / step)}
    if len(sampled) > 1:
        reading["normal"] = _NORMAL_COLUMN
    span = (float(times[0]), float(times[-1]))
    whole = abs(reading["substeps"] * step - interval) <= _WHOLE * interval
    if not whole or span != (0.0, case.experiment.stop_time):
        raise UsageError(
            f"{case.name}: on the page a run must cover the whole record, with a whole number of "
            "steps in each sampling interval"
        )
    name = Path(files["base_acceleration"].file).name
    content = _plain_table(times, [("m/s2", signal.values) for signal in sampled])
    return PageRecord(name, content), reading


def settings_of(start: PageStart) -> dict[str, Any]:
    """Return start settings for the script, with values as numbers and the record by its name."""
    given = FrictionalShockParameters(**start.parameters)  # type: ignore[arg-type]
    values = {variable_name(item): float(getattr(given, item.name)) for item in fields(given)}
    return {
        "title": start.title,
        "parameters": {name: values[name] for name in start.parameters},
        "inputs": {input_name: dict(of) for input_name, of in start.inputs.items()},
        "stop_time": start.stop_time,
        "step_size": start.step_size,
        "record": start.record.name if start.record else "",
        "reading": dict(start.reading),
    }
