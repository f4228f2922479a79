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


# Ten rows whose values have three decimals, or an exponent of two digits.
FIXED = "".join(f"{0.5 * row:.2f},{0.1 * row:.3f}\n" for row in range(10))
POWERS = "".join(f"{0.5 * row:.2f};{0.1 * row:.3e}\n" for row in range(10))
AT2_ROWS = (
    "PEER\nEvent\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS=  12, DT=  .5000 SEC\n"
    + "".join(
        "".join(f"{0.01 * (3 * line + at):15.7E}" for at in range(3)) + "\n" for line in range(4)
    )
)
ROWS = "0,0,1\n0.5,0.25,-3.3\n1.5,-1e-3,0.1\n4,0.7,2\n"
FILES: dict[str, tuple[str | bytes, dict[str, Any]]] = {
    "plain": (ROWS, {}),
    "no end of the last line": (ROWS.rstrip(), {}),
    "whole without an end": (FIXED.rstrip(), {}),
    **{f"cut by {cut}": (FIXED[:-cut], {}) for cut in range(2, 8)},
    **{f"power cut by {cut}": (POWERS[:-cut], {}) for cut in range(1, 8)},
    **{f"AT2 cut by {cut}": (AT2_ROWS[:-cut], {}) for cut in (1, 2, 3, 8)},
    "second value column": (ROWS, {"value_column": 3}),
    "a column too many": (ROWS, {"value_column": 4}),
    "names": ("time,acc,other\n" + ROWS, {}),
    "units in names": ("t [ms],a [g],b (cm/s2)\n0,0,0\n500,0.3,0.1\n4000,-0.1,0.7\n", {}),
    "units below names": ("t;a\ns;m/s²\n0;0\n0,5;0,3\n4;-0,1\n", {}),
    "g and a scale": ("t,a_g\n0,0\n4,1\n", {"scale": 9.80665}),
    "g and its negative": ("t,a_g\n0,0\n4,1\n", {"scale": -1.0}),
    "an unknown unit": ("t,a [furlong]\n0,0\n4,1\n", {}),
    "two units": ("t,a [g] (m/s2)\n0,0\n4,1\n", {}),
    "a remark above": ("# time [s]  acceleration [g]\n0 0\n4 1\n", {}),
    "Excel's": ('sep=;\n"t (s)";"a (m/s2)"\n"0";"0"\n4;1\n', {}),
    "marked as UTF-8": (b"\xef\xbb\xbft,a\n0,0\n4,1\n", {}),
    "not UTF-8": (b"t,a\xe9\n0,0\n4,1\n", {}),
    "carriage returns": (ROWS.replace("\n", "\r\n"), {}),
    "AT2": (
        "PEER DATABASE\nquake\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS=  6, DT=   .8 SEC\n"
        " .1E-01 -.2E-01 .3 .4 .5\n .6\n",
        {},
    ),
    "AT2 that lacks values": (
        "PEER DATABASE\nquake\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS=  6, DT= .8\n .1 .2\n",
        {},
    ),
    "AT2 of velocities": (
        "P\nq\nVELOCITY TIME SERIES IN UNITS OF CM/S\nNPTS= 2, DT= .8\n.1 .2\n",
        {},
    ),
    "a word among numbers": ("0,0\n0.5,x\n4,1\n", {}),
    "empty": ("", {}),
    "many digits": ("0,0.1000000000000000055511151231257827\n4,2.2250738585072011e-308\n", {}),
}


@pytest.mark.parametrize(("content", "values"), FILES.values(), ids=FILES)
def test_files_are_read_as_the_python_fmu_reads_them(
    pair: Callable[[], Hosts], tmp_path: Path, content: str | bytes, values: dict[str, Any]
) -> None:
    file = tmp_path / "motion.csv"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    assert_same(pair(), kind=CSV, file=str(file), **values)


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
