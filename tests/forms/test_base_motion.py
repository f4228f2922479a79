"""BaseMotion in all forms: value at the present time, texts and files."""

import os
from typing import Any

import pytest

from wearmodel.models.accelerogram import MOTION_HEADER, read_accelerogram

from .conftest import Make
from .instance import Instance, Slave

TABLE, CSV = 1, 2
STEP = 0.125


def go(make: Make, **values: Any) -> Instance:
    """Compare twenty steps with the Python object, including the messages of refusals."""
    one, slave = make("BaseMotion"), Slave("BaseMotion").begin(**values)
    if not one.begins(**values):
        (message,) = one.messages
        assert message.endswith(slave.message)
        return one
    for step in range(20):
        assert one.outputs() == slave.outputs()
        done = slave.steps(step * STEP, STEP)
        assert one.steps(step * STEP, STEP) is done
        assert done or one.messages[-1] == slave.message
    return one


SIGNALS: dict[str, dict[str, Any]] = {
    "sine": {},
    "sine of its own": {
        "amplitude": 0.1,
        "frequency": 3.3,
        "phase": 1.7,
        "offset": 0.3,
        "scale": -2,
    },
    "table": {"kind": TABLE, "table": b"0 0; 0.3 1.1;0.7 -2e-3 ; 3 0.1;"},
    "table, previous": {"kind": TABLE, "table": b"0 0; 0.3 1.1; 0.7 -2; 3 1", "interpolation": 1},
    "a table that ends early": {"kind": TABLE, "table": b"0 0; 1 1"},
}


@pytest.mark.parametrize("values", SIGNALS.values(), ids=SIGNALS)
def test_signals_have_the_objects_bits(make, values):
    go(make, **values)


NOT_READ: dict[str, tuple[dict[str, Any], str]] = {
    "a file with a sine": (
        {"file": b"quake's.csv"},
        "file=\"quake's.csv\" is read only if kind=csv (2): set kind=csv or file=''",
    ),
    "a table with a sine": (
        {"table": b"0 0; 1 1"},
        "table='0 0; 1 1' is read only if kind=table (1): set kind=table or table=''",
    ),
    "a file with a table": (
        {"kind": TABLE, "table": b"0 0; 3 1", "file": b"quake.csv"},
        "file='quake.csv' is read only if kind=csv (2)",
    ),
}


@pytest.mark.parametrize(("values", "message"), NOT_READ.values(), ids=NOT_READ)
def test_points_that_the_kind_does_not_read_are_refused_in_any_order(make, values, message):
    for given in (values, dict(reversed(values.items()))):
        one = go(make, **given)
        assert message in one.messages[-1]
        assert not one.steps(0.0, STEP)
    assert one.changes("Reset")
    empty = dict.fromkeys(("file", "table"), b"")
    assert one.begins(**{**values, **empty, "kind": 0})


def test_the_kind_may_follow_the_points(make):
    one = make("BaseMotion").begun(table=b"0 0; 3 3", kind=TABLE)
    assert one.steps(0.0, STEP)
    assert one.get("acceleration") == STEP


def test_a_sine_may_replace_the_table_in_the_fmu(make):
    assert go(make, file=b"resources/motion.csv").messages == []


ROWS = f"{MOTION_HEADER}\n0.0,1.0\n0.5,-3.3\n1.5,1e-03\n4.0,2.5e+00\n"
FILES: dict[str, tuple[str, dict[str, Any]]] = {
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


@pytest.mark.parametrize(("content", "values"), FILES.values(), ids=FILES)
def test_files_are_read_as_the_object_reads_them(make, tmp_path, content, values):
    file = tmp_path / "séisme's.csv"
    file.write_bytes(content.encode())
    go(make, kind=CSV, file=str(file).encode(), **values)


RECORDS = {
    "names": b"time,acc\n0,1\n4,2\n",
    "other units": b"# time [ms],acc [g]\n0,1\n1000,5\n",
    "semicolons": b"time [s];acceleration [m/s2]\n0;1\n4;2\n",
    "AT2": b"PEER\nq\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS= 2, DT= 4\n.1 .2\n",
    "marked as UTF-8": b"\xef\xbb\xbf" + ROWS.encode(),
    "not UTF-8": b"t,a\xe9\n0,0\n4,1\n",
}


@pytest.mark.parametrize("content", RECORDS.values(), ids=RECORDS)
def test_another_record_is_refused_with_the_command_that_makes_it_a_table(make, tmp_path, content):
    file = tmp_path / "record.csv"
    file.write_bytes(content)
    one = go(make, kind=CSV, file=str(file).encode())
    reason = f"file={str(file)!r}, line 1: must be {MOTION_HEADER!r}"
    assert f"{reason}. `wearfmu motion RECORD --out FILE` writes the table" in one.messages[0]


@pytest.mark.parametrize("file", ["/dev/zero", "/dev/null", "a pipe"])
def test_a_file_without_an_end_is_refused_before_it_is_opened(make, tmp_path, file):
    if file == "a pipe":
        file = str(tmp_path / "pipe")
        os.mkfifo(file)  # opening a pipe without a writer would block
    reason = "cannot be read: it is not a regular file"
    with pytest.raises(ValueError, match=reason):
        read_accelerogram(file)
    assert reason in go(make, kind=CSV, file=file.encode()).messages[0]


def test_a_text_is_given_back_and_runs(make):
    one = make("BaseMotion")
    one.set(table="0 é; 1 µ".encode())
    assert one.get("table") == "0 é; 1 µ".encode()
    assert one.get("file") == b""
    one.begun(kind=TABLE, table=b"0 1; 1 5")
    assert one.steps(0.0, 0.25)
    assert one.get("acceleration") == 2.0


def test_the_output_after_the_initialisation_is_the_value_at_the_start(make):
    assert make("BaseMotion").begun(0.25, amplitude=2.0).get("acceleration") == 2.0


def test_the_next_step_of_the_shoe_starts_with_the_value_passed_on(make):
    motion = make("BaseMotion").begun(amplitude=0.5, phase=0.3)
    shoe = make().begun(base_acceleration=motion.get("acceleration"), input_extrapolation_order=0)
    for step in range(100):
        fed = motion.get("acceleration")
        assert shoe.steps(step * 1e-3, 1e-3, base_acceleration=fed)
        assert motion.steps(step * 1e-3, 1e-3)
        # In stick, the acceleration of the mass is the base acceleration in this step.
        assert shoe.get("absolute_acceleration") == fed
