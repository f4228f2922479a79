"""Base acceleration as a signal: sine, table, file and rejected values."""

import math

import mpmath
import pytest

from wearmodel.models.accelerogram import MOTION_HEADER
from wearmodel.models.base_motion import BaseMotion, BaseMotionParameters, Interpolation, MotionKind

TABLE = BaseMotionParameters(kind=MotionKind.table, table="0 1; 0.5 3; 2 0")


@pytest.mark.parametrize("time", [0.0, 0.1, 1.0 / 3.0, 7.3, 1e4])
def test_a_sine_is_offset_plus_scaled_amplitude(time):
    motion = BaseMotion(
        BaseMotionParameters(amplitude=1.5, frequency=2.5, phase=0.7, offset=-0.2, scale=3.0)
    )
    with mpmath.workdps(30):
        angle = 2 * mpmath.pi * mpmath.mpf(2.5) * mpmath.mpf(time) + mpmath.mpf(0.7)
        exact = mpmath.mpf(-0.2) + 3 * mpmath.mpf(1.5) * mpmath.sin(angle)
    # Three operations round the angle by 2^-52 of its value, and the sine passes this on.
    rounding = 4.5 * 3 * 2.0**-52 * (1.0 + 5.0 * math.pi * time)
    assert motion.acceleration_at(time) == pytest.approx(float(exact), abs=rounding, rel=0.0)


def test_the_defaults_are_the_shaking_of_sdnd104():
    # SDND104 (V5.01.104), section 1: a0 sin(2π t) with the amplitude a0 = 15 m/s2.
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
def test_a_table_is_joined_by_lines_or_held(interpolation, time, value):
    motion = BaseMotion(
        BaseMotionParameters(kind=MotionKind.table, table=TABLE.table, interpolation=interpolation)
    )
    # Points and midpoints are binary fractions, so rounding does not occur.
    assert motion.acceleration_at(time) == value


def test_an_instant_a_few_roundings_before_a_point_takes_its_value():
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


def test_a_file_is_the_table_that_the_command_writes(tmp_path):
    file = tmp_path / "motion.csv"
    file.write_text(f"{MOTION_HEADER}\n0.0,1.0\n0.5,3.0\n2.0,0.0\n")
    motion = BaseMotion(BaseMotionParameters(kind=MotionKind.csv, file=str(file), scale=2.0))
    assert [motion.acceleration_at(time) for time in (0.0, 0.25, 1.25, 2.0)] == [2, 4, 3, 0]


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
def test_bad_parameters_are_refused(values, message):
    with pytest.raises(ValueError, match=message):
        BaseMotion(BaseMotionParameters(**values))  # type: ignore[arg-type]


def test_a_text_is_asked_for_where_one_is_meant():
    with pytest.raises(TypeError, match="file=3 must be a text"):
        BaseMotionParameters(file=3)  # type: ignore[arg-type]


@pytest.mark.parametrize("time", [-0.001, 2.001, math.nan, math.inf])
def test_nothing_is_invented_outside_the_points(time):
    motion = BaseMotion(TABLE)
    motion.move_to(0.5)
    with pytest.raises(ValueError, match=r"must be (in|finite)"):
        motion.move_to(time)
    assert (motion.time, motion.output_values()) == (0.5, [3.0])


def test_a_snapshot_brings_back_the_instant():
    motion = BaseMotion(TABLE)
    motion.move_to(0.25)
    snapshot = motion.snapshot()
    motion.move_to(2.0)
    motion.restore(snapshot)
    assert motion.output_values() == [2.0]


def test_the_table_within_an_fmu_is_read_without_a_file():
    parameters = BaseMotionParameters(kind=MotionKind.csv, file="resources/motion.csv")
    motion = BaseMotion(parameters, own_motion=f"{MOTION_HEADER}\n0.0,1.0\n1.0,3.0\n".encode())
    assert motion.acceleration_at(0.5) == 2.0
