"""Values are the same however a master groups its requests."""

import ctypes
import math
from collections.abc import Sequence
from typing import Any

import pytest
from fmpy import fmi2

OK, ERROR = 0, 3
STEP = 1e-3
STEPS = 400

OUTPUTS = ("wear_power", "slip_velocity", "friction_force")
REQUESTS: dict[str, list[Sequence[str]]] = {
    "one-output": [("wear_power",)],
    "outputs": [OUTPUTS],
    "outputs-in-another-order": [OUTPUTS[::-1]],
    "an-output-twice": [("wear_work", "wear_work")],
    "input-output-and-parameter": [("mass", "wear_power", "base_acceleration")],
    "two-requests-in-turns": [OUTPUTS, ("wear_work", "gap")],
    "each-request-twice": [OUTPUTS, OUTPUTS, ("wear_work", "gap"), ("wear_work", "gap")],
    "outputs-and-nothing": [OUTPUTS, OUTPUTS, (), ()],
}


def get_reals(one: Any, names: Sequence[str]) -> tuple[int, list[float]]:
    """Status and values of Real variables, asked for in one call."""
    values = (fmi2.fmi2Real * len(names))()
    references = (fmi2.fmi2ValueReference * len(names))(*(one.references[n] for n in names))
    status = one.call("fmi2GetReal", references, ctypes.c_size_t(len(names)), values)
    return status, list(values)


@pytest.mark.parametrize("requests", REQUESTS.values(), ids=REQUESTS)
def test_values_asked_for_together_are_those_asked_for_one_by_one(host, requests):
    one, other = host().initialise(), host().initialise()
    for step in range(STEPS):
        acceleration = 15.0 * math.sin(2.0 * math.pi * step * STEP)
        for each in (one, other):
            assert each.step(step * STEP, STEP, base_acceleration=acceleration) == OK
        for names in requests:
            assert get_reals(one, names) == (OK, [other.get(name) for name in names])
    assert other.get("wear_work") > 0.0


@pytest.mark.parametrize("name", ["contact_mode", "slip_count"])
def test_an_integer_read_alone_after_a_step_is_that_of_the_step(host, name):
    # Nothing else is read: no request for Reals has asked the model for its outputs before.
    start = {"input_extrapolation_order": 0}
    one, other = host().initialise(**start), host().initialise(**start)
    found = [one.get(name)]
    for step, acceleration in enumerate((0.5, 5.0, 0.0, -5.0)):
        assert one.step(step * STEP, STEP, base_acceleration=acceleration) == OK
        assert other.step(step * STEP, STEP, base_acceleration=acceleration) == OK
        get_reals(other, OUTPUTS)
        found.append(one.get(name))
        assert found[-1] == other.get(name)
    # The mass sticks below μ g = 1 m/s2 and slips above: after 5 m/s2 at -4e-3 m/s, then slower by
    # 1e-3 m/s, and -5 m/s2 turns it round.
    assert found == ({"contact_mode": [1, 1, 2, 2, 2], "slip_count": [0, 0, 1, 1, 2]}[name])


def test_an_integer_read_alone_follows_steps_between_which_nothing_is_set(host):
    # From 0.01 m/s friction of μ g = 1 m/s2 stops the mass after 10 ms.
    one = host().initialise(initial_velocity=0.01)
    found = [one.get("contact_mode")]
    for step in range(3):
        assert one.step(step * 6e-3, 6e-3) == OK
        found.append(one.get("contact_mode"))
    assert found == [2, 2, 1, 1]


def test_a_request_asked_again_and_again_follows_a_restored_state(host):
    one = host().initialise(initial_velocity=1.0)
    state = one.save()
    at_start = get_reals(one, OUTPUTS)
    for step in range(3):
        assert one.step(step * STEP, STEP, base_acceleration=1.0) == OK
        later = get_reals(one, OUTPUTS)
    assert one.load(state) == OK
    assert get_reals(one, OUTPUTS) == at_start != later


def test_a_wrong_reference_is_refused_in_the_midst_of_right_ones(host):
    one = host().initialise()
    for step in range(3):
        assert one.step(step * STEP, STEP) == OK
        assert get_reals(one, OUTPUTS)[0] == OK
    one.references["unknown"] = 9999
    assert get_reals(one, (*OUTPUTS, "unknown"))[0] == ERROR
    assert "valueReference 9999 must refer to a variable of type Real" in one.messages[0]
    assert one.step(3 * STEP, STEP) == OK
