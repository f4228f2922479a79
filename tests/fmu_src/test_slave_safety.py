"""A slave refuses what is illegal with a reason, keeps its state, and never hurts its host."""

from __future__ import annotations

import math
from typing import Any

import pytest

from .conftest import Make
from .test_readers import read

OK = 0
ERROR = 3
STEP = 1e-3


def shaking(step: int) -> float:
    """SDND104's support acceleration [m/s2] at a0 = 15."""
    return 15.0 * math.sin(2.0 * math.pi * step * STEP)


def run(one: Any, first: int, last: int) -> None:
    for step in range(first, last):
        assert one.step(step * STEP, STEP, base_acceleration=shaking(step)) == OK


@pytest.mark.parametrize(
    ("kind", "variable", "value", "message"),
    [
        ("Integer", "mass", 2, "must refer to a variable of type Integer or Enumeration"),
        ("Real", "contact_mode", 2.0, "must refer to a variable of type Real"),
    ],
)
def test_setting_what_cannot_be_set_is_reported_by_the_next_step_and_changes_nothing(
    host: Make, kind: str, variable: str, value: Any, message: str
) -> None:
    one = host().initialise()
    run(one, 0, 100)
    before = one.outputs()
    one.set_reference(kind, one.references[variable], value)
    assert one.step(0.1, STEP) == ERROR
    assert message in one.messages[-1]
    assert one.outputs() == before
    run(one, 100, 110)


@pytest.mark.parametrize("reference", [999, 2**31 + 5, 2**32 - 1])
@pytest.mark.parametrize("kind", ["Real", "Integer", "Boolean", "String"])
def test_reading_an_unknown_reference_is_logged_and_harmless(
    host: Make, kind: str, reference: int
) -> None:
    one = host().initialise()
    assert read(one, kind, reference)[0] == ERROR
    assert "variable" in one.messages[0]
    run(one, 0, 5)


def test_five_hundred_refusals_leave_the_slave_as_it_was(host: Make) -> None:
    one, other = host().initialise(), host().initialise()
    for _ in range(500):
        assert one.step(0.0, -1.0) == ERROR
        assert one.step(0.0, STEP, base_acceleration=math.nan) == ERROR
    run(one, 0, 300)
    run(other, 0, 300)
    assert one.outputs() == other.outputs()


def test_three_hundred_instances_come_and_go(host: Make) -> None:
    # pythonfmu gives back a reference to the script's dictionary at each instantiation; an FMU
    # that does not make up for it crashes the process after a few.
    first = host().initialise()
    library = first.slave
    for _ in range(300):
        component, library.component = library.component, None
        library.instantiate(loggingOn=False)
        library.fmi2FreeInstance(library.component)
        library.component = component
    run(first, 0, 300)
    assert first.get("wear_work") > 0.0
