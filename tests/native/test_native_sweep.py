"""Sweeps with the native FMU give the rows of the Python FMU, bit by bit."""

from pathlib import Path

from harness.command_line import main
from harness.sweep import load_sweep
from harness.sweep.batch import run_batch

SWEEP = """\
[sweep]
title = "Shaken shoe"
case = "{case}"
engine = "{engine}"
output = "out.csv"
quantities = [
    {{ name = "rate", quantity = "mean_rate", variable = "{variable}", window = [0.5, 1.0] }},
]

[design]
kind = "grid"

[vary.friction]
of = "parameters.friction_coefficient"
values = [0.05, 0.1, -0.1, 0.2]

[vary.law]
of = "parameters.{law}"
values = {literals}
"""
SHOE = {"law": "tangential_law", "literals": '["rigid", "penalty"]', "variable": "wear_work"}
SPRING = {"law": "drive", "literals": '["load"]', "variable": "slip_y"}


def sweep_file(folder: Path, *, case: str, engine: str, **names: str) -> Path:
    file = folder / "sweep.toml"
    file.write_text(SWEEP.format(case=case, engine=engine, **names), encoding="utf-8")
    return file


def test_points_through_the_native_fmu_have_the_python_fmus_rows(native_fmu, tmp_path):
    # native_fmu is in <folder>/native and is up to date, so it is not built again.
    folder = native_fmu.parent.parent
    written = native_fmu.stat().st_mtime_ns
    file = sweep_file(tmp_path, case="sdnd104_a15", engine="fmu", **SHOE)
    native = load_sweep(file, fmu_folder=folder, native=True)
    python = load_sweep(file, fmu_folder=tmp_path)
    assert native.study.fmu == native_fmu.read_bytes() != python.study.fmu
    assert native_fmu.stat().st_mtime_ns == written
    native_rows, _ = run_batch(native.study, native.points)
    python_rows, _ = run_batch(python.study, python.points)
    assert [row.values for row in native_rows] == [row.values for row in python_rows]
    for number, (native_row, python_row) in enumerate(zip(native_rows, python_rows, strict=True)):
        refused = number in (4, 5)
        assert (native_row.failure is not None) == (python_row.failure is not None) == refused
    reason = "friction_coefficient=-0.1 must be ≥ 0"
    for row in (native_rows[4], python_rows[4]):
        assert str(row.failure).endswith(reason)


def test_the_command_sweeps_through_the_native_fmu(native_fmu, tmp_path, capsys):
    file = sweep_file(tmp_path, case="sdnd104_a15", engine="fmu", **SHOE)
    command = ["sweep", str(file), "--native", "--out", str(native_fmu.parent.parent)]
    assert main([*command, "--workers", "2"]) == 1  # two points are refused
    assert "8 points in " in capsys.readouterr().out
    by_native = (tmp_path / "out.csv").read_text(encoding="utf-8")
    python = load_sweep(file, fmu_folder=tmp_path)
    (_, *rows) = by_native.splitlines()
    expected = [row.values[0] for row in run_batch(python.study, python.points)[0]]
    assert [row.split(",")[3] for row in rows] == [
        "" if value is None else repr(value) for value in expected
    ]


def test_the_kernel_has_no_native_form_to_choose(tmp_path, capsys):
    file = sweep_file(tmp_path, case="sdnd104_a15", engine="kernel", **SHOE)
    assert main(["sweep", str(file), "--native"]) == 2
    assert capsys.readouterr().err == (
        f"wearfmu: {file}: sweep.engine = 'kernel' does not use an FMU: remove "
        "--native, or use engine = 'fmu'\n"
    )


def test_a_case_of_another_fmu_runs_through_that_one(tmp_path):
    file = sweep_file(tmp_path, case="ssnd116_poi1", engine="fmu", **SPRING)
    native = load_sweep(file, fmu_folder=tmp_path, native=True)
    assert native.study.model == "DisChoc.fmu"
