"""`wearfmu life`: depths compared with closed forms and integrals."""

from __future__ import annotations

import dataclasses
import json
import math
import shutil
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

from harness.command_line import main
from harness.errors import CaseError
from harness.fmu.files import own_fmu
from harness.fmu.noise import NoiseSignal
from harness.life import load_life, run_life
from harness.life.life_run import _spacing, never_back
from harness.life.life_text import with_bar
from wearmodel.batch.record_runs import run_records
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR, EdfMz
from wearmodel.statistics.worn_shapes import TubeOnFlatBar

from ..conftest import GOOD_CASE
from .pads import ARCHARD, FORCE, LIFE, MEAN_SPEED, OMEGA, PRESCRIBED, exact_depth, life_file
from .planes import between_planes, life_between_planes


def test_a_spring_loaded_pad_wears_by_the_exponential_within_its_bar(tmp_path: Path) -> None:
    result = run_life(load_life(life_file(tmp_path)))
    states = result.states
    depths = [state.depth for state in states]
    # A step is computed at its ends and at its midpoint.
    assert result.first.spacing == pytest.approx(np.diff(depths).max() / 2.0, rel=1e-9)
    assert states[-1].time == 40.0 * SECONDS_PER_YEAR
    for state in states[1:]:
        want = exact_depth(state.time / SECONDS_PER_YEAR)
        # The input is extrapolated over a hundredth of its period, with an error of 1e-4 of the
        # power.
        assert abs(state.depth - want) <= state.depth_bar + 2e-4 * want
        assert state.gap == pytest.approx(state.depth, rel=1e-12)
    assert states[-1].depth_bar <= 0.02 * states[-1].depth
    # Without noise, no time scale limits the rates.
    assert result.valid_for == math.inf


def test_without_feedback_the_volume_is_power_times_time_and_a_note_says_so_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = life_file(tmp_path, LIFE, *PRESCRIBED)
    assert main(["life", str(file), "--json", str(tmp_path / "pad.json")]) == 0
    printed, said = capsys.readouterr()
    # The note is printed before the runs.
    note = "note: wear does not act back on the motion with normal_law = 'prescribed'"
    assert said.splitlines()[0].startswith(note)
    assert "note:" not in printed
    assert "gap" not in printed.splitlines()[0]
    last = json.loads((tmp_path / "pad.json").read_text())["states"][-1]
    assert last["gap"] is None
    want = 1e-16 * 10.0 * MEAN_SPEED * 40.0 * SECONDS_PER_YEAR
    assert last["volume"] == pytest.approx(want, rel=2e-4)


def test_a_service_of_two_motions_weighs_their_powers(tmp_path: Path) -> None:
    service = """
[[life.service]]
name = "strong"
fraction = 0.25
[[life.service]]
name = "weak"
fraction = 0.75
parameters = { initial_velocity = %r }
inputs = { base_acceleration = { amplitude = 0.5 } }
""" % (0.5 / OMEGA)
    (first, *_) = run_life(load_life(life_file(tmp_path, LIFE + service))).states
    want = (0.25 + 0.75 * 0.25) * FORCE * MEAN_SPEED
    assert first.power == pytest.approx(want, rel=2e-4)


def test_the_criterion_gives_the_time_of_the_closed_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    limit = exact_depth(10.0)
    criterion = f'criterion = {{ variable = "depth", limit = {limit!r} }}\n'
    result = run_life(load_life(life_file(tmp_path, LIFE + criterion)))
    crossing = result.first.crossing
    assert crossing is not None
    assert crossing.earliest <= 10.0 * SECONDS_PER_YEAR <= crossing.latest
    # At most twice the error of the depth, because the wear rate has decreased.
    assert crossing.time == pytest.approx(10.0 * SECONDS_PER_YEAR, rel=0.04)


def test_the_law_with_running_in_gives_its_closed_form(tmp_path: Path) -> None:
    life = LIFE.replace('{ kind = "ARCHARD", coefficient = 1e-16 }', '{ kind = "EDF_MZ" }')
    file = life_file(tmp_path, life, *PRESCRIBED)
    for state in run_life(load_life(file, years=5.0)).states[1:]:
        want = EdfMz().worn_volume(10.0 * MEAN_SPEED, state.time)
        assert abs(state.volume - want) <= state.volume_bar + 3e-4 * want


def weight_of_a_sine(fastest: float) -> float:
    """Return the weight of KWU_EPRI for sliding back and forth under 10 N. `fastest` is in m/s.

    The speed of a sine is below i/5 of its largest value for (2/π) asin(i/5) of the time. The force
    is always in the highest class, whose centre is 9 N.
    """
    below = [2.0 / math.pi * math.asin(i / 5.0) for i in range(6)]
    impacts = below[1] * 5.0 * 0.9**3
    sliding = sum(
        (below[i + 1] - below[i]) * 9.0 * ((i + 0.5) / 5.0 * fastest) ** 2 for i in range(1, 5)
    )
    return sliding**2 / (sliding + impacts)


def test_sliding_is_weighed_against_impacts_by_the_shares_of_its_classes(tmp_path: Path) -> None:
    # The period is not a multiple of the step, so that the samples include all phases.
    frequency = 4.970853
    fastest = 2.0 / (2.0 * math.pi * frequency)
    file = life_file(
        tmp_path,
        LIFE.replace(ARCHARD, '{ kind = "KWU_EPRI", coefficient = 1e-13 }'),
        *PRESCRIBED,
        ("frequency = 5.0", f"frequency = {frequency!r}"),
        (repr(2.0 / OMEGA), repr(fastest)),
        ("stop_time = 2.0", "stop_time = 40.0"),
        # The largest speed determines the classes, so it must not come from the input of the first
        # step.
        ("mass = 1.0", 'mass = 1.0\ninput_timing = "end"'),
    )
    weight = weight_of_a_sine(fastest)
    power = 10.0 * 2.0 / math.pi * fastest
    first, *later = run_life(load_life(file)).states
    # Linear interpolation between a hundred inputs per period: (2π/100)²/12 of the speed.
    assert first.power == pytest.approx(power, rel=5e-4)
    # Twice this error, and the error of counting 18 000 samples in classes.
    for state in later:
        want = 1e-13 * weight * power * state.time
        assert abs(state.volume - want) <= state.volume_bar + 2e-3 * want


@pytest.mark.long
def test_a_shock_spring_s_force_and_speed_are_weighed_too(tmp_path: Path) -> None:
    frequency = 0.97351
    file = tmp_path / "spring.toml"
    # The friction is so small that the spring slides at the imposed speed.
    file.write_text(
        f"""\
[case]
title = "A shock spring pressed and moved to and fro"
source = "test"
fmu = "DisChoc"

[parameters]
drive = "displacement"
dist_1 = 0.0
contact_stiffness = 1e6
tangential_stiffness = 1e6
friction_coefficient = 1e-6

[inputs.imposed_displacement_x]
kind = "constant"
value = -1e-5

[inputs.imposed_displacement_y]
kind = "sine"
amplitude = 1e-3
frequency = {frequency!r}

[experiment]
stop_time = 25.0
step_size = 0.01
"""
        + LIFE.replace(ARCHARD, '{ kind = "KWU_EPRI", coefficient = 1e-16 }'),
        encoding="utf-8",
    )
    fastest = 2.0 * math.pi * frequency * 1e-3
    # The volume is so small that the spring stays compressed.
    want = 1e-16 * weight_of_a_sine(fastest) * 10.0 * 4e-3 * frequency * SECONDS_PER_YEAR
    last = run_life(load_life(file, years=1.0)).states[-1]
    # Speeds over a hundredth of a period, and counting of the samples in classes.
    assert abs(last.volume - want) <= last.volume_bar + 5e-3 * want


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([("gravity = 10.0", "gravity = 4.0")], "KWU_EPRI needs a largest force of at least 5"),
        (
            [("amplitude = 2.0", "amplitude = 2e3"), (repr(2.0 / OMEGA), repr(2e3 / OMEGA))],
            "must be ≥ the share of sliding",
        ),
    ],
    ids=["weak", "sliding"],
)
def test_a_motion_that_is_none_for_the_law_is_refused_with_its_reason(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    changes: list[tuple[str, str]],
    said: str,
) -> None:
    life = LIFE.replace(ARCHARD, '{ kind = "KWU_EPRI", coefficient = 1e-13 }')
    assert main(["life", str(life_file(tmp_path, life, *PRESCRIBED, *changes))]) == 2
    lines = capsys.readouterr().err.splitlines()
    # The error follows the notes, which are printed before the runs.
    (error,) = [line for line in lines if not line.startswith("note: ")]
    assert lines[-1] == error
    assert said in error
    assert "pad, worn 0 m deep, run for" in error


def test_a_motion_without_contact_wears_nothing_under_any_law(tmp_path: Path) -> None:
    life = LIFE.replace(ARCHARD, '{ kind = "KWU_EPRI", coefficient = 1e-13 }')
    file = life_file(tmp_path, life, ("preload = 10.0", "initial_gap = 1.0"))
    assert run_life(load_life(file)).states[-1].volume == 0.0


def test_a_run_that_fails_is_named_and_leaves_no_life(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = life_file(tmp_path, LIFE, ("amplitude = 2.0", "amplitude = 1e308"))
    assert main(["life", str(file), "--json", str(tmp_path / "pad.json")]) == 1
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith("wearfmu: run failed: pad, worn 0 m deep: t=")
    assert "overflow" in error
    assert not (tmp_path / "pad.json").exists()


def test_wear_feedback_within_the_runs_is_off(tmp_path: Path) -> None:
    # With this coefficient, each run alone would wear away the whole compression of the pad.
    file = life_file(
        tmp_path,
        LIFE,
        (
            "preload = 10.0",
            "preload = 10.0\nwear_feedback = true\nwear_area = 1e-4\narchard_coefficient = 1e-9",
        ),
    )
    (first, *_) = run_life(load_life(file)).states
    assert first.power == pytest.approx(FORCE * MEAN_SPEED, rel=2e-4)


@pytest.mark.long
def test_an_fmu_of_others_wears_at_its_power_and_a_note_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(own_fmu("FrictionalShock", tmp_path / "fmus"), tmp_path / "shoe.fmu")
    file = life_file(tmp_path, LIFE, ('fmu = "FrictionalShock"', 'fmu = "shoe.fmu"'))
    assert main(["life", str(file), "--json", str(tmp_path / "pad.json")]) == 0
    assert "wear does not act back on shoe.fmu, because the par" in capsys.readouterr().err
    last = json.loads((tmp_path / "pad.json").read_text())["states"][-1]
    want = 1e-16 * FORCE * MEAN_SPEED * 40.0 * SECONDS_PER_YEAR
    assert last["volume"] == pytest.approx(want, rel=2e-4)


def test_an_fmu_without_wear_work_is_refused(
    tmp_path: Path, toy_fmu: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = life_file(tmp_path, LIFE)
    case = GOOD_CASE.format(fmu=toy_fmu.as_posix())
    file.write_text(case + LIFE, encoding="utf-8")
    assert main(["life", str(file)]) == 2
    assert "wear_work" in capsys.readouterr().err


def test_a_coefficient_that_scatters_moves_the_time_and_its_part_is_told(tmp_path: Path) -> None:
    scatter = '{ kind = "ARCHARD", coefficient = { median = 1e-16, factor = 2.0 } }'
    result = run_life(load_life(life_file(tmp_path, LIFE.replace(ARCHARD, scatter)), years=10.0))
    last = result.states[-1]
    assert last.time == 10.0 * SECONDS_PER_YEAR
    assert abs(last.depth - exact_depth(10.0)) <= last.depth_bar + 2e-4 * last.depth
    # With twice the coefficient, the depth is the median depth after twenty years. The error
    # bars of the runs, 2 %, are added in quadrature. States are linearly interpolated.
    assert last.depth_upper == pytest.approx(exact_depth(20.0), rel=0.02)
    assert last.depth_lower == pytest.approx(exact_depth(5.0), rel=0.03)


def test_only_large_coefficients_may_wear_through_the_part(tmp_path: Path) -> None:
    shape = '{ kind = "TUBE_BAV", tube_radius = 0.001, width = 0.001 }'
    life = LIFE.replace('{ kind = "FLAT", wear_area = 1e-4 }', shape)
    scatter = '{ kind = "ARCHARD", coefficient = { median = 1e-16, factor = 4.0 } }'
    file = life_file(tmp_path, life.replace(ARCHARD, scatter), *PRESCRIBED)
    # The volume of the tube is π R² L.
    through = math.pi * 1e-9 / (1e-16 * 10.0 * MEAN_SPEED * SECONDS_PER_YEAR)
    last = run_life(load_life(file, years=0.7 * through)).states[-1]
    assert last.time == 0.7 * through * SECONDS_PER_YEAR
    assert math.isfinite(last.depth)
    assert last.depth_upper == math.inf
    with pytest.raises(CaseError, match="volume"):
        run_life(load_life(file, years=1.2 * through))


NOISE = """kind = "noise"
rms = 0.01
low = 5.0
high = 20.0
sample_interval = 0.002
seed = 1"""


def test_no_wear_under_noise_is_not_known_and_says_how_near_it_came(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A note after the first run warns of the longer runs, which may take hours."""
    # The friction limit is a thousand times the inertia force. A run of any length shows no wear.
    criterion = 'criterion = { variable = "depth", limit = 1e-4 }\n'
    file = life_file(
        tmp_path,
        LIFE + criterion,
        ('kind = "sine"\namplitude = 2.0\nfrequency = 5.0', NOISE),
        ("friction_coefficient = 0.0", "friction_coefficient = 0.5"),
        (f"initial_velocity = {2.0 / OMEGA!r}\n", ""),
        ("stop_time = 2.0", "stop_time = 0.2"),
    )
    assert main(["life", str(file), "--json", str(tmp_path / "pad.json")]) == 3
    printed, progress = capsys.readouterr()
    assert progress.count("no wear in a run of 0.2 s: check friction, gaps and loads") == 1
    result = json.loads((tmp_path / "pad.json").read_text())
    assert result["known"] is False
    (one,) = result["contacts"]
    assert one["not_known"]["time_needed"] is None
    assert one["states"][-1]["depth_upper"] is None
    # 0.2 s is doubled twelve times, less the first tenth. This is divided by −ln 0.05 = 2.996.
    assert "no wear in 737.3 s: less than one event in 246.1 s with 95 %" in printed
    assert "friction reached" in printed
    assert "not known whether depth 100 µm is reached in 40 years" in printed.splitlines()


def test_a_tube_wears_to_the_depth_of_its_shape(tmp_path: Path) -> None:
    shape = '{ kind = "TUBE_BAV", tube_radius = 0.011, width = 0.02 }'
    life = LIFE.replace('{ kind = "FLAT", wear_area = 1e-4 }', shape)
    last = run_life(load_life(life_file(tmp_path, life), years=1.0)).states[-1]
    assert last.depth == TubeOnFlatBar(0.011, 0.02).depth(last.volume)


@pytest.mark.long
@pytest.mark.native
def test_shocks_between_two_planes_with_a_growing_gap_meet_runs_of_another_seed(
    tmp_path: Path,
) -> None:
    file = tmp_path / "shocks.toml"
    band = {"low": 5.0, "high": 20.0, "sample_interval": 1e-3}
    text = life_between_planes(band, years=40.0, relative_error=0.2, coefficient=2e-15, area=1e-4)
    file.write_text(text, encoding="utf-8")
    last = run_life(load_life(file)).states[-1]
    assert last.gap == pytest.approx(2e-4 + last.depth, rel=1e-12)
    # Reference: powers of long runs with other noise at nine depths, interpolated and integrated.
    depths = np.linspace(0.0, 1.3 * last.depth, 9)
    sets = [between_planes(depth) for depth in depths.tolist()]
    times = np.arange(400_001) * 1e-3
    runs = run_records(
        sets,
        1e-3,
        base_acceleration=NoiseSignal(kind="noise", rms=3.0, seed=11, **band).sample(times),
        base_acceleration_normal=NoiseSignal(kind="noise", rms=5.0, seed=12, **band).sample(times),
    )
    assert not runs.failures
    powers = CubicSpline(depths, runs.final["wear_work"] / times[-1])
    # The feedback matters. Without it, the depth would differ by more than the error bar.
    unchanged = 2e-15 * float(powers(0.0)) / 2e-4 * last.time
    assert abs(unchanged - last.depth) > last.depth_bar
    truth = solve_ivp(
        lambda t, d: 2e-15 * powers(d) / 2e-4, (0.0, last.time), [0.0], rtol=1e-8, atol=1e-12
    ).y[0, -1]
    assert last.depth == pytest.approx(float(truth), abs=last.depth_bar)


def test_what_has_been_worn_at_least_stays_worn_when_the_bar_grows(tmp_path: Path) -> None:
    states = run_life(load_life(life_file(tmp_path))).states[:4]
    lowers = (1e-6, 3e-6, 2e-6, -5.0)
    grown = [
        dataclasses.replace(state, depth_lower=lower)
        for state, lower in zip(states, lowers, strict=True)
    ]
    assert [state.depth_lower for state in never_back(grown)] == [1e-6, 3e-6, 3e-6, 3e-6]


@pytest.mark.parametrize(
    ("value", "bar", "shown"),
    [(62.3, 9.87, "62.3 ± 9.9"), (100.0, 1.004e8, "100 ± 100400000"), (0.0, 3.0, "0.0 ± 3.0")],
)
def test_a_number_is_shown_to_two_digits_of_its_bar(value: float, bar: float, shown: str) -> None:
    assert with_bar(value, bar) == shown


def test_a_life_ends_once_the_limit_is_reached_unless_it_is_to_continue(tmp_path: Path) -> None:
    limit = exact_depth(10.0)
    criterion = f'criterion = {{ variable = "depth", limit = {limit!r} }}\n'
    ends = []
    for key in ("", "to_the_end = true\n"):
        result = run_life(load_life(life_file(tmp_path, f"{LIFE}{key}{criterion}")))
        assert result.first.crossing is not None
        assert result.first.crossing.time / SECONDS_PER_YEAR == pytest.approx(10.0, rel=0.02)
        assert math.isfinite(result.first.crossing.latest)
        ends.append(result.states[-1].time / SECONDS_PER_YEAR)
    assert 10.0 < ends[0] < 14.0
    assert ends[1] == 40.0


@pytest.mark.parametrize("longest", range(5))
def test_the_spacing_of_depths_is_the_longest_half_of_a_step(longest: int, tmp_path: Path) -> None:
    life = load_life(life_file(tmp_path))
    assert _spacing(life, []) == _spacing(life, [1e-10]) == 0.0
    steps = [1e-10] * 5
    steps[longest] = 3e-10
    volumes = np.cumsum([2e-10, *steps])
    # m³ over 1 cm².
    assert _spacing(life, volumes.tolist()) == pytest.approx(1.5e-10 / 1e-4, rel=1e-9)


def test_if_wear_does_not_act_back_one_run_determines_the_power_of_all_states(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    noise = (
        'kind = "sine"\namplitude = 2.0\nfrequency = 5.0',
        'kind = "noise"\nrms = 1.0\nlow = 2.0\nhigh = 20.0\nsample_interval = 0.002',
    )
    loose = ("relative_error = 0.02", "relative_error = 0.3")
    file = life_file(tmp_path, LIFE, *PRESCRIBED, noise, loose)
    states = run_life(load_life(file)).states
    first = states[0]
    # The gap does not change, so each run would have the same noise, or a shorter part of it.
    assert {(state.power, state.power_bar) for state in states} == {(first.power, first.power_bar)}
    want = 1e-16 * first.power * 40.0 * SECONDS_PER_YEAR
    assert states[-1].volume == pytest.approx(want, rel=1e-12)
    assert main(["life", str(file)]) == 0
    text = "the wear power does not depend on the depth and was computed once"
    assert text in capsys.readouterr().out
