"""Files of points: PEER's AT2 format, and messages for files in an unknown format."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from harness.errors import RecordError
from harness.records.table import open_table
from harness.shaking.shaking_record import read_shaking

STANDARD_GRAVITY = 9.80665
VALUES = [0.0, 0.125, -0.25, 0.5, -0.375, 0.25, 0.0]
HEADER = """\
PEER NGA STRONG MOTION DATABASE RECORD
Somewhere-01, 10/15/1979, Station 6, 230
ACCELERATION TIME SERIES IN UNITS OF G
NPTS=      7, DT=   .0050 SEC,
"""
OLD_HEADER = """\
PACIFIC ENGINEERING AND ANALYSIS STRONG-MOTION DATA
SOMEWHERE 10/15/79 2319, STATION 6, 230
ACCELERATION TIME HISTORY IN UNITS OF G
   7   0.0050   NPTS, DT
"""


def written(tmp_path: Path, content: str | bytes, name: str = "quake.csv") -> Path:
    file = tmp_path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def at2(header: str) -> str:
    lines = ["".join(f"{value:15.7E}" for value in VALUES[at : at + 5]) for at in (0, 5)]
    return header + "\n".join(lines) + "\n"


@pytest.mark.parametrize("header", [HEADER, OLD_HEADER], ids=["new", "old"])
def test_an_at2_file_is_read_in_g_from_time_0_on(tmp_path: Path, header: str) -> None:
    record = read_shaking(written(tmp_path, at2(header), "RSN1.AT2"))
    # Eighths of g and i·dt are exact.
    assert np.array_equal(record.acceleration, STANDARD_GRAVITY * np.array(VALUES))
    assert np.array_equal(record.times, np.arange(7) * 0.005)
    assert record.units == ("g",)
    assert record.understood[1].startswith("PEER AT2, 7 values every 0.005 s; ")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("NPTS=      7", "NPTS=      8", "has 7 values, but its header gives 8"),
        ("NPTS=      7", "NPTS=      0", "has 7 values, but its header gives 0"),
        ("NPTS=      7", "NPTS=     -7", "has 7 values, but its header gives -7"),
        (
            ".0050 SEC",
            "5.0 MSEC",
            r"line 4: 'NPTS=      7, DT=   5.0 MSEC' must contain 'DT= \(interval\) SEC', as in a",
        ),
        (", DT=   .0050 SEC", "", r"line 4: 'NPTS=      7' must contain 'DT= \(interval\) SEC'"),
        (
            "ACCELERATION",
            "VELOCITY",
            r"line 3: 'VELOCITY TIME SERIES.*' must contain 'ACCELERATION TIME SERIES",
        ),
        ("UNITS OF G", "UNITS OF CM/S/S", "must contain 'ACCELERATION TIME SERIES IN UNITS OF G'"),
    ],
)
def test_an_at2_file_of_something_else_is_refused(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    with pytest.raises(RecordError, match=message):
        read_shaking(written(tmp_path, at2(HEADER).replace(old, new), "RSN1.AT2"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"time;acc\n" + b"0;1\n" * 20_000 + b"\xe9", "is not UTF-8, but probably WINDOWS-1252"),
        (b"PK\x03\x04\x14\x00\xff", "is not a text file: save it as CSV"),
        ("", "contains no row of numbers. Rows of numbers can follow a row of names"),
        ("time,acc\n", "contains no row of numbers"),
        ("time,acc\n0,1\n", r"has 1 point\(s\); it must have ≥ 2"),
        ("acc\n1\n2\n", "line 2: '1' must contain at least 2 numbers, .* give .* with --dt"),
        ("time,acc\n0,x\n1,2\n", "line 2: '0 x' must contain at least 2 numbers"),
        ("time,acc\nO.0,1.5\n0.5,2\n1,3\n", r"line 2: 'O\.0 1\.5' must contain at least 2 numbers"),
        ("time acc\n0.0 1.5 start\n0.5 2\n1 3\n", r"line 2: has 3 cell\(s\)"),
        ("0,1\n1,2\nx,3\n2,4\n", "line 3: 'x' must be a finite number"),
        ("12 31 1999\ntime acc\n0 1\n", "no column has the name of the acceleration: 2 'column 2'"),
        ("time,acc\n0,00,1,5\n0,01,2,5\n", "has 4 cells between commas, but 2 names above"),
        ("time,acc\n0,1\n1,nan\n", "line 3: 'nan' must be a finite number"),
        ("time,acc\n0,1\n1,\n", "line 3: '' must be a finite number: fill the empty cell"),
        (
            "time,acc\n0,1\n2,1\n#\n1,1\n",
            "line 5: time 1.0 s must be > 2.0 s, the previous time, in column 'time'",
        ),
        ('<p class="a">,' + 200_000 * "x" + "\n", r"is not a table of numbers \(field larger than"),
    ],
    ids=["letter far below", "binary", "empty", "header alone", "one point", "one column",
         "a slip in the first row", "a slip in the first time", "a remark in the first row",
         "a slip below", "a line of numbers above",
         "decimal commas", "NaN", "no value",
         "times that go back", "a page of one long word"],
)  # fmt: skip
def test_what_is_in_no_known_form_is_refused_with_what_is_expected(
    tmp_path: Path, content: str | bytes, message: str
) -> None:
    with pytest.raises(RecordError, match=message):
        read_shaking(written(tmp_path, content))


def test_lines_of_words_may_stand_above_as_comments(tmp_path: Path) -> None:
    file = written(tmp_path, "# Some quake\n# Station 9\ntime;acc\ns;m/s2\n0;0,5\n0,01;1,5\n")
    assert np.array_equal(read_shaking(file).acceleration, [0.5, 1.5])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_text_of_spreadsheets_is_read_in_their_encodings(tmp_path: Path, encoding: str) -> None:
    file = written(tmp_path, "Zeit [s];Beschl. é [m/s²]\n0;1,5\n1;2,5\n".encode(encoding))
    record = read_shaking(file, acceleration="Beschl. é [m/s²]")
    assert np.array_equal(record.acceleration, [1.5, 2.5])
    read_as = {"utf-16": ", text is utf-16;", "cp1252": ", text is cp1252;"}
    assert read_as.get(encoding, "semicolon-separated;") in record.understood[1]


def test_the_separator_that_excel_declares_is_told(tmp_path: Path) -> None:
    record = read_shaking(written(tmp_path, "sep=|\ntime|acc\n0|1,5\n1|2,5\n"))
    assert record.understood[1].startswith("bar-separated;")


def acceleration(tmp_path: Path, content: str, **options: float) -> tuple[list[float], list[float]]:
    record = read_shaking(written(tmp_path, content), **options)
    return record.times.tolist(), record.acceleration.tolist()


@pytest.mark.parametrize(
    "content",
    [
        "time|acc\n0|1.5\n0.5|-2\n",
        "time|acc\n0|1,5\n0,5|-2\n",
        "0,0 1,5\n0,5 -2,0\n",
        "Some quake\nStation 9, 1995\n\ntime,acc\ns,m/s2\n0,1.5\n0.5,-2\n",
        "A title of two words\ntime acc\n0 1.5\n0.5 -2\n",
        "time,acc,note\n0,1.5,start\n0.5,-2,\n",
        "time\tacc\tnote\n0\t1.5\tstart\n0.5\t-2\t\n",
        "time acc note\n0 1.5 start\n0.5 -2 end\n",
        "time,acc\n0,1.5,\n0.5,-2,\n",
        '"time","acc, filtered"\n"0","1.5"\n"0.5","-2"\n',
    ],
    ids=["bars", "bars and decimal commas", "blanks and decimal commas", "text above",
         "text above blanks", "a remark in a row", "a remark between tabs",
         "a remark between blanks", "a comma at the end", "quoted names"],
)  # fmt: skip
def test_a_table_is_read_whatever_separates_it_and_stands_above(
    tmp_path: Path, content: str
) -> None:
    assert acceleration(tmp_path, content) == ([0.0, 0.5], [1.5, -2.0])


def test_text_above_that_is_skipped_is_reported(tmp_path: Path) -> None:
    file = written(tmp_path, "Some quake\nStation 9, 1995\ntime,acc\n0,1\n1,2\n")
    (told,) = read_shaking(file).understood[3:]
    assert told == "2 lines of text above the numbers skipped: 'Some quake' …"


@pytest.mark.parametrize(
    ("head", "factor"),
    [("", 1.0), ("acc [g]\n", STANDARD_GRAVITY), ("acc\ng\n", STANDARD_GRAVITY),
     ("Recorded in Kobe 1995\nacceleration\n", 1.0), ("# in cm/s2\n", 1e-2)],
)  # fmt: skip
def test_one_column_of_values_has_the_times_of_its_interval(
    tmp_path: Path, head: str, factor: float
) -> None:
    times, values = acceleration(tmp_path, f"{head}0.5\n-1\n2.5\n", interval=0.25)
    assert times == [0.0, 0.25, 0.5]
    assert values == [factor * 0.5, factor * -1.0, factor * 2.5]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "time,acc\n0,1\n1,2\n",
            "line 2: '0,1' must be a single number with a decimal point, because --dt is given",
        ),
        ("0.5\n1 2\n", "line 2: '1 2' must be one number"),
        ("0.5\nx\n", "line 2: 'x' must be a finite number"),
        ("0\n0,5\n", "line 2: '0,5' must be a finite number"),
        (at2(HEADER), "contains its sampling interval, 0.005 s: remove --dt"),
    ],
    ids=["a time", "two values", "a word", "a decimal comma", "AT2"],
)
def test_an_interval_for_what_is_not_one_column_is_refused(
    tmp_path: Path, content: str, message: str
) -> None:
    with pytest.raises(RecordError, match=message):
        read_shaking(written(tmp_path, content), interval=0.01)


def test_the_interval_that_a_file_contains_may_be_given_as_well(tmp_path: Path) -> None:
    record = read_shaking(written(tmp_path, at2(HEADER), "RSN1.AT2"), interval=0.005)
    assert np.array_equal(record.times, np.arange(7) * 0.005)


def test_the_only_column_of_a_file_is_column_1(tmp_path: Path) -> None:
    table = open_table(written(tmp_path, "0.5\n-1\n"), interval=0.25)
    assert table.names() == ["time", "column 1"]
