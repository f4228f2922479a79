"""Bytes of a saved state that were altered anywhere are refused, and the instance lives on."""

from __future__ import annotations

import zlib
from typing import Any

import pytest

from fmu_src.bundled.slave import SafeSlave

from .conftest import Make, content_of, sealed

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


@pytest.mark.parametrize("name", ["FrictionalShock", "DisChoc", "BaseMotion"])
def test_no_change_of_one_byte_gives_a_state(host: Make, name: str) -> None:
    one = host(name).initialise()
    run(one, 0, 3)
    data = one.written()
    assert "guid" in SafeSlave._fmu_state_from_bytes(data)
    for at in range(len(data)):
        for change in EVERY_CHANGE:
            assert "guid" not in SafeSlave._fmu_state_from_bytes(altered(data, at, change))


def test_the_checksum_is_the_crc_of_zlib_over_the_content(host: Make) -> None:
    one = host().initialise()
    data = one.written()
    assert data[:9] == f"{zlib.crc32(data[9:]):08x}\n".encode()
    assert sealed(content_of(data)) == data
