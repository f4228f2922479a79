"""A step is held against its inputs: what is too coarse is refused, what is coarse is said."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from pydantic import TypeAdapter

from harness.case.case_file import load_case
from harness.case.shipped import case_file, shipped_cases
from harness.fmu.experiment import Experiment
from harness.fmu.input_timing import InputReading, input_reading_of_model
from harness.fmu.noise import NoiseSignal
from harness.fmu.signals import ConstantSignal, SampledSignal, Signal, SineSignal
from harness.fmu.step_check import (
    ENOUGH_STEPS,
    ON_THE_LINE,
    WEAR_ERRORS,
    expected_wear_error,
    require_fine_step,
    step_findings,
)
from harness.life import load_life
from harness.sweep.study import model_definition
from wearmodel.reference.step_errors import (
    Between,
    wear_errors_of_records,
    wear_errors_of_sine,
)

from ...docs.documents import ROOT

START, END = InputReading("start", -1, is_chosen=True), InputReading("end", -1, is_chosen=True)
COLUMNS: dict[str, Between] = {
    "end": "linear",
    "automatic": -1,
    "hold": 0,
    "order 1": 1,
    "order 2": 2,
    "order 3": 3,
}


def sine(frequency: float, **keys: Any) -> SineSignal:
    return SineSignal(kind="sine", amplitude=60.0, frequency=frequency, **keys)


def noise(**keys: Any) -> NoiseSignal:
    return NoiseSignal(kind="noise", **{"rms": 1.0, "sample_interval": 0.01, **keys})


def run(step: float, *, stop: float = 10.0, **keys: Any) -> Experiment:
    return TypeAdapter(Experiment).validate_python({"stop_time": stop, "step_size": step, **keys})


def found(signal: Signal, experiment: Experiment, reading: InputReading = START) -> list[bool]:
    """Whether each finding is an error."""
    return [one.is_error for one in step_findings({"load": signal}, experiment, reading)]


@pytest.mark.parametrize("frequency", [25.1, 50.0, 99.0, 100.0, 101.5, -99.0])
@pytest.mark.parametrize("reading", [START, END], ids=["start", "end"])
def test_a_sine_of_fewer_than_four_steps_a_period_is_an_error(
    frequency: float, reading: InputReading
) -> None:
    with pytest.raises(ValueError, match=r"steps of step_size=0\.01 s a period") as raised:
        require_fine_step({"load": sine(frequency, offset=3.0)}, run(0.01), reading)
    message = str(raised.value)
    assert message.startswith(f"inputs.load: a sine of {abs(frequency):g} Hz has ")
    remedy = 1.0 / (ENOUGH_STEPS * abs(frequency))
    assert f"take step_size ≤ {remedy:.3g} s" in message
    assert "allow_coarse_step = true" in message


def test_the_angular_frequency_counts_as_the_frequency() -> None:
    signal = SineSignal(kind="sine", amplitude=1.0, angular_frequency=2.0 * math.pi * 10.0)
    assert found(signal, run(0.01)) == found(sine(10.0), run(0.01)) == [False]
    # 20 steps a period, which as 0.1 s/0.005 s may miss the number by a rounding.
    assert found(signal, run(0.005)) == found(sine(10.0), run(0.005)) == []


def test_what_does_not_vary_asks_for_no_step() -> None:
    still: dict[str, Signal] = {
        "constant": ConstantSignal(kind="constant", value=3.0),
        "no frequency": sine(0.0),
        "no amplitude": SineSignal(kind="sine", amplitude=0.0, frequency=99.0, offset=1.0),
        "no noise": noise(rms=0.0, low=1.0, high=40.0, sample_interval=0.012),
        "level": SampledSignal(np.linspace(0.0, 10.0, 777), np.full(777, 2.0), "previous"),
    }
    assert require_fine_step(still, run(0.01), START) == ()


def test_an_error_that_is_meant_is_a_warning() -> None:
    experiment = run(0.01, allow_coarse_step=True)
    (line,) = require_fine_step({"load": sine(99.0)}, experiment, START)
    assert "a sine of 99 Hz has 1.01 steps" in line


def test_each_of_several_inputs_is_looked_at_and_errors_come_first() -> None:
    inputs: dict[str, Signal] = {"slow": sine(1.0), "coarse": sine(10.0), "lost": sine(60.0)}
    findings = step_findings(inputs, run(0.01), START)
    assert [one.problem.split(":")[0] for one in findings] == ["inputs.lost", "inputs.coarse"]


# Samples of a table


def table(times: Any, values: Any, interpolation: Any = "linear") -> SampledSignal:
    return SampledSignal(np.asarray(times), np.asarray(values), interpolation)


ROUGH = np.random.default_rng(3).standard_normal(2001)


@pytest.mark.parametrize("step", [0.005, 0.0025, 0.001])
def test_with_end_a_record_whose_samples_are_communication_points_is_silent(step: float) -> None:
    assert found(table(0.005 * np.arange(2001), ROUGH), run(step), END) == []


@pytest.mark.parametrize("step", [0.01, 0.004, 0.05])
def test_samples_lost_within_steps_are_an_error(step: float) -> None:
    record = table(0.005 * np.arange(2001), ROUGH)
    with pytest.raises(ValueError, match="samples lie within steps") as raised:
        require_fine_step({"load": record}, run(step), END)
    assert f"step_size={step:g} s and are lost, by up to " in str(raised.value)


def test_samples_within_steps_that_are_on_the_line_are_a_warning() -> None:
    # Every other sample of 1 Hz at 200 a second: (ω h)²/8 = 4.9e-4 of the amplitude off the line.
    times = 0.005 * np.arange(2001)
    record = table(times, np.sin(2.0 * np.pi * times))
    findings = step_findings({"load": record}, run(0.01), END)
    assert [one.is_error for one in findings] == [False]
    assert "1000 of 1999 samples lie within steps" in findings[0].problem
    assert "by up to 0.049 % of half the range" in findings[0].problem


@pytest.mark.parametrize(("height", "is_error"), [(0.9, False), (1.1, True)])
def test_on_the_line_is_within_one_percent_of_half_the_range(height: float, is_error: bool) -> None:
    # Half the range is 1.
    bump = table(
        [0.0, 5.0, 5.005, 5.01, 9.0, 10.0], [0.0, 0.0, height * ON_THE_LINE, 0.0, 2.0, 0.0]
    )
    assert found(bump, run(0.01), END) == [is_error]


def test_samples_outside_the_run_do_not_count() -> None:
    record = table([-0.013, 0.0, 5.0, 10.0, 10.013], [9.0, 0.0, 1.0, 0.0, 9.0])
    assert found(record, run(0.01), END) == []


@pytest.mark.parametrize("reading", [START, END], ids=["start", "end"])
def test_jumps_of_a_table_that_holds_must_fall_on_communication_points(
    reading: InputReading,
) -> None:
    def steps_at(time: float) -> SampledSignal:
        # The sample at 0.123 s repeats the one before: it is no jump.
        return table([0.0, 0.123, time, 10.0], [1.0, 1.0, 2.0, 2.0], "previous")

    assert found(steps_at(5.0), run(0.01), reading) == []
    assert found(steps_at(5.004), run(0.01), reading) == [True]


def test_a_pulse_of_a_table_that_holds_is_not_lost_in_silence() -> None:
    pulse = table([0.0, 5.002, 5.004, 10.0], [0.0, 1.0, 0.0, 0.0], "previous")
    assert found(pulse, run(0.01)) == [True]


# Noise


@pytest.mark.parametrize("ratio", [0.01, 0.05, 0.2, 0.5, 0.9])
def test_the_upper_frequency_of_an_oscillator_leaves_5_percent_of_the_power_above(
    ratio: float,
) -> None:
    signal = noise(frequency=1.0, damping_ratio=ratio)
    frequencies = np.linspace(0.0, 400.0, 8_000_001)
    power = 1.0 / ((1.0 - frequencies**2) ** 2 + (2.0 * ratio * frequencies) ** 2)
    below = np.sum(power[frequencies <= signal.upper_frequency]) / np.sum(power)
    # One line of the grid holds up to 4e-3 of the power where the damping is least; the tail beyond
    # 400 times the frequency is 1e-9.
    line = 5e-5 / ratio
    assert below == pytest.approx(0.95, abs=line)


def test_with_start_noise_is_judged_by_its_upper_edge() -> None:
    for high, errors in ((4.9, []), (5.1, [False]), (24.9, [False]), (25.1, [True])):
        assert found(noise(low=1.0, high=high), run(0.01)) == errors
        assert found(noise(low=1.0, high=high), run(0.01), END) == []


def test_with_start_a_record_is_judged_by_95_percent_of_its_power() -> None:
    times = 0.01 * np.arange(1001)
    for frequency, errors in ((4.5, []), (6.0, [False]), (30.0, [True])):
        values = np.sin(2.0 * np.pi * frequency * times) + 0.1 * np.sin(2.0 * np.pi * 40.0 * times)
        assert found(table(times, values), run(0.01)) == errors
        assert found(table(times, values), run(0.01), END) == []


def test_lines_and_a_jump_are_no_rough_record() -> None:
    assert found(table([0.0, 10.0], [0.0, -100.0]), run(0.01)) == []
    assert found(table([0.0, 5.0, 5.01, 10.0], [0.0, 0.0, 1.0, 1.0]), run(0.01)) == []
    assert found(table([0.0, 0.2, 0.3, 1.0], [0.0, 1.0, 0.0, 0.0]), run(0.1, stop=1.0)) == []


@pytest.mark.parametrize("reading", [START, END], ids=["start", "end"])
def test_noise_whose_samples_lie_within_steps_is_an_error(reading: InputReading) -> None:
    signal = noise(low=1.0, high=100.0, sample_interval=0.002)
    assert True in found(signal, run(0.05), reading)
    # Some that lie between: every third is on a point.
    assert True in found(noise(low=1.0, high=60.0, sample_interval=0.005), run(0.01), reading)


# The error to expect


@pytest.mark.parametrize("column", list(COLUMNS))
def test_the_error_to_expect_is_the_largest_that_is_measured(column: str) -> None:
    """From one number of steps to the next, whole and broken ones, at any phase.

    Two digits rounded up are at most a tenth more; where more steps are worse, theirs counts.
    """
    between = COLUMNS[column]
    edges = (*WEAR_ERRORS["steps"], ENOUGH_STEPS)
    largest = []
    for fewest, most in pairwise(edges):
        counts = np.linspace(fewest, most, 9)[:-1]
        errors = [np.max(np.abs(wear_errors_of_sine(count, between))) for count in counts]
        largest.append(float(max(errors)))
    measured = [max(largest[row:]) for row in range(len(largest))]
    for said, worst in zip(WEAR_ERRORS[column], measured, strict=True):
        assert worst <= said, f"measured {worst}, said {said}"
        if column != "automatic":  # the larger of its own and the hold's
            assert said <= 1.1 * worst, f"measured {worst}, said {said}"
    assert all(
        automatic >= hold
        for automatic, hold in zip(WEAR_ERRORS["automatic"], WEAR_ERRORS["hold"], strict=True)
    )


@pytest.mark.parametrize("order", [0, 2, 3])
def test_noise_errs_by_less_than_a_sine_of_its_upper_edge(order: Any) -> None:
    for steps in (5.0, 6.0, 8.0, 10.0, 12.0, 16.0):
        signal = noise(low=0.25, high=1.0, sample_interval=1.0 / steps)
        times = np.arange(round(400.0 * steps) + 1) / steps
        records = [
            TypeAdapter(NoiseSignal).validate_python({**vars(signal), "seed": seed}).sample(times)
            for seed in range(4)
        ]
        errors = wear_errors_of_records(records, 1.0 / steps, order)
        assert np.max(np.abs(errors)) <= expected_wear_error(steps, InputReading("start", order))


# What is shipped


@pytest.mark.parametrize("name", list(shipped_cases()))
def test_shipped_cases_are_silent(name: str) -> None:
    case = load_case(case_file(name))
    definition = model_definition(case.heading.fmu, None)
    reading = input_reading_of_model(case.experiment, definition, case.parameters)
    assert require_fine_step(case.inputs, case.experiment, reading) == ()


@pytest.mark.parametrize("name", ["life_of_a_pad", "life_of_a_rod"])
def test_example_lives_are_silent(name: str) -> None:
    notes = load_life(ROOT / "examples" / f"{name}.toml").notes
    assert [note for note in notes if "step" in note] == []
