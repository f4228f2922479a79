"""Signals compared with values computed by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from harness.fmu.signals import ConstantSignal, CsvSignal, SampledSignal, SineSignal, TableSignal

# For sin of a few radians, the argument and the result are rounded once each.
ROUNDING = 4 * np.finfo(float).eps


def points(signal: SampledSignal) -> tuple[list[float], list[float]]:
    return signal.times.tolist(), signal.values.tolist()


def table(interpolation: str = "linear") -> TableSignal:
    return TableSignal(
        kind="table", time=(0.0, 0.5, 2.0), value=(1.0, 3.0, -3.0), interpolation=interpolation
    )


def test_constant_is_the_same_at_all_times() -> None:
    signal = ConstantSignal(kind="constant", value=2.5)
    assert signal.sample(np.array([0.0, 7.0])).tolist() == [2.5, 2.5]


def test_sine_follows_its_formula_at_quarter_periods() -> None:
    signal = SineSignal(kind="sine", amplitude=3.0, frequency=0.5, offset=1.0)
    got = signal.sample(np.array([0.0, 0.5, 1.0, 1.5]))
    np.testing.assert_allclose(got, [1.0, 4.0, 1.0, -2.0], rtol=0, atol=3 * ROUNDING)


def test_sine_phase_advances_the_wave() -> None:
    signal = SineSignal(kind="sine", amplitude=2.0, angular_frequency=5.0, phase=math.pi / 6)
    assert signal.sample(np.array([0.0]))[0] == pytest.approx(1.0, abs=ROUNDING)


def test_frequency_and_angular_frequency_mean_the_same_sine() -> None:
    times = np.linspace(0.0, 1.0, 11)
    in_hertz = SineSignal(kind="sine", amplitude=1.0, frequency=1.5)
    in_radians = SineSignal(kind="sine", amplitude=1.0, angular_frequency=3.0 * math.pi)
    # The angular frequencies differ by at most one rounding, times t ≤ 1 s and ω = 9.4 rad/s.
    np.testing.assert_allclose(
        in_hertz.sample(times), in_radians.sample(times), rtol=0, atol=10 * ROUNDING
    )


def test_linear_table_joins_its_points_by_straight_lines() -> None:
    got = table().sample(np.array([0.0, 0.25, 0.5, 1.25, 2.0]))
    assert got.tolist() == [1.0, 2.0, 3.0, 0.0, -3.0]  # quarters and halves are exact


def test_previous_table_holds_the_value_of_the_point_before() -> None:
    got = table("previous").sample(np.array([0.0, 0.49, 0.5, 1.99, 2.0]))
    assert got.tolist() == [1.0, 1.0, 3.0, 3.0, -3.0]


def test_previous_table_is_not_late_when_the_grid_misses_its_instant_by_a_rounding() -> None:
    instants = [0.1 * i for i in range(100)]  # rounded to decimals below
    decimals = tuple(round(instant, 1) for instant in instants)
    signal = TableSignal(
        kind="table",
        time=decimals,
        value=tuple(float(i) for i in range(100)),
        interpolation="previous",
    )
    grid = np.nextafter(np.array(decimals[1:]), 0.0)  # one rounding error too early
    assert signal.sample(grid).tolist() == [float(i) for i in range(1, 100)]


@pytest.mark.parametrize("time", [-0.001, 2.001], ids=["before", "after"])
def test_a_table_is_not_read_outside_its_span(time: float) -> None:
    with pytest.raises(ValueError, match=r"the table spans \[0, 2\] s and must cover t="):
        table().sample(np.array([1.0, time]))


def test_csv_takes_the_named_columns_and_scales_the_values(tmp_path: Path) -> None:
    (tmp_path / "shake.csv").write_text('"time","other","a_x"\n0,9,0.5\n0.5,9,1.5\n\n1,9,-1\n')
    declared = CsvSignal(kind="csv", file="shake.csv", value_column="a_x", scale=10.0)
    signal = declared.read(tmp_path)
    assert points(signal) == ([0.0, 0.5, 1.0], [5.0, 15.0, -10.0])


def test_rows_without_times_are_an_interval_apart(tmp_path: Path) -> None:
    (tmp_path / "loop.csv").write_text("u [mm],F [N]\n0,5\n2,6\n1,7\n")
    declared = CsvSignal(kind="csv", file="loop.csv", value_column="u [mm]", interval=0.25)
    signal = declared.read(tmp_path).in_unit("m")
    assert signal.times.tolist() == [0.0, 0.25, 0.5]
    assert signal.values.tolist() == [0.0, 2e-3, 1e-3]


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"interval": 0.0}, "interval"),
        ({"interval": 0.1, "time_column": "t"}, "time_column = 't' and interval = 0.1 must not be"),
    ],
)
def test_an_interval_is_positive_and_replaces_the_column_of_times(keys, message) -> None:
    with pytest.raises(ValidationError, match=message):
        CsvSignal(kind="csv", file="loop.csv", value_column="u", **keys)


def test_csv_has_the_form_of_an_accelerogram(tmp_path: Path) -> None:
    (tmp_path / "shake.csv").write_text("# site 3\ntime;a_x\ns;m/s2\n0;0,5\n0,5;1,5\n")
    signal = CsvSignal(kind="csv", file="shake.csv", value_column="a_x").read(tmp_path)
    assert points(signal) == ([0.0, 0.5], [0.5, 1.5])


def test_names_of_a_csv_may_stand_in_its_last_comment(tmp_path: Path) -> None:
    (tmp_path / "shake.csv").write_text("# site 3\n# time,a_x\n0,0.5\n0.5,1.5\n")
    signal = CsvSignal(kind="csv", file="shake.csv", value_column="a_x").read(tmp_path)
    assert points(signal) == ([0.0, 0.5], [0.5, 1.5])


def test_an_at2_file_has_the_columns_time_and_acceleration(tmp_path: Path) -> None:
    words = "PEER\nSomewhere\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS= 3, DT= .5 SEC\n"
    (tmp_path / "shake.AT2").write_text(f"{words} .0E+00 .5E+00\n -.25E+00\n")
    declared = CsvSignal(kind="csv", file="shake.AT2", value_column="acceleration")
    signal = declared.read(tmp_path).in_unit("m/s2")
    gravity = 9.80665
    assert points(signal) == ([0.0, 0.5, 1.0], [0.0, gravity / 2, -gravity / 4])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("time,ax\n0,1\n1,2\n", r"'a_x' must be one of its columns \['time', 'ax'\]; did"),
        ("time,a_x\n0,1\n1,nan\n", "line 3: 'nan' must be a finite number"),
        ("time,a_x\n0,1\n1,two\n", "line 3: 'two' must be a finite number"),
        ("time,a_x\n0,1\n1\n", "line 3: has 1 cell.s. but the table has 2 column.s."),
        ("time,a_x\n0,1\n", r"has 1 point\(s\); it must have ≥ 2"),
        ("time,a_x\n0,1\n0,2\n", r"line 3: time 0.0 s must be > 0.0 s, the previous time"),
        ("", "contains no row of numbers. Rows of numbers can follow a row of names"),
        ("0,1\n1,2\n", "'time' must be one of its columns"),
        ("time,a_x,a_x\n0,1,5\n1,2,4\n", "column 'a_x' must occur once"),
        ("time,a_x\nkg,g\n0,1\n1,2\n", "'kg' is not a known unit of time"),
    ],
    ids=["no column", "nan", "word", "short row", "one row", "times stand still", "empty",
         "no names", "name twice", "time in kg"],
)  # fmt: skip
def test_bad_csv_is_refused(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "shake.csv").write_text(content)
    with pytest.raises(ValueError, match=message):
        CsvSignal(kind="csv", file="shake.csv", value_column="a_x").read(tmp_path)


CM = 0.01


@pytest.mark.parametrize(
    ("header", "unit", "factor"),
    [
        ("time,a_x", "m/s2", 1.0),
        ("time,a_x\ns,m/s2", "m/s2", 1.0),
        ("time,a_x\ns,g", "m/s2", 9.80665),
        ("time,a_x\nms,cm/s2", "m/s2", CM),
        ("time,a_x\ns,kN", "N", 1e3),
        ("time,a_x\ns,N", "kN", 1e-3),
        ("time,a_x\ns,stone", None, 1.0),
        ("# acceleration in g\ntime,a_x", "m/s2", 1.0),
        ("time,a_x\n# all in g", "m/s2", 9.80665),
    ],
)
def test_values_of_a_csv_come_in_the_unit_of_what_they_feed(
    tmp_path: Path, header: str, unit: str | None, factor: float
) -> None:
    (tmp_path / "shake.csv").write_text(f"{header}\n0,0.5\n1000,-2\n")
    declared = CsvSignal(kind="csv", file="shake.csv", value_column="a_x", scale=-1.0)
    signal = declared.read(tmp_path).in_unit(unit)
    assert signal.times[1] == (1.0 if "ms" in header else 1000.0)
    assert signal.values.tolist() == [factor * -0.5, factor * 2.0]


@pytest.mark.parametrize(
    ("unit", "scale", "message"),
    [
        ("g", 9.80665, r"scale=9.80665 seems to repeat a conversion: the file contains the unit g"),
        ("stone", 1.0, "'stone' is not a known unit of acceleration, such as m/s2"),
        ("kN", 1.0, "'kN' is not a known unit of acceleration"),
    ],
)
def test_a_unit_that_cannot_be_converted_is_refused(
    tmp_path: Path, unit: str, scale: float, message: str
) -> None:
    (tmp_path / "shake.csv").write_text(f"time,a_x\ns,{unit}\n0,1\n1,2\n")
    declared = CsvSignal(kind="csv", file="shake.csv", value_column="a_x", scale=scale)
    with pytest.raises(ValueError, match=message):
        declared.read(tmp_path).in_unit("m/s2")


def test_a_scale_after_the_conversion_is_refused_as_well(tmp_path: Path) -> None:
    (tmp_path / "shake.csv").write_text("time,a_x\ns,g\n0,1\n1,2\n")
    signal = CsvSignal(kind="csv", file="shake.csv", value_column="a_x").read(tmp_path)
    with pytest.raises(ValueError, match=r"scale=-10\.0 seems to repeat"):
        signal.in_unit("m/s2").scaled(-10.0)


@pytest.mark.parametrize("scale", [0.25, -0.25, 2.0, 0.0])
def test_a_record_in_g_takes_a_scale(tmp_path: Path, scale: float) -> None:
    (tmp_path / "shake.csv").write_text("time,a_x\ns,g\n0,1\n1,2\n")
    declared = CsvSignal(kind="csv", file="shake.csv", value_column="a_x", scale=scale)
    before = declared.read(tmp_path).in_unit("m/s2")
    after = replace(declared, scale=1.0).read(tmp_path).in_unit("m/s2").scaled(scale)
    # One more product adds one rounding error.
    assert before.values == pytest.approx([9.80665 * scale, 9.80665 * 2.0 * scale], rel=1e-15)
    assert after.values == pytest.approx(before.values, rel=1e-15)


def test_a_sampled_signal_holds_arrays_that_cannot_change() -> None:
    signal = SampledSignal(np.arange(3.0), np.zeros(3))
    with pytest.raises(ValueError, match="read-only"):
        signal.values[0] = 1.0


def test_long_signals_that_differ_in_one_value_are_told_apart() -> None:
    # A sweep resumes from its journal only if this text is unchanged.
    values = np.zeros(5000)
    one = SampledSignal(np.arange(5000.0), values)
    values = values.copy()
    values[2500] = 1e-300
    assert repr(one) != repr(SampledSignal(np.arange(5000.0), values))
