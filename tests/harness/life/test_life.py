"""`wearfmu life`: depths against closed forms and integrals; files, messages, resuming."""

from __future__ import annotations

import csv
import json
import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

from harness.command_line import main
from harness.fmu.files import own_fmu
from harness.fmu.noise import NoiseSignal
from harness.life import load_life, run_life
from harness.life.worn_contact import WornContact
from wearmodel import FrictionalShockParameters
from wearmodel.batch.record_runs import run_records
from wearmodel.kernel.shoe.parameters import NormalLaw, Obstacle
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR, EdfMz
from wearmodel.statistics.worn_shapes import TubeOnFlatBar

from ..conftest import GOOD_CASE

# Without friction the mass stays where it is and the support slides below it: its speed, and with
# the force the wear power, is known exactly.
PAD = """\
[case]
title = "A pad on a spring"
source = "test"
fmu = "FrictionalShock"

[parameters]
mass = 1.0
gravity = 0.0
friction_coefficient = 0.0
normal_law = "penalty"
contact_stiffness = 9e5
normal_stiffness = 1e5
preload = 10.0
start_in_equilibrium = true
initial_velocity = {velocity!r}

[inputs.base_acceleration]
kind = "sine"
amplitude = 2.0
frequency = 5.0

[experiment]
stop_time = 2.0
step_size = 0.002
"""
LIFE = """
[life]
years = 40.0
relative_error = 0.02
law = { kind = "ARCHARD", coefficient = 1e-16 }
shape = { kind = "FLAT", wear_area = 1e-4 }
"""
# The same under a force of 10 N that nothing changes.
PRESCRIBED = (
    ('normal_law = "penalty"', 'normal_law = "prescribed"'),
    ("start_in_equilibrium = true\n", ""),
    ("normal_stiffness = 1e5\n", ""),
    ("gravity = 0.0", "gravity = 10.0"),
    ("preload = 10.0\n", ""),
)
ARCHARD = '{ kind = "ARCHARD", coefficient = 1e-16 }'
OMEGA = 10.0 * math.pi
MEAN_SPEED = 2.0 * 2.0 / (math.pi * OMEGA)
# The contact's own spring gives way: of the preload 9e5/(9e5 + 1e5) is left on it.
FORCE, SLOPE = 9.0, 0.9e5


def life_file(folder: Path, life: str = LIFE, *replacements: tuple[str, str]) -> Path:
    text = PAD.format(velocity=2.0 / OMEGA) + life
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new, 1)
    file = folder / "pad.toml"
    file.write_text(text, encoding="utf-8")
    return file


def exact_depth(years: float) -> float:
    decay = 1e-16 / 1e-4 * SLOPE * MEAN_SPEED
    return FORCE / SLOPE * -math.expm1(-decay * years * SECONDS_PER_YEAR)


def test_a_spring_loaded_pad_wears_by_the_exponential_within_its_bar(tmp_path: Path) -> None:
    states = run_life(load_life(life_file(tmp_path))).states
    assert states[-1].time == 40.0 * SECONDS_PER_YEAR
    for state in states[1:]:
        want = exact_depth(state.time / SECONDS_PER_YEAR)
        # The input is extrapolated over steps of a hundredth of its period: 1e-4 of the power.
        assert abs(state.depth - want) <= state.depth_bar + 2e-4 * want
        assert state.gap == pytest.approx(state.depth, rel=1e-12)
    assert states[-1].depth_bar <= 0.02 * states[-1].depth


def test_without_feedback_the_volume_is_power_times_time_and_the_table_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = life_file(tmp_path, LIFE, *PRESCRIBED)
    assert main(["life", str(file), "--json", str(tmp_path / "pad.json")]) == 0
    printed = capsys.readouterr().out
    assert "note: wear does not act back on the motion with normal_law = 'prescribed'" in printed
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
    crossing = result.crossing
    assert crossing is not None
    assert crossing.earliest <= 10.0 * SECONDS_PER_YEAR <= crossing.latest
    # Twice the error of the depth at most, for the wear has slowed down.
    assert crossing.time == pytest.approx(10.0 * SECONDS_PER_YEAR, rel=0.04)


def test_the_law_with_running_in_gives_its_closed_form(tmp_path: Path) -> None:
    life = LIFE.replace('{ kind = "ARCHARD", coefficient = 1e-16 }', '{ kind = "EDF_MZ" }')
    file = life_file(tmp_path, life, *PRESCRIBED)
    for state in run_life(load_life(file, years=5.0)).states[1:]:
        want = EdfMz().worn_volume(10.0 * MEAN_SPEED, state.time)
        assert abs(state.volume - want) <= state.volume_bar + 3e-4 * want


def weight_of_a_sine(fastest: float) -> float:
    """KWU_EPRI's weight of sliding to and fro under 10 N, the largest speed in m/s.

    A sine's speed is below a fifth i of its largest for (2/π) asin(i/5) of the time; the force is
    always in the strongest class, whose centre is 9 N.
    """
    below = [2.0 / math.pi * math.asin(i / 5.0) for i in range(6)]
    impacts = below[1] * 5.0 * 0.9**3
    sliding = sum(
        (below[i + 1] - below[i]) * 9.0 * ((i + 0.5) / 5.0 * fastest) ** 2 for i in range(1, 5)
    )
    return sliding**2 / (sliding + impacts)


def test_sliding_is_weighed_against_impacts_by_the_shares_of_its_classes(tmp_path: Path) -> None:
    # No multiple of the step is a period, so that the samples meet all phases.
    frequency = 4.970853
    fastest = 2.0 / (2.0 * math.pi * frequency)
    file = life_file(
        tmp_path,
        LIFE.replace(ARCHARD, '{ kind = "KWU_EPRI", coefficient = 1e-13 }'),
        *PRESCRIBED,
        ("frequency = 5.0", f"frequency = {frequency!r}"),
        (repr(2.0 / OMEGA), repr(fastest)),
        ("stop_time = 2.0", "stop_time = 40.0"),
        # The largest speed makes the classes: no part of it may come from the first step's input.
        ("mass = 1.0", 'mass = 1.0\ninput_timing = "end"'),
    )
    weight = weight_of_a_sine(fastest)
    power = 10.0 * 2.0 / math.pi * fastest
    first, *later = run_life(load_life(file)).states
    # Straight lines between a hundred inputs a period: (2π/100)²/12 of the speed.
    assert first.power == pytest.approx(power, rel=5e-4)
    # That twice more, and counting 18 000 samples by classes.
    for state in later:
        want = 1e-13 * weight * power * state.time
        assert abs(state.volume - want) <= state.volume_bar + 2e-3 * want


def test_a_shock_spring_s_force_and_speed_are_weighed_too(tmp_path: Path) -> None:
    frequency = 0.97351
    file = tmp_path / "spring.toml"
    # So little friction that it slides at the speed at which it is moved.
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
stop_time = 100.0
step_size = 0.01
"""
        + LIFE.replace(ARCHARD, '{ kind = "KWU_EPRI", coefficient = 1e-16 }'),
        encoding="utf-8",
    )
    fastest = 2.0 * math.pi * frequency * 1e-3
    # So little volume that the spring stays pressed.
    want = 1e-16 * weight_of_a_sine(fastest) * 10.0 * 4e-3 * frequency * SECONDS_PER_YEAR
    last = run_life(load_life(file, years=1.0)).states[-1]
    # Speeds over a hundredth of a period, and counting 9000 samples by classes.
    assert abs(last.volume - want) <= last.volume_bar + 5e-3 * want


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([("gravity = 10.0", "gravity = 4.0")], "KWU_EPRI needs a largest force of at least 5"),
        (
            [("amplitude = 2.0", "amplitude = 2e3"), (repr(2.0 / OMEGA), repr(2e3 / OMEGA))],
            "must be ≥ that of sliding",
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
    error = capsys.readouterr().err
    assert said in error
    assert "pad, worn 0 m deep, run for" in error
    assert error.count("\n") == 1


def test_a_motion_without_contact_wears_nothing_under_any_law(tmp_path: Path) -> None:
    life = LIFE.replace(ARCHARD, '{ kind = "KWU_EPRI", coefficient = 1e-13 }')
    file = life_file(tmp_path, life, ("preload = 10.0", "initial_gap = 1.0"))
    assert run_life(load_life(file)).states[-1].volume == 0.0


def test_a_run_that_fails_is_named_and_leaves_no_life(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = life_file(tmp_path, LIFE, ("amplitude = 2.0", "amplitude = 1e308"))
    assert main(["life", str(file), "--json", str(tmp_path / "pad.json")]) == 1
    error = capsys.readouterr().err
    assert error.startswith("wearfmu: run failed: pad, worn 0 m deep: t=")
    assert "overflow" in error
    assert not (tmp_path / "pad.json").exists()


def test_wear_feedback_within_the_runs_is_off(tmp_path: Path) -> None:
    # A coefficient at which each run would wear away what presses the pad.
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


def test_an_fmu_of_others_wears_at_its_power_and_the_table_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(own_fmu("FrictionalShock", tmp_path / "fmus"), tmp_path / "shoe.fmu")
    file = life_file(tmp_path, LIFE, ('fmu = "FrictionalShock"', 'fmu = "shoe.fmu"'))
    assert main(["life", str(file), "--json", str(tmp_path / "pad.json")]) == 0
    assert "wear does not act back on shoe.fmu: which of its par" in capsys.readouterr().out
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


# The pad again, of two modes: free along x, on its spring along z; so little friction that it stays
# where it is.
BLOCK = """\
[modes]
frequency = [0.0, {frequency!r}]
damping_ratio = [0.0, 0.5]
[base]
participation_x = [1.0, 0.0]
participation_z = [0.0, 1.0]
gravity_z = -10.0
[[point]]
name = "foot"
shape_x = [1.0, 0.0]
shape_z = [0.0, 1.0]
[[contact]]
name = "floor"
point = "foot"
obstacle = "plane"
normal = [0, 0, 1]
gap = 0.0
contact_stiffness = 9e5
tangential_stiffness = 1e6
friction_coefficient = 1e-8
[initial]
velocity = [{velocity!r}, 0.0]
"""
SECOND_CONTACT = """\
[[contact]]
name = "ceiling"
point = "foot"
obstacle = "plane"
normal = [0, 0, -1]
gap = 1.0
contact_stiffness = 9e5
tangential_stiffness = 1e6
friction_coefficient = 0.1
"""
STRUCTURE_CASE = """\
[case]
title = "A pad on a spring"
source = "test"
fmu = "ModalShock"
structure = "block.toml"

[inputs.base_acceleration_x]
kind = "sine"
amplitude = 2.0
frequency = 5.0

[experiment]
stop_time = 2.0
step_size = 0.002
"""


def structure_life(folder: Path, life: str = LIFE, more: str = "") -> Path:
    block = BLOCK.format(frequency=math.sqrt(1e5) / (2.0 * math.pi), velocity=2.0 / OMEGA)
    (folder / "block.toml").write_text(
        block.replace("[initial]", f"{more}[initial]"), encoding="utf-8"
    )
    file = folder / "pad.toml"
    file.write_text(STRUCTURE_CASE + life, encoding="utf-8")
    return file


def test_a_structure_s_contact_wears_by_the_exponential(tmp_path: Path) -> None:
    life = load_life(structure_life(tmp_path))
    assert life.note == ""
    states = run_life(life).states
    for state in states[1:]:
        want = exact_depth(state.time / SECONDS_PER_YEAR)
        # Straight lines between a hundred samples a period: 3e-4 of the velocity.
        assert abs(state.depth - want) <= state.depth_bar + 5e-4 * want
        assert state.gap == pytest.approx(state.depth, rel=1e-12)


def test_of_several_contacts_one_may_be_asked_for_and_the_others_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = LIFE.replace("[life]", '[life]\ncontact = "flor"')
    assert main(["life", str(structure_life(tmp_path, chosen, SECOND_CONTACT))]) == 2
    assert "did you mean 'floor'?" in capsys.readouterr().err
    chosen = LIFE.replace("[life]", '[life]\ncontact = "floor"')
    life = load_life(structure_life(tmp_path, chosen, SECOND_CONTACT), years=1.0)
    assert life.note == "only the gap of floor grows, not those of ceiling"
    last = run_life(life).states[-1]
    assert abs(last.depth - exact_depth(1.0)) <= last.depth_bar + 5e-4 * last.depth


# Two such blocks that know nothing of each other, the second one twice as heavy on its spring.
TWO_BLOCKS = """\
[modes]
frequency = [0.0, {frequency!r}, 0.0, {frequency!r}]
damping_ratio = [0.0, 0.5, 0.0, 0.5]
[base]
participation_x = [1.0, 0.0, 1.0, 0.0]
participation_z = [0.0, 1.0, 0.0, 2.0]
gravity_z = -10.0
[[point]]
name = "light"
shape_x = [1.0, 0.0, 0.0, 0.0]
shape_z = [0.0, 1.0, 0.0, 0.0]
[[point]]
name = "heavy"
shape_x = [0.0, 0.0, 1.0, 0.0]
shape_z = [0.0, 0.0, 0.0, 1.0]
{contacts}
[initial]
velocity = [{velocity!r}, 0.0, {velocity!r}, 0.0]
"""
CONTACT = """\
[[contact]]
name = "{name}_floor"
point = "{name}"
obstacle = "plane"
normal = [0, 0, 1]
gap = 0.0
contact_stiffness = 9e5
tangential_stiffness = 1e6
friction_coefficient = 1e-8
"""


def test_all_contacts_of_a_structure_wear_together_each_by_its_own_exponential(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    limit = 0.7 * exact_depth(10.0)
    criterion = f'criterion = {{ variable = "depth", limit = {limit!r} }}\n'
    file = structure_life(tmp_path, LIFE + criterion)
    contacts = "".join(CONTACT.format(name=name) for name in ("light", "heavy"))
    block = TWO_BLOCKS.format(
        frequency=math.sqrt(1e5) / (2.0 * math.pi), velocity=2.0 / OMEGA, contacts=contacts
    )
    (tmp_path / "block.toml").write_text(block, encoding="utf-8")
    outputs = ["--json", str(tmp_path / "life.json"), "--csv", str(tmp_path / "life.csv")]
    page = tmp_path / "life.html"
    assert main(["life", str(file), *outputs, "--report", str(page)]) == 0
    printed = capsys.readouterr().out
    result = json.loads((tmp_path / "life.json").read_text())
    assert result["known"] is True
    assert [one["contact"] for one in result["contacts"]] == ["light_floor", "heavy_floor"]
    for one, factor in zip(result["contacts"], (1.0, 2.0), strict=True):
        for state in one["states"][1:]:
            want = factor * exact_depth(state["time"] / SECONDS_PER_YEAR)
            assert abs(state["depth"] - want) <= state["depth_bar"] + 5e-4 * want
            parts = [state[f"depth_{name}_bar"] for name in ("chance", "jump", "step")]
            assert sum(parts) == pytest.approx(state["depth_bar"], rel=1e-9)
    # The light one reaches the limit at 0.7 of ten years' depth, the heavy one at 0.35.
    assert result["contact"] == "heavy_floor"
    assert "heavy_floor: depth" in printed
    assert "first of all" in printed
    decay = -math.log1p(-exact_depth(10.0) * SLOPE / FORCE) / 10.0
    want = -math.log1p(-0.5 * limit * SLOPE / FORCE) / decay
    assert result["criterion"]["time"] / SECONDS_PER_YEAR == pytest.approx(want, rel=0.04)
    rows = list(csv.DictReader((tmp_path / "life.csv").read_text().splitlines()))
    assert {row["contact"] for row in rows} == {"light_floor", "heavy_floor"}
    assert "light_floor" in page.read_text(encoding="utf-8")


def test_a_coefficient_that_scatters_moves_the_time_and_its_part_is_told(tmp_path: Path) -> None:
    scatter = '{ kind = "ARCHARD", coefficient = { median = 1e-16, factor = 3.0 } }'
    result = run_life(load_life(life_file(tmp_path, LIFE.replace(ARCHARD, scatter)), years=10.0))
    last = result.states[-1]
    assert last.time == 10.0 * SECONDS_PER_YEAR
    assert abs(last.depth - exact_depth(10.0)) <= last.depth_bar + 2e-4 * last.depth
    # Thrice the coefficient: as worn as the median after thirty years. The bars of the runs, 2 %,
    # add by their squares, and states are joined by lines.
    assert last.depth_upper == pytest.approx(exact_depth(30.0), rel=0.02)
    assert last.depth_lower == pytest.approx(exact_depth(10.0 / 3.0), rel=0.03)


def test_a_law_that_runs_in_takes_no_scatter(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    law = '{ kind = "EDF_MZ", coefficient = { median = 1e-13, factor = 3.0 } }'
    assert main(["life", str(life_file(tmp_path, LIFE.replace(ARCHARD, law)))]) == 2
    assert "life.law.EDF_MZ.coefficient" in capsys.readouterr().err.replace("['", ".")


NOISE = """kind = "noise"
rms = 0.01
low = 5.0
high = 20.0
sample_interval = 0.002
seed = 1"""


def test_no_wear_under_noise_is_not_known_and_says_how_near_it_came(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Friction bears a thousand times what shakes the pad: a run of any length shows nothing.
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
    printed = capsys.readouterr().out
    result = json.loads((tmp_path / "pad.json").read_text())
    assert result["known"] is False
    (one,) = result["contacts"]
    assert one["not_known"]["time_needed"] is None
    assert one["states"][-1]["depth_upper"] is None
    # Twelve doublings of 0.2 s, without the first tenth; a third of it, −ln 0.05 = 2.996.
    assert "no wear in 737.3 s: less than one event in 246.1 s with 95 %" in printed
    assert "friction reached" in printed
    assert "whether depth 100 um is reached in 40 years is not known" in printed


def test_a_contact_of_a_model_that_has_one_only_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = life_file(tmp_path, LIFE.replace("[life]", '[life]\ncontact = "floor"'))
    assert main(["life", str(file)]) == 2
    assert "life.contact = 'floor': FrictionalShock has one contact" in capsys.readouterr().err


def test_a_misspelt_input_of_a_service_is_told_the_nearest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service = (
        '[[life.service]]\nname = "a"\nfraction = 1.0\n'
        "inputs = { base_aceleration = { amplitude = 3.0 } }\n"
    )
    assert main(["life", str(life_file(tmp_path, f"{LIFE}\n{service}"))]) == 2
    error = capsys.readouterr().err
    assert "inputs.base_aceleration is no input of the case, and would need its kind" in error
    assert "did you mean 'base_acceleration'?" in error


def test_one_scar_between_the_planes_of_a_structure_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = structure_life(tmp_path)
    block = tmp_path / "block.toml"
    text = block.read_text(encoding="utf-8").replace(
        'obstacle = "plane"', 'obstacle = "two_planes"'
    )
    block.write_text(text, encoding="utf-8")
    assert main(["life", str(file)]) == 2
    assert "between the two planes of floor both gaps grow alike" in capsys.readouterr().err


def test_a_tube_wears_to_the_depth_of_its_shape(tmp_path: Path) -> None:
    shape = '{ kind = "TUBE_BAV", tube_radius = 0.011, width = 0.02 }'
    life = LIFE.replace('{ kind = "FLAT", wear_area = 1e-4 }', shape)
    last = run_life(load_life(life_file(tmp_path, life), years=1.0)).states[-1]
    assert last.depth == TubeOnFlatBar(0.011, 0.02).depth(last.volume)


SHOCKS = """\
[case]
title = "Between two planes"
source = "test"
fmu = "FrictionalShock"

[parameters]
mass = 1.0
gravity = 0.0
friction_coefficient = 0.2
normal_law = "penalty"
obstacle = "two_planes"
initial_gap = 2e-4
plane_half_spacing = 2e-4
contact_stiffness = 1e6
contact_damping = 200.0
stiffness = 4e3
damping = 10.0
normal_stiffness = 4e3
normal_damping = 10.0

[inputs.base_acceleration]
kind = "noise"
rms = 3.0
low = 5.0
high = 20.0
sample_interval = 0.001
seed = 3

[inputs.base_acceleration_normal]
kind = "noise"
rms = 5.0
low = 5.0
high = 20.0
sample_interval = 0.001
seed = 4

[experiment]
stop_time = 20.0
step_size = 0.001

[life]
years = 40.0
relative_error = 0.2
law = { kind = "ARCHARD", coefficient = 2e-15 }
shape = { kind = "FLAT", wear_area = 1e-4, scars = 2 }
"""


def test_shocks_between_two_planes_with_a_growing_gap_meet_runs_of_another_seed(
    tmp_path: Path,
) -> None:
    file = tmp_path / "shocks.toml"
    file.write_text(SHOCKS, encoding="utf-8")
    last = run_life(load_life(file)).states[-1]
    assert last.gap == pytest.approx(2e-4 + last.depth, rel=1e-12)
    # The truth: powers of long runs under other noise at nine depths, joined and integrated.
    depths = np.linspace(0.0, 1.3 * last.depth, 9)
    sets = [
        FrictionalShockParameters(
            mass=1.0, gravity=0.0, friction_coefficient=0.2, normal_law=NormalLaw.penalty,
            obstacle=Obstacle.two_planes, initial_gap=2e-4 + d, plane_half_spacing=2e-4 + d,
            contact_stiffness=1e6, contact_damping=200.0, stiffness=4e3, damping=10.0,
            normal_stiffness=4e3, normal_damping=10.0,
        )
        for d in depths.tolist()
    ]  # fmt: skip
    times = np.arange(400_001) * 1e-3
    band: dict[str, Any] = {"kind": "noise", "low": 5.0, "high": 20.0, "sample_interval": 1e-3}
    runs = run_records(
        sets,
        1e-3,
        base_acceleration=NoiseSignal(rms=3.0, seed=11, **band).sample(times),
        base_acceleration_normal=NoiseSignal(rms=5.0, seed=12, **band).sample(times),
    )
    assert not runs.failures
    powers = CubicSpline(depths, runs.final["wear_work"] / times[-1])
    # It matters: without the feedback the depth would be another by more than the bar.
    unchanged = 2e-15 * float(powers(0.0)) / 2e-4 * last.time
    assert abs(unchanged - last.depth) > last.depth_bar
    truth = solve_ivp(
        lambda t, d: 2e-15 * powers(d) / 2e-4, (0.0, last.time), [0.0], rtol=1e-8, atol=1e-12
    ).y[0, -1]
    assert last.depth == pytest.approx(float(truth), abs=last.depth_bar)


def test_an_interrupted_life_goes_on_where_it_stopped(tmp_path: Path) -> None:
    file = life_file(tmp_path)
    whole = run_life(load_life(file))

    class StoppedError(Exception):
        pass

    def stop(done: float) -> None:
        if done > 0.3:
            raise StoppedError

    with pytest.raises(StoppedError):
        run_life(load_life(file), progress=stop)
    resumed = run_life(load_life(file))
    assert resumed.states == whole.states
    assert 0 < resumed.resumed < resumed.runs == whole.runs
    assert list(tmp_path.iterdir()) == [file]


def test_a_journal_of_another_life_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = life_file(tmp_path)

    class StoppedError(Exception):
        pass

    def stop(done: float) -> None:
        raise StoppedError

    with pytest.raises(StoppedError):
        run_life(load_life(file), progress=stop)
    assert main(["life", str(file), "--years", "30"]) == 2
    assert "belongs to this life as it was before the life file" in capsys.readouterr().err
    assert load_life(file).journal.exists()


def test_the_csv_holds_all_states_in_si(tmp_path: Path) -> None:
    file = life_file(tmp_path)
    table, page = tmp_path / "pad.csv", tmp_path / "pad.html"
    assert main(["life", str(file), "--csv", str(table), "--report", str(page)]) == 0
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert float(rows[-1]["time"]) == 40.0 * SECONDS_PER_YEAR
    assert float(rows[-1]["depth"]) == pytest.approx(exact_depth(40.0), rel=0.02)
    text = page.read_text(encoding="utf-8")
    # The picture before the table, which may have a hundred lines.
    assert text.index("Depth, volume and wear power") < text.index("<summary>All states")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("years = 40.0\n", "", "life.years is missing"),
        ("years = 40.0", "years = -1.0", "life.years = -1.0: must be greater than 0"),
        ("years = 40.0", "years = 1e300", "life.years = 1e+300: must be less than or equal to"),
        ("coefficient = 1e-16", "coefficient = 1e300", "1e+300: must be less than or equal to 1"),
        ('kind = "ARCHARD"', 'kind = "ARCHARDS"', "life.law.kind = 'ARCHARDS': must be one of"),
        ('kind = "FLAT"', 'kind = "CUBE"', "kind = 'CUBE': must be one of FLAT, BALL, TUBE_"),
        ("wear_area = 1e-4", "wear_aera = 1e-4", "did you mean 'wear_area'?"),
        ("wear_area = 1e-4", "wear_area = -1e-4", "life.shape: wear_area=-0.0001 m2 must be > 0"),
        ("[life]", '[life]\nservice = [{ name = "a", fraction = 0.4 }]', "fractions add up to 0.4"),
        (
            "[life]",
            '[life]\nservice = [{ name = "a", fraction = 1.0, inputs = { base_acceleration = '
            '{ rms = 1.0 } } }]',
            "life.service[1] (a).inputs.base_acceleration.rms is not a known key",
        ),
        (
            "[life]",
            '[life]\nservice = [{ name = "a", fraction = 1.0, parameters = { masss = 1.0 } }]',
            "did you mean 'mass'?",
        ),
        ('kind = "sine"\namplitude = 2.0\nfrequency = 5.0',
         'kind = "table"\ntime = [0.0, 9.0]\nvalue = [0.0, 1.0]', "is a table, which ends"),
    ],
)  # fmt: skip
def test_a_broken_rule_is_named_with_key_value_and_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str
) -> None:
    assert main(["life", str(life_file(tmp_path, LIFE, (old, new)))]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_years_of_the_option_obey_the_rule_of_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["life", str(life_file(tmp_path)), "--years", "1e300"]) == 2
    error = capsys.readouterr().err
    assert "life.years = 1e+300: must be less than or equal to 1000000000" in error
    assert error.count("\n") == 1


def test_a_case_without_the_section_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["life", str(life_file(tmp_path, ""))]) == 2
    assert "has no section [life]" in capsys.readouterr().err


def test_a_case_with_the_section_runs_as_before(tmp_path: Path) -> None:
    life = load_life(life_file(tmp_path))
    assert life.motions[0].case.parameters == life.case.parameters


@pytest.mark.parametrize(
    ("scars", "spacing"), [(1, 1.5e-4), (2, 2e-4)], ids=["one side", "both sides"]
)
def test_between_two_planes_the_sum_of_the_gaps_grows_by_all_scars(
    scars: int, spacing: float
) -> None:
    case = {"normal_law": "penalty", "obstacle": "two_planes", "plane_half_spacing": 1e-4}
    worn = WornContact("FrictionalShock").worn({**case, "initial_gap": 1e-4}, 1e-4, scars)
    assert worn is not None
    assert worn.gap == 2e-4
    assert worn.parameters["plane_half_spacing"] == pytest.approx(spacing, rel=1e-15)


@pytest.mark.parametrize(
    ("parameters", "dist_1"),
    [({"dist_1": 1e-3}, 1.1e-3), ({"length": 3e-3, "dist_1": 1e-3, "dist_2": 1e-3}, 0.9e-3)],
    ids=["one node", "two nodes"],
)
def test_wear_opens_the_gap_of_a_shock_spring(parameters: Any, dist_1: float) -> None:
    worn = WornContact("DisChoc").worn(parameters, 1e-4, 1)
    assert worn is not None
    assert worn.parameters["dist_1"] == pytest.approx(dist_1, rel=1e-15)
    assert worn.gap == pytest.approx(1.1e-3, rel=1e-12)


def test_two_planes_of_a_shock_spring_have_one_gap_and_need_two_scars() -> None:
    parameters = {"obstacle": "two_planes", "dist_1": 1e-3}
    worn = WornContact("DisChoc").worn(parameters, 1e-4, 2)
    assert worn is not None
    assert worn.parameters["dist_1"] == worn.gap == pytest.approx(1.1e-3, rel=1e-15)
    with pytest.raises(ValueError, match="between the two planes of DisChoc both gaps grow alike"):
        WornContact("DisChoc").worn(parameters, 1e-4, 1)


# A spring of 1e6 N/m that is pressed by 10 µm and rubbed to and fro by 0.1 mm, without friction:
# the path from sample to sample is 4 · 0.1 mm a period, for the samples hold its ends.
SPRING = """\
[case]
title = "A shock spring that is rubbed"
source = "test"
fmu = "DisChoc"

[parameters]
drive = "displacement"
dist_1 = -1e-5
contact_stiffness = 1e6
tangential_stiffness = 1e6
friction_coefficient = 0.0

[inputs.imposed_displacement_y]
kind = "sine"
amplitude = 1e-4
frequency = 5.0

[experiment]
stop_time = 2.0
step_size = 0.002

[life]
years = 40.0
relative_error = 0.02
law = { kind = "ARCHARD", coefficient = 4e-17 }
shape = { kind = "FLAT", wear_area = 1e-4 }
"""


@pytest.mark.parametrize("feedback", [False, True], ids=["plain", "wear_feedback in the case"])
def test_a_shock_spring_wears_its_gap_by_the_exponential_within_its_bar(
    tmp_path: Path, feedback: bool
) -> None:
    """ḣ = k/S · K (d − h) · 4 A f; feedback of the run itself is off, it would count it twice."""
    text = SPRING
    if feedback:
        changed = "friction_coefficient = 0.0\nwear_feedback = true\nwear_time_scale = 1e8"
        text = text.replace("friction_coefficient = 0.0", changed)
    file = tmp_path / "spring.toml"
    file.write_text(text, encoding="utf-8")
    states = run_life(load_life(file)).states
    assert states[-1].time == 40.0 * SECONDS_PER_YEAR
    for state in states[1:]:
        want = 1e-5 * -math.expm1(-4e-17 / 1e-4 * 1e6 * 2e-3 * state.time)
        assert abs(state.depth - want) <= state.depth_bar + 1e-9 * want
        # The gap is pressed by 10 µm at first.
        assert state.gap == pytest.approx(state.depth - 1e-5, rel=1e-9)
    assert states[-1].depth_bar <= 0.02 * states[-1].depth
    # Without the gap's opening the depth would be twice as large.
    assert states[-1].depth == pytest.approx(1e-5 * -math.expm1(-1.009), rel=0.02)
