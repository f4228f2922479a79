"""`wearfmu motion` writes a record as the table that BaseMotion reads."""

from pathlib import Path

import fmpy.util
import numpy as np
import pytest

from harness.command_line import main
from harness.shaking import motion_text, read_shaking
from wearmodel.models.accelerogram import read_accelerogram

AT2 = (
    "PEER\nquake\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS=  4, DT= .0050 SEC\n"
    " .1 .2 -.3 .004\n"
)
GERMAN = "Aufnahme\nZeit [ms];N [g];O [cm/s²]\n0;0,1;2\n5;-0,2;3,5\n10;0,05;-1\n"


def written(folder: Path, text: str, *options: str) -> Path:
    record, table = folder / "record.txt", folder / "motion.csv"
    record.write_text(text)
    assert main(["motion", str(record), "--out", str(table), *options]) == 0
    return table


@pytest.mark.parametrize(
    ("text", "options", "times", "values"),
    [
        (AT2, [], [0.0, 5e-3, 1e-2, 1.5e-2], np.array([0.1, 0.2, -0.3, 0.004]) * 9.80665),
        (
            GERMAN,
            ["--acceleration", "N [g]"],
            [0.0, 5e-3, 1e-2],
            np.array([0.1, -0.2, 0.05]) * 9.80665,
        ),
        (GERMAN, ["--acceleration", "O [cm/s²]"], [0.0, 5e-3, 1e-2], [0.02, 0.035, -0.01]),
        (GERMAN, ["--acceleration", "3", "--scale", "-2"], [0.0, 5e-3, 1e-2], [-0.04, -0.07, 0.02]),
        ("1\n3\n-4\n", ["--dt", "0.5", "--unit", "mm/s2"], [0.0, 0.5, 1.0], [1e-3, 3e-3, -4e-3]),
        ("1\n3\n-4\n", ["--dt", "0.5", "--remove-mean"], [0.0, 0.5, 1.0], [1.0, 3.0, -4.0]),
    ],
)
def test_the_table_holds_the_record_in_si_units_as_base_motion_reads_it(
    tmp_path, text, options, times, values
):
    table = written(tmp_path, text, *options)
    points = read_accelerogram(str(table))
    # Units and scale round twice.
    np.testing.assert_allclose(points.times, times, rtol=5e-16, atol=0.0)
    np.testing.assert_allclose(points.values, values, rtol=5e-16, atol=0.0)


def test_no_digit_is_lost_between_the_record_and_the_table(tmp_path):
    rng = np.random.default_rng(1)
    record = tmp_path / "long.csv"
    np.savetxt(record, np.column_stack([np.arange(5000) * 0.005, rng.normal(size=5000)]))
    shaking = read_shaking(record, unit="g")
    table = tmp_path / "motion.csv"
    table.write_text(motion_text(shaking))
    again = read_shaking(table)
    assert np.array_equal(again.times, shaking.times)
    assert np.array_equal(again.acceleration, shaking.acceleration)
    assert motion_text(again) == table.read_text()


def test_the_command_says_how_it_understood_the_record(tmp_path, capsys):
    table = written(tmp_path, "0,1\n0.01,2\n0.02,0\n")
    said = capsys.readouterr().out
    assert "unit m/s2 (assumed)" in said
    assert said.splitlines()[-1] == str(table)


def test_the_table_for_fmpy_has_the_name_of_the_input(tmp_path, capsys):
    record, table, both = tmp_path / "quake.at2", tmp_path / "input.csv", tmp_path / "motion.csv"
    record.write_text(AT2)
    assert main(["motion", str(record), "--fmpy", str(table), "--out", str(both)]) == 0
    assert capsys.readouterr().out.splitlines()[-2:] == [str(both), str(table)]
    read = fmpy.util.read_csv(table)
    assert read.dtype.names == ("time", "base_acceleration")
    points = read_accelerogram(str(both))
    assert np.array_equal(read["time"], points.times)
    assert np.array_equal(read["base_acceleration"], points.values)


def test_a_motion_without_a_table_to_write_is_refused(tmp_path, capsys):
    record = tmp_path / "quake.at2"
    record.write_text(AT2)
    assert main(["motion", str(record)]) == 2
    assert "give --out FILE.csv for BaseMotion.fmu, or --fmpy FILE.csv" in capsys.readouterr().err


def test_the_record_is_never_overwritten(tmp_path, capsys):
    record = tmp_path / "quake.csv"
    record.write_text("0,1\n0.01,2\n")
    assert main(["motion", str(record), "--out", str(record)]) == 2
    assert "is an input file" in capsys.readouterr().err
    assert record.read_text() == "0,1\n0.01,2\n"


OTHER_TABLE = "time,acceleration\n0,0\n1,2\n2,0\n"


@pytest.mark.parametrize("form", [[], ["--native"]], ids=["Python", "native"])
def test_a_case_whose_base_motion_cannot_read_its_file_is_refused_before_it_runs(
    tmp_path, capsys, form
):
    quake, case = tmp_path / "quake.csv", tmp_path / "case.toml"
    quake.write_text(OTHER_TABLE)
    case.write_text(
        '[case]\ntitle = "Played"\nsource = "here"\nfmu = "BaseMotion"\n'
        f'[parameters]\nkind = "csv"\nfile = "{quake.as_posix()}"\n'
        "[experiment]\nstop_time = 1.0\nstep_size = 0.1\n"
    )
    assert main(["run", str(case), *form, "--out", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert f"parameters.file: {quake} must be a table with the header" in said
    assert f"convert it by `wearfmu motion {quake} --out FILE`" in said


@pytest.mark.parametrize("form", [[], ["--native"]], ids=["Python", "native"])
def test_a_package_whose_base_motion_cannot_read_its_file_is_refused(tmp_path, capsys, form):
    quake, package = tmp_path / "quake.csv", tmp_path / "quake.ssp"
    quake.write_text(OTHER_TABLE)
    motion = ["--motion", "kind=csv", "--motion", f"file={quake}"]
    assert main(["ssp", str(package), *motion, *form, "--out", str(tmp_path)]) == 2
    assert f"convert it by `wearfmu motion {quake} --out FILE`" in capsys.readouterr().err
    assert not package.exists()
