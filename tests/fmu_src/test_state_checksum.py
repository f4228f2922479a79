"""Bytes of a saved state that were altered anywhere are refused, and the instance lives on."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from fmu_src.bundled.slave import SafeSlave
from fmu_src.models import fmu_names

from .conftest import content_of, sealed

OK, ERROR = 0, 3
STEP = 1e-3
# Of the bits of one byte, and of what stands at its place.
EVERY_CHANGE = range(1, 256)


def run(one: Any, first: int, last: int) -> None:
    inputs = [v.name for v in one.description.modelVariables if v.causality == "input"]
    for step in range(first, last):
        values = dict.fromkeys(inputs[:1], 3.0 * (-1) ** (step // 3))
        assert one.step(step * STEP, STEP, **values) == OK


def altered(data: bytes, at: int, change: int) -> bytes:
    return data[:at] + bytes([data[at] ^ change]) + data[at + 1 :]


@pytest.mark.parametrize("name", fmu_names())
def test_a_state_with_any_one_byte_altered_is_refused_and_the_instance_lives_on(
    host: Callable[..., Any], name: str
) -> None:
    one, other = host(name).initialise(), host(name).initialise()
    for each in (one, other):
        run(each, 0, 10)
    data = one.serialise(one.save())
    rng = random.Random(name)
    for at in range(len(data)):
        state = one.deserialise(altered(data, at, rng.choice(EVERY_CHANGE)))
        one.messages.clear()
        assert one.load(state) == OK
        assert "fmi2SetFMUstate: the state cannot be restored" in one.messages[-1], at
        one.call("fmi2FreeFMUstate", _reference(state))
    assert one.step(10 * STEP, STEP) == ERROR  # it reports what was refused
    for each in (one, other):
        run(each, 10, 20)
    assert one.outputs() == other.outputs()


def _reference(state: Any) -> Any:
    import ctypes

    return ctypes.byref(state)


@pytest.mark.parametrize("name", ["FrictionalShock", "DisChoc", "BaseMotion"])
def test_no_change_of_one_byte_gives_a_state(host: Callable[..., Any], name: str) -> None:
    one = host(name).initialise()
    run(one, 0, 3)
    data = one.serialise(one.save())
    assert "guid" in SafeSlave._fmu_state_from_bytes(data)
    for at in range(len(data)):
        for change in EVERY_CHANGE:
            assert "guid" not in SafeSlave._fmu_state_from_bytes(altered(data, at, change))


def test_bytes_cut_short_exchanged_or_added_are_refused(host: Callable[..., Any]) -> None:
    one = host().initialise()
    data = one.serialise(one.save())
    for broken in (data[:-1], data + b" ", data + b"\0", data[1:], data[9:] + data[:9], b"\n"):
        one.load(one.deserialise(broken))
        assert "the state cannot be restored" in one.messages[-1]
        assert one.step(0.0, STEP) == ERROR


def test_the_checksum_is_the_crc_of_zlib_over_the_content(host: Callable[..., Any]) -> None:
    one = host().initialise()
    data = one.serialise(one.save())
    assert data[:9] == f"{zlib.crc32(data[9:]):08x}\n".encode()
    assert sealed(content_of(data)) == data


def test_a_sound_state_of_another_model_is_refused_by_its_guid(host: Callable[..., Any]) -> None:
    one, other = host("FrictionalShock").initialise(), host("DisChoc").initialise()
    one.load(one.deserialise(other.serialise(other.save())))
    assert "it was saved by another model or by another version of it" in one.messages[-1]
