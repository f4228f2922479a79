"""The torture host for native FMUs.

It also calls input derivatives, which affect a single step, and directional derivatives, which do
not change anything. A native state is a block of numbers, so states are modified bit by bit. A
modified state is rejected, or outputs are finite. All other calls are checked as for Python FMUs.
"""

from __future__ import annotations

import ctypes
import json
import math
import random
import struct
import sys
import zlib
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "campaigns"))

import torture_host
from judged_instance import (
    DISCARD,
    ERROR,
    LAST_MESSAGE,
    NOT_NUMBERS,
    OK,
    Fmu,
    Subject,
    ViolationError,
)
from torture_host import EXTREMES

LONGEST_DERIVATIVE = 15
# Shorter than any event, because a modified state may have any stiffness.
SHORT_STEPS = (1e-9, 1e-6)


class NativeSubject(Subject):  # type: ignore[misc]
    """Also checks input derivatives and directional derivatives."""

    def __init__(self, fmu: Fmu, counts: Counter[str]) -> None:
        # Input derivatives for the next step, (reference, order) → value, then of previous steps,
        # and of the steps that a clean run still has to set.
        self.derivatives: dict[tuple[int, int], float] = {}
        self.taken: list[dict[tuple[int, int], float]] = []
        self.to_set: list[dict[tuple[int, int], float]] = []
        super().__init__(fmu, counts)

    def forget(self) -> None:
        super().forget()
        self.derivatives, self.taken = {}, []

    def account(self) -> tuple[object, ...]:
        return (*super().account(), dict(self.derivatives), list(self.taken))

    def return_to(self, account: tuple[object, ...]) -> None:
        *rest, derivatives, taken = account
        super().return_to(tuple(rest))
        self.derivatives, self.taken = dict(derivatives), list(taken)  # type: ignore[call-overload]

    def step(self, at: float, size: float) -> int:
        if self.to_set:
            derivatives = self.to_set.pop(0)
            # Before input_timing became end, they had no effect.
            for (reference, order), value in derivatives.items() if self.takes_derivatives else ():
                self.set_derivative(reference, order, value)
        status: int = super().step(at, size)
        if status == OK:
            if not all(map(math.isfinite, self.derivatives.values())):
                raise ViolationError(f"a step with derivatives {self.derivatives}: OK")
            self.taken.append(self.derivatives)
            self.derivatives = {}
        return status

    @property
    def takes_derivatives(self) -> bool:
        """Whether inputs are extrapolated, instead of interpolated to the next value."""
        names = [one[0] for one in self.fmu.variables]
        if not self.fmu.takes_derivatives:
            return False
        return "input_timing" not in names or self.values[names.index("input_timing")] != 1

    def set_derivative(self, reference: int, order: int, value: float) -> None:
        """Set the derivative of an input with a valid or invalid call."""
        legal = (
            reference in self.fmu.inputs
            and 1 <= order <= LONGEST_DERIVATIVE
            and self.takes_derivatives
        )
        self.judged(
            legal,
            "fmi2SetRealInputDerivatives",
            (ctypes.c_uint * 1)(reference),
            ctypes.c_size_t(1),
            (ctypes.c_int * 1)(order),
            (ctypes.c_double * 1)(value),
        )
        if legal:
            self.derivatives[reference, order] = value
        self.counts[("" if legal else "illegal ") + "input derivatives"] += 1

    def derive(self, unknown: int, known: int, change: float) -> None:
        """Request a directional derivative, valid or invalid, which must not change anything."""
        before = self.outputs()
        results = (ctypes.c_double * 1)()
        one = ctypes.c_size_t(1)
        status = self.call(
            "fmi2GetDirectionalDerivative",
            *((ctypes.c_uint * 1)(unknown), one, (ctypes.c_uint * 1)(known), one),
            *((ctypes.c_double * 1)(change), results),
        )
        initialising = self.phase == "initialising"
        kind = self.fmu.variables[known][1] if known < len(self.fmu.variables) else None
        legal = (
            self.phase != "instantiated"
            and not self.failed
            and unknown in self.fmu.outputs["Real"]
            and (
                known in self.fmu.inputs
                or (initialising and kind == "Real" and known in self.fmu.parameters)
            )
            and math.isfinite(change)
        )
        if status == OK and not (legal and math.isfinite(results[0])):
            raise ViolationError(f"d {unknown} / d {known} · {change} = {results[0]}: OK")
        # In initialisation mode, a model may be unable to start with the values.
        if status == ERROR and legal and not initialising:
            raise ViolationError(f"a derivative was refused: {LAST_MESSAGE[0]}")
        if self.outputs() != before:
            raise ViolationError("a derivative changed outputs")
        names = {OK: "given", DISCARD: "discarded", ERROR: "refused"}
        self.counts[f"directional derivatives {names[status]}"] += 1

    def load_spoilt(self, data: bytes, step_size: float) -> None:
        """Restore a modified state. If it is accepted, outputs must be finite."""
        before, saved = self.outputs(), self.save()
        state = ctypes.c_void_p()
        buffer = (ctypes.c_char * len(data)).from_buffer_copy(data)
        size = ctypes.c_size_t(len(data))
        status = self.call("fmi2DeSerializeFMUstate", buffer, size, ctypes.byref(state))
        if status == OK:
            once = self.written(state)
            again = self.deserialised(once)
            if self.written(again) != once:
                raise ViolationError("a spoilt state is written in two ways")
            self.release(again)
            self.accepted("fmi2SetFMUstate", state)
            self.outputs()
            times = ctypes.c_double(self.time), ctypes.c_double(step_size)
            self.call("fmi2DoStep", *times, ctypes.c_int(1))
            self.outputs()
            self.release(state)
        elif state:
            raise ViolationError("a refused state was given")
        self.counts["spoilt states " + ("taken" if status == OK else "refused")] += 1
        self.load(saved)
        self.release(saved[0])
        if self.outputs() != before:
            raise ViolationError("a spoilt state left something behind")

    def terminate(self) -> None:
        legal = self.phase == "stepping"
        self.judged(legal, "fmi2Terminate")
        if legal:
            self.phase = "terminated"


def spoilt(rng: random.Random, data: bytes) -> bytes:
    """Return a state with some bits inverted, words replaced, or words exchanged."""
    spoiled = bytearray(data)
    words = len(data) // 8
    draw = rng.random()
    for _ in range(rng.choice((1, 1, 1, 2, 5, 20))):
        at = 8 * rng.randrange(words)
        if draw < 0.4:
            spoiled[at + rng.randrange(8)] ^= 1 << rng.randrange(8)
        elif draw < 0.8:
            number = rng.choice((*EXTREMES, *NOT_NUMBERS, -1.0, 1.0, rng.gauss(0.0, 1e3)))
            spoiled[at : at + 8] = struct.pack("<d", number)
        else:
            other = 8 * rng.randrange(words)
            spoiled[at : at + 8], spoiled[other : other + 8] = (
                spoiled[other : other + 8],
                spoiled[at : at + 8],
            )
    return bytes(spoiled)


# The host's own functions, which the functions below call.
set_input = torture_host.set_random_input
step_legally = torture_host.legal_step
call_illegally = torture_host.illegal_call
check_sound_state = torture_host.check_state
check_run = torture_host.check_against_a_clean_run


def set_random_input(rng: random.Random, subject: NativeSubject, wild: bool) -> None:
    """Set an input or its derivative."""
    if rng.random() < 0.5 or not subject.takes_derivatives:
        set_input(rng, subject, wild)
        return
    reference, order = rng.choice(subject.fmu.inputs), rng.randint(1, LONGEST_DERIVATIVE)
    subject.set_derivative(reference, order, torture_host.magnitude(rng, wild))


def legal_step(rng: random.Random, subject: NativeSubject, wild: bool) -> None:
    """Take a step with finite input derivatives and inputs."""
    for (reference, order), value in list(subject.derivatives.items()):
        if not math.isfinite(value):
            subject.set_derivative(reference, order, 0.0)
    step_legally(rng, subject, wild)
    if not subject.slow and rng.random() < 0.1 and subject.fmu.inputs:
        unknown = rng.choice(subject.fmu.outputs["Real"])
        known = rng.choice((*subject.fmu.inputs, rng.choice(subject.fmu.parameters)))
        subject.derive(unknown, known, torture_host.magnitude(rng, wild))


def illegal_call(rng: random.Random, subject: NativeSubject) -> None:
    """Make an invalid call. A quarter of them exist only in native FMUs."""
    draw = rng.random()
    beyond = rng.choice((len(subject.fmu.variables), 9999, 2**31, 2**32 - 1))
    if draw < 0.25 and not subject.fmu.inputs:
        subject.set_derivative(beyond, 1, 1.0)
    elif draw < 0.1:
        order = rng.choice((0, -1, LONGEST_DERIVATIVE + 1, 2**31 - 1))
        subject.set_derivative(rng.choice(subject.fmu.inputs), order, 1.0)
    elif draw < 0.15:
        subject.set_derivative(rng.choice((beyond, *subject.fmu.outputs["Real"])), 1, 1.0)
    elif draw < 0.2:
        subject.derive(rng.choice((beyond, *subject.fmu.inputs)), subject.fmu.inputs[0], 1.0)
    elif draw < 0.25:
        subject.derive(subject.fmu.outputs["Real"][0], beyond, 1.0)
    else:
        call_illegally(rng, subject)


def check_state(rng: random.Random, subject: NativeSubject) -> None:
    """Restore a state, valid or modified."""
    if rng.random() < 0.5:
        check_sound_state(rng, subject)
    else:
        data = spoilt(rng, subject.serialised())
        if data != subject.serialised():
            subject.load_broken(data)  # the checksum is wrong
        data = data[:-4] + zlib.crc32(data[:-4]).to_bytes(4, "little")
        subject.load_spoilt(data, rng.choice(SHORT_STEPS))


def check_against_a_clean_run(subject: NativeSubject, clean: NativeSubject) -> None:
    """Let the clean run set the derivatives of each step."""
    clean.to_set = list(subject.taken)
    check_run(subject, clean)
    clean.to_set = []


torture_host.Subject = NativeSubject
for move in (set_random_input, legal_step, illegal_call, check_state, check_against_a_clean_run):
    setattr(torture_host, move.__name__, move)

if __name__ == "__main__":
    print(json.dumps(torture_host.answered(json.load(sys.stdin))))
