"""The FMUs that the masters play."""

from pathlib import Path

import pytest

from fmu_src.archive.builder import build_fmu


@pytest.fixture(scope="session")
def fmu_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with BaseMotion.fmu and FrictionalShock.fmu."""
    folder = tmp_path_factory.mktemp("fmus")
    for name in ("BaseMotion", "FrictionalShock"):
        build_fmu(name, folder)
    return folder
