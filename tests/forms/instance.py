"""A common interface to all forms of an FMU: Python, native FMI 2.0, native FMI 3.0."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import fmpy

from fmu_src.bundled.slave import RejectedCallError
from fmu_src.models import definition_of

OK, WARNING, DISCARD, ERROR = 0, 1, 2, 3


@cache
def description_in(folder: Path) -> Any:
    """Read the description of an unpacked FMU."""
    return fmpy.read_model_description(str(folder))


class Instance:
    """Calls of a master to any form of an FMU. Each call is accepted or refused.

    A call is accepted if its status is OK and nothing is logged.
    """

    version: int
    folder: Path
    description: Any
    messages: list[str]
    set: Callable[..., None]
    get: Callable[[str], Any]
    give: Callable[[str, Any], int]
    set_reference: Callable[[str, int, Any], int]
    outputs: Callable[[], dict[str, Any]]
    call: Callable[..., int]
    enter: Callable[..., int]
    step: Callable[..., Any]
    save: Callable[[], ctypes.c_void_p]
    load: Callable[[ctypes.c_void_p], int]
    serialise: Callable[[ctypes.c_void_p], bytes]
    deserialise: Callable[[bytes], tuple[int, ctypes.c_void_p]]

    def takes(self, call: Callable[[], int]) -> bool:
        """Return whether a call is accepted."""
        logged = len(self.messages)
        return call() == OK and len(self.messages) == logged

    def changes(self, transition: str) -> bool:
        """Return whether a change of phase is accepted, by its name in FMI: Reset, Terminate, …"""
        return self.takes(lambda: self.call(f"fmi{self.version}{transition}"))

    def begins(
        self, start_time: float = 0.0, stop_time: float | None = None, **values: Any
    ) -> bool:
        """Return whether the initialisation with these values is accepted."""
        self.set(**values)
        return self.takes(lambda: self.enter(start_time, stop_time)) and self.changes(
            "ExitInitializationMode"
        )

    def begun(self, *times: float, **values: Any) -> Instance:
        """Initialise this instance and return it."""
        assert self.begins(*times, **values), self.messages
        return self

    def steps(self, time: float, step_size: float, **inputs: float) -> bool:
        """Return whether a step is done. FMI 3.0 may return a warning."""
        answer = self.step(time, step_size, **inputs)
        return getattr(answer, "status", answer) in (OK, WARNING)

    def free_state(self, state: ctypes.c_void_p) -> None:
        """Free a saved state."""
        name = {2: "fmi2FreeFMUstate", 3: "fmi3FreeFMUState"}[self.version]
        assert self.call(name, ctypes.byref(state)) == OK

    def written(self) -> bytes:
        """Return the present state as bytes."""
        state = self.save()
        data = self.serialise(state)
        self.free_state(state)
        return data

    def restores(self, data: bytes) -> bool:
        """Return whether the state from these bytes is accepted."""
        status, state = self.deserialise(data)
        if status != OK:
            assert not state
            return False
        taken = self.takes(lambda: self.load(state))
        self.free_state(state)
        return taken


class Slave:
    """The Python object of a slave, without an FMU."""

    def __init__(self, name: str) -> None:
        self.slave = definition_of(name).slave(instance_name="tested")
        self.references = {one.name: number for number, one in enumerate(self.slave.table)}
        self.rejection = ""  # message of a rejected initialisation

    def accessor(self, access: str, number: int) -> Callable[..., Any]:
        """Return the slave's function that gets or sets the variable with this number."""
        kind = self.slave.table[number].kind
        name = "integer" if kind == "Enumeration" else kind.lower()
        found: Callable[..., Any] = getattr(self.slave, f"{access}_{name}")
        return found

    def set(self, **values: Any) -> None:
        for name, value in values.items():
            number = self.references[name]
            given = value.decode() if isinstance(value, bytes) else value
            self.accessor("set", number)([number], [given])

    def begin(
        self, start_time: float = 0.0, stop_time: float | None = None, **values: Any
    ) -> Slave:
        self.set(**values)
        self.slave.setup_experiment(start_time, stop_time)
        self.slave.enter_initialization_mode()
        try:
            self.slave.exit_initialization_mode()
        except RejectedCallError as error:
            self.rejection = str(error)
        return self

    def steps(self, time: float, step_size: float, **inputs: float) -> bool:
        self.set(**inputs)
        return bool(self.slave.do_step(time, step_size))

    @property
    def message(self) -> str:
        """Return the last message, which starts with the name of the instance."""
        text: str = self.slave.log_queue[-1].msg if self.slave.log_queue else self.rejection
        return text

    def outputs(self) -> dict[str, Any]:
        return {
            one.name: self.accessor("get", number)([number])[0]
            for number, one in enumerate(self.slave.table)
            if one.causality == "output"
        }
