"""Fixtures: built FMUs, and a host that calls FMI functions without checks of its own."""

from __future__ import annotations

import ctypes
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from math import prod
from pathlib import Path
from typing import Any

import fmpy
import pytest
from fmpy import fmi2

from fmu_src.archive.builder import build_fmu
from fmu_src.native.entry_points import EntryPoints

from ..forms.instance import ERROR, OK, Instance, description_in


def sealed(content: bytes) -> bytes:
    """Return a saved state of a Python FMU with this content, preceded by its checksum."""
    return f"{zlib.crc32(content):08x}\n".encode() + content


def content_of(state: bytes) -> bytes:
    """Return the content of a saved state of a Python FMU, which is JSON after the checksum."""
    return state.partition(b"\n")[2]


def saved_count(entry: EntryPoints) -> int:
    """Return the number of values in the saved state of a native FMU."""
    return sum(prod(entry._shape(*argument)) for argument in entry.saved().items())


class Host(Instance):
    """An instance of an unpacked FMU of FMI 2.0. Calls are unchecked and return the FMI status."""

    version = 2

    def __init__(self, folder: Path, name: str = "tested", library: Path | None = None) -> None:
        self.description = description_in(folder)
        self.folder = folder
        self.references = {v.name: v.valueReference for v in self.description.modelVariables}
        self.kinds = {
            v.name: "Integer" if v.type == "Enumeration" else v.type
            for v in self.description.modelVariables
        }
        self.messages: list[str] = []
        self.slave = fmi2.FMU2Slave(
            guid=self.description.guid,
            modelIdentifier=self.description.coSimulation.modelIdentifier,
            unzipDirectory=str(self.folder),
            instanceName=name,
            libraryPath=None if library is None else str(library),
        )
        callbacks = fmi2.fmi2CallbackFunctions()
        callbacks.logger = fmi2.fmi2CallbackLoggerTYPE(
            lambda _e, _n, _s, _c, text: self.messages.append(text.decode())
        )
        callbacks.allocateMemory = fmi2.fmi2CallbackAllocateMemoryTYPE(fmpy.calloc)
        callbacks.freeMemory = fmi2.fmi2CallbackFreeMemoryTYPE(fmpy.free)
        self.slave.instantiate(callbacks=callbacks, loggingOn=True)

    def call(self, function: str, *arguments: Any) -> int:
        """Call an FMI function on the instance and return its status without an exception."""
        status: int = getattr(self.slave.dll, function)(self.slave.component, *arguments)
        return status

    def set_reference(self, kind: str, reference: int, value: Any) -> int:
        c_type = getattr(fmi2, f"fmi2{kind}")
        vr = (fmi2.fmi2ValueReference * 1)(reference)
        return self.call(f"fmi2Set{kind}", vr, ctypes.c_size_t(1), (c_type * 1)(value))

    def get_reference(self, kind: str, reference: int) -> Any:
        c_type = getattr(fmi2, f"fmi2{kind}")
        vr = (fmi2.fmi2ValueReference * 1)(reference)
        value = (c_type * 1)()
        assert self.call(f"fmi2Get{kind}", vr, ctypes.c_size_t(1), value) == OK
        return value[0]

    def give(self, name: str, value: Any) -> int:
        return self.set_reference(self.kinds[name], self.references[name], value)

    def set(self, **values: Any) -> None:
        for name, value in values.items():
            assert self.give(name, value) == OK

    def get(self, name: str) -> Any:
        return self.get_reference(self.kinds[name], self.references[name])

    def outputs(self) -> dict[str, Any]:
        return {
            v.name: self.get(v.name)
            for v in self.description.modelVariables
            if v.causality == "output"
        }

    def set_up(self, start_time: float = 0.0, stop_time: float | None = None) -> int:
        return self.call(
            "fmi2SetupExperiment",
            fmi2.fmi2False,
            fmi2.fmi2Real(0.0),
            fmi2.fmi2Real(start_time),
            fmi2.fmi2False if stop_time is None else fmi2.fmi2True,
            fmi2.fmi2Real(stop_time or 0.0),
        )

    def enter(self, start_time: float = 0.0, stop_time: float | None = None) -> int:
        return self.set_up(start_time, stop_time) or self.call("fmi2EnterInitializationMode")

    def initialise(
        self, start_time: float = 0.0, stop_time: float | None = None, **values: Any
    ) -> Host:
        self.set(**values)
        self.enter(start_time, stop_time)
        self.call("fmi2ExitInitializationMode")
        return self

    def step(self, time: float, step_size: float, **inputs: float) -> int:
        self.set(**inputs)
        return self.call("fmi2DoStep", fmi2.fmi2Real(time), fmi2.fmi2Real(step_size), fmi2.fmi2True)

    def save(self) -> ctypes.c_void_p:
        state = fmi2.fmi2FMUstate()
        assert self.call("fmi2GetFMUstate", ctypes.byref(state)) == 0
        return state

    def load(self, state: ctypes.c_void_p) -> int:
        return self.call("fmi2SetFMUstate", state)

    def serialise(self, state: ctypes.c_void_p) -> bytes:
        size = ctypes.c_size_t()
        assert self.call("fmi2SerializedFMUstateSize", state, ctypes.byref(size)) == 0
        data = (ctypes.c_char * size.value)()
        assert self.call("fmi2SerializeFMUstate", state, data, size) == 0
        return data.raw

    def deserialise(self, data: bytes) -> tuple[int, ctypes.c_void_p]:
        state = fmi2.fmi2FMUstate()
        buffer = (ctypes.c_char * max(len(data), 1)).from_buffer_copy(data or b"\0")
        size = ctypes.c_size_t(len(data))
        return self.call("fmi2DeSerializeFMUstate", buffer, size, ctypes.byref(state)), state

    def free(self) -> None:
        self.slave.freeInstance()


Make = Callable[..., Host]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return the path of a built FMU by name."""
    folder = tmp_path_factory.mktemp("built")
    return cache(lambda name: build_fmu(name, folder))


@pytest.fixture(scope="session")
def unpacked(
    built: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Path]:
    """Return the folder of an unpacked FMU by name."""
    folder = tmp_path_factory.mktemp("unpacked")
    return cache(lambda name: Path(fmpy.extract(str(built(name)), str(folder / name))))


@pytest.fixture
def host(unpacked: Callable[[str], Path]) -> Iterator[Make]:
    """Create instances of an FMU that are freed at the end of the test."""
    hosts: list[Host] = []

    def make(name: str = "FrictionalShock", instance: str = "tested") -> Host:
        hosts.append(Host(unpacked(name), instance))
        return hosts[-1]

    yield make
    for made in hosts:
        made.free()


__all__ = ["ERROR", "OK", "Host", "Make", "content_of", "sealed"]
