"""A host process that calls FMI 3.0 in random sequences, with valid and invalid calls.

It reads a JSON request from standard input and writes a JSON answer. A second, simpler model of the
rules checks each answer. The rules cover the calls allowed in each phase, refused calls, which must
not change anything, and accepted steps, after which outputs are finite. The accepted calls alone
determine an instance. The progress file contains the number of the sequence, so that a crash can be
reproduced.
"""

from __future__ import annotations

import ctypes
import json
import math
import random
import sys
import time
import zlib
from collections import Counter
from pathlib import Path

OK, WARNING, DISCARD, ERROR = 0, 1, 2, 3
C_TYPES = {
    "Float64": ctypes.c_double,
    "Float32": ctypes.c_float,
    "Int32": ctypes.c_int32,
    "Int64": ctypes.c_int64,
    "UInt8": ctypes.c_uint8,
    "Boolean": ctypes.c_uint8,  # any byte
    "String": ctypes.c_char_p,
}
EXTREMES = (0.0, -0.0, 5e-324, 1e-150, 1e-30, 1e30, 1e150, 1e300, math.nan, math.inf, -math.inf)
LOGGER = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)
# The position in a saved state of the flag for current outputs, which is not part of the state.
CACHED = slice(48, 52)
SLOW = 0.05  # s. An instance with a slower step is not used again.
MESSAGES: list[str] = []


def keep(_environment: int, _status: int, _category: bytes, text: bytes) -> None:
    MESSAGES.append(text.decode())


KEPT = LOGGER(keep)


class ViolationError(Exception):
    """The FMU violated a rule."""


class Subject:
    """An instance and its expected state."""

    def __init__(self, fmu: dict, counts: Counter, event_mode: bool, early_return: bool) -> None:
        self.fmu, self.counts = fmu, counts
        self.event_mode, self.early_return = event_mode, early_return
        self.library = ctypes.CDLL(fmu["library"])
        self.library.fmi3InstantiateCoSimulation.restype = ctypes.c_void_p
        flags = map(ctypes.c_bool, (False, True, event_mode, early_return))
        self.instance = ctypes.c_void_p(
            self.library.fmi3InstantiateCoSimulation(
                b"tortured",
                fmu["token"].encode(),
                fmu["resources"].encode(),
                *flags,
                *(None, ctypes.c_size_t(0), None, KEPT, None),
            )
        )
        if not self.instance:
            raise ViolationError(f"no instance: {MESSAGES[-1]}")
        self.phase, self.pending, self.failed = "instantiated", False, False
        self.time = 0.0
        self.accepted: list[tuple] = []  # calls that determine the instance
        self.slow = False
        self.gave_inputs = False  # in this Event Mode, since the last update
        self.warned = False

    def call(self, function: str, *arguments: object) -> int:
        self.counts["calls"] += 1
        MESSAGES.clear()
        status = getattr(self.library, function)(self.instance, *arguments)
        if status == WARNING and function == "fmi3DoStep" and not self.warned:
            self.warned = True
            self.counts["steps with a warning"] += 1
            return OK
        if status not in (OK, DISCARD, ERROR):
            raise ViolationError(f"{function}: status {status}")
        if status == ERROR and not MESSAGES:
            raise ViolationError(f"{function} was refused without a reason")
        return status

    def must(self, expected: bool, status: int, what: str) -> None:
        if (status == OK) != expected:
            reason = MESSAGES[-1] if MESSAGES else ""
            raise ViolationError(f"{what} in {self.phase}: status {status}, {reason}")

    def state(self) -> bytes:
        """Return the complete state of the instance, with outputs computed again."""
        self.get("Float64", self.fmu["outputs"][:1], 1)
        place = ctypes.c_void_p()
        self.must(True, self.call("fmi3GetFMUState", ctypes.byref(place)), "fmi3GetFMUState")
        content = self.written(place)
        self.call("fmi3FreeFMUState", ctypes.byref(place))
        return content[: CACHED.start] + content[CACHED.stop : -4]

    def written(self, place: ctypes.c_void_p) -> bytes:
        size = ctypes.c_size_t()
        self.must(True, self.call("fmi3SerializedFMUStateSize", place, ctypes.byref(size)), "size")
        content = (ctypes.c_uint8 * size.value)()
        self.must(True, self.call("fmi3SerializeFMUState", place, content, size), "serialise")
        return bytes(content)

    def get(self, kind: str, references: list[int], size: int) -> tuple[int, list]:
        values = (C_TYPES[kind] * max(size, 1))()
        count = len(references)
        status = self.call(
            f"fmi3Get{kind}",
            (ctypes.c_uint32 * max(count, 1))(*references),
            *(ctypes.c_size_t(count), values, ctypes.c_size_t(size)),
        )
        return status, list(values)[:size]

    def outputs(self) -> list[float]:
        """Return the Float64 outputs, which must be finite."""
        references = self.fmu["outputs"]
        status, values = self.get("Float64", references, len(references))
        self.must(True, status, "outputs")
        if not all(map(math.isfinite, values)):
            raise ViolationError(f"outputs that are not finite: {values}")
        return values

    # -- calls of a sequence -------------------------------------------------------------------

    def set(self, kind: str, reference: int, value: object, count: int = 1) -> None:
        """Set a variable with a valid or invalid call."""
        variable = self.fmu["variables"][reference] if reference < self.fmu["count"] else None
        legal = variable is not None and variable["kind"] == kind and count == 1
        if legal and variable["tunable"] and self.phase in ("event", "stepping"):
            self.tune(reference, value)
            return
        if legal and variable["causality"] == "parameter":
            legal = self.phase in ("instantiated", "initialising")
            if kind == "Int64":
                legal = legal and -(2**31) <= value < 2**31
        elif legal:
            legal = variable["causality"] == "input" and self.phase != "terminated"
        before = None if legal else self.state()
        values = (C_TYPES[kind] * max(count, 1))(*[value] * count)
        status = self.call(
            f"fmi3Set{kind}",
            (ctypes.c_uint32 * 1)(reference),
            *(ctypes.c_size_t(1), values, ctypes.c_size_t(count)),
        )
        self.must(legal, status, f"set {kind} {reference} to {value}")
        if legal:
            self.accepted.append(("set", kind, reference, value))
            self.counts["legal sets"] += 1
            self.gave_inputs |= self.phase == "event"
        else:
            self.same(before, f"a refused set of {kind} {reference}")
            self.counts["illegal sets"] += 1

    def tune(self, reference: int, value: float) -> None:
        """Change a tunable parameter in the run.

        It takes effect, or it is refused and can be corrected.
        """
        references = self.fmu["outputs"]
        before, seen = self.state(), self.get("Float64", references, len(references))
        _, old = self.get("Float64", [reference], 1)
        if self.set_number(reference, value) != OK:
            self.same(before, f"a refused change of {reference} to {value}")
            self.counts["changes refused"] += 1
            return
        # A pending event must be handled first.
        taken = not self.pending and self.get("Float64", references, len(references))[0] == OK
        if taken:
            self.outputs()
            self.accepted.append(("tune", reference, value))
        else:
            self.must(True, self.set_number(reference, old[0]), "to put a parameter right")
            if self.get("Float64", references, len(references)) != seen:
                raise ViolationError(f"a change that was put right changed outputs: {MESSAGES}")
        self.counts["changes taken" if taken else "changes put right"] += 1

    def set_number(self, reference: int, value: float) -> int:
        one = ctypes.c_size_t(1)
        references, values = (ctypes.c_uint32 * 1)(reference), (ctypes.c_double * 1)(value)
        return self.call("fmi3SetFloat64", references, one, values, one)

    def same(self, before: bytes, what: str) -> None:
        if self.state() != before:
            raise ViolationError(f"{what} changed the instance in {self.phase}")

    def enter(self, start: float, stop: float | None) -> None:
        legal = self.phase == "instantiated" and (stop is None or stop >= start)
        before = None if legal else self.state()
        status = self.call(
            "fmi3EnterInitializationMode",
            *(ctypes.c_bool(False), ctypes.c_double(0.0), ctypes.c_double(start)),
            *(ctypes.c_bool(stop is not None), ctypes.c_double(stop or 0.0)),
        )
        self.must(legal, status, "fmi3EnterInitializationMode")
        if legal:
            self.phase, self.time = "initialising", start
            self.accepted.append(("enter", start, stop))
        else:
            self.same(before, "a refused entry")

    def leave(self) -> None:
        legal = self.phase == "initialising"
        status = self.call("fmi3ExitInitializationMode")
        if not legal:
            self.must(False, status, "fmi3ExitInitializationMode")
            return
        self.failed = status != OK
        self.phase = "event" if self.event_mode else "stepping"
        self.accepted.append(("leave",))
        self.counts["failed initialisations" if self.failed else "initialisations"] += 1

    def enter_event_mode(self) -> None:
        legal = self.phase == "stepping" and self.event_mode
        self.must(legal, self.call("fmi3EnterEventMode"), "fmi3EnterEventMode")
        if legal:
            self.phase, self.gave_inputs = "event", False
            self.accepted.append(("enter_event_mode",))

    def jump(self, rng: random.Random, wild: bool) -> None:
        """Set inputs in Event Mode. Reads between them must not change anything."""
        references = self.fmu["outputs"]
        for _ in range(rng.randrange(3) if self.fmu["inputs"] else 0):
            reference = rng.choice(self.fmu["inputs"])
            self.set("Float64", reference, number(rng, wild))
            if rng.random() < 0.7:
                status, values = self.get("Float64", references, len(references))
                if status == OK and not all(map(math.isfinite, values)):
                    raise ViolationError(f"in Event Mode outputs are not finite: {values}")
                self.counts["outputs read after a jump"] += 1

    def update(self) -> None:
        legal = self.phase == "event" and not self.failed
        references = self.fmu["outputs"]
        before = self.state()
        foreseen = self.get("Float64", references, len(references))
        flags = [ctypes.c_uint8(7) for _ in range(5)]
        status = self.call(
            "fmi3UpdateDiscreteStates", *map(ctypes.byref, flags), ctypes.byref(ctypes.c_double())
        )
        if any(flag.value for flag in flags):
            raise ViolationError("fmi3UpdateDiscreteStates wants more")
        if legal and self.gave_inputs and status == ERROR:
            # Inputs that are too large or NaN are refused together and can be corrected.
            self.same(before, "a refused update")
            self.counts["updates refused"] += 1
            for reference in self.fmu["inputs"]:
                self.set("Float64", reference, 0.0)
            return
        self.must(legal, status, "fmi3UpdateDiscreteStates")
        if legal:
            self.counts["events passed"] += self.pending
            self.counts["jumps taken"] += self.gave_inputs
            self.pending, self.gave_inputs = False, False
            self.accepted.append(("update",))
            if (OK, self.outputs()) != foreseen:
                raise ViolationError("an update gives other outputs than were shown before it")

    def enter_step_mode(self) -> None:
        legal = self.phase == "event" and not self.pending
        self.must(legal, self.call("fmi3EnterStepMode"), "fmi3EnterStepMode")
        if legal:
            self.phase = "stepping"
            self.accepted.append(("enter_step_mode",))

    def step(self, at: float, size: float) -> None:
        before = self.state()
        flags = [ctypes.c_uint8(7) for _ in range(3)]
        reached = ctypes.c_double(-7.0)
        began = time.perf_counter()
        status = self.call(
            "fmi3DoStep",
            *(ctypes.c_double(at), ctypes.c_double(size), ctypes.c_bool(True)),
            *map(ctypes.byref, flags),
            ctypes.byref(reached),
        )
        self.slow = time.perf_counter() - began > SLOW
        event, terminate, early = (flag.value for flag in flags)
        if status != OK:
            self.counts["steps refused"] += 1
            if event or terminate or early or reached.value != self.time:
                raise ViolationError("a refused step says that it went somewhere")
            self.same(before, f"a refused step of {size} s at {at} s")
            return
        near = abs(at - self.time) <= max(1e-6 * size, 4.0 * math.ulp(self.time))
        if self.phase != "stepping" or self.failed or self.pending or not near:
            raise ViolationError(f"a step of {size} s at {at} s in {self.phase}: OK")
        end = at + size
        whole = reached.value == end
        wrong_event = event and not self.event_mode
        wrong_return = early and not self.early_return
        is_between = self.time < reached.value <= end
        if terminate or bool(early) == whole or wrong_event or wrong_return or not is_between:
            raise ViolationError(f"a step to {end} s answers {event, early, reached.value}")
        self.time, self.pending = reached.value, bool(event)
        self.accepted.append(("step", at, size))
        self.outputs()
        self.counts["steps"] += 1
        self.counts["early returns"] += early
        self.counts["events reported"] += event

    def terminate(self) -> None:
        legal = self.phase in ("event", "stepping")
        self.must(legal, self.call("fmi3Terminate"), "fmi3Terminate")
        if legal:
            self.phase = "terminated"
            self.accepted.append(("terminate",))

    def reset(self) -> None:
        self.must(True, self.call("fmi3Reset"), "fmi3Reset")
        self.phase, self.pending, self.failed = "instantiated", False, False
        self.time = 0.0
        self.gave_inputs = self.warned = False
        self.accepted.clear()

    # -- saved states --------------------------------------------------------------------------

    def account(self) -> tuple:
        return (
            self.phase,
            self.pending,
            self.failed,
            self.time,
            self.gave_inputs,
            list(self.accepted),
        )

    def save(self) -> tuple:
        place = ctypes.c_void_p()
        self.must(True, self.call("fmi3GetFMUState", ctypes.byref(place)), "fmi3GetFMUState")
        return place, self.account(), self.state()

    def load(self, saved: tuple) -> None:
        place, account, content = saved
        self.must(True, self.call("fmi3SetFMUState", place), "fmi3SetFMUState")
        self.phase, self.pending, self.failed, self.time, self.gave_inputs, accepted = account
        self.accepted = list(accepted)
        self.same(content, "to restore a state")
        self.counts["states restored"] += 1

    def load_spoilt(self, rng: random.Random, saved: tuple) -> None:
        """Restore a modified state. If it is accepted, outputs must be finite."""
        content = bytearray(self.written(saved[0]))
        for _ in range(rng.randrange(1, 4)):
            content[rng.randrange(40, len(content) - 4)] ^= 1 << rng.randrange(8)
        if rng.random() < 0.9:
            content[-4:] = zlib.crc32(bytes(content[:-4])).to_bytes(4, "little")
        kept = self.save()
        place = ctypes.c_void_p()
        buffer = (ctypes.c_uint8 * len(content)).from_buffer_copy(content)
        size = ctypes.c_size_t(len(content))
        status = self.call("fmi3DeserializeFMUState", buffer, size, ctypes.byref(place))
        if status == OK:
            if self.call("fmi3SetFMUState", place) == OK:
                references = self.fmu["outputs"]
                status, values = self.get("Float64", references, len(references))
                if status == OK and not all(map(math.isfinite, values)):
                    raise ViolationError("a spoilt state gives outputs that are not finite")
                flags = [ctypes.c_uint8() for _ in range(5)]
                more = ctypes.byref(ctypes.c_double())
                self.call("fmi3UpdateDiscreteStates", *map(ctypes.byref, flags), more)
                self.call("fmi3EnterStepMode")
                times = ctypes.c_double(self.time), ctypes.c_double(1e-6)
                self.call(
                    "fmi3DoStep", *times, ctypes.c_bool(True), *map(ctypes.byref, flags[:3]), more
                )
            self.call("fmi3FreeFMUState", ctypes.byref(place))
            self.counts["spoilt states taken"] += 1
        else:
            self.counts["spoilt states refused"] += 1
        self.load(kept)
        self.release(kept)

    def release(self, saved: tuple) -> None:
        self.must(True, self.call("fmi3FreeFMUState", ctypes.byref(saved[0])), "fmi3FreeFMUState")

    def derive(self, unknown: int, known: int, change: float) -> None:
        before = self.state()
        one, result = ctypes.c_size_t(1), (ctypes.c_double * 1)()
        status = self.call(
            "fmi3GetDirectionalDerivative",
            *((ctypes.c_uint32 * 1)(unknown), one, (ctypes.c_uint32 * 1)(known), one),
            *((ctypes.c_double * 1)(change), one, result, one),
        )
        if status == OK and not math.isfinite(result[0]):
            raise ViolationError("a derivative that is not finite: OK")
        self.same(before, "a derivative")
        self.counts[f"derivatives {('given', '', 'discarded', 'refused')[status]}"] += 1

    def free(self) -> None:
        self.library.fmi3FreeInstance(self.instance)


def number(rng: random.Random, wild: bool) -> float:
    if wild and rng.random() < 0.4:
        return rng.choice(EXTREMES)
    return rng.choice((-1.0, 1.0)) * 10.0 ** rng.uniform(-3.0, 2.0)


def set_something(rng: random.Random, subject: Subject, wild: bool) -> None:
    fmu = subject.fmu
    if rng.random() < 0.15:  # any type, any or no variable, any number of values
        kind = rng.choice(list(C_TYPES))
        value = b"x" if kind == "String" else rng.randrange(2)
        subject.set(kind, rng.randrange(fmu["count"] + 3), value, rng.choice((0, 1, 1, 2)))
        return
    early = subject.phase in ("instantiated", "initialising")
    group = fmu["inputs"]
    if rng.random() < 0.7:
        group = fmu["parameters"] if early else fmu["tunable"] or group
    if not group:
        return
    reference = rng.choice(group)
    variable = fmu["variables"][reference]
    kind, start = variable["kind"], variable["start"]
    if kind == "Float64":
        # Parameters near their start values rarely violate rules.
        plain = start * rng.uniform(0.5, 2.0) if start and not wild else number(rng, wild)
        subject.set(kind, reference, plain)
    elif kind == "String":
        subject.set(kind, reference, rng.choice((b"", b"0 1; 1 2", b"\xc3\xa9%s#")))
    elif kind == "Boolean":
        subject.set(kind, reference, rng.randrange(2))
    else:
        subject.set(kind, reference, rng.choice((2**31, -1, 9)) if wild else rng.randrange(3))


def play(rng: random.Random, fmu: dict, counts: Counter) -> None:
    """Run a random sequence."""
    subject = Subject(fmu, counts, rng.random() < 0.6, rng.random() < 0.6)
    wild = rng.random() < 0.3
    saved: list[tuple] = []
    step_size = 10.0 ** rng.uniform(-3.5, -1.5)
    if fmu["return_at"] is not None and rng.random() < 0.8:
        subject.set("Int64", fmu["return_at"], rng.randrange(4))
    if rng.random() < 0.5:
        for kind, reference, value in fmu["lively"]:
            subject.set(kind, reference, value)
    for _ in range(rng.randrange(5, 40)):
        if subject.slow:
            counts["slow instances"] += 1
            break
        draw = rng.random()
        if draw < 0.3:
            set_something(rng, subject, wild)
        elif draw < 0.62:
            advance(rng, subject, step_size, wild)
        elif draw < 0.68:
            rng.choice(
                [subject.leave, subject.update, subject.enter_event_mode, subject.enter_step_mode]
            )()
        elif draw < 0.70:
            subject.enter(rng.choice((0.0, 2.0)), rng.choice((None, 5.0, 1.0)))
        elif draw < 0.74:
            at = rng.choice((subject.time, 0.0, 3.0, math.nan))
            subject.step(at, rng.choice((0.0, -1.0, math.nan, math.inf, step_size)))
        elif draw < 0.80:
            saved.append(subject.save())
        elif draw < 0.86 and saved:
            subject.load(rng.choice(saved))
        elif draw < 0.90 and saved:
            subject.load_spoilt(rng, rng.choice(saved))
        elif draw < 0.95:
            known = rng.randrange(fmu["count"] + 2)
            subject.derive(rng.choice(fmu["outputs"] + [known]), known, number(rng, wild))
        elif draw < 0.955:
            subject.reset()
        elif draw < 0.96:
            subject.terminate()
    if not subject.slow:
        repeat(subject, fmu, counts)
    for state in saved:
        subject.release(state)
    subject.free()


def advance(rng: random.Random, subject: Subject, step_size: float, wild: bool = False) -> None:
    """Make the next call of a normal master."""
    if subject.phase == "instantiated":
        subject.enter(0.0, None)
    elif subject.phase == "initialising":
        subject.leave()
    elif subject.phase == "event":
        subject.jump(rng, wild)
        subject.update()
        subject.enter_step_mode()
    elif subject.phase == "stepping" and subject.event_mode and rng.random() < 0.2:
        subject.enter_event_mode()  # without an event
    elif subject.pending:
        subject.enter_event_mode()
    elif subject.phase == "stepping":
        subject.step(subject.time, step_size * rng.choice((1.0, 1.0, 1.0, 0.3)))


def repeat(subject: Subject, fmu: dict, counts: Counter) -> None:
    """Check that the accepted calls alone determine the instance.

    Outputs are compared, because unused memory of samples may differ.
    """
    other = Subject(fmu, counts, subject.event_mode, subject.early_return)
    for name, *arguments in list(subject.accepted):
        getattr(other, name)(*arguments)
    both = (subject, other)
    for _ in range(2):
        seen = [instance.get("Float64", fmu["outputs"], len(fmu["outputs"])) for instance in both]
        if seen[0] != seen[1] or both[0].account() != both[1].account():
            raise ViolationError(f"the same accepted calls give another instance: {seen}")
        for instance in both:
            advance(random.Random(1), instance, 1e-3)
    other.free()
    counts["runs repeated cleanly"] += 1


def main() -> None:
    request = json.load(sys.stdin)
    fmu, counts = request["fmu"], Counter()
    progress = Path(request["progress"])
    answer: dict[str, object] = {}
    for sequence in range(request["first"], request["last"]):
        progress.write_text(str(sequence))
        try:
            play(random.Random(sequence), fmu, counts)
        except ViolationError as problem:
            answer["violation"] = f"sequence {sequence}: {problem}"
            break
        counts["sequences"] += 1
    print(json.dumps({**answer, "counts": counts}))


if __name__ == "__main__":
    main()
