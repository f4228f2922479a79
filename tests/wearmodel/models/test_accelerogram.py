"""The strict table of a base motion: exact reading and rejected files."""

import re
from pathlib import Path

import pytest

from wearmodel.models.accelerogram import MOTION_HEADER, accelerogram_of_text, read_accelerogram

COMMAND = "`wearfmu motion RECORD --out FILE` writes the table for BaseMotion"
ROWS = f"{MOTION_HEADER}\n0,1\n1,2\n"


def written(tmp_path: Path, content: str | bytes) -> str:
    file = tmp_path / "record.csv"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(file)


def test_the_numbers_of_a_table_are_read_to_the_last_digit(tmp_path):
    values = (
        "0.1000000000000000055511151231257827",
        "-.5",
        "5.",
        "+1e-3",
        "2.2250738585072011e-308",
    )
    rows = "".join(f"{row},{value}\n" for row, value in enumerate(values))
    points = read_accelerogram(written(tmp_path, f"{MOTION_HEADER}\n{rows}"))
    assert points.times == (0.0, 1.0, 2.0, 3.0, 4.0)
    assert points.values == tuple(float(value) for value in values)


RECORDS: dict[str, str | bytes] = {
    "empty": "",
    "no header": "0,1\n1,2\n",
    "other names": "time,acc\n0,1\n1,2\n",
    "another unit": "time [s],acceleration [g]\n0,1\n1,2\n",
    "semicolons": "time [s];acceleration [m/s2]\n0;1\n1;2\n",
    "AT2": "PEER\nq\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS= 2, DT= 4\n.1 .2\n",
    "Windows lines": ROWS.replace("\n", "\r\n"),
    "marked as UTF-8": b"\xef\xbb\xbf" + ROWS.encode(),
    "not UTF-8": b"t,a\xe9\n0,0\n4,1\n",
    "a header without an end": MOTION_HEADER,
}


@pytest.mark.parametrize("content", RECORDS.values(), ids=RECORDS)
def test_another_record_is_refused_with_the_command_that_makes_it_a_table(tmp_path, content):
    path = written(tmp_path, content)
    message = f"file={path!r}, line 1: must be {MOTION_HEADER!r}. {COMMAND}"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        read_accelerogram(path)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ("0,1\n1,2", f"line 3: must end as lines do, or it may be cut. {COMMAND}"),
        ("0,1\n\n1,2\n", "line 3: must be two finite numbers, such as 0.01,-0.2. "),
        ("0,1\n1,2,3\n", "line 3: must be two finite numbers"),
        ("0;1\n1;2\n", "line 2: must be two finite numbers"),
        ("0,1\n1, 2\n", "line 3: must be two finite numbers"),
        ("0,1\n1,nan\n", "line 3: must be two finite numbers"),
        ("0,1\n1,1e999\n", "line 3: must be two finite numbers"),
        ("0,1\n1,1_0\n", "line 3: must be two finite numbers"),
        ("0,1\n1,\u0967\n", "line 3: must be two finite numbers"),
        (f"0,1\n1,{'9' * 65}\n", "line 3: must be two finite numbers"),
        ("0,1\n", "has 1 point(s): it must have ≥ 2"),
        ("0,1\n0.5,2\n0.5,3\n", "line 4: time 0.5 s must be > 0.5 s, the previous time"),
    ],
)
def test_a_broken_row_is_refused_with_its_line(tmp_path, rows, reason):
    path = written(tmp_path, f"{MOTION_HEADER}\n{rows}")
    with pytest.raises(ValueError, match=re.escape(reason)):
        read_accelerogram(path)


def test_a_column_that_the_table_does_not_have_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"line 2: has 2 column\(s\) and must have column 3"):
        read_accelerogram(written(tmp_path, ROWS), value_column=3)


@pytest.mark.parametrize("word", ["true", "inf", "1_0", "0x10", "1,5", "9" * 65])
def test_a_text_of_points_takes_decimal_numbers_alone(word):
    with pytest.raises(ValueError, match=f"point 2: '{word}' must be a finite number"):
        accelerogram_of_text(f"0 1; 1 {word}")
