"""A host of FMI 3.0 that calls functions without checks of its own."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fmpy

from ..forms.instance import DISCARD, ERROR, OK, Instance, description_in

# C types of FMI's variable types. An enumeration has the type Int64.
C_TYPES = {
    "Float64": ctypes.c_double,
    "Float32": ctypes.c_float,
    "Int8": ctypes.c_int8,
    "UInt8": ctypes.c_uint8,
    "Int16": ctypes.c_int16,
    "UInt16": ctypes.c_uint16,
    "Int32": ctypes.c_int32,
    "UInt32": ctypes.c_uint32,
    "Int64": ctypes.c_int64,
    "UInt64": ctypes.c_uint64,
    "Boolean": ctypes.c_bool,
    "String": ctypes.c_char_p,
}
LOGGER = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)


@dataclass(frozen=True)
class StepEnd:
    """Results of fmi3DoStep."""

    status: int
    event: bool
    early: bool
    time: float


def size_of(count: int) -> ctypes.c_size_t:
    """Return a count as a C size_t."""
    return ctypes.c_size_t(count)


class Host3(Instance):
    """An instance of an unpacked FMU. Calls are unchecked and return the FMI status."""

    version = 3

    def __init__(
        self, folder: Path, *, event_mode: bool = False, early_return: bool = False
    ) -> None:
        self.description = description_in(folder)
        self.folder = folder
        self.variables = {v.name: v for v in self.description.modelVariables}
        self.messages: list[str] = []
        name = self.description.modelName
        platform = self.folder / "binaries" / fmpy.platform_tuple
        self.library = ctypes.CDLL(str(platform / f"{name}{fmpy.sharedLibraryExtension}"))
        self.library.fmi3InstantiateCoSimulation.restype = ctypes.c_void_p
        self.logger = LOGGER(lambda _e, _s, _c, text: self.messages.append(text.decode()))
        self.instance: int | None = None
        self.make(event_mode=event_mode, early_return=early_return)

    def make(
        self,
        *,
        event_mode: bool = False,
        early_return: bool = False,
        token: str | None = None,
        resources: str | None = None,
        intermediate: int = 0,
        name: bytes | None = b"tested",
    ) -> int | None:
        """Create a new instance. Return the pointer from the library."""
        self.free()
        self.instance = self.library.fmi3InstantiateCoSimulation(
            name,
            (self.description.guid if token is None else token).encode(),
            (f"{self.folder}/resources/" if resources is None else resources).encode(),
            ctypes.c_bool(False),
            ctypes.c_bool(True),
            ctypes.c_bool(event_mode),
            ctypes.c_bool(early_return),
            None,
            size_of(intermediate),
            None,
            self.logger,
            None,
        )
        return self.instance

    def free(self) -> None:
        if self.instance:
            self.library.fmi3FreeInstance(ctypes.c_void_p(self.instance))
        self.instance = None

    def call(self, function: str, *arguments: Any) -> int:
        """Call an FMI function on the instance and return the status."""
        status: int = getattr(self.library, function)(ctypes.c_void_p(self.instance), *arguments)
        return status

    def kind_of(self, name: str) -> str:
        kind: str = self.variables[name].type
        return "Int64" if kind == "Enumeration" else kind

    def size(self, name: str) -> int:
        size = 1
        for dimension in self.variables[name].dimensions:
            size *= int(dimension.start)
        return size

    def set_reference(self, kind: str, reference: int, *values: Any) -> int:
        array = (C_TYPES[kind] * len(values))(*values)
        references = (ctypes.c_uint32 * 1)(reference)
        return self.call(f"fmi3Set{kind}", references, size_of(1), array, size_of(len(values)))

    def get_reference(self, kind: str, reference: int, size: int = 1) -> tuple[int, list[Any]]:
        array = (C_TYPES[kind] * size)()
        references = (ctypes.c_uint32 * 1)(reference)
        status = self.call(f"fmi3Get{kind}", references, size_of(1), array, size_of(size))
        return status, list(array)

    def give(self, name: str, value: Any) -> int:
        given = value.encode() if isinstance(value, str) else value
        values = given if isinstance(given, tuple) else (given,)
        return self.set_reference(self.kind_of(name), self.reference(name), *values)

    def set(self, **values: Any) -> None:
        for name, value in values.items():
            assert self.give(name, value) == OK, self.messages

    def get(self, name: str) -> Any:
        """Return the value of a scalar or the list of an array."""
        reference = self.variables[name].valueReference
        status, values = self.get_reference(self.kind_of(name), reference, self.size(name))
        assert status == OK, self.messages
        return values if self.variables[name].dimensions else values[0]

    def read(self, names: Sequence[str]) -> list[Any]:
        return [self.get(name) for name in names]

    def outputs(self) -> dict[str, Any]:
        return {
            name: self.get(name)
            for name, variable in self.variables.items()
            if variable.causality == "output"
        }

    def enter(self, start_time: float = 0.0, stop_time: float | None = None) -> int:
        return self.call(
            "fmi3EnterInitializationMode",
            ctypes.c_bool(False),
            ctypes.c_double(0.0),
            ctypes.c_double(start_time),
            ctypes.c_bool(stop_time is not None),
            ctypes.c_double(stop_time or 0.0),
        )

    def initialise(
        self, start_time: float = 0.0, stop_time: float | None = None, **values: Any
    ) -> Host3:
        """Initialise up to Step Mode, or up to the first Event Mode if the instance uses it."""
        self.set(**values)
        assert self.enter(start_time, stop_time) == OK, self.messages
        assert self.call("fmi3ExitInitializationMode") == OK, self.messages
        return self

    def step(self, time: float, step_size: float, **inputs: float) -> StepEnd:
        self.set(**inputs)
        event, terminate, early = ctypes.c_bool(), ctypes.c_bool(), ctypes.c_bool()
        reached = ctypes.c_double()
        status = self.call(
            "fmi3DoStep",
            ctypes.c_double(time),
            ctypes.c_double(step_size),
            ctypes.c_bool(True),
            ctypes.byref(event),
            ctypes.byref(terminate),
            ctypes.byref(early),
            ctypes.byref(reached),
        )
        assert not terminate.value
        return StepEnd(status, event.value, early.value, reached.value)

    def update(self) -> int:
        """Call fmi3UpdateDiscreteStates. All flags must be false."""
        flags = [ctypes.c_bool(True) for _ in range(5)]
        status = self.call(
            "fmi3UpdateDiscreteStates", *map(ctypes.byref, flags), ctypes.byref(ctypes.c_double())
        )
        assert not any(flag.value for flag in flags)
        return status

    def pass_event(self, **inputs: float) -> None:
        """Enter Event Mode, set discontinuous inputs, and leave it."""
        assert self.call("fmi3EnterEventMode") == OK, self.messages
        self.set(**inputs)
        self.leave_event_mode()

    def leave_event_mode(self) -> None:
        assert self.update() == OK, self.messages
        assert self.call("fmi3EnterStepMode") == OK, self.messages

    def save(self) -> ctypes.c_void_p:
        state = ctypes.c_void_p()
        assert self.call("fmi3GetFMUState", ctypes.byref(state)) == OK
        return state

    def load(self, state: ctypes.c_void_p) -> int:
        return self.call("fmi3SetFMUState", state)

    def release(self, state: ctypes.c_void_p) -> None:
        assert self.call("fmi3FreeFMUState", ctypes.byref(state)) == OK

    def serialise(self, state: ctypes.c_void_p) -> bytes:
        size = ctypes.c_size_t()
        assert self.call("fmi3SerializedFMUStateSize", state, ctypes.byref(size)) == OK
        data = (ctypes.c_uint8 * size.value)()
        assert self.call("fmi3SerializeFMUState", state, data, size) == OK
        return bytes(data)

    def deserialise(self, data: bytes) -> tuple[int, ctypes.c_void_p]:
        state = ctypes.c_void_p()
        buffer = (ctypes.c_uint8 * max(len(data), 1)).from_buffer_copy(data or b"\0")
        status = self.call(
            "fmi3DeserializeFMUState", buffer, size_of(len(data)), ctypes.byref(state)
        )
        return status, state

    def derivative(
        self, unknowns: Sequence[str], knowns: Sequence[str], seed: Sequence[float]
    ) -> tuple[int, list[float]]:
        """Call fmi3GetDirectionalDerivative."""
        outputs = (ctypes.c_uint32 * len(unknowns))(*map(self.reference, unknowns))
        inputs = (ctypes.c_uint32 * len(knowns))(*map(self.reference, knowns))
        result = (ctypes.c_double * sum(map(self.size, unknowns)))()
        status = self.call(
            "fmi3GetDirectionalDerivative",
            outputs,
            size_of(len(unknowns)),
            inputs,
            size_of(len(knowns)),
            (ctypes.c_double * len(seed))(*seed),
            size_of(len(seed)),
            result,
            size_of(len(result)),
        )
        return status, list(result)

    def reference(self, name: str) -> int:
        reference: int = self.variables[name].valueReference
        return reference


__all__ = [
    "C_TYPES",
    "DISCARD",
    "ERROR",
    "LOGGER",
    "OK",
    "Host3",
    "StepEnd",
    "description_in",
    "size_of",
]
