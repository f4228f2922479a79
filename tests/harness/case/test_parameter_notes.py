"""Notes on parameters: where they are shown, and that they are true."""

import json
from collections.abc import Mapping

import numpy as np
import pytest

from harness import LoadedFmu, RunRecord, load_fmu
from harness.case.notes import all_parameters, notes_on
from harness.command_line import main

Given = Mapping[str, bool | int | float | str]
PENALTY: Given = {"normal_law": "penalty", "contact_stiffness": 1e6, "start_in_equilibrium": True}


@pytest.fixture(scope="module")
def shoe(tmp_path_factory: pytest.TempPathFactory) -> LoadedFmu:
    return load_fmu("FrictionalShock", folder=tmp_path_factory.mktemp("fmus"))


@pytest.mark.parametrize(
    ("given", "beginnings"),
    [
        ({}, []),
        ({"friction_coefficient": 0.3, "archard_coefficient": 1e-15}, []),
        ({"normal_law": "rigid", "restitution": 0.5}, []),
        (PENALTY, []),
        ({**PENALTY, "contact_stiffness": 20.0}, []),  # an explicit value is not noted
        (
            {"normal_law": "penalty"},
            [
                "contact_stiffness is the default 20 N/m, which deflects by 0.05 m per newton",
                "the mass starts at zero contact force and drops into the contact spring",
            ],
        ),
        ({"normal_law": "penalty", "contact_stiffness": 1e6}, ["the mass starts at zero contact"]),
        ({"normal_law": "penalty", "contact_stiffness": 1e6, "initial_gap": 1e-3}, []),
        # Without weight or preload, the mass does not drop.
        ({"normal_law": "penalty", "contact_stiffness": 1e6, "gravity": 0.0}, []),
        ({"normal_law": "penalty", "contact_stiffness": 1e6, "preload": -10.0}, []),
        (
            {"normal_law": "penalty", "contact_stiffness": 1e6, "gravity": 0.0, "preload": 3.0},
            [
                "the mass starts at zero contact force and drops into the contact spring. The "
                "force reaches up to 6 N, twice its weight and preload: start_in"
            ],
        ),
        (
            {**PENALTY, "obstacle": "two_planes"},
            ["plane_half_spacing is the default 0.5 m: set the value of your planes"],
        ),
        ({**PENALTY, "obstacle": "two_planes", "plane_half_spacing": 0.01}, []),
        (
            {"restitution": 0.5},
            ["restitution has no effect with normal_law=prescribed: it requires normal_law=rigid"],
        ),
        ({"restitution": 0.0}, []),  # explicit default value
        ({"archard_coefficient": 0.0}, []),
        ({"wear_area": 100.0}, ["wear_area=100 m2 is implausibly large: is it in mm2?"]),
        (
            {"archard_coefficient": 1e-7},  # a usual value in mm²/N
            ["archard_coefficient=1e-07 m2/N is implausible: measured coefficients are between"],
        ),
        (
            {"obstacle": "two_planes"},
            ["obstacle has no effect with normal_law=prescribed: it requires normal_law=penalty"],
        ),
        (
            {"tangential_stiffness": 1e5},
            ["tangential_stiffness has no effect with tangential_law=rigid: it requires tan"],
        ),
    ],
)
def test_notes_are_given_where_a_default_rarely_fits_and_nowhere_else(shoe, given, beginnings):
    notes = notes_on("FrictionalShock", all_parameters(shoe.interface, given), given)
    assert [note[: len(start)] for note, start in zip(notes, beginnings, strict=True)] == beginnings


def run(shoe: LoadedFmu, given: Given) -> RunRecord:
    return shoe.simulate(
        1.0, 1e-2, parameters=given,
        inputs={"base_acceleration": lambda time: 15.0 * np.sin(2.0 * np.pi * time)},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("law", "in_vain"),
    [
        ({}, {"contact_stiffness": 1e5}),
        ({}, {"contact_damping": 3.0}),
        ({}, {"restitution": 0.5}),
        ({}, {"obstacle": "two_planes"}),
        ({}, {"normal_stiffness": 100.0}),
        ({}, {"normal_damping": 3.0}),
        ({}, {"initial_normal_displacement": 0.01}),
        ({}, {"initial_normal_velocity": 0.1}),
        ({}, {"tangential_stiffness": 1e5}),
        ({}, {"tangential_damping": 3.0}),
        (PENALTY, {"restitution": 0.5}),
        (PENALTY, {"plane_half_spacing": 0.1}),
        ({"normal_law": "rigid"}, {"contact_stiffness": 1e5, "contact_damping": 3.0}),
    ],
)
def test_what_is_said_to_do_nothing_does_nothing(shoe, law, in_vain):
    given = {**law, **in_vain}
    notes = notes_on("FrictionalShock", all_parameters(shoe.interface, given), given)
    assert [note.split()[0] for note in notes] == list(in_vain)
    without, with_it = run(shoe, law), run(shoe, given)
    for name, column in without.values.items():
        assert np.array_equal(column, with_it[name]), name


@pytest.mark.parametrize(
    ("pressed", "force"), [({}, 10.0), ({"gravity": 0.0, "preload": 3.0}, 3.0)], ids=str
)
def test_a_mass_let_go_at_zero_force_presses_with_twice_its_weight_and_preload(
    shoe, pressed, force
):
    dropped = run(shoe, {"normal_law": "penalty", "contact_stiffness": 1e6, **pressed})
    resting = run(shoe, {**PENALTY, **pressed})
    # Undamped: F_N = F (1 − cos ωt). The peak between samples is located to rounding.
    assert dropped.peak_normal_force[-1] == pytest.approx(2.0 * force, rel=1e-12)
    assert resting.peak_normal_force[-1] == pytest.approx(force, rel=1e-12)


def test_a_mass_that_nothing_presses_stays_at_zero_force(shoe):
    let_go = run(shoe, {"normal_law": "penalty", "contact_stiffness": 1e6, "gravity": 0.0})
    assert let_go.peak_normal_force[-1] == 0.0


@pytest.mark.parametrize(
    ("options", "noted"),
    [
        (["--set", "restitution=0.5"], True),
        (["--set", "restitution=0.5", "--set", "normal_law=rigid"], False),
    ],
)
def test_notes_of_a_shaking_are_printed_and_in_the_json(tmp_path, shoe, capsys, options, noted):
    record, target = tmp_path / "quake.csv", tmp_path / "out.json"
    record.write_text("time,acc\n0,0\n0.1,3\n0.2,0\n", encoding="utf-8")
    folder = str(shoe.path.parent)
    arguments = ["run", "--input", str(record), "--out", folder, "--json", str(target), *options]
    assert main(arguments) == 0
    notes = json.loads(target.read_text(encoding="utf-8"))["notes"]
    printed = [line for line in capsys.readouterr().out.splitlines() if line.startswith("note: ")]
    assert printed == [f"note: {note}" for note in notes]
    assert [note.startswith("restitution has no effect") for note in notes] == [True] * noted


def test_notes_of_a_case_are_printed_in_the_json_and_change_no_verdict(tmp_path, shoe, capsys):
    case, target, page = (tmp_path / name for name in ("case.toml", "out.json", "page.html"))
    case.write_text(
        '[case]\ntitle = "x"\nsource = "y"\nfmu = "FrictionalShock"\n'
        '[parameters]\nnormal_law = "penalty"\ninitial_gap = 0.01\n'
        "[experiment]\nstop_time = 0.1\nstep_size = 0.01\n",
        encoding="utf-8",
    )
    folder = str(shoe.path.parent)
    arguments = ["run", str(case), "--out", folder, "--json", str(target), "--report", str(page)]
    assert main(arguments) == 0
    (content,) = json.loads(target.read_text(encoding="utf-8"))["cases"]
    notes = content["notes"]
    printed, shown = capsys.readouterr().out, page.read_text(encoding="utf-8")
    assert any(note.startswith("contact_stiffness is the default 20 N/m") for note in notes)
    for note in notes:
        assert f"{case.parent.name}: note: {note}\n" in printed
        assert note in shown
