"""The cross-check files of the cases: fmpy's reader takes them and fmpy's own run agrees."""

from __future__ import annotations

from pathlib import Path

import fmpy
import numpy as np
import pytest
from fmpy.cross_check.validate_vendor_repo import read_csv, validate_test_fmu
from fmpy.util import read_ref_opt_file

from harness.case.case_file import load_case
from harness.case.shipped import shipped_cases
from harness.command_line import main
from harness.cross_check import write_cross_check
from harness.errors import CaseError

# Rigid and penalised friction, flight and shocks, start values that are no defaults, DisChoc; none
# with an event at a communication point, where rounding of the time decides on which side it is.
CASES = ("sdnd104_a15", "sdnd104_penalised_a15", "bouncing_ball", "two_planes", "ssnd116_seg2")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder, fmus = tmp_path_factory.mktemp("cross-check"), tmp_path_factory.mktemp("fmus")
    return {
        name: write_cross_check(load_case(shipped_cases()[name]), folder, fmu_folder=fmus)
        for name in CASES
    }


@pytest.mark.parametrize("name", CASES)
def test_fmpy_s_reader_finds_no_problem(folders: dict[str, Path], name: str) -> None:
    assert validate_test_fmu(str(folders[name])) == []


@pytest.mark.parametrize("name", CASES)
def test_the_files_keep_the_rules(folders: dict[str, Path], name: str) -> None:
    for kind in ("in", "ref"):
        file = folders[name] / f"{name}_{kind}.csv"
        assert file.stat().st_size < 1_000_000
        names = file.read_text(encoding="utf-8").splitlines()[0].split(",")
        assert names[0] == '"time"'
        assert all(one.startswith('"') and one.endswith('"') for one in names)
        assert len(names) <= 10


@pytest.mark.parametrize("name", CASES)
def test_fmpy_s_run_of_the_files_gives_the_reference(
    folders: dict[str, Path], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = folders[name]
    options = read_ref_opt_file(folder / f"{name}_ref.opt")
    reference = read_csv(folder / f"{name}_ref.csv")
    columns = list(reference.dtype.names or ())
    result = fmpy.simulate_fmu(
        str(folder / f"{name}.fmu"),
        start_time=options["StartTime"],
        stop_time=options["StopTime"],
        output_interval=options["StepSize"],  # fmpy's communication step
        input=read_csv(folder / f"{name}_in.csv"),
        output=columns[1:],
    )
    assert capsys.readouterr().out == ""  # fmpy misses no input
    stride = round((reference["time"][1] - reference["time"][0]) / options["StepSize"])
    for column in columns:
        got, want = result[column][::stride], reference[column]
        # fmpy's time is the same to rounding; what is given here is what the options declare.
        allowed = options["RelTol"] * max(1.0, float(np.max(np.abs(want))))
        assert np.max(np.abs(got - want)) <= allowed, column


def test_dis_choc_s_reference_is_one_step_late_and_says_so(folders: dict[str, Path]) -> None:
    folder = folders["ssnd116_seg2"]
    reference = read_csv(folder / "ssnd116_seg2_ref.csv")
    # SSND116, tables 2.1-1 and 2.1-2: u_y = 2/15 m at 1.05 s, 15/8 m at 1.5 s.
    for instant, displacement in ((1.05, 2.0 / 15.0), (1.5, 1.875)):
        late = np.argmin(np.abs(reference["time"] - (instant + 0.05)))
        # rounding of a value near one
        assert abs(reference["displacement_y"][late] - displacement) < 1e-15 * 4
    assert "One step late by definition" in (folder / "ReadMe.txt").read_text(encoding="utf-8")


def test_a_case_of_another_fmu_is_refused(tmp_path: Path, good_case: str) -> None:
    file = tmp_path / "toy.toml"
    file.write_text(good_case, encoding="utf-8")
    with pytest.raises(CaseError, match="must be one of ours"):
        write_cross_check(load_case(file), tmp_path, fmu_folder=tmp_path)


def test_the_command_prints_the_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["crosscheck", "ssnd116_poi1", "--into", str(tmp_path), "--out", str(tmp_path)]
    assert main(arguments) == 0
    folder = Path(capsys.readouterr().out.strip())
    assert (folder / "ssnd116_poi1_ref.opt").is_file()
