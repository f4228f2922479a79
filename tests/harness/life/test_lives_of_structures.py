"""Service lives of structures: all contacts together, or one of them."""

from __future__ import annotations

import csv
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from harness.command_line import main
from harness.life import load_life, run_life
from harness.life.motion_runs import MotionRuns
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR

from .pads import FORCE, LIFE, OMEGA, SLOPE, exact_depth

# The pad as a structure of two modes, free along x and on its spring along z. The friction is so
# small that it does not move.
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
        # Linear interpolation between a hundred samples per period has an error of 3e-4 of the
        # velocity.
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


@pytest.mark.parametrize(
    ("coefficients", "worn"),
    [
        ((0.0, 0.0), ["floor", "ceiling"]),
        ((1e-16, 0.0), ["floor"]),
        ((0.0, 1e-16), ["ceiling"]),
        ((1e-16, 1e-16), ["floor", "ceiling"]),
    ],
)
def test_contacts_with_a_wear_coefficient_wear_or_all_if_none_has_one(
    coefficients: tuple[float, float], worn: list[str], tmp_path: Path
) -> None:
    floor, ceiling = (f"archard_coefficient = {value!r}\n" for value in coefficients)
    file = structure_life(tmp_path, LIFE, SECOND_CONTACT + ceiling)
    block = tmp_path / "block.toml"
    first = "friction_coefficient = 1e-8\n"
    block.write_text(block.read_text("utf-8").replace(first, first + floor), "utf-8")
    assert [contact.name for contact in load_life(file).contacts] == worn
    # A parameter of the case replaces the coefficient of the structure.
    text = file.read_text("utf-8")
    given = '[parameters]\n"floor.archard_coefficient" = 1e-16\n[experiment]'
    file.write_text(text.replace("[experiment]", given), "utf-8")
    chosen = [contact.name for contact in load_life(file).contacts]
    assert chosen == ["floor", *(["ceiling"] if coefficients[1] else [])]
    # A contact that is named in [life] wears without a coefficient too.
    named = text.replace("[life]", '[life]\ncontact = "ceiling"')
    file.write_text(named, "utf-8")
    assert [contact.name for contact in load_life(file).contacts] == ["ceiling"]


# Two such blocks without coupling. The second one is twice as heavy on its spring.
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
    shown = page.read_text(encoding="utf-8").partition("<main")
    # The first screen has the answer, the table and the picture. Notes are below it.
    assert "<p>" not in shown[0]
    assert shown[2].index("<table") < shown[2].index('class="plot"') < shown[2].index("<p>")
    result = json.loads((tmp_path / "life.json").read_text())
    assert result["known"] is True
    assert [one["contact"] for one in result["contacts"]] == ["light_floor", "heavy_floor"]
    for one, factor in zip(result["contacts"], (1.0, 2.0), strict=True):
        for state in one["states"][1:]:
            want = factor * exact_depth(state["time"] / SECONDS_PER_YEAR)
            assert abs(state["depth"] - want) <= state["depth_bar"] + 5e-4 * want
            parts = [state[f"depth_{name}_bar"] for name in ("chance", "jump", "step")]
            assert sum(parts) == pytest.approx(state["depth_bar"], rel=1e-9)
    # The light block reaches the limit at 0.7 of the depth of ten years, the heavy block at 0.35.
    assert result["contact"] == "heavy_floor"
    assert re.match(r"depth [\d.]+ µm is reached first by heavy_floor after", printed)
    # The rate is known to 2 %, and twice the rate of the other contact.
    chances = {contact["contact"]: contact["chances"] for contact in result["contacts"]}
    assert chances["heavy_floor"] == {"reached": 1.0, "first": 1.0}
    assert chances["light_floor"]["first"] == 0.0
    decay = -math.log1p(-exact_depth(10.0) * SLOPE / FORCE) / 10.0
    want = -math.log1p(-0.5 * limit * SLOPE / FORCE) / decay
    assert result["criterion"]["time"] / SECONDS_PER_YEAR == pytest.approx(want, rel=0.04)
    rows = list(csv.DictReader((tmp_path / "life.csv").read_text().splitlines()))
    assert {row["contact"] for row in rows} == {"light_floor", "heavy_floor"}
    text = page.read_text(encoding="utf-8")
    # A picture of both contacts comes before the pictures of each contact.
    assert "heavy_floor reaches the limit first." in text
    inputs = text[text.index('id="inputs"') :]
    assert inputs.index("kind = ARCHARD, coefficient = ") < inputs.index("<details>")
    assert text.index("Depth of all contacts") < text.index("wear power of light_floor")
    assert "The error bars are 95 % intervals. They cover sampling, extrapolation" in text


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
    assert "between the two planes of floor both gaps grow equally" in capsys.readouterr().err


# The point of a free block in a hole about x. A rotating acceleration presses it on all sides.
ORBIT = """\
[modes]
frequency = [0.0, 0.0]
damping_ratio = [0.0, 0.0]
[base]
participation_y = [1.0, 0.0]
participation_z = [0.0, 1.0]
[[point]]
name = "foot"
shape_y = [1.0, 0.0]
shape_z = [0.0, 1.0]
[[contact]]
name = "floor"
point = "foot"
obstacle = "circle"
axis = [1, 0, 0]
gap = 1e-4
contact_stiffness = 9e5
tangential_stiffness = 1e6
friction_coefficient = 0.1
"""


def in_hole(folder: Path, shape: str) -> Path:
    """Write a service life of the orbiting block."""
    life = LIFE.replace('{ kind = "FLAT", wear_area = 1e-4 }', shape)
    file = structure_life(folder, life.replace("relative_error = 0.02", "relative_error = 0.3"))
    (folder / "block.toml").write_text(ORBIT, encoding="utf-8")
    text = file.read_text(encoding="utf-8")
    wave = 'kind = "sine"\namplitude = 2.0\nfrequency = 5.0\n'
    rotating = (
        f"[inputs.base_acceleration_y]\n{wave}[inputs.base_acceleration_z]\n{wave}phase = 1.5708\n"
    )
    file.write_text(
        text.replace(f"[inputs.base_acceleration_x]\n{wave}", rotating), encoding="utf-8"
    )
    return file


@pytest.mark.parametrize(
    ("shape", "reason"),
    [
        ('{ kind = "TUBE_BAV", tube_radius = 0.01, width = 0.02 }', "follows the hole"),
        ('{ kind = "BALL", radius = 0.01 }', "follows the hole"),
    ],
    ids=["TUBE_BAV", "BALL"],
)
def test_the_scar_of_a_flat_obstacle_is_rejected_in_a_round_hole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], shape: str, reason: str
) -> None:
    assert main(["life", str(in_hole(tmp_path, shape))]) == 2
    error = capsys.readouterr().err
    assert "does not fit the obstacle 'circle' of floor" in error
    assert reason in error
    assert "GRAPPE_ALESAGE" in error


@pytest.mark.long
@pytest.mark.native
def test_wear_all_round_is_not_known_with_scars_that_cover_less(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tube = "tube_radius = 0.01, width = 0.02"
    ring = in_hole(tmp_path, f'{{ kind = "TUBE_ALESAGE", {tube} }}')
    assert main(["life", str(ring), "--years", "4"]) == 0
    assert "of the hole, but scars" not in capsys.readouterr().out
    scar = in_hole(tmp_path, f'{{ kind = "GRAPPE_ALESAGE", {tube}, hole_radius = 0.0102 }}')
    assert main(["life", str(scar), "--years", "4"]) == 3
    # 22 of 24 sectors contain 90 % of uniform wear.
    first = capsys.readouterr().out.splitlines()[0]
    assert "the wear covers 330° of the hole, but scars of GRAPPE_ALESAGE" in first


@pytest.mark.long
@pytest.mark.native
def test_a_round_hole_tells_the_sector_that_wears(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # The block rests near the bottom of a hole about x, at −110°.
    angle = math.radians(-110.0)
    offset = [0.0, 1e-3 * math.cos(angle), 1e-3 * math.sin(angle)]
    file = structure_life(tmp_path, LIFE.replace("relative_error = 0.02", "relative_error = 0.2"))
    block = tmp_path / "block.toml"
    text = block.read_text(encoding="utf-8")
    text = text.replace(
        'obstacle = "plane"\nnormal = [0, 0, 1]', 'obstacle = "circle"\naxis = [1, 0, 0]'
    )
    block.write_text(text.replace("gap = 0.0", f"gap = 1e-3\noffset = {offset}"), encoding="utf-8")
    table, page = tmp_path / "life.csv", tmp_path / "life.html"
    outputs = ["--json", str(tmp_path / "life.json"), "--csv", str(table), "--report", str(page)]
    assert main(["life", str(file), "--years", "1", *outputs]) == 0
    contact = json.loads((tmp_path / "life.json").read_text())["contacts"][0]
    volume, sectors = contact["states"][-1]["volume"], contact["sectors"]
    # The fifth of 24 sectors, from −120° to −105°, contains all of the volume.
    assert sectors["volumes"] == pytest.approx([volume if n == 4 else 0.0 for n in range(24)])
    # The area around the hole is 1 cm².
    assert sectors["even_depth"] == pytest.approx(volume / 1e-4)
    assert sectors["deepest_depth"] == pytest.approx(24.0 * volume / 1e-4)
    # The direction of the wear does not scatter. The error bar is the error bar of the volume.
    bar = contact["states"][-1]["volume_bar"]
    assert sectors["bars"] == pytest.approx([bar if n == 4 else 0.0 for n in range(24)])
    assert sectors["deepest_depth_bar"] == pytest.approx(24.0 * bar / 1e-4)
    assert "deepest sector -120° to -105°: 100 % of the wear" in capsys.readouterr().out
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [float(row["sector_5"]) for row in rows] == pytest.approx(
        [float(row["volume"]) for row in rows]
    )
    assert [float(row["sector_5_bar"]) for row in rows] == pytest.approx(
        [float(row["volume_bar"]) for row in rows]
    )
    assert "Wear of floor by sectors" in page.read_text(encoding="utf-8")


def test_a_contact_without_friction_is_named(tmp_path: Path) -> None:
    file = in_hole(tmp_path, '{ kind = "SIDES", tube_radius = 0.01, width = 0.02 }')
    note = "friction_coefficient = 0 of floor: set it to compute wear"
    assert not any(note in line for line in load_life(file).notes)
    block = tmp_path / "block.toml"
    block.write_text(block.read_text("utf-8").replace("friction_coefficient", "# "), "utf-8")
    assert any(line.startswith(note) for line in load_life(file).notes)


def test_sides_that_wear_need_a_circle_and_a_polygon_names_this_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = in_hole(tmp_path, '{ kind = "SIDES", tube_radius = 0.01, width = 0.02 }')
    square = ORBIT.replace('obstacle = "circle"', 'obstacle = "polygon"\nsides = 4')
    assert square != ORBIT
    (tmp_path / "block.toml").write_text(square, encoding="utf-8")
    assert main(["life", str(file)]) == 2
    error = capsys.readouterr().err
    assert "'SIDES' does not fit the obstacle 'polygon' of floor: SIDES requires a circle" in error


def test_sides_that_wear_do_not_open_their_gap_in_the_runs_as_well(tmp_path: Path) -> None:
    file = in_hole(tmp_path, '{ kind = "SIDES", tube_radius = 0.01, width = 0.02 }')
    feedback = "wear_feedback = true\narchard_coefficient = 1e-13\nwear_area = 1e-4\n"
    (tmp_path / "block.toml").write_text(ORBIT + feedback, encoding="utf-8")
    structure = load_life(file).contacts[0].structure
    assert structure is not None
    assert [c.parameters.wear_feedback for c in structure.contacts] == [False]


@pytest.mark.parametrize(
    ("contact", "margin"),
    [
        # Gravity pulls the block away from the ceiling. The smallest gap is the initial one.
        ("ceiling", "smallest gap seen 2000 µm"),
        ("floor", "friction reached 100 % of its limit"),
    ],
)
def test_the_margin_before_wear_is_the_smallest_gap_or_the_share_of_the_friction_limit(
    tmp_path: Path, contact: str, margin: str
) -> None:
    chosen = LIFE.replace("[life]", f'[life]\ncontact = "{contact}"')
    ceiling = SECOND_CONTACT.replace("gap = 1.0", "gap = 0.002")
    life = load_life(structure_life(tmp_path, chosen, ceiling))
    assert MotionRuns(life).margin(life.case, life.contacts[0], [np.zeros(1)]) == margin
