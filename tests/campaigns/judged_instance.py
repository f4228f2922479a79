"""One FMU instance under arbitrary calls, and a judge of its answers.

The judge implements the rules a second time, more simply than the slave. It checks which phase
allows which call, that a rejected call does not change anything, and that the accepted calls
determine the state of an instance.
"""

from __future__ import annotations

import ctypes
import math
import sys
import time
from collections import Counter
from pathlib import Path

# A script in a separate process runs this, without the packages of the tests.
sys.path.insert(0, str(Path(__file__).parents[1] / "fmu_src"))

from bare_host import C_TYPES, callbacks, instantiated, loaded

OK, DISCARD, ERROR = 0, 2, 3
# Tolerance of FMI times: a share of the step length, or units in the last place.
ROUNDING, ULPS = 1e-6, 4.0
SLOW = 0.05  # s. An instance is not used further after a slower step.
NOT_NUMBERS = (math.nan, math.inf, -math.inf)

LAST_MESSAGE = [""]
MESSAGE_COUNT = [0]


def keep_message(message: str) -> None:
    LAST_MESSAGE[0] = message
    MESSAGE_COUNT[0] += 1


CALLBACKS = callbacks(keep_message)


class ViolationError(Exception):
    """The slave broke a rule."""


class Fmu:
    """A loaded FMU and its variables by reference: [name, kind, causality, start]."""

    def __init__(self, request: dict) -> None:
        self.name = request["name"]
        self.variables = request["variables"]
        self.guid = request["guid"].encode()
        self.resources = request["resources"].encode()
        self.takes_derivatives = request["takes_derivatives"]
        self.instance_name = b"tortured"
        self.library = loaded(request["library"])
        self.inputs = self.references("input", "Real")
        self.outputs = {kind: self.references("output", kind) for kind in ("Real", "Integer")}
        self.parameters = [n for n, one in enumerate(self.variables) if one[2] == "parameter"]
        self.tunable = frozenset(request["tunable"])

    def references(self, causality: str, kind: str) -> list[int]:
        return [
            number
            for number, one in enumerate(self.variables)
            if one[2] == causality and one[1] == kind
        ]

    def instantiate(self) -> ctypes.c_void_p:
        component = instantiated(
            self.library, self.instance_name, self.guid, self.resources, CALLBACKS
        )
        if not component:
            raise ViolationError("fmi2Instantiate gave nothing")
        return component


class Subject:
    """One instance, with the judge's record of the accepted calls."""

    def __init__(self, fmu: Fmu, counts: Counter) -> None:
        self.fmu = fmu
        self.counts = counts
        self.component = fmu.instantiate()
        self.forget()

    def forget(self) -> None:
        """Reset the record to the state after instantiation."""
        self.phase = "instantiated"
        self.failed = False  # True if initialisation failed: outputs are undefined
        self.time = 0.0
        self.start_time = 0.0
        self.stop_time = math.inf
        self.values = {number: one[3] for number, one in enumerate(self.fmu.variables)}
        self.begin: tuple | None = None  # Parameters and inputs at the initialisation.
        self.steps: list[tuple] = []  # (time, step size, inputs) or ("change", reference, value)
        self.slow = False

    def account(self) -> tuple:
        """Return all data that determine the instance."""
        return (
            self.phase,
            self.time,
            self.start_time,
            self.stop_time,
            dict(self.values),
            self.begin,
            list(self.steps),
            self.failed,
        )

    def return_to(self, account: tuple) -> None:
        self.phase, self.time, self.start_time, self.stop_time, *rest = account
        values, self.begin, steps, self.failed = rest
        self.values, self.steps = dict(values), list(steps)

    # -- calls ---------------------------------------------------------------------------------

    def call(self, function: str, *arguments: object) -> int:
        self.counts["calls"] += 1
        status = getattr(self.fmu.library, function)(self.component, *arguments)
        if status not in (OK, DISCARD, ERROR):
            raise ViolationError(f"{function} gave status {status}: {LAST_MESSAGE[0]}")
        return status

    def accepted(self, function: str, *arguments: object) -> None:
        status = self.call(function, *arguments)
        if status != OK:
            raise ViolationError(f"{function} gave status {status}: {LAST_MESSAGE[0]}")

    def judged(self, legal: bool, function: str, *arguments: object) -> None:
        """Make a call that must be accepted if legal, and otherwise rejected with a reason."""
        LAST_MESSAGE[0] = ""
        status = self.call(function, *arguments)
        if status != (OK if legal else ERROR):
            raise ViolationError(f"{function}: {status} in {self.phase}: {LAST_MESSAGE[0]}")
        if not legal and not LAST_MESSAGE[0]:
            raise ViolationError(f"{function} was rejected without a reason")

    def set(self, kind: str, reference: int, value: float) -> None:
        """Set one variable, legally or not."""
        known = reference < len(self.fmu.variables) and self.fmu.variables[reference][1] == kind
        causality = self.fmu.variables[reference][2] if known else "unknown"
        legal = causality == "input" or (
            causality == "parameter" and self.phase in ("instantiated", "initialising")
        )
        one = (ctypes.c_uint * 1)(reference), ctypes.c_size_t(1), (C_TYPES[kind] * 1)(value)
        self.judged(legal, f"fmi2Set{kind}", *one)
        if legal:
            self.values[reference] = bool(value) if kind == "Boolean" else value
        else:
            self.counts["illegal sets"] += 1

    def tune(self, reference: int, value: float) -> None:
        """Change a tunable parameter in the run. A rejected change must not have any effect."""
        before, old = self.outputs(), self.values[reference]
        LAST_MESSAGE[0] = ""
        status = self.call("fmi2SetReal", *self._one_real(reference, value))
        if LAST_MESSAGE[0]:
            if status != ERROR:
                raise ViolationError(f"a refused value: status {status}")
            # Compare texts, because the old value may be NaN.
            if repr(self.get("Real", [reference])) != repr([old]):
                raise ViolationError("a refused value was taken")
            kind = "refused"
        elif self.reads_outputs():
            self.values[reference] = value
            self.steps.append(("change", reference, value))
            self.outputs()
            kind = "taken"
        else:
            if not LAST_MESSAGE[0]:
                raise ViolationError("a change was refused without a reason")
            self.accepted("fmi2SetReal", *self._one_real(reference, old))
            kind = "contradicting"
        if kind != "taken" and self.outputs() != before:
            raise ViolationError(f"a refused change changed outputs: {LAST_MESSAGE[0]}")
        self.counts[f"changes {kind}"] += 1

    def reads_outputs(self) -> bool:
        """Return whether the real outputs can be read. Reading puts a change into effect."""
        references = self.fmu.outputs["Real"]
        count = len(references)
        asked = (ctypes.c_uint * count)(*references)
        values = (C_TYPES["Real"] * count)()
        return self.call("fmi2GetReal", asked, ctypes.c_size_t(count), values) == OK

    @staticmethod
    def _one_real(reference: int, value: float) -> tuple:
        return ((ctypes.c_uint * 1)(reference), ctypes.c_size_t(1), (C_TYPES["Real"] * 1)(value))

    def get(self, kind: str, references: list[int]) -> list:
        count = len(references)
        values = (C_TYPES[kind] * count)()
        self.accepted(
            f"fmi2Get{kind}", (ctypes.c_uint * count)(*references), ctypes.c_size_t(count), values
        )
        return list(values)

    def get_wrongly(self, kind: str, reference: int) -> None:
        """Read by the function of another type: it returns the number as a Real, or an error."""
        known = self.fmu.variables[reference][1] if reference < len(self.fmu.variables) else None
        values = (C_TYPES[kind] * 1)()
        LAST_MESSAGE[0] = ""
        status = self.call(
            f"fmi2Get{kind}", (ctypes.c_uint * 1)(reference), ctypes.c_size_t(1), values
        )
        if kind == "Real" and known in ("Integer", "Boolean"):
            if status != OK or values[0] != self.get(known, [reference])[0]:
                raise ViolationError(f"{reference}, {known}, is {values[0]} as a Real: {status}")
        elif known != kind and (status != ERROR or not LAST_MESSAGE[0]):
            raise ViolationError(f"{reference}, {known}, is {values[0]} as {kind}: {status}")
        self.counts["wrong readers"] += 1

    def outputs(self) -> tuple:
        """Return all outputs, which must be finite."""
        reals = self.get("Real", self.fmu.outputs["Real"])
        if not all(map(math.isfinite, reals)):
            names = [self.fmu.variables[n][0] for n in self.fmu.outputs["Real"]]
            bad = {n: v for n, v in zip(names, reals, strict=True) if not math.isfinite(v)}
            raise ViolationError(f"OK with {bad}")
        whole = self.get("Integer", self.fmu.outputs["Integer"])
        return (*reals, *whole)

    def set_up(self, start_time: float, stop_time: float | None = None) -> None:
        legal = self.phase == "instantiated" and (stop_time is None or start_time <= stop_time)
        self.judged(
            legal,
            "fmi2SetupExperiment",
            ctypes.c_int(0),
            ctypes.c_double(0.0),
            ctypes.c_double(start_time),
            ctypes.c_int(stop_time is not None),
            ctypes.c_double(stop_time or 0.0),
        )
        if legal:
            self.time = self.start_time = start_time
            self.stop_time = math.inf if stop_time is None else stop_time

    def enter(self) -> None:
        legal = self.phase == "instantiated"
        self.judged(legal, "fmi2EnterInitializationMode")
        if legal:
            self.phase = "initialising"

    def leave(self) -> None:
        legal = self.phase == "initialising"
        LAST_MESSAGE[0] = ""
        status = self.call("fmi2ExitInitializationMode")
        failed = "initialisation failed" in LAST_MESSAGE[0]
        if status != (OK if legal and not failed else ERROR):
            raise ViolationError(f"status {status} in {self.phase}: {LAST_MESSAGE[0]}")
        if legal:
            self.failed = failed
            self.counts["initialisations failed"] += failed
            self.phase = "stepping"
            self.begin = (self.start_time, dict(self.values))

    def terminate(self) -> None:
        self.accepted("fmi2Terminate")
        self.phase = "terminated"

    def reset(self) -> None:
        self.accepted("fmi2Reset")
        self.forget()

    def step(self, at: float, size: float) -> int:
        """Take one step. Check whether it may be OK, and that a rejected step has no effect."""
        finite = all(math.isfinite(self.values[n]) for n in self.fmu.inputs)
        rounding = max(ROUNDING * size, ULPS * math.ulp(self.stop_time))
        within = self.stop_time == math.inf or at + size - self.stop_time <= rounding
        slack = max(ROUNDING * size, ULPS * math.ulp(self.time))
        follows = at == self.time or (abs(at - self.time) <= slack and at + size > self.time)
        legal = (
            self.phase == "stepping"
            and not self.failed
            and follows
            and 0.0 < size < math.inf
            and finite
            and within
        )
        before = self.outputs()
        started = time.perf_counter()
        times = ctypes.c_double(at), ctypes.c_double(size)
        status = self.call("fmi2DoStep", *times, ctypes.c_int(1))
        seconds = time.perf_counter() - started
        self.counts["slowest call, ms"] = max(
            self.counts["slowest call, ms"], round(1e3 * seconds, 1)
        )
        self.slow = self.slow or seconds > SLOW
        if status == OK:
            if not legal:
                raise ViolationError(f"illegal step at={at!r} size={size!r} in {self.phase}: OK")
            self.steps.append((at, size, [self.values[n] for n in self.fmu.inputs]))
            self.time = at + size
            self.outputs()
            self.counts["steps taken"] += 1
        elif status in (DISCARD, ERROR):
            if not LAST_MESSAGE[0]:
                raise ViolationError("a step was refused without a reason")
            if self.outputs() != before:
                raise ViolationError(f"a refused step changed outputs: {LAST_MESSAGE[0]}")
            self.counts["steps discarded, " + ("legal" if legal else "illegal")] += 1
            self.counts["answers fmi2Discard to a step"] += status == DISCARD
            self.counts["steps past the stop time"] += not within
        else:
            raise ViolationError(f"fmi2DoStep gave status {status}")
        return status

    # -- state ---------------------------------------------------------------------------------

    def save(self) -> tuple[ctypes.c_void_p, tuple]:
        state = ctypes.c_void_p()
        self.accepted("fmi2GetFMUstate", ctypes.byref(state))
        return state, self.account()

    def load(self, saved: tuple[ctypes.c_void_p, tuple]) -> None:
        self.accepted("fmi2SetFMUstate", saved[0])
        self.return_to(saved[1])

    def release(self, state: ctypes.c_void_p) -> None:
        self.accepted("fmi2FreeFMUstate", ctypes.byref(state))

    def serialised(self) -> bytes:
        state, _ = self.save()
        data = self.written(state)
        self.release(state)
        return data

    def written(self, state: ctypes.c_void_p) -> bytes:
        """Return a state as bytes."""
        size = ctypes.c_size_t()
        self.accepted("fmi2SerializedFMUstateSize", state, ctypes.byref(size))
        data = (ctypes.c_char * size.value)()
        self.accepted("fmi2SerializeFMUstate", state, data, size)
        return data.raw

    def deserialised(self, data: bytes) -> ctypes.c_void_p:
        state = ctypes.c_void_p()
        buffer = (ctypes.c_char * max(len(data), 1)).from_buffer_copy(data or b"\0")
        self.accepted(
            "fmi2DeSerializeFMUstate", buffer, ctypes.c_size_t(len(data)), ctypes.byref(state)
        )
        return state

    def load_broken(self, data: bytes) -> None:
        """Check that these bytes are rejected as a state."""
        before, state = self.outputs(), ctypes.c_void_p()
        buffer = (ctypes.c_char * max(len(data), 1)).from_buffer_copy(data or b"\0")
        size = ctypes.c_size_t(len(data))
        self.judged(False, "fmi2DeSerializeFMUstate", buffer, size, ctypes.byref(state))
        if state:
            raise ViolationError("a rejected state was given")
        if self.outputs() != before:
            raise ViolationError("a broken state changed outputs")
        self.counts["broken states"] += 1

    def free(self) -> None:
        self.fmu.library.fmi2FreeInstance(self.component)
