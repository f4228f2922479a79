"""Notes on inputs, structures and results: the same list in every output."""

import json
import math
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from harness import load_case
from harness.case.shipped import shipped_cases
from harness.command_line import main
from harness.life import load_life
from harness.sweep import load_sweep
from tests.structures import contact, point, write_structure_file

NOISE = 'kind = "noise"\nrms = 3.0\nlow = 1.0\nhigh = 20.0\nsample_interval = 0.01\nseed = {}\n'
SHOE = '[case]\ntitle = "Shoe"\nfmu = "FrictionalShock"\n'
TUBE = '[case]\ntitle = "Tube"\nfmu = "ModalShock"\nstructure = "tube.toml"\n'
GRID = "[experiment]\nstop_time = 1.0\nstep_size = 0.01\n"
LIFE = """\
[life]
years = 1.0
law = { kind = "ARCHARD", coefficient = 1e-16 }
shape = { kind = "FLAT", wear_area = 1e-4 }
"""


# One mode of 2 kg at 10 Hz. The shape is 0.5 at the point: 2 (2π 10)²/0.5² = 31583 N/m.
def written(
    folder: Path, text: str, *, gravity: float = 0.0, initial: Any = None, **keys: float
) -> Path:
    write_structure_file(
        folder / "tube.toml",
        [10.0],
        contact("stop", "tip", **{"gap": 1e-3, "residual_flexibility": 1e-9, **keys}),
        points=[point("tip", z=[0.5])],
        modes={"generalised_mass": [2.0], "damping_ratio": 0.02},
        base={"participation_z": [1.0], "gravity_z": gravity},
        load=[{"name": "push", "shape": [1.0]}],
        initial=initial or {},
    )
    file = folder / "study.toml"
    file.write_text(text, encoding="utf-8")
    return file


def noises(*seeds: int) -> str:
    names = ("base_acceleration", "base_acceleration_normal", "tangential_load")
    return "".join(
        f"[inputs.{name}]\n{NOISE.format(seed)}" for name, seed in zip(names, seeds, strict=False)
    )


def ran_notes(file: Path) -> list[str]:
    """Return the notes of a run from its JSON file."""
    target = file.with_name("out.json")
    assert main(["run", str(file), "--json", str(target)]) == 0
    (case,) = json.loads(target.read_text(encoding="utf-8"))["cases"]
    notes: list[str] = case["notes"]
    return notes


def shown_notes(file: Path) -> list[str]:
    """Return the notes of a run, which must be the same in JSON and on the page."""
    page = file.with_name("page.html")
    notes = ran_notes(file)
    assert main(["run", str(file), "--report", str(page)]) == 0
    (shown,) = re.findall(
        r'<ul class="warnings"[^>]*>(.*?)</ul>', page.read_text(encoding="utf-8"), re.DOTALL
    ) or [""]
    assert [unescape(one) for one in re.findall("<li>(.*?)</li>", shown)] == notes
    return notes


@pytest.mark.parametrize(
    ("seeds", "noted"),
    [
        ((1, 2, 3), []),
        (
            (7, 7),
            ["inputs.base_acceleration and inputs.base_acceleration_normal have the same seed, 7"],
        ),
        (
            (0, 0, 0),
            [
                "inputs.base_acceleration, inputs.base_acceleration_normal and "
                "inputs.tangential_load have the same seed, 0"
            ],
        ),
        ((4,), []),
    ],
)
def test_several_noises_of_one_seed_are_noted(tmp_path, seeds, noted):
    notes = shown_notes(written(tmp_path, SHOE + noises(*seeds) + GRID))
    # With three inputs of one seed, the load on 1 kg cancels the base motion, so the mass does not
    # slip.
    found = [note.partition(", and so")[0] for note in notes if "same seed" in note]
    assert found == noted


def test_noise_of_one_seed_is_one_noise():
    """Noises of one seed are fully correlated, as the note states."""
    from harness.fmu.noise import NoiseSignal

    one, other = (
        NoiseSignal(kind="noise", rms=rms, low=1.0, high=20.0, sample_interval=0.01, seed=3)
        for rms in (1.0, 4.0)
    )
    times = load_case(shipped_cases()["bouncing_ball"]).experiment.times()
    # The scale is applied before or after the gain of the filter. Some thousand sums are rounded.
    assert other.sample(times) == pytest.approx(4.0 * one.sample(times), rel=1e-12)


def test_a_structure_that_nothing_moves_is_noted(tmp_path):
    (note,) = shown_notes(written(tmp_path, TUBE + GRID))
    assert note == (
        "the structure does not move: it starts at rest without gravity, and no input is set. Set "
        "one of base_acceleration_x, _y and _z, load.push"
    )
    zero = '[inputs.load.push]\nkind = "constant"\nvalue = 0.0\n'
    assert ran_notes(written(tmp_path, TUBE + zero + GRID)) == [note]


def test_a_base_acceleration_without_participation_is_noted(tmp_path):
    base = "[inputs.base_acceleration_AXIS]\nkind = 'sine'\namplitude = 1.0\nfrequency = 3.0\n"
    notes = {}
    for axis in "xz":
        file = written(tmp_path, TUBE + base.replace("AXIS", axis) + GRID)
        notes[axis] = [note for note in ran_notes(file) if "has no effect" in note]
    assert notes == {
        "x": ["base_acceleration_x has no effect: give participation_x in [base] of the structure"],
        "z": [],
    }


@pytest.mark.parametrize(
    ("inputs", "structure"),
    [
        ('[inputs.load.push]\nkind = "constant"\nvalue = 10.0\n', {}),
        ("", {"gravity": -9.81, "gap": 0.01}),
        ("", {"initial": {"displacement": [0.001]}}),
        ("", {"initial": {"velocity": [0.1]}}),
    ],
)
def test_a_structure_that_something_moves_is_not(tmp_path, inputs, structure):
    notes = ran_notes(written(tmp_path, TUBE + inputs + GRID, **structure))
    assert not any("does not move" in note for note in notes)


def test_gravity_does_not_move_a_structure_that_starts_in_its_equilibrium(tmp_path):
    file = written(tmp_path, TUBE + GRID, gravity=-9.81, gap=0.01, initial={"equilibrium": True})
    assert any("does not move" in note for note in ran_notes(file))


@pytest.mark.parametrize(("stiffness", "noted"), [(3.1e4, True), (3.2e4, False)])
def test_a_contact_softer_than_every_mode_at_its_point_is_noted(tmp_path, stiffness, noted):
    push = '[inputs.load.push]\nkind = "constant"\nvalue = 30.0\n'
    file = written(tmp_path, TUBE + push + GRID, contact_stiffness=stiffness, gap=-1e-5)
    notes = [note for note in ran_notes(file) if "below the stiffness of every mode" in note]
    assert len(notes) == noted
    if noted:
        assert notes[0].startswith("contact stop: its stiffness of 3.1e+04 N/m")
        assert "3.158e+04 N/m and more" in notes[0]


def test_a_parameter_of_the_case_is_the_stiffness_that_counts(tmp_path):
    set_stiffness = "[parameters]\nstop.contact_stiffness = 1e3\n"
    notes = ran_notes(written(tmp_path, TUBE + set_stiffness + GRID))
    assert sum("below the stiffness of every mode" in note for note in notes) == 1


@pytest.mark.parametrize(("gap", "noted"), [(0.1, True), (0.002, False)])
def test_a_gap_far_beyond_the_motion_of_a_structure_is_noted(tmp_path, gap, noted):
    # The tip moves by 1 mm, away from the stop.
    push = '[inputs.load.push]\nkind = "constant"\nvalue = 8.0\n'
    notes = ran_notes(written(tmp_path, TUBE + push + GRID, gap=gap))
    found = [note for note in notes if "never closes" in note]
    assert len(found) == noted
    if noted:
        said = re.match(r"contact stop: its gap starts at 0.1 m and changes by (\S+) m", found[0])
        assert said is not None
        # Half of 8 N/k with its overshoot. A communication point is within 0.1 ms of the peak.
        stiffness, damping = 2.0 * (20.0 * math.pi) ** 2, 0.02
        swing = 1.0 + math.exp(-math.pi * damping / math.sqrt(1.0 - damping**2))
        assert float(said[1]) == pytest.approx(0.5 * 8.0 / stiffness * swing, rel=1e-4)
        assert found[0].endswith("is stop.gap in m?")


@pytest.mark.parametrize("compared", [False, True])
@pytest.mark.parametrize(("gap", "noted"), [(0.1, True), (0.002, False), (0.0001, False)])
def test_a_gap_far_beyond_the_motion_of_the_mass_is_noted(tmp_path, gap, noted, compared):
    """A mass of 1 kg on 1e4 N/m under 5 m/s2 at 3 Hz moves by about 0.5 mm."""
    text = (
        f'{SHOE}source = "none"\n[parameters]\nnormal_law = "rigid"\ninitial_gap = {gap}\n'
        "normal_stiffness = 1e4\nnormal_damping = 20.0\ngravity = 0.0\n"
        '[inputs.base_acceleration_normal]\nkind = "sine"\namplitude = 5.0\nfrequency = 3.0\n'
        f"{GRID}"
    )
    if compared:
        text += (
            '[[expect]]\nquantity = "value"\nvariable = "gap"\ntime = 0.0\n'
            f'value = {gap}\natol = 0.0\nsource = "the start"\nreason = "exact"\n'
        )
    notes = ran_notes(written(tmp_path, text))
    found = [note for note in notes if "never closes" in note]
    assert len(found) == noted
    if noted:
        assert found[0].startswith("gap starts at 0.1 m and changes by 0.00")
        assert found[0].endswith("is initial_gap in m?")
    # A case with expectations gets no note on zeros, which may be expected.
    touches = any("never touches" in note for note in notes)
    assert touches is (gap > 0.001 and not compared)


@pytest.mark.parametrize(("gap", "noted"), [(0.5, True), (0.002, False), (0.0005, False)])
def test_a_gap_far_beyond_the_path_of_a_spring_is_noted(tmp_path, gap, noted):
    text = (
        '[case]\ntitle = "a spring"\nfmu = "DisChoc"\nsource = "none"\n[parameters]\n'
        f'drive = "displacement"\ndist_1 = {gap}\n[inputs.imposed_displacement_x]\n'
        f'kind = "sine"\namplitude = 1e-3\nfrequency = 3.0\n{GRID}'
    )
    found = [note for note in ran_notes(written(tmp_path, text)) if "never closes" in note]
    assert len(found) == noted
    if noted:
        assert found[0].startswith("clearance starts at 0.5 m and changes by 0.00")
        assert found[0].endswith("is dist_1 in m?")


def test_a_sweep_and_a_life_note_what_the_case_notes(tmp_path, capsys):
    penalty = '[parameters]\nnormal_law = "penalty"\nstart_in_equilibrium = true\n'
    file = written(tmp_path, SHOE + penalty + noises(5, 5) + GRID + LIFE)
    notes = ran_notes(file)
    assert {note.split()[0] for note in notes} >= {"contact_stiffness", "inputs.base_acceleration"}
    assert list(load_life(file).notes) == notes

    sweep = tmp_path / "sweep.toml"
    sweep.write_text(
        '[sweep]\ntitle = "x"\ncase = "study.toml"\nengine = "kernel"\noutput = "out.csv"\n'
        '[[sweep.quantities]]\nname = "work"\nquantity = "value"\nvariable = "wear_work"\n'
        'time = 1.0\n[design]\nkind = "grid"\n'
        '[vary.mu]\nof = "parameters.friction_coefficient"\nvalues = [0.1, 0.2]\n',
        encoding="utf-8",
    )
    assert load_sweep(sweep, fmu_folder=None).notes == dict.fromkeys(notes, 0)
    page = tmp_path / "map.html"
    capsys.readouterr()
    assert main(["sweep", str(sweep), "--map", str(page)]) == 0
    lines = [f"note, as at point 0: {note}" for note in notes]
    said = [line for line in capsys.readouterr().err.splitlines() if "note" in line]
    assert said == lines
    shown = unescape(page.read_text(encoding="utf-8"))
    assert all(f"<li>{line}</li>" in shown for line in lines)


def test_a_life_of_a_structure_notes_what_its_case_notes(tmp_path):
    text = TUBE + "[parameters]\nstop.contact_stiffness = 1e3\n"
    text += "stop.friction_coefficient = 0.2\nstop.tangential_stiffness = 1e3\n" + GRID + LIFE
    (tmp_path / "tube.toml").write_text("", encoding="utf-8")
    file = written(tmp_path, text)
    assert list(load_life(file).notes) == ran_notes(file)


@pytest.mark.parametrize(("newton", "is_questioned"), [(1000.0, False), (1e6, True)])
def test_a_load_that_would_deflect_far_beyond_the_gap_is_questioned(
    tmp_path, capsys, newton, is_questioned
):
    write_structure_file(
        tmp_path / "tube.toml",
        [10.0],
        contact("stop", "tip", gap=1e-4, residual_flexibility=1e-9),
        points=[point("tip", z=[0.5])],
        modes={"generalised_mass": [2.0], "damping_ratio": 0.02},
        load=[{"name": "upper", "shape": [0.5]}],
    )
    # 1 kN deflects the point by 1000 · 0.5²/(2 (2π 10)²) = 32 mm.
    text = TUBE + f'[inputs."load.upper"]\nkind = "constant"\nvalue = {newton}\n' + GRID
    (tmp_path / "case.toml").write_text(text, encoding="utf-8")
    assert main(["run", str(tmp_path / "case.toml")]) in (0, 1)
    assert ("without supports" in capsys.readouterr().out) == is_questioned


def test_friction_in_percent_is_questioned(tmp_path, capsys):
    (tmp_path / "case.toml").write_text(
        SHOE + "[parameters]\nfriction_coefficient = 15.0\n" + GRID, encoding="utf-8"
    )
    main(["run", str(tmp_path / "case.toml")])
    assert (
        "friction_coefficient=15 is implausible: usual values are 0 to 2" in capsys.readouterr().out
    )


@pytest.mark.parametrize(
    ("law", "peak", "noted"),
    [("prescribed", 12.0, True), ("prescribed", 9.0, False), ("rigid", 12.0, False)],
)
def test_a_mass_that_would_lift_off_is_noted_if_the_normal_force_is_prescribed(
    tmp_path, law, peak, noted
):
    text = (
        f'{SHOE}source = "none"\n[parameters]\nnormal_law = "{law}"\ngravity = 10.0\n'
        f'[inputs.base_acceleration_normal]\nkind = "sine"\namplitude = {peak}\nfrequency = 3.0\n'
        f"{GRID}"
    )
    notes = ran_notes(written(tmp_path, text))
    assert any("normal_law=rigid lets it lift off" in note for note in notes) is noted


@pytest.mark.parametrize(
    ("column", "scale", "noted"),
    [
        ("a", 1.0, "if it is g"),
        ("a [m/s2]", 1.0, ""),
        ("a", -1.0, "if it is g"),
        ("a", 9.81, ""),
        ("b", 1.0, "if it is cm/s2"),
    ],
)
def test_an_acceleration_without_unit_is_noted(tmp_path, column, scale, noted):
    """Column a has a peak of 0.3 and column b of 300."""
    (tmp_path / "r.csv").write_text(f"time,{column}\n" + "".join(
        f"{0.01 * k:.2f},{(300.0 if column == 'b' else 0.3) * (k % 2)}\n" for k in range(201)
    ), encoding="utf-8")  # fmt: skip
    text = (
        f'{SHOE}source = "none"\n[inputs.base_acceleration]\nkind = "csv"\nfile = "r.csv"\n'
        f'value_column = "{column}"\nscale = {scale}\n{GRID}'
    )
    found = [note for note in ran_notes(written(tmp_path, text)) if "assumed to be m/s2" in note]
    assert len(found) == bool(noted)
    assert noted in "".join(found)


@pytest.mark.parametrize(("loads", "noted"), [("[0.0, 10.0]", False), ("[10.0, -10.0]", True)])
def test_a_normal_force_that_only_starts_at_0_is_not_noted(tmp_path, loads, noted):
    text = (
        f'{SHOE}source = "none"\n[parameters]\ngravity = 0.0\n[inputs.normal_load]\n'
        f'kind = "table"\ntime = [0.0, 1.0]\nvalue = {loads}\n{GRID}'
    )
    notes = ran_notes(written(tmp_path, text))
    assert any("normal_law=rigid lets it lift off" in note for note in notes) is noted
