"""The time step is checked against the inputs, with errors and notes."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pydantic import TypeAdapter

from harness.case.case_file import load_case
from harness.case.case_fmu import structure_of_case
from harness.case.notes import own_step_model
from harness.case.shipped import case_file, shipped_cases
from harness.fmu import step_check
from harness.fmu.experiment import Experiment
from harness.fmu.input_timing import InputReading, input_reading
from harness.fmu.interface import interface_of
from harness.fmu.model_runs import StepModel
from harness.fmu.noise import NoiseSignal
from harness.fmu.signals import ConstantSignal, SampledSignal, Signal, SineSignal
from harness.fmu.step_check import ENOUGH_STEPS, largest_input, require_fine_step, step_findings
from harness.fmu.step_effect import Effect, StepEffect
from harness.life import load_life
from harness.sweep.study import model_definition

from ...docs.documents import ROOT

START, END = InputReading("start", -1, is_chosen=True), InputReading("end", -1, is_chosen=True)


def sine(frequency: float, **keys: Any) -> SineSignal:
    return SineSignal(kind="sine", amplitude=60.0, frequency=frequency, **keys)


def noise(**keys: Any) -> NoiseSignal:
    return NoiseSignal(kind="noise", **{"rms": 1.0, "sample_interval": 0.01, **keys})


def run(step: float, *, stop: float = 10.0, **keys: Any) -> Experiment:
    return TypeAdapter(Experiment).validate_python({"stop_time": stop, "step_size": step, **keys})


def found(signal: Signal, experiment: Experiment, reading: InputReading = START) -> list[bool]:
    """Return for each finding whether it is an error."""
    return [one.is_error for one in step_findings({"load": signal}, experiment, reading)]


@pytest.mark.parametrize("frequency", [25.1, 50.0, 99.0, 100.0, 101.5, -99.0])
@pytest.mark.parametrize("reading", [START, END], ids=["start", "end"])
def test_a_sine_of_fewer_than_four_steps_a_period_is_an_error(frequency, reading):
    with pytest.raises(ValueError, match=r"steps of step_size=0\.01 s per period") as raised:
        require_fine_step({"load": sine(frequency, offset=3.0)}, run(0.01), reading)
    message = str(raised.value)
    assert message.startswith(f"inputs.load: a sine of {abs(frequency):g} Hz has ")
    remedy = 1.0 / (ENOUGH_STEPS * abs(frequency))
    assert f"take step_size ≤ {remedy:.3g} s" in message
    assert "allow_coarse_step = true" in message


def test_the_angular_frequency_counts_as_the_frequency():
    signal = SineSignal(kind="sine", amplitude=1.0, angular_frequency=2.0 * math.pi * 10.0)
    assert found(signal, run(0.01)) == found(sine(10.0), run(0.01)) == [False]
    # 20 steps per period. The rounding of 0.1 s/0.005 s must not change this number.
    assert found(signal, run(0.005)) == found(sine(10.0), run(0.005)) == []


def test_what_does_not_vary_asks_for_no_step():
    still: dict[str, Signal] = {
        "constant": ConstantSignal(kind="constant", value=3.0),
        "no frequency": sine(0.0),
        "no amplitude": SineSignal(kind="sine", amplitude=0.0, frequency=99.0, offset=1.0),
        "no noise": noise(rms=0.0, low=1.0, high=40.0, sample_interval=0.012),
        "level": SampledSignal(np.linspace(0.0, 10.0, 777), np.full(777, 2.0), "previous"),
    }
    assert require_fine_step(still, run(0.01), START) == ()


def test_an_error_that_is_meant_is_a_warning():
    experiment = run(0.01, allow_coarse_step=True)
    (line,) = require_fine_step({"load": sine(99.0)}, experiment, START)
    assert "a sine of 99 Hz has 1.01 steps" in line


def test_each_of_several_inputs_is_looked_at_and_errors_come_first():
    inputs: dict[str, Signal] = {"slow": sine(1.0), "coarse": sine(10.0), "lost": sine(60.0)}
    findings = step_findings(inputs, run(0.01), START)
    assert [one.problem.split(":")[0] for one in findings] == ["inputs.lost", "inputs.coarse"]


def test_the_point_with_the_largest_inputs_counts_each_input_as_a_share():
    def point(load: float, shaking: float) -> dict[str, Signal]:
        return {
            "load": ConstantSignal(kind="constant", value=load),
            "shaking": noise(rms=shaking, low=1.0, high=40.0),
        }

    assert largest_input([point(1.0, 3.0), point(-9.0, 2.9), point(9.0, 0.1)]) == 1
    assert largest_input([point(2.0, 3.0), point(2.0, 3.0)]) == 0
    table = SampledSignal(np.array([0.0, 1.0]), np.array([0.0, -5.0]))
    assert largest_input([{"load": sine(1.0)}, {"load": table}]) == 0
    assert largest_input([{}, {"load": table}]) == 1


def test_a_message_on_the_step_contains_the_three_largest_changes(monkeypatch):
    shares = (0.1, -0.5, 0.01, 0.3, 0.4, 0.2)
    judged = tuple(
        Effect(f"S{index}.wear_work", "J", 1.0 + share, 1.0, 1.0)
        for index, share in enumerate(shares)
    )
    monkeypatch.setattr(step_check, "step_effect", lambda *_: StepEffect(judged, (), 1.0))
    experiment = Experiment(stop_time=1.0, step_size=0.01)
    model = StepModel("FrictionalShock", {})
    (finding,) = step_check.step_findings({}, experiment, InputReading("start"), model)
    assert finding.is_error
    # The change of S2 is below 2 % and is not counted.
    assert finding.line == (
        "step_size=0.01 s is too coarse for the inputs. It changes S1.wear_work by -50 % (0.5 J "
        "instead of 1 J), S4.wear_work by +40 % (1.4 J instead of 1 J), S3.wear_work by +30 % "
        "(1.3 J instead of 1 J) and 2 more numbers. Changes must be ≤ 20 %: take a smaller "
        "step_size"
    )


# Shipped cases and examples.


@pytest.mark.parametrize("name", list(shipped_cases()))
def test_shipped_cases_are_silent(name):
    case = load_case(case_file(name))
    definition = model_definition(case.heading.fmu, None)
    reading = input_reading(case.experiment, interface_of(definition), case.parameters)
    changes_at = min((change.time for change in case.changes), default=math.inf)
    model = own_step_model(case.heading.fmu, case.parameters, structure_of_case(case))
    model = replace(model, changes_at=changes_at)
    assert require_fine_step(case.inputs, case.experiment, reading, model) == ()


@pytest.mark.parametrize("name", ["life_of_a_pad", "life_of_a_rod"])
def test_example_lives_are_silent(name):
    notes = load_life(ROOT / "examples" / f"{name}.toml").notes
    assert [note for note in notes if "step" in note] == []
