"""A file without an end is refused before it is opened."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wearmodel.models.accelerogram import read_accelerogram

ERROR = 3


@pytest.fixture(params=["/dev/zero", "/dev/null", "a pipe"])
def endless(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param != "a pipe":
        return str(request.param)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)  # nobody writes into it: to open it would wait for ever
    return str(pipe)


def test_a_device_or_a_pipe_is_no_record(endless: str) -> None:
    with pytest.raises(ValueError, match="cannot be read: it is not a regular file"):
        read_accelerogram(endless)


def test_the_slave_that_is_given_one_says_so_and_takes_no_step(
    host: Callable[..., Any], endless: str
) -> None:
    one = host("BaseMotion").initialise(kind=2, file=endless.encode())
    assert f"file={endless!r} cannot be read: it is not a regular file" in one.messages[-1]
    assert one.step(0.0, 0.1) == ERROR
