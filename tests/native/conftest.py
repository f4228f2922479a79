"""Fixtures: the native FMU of this platform, the Python FMU beside it, and hosts of both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fmu_src.archive.builder import build_fmu
from fmu_src.native.native_builder import build_native_fmu

from ..fmu_src.conftest import Host


@pytest.fixture(scope="session")
def native_fmu(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """FrictionalShock.fmu translated and compiled from this source tree."""
    return build_native_fmu("FrictionalShock", tmp_path_factory.mktemp("native"))


@pytest.fixture(scope="session")
def python_fmu(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The FMU that runs the kernel in Python."""
    return build_fmu("FrictionalShock", tmp_path_factory.mktemp("python"))


@pytest.fixture
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], Host]]:
    """Make instances of an FMU, freed at the end of the test."""
    hosts: list[Host] = []

    def make(path: Path) -> Host:
        hosts.append(Host(path, tmp_path_factory.mktemp("extracted")))
        return hosts[-1]

    yield make
    for one in hosts:
        one.free()
