"""Tests of the native FMU by a C host, also under sanitizers, and refused runs."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path

import fmpy
import pytest

from fmu_src.models import fmu_definition, native_fmu_names
from fmu_src.native.instance_data import INSTANCE_FILE, instance_data
from fmu_src.native.model_library import FMI_HEADERS, FMI_LAYER, LAYER_FOLDER, write_sources
from harness.fmu.interface import read_interface
from wearmodel.compiled.platform_libraries import FLAGS, KERNEL_UNIT, include_flags

from ..campaigns.torture_requests import described, torture
from ..fmu_src.test_refused_runs import REFUSED, simulate
from ..masters.c_host import compile_host, run_host
from .test_fmi3_torture import described as described_fmi3
from .test_fmi3_torture import torture as torture_fmi3

SOURCE = Path(__file__).with_name("border_host.c")
TORTURE = Path(__file__).with_name("native_torture_host.py")
CLAIMS = re.findall(r'\{"(\w+)", \1\}', SOURCE.read_text(encoding="utf-8"))
# s: a claim takes at most 3 s, or 30 s under sanitizers.
TIME_LIMIT = 300.0
SANITIZERS = ("-fsanitize=address", "-fsanitize=undefined", "-fno-sanitize-recover=all")
HOST_TARGET = "x86_64-linux-gnu.2.17"
SANITIZED_GUID = "{sanitized}"


def compile_c(compiler: list[str], host: Path) -> Path:
    headers = files("fmpy") / "c-code"
    command = [*compiler, "-Wall", "-Wextra", f"-I{headers}", str(SOURCE), "-o", str(host)]
    subprocess.run([*command, "-ldl", "-lm"], check=True, capture_output=True)
    return host


@pytest.fixture(scope="module")
def border_host(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the host of the claims."""
    compiler = [sys.executable, "-m", "ziglang", "cc", "-O2", "-target", HOST_TARGET]
    return compile_c(compiler, tmp_path_factory.mktemp("border") / "border_host")


@pytest.fixture(scope="module")
def library(native_fmu: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the library of the native FMU."""
    folder = Path(fmpy.extract(native_fmu, tmp_path_factory.mktemp("extracted")))
    return folder / "binaries" / "linux64" / "FrictionalShock.so"


@pytest.fixture(scope="module")
def sanitized_library(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a model's library from the same sources, with both sanitizers."""
    return cache(lambda name: compile_sanitized(name, tmp_path_factory.mktemp("sanitized")))


def compile_sanitized(name: str, folder: Path) -> Path:
    """Compile a library with sanitizers in the compiler of the FMUs.

    It needs a tenth of the memory of g++. It does not contain the runtime libraries of the
    sanitizers, so gcc links its own, which have the same interface. `-Xclang` is necessary because
    the driver refuses the option for its own linker.
    """
    definition = fmu_definition(name)
    write_sources(definition, folder)
    content = instance_data(SANITIZED_GUID, definition, definition.slave.table)
    (folder / "resources").mkdir()
    (folder / "resources" / INSTANCE_FILE).write_bytes(content)
    compiler = [sys.executable, "-P", "-m", "ziglang", "c++", "-target", HOST_TARGET]
    compiler += [one for one in FLAGS if one not in ("-O2", "-g0")]
    compiler += [
        "-O1",
        "-g1",
        "-fPIC",
        "-Xclang",
        *SANITIZERS,
        *include_flags(LAYER_FOLDER, folder, *FMI_HEADERS.values()),
    ]
    made = []
    for source in (*FMI_LAYER.sources, folder / KERNEL_UNIT):
        made.append(str(folder / f"{source.name}.o"))
        subprocess.run([*compiler, "-c", source, "-o", made[-1]], check=True, capture_output=True)
    library = folder / f"{name}.so"
    linker = ["gcc", "-shared", *SANITIZERS, *made, "-lstdc++", "-lm", "-o", str(library)]
    subprocess.run(linker, check=True, capture_output=True)
    return library


@pytest.fixture(scope="module")
def sanitized(
    sanitized_library: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    """Return host and library of FrictionalShock, both with sanitizers."""
    host = tmp_path_factory.mktemp("sanitized") / "border_host"
    return compile_c(["gcc", "-O1", "-g1", *SANITIZERS], host), sanitized_library("FrictionalShock")


def check(host: Path, library: Path, resources: Path, guid: str, claim: str) -> None:
    done = subprocess.run(
        [host, library, guid, resources, claim],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=TIME_LIMIT,
    )
    assert done.returncode == 0, f"ended with {done.returncode}: {done.stderr[-3000:]}"


@pytest.mark.parametrize("claim", CLAIMS)
def test_the_border_holds(border_host, library, native_fmu, claim):
    resources = library.parents[2] / "resources"
    check(border_host, library, resources, fmpy.read_model_description(native_fmu).guid, claim)


# A limit of the address space does not leave enough for the shadow memory of the sanitizer.
@pytest.mark.parametrize(
    "claim", [claim for claim in CLAIMS if claim != "without_memory_calls_are_errors"]
)
def test_the_border_holds_without_a_wrong_access_or_undefined_behaviour(sanitized, claim):
    host, library = sanitized
    check(host, library, library.parent / "resources", SANITIZED_GUID, claim)


@pytest.mark.campaign  # ten thousand files
@pytest.mark.parametrize("name", native_fmu_names())
def test_no_instance_data_makes_a_wrong_access_or_undefined_behaviour(
    name, sanitized, sanitized_library, monkeypatch
):
    monkeypatch.setenv("WEARFMU_CAMPAIGN", "1")
    host, library = sanitized[0], sanitized_library(name)
    check(host, library, library.parent / "resources", SANITIZED_GUID, "garbage_data_does_no_harm")


@pytest.mark.campaign  # sanitizers take ten times as long
@pytest.mark.parametrize("name", native_fmu_names())
def test_random_sequences_make_no_wrong_access_nor_undefined_behaviour(
    name, native_fmus, sanitized_library, tmp_path, monkeypatch
):
    fmu = described(native_fmus(name), tmp_path)
    library = sanitized_library(name)
    fmu |= {"library": str(library), "guid": SANITIZED_GUID}
    fmu["resources"] = (library.parent / "resources").as_uri()
    preload_sanitizer(monkeypatch)
    counts = torture(TORTURE, [fmu], [1], tmp_path, 200_000, 220_000)["counts"]
    assert counts["sequences"] == 20_000
    assert counts["spoilt states taken"] > 100


@pytest.mark.campaign  # sanitizers take ten times as long
@pytest.mark.parametrize("name", native_fmu_names())
def test_random_calls_of_fmi_3_make_no_wrong_access_nor_undefined_behaviour(
    name, unpacked3, sanitized_library, tmp_path, monkeypatch
):
    definition = fmu_definition(name)
    resources = tmp_path / "resources"
    resources.mkdir()
    content = instance_data(SANITIZED_GUID, definition, definition.slave.table, fmi=3)
    (resources / INSTANCE_FILE).write_bytes(content)
    fmu = described_fmi3(unpacked3(name)) | {
        "library": str(sanitized_library(name)),
        "token": SANITIZED_GUID,
        "resources": str(resources),
    }
    preload_sanitizer(monkeypatch)
    counts = torture_fmi3(fmu, tmp_path, 200_000, 202_000)
    assert counts["sequences"] == 2_000
    assert counts["spoilt states taken"] > 10


def preload_sanitizer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow a new Python process to load a library with sanitizers."""
    asan = subprocess.run(
        ["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True
    ).stdout.strip()
    monkeypatch.setenv("LD_PRELOAD", asan)
    monkeypatch.setenv("ASAN_OPTIONS", "detect_leaks=0")  # Python leaks at exit


# -- refused runs: each host ends the run and prints the reason if possible --------------------

OF_THE_SHOE = {key: one for key, one in REFUSED.items() if one[0] == "FrictionalShock"}


@pytest.mark.parametrize(
    ("asked", "reason"), [one[1:] for one in OF_THE_SHOE.values()], ids=OF_THE_SHOE
)
def test_fmpy_ends_a_refused_run_with_an_exception_and_the_reason(native_fmu, asked, reason):
    answer, shown = simulate(native_fmu, stop_time=0.1, debug_logging=True, **asked)
    # An invalid parameter is already an error of the initialisation.
    function = "fmi2ExitInitializationMode" if "start_values" in asked else "fmi2DoStep"
    assert answer == {"function": function, "status": 3}
    assert reason in shown


def test_the_c_host_ends_at_a_refused_step_with_the_reason(native_fmu, tmp_path):
    interface = read_interface(native_fmu)
    shaking = interface.variables["base_acceleration"].valueReference

    def run(orders: str) -> subprocess.CompletedProcess[str]:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        environment = dict(os.environ)
        host = compile_host(tmp_path)
        return run_host(host, [interface], folder, 1e-3, orders, environment, timeout=TIME_LIMIT)

    done = run(f"real 0 {shaking} 1.0\nrun 10\nreal 0 {shaking} nan\nrun 10\n")
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == 1
    *_, reason, status = done.stderr.splitlines()
    assert reason == "FrictionalShock: FrictionalShock: base_acceleration=nan m/s2 must be finite"
    assert status == "fmi2DoStep: FMI status 3"
