"""A host that needs only Python: it runs FMUs through ctypes, as a C host would.

Other hosts of the tests use its functions for instantiation.

An input line in JSON is a list of runs. Their instances exist at the same time and step in turn. An
output line contains the results (hexadecimal numbers, so that all bits are kept) and the loaded
modules. One process answers requests until its input ends.

    run  library, resources (URI), guid, start {kind: {reference: value}}, step_size,
         inputs [reference], rows [[value]], outputs {kind: [reference]}
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Callable

C_TYPES = {"Real": ctypes.c_double, "Integer": ctypes.c_int, "Boolean": ctypes.c_int}
Log = ctypes.CFUNCTYPE(
    None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p
)
Allocate = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t)
Free = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
Finished = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int)


class Callbacks(ctypes.Structure):
    _fields_ = (
        ("logger", Log),
        ("allocate", Allocate),
        ("free", Free),
        ("finished", Finished),
        ("environment", ctypes.c_void_p),
    )


C_LIBRARY = ctypes.CDLL(None)
C_LIBRARY.calloc.restype = ctypes.c_void_p
C_LIBRARY.calloc.argtypes = [ctypes.c_size_t, ctypes.c_size_t]
C_LIBRARY.free.argtypes = [ctypes.c_void_p]


def callbacks(heard: Callable[[str], object]) -> Callbacks:
    """Return callbacks that pass messages to `heard`. They must outlive the instances."""
    return Callbacks(
        Log(lambda _environment, _name, _status, _category, text: heard(text.decode())),
        Allocate(C_LIBRARY.calloc),
        Free(C_LIBRARY.free),
        Finished(),
        None,
    )


def loaded(library: str) -> ctypes.CDLL:
    """Load the library of an FMU."""
    opened = ctypes.CDLL(library)
    opened.fmi2Instantiate.restype = ctypes.c_void_p
    return opened


def instantiated(
    library: ctypes.CDLL, name: bytes, guid: bytes, resources: bytes, calls: Callbacks
) -> ctypes.c_void_p:
    """Create a co-simulation instance that logs. The pointer is null if the FMU refuses."""
    return ctypes.c_void_p(
        library.fmi2Instantiate(
            name,
            ctypes.c_int(1),
            guid,
            resources,
            ctypes.byref(calls),
            ctypes.c_int(0),
            ctypes.c_int(1),
        )
    )


MESSAGES: list[str] = []
CALLBACKS = callbacks(MESSAGES.append)


class Instance:
    """An instance of an FMU. Each call records its status."""

    def __init__(self, run: dict, number: int) -> None:
        self.run = run
        self.library = loaded(run["library"])
        name, guid, resources = f"instance {number}", run["guid"], run["resources"]
        self.component = instantiated(
            self.library, name.encode(), guid.encode(), resources.encode(), CALLBACKS
        )
        if not self.component:
            raise RuntimeError(f"not instantiated: {MESSAGES}")
        self.statuses: list[int] = []
        self.records: list[dict] = []

    def call(self, function: str, *arguments: object) -> None:
        self.statuses.append(getattr(self.library, function)(self.component, *arguments))

    def set(self, kind: str, references: list[int], values: list[float]) -> None:
        count = len(references)
        if count:
            self.call(
                f"fmi2Set{kind}",
                (ctypes.c_uint * count)(*references),
                ctypes.c_size_t(count),
                (C_TYPES[kind] * count)(*values),
            )

    def record(self) -> None:
        found = {}
        for kind, references in self.run["outputs"].items():
            count = len(references)
            values = (C_TYPES[kind] * count)()
            self.call(
                f"fmi2Get{kind}",
                (ctypes.c_uint * count)(*references),
                ctypes.c_size_t(count),
                values,
            )
            found[kind] = [value.hex() if kind == "Real" else value for value in values]
        self.records.append(found)

    def initialise(self) -> None:
        for kind, starts in self.run["start"].items():
            self.set(kind, [int(reference) for reference in starts], list(starts.values()))
        zero, no = ctypes.c_double(0.0), ctypes.c_int(0)
        self.call("fmi2SetupExperiment", no, zero, zero, no, zero)
        self.call("fmi2EnterInitializationMode")
        self.call("fmi2ExitInitializationMode")
        self.record()

    def step(self, number: int) -> None:
        size = self.run["step_size"]
        self.set("Real", self.run["inputs"], self.run["rows"][number])
        self.call(
            "fmi2DoStep", ctypes.c_double(number * size), ctypes.c_double(size), ctypes.c_int(1)
        )
        self.record()

    def end(self) -> None:
        self.call("fmi2Terminate")
        self.library.fmi2FreeInstance(self.component)


def answer(runs: list[dict]) -> dict:
    instances = [Instance(run, number) for number, run in enumerate(runs)]
    for one in instances:
        one.initialise()
    for number in range(max(len(run["rows"]) for run in runs)):
        for one in instances:
            if number < len(one.run["rows"]):
                one.step(number)
    for one in instances:
        one.end()
    return {
        "runs": [{"statuses": one.statuses, "records": one.records} for one in instances],
        "messages": MESSAGES,
        "modules": {
            name: module.__file__
            for name, module in sys.modules.items()
            if getattr(module, "__file__", None)
        },
    }


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
