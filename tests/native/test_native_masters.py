"""The native FMU in every master: the values of the Python FMU, to the last bit."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fmu_src.builder import build_fmu
from harness.masters import CASES, MASTERS, MasterCase, MasterError, play


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


WITH_ENUMERATIONS = [name for name in MASTERS if not name.startswith(("libcosim", "ecos"))]
WITHOUT_ENUMERATIONS = [name for name in MASTERS if name not in WITH_ENUMERATIONS]
SLIP, SHOCKS = CASES[0], CASES[-1]


def same_values(master: str, case: MasterCase, folders: tuple[Path, Path]) -> None:
    native, python = (play(master, case.job(folder)) for folder in folders)
    assert native.values == python.values
    for quantity in case.quantities:
        assert abs(quantity.error(case, native)) <= quantity.tolerance


# The masters' own tests play the other cases.
@pytest.mark.parametrize("master", MASTERS)
def test_slip_in_a_master_has_the_python_fmus_values(
    master: str, folders: tuple[Path, Path]
) -> None:
    same_values(master, SLIP, folders)


@pytest.mark.parametrize("master", WITH_ENUMERATIONS)
def test_shocks_in_a_master_have_the_python_fmus_values(
    master: str, folders: tuple[Path, Path]
) -> None:
    same_values(master, SHOCKS, folders)


@pytest.mark.parametrize("master", WITHOUT_ENUMERATIONS)
def test_no_python_fmu_runs_in_the_native_ones_stead(
    master: str, folders: tuple[Path, Path]
) -> None:
    with pytest.raises(MasterError, match="this master cannot set normal_law"):
        play(master, SHOCKS.job(folders[0]))
