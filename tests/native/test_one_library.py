"""All FMUs of a model share a library: structures, start values, instances, threads."""

import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import fmpy
import pytest

from fmu_src.models import definition_of
from tests.native_fmus import build_native_fmu
from wearmodel.structure import Structure

from ..wearmodel.models.modal_shock.structures import random_structure, shaking
from .conftest import ERROR, Host

STEP = 1e-3
STEPS = 150
STRUCTURES: dict[str, Structure | None] = {
    "tube": None,
    "three": random_structure(3),
    "eight": random_structure(8, modes=6, contacts=3),
}


class Run(Host):
    """A run of an FMU's data with a library that may be from another FMU."""

    def __init__(self, fmu: Path, library: Path, folder: Path) -> None:
        super().__init__(Path(fmpy.extract(str(fmu), str(folder))), library=library)

    def go(self, number: int) -> None:
        wave = shaking(5)(number * STEP)
        assert self.steps(number * STEP, STEP, **{n: x for n, x in wave.items() if n in self.kinds})

    def whole(self) -> dict[str, Any]:
        self.initialise()
        for number in range(STEPS):
            self.go(number)
        return self.outputs()


@pytest.fixture(scope="module")
def fmus(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Build FMUs of several structures."""
    return {
        name: build_native_fmu(
            definition_of("ModalShock", structure), tmp_path_factory.mktemp("fmus"), file_stem=name
        )
        for name, structure in STRUCTURES.items()
    }


@pytest.fixture
def library(fmus: dict[str, Path], tmp_path: Path) -> Path:
    """Return the library of the FMU of the tube."""
    folder = Path(fmpy.extract(fmus["tube"], tmp_path / "library"))
    return folder / "binaries" / "linux64" / "ModalShock.so"


def library_in(fmu: Path) -> bytes:
    with zipfile.ZipFile(fmu) as archive:
        (name,) = (name for name in archive.namelist() if name.startswith("binaries/"))
        return archive.read(name)


def test_all_structures_and_start_values_have_the_same_library(fmus, native_fmus, tmp_path):
    assert len({library_in(fmu) for fmu in fmus.values()}) == 1
    variant = build_native_fmu("DisChoc", tmp_path, start_values={"friction_coefficient": 0.4})
    assert library_in(variant) == library_in(native_fmus("DisChoc"))


def test_instances_of_different_fmus_share_a_library_undisturbed(fmus, library, tmp_path):
    alone = {
        name: Run(fmu, library, tmp_path / f"{name}_alone").whole() for name, fmu in fmus.items()
    }
    assert len({tuple(outputs.items()) for outputs in alone.values()}) == len(fmus)
    runs = {name: Run(fmu, library, tmp_path / name) for name, fmu in fmus.items()}
    for run in runs.values():
        run.initialise()
    for number in range(STEPS):
        for run in runs.values():
            run.go(number)
    assert {name: run.outputs() for name, run in runs.items()} == alone


def test_threads_share_a_library_undisturbed(fmus, library, tmp_path):
    def whole(name: str, number: int) -> dict[str, Any]:
        return Run(fmus[name], library, tmp_path / f"{name}_{number}").whole()

    alone = {name: whole(name, 0) for name in fmus}
    names = [*fmus] * 4
    with ThreadPoolExecutor(max_workers=len(names)) as threads:
        results = list(threads.map(whole, names, range(1, len(names) + 1)))
    for name, outputs in zip(names, results, strict=True):
        assert outputs == alone[name], name


def test_a_state_of_another_fmu_of_the_library_is_refused(fmus, library, tmp_path):
    tube, other = (Run(fmus[name], library, tmp_path / name) for name in ("tube", "eight"))
    for run in (tube, other):
        run.initialise()
    assert tube.load(other.save()) == ERROR
    assert not tube.restores(other.written())


def test_the_data_of_another_model_is_refused(native_fmu, library, tmp_path):
    with pytest.raises(Exception, match="Failed to instantiate"):
        Run(native_fmu, library, tmp_path / "other")
