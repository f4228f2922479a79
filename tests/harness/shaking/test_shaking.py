"""`wearfmu run --input`: detected columns and units, warnings and results."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.command_line import main
from harness.errors import RecordError, RunError
from harness.fmu.files import own_fmu
from harness.shaking import run_shaking
from harness.shaking.shaking_record import read_shaking

STANDARD_GRAVITY = 9.80665
# Base motion of SDND104 at a0 = 15 m/s2. Its mean wear power on [4, 12] s is known.
STEP = 1e-2
TIMES = np.arange(1201) * STEP
SINE = 15.0 * np.sin(2.0 * np.pi * TIMES)


@pytest.fixture(scope="module")
def fmus(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("fmus"))


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes columns to a file."""

    def write(*columns: Any, header: str = "", delimiter: str = ",") -> Path:
        file = tmp_path / "quake.csv"
        np.savetxt(
            file, np.column_stack(columns), delimiter=delimiter, header=header, comments=""
        )  # fmt: skip
        return file

    return write


@pytest.mark.parametrize(
    ("header", "unit", "factor"),
    [
        ("time,acceleration", None, 1.0),
        ("time [s],acc [m/s2]", None, 1.0),
        ("time [s],acc (m/s^2)", None, 1.0),
        ("t,acc_g", None, STANDARD_GRAVITY),
        ("Time (s),Acceleration (g)", None, STANDARD_GRAVITY),
        ("time,acc [cm/s²]", None, 1e-2),
        ("s,g", None, STANDARD_GRAVITY),
        ("time,acc [gal]", None, 1e-2),
        ("time,acceleration", "g", STANDARD_GRAVITY),
        ("", "g", STANDARD_GRAVITY),
        ("# time [s],acc [g]", None, STANDARD_GRAVITY),
        ("# Time (s),Acceleration (g's)", None, STANDARD_GRAVITY),
        ("# 0.01 s, 1999\n# Time (s) Acceleration (cm/s/s)", None, 1e-2),
        ("time,acc\n# s,mg", None, 1e-3 * STANDARD_GRAVITY),
        ("# acceleration in gal, Tokyo, 1999", None, 1e-2),
        ("# ground acceleration [g]", None, STANDARD_GRAVITY),
        ("Time (s) Ground acceleration (g)", None, STANDARD_GRAVITY),
        ("time s acc g", None, STANDARD_GRAVITY),
        ("time,acc [g]\n# Kobe, 16 January 1995", None, STANDARD_GRAVITY),
        ("time,a/(ft/s²)", None, 0.3048),
        ("time,acc_in_s2", None, 0.0254),
        ("time,acc m/s/s", None, 1.0),
        ("time,acceleration", "in/s2", 0.0254),
        ("time,acceleration", "m·s-2", 1.0),
        ("time,acc [furlong/s2]", "mg", 1e-3 * STANDARD_GRAVITY),
    ],
)
def test_the_unit_comes_from_the_option_else_from_the_header(
    written: Callable[..., Path], header: str, unit: str | None, factor: float
) -> None:
    file = written(TIMES, SINE)
    text = file.read_text()
    file.write_text(f"{header}\n{text}".lstrip(), encoding="utf-8")
    record = read_shaking(file, unit=unit)
    # A factor of the table is a quotient or product of two numbers, each rounded.
    assert np.allclose(record.acceleration, factor * SINE, rtol=1e-15)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("time [s],acc [furlong/s2]", "column 2 'acc [furlong/s2]': 'furlong/s2' is not a known"),
        ("# time [s],acc [kips]", "'kips' is not a known unit of acceleration, such as m/s2, "),
        ("time,acc\ns,stone", "column 2 'stone': 'stone' is not a known unit of acceleration"),
        ("time,north [m/s]", "'m/s' is not a known unit of acceleration"),
        ("time,acc m/fortnight/s", "'m/fortnight/s' is not a known unit of acceleration"),
        ("Time (hh:mm:ss),acc", "'hh:mm:ss' is not a known unit of time, such as s, ms, us"),
        ("time,acc [g]\ns,m/s2", "column 2: 'acc [g]' and 'm/s2' are different units"),
    ],
)
def test_a_unit_that_is_there_but_not_known_is_refused_by_its_name(
    written: Callable[..., Path], header: str, message: str
) -> None:
    file = written(TIMES, SINE)
    file.write_text(f"{header}\n{file.read_text().lstrip()}", encoding="utf-8")
    with pytest.raises(RecordError, match=re.escape(message)):
        read_shaking(file)


def test_an_unknown_unit_asked_for_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["run", "--input", "quake.csv", "--unit", "stone"])
    assert caught.value.code == 2
    assert "argument --unit: 'stone' is not a known unit of acceleration" in capsys.readouterr().err


def test_a_unit_other_than_the_header_s_is_refused(
    written: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(TIMES, SINE, header="time,acc [g]")
    assert read_shaking(file, unit="g").understood[2].startswith("unit g (from --unit), ")
    message = "--unit mm/s2 contradicts the header, which gives the unit 'acc [g]': remove --unit"
    motion = ["motion", str(file), "--out", str(file.with_name("motion.csv"))]
    for command in (["run", "--input", str(file)], motion):
        assert main([*command, "--unit", "mm/s2"]) == 2
        assert message in capsys.readouterr().err
    assert main(["blocks", str(file), "--yield", "0.1", "--unit", "mm/s2"]) == 1
    assert message in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "factor", "told"),
    [
        ("time", 1.0, "time from 'time', "),
        ("time [s]", 1.0, "time from 'time [s]', "),
        ("Time (ms)", 1e-3, "time from 'Time (ms)' in ms (from the header 'Time (ms)'), "),
        ("t_ms", 1e-3, "time from 't_ms' in ms (from the header 't_ms'), "),
        ("time [µs]", 1e-6, "time from 'time [µs]' in us (from the header 'time [µs]'), "),
    ],
)
def test_the_times_are_in_the_unit_of_their_header(
    written: Callable[..., Path], name: str, factor: float, told: str
) -> None:
    file = written(TIMES / factor, SINE)
    file.write_text(f"{name},acc [m/s2]\n{file.read_text().lstrip()}", encoding="utf-8")
    record = read_shaking(file)
    # Division and multiplication by the factor round twice.
    assert np.allclose(record.times, TIMES, rtol=4e-16, atol=0.0)
    assert told in record.understood[1]


def test_each_acceleration_has_the_unit_of_its_own_column(written: Callable[..., Path]) -> None:
    file = written(TIMES, SINE, SINE, header="time,acc [g],vertical [cm/s2]")
    record = read_shaking(file, normal_acceleration="vertical [cm/s2]")
    assert record.units == ("g", "cm/s2")
    assert np.array_equal(record.acceleration, STANDARD_GRAVITY * SINE)
    assert record.normal_acceleration is not None
    assert np.array_equal(record.normal_acceleration, 1e-2 * SINE)
    assert "of the normal acceleration cm/s2 (from the header" in record.understood[2]


def test_columns_of_one_name_must_be_told_apart_by_number(written: Callable[..., Path]) -> None:
    file = written(TIMES, SINE, 2.0 * SINE, header="time,acc,acc")
    with pytest.raises(RecordError, match=r"several columns .*: 2 'acc', 3 'acc'"):
        read_shaking(file)
    assert np.array_equal(read_shaking(file, acceleration="3").acceleration, 2.0 * SINE)


def test_the_time_is_no_acceleration(written: Callable[..., Path]) -> None:
    file = written(TIMES, SINE, header="time,acc")
    with pytest.raises(RecordError, match="acceleration: column 'time' contains the time"):
        read_shaking(file, acceleration="1")


def test_columns_are_found_by_name_and_taken_by_name_or_number(
    written: Callable[..., Path],
) -> None:
    file = written(-SINE, TIMES, SINE, 2.0 * SINE, header="force;time;acceleration;vertical",
                   delimiter=";")  # fmt: skip
    assert np.array_equal(read_shaking(file).acceleration, SINE)
    record = read_shaking(file, time="2", acceleration="vertical", normal_acceleration="1")
    assert np.array_equal(record.acceleration, 2.0 * SINE)
    assert record.normal_acceleration is not None
    assert np.array_equal(record.normal_acceleration, -SINE)
    assert record.understood[1] == (
        "semicolon-separated; time from 'time', acceleration from 'vertical', "
        "normal acceleration from 'force'; not read: 'acceleration'"
    )


def test_a_column_that_is_not_there_is_refused_with_those_that_are(
    written: Callable[..., Path],
) -> None:
    file = written(TIMES, SINE, header="time,acceleration")
    with pytest.raises(
        RecordError, match=r"'aceleration' is not a column. Columns: time, acceleration; did you"
    ):
        read_shaking(file, acceleration="aceleration")


def irregular() -> tuple[Any, ...]:
    times = TIMES.copy()
    times[600:] += 0.5 * STEP
    return times, SINE


@pytest.mark.parametrize(
    ("columns", "warning"),
    [
        ((TIMES, SINE), None),
        (irregular(), "irregular steps: 1 of 1200 are not 0.01 s, for instance 0.015 s after"),
        ((TIMES, SINE + 0.5), "offset: acc [m/s2] has a mean of 0.5 m/s2. The final velocity is"),
        ((TIMES, 15.0 * np.cos(2.0 * np.pi * TIMES)), "jump: acc [m/s2] starts at 15 m/s2"),
        # 40 Hz at 100 samples a second.
        (
            (TIMES, 15.0 * np.sin(80.0 * np.pi * TIMES)),
            "coarse samples: 100 % of the energy of acc [m/s2]",
        ),
        ((TIMES, 0.0 * TIMES), "acc [m/s2] is 0 throughout"),
        ((TIMES, 3.0 + 0.0 * TIMES), "acc [m/s2] is 3 m/s2 throughout"),
        # Numpy warnings are errors in the tests, so no intermediate value may overflow.
        ((TIMES, 1e307 * np.cos(2.0 * np.pi * TIMES)), "jump: acc [m/s2] starts at 1e+307 m/s2, "),
    ],
    ids=["none", "irregular", "offset", "jump", "coarse", "zero", "constant", "huge"],
)
def test_what_is_suspicious_is_warned_of_and_nothing_else(
    written: Callable[..., Path], columns: tuple[Any, ...], warning: str | None
) -> None:
    warnings = read_shaking(written(*columns, header="time,acc [m/s2]")).warnings
    if warning is None:
        assert warnings == ()
    else:
        assert any(line.startswith(warning) for line in warnings)


def test_a_slow_record_in_seconds_is_warned_of(written: Callable[..., Path]) -> None:
    warnings = read_shaking(written(100.0 * TIMES, SINE, header="time [s],acc [m/s2]")).warnings
    assert warnings[0].startswith("slow: a sample every 1 s. If the times are in ms, name")


@pytest.mark.parametrize("factor", [1e2, 1e3], ids=["counted", "milliseconds"])
def test_times_that_no_shaking_has_in_seconds_are_refused_and_not_run(
    written: Callable[..., Path], capsys: pytest.CaptureFixture[str], factor: float
) -> None:
    # Read as 12 s, the record in milliseconds would need 12 million steps of 1 ms.
    file = written(factor * TIMES, SINE, header="t,a")
    assert main(["run", "--input", str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        f"wearfmu: {file}: column 't' has no unit, and a sample every {factor * STEP:.6g} s is "
        "too slow for a base motion: add the unit, as in 'time [s]' or 'time [ms]'. If the column "
        "contains sample numbers, multiply it by the sampling interval\n"
    )


def test_a_short_table_may_have_points_seconds_apart(written: Callable[..., Path]) -> None:
    assert len(read_shaking(written(1e2 * TIMES[:99], SINE[:99], header="t,a [g]")).times) == 99
    with pytest.raises(RecordError, match="column 't' has no unit"):
        read_shaking(written(1e2 * TIMES[:100], SINE[:100], header="t,a [g]"))


def test_a_slow_interval_that_was_asked_for_is_taken(written: Callable[..., Path]) -> None:
    assert read_shaking(written(SINE), interval=1.0).interval == 1.0


# A burst of 1 to 8 Hz in 60 s, in m/s2. It is the derivative of a velocity that starts and ends at
# 0, so the support is at rest at the end.
BURST_TIMES = np.arange(12001) * 5e-3
_ENVELOPE = np.sin(np.pi * BURST_TIMES / 60.0) ** 2
BURST = np.gradient(
    _ENVELOPE * (0.3 * np.sin(2.0 * np.pi * 1.3 * BURST_TIMES) + 0.05 * np.sin(16.0 * BURST_TIMES)),
    BURST_TIMES,
)


def test_an_offset_is_judged_by_the_velocity_that_it_leaves(written: Callable[..., Path]) -> None:
    peak = float(np.max(np.abs(BURST)))
    warnings = {}
    for share in (0.0, 5e-5, 0.0098):
        file = written(BURST_TIMES, BURST + share * peak, header="time,acc [m/s2]")
        warnings[share] = read_shaking(file).warnings
    assert warnings[0.0] == ()
    # 0.005 % of the peak gives 0.01 m/s after 60 s, 3 % of the peak velocity of 0.3 m/s.
    assert warnings[5e-5] == ()
    (warning,) = warnings[0.0098]
    # The final velocity of 0.98 % of the peak over 60 s causes the warning.
    left = 0.0098 * peak * 60.0
    assert f"The final velocity is {left:.3g} m/s, " in warning
    assert warning.startswith("offset: acc [m/s2] has a mean of ")
    file = written(BURST_TIMES, BURST + 0.0098 * peak, header="time,acc [m/s2]")
    assert read_shaking(file, remove_mean=True).warnings == ()


def test_what_was_taken_of_several_accelerations_is_said_and_what_not(
    written: Callable[..., Path],
) -> None:
    columns = (TIMES, *(factor * SINE for factor in (1.0, 2.0, 3.0)))
    file = written(*columns, header="time,acc_x,acc_y,acc_z")
    with pytest.raises(RecordError, match=r"several .* acceleration: 2 'acc_x', 3 'acc_y'. Select"):
        read_shaking(file)
    record = read_shaking(file, acceleration="acc_y", normal_acceleration="acc_z")
    assert record.understood[1].endswith("'acc_z'; not read: 'acc_x'")
    record = read_shaking(file, acceleration="acc_y")
    assert record.understood[1].endswith(
        "not read: 'acc_x', 'acc_z' (`run --normal 'acc_z'` reads the vertical component)"
    )
    many = written(TIMES, *[SINE] * 8)
    assert (
        read_shaking(many, acceleration="2")
        .understood[1]
        .endswith("not read: 'column 3', 'column 4', 'column 5', 'column 6', 'column 7' and 2 more")
    )


@pytest.mark.parametrize(("factor", "unit"), [(0.02, "g"), (20.0, "cm/s2")])
def test_an_unlikely_peak_without_unit_asks_for_the_unit(
    written: Callable[..., Path], factor: float, unit: str
) -> None:
    (warning,) = read_shaking(written(TIMES, factor * SINE)).warnings
    assert warning.endswith(f"assumed to be m/s2: if it is {unit}, add --unit {unit}")


@pytest.mark.parametrize(
    ("peak", "unit", "is_unusual"),
    [
        (3.5, "g", True),
        (3.5, "m/s2", False),
        (0.35, "g", False),
        (3.5, "cm/s2", True),
        (0.0, "g", False),
    ],
)
def test_a_peak_that_is_unusual_in_a_given_unit_is_a_warning(
    peak: float, unit: str, is_unusual: bool, written: Callable[..., Path]
) -> None:
    columns = ([0.0, 0.005, 0.01], [0.0, peak, 0.0])
    for record in (
        read_shaking(written(*columns, header=f"time [s],acc [{unit}]")),
        read_shaking(written(*columns, header="time [s],acc"), unit=unit),
        # The user has chosen the scale.
        read_shaking(written(*columns, header="time [s],acc"), unit=unit, scale=20.0),
    ):
        unusual = [line for line in record.warnings if "is the unit right" in line]
        assert bool(unusual) == is_unusual
        if is_unusual:
            assert unusual == [record.warnings[0]]


def test_a_scale_multiplies_what_the_unit_has_converted(written: Callable[..., Path]) -> None:
    file = written(TIMES, SINE, header="time,acc [g]")
    plain, scaled = read_shaking(file), read_shaking(file, scale=-0.25)
    assert np.array_equal(scaled.acceleration, -0.25 * plain.acceleration)
    assert ", scaled by -0.25" in scaled.understood[2]


def test_a_scale_that_would_convert_twice_is_refused(written: Callable[..., Path]) -> None:
    with pytest.raises(RecordError, match=r"scale=9\.81 seems to repeat the conversion"):
        read_shaking(written(TIMES, SINE, header="time,acc [g]"), scale=9.81)


def test_the_scale_hides_no_unlikely_unit(written: Callable[..., Path]) -> None:
    file = written(TIMES, 0.02 * SINE)
    assert read_shaking(file, scale=30.0).warnings == read_shaking(file).warnings


def test_remove_mean_takes_the_offset_out(written: Callable[..., Path]) -> None:
    record = read_shaking(written(TIMES, SINE + 0.5), remove_mean=True)
    assert not any(warning.startswith("offset") for warning in record.warnings)
    assert abs(np.mean(record.acceleration)) < 1e-12


def test_a_sampled_sine_wears_as_the_sine_does(
    written: Callable[..., Path], fmus: str, tmp_path: Path
) -> None:
    file = written(TIMES, SINE, header="time,acc [m/s2]")
    targets = {one: tmp_path / f"out.{one}" for one in ("json", "csv")}
    code = main(
        ["run", "--input", str(file), "--out", fmus, "--set", "friction_coefficient=0.1",
         "--set", "gravity=10", "--json", str(targets["json"]), "--csv", str(targets["csv"])]
    )  # fmt: skip
    assert code == 0
    with targets["csv"].open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == len(TIMES)
    work = {round(float(row["time"]), 9): float(row["wear_work"]) for row in rows}
    # Closed-form arcs of SDND104 at 30 digits. Linear interpolation of 100 samples per period is
    # (2π/100)²/8 = 5e-4 below the sine at its peaks.
    assert (work[12.0] - work[4.0]) / 8.0 == pytest.approx(15.2670995893716, rel=1e-3)
    content = json.loads(targets["json"].read_text())
    assert content["quantities"]["wear_work"]["value"] == work[12.0]
    assert content["quantities"]["wear_work"]["unit"] == "J"
    assert content["notes"] == []
    assert content["parameters"] == {
        "input_timing": "end", "friction_coefficient": 0.1, "gravity": 10.0
    }  # fmt: skip
    assert content["steps"] == 12_000
    assert content["tables"]["usure"]


@pytest.mark.parametrize(("settings", "gravity"), [([], 9.80665), (["--set", "gravity=10"], 10.0)])
def test_a_recorded_shaking_presses_the_mass_with_standard_gravity_unless_another_is_set(
    written: Callable[..., Path],
    fmus: str,
    tmp_path: Path,
    settings: list[str],
    gravity: float,
) -> None:
    target = tmp_path / "out.json"
    file = written(TIMES[:3], SINE[:3], header="time,acc [g]")
    command = ["run", "--input", str(file), "--out", fmus, "--set", "mass=2", *settings]
    assert main([*command, "--json", str(target)]) == 0
    content = json.loads(target.read_text())
    # For a prescribed contact, the normal force is the weight.
    assert content["quantities"]["peak_normal_force"]["value"] == 2.0 * gravity
    assert content["parameters"]["gravity"] == gravity
    assert content["notes"] == []


def test_one_column_of_values_is_run_at_the_interval_given(
    written: Callable[..., Path], fmus: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(SINE)
    assert main(["run", "--input", str(file), "--dt", "0.01", "--out", fmus]) == 0
    out, _ = capsys.readouterr()
    assert "one column of values every 0.01 s; time from 'time'" in out
    assert "wear work" in out


@pytest.mark.parametrize("interval", ["0", "-1", "nan", "inf", "fast"])
def test_an_interval_that_is_no_time_is_refused(
    capsys: pytest.CaptureFixture[str], interval: str
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["run", "--input", "quake.csv", f"--dt={interval}"])
    assert caught.value.code == 2
    assert f"argument --dt: {interval!r} must be a number of seconds > 0" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("settings", "beginning"),
    [
        ([], None),
        (["--set", "friction_coefficient=2"], "note: the mass never slips, so it does not wear: "),
        (["--set", "gravity=-10"], "note: the mass never touches its support, so it does"),
        # The mass bounces for ever. It slides at the impacts only.
        (["--set", "normal_law=rigid", "--set", "restitution=1", "--set", "initial_gap=0.1"], None),
    ],
)
def test_a_row_of_zeros_says_why(
    written: Callable[..., Path], fmus: str, capsys: pytest.CaptureFixture[str],
    settings: list[str], beginning: str | None,
) -> None:  # fmt: skip
    file = written(TIMES, SINE, header="time,acc [m/s2]")
    assert main(["run", "--input", str(file), "--out", fmus, *settings]) == 0
    notes = [line for line in capsys.readouterr().out.splitlines() if line.startswith("note: ")]
    assert len(notes) == (beginning is not None)
    assert all(note.startswith(str(beginning)) for note in notes)


def test_statistics_beyond_what_a_float_holds_are_refused_and_nothing_is_written(
    written: Callable[..., Path],
    fmus: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = written(TIMES[:20], SINE[:20])
    outputs = ["--csv", str(tmp_path / "out.csv"), "--json", str(tmp_path / "out.json")]
    # Squares of forces of 1e161 N overflow.
    heavy = ["--set", "mass=1e160", "--out", fmus]
    assert main(["run", "--input", str(file), *heavy, *outputs]) == 2
    out, err = capsys.readouterr()
    assert "wear_work" not in out
    assert "RMS_T_TOTAL=inf of table usure must be finite" in err
    assert list(tmp_path.iterdir()) == [file]


def test_what_is_printed_fits_80_columns_and_says_what_was_assumed(
    written: Callable[..., Path], fmus: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(TIMES, SINE)
    assert main(["run", "--input", str(file), "--out", fmus, "--substeps", "1"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith("quantity ")
    assert "unit m/s2 (assumed), peak 15 m/s2 = 1.53 g" in out
    assert (
        "FrictionalShock.fmu: 1200 steps of 0.01 s; input_timing=end, gravity=9.80665; other" in out
    )
    assert "\x1b" not in out
    assert max(map(len, out.partition("\n\n")[0].splitlines())) <= 80


def test_verbose_prints_fmu_and_cost(
    written: Callable[..., Path], fmus: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(TIMES[:3], SINE[:3])
    assert main(["run", "--input", str(file), "--out", fmus, "-v"]) == 0
    (line,) = (line for line in capsys.readouterr().out.splitlines() if "µs a step" in line)
    assert line.startswith(f"  FMU {Path(fmus) / 'FrictionalShock.fmu'}, ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["friction=0.1"], "--set 'friction' is not a parameter of FrictionalShock.fmu; did you"),
        (["slope=20"], "--set 'slope' is not a parameter of FrictionalShock.fmu; `wearfmu blocks"),
        (["friction_coefficient=much"], "--set friction_coefficient=much: must be a number"),
        (
            ["normal_law=rubber"],
            "--set normal_law=rubber: must be one of: prescribed (0), penalty (1)",
        ),
        (["start_in_equilibrium=7"], "--set start_in_equilibrium=7: must be true or false"),
        (["input_extrapolation_order=1.5"], "order=1.5: must be a whole number"),
        (["input_extrapolation_order=4"], "--set input_extrapolation_order=4: must be ≤ 3"),
        (["mass=1", "mass=2"], "--set mass is given twice: 1 and 2"),
        (["mass=-5"], "--set mass=-5: must be > 0 kg"),
        (["mass=nan"], "--set mass=nan: must be finite"),
        (["restitution=1e400"], "--set restitution=1e400: must be finite"),
        (
            ["friction_coefficient_static=0.05"],
            "--set friction_coefficient_static=0.05 must be ≥ friction_coefficient=0.1",
        ),
        (
            ["normal_law=penalty", "start_in_equilibrium=true", "gravity=-1"],
            "--set start_in_equilibrium=True: a net normal force of 1.0 N away from the plane",
        ),
    ],
)
def test_parameters_that_cannot_be_are_wrong_usage(
    written: Callable[..., Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    file = written(TIMES, SINE)
    sets = [word for setting in arguments for word in ("--set", setting)]
    assert main(["run", "--input", str(file), "--out", str(tmp_path / "fmus"), *sets]) == 2
    out, err = capsys.readouterr()
    assert "wear_work" not in out
    (line,) = err.splitlines()
    assert message in line
    # The values are rejected before the FMU is built, which takes a minute for the native FMU.
    assert not (tmp_path / "fmus").exists()


def test_the_default_of_the_friction_coefficient_is_printed_if_friction_is_not_set(
    written: Callable[..., Path], fmus: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run = ["run", "--input", str(written(TIMES, SINE)), "--out", fmus]
    assert main(run) == 0
    default = "gravity=9.80665; other parameters have the FMU's defaults"
    assert f"{default}, with friction_coefficient=0.1\n" in capsys.readouterr().out
    assert main([*run, "--set", "friction_coefficient=0.25"]) == 0
    out = capsys.readouterr().out
    assert "friction_coefficient=0.25; other parameters have the FMU's defaults\n" in out


def test_a_number_of_substeps_that_gives_too_many_steps_is_wrong_usage(
    written: Callable[..., Path], fmus: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(TIMES, SINE)
    assert main(["run", "--input", str(file), "--out", fmus, "--substeps", "1000000"]) == 2
    out, err = capsys.readouterr()
    assert "wear_work" not in out
    (line,) = err.splitlines()
    assert "--substeps 1000000: step_size=1e-08 s must give at most" in line


@pytest.mark.parametrize("substeps", ["0", "1e9", "1.5"])
def test_a_number_of_substeps_is_a_whole_number(
    capsys: pytest.CaptureFixture[str], substeps: str
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["run", "--input", "quake.csv", "--substeps", substeps])
    assert caught.value.code == 2
    assert f"--substeps: {substeps} must be a whole number ≥ 1" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [[], ["case.toml", "--input", "quake.csv"], ["--set", "mass"]]
)
def test_a_case_or_a_shaking_must_be_given(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["run", *arguments])
    assert caught.value.code == 2


@pytest.mark.parametrize(
    "option", ["--set gain=3", "--unit g", "--remove-mean", "--substeps 5", "--scale 2"]
)
def test_what_describes_a_shaking_does_not_go_with_a_case_file(
    tmp_path: Path, good_case: str, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    file = tmp_path / "case.toml"
    file.write_text(good_case, encoding="utf-8")
    assert main(["run", str(file), *option.split()]) == 2
    assert f"{option.split()[0]} requires --input" in capsys.readouterr().err


@pytest.mark.hosts
def test_the_page_of_a_shaking_shows_warnings_numbers_and_pictures(
    written: Callable[..., Path], fmus: str, tmp_path: Path, browser: Any
) -> None:
    normal = 14.0 * np.sin(2.0 * np.pi * 2.0 * TIMES)
    file = written(TIMES, SINE + 0.5, normal, header="time,acc,vertical")
    page = tmp_path / "quake.html"
    code = main(
        ["run", "--input", str(file), "--normal", "vertical", "--out", fmus,
         "--set", "normal_law=rigid", "--set", "restitution=0.3", "--report", str(page)]
    )  # fmt: skip
    assert code == 0
    browser.show(page)
    assert browser.complaints() == []
    assert browser.run("return document.querySelector('.warnings li').textContent").startswith(
        "offset: acc has a mean of 0.5 m/s2"
    )
    titles = browser.run("return [...document.querySelectorAll('h3')].map(t => t.textContent)")
    assert titles == [
        "Acceleration and velocity", "Displacement and sliding", "Friction force", "Wear",
        "Contact", "The record",
    ]  # fmt: skip
    drawn = browser.run("return document.querySelectorAll('.plot .main-svg').length")
    assert drawn >= len(titles)
    assert browser.run("return document.querySelector('#results tbody th').textContent") == (
        "wear work"
    )


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({}, set()),
        ({"archard_coefficient": 1e-14}, {"worn_volume"}),
        ({"archard_coefficient": 1e-14, "wear_area": 1e-4}, {"worn_volume", "wear_depth"}),
        ({"wear_area": 1e-4}, set()),
    ],
)
def test_a_report_has_wear_only_if_its_parameters_were_set(
    written: Callable[..., Path], fmus: str, given: dict[str, float], shown: set[str]
) -> None:
    record = read_shaking(written(TIMES, SINE, header="time,acc [m/s2]"))
    result = run_shaking(own_fmu("FrictionalShock", Path(fmus)), record, parameters=given)
    names = {quantity.name for quantity in result.worn_quantities()}
    assert names & {"worn_volume", "wear_depth"} == shown


def test_a_second_parameter_needs_another_option(
    written: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(TIMES, SINE, header="time,acc [m/s2]")
    with pytest.raises(SystemExit):
        main(["run", "--input", str(file), "--set", "mass=2", "friction_coefficient=0.2"])
    assert (
        "unexpected argument 'friction_coefficient=0.2': write --set before each parameter"
        in capsys.readouterr().err
    )


def test_a_run_needs_a_case_or_a_record(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["run"])
    assert "wearfmu run: error: give CASE or --input. " in capsys.readouterr().err


_KEY_NUMBERS = [
    "wear work", "mean wear power", "sliding distance", "peak displacement",
    "residual displacement", "peak normal force", "shock count",
]  # fmt: skip
_WORN = ["wear work", "worn volume", *_KEY_NUMBERS[2:]]


@pytest.mark.parametrize(
    ("parameters", "numbers"),
    [
        ({}, _KEY_NUMBERS),
        ({"archard_coefficient": 1e-13}, _WORN),
        ({"archard_coefficient": 1e-13, "wear_area": 1e-4}, [*_WORN[:2], "wear depth", *_WORN[2:]]),
    ],
    ids=["no wear coefficient", "wear coefficient", "wear coefficient and area"],
)
def test_a_shaking_prints_key_numbers_first_then_warnings_then_where_the_rest_is(
    written: Callable[..., Path],
    fmus: str,
    capsys: pytest.CaptureFixture[str],
    parameters: dict[str, float],
    numbers: list[str],
) -> None:
    file = written(TIMES, SINE + 0.5, header="time,acc [m/s2]")
    settings = ["--set", "restitution=0.5"]
    settings += [
        word for name, value in parameters.items() for word in ("--set", f"{name}={value}")
    ]
    assert main(["run", "--input", str(file), "--out", fmus, *settings]) == 0
    table, findings, rest = capsys.readouterr().out.split("\n\n")
    assert 4 <= len(numbers) <= 8
    assert [re.split("  +", line)[0] for line in table.splitlines()[2:]] == numbers
    assert [line.partition(":")[0] for line in findings.splitlines()] == ["warning", "note"]
    lines = rest.splitlines()
    assert lines[0].startswith(f"{file}: 1201 points on [0, 12] s")
    assert all(option in lines[-1] for option in ("--report", "--csv", "--json", "--statistics"))
    assert "USURE" not in rest.partition("--statistics")[0]


def test_statistics_prints_the_tables_of_the_operator(
    written: Callable[..., Path], fmus: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, target = written(TIMES, SINE, header="time,acc [m/s2]"), tmp_path / "out.json"
    command = ["run", "--input", str(file), "--out", fmus, "--json", str(target)]
    assert main([*command, "--statistics"]) == 0
    out = capsys.readouterr().out
    (power,) = (
        row["PUIS_USURE"]
        for row in json.loads(target.read_text())["tables"]["usure"]
        if "PUIS_USURE" in row
    )
    assert re.search(rf"^ *PUIS_USURE\n─+\n *{power:.6g}$", out, re.MULTILINE)
    assert "\nIMPACT\n" in out


def test_statistics_goes_with_a_record(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "sdnd104_a15", "--statistics"]) == 2
    assert capsys.readouterr().err.startswith("wearfmu: --statistics requires --input")


def test_a_run_that_fails_prints_how_its_record_was_read(
    written: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def run(*_: object, **__: object) -> None:
        raise RunError("that is enough")

    monkeypatch.setattr("harness.shaking.run_shaking", run)
    file = written(TIMES, SINE)
    assert main(["run", "--input", str(file), "--out", str(tmp_path / "fmus")]) == 1
    out = capsys.readouterr().out
    assert out.startswith(f"{file}: {len(TIMES)} points on [")
    assert "unit m/s2" in out


def test_a_reader_that_is_gone_before_the_run_costs_no_file(
    written: Callable[..., Path], tmp_path: Path
) -> None:
    file, result = written(TIMES, SINE), tmp_path / "out.json"
    with subprocess.Popen(
        [sys.executable, "-m", "harness", "run", "--input", str(file), "--json", str(result)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()  # before the first output
        assert process.stderr.read() == b""
        assert process.wait() == 2
    assert json.loads(result.read_text(encoding="utf-8"))


def test_the_acceleration_away_from_the_plane_may_have_a_file_of_its_own(
    written: Callable[..., Path],
) -> None:
    both = read_shaking(
        written(TIMES, SINE, 2.0 * SINE, header="time,acc [g],up [g]"),
        acceleration="2",
        normal_acceleration="3",
    )
    along = written(TIMES, SINE, header="time,acc [g]")
    away = along.with_name("up.csv")
    shorter = "\n".join(along.read_text(encoding="utf-8").splitlines()[:-3]) + "\n"
    away.write_text(shorter, encoding="utf-8")
    pair = read_shaking(along, normal_file=away)
    assert pair.normal_acceleration is not None
    assert both.normal_acceleration is not None
    count = len(TIMES) - 3
    assert np.array_equal(pair.times, both.times[:count])
    assert np.array_equal(pair.acceleration, both.acceleration[:count])
    assert np.array_equal(2.0 * pair.normal_acceleration, both.normal_acceleration[:count])
    assert pair.units == both.units
    assert f"the run ends with the shorter, at {TIMES[count - 1]:.10g} s" in pair.understood[-1]


def test_a_vertical_component_keeps_its_warnings_but_is_expected_to_be_vertical(
    written: Callable[..., Path],
) -> None:
    along = written(TIMES, SINE, header="time,acc [g]")
    away = along.with_name("up.csv")
    # The record starts at its peak and is named as a vertical component.
    away.write_text("time,up [g]\n" + "".join(f"{t:.6f},1\n" for t in TIMES), encoding="utf-8")
    alone = read_shaking(away).warnings
    pair = read_shaking(along, normal_file=away)
    vertical = [line for line in alone if "vertical component" in line]
    others = [line for line in alone if line not in vertical]
    assert len(vertical) == 1
    assert others
    # Each warning names its file.
    assert list(pair.warnings) == [
        *(f"{along}: {line}" for line in read_shaking(along).warnings),
        *(f"{away}: {line}" for line in others),
    ]


def test_the_vertical_component_of_a_second_file_is_preferred(
    written: Callable[..., Path],
) -> None:
    along = written(TIMES, SINE, header="time,acc [g]")
    away = along.with_name("second.csv")
    text = "time [s],acc [g],up [g]\n" + "".join(
        f"{t:.6f},0,{a}\n" for t, a in zip(TIMES, SINE, strict=True)
    )
    away.write_text(text, encoding="utf-8")
    pair = read_shaking(along, normal_file=away)
    assert pair.normal_acceleration is not None
    assert np.array_equal(pair.normal_acceleration, pair.acceleration)
    assert not any("vertical component" in line for line in pair.warnings)
    # A velocity is not an acceleration, although its name is vertical.
    away.write_text(text.replace("up [g]", "up velocity [m/s]"), encoding="utf-8")
    pair = read_shaking(along, normal_file=away)
    assert pair.normal_acceleration is not None
    assert not np.any(pair.normal_acceleration)
    away.write_text(text.replace("acc", "vertical"), encoding="utf-8")
    with pytest.raises(RecordError, match=r"2 'vertical \[g\]', 3 'up \[g\]'. Select .* --normal "):
        read_shaking(along, normal_file=away)
    # Without a vertical component by name, the horizontal one is read with a warning.
    away.write_text(text.replace("up", "velocity"), encoding="utf-8")
    assert any("is not a vertical component by" in line for line in
               read_shaking(along, normal_file=away, unit="g").warnings)  # fmt: skip


def test_two_records_of_other_instants_are_refused(written: Callable[..., Path]) -> None:
    along = written(TIMES, SINE, header="time,acc")
    away = along.with_name("up.csv")
    away.write_text("time,acc\n0,1\n0.123,2\n", encoding="utf-8")
    with pytest.raises(RecordError, match=r"sample 2 is at 0\.123 s, but in .* the same times"):
        read_shaking(along, normal_file=away)


def test_one_column_is_not_both_accelerations(written: Callable[..., Path]) -> None:
    file = written(TIMES, SINE, header="time,acc")
    for normal in ({"normal_acceleration": "acc"}, {"normal_file": file}):
        with pytest.raises(RecordError, match="'acc' is the acceleration along the support and"):
            read_shaking(file, **normal)
