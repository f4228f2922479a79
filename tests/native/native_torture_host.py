"""The torture host for native FMUs.

It also plays derivatives of inputs, which act on one step, and directional derivatives, which
change nothing. A native state is a block of numbers, so states are changed bit by bit: such a state
is rejected, or the outputs stay finite. All other calls are judged as those of Python FMUs.
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
# Shorter than any event is long: a spoilt state may hold any stiffness.
SHORT_STEPS = (1e-9, 1e-6)


class NativeSubject(Subject):  # type: ignore[misc]
    """Judges input derivatives and directional derivatives too."""

    def __init__(self, fmu: Fmu, counts: Counter[str]) -> None:
        # Input derivatives for the next step, (reference, order) → value; those of the steps taken;
        # and those that a clean run has still to set.
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
            # Set before input_timing became end they had no effect.
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
        """Whether an input is extrapolated, and not led on a straight line to its next value."""
        names = [one[0] for one in self.fmu.variables]
        if not self.fmu.takes_derivatives:
            return False
        return "input_timing" not in names or self.values[names.index("input_timing")] != 1

    def set_derivative(self, reference: int, order: int, value: float) -> None:
        """Set the derivative of an input, legal or not."""
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
        """Ask for a directional derivative, legal or not; nothing may change by it."""
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
        # In initialisation mode values may be there that no model can start with.
        if status == ERROR and legal and not initialising:
            raise ViolationError(f"a derivative was refused: {LAST_MESSAGE[0]}")
        if self.outputs() != before:
            raise ViolationError("a derivative changed outputs")
        names = {OK: "given", DISCARD: "discarded", ERROR: "refused"}
        self.counts[f"directional derivatives {names[status]}"] += 1

    def load_spoilt(self, data: bytes, step_size: float) -> None:
        """A state that may be taken if it is sound, and then gives finite outputs."""
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
    """A state with some bits turned, words replaced, or places changed."""
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


# The host's own moves, which go on below under their names.
set_input = torture_host.set_random_input
step_legally = torture_host.legal_step
call_illegally = torture_host.illegal_call
check_sound_state = torture_host.check_state
check_run = torture_host.check_against_a_clean_run


def set_random_input(rng: random.Random, subject: NativeSubject, wild: bool) -> None:
    """Set an input, or a derivative of one."""
    if rng.random() < 0.5 or not subject.takes_derivatives:
        set_input(rng, subject, wild)
        return
    reference, order = rng.choice(subject.fmu.inputs), rng.randint(1, LONGEST_DERIVATIVE)
    subject.set_derivative(reference, order, torture_host.magnitude(rng, wild))


def legal_step(rng: random.Random, subject: NativeSubject, wild: bool) -> None:
    """A step whose input derivatives are numbers, like its inputs."""
    for (reference, order), value in list(subject.derivatives.items()):
        if not math.isfinite(value):
            subject.set_derivative(reference, order, 0.0)
    step_legally(rng, subject, wild)
    if not subject.slow and rng.random() < 0.1 and subject.fmu.inputs:
        unknown = rng.choice(subject.fmu.outputs["Real"])
        known = rng.choice((*subject.fmu.inputs, rng.choice(subject.fmu.parameters)))
        subject.derive(unknown, known, torture_host.magnitude(rng, wild))


def illegal_call(rng: random.Random, subject: NativeSubject) -> None:
    """A call that must be refused; a quarter are those of native FMUs alone."""
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
    """Come back to a state, or be given a spoilt one."""
    if rng.random() < 0.5:
        check_sound_state(rng, subject)
    else:
        data = spoilt(rng, subject.serialised())
        if data != subject.serialised():
            subject.load_broken(data)  # its checksum is another's
        data = data[:-4] + zlib.crc32(data[:-4]).to_bytes(4, "little")
        subject.load_spoilt(data, rng.choice(SHORT_STEPS))


def check_against_a_clean_run(subject: NativeSubject, clean: NativeSubject) -> None:
    """The clean run sets the derivatives of each step too."""
    clean.to_set = list(subject.taken)
    check_run(subject, clean)
    clean.to_set = []


torture_host.Subject = NativeSubject
for move in (set_random_input, legal_step, illegal_call, check_state, check_against_a_clean_run):
    setattr(torture_host, move.__name__, move)

if __name__ == "__main__":
    print(json.dumps(torture_host.answered(json.load(sys.stdin))))
