"""Host that runs random sequences of legal and illegal FMI calls, in a separate process.

It reads a JSON request from standard input and writes a JSON answer. It keeps the number of the
current sequence in a file, so that a crash can be reproduced. A run of sequences is determined by
the number of its first sequence.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import random
import sys
import time
from collections import Counter
from pathlib import Path

from judged_instance import (
    C_TYPES,
    ERROR,
    LAST_MESSAGE,
    MESSAGE_COUNT,
    NOT_NUMBERS,
    OK,
    ROUNDING,
    Fmu,
    Subject,
    ViolationError,
)

EXTREMES = (0.0, -0.0, 5e-324, 1e-308, 1e-150, 1e-30, 1e30, 1e150, 1e300, 1.7e308)


def resident_kib() -> int:
    """Return the resident memory of this process [KiB]."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    raise OSError("no VmRSS")


def magnitude(rng: random.Random, wild: bool) -> float:
    """Return a number of any size, and sometimes NaN or infinity."""
    if not wild:
        return rng.choice((-1.0, 1.0)) * 10.0 ** rng.uniform(-3.0, 2.0)
    draw = rng.random()
    if draw < 0.1:
        return rng.choice(NOT_NUMBERS)
    if draw < 0.4:
        return rng.choice((-1.0, 1.0)) * rng.choice(EXTREMES)
    return rng.choice((-1.0, 1.0)) * 10.0 ** rng.uniform(-12.0, 12.0)


def set_random_parameter(rng: random.Random, subject: Subject, wild: bool) -> None:
    reference = rng.choice(subject.fmu.parameters)
    name, kind, _, start = subject.fmu.variables[reference]
    if name.startswith("friction_table"):
        return  # The judge does not implement the rules between knots.
    if kind == "Real":
        value = magnitude(rng, wild)
        if not wild:
            # Near the default if this is not 0, with the same sign.
            value = math.copysign(value, start) if start else value * rng.choice((0.0, 0.01))
            if name == "restitution":
                value = rng.random()
        if subject.phase == "stepping" and reference in subject.fmu.tunable:
            subject.tune(reference, value)
        else:
            subject.set("Real", reference, value)
    elif kind == "Integer":
        if subject.phase == "stepping" and reference in subject.fmu.tunable:
            return  # The judge only implements changes of Real parameters.
        subject.set("Integer", reference, rng.choice((0, 1, 2, 3)) if rng.random() < 0.9 else -7)
    elif kind == "Boolean":
        subject.set("Boolean", reference, rng.choice((0, 1)))


def set_random_input(rng: random.Random, subject: Subject, wild: bool) -> None:
    if subject.fmu.inputs:
        subject.set("Real", rng.choice(subject.fmu.inputs), magnitude(rng, wild))


def fastest_rate(subject: Subject) -> float:
    """Return the largest rate [1/s] that the parameters define: √(k/m) and c/m."""
    mass, rate = 1.0, 0.0
    for reference in subject.fmu.parameters:
        name, value = subject.fmu.variables[reference][0], subject.values[reference]
        if name == "mass":
            mass = value if value > 0.0 else 1.0
        elif name.endswith("stiffness") and value > 0.0:
            rate = max(rate, math.sqrt(value / mass))
        elif name.endswith("damping") and value > 0.0:
            rate = max(rate, value / mass)
    return rate


def legal_step(rng: random.Random, subject: Subject, wild: bool) -> None:
    if subject.slow or (subject.phase != "stepping" and rng.random() < 0.5):
        return
    size = 10.0 ** (rng.uniform(-9.0, 1.0) if wild else rng.uniform(-4.0, -1.0))
    # A step over many periods takes up to seconds. It is shortened to leave time for other calls.
    size = min(size, 300.0 / max(fastest_rate(subject), 1e-300))
    for reference in subject.fmu.inputs:
        if not math.isfinite(subject.values[reference]):
            subject.set("Real", reference, 0.0)
    at = subject.time
    if rng.random() < 0.3:  # Some masters count their time in another way.
        at += rng.uniform(-0.9, 0.9) * ROUNDING * size
    subject.step(at, size)


def illegal_step(rng: random.Random, subject: Subject) -> None:
    at, size = subject.time, 1e-3
    if rng.random() < 0.5:
        size = rng.choice((0.0, -1e-3, -1e300, *NOT_NUMBERS))
    else:
        at = rng.choice((at + 1.0, at - 1.0, -1e300, *NOT_NUMBERS))
        if at == subject.time:  # The time is so large that adding 1 s has no effect.
            at = math.nan
    subject.step(at, size)


def illegal_call(rng: random.Random, subject: Subject) -> None:
    draw = rng.randrange(8)
    kind = rng.choice(("Real", "Integer", "Boolean"))
    if draw == 0:
        subject.set(kind, rng.choice((len(subject.fmu.variables), 9999, 2**31, 2**32 - 1)), 1)
    elif draw == 1:
        subject.set("Real", rng.choice(subject.fmu.outputs["Real"]), magnitude(rng, True))
    elif draw == 2:
        subject.get_wrongly(kind, rng.choice((len(subject.fmu.variables), 2**31, 2**32 - 1)))
    elif draw == 3:
        rng.choice((subject.enter, subject.leave))()
    elif draw == 4:
        subject.set_up(rng.choice((0.0, 1e9, *NOT_NUMBERS)), rng.choice((None, 1.0, *NOT_NUMBERS)))
    elif draw < 7:
        subject.get_wrongly(kind, rng.randrange(len(subject.fmu.variables)))
    else:
        zero = ctypes.c_size_t(0)
        subject.accepted(f"fmi2Get{kind}", None, zero, None)
        subject.accepted(f"fmi2Set{kind}", None, zero, None)


def check_state(rng: random.Random, subject: Subject) -> None:
    """Save a state and restore it, directly, from bytes, or from broken bytes."""
    draw = rng.random()
    if draw < 0.4:
        before, saved = subject.outputs(), subject.save()
        legal_step(rng, subject, False)
        subject.load(saved)
        subject.release(saved[0])
        if subject.outputs() != before:
            raise ViolationError("a restored state has other outputs")
    elif draw < 0.7:
        before, account, data = subject.outputs(), subject.account(), subject.serialised()
        legal_step(rng, subject, False)
        state = subject.deserialised(data)
        subject.load((state, account))
        subject.release(state)
        if subject.outputs() != before or subject.serialised() != data:
            raise ViolationError("a state restored from bytes is another")
    else:
        data = subject.serialised()
        broken = rng.choice(
            (b"", b"{}", b"[]", data[: len(data) // 2], b"\xff" + data, b"null", altered(rng, data))
        )
        subject.load_broken(broken)


def altered(rng: random.Random, data: bytes) -> bytes:
    """Return a state with one byte changed."""
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ rng.randrange(1, 256)]) + data[at + 1 :]


def check_against_a_clean_run(subject: Subject, clean: Subject) -> None:
    """Check that the accepted calls alone give the same outputs in a fresh instance, bit by bit."""
    if subject.begin is None or subject.failed:
        return
    start_time, values = subject.begin
    clean.reset()
    for reference, (_, kind, causality, _) in enumerate(subject.fmu.variables):
        if causality != "output" and kind in C_TYPES:
            clean.set(kind, reference, values[reference])
    clean.set_up(start_time)
    clean.enter()
    clean.leave()
    for at, size, inputs in subject.steps:
        if at == "change":
            clean.tune(size, inputs)
            continue
        for reference, value in zip(subject.fmu.inputs, inputs, strict=True):
            clean.set("Real", reference, value)
        if clean.step(at, size) != OK:
            raise ViolationError(f"the clean run stops: {LAST_MESSAGE[0]}")
    if clean.outputs() != subject.outputs():
        raise ViolationError("the clean run has other outputs")
    clean.counts["runs repeated cleanly"] += 1


def play(rng: random.Random, subject: Subject, others: list[Subject], clean: Subject) -> None:
    """Run one sequence, with calls to other instances in between."""
    if rng.random() < 0.9:
        subject.reset()
    wild = rng.random() < 0.3
    extreme_inputs = wild and rng.random() < 0.5
    for _ in range(rng.randrange(6)):
        set_random_parameter(rng, subject, wild)
    if rng.random() < 0.9:
        if rng.random() < 0.1:
            illegal_call(rng, subject)
        start_time = 0.0 if rng.random() < 0.8 else magnitude(rng, wild)
        stop_time = None if rng.random() < 0.8 else start_time + abs(magnitude(rng, wild))
        subject.set_up(start_time, stop_time)
        subject.enter()
        set_random_input(rng, subject, False)
        subject.outputs()
        subject.leave()
        subject.outputs()
    for _ in range(rng.randrange(1, 20)):
        draw = rng.random()
        if draw < 0.45:
            legal_step(rng, subject, wild)
        elif draw < 0.65:
            set_random_input(rng, subject, extreme_inputs)
        elif draw < 0.75:
            illegal_step(rng, subject)
        elif draw < 0.83:
            illegal_call(rng, subject)
        elif draw < 0.88:
            set_random_parameter(rng, subject, True)
        elif draw < 0.93:
            check_state(rng, subject)
        elif draw < 0.97:
            other = rng.choice(others)
            legal_step(rng, other, False)
        elif draw < 0.985:
            subject.terminate()
        else:
            rng.choice((subject.enter, subject.leave))()
    if not subject.slow and rng.random() < 0.3:
        check_against_a_clean_run(subject, clean)


def torture(request: dict, progress: Path) -> dict:
    """Run the sequences. Return counts, or the first violation."""
    counts: Counter = Counter()
    fmus = [Fmu(one) for one in request["fmus"]]
    pools = [[Subject(fmu, counts) for _ in range(request["instances"])] for fmu in fmus]
    cleans = [Subject(fmu, counts) for fmu in fmus]
    memory = [resident_kib()]
    marker = progress.open("w")
    first, last = request["first"], request["last"]
    for number in range(first, last):
        os.pwrite(marker.fileno(), b"%d" % number, 0)
        rng = random.Random(number)
        chosen = rng.choices(range(len(fmus)), request["weights"])[0]
        pool = pools[chosen]
        index = rng.randrange(len(pool))
        try:
            if rng.random() < 0.05:
                pool[index].free()
                pool[index] = Subject(fmus[chosen], counts)
                counts["instances"] += 1
            play(rng, pool[index], pool, cleans[chosen])
        except ViolationError as problem:
            return {"violation": f"{fmus[chosen].name}, sequence {number} from {first}: {problem}"}
        counts["sequences"] += 1
        if (number - first) % max(1, (last - first) // 10) == 0:
            memory.append(resident_kib())
    for subject in [one for pool in (*pools, cleans) for one in pool]:
        subject.free()
        counts["instances"] += 1
    counts["messages"] = MESSAGE_COUNT[0]
    return {"counts": counts, "memory_kib": memory}


def endurance(request: dict) -> dict:
    """Take many steps of one instance under SDND104's sine. Record memory and times."""
    fmu = Fmu(request["fmus"][0])
    subject = Subject(fmu, Counter())
    names = [one[0] for one in fmu.variables]
    subject.set_up(0.0)
    subject.enter()
    subject.leave()
    size, period = 1e-3, 1000
    sine = [15.0 * math.sin(2.0 * math.pi * i / period) for i in range(period)]
    set_real, do_step = fmu.library.fmi2SetReal, fmu.library.fmi2DoStep
    do_step.argtypes = [ctypes.c_void_p, ctypes.c_double, ctypes.c_double, ctypes.c_int]
    reference = (ctypes.c_uint * 1)(names.index("base_acceleration"))
    value = (ctypes.c_double * 1)()
    one, component = ctypes.c_size_t(1), subject.component
    marks = []
    steps, block = request["steps"], request["block"]
    for first in range(0, steps, block):
        for step in range(first, first + block):
            value[0] = sine[step % period]
            set_real(component, reference, one, value)
            if do_step(component, step * size, size, 1) != OK:
                return {"violation": f"step {step}: {LAST_MESSAGE[0]}"}
        work, slips = names.index("wear_work"), names.index("slip_count")
        marks.append(
            {
                "steps": first + block,
                "seconds": time.process_time(),
                "kib": resident_kib(),
                "wear_work": subject.get("Real", [work])[0],
                "slip_count": subject.get("Integer", [slips])[0],
            }
        )
    # The rejection of an impossible time contains the time that was reached.
    if do_step(component, math.nan, size, 1) != ERROR:
        return {"violation": "a step at no time was taken"}
    _, _, ended = LAST_MESSAGE[0].rpartition(" ended at ")
    subject.free()
    return {"marks": marks, "time": float(ended.removesuffix(" s"))}


def answered(request: dict) -> dict:
    """Process a request and return the answer."""
    if request["what"] == "torture":
        return torture(request, Path(request["progress"]))
    return endurance(request)


if __name__ == "__main__":
    print(json.dumps(answered(json.load(sys.stdin))))
