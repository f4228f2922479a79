"""The native BaseMotion gives the bits and words of the Python one, texts and files included."""

from __future__ import annotations

import locale
import math
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fmpy import fmi2

from fmu_src.archive.builder import build_fmu
from fmu_src.models import MOTION_STARTS
from tests.native_fmus import build_native_fmu
from wearmodel.models.accelerogram import MOTION_HEADER

from ..fmu_src.conftest import Host
from ..fmu_src.test_endless_files import endless
from .conftest import Hosts

OK, ERROR = 0, 3
SINE, TABLE, CSV = 0, 1, 2


@pytest.fixture(scope="module")
def pair(pair_of: Callable[[str], Callable[[], Hosts]]) -> Callable[[], Hosts]:
    """The native and the Python instance."""
    return pair_of("BaseMotion")


def start(one: Host, start_time: float = 0.0, **values: Any) -> Host:
    texts = {name: values.pop(name).encode() for name in ("table", "file") if name in values}
    return one.initialise(start_time, **values, **texts)


def assert_same(both: Hosts, steps: int = 20, step_size: float = 0.125, **values: Any) -> None:
    for one in both:
        start(one, **values)
    native, python = both
    for step in range(steps):
        answers = [(one.step(step * step_size, step_size), one.outputs()) for one in both]
        assert answers[0] == answers[1], f"step {step}"
    assert native.messages[-1:] == python.messages[-1:]


SIGNALS: dict[str, dict[str, Any]] = {
    "sine": {},
    "sine of its own": {
        "amplitude": 0.1,
        "frequency": 3.3,
        "phase": 1.7,
        "offset": 0.3,
        "scale": -2,
    },
    "table": {"kind": TABLE, "table": "0 0; 0.3 1.1;0.7 -2e-3 ; 3 0.1;"},
    "table, previous": {"kind": TABLE, "table": "0 0; 0.3 1.1; 0.7 -2; 3 1", "interpolation": 1},
    "a table that ends early": {"kind": TABLE, "table": "0 0; 1 1"},
    "no table": {"kind": TABLE},
    "a word in the table": {"kind": TABLE, "table": "0 0; one 1"},
    "a point of three": {"kind": TABLE, "table": "0 0; 1 1 1"},
    "a table that goes back": {"kind": TABLE, "table": "0 0; 1 1; 0.5 0"},
    "no file": {"kind": CSV},
    "a file that is not there": {"kind": CSV, "file": "/nowhere/quake's.csv"},
    "a folder": {"kind": CSV, "file": "/"},
    "a parameter out of range": {"frequency": -1.0},
    "a column out of range": {"value_column": 1},
}


@pytest.mark.parametrize("values", SIGNALS.values(), ids=SIGNALS)
def test_signals_and_refusals_are_the_python_fmus(
    pair: Callable[[], Hosts], values: dict[str, Any]
) -> None:
    assert_same(pair(), **values)


ROWS = f"{MOTION_HEADER}\n0.0,1.0\n0.5,-3.3\n1.5,1e-03\n4.0,2.5e+00\n"
TABLES: dict[str, tuple[str, dict[str, Any]]] = {
    "a table": (ROWS, {}),
    "a table, previous": (ROWS, {"interpolation": 1}),
    "a table, scaled": (ROWS, {"scale": 9.80665, "offset": -0.1}),
    "a column too many": (ROWS, {"value_column": 3}),
    "many digits": (
        f"{MOTION_HEADER}\n0,0.1000000000000000055511151231257827\n4,2.2250738585072011e-308\n",
        {},
    ),
    "one row": (f"{MOTION_HEADER}\n0.0,1.0\n", {}),
    "time goes back": (f"{MOTION_HEADER}\n0.0,1.0\n1.0,1.0\n0.5,1.0\n", {}),
}


@pytest.mark.parametrize(("content", "values"), TABLES.values(), ids=TABLES)
def test_strict_tables_are_read_as_the_python_fmu_reads_them(
    pair: Callable[[], Hosts], tmp_path: Path, content: str, values: dict[str, Any]
) -> None:
    file = tmp_path / "séisme's.csv"
    file.write_bytes(content.encode())
    assert_same(pair(), kind=CSV, file=str(file), **values)


RECORDS = {
    "names": b"time,acc\n0,1\n4,2\n",
    "semicolons": b"time [s];acceleration [m/s2]\n0;1\n4;2\n",
    "AT2": b"PEER\nq\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS= 2, DT= 4\n.1 .2\n",
    "marked as UTF-8": b"\xef\xbb\xbf" + ROWS.encode(),
    "not UTF-8": b"t,a\xe9\n0,0\n4,1\n",
}


@pytest.mark.parametrize("content", RECORDS.values(), ids=RECORDS)
def test_another_record_is_refused_with_the_command_that_makes_it_a_table(
    pair: Callable[[], Hosts], tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "record.csv"
    file.write_bytes(content)
    both = pair()
    assert_same(both, kind=CSV, file=str(file))
    reason = f"file={str(file)!r}, line 1: must be {MOTION_HEADER!r}"
    for one in both:
        said = f"{reason}; `wearfmu motion RECORD --out FILE` writes the table"
        assert said in one.messages[-1]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Hosts:
    """Both FMUs with a table in them; a URI must encode the native one's place."""
    folder = tmp_path_factory.mktemp("own")
    fmus = (
        build_native_fmu("BaseMotion", folder, start_values=MOTION_STARTS, motion=ROWS),
        build_fmu("BaseMotion", folder, start_values=MOTION_STARTS, motion=ROWS),
    )
    return Host(fmus[0], folder / "50 % é"), Host(fmus[1], folder / "python")


def test_an_fmu_plays_the_table_in_it_by_default(own: Hosts) -> None:
    for one in own:
        one.call("fmi2Reset")
    assert_same(own, steps=4)
    for one in own:
        assert one.get("file") == b"resources/motion.csv"
        assert one.get("acceleration") == -3.3


def test_a_state_of_an_fmu_with_a_table_travels_as_bytes(own: Hosts) -> None:
    for one in own:
        one.call("fmi2Reset")
        start(one)
        assert one.step(0.0, 0.5) == OK
        saved = one.serialise(one.save())
        one.call("fmi2Reset")
        assert one.load(one.deserialise(saved)) == OK
        assert one.get("acceleration") == -3.3
        assert one.step(0.5, 0.5) == OK


def test_an_fmu_without_a_table_says_that_there_is_none(pair: Callable[[], Hosts]) -> None:
    for one in pair():
        start(one, kind=CSV, file="resources/motion.csv")
        reason = "file='resources/motion.csv' cannot be read: No such file or directory"
        assert reason in one.messages[0]


__all__ = ["endless"]  # a fixture


def test_a_file_without_an_end_is_refused_in_the_same_words(
    pair: Callable[[], Hosts], endless: str
) -> None:
    assert_same(pair(), kind=CSV, file=endless)


def test_a_text_is_given_back(pair: Callable[[], Hosts]) -> None:
    for one in pair():
        one.set(table="0 é; 1 µ".encode())
        assert one.get("table") == "0 é; 1 µ".encode()
        assert one.get("file") == b""


def test_a_text_that_is_not_utf_8_is_refused(pair: Callable[[], Hosts]) -> None:
    native, _ = pair()
    native.set(table=b"0 0; 1 1")
    assert native.set_reference("String", native.references["table"], b"\xff") == ERROR
    assert "must be a text in UTF-8; it was not taken" in native.messages[-1]
    assert native.get("table") == b"0 0; 1 1"


def test_a_state_keeps_its_points_where_the_file_is_gone(
    pair: Callable[[], Hosts], tmp_path: Path
) -> None:
    file = tmp_path / "motion.csv"
    file.write_text(ROWS)
    native, _ = pair()
    start(native, kind=CSV, file=str(file))
    assert native.step(0.0, 0.5) == OK
    state = native.save()
    data = native.serialise(state)
    assert native.step(0.5, 0.5) == OK
    straight = native.outputs()
    file.unlink()
    start(native, 0.0)
    assert native.call("fmi2Reset") == OK
    assert native.load(state) == OK
    assert native.get("file") == str(file).encode()
    assert native.step(0.5, 0.5) == OK
    assert native.outputs() == straight
    # From bytes the file is read again.
    restored = fmi2.fmi2FMUstate()
    buffer = (fmi2.c_char * len(data)).from_buffer_copy(data)
    size = fmi2.c_size_t(len(data))
    deserialise = ("fmi2DeSerializeFMUstate", buffer, size, fmi2.byref(restored))
    assert native.call(*deserialise) == ERROR
    assert "cannot be read: No such file or directory" in native.messages[-1]
    file.write_text(ROWS)
    assert native.call(*deserialise) == OK
    assert native.load(restored) == OK
    assert native.step(0.5, 0.5) == OK
    assert native.outputs() == straight


def test_the_decimal_point_of_the_hosts_locale_has_no_effect(
    pair: Callable[[], Hosts], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["localedef", "-i", "de_DE", "-f", "UTF-8", str(tmp_path / "de_DE.UTF-8")]
    subprocess.run(command, check=True, capture_output=True)
    monkeypatch.setenv("LOCPATH", str(tmp_path))
    before = locale.setlocale(locale.LC_NUMERIC)
    locale.setlocale(locale.LC_NUMERIC, "de_DE.UTF-8")
    try:
        assert locale.localeconv()["decimal_point"] == ","
        native, _ = pair()
        start(native, kind=TABLE, table="0 0.5; 1 1.5")
        assert native.get("acceleration") == 0.5
        assert native.call("fmi2Reset") == OK
        file = tmp_path / "motion.csv"
        file.write_text(ROWS.replace("0.0,1.0", "0.0,1.5"))
        start(native, kind=CSV, file=str(file))
        assert native.get("acceleration") == 1.5
        assert native.call("fmi2Reset") == OK
        start(native, frequency=-0.25)
        assert "frequency=-0.25 Hz must be ≥ 0" in native.messages[-1]
    finally:
        locale.setlocale(locale.LC_NUMERIC, before)


@pytest.mark.parametrize("start_time", [math.nan, math.inf])
def test_a_start_that_is_no_instant_is_refused_in_the_same_words(
    pair: Callable[[], Hosts], start_time: float
) -> None:
    both = pair()
    for one in both:
        start(one, start_time)
        assert one.step(0.0, 1.0) == ERROR
    native, python = both
    assert native.messages[0] == python.messages[0]
