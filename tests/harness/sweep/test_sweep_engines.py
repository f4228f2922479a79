"""Results of a point: equal to the run of its case, by the kernel and through the FMU."""

import csv
import math
import shutil
import sys
import threading
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import fmpy
import numpy as np
import pytest

from harness import load_case, run_case
from harness.errors import CaseError
from harness.fmu.files import own_fmu
from harness.fmu.input_timing import InputReading
from harness.sweep import Sweep, load_sweep
from harness.sweep.batch import run_batch
from wearmodel.reference.closed_forms import RubbingShoe

# The time of the FMU is the time of the master, start + i·step. The time of the kernel is a sum of
# steps. The times differ by rounding, and so do the extrapolated inputs. The largest difference in
# 180 points was 8e-15.
ENGINE_TOLERANCE = 1e-13


@pytest.fixture(scope="module")
def fmu_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder where the FMUs of this source tree are built once."""
    return tmp_path_factory.mktemp("fmus")


def both_engines(sweep_file: Path, fmu_folder: Path) -> tuple[Sweep, Sweep]:
    by_kernel = load_sweep(sweep_file, fmu_folder=fmu_folder)
    text = sweep_file.read_text(encoding="utf-8")
    assert 'engine = "kernel"' in text
    sweep_file.write_text(text.replace('"kernel"', '"fmu"'), encoding="utf-8")
    return by_kernel, load_sweep(sweep_file, fmu_folder=fmu_folder)


def write_sweep(
    folder: Path, case: str, quantities: str, vary: str, *, engine: str = "kernel"
) -> Path:
    file = folder / "sweep.toml"
    file.write_text(
        f'[sweep]\ntitle = "Sweep"\ncase = "{case}"\nengine = "{engine}"\noutput = "out.csv"\n'
        f'quantities = [{quantities}]\n[design]\nkind = "list"\n{vary}',
        encoding="utf-8",
    )
    return file


def test_the_kernel_gives_the_wear_power_in_closed_form(sweep_file, fmu_folder, change):
    change(sweep_file, ("count = 40", "count = 4"), ("count = 25", "count = 3"))
    change(sweep_file.with_name("shoe.toml"), ("step_size = 0.02", "step_size = 5e-4"))
    sweep = load_sweep(sweep_file, fmu_folder=fmu_folder)
    rows, _ = run_batch(sweep.study, sweep.points)
    slipping = 0
    for (amplitude, friction), row in zip(sweep.points, rows, strict=True):
        shoe = RubbingShoe(1.0, 10.0, float(friction), float(amplitude), 2.0 * math.pi)
        exact = shoe.mean_wear_power(0.5, 1.0)
        # The input is a parabola through three samples with an error of (ω h)³ = 3e-8 of it. The
        # start with fewer samples adds to it. At the threshold (a0 = μ g) the power is 0.
        assert row.values[0] == pytest.approx(exact, rel=1e-5, abs=1e-12)
        slipping += exact > 0.0
    assert slipping == 9


def test_the_kernel_takes_a_sine_whole_by_its_derivatives(sweep_file, fmu_folder, change):
    change(sweep_file, ("count = 40", "count = 4"), ("count = 25", "count = 3"))
    change(
        sweep_file.with_name("shoe.toml"),
        ("step_size = 0.02", "step_size = 0.125\ninput_derivatives = true"),
    )
    sweep = load_sweep(sweep_file, fmu_folder=fmu_folder)
    rows, _ = run_batch(sweep.study, sweep.points)
    for (amplitude, friction), row in zip(sweep.points, rows, strict=True):
        shoe = RubbingShoe(1.0, 10.0, float(friction), float(amplitude), 2.0 * math.pi)
        exact = shoe.mean_wear_power(0.5, 1.0)
        assert row.values[0] == pytest.approx(exact, rel=1e-12, abs=1e-14)


def test_both_engines_give_the_same_numbers(sweep_file, fmu_folder, change):
    change(sweep_file, ("count = 40", "count = 4"), ("count = 25", "count = 3"))
    by_kernel, through_fmu = both_engines(sweep_file, fmu_folder)
    assert by_kernel.points == through_fmu.points
    kernel_rows, _ = run_batch(by_kernel.study, by_kernel.points)
    fmu_rows, _ = run_batch(through_fmu.study, through_fmu.points)
    for kernel_row, fmu_row in zip(kernel_rows, fmu_rows, strict=True):
        assert (kernel_row.failure, fmu_row.failure) == (None, None)
        assert kernel_row.values == pytest.approx(fmu_row.values, rel=ENGINE_TOLERANCE, abs=1e-17)


def test_both_engines_give_the_same_shock_spring(tmp_path, fmu_folder):
    file = write_sweep(
        tmp_path,
        "ssnd116_poi1",
        '{ name = "work", quantity = "value", variable = "wear_work", time = 2.0 },'
        '{ name = "pull", quantity = "rms", variable = "force_y", window = [0.0, 2.0] }',
        '[vary.friction]\nof = "parameters.friction_coefficient"\nvalues = [0.0, 0.5, 0.7]\n'
        '[vary.drive]\nof = "inputs.load_x.interpolation"\n'
        'values = ["linear", "previous", "linear"]\n',
    )
    by_kernel, through_fmu = both_engines(file, fmu_folder)
    kernel_rows, _ = run_batch(by_kernel.study, by_kernel.points)
    fmu_rows, _ = run_batch(through_fmu.study, through_fmu.points)
    # The interpreted functions and their arguments are equal.
    assert kernel_rows == fmu_rows
    assert len(set(kernel_rows)) == 3


def test_both_engines_give_the_same_base_motion(tmp_path, fmu_folder):
    (tmp_path / "motion.toml").write_text(
        '[case]\ntitle = "Motion"\nsource = "-"\nfmu = "BaseMotion"\n'
        "[experiment]\nstart_time = 0.5\nstop_time = 2.0\nstep_size = 0.01\n",
        encoding="utf-8",
    )
    file = write_sweep(
        tmp_path,
        "motion.toml",
        '{ name = "rms", quantity = "rms", variable = "acceleration", window = [0.5, 2.0] }',
        '[vary.amplitude]\nof = "parameters.amplitude"\nvalues = [1.0, -1.0, 2.0]\n'
        '[vary.kind]\nof = "parameters.kind"\nvalues = ["sine", "sine", "table"]\n',
    )
    by_kernel, through_fmu = both_engines(file, fmu_folder)
    (one, *_), _ = run_batch(by_kernel.study, by_kernel.points)
    # Three half periods of a unit sine. The trapezoid rule is exact for it.
    assert one.values == pytest.approx((math.sqrt(0.5),), rel=1e-13)
    kernel_rows, _ = run_batch(by_kernel.study, by_kernel.points)
    fmu_rows, _ = run_batch(through_fmu.study, through_fmu.points)
    assert [row.values for row in kernel_rows] == [row.values for row in fmu_rows]
    # Both engines reject the third point, a table without points.
    assert kernel_rows[2].values == (None,)


def test_a_point_through_the_fmu_is_the_case_with_its_values(tmp_path, fmu_folder):
    with (tmp_path / "shake.csv").open("w", newline="", encoding="utf-8") as stream:
        rows = [(0.1 * row, math.sin(7.0 * row)) for row in range(11)]
        csv.writer(stream).writerows([("time", "shake"), *rows])
    case = (
        '[case]\ntitle = "Shaken"\nsource = "-"\nfmu = "FrictionalShock"\n[parameters]\n'
        'friction_coefficient = {friction}\n[inputs.base_acceleration]\nkind = "csv"\n'
        'file = "shake.csv"\nvalue_column = "shake"\nscale = {scale}\n[experiment]\n'
        "stop_time = 1.0\nstep_size = 0.05\n"
    )
    (tmp_path / "case.toml").write_text(case.format(friction=0.1, scale=1.0), encoding="utf-8")
    (tmp_path / "there.toml").write_text(case.format(friction=0.3, scale=9.81), encoding="utf-8")
    file = write_sweep(
        tmp_path,
        "case.toml",
        '{ name = "work", quantity = "value", variable = "wear_work", time = 1.0 }',
        '[vary.friction]\nof = "parameters.friction_coefficient"\nvalues = [0.3]\n'
        '[vary.scale]\nof = "inputs.base_acceleration.scale"\nvalues = [9.81]\n',
        engine="fmu",
    )
    sweep = load_sweep(file, fmu_folder=fmu_folder)
    ((row,), _) = run_batch(sweep.study, sweep.points)
    there = run_case(load_case(tmp_path / "there.toml"), own_fmu("FrictionalShock", fmu_folder))
    assert there.record is not None
    # FMU and inputs are equal.
    assert row.values == (there.record["wear_work"][-1],)
    assert row.values[0] > 0.0


LAWS_OF_FRICTION: dict[str, list[Any]] = {
    "friction_coefficient_slow": [-1.0, 0.3, 0.05, 0.3],
    "friction_decay_velocity": [0.0, 0.05, 0.1, 0.2],
    "viscous_friction": [0.2, 0.0, 0.1, 0.0],
    "wear_feedback": [False, False, True, True],
}
WORN_CASE = """\
[case]
title = "Rubbed"
source = "-"
fmu = "FrictionalShock"
[parameters]
normal_law = "penalty"
tangential_law = "{law}"
contact_stiffness = 1e4
start_in_equilibrium = true
wear_time_scale = 1e5
{friction}
[inputs.base_acceleration]
kind = "sine"
amplitude = 15.0
frequency = 2.0
[experiment]
stop_time = 0.5
step_size = 1e-3
"""


def as_toml(value: object) -> str:
    return str(value).lower()


@pytest.mark.parametrize("law", ["rigid", "penalty"])
def test_a_sweep_over_laws_of_friction_and_wear_has_the_bits_of_its_single_runs(
    tmp_path, fmu_folder, law
):
    outputs = ("wear_work", "friction_work", "relative_velocity", "wear_depth", "gap")
    (tmp_path / "case.toml").write_text(WORN_CASE.format(law=law, friction=""), encoding="utf-8")
    vary = "".join(
        f'[vary.{name}]\nof = "parameters.{name}"\nvalues = {as_toml(values)}\n'
        for name, values in LAWS_OF_FRICTION.items()
    )
    quantities = ", ".join(
        f'{{ name = "{name}", quantity = "value", variable = "{name}", time = 0.5 }}'
        for name in outputs
    )
    file = write_sweep(tmp_path, "case.toml", quantities, vary)
    by_kernel, through_fmu = both_engines(file, fmu_folder)
    kernel_rows, _ = run_batch(by_kernel.study, by_kernel.points)
    fmu_rows, _ = run_batch(through_fmu.study, through_fmu.points)
    for index, (kernel_row, fmu_row) in enumerate(zip(kernel_rows, fmu_rows, strict=True)):
        ((single,), _) = run_batch(by_kernel.study, [by_kernel.points[index]])
        assert single.values == kernel_row.values
        assert kernel_row.values == pytest.approx(fmu_row.values, rel=ENGINE_TOLERANCE, abs=1e-15)
        friction = "\n".join(
            f"{name} = {as_toml(values[index])}" for name, values in LAWS_OF_FRICTION.items()
        )
        there = tmp_path / "there.toml"
        there.write_text(WORN_CASE.format(law=law, friction=friction), encoding="utf-8")
        alone = run_case(load_case(there), own_fmu("FrictionalShock", fmu_folder))
        assert alone.record is not None
        assert fmu_row.values == tuple(alone.record[name][-1] for name in outputs)
    # Every law gives different values.
    assert len({row.values for row in kernel_rows}) == len(kernel_rows)


@pytest.mark.parametrize("engine", ["kernel", "fmu"])
def test_a_record_in_another_unit_gives_the_run_of_its_values_in_that_of_the_input(
    tmp_path, fmu_folder, engine
):
    case = (
        '[case]\ntitle = "Shaken"\nsource = "-"\nfmu = "FrictionalShock"\n'
        '[inputs.base_acceleration]\nkind = "csv"\nfile = "si.csv"\nvalue_column = "shake"\n'
        "scale = 1.0\n[experiment]\nstop_time = 1.0\nstep_size = 0.05\n"
    )
    (tmp_path / "case.toml").write_text(case, encoding="utf-8")
    values = [math.sin(7.0 * row) for row in range(11)]
    for name, head, factor in (("si", "", 9.80665), ("in_g", "A title\n", 1.0)):
        unit = "m/s2" if name == "si" else "g"
        rows = "".join(f"{0.1 * row!r},{factor * one!r}\n" for row, one in enumerate(values))
        (tmp_path / f"{name}.csv").write_text(f"{head}time,shake\ns,{unit}\n{rows}")
    file = write_sweep(
        tmp_path,
        "case.toml",
        '{ name = "work", quantity = "value", variable = "wear_work", time = 1.0 }',
        '[vary.file]\nof = "inputs.base_acceleration.file"\n'
        'values = ["si.csv", "in_g.csv", "in_g.csv"]\n'
        '[vary.scale]\nof = "inputs.base_acceleration.scale"\nvalues = [1.0, 1.0, 9.80665]\n',
        engine=engine,
    )
    sweep = load_sweep(file, fmu_folder=fmu_folder)
    (si, in_g, twice), _ = run_batch(sweep.study, sweep.points)
    # The products and their factors are equal.
    assert in_g.values == si.values
    assert in_g.values[0] is not None
    assert in_g.values[0] > 0.0
    assert "scale=9.80665 seems to repeat a conversion: the file contains the unit g" in str(
        twice.failure
    )


def test_a_case_converts_its_record_and_says_what_it_skipped(tmp_path, fmu_folder):
    case = (
        '[case]\ntitle = "Shaken"\nsource = "-"\nfmu = "FrictionalShock"\n'
        '[inputs.base_acceleration]\nkind = "csv"\nfile = "quake.csv"\nvalue_column = "acc [g]"\n'
        "[experiment]\nstop_time = 0.2\nstep_size = 0.1\nallow_coarse_step = true\n"
    )
    file = tmp_path / "case.toml"
    file.write_text(case, encoding="utf-8")
    (tmp_path / "quake.csv").write_text("A title\ntime,acc [g]\n0,0\n0.1,2\n0.2,0\n")
    fmu = own_fmu("FrictionalShock", fmu_folder)
    result = run_case(load_case(file), fmu)
    signal = result.case.inputs["base_acceleration"]
    assert signal.sample(np.array([0.1])).tolist() == [2.0 * 9.80665]
    note = "inputs.base_acceleration: 1 line of text above the numbers skipped: 'A title'"
    assert note in result.notes
    file.write_text(case.replace("base_acceleration", "normal_load"), encoding="utf-8")
    with pytest.raises(CaseError, match=r"inputs\.normal_load: .*'g' is not a known unit of force"):
        run_case(load_case(file), fmu)


@pytest.mark.parametrize("engine", ["kernel", "fmu"])
def test_a_point_that_fails_says_why_and_leaves_the_others_alone(sweep_file, fmu_folder, engine):
    file = write_sweep(
        sweep_file.parent,
        "shoe.toml",
        '{ name = "wear_power", quantity = "mean_rate", variable = "wear_work", '
        "window = [0.0, 1.0] }",
        '[vary.friction]\nof = "parameters.friction_coefficient"\nvalues = [0.1, -0.1, 0.1, 0.1]\n'
        '[vary.law]\nof = "parameters.normal_law"\n'
        'values = ["prescribed", "prescribed", "penalty", "penalty"]\n'
        '[vary.gravity]\nof = "parameters.gravity"\nvalues = [10.0, 10.0, -1.0, 10.0]\n'
        '[vary.start]\nof = "parameters.start_in_equilibrium"\n'
        "values = [false, false, true, true]\n",
        engine=engine,
    )
    sweep = load_sweep(file, fmu_folder=fmu_folder)
    good, negative, lifted, pressed = run_batch(sweep.study, sweep.points)[0]
    assert good.failure is None
    assert good.values[0] is not None
    assert good.values[0] > 0.0
    assert negative.values == lifted.values == (None,)
    assert str(negative.failure).endswith("friction_coefficient=-0.1 must be ≥ 0")
    assert "equilibrium" in str(lifted.failure)
    assert pressed.failure is None
    assert pressed.values[0] is not None


def test_a_quantity_that_a_run_does_not_have_leaves_the_others_alone(
    sweep_file, fmu_folder, change
):
    change(
        sweep_file,
        (
            'quantity = "max", variable = "relative_velocity", window = [0, 1]',
            'quantity = "statistic", statistic = "impact.F_MAX", row = 2',
        ),
        ("count = 40", "count = 2"),
        ("count = 25", "count = 2"),
    )
    sweep = load_sweep(sweep_file, fmu_folder=fmu_folder)
    row = run_batch(sweep.study, sweep.points)[0][-1]
    assert row.values[0] is not None
    assert row.values[1] is None
    assert str(row.failure).startswith("peak_velocity: ")


def test_the_fmu_is_extracted_once_however_many_points_and_batches(
    sweep_file, fmu_folder, change, monkeypatch
):
    change(sweep_file, ("count = 40", "count = 3"), ("count = 25", "count = 2"))
    # The content differs from other tests, so that no process has extracted this FMU.
    shoe = Path(shutil.copy(own_fmu("FrictionalShock", fmu_folder), sweep_file.parent))
    with zipfile.ZipFile(shoe, "a") as archive:
        archive.writestr("extra/of_this_test.txt", "")
    change(sweep_file.with_name("shoe.toml"), ('"FrictionalShock"', f'"{shoe.name}"'))
    change(sweep_file, ('"kernel"', '"fmu"'))
    sweep = load_sweep(sweep_file, fmu_folder=fmu_folder)
    extracted = []
    original = fmpy.extract

    def extract(*arguments: Any) -> str:
        extracted.append(arguments[0])
        folder: str = original(*arguments)
        return folder

    monkeypatch.setattr(fmpy, "extract", extract)
    for _ in range(2):
        rows, _ = run_batch(sweep.study, sweep.points)
        assert [row.failure for row in rows] == [None] * 6
    assert len(extracted) == 1


def test_threads_of_one_process_share_one_extracted_fmu(
    sweep_file, fmu_folder, change, monkeypatch
):
    change(sweep_file, ('"kernel"', '"fmu"'))
    study = load_sweep(sweep_file, fmu_folder=fmu_folder).study
    # The content differs from other tests, so that no process has extracted this FMU.
    study = replace(study, fmu=b"of this test alone")
    threads, extracted = 4, []
    together = threading.Barrier(threads)

    def extract(archive: Path, folder: Path) -> None:
        extracted.append(folder)
        time.sleep(0.1)  # long enough for every thread to start
        folder.mkdir()

    def run(fmu: Path, *_: Any, **__: Any) -> bool:
        together.wait(timeout=30.0)
        return fmu.is_dir()

    # The package exports the function of that name.
    fmu_runs = import_module("harness.sweep.fmu_runs")
    monkeypatch.setattr(fmu_runs, "extract_fmu", extract)
    monkeypatch.setattr(fmu_runs, "simulate", run)
    # The folder does not contain a model description for the check of the step.
    monkeypatch.setattr(fmu_runs, "read_interface", lambda fmu: None)
    monkeypatch.setattr(fmu_runs, "input_reading", lambda *_: InputReading("start"))
    with ThreadPoolExecutor(threads) as pool:
        points = [(1.0, 0.1)]
        runs = pool.map(lambda _: list(fmu_runs.fmu_runs(study, points)), range(threads))
        assert list(runs) == [[(0, True)]] * threads
    assert len(extracted) == 1


def test_runs_through_the_fmu_leave_the_module_path_as_it_was(sweep_file, fmu_folder, change):
    change(sweep_file, ("count = 40", "count = 2"), ("count = 25", "count = 2"))
    _, through_fmu = both_engines(sweep_file, fmu_folder)
    before = list(sys.path)
    run_batch(through_fmu.study, through_fmu.points)
    assert sys.path == before
