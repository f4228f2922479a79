"""Fixtures: native FMUs of this platform, the corresponding Python FMUs, and hosts for both."""

import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import fmpy
import pytest

from fmu_src.archive.builder import build_fmu
from tests.native_fmus import build_native_fmu

from ..fmu_src.conftest import ERROR, OK, Host, Make
from .fmi3_host import Host3


def sealed(state: bytes) -> bytes:
    """Return altered bytes of a native FMU's state with a valid checksum."""
    return state[:-4] + zlib.crc32(state[:-4]).to_bytes(4, "little")


def host_of(fmu: Path, folder: Path) -> Host:
    """Unpack an FMU into a folder and return an instance."""
    return Host(Path(fmpy.extract(str(fmu), str(folder))))


@pytest.fixture(scope="session")
def native_fmus(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Build a native FMU by name from this source tree."""
    folder = tmp_path_factory.mktemp("native")
    return cache(lambda name: build_native_fmu(name, folder))


@pytest.fixture(scope="session")
def fmi3_fmus(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Build a native FMU of FMI 3.0 by name."""
    folder = tmp_path_factory.mktemp("fmi3")
    return cache(lambda name: build_native_fmu(name, folder, fmi=3))


@pytest.fixture(scope="session")
def unpacked3(
    fmi3_fmus: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Path]:
    """Return the folder of the unpacked native FMU of FMI 3.0, by name."""
    folder = tmp_path_factory.mktemp("unpacked")
    return cache(lambda name: Path(fmpy.extract(str(fmi3_fmus(name)), str(folder / name))))


@pytest.fixture
def host3(unpacked3: Callable[[str], Path]) -> Iterator[Callable[..., Host3]]:
    """Create instances of native FMUs of FMI 3.0 that are freed at the end of the test."""
    hosts: list[Host3] = []

    def make(name: str = "FrictionalShock", **options: bool) -> Host3:
        hosts.append(Host3(unpacked3(name), **options))
        return hosts[-1]

    yield make
    for made in hosts:
        made.free()


@pytest.fixture(scope="session")
def python_fmus(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Build an FMU that runs the kernel in Python, by name."""
    folder = tmp_path_factory.mktemp("python")
    return cache(lambda name: build_fmu(name, folder))


@pytest.fixture(scope="session")
def native_fmu(native_fmus: Callable[[str], Path]) -> Path:
    """Return the native FrictionalShock.fmu."""
    return native_fmus("FrictionalShock")


@pytest.fixture(scope="session")
def python_fmu(python_fmus: Callable[[str], Path]) -> Path:
    """Return the FrictionalShock.fmu that runs in Python."""
    return python_fmus("FrictionalShock")


@pytest.fixture(scope="session")
def unpacked_fmu(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """Return the folder of an unpacked FMU, by its file."""
    return cache(lambda fmu: Path(fmpy.extract(str(fmu), str(tmp_path_factory.mktemp("fmu")))))


@pytest.fixture
def host(unpacked_fmu: Callable[[Path], Path]) -> Iterator[Callable[[Path], Host]]:
    """Create instances of an FMU that are freed at the end of the test."""
    hosts: list[Host] = []

    def make(fmu: Path) -> Host:
        hosts.append(Host(unpacked_fmu(fmu)))
        return hosts[-1]

    yield make
    for made in hosts:
        made.free()


@pytest.fixture
def native(host: Callable[[Path], Host], native_fmus: Callable[[str], Path]) -> Make:
    """Create native instances of FMI 2.0."""
    return lambda name="FrictionalShock": host(native_fmus(name))


Hosts = tuple[Host, Host]


@pytest.fixture(scope="module")
def pair_of(
    native_fmus: Callable[[str], Path],
    python_fmus: Callable[[str], Path],
    unpacked_fmu: Callable[[Path], Path],
) -> Callable[[str], Callable[[], Hosts]]:
    """Return reset instances of a model's native and Python FMU."""

    def pair(name: str) -> Callable[[], Hosts]:
        native, python = (Host(unpacked_fmu(of(name))) for of in (native_fmus, python_fmus))

        def fresh() -> Hosts:
            for instance in (native, python):
                assert instance.call("fmi2Reset") == OK
                instance.messages.clear()
            return native, python

        return fresh

    return pair


__all__ = ["ERROR", "OK", "Host", "Hosts", "Make", "host_of", "sealed"]
