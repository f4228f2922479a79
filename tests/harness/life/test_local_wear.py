"""Service lives that follow the depth of every side of a round hole."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from harness.command_line import main
from harness.fmu.noise import NoiseSignal
from harness.life import LifeResult, load_life, run_life
from harness.life.motion_runs import MARKS, MotionRuns
from wearmodel import run_structure
from wearmodel.statistics import cycle_jump, worn_sides
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR
from wearmodel.statistics.worn_shapes import lune_area
from wearmodel.structure import Initial

from .holes import COEFFICIENT, GAP, RADIUS, WIDTH, pushed, shaken
from .pads import LIFE, kept_life, life_file
from .test_lives_of_structures import structure_life

SIDE = 2.0 * math.pi * RADIUS * WIDTH / 24.0  # m², for 24 sides


@pytest.fixture(scope="module")
def scar(tmp_path_factory: pytest.TempPathFactory) -> LifeResult:
    """Return the service life of a tube that a constant force presses to −z, up to 190 µm."""
    return run_life(load_life(pushed(tmp_path_factory.mktemp("scar"), years=0.45)))


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> LifeResult:
    """Return the first part of the same service life."""
    return run_life(load_life(pushed(tmp_path_factory.mktemp("short"), years=0.1)))


@pytest.mark.long
@pytest.mark.native
@pytest.mark.parametrize(("depth", "allowed"), [(65e-6, 0.1), (184e-6, 0.03)])
def test_a_constant_force_wears_a_lune(scar: LifeResult, depth: float, allowed: float) -> None:
    states = scar.first.states
    volume = lune_area(RADIUS, RADIUS + GAP, depth) * WIDTH
    found = np.interp(volume, [state.volume for state in states], [state.depth for state in states])
    assert states[-1].volume > volume
    assert found == pytest.approx(depth, rel=allowed)


@pytest.mark.long
@pytest.mark.native
def test_a_constant_force_wears_one_scar_in_its_direction(scar: LifeResult) -> None:
    wear = scar.first.sectors[-1]
    assert wear.direction == "-90°"
    depths = np.array(wear.volumes) / SIDE
    # From the lowest side, the depths decrease to 0 equally on both sides.
    below = np.roll(depths, -18)
    right, left = below[:13], np.roll(below[::-1], 1)[:13]
    assert right == pytest.approx(left, abs=1e-7)
    assert (np.diff(right) <= 1e-12).all()
    assert right[6:] == pytest.approx(np.zeros(7), abs=1e-12)
    assert depths.sum() * SIDE == pytest.approx(scar.first.states[-1].volume, rel=1e-9)


@pytest.mark.long
@pytest.mark.native
@pytest.mark.parametrize(
    "written", [pushed, pytest.param(shaken, marks=pytest.mark.campaign)], ids=["scar", "ring"]
)
def test_half_the_extrapolation_steps_change_the_deepest_side_by_less_than_its_error_bar(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    written: Callable[..., Path],
    short: LifeResult,
) -> None:
    file = written(tmp_path, years=0.1)
    coarse = short if written is pushed else run_life(load_life(file))
    monkeypatch.setattr(worn_sides, "_SHARE_OF_A_STEP", 0.5 * worn_sides._SHARE_OF_A_STEP)
    monkeypatch.setattr(cycle_jump, "FEWEST_JUMPS", 2 * cycle_jump.FEWEST_JUMPS)
    fine = run_life(load_life(file))
    assert fine.runs > 1.5 * coarse.runs
    last, finer = coarse.first.states[-1], fine.first.states[-1]
    assert abs(finer.depth - last.depth) < last.depth_bar


@pytest.mark.long
@pytest.mark.native
def test_even_rubbing_wears_a_ring(tmp_path: Path) -> None:
    # With steps of 15 µm, the difference between neighbours would be a multiple of this limit.
    contact = run_life(load_life(shaken(tmp_path, years=0.2))).first
    last = contact.states[-1]
    ring = last.volume / (24.0 * SIDE)
    assert abs(last.depth - ring) <= last.depth_bar
    assert ring > 50e-6
    depths = np.array(contact.sectors[-1].volumes) / SIDE
    alternating = np.abs(depths - 0.5 * (np.roll(depths, 1) + np.roll(depths, -1)))
    assert alternating.max() < 0.1 * ring


@pytest.mark.long
@pytest.mark.native
def test_wear_of_the_support_opens_the_same_gaps(tmp_path: Path, scar: LifeResult) -> None:
    both = f", support_coefficient = {COEFFICIENT!r}"
    result = run_life(load_life(pushed(tmp_path, years=0.1, shape=both)))
    last = result.first.states[-1]
    assert last.gap == pytest.approx(GAP + 2.0 * last.depth, rel=1e-12)
    # The tube loses the same volume. Its scar is wider because the hole wears too.
    states = scar.first.states
    alone = np.interp(last.time, [state.time for state in states], [s.depth for s in states])
    volume = np.interp(last.time, [state.time for state in states], [s.volume for s in states])
    assert last.volume == pytest.approx(volume, rel=1e-3)
    assert last.depth < 0.9 * alone


@pytest.mark.long
@pytest.mark.native
def test_the_command_prints_the_direction_and_writes_all_sides(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = 'wall = 1.0e-3\ncriterion = { variable = "depth", share_of_wall = 0.04 }'
    file = pushed(tmp_path, years=0.2, shape=", sides = 16", more=more)
    table, page = tmp_path / "life.csv", tmp_path / "life.html"
    outputs = ["--json", str(tmp_path / "life.json"), "--csv", str(table), "--report", str(page)]
    assert main(["life", str(file), *outputs]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("depth 40 µm (4 % of the wall) is reached after")
    assert "deepest side at -90°" in printed
    assert "The supports do not wear (support_coefficient = 0)" in printed
    contact = json.loads((tmp_path / "life.json").read_text())["contacts"][0]
    wear = contact["sectors"]
    assert len(wear["volumes"]) == 16
    assert sum(wear["volumes"]) == pytest.approx(contact["states"][-1]["volume"], rel=1e-9)
    assert wear["deepest_depth"] == pytest.approx(contact["states"][-1]["depth"], rel=1e-12)
    rows = np.genfromtxt(table, delimiter=",", names=True)
    assert rows["sector_13"][-1] == pytest.approx(wear["volumes"][12])
    text = page.read_text(encoding="utf-8")
    assert "Sides of the hole at the end, by angle around its axis: 0° is y, 90° is z" in text
    assert "Clearance of the tube, new and worn" in text
    # The clearance of the deepest side has grown by its depth. Elsewhere the depth is 0.
    (names, *_) = [line for line in text.splitlines() if '"worn clearance"' in line]
    assert '"clearance"' in names


@pytest.mark.long
@pytest.mark.native
def test_an_interrupted_life_continues_with_the_same_sides(
    tmp_path: Path, short: LifeResult
) -> None:
    life = load_life(pushed(tmp_path, years=0.1))

    def interrupt(share: float) -> None:
        if share > 0.4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kept_life(life, progress=interrupt)
    resumed = kept_life(life)
    assert resumed.resumed > 10
    assert resumed.first == short.first


def error_of(file: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["life", str(file)]) == 2
    return capsys.readouterr().err


def test_a_share_of_the_wall_is_a_limit_of_depth(tmp_path: Path) -> None:
    more = 'wall = 1.2e-3\ncriterion = { variable = "depth", share_of_wall = 0.4 }'
    life = load_life(pushed(tmp_path, years=1.0, more=more))
    assert life.criterion is not None
    assert life.criterion.limit == pytest.approx(4.8e-4, rel=1e-15)
    # The limit of uniform wear. If a single side wears, it reaches the limit at 1/24 of this
    # volume.
    assert life.limit_volume == pytest.approx(4.8e-4 * 24.0 * SIDE)
    assert life.least_limit_volume == pytest.approx(4.8e-4 * SIDE)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ('criterion = { variable = "depth", share_of_wall = 0.4 }', "wall is missing"),
        ('wall = 1e-3\ncriterion = { variable = "depth" }', "either limit or share_of_wall"),
        (
            'wall = 1e-3\ncriterion = { variable = "volume", share_of_wall = 0.4 }',
            "limits a depth and not a volume",
        ),
        (
            'wall = 1e-3\ncriterion = { variable = "depth", share_of_wall = 1.4 }',
            "must be at most 1",
        ),
        (
            'wall = 1e-3\ncriterion = { variable = "depth", share_of_wall = 25 }',
            "must be at most 1; 25 % is 0.25",
        ),
    ],
)
def test_a_criterion_is_a_limit_or_a_share_of_a_wall(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: str, words: str
) -> None:
    assert words in error_of(pushed(tmp_path, years=1.0, more=more), capsys)


def test_a_wall_thicker_than_the_radius_is_questioned(tmp_path: Path) -> None:
    (note,) = load_life(pushed(tmp_path, years=1.0, more="wall = 1.2")).notes
    assert note.startswith("life: wall=1.2 m is larger than the radius of the tube, 0.0111 m")
    assert load_life(pushed(tmp_path, years=1.0, more="wall = 1.2e-3")).notes == ()


def test_sides_need_a_round_hole_of_a_structure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sides = '{ kind = "SIDES", tube_radius = 0.01, width = 0.02 }'
    life = LIFE.replace('{ kind = "FLAT", wear_area = 1e-4 }', sides)
    assert "does not fit the obstacle 'plane'" in error_of(structure_life(tmp_path, life), capsys)
    assert "is not available for FrictionalShock" in error_of(life_file(tmp_path, life), capsys)


def test_a_support_wears_by_a_law_with_a_coefficient_of_the_same_unit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = pushed(tmp_path, years=1.0, shape=", support_coefficient = 1e-15")
    text = file.read_text(encoding="utf-8")
    law = 'law = { kind = "ARCHARD", coefficient = 1e-14 }'
    assert law in text
    file.write_text(text.replace(law, 'law = { kind = "EDF_MZ" }'), encoding="utf-8")
    assert "is not available for EDF_MZ" in error_of(file, capsys)


@pytest.mark.campaign
@pytest.mark.native
def test_the_number_of_sides_does_not_matter(tmp_path: Path) -> None:
    depths = []
    for sides in (24, 48, 96):
        shape = f", sides = {sides}"
        last = run_life(load_life(shaken(tmp_path, years=0.1, shape=shape))).first.states[-1]
        depths.append((last.depth, last.depth_bar))
    for depth, bar in depths:
        assert all(abs(depth - other) <= math.hypot(bar, width) for other, width in depths)


@pytest.mark.campaign
@pytest.mark.native
def test_a_life_agrees_with_a_long_run_whose_gaps_follow_the_wear(tmp_path: Path) -> None:
    # A weight presses the vibrating block to −z, so that the sides wear unevenly.
    years, pieces, seconds, step = 0.04, 200, 4.0, 2e-3
    file = shaken(tmp_path, years=years, error=0.2)
    hole = tmp_path / "hole.toml"
    text = hole.read_text(encoding="utf-8")
    hole.write_text(text.replace("gravity_z = 0.0", "gravity_z = -3.0"), encoding="utf-8")
    life = load_life(file)
    contact = run_life(life).first
    structure, steps = life.contacts[0].structure, round(seconds / step)
    assert structure is not None
    times = np.arange(pieces * steps + 1) * step
    records = {}
    for number, (name, signal) in enumerate(life.motions[0].case.inputs.items()):
        assert isinstance(signal, NoiseSignal)
        records[name] = replace(signal, seed=100 + number).sample(times)
    depths = np.zeros(24)
    for piece in range(pieces):
        (hole_of_piece,) = structure.contacts
        worn = hole_of_piece.with_gaps((GAP + depths).tolist())
        window = slice(piece * steps, (piece + 1) * steps + 1)
        run = run_structure(
            replace(structure, contacts=(worn,)),
            {name: values[window] for name, values in records.items()},
            step_size=step,
            steps=steps,
        )
        # Each piece represents a part of the service time. The next piece starts at its final
        # position.
        scale = years * SECONDS_PER_YEAR / (pieces * seconds)
        depths += COEFFICIENT * scale * run.wear_work_by_side["S1"] / SIDE
        ends = (run.final[f"S1.relative_displacement_{axis}"] for axis in "xyz")
        structure = replace(structure, initial=Initial(displacement=tuple(ends)))
    wear = contact.sectors[-1]
    found, bars = np.array(wear.volumes) / SIDE, np.array(wear.bars) / SIDE
    assert depths.max() > 1.5 * depths.min()
    # The long run also has scatter, but less than the service life with its shorter runs.
    assert np.mean(np.abs(found - depths) <= math.sqrt(2.0) * bars) >= 0.9
    last = contact.states[-1]
    assert abs(last.depth - depths.max()) <= math.sqrt(2.0) * last.depth_bar


@pytest.mark.parametrize("stop_times", [(2.0,), (1.0, 2.0)], ids=["whole", "continued"])
def test_a_run_has_the_wear_work_of_all_sides_at_the_borders_of_blocks(
    stop_times: tuple[float, ...], tmp_path: Path
) -> None:
    life = load_life(pushed(tmp_path, years=0.1))
    runs, (motion,) = MotionRuns(life), life.motions
    depths = [np.zeros(24)]
    for stop_time in stop_times:
        experiment = replace(motion.case.experiment, stop_time=stop_time)
        case = runs.worn(replace(motion.case, experiment=experiment), depths)
        record = runs.record(motion, case, depths)
    marks, works = record.values[MARKS], record.values["S1.by_side.wear_work"]
    assert marks == pytest.approx(np.linspace(0.0, 2.0, marks.size), abs=1e-9)
    assert works.shape == (marks.size, 24)
    whole = np.interp(marks, record.times, record.values["S1.wear_work"])
    assert whole[-1] > 0.0
    assert works.sum(axis=1) == pytest.approx(whole, rel=1e-12)
