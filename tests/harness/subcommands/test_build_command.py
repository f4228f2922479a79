"""`wearfmu build`: the built FMUs, their defaults and their names."""

from pathlib import Path

import pytest

from fmu_src.archive.builder import is_stale
from fmu_src.models import MOTION_STARTS, definition_of, fmu_definition
from harness import FmuError
from harness.command_line import main
from harness.fmu.files import own_fmu, with_start_values
from harness.fmu.interface import read_interface
from harness.shaking import motion_text, read_shaking
from tests.structures import contact, toml, write_structure_file


def build(folder: Path, *arguments: str) -> int:
    return main(["build", *arguments, "--out", str(folder)])


def starts(fmu: Path) -> dict[str, str | None]:
    return {name: one.start for name, one in read_interface(fmu).variables.items()}


def test_without_names_all_are_built_and_with_names_those(tmp_path, capsys):
    assert build(tmp_path) == 0
    assert [Path(line).name for line in capsys.readouterr().out.split()] == [
        "BaseMotion.fmu",
        "DisChoc.fmu",
        "FrictionalShock.fmu",
        "ModalShock.fmu",
    ]
    assert build(tmp_path / "two", "DisChoc", "BaseMotion") == 0
    assert len(list((tmp_path / "two").iterdir())) == 2


def test_start_values_become_the_defaults_and_leave_the_others(tmp_path, capsys):
    usual = starts(own_fmu("FrictionalShock", tmp_path))
    values = ["normal_law=penalty", "contact_stiffness=1e6", "start_in_equilibrium=true"]
    assert build(tmp_path, "FrictionalShock", "--start", *values, "--name", "wall") == 0
    (path,) = capsys.readouterr().out.split()
    assert Path(path) == tmp_path / "wall.fmu"
    changed = {"normal_law": "1", "contact_stiffness": "1000000.0", "start_in_equilibrium": "true"}
    assert starts(Path(path)) == {**usual, **changed}


def test_the_usual_fmu_and_one_with_other_defaults_lie_side_by_side(tmp_path, capsys):
    usual = own_fmu("DisChoc", tmp_path)
    content = usual.read_bytes()
    assert build(tmp_path, "DisChoc", "--start", "drive=displacement") == 0
    assert build(tmp_path, "DisChoc", "--start", "friction_coefficient=0.6") == 0
    first, second = map(Path, capsys.readouterr().out.split())
    assert len({usual, first, second}) == 3
    assert usual.read_bytes() == content
    assert starts(first)["drive"] == "1"
    assert starts(second)["friction_coefficient"] == "0.6"


def test_start_values_that_rarely_mean_what_they_say_are_noted(tmp_path, capsys):
    started = ("normal_law=penalty", "initial_gap=0", "restitution=0.5")
    assert build(tmp_path, "FrictionalShock", "--start", *started) == 0
    output = capsys.readouterr()
    assert len(output.out.splitlines()) == 1
    stiffness, restitution = output.err.splitlines()
    assert stiffness.startswith("note: contact_stiffness is the default 20 N/m")
    assert restitution.startswith("note: restitution has no effect with normal_law=penalty")
    # Explicit values are not noted, even if they are the defaults. Other FMUs are not noted
    # either.
    set_all = ("normal_law=penalty", "initial_gap=0", "contact_stiffness=20")
    assert build(tmp_path, "FrictionalShock", "--start", *set_all) == 0
    assert build(tmp_path, "DisChoc", "--start", "contact_stiffness=20") == 0
    assert capsys.readouterr().err == ""


def test_start_values_that_are_the_defaults_give_the_usual_fmu(tmp_path):
    usual = own_fmu("FrictionalShock", tmp_path / "usual").read_bytes()
    values = ("normal_law=prescribed", "mass=1")
    assert build(tmp_path, "FrictionalShock", "--start", *values) == 0
    assert (tmp_path / "FrictionalShock.fmu").read_bytes() == usual


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--start", "mass=2"),
            "--start requires the name of a single FMU, as in: wearfmu build Fric",
        ),
        (
            ("DisChoc", "BaseMotion", "--start", "mass=2"),
            "--start requires the name of a single FMU, as in: wearfmu build Fric",
        ),
        (("FrictionalShock", "--start", "mass=-2"), "--start mass=-2: must be > 0 kg"),
        (
            ("FrictionalShock", "--start", "mas=2"),
            "--start 'mas' is not a parameter of FrictionalShock.fmu; did you mean 'mass'?",
        ),
        (
            ("FrictionalShock", "--start", "normal_law=soft"),
            "--start normal_law=soft: must be one of: prescribed (0), penalty (1), rigid (2)",
        ),
        (
            ("FrictionalShock", "--start", "start_in_equilibrium=1"),
            "--start start_in_equilibrium=1: must be true or false",
        ),
        (("FrictionalShock", "--start", "mass=heavy"), "--start mass=heavy: must be a number"),
        (
            ("BaseMotion", "--start", "value_column=2.5"),
            "--start value_column=2.5: must be a whole number",
        ),
        (
            ("FrictionalShock", "--start", "mass=2", "mass=3"),
            "--start mass is given twice: 2 and 3",
        ),
        (
            ("FrictionalShock", "--start", "mass=2", "--start", "mass=2"),
            "--start mass is given twice: 2 and 2",
        ),
        *(
            (
                ("FrictionalShock", "--start", "mass=2", "--name", name),
                f"--name {name} is the name of the FMU with the usual defaults",
            )
            for name in ("DisChoc", "frictionalshock")
        ),
        *(
            (
                ("FrictionalShock", "--start", "mass=2", "--name", name),
                f"--name {name!r} must be a file name of letters, digits, _ and -, without .fmu",
            )
            for name in ("../evil", "a/b", "a\\b", "x.fmu", ".", "C:x")
        ),
        (("DisChoc", "--name", "spring"), "--name requires --start"),
        (
            ("--structure", "rod.toml"),
            "--structure requires the name of a single FMU, as in: wearfmu build",
        ),
        (("ModalShock", "--structure", "none.toml"), "none.toml: No such file or directory"),
        (("DisChok",), "'DisChok' must be one of BaseMotion, DisChoc, F"),
        (("Nope",), "'Nope' must be one of BaseMotion, DisChoc, FrictionalShock, ModalShock"),
        (
            ("FrictionalShock", "--structure", "none.toml"),
            "FrictionalShock does not accept a structure file: use ModalShock",
        ),
        (
            ("FrictionalShock", "--start", "friction_table=f.csv"),
            "--start 'friction_table' is not a parameter of FrictionalShock.fmu; did you mean "
            "'friction_table_speed[1]' and 'friction_table_coefficient[1]' …?",
        ),
    ],
)
def test_what_cannot_be_built_is_refused_in_one_line_and_nothing_is_written(
    tmp_path, capsys, arguments, message
):
    assert build(tmp_path, *arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"wearfmu: {message}")
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_the_fmus_name_stands_before_its_start_values(tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        build(tmp_path, "--start", "mass=2", "FrictionalShock")
    assert ended.value.code == 2
    assert (
        "'FrictionalShock' must be NAME=VALUE, without spaces: write the name of the FMU before "
        "--start. "
    ) in capsys.readouterr().err


@pytest.mark.parametrize("name", ["FrictionalShock", "DisChoc", "BaseMotion", "ModalShock"])
def test_start_values_are_read_by_the_types_of_the_fmus_own_parameters(tmp_path, name):
    interface = read_interface(own_fmu(name, tmp_path))
    kinds = {one.name: one.kind for one in fmu_definition(name).slave.table}
    assert kinds == {one.name: one.type for one in interface.variables.values()}


def test_an_fmu_with_other_defaults_is_built_once_and_anew_when_stale(tmp_path):
    usual = own_fmu("FrictionalShock", tmp_path)
    made = with_start_values(usual, "FrictionalShock", {"normal_law": "rigid"})
    assert made.parent == tmp_path
    assert starts(made)["normal_law"] == "2"
    content, written = made.read_bytes(), made.stat().st_mtime_ns
    # The number of an enumeration gives the same FMU as its name.
    assert with_start_values(usual, "FrictionalShock", {"normal_law": 2}) == made
    assert made.stat().st_mtime_ns == written
    made.write_bytes(usual.read_bytes())
    with_start_values(usual, "FrictionalShock", {"normal_law": "rigid"})
    assert made.read_bytes() == content
    assert with_start_values(usual, "FrictionalShock", {"normal_law": "prescribed"}) == usual


def test_only_an_fmu_of_the_present_sources_can_be_built_with_other_defaults(tmp_path, toy_fmu):
    with pytest.raises(FmuError, match="was built from other sources"):
        with_start_values(toy_fmu, "ToyIntegrator", {"gain": 1.0})
    usual = own_fmu("FrictionalShock", tmp_path)
    with pytest.raises(FmuError, match=r"^mass=0 kg must be > 0$"):
        with_start_values(usual, "FrictionalShock", {"mass": 0})


QUAKE = (
    "PEER\nquake\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS=  4, DT= .0050 SEC\n"
    " .1 .2 -.3 .004\n"
)


def quake_table(folder: Path) -> Path:
    """Write a motion table beside the record from which it was made."""
    record, table = folder / "record.txt", folder / "motion.csv"
    record.write_text(QUAKE)
    assert main(["motion", str(record), "--out", str(table)]) == 0
    return table


def test_an_fmu_is_built_that_plays_the_table_by_default(tmp_path, capsys):
    table = quake_table(tmp_path)
    build = ["build", "BaseMotion", "--motion", str(table), "--out", str(tmp_path)]
    assert main(build) == 0
    fmu = Path(capsys.readouterr().out.splitlines()[-1])
    starts = {name: variable.start for name, variable in read_interface(fmu).variables.items()}
    assert (starts["kind"], starts["file"]) == ("2", "resources/motion.csv")
    text = table.read_text()
    assert not is_stale(
        fmu, model=definition_of("BaseMotion", motion=text), start_values=MOTION_STARTS
    )
    other = text.replace("0.0,", "-1.0,")
    assert is_stale(
        fmu, model=definition_of("BaseMotion", motion=other), start_values=MOTION_STARTS
    )
    # Another table gives another FMU beside it. --start has precedence over the table.
    table.write_text(motion_text(read_shaking(table, scale=2.0)))
    assert main([*build, "--start", "interpolation=previous"]) == 0
    second = Path(capsys.readouterr().out.splitlines()[-1])
    assert second.name != fmu.name
    assert read_interface(second).variables["interpolation"].start == "1"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["BaseMotion", "--motion", "record.txt"],
            "convert it by `wearfmu motion record.txt --out FILE`",
        ),
        (["BaseMotion", "--motion", "none.csv"], "none.csv: No such file or directory"),
        (
            ["FrictionalShock", "--motion", "motion.csv"],
            "FrictionalShock does not accept a motion file",
        ),
        (["--motion", "motion.csv"], "wearfmu build BaseMotion --motion"),
    ],
)
def test_what_cannot_be_put_into_an_fmu_is_refused(
    tmp_path, arguments, message, monkeypatch, capsys
):
    quake_table(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["build", *arguments]) == 2
    assert message in capsys.readouterr().err


BALLS = Path(__file__).parents[3] / "examples" / "balls.toml"


def test_an_fmu_is_built_for_a_file_of_contacts(tmp_path, capsys):
    build = ["build", "DisChoc", "--contacts", str(BALLS), "--out", str(tmp_path)]
    assert main([*build, "--start", "right.effective_mass=3", "lag=parallel"]) == 0
    fmu = Path(capsys.readouterr().out.splitlines()[-1])
    variables = read_interface(fmu).variables
    assert variables["left.effective_mass"].start == "1.0"
    assert variables["right.effective_mass"].start == "3.0"
    assert variables["lag"].start == "1"
    assert {"left.displacement_x", "right.mean_force_z", "hole.wear_work"} <= set(variables)


def test_a_structure_is_built_with_other_start_values(tmp_path, capsys):
    build = ["build", "ModalShock", "--start", "support_1.gap=1e-4", "--out", str(tmp_path)]
    assert main(build) == 0
    fmu = Path(capsys.readouterr().out.splitlines()[-1])
    assert read_interface(fmu).variables["support_1.gap"].start == "0.0001"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--contacts", str(BALLS)], "--contacts requires the name of a single FMU"),
        # These options are rejected before the file is read. It is missing or has other content.
        (["FrictionalShock", "--contacts", "none.toml"], "FrictionalShock does not accept a"),
        (
            ["ModalShock", "--contacts", str(BALLS)],
            "ModalShock does not accept a contacts file: use DisChoc",
        ),
        (["DisChoc", "--contacts", "none.toml"], "none.toml: No such file or directory"),
        (
            ["DisChoc", "--contacts", str(BALLS), "--start", "left.effective_mass=0"],
            "--start left.effective_mass=0: must be > 0 kg",
        ),
    ],
)
def test_contacts_that_cannot_be_built_are_refused(tmp_path, arguments, message, capsys):
    assert main(["build", *arguments, "--out", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err


def test_several_native_builds_say_first_how_long_they_take(tmp_path, capsys, monkeypatch):
    # Compilation would take minutes.
    monkeypatch.setattr("harness.fmu.files.native_fmu", lambda model, *_, **__: Path(model.name))
    names = ["DisChoc", "FrictionalShock"]
    assert build(tmp_path, *names, "--native", "--platform", "linux64", "win64") == 0
    out, err = capsys.readouterr()
    assert err == "building 2 native FMUs: about 4 minutes if none is compiled yet\n"
    assert out.splitlines() == names


def test_start_values_that_contradict_each_other_get_a_note(tmp_path, capsys):
    build = ["build", "FrictionalShock", "--out", str(tmp_path), "--name", "mine", "--start"]
    assert main([*build, "wear_feedback=true"]) == 0
    assert "note: a run with these start values fails unless" in capsys.readouterr().err
    assert main([*build, "wear_feedback=true", "--start", "normal_law=penalty"]) == 0
    assert "fails unless" not in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--structure", "--contacts"])
def test_a_file_that_breaks_a_rule_is_refused_without_native_too(tmp_path, option, capsys):
    file = tmp_path / "file.toml"
    damped = contact(
        friction_coefficient=0.2, tangential_stiffness=1e6, tangential_damping=1e-9, gap=1e-3
    )
    if option == "--structure":
        write_structure_file(file, [10.0, 20.0, 30.0], damped)
    else:
        body = {"name": "p", "effective_mass": 1.0}
        file.write_text(toml({"point": [body], "contact": [damped]}), encoding="utf-8")
    name = {"--structure": "ModalShock", "--contacts": "DisChoc"}[option]
    assert main(["build", name, option, str(file), "--out", str(tmp_path)]) == 2
    assert f"{file}: c: tangential_damping=1e-09 N.s/m must be 0" in capsys.readouterr().err
    assert not list(tmp_path.glob("*.fmu"))
