"""One run of one FMU over a grid of communication points.

FMI 2.0 co-simulation: instantiate, set up, parameters and start inputs, initialise, then for
each step set the inputs, do the step, read; terminate, free. The arrays that cross to C are made
once, before the loop.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from fmpy import fmi2
from fmpy.fmi1 import FMICallException
from fmpy.model_description import ModelVariable
from numpy.typing import NDArray

from harness.errors import RunError
from harness.experiment import Experiment
from harness.fmu_interface import read_interface
from harness.run_record import RunRecord
from harness.signals import Signal
from harness.slave import open_slave, refusal

# Progress is reported about this many times a run: enough for the eye, nothing to the loop.
_PROGRESS_REPORTS = 100

# The pair of FMI functions and the C type by which each type of variable is read and written.
_ACCESS = {
    "Real": ("Real", fmi2.fmi2Real),
    "Integer": ("Integer", fmi2.fmi2Integer),
    "Enumeration": ("Integer", fmi2.fmi2Integer),
    "Boolean": ("Boolean", fmi2.fmi2Boolean),
    "String": ("String", fmi2.fmi2String),
}


def simulate(
    fmu_path: Path | str,
    experiment: Experiment,
    *,
    parameters: Mapping[str, bool | int | float | str] | None = None,
    inputs: Mapping[str, Signal] | None = None,
    variables: tuple[str, ...] | None = None,
    progress: Callable[[float], None] | None = None,
) -> RunRecord:
    """Simulate an FMU and return its histories.

    Parameters
    ----------
    fmu_path : Path or str
        FMI 2.0 co-simulation FMU, or the folder that it is extracted to.
    experiment : Experiment
        Span, step, and whether the value set before a step is that of its start or its end.
    parameters : mapping, optional
        Start values of parameters by name, enumerations by literal.
    inputs : mapping of str to Signal, optional
        Signals of Real inputs by name; the others keep their start value.
    variables : tuple of str, optional
        Names of the variables to read at each communication point; default all outputs.
    progress : callable, optional
        Called now and then with the fraction done, up to 1.

    Returns
    -------
    RunRecord
        Values at all communication points, the initial one included.

    Raises
    ------
    ValueError
        If a name is not in the FMU, a value does not fit its type, or a table is too short.
    FmuError
        If the FMU cannot be read or loaded.
    RunError
        If the FMU refuses a call, or a value it gives is not finite.
    """
    interface = read_interface(Path(fmu_path))
    start_values = [interface.parameter(name, one) for name, one in (parameters or {}).items()]
    fed = [interface.input(name) for name in inputs or {}]
    names = interface.outputs() if variables is None else variables
    read = [interface.readable(name) for name in names]
    times = experiment.times()
    samples = [signal.sample(times) for signal in (inputs or {}).values()]
    lead = 1 if experiment.input_at == "end" else 0
    messages: list[str] = []
    index = -1
    with open_slave(interface, messages) as slave:
        feeds = [_Feed(slave, fed, samples)] if fed else []
        readers = _readers(slave, read, len(times))
        try:
            slave.setupExperiment(startTime=experiment.start_time, stopTime=experiment.stop_time)
            for variable, value in start_values:
                _set_start_value(slave, variable, value)
            for feed in feeds:
                feed.set(0)
            slave.enterInitializationMode()
            slave.exitInitializationMode()
            for reader in readers:
                reader.read(0)

            component, step_size = slave.component, experiment.step_size
            grid = times.tolist()
            block = max(1, experiment.step_count // _PROGRESS_REPORTS)
            began = time.perf_counter()
            for index in range(experiment.step_count):
                for feed in feeds:
                    feed.set(index + lead)
                slave.fmi2DoStep(component, grid[index], step_size, fmi2.fmi2True)
                for reader in readers:
                    reader.read(index + 1)
                if progress is not None and (index + 1) % block == 0:
                    progress((index + 1) / experiment.step_count)
            seconds = time.perf_counter() - began
            slave.terminate()
        except FMICallException as problem:
            place = "initialisation" if index < 0 else f"t={times[index]:.12g} s"
            raise refusal(problem, place, messages) from problem
    values = {name: column for reader in readers for name, column in reader.columns()}
    _require_finite(values, times)
    return RunRecord(
        times=times,
        values={name: values[name] for name in names},
        seconds=seconds,
        messages=tuple(messages),
        units={variable.name: variable.unit for variable in read if variable.unit},
        title=interface.description.modelName,
    )


def _references(variables: list[ModelVariable]) -> object:
    """Return the value references as a C array."""
    return (fmi2.fmi2ValueReference * len(variables))(*(one.valueReference for one in variables))


def _set_start_value(
    slave: fmi2.FMU2Slave, variable: ModelVariable, value: float | int | str
) -> None:
    accessor, c_type = _ACCESS[variable.type]
    in_c = (c_type * 1)(value.encode() if isinstance(value, str) else value)
    setter = getattr(slave, f"fmi2Set{accessor}")
    setter(slave.component, _references([variable]), 1, in_c)


class _Feed:
    """Writes the samples of the Real inputs at one communication point."""

    def __init__(
        self,
        slave: fmi2.FMU2Slave,
        variables: list[ModelVariable],
        samples: list[NDArray[np.float64]],
    ) -> None:
        self._rows = np.column_stack(samples).tolist()
        self._buffer = (fmi2.fmi2Real * len(variables))()
        self._arguments = (slave.component, _references(variables), len(variables), self._buffer)
        self._set_real = slave.fmi2SetReal

    def set(self, index: int) -> None:
        self._buffer[:] = self._rows[index]
        self._set_real(*self._arguments)


class _Reader:
    """Reads the variables that share one FMI getter into the rows of a history."""

    def __init__(
        self, slave: fmi2.FMU2Slave, accessor: str, variables: list[ModelVariable], rows: int
    ) -> None:
        self._names = [one.name for one in variables]
        c_type = next(c_type for name, c_type in _ACCESS.values() if name == accessor)
        buffer = (c_type * len(variables))()
        self._arguments = (slave.component, _references(variables), len(variables), buffer)
        self._get = getattr(slave, f"fmi2Get{accessor}")
        self._view = np.ctypeslib.as_array(buffer)
        self._history = np.empty((rows, len(variables)))

    def read(self, index: int) -> None:
        self._get(*self._arguments)
        self._history[index] = self._view

    def columns(self) -> list[tuple[str, NDArray[np.float64]]]:
        return list(zip(self._names, self._history.T, strict=True))


def _readers(slave: fmi2.FMU2Slave, variables: list[ModelVariable], rows: int) -> list[_Reader]:
    groups: dict[str, list[ModelVariable]] = {}
    for variable in variables:
        groups.setdefault(_ACCESS[variable.type][0], []).append(variable)
    return [_Reader(slave, accessor, group, rows) for accessor, group in groups.items()]


def _require_finite(values: Mapping[str, NDArray[np.float64]], times: NDArray[np.float64]) -> None:
    for name, column in values.items():
        bad = np.flatnonzero(~np.isfinite(column))
        if bad.size:
            raise RunError(f"{name}={column[bad[0]]} at t={times[bad[0]]:.12g} s must be finite")
