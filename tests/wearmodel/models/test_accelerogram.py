"""Reading points from text files: delimiters, headers, decimal marks, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from wearmodel.models.accelerogram import read_accelerogram, read_point_table

POINTS = ((0.0, 0.5, 1.0), (1.5, -2.0, 0.25))


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("0,1.5\n0.5,-2\n1,0.25\n", ","),
        ("time,acc\n0,1.5\n0.5,-2\n1,0.25\n", ","),
        ("Zeit;Beschl\ns;m/s2\n0,0;1,5\n0,5;-2,0\n1,0;0,25\n", ";"),
        ("0.0;1.5\n0.5;-2\n1;0.25", ";"),
        ("t\ta\n0,0\t1,5\n0,5\t-2\n1\t0,25\n", "\t"),
        ("# from the shaking table\n\n0 1.5\n0.5   -2\n\n1 0.25\n", None),
        ('\ufeff"time","acc"\n"0","1.5"\n0.5,-2\n1,0.25\n', ","),
        ("sep=;\ntime;acc\n0,0;1,5\n0,5;-2,0\n1,0;0,25\n", ";"),
        ('"sep=\t"\n0.0\t1.5\n0.5\t-2\n1\t0.25\n', "\t"),
        ("SEP=|\r\ntime, s|acc; m/s2\r\n0|1.5\r\n0,5|-2\r\n1|0.25\r\n", "|"),
    ],
    ids=["bare", "names", "french", "semicolons", "tabs", "blanks", "quotes",
         "sep=;", "sep=tab in quotes", "sep=|"],
)  # fmt: skip
def test_a_file_is_read_however_it_is_written(
    tmp_path: Path, text: str, delimiter: str | None
) -> None:
    file = tmp_path / "record.csv"
    file.write_text(text, encoding="utf-8")
    points = read_accelerogram(str(file))
    assert (points.times, points.values) == POINTS
    assert read_point_table(str(file)).delimiter == delimiter


def test_names_and_units_are_kept_apart_from_numbers(tmp_path: Path) -> None:
    file = tmp_path / "record.csv"
    file.write_text("time;acc\ns;g\n0;1\n1;2\n", encoding="utf-8")
    assert read_point_table(str(file)).header.rows == (("time", "acc"), ("s", "g"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0,1\n1,x\n", "line 2: 'x' must be a finite number"),
        ("0,1\n1\n", r"line 2: has 1 cell\(s\) but the table has 2 column\(s\)"),
        ("0,1\n1,nan\n", "line 2: 'nan' must be a finite number"),
        ("sep=,\n\n0,1\n0,2\n", r"line 4: time 0.0 s must be > 0.0 s, the one before"),
        ("sep=,\n", "has no row of numbers"),
        ("time,acc\n0,x\n1,2\n", "line 2: '0 x' must hold ≥ 2 numbers, a time and a value"),
        ("time,acc\n", "has no row of numbers"),
        ("time,acc\n0,1\n", r"has 1 point\(s\); it must have ≥ 2"),
        ("time,acc\n0,0,1,5\n0,1,2,5\n", "has 4 cells between commas and the names above it 2"),
    ],
)
def test_a_broken_file_is_refused_with_line_and_cell(
    tmp_path: Path, text: str, message: str
) -> None:
    file = tmp_path / "record.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read_accelerogram(str(file))


def test_a_file_in_another_encoding_is_refused_with_the_remedy(tmp_path: Path) -> None:
    file = tmp_path / "record.csv"
    file.write_bytes("temps;accélération\n0;1\n1;2\n".encode("latin-1"))
    with pytest.raises(ValueError, match="is not UTF-8 text: save it as such"):
        read_accelerogram(str(file))
