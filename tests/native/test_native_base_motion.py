"""The native BaseMotion: a table in the FMU, texts, deleted files, and the locale."""

import locale
import subprocess
from typing import Any

import pytest

from fmu_src.archive.builder import build_fmu
from fmu_src.models import MOTION_STARTS, definition_of
from tests.native_fmus import build_native_fmu
from wearmodel.models.accelerogram import MOTION_HEADER

from ..fmu_src.conftest import Host
from .conftest import Hosts, host_of

OK, ERROR = 0, 3
SINE, TABLE, CSV = 0, 1, 2


def start(one: Host, start_time: float = 0.0, **values: Any) -> Host:
    texts = {name: values.pop(name).encode() for name in ("table", "file") if name in values}
    return one.initialise(start_time, **values, **texts)


ROWS = f"{MOTION_HEADER}\n0.0,1.0\n0.5,-3.3\n1.5,1e-03\n4.0,2.5e+00\n"


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Hosts:
    """Return both FMUs with a table. The path of the native one must be encoded in a URI."""
    folder = tmp_path_factory.mktemp("own")
    definition = definition_of("BaseMotion", motion=ROWS)
    fmus = (
        build_native_fmu(definition, folder, start_values=MOTION_STARTS),
        build_fmu(definition, folder, start_values=MOTION_STARTS),
    )
    return host_of(fmus[0], folder / "50 % é"), host_of(fmus[1], folder / "python")


def test_an_fmu_plays_the_table_in_it_by_default(own):
    for one in own:
        one.call("fmi2Reset")
        start(one)
        assert one.step(0.0, 0.5) == OK
        assert one.get("file") == b"resources/motion.csv"
        assert one.get("acceleration") == -3.3


def test_a_state_of_an_fmu_with_a_table_travels_as_bytes(own):
    for one in own:
        one.call("fmi2Reset")
        start(one)
        assert one.step(0.0, 0.5) == OK
        saved = one.written()
        one.call("fmi2Reset")
        assert one.restores(saved)
        assert one.get("acceleration") == -3.3
        assert one.step(0.5, 0.5) == OK


def test_a_text_that_is_not_utf_8_is_refused(native):
    one = native("BaseMotion")
    one.set(table=b"0 0; 1 1")
    assert one.give("table", b"\xff") == ERROR
    assert "must be a text in UTF-8" in one.messages[-1]
    assert one.get("table") == b"0 0; 1 1"


def test_a_state_keeps_its_points_where_the_file_is_gone(native, tmp_path):
    file = tmp_path / "motion.csv"
    file.write_text(ROWS)
    one = native("BaseMotion")
    start(one, kind=CSV, file=str(file))
    assert one.step(0.0, 0.5) == OK
    state = one.save()
    data = one.serialise(state)
    assert one.step(0.5, 0.5) == OK
    straight = one.outputs()
    file.unlink()
    start(one, 0.0)
    assert one.call("fmi2Reset") == OK
    assert one.load(state) == OK
    assert one.get("file") == str(file).encode()
    assert one.step(0.5, 0.5) == OK
    assert one.outputs() == straight
    # When a state is restored from bytes, the file is read again.
    assert not one.restores(data)
    assert "cannot be read: No such file or directory" in one.messages[-1]
    file.write_text(ROWS)
    assert one.restores(data)
    assert one.step(0.5, 0.5) == OK
    assert one.outputs() == straight


def test_the_decimal_point_of_the_hosts_locale_has_no_effect(native, tmp_path, monkeypatch):
    command = ["localedef", "-i", "de_DE", "-f", "UTF-8", str(tmp_path / "de_DE.UTF-8")]
    subprocess.run(command, check=True, capture_output=True)
    monkeypatch.setenv("LOCPATH", str(tmp_path))
    before = locale.setlocale(locale.LC_NUMERIC)
    locale.setlocale(locale.LC_NUMERIC, "de_DE.UTF-8")
    try:
        assert locale.localeconv()["decimal_point"] == ","
        one = native("BaseMotion")
        start(one, kind=TABLE, table="0 0.5; 1 1.5")
        assert one.get("acceleration") == 0.5
        assert one.call("fmi2Reset") == OK
        file = tmp_path / "motion.csv"
        file.write_text(ROWS.replace("0.0,1.0", "0.0,1.5"))
        start(one, kind=CSV, file=str(file))
        assert one.get("acceleration") == 1.5
        assert one.call("fmi2Reset") == OK
        start(one, frequency=-0.25)
        assert "frequency=-0.25 Hz must be ≥ 0" in one.messages[-1]
    finally:
        locale.setlocale(locale.LC_NUMERIC, before)
