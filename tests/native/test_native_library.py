"""Native libraries: exported symbols, imports, and execution in a root with only libc."""

import importlib
import math
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import fmpy
import pytest
from fmpy.validation import validate_fmu

from fmu_src.models import native_fmu_names
from fmu_src.native.native_builder import is_stale
from harness.command_line import main
from tests.native_fmus import build_native_fmu
from wearmodel import FrictionalShock, installation
from wearmodel.compiled.platform_libraries import PLATFORMS
from wearmodel.installation import install_command

SOURCES = Path(__file__).parent


def functions(version: int) -> set[str]:
    """Return the functions of FMI's header."""
    header = Path(fmpy.__file__).parent / "c-code" / f"fmi{version}Functions.h"
    pattern = rf"FMI{version}_Export fmi\w+TYPE\s+(fmi\w+);"
    return set(re.findall(pattern, header.read_text(encoding="utf-8")))


# All functions of a co-simulation slave of FMI 2.0 (section 4.2) and of FMI 3.0, and no others. In
# FMI 3.0, unsupported functions return an error.
FUNCTIONS = functions(3) | functions(2) - {
    # for model exchange only
    "fmi2EnterEventMode",
    "fmi2NewDiscreteStates",
    "fmi2EnterContinuousTimeMode",
    "fmi2CompletedIntegratorStep",
    "fmi2SetTime",
    "fmi2SetContinuousStates",
    "fmi2GetDerivatives",
    "fmi2GetEventIndicators",
    "fmi2GetContinuousStates",
    "fmi2GetNominalsOfContinuousStates",
}


def library(fmu: Path, platform: str, suffix: str) -> bytes:
    """Return the only library of a platform."""
    with zipfile.ZipFile(fmu) as archive:
        (name,) = (one for one in archive.namelist() if one.startswith(f"binaries/{platform}/"))
        assert name.endswith(suffix)
        return archive.read(name)


@pytest.fixture
def lief() -> ModuleType:
    """Import the reader of libraries only in tests of hosts."""
    return importlib.import_module("lief")


@pytest.mark.parametrize("name", native_fmu_names())
def test_the_linux_library_offers_fmi_and_needs_libc_and_libm_alone(native_fmus, lief, name):
    require_linux_library(lief.ELF.parse(list(library(native_fmus(name), "linux64", ".so"))))


def require_linux_library(binary: Any) -> None:
    assert binary is not None
    assert {symbol.name for symbol in binary.exported_symbols} == FUNCTIONS
    # On ARM, the loader contains the support of thread-local variables.
    loader = {"ld-linux-aarch64.so.1"}
    assert set(binary.libraries) - loader == {"libc.so.6", "libm.so.6"}
    versions = {
        tuple(map(int, one.name.removeprefix("GLIBC_").split(".")))
        for requirement in binary.symbols_version_requirement
        for one in requirement.get_auxiliary_symbols()
    }
    assert max(versions) <= (2, 17)


@pytest.mark.campaign  # the first use compiles the platform's C++ library, minutes
@pytest.mark.parametrize("name", native_fmu_names())
def test_the_other_platforms_libraries_offer_fmi_and_need_their_system_alone(tmp_path, lief, name):
    fmu = build_native_fmu(name, tmp_path, tuple(PLATFORMS))
    assert not is_stale(fmu, name=name)
    arm = lief.ELF.parse(list(library(fmu, "aarch64-linux", ".so")))
    assert arm.header.machine_type == lief.ELF.ARCH.AARCH64
    require_linux_library(arm)
    windows = lief.PE.parse(list(library(fmu, "win64", ".dll")))
    assert windows is not None
    assert windows.header.machine == lief.PE.Header.MACHINE_TYPES.AMD64
    assert {entry.name for entry in windows.get_export().entries} == FUNCTIONS
    for needed in windows.imports:
        assert needed.name == "KERNEL32.dll" or needed.name.startswith("api-ms-win-crt-")
    universal = lief.MachO.parse(list(library(fmu, "darwin64", ".dylib")))
    assert universal is not None
    processors = {str(one.header.cpu_type).split(".")[-1] for one in universal}
    assert processors == {"X86_64", "ARM64"}
    alone = lief.MachO.parse(list(library(fmu, "aarch64-darwin", ".dylib")))
    assert alone is not None
    assert [one.header.cpu_type for one in alone] == [lief.MachO.Header.CPU_TYPE.ARM64]
    for one in (*universal, *alone):
        exported = {str(symbol.name).removeprefix("_") for symbol in one.exported_symbols}
        assert exported - {"_mh_dylib_header", "__dso_handle"} == FUNCTIONS  # from the linker
        loaded = lief.MachO.LoadCommand.TYPE.LOAD_DYLIB
        needed_names = {str(needed.name) for needed in one.libraries if needed.command == loaded}
        assert needed_names == {"/usr/lib/libSystem.B.dylib"}
        assert list(one.build_version.minos) == [11, 0, 0]  # the first macOS on ARM
        # Macs with ARM run only signed code.
        assert one.has_code_signature or one.header.cpu_type != lief.MachO.Header.CPU_TYPE.ARM64


def test_the_description_is_valid_and_promises_what_there_is(native_fmu):
    assert validate_fmu(str(native_fmu)) == []
    slave = fmpy.read_model_description(native_fmu).coSimulation
    assert slave.canInterpolateInputs
    assert not slave.needsExecutionTool
    assert slave.providesDirectionalDerivative
    assert slave.maxOutputDerivativeOrder == 0


def test_only_a_missing_or_an_older_fmu_is_stale(native_fmu, tmp_path):
    assert not is_stale(native_fmu)
    assert is_stale(tmp_path / "missing.fmu")
    older = tmp_path / "older.fmu"
    guid = fmpy.read_model_description(native_fmu).guid.encode()
    with zipfile.ZipFile(native_fmu) as new, zipfile.ZipFile(older, "w") as old:
        for name in new.namelist():
            old.writestr(name, new.read(name).replace(guid, b"{of another content}"))
    assert is_stale(older, model="FrictionalShock")


@pytest.mark.campaign  # a second build
def test_the_same_sources_give_the_same_fmu(native_fmu, tmp_path):
    assert build_native_fmu("FrictionalShock", tmp_path).read_bytes() == native_fmu.read_bytes()


@pytest.fixture(scope="module")
def c_host(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the C host."""
    target = tmp_path_factory.mktemp("host") / "host"
    command = [sys.executable, "-m", "ziglang", "cc", "-O2", "-target", "x86_64-linux-gnu.2.17"]
    command += [str(SOURCES / "host.c"), "-o", str(target), "-lm", "-ldl"]
    subprocess.run(command, check=True, capture_output=True)
    return target


def host_arguments(fmu: Path, where: str) -> list[str]:
    guid = fmpy.read_model_description(fmu).guid
    # 1200 steps of 1e-2 s at a0 = 15 with A′, A″, A‴; wear_work, sliding_distance, shock_count.
    return [where, guid, "1e-2", "1200", "15", "3", ":", "10", "14", "15"]


def expected_in_c() -> list[float]:
    """Return the results of the model object for the same sine, except for rounding of C's sine."""

    model, omega = FrictionalShock(), 6.283185307179586
    for step in range(1200):
        phase = omega * step * 1e-2
        sizes = [15.0 * omega**order for order in range(4)]
        terms = [math.sin(phase), math.cos(phase), -math.sin(phase) / 2, -math.cos(phase) / 6]
        model.step_polynomial(
            1e-2, base_acceleration=[size * term for size, term in zip(sizes, terms, strict=True)]
        )
    outputs = model.outputs()
    return [outputs["wear_work"], outputs["sliding_distance"]]


def test_a_c_host_runs_it_with_an_empty_environment(native_fmu, c_host, tmp_path):
    path = Path(fmpy.extract(native_fmu, tmp_path)) / "binaries/linux64/FrictionalShock.so"
    done = subprocess.run(
        [str(c_host), *host_arguments(native_fmu, str(path))],
        env={},
        capture_output=True,
        text=True,
        check=True,
    )
    got = [float(word) for word in done.stdout.split()]
    # Rounding of the sine is propagated over 24 reversals.
    assert got[:2] == pytest.approx(expected_in_c(), rel=1e-12)


def test_a_root_that_holds_only_libc_is_enough(native_fmu, c_host, tmp_path, lief):
    root = tmp_path / "root"
    folder = Path(fmpy.extract(native_fmu, tmp_path / "fmu"))
    root.mkdir()
    shutil.copy(c_host, root / "host")
    shutil.copy(folder / "binaries/linux64/FrictionalShock.so", root / "FrictionalShock.so")
    shutil.copytree(folder / "resources", root / "resources")
    host = lief.ELF.parse(str(c_host))
    assert host is not None
    loader = Path(host.interpreter)
    # The files of glibc in the folder of the system's loader.
    (root / loader.parent.relative_to("/")).mkdir(parents=True)
    (root / "lib").mkdir(exist_ok=True)
    shutil.copy(loader.resolve(), root / loader.relative_to("/"))
    for name in {"libc.so.6", "libm.so.6", *host.libraries} - {loader.name}:
        shutil.copy(loader.resolve().parent / name, root / "lib" / name)
    assert len(list(root.rglob("*.so*"))) <= 6
    enter = ["chroot", str(root)]
    if os.geteuid() != 0:
        enter = ["unshare", "--user", "--map-root-user", *enter]
    done = subprocess.run(
        [*enter, "/host", *host_arguments(native_fmu, "/FrictionalShock.so")],
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    got = [float(word) for word in done.stdout.split()]
    assert got[:2] == pytest.approx(expected_in_c(), rel=1e-12)


@pytest.mark.parametrize("command", [["build", "--native"], ["validate", "--native"]])
def test_without_the_extra_the_command_says_so_in_one_line(command, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(installation, "find_spec", lambda name: None)
    assert main([*command, "--out", str(tmp_path)]) == 2
    command_line = install_command("native")
    assert capsys.readouterr().err == (
        f"wearfmu: a native FMU needs pythran and ziglang: {command_line}\n"
    )


def test_validate_plays_the_cases_through_the_native_fmu(native_fmu, tmp_path, capsys):
    # native_fmu is in <folder>/native and is up to date, so it is not built again.
    written = native_fmu.stat().st_mtime_ns
    folder = native_fmu.parent.parent
    assert main(["validate", "--native", "--out", str(folder), "--json", f"{tmp_path}/r.json"]) == 0
    assert native_fmu.stat().st_mtime_ns == written
    assert not (folder / "FrictionalShock.fmu").exists()
    assert (folder / "native" / "DisChoc.fmu").exists()
    assert not (folder / "DisChoc.fmu").exists()
