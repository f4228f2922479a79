"""Each command checks the time step against the inputs, and can compare with half the step."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from harness.command_line import main
from harness.errors import CaseError
from harness.life import load_life, run_life
from harness.sweep import load_sweep
from harness.sweep.batch import run_batch
from wearmodel.reference.closed_forms import RubbingShoe

from .life.pads import kept_life

HEAD = """\
[case]
title = "shoe"
source = "test"
fmu = "{fmu}"
"""
SINE = """
[inputs.base_acceleration]
kind = "sine"
amplitude = 60.0
frequency = {frequency}

[experiment]
stop_time = 10.0
step_size = {step}
{keys}
"""
NOISE = """
[inputs.base_acceleration]
kind = "noise"
rms = 6.0
low = 1.0
high = 100.0
sample_interval = 0.002
seed = 1

[experiment]
stop_time = 10.0
step_size = 0.05
"""
LIFE = """
[life]
years = 1.0
law = { kind = "ARCHARD", coefficient = 1e-16 }
shape = { kind = "FLAT", wear_area = 1e-4 }
"""


def sine_text(frequency: float, step: float = 0.01, *, keys: str = "") -> str:
    return HEAD.format(fmu="FrictionalShock") + SINE.format(
        frequency=frequency, step=step, keys=keys
    )


def written(folder: Path, text: str) -> Path:
    file = folder / "shoe.toml"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("command", ["run", "life"])
@pytest.mark.parametrize(
    ("text", "said"),
    [
        *(
            (
                sine_text(frequency),
                rf"inputs\.base_acceleration: a sine of {frequency:g} Hz has "
                f"{100.0 / frequency:.3g} steps",
            )
            for frequency in (99.0, 100.0, 101.5)
        ),
        (sine_text(10.0, 0.1), r"inputs\.base_acceleration: a sine of 10 Hz has 1 steps"),
        (
            HEAD.format(fmu="FrictionalShock") + NOISE,
            r"step_size=0\.05 s .*changes .*wear_work by .*Without limit: ",
        ),
    ],
    ids=["99 Hz", "100 Hz", "101.5 Hz", "10 Hz", "noise"],
)
def test_a_step_too_coarse_for_its_input_is_refused(command, text, said, tmp_path, capsys):
    assert main([command, str(written(tmp_path, text + LIFE))]) == 2
    message = capsys.readouterr().err
    # Without a compiled kernel, only the beginning of the run is checked. The message mentions
    # this.
    assert re.search(said, message)
    assert message.count("\n") == 1


def test_an_fmu_of_others_is_held_to_the_same(toy_fmu, good_case, tmp_path, capsys):
    varying = good_case.replace('kind = "constant"\nvalue = 3.0', 'kind = "sine"\n{keys}')
    keys = "amplitude = 1.0\nfrequency = 7.9"
    assert main(["run", str(written(tmp_path, varying.replace("{keys}", keys)))]) == 2
    assert "inputs.rate: a sine of 7.9 Hz has 1.01 steps" in capsys.readouterr().err


def test_the_step_of_an_fmu_of_others_is_not_judged_and_a_note_names_the_remedy(
    toy_fmu, good_case, tmp_path, capsys
):
    table = 'kind = "table"\ntime = [0.0, 0.31, 1e3]\nvalue = [0.0, 3.0, 3.0]'
    case = good_case.replace('kind = "constant"\nvalue = 3.0', table)
    assert main(["run", str(written(tmp_path, case))]) in (0, 1)
    out = " ".join(capsys.readouterr().out.split())
    assert (
        f"the step is not checked, because {toy_fmu.name} is not a shipped model: --check-step"
        in out
    )


@pytest.mark.parametrize("value", ['"yes"', "1"])
def test_what_allows_a_coarse_step_is_true_or_false(value, tmp_path, capsys):
    file = written(tmp_path, sine_text(99.0, keys=f"allow_coarse_step = {value}"))
    assert main(["run", str(file)]) == 2
    assert "experiment.allow_coarse_step = " in capsys.readouterr().err
    file = written(tmp_path, sine_text(99.0, keys="allow_coarse_steps = true"))
    assert main(["run", str(file)]) == 2
    assert "did you mean 'allow_coarse_step'?" in capsys.readouterr().err


def test_a_coarse_step_that_is_meant_runs_and_is_noted(tmp_path, capsys):
    file = written(tmp_path, sine_text(99.0, keys="allow_coarse_step = true"))
    results = tmp_path / "shoe.json"
    assert main(["run", str(file), "--json", str(results)]) == 0
    assert "note: inputs.base_acceleration: a sine of 99 Hz has 1.01 steps" in (
        capsys.readouterr().out
    )
    (case,) = json.loads(results.read_text())["cases"]
    assert any("a sine of 99 Hz" in note for note in case["notes"])


def test_a_point_of_a_sweep_with_too_coarse_a_step_fails_alone(tmp_path):
    written(tmp_path, sine_text(2.0))
    for engine in ("kernel", "fmu"):
        sweep_file = tmp_path / "sweep.toml"
        sweep_file.write_text(
            f'[sweep]\ntitle = "s"\ncase = "shoe.toml"\nengine = "{engine}"\noutput = "out.csv"\n'
            'quantities = [{name="w",quantity="increment",variable="wear_work",window=[0, 10]}]\n'
            '[design]\nkind = "list"\n[vary.f]\nof = "inputs.base_acceleration.frequency"\n'
            "values = [2.0, 10.0, 99.0, 100.0]\n",
            encoding="utf-8",
        )
        sweep = load_sweep(sweep_file, fmu_folder=None)
        # One warning, for the first point to which it applies. Failed points have their own
        # reason.
        ((note, point),) = sweep.notes.items()
        assert (point, "a sine of 10 Hz has 10 steps" in note) == (1, True)
        rows, _ = run_batch(sweep.study, sweep.points)
        assert [row.failure is None for row in rows] == [True, True, False, False]
        assert "a sine of 99 Hz has 1.01 steps" in str(rows[2].failure)


@pytest.mark.parametrize("engine", ["kernel", "fmu"])
def test_a_sweep_is_judged_at_its_first_point_and_at_that_with_the_largest_input(engine, tmp_path):
    written(
        tmp_path,
        HEAD.format(fmu="FrictionalShock")
        + NOISE.replace("0.05\n", "0.01\n").replace("rms = 6.0", "rms = 1.0"),
    )

    def sweep_of(values: list[float], keys: str = "") -> dict[str, int]:
        if keys:
            case = tmp_path / "shoe.toml"
            case.write_text(case.read_text() + keys, encoding="utf-8")
        sweep_file = tmp_path / "sweep.toml"
        sweep_file.write_text(
            f'[sweep]\ntitle = "s"\ncase = "shoe.toml"\nengine = "{engine}"\noutput = "out.csv"\n'
            'quantities = [{name="w",quantity="increment",variable="wear_work",window=[0, 10]}]\n'
            '[design]\nkind = "list"\n[vary.f]\nof = "inputs.base_acceleration.rms"\n'
            f"values = {values}\n",
            encoding="utf-8",
        )
        return dict(load_sweep(sweep_file, fmu_folder=None).notes)

    # At 1e-3 m/s² rms the mass does not slide. At 1 m/s² rms the step loses most of the wear.
    assert sweep_of([1e-3, 2e-3]) == {}
    for values in ([1.0, 1e-3], [1e-3, 2e-3, 1.0, 2e-3]):
        with pytest.raises(
            CaseError, match=rf"point {values.index(1.0)}: step_size=0\.01 s .*chan"
        ):
            sweep_of(values)
    # The sweep checks the first point and the point with the largest input.
    ((note, point),) = sweep_of([1.0, 1e-3], "allow_coarse_step = true\n").items()
    assert "changes wear_work by" in note
    assert "relative_displacement by" not in note
    assert point == 0


def test_the_draw_of_a_life_with_the_largest_input_is_judged(tmp_path):
    case = (
        HEAD.format(fmu="FrictionalShock")
        + NOISE.replace("0.05\n", "0.01\n").replace("rms = 6.0", "rms = 1e-3")
        + LIFE
    )
    load_life(written(tmp_path, case))
    drawn = """
[life.design]
kind = "random"
count = 8

[life.vary.rms]
of = "inputs.base_acceleration.rms"
start = 1e-3
stop = 2.0
"""
    with pytest.raises(CaseError, match=r"life: step_size=0\.01 s .*changes .*wear_work by"):
        load_life(written(tmp_path, case + drawn))


def test_a_service_of_a_life_with_too_coarse_a_step_is_refused_by_name(tmp_path, capsys):
    services = "".join(
        f'[[life.service]]\nname = "{name}"\nfraction = 0.5\n'
        f"inputs = {{ base_acceleration = {{ frequency = {frequency} }} }}\n"
        for name, frequency in (("slow", 2.0), ("fast", 99.0))
    )
    assert main(["life", str(written(tmp_path, sine_text(2.0) + LIFE + services))]) == 2
    assert "life.service[2] (fast): inputs.base_acceleration: a sine of 99 Hz" in (
        capsys.readouterr().err
    )


# Records.


def test_a_record_at_irregular_times_takes_steps_that_lose_no_sample(tmp_path, capsys):
    """Steps of 1 ms would reduce a sample by up to 30 % of half the range without a warning."""
    rng = np.random.default_rng(5)
    times = np.cumsum(rng.uniform(0.004, 0.006, 400))
    file = tmp_path / "quake.csv"
    shaking = 5.0 * np.sign(np.sin(40.0 * times)) * rng.uniform(0.5, 1.0, 400)
    rows = (
        f"{time!r},{value!r}" for time, value in zip(times.tolist(), shaking.tolist(), strict=True)
    )
    file.write_text("time [s],acc [m/s2]\n" + "\n".join(rows) + "\n")
    run = ["run", "--input", str(file), "--set", "friction_coefficient=0.4"]
    assert main([*run, "--substeps", "1"]) == 2
    message = capsys.readouterr().err
    assert "wear_work by -" in message
    assert "take more --substeps" in message
    results = tmp_path / "quake.json"
    assert main([*run, "--json", str(results)]) == 0
    content = json.loads(results.read_text())
    assert not any("step_size" in note for note in content["notes"])
    # The shortest interval is 4 ms.
    assert content["step_size"] < 1e-3


# Comparison with half the step.


def test_check_step_prints_what_half_the_step_changes(tmp_path, capsys):
    expect = """
[[expect]]
quantity = "mean_rate"
variable = "wear_work"
window = [4.0, 10.0]
value = 6.0
rtol = 0.5
source = "test"
reason = "test"
"""
    work = {}
    for step in (0.01, 0.005):
        text = sine_text(10.0, step, keys="allow_coarse_step = true")
        file, results = written(tmp_path, text + expect), tmp_path / "shoe.json"
        assert main(["run", str(file), "--check-step", "--json", str(results)]) == 0
        (case,) = json.loads(results.read_text())["cases"]
        work[step] = case["checks"][0]["got"]
        (compared,) = case["step_comparison"]["numbers"]
        assert compared["at_step"] == work[step]
        out = capsys.readouterr().out
        assert "half of it" in out
        assert f"{compared['difference']:.2g}" in out
        if step == 0.01:
            half = compared["at_half_step"]
            assert compared["relative_difference"] == (work[step] - half) / half
            assert case["step_comparison"]["half_step_size"] == 0.005
    # The run with half the step is bitwise equal to the case with half the step.
    assert half == work[0.005]


def test_check_step_without_expectations_compares_all_outputs_at_the_end(tmp_path, capsys):
    results = tmp_path / "shoe.json"
    file = written(tmp_path, sine_text(10.0, keys="allow_coarse_step = true"))
    assert main(["run", str(file), "--check-step", "--json", str(results)]) == 0
    assert "wear_work [J]" in capsys.readouterr().out
    (case,) = json.loads(results.read_text())["cases"]
    numbers = {one["name"]: one for one in case["step_comparison"]["numbers"]}
    assert numbers["wear_work"]["unit"] == "J"
    assert numbers["wear_work"]["at_step"] == case["history"]["wear_work"][-1]
    assert main(["run", str(file), "--json", str(results)]) == 0
    assert json.loads(results.read_text())["cases"][0]["step_comparison"] is None


def test_check_step_of_a_record_compares_its_key_numbers(tmp_path, capsys):
    times = 0.01 * np.arange(301)
    file, results = tmp_path / "quake.csv", tmp_path / "quake.json"
    rows = "\n".join(f"{time:.2f},{3.0 * math.sin(9.0 * time)!r}" for time in times.tolist())
    file.write_text(f"time [s],acc [m/s2]\n{rows}\n")
    assert main(["run", "--input", str(file), "--check-step", "--json", str(results)]) == 0
    assert "mean wear power [W]" in capsys.readouterr().out
    content = json.loads(results.read_text())
    numbers = {one["name"]: one for one in content["step_comparison"]["numbers"]}
    assert list(numbers) == list(content["quantities"])
    # Linear interpolation is exact at any step.
    work = numbers["wear_work"]
    assert work["at_half_step"] == pytest.approx(work["at_step"], rel=1e-11)


# Service lives.


@pytest.mark.long
@pytest.mark.parametrize("step", [0.02, 0.01, 0.005])
def test_the_bars_of_a_life_hold_what_half_the_step_changes(step, tmp_path):
    result = run_life(load_life(written(tmp_path, sine_text(2.0, step) + LIFE)))
    first = result.states[0]
    assert first.power_step_bar > 0.0
    assert result.step_share == first.power_step_bar / first.power
    for state in result.states:
        assert (
            state.power_bar
            >= state.power_step_bar
            == pytest.approx(result.step_share * state.power, rel=1e-12)
        )
    # The volume grows at a constant power. Its error bar includes the contribution of the step.
    last = result.states[-1]
    assert last.volume_bar >= result.step_share * last.volume * (1.0 - 1e-12)
    # If the error decreases at least with the square of the step, the remaining error is smaller
    # than the change with half the step.
    shoe = RubbingShoe(1.0, 10.0, 0.1, 60.0, 4.0 * math.pi)
    exact = shoe.mean_wear_power(30.0, 31.0)
    assert abs(first.power - exact) <= first.power_bar


def test_a_resumed_life_knows_the_share_of_the_step(tmp_path, monkeypatch):
    file = written(tmp_path, sine_text(5.0) + LIFE)
    whole = kept_life(load_life(file))
    seen: list[float] = []

    def stop(done: float) -> None:
        seen.append(done)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kept_life(load_life(file), progress=stop)
    resumed = kept_life(load_life(file))
    assert resumed.resumed > 0
    assert (resumed.states, resumed.step_share) == (whole.states, whole.step_share)
