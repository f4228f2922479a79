"""`input_at` of an experiment follows `input_timing` of the FMU and cannot contradict it."""

import re
from pathlib import Path

import numpy as np
import pytest

from fmu_src.models import fmu_definition
from harness import load_fmu
from harness.case.case_file import load_case
from harness.case.case_result import run_case
from harness.errors import CaseError
from harness.fmu.experiment import Experiment
from harness.fmu.files import own_fmu
from harness.fmu.input_timing import input_reading
from harness.fmu.interface import interface_of, read_interface
from wearmodel import FrictionalShock, FrictionalShockParameters
from wearmodel.kernel.shoe.parameters import InputTiming

STEP = 0.01
RECORD = 4.0 * np.random.default_rng(5).standard_normal(201)

CASE = """
[case]
title = "a load that grows"
source = "none"
fmu = "{fmu}"
[parameters]
{parameters}
[inputs.{input}]
kind = "table"
time = [0.0, 1.0]
value = [0.0, 20.0]
interpolation = "linear"
[experiment]
stop_time = 1.0
step_size = 0.125
{experiment}
"""


@pytest.fixture
def write_case(tmp_path: Path):
    def write(fmu: str, *, parameters: str = "", experiment: str = "") -> Path:
        name = "load_x" if fmu == "DisChoc" else "tangential_load"
        path = tmp_path / "load.toml"
        text = CASE.format(fmu=fmu, parameters=parameters, experiment=experiment, input=name)
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_the_lines_between_samples_are_followed_where_input_timing_is_end():
    run = load_fmu("FrictionalShock").simulate(
        2.0, STEP, parameters={"input_timing": "end"}, inputs={"base_acceleration": RECORD}
    )
    model = FrictionalShock(FrictionalShockParameters(), base_acceleration=RECORD[0])
    for last, value in zip(RECORD[:-1].tolist(), RECORD[1:].tolist(), strict=True):
        model.step_polynomial(STEP, base_acceleration=(last, (value - last) / STEP))
    # The steps are equal except for the rounding of (value − last)/step_size.
    assert run.wear_work[-1] == pytest.approx(model.outputs()["wear_work"], rel=1e-12)
    assert run.slip_count[-1] == model.outputs()["slip_count"] > 10.0


@pytest.mark.parametrize(
    ("fmu", "parameters", "input_at", "says"),
    [
        ("FrictionalShock", "", "end", "the default of FrictionalShock.fmu"),
        ("FrictionalShock", 'input_timing = "end"', "start", "as set"),
        ("FrictionalShock", 'input_timing = "start"', "end", "as set"),
        ("DisChoc", "", "start", "the rule of DisChoc.fmu"),
    ],
)
def test_an_input_at_that_contradicts_the_fmu_is_one_clear_line(
    write_case, fmu, parameters, input_at, says
):
    path = write_case(fmu, parameters=parameters, experiment=f'input_at = "{input_at}"')
    other = "start" if input_at == "end" else "end"
    with pytest.raises(CaseError) as caught:
        run_case(load_case(path), own_fmu(fmu))
    assert str(caught.value) == (
        f"{path}: experiment: input_at = '{input_at}' must be equal to input_timing = '{other}', "
        f"{says}: remove input_at to use the setting of the FMU"
    )


def test_a_case_of_dis_choc_is_at_the_steps_end_without_saying_so(write_case):
    fmu = own_fmu("DisChoc")
    plain = run_case(load_case(write_case("DisChoc")), fmu)
    said = run_case(load_case(write_case("DisChoc", experiment='input_at = "end"')), fmu)
    assert plain.record is not None
    assert said.record is not None
    assert np.array_equal(plain.record["displacement_x"], said.record["displacement_x"])
    assert plain.record["displacement_x"][-1] != plain.record["displacement_x"][-2]


@pytest.mark.parametrize(
    ("model", "parameters", "end"),
    [
        ("FrictionalShock", {}, "start"),
        ("FrictionalShock", {"input_timing": "end"}, "end"),
        ("DisChoc", {}, "end"),
        ("BaseMotion", {}, "start"),
    ],
)
def test_a_run_without_an_fmu_follows_the_same_rule(model, parameters, end):
    experiment = Experiment(stop_time=1.0, step_size=0.1)
    assert input_reading(experiment, interface_of(fmu_definition(model)), parameters).end == end


@pytest.mark.parametrize("model", ["FrictionalShock", "ModalShock"])
@pytest.mark.parametrize(
    ("timing", "remedy"), [("ends", "; did you mean 'end'?"), (2, ""), (True, "")]
)
def test_an_invalid_input_timing_is_an_error_with_and_without_an_fmu(model, timing, remedy):
    experiment = Experiment(stop_time=1.0, step_size=0.1)
    message = f"^input_timing={timing!r} must be one of start, end{re.escape(remedy)}$"
    with pytest.raises(ValueError, match=message):
        input_reading(experiment, interface_of(fmu_definition(model)), {"input_timing": timing})
    with pytest.raises(ValueError, match=message):
        read_interface(own_fmu(model)).parameter("input_timing", timing)


def test_input_timing_by_number_is_the_same_with_and_without_an_fmu():
    experiment = Experiment(stop_time=1.0, step_size=0.1)
    interface = read_interface(own_fmu("FrictionalShock"))
    for timing in InputTiming:
        given = {"input_timing": int(timing)}
        reading = input_reading(experiment, interface_of(fmu_definition("FrictionalShock")), given)
        assert reading.end == input_reading(experiment, interface, given).end == timing.name
