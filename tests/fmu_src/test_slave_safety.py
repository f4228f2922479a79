"""A slave refuses what is illegal with a reason, keeps its state, and never hurts its host."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

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
    ("values", "message"),
    [
        ({"mass": -1.0}, "mass=-1.0 kg must be > 0"),
        ({"mass": math.nan}, "mass=nan kg must be finite"),
        ({"friction_coefficient": -0.1}, "friction_coefficient=-0.1 must be ≥ 0"),
        ({"restitution": 1.5}, "restitution=1.5 must be ≤ 1"),
        ({"normal_law": 7}, "normal_law=7 must be one of: prescribed, penalty, rigid"),
        ({"input_extrapolation_order": 4}, "input_extrapolation_order=4 must be ≤ 3"),
        ({"initial_gap": 0.1}, "initial_gap=0.1 m must be 0 where normal_law is prescribed"),
        (
            {"friction_coefficient_static": 0.05},
            "friction_coefficient_static=0.05 must be ≥ friction_coefficient=0.1",
        ),
        ({"base_acceleration": math.inf}, "base_acceleration=inf m/s2 must be finite"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_bad_start_values_refuse_every_step_with_the_reason(
    host: Callable[..., Any], values: dict[str, Any], message: str
) -> None:
    one = host().initialise(**values)
    assert message in one.messages[-1]
    for _ in range(3):
        assert one.step(0.0, STEP) == ERROR
        assert message in one.messages[-1]


@pytest.mark.parametrize(
    ("time", "step_size", "message"),
    [
        (0.1, 0.0, "step_size=0.0 s must be > 0"),
        (0.1, -STEP, "step_size=-0.001 s must be > 0"),
        (0.1, math.nan, "step_size=nan s must be > 0"),
        (0.1, math.inf, "step_size=inf s must be > 0, finite"),
        (0.2, STEP, "current_time=0.2 s must follow on the last step, which ended at 0.1"),
        (0.0, STEP, "current_time=0.0 s must follow on the last step, which ended at 0.1"),
        (math.nan, STEP, "current_time=nan s must follow on the last step"),
    ],
    ids=["zero", "negative", "nan", "infinite", "gap", "repeated", "nan-time"],
)
def test_an_illegal_step_is_refused_and_nothing_is_lost(
    host: Callable[..., Any], time: float, step_size: float, message: str
) -> None:
    disturbed, undisturbed = host().initialise(), host().initialise()
    run(disturbed, 0, 100)
    run(undisturbed, 0, 100)
    assert disturbed.step(time, step_size, base_acceleration=99.0) == ERROR
    assert message in disturbed.messages[-1]
    assert disturbed.outputs() == undisturbed.outputs()
    run(disturbed, 100, 300)
    run(undisturbed, 100, 300)
    assert disturbed.outputs() == undisturbed.outputs()


@pytest.mark.parametrize(
    "name",
    ["base_acceleration", "base_acceleration_normal", "tangential_load", "normal_load"],
)
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_an_input_that_is_not_finite_is_refused_by_name(
    host: Callable[..., Any], name: str, value: float
) -> None:
    one = host().initialise()
    run(one, 0, 60)
    before = one.outputs()
    assert one.step(60 * STEP, STEP, **{name: value}) == ERROR
    assert f"{name}={value!r}" in one.messages[-1]
    assert "must be finite" in one.messages[-1]
    assert one.outputs() == before
    one.set(**{name: 0.0})
    run(one, 60, 70)


def test_an_input_too_large_for_binary64_is_refused(host: Callable[..., Any]) -> None:
    one = host().initialise()
    assert one.step(0.0, 1e300, base_acceleration=1e300) == ERROR
    assert one.step(0.0, STEP, base_acceleration=0.0) == OK
    assert all(math.isfinite(value) for value in one.outputs().values())


def test_a_step_before_initialisation_is_refused(host: Callable[..., Any]) -> None:
    one = host()
    assert one.step(0.0, STEP) == ERROR
    assert "not allowed in phase 'instantiated'" in one.messages[-1]
    one.initialise()
    run(one, 0, 3)


def test_a_step_after_terminate_is_refused_and_values_stay_readable(
    host: Callable[..., Any],
) -> None:
    one = host().initialise()
    run(one, 0, 200)
    before = one.outputs()
    assert one.call("fmi2Terminate") == OK
    assert one.step(0.2, STEP) == ERROR
    assert one.outputs() == before


@pytest.mark.parametrize(
    ("kind", "variable", "value", "message"),
    [
        ("Real", "wear_work", 5.0, "wear_work is an output"),
        ("Real", "mass", 2.0, "mass is a fixed parameter"),
        ("Integer", "normal_law", 1, "normal_law is a fixed parameter"),
        ("Integer", "mass", 2, "is no Integer or Enumeration variable"),
        ("Real", "contact_mode", 2.0, "is no Real variable"),
        ("Boolean", "start_in_equilibrium", 1, "start_in_equilibrium is a fixed parameter"),
    ],
)
def test_setting_what_cannot_be_set_is_reported_by_the_next_step_and_changes_nothing(
    host: Callable[..., Any], kind: str, variable: str, value: Any, message: str
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
    host: Callable[..., Any], kind: str, reference: int
) -> None:
    one = host().initialise()
    assert read(one, kind, reference)[0] == ERROR
    assert "variable" in one.messages[0]
    run(one, 0, 5)


def test_five_hundred_refusals_leave_the_slave_as_it_was(host: Callable[..., Any]) -> None:
    one, other = host().initialise(), host().initialise()
    for _ in range(500):
        assert one.step(0.0, -1.0) == ERROR
        assert one.step(0.0, STEP, base_acceleration=math.nan) == ERROR
    run(one, 0, 300)
    run(other, 0, 300)
    assert one.outputs() == other.outputs()


def test_three_hundred_instances_come_and_go(host: Callable[..., Any]) -> None:
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


def test_outputs_after_initialisation_follow_from_the_start_inputs(
    host: Callable[..., Any],
) -> None:
    one = host().initialise(base_acceleration=0.5, normal_load=2.0)
    assert one.get("normal_force") == 12.0
    # Stick: the friction force carries the mass along, F_T = m A_t.
    assert one.get("friction_force") == 0.5
    assert one.get("absolute_acceleration") == 0.5
    assert one.get("contact_mode") == 1


def test_setting_an_input_changes_no_output_before_the_next_step(host: Callable[..., Any]) -> None:
    one = host().initialise()
    run(one, 0, 100)
    before = one.outputs()
    one.set(base_acceleration=3.0, normal_load=7.0)
    assert one.outputs() == before
