"""The interface of FMI 3.0: calls allowed in each phase, and answers to invalid calls."""

import ctypes
import math
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import fmpy
import pytest
from fmpy.validation import validate_fmu

from fmu_src.models import native_fmu_names

from .fmi3_host import DISCARD, ERROR, OK, Host3, size_of

Make = Callable[..., Host3]
STEP = 1e-3
NOTHING = ctypes.c_void_p()
each_model = pytest.mark.parametrize("name", native_fmu_names())

# Functions that the FMU does not support, with the number of their arguments.
REFUSED = {
    "fmi3GetAdjointDerivative": (8, "providesAdjointDerivatives is false"),
    "fmi3GetOutputDerivatives": (5, "maxOutputDerivativeOrder is 0"),
    "fmi3GetNumberOfVariableDependencies": (2, "providesPerElementDependencies is false"),
    "fmi3GetVariableDependencies": (6, "providesPerElementDependencies is false"),
    "fmi3EnterConfigurationMode": (0, "no structural parameters"),
    "fmi3ExitConfigurationMode": (0, "no structural parameters"),
    "fmi3EvaluateDiscreteStates": (0, "providesEvaluateDiscreteStates is false"),
    "fmi3GetBinary": (5, "no binary variables"),
    "fmi3SetBinary": (5, "no binary variables"),
    "fmi3GetClock": (3, "no clocks"),
    "fmi3SetClock": (3, "no clocks"),
    "fmi3GetIntervalDecimal": (4, "no clocks"),
    "fmi3GetIntervalFraction": (5, "no clocks"),
    "fmi3GetShiftDecimal": (3, "no clocks"),
    "fmi3GetShiftFraction": (4, "no clocks"),
    "fmi3SetIntervalDecimal": (3, "no clocks"),
    "fmi3SetIntervalFraction": (4, "no clocks"),
    "fmi3SetShiftDecimal": (3, "no clocks"),
    "fmi3SetShiftFraction": (4, "no clocks"),
    "fmi3ActivateModelPartition": (0, "co-simulation only"),
    "fmi3EnterContinuousTimeMode": (0, "co-simulation only"),
    "fmi3CompletedIntegratorStep": (3, "co-simulation only"),
    "fmi3SetTime": (0, "co-simulation only"),
    "fmi3SetContinuousStates": (2, "co-simulation only"),
    "fmi3GetContinuousStateDerivatives": (2, "co-simulation only"),
    "fmi3GetEventIndicators": (2, "co-simulation only"),
    "fmi3GetContinuousStates": (2, "co-simulation only"),
    "fmi3GetNominalsOfContinuousStates": (2, "co-simulation only"),
    "fmi3GetNumberOfEventIndicators": (1, "co-simulation only"),
    "fmi3GetNumberOfContinuousStates": (1, "co-simulation only"),
}
PHASES = ("instantiated", "initialisation mode", "event mode", "stepping", "terminated")
# Phases in which each transition is allowed.
ALLOWED = {
    "fmi3EnterInitializationMode": ("instantiated",),
    "fmi3ExitInitializationMode": ("initialisation mode",),
    "fmi3EnterEventMode": ("stepping",),
    "fmi3EnterStepMode": ("event mode",),
    "fmi3UpdateDiscreteStates": ("event mode",),
    "fmi3DoStep": ("stepping",),
    "fmi3Terminate": ("event mode", "stepping"),
    "fmi3Reset": PHASES,
}


def in_phase(host: Host3, phase: str) -> Host3:
    """Bring a new instance with event mode to a phase."""
    if phase != "instantiated":
        assert host.enter() == OK
    if phase in PHASES[2:]:
        assert host.call("fmi3ExitInitializationMode") == OK
    if phase in PHASES[3:]:
        assert host.call("fmi3EnterStepMode") == OK
    if phase == "terminated":
        assert host.call("fmi3Terminate") == OK
    return host


@each_model
def test_fmpy_finds_nothing_wrong_with_the_fmu(fmi3_fmus, name):
    assert validate_fmu(str(fmi3_fmus(name))) == []


def test_every_function_of_the_standard_is_there(host3):
    header = Path(fmpy.__file__).parent / "c-code" / "fmi3Functions.h"
    names = set(re.findall(r"(fmi3\w+)TYPE", header.read_text(encoding="utf-8")))
    assert len(names) > 70
    library = host3().library
    assert sorted(name for name in names if not hasattr(library, name)) == []


@pytest.mark.parametrize("phase", PHASES)
def test_what_is_not_offered_answers_an_error_with_the_reason(host3, phase):
    host = in_phase(host3(event_mode=True), phase)
    before = host.written()
    for function, (count, reason) in REFUSED.items():
        arguments = [NOTHING] * count
        if function == "fmi3ActivateModelPartition":
            arguments = [ctypes.c_uint32(), ctypes.c_double()]
        elif function == "fmi3SetTime":
            arguments = [ctypes.c_double()]
        assert host.call(function, *arguments) == ERROR
        assert host.messages[-1].startswith(f"tested: {function}: ")
        assert reason in host.messages[-1]
    assert host.written() == before


@pytest.mark.parametrize("function", ["ModelExchange", "ScheduledExecution"])
def test_there_are_no_instances_of_other_kinds(host3, function):
    host = host3()
    make = getattr(host.library, f"fmi3Instantiate{function}")
    make.restype = ctypes.c_void_p
    token = host.description.guid.encode()
    arguments = [b"x", token, f"{host.folder}/resources/".encode()]
    flags = [ctypes.c_bool(False), ctypes.c_bool(True), None, host.logger]
    more = [] if function == "ModelExchange" else [None] * 3
    assert make(*arguments, *flags, *more) is None
    assert host.messages[-1].endswith("the model supports co-simulation only")


@pytest.mark.parametrize("function", ALLOWED)
@pytest.mark.parametrize("phase", PHASES)
def test_each_call_is_refused_where_the_standard_does_not_allow_it(host3, function, phase):
    host = in_phase(host3(event_mode=True), phase)
    before = host.written()

    def call() -> int:
        if function == "fmi3EnterInitializationMode":
            return host.enter()
        if function == "fmi3UpdateDiscreteStates":
            return host.update()
        if function == "fmi3DoStep":
            return host.step(0.0, STEP).status
        return host.call(function)

    expected = OK if phase in ALLOWED[function] else ERROR
    assert call() == expected
    if expected == ERROR:
        assert host.messages[-1] == f"tested: {function} is not allowed in phase '{phase}'"
        assert host.written() == before


def test_without_event_mode_it_is_refused_and_the_initialisation_leads_to_step_mode(host3):
    host = host3()
    host.initialise()
    assert host.call("fmi3EnterEventMode") == ERROR
    assert "eventModeUsed=false" in host.messages[-1]
    assert host.step(0.0, STEP).status == OK


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"token": "{other}"}, "instantiationToken={other} must be {"),
        ({"resources": ""}, "resourcePath='' must be the absolute path"),
        ({"resources": "file:///tmp/resources"}, "FMI 3.0 does not use URIs"),
        ({"resources": "/nowhere/at/all"}, "'/nowhere/at/all/instance.data'"),
        ({"intermediate": 1}, "nRequiredIntermediateVariables=1 must be 0"),
        ({"name": b""}, "the instance must have a name"),
        ({"name": None}, "the instance must have a name"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_what_makes_no_instance_is_said(host3, asked, reason):
    host = host3()
    assert host.make(**asked) is None  # type: ignore[arg-type]
    assert reason in host.messages[-1]


def test_a_path_with_signs_of_a_uri_is_taken_as_it_is(host3, tmp_path):
    host = host3()
    folder = shutil.copytree(host.folder / "resources", tmp_path / "100%20 #é")
    assert host.make(resources=str(folder)) is not None


def test_a_door_takes_no_fmu_of_the_other_version(host3, native_fmu, tmp_path_factory):
    host = host3()
    other = fmpy.extract(str(native_fmu), str(tmp_path_factory.mktemp("fmi2")))
    guid = fmpy.read_model_description(str(native_fmu)).guid
    assert host.make(token=guid, resources=f"{other}/resources") is None
    assert "the FMU is for FMI 2.0" in host.messages[-1]


@each_model
def test_values_are_read_and_set_by_their_own_types_alone(host3, name):
    host = in_phase(host3(name, event_mode=True), "stepping")
    before = host.written()
    for variable in host.variables.values():
        own = host.kind_of(variable.name)
        for kind in ("Float64", "Float32", "Int32", "Int64", "UInt64", "Int8", "Boolean", "String"):
            size = host.size(variable.name)
            status, _ = host.get_reference(kind, variable.valueReference, size)
            assert status == (OK if kind == own else ERROR), (variable.name, kind)
            if kind != own:
                value = b"" if kind == "String" else 0
                given = [value] * size
                assert host.set_reference(kind, variable.valueReference, *given) == ERROR
                assert f"must refer to a variable of type {kind}" in host.messages[-1]
    assert host.written() == before


@each_model
def test_a_wrong_number_of_values_is_refused(host3, name):
    host = in_phase(host3(name, event_mode=True), "stepping")
    for variable in host.variables.values():
        size, kind = host.size(variable.name), host.kind_of(variable.name)
        for wrong in (0, size + 1):
            status, _ = host.get_reference(kind, variable.valueReference, wrong)
            assert status == ERROR, variable.name
            assert f"nValues={wrong} must be {size}" in host.messages[-1]


@each_model
def test_what_cannot_be_set_is_said_by_its_name(host3, name):
    host = host3(name)
    reasons = {"independent": "is the independent variable", "output": "is an output"}
    reasons["local"] = "is a constant"
    for variable in host.variables.values():
        if variable.causality not in reasons:
            continue
        kind, size = host.kind_of(variable.name), host.size(variable.name)
        value = b"" if kind == "String" else 1
        assert host.set_reference(kind, variable.valueReference, *[value] * size) == ERROR
        assert f"tested: {variable.name} {reasons[variable.causality]}" in host.messages[-1]


def test_parameters_and_inputs_are_set_where_they_may_be(host3):
    for phase in PHASES:
        host = in_phase(host3(event_mode=True), phase)
        mass = host.set_reference("Float64", host.reference("mass"), 2.0)
        assert (mass == OK) == (phase in PHASES[:2])
        push = host.set_reference("Float64", host.reference("normal_load"), -1.0)
        assert (push == OK) == (phase != "terminated")


def test_outputs_are_not_read_before_there_are_any(host3):
    host = host3()
    reference = host.reference("normal_force")
    assert host.get_reference("Float64", reference)[0] == ERROR
    assert "is not allowed in phase 'instantiated'" in host.messages[-1]
    assert host.get("mass") == 1.0
    host.set(mass=-1.0)
    host.enter()
    assert host.get_reference("Float64", reference)[0] == ERROR
    assert "initialisation failed: mass=-1.0 kg must be > 0" in host.messages[-1]
    host.set(mass=2.0)
    assert host.get_reference("Float64", reference)[0] == OK


def test_a_failed_initialisation_takes_no_step_and_gives_no_output(host3):
    host = host3()
    host.set(mass=-1.0)
    host.enter()
    assert host.call("fmi3ExitInitializationMode") == ERROR
    assert host.step(0.0, STEP).status == ERROR
    assert host.get_reference("Float64", host.reference("gap"))[0] == ERROR
    assert host.call("fmi3Reset") == OK
    host.initialise(mass=1.0)
    assert host.step(0.0, STEP).status == OK


def test_null_is_refused_and_not_followed(host3):
    host = in_phase(host3(event_mode=True), "stepping")
    one = size_of(1)
    reference = (ctypes.c_uint32 * 1)(0)
    calls = {
        "fmi3GetFloat64": [(None, one, NOTHING, one), (reference, one, None, one)],
        "fmi3SetFloat64": [(None, one, NOTHING, one), (reference, one, None, one)],
        "fmi3GetString": [(None, one, NOTHING, one)],
        "fmi3SetBoolean": [(None, one, NOTHING, one)],
        "fmi3DoStep": [
            (ctypes.c_double(0.0), ctypes.c_double(STEP), ctypes.c_bool(True), *[None] * 4)
        ],
        "fmi3UpdateDiscreteStates": [(None,) * 6],
        "fmi3GetFMUState": [(None,)],
        "fmi3SetFMUState": [(None,)],
        "fmi3SerializedFMUStateSize": [(None, None)],
        "fmi3DeserializeFMUState": [(None, one, None)],
        "fmi3SetDebugLogging": [(ctypes.c_bool(True), one, None)],
        "fmi3GetDirectionalDerivative": [(None, one, None, one, None, one, None, one)],
    }
    before = host.written()
    for function, all_arguments in calls.items():
        for arguments in all_arguments:
            assert host.call(function, *arguments) == ERROR, function
            assert "must not be NULL" in host.messages[-1]
    assert host.written() == before
    # Without an instance, errors cannot be logged.
    for function in calls:
        library_call = getattr(host.library, function)
        assert library_call(None, *calls[function][0]) == ERROR
    host.library.fmi3FreeInstance(None)
    assert host.call("fmi3FreeFMUState", ctypes.byref(ctypes.c_void_p())) == OK


def test_the_log_has_what_it_is_asked_for(host3):
    host = host3()

    def ask(on: bool, *names: bytes) -> int:
        array = (ctypes.c_char_p * len(names))(*names)
        return host.call("fmi3SetDebugLogging", ctypes.c_bool(on), size_of(len(names)), array)

    assert ask(False) == OK
    assert host.step(0.0, STEP).status == ERROR
    assert host.messages == []
    assert ask(True, b"logStatusError") == OK
    assert host.step(0.0, STEP).status == ERROR
    assert host.messages == ["tested: fmi3DoStep is not allowed in phase 'instantiated'"]
    assert ask(True, b"logEverything") == ERROR
    assert "category 'logEverything' must be one of: logStatusDiscard" in host.messages[-1]


def test_a_message_is_no_format_in_fmi_3(host3):
    host = host3("BaseMotion")
    host.set(kind=2, file="100%s #1.csv")
    host.enter()
    assert host.call("fmi3ExitInitializationMode") == ERROR
    assert "100%s #1.csv" in host.messages[-1]


def test_arrays_are_the_scalars(host3):
    host = host3("ModalShock")
    host.initialise()
    names = [text.decode() for text in host.get("contact_names")]
    assert names == ["support_1", "support_2"]
    forces = [f"{name}.friction_force_{axis}" for name in names for axis in "xyz"]
    rubs = 0
    for number in range(200):
        time = number * STEP
        shaking = {"base_acceleration_y": 30.0 * math.sin(75.0 * time)}
        shaking["base_acceleration_z"] = 20.0 * math.sin(107.0 * time)
        assert host.step(time, STEP, **shaking).status == OK
        for quantity in ("normal_force", "wear_work", "shock_count", "clearance"):
            assert host.get(f"contact_{quantity}") == host.read([f"{n}.{quantity}" for n in names])
        assert host.get("contact_mode") == host.read([f"{name}.contact_mode" for name in names])
        assert host.get("contact_friction_force") == host.read(forces)
        rubs += any(host.get("contact_friction_force"))
    assert rubs > 10


def test_arrays_and_scalars_are_read_in_one_call(host3):
    host = host3("ModalShock")
    host.initialise()
    names = ["kinetic_energy", "contact_friction_force", "time", "contact_clearance"]
    references = (ctypes.c_uint32 * 4)(*map(host.reference, names))
    values = (ctypes.c_double * 10)()
    assert host.call("fmi3GetFloat64", references, size_of(4), values, size_of(10)) == OK
    expected = [host.get(name) for name in names]
    flat = [x for one in expected for x in (one if isinstance(one, list) else [one])]
    assert list(values) == flat


def test_directional_derivatives_follow_the_inputs(host3):
    # A free mass under a force: v = F h / m.
    host = host3()
    host.initialise(friction_coefficient=0.0, mass=2.0)
    host.step(0.0, STEP, tangential_load=1.0)
    status, (slope,) = host.derivative(["relative_velocity"], ["tangential_load"], [1.0])
    assert status == OK, host.messages
    assert slope == pytest.approx(STEP / 2.0, rel=1e-12)
    status, _ = host.derivative(["relative_velocity"], ["tangential_load"], [1.0, 2.0])
    assert status == ERROR
    assert "nSeed=2 must be 1" in host.messages[-1]
    status, _ = host.derivative(["relative_velocity"], ["mass"], [1.0])
    assert status == ERROR


def test_derivatives_of_an_array_are_those_of_its_elements(host3):
    host = host3("ModalShock")
    host.initialise()
    for number in range(5):
        host.step(number * STEP, STEP, base_acceleration_y=1.0)
    scalars = [f"support_{n}.relative_displacement_{axis}" for n in (1, 2) for axis in "xyz"]
    status, array = host.derivative(
        ["contact_relative_displacement"], ["base_acceleration_y"], [1.0]
    )
    assert status == OK, host.messages
    assert (OK, array) == host.derivative(scalars, ["base_acceleration_y"], [1.0])
    assert any(array)
    assert DISCARD not in (status,)


def test_an_enumeration_takes_no_more_than_an_integer_of_32_bits(host3):
    host = host3()
    assert host.give("normal_law", 2**40) == ERROR
    assert f"normal_law={float(2**40)!r} must fit a 32-bit Integer" in host.messages[-1]
