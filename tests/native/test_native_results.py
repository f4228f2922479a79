"""The native FMU gives the bits of the Python one.

Both run the same source with the same operations in the same order, without fused operations. The
only function of the platform is the square root, which is correctly rounded everywhere. Therefore
the tests require equality.
"""

import math
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fmu_src.models import native_fmu_names
from harness import load_case
from harness.case.case_fmu import fmu_of
from harness.case.case_result import run_case
from harness.case.shipped import shipped_cases
from wearmodel import FrictionalShock, FrictionalShockParameters, NormalLaw, TangentialLaw
from wearmodel.models.frictional_shock import INPUT_UNITS, OUTPUT_NAMES, StepError
from wearmodel.quantities import variable_name

from ..wearmodel.kernel.test_quiet_slip import SHAKEN
from ..wearmodel.models.frictional_shock.random_runs import RandomRun, random_runs, shifted
from ..wearmodel.models.frictional_shock.test_varying_friction import DURATION, random_problem
from .conftest import OK, Host, Make
from .test_input_derivatives import set_derivatives

CASES = {
    name: file
    for name, file in shipped_cases().items()
    if load_case(file).heading.fmu in native_fmu_names()
}
FACTORIALS = (1.0, 1.0, 2.0, 6.0)


@pytest.mark.parametrize("name", CASES)
def test_every_case_passes_with_the_python_fmus_bits(name, native_fmus, python_fmus, tmp_path):
    case = load_case(CASES[name])
    model = case.heading.fmu
    if case.structure is None:
        paths = native_fmus(model), python_fmus(model)
    else:
        paths = fmu_of(case, tmp_path, native=True), fmu_of(case, tmp_path)
    native, python = (run_case(case, path) for path in paths)
    assert native.passed, native.failure
    assert native.record is not None
    assert python.record is not None
    assert native.record.values.keys() == python.record.values.keys()
    for variable, values in python.record.values.items():
        np.testing.assert_array_equal(native.record.values[variable], values, err_msg=variable)


class NativeModel:
    """The native FMU with the interface of the model object. It is reset for each short run."""

    def __init__(self, host: Host) -> None:
        self.host = host

    def start(self, parameters: Any, inputs: dict[str, float]) -> None:
        assert self.host.call("fmi2Reset") == OK
        values = {
            variable_name(item): getattr(parameters, item.name) for item in fields(parameters)
        }
        self.host.initialise(**values, **inputs)
        self.time = 0.0

    def set_taylor(self, inputs: dict[str, tuple[float, ...]]) -> None:
        for reference, name in enumerate(INPUT_UNITS):
            first, *terms = (*inputs[name], 0.0, 0.0, 0.0)[:4]
            self.host.set(**{name: first})
            derivatives = (term * n for term, n in zip(terms, FACTORIALS[1:], strict=True))
            assert set_derivatives(self.host, *derivatives, reference=reference) == OK

    def step(self, step_size: float, **inputs: float) -> bool:
        done = self.host.steps(self.time, step_size, **inputs)
        self.time += step_size
        return done

    def outputs(self) -> tuple[float, ...]:
        return tuple(float(self.host.get(name)) for name in OUTPUT_NAMES)


@pytest.fixture
def native_model(native: Make) -> NativeModel:
    return NativeModel(native())


laws = pytest.mark.parametrize(
    ("normal_law", "tangential_law"),
    [(normal, tangential) for normal in NormalLaw for tangential in TangentialLaw],
    ids=lambda law: law.name,
)
few_examples = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@laws
@few_examples
@given(data=st.data())
def test_random_runs_under_input_derivatives_have_the_bits_of_polynomial_steps(
    native_model, normal_law, tangential_law, data
):
    run: RandomRun = data.draw(random_runs(normal_law, tangential_law))
    model = run.start()
    native_model.start(run.parameters, {name: one[0] for name, one in run.inputs[0].items()})
    assert native_model.outputs() == model.output_values()
    for inputs in run.inputs:
        taylor = {
            name: [one * n / n for one, n in zip(terms, FACTORIALS, strict=False)]
            for name, terms in inputs.items()
        }
        native_model.set_taylor(inputs)
        try:
            model.step_polynomial(run.step_size, **taylor)
        except StepError:
            assert not native_model.step(run.step_size)
            return
        assert native_model.step(run.step_size)
        assert native_model.outputs() == model.output_values()


@laws
@few_examples
@given(data=st.data(), order=st.integers(0, 3))
def test_random_runs_through_samples_have_the_models_bits(
    native_model, normal_law, tangential_law, data, order
):
    run: RandomRun = data.draw(random_runs(normal_law, tangential_law))
    values = {**vars(run.parameters), "input_extrapolation_order": order}
    parameters = type(run.parameters)(**values)
    samples = [{name: terms[0] for name, terms in inputs.items()} for inputs in run.inputs]
    model = FrictionalShock(parameters, **samples[0])
    native_model.start(parameters, samples[0])
    for sample in samples:
        model.time = native_model.time
        try:
            model.step(run.step_size, **sample)
        except StepError:
            assert not native_model.step(run.step_size, **sample)
            return
        assert native_model.step(run.step_size, **sample)
        assert native_model.outputs() == model.output_values()


@laws
@pytest.mark.parametrize("seed", range(6))
def test_friction_that_depends_on_velocity_and_wear_that_acts_back_have_the_models_bits(
    native_model, normal_law, tangential_law, seed
):
    parameters, inputs = random_problem(normal_law, tangential_law, seed)
    if normal_law is NormalLaw.penalty and seed % 2:
        parameters = replace(parameters, wear_feedback=True, wear_time_scale=1e6)
    start = {name: terms[0] for name, terms in inputs.items()}
    model = FrictionalShock(parameters, **start)
    native_model.start(parameters, start)
    length = DURATION / 20
    for step in range(20):
        terms = {
            name: [one * n / n for one, n in zip(series, FACTORIALS, strict=False)]
            for name, series in shifted(inputs, step * length).items()
        }
        native_model.set_taylor({name: tuple(series) for name, series in terms.items()})
        model.step_polynomial(length, **terms)
        assert native_model.step(length)
        assert native_model.outputs() == model.output_values()


@pytest.mark.parametrize("values", SHAKEN.values(), ids=SHAKEN)
def test_slip_taken_at_once_under_these_laws_has_the_models_bits(native_model, values):
    parameters = FrictionalShockParameters(initial_velocity=1.0, **values)
    start = dict.fromkeys(INPUT_UNITS, 0.0)
    model = FrictionalShock(parameters)
    native_model.start(parameters, start)
    # More than a period: reversals in pieces between slip steps computed at once.
    for step in range(1200):
        sample = {**start, "base_acceleration": 15.0 * math.sin(2.0 * math.pi * step * 1e-3)}
        model.time = native_model.time
        model.step(1e-3, **sample)
        assert native_model.step(1e-3, **sample)
        assert native_model.outputs() == model.output_values()
    assert model.outputs()["slip_count"] > 2.0
