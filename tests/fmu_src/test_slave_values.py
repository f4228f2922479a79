"""Values do not depend on how a master groups its requests."""

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
    """Return status and values of Real variables from a single call."""
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
    # Only the Integer is read, so the model has not computed its outputs for Reals before.
    start = {"input_extrapolation_order": 0}
    one, other = host().initialise(**start), host().initialise(**start)
    found = [one.get(name)]
    for step, acceleration in enumerate((0.5, 5.0, 0.0, -5.0)):
        assert one.step(step * STEP, STEP, base_acceleration=acceleration) == OK
        assert other.step(step * STEP, STEP, base_acceleration=acceleration) == OK
        get_reals(other, OUTPUTS)
        found.append(one.get(name))
        assert found[-1] == other.get(name)
    # The mass sticks below μ g = 1 m/s2 and slips above. After 5 m/s2 its velocity is -4e-3 m/s. It
    # then slows down by 1e-3 m/s, and -5 m/s2 reverses it.
    assert found == ({"contact_mode": [1, 1, 2, 2, 2], "slip_count": [0, 0, 1, 1, 2]}[name])


def test_an_integer_read_alone_follows_steps_between_which_nothing_is_set(host):
    # Friction of μ g = 1 m/s2 stops the mass from 0.01 m/s after 10 ms.
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


@pytest.mark.parametrize("name", ["FrictionalShock", "DisChoc", "BaseMotion"])
def test_every_variable_but_a_text_is_read_as_a_real_number_too(host, name):
    one = host(name).initialise()
    kinds = {v.name: v.type for v in one.description.modelVariables}
    for variable, kind in kinds.items():
        status, values = get_reals(one, [variable])
        if kind == "String":
            assert status == ERROR
            assert f"valueReference {one.references[variable]} must refer" in one.messages[-1]
        else:
            assert (status, values) == (OK, [float(one.get(variable))])
    # All in a single call, in another order.
    numbers = [variable for variable, kind in kinds.items() if kind != "String"][::-1]
    assert get_reals(one, numbers) == (OK, [float(one.get(variable)) for variable in numbers])


@pytest.mark.parametrize("kind", ["Real", "Integer", "Boolean"])
@pytest.mark.parametrize("reference", [9999, 2**31 - 1, 2**31, 2**32 - 1])
def test_a_reference_without_a_variable_is_refused_with_its_number(host, kind, reference):
    one = host().initialise()
    before = one.written()
    assert one.set_reference(kind, reference, 1) == ERROR
    assert f"valueReference {reference} must refer to a variable of type {kind}" in one.messages[-1]
    vr, value = (fmi2.fmi2ValueReference * 1)(reference), (getattr(fmi2, f"fmi2{kind}") * 1)()
    assert one.call(f"fmi2Get{kind}", vr, ctypes.c_size_t(1), value) == ERROR
    assert f"valueReference {reference} must refer to a variable of type {kind}" in one.messages[-1]
    assert one.written() == before


def test_the_last_and_the_first_reference_of_each_causality_keep_their_meaning(host):
    one = host()
    variables = sorted(one.description.modelVariables, key=lambda v: v.valueReference)
    by_causality = {}
    for variable in variables:
        by_causality.setdefault(variable.causality, []).append(variable)
    assert list(by_causality) == ["input", "output", "parameter"]
    for causality, found in by_causality.items():
        for variable in (found[0], found[-1]):
            if variable.type != "Real":
                continue
            value = one.get(variable.name) + 0.125
            answer = one.give(variable.name, value)
            assert answer == (ERROR if causality == "output" else OK)
            assert causality == "output" or one.get(variable.name) == value


def test_inputs_and_outputs_are_read_after_the_end(host):
    one = host().initialise(initial_velocity=1.0)
    assert one.step(0.0, STEP, base_acceleration=2.0) == OK
    before = one.outputs()
    assert one.call("fmi2Terminate") == OK
    assert one.outputs() == before
    assert one.get("base_acceleration") == 2.0
    assert one.get("initial_velocity") == 1.0
