"""The native FMU in all masters gives the bits of the Python FMU."""

import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from fmu_src.archive.builder import build_fmu

from ..masters.__main__ import main
from ..masters.cases import CASES, MasterCase
from ..masters.job import MasterError
from ..masters.roster import MASTERS, play


@pytest.fixture(scope="module")
def folders(
    native_fmu: Path, python_fmu: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    """Return folders with BaseMotion.fmu and the native or the Python FrictionalShock.fmu."""
    both = tmp_path_factory.mktemp("native_shoe"), tmp_path_factory.mktemp("python_shoe")
    for folder, shoe in zip(both, (native_fmu, python_fmu), strict=True):
        build_fmu("BaseMotion", folder)
        shutil.copy(shoe, folder / "FrictionalShock.fmu")
    return both


WITHOUT_ENUMERATIONS = [name for name, one in MASTERS.items() if not one.sets_enumerations]
SLIP, SHOCKS = CASES[0], CASES[-1]


def same_values(master: str, case: MasterCase, folders: tuple[Path, Path]) -> None:
    native, python = (play(master, case.job(folder)) for folder in folders)
    assert native.values == python.values
    for quantity in case.quantities:
        assert abs(quantity.error(case, native)) <= quantity.tolerance


# The tests of the masters run the other cases.
@pytest.mark.parametrize("case", [SLIP, SHOCKS], ids=["slip", "shocks"])
@pytest.mark.parametrize("master", MASTERS)
def test_a_run_in_a_master_has_the_python_fmus_values(master, case, folders):
    same_values(master, case, folders)


def test_masters_without_enumerations_share_one_native_fmu_that_has_them_as_defaults(folders):
    assert WITHOUT_ENUMERATIONS == [
        "libcosim",
        "libcosim-ssp",
        "ecos",
        "ecos-ssp",
        "fmucontainer",
        "pathsim",
    ]
    for master in WITHOUT_ENUMERATIONS[:2]:
        play(master, SHOCKS.job(folders[0]))
        (variant,) = folders[0].glob("FrictionalShock_*.fmu")
        with zipfile.ZipFile(variant) as archive:
            # Native code without Python.
            names = archive.namelist()
        assert {name.split("/")[0] for name in names} == {
            "binaries",
            "documentation",
            "model.png",
            "modelDescription.xml",
            "resources",
        }
        resources = [name for name in names if name.startswith("resources/")]
        assert resources == ["resources/instance.data"]
        if master == WITHOUT_ENUMERATIONS[0]:
            written = variant.stat().st_mtime_ns
    assert variant.stat().st_mtime_ns == written


@pytest.mark.parametrize("master", WITHOUT_ENUMERATIONS)
def test_no_other_fmu_runs_in_the_stead_of_one_that_is_not_ours(master, folders, tmp_path):
    # A native FMU of other sources has another guid.
    given = folders[0] / "FrictionalShock.fmu"
    shutil.copy(folders[0] / "BaseMotion.fmu", tmp_path)
    with (
        zipfile.ZipFile(given) as old,
        zipfile.ZipFile(tmp_path / "FrictionalShock.fmu", "w") as new,
    ):
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b'guid="{', b'guid="{0'))
    with pytest.raises(MasterError, match=f"^{master}: cannot set normal_law: .*other sources"):
        play(master, SHOCKS.job(tmp_path))


@pytest.mark.parametrize("master", [one for one in MASTERS if not one.startswith("ecos")])
def test_a_refused_parameter_never_looks_like_a_result(master, folders):
    with pytest.raises(MasterError):
        play(master, replace(SLIP.job(folders[0]), shoe={"mass": -1.0}, marks=(4, 8)))


@pytest.mark.parametrize("master", ["ecos", "ecos-ssp"])
def test_ecos_takes_no_notice_of_a_refused_initialisation(master, folders):
    # Documented in docs/how_to/native_fmu.md. If this fails, correct the page.
    job = replace(SLIP.job(folders[0]), shoe={"mass": -1.0}, marks=(4, 8))
    assert play(master, job).values == ((0.0,), (0.0,))


def test_the_table_of_masters_takes_the_native_fmu(native_fmu, tmp_path, capsys):
    # native_fmu is in <folder>/native and is up to date, so it is not built again.
    written = native_fmu.stat().st_mtime_ns
    folder = native_fmu.parent.parent
    page = tmp_path / "native.md"
    command = ["c-host", "--native", "--out", str(folder), "--markdown", str(page)]
    assert main(command) == 0
    assert native_fmu.stat().st_mtime_ns == written
    assert not (folder / "FrictionalShock.fmu").exists()
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Masters and cases with the native FMU\n")
    assert "Made by `make masters`." in text
    assert "Not passed" not in text
