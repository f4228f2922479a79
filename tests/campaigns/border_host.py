"""Host that tests the interface of an FMU: texts, URIs and bytes of states.

It runs in a separate process, reads a JSON request from standard input and writes a JSON answer. An
answer shows that the process did not crash.
"""

from __future__ import annotations

import ctypes
import json
import random
import sys
import zlib
from collections import Counter

from judged_instance import ERROR, LAST_MESSAGE, OK, Fmu, Subject, ViolationError

ALPHABET = "%%%##ns d05.*lxc$é"
SPLICES = (b"NaN", b"Infinity", b"-1", b"1e999", b"null", b"true", b"[]", b"{}", b'"\\ud800"', b"")


def printed(message: str) -> str:
    """Return a message as shown by printf and by a reader of FMI's #. Format codes may crash it."""
    buffer = ctypes.create_string_buffer(10_000)
    ctypes.CDLL(None).snprintf(buffer, ctypes.c_size_t(len(buffer)), message.encode())
    return buffer.value.decode().replace("##", "#")


def texts(fmu: Fmu, request: dict) -> dict:
    """Test user texts in the messages of a source and as its name."""
    counts: Counter = Counter()
    rng = random.Random(request["seed"])
    names = [one[0] for one in fmu.variables]
    for _ in range(request["count"]):
        text = "".join(rng.choices(ALPHABET, k=rng.randrange(1, 12))).strip() or "%"
        fmu.instance_name = text.encode()
        subject = Subject(fmu, counts)
        kind = rng.choice((1, 2))  # A table, whose message shows the wrong part, or a file.
        subject.accepted(
            "fmi2SetString",
            (ctypes.c_uint * 1)(names.index("table" if kind == 1 else "file")),
            ctypes.c_size_t(1),
            (ctypes.c_char_p * 1)(text.encode()),
        )
        subject.set("Integer", names.index("kind"), kind)
        subject.set_up(0.0)
        subject.enter()
        subject.leave()
        shown = printed(LAST_MESSAGE[0])
        name, reason = shown[: len(text)], shown[len(text) :]
        if name != text or (text if kind == 2 else "table, point 1") not in reason:
            raise ViolationError(f"the text {text!r} was shown as {shown!r}")
        if subject.step(0.0, 1e-3) != ERROR:
            raise ViolationError(f"a step with the text {text!r} was not refused")
        subject.free()
        counts["texts"] += 1
    return dict(counts)


def states(fmu: Fmu, request: dict) -> dict:
    """Test states with cut, spliced and overwritten bytes: read, write twice, restore, step."""
    counts: Counter = Counter()
    rng = random.Random(request["seed"])
    subject, good = Subject(fmu, counts), Subject(fmu, counts)
    for one in (subject, good):
        one.set_up(0.0)
        one.enter()
        one.leave()
        one.step(0.0, 1e-3)
    data, (saved, _) = good.serialised(), subject.save()
    for _ in range(request["count"]):
        start = rng.randrange(len(data))
        end = min(len(data), start + rng.randrange(12))
        middle = rng.choice((*SPLICES, rng.randbytes(rng.randrange(4))))
        content = data[:start] + middle + data[end:]
        # Most states have a matching checksum. Otherwise their content would not be tested.
        broken = content
        if rng.random() < 0.9:
            content = content.partition(b"\n")[2]
            broken = f"{zlib.crc32(content):08x}\n".encode() + content
        state = ctypes.c_void_p()
        buffer = (ctypes.c_char * max(len(broken), 1)).from_buffer_copy(broken or b"\0")
        size = ctypes.c_size_t(len(broken))
        LAST_MESSAGE[0] = ""
        if subject.call("fmi2DeSerializeFMUstate", buffer, size, ctypes.byref(state)) != OK:
            if state or "cannot be restored" not in LAST_MESSAGE[0]:
                raise ViolationError(f"no reason for {broken!r}: {LAST_MESSAGE[0]}")
            counts["refused"] += 1
            continue
        written = subject.written(state)
        if subject.written(state) != written:
            raise ViolationError(f"a state is written in two ways: {broken!r}")
        again = subject.deserialised(written)
        for each in (state, again):
            LAST_MESSAGE[0] = ""
            refused = subject.call("fmi2SetFMUstate", each) != OK
            if refused and "cannot be restored" not in LAST_MESSAGE[0]:
                raise ViolationError(f"no reason for {broken!r}: {LAST_MESSAGE[0]}")
            counts["refused" if refused else "taken"] += 1
            subject.outputs()  # An infinite output or NaN is a violation.
            status = subject.call(
                "fmi2DoStep", ctypes.c_double(1e-3), ctypes.c_double(1e-9), ctypes.c_int(1)
            )
            if status == OK:
                subject.outputs()
            elif refused:
                raise ViolationError(f"a refused state ends the run: {broken!r}")
            subject.accepted("fmi2SetFMUstate", saved)
            if subject.outputs() != good.outputs():
                raise ViolationError(f"a broken state left its mark: {broken!r}")
        for each in (state, again):
            subject.release(each)
    return dict(counts)


def uri(fmu: Fmu, request: dict) -> dict:
    """Test a resource URI as given."""
    fmu.resources = request["uri"].encode()
    subject = Subject(fmu, Counter())
    subject.set_up(0.0)
    subject.enter()
    subject.leave()
    return {"status": subject.step(0.0, 1e-3)}


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    try:
        answer = {"texts": texts, "states": states, "uri": uri}[asked["what"]](
            Fmu(asked["fmu"]), asked
        )
    except ViolationError as problem:
        answer = {"violation": str(problem)}
    print(json.dumps(answer))
