"""The Linux library in our FMUs does not free pythonfmu's state a second time."""

from __future__ import annotations

import ctypes
import zipfile
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import fmpy
import pytest

from fmu_src.builder import fmu_names
from fmu_src.library_repair import without_second_release

LANDING_AND_RETURN = b"\xf3\x0f\x1e\xfa\xc3"


def start_of_the_function(library: Path) -> bytes:
    """First bytes of `finalizePythonInterpreter`, found by the system's own loader."""
    function = ctypes.CDLL(str(library)).finalizePythonInterpreter
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    return ctypes.string_at(address, len(LANDING_AND_RETURN))


@pytest.mark.parametrize("name", fmu_names())
def test_the_function_that_frees_twice_returns_at_once(
    built: Callable[[str], Path], tmp_path: Path, name: str
) -> None:
    folder = Path(fmpy.extract(built(name), str(tmp_path)))
    library = folder / "binaries" / "linux64" / f"{name}.so"
    assert start_of_the_function(library) == LANDING_AND_RETURN


def test_one_byte_is_changed_and_only_on_linux(built: Callable[[str], Path]) -> None:
    binaries = files("pythonfmu").joinpath("resources", "binaries")
    with zipfile.ZipFile(built("FrictionalShock")) as archive:
        ours = archive.read("binaries/linux64/FrictionalShock.so")
        windows = archive.read("binaries/win64/FrictionalShock.dll")
    (original,) = [f for f in binaries.joinpath("linux64").iterdir() if f.name.endswith(".so")]
    (original_windows,) = [
        f for f in binaries.joinpath("win64").iterdir() if f.name.endswith(".dll")
    ]
    pairs = zip(ours, original.read_bytes(), strict=True)
    assert sum(mine != theirs for mine, theirs in pairs) == 1
    assert windows == original_windows.read_bytes()


def test_a_library_that_is_repaired_or_has_no_such_function_stays(
    built: Callable[[str], Path],
) -> None:
    with zipfile.ZipFile(built("FrictionalShock")) as archive:
        library = archive.read("binaries/linux64/FrictionalShock.so")
    assert without_second_release(library) == library
    other = library.replace(b"finalizePythonInterpreter", b"finalizePythonInterpreteR")
    assert without_second_release(other) == other
