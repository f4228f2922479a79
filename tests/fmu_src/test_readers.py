"""A read request returns the right value or an error, and the run continues."""

import ctypes
import sys
from itertools import product
from typing import Any

import pytest
from fmpy import fmi2

from fmu_src.models import fmu_names

OK, ERROR = 0, 3
STEP = 1e-3
READERS = ("Real", "Integer", "Boolean", "String")
RIGHT = {"Real": "Real", "Integer": "Integer", "Enumeration": "Integer", "Boolean": "Boolean"}


def read(one: Any, reader: str, reference: int) -> tuple[int, Any]:
    """Return status and value from a reader for a reference."""
    values = (getattr(fmi2, f"fmi2{reader}") * 1)()
    status = one.call(
        f"fmi2Get{reader}", (ctypes.c_uint * 1)(reference), ctypes.c_size_t(1), values
    )
    return status, values[0]


def wrong_pairs(one: Any) -> list[tuple[Any, str]]:
    """Return one variable of each causality and type with each reader of another type."""
    kinds = {(v.causality, v.type): v for v in one.description.modelVariables}
    return [
        (variable, reader)
        for (_, kind), variable in kinds.items()
        for reader in READERS
        if reader != RIGHT.get(kind, "String")
    ]


def judge(one: Any, variable: Any, reader: str) -> None:
    """Check that a number is readable as Real, and that other requests are refused.

    The reason names the reference.
    """
    reference = variable.valueReference
    one.messages.clear()
    status, value = read(one, reader, reference)
    if reader == "Real" and variable.type != "String":
        assert (status, value) == (OK, float(one.get(variable.name)))
        assert one.messages == []
    else:
        assert status == ERROR
        wanted = f"valueReference {reference} must refer to a variable of type {reader}"
        assert wanted in one.messages[0]


def judge_unknown(one: Any) -> None:
    """Check that all readers refuse references that do not exist."""
    for reader, reference in product(READERS, (999, 2**31 + 5, 2**32 - 1)):
        one.messages.clear()
        assert read(one, reader, reference)[0] == ERROR
        (message,) = one.messages
        assert f"valueReference {reference} must refer to a variable of type {reader}" in message


@pytest.mark.parametrize("name", fmu_names())
def test_an_unknown_reference_cannot_be_set_and_the_next_step_goes_on(host, name):
    one, values = host(name).initialise(), {"Real": 1.0, "Integer": 1, "Boolean": 1, "String": b"x"}
    for (kind, value), reference in product(values.items(), (999, 2**31 + 5, 2**32 - 1)):
        one.messages.clear()
        assert one.set_reference(kind, reference, value) == ERROR
        (message,) = one.messages
        assert f"valueReference {reference} must refer to a variable of type {kind}" in message
    assert one.step(0.0, STEP) == OK


@pytest.mark.parametrize("name", fmu_names())
def test_a_wrong_reader_is_answered_rightly_or_refused_and_the_next_step_goes_on(host, name):
    one, other = host(name).initialise(), host(name).initialise()
    pairs = wrong_pairs(one)
    # Outputs alone have Reals, Integers and enumerations, with three readers each.
    if name != "BaseMotion":
        assert len([pair for pair in pairs if pair[0].causality == "output"]) >= 6
    judge_unknown(one)
    for number, (variable, reader) in enumerate(pairs):
        judge(one, variable, reader)
        for each in (one, other):
            assert each.step(number * STEP, STEP) == OK
    assert one.outputs() == other.outputs()


def test_the_number_of_a_mode_and_of_a_counter_is_read_as_a_real(host):
    one = host().initialise(input_extrapolation_order=0)
    assert one.step(0.0, STEP, base_acceleration=5.0) == OK
    assert read(one, "Real", one.references["contact_mode"]) == (OK, 2.0)
    assert read(one, "Real", one.references["slip_count"]) == (OK, 1.0)


def test_a_master_that_reads_all_outputs_as_reals_reaches_its_end(host):
    one = host().initialise()
    outputs = [v for v in one.description.modelVariables if v.causality == "output"]
    references = (ctypes.c_uint * len(outputs))(*(v.valueReference for v in outputs))
    values = (ctypes.c_double * len(outputs))()
    for step in range(20):
        assert one.step(step * STEP, STEP, base_acceleration=5.0) == OK
        assert one.call("fmi2GetReal", references, ctypes.c_size_t(len(outputs)), values) == OK
        assert list(values) == [float(one.get(v.name)) for v in outputs]


def test_thousands_of_refused_reads_take_and_leave_no_reference(host):
    # pythonfmu's original library releases the instance at each exception and crashes at the third.
    one = host().initialise()
    (slave,) = [
        instance
        for instance in _instances_of("FrictionalShock")
        if getattr(instance, "log_queue", None) is not None and instance._time == 0.0
    ][:1]
    needed = (slave, type(slave), slave.log_queue)
    before = [sys.getrefcount(each) for each in needed]
    for _ in range(3000):
        assert read(one, "Integer", one.references["wear_work"])[0] == ERROR
    assert [sys.getrefcount(each) for each in needed] == before
    del slave, needed
    assert one.step(0.0, STEP) == OK


def _instances_of(name: str) -> list[Any]:
    import gc

    return [
        found
        for found in gc.get_objects()
        if type(found).__name__ == name and hasattr(found, "_first_output")
    ]
