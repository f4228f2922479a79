"""`wearfmu fit` returns parameters, JSON and a fitted case from a case with measured data."""

from __future__ import annotations

import itertools
import json
import math
import re
import tomllib
from dataclasses import replace
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import harness
from harness.command_line import main
from harness.fitting import fit_grids, fit_lines, fit_run, write_fit_json
from harness.fitting.estimation import estimate
from harness.fitting.fit_file import Fit
from harness.fitting.fit_run import FittedParameter, _not_known
from harness.fitting.wear_tests import coefficient_of_tests
from harness.report.fit_page import write_fit_report
from tests.fits.cells import NOISES, RIGS, Rig, loaded, with_values
from tests.fits.planted import PLANTED, left_open
from wearmodel import FrictionalShockParameters, run_records
from wearmodel.batch.structure_runs import run_structure
from wearmodel.statistics.wear_laws import MOST_FACTOR
from wearmodel.structure import read_structure

STEP, COUNT = 2e-3, 2000
TIMES = STEP * np.arange(COUNT + 1)
BASE = 3.0 * np.sin(2.0 * np.pi * 1.31 * TIMES) + 2.0 * np.sin(2.0 * np.pi * 2.93 * TIMES + 1.0)
FRICTION = 0.15
CASE = """\
# A shoe on a rig.
[case]
title = "A shoe on a rig"
fmu = "FrictionalShock"

[parameters]
stiffness = 40.0
friction_coefficient = 0.3  # a guess
input_timing = "end"

[inputs.base_acceleration]
kind = "csv"
file = "rig.csv"
value_column = "acceleration [m/s2]"

[experiment]
stop_time = 4.0
step_size = 2e-3
allow_coarse_step = true
"""
FIT = """
[fit.parameters]
friction_coefficient = { start = 0.3, low = 0.05, high = 0.6 }

[[fit.measured]]
file = "rig.csv"
value_column = "displacement [mm]"
variable = "relative_displacement"
"""


def displacement(**parameters: object) -> np.ndarray:
    if "friction_table" not in parameters:
        parameters["friction_coefficient"] = FRICTION
    declared = FrictionalShockParameters(stiffness=40.0, **parameters)
    run = run_records(declared, STEP, base_acceleration=BASE, histories=["relative_displacement"])
    return np.asarray(run.histories["relative_displacement"])


@pytest.fixture
def rig(tmp_path: Path):
    """Return a function that writes a fit of measured values with 1 % of noise."""

    def write(
        *,
        measured: np.ndarray | None = None,
        base: np.ndarray = BASE,
        case: str = CASE,
        fit: str = FIT,
    ) -> Path:
        values = displacement() if measured is None else measured
        noise = 0.01 * np.std(values) * np.random.default_rng(5).normal(size=len(values))
        table = np.stack([TIMES, base, 1e3 * (values + noise)], axis=1)
        np.savetxt(
            tmp_path / "rig.csv",
            table,
            delimiter=",",
            header="time,acceleration [m/s2],displacement [mm]",
            comments="",
        )
        file = tmp_path / "rig.toml"
        file.write_text(case + fit, encoding="utf-8")
        return file

    return write


@pytest.mark.long
def test_the_command_finds_the_friction_coefficient_of_the_record(rig, tmp_path, capsys):
    numbers, fitted = tmp_path / "fit.json", tmp_path / "fitted.toml"
    assert main(["fit", str(rig()), "--json", str(numbers), "--fitted", str(fitted)]) == 0
    content = json.loads(numbers.read_text(encoding="utf-8"))
    found = content["parameters"]["friction_coefficient"]
    assert found["low"] < FRICTION < found["high"]
    # 2000 samples with 1 % of noise determine the coefficient to about 0.1 %.
    assert found["value"] == pytest.approx(FRICTION, rel=1e-3)
    assert 0.0 < found["high"] - found["low"] < 2e-3 * FRICTION
    assert content["not_known"] == content["warnings"] == []
    printed = capsys.readouterr().out
    assert "friction_coefficient" in printed
    assert "95 % interval" in printed
    text = fitted.read_text(encoding="utf-8")
    assert "# A shoe on a rig." in text
    case = tomllib.loads(text)
    assert "fit" not in case
    assert case["parameters"] == {
        "stiffness": 40.0,
        "friction_coefficient": found["value"],
        "input_timing": "end",
    }
    assert main(["run", str(fitted)]) == 0
    schema = Path(__file__).parents[3] / "docs" / "results.schema.json"
    jsonschema.validate(content, json.loads(schema.read_text(encoding="utf-8")))
    capsys.readouterr()
    assert main(["validate", str(numbers), "--inputs", str(tmp_path)]) == 0
    assert "every bit" in capsys.readouterr().out


def test_python_returns_the_same_result_as_the_command(rig, tmp_path):
    file, numbers = rig(), tmp_path / "fit.json"
    done: list[int] = []
    result = harness.fit(file, progress=done.append)
    assert main(["fit", str(file), "--json", str(numbers)]) == 0
    found = json.loads(numbers.read_text(encoding="utf-8"))["parameters"]["friction_coefficient"]
    assert vars(result.parameters["friction_coefficient"]) == found
    # In a notebook, the result shows parameters and warnings instead of thousands of samples.
    assert "friction_coefficient" in repr(result)
    assert len(repr(result)) < 1000
    assert done == list(range(1, 9))


def test_gain_offset_delay_and_amplitude_are_found_together(rig):
    measured = np.interp(TIMES - 0.013, TIMES, 1.2 * displacement()) + 0.004
    text = FIT.replace(
        "[[fit.measured]]",
        "relative_displacement.gain = { start = 1.0, low = 0.5, high = 2.0 }\n"
        "relative_displacement.offset = { start = 0.0, low = -0.01, high = 0.01 }\n"
        "relative_displacement.time_offset = { start = 0.0, low = -0.05, high = 0.05 }\n"
        "[[fit.measured]]",
    )
    result = harness.fit(rig(measured=measured, fit=text))
    truth = {"friction_coefficient": FRICTION, "gain": 1.2, "offset": 0.004, "time_offset": 0.013}
    for name, value in truth.items():
        by = result.parameters[
            name if name in result.parameters else f"relative_displacement.{name}"
        ]
        # Four standard errors, plus the error of linear interpolation in the shifted record.
        assert by.standard_error is not None
        assert by.value == pytest.approx(value, abs=4.0 * by.standard_error + 1e-4 * abs(value))
    assert any("samples of rig.csv are between" in note for note in result.fit.notes)


@pytest.mark.long
def test_noise_of_one_percent_in_the_measured_input_is_a_note_and_shifts_little(rig):
    exact = BASE.copy()
    found = []
    for seed in range(5):
        noise = 0.01 * np.std(exact) * np.random.default_rng(seed).normal(size=len(exact))
        result = harness.fit(rig(base=exact + noise))
        found.append(result.parameters["friction_coefficient"].value)
    (note,) = result.fit.notes
    assert note.startswith("inputs.base_acceleration: noise of a measured input shifts the result")
    # docs/fits.md gives a scatter of 0.15 % for a single fit.
    assert found == pytest.approx([FRICTION] * 5, rel=5e-3)


@pytest.mark.long
@pytest.mark.parametrize("name", PLANTED)
def test_what_a_measurement_leaves_open_is_named(name):
    reasons = left_open(name)
    assert [by for by in PLANTED[name].open if not any(by in reason for reason in reasons)] == []


def test_a_fit_that_leaves_a_parameter_open_ends_with_code_3(rig, tmp_path, capsys):
    text = FIT.replace(
        "\n[[fit.measured]]",
        "preload = { start = 1.0, low = 0.1, high = 50.0 }\n\n[[fit.measured]]",
    )
    numbers = tmp_path / "fit.json"
    case = CASE.replace("stiffness", "gravity = 0.0\nstiffness")
    assert main(["fit", str(rig(case=case, fit=text)), "--json", str(numbers)]) == 3
    printed = capsys.readouterr().out
    assert "friction_coefficient and preload: only a combination is determined" in printed
    found = json.loads(numbers.read_text(encoding="utf-8"))["parameters"]["preload"]
    assert found["low"] is found["high"] is None


def test_friction_that_falls_with_speed_is_named_if_coulomb_friction_was_fitted(rig):
    measured = displacement(friction_coefficient_slow=1.5 * FRICTION, friction_decay_velocity=0.1)
    (warning,) = harness.fit(rig(measured=measured)).warnings
    assert warning.startswith("the model does not fit: friction that decreases with speed")


@pytest.mark.long
def test_a_minimum_at_a_bound_is_a_warning(rig):
    text = FIT.replace("low = 0.05", "low = 0.2")
    warnings = harness.fit(rig(fit=text)).warnings
    bound = "friction_coefficient: the minimum is at the bound low = 0.2"
    assert any(warning.startswith(bound) for warning in warnings)


@pytest.mark.long
def test_an_interval_that_reaches_a_bound_is_a_profile_and_a_warning(rig):
    found = harness.fit(rig()).parameters["friction_coefficient"]
    assert found.low is not None
    low = 0.5 * (found.low + found.value)
    bounded = harness.fit(rig(fit=FIT.replace("low = 0.05", f"low = {low!r}")))
    (warning,), profile = bounded.warnings, bounded.parameters["friction_coefficient"]
    assert profile.is_profile
    assert profile.low == low
    # The history is almost linear within the interval, and the ends are computed to 1 %.
    assert not found.is_profile
    assert profile.high - profile.value == pytest.approx(found.high - found.value, rel=0.05)
    assert warning.startswith("friction_coefficient: the interval ends at the bound low")


@pytest.mark.parametrize("noise", NOISES)
def test_noise_of_any_kind_is_not_a_departure_of_the_model(noise):
    fit = loaded(RIGS["μ_d"], span=NOISES[noise].span)
    values = NOISES[noise].drawn(fit.channels[0].values, np.random.default_rng(1))
    assert harness.fitting.run_fit(with_values(fit, values)).warnings == ()


BOUNCING = {"contact_stiffness": 2e5, "contact_damping": 100.0}


def bouncing() -> Fit:
    """Return the fit of a mass on a vibrating table. Impacts remove the effect of its start."""
    rig = Rig(
        {"normal_law": "penalty", "gravity": 9.81},
        BOUNCING,
        measured="gap",
        input="base_acceleration_normal",
        drive=lambda times: 20.0 * np.sin(10.0 * np.pi * times),
    )
    fit = loaded(rig)
    measured = NOISES["white"].drawn(fit.channels[0].values, np.random.default_rng(1))
    return with_values(fit, measured)


@pytest.mark.long
def test_chaotic_bouncing_is_fitted_up_to_its_horizon(tmp_path):
    fit = bouncing()
    result = harness.fitting.run_fit(fit)
    assert result.horizon is not None
    assert 1.0 < result.horizon < 0.5 * fit.case.experiment.stop_time
    for name, value in BOUNCING.items():
        found = result.parameters[name]
        assert found.low is not None
        assert found.high is not None
        assert found.low < value < found.high
        assert found.high - found.low < 0.01 * value
    assert not any("does not fit" in warning for warning in result.warnings)
    (line,) = [line for line in fit_lines(result) if "horizon" in line]
    assert line.startswith(f"measured histories are used up to {result.horizon:.4g} s")
    numbers, page = tmp_path / "fit.json", tmp_path / "fit.html"
    write_fit_json(result, numbers)
    assert json.loads(numbers.read_text(encoding="utf-8"))["horizon"] == result.horizon
    write_fit_report(result, page)
    assert "after this horizon" in page.read_text(encoding="utf-8")


@pytest.mark.long
def test_samples_after_the_horizon_do_not_change_the_result():
    fit = bouncing()
    (channel,) = fit.channels
    result = harness.fitting.run_fit(fit)
    assert result.horizon is not None
    is_later = channel.instants > result.horizon
    assert np.count_nonzero(is_later) > 0.5 * len(is_later)
    # A different record after the horizon.
    other = with_values(fit, np.where(is_later, 0.5 * channel.values + 0.1, channel.values))
    again = harness.fitting.run_fit(other)
    assert again.horizon == result.horizon
    assert again.parameters == result.parameters
    assert any("histories are used up to" in line for line in fit_lines(again))


# A mass between stops under two sines, with impacts and friction. Its trajectory is chaotic.
BETWEEN_STOPS = {
    "gravity": 9.81,
    "stiffness": 10.0,
    "stop_lower": -0.03,
    "stop_upper": 0.05,
    "stop_restitution": 0.8,
}
FRICTION_OF_STOPS = 0.05
SPAN_OF_STOPS = 60.0
CASE_OF_STOPS = f"""\
[case]
title = "A mass between stops"
fmu = "FrictionalShock"

[parameters]
PARAMETERS
input_timing = "end"

[inputs.base_acceleration]
kind = "csv"
file = "stops.csv"
value_column = "acceleration [m/s2]"

[experiment]
stop_time = {SPAN_OF_STOPS}
step_size = {STEP}
allow_coarse_step = true

[fit]
starts = 2

[fit.parameters]
friction_coefficient = {{ start = 0.11, low = 0.005, high = 0.15 }}

[[fit.statistic]]
of = {{ quantity = "mean_rate", variable = "wear_work", window = [2.0, {SPAN_OF_STOPS}] }}
value = VALUE
standard_deviation = DEVIATION
""".replace("PARAMETERS", "\n".join(f"{name} = {value}" for name, value in BETWEEN_STOPS.items()))


def base_of_stops(span: float) -> tuple[np.ndarray, np.ndarray]:
    times = STEP * np.arange(round(span / STEP) + 1)
    first, second = 2.0 * np.pi * 1.31 * times, 2.0 * np.pi * 0.83 * times + 1.0
    return times, 4.0 * np.sin(first) + 3.0 * np.sin(second)


def power_of_stops(friction: float, span: float) -> float:
    """Return the mean wear power from 2 s to the end of a run."""
    declared = FrictionalShockParameters(friction_coefficient=friction, **BETWEEN_STOPS)
    base = base_of_stops(span)[1]
    run = run_records(declared, STEP, base_acceleration=base, histories=["wear_work"])
    work = run.histories["wear_work"]
    return float((work[-1] - work[round(2.0 / STEP)]) / (span - 2.0))


@pytest.mark.long
def test_a_mean_wear_power_of_chaotic_motion_gives_the_friction_of_a_long_record(tmp_path):
    """With tiny changes of the friction, runs differ only by their scatter."""
    changes = 1.0 + 1e-9 * np.arange(12)
    runs = [power_of_stops(FRICTION_OF_STOPS * by, SPAN_OF_STOPS) for by in changes]
    scatter = float(np.std(runs, ddof=1))
    # The trajectory is chaotic. Changes of 1e-9 change the power by more than 1 %.
    assert scatter > 0.01 * np.mean(runs)
    # Combined standard deviation of record and run. Long records with other friction give the
    # slope.
    deviation = 3.0 * scatter
    ends = [power_of_stops(by, 1000.0) for by in (0.02, 0.08)]
    error = deviation / abs(ends[1] - ends[0]) * 0.06
    times, base = base_of_stops(SPAN_OF_STOPS)
    head = "time,acceleration [m/s2]"
    table = np.stack([times, base], axis=1)
    np.savetxt(tmp_path / "stops.csv", table, delimiter=",", header=head, comments="")
    long_record = power_of_stops(FRICTION_OF_STOPS, 1000.0)
    for shift in (-0.5, 0.0, 0.5):
        value = long_record + shift * deviation
        text = CASE_OF_STOPS.replace("VALUE", repr(value)).replace("DEVIATION", repr(deviation))
        (tmp_path / "stops.toml").write_text(text, encoding="utf-8")
        found = harness.fit(tmp_path / "stops.toml").parameters["friction_coefficient"]
        assert found.low is not None
        assert found.high is not None
        assert found.low < FRICTION_OF_STOPS < found.high
        # At least half the interval without scatter of the runs. The range ends at 0.005.
        assert found.high - found.value > 0.5 * 1.96 * error


@pytest.mark.long
def test_an_interruption_of_a_chaotic_fit_keeps_the_part_before(monkeypatch):
    calls = itertools.count()

    def interrupted(*arguments, **options):
        if next(calls) == 2:
            raise KeyboardInterrupt
        return estimate(*arguments, **options)

    monkeypatch.setattr(fit_run, "estimate", interrupted)
    fit = bouncing()
    result = harness.fitting.run_fit(fit)
    assert next(calls) == 3
    # The first part of the computation uses an eighth of the record.
    assert result.horizon == pytest.approx(fit.case.experiment.stop_time / 8.0, rel=1e-2)
    for name, value in BOUNCING.items():
        found = result.parameters[name]
        assert found.low is not None
        assert found.high is not None
        assert found.low < value < found.high


def test_an_interruption_of_profiles_is_a_warning(rig, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(fit_run, "with_profiles", interrupted)
    result = harness.fit(rig())
    assert result.parameters["friction_coefficient"].low is not None
    assert any(warning.startswith("interrupted: intervals") for warning in result.warnings)


STATISTIC = """
[fit.parameters]
friction_coefficient = { start = 0.1, low = 0.05, high = 0.2 }

[[fit.statistic]]
of = { quantity = "mean_rate", variable = "wear_work", window = [1.0, 4.0] }
value = VALUE
standard_deviation = 0.01
"""


def wear_power(friction: float) -> float:
    declared = FrictionalShockParameters(stiffness=40.0, friction_coefficient=friction)
    run = run_records(declared, STEP, base_acceleration=BASE, histories=["wear_work"])
    work = run.histories["wear_work"]
    return float((work[-1] - work[500]) / 3.0)


def test_a_measured_wear_power_determines_the_friction_coefficient(rig):
    text = STATISTIC.replace("VALUE", repr(wear_power(FRICTION)))
    result = harness.fit(rig(fit=text))
    found = result.parameters["friction_coefficient"]
    slope = (wear_power(FRICTION + 1e-4) - wear_power(FRICTION - 1e-4)) / 2e-4
    assert found.value == pytest.approx(FRICTION, rel=1e-6)
    # The final differences are taken over a part of the interval.
    assert found.standard_error == pytest.approx(0.01 / abs(slope), rel=1e-2)
    assert result.not_known == result.warnings == ()


def test_a_quantity_of_an_unknown_variable_is_reported(rig, capsys):
    text = STATISTIC.replace("VALUE", "1.0").replace("wear_work", "wear_wrk")
    assert main(["fit", str(rig(fit=text))]) == 2
    assert "fit.statistic[1].of: 'wear_wrk' is not a variable" in capsys.readouterr().err


STRUCTURE = """[modes]
frequency = [4.0]
damping_ratio = [0.02]
[base]
participation_x = [1.0]
[[point]]
name = "tip"
shape_x = [1.0]
[[contact]]
name = "stop"
point = "tip"
obstacle = "two_planes"
normal = [1.0, 0.0, 0.0]
gap = 3e-3
contact_stiffness = 4e4
contact_damping = 40.0
[[observe]]
point = "tip"
"""


@pytest.mark.long
def test_the_gap_of_a_contact_of_a_structure_is_found(rig, tmp_path):
    (tmp_path / "tip.toml").write_text(STRUCTURE, encoding="utf-8")
    structure = read_structure(tmp_path / "tip.toml")
    run = run_structure(
        structure,
        {"base_acceleration_x": BASE},
        step_size=STEP,
        steps=COUNT,
        outputs=["tip.displacement_x"],
    )
    case = (
        CASE.replace('"FrictionalShock"', '"ModalShock"\nstructure = "tip.toml"')
        .replace("stiffness = 40.0\nfriction_coefficient = 0.3  # a guess\n", "")
        .replace("inputs.base_acceleration]", "inputs.base_acceleration_x]")
    )
    fit = FIT.replace(
        "friction_coefficient = { start = 0.3, low = 0.05, high = 0.6 }",
        "stop.gap = { start = 2e-3, low = 1e-3, high = 6e-3 }",
    )
    fit = fit.replace('"relative_displacement"', '"tip.displacement_x"')
    measured = run.history["tip.displacement_x"]
    result = harness.fit(rig(measured=measured, case=case, fit=fit))
    found = result.parameters["stop.gap"]
    assert found.low is not None
    assert found.high is not None
    assert found.low < 3e-3 < found.high
    assert found.high - found.low < 3e-4
    assert result.warnings == ()


@pytest.mark.long
def test_entries_of_a_friction_table_are_found(rig, tmp_path):
    table = [[0.0, 0.2], [0.1, 0.15], [1.0, 0.12]]
    measured = displacement(friction_table=table)
    case = CASE.replace("friction_coefficient = 0.3  # a guess", f"friction_table = {table}")
    text = FIT.replace(
        "friction_coefficient = {",
        '"friction_table_coefficient[3]" = { start = 0.1, low = 0.05, high = 0.14 }\n'
        '"friction_table_coefficient[2]" = {',
    )
    page = tmp_path / "fit.html"
    file = rig(
        measured=measured, case=case, fit=text.replace("start = 0.3, low", "start = 0.18, low")
    )
    result = harness.fit(file)
    for number, value in ((2, 0.15), (3, 0.12)):
        found = result.parameters[f"friction_table_coefficient[{number}]"]
        assert found.standard_error is not None
        assert found.value == pytest.approx(value, abs=4.0 * found.standard_error)
        assert found.standard_error < 0.01 * value
    assert main(["fit", str(file), "--report", str(page)]) == 0
    assert "95 % band" in page.read_text(encoding="utf-8")


def test_the_report_contains_parameters_histories_and_the_friction_law(rig, tmp_path):
    page = tmp_path / "fit.html"
    assert main(["fit", str(rig()), "--report", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "Measured and computed relative_displacement" in text
    assert "Friction law" in text
    assert "95 % band" in text
    # If two lines coincide, both are visible.
    widths = [float(by) for by in re.findall(r'"width":(\d+\.\d+)\}', text)[:2]]
    assert widths[0] > 2.0 * widths[1]


def test_values_have_the_digits_of_their_interval_and_their_unit(rig):
    result = harness.fit(rig())
    values = {"value": 1.5e5, "low": 1.4952e5, "high": 1.50476e5, "unit": "N.s/m"}
    fitted = {"K": FittedParameter(start=1.0, **values), "mu": FittedParameter("1", 0.2, 0.3)}
    _, rows = fit_grids(replace(result, parameters=fitted))[0]
    # Half the interval is 478. The value has three digits of it, including final zeros.
    assert rows[0] == ["K", "1.5000e+05", "N·s/m", "1.4952e+05 to 1.5048e+05", "1"]
    assert rows[1] == ["mu", "–", "", "not known", "0.3"]


# t and χ² for two degrees of freedom, from tables.
T_2, CHI2_2_LOW, CHI2_2_HIGH = 4.302652730, 0.05063561597, 7.377758908


def test_three_tests_of_wear_have_the_exact_intervals():
    logarithms = np.array([-33.0, -32.5, -32.6])
    found = coefficient_of_tests(np.exp(logarithms))
    mean, scatter = float(np.mean(logarithms)), float(np.std(logarithms, ddof=1))
    wanted = {
        "median": math.exp(mean),
        "low": math.exp(mean - T_2 * scatter / math.sqrt(3.0)),
        "high": math.exp(mean + T_2 * scatter / math.sqrt(3.0)),
        "scatter": scatter,
        "scatter_low": scatter * math.sqrt(2.0 / CHI2_2_HIGH),
        "scatter_high": scatter * math.sqrt(2.0 / CHI2_2_LOW),
        "factor": math.exp(T_2 * scatter * math.sqrt(4.0 / 3.0)),
    }
    assert {name: getattr(found, name) for name in wanted} == pytest.approx(wanted, rel=1e-8)


@pytest.mark.long
@pytest.mark.parametrize("count", [3, 5, 10])
def test_the_factor_covers_the_next_part_in_95_of_100_drawings(count):
    random, draws, inside = np.random.default_rng(count), 4000, 0
    for _ in range(draws):
        *tests, following = np.exp(-30.0 + 0.7 * random.normal(size=count + 1))
        found = coefficient_of_tests(tests)
        assert found.factor is not None
        inside += found.median / found.factor <= following <= found.median * found.factor
    # Four standard errors of a share of 95 %.
    assert inside / draws == pytest.approx(0.95, abs=4.0 * math.sqrt(0.05 * 0.95 / draws))


WORN = """
[[fit.worn]]
volume = 2e-12
wear_work = 20.0
[[fit.worn]]
depth = 3e-8
wear_work = 20.0
[[fit.worn]]
volume = 1e-12
duration = 100.0
parameters = { friction_coefficient = 0.15 }
"""


def test_tests_of_wear_give_a_table_and_the_line_of_a_service_life(rig, tmp_path, capsys):
    fitted, page = tmp_path / "fitted.toml", tmp_path / "fit.html"
    outputs = ["--fitted", str(fitted), "--report", str(page)]
    assert main(["fit", str(rig(fit=WORN)), *outputs]) == 0
    declared = FrictionalShockParameters(stiffness=40.0, friction_coefficient=FRICTION)
    work = float(run_records(declared, STEP, base_acceleration=BASE).final["wear_work"])
    # The default wear area is 1e-4 m2.
    tests = [2e-12 / 20.0, 3e-8 * 1e-4 / 20.0, 1e-12 / (work / 4.0 * 100.0)]
    entry = coefficient_of_tests(tests).entry
    printed = capsys.readouterr().out
    assert f"for a service life: coefficient = {entry}" in printed
    assert f"report: {page}" in printed
    median = f"{np.exp(np.mean(np.log(tests))):.4g}"
    assert re.search(rf"^coefficient k \(median\) +{median} +m²/N +\S+ to \S+ +3$", printed, re.M)
    assert re.search(r"^standard deviation of ln k +\S+ +\S+ to \S+ +3$", printed, re.M)
    report = page.read_text(encoding="utf-8").partition("<body")[2]
    assert report.index(median) < report.index('id="details"')
    assert report.index(median) < report.index("</p>", report.index('class="summary"'))
    assert report.count(f'<td role="cell" data-column="value" class="short">{median}</td>') == 1
    assert f"# coefficient = {entry}" in fitted.read_text(encoding="utf-8")
    values = tomllib.loads(f"coefficient = {entry}")["coefficient"]
    assert values["median"] == pytest.approx(float(np.exp(np.mean(np.log(tests)))), rel=1e-5)


def test_an_entry_with_too_large_a_factor_names_the_limit():
    """A section [life.law] refuses such a factor."""
    found = coefficient_of_tests([1e-15, 1e-13, 1e-11])
    assert found.factor > MOST_FACTOR
    text, _, comment = found.entry.partition("  # ")
    assert tomllib.loads(f"k = {text}")["k"]["factor"] == pytest.approx(found.factor, rel=1e-5)
    assert comment == "[life.law] accepts at most 1000: add tests"


@pytest.mark.long
def test_a_coefficient_of_wear_that_needs_unknown_parameters_is_not_printed(rig, tmp_path, capsys):
    """Wear work computed with unknown parameters would be wrong."""
    text = FIT.replace("\n[[fit", "preload = { start = 1.0, low = 0.1, high = 50.0 }\n\n[[fit", 1)
    case = CASE.replace("stiffness", "gravity = 0.0\nstiffness")
    computed = "\n[[fit.worn]]\nvolume = 1e-12\nduration = 100.0\n"
    fitted = tmp_path / "fitted.toml"
    file = rig(case=case, fit=text + computed)
    assert main(["fit", str(file), "--fitted", str(fitted)]) == 3
    printed = capsys.readouterr().out
    assert "coefficient = {" not in printed + fitted.read_text("utf-8")
    assert "wear coefficient: the wear work of its tests is computed with parameters" in printed
    rig(case=case, fit=text + computed.replace("duration = 100.0", "wear_work = 20.0"))
    main(["fit", str(file)])
    assert "for a service life: coefficient = 5e-14" in capsys.readouterr().out


def test_a_worn_volume_in_another_unit_is_a_warning(rig):
    tests = "".join(
        f"\n[[fit.worn]]\nvolume = {volume}\nwear_work = 20.0\n" for volume in (2e-12, 2e-3, 3e-12)
    )
    (warning,) = harness.fit(rig(fit=tests)).warnings
    assert warning.startswith("fit.worn[2]: its coefficient is 0.0001 m2/N, 8e+08 times the median")


@pytest.mark.parametrize(("volume", "count"), [(2e-12, 0), (2e-3, 1)], ids=["m3", "mm3"])
def test_volumes_of_all_tests_in_another_unit_are_a_warning(rig, volume, count):
    test = f"\n[[fit.worn]]\nvolume = {volume}\nwear_work = 20.0\n"
    warnings = harness.fit(rig(fit=2 * test)).warnings
    assert len(warnings) == count
    for warning in warnings:
        assert warning.startswith("fit.worn: archard_coefficient=0.0001 m2/N is implausible: ")
        assert warning.endswith("Are volumes in m3, and durations in s?")


def test_durations_in_hours_in_half_of_the_tests_are_warnings(rig):
    tests = "".join(
        f"\n[[fit.worn]]\nvolume = {volume}\nwear_work = 20.0\n"
        for volume in (2e-12, 3e-12, 3600 * 2e-12, 3600 * 3e-12)
    )
    warnings = harness.fit(rig(fit=tests)).warnings
    assert [warning.partition(":")[0] for warning in warnings] == [
        f"fit.worn[{number}]" for number in (1, 2, 3, 4)
    ]


def test_other_minima_are_not_printed_if_no_parameter_is_known(rig):
    result = harness.fit(rig())
    assert result.estimate is not None
    found = replace(result.estimate, others=((result.estimate.point, 1.5),))
    assert any("other minimum" in line for line in fit_lines(replace(result, estimate=found)))
    unknown = {name: replace(by, low=None, high=None) for name, by in result.parameters.items()}
    lines = list(fit_lines(replace(result, estimate=found, parameters=unknown)))
    assert not any("other minimum" in line for line in lines)


RIGHT = "are the units, the inputs and the other parameters right?"


@pytest.mark.long
@pytest.mark.parametrize("factor", [1e3, 1e-3])
def test_measured_values_in_another_unit_are_a_warning(rig, factor):
    warnings = harness.fit(rig(measured=factor * displacement())).warnings
    assert any(RIGHT in warning for warning in warnings)
    assert not any(RIGHT in warning for warning in harness.fit(rig()).warnings)


def test_a_parameter_without_influence_has_the_remedy_that_fits_the_residuals(rig):
    result = harness.fit(rig())
    assert result.estimate is not None
    found = replace(result.estimate, without_influence=(0,), combinations=())
    (reason,) = _not_known(result.fit, found)
    assert reason.endswith("or measure where it has an effect")
    large = tuple(1e3 * residuals for residuals in found.residuals)
    (reason,) = _not_known(result.fit, replace(found, residuals=large))
    assert reason.endswith("The model does not follow the measured data: see the warning first")


@pytest.mark.long
def test_a_wrong_mass_that_leaves_large_residuals_is_a_warning(rig):
    """With twice the mass, the best friction is at the bound, where it has no influence."""
    result = harness.fit(rig(case=CASE.replace("stiffness = 40.0", "stiffness = 40.0\nmass = 2.0")))
    (warning,) = [warning for warning in result.warnings if RIGHT in warning]
    assert warning.startswith("relative_displacement: the residuals are 0.0")


def test_a_fitted_case_names_correlations_and_the_meaning_of_each_factor(rig, tmp_path):
    fitted = tmp_path / "fitted.toml"
    text = FIT.replace("high = 0.6", 'high = 0.6, scale = "log"').replace(
        "\n[[fit", "stiffness = { start = 40.0, low = 30.0, high = 50.0 }\n\n[[fit", 1
    )
    assert main(["fit", str(rig(fit=text + WORN)), "--fitted", str(fitted)]) == 0
    written = fitted.read_text(encoding="utf-8")
    assert "# For [life.law], where factor bounds 95 %:\n# coefficient = {" in written
    assert "  # one standard deviation, 68 % of the values" in written
    assert "correlations: friction_coefficient, stiffness" in written


def test_a_single_test_of_wear_does_not_show_the_scatter(rig, capsys):
    assert main(["fit", str(rig(fit=WORN.split("[[fit.worn]]\ndepth")[0]))]) == 3
    assert "a single test does not show it" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "friction_coefficient = { start",
            "displacement.gain = { start",
            "fit.parameters.displacement.gain: it must be one of relative_displacement.gain, ",
        ),
        ("start = 0.3, low = 0.05", "start = 0.6, low = 0.6", "and low must be less than high"),
        ("friction_coefficient = { start", "friction_coeficient = { start", "did you mean"),
        (
            "start = 0.3",
            "start = 0.7",
            "start = 0.7 must be between low = 0.05 and high = 0.6, and",
        ),
        ('variable = "relative', 'variable = "relativ', "fit.measured[1].variable: 'relativ_"),
        ('"displacement [mm]"', '"velocity"', "fit.measured[1]: file = 'rig.csv': 'velocity'"),
        ("[[fit.measured]]", "[[fit.measred]]", "fit.measred is not a known key"),
        ("friction_coefficient = {", "input_extrapolation_order = {", "must be a real number"),
        ("low = 0.05", 'low = 0.0, scale = "log"', "must be > 0 on a log scale"),
    ],
)
def test_a_wrong_entry_is_reported_with_its_remedy(rig, capsys, old, new, message):
    assert old in FIT
    assert main(["fit", str(rig(fit=FIT.replace(old, new)))]) == 2
    assert message.removeprefix("fit.toml: ") in capsys.readouterr().err


def test_a_case_without_a_fit_is_reported(rig, capsys):
    assert main(["fit", str(rig(fit=""))]) == 2
    assert "fit is missing: add a section [fit]" in capsys.readouterr().err


def test_an_input_in_another_unit_is_reported_with_its_section(rig, capsys):
    case = CASE.replace('"acceleration [m/s2]"', '"displacement [mm]"')
    assert case != CASE
    assert main(["fit", str(rig(case=case))]) == 2
    error = capsys.readouterr().err
    assert "rig.toml: inputs.base_acceleration: " in error
    assert "'mm' is not a known unit of acceleration" in error


def test_a_model_that_cannot_run_is_reported_with_its_reason(rig, capsys):
    case = CASE.replace("stiffness", "friction_coefficient_static = 0.01\nstiffness")
    assert main(["fit", str(rig(case=case))]) == 1
    assert "friction_coefficient_static" in capsys.readouterr().err


def test_a_fitted_case_stays_in_the_folder_of_its_files(rig, tmp_path, capsys):
    assert main(["fit", str(rig()), "--fitted", str(tmp_path / "sub" / "fitted.toml")]) == 2
    assert "must be in the folder of the case" in capsys.readouterr().err


LOOP = """\
[case]
title = "A friction loop"
fmu = "DisChoc"

[parameters]
drive = "displacement"
obstacle = "plane"
dist_1 = 0.0
contact_stiffness = 1e4
tangential_stiffness = 2e5
friction_coefficient = 0.3

[inputs.imposed_displacement_x]
kind = "constant"
value = -1e-3

[inputs.imposed_displacement_y]
kind = "csv"
file = "loop.csv"
value_column = "displacement [mm]"
interval = INTERVAL

[experiment]
stop_time = SPAN
step_size = INTERVAL
allow_coarse_step = true

[fit]
starts = 1

[fit.parameters]
friction_coefficient = { start = 0.3, low = 0.05, high = 0.6 }
tangential_stiffness = { start = 2e5, low = 2e4, high = 2e6, scale = "log" }

[[fit.measured]]
file = "loop.csv"
value_column = "force [N]"
variable = "force_y"
interval = INTERVAL
"""


def loop(path, stiffness, limit):
    """Return the force of an elastic, perfectly plastic spring along a path."""
    forces = [0.0]
    for step in np.diff(path):
        forces.append(min(max(forces[-1] + stiffness * step, -limit), limit))
    return np.array(forces)


@pytest.mark.parametrize("interval", [1e-3, 0.1])
def test_a_loop_without_times_gives_friction_and_stiffness(tmp_path, interval):
    """The rows of a friction loop at 10 N get the time interval that the case chooses."""
    path = 1e-3 * np.interp(np.arange(401), [0, 100, 200, 300, 400], [0, 0.05, -0.06, 0.05, -0.02])
    forces = loop(path, 1.2e5, 0.2 * 10.0)
    noise = 0.01 * np.std(forces) * np.random.default_rng(3).normal(size=forces.size)
    table = np.stack([1e3 * path, forces + noise], axis=1)
    head = "displacement [mm],force [N]"
    np.savetxt(tmp_path / "loop.csv", table, delimiter=",", header=head, comments="")
    text = LOOP.replace("INTERVAL", repr(interval)).replace("SPAN", repr(400 * interval))
    (tmp_path / "loop.toml").write_text(text, encoding="utf-8")
    result = harness.fit(tmp_path / "loop.toml")
    for name, truth in (("friction_coefficient", 0.2), ("tangential_stiffness", 1.2e5)):
        found = result.parameters[name]
        assert found.low < truth < found.high
        assert found.value == pytest.approx(truth, rel=5e-3)
    assert not result.warnings
    assert not result.not_known


def test_a_fitted_case_names_parameters_that_are_not_known(tmp_path):
    """The force is 0, because the distance between contact and plane is half a metre."""
    np.savetxt(
        tmp_path / "loop.csv",
        np.random.default_rng(3).normal(size=(41, 2)),
        delimiter=",",
        header="displacement [mm],force [N]",
        comments="",
    )
    text = LOOP.replace("INTERVAL", "0.01").replace("SPAN", "0.4")
    (tmp_path / "loop.toml").write_text(text.replace("dist_1 = 0.0", "dist_1 = 0.5"))
    fitted = tmp_path / "fitted.toml"
    assert main(["fit", str(tmp_path / "loop.toml"), "--fitted", str(fitted)]) == 3
    written = fitted.read_text(encoding="utf-8")
    for name in ("friction_coefficient", "tangential_stiffness"):
        assert f"# not known: {name}: no influence on the measured data" in written
