"""Records in CSV files from several programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from harness.errors import RecordError
from harness.records import table as table_file
from harness.records.record_file import open_record
from harness.shaking import read_shaking
from wearmodel.statistics import (
    ShockRecord,
    StatisticsSettings,
    shock_statistics,
    window_sample_count,
)

PLAIN = "time,normal_force\n0,0\n0.5,2\n1,0\n"


def written(folder: Path, text: str) -> Path:
    path = folder / "record.csv"
    path.write_text(text, encoding="utf-8")
    return path


def whole_record(path: Path, columns: dict[str, str] | None = None) -> ShockRecord:
    """Return the only chunk of a short file."""
    (record,) = open_record(path, columns).chunks()
    return record


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        pytest.param(PLAIN, ",", id="comma"),
        pytest.param(PLAIN.replace(",", "\t"), "\t", id="tab"),
        pytest.param(PLAIN.replace(",", " "), None, id="space"),
        pytest.param(PLAIN.replace(",", ";").replace(".", ","), ";", id="decimal-comma"),
        pytest.param("\ufeff" + PLAIN.replace("\n", "\r\n"), ",", id="byte-order-mark-and-crlf"),
        pytest.param(PLAIN + "\n\n", ",", id="empty-lines"),
        pytest.param(
            PLAIN.replace("time,normal_force", '"time","normal_force"'), ",", id="quoted-names"
        ),
    ],
)
def test_separators_are_recognised(tmp_path: Path, text: str, separator: str | None) -> None:
    path = written(tmp_path, text)
    record = whole_record(path)
    assert open_record(path).table.head.separator == separator
    assert record.time.tolist() == [0.0, 0.5, 1.0]
    assert record.column("normal_force").tolist() == [0.0, 2.0, 0.0]


def test_names_are_mapped(tmp_path: Path) -> None:
    path = written(tmp_path, "t,u,Fn,gap_velocity\n0,1,5,0.5\n1,2,6,-0.5\n3,2,6,-0.5\n")
    file = open_record(path, {"normal_force": "Fn", "position_y": "u"})
    record = whole_record(path, {"normal_force": "Fn", "position_y": "u"})
    assert record.quantities == ("time", "normal_force", "normal_velocity", "position_y")
    assert record.column("position_y").tolist() == [1.0, 2.0, 2.0]
    assert file.columns == {
        "time": "t",
        "normal_force": "Fn",
        "normal_velocity": "gap_velocity",
        "position_y": "u",
    }


def test_contact_mode_of_the_slave_gives_the_stick_flag(tmp_path: Path) -> None:
    # FLIGHT 0, STICK 1, SLIP 2.
    record = whole_record(
        written(tmp_path, "time,normal_force,contact_mode\n0,0,0\n1,5,1\n2,5,2\n")
    )
    assert record.stick is not None
    assert record.stick.tolist() == [False, True, False]


def test_contact_mode_as_the_flag_of_a_relation_means_contact(tmp_path: Path) -> None:
    record = whole_record(
        written(tmp_path, "time,gap,contact_mode\n0,1,0\n1,0,1\n2,0,2\n"),
        {"relation_active": "contact_mode", "relation_displacement": "gap"},
    )
    assert record.column("relation_active").tolist() == [False, True, True]
    assert record.column("stick").tolist() == [False, True, False]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(PLAIN.replace("time,normal", "TIME,Normal"), id="capitals"),
        pytest.param(PLAIN.replace("time,normal_force", "Time (s),normal_force [N]"), id="units"),
        pytest.param(PLAIN.replace("\n", "\ns,N\n", 1), id="a line of units"),
        pytest.param(f"# run 7\n\n#\n{PLAIN}", id="comments"),
        pytest.param(f"# {PLAIN}", id="as numpy.savetxt writes names"),
        pytest.param("# run 7\n# time [sec],normal_force (N)\n\n0,0\n.5,2\n1,0\n", id="savetxt"),
    ],
)
def test_names_and_units_are_found_as_programs_write_them(tmp_path: Path, text: str) -> None:
    record = whole_record(written(tmp_path, text))
    assert record.time.tolist() == [0.0, 0.5, 1.0]
    assert record.column("normal_force").tolist() == [0.0, 2.0, 0.0]


UNUSABLE = {
    "no-time": ("a,b\n0,1\n", {}, r"time must be in column time or Time or t\. .* a, b"),
    "no-such-column": (PLAIN, {"normal_force": "Fn"}, r"normal_force must be in column Fn"),
    "unknown-quantity": (
        PLAIN,
        {"normal_forces": "Fn"},
        r"'normal_forces' is not a quantity of a record, .*; did you mean 'normal_force'",
    ),
    "twice": ("time,Fn,Fn\n0,1,1\n", {"normal_force": "Fn"}, r"column Fn .* must occur once"),
    "one-column": ("time\n0\n1\n", {}, r"line 2: '0' must contain at least 2 numbers"),
    "empty": ("", {}, r"contains no row of numbers. Rows of"),
    "near-column": (PLAIN, {"normal_force": "norm"}, r"did you mean 'normal_force'\?$"),
    "other-unit": (
        "time,normal_force [kg]\n0,1\n",
        {},
        r"column 2 'normal_force \[kg\]': 'kg' is not a known unit of force, such as N.*force\)$",
    ),
    "other-unit-of-a-column-named": (
        "time,Fn [mm]\n0,1\n",
        {"normal_force": "Fn [mm]"},
        r"'mm' is not a known unit of force",
    ),
    "other-unit-below": (
        "time,normal_force\nN,N\n0,1\n",
        {},
        r"column 1 'N': 'N' is not a known unit of time, such as s, .*\(column of time\)$",
    ),
    "either": (
        "time,Normal_Force,NORMAL_FORCE\n0,1,1\n",
        {},
        r"normal_force may be in column Normal_Force or NORMAL_FORCE: select it by --columns",
    ),
    "no-names": ("0,1\n1,2\n", {}, r"a row of 2 column names is required above the numbers"),
    "time-back": (PLAIN + "0.9,1\n", {}, r"time=0.9 s at sample 3 must be >"),
    "nan": (PLAIN + "1.5,nan\n", {}, r"line 5: normal_force=nan N must be finite$"),
    "text": (
        PLAIN + "1.5,high\n",
        {},
        r"line 5: 'high' must be a finite number$",
    ),
    "short-row": (
        PLAIN + "1.5\n",
        {},
        r"line 5: has 1 cell\(s\) but the table has 2 column\(s\)",
    ),
    "flag": ("time,stick\n0,0.5\n1,1\n", {}, r"line 2: stick=0.5 must be 0 or 1$"),
}


@pytest.mark.parametrize(("text", "columns", "message"), UNUSABLE.values(), ids=UNUSABLE)
def test_unusable_files_are_refused(
    tmp_path: Path, text: str, columns: dict[str, str], message: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(RecordError, match=message) as caught:
        whole_record(path, columns)
    assert str(path) in str(caught.value)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "record.fmu"
    path.write_bytes(b"PK\x03\x04\x14\x00\xff\xfe\n")
    with pytest.raises(RecordError, match=r"record\.fmu is not a text file"):
        open_record(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
def test_text_of_spreadsheets_is_read_in_their_encodings(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "record.csv"
    path.write_bytes("sep=|\ntime|durée;s\n0|1,5\n1|2,5\n".encode(encoding))
    record = whole_record(path, {"normal_force": "durée;s"})
    assert np.array_equal(record.column("normal_force"), [1.5, 2.5])


def test_a_letter_far_below_the_head_is_refused_with_the_remedy(tmp_path: Path) -> None:
    path = tmp_path / "record.csv"
    path.write_bytes(b"time,normal_force\n" + b"0,1\n" * 20_000 + "é\n".encode("cp1252"))
    with pytest.raises(RecordError, match="is not UTF-8, but probably WINDOWS-1252: save it"):
        whole_record(path, {})


def test_chunks_of_a_file_give_the_statistics_of_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = np.arange(2000) * 1e-3
    force = np.maximum(np.sin(40.0 * time), 0.0)
    rows = "\n".join(f"{t!r},{f!r}" for t, f in zip(time.tolist(), force.tolist(), strict=True))
    path = written(tmp_path, f"time,normal_force\n{rows}\n")
    file = open_record(path)
    settings = StatisticsSettings(window_start=0.2, window_end=1.8, block_count=3)
    count = window_sample_count(file.time_chunks(), settings)
    whole = shock_statistics(whole_record(path), settings)
    monkeypatch.setattr(table_file, "CHUNK_SAMPLES", 77)
    chunked = shock_statistics(file.chunks(), settings, sample_count=count)
    # repr makes NaN (no velocity column) comparable. All numbers must be equal.
    assert repr(chunked) == repr(whole)


def test_error_in_a_later_chunk_names_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_file, "CHUNK_SAMPLES", 2)
    path = written(tmp_path, PLAIN + "1.5,nan\n")
    with pytest.raises(RecordError, match=r"line 5: normal_force=nan N must be finite$"):
        list(open_record(path).chunks())


def test_a_later_chunk_whose_rows_all_have_more_cells_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_file, "CHUNK_SAMPLES", 2)
    path = written(tmp_path, "time,v\n0,1\n0.5,2\n1,3,7\n1.5,4,7\n")
    with pytest.raises(RecordError, match=r"line 4: has 3 cell\(s\) but the table has 2"):
        read_shaking(path, acceleration="2")


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("time [ms],normal_force [kN]\n0,0\n500,2e-3\n1000,0\n", {}),
        ("t_ms,F\nms,kN\n0,0\n500,2e-3\n1000,0\n", {"time": "t_ms", "normal_force": "F"}),
        ("# time [ms],normal_force [mN]\n0,0\n500,2e3\n1000,0\n", {}),
        ("A run\ntime|normal_force\n0|0\n0,5|2\n1|0\n", {}),
    ],
    ids=["in names", "below names", "in the last comment", "text above and bars"],
)
def test_units_are_converted_and_text_is_skipped_as_in_a_shaking(
    tmp_path: Path, text: str, columns: dict[str, str]
) -> None:
    record = whole_record(written(tmp_path, text), columns)
    # A decimal times a power of ten has two rounding errors.
    assert record.time.tolist() == pytest.approx([0.0, 0.5, 1.0], rel=4e-16)
    assert record.column("normal_force").tolist() == pytest.approx([0.0, 2.0, 0.0], rel=4e-16)


# Tables of IMPR_TABLE of code_aster, in formats ASTER and TABLEAU.
ASTER = """\
#DEBUT_TABLE
#TITRE TABLE CALCULEE
 NOEUD    INST         FN           VN           DN           FT1          VT1
 K8       R            R            R            R            R            R
 N1        0.00000E+00  0.00000E+00 -5.00000E-01  1.00000E-03  0.00000E+00  0.00000E+00
 N1        1.00000E-03  2.00000E+00 -2.50000E-01 -1.00000E-03 -2.00000E-01  1.00000E-01
#FIN_TABLE
"""
TABLE = """\
#
#ASTER 15.04.00 CONCEPT TAB CALCULE LE 24/01/2022 A 15:21:09 DE TYPE TABLE_SDASTER
INST;FN;VN;DN;FT1;VT1
0.0;0.0;-0.5;1.0E-03;0.0;0.0
1.0E-03;2.0;-0.25;-1.0E-03;-0.2;0.1
"""


@pytest.mark.parametrize("text", [ASTER, TABLE], ids=["ASTER", "TABLEAU"])
def test_a_table_of_code_aster_is_known_by_its_names(tmp_path: Path, text: str) -> None:
    record = whole_record(written(tmp_path, text))
    assert record.time.tolist() == [0.0, 1e-3]
    assert record.column("normal_force").tolist() == [0.0, 2.0]
    assert record.column("normal_velocity").tolist() == [-0.5, -0.25]
    assert record.column("position_x").tolist() == [1e-3, -1e-3]
    assert record.column("tangential_force_1").tolist() == [0.0, -0.2]
    assert record.column("tangential_velocity_1").tolist() == [0.0, 0.1]


def test_names_of_code_aster_mean_nothing_without_its_time(tmp_path: Path) -> None:
    record = whole_record(written(tmp_path, "time,FN\n0,1\n1,2\n"))
    assert record.quantities == ("time",)


READERS: dict[str, Callable[[Path], object]] = {
    "run": lambda path: read_shaking(path, acceleration="2"),
    "post": lambda path: list(open_record(path).chunks()),
}
# Rows, number of the invalid line, and number of its cells.
TORN = [
    ("time,v\n0,1\n0.05,2,5\n0.1,3\n", 3, 3),
    ("time,v\n0,1.5,5\n0.05,2,5\n0.1,3,5\n", 2, 3),
    ("time,v\n0,1\n0.05,2\n0.1,3,x\n", 4, 3),
    ("time,v,w\n0,1,2\n0.05,2\n0.1,3,4\n", 3, 2),
    ("time,v,w\n0,1\n0.05,2\n0.1,3\n", 2, 2),
    ("time [s];v\ns;m/s2\n0;1;5\n0,05;2;5\n", 3, 3),
    ("# time;v\n0;0;3\n0,5;2;3\n1;0;3\n", 2, 3),
    ("time v\n0 1\n0.05 2 5\n0.1 3\n", 3, 3),
    ("time v\n0 1 5\n0.05 2 5\n0.1 3 5\n", 2, 3),
    ('time,"v, raw"\n0,1\n"0.05","2,5",7\n', 3, 3),
    ("time\tv\n0\t1\n0.05\t2\t5\n", 3, 3),
]


@pytest.mark.parametrize(("text", "line", "cells"), TORN, ids=range(len(TORN)))
@pytest.mark.parametrize("reader", READERS)
def test_a_row_with_more_or_fewer_cells_than_the_header_is_refused(
    tmp_path: Path, text: str, line: int, cells: int, reader: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ValueError, match=rf"line {line}: has {cells} cell\(s\) but the table"):
        READERS[reader](path)


@pytest.mark.parametrize(
    "text",
    [
        "time,v\n0,1,\n0.5,2,\n",
        "time,v\n0,1\n0.5,2,\n",
        "time,v,\n0,1,\n0.5,2,\n",
        "time,v,note\n0,1,\n0.5,2,end\n",
        "Time history of acceleration in two columns\n0 1\n0.5 2\n",
    ],
)
def test_a_mark_behind_the_last_cell_opens_no_column(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, text)
    assert read_shaking(path, acceleration="2").acceleration.tolist() == [1.0, 2.0]


def test_more_whole_numbers_than_names_between_commas_may_be_decimals(tmp_path: Path) -> None:
    path = written(tmp_path, "time,normal_force\n0,1,3,4\n0,2,1,2\n")
    with pytest.raises(RecordError, match="line 2: has 4 cells between commas, but 2 names above"):
        open_record(path)
