"""Repairs in pythonfmu's libraries: memory is freed once, and refused steps are errors."""

import ctypes
import zipfile
from importlib.resources import files
from pathlib import Path

import fmpy
import pytest

from fmu_src.archive.library_repair import with_refused_steps_as_errors, without_second_release
from fmu_src.models import fmu_names

LONGEST_FUNCTION = 256  # bytes: fmi2DoStep takes 140 in both libraries
LANDING_AND_RETURN = b"\xf3\x0f\x1e\xfa\xc3"


def start_of_the_function(library: Path) -> bytes:
    """Return the first bytes of `finalizePythonInterpreter`, located by the system's loader."""
    function = ctypes.CDLL(str(library)).finalizePythonInterpreter
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    return ctypes.string_at(address, len(LANDING_AND_RETURN))


@pytest.mark.parametrize("name", fmu_names())
def test_the_function_that_frees_twice_returns_at_once(built, tmp_path, name):
    folder = Path(fmpy.extract(built(name), str(tmp_path)))
    library = folder / "binaries" / "linux64" / f"{name}.so"
    assert start_of_the_function(library) == LANDING_AND_RETURN


def libraries(fmu: Path, platform: str, suffix: str) -> tuple[bytes, bytes]:
    """Return the library in an FMU and pythonfmu's original."""
    with zipfile.ZipFile(fmu) as archive:
        ours = archive.read(f"binaries/{platform}/FrictionalShock.{suffix}")
    folder = files("pythonfmu").joinpath("resources", "binaries", platform)
    (original,) = [one for one in folder.iterdir() if one.name.endswith(f".{suffix}")]
    return ours, original.read_bytes()


@pytest.mark.parametrize(
    ("platform", "suffix", "changes"),
    # Changed bytes: a refused step. On Linux, the second release. The status after an exception in
    # 20 functions and their 20 logs (on Windows, in 17 functions with a common log). A call of five
    # bytes. The start of a message, whose colon and space do not change.
    [("linux64", "so", 2 + 20 + 20 + 5 + 30), ("win64", "dll", 1 + 17 + 1 + 5 + 30)],
)
def test_a_byte_is_changed_for_each_fault(built, platform, suffix, changes):
    pairs = zip(*libraries(built("FrictionalShock"), platform, suffix), strict=True)
    assert sum(mine != theirs for mine, theirs in pairs) == changes


@pytest.mark.hosts
@pytest.mark.parametrize(("platform", "suffix"), [("linux64", "so"), ("win64", "dll")])
def test_the_status_is_changed_within_the_function_that_takes_a_step(built, platform, suffix):
    import lief  # of the extra test-hosts

    ours, original = libraries(built("FrictionalShock"), platform, suffix)
    changed = [offset for offset in range(len(ours)) if ours[offset] != original[offset]]
    binary = lief.parse(original)
    starts = {one.name: one.address for one in binary.exported_functions}
    start = (
        binary.rva_to_offset(starts["fmi2DoStep"])
        if platform == "win64"
        else binary.virtual_address_to_offset(starts["fmi2DoStep"])
    )
    within = [
        (original[offset], ours[offset])
        for offset in changed
        if start <= offset < start + LONGEST_FUNCTION
    ]
    assert (2, 3) in within  # fmi2Discard, fmi2Error


@pytest.mark.parametrize("reader", ["Real", "Integer", "Boolean", "String"])
@pytest.mark.hosts
def test_an_exception_is_an_error_in_each_function_that_reads(built, reader):
    import lief  # of the extra test-hosts

    ours, original = libraries(built("FrictionalShock"), "win64", "dll")
    binary = lief.parse(original)
    (function,) = (one for one in binary.exported_functions if one.name == f"fmi2Get{reader}")
    start = binary.rva_to_offset(function.address)
    changed = [
        (original[offset], ours[offset])
        for offset in range(start, start + 64)
        if ours[offset] != original[offset]
    ]
    assert changed == [(4, 3)]  # fmi2Fatal, fmi2Error


@pytest.mark.hosts
def test_the_call_that_is_skipped_on_windows_is_in_the_function_that_writes_the_reason(built):
    import lief  # of the extra test-hosts

    ours, _ = libraries(built("FrictionalShock"), "win64", "dll")
    skipped = ours.index(b"\x0f\x1f\x44\0\0\x4c\x8d\x44\x24\x30")
    (text,) = (at for at in range(len(ours)) if ours.startswith(b"The FMU has rejected", at))
    binary = lief.parse(ours)
    # lea rdx, [rip + distance] takes 7 bytes.
    place = ours.index(b"\x48\x8d\x15", skipped)
    distance = int.from_bytes(ours[place + 3 : place + 7], "little", signed=True)
    after = binary.offset_to_virtual_address(place + 7)
    assert place - skipped < 64
    assert after + distance == binary.offset_to_virtual_address(text)


def test_a_library_that_is_repaired_or_has_no_such_function_stays(built):
    library, original = libraries(built("FrictionalShock"), "linux64", "so")
    assert without_second_release(library) == library
    assert with_refused_steps_as_errors(library) == library
    # If the byte sequence occurs twice, the occurrence in fmi2DoStep is unknown.
    assert with_refused_steps_as_errors(original + original) == original + original
    other = library.replace(b"finalizePythonInterpreter", b"finalizePythonInterpreteR")
    assert without_second_release(other) == other
