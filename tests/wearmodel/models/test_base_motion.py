"""The support's acceleration as a signal: sine, table and file, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path

import mpmath
import pytest

from harness.shaking import read_shaking
from wearmodel.models.base_motion import BaseMotion, BaseMotionParameters, Interpolation, MotionKind

TABLE = BaseMotionParameters(kind=MotionKind.table, table="0 1; 0.5 3; 2 0")


@pytest.mark.parametrize("time", [0.0, 0.1, 1.0 / 3.0, 7.3, 1e4])
def test_a_sine_is_offset_plus_scaled_amplitude(time: float) -> None:
    motion = BaseMotion(
        BaseMotionParameters(amplitude=1.5, frequency=2.5, phase=0.7, offset=-0.2, scale=3.0)
    )
    with mpmath.workdps(30):
        angle = 2 * mpmath.pi * mpmath.mpf(2.5) * mpmath.mpf(time) + mpmath.mpf(0.7)
        exact = mpmath.mpf(-0.2) + 3 * mpmath.mpf(1.5) * mpmath.sin(angle)
    # The angle is rounded to 2^-52 of itself (three operations), which the sine passes on.
    rounding = 4.5 * 3 * 2.0**-52 * (1.0 + 5.0 * math.pi * time)
    assert motion.acceleration_at(time) == pytest.approx(float(exact), abs=rounding, rel=0.0)


def test_the_defaults_are_the_shaking_of_sdnd104() -> None:
    # SDND104 (V5.01.104), section 1: a0 sin(2π t), a0 = 15 m/s2 the largest.
    motion = BaseMotion()
    assert motion.output_values() == [0.0]
    motion.move_to(0.25)
    assert motion.output_values() == [15.0]


@pytest.mark.parametrize(
    ("interpolation", "time", "value"),
    [
        (Interpolation.linear, 0.0, 1.0),
        (Interpolation.linear, 0.25, 2.0),
        (Interpolation.linear, 0.5, 3.0),
        (Interpolation.linear, 1.25, 1.5),
        (Interpolation.linear, 2.0, 0.0),
        (Interpolation.previous, 0.0, 1.0),
        (Interpolation.previous, 0.25, 1.0),
        (Interpolation.previous, 0.5, 3.0),
        (Interpolation.previous, 1.999, 3.0),
        (Interpolation.previous, 2.0, 0.0),
    ],
)
def test_a_table_is_joined_by_lines_or_held(
    interpolation: Interpolation, time: float, value: float
) -> None:
    motion = BaseMotion(
        BaseMotionParameters(kind=MotionKind.table, table=TABLE.table, interpolation=interpolation)
    )
    # Points and halves are binary fractions: no rounding at all.
    assert motion.acceleration_at(time) == value


def test_an_instant_a_few_roundings_before_a_point_takes_its_value() -> None:
    rows = "; ".join(f"{step * 0.1!r} {step}" for step in range(11))
    motion = BaseMotion(
        BaseMotionParameters(
            kind=MotionKind.table, table=rows, interpolation=Interpolation.previous
        )
    )
    added = 0.0
    for step in range(11):
        assert motion.acceleration_at(added) == step
        added += 0.1


@pytest.mark.parametrize(
    "text",
    [
        "0,1\n0.5,3\n2,0\n",
        "time;acceleration\n0;1\n0.5;3\n2;0\n",
        "# recorded\n\n  t   a\n  0   1\n0.5\t3\n2 0",
        "time (s), a (m/s2)\r\n0, 1\r\n0.5, 3\r\n2, 0\r\n",
        "\ufefftime,a\n0,1\n0.5,3\n2,0\n",
    ],
    ids=[
        "commas",
        "semicolons-header",
        "blanks-comment-header",
        "windows-lines",
        "byte-order-mark",
    ],
)
def test_a_file_is_read_whatever_its_delimiter_and_header(tmp_path: Path, text: str) -> None:
    file = tmp_path / "shaking.csv"
    file.write_bytes(text.encode("utf-8"))
    motion = BaseMotion(BaseMotionParameters(kind=MotionKind.csv, file=str(file), scale=2.0))
    assert [motion.acceleration_at(time) for time in (0.0, 0.25, 1.25, 2.0)] == [2, 4, 3, 0]


def test_a_file_may_hold_several_channels(tmp_path: Path) -> None:
    file = tmp_path / "channels.csv"
    file.write_text("t,x,y\n0,1,10\n1,2,20\n")
    parameters = BaseMotionParameters(kind=MotionKind.csv, file=str(file), value_column=3)
    assert BaseMotion(parameters).acceleration_at(0.5) == 15.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0,1\n1\n", "line 2: has 1 cell"),
        ("0,1\n1,x\n", "line 2: 'x' must be a finite number"),
        ("0,1\n1,nan\n", "line 2: 'nan' must be a finite number"),
        ("0;1\n1;1,5,0\n", "line 2: '1,5,0' must be a finite number"),
        ("0,1\n0,2\n", "time 0.0 s must be > 0.0 s"),
        ("time,a\n0,1\n", r"has 1 point\(s\); it must have ≥ 2"),
        ("", "has no row of numbers; above the rows of numbers there may be"),
    ],
)
def test_a_bad_file_is_refused_with_place_and_value(
    tmp_path: Path, text: str, message: str
) -> None:
    file = tmp_path / "bad.csv"
    file.write_text(text)
    with pytest.raises(ValueError, match=message):
        BaseMotion(BaseMotionParameters(kind=MotionKind.csv, file=str(file)))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"kind": "csv"}, "file='' must be the path"),
        ({"kind": "csv", "file": "/none.csv"}, "file='/none.csv' cannot be read"),
        ({"kind": "table"}, "table, point 1: '' must be a time and a value"),
        ({"kind": "table", "table": "0 1; 1"}, "point 2: ' 1' must be a time and a value"),
        ({"kind": "table", "table": "0 1; 1 1e999"}, "point 2: '1e999' must be a finite number"),
        ({"frequency": -1.0}, "frequency=-1.0 Hz must be ≥ 0"),
        ({"value_column": 1}, "value_column=1 must be ≥ 2"),
        ({"amplitude": math.nan}, "amplitude=nan m/s2 must be finite"),
    ],
)
def test_bad_parameters_are_refused(values: dict[str, float | str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        BaseMotion(BaseMotionParameters(**values))  # type: ignore[arg-type]


def test_a_text_is_asked_for_where_one_is_meant() -> None:
    with pytest.raises(TypeError, match="file=3 must be a text"):
        BaseMotionParameters(file=3)  # type: ignore[arg-type]


@pytest.mark.parametrize("time", [-0.001, 2.001, math.nan, math.inf])
def test_nothing_is_invented_outside_the_points(time: float) -> None:
    motion = BaseMotion(TABLE)
    motion.move_to(0.5)
    with pytest.raises(ValueError, match=r"must (lie in|be finite)"):
        motion.move_to(time)
    assert (motion.time, motion.output_values()) == (0.5, [3.0])


def test_a_snapshot_brings_back_the_instant() -> None:
    motion = BaseMotion(TABLE)
    motion.move_to(0.25)
    snapshot = motion.snapshot()
    motion.move_to(2.0)
    motion.restore(snapshot)
    assert motion.output_values() == [2.0]


@pytest.mark.parametrize(
    ("header", "time_factor", "factor"),
    [
        ("", 1.0, 1.0),
        ("time,acc\n", 1.0, 1.0),
        ("# time [ms],acc [g]\n", 1e-3, 9.80665),
        ("Time (s),Acceleration (g's)\n", 1.0, 9.80665),
        ("time,acc\ns,cm/s/s\n", 1.0, 1e-2),
        ("time,acc [m s^-2]\n", 1.0, 1.0),
    ],
)
def test_units_above_the_columns_of_a_file_are_converted(
    tmp_path: Path, header: str, time_factor: float, factor: float
) -> None:
    file = tmp_path / "quake.csv"
    file.write_text(f"{header}0,1\n1,3\n", encoding="utf-8")
    for sign in (1.0, -1.0):
        motion = BaseMotion(BaseMotionParameters(kind=MotionKind.csv, file=str(file), scale=sign))
        # Halfway between the points; the factors round once each.
        there = motion.acceleration_at(0.5 * time_factor)
        assert there == pytest.approx(sign * factor * 2.0, rel=1e-15)


def test_an_at2_file_is_read_in_g_from_time_0_on(tmp_path: Path) -> None:
    words = "PEER\nSomewhere\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS= 3, DT= .5 SEC\n"
    file = tmp_path / "quake.AT2"
    file.write_text(f"{words} .0E+00 .5E+00\n -.25E+00\n", encoding="utf-8")
    motion = BaseMotion(BaseMotionParameters(kind=MotionKind.csv, file=str(file)))
    there = [motion.acceleration_at(time) for time in (0.0, 0.5, 1.0)]
    # At the last point the straight line from the one before rounds twice.
    assert there == pytest.approx([0.0, 0.5 * 9.80665, -0.25 * 9.80665], rel=5e-16)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("PEER\n-\nVELOCITY TIME SERIES IN UNITS OF CM/S\nNPTS= 1, DT= .5\n1\n", "must say 'ACC"),
        ("0.5\n1.5\n", "must hold ≥ 2 numbers, a time and a value"),
    ],
    ids=["AT2 of velocities", "one column"],
)
def test_a_file_without_times_and_accelerations_is_refused(
    tmp_path: Path, text: str, message: str
) -> None:
    file = tmp_path / "quake.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        BaseMotion(BaseMotionParameters(kind=MotionKind.csv, file=str(file)))


@pytest.mark.parametrize(
    "text",
    [
        "0|1\n1|3\n",
        "Some quake\nStation 9\ntime,acc\n0,1\n1,3\n",
        "#\n INST;ACCE\n R;R\n0;1\n1;3\n",
        "# time,acc [m/s2]\n0,1,\n1,3,\n",
        "0,0 1,0\n1,0 3,0\n",
    ],
    ids=["bars", "text above", "code_aster", "a comma at the end", "blanks and decimal commas"],
)
def test_a_table_is_read_as_the_commands_read_it(tmp_path: Path, text: str) -> None:
    file = tmp_path / "quake.csv"
    file.write_text(text, encoding="utf-8")
    motion = BaseMotion(BaseMotionParameters(kind=MotionKind.csv, file=str(file)))
    assert [motion.acceleration_at(time) for time in (0.0, 0.5, 1.0)] == [1.0, 2.0, 3.0]
    shaking = read_shaking(file)
    assert (shaking.times.tolist(), shaking.acceleration.tolist()) == ([0.0, 1.0], [1.0, 3.0])


@pytest.mark.parametrize(
    ("header", "scale", "message"),
    [
        ("time,acc [kips]\n", 1.0, "'kips' is not a known unit of acceleration"),
        ("time,acc [g]\n", 9.80665, "scale=9.80665 seems to convert from the unit g: .* names it"),
    ],
)
def test_a_unit_that_is_not_known_or_would_count_twice_is_refused(
    tmp_path: Path, header: str, scale: float, message: str
) -> None:
    file = tmp_path / "quake.csv"
    file.write_text(f"{header}0,1\n1,3\n", encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        BaseMotion(BaseMotionParameters(kind=MotionKind.csv, file=str(file), scale=scale))


def test_the_table_within_an_fmu_is_read_without_a_file() -> None:
    parameters = BaseMotionParameters(kind=MotionKind.csv, file="resources/motion.csv")
    motion = BaseMotion(parameters, own_motion="time [s],acceleration [m/s2]\n0.0,1.0\n1.0,3.0\n")
    assert motion.acceleration_at(0.5) == 2.0
