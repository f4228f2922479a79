"""BaseMotion.fmu: the value at the present instant, text parameters, and what is refused."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wearmodel.models.accelerogram import MOTION_HEADER

OK, ERROR = 0, 3
STEP = 1e-3


def text(value: str) -> bytes:
    return value.encode()


def test_the_output_is_the_value_at_the_end_of_the_last_step(host: Callable[..., Any]) -> None:
    one = host("BaseMotion").initialise(amplitude=2.0, phase=0.3)
    for step in range(1000):
        exact = 2.0 * math.sin(2.0 * math.pi * step * STEP + 0.3)
        # The step's end is start + step_size: half a rounding of 1 s, times 2π and the amplitude.
        assert one.get("acceleration") == pytest.approx(exact, abs=4e-15, rel=0.0)
        assert one.step(step * STEP, STEP) == OK


def test_the_output_after_initialisation_is_the_value_at_the_start(
    host: Callable[..., Any],
) -> None:
    one = host("BaseMotion").initialise(start_time=0.25, amplitude=2.0)
    assert one.get("acceleration") == 2.0


def test_text_parameters_are_taken_and_given_back(host: Callable[..., Any]) -> None:
    one = host("BaseMotion").initialise(kind=1, table=text("0 1; 1 5"))
    assert one.get("table") == b"0 1; 1 5"
    assert one.step(0.0, 0.25) == OK
    assert one.get("acceleration") == 2.0


def test_a_file_named_in_letters_beyond_ascii_is_read(
    host: Callable[..., Any], tmp_path: Path
) -> None:
    file = tmp_path / "séisme.csv"
    file.write_text(f"{MOTION_HEADER}\n0,1\n1,5\n")
    one = host("BaseMotion").initialise(kind=2, file=text(str(file)))
    assert one.step(0.0, 0.5) == OK
    assert one.get("acceleration") == 3.0


def test_another_record_is_refused_with_the_command_that_makes_it_a_table(
    host: Callable[..., Any], tmp_path: Path
) -> None:
    file = tmp_path / "quake.csv"
    file.write_text("# time [ms],acc [g]\n0,1\n1000,5\n")
    one = host("BaseMotion").initialise(kind=2, file=text(str(file)))
    reason = f"file={str(file)!r}, line 1: must be {MOTION_HEADER!r}; `wearfmu motion RECORD"
    assert reason in one.messages[-1]
    assert one.step(0.0, 0.5) == ERROR


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"kind": 2, "file": b"/none.csv"}, "file='/none.csv' cannot be read"),
        ({"kind": 1, "table": b"0 1"}, "table has 1 point(s); it must have ≥ 2"),
        ({"kind": 3}, "kind=3 must be one of: sine, table, csv"),
    ],
)
def test_a_bad_source_refuses_every_step_with_the_reason(
    host: Callable[..., Any], values: dict[str, Any], message: str
) -> None:
    one = host("BaseMotion").initialise(**values)
    for _ in range(3):
        assert one.step(0.0, STEP) == ERROR
        assert message in one.messages[-1]


def test_a_step_beyond_the_table_is_refused_and_the_state_stands(
    host: Callable[..., Any],
) -> None:
    one = host("BaseMotion").initialise(kind=1, table=text("0 1; 1 5"))
    assert one.step(0.0, 0.5) == OK
    assert one.step(0.5, 0.75) == ERROR
    assert "to go on, add a point there" in one.messages[-1]
    assert one.get("acceleration") == 3.0
    assert one.step(0.5, 0.5) == OK
    assert one.get("acceleration") == 5.0


@pytest.mark.parametrize("step_size", [0.0, -STEP, math.nan, math.inf])
def test_an_illegal_step_is_refused(host: Callable[..., Any], step_size: float) -> None:
    one = host("BaseMotion").initialise()
    assert one.step(0.0, step_size) == ERROR
    assert one.get("acceleration") == 0.0
    assert one.step(0.0, STEP) == OK


def test_state_with_texts_travels_as_bytes(host: Callable[..., Any]) -> None:
    one = host("BaseMotion").initialise(kind=1, table=text("0 1; 1 5"))
    one.step(0.0, 0.5)
    saved = one.serialise(one.save())
    other = host("BaseMotion").initialise()
    assert other.load(other.deserialise(saved)) == OK
    assert other.get("table") == b"0 1; 1 5"
    assert other.get("acceleration") == 3.0
    assert other.step(0.5, 0.25) == OK
    assert other.get("acceleration") == 4.0


def test_the_next_step_of_the_shoe_starts_with_the_value_passed_on(
    host: Callable[..., Any],
) -> None:
    motion = host("BaseMotion").initialise(amplitude=0.5, phase=0.3)
    shoe = host().initialise(
        base_acceleration=motion.get("acceleration"), input_extrapolation_order=0
    )
    for step in range(100):
        fed = motion.get("acceleration")
        assert shoe.step(step * STEP, STEP, base_acceleration=fed) == OK
        assert motion.step(step * STEP, STEP) == OK
        # In stick the mass moves with the support: its acceleration is the input in force.
        assert shoe.get("absolute_acceleration") == fed


def test_a_value_that_is_no_text_has_no_text_reference(host: Callable[..., Any]) -> None:
    one = host("BaseMotion").initialise()
    value = ctypes.c_char_p(b"2.0")
    one.set_reference("String", one.references["amplitude"], value.value)
    assert one.step(0.0, STEP) == ERROR
    assert "is no String variable" in one.messages[-1]
