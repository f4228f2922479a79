"""The tube in loose supports: consistent matrices, structure, loads, wear and table."""

import math
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.io
import scipy.linalg

from harness import load_case
from harness.life import load_life, run_life
from harness.life.life_text import with_bar
from harness.sweep import load_sweep
from wearmodel.compiled.run_library import runs_of
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR
from wearmodel.structure import read_structure, warnings_of

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
PAGE = ROOT / "docs" / "how_to" / "tube_in_supports.md"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a folder with the files of the tube and its matrices."""
    folder = tmp_path_factory.mktemp("tube")
    for file in EXAMPLES.glob("tube_*.toml"):
        shutil.copy(file, folder)
    script = [sys.executable, str(EXAMPLES / "tube_matrices.py"), str(folder)]
    printed = subprocess.run(script, check=True, capture_output=True, text=True).stdout
    (folder / "printed.txt").write_text(printed, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def example() -> Iterator[Any]:
    """Import tube_wear.py, with its folder on the path as when it runs as a script."""
    sys.path.insert(0, str(EXAMPLES))
    yield import_module("tube_wear")
    sys.path.remove(str(EXAMPLES))


def test_the_structure_names_the_degrees_of_freedom_that_the_matrices_have(folder):
    printed = (folder / "printed.txt").read_text(encoding="utf-8")
    text = (folder / "tube_structure.toml").read_text(encoding="utf-8")
    wanted = re.findall(r"y (\d+), z (\d+)", printed)
    points = re.findall(r"dof_y = (\d+)\ndof_z = (\d+)", text)
    loads = tuple(re.findall(r"^dof = (\d+)", text, re.MULTILINE))
    assert [*points, loads] == wanted


def test_the_tube_has_nothing_that_looks_wrong(folder):
    assert warnings_of(read_structure(folder / "tube_structure.toml")) == []


def test_the_stiffnesses_are_those_of_the_sum_over_all_modes_left_out(folder):
    matrices = (scipy.io.mmread(folder / f"tube_{name}.mtx") for name in ("stiffness", "mass"))
    values, shapes = scipy.linalg.eigh(*(matrix.toarray() for matrix in matrices))
    tube = read_structure(folder / "tube_structure.toml")
    kept = len(tube.modes.frequency)
    text = (folder / "tube_structure.toml").read_text(encoding="utf-8")
    pairs = re.findall(r"dof_y = (\d+)\ndof_z = (\d+)", text)
    for contact, dofs in zip(tube.contacts, pairs, strict=True):
        found = contact.parameters.residual_flexibility
        for dof in dofs:
            wanted = float(np.sum(shapes[int(dof) - 1, kept:] ** 2 / values[kept:]))
            # Error of the sum. The high modes of the direct problem have a rounding of 1e-16 of the
            # highest ω², which is a million times the lowest ω² left out.
            assert found == pytest.approx(wanted, rel=1e-9)


def test_both_cases_of_the_tube_differ_in_their_length_alone(folder):
    short, long = (load_case(folder / f"tube_{name}.toml") for name in ("in_supports", "for_long"))
    assert short.inputs == long.inputs
    assert short.parameters == long.parameters
    assert short.structure == long.structure
    assert short.experiment.step_size == long.experiment.step_size


def test_the_sweep_over_the_gap_is_one_of_the_compiled_kernel(folder):
    sweep = load_sweep(folder / "tube_gaps.toml", fmu_folder=folder)
    assert sweep.study.engine == "kernel"
    assert [point[0] for point in sweep.points] == [5e-5, 1e-4, 2e-4, 4e-4, 8e-4]
    # The offset is 0.1 mm, so the smallest gap of the sweep presses the tube on its supports.
    assert sweep.notes
    assert all("beyond the gap of 5e-05 m" in note for note in sweep.notes)


def page_table() -> dict[int, list[tuple[float, float]]]:
    """Return mean and half width [mW] of each support by number of modes, as shown in the page."""
    text = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \|" + r" ([\d.]+) ± ([\d.]+) \|" * 3, text, re.MULTILINE)
    return {
        int(modes): [(float(row[i]), float(row[i + 1])) for i in (0, 2, 4)] for modes, *row in rows
    }


def test_the_page_s_table_holds_for_another_length_of_run(folder, example):
    if not runs_of("ModalShock").is_compiled:
        pytest.skip("takes long where the kernel is not compiled")
    structure = example.structure_with(folder, 8)
    for one, (mean, bar) in zip(
        example.wear_of_supports(folder, structure, 12.0), page_table()[8], strict=True
    ):
        assert not one.power.reason
        # Twice the 95 % interval of the difference, which is four standard deviations.
        allowed = 2.0 * math.hypot(1e3 * one.power.half_width, bar)
        assert abs(1e3 * one.power.mean - mean) < allowed


def test_few_modes_are_told_from_many_by_more_than_their_bars():
    table = page_table()
    few, many = table[6], table[32]
    apart = [abs(a[0] - b[0]) - a[1] - b[1] for a, b in zip(few, many, strict=True)]
    assert max(apart) > 0.0
    settled = zip(table[24], many, strict=True)
    assert all(abs(a[0] - b[0]) < math.hypot(a[1], b[1]) * 1.5 for a, b in settled)


def test_the_table_of_modes_is_what_its_script_writes(tmp_path):
    script = [sys.executable, str(EXAMPLES / "life_of_a_tube_modes.py"), str(tmp_path / "m.csv")]
    subprocess.run(script, check=True)
    kept, today = (
        np.genfromtxt(file, delimiter=",", names=True, deletechars="")
        for file in (EXAMPLES / "life_of_a_tube_modes.csv", tmp_path / "m.csv")
    )
    assert kept.dtype == today.dtype
    for name in kept.dtype.names:
        # Seven digits are written.
        assert today[name] == pytest.approx(kept[name], rel=1e-6, abs=1e-8)


def test_the_tube_of_a_life_has_24_modes_four_supports_and_nothing_that_looks_wrong():
    structure = read_structure(EXAMPLES / "life_of_a_tube_structure.toml")
    assert len(structure.modes.frequency) == 24
    assert [contact.name for contact in structure.contacts] == ["S1", "S2", "S3", "S4"]
    assert warnings_of(structure) == []
    life = load_life(EXAMPLES / "life_of_a_tube.toml")
    assert life.notes == ()
    assert [contact.name for contact in life.contacts] == ["S1", "S2", "S3", "S4"]


def test_the_page_from_modes_to_years_shows_the_states_that_are_kept():
    page = (ROOT / "docs" / "how_to" / "tube_over_years.md").read_text(encoding="utf-8")
    kept = np.genfromtxt(
        ROOT / "docs" / "pictures" / "life_of_a_tube.csv",
        delimiter=",",
        names=True,
        dtype=None,
        encoding="utf-8",
    )
    for name in ("S1", "S2", "S3", "S4"):
        last = kept[kept["contact"] == name][-1]
        assert last["time"] == 40.0 * SECONDS_PER_YEAR
        depth = with_bar(1e6 * float(last["depth"]), 1e6 * float(last["depth_bar"]))
        assert f"{name}: {depth} µm deep after 40 years" in page


@pytest.mark.campaign
def test_the_states_kept_of_the_tube_are_those_of_today():
    kept = np.genfromtxt(
        ROOT / "docs" / "pictures" / "life_of_a_tube.csv",
        delimiter=",",
        names=True,
        dtype=None,
        encoding="utf-8",
    )
    for contact in run_life(load_life(EXAMPLES / "life_of_a_tube.toml")).contacts:
        of_contact = kept[kept["contact"] == contact.contact]
        for state in contact.states:
            # Another mathematical library changes the run, by less than the error bars.
            depth, bar = (
                float(np.interp(state.time, of_contact["time"], of_contact[name]))
                for name in ("depth", "depth_bar")
            )
            assert abs(state.depth - depth) <= max(state.depth_bar, bar)
