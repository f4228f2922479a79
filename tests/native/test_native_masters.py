"""The native FMU in every master: the values of the Python FMU, to the last bit."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fmu_src.builder import build_fmu
from harness.masters import CASES, MASTERS, MasterCase, play


@pytest.fixture(scope="module")
def folders(
    native_fmu: Path, python_fmu: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    """Two folders with BaseMotion.fmu, and FrictionalShock.fmu native and Python."""
    both = tmp_path_factory.mktemp("native_shoe"), tmp_path_factory.mktemp("python_shoe")
    for folder, shoe in zip(both, (native_fmu, python_fmu), strict=True):
        build_fmu("BaseMotion", folder)
        shutil.copy(shoe, folder / "FrictionalShock.fmu")
    return both


# Slip and shocks; the masters' own tests play the other cases.
@pytest.mark.parametrize("case", [CASES[0], CASES[-1]], ids=lambda case: case.name)
@pytest.mark.parametrize("master", MASTERS)
def test_a_master_gets_the_python_fmus_values(
    master: str, case: MasterCase, folders: tuple[Path, Path]
) -> None:
    native, python = (play(master, case.job(folder)) for folder in folders)
    assert native.values == python.values
    for quantity in case.quantities:
        assert abs(quantity.error(case, native)) <= quantity.tolerance
