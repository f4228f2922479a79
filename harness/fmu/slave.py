"""A co-simulation slave of FMI 2.0 or FMI 3.0, and access to its variables.

All differences between the versions are in the slaves. All variables of a type are read and written
by one call. The arrays that are passed to C are created once, before the first step.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from ctypes import byref
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import fmpy
import numpy as np
from fmpy import fmi2, fmi3
from fmpy.model_description import ModelVariable

from harness.errors import RunError
from harness.fmu.interface import FmuInterface
from wearmodel.arrays import Floats


@dataclass(frozen=True)
class Accessor:
    """Access to variables of one type, with one call for several variables.

    `name` is the end of the names of the FMI functions, such as `Real` for `fmi2GetReal`.
    """

    name: str
    c_type: Any


@dataclass(frozen=True)
class Stop:
    """End of a step at `time` [s], before its planned end or at an event.

    If `has_event`, the FMU waits for `Fmi3Slave.pass_event`.
    """

    time: float
    is_early: bool
    has_event: bool


class Slave(ABC):
    """The library of an FMU extracted to a folder, and one instance."""

    prefix: ClassVar[str]

    def __init__(self, interface: FmuInterface, folder: str, calls: Any) -> None:
        # Any, because fmpy creates the functions when it loads the library.
        self._calls: Any = calls(
            guid=interface.description.guid,
            modelIdentifier=interface.description.coSimulation.modelIdentifier,
            unzipDirectory=folder,
            instanceName=interface.description.modelName,
        )

    @abstractmethod
    def instantiate(self, messages: list[str]) -> None:
        """Create the instance, which logs to `messages`.

        Raises fmpy's Exception if this fails. The library is then still loaded.
        """

    @abstractmethod
    def enter_initialization(self, start_time: float, stop_time: float | None = None) -> None:
        """Enter the initialisation, after setting parameters and before setting inputs."""

    @abstractmethod
    def exit_initialization(self) -> None:
        """Leave the initialisation. The next call may be a step."""

    @abstractmethod
    def accessor(self, variable: ModelVariable) -> Accessor:
        """Return the access to a variable of this FMU."""

    @abstractmethod
    def step(self, time: float, step_size: float) -> Stop | None:
        """Take a step from `time`, and return its early stop or None.

        Raises FMICallException if the FMU rejects the step. Raises RunError if the FMU requests the
        end of the simulation, or returns early without permission.
        """

    def terminate(self) -> None:
        """End the simulation."""
        self._calls.terminate()

    def free(self) -> None:
        """Free the instance and the library."""
        self._calls.freeInstance()

    def free_library(self) -> None:
        """Free the library without an instance."""
        self._calls.freeLibrary()

    def setter(self, accessor: Accessor, variables: list[ModelVariable]) -> Callable[..., None]:
        """Return a function that writes these variables from a pointer."""
        return self._call_on("Set", accessor, variables)

    def getter(self, accessor: Accessor, variables: list[ModelVariable], buffer: Any) -> Any:
        """Return a function that reads these variables into the buffer."""
        return partial(self._call_on("Get", accessor, variables), buffer)

    def _call_on(
        self, verb: str, accessor: Accessor, variables: list[ModelVariable]
    ) -> Callable[..., Any]:
        function = getattr(self._calls, f"{self.prefix}{verb}{accessor.name}")
        return partial(function, self._calls.component, _references(variables), len(variables))

    def set_value(self, variable: ModelVariable, value: float | int | str) -> None:
        """Write a variable, with a value of its FMI type."""
        accessor = self.accessor(variable)
        in_c = (accessor.c_type * 1)(value.encode() if isinstance(value, str) else value)
        self.setter(accessor, [variable])(in_c)


class Fmi2Slave(Slave):
    """A slave of FMI 2.0, without events."""

    prefix = "fmi2"
    _ACCESSORS: ClassVar = {
        "Real": Accessor("Real", fmi2.fmi2Real),
        "Integer": Accessor("Integer", fmi2.fmi2Integer),
        "Enumeration": Accessor("Integer", fmi2.fmi2Integer),
        "Boolean": Accessor("Boolean", fmi2.fmi2Boolean),
        "String": Accessor("String", fmi2.fmi2String),
    }

    def __init__(self, interface: FmuInterface, folder: str) -> None:
        super().__init__(interface, folder, fmi2.FMU2Slave)

    def instantiate(self, messages: list[str]) -> None:
        """Create the instance.

        The logger proxy of fmpy is not used, because it expands C format arguments and a single `%`
        in a message crashes it. It also has one logger for the whole process.
        """

        def log(_owner: Any, _name: bytes, _status: int, _category: bytes, text: bytes) -> None:
            # Literal % and # are doubled [FMI 2.0.4, 2.1.5].
            messages.append(_plain(text).replace("%%", "%").replace("##", "#"))

        callbacks = fmi2.fmi2CallbackFunctions()
        callbacks.logger = fmi2.fmi2CallbackLoggerTYPE(log)
        callbacks.allocateMemory = fmi2.fmi2CallbackAllocateMemoryTYPE(fmpy.calloc)
        callbacks.freeMemory = fmi2.fmi2CallbackFreeMemoryTYPE(fmpy.free)
        self._calls.instantiate(callbacks=callbacks, loggingOn=True)

    def enter_initialization(self, start_time: float, stop_time: float | None = None) -> None:
        self._calls.setupExperiment(startTime=start_time, stopTime=stop_time)
        self._calls.enterInitializationMode()

    def exit_initialization(self) -> None:
        self._calls.exitInitializationMode()

    def accessor(self, variable: ModelVariable) -> Accessor:
        return self._ACCESSORS[variable.type]

    def derivative_feed(self, variables: list[ModelVariable], derivatives: list[Floats]) -> Feed:
        """Return a feed of the derivatives of Real inputs at the start of a step.

        `derivatives` contains, for each input, an array of shape (orders, n): its derivatives from
        order 1 at the communication points, in its unit by s^order.
        """
        counts = [len(rows) for rows in derivatives]
        repeated = [variables[at] for at, count in enumerate(counts) for _ in range(count)]
        orders = [order for count in counts for order in range(1, count + 1)]
        write = partial(
            self._calls.fmi2SetRealInputDerivatives,
            self._calls.component,
            _references(repeated),
            len(repeated),
            (fmi2.fmi2Integer * len(orders))(*orders),
        )
        return Feed([], np.concatenate(derivatives).T, fmi2.fmi2Real, write)

    def step(self, time: float, step_size: float) -> None:
        self._calls.fmi2DoStep(self._calls.component, time, step_size, fmi2.fmi2True)


class Fmi3Slave(Slave):
    """A slave of FMI 3.0.

    With `stops_at_events`, it may return early at events, which then wait for `pass_event`.
    Otherwise it handles them within its steps.
    """

    prefix = "fmi3"

    def __init__(self, interface: FmuInterface, folder: str, *, stops_at_events: bool) -> None:
        super().__init__(interface, folder, fmi3.FMU3Slave)
        self._stops_at_events = stops_at_events
        self.announced_event = math.inf
        """Time of the next announced event [s], or infinity."""
        self._types = {v.name: v.type for v in interface.description.modelVariables}
        self._event_needed, self._terminated, self._returned_early = (
            fmi3.fmi3Boolean() for _ in range(3)
        )
        self._reached = fmi3.fmi3Float64()
        self._answers = (
            byref(self._event_needed),
            byref(self._terminated),
            byref(self._returned_early),
            byref(self._reached),
        )

    def instantiate(self, messages: list[str]) -> None:
        def log(_owner: Any, _status: int, _category: bytes, text: bytes) -> None:
            messages.append(_plain(text))

        self._calls.instantiate(
            loggingOn=True,
            eventModeUsed=self._stops_at_events,
            earlyReturnAllowed=self._stops_at_events,
            logMessage=log,
        )

    def enter_initialization(self, start_time: float, stop_time: float | None = None) -> None:
        self._calls.enterInitializationMode(startTime=start_time, stopTime=stop_time)

    def exit_initialization(self) -> None:
        """Leave the initialisation and, if events are handled, the event mode that follows."""
        self._calls.exitInitializationMode()
        if self._stops_at_events:
            self._update_discrete_states()

    def accessor(self, variable: ModelVariable) -> Accessor:
        # The interface contains the FMI 2.0 names of types.
        fmi_type = self._types[variable.name]
        name = "Int64" if fmi_type == "Enumeration" else fmi_type
        return Accessor(name, getattr(fmi3, f"fmi3{name}"))

    # In FMI 3.0 each call also has the number of values as an argument.
    def setter(self, accessor: Accessor, variables: list[ModelVariable]) -> Callable[..., None]:
        write, count = super().setter(accessor, variables), len(variables)
        return lambda values: write(values, count)

    def getter(self, accessor: Accessor, variables: list[ModelVariable], buffer: Any) -> Any:
        return partial(super().getter(accessor, variables, buffer), len(variables))

    def step(self, time: float, step_size: float) -> Stop | None:
        self._calls.fmi3DoStep(self._calls.component, time, step_size, True, *self._answers)
        if self._terminated.value:
            raise RunError(
                f"fmi3DoStep at t={time:.12g} s: the FMU requests the end of the simulation at "
                f"t={self._reached.value:.12g} s"
            )
        if not (self._event_needed.value or self._returned_early.value):
            return None
        if not self._stops_at_events:
            raise RunError(
                f"fmi3DoStep at t={time:.12g} s: the FMU returned at t={self._reached.value:.12g} "
                "s, but early return is not allowed"
            )
        return Stop(self._reached.value, self._returned_early.value, self._event_needed.value)

    def pass_event(self) -> None:
        """Let the FMU handle the event at which a step stopped, or the announced event."""
        self._calls.enterEventMode()
        self._update_discrete_states()

    def _update_discrete_states(self) -> None:
        needs_update = True
        while needs_update:
            needs_update, asks_to_end, _, _, is_announced, at = self._calls.updateDiscreteStates()
            if asks_to_end:
                raise RunError(
                    "fmi3UpdateDiscreteStates: the FMU requests the end of the simulation"
                )
            self.announced_event = at if is_announced else math.inf
        self._calls.enterStepMode()


def slave_of(interface: FmuInterface, folder: str, *, stops_at_events: bool = False) -> Slave:
    """Load the library of an FMU, or raise fmpy's Exception."""
    if interface.fmi == 2:
        return Fmi2Slave(interface, folder)
    return Fmi3Slave(interface, folder, stops_at_events=stops_at_events)


def library_of(interface: FmuInterface, folder: Path) -> Path:
    """Return the path of the library for this machine in the folder of an extracted FMU."""
    platform = fmpy.platform if interface.fmi == 2 else fmpy.platform_tuple
    identifier = interface.description.coSimulation.modelIdentifier
    return Path(folder, "binaries", platform, f"{identifier}{fmpy.sharedLibraryExtension}")


def _references(variables: list[ModelVariable]) -> Any:
    """Return the value references as a C array, which has the same type in both versions."""
    return (fmi2.fmi2ValueReference * len(variables))(
        *(variable.valueReference for variable in variables)
    )


def _plain(text: bytes) -> str:
    return " ".join((text or b"").decode("utf-8", errors="replace").split())


class Feed:
    """Writes values of inputs of one type, or their derivatives, at communication points.

    - `names`: names of the inputs
    - `rows`: a row of values for each communication point
    - `write`: writes a row from a pointer
    """

    def __init__(
        self, names: list[str], rows: Floats, c_type: Any, write: Callable[..., None]
    ) -> None:
        self.names = names
        self._c_type = c_type
        self._rows = np.ascontiguousarray(rows, dtype=c_type)
        # The FMU reads a row in place. `byref` adds an offset in bytes to the first number.
        self._first = c_type.from_buffer(self._rows)
        self._row_bytes = self._rows.strides[0]
        self._write = write

    def set(self, index: int) -> None:
        """Write the row of a communication point, counted from 0."""
        self._write(byref(self._first, index * self._row_bytes))

    def set_values(self, values: list[float]) -> None:
        """Write a value for each variable."""
        self._write((self._c_type * len(values))(*values))


class Reader:
    """Reads the variables of one type into the rows of a history."""

    def __init__(self, slave: Slave, accessor: Accessor, variables: list[ModelVariable]) -> None:
        self.names = [variable.name for variable in variables]
        buffer = (accessor.c_type * len(variables))()
        self._get = slave.getter(accessor, variables, buffer)
        self._view = np.ctypeslib.as_array(buffer)
        self._history = np.empty((0, len(variables)))

    def begin(self, rows: int) -> None:
        """Begin a new history. Columns of the previous history remain valid."""
        self._history = np.empty((rows, len(self.names)))

    def read(self, index: int) -> None:
        """Read the present values into a row."""
        self._get()
        self._history[index] = self._view

    def columns(self) -> list[tuple[str, Floats]]:
        """Return the variables' names and histories, shape (rows,), all as floats."""
        return list(zip(self.names, self._history.T, strict=True))

    def present(self) -> dict[str, float]:
        """Return the present values by name."""
        self._get()
        return dict(zip(self.names, self._view.astype(np.float64).tolist(), strict=True))


def feeds_of(slave: Slave, variables: list[ModelVariable], samples: list[Floats]) -> list[Feed]:
    """Return a feed for each type of the inputs."""
    of = dict(zip((variable.name for variable in variables), samples, strict=True))
    feeds = []
    for accessor, group in _by_accessor(slave, variables).items():
        names = [variable.name for variable in group]
        rows = np.column_stack([of[name] for name in names])
        feeds.append(Feed(names, rows, accessor.c_type, slave.setter(accessor, group)))
    return feeds


def readers_of(slave: Slave, variables: list[ModelVariable]) -> list[Reader]:
    """Return a reader for each type of the variables."""
    return [
        Reader(slave, accessor, group) for accessor, group in _by_accessor(slave, variables).items()
    ]


def _by_accessor(
    slave: Slave, variables: list[ModelVariable]
) -> dict[Accessor, list[ModelVariable]]:
    groups: dict[Accessor, list[ModelVariable]] = {}
    for variable in variables:
        groups.setdefault(slave.accessor(variable), []).append(variable)
    return groups
