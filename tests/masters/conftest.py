"""Fixture: the FMUs for the masters."""

from pathlib import Path

import pytest

from fmu_src.archive.builder import build_fmu


@pytest.fixture(scope="session")
def fmu_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build BaseMotion.fmu and FrictionalShock.fmu and return their folder."""
    folder = tmp_path_factory.mktemp("fmus")
    for name in ("BaseMotion", "FrictionalShock"):
        build_fmu(name, folder)
    return folder
