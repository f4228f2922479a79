"""Inputs with known derivatives are passed as polynomials. Their errors are reported."""

import math
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from mpmath import mp
from pydantic import TypeAdapter

from fmu_src.models import fmu_definition
from harness.command_line import main
from harness.fmu.experiment import Experiment
from harness.fmu.files import own_fmu
from harness.fmu.input_timing import InputReading, input_reading
from harness.fmu.interface import interface_of, read_interface
from harness.fmu.signals import ConstantSignal, SampledSignal, SineSignal, input_derivatives
from harness.fmu.step_check import NOTED_MISSED, step_findings

from ...docs.documents import ROOT

EXAMPLE = ROOT / "examples" / "sdnd104_by_derivatives.toml"
SINE = SineSignal(kind="sine", amplitude=3.0, frequency=2.0, phase=0.4, offset=1.0)


def experiment(**keys: Any) -> Experiment:
    return TypeAdapter(Experiment).validate_python({"stop_time": 1.0, "step_size": 0.125, **keys})


def test_a_sine_has_all_its_derivatives():
    times = np.array([0.0, 0.11, 0.7])
    (rows,) = input_derivatives({"load": SINE}, times, 15).values()
    assert rows.shape == (15, 3)
    with mp.workdps(40):
        for column, time in enumerate(times):
            exact = mp.taylor(lambda t: 1 + 3 * mp.sin(4 * mp.pi * t + mp.mpf("0.4")), time, 15)
            for order in range(1, 16):
                scale = 3.0 * (4.0 * math.pi) ** order
                want = float(exact[order] * mp.factorial(order))
                assert rows[order - 1, column] == pytest.approx(want, abs=1e-14 * scale)


def test_what_is_linear_has_its_slope_and_what_is_held_has_none():
    times = np.array([0.0, 0.5, 1.0])
    lines = SampledSignal(np.array([0.0, 0.5, 1.0]), np.array([1.0, 3.0, 2.0]))
    steps = SampledSignal(np.array([0.0, 0.5, 1.0]), np.array([1.0, 3.0, 2.0]), "previous")
    still = ConstantSignal(kind="constant", value=2.0)
    found = input_derivatives({"a": lines, "b": steps, "c": still}, times, 3)
    assert {name: rows.tolist() for name, rows in found.items()} == {"a": [[4.0, -2.0, 0.0]]}


def test_an_error_of_the_polynomial_that_matters_is_said():
    def found(derivatives: int, step: float) -> list[bool]:
        reading = InputReading("start", derivatives=derivatives)
        findings = step_findings({"load": SINE}, experiment(step_size=step), reading)
        return [one.is_error for one in findings]

    # (ωh)^(n+1)/(n+1)! with ω = 4π.
    assert found(15, 0.125) == []
    assert found(15, 0.25) == [False]
    assert found(15, 0.5) == [True]
    assert found(1, 1e-4) == []
    (note,) = step_findings({"load": SINE}, experiment(), InputReading("start", derivatives=2))
    missed = (0.5 * math.pi) ** 3 / 6.0
    assert (
        f"with 2 derivatives has an error of up to {100 * missed:.0f} % of its amplitude"
        in note.problem
    )
    enough = float(note.remedy.removeprefix("take step_size ≤ ").removesuffix(" s"))
    assert (4.0 * math.pi * enough) ** 3 / 6.0 == pytest.approx(NOTED_MISSED, rel=0.02)


@pytest.mark.parametrize(
    ("model", "given", "parameters", "message"),
    [
        ("FrictionalShock", True, {"input_timing": "end"}, "requires input_timing = 'start'"),
        ("DisChoc", True, {}, "requires input_timing = 'start'"),
        ("BaseMotion", True, {}, "BaseMotion does not accept derivatives of inputs"),
        ("FrictionalShock", 16, {}, "input_derivatives = 16 must be ≤ 15"),
    ],
)
def test_a_model_that_cannot_take_them_says_so(model, given, parameters, message):
    asked = experiment(input_derivatives=given)
    with pytest.raises(ValueError, match=message):
        input_reading(asked, interface_of(fmu_definition(model)), parameters)


@pytest.mark.parametrize("given", [0, -1, 1.0, "yes"])
def test_what_is_no_number_of_derivatives_is_refused(given):
    with pytest.raises(ValueError, match="input_derivatives"):
        experiment(input_derivatives=given)


def test_the_python_fmu_takes_none_and_the_error_names_who_does(capsys):
    assert main(["run", str(EXAMPLE)]) == 2
    error = capsys.readouterr().err
    assert "FrictionalShock.fmu does not accept derivatives of inputs" in error
    assert "--native" in error
    assert "Traceback" not in error


def test_the_page_takes_samples_alone(tmp_path, capsys):
    assert main(["page", "--case", str(EXAMPLE), "--out", str(tmp_path / "page.html")]) == 2
    assert "does not support input_derivatives" in capsys.readouterr().err


def test_an_fmu_of_others_must_be_told_how_many():
    interface = deepcopy(read_interface(own_fmu("FrictionalShock")))
    interface.description.modelName = "Theirs"
    interface.description.coSimulation.canInterpolateInputs = True
    reading = input_reading(experiment(input_derivatives=2), interface, {})
    assert (reading.derivatives, reading.is_extrapolated) == (2, False)
    with pytest.raises(ValueError, match="accepts is not known: set the order"):
        input_reading(experiment(input_derivatives=True), interface, {})
