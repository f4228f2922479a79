"""Run of an FMU over a grid of communication points.

The FMU is instantiated, parameters are set, and it is initialised with the start inputs. Each step
sets the inputs, does the step and reads the outputs. Finally the FMU is terminated and freed.
`harness.fmu.slave` contains the differences between the FMI versions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path

import numpy as np
from fmpy.fmi1 import FMICallException

from harness.errors import RunError
from harness.fmu.changes import ParameterChange, tunable_values
from harness.fmu.event_steps import EventSteps, require_event_stops
from harness.fmu.experiment import Experiment
from harness.fmu.history import RunRecord
from harness.fmu.input_timing import input_reading
from harness.fmu.instance import open_slave, refusal
from harness.fmu.interface import read_interface
from harness.fmu.signals import Signal, input_derivatives
from harness.fmu.slave import Fmi2Slave, Fmi3Slave, feeds_of, readers_of
from wearmodel.arrays import Floats

# Number of progress reports of a run, and maximum number of steps between them (half a second).
_PROGRESS_REPORTS = 100
_MOST_UNREPORTED_STEPS = 50_000


def simulate(
    fmu_path: Path | str,
    experiment: Experiment,
    *,
    parameters: Mapping[str, bool | int | float | str] | None = None,
    inputs: Mapping[str, Signal] | None = None,
    changes: Sequence[ParameterChange] = (),
    variables: tuple[str, ...] | None = None,
    progress: Callable[[float], None] | None = None,
) -> RunRecord:
    """Simulate an FMU and return its histories at all communication points, including the start.

    - `fmu_path`: co-simulation FMU of FMI 2.0 or 3.0, or the folder with its extracted files
    - `experiment`: start and stop time, step, and whether inputs are values at the start or the end
      of a step
    - `parameters`: start values of parameters by name. Enumerations are given by name or number.
    - `inputs`: signals of Real inputs by name. Other inputs keep their start value.
    - `changes`: new values of tunable parameters at communication points
    - `variables`: names of the variables to read at each point. The default is all outputs.
    - `progress`: called with the completed fraction, 0 to 1

    Raises ValueError if a name is unknown, a value does not fit its type, or a table is too short.
    Raises FmuError if the FMU cannot be read or loaded, and RunError if it rejects a call or
    returns a value that is not finite.
    """
    (history,) = simulated_blocks(
        fmu_path,
        experiment,
        parameters=parameters,
        inputs=inputs,
        changes=changes,
        variables=variables,
        progress=progress,
        block_steps=experiment.step_count,
    )
    return history


def simulated_blocks(
    fmu_path: Path | str,
    experiment: Experiment,
    *,
    parameters: Mapping[str, bool | int | float | str] | None = None,
    inputs: Mapping[str, Signal] | None = None,
    changes: Sequence[ParameterChange] = (),
    variables: tuple[str, ...] | None = None,
    progress: Callable[[float], None] | None = None,
    block_steps: int,
) -> Generator[RunRecord, None, None]:
    """Simulate an FMU and yield its histories in blocks, for runs that do not fit into memory.

    Each block contains `block_steps` steps. The first block also contains the initial communication
    point. See `simulate` for other parameters and exceptions. Close the generator if it is not read
    to its end, to free the FMU. It is one function because one FMU is open for all blocks.
    """
    interface = read_interface(Path(fmu_path))
    start_values = [interface.parameter(name, given) for name, given in (parameters or {}).items()]
    fed = [interface.input(name) for name in inputs or {}]
    names = interface.outputs() if variables is None else variables
    read = [interface.readable(name) for name in names]
    times = experiment.times()
    samples = [signal.sample(times) for signal in (inputs or {}).values()]
    reading = input_reading(experiment, interface, parameters or {})
    require_event_stops(experiment, interface)
    lead = 1 if reading.end == "end" else 0
    slopes = input_derivatives(inputs or {}, times, reading.derivatives)
    changed = {
        experiment.index_of(change.time): tunable_values(change, interface) for change in changes
    }
    messages: list[str] = []
    index = -1
    with open_slave(interface, messages, stops_at_events=experiment.stop_at_events) as slave:
        sampled = feeds_of(slave, fed, samples)
        feeds = list(sampled)
        del samples
        readers = readers_of(slave, read)
        try:
            for variable, value in start_values:
                slave.set_value(variable, value)
            slave.enter_initialization(experiment.start_time, experiment.stop_time)
            for feed in feeds:
                feed.set(0)
            slave.exit_initialization()
            if slopes:
                assert isinstance(slave, Fmi2Slave)  # FMI 3.0 has no input derivatives
                varying = [interface.input(name) for name in slopes]
                feeds.append(slave.derivative_feed(varying, list(slopes.values())))
            event_steps = None
            if experiment.stop_at_events:
                assert isinstance(slave, Fmi3Slave)  # checked before
                at_events = () if lead else sampled
                event_steps = EventSteps(slave, readers, at_events, inputs or {})

            step_size = experiment.step_size
            step_count = experiment.step_count
            reported = min(max(1, step_count // _PROGRESS_REPORTS), _MOST_UNREPORTED_STEPS)
            if progress is not None:
                progress(0.0)
            for first in range(0, step_count, block_steps):
                end = min(first + block_steps, step_count)
                # Points after the steps of the block. The first block also has the initial point.
                first_row = first + 1 if first else 0
                points = slice(first_row, end + 1)
                for reader in readers:
                    reader.begin(end + 1 - first_row)
                    if not first:
                        reader.read(0)
                began = time.perf_counter()
                for index in range(first, end):
                    for variable, value in changed.get(index, ()):
                        slave.set_value(variable, value)
                    for feed in feeds:
                        feed.set(index + lead)
                    if event_steps is None:
                        slave.step(times.item(index), step_size)
                    else:
                        event_steps.step(times.item(index), step_size, times.item(index + 1))
                    for reader in readers:
                        reader.read(index + 1 - first_row)
                    if progress is not None and (index + 1) % reported == 0:
                        progress((index + 1) / step_count)
                seconds = time.perf_counter() - began
                if end == step_count:
                    slave.terminate()
                values = {name: column for reader in readers for name, column in reader.columns()}
                _require_finite(values, times[points])
                events = None if event_steps is None else event_steps.taken_record()
                if events is not None:
                    for side in (events.before, events.after):
                        _require_finite(side, events.times)
                yield RunRecord(
                    times=times[points],
                    values={name: values[name] for name in names},
                    seconds=seconds,
                    messages=tuple(messages),
                    units={variable.name: variable.unit for variable in read if variable.unit},
                    title=interface.description.modelName,
                    events=events,
                )
        except FMICallException as problem:
            place = "initialisation" if index < 0 else f"t={times[index]:.12g} s"
            raise refusal(problem, place, messages) from problem


def _require_finite(values: Mapping[str, Floats], times: Floats) -> None:
    for name, column in values.items():
        bad = np.flatnonzero(~np.isfinite(column))
        if bad.size:
            raise RunError(f"{name}={column[bad[0]]} at t={times[bad[0]]:.12g} s must be finite")
