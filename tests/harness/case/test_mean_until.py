"""`wearfmu run CASE --until-error` extends a run until its mean wear power is known."""

import json
import math
from pathlib import Path

import pytest

from harness.case.case_file import Case, load_case
from harness.case.mean_until import extended_run
from harness.command_line import main
from wearmodel.reference.closed_forms.rubbing_shoe import RubbingShoe

HEAD = """\
[case]
title = "shoe"
source = "test"
fmu = "FrictionalShock"
"""
NOISE = """
[inputs.base_acceleration]
kind = "noise"
rms = 2.0
frequency = 2.0
damping_ratio = 0.2
sample_interval = 0.01
seed = 5

[experiment]
stop_time = 4.0
step_size = 0.01
"""
SINE = """
[inputs.base_acceleration]
kind = "sine"
amplitude = 3.0
frequency = 4.0

[experiment]
stop_time = 1.0
step_size = 0.005
"""


def _result(folder: Path, text: str, *options: str) -> tuple[int, dict[str, object]]:
    case = folder / "shoe.toml"
    case.write_text(HEAD + text)
    json_file = folder / "shoe.json"
    code = main(["run", str(case), "--json", str(json_file), *options])
    (result,) = json.loads(json_file.read_text())["cases"]
    return code, result


@pytest.mark.long
def test_a_run_under_noise_is_extended_until_its_error_is_small(tmp_path, capsys):
    code, result = _result(tmp_path, NOISE, "--until-error", "0.15")
    mean = result["mean_wear_power"]
    assert code == 0
    assert isinstance(mean, dict)
    assert 0.0 < mean["half_width"] <= 0.15 * mean["mean"]
    assert mean["duration"] > 4.0
    # The history gives the mean of the same duration.
    history = result["history"]
    assert isinstance(history, dict)
    time, work = history["time"], history["wear_work"]
    first = next(i for i, t in enumerate(time) if t >= time[-1] - mean["duration"] - 1e-9)
    rate = (work[-1] - work[first]) / (time[-1] - time[first])
    assert mean["mean"] == pytest.approx(rate, rel=1e-9)
    assert "shoe: mean wear power" in capsys.readouterr().out


def test_a_run_under_a_sine_lasts_whole_periods_and_meets_the_closed_form(tmp_path):
    code, result = _result(tmp_path, SINE, "--until-error", "1e-6")
    mean = result["mean_wear_power"]
    assert code == 0
    assert isinstance(mean, dict)
    exact = RubbingShoe(
        mass=1.0,
        gravity=10.0,
        friction_coefficient=0.1,
        amplitude=3.0,
        angular_frequency=8.0 * math.pi,
    ).steady_wear_power
    # The input is extrapolated over steps of a fiftieth of its period.
    assert mean["mean"] == pytest.approx(exact, rel=1e-3)
    assert math.isclose(mean["duration"] * 4.0, round(mean["duration"] * 4.0), rel_tol=1e-9)


def test_a_run_that_nothing_wears_is_sure_of_it(tmp_path):
    code, result = _result(tmp_path, SINE.replace("3.0", "0.5"), "--until-error", "0.01")
    mean = result["mean_wear_power"]
    assert code == 0
    assert isinstance(mean, dict)
    assert (mean["mean"], mean["half_width"]) == (0.0, 0.0)


@pytest.mark.long
def test_no_wear_under_noise_is_a_bound_and_not_known(tmp_path, capsys):
    text = NOISE.replace("rms = 2.0", "rms = 0.01").replace("stop_time = 4.0", "stop_time = 0.1")
    code, result = _result(tmp_path, text, "--until-error", "0.05")
    power = result["mean_wear_power"]
    assert code == 3
    assert isinstance(power, dict)
    assert power["known"] is False
    assert (power["mean"], power["upper"], power["time_needed"]) == (0.0, None, None)
    # 0.1 s is doubled twelve times, and nine tenths are used. The bound is this duration divided
    # by −ln 0.05.
    assert "mean wear power not known: no wear in 368.6 s: less than one event in 123.1 s" in (
        capsys.readouterr().out
    )


def test_without_the_option_a_run_ends_where_the_case_says(tmp_path):
    _, result = _result(tmp_path, NOISE)
    assert result["mean_wear_power"] is None
    assert result["steps"] == 400


def test_a_record_cannot_be_extended(tmp_path, capsys):
    case = tmp_path / "shoe.toml"
    case.write_text(
        HEAD
        + """
[inputs.base_acceleration]
kind = "table"
time = [0.0, 4.0]
value = [0.0, 1.0]

[experiment]
stop_time = 4.0
step_size = 0.01
"""
    )
    assert main(["run", str(case), "--until-error", "0.05"]) == 2
    message = capsys.readouterr().err
    assert "inputs.base_acceleration is a table, which ends" in message
    quake = tmp_path / "quake.csv"
    quake.write_text("time,acceleration\n0,0\n1,1\n2,0\n")
    assert main(["run", "--input", str(quake), "--until-error", "0.05"]) == 2
    assert "a record cannot be extended" in capsys.readouterr().err


@pytest.mark.parametrize("share", ["0", "-1", "nan", "five"])
def test_an_error_that_is_no_share_is_refused(share, tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["run", str(tmp_path), f"--until-error={share}"])
    assert ended.value.code == 2
    assert "must be a share > 0" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("needed", "spans"),
    [
        # Needed time [s] and tried times. Doublings are skipped up to the estimate, and each run
        # gives a new estimate.
        (39.0, [4.0, 32.0, 64.0]),
        # Without an estimate the duration is doubled, at most twelve times.
        (math.inf, [4.0 * 2.0**n for n in range(13)]),
        # One extension is limited to twelve doublings.
        (1e9, [4.0, 4.0 * 2.0**12]),
        (3.0, [4.0]),
    ],
)
def test_a_run_is_as_many_times_as_long_as_it_tells(tmp_path, needed, spans):
    file = tmp_path / "shoe.toml"
    file.write_text(HEAD + NOISE)
    tried: list[float] = []

    def measure(case: Case) -> float:
        tried.append(case.experiment.stop_time)
        return tried[-1]

    run = extended_run(load_case(file), measure, lambda span: needed / span)
    assert run is not None
    assert tried == pytest.approx(spans)
    assert run.is_enough == (tried[-1] >= needed)
