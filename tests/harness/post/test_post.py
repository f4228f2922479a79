"""`wearfmu post`: input, output, written files and errors."""

import csv
import json
import math
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from fmpy.util import write_csv

from harness.command_line import main
from harness.records import table as record_file
from harness.shaking import read_shaking
from wearmodel.statistics import portions

# A mass that knocks twice while it slides at 0.1 m/s: 1 W while the force is 10 N.
TIME = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0]
FORCE = [0.0, 10.0, 10.0, 0.0, 0.0, 0.0, 10.0, 0.0, 0.0]
VELOCITY = [-1.0, -0.5, 0.5, 1.0, 1.0, -1.0, -0.5, 1.0, 1.0]
SLIDING = [0.1] * 9


def knocks(folder: Path, names: str = "time,normal_force,gap_velocity,slip_velocity") -> Path:
    path = folder / "knocks.csv"
    rows = zip(TIME, FORCE, VELOCITY, SLIDING, strict=True)
    text = "\n".join([names, *(",".join(map(repr, row)) for row in rows)])
    path.write_text(text + "\n", encoding="utf-8")
    return path


def post(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main(["post", *map(str, arguments)]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""  # no progress display in a pipe
    return printed.out


def tables_of(path: Path, *arguments: object) -> dict[str, list[dict[str, float]]]:
    target = path.with_suffix(".json")
    assert main(["post", str(path), *map(str, arguments), "--json", str(target)]) == 0
    tables: dict[str, list[dict[str, float]]] = json.loads(target.read_text())["tables"]
    return tables


def test_it_says_what_it_read(tmp_path, capsys):
    path = knocks(tmp_path, "T,Fn,gap_velocity,slip_velocity")
    out = post(capsys, path, "--columns", "time=T", "normal_force=Fn", "--window", 0.5, "inf")
    words = " ".join(out.split())
    assert f"{path}: 9 samples in [0, 4] s, constant step 0.5 s" in words
    assert "time from T, normal_force from Fn, normal_velocity from gap_velocity" in words
    assert "window [0.5, 4] s of 8 samples, interpolated reading, threshold 0 N" in words


@pytest.mark.parametrize("approaching", [True, False], ids=["right sign", "wrong sign"])
def test_a_velocity_of_the_wrong_sign_is_warned_of(tmp_path, capsys, approaching):
    path = tmp_path / "ball.csv"
    sign = 1.0 if approaching else -1.0
    rows = [(0.0, 0.0, -1.0), (0.5, 2.0, -0.5), (1.0, 2.0, 0.5), (1.5, 0.0, 1.0)]
    lines = [f"{time},{force},{sign * velocity}" for time, force, velocity in rows]
    path.write_text("\n".join(["time,normal_force,normal_velocity", *lines, ""]))
    warned = "warning: V_IMPACT is positive in 1 of 1 shocks" in post(capsys, path)
    assert warned is not approaching


def test_irregular_steps_are_told(tmp_path, capsys):
    path = tmp_path / "irregular.csv"
    path.write_text("time,normal_force\n0,0\n1,1\n3,1\n3.5,0\n")
    assert "4 samples in [0, 3.5] s, steps of 0.5 to 2 s" in post(capsys, path)


def test_sampled_statistics_of_nine_samples(tmp_path):
    tables = tables_of(knocks(tmp_path), "--reading", "sampled")
    first, second, whole, *_ = tables["impact"]
    # Two contacts of 10 N, with two samples and one sample. The weight of a sample is half a
    # second.
    assert (first["INSTANT"], first["IMPULSION"], first["T_CHOC"]) == (0.5, 10.0, 1.0)
    assert (second["INSTANT"], second["IMPULSION"], second["T_CHOC"]) == (3.0, 5.0, 0.5)
    assert [first["V_IMPACT"], second["V_IMPACT"]] == [-0.5, -0.5]
    assert whole["F_MAX_ABS"] == 10.0
    by_name = {row["CALCUL"]: row for row in tables["usure"]}
    assert by_name["STAT_CHOC"]["NB_CHOC_S"] == 0.5
    # Trapezoids of F|V|: 1 W at three samples of half a second, over 4 s.
    assert by_name["PUIS_USURE"]["PUIS_USURE"] == pytest.approx(1.5 / 4.0, rel=1e-14)


def test_options_reach_the_statistics(tmp_path):
    path = knocks(tmp_path)
    # The distance of the contacts is 1.5 s in the samples. A rest of 2 s joins them.
    joined = tables_of(path, "--impact", "--reading", "sampled", "--rest", 2.0)
    assert list(joined) == ["impact"]
    assert [row["NB_IMPACT"] for row in joined["impact"] if row["CALCUL"] == "IMPACT"] == [2]
    over = tables_of(path, "--impact", "--reading", "sampled", "--threshold", 10.0)
    assert over["impact"][0] == {"CALCUL": "IMPACT", "CHOC": 0}
    # [0, 2) s and [2, 4) s without the ninth sample: 10 N in two of four samples, and in one of
    # four.
    blocks = tables_of(path, "--usure", "--reading", "sampled", "--blocks", 2)
    assert blocks["usure"][0]["MOYEN_T_TOTAL"] == pytest.approx((5.0 + 2.5) / 2, rel=1e-14)
    window = tables_of(path, "--usure", "--reading", "sampled", "--window", 2.0, 4.0)
    assert window["usure"][0]["MOYEN_T_TOTAL"] == pytest.approx(2.0, rel=1e-14)


def test_classes_divide_the_range_of_the_maxima(tmp_path):
    path = tmp_path / "maxima.csv"
    path.write_text("t,normal_force\n0,0\n1,2\n2,0\n3,4\n4,0\n5,6\n6,0\n")
    rows = tables_of(path, "--impact", "--classes", 2, "--reading", "sampled")["impact"]
    classes = [row for row in rows if row["CALCUL"] == "PROBA"]
    assert [(row["DEBUT"], row["FIN"]) for row in classes] == [(2.0, 4.0), (4.0, 6.0)]
    # 4 N belongs to the upper class, because classes include their lower limit.
    assert [row["PROBA"] for row in classes] == pytest.approx([1 / 3, 2 / 3], rel=1e-14)


def test_relation_gives_one_row_a_phase(tmp_path):
    path = tmp_path / "relation.csv"
    path.write_text("time,active,u\n0,0,0\n1,1,-2\n2,1,1\n3,0,0\n4,1,3\n5,0,0\n")
    tables = tables_of(path, "--relation", "active", "u", "--reading", "sampled")
    assert list(tables) == ["rela"]
    rows = [(row["INST_INIT"], row["INST_FIN"], row["MAXI"]) for row in tables["rela"]]
    assert rows == [(1.0, 2.0, -2.0), (4.0, 4.0, 3.0)]


def test_relation_names_the_contact_and_the_component_of_its_displacement(tmp_path):
    path = tmp_path / "tube.csv"
    path.write_text("time,S1.contact_mode,S1.gap [mm],gap\n0,0,0,1\n1,1,-2,3\n2,0,1,1\n")
    # The column name is written without its unit, because MAXI is in m.
    for column, node, component in (("S1.gap [mm]", "S1", "gap"), ("gap", "tube", "gap")):
        (row,) = tables_of(path, "--relation", "S1.contact_mode", column)["rela"]
        assert (row["NOEUD"], row["CMP"]) == (node, component)


def test_the_end_of_the_window_is_limited_to_the_record(tmp_path, capsys):
    path = tmp_path / "short.csv"
    path.write_text(PLAIN)
    limited = post(capsys, path, "--window", "0.5", "3")
    assert "window [0.5, 1] s of 2 samples" in limited
    assert "window ends at 3 s and is limited to the record, which ends at 1 s" in " ".join(
        limited.split()
    )
    assert "limited" not in post(capsys, path, "--window", "0.5", "1")
    whole = tables_of(path, "--window", "0.5", "1")
    assert tables_of(path, "--window", "0.5", "3") == whole


def test_relation_that_is_never_active_is_one_row_that_says_so(tmp_path, capsys):
    path = tmp_path / "idle.csv"
    path.write_text("time,gap\n0,0\n1,0\n2,0\n")
    assert "PHASE" in post(capsys, path, "--relation", "gap", "gap")
    (row,) = tables_of(path, "--relation", "gap", "gap")["rela"]
    assert row["PHASE"] == 0


def test_fmpys_own_csv_is_read(tmp_path):
    rows = list(zip(TIME, FORCE, VELOCITY, SLIDING, [False] * 9, strict=True))
    names = ("time", "normal_force", "gap_velocity", "slip_velocity", "stick")
    types = [(name, "?" if name == "stick" else "f8") for name in names]
    path = tmp_path / "fmpy.csv"
    write_csv(path, np.array(rows, dtype=types))
    assert path.read_text().startswith('"time","normal_force"')
    assert tables_of(path) == tables_of(knocks(tmp_path))


def test_semicolons_and_decimal_commas_are_read(tmp_path):
    plain = knocks(tmp_path)
    path = tmp_path / "semicolons.csv"
    path.write_text(plain.read_text().replace(",", ";").replace(".", ","))
    assert tables_of(path) == tables_of(plain)


def test_worn_volume_and_depth_of_the_window_and_of_years(tmp_path):
    wear = ("--archard", 1e-13, "--area", 1e-4, "--years", 2)
    window, service = tables_of(knocks(tmp_path), "--reading", "sampled", *wear)["archard"]
    # 1.5 J in 4 s. 2 years have 63 115 200 s.
    assert window == {
        "span": "window",
        "duration": 4.0,
        "wear_work": pytest.approx(1.5, rel=1e-14),
        "worn_volume": pytest.approx(1.5e-13, rel=1e-14),
        "wear_depth": pytest.approx(1.5e-9, rel=1e-14),
    }
    assert service["duration"] == 63_115_200.0
    assert service["wear_depth"] == pytest.approx(1.5e-9 * 63_115_200.0 / 4.0, rel=1e-14)


def test_service_years_are_printed_for_what_they_are(tmp_path, capsys):
    path = knocks(tmp_path)
    assert "extrapolate" in post(capsys, path, "--archard", 1e-13, "--years", 2)
    assert "extrapolate" not in post(capsys, path, "--archard", 1e-13)


@pytest.mark.parametrize(
    ("wear", "questions"),
    [
        (("1e-13", "--area", "1e-4"), []),
        (("0",), []),
        (("1",), ["archard_coefficient=1 m2/N is implausible: measured coefficients "]),
        (("1e-13", "--area", "25"), ["wear_area=25 m2 is implausibly large: is it in mm2?"]),
    ],
    ids=["usual", "no wear", "coefficient of 1", "area in mm2"],
)
def test_a_wear_coefficient_or_area_in_another_unit_is_questioned(
    tmp_path, capsys, wear, questions
):
    assert main(["post", str(knocks(tmp_path)), "--archard", *wear]) == 0
    notes = capsys.readouterr().err.splitlines()
    assert len(notes) == len(questions)
    for note, question in zip(notes, questions, strict=True):
        assert note.startswith(f"note: {question}")


def test_csv_folder_holds_each_table_with_all_digits(tmp_path):
    path, folder = knocks(tmp_path), tmp_path / "new" / "tables"
    tables = tables_of(path, "--csv", folder)
    names = sorted(file.name for file in folder.iterdir())
    assert [name for name in names if name.endswith(".csv")] == ["impact.csv", "usure.csv"]
    assert [name for name in names if not name.endswith(".csv")] == [
        "impact.csv-metadata.json",
        "usure.csv-metadata.json",
    ]
    with (folder / "impact.csv").open(newline="") as stream:
        row = next(csv.DictReader(stream))
    assert float(row["IMPULSION"]) == tables["impact"][0]["IMPULSION"]


def test_printed_tables_fit_80_columns(tmp_path):
    path = tmp_path / "wide.csv"
    time = np.arange(4000) * 1e-3
    force = -1.23456789e-7 * np.maximum(np.sin(200.0 * time), 0.0) * (1.0 + time)
    names = ["time", "normal_force", "gap_velocity"]
    columns = [time, force, -np.cos(200.0 * time)]
    for axis in "12":
        names += [f"tangential_force_{axis}", f"tangential_velocity_{axis}"]
        columns += [0.1 * force, -1.23456789e-7 * time]
    for axis in "xyz":
        names.append(f"position_{axis}")
        columns.append(-1.23456789e-7 * time)
    names += ["active"]
    columns += [force != 0.0]
    np.savetxt(path, np.column_stack(columns), delimiter=";", header=";".join(names), comments="")
    options = (
        "--usure --impact --relation active position_x --window 0 3.999"
        " --archard 1e-13 --area 1e-4 --years 10"
    )
    done = subprocess.run(
        [sys.executable, "-m", "harness", "post", path.name, *options.split()],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    # All names are complete, in horizontal and vertical tables.
    printed = done.stdout.split()
    for name in ("DEPL_ANGULAIRE", "MOYEN_T_TOTAL", "FORCE_TANG_2", "%_T_CHOC", "V_IMPACT"):
        assert name in printed
    assert "…" in printed  # only the first of 127 shocks are printed
    assert "87 more rows, written by --csv and --json" in done.stdout


PLAIN = "time,normal_force\n0,0\n0.5,2\n1,0\n"
REFUSED = {
    "missing column": ("time,Fn,u\n0,0,0\n1,1,1\n", (), "column normal_force is missing"),
    "missing column tells names": ("time,Fn,u\n0,0,0\n1,1,1\n", (), "columns are time, Fn, u"),
    "missing mapped column": (
        PLAIN,
        ("--columns", "normal_force=Fn"),
        "normal_force must be in column Fn. The columns are time, normal_force",
    ),
    "missing flag column": (PLAIN, ("--relation", "flag", "u"), "must be in column"),
    "unknown quantity": (PLAIN, ("--columns", "force=Fn"), "'force' is not a quantity"),
    "time goes back": (PLAIN + "0.75,0\n", (), "time=0.75 s at sample 3 must be >"),
    "two nodes": (PLAIN + "0,0\n0.5,2\n", (), "the table must contain a single node"),
    "time under a name of its own": (
        "Zeit,normal_force\n0,0\n1,1\n",
        (),
        "; select it by --columns time=COLUMN",
    ),
    "time stands still": (PLAIN + "1,0\n", (), "time=1.0 s at sample 3 must be >"),
    "not a number": (PLAIN + "1.5,nan\n", (), "line 5: normal_force=nan N must be finite"),
    "empty cell": (PLAIN + "1.5,\n", (), "line 5: '' must be a finite number"),
    "window after": (PLAIN, ("--window", "2", "3"), "window [2, 3] s must be inside the record"),
    "window too early": (PLAIN, ("--window", "-1", "1"), "window [-1, 1] s must be inside"),
    "window between samples": (PLAIN, ("--window", "0.6", "0.9"), "contain at least 2 samples"),
    "start after end": (PLAIN, ("--window", "1", "0.5"), "--window: window_start=1.0 s must be <"),
    "start at end": (PLAIN, ("--window", "1", "1"), "--window: window_start=1.0 s must be <"),
    "nan window": (PLAIN, ("--window", "nan", "1"), "--window: window_start=nan s must be <"),
    "negative threshold": (
        PLAIN,
        ("--threshold", "-1"),
        "--threshold: force_threshold=-1.0 N must",
    ),
    "negative rest": (PLAIN, ("--rest", "-1"), "--rest: rest_time=-1.0 s must be ≥ 0"),
    "no class": (PLAIN, ("--classes", "0"), "--classes: class_count=0 must be a whole number ≥ 1"),
    "too many blocks": (PLAIN, ("--blocks", "2"), "block_count=2 must be ≤ half the window's 3"),
    "one sample": ("time,normal_force\n0,1\n", (), "at least 2 samples and has 1"),
    "no sample": ("time,normal_force\n", (), "contains no row of numbers. Rows of"),
    "no sliding to wear": (
        PLAIN,
        ("--archard", "1e-13"),
        "column tangential_velocity_1 is missing",
    ),
    "column twice": (
        PLAIN,
        ("--columns", "time=time", "time=normal_force"),
        "--columns time is given twice: time and normal_force",
    ),
    "area without coefficient": (PLAIN, ("--area", "1"), "--area and --years require --archard"),
}


@pytest.mark.parametrize(("text", "arguments", "message"), REFUSED.values(), ids=REFUSED)
def test_what_it_cannot_use_gives_one_line_and_exit_code_2(
    tmp_path, capsys, text, arguments, message
):
    path = tmp_path / "record.csv"
    path.write_text(text)
    assert main(["post", str(path), *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    assert line.startswith("wearfmu: ")
    assert message in line


@pytest.mark.parametrize(
    ("force", "arguments", "message"),
    [
        ("1e308", (), "=inf of table usure must be finite: values in the file are too"),
        ("1e160", ("--reading", "sampled"), "=inf of table usure must be finite"),
        ("1", ("--archard", "1e308", "--years", "1e3"), "worn_volume=inf of table archard must be"),
    ],
)
def test_a_number_beyond_what_a_float_holds_is_refused_and_nothing_is_written(
    tmp_path, capsys, force, arguments, message
):
    path = tmp_path / "record.csv"
    rows = "".join(f"{time},{force},{force}\n" for time in (0.5, 1.0))
    path.write_text(f"time,normal_force,slip_velocity\n0,0,0\n{rows}1.5,0,0\n")
    tables = tmp_path / "tables"
    files = ["--json", str(tmp_path / "out.json"), "--csv", str(tables)]
    assert main(["post", str(path), *files, *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    assert message in line
    assert [file for file in tmp_path.rglob("*") if file not in (path, tables)] == []


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--archard", "-1e-13", "--archard: archard_coefficient=-1e-13 m2/N must be ≥ 0"),
        ("--area", "0", "--area: wear_area=0.0 m2 must be > 0"),
        ("--years", "-1", "--years: service_years=-1.0 a must be ≥ 0"),
    ],
)
def test_wear_outside_its_range_is_refused(tmp_path, capsys, option, value, message):
    wear = {"--archard": "1e-13", option: value}
    # argparse interprets a separate "-1e-13" as an option, so the value is joined by "=".
    arguments = [f"{name}={number}" for name, number in wear.items()]
    assert main(["post", str(knocks(tmp_path)), *arguments]) == 2
    assert message in capsys.readouterr().err
    # The option is checked before the record is read, which may take long.
    assert main(["post", str(tmp_path / "none.csv"), *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [[], ["x.csv", "--columns", "Fn"], ["x.csv", "--reading", "exact"], ["x.csv", "--window", "1"]],
    ids=" ".join,
)
def test_wrong_usage_gives_exit_code_2(arguments):
    with pytest.raises(SystemExit) as caught:
        main(["post", *arguments])
    assert caught.value.code == 2


def test_the_record_is_never_overwritten(tmp_path, capsys):
    path = knocks(tmp_path)
    before = path.read_bytes()
    assert main(["post", str(path), "--json", str(path)]) == 2
    assert "is an input file" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_a_missing_file_gives_exit_code_2(tmp_path, capsys):
    assert main(["post", str(tmp_path / "none.csv")]) == 2
    assert "none.csv" in capsys.readouterr().err


def test_help_shows_examples(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["post", "--help"])
    assert caught.value.code == 0
    assert "examples:" in capsys.readouterr().out


def test_memory_does_not_grow_with_the_file(tmp_path, capsys, monkeypatch):
    # Short chunks and portions, so that short files have many of them.
    monkeypatch.setattr(record_file, "CHUNK_SAMPLES", 4096)
    monkeypatch.setattr(portions, "CORE_SAMPLES", 4096)
    paths = []
    for sample_count in (30_000, 120_000):
        time = np.arange(sample_count) * 1e-3
        columns = np.column_stack([time, np.maximum(np.sin(math.pi * time), 0.0)])
        path = tmp_path / f"{sample_count}.csv"
        header = "time,normal_force"
        np.savetxt(path, columns, fmt="%.6g", delimiter=",", header=header, comments="")
        paths.append(path)
    # The first call loads modules and tables that do not count. For example, rich loads its
    # Unicode table at the first text that needs it, and the longer file has such a text. The table
    # takes 1 MB if there is no bytecode.
    post(capsys, paths[-1], "--blocks", 4)
    peaks = []
    for path in paths:
        tracemalloc.start()
        try:
            post(capsys, path, "--blocks", 4)
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    # The longer file has 90 000 more samples, which are 1.4 MB of doubles and more as text. From
    # them, 45 contacts of about ten values each remain. Chunks with different alignment cost a
    # part of a chunk. If the samples were kept, all of their doubles would be. Half of this size
    # separates the two cases.
    assert peaks[1] - peaks[0] < 0.5 * 16 * 90_000


def rubbing(instants: np.ndarray, path: Path) -> Path:
    """Write a force and a sliding velocity of 1 Hz at the given times."""
    force, velocity = 2.0 + np.sin(2.0 * np.pi * instants), np.cos(2.0 * np.pi * instants)
    np.savetxt(
        path,
        np.column_stack([instants, force, velocity]),
        delimiter=",",
        header="time,normal_force,slip_velocity",
        comments="",
    )
    return path


def test_a_gap_is_said_as_for_a_shaking(tmp_path, capsys):
    instants = np.arange(1001) * 0.01
    path = rubbing(instants[(instants < 4.0) | (instants > 6.005)], tmp_path / "gap.csv")
    said = (
        "irregular steps: 1 of 799 are not 0.01 s, for instance 2.02 s after t=3.99 s "
        "(linearly interpolated)"
    )
    assert f"warning: {said}" in post(capsys, path, "--json", str(tmp_path / "out.json"))
    assert json.loads((tmp_path / "out.json").read_text())["warnings"] == [said]
    text = path.read_text().replace("time,normal_force,slip_velocity", "time [s],acc [m/s2],b")
    (tmp_path / "quake.csv").write_text(text)
    assert said in read_shaking(tmp_path / "quake.csv").warnings
    assert "warning" not in post(capsys, rubbing(instants, path))


def test_a_gap_beyond_the_first_part_of_a_long_record_is_said(tmp_path, capsys):
    instants = np.arange(150_000) * 0.01
    kept = (instants < 1200.0) | (instants > 1210.005)
    said = "warning: irregular steps: 1 of 148998 are not 0.01 s, for instance 10.02 s after t=1199"
    assert said in post(capsys, rubbing(instants[kept], tmp_path / "long.csv"))


def test_coarse_sampling_is_said(tmp_path, capsys):
    # 1 Hz with 3 samples a second is above half of the Nyquist frequency of 1.5 Hz.
    out = post(capsys, rubbing(np.arange(301) / 3.0, tmp_path / "coarse.csv"))
    assert "warning: coarse samples: 100 % of the energy of normal_force is above 0.748 Hz" in out
