"""`wearfmu blocks`: tables, CSV file and page from record files, with errors and notes."""

from __future__ import annotations

import csv
import html
import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.blocks import Slope, run_block_study
from harness.command_line import main
from harness.shaking import read_shaking
from wearmodel.batch.block_runs import BlockRuns, run_blocks

# a = 0.6 g (1 − 2t) for one second. In the first pulse the block slides (2/3) A T² (1 − k_y/0.6)³.
PULSE = "time,a [g]\n0,0.6\n1,-0.6\n"


def displacement(yield_acceleration: float) -> float:
    return 2.0 / 3.0 * 0.6 * 9.80665 * 0.25 * (1.0 - yield_acceleration / 0.6) ** 3


@pytest.fixture
def pulse(tmp_path: Path) -> Path:
    file = tmp_path / "pulse.csv"
    file.write_text(PULSE, encoding="utf-8")
    return file


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_the_table_has_both_polarities_of_the_closed_form(
    pulse: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, numbers = tmp_path / "b.csv", tmp_path / "b.json"
    arguments = ["blocks", str(pulse), "--yield", "0.1:0.5:3", "--slope", "15", "--one-way"]
    assert main([*arguments, "--csv", str(table), "--json", str(numbers)]) == 0
    found = rows(table)
    assert [float(row["yield_acceleration_g"]) for row in found] == [0.1, 0.3, 0.5]
    for row in found:
        wanted = displacement(float(row["yield_acceleration_g"]))
        assert float(row["peak_normal"]) == pytest.approx(wanted, rel=1e-13)
        assert float(row["residual_normal"]) == pytest.approx(wanted, rel=1e-13)
        # The reversed record decreases to its peak at its last sample.
        assert float(row["peak_inverse"]) > 0.0
        larger = max(float(row["peak_normal"]), float(row["peak_inverse"]))
        assert float(row["peak_larger"]) == larger
        mean = 0.5 * (float(row["peak_normal"]) + float(row["peak_inverse"]))
        assert float(row["peak_mean"]) == pytest.approx(mean, rel=1e-15)
    friction = (0.1 + math.sin(math.radians(15.0))) / math.cos(math.radians(15.0))
    assert float(found[0]["friction_coefficient"]) == pytest.approx(friction, rel=1e-15)
    assert len(json.loads(numbers.read_text(encoding="utf-8"))["rows"]) == 3
    printed = capsys.readouterr().out
    assert "slides one way (downslope)" in printed
    assert "still slides at the end of the record in 3 of 6 runs" in printed


def test_a_scaled_record_yields_at_the_scaled_level(pulse: Path) -> None:
    doubled = run_block_study([pulse], [0.2], Slope(one_way=True), scale=2.0)
    plain = run_block_study([pulse], [0.1], Slope(one_way=True))
    assert doubled.peak[0, 0, 0] == pytest.approx(2.0 * plain.peak[0, 0, 0], rel=1e-14)


def test_the_spread_is_that_of_the_records(tmp_path: Path) -> None:
    paths = []
    for number, size in enumerate((0.3, 0.4, 0.5)):
        paths.append(tmp_path / f"{number}.csv")
        paths[-1].write_text(f"time,a [g]\n0,{size}\n1,{-size}\n", encoding="utf-8")
    study = run_block_study(paths, [0.1, 0.2], Slope(one_way=True))
    median = study.spread("peak", "normal")[1]
    assert np.array_equal(median, study.peak[1, :, 0])


def test_a_record_that_fails_is_named_and_stops_no_other(
    pulse: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_text("time,a [stone]\n0,1\n1,2\n", encoding="utf-8")
    table = tmp_path / "b.csv"
    code = main(["blocks", str(bad), str(pulse), "--yield", "0.1", "--csv", str(table)])
    assert code == 1
    printed = capsys.readouterr().out
    assert "bad.csv" in printed
    assert "'stone' is not a known unit" in printed.replace("\n", " ")
    found = rows(table)
    assert [Path(row["record"]).name for row in found] == ["pulse.csv", "bad.csv"]
    assert "stone" in found[1]["failure"]


def test_a_record_below_the_yield_acceleration_is_told(pulse: Path) -> None:
    *_, note = run_block_study([pulse], [0.7], Slope()).notes
    assert "never slips, because the peak, 5.884 m/s2 = 0.6 g, does not exceed" in note


def test_a_friction_coefficient_is_no_option(
    pulse: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["blocks", str(pulse), "--yield", "0.1", "--friction", "0.3"])
    assert "On a level plane it is the friction coefficient" in capsys.readouterr().err


def test_all_records_may_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "b.html"
    missing = str(tmp_path / "no.csv")
    assert main(["blocks", missing, "--yield", "0.1", "--report", str(report)]) == 1
    assert "no.csv" in capsys.readouterr().out


def test_the_picture_of_one_yield_acceleration_has_points(pulse: Path, tmp_path: Path) -> None:
    page = tmp_path / "b.html"
    for yields, mode in (("0.1", "markers"), ("0.1:0.3:3", "lines")):
        assert main(["blocks", str(pulse), "--yield", yields, "--report", str(page)]) == 0
        (found,) = set(re.findall(r'"mode":"(\w+)"', page.read_text(encoding="utf-8")))
        assert found == mode


def test_the_page_holds_curves_and_tables(pulse: Path, tmp_path: Path) -> None:
    page = tmp_path / "b.html"
    other = tmp_path / "other.csv"
    other.write_text(PULSE.replace("0.6", "0.4"), encoding="utf-8")
    assert (
        main(["blocks", str(pulse), str(other), "--yield", "0.1:0.3:3", "--report", str(page)]) == 0
    )
    text = page.read_text(encoding="utf-8")
    for words in ("larger of both polarities", "84th percentile", "other.csv"):
        assert words in text


def test_the_page_names_failed_records_below_the_picture(pulse: Path, tmp_path: Path) -> None:
    broken, page = tmp_path / "broken.csv", tmp_path / "blocks.html"
    broken.write_text("time,a [g]\n0,0.6\n1\n", encoding="utf-8")
    files = [str(pulse), str(broken)]
    assert main(["blocks", *files, "--yield", "0.1", "--report", str(page)]) == 1
    text = page.read_text(encoding="utf-8")
    assert '<p class="summary">1 record (1 failed, see below): peak at 0.1 g ' in text
    places = [text.index(f'class="{name}"') for name in ("numbers", "plot", "warnings")]
    assert places == sorted(places)


def test_the_page_lists_each_record_with_column_unit_step_peak_and_duration(
    pulse: Path, tmp_path: Path
) -> None:
    page, other = tmp_path / "b.html", tmp_path / "up.csv"
    other.write_text("time,vertical [m/s2]\n0,1\n0.5,-2\n1,0\n", encoding="utf-8")
    files = [str(pulse), str(other)]
    assert main(["blocks", *files, "--yield", "0.1", "--report", str(page)]) == 0
    cells = [
        [
            html.unescape(re.sub("<[^>]*>", "", cell))
            for cell in re.findall(r"<t[hd].*?</t[hd]>", row)
        ]
        for row in re.findall(r"<tr.*?</tr>", page.read_text(encoding="utf-8"), re.DOTALL)
    ]
    assert [str(pulse), "a [g]", "g", "1", "0.6", "1", ""] in cells
    # 2 m/s² in g.
    left_out = "left out, vertical component"
    assert [str(other), "vertical [m/s2]", "m/s2", "0.5", "0.2039", "1", left_out] in cells


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--yield", "0"], "'0' must be a number > 0 in g"),
        (["--yield", "0.4:0.1:3"], "'0.4:0.1:3': START must be less than STOP"),
        (["--yield", "0.1:0.4:1"], "COUNT of 2 to"),
        (["--yield", "0.1;0.2"], "'0.1;0.2' must be a number > 0 in g"),
        (["--yield", "0,1"], "'0,1' must be numbers > 0 in g; use a point: 0.1"),
        (["--yield", "0.1", "--slop", "20"], "unknown option --slop; did you mean '--slope'?"),
        (["--yield", "0.1,0.2,0.1"], "must contain each value once"),
        (["--yield", "0.1:0.4"], "must be START:STOP:COUNT with a COUNT of 2 to 10000"),
        (["--yield", "0.1", "--slope", "95"], "'95' must be degrees"),
        (["--yield", "0.1", "--slope", "-5"], "'-5' must be degrees"),
        (["--yield", "0.1", "--scale", "0"], "must be a finite number other than 0"),
        ([], "--yield"),
    ],
    ids=str,
)
def test_a_slip_of_the_pen_is_told(
    pulse: Path, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["blocks", str(pulse), *arguments])
    assert caught.value.code == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--yield", "0.1", "--horizontal"], "--horizontal requires --slope"),
        (["--yield", "5", "--slope", "80", "--horizontal"], "must be less than 90°"),
        (["--yield", "0.1", "--csv", "pulse.csv"], "an input file"),
        (["pulse.csv", "--yield", "0.1"], "give each record only once"),
    ],
    ids=str,
)
def test_what_cannot_be_meant_is_refused(
    pulse: Path,
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: Any,
) -> None:
    monkeypatch.chdir(pulse.parent)
    assert main(["blocks", "pulse.csv", *arguments]) == 2
    assert words in capsys.readouterr().err


ROWS = "0,0.6,0.1\n1,-0.6,0.2\n"


def test_each_record_is_listed_with_column_unit_step_peak_and_duration(
    pulse: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = pulse.with_name("b.json")
    assert main(["blocks", str(pulse), "--yield", "0.1", "--json", str(numbers)]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == f"{pulse}: column 'a [g]', g, every 1 s, peak 0.6 g, 1 s"
    (listed,) = json.loads(numbers.read_text(encoding="utf-8"))["records"]
    assert listed == {"record": str(pulse), "column": "a [g]", "unit": "g", "step": 1.0,
                      "peak_g": pytest.approx(0.6, rel=1e-15), "duration": 1.0}  # fmt: skip


@pytest.mark.parametrize(
    ("header", "words"),
    [
        (
            "time,normal_force,gap",
            "no column has the name of the acceleration: 2 'normal_force', 3",
        ),
        ("time,north,east", "no column has the name of the acceleration: 2 'north', 3 'east'"),
        ("time,acc_x [g],acc_y [g]", "several columns can be the acceleration: 2 'acc_x [g]', 3"),
        ("time,a,acc", "several columns can be the acceleration: 2 'a', 3 'acc'. Select one"),
    ],
)
def test_a_column_that_may_be_another_quantity_must_be_chosen(
    tmp_path: Path, header: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "record.csv"
    file.write_text(f"{header}\n{ROWS}", encoding="utf-8")
    assert main(["blocks", str(file), "--yield", "0.1"]) == 1
    assert words in capsys.readouterr().out
    study = run_block_study([file], [0.1], Slope(), acceleration="2")
    assert study.records[0].column == header.split(",")[1]


def test_without_any_record_only_the_failures_are_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "readme.txt").write_text("Records of the station\n", encoding="utf-8")
    assert main(["blocks", str(tmp_path), "--yield", "0.1"]) == 1
    failed, end = capsys.readouterr().out.splitlines()
    assert failed.startswith(f"failed: {tmp_path / 'readme.txt'} contains no row of numbers")
    assert end == "no record could be run"


def test_a_reason_of_several_records_is_printed_once_after_the_displacements(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, unit in (("a", "g"), ("b", "g"), ("c", "g"), ("d", "m/s2")):
        (tmp_path / f"{name}.csv").write_text(f"time,acc [{unit}]\n0,3\n1,-3\n", encoding="utf-8")
    files = [str(tmp_path / f"{name}.csv") for name in "abcd"]
    assert main(["blocks", *files, "--yield", "0.01", "--unit", "m/s2"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "peak displacement in cm, by yield acceleration in g"
    (failed,) = [line for line in lines if line.startswith("failed: ")]
    assert failed.startswith(f"failed: {files[0]}: --unit m/s2 contradicts the header")
    assert failed.endswith(f" (also {files[1]}, {files[2]})")


def test_the_only_column_is_refused_if_it_is_named_as_another_quantity(tmp_path: Path) -> None:
    file = tmp_path / "record.csv"
    for name in ("normal_force", "velocity", "relative_displacement"):
        file.write_text(f"time,{name}\n0,0.6\n1,-0.6\n", encoding="utf-8")
        (reason,) = run_block_study([file], [0.1], Slope()).failures.values()
        assert f"no column has the name of the acceleration: 2 '{name}'. Select one" in reason


@pytest.mark.parametrize(
    "header",
    ["time,acc [g],v", "time,north [g],east", "time,x_acceleration,temperature",
     "time,acc_x [g],acc_z [g]", "time,HNE [g],HNZ [g]", "time,acceleration,acceleration_normal"],
)  # fmt: skip
def test_the_only_column_that_is_named_as_an_acceleration_or_has_its_unit_is_taken(
    tmp_path: Path, header: str
) -> None:
    file = tmp_path / "record.csv"
    file.write_text(f"{header}\n{ROWS}", encoding="utf-8")
    (record,) = run_block_study([file], [0.1], Slope()).records
    assert record.column == header.split(",")[1]


def test_tables_that_the_program_wrote_into_a_folder_are_no_records(
    pulse: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    history, table = pulse.with_name("history.csv"), pulse.with_name("b.csv")
    assert main(["run", "--input", str(pulse), "--csv", str(history)]) == 0
    again = [
        "blocks",
        str(pulse.parent),
        "--yield",
        "0.1",
        "--json",
        str(pulse.with_name("b.json")),
    ]
    assert main([*again, "--csv", str(table)]) == 0
    capsys.readouterr()
    assert main(again) == 0
    _, errors = capsys.readouterr()
    written = "b.csv, history.csv: not read, because wearfmu has written it"
    assert f"note: {pulse.parent}: {written}" in errors
    content = json.loads(pulse.with_name("b.json").read_text(encoding="utf-8"))
    assert [record["record"] for record in content["records"]] == [str(pulse)]
    # The file can still be run by its name.
    assert main(["blocks", str(history), "--yield", "0.1"]) == 0


def test_a_record_of_a_folder_is_not_replaced_by_the_results(
    pulse: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pulse.with_name("other.csv").write_bytes(pulse.read_bytes())
    command = ["blocks", str(pulse.parent), "--yield", "0.1", "--csv", str(pulse), "--force"]
    assert main(command) == 2
    assert f"--csv {pulse} is an input file: choose another file" in capsys.readouterr().err
    assert pulse.read_bytes() == pulse.with_name("other.csv").read_bytes()


AT2 = (
    "PEER NGA STRONG MOTION DATABASE RECORD\nSome quake, 1/2/1995, Station, {component}\n"
    "ACCELERATION TIME SERIES IN UNITS OF G\nNPTS= 2, DT= 1.0 SEC\n 0.6 -0.6\n"
)


def test_a_folder_stands_for_its_records_and_vertical_components_are_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "records"
    folder.mkdir()
    for name, component in (("A180.AT2", "180"), ("A-UP.AT2", "090"), ("B3.at2", "UP")):
        (folder / name).write_text(AT2.format(component=component), encoding="utf-8")
    (folder / "z.csv").write_text("time,acc_z [g]\n0,0.6\n1,-0.6\n", encoding="utf-8")
    (folder / "readme.md").write_text("read me", encoding="utf-8")
    table = folder / "b.csv"
    for _ in range(2):  # the second run ignores the results of the first one in the folder
        assert main(["blocks", str(folder), "--yield", "0.1", "--csv", str(table)]) == 0
        out = capsys.readouterr().out
        assert [row["record"] for row in rows(table)] == [str(folder / "A180.AT2")]
        for name in ("A-UP.AT2", "B3.at2", "z.csv"):
            (line,) = (line for line in out.splitlines() if line.startswith(str(folder / name)))
            assert ", vertical component: left out" in line
        # The remedy is printed once, not for each component.
        assert out.count("wearfmu run --input FILE --normal-file FILE") == 1
    chosen = ["blocks", str(folder / "z.csv"), "--yield", "0.1", "--acceleration", "acc_z [g]"]
    assert main(chosen) == 0
    assert "left out" not in capsys.readouterr().out
    assert main(["blocks", str(folder / "z.csv"), "--yield", "0.1"]) == 1
    empty = tmp_path / "empty"
    empty.mkdir()
    assert main(["blocks", str(empty), "--yield", "0.1"]) == 2
    assert "the folder must contain records with a name like *.csv" in capsys.readouterr().err


def test_a_vertical_record_among_horizontal_records_is_a_warning(tmp_path: Path) -> None:
    for name in ("A180", "A-UP"):
        (tmp_path / f"{name}.AT2").write_text(AT2.format(component="180"), encoding="utf-8")
    paths = [tmp_path / "A180.AT2", tmp_path / "A-UP.AT2"]
    mixed = run_block_study(paths, [0.1], Slope(), acceleration="acceleration")
    (warning,) = (line for line in mixed.warnings if "vertical component" in line)
    assert warning.startswith(f"{paths[1]}: vertical component, which is included in the quantiles")
    for alone in (paths[:1], paths[1:]):
        study = run_block_study(alone, [0.1], Slope(), acceleration="acceleration")
        assert not any("vertical component" in line for line in study.warnings)


@pytest.mark.parametrize("count", [2, 6, 7])
def test_quantiles_of_few_records_are_called_interpolated(
    count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(count):
        rows = f"time,a [g]\n0,{0.3 + 0.1 * number}\n1,-0.5\n"
        (tmp_path / f"{number}.csv").write_text(rows, encoding="utf-8")
    report = tmp_path / "blocks.html"
    assert main(["blocks", str(tmp_path), "--yield", "0.1", "--report", str(report)]) == 0
    printed = capsys.readouterr().out
    (head,) = (line for line in printed.splitlines() if line.startswith("quantiles over"))
    few = ", interpolated: there are too few records for the 16 % and 84 %"
    assert head == f"quantiles over {count} records{few if count < 7 else ''}"
    # With one polarity, the headings of the quantiles do not name it.
    assert "larger" not in printed
    lines = f"Coloured lines are quantiles over {count} records{few if count < 7 else ''}."
    assert lines in report.read_text(encoding="utf-8")


def test_a_last_line_that_is_skipped_is_a_note(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "cut.csv"
    record.write_text("time,acceleration [g]\n0,0\n1,1\n2,0\n3,1", encoding="utf-8")
    assert main(["blocks", str(record), "--yield", "0.1"]) == 0
    assert f"note: {record}: last line skipped: '3,1'" in capsys.readouterr().out


def test_rows_that_are_not_printed_are_named_and_their_columns_explained(
    pulse: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pulse.with_name("other.csv").write_bytes(pulse.read_bytes())
    options = ["--yield", "0.01:0.4:31", "--slope", "20"]
    assert main(["blocks", str(pulse.parent), *options]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "62 rows by record are not printed: --csv writes them"
    assert "larger and mean: of normal and inverse polarity" in lines


def test_a_record_is_warned_of_as_in_a_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "coarse.csv"
    record.write_text("time,acceleration [g]\n0,0\n0.01,0.1\n0.02,-0.1\n0.03,0.05\n")
    assert main(["run", "--input", str(record), "--out", str(tmp_path)]) == 0
    of_run = [line for line in capsys.readouterr().out.splitlines() if "warning: " in line]
    assert main(["blocks", str(record), "--yield", "0.02:0.04:2"]) == 0
    of_blocks = [line for line in capsys.readouterr().out.splitlines() if "warning: " in line]
    assert of_run
    assert of_blocks == [line.replace("warning: ", f"warning: {record}: ") for line in of_run]


def test_an_offset_is_removed_by_the_option_that_the_warning_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tilted.csv"
    times = np.arange(401) * 0.005
    values = 0.5 + 3.0 * np.sin(2.0 * np.pi * times)
    lines = (f"{time:.3f},{value!r}" for time, value in zip(times, values.tolist(), strict=True))
    file.write_text("\n".join(["time,a [m/s2]", *lines]) + "\n", encoding="utf-8")
    assert main(["blocks", str(file), "--yield", "0.1"]) == 0
    assert "add --remove-mean" in capsys.readouterr().out
    assert main(["blocks", str(file), "--yield", "0.1", "--remove-mean"]) == 0
    assert "offset:" not in capsys.readouterr().out


def test_a_level_plane_has_one_peak_and_a_slope_has_the_sign_of_its_residual(
    pulse: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "level.html"
    assert main(["blocks", str(pulse), "--yield", "0.1", "--report", str(report)]) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines()[1].split() == ["record", "yield", "peak", "residual"]
    assert "residual: normal polarity, opposite to a positive ground acceleration" in printed
    assert "downslope" not in printed
    file = tmp_path / "to_and_fro.csv"
    values = 6.0 * np.sin(2.0 * np.pi * 0.01 * np.arange(101))
    lines = (f"{0.01 * row:.2f},{value!r}" for row, value in enumerate(values.tolist()))
    file.write_text("\n".join(["time,a [m/s2]", *lines]) + "\n", encoding="utf-8")
    assert main(["blocks", str(file), "--yield", "0.1", "--slope", "5"]) == 0
    printed = capsys.readouterr().out
    assert "residual: normal polarity, positive downslope, opposite to a positive" in printed
    assert "mean of both polarities" not in report.read_text(encoding="utf-8")


def test_the_residual_of_a_one_way_block_is_not_listed_twice(
    pulse: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "one_way.html"
    arguments = ["blocks", str(pulse), "--yield", "0.1", "--slope", "15", "--one-way"]
    assert main([*arguments, "--report", str(report)]) == 0
    printed = capsys.readouterr().out
    heads = ["record", "yield", "normal", "inverse", "larger", "mean"]
    assert printed.splitlines()[1].split() == heads
    assert "residual: equal to the peak displacement" in printed
    page = report.read_text(encoding="utf-8")
    assert "Peak displacement, cm, equal to the residual displacement" in page
    assert "Residual displacement, cm" not in page


@pytest.mark.parametrize(("most", "compiles"), [(7, [False, True]), (8, [False, False])])
def test_the_kernel_is_compiled_for_long_studies_only(
    most: int, compiles: list[bool], pulse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two records of two samples, one yield acceleration and both polarities give 8 samples."""
    other = tmp_path / "other.csv"
    other.write_text(PULSE, encoding="utf-8")
    seen = []

    def run(*arguments: Any, **options: Any) -> BlockRuns:
        seen.append(options["compiles"])
        return run_blocks(*arguments, **options)

    monkeypatch.setattr("harness.blocks.run_blocks", run)
    monkeypatch.setattr("harness.blocks._MOST_INTERPRETED", most)
    run_block_study([pulse, other], [0.1], Slope())
    assert seen == compiles


@pytest.mark.parametrize(
    ("options", "note"),
    [
        (["--slope", "0.349"], "slope = 0.349° is nearly level: is it in rad (20°)?"),
        (["--one-way"], "--one-way together with --slope"),
    ],
)
def test_a_slope_in_radians_and_one_way_without_slope_get_a_note(
    options: list[str], note: str, pulse: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["blocks", str(pulse), "--yield", "0.1", *options]) == 0
    assert note in capsys.readouterr().out


def test_an_assumed_unit_is_a_note(
    pulse: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other, results = tmp_path / "other.csv", tmp_path / "b.json"
    other.write_text("time,acc\n0,3\n1,-3\n", encoding="utf-8")
    options = ["--yield", "0.1", "--json", str(results)]
    assert main(["blocks", str(pulse), str(other), *options]) == 0
    note = f"{other}: no unit of acceleration in the file, so m/s2 is assumed"
    assert f"note: {note}" in capsys.readouterr().out
    assert any(line.startswith(note) for line in json.loads(results.read_text("utf-8"))["notes"])
    assert main(["blocks", str(other), "--unit", "m/s2", *options, "--force"]) == 0
    assert "no unit" not in capsys.readouterr().out


def test_the_picture_of_a_few_records_lists_them_in_their_order(
    pulse: Path, tmp_path: Path
) -> None:
    page, other = tmp_path / "b.html", tmp_path / "other.csv"
    other.write_text(PULSE.replace("0.6", "0.8"), encoding="utf-8")
    assert main(["blocks", str(pulse), str(other), "--yield", "0.1", "--report", str(page)]) == 0
    assert "From top to bottom on the left: other.csv, pulse.csv." in page.read_text("utf-8")


def test_a_vertical_record_that_is_not_chosen_is_warned_of_in_a_run(tmp_path: Path) -> None:
    vertical = tmp_path / "QUAKE-UP.AT2"
    level = tmp_path / "QUAKE090.AT2"
    vertical.write_text(AT2.format(component="UP"), encoding="utf-8")
    level.write_text(AT2.format(component="090"), encoding="utf-8")
    assert any("vertical component" in line for line in read_shaking(vertical).warnings)
    chosen = read_shaking(vertical, acceleration="acceleration")
    for record in (chosen, read_shaking(level, normal_file=vertical)):
        assert not any("vertical component" in line for line in record.warnings)
