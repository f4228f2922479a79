"""Libraries of kernel runs are built once, checked, and never used for other sources."""

import logging
import os
import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pytest
from filelock import FileLock

from wearmodel.compiled import build_cache, platform_libraries, run_library
from wearmodel.compiled.run_exports import Argument, RunFunction, run_functions
from wearmodel.compiled.run_library import KERNELS, SWITCH, run_source, runs_of

MODEL = "FrictionalShock"

# The log output of a process about its library, and a result of its runs.
RUN = """
import logging, sys
logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(message)s")
from wearmodel import FrictionalShockParameters
from wearmodel.batch.record_runs import run_records
for _ in range(2):
    runs = run_records(FrictionalShockParameters(), 0.5, base_acceleration=[0.0, 3.0, -3.0, 0.0])
print(float(runs.final["wear_work"]).hex())
"""
UNINSTALLED = "import sys\nsys.modules.update(dict.fromkeys(['pythran', 'ziglang']))\n"


def started(program: str, cache: Path, **extra: str) -> subprocess.Popen[str]:
    environment = os.environ | {"WEARFMU_CACHE": str(cache)} | extra
    command = [sys.executable, "-c", program]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def said(process: subprocess.Popen[str]) -> list[str]:
    text, _ = process.communicate()
    assert process.returncode == 0
    return text.splitlines()


@pytest.fixture(scope="module")
def filled_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a cache folder with a library. Translated code is copied from the user's cache."""
    cache = tmp_path_factory.mktemp("filled") / "cache"
    own = build_cache.cache_folder()
    if own.is_dir():
        shutil.copytree(own, cache, ignore=shutil.ignore_patterns("runs-*", "loaded-*"))
    said(started(RUN, cache))
    return cache


@pytest.fixture
def fresh_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Clear all loaded and cached libraries, as in a new process on a new machine."""
    monkeypatch.setenv("WEARFMU_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv(SWITCH, raising=False)
    monkeypatch.setattr(run_library, "_RUNS", {})
    run_library._say_interpreted.cache_clear()
    yield
    run_library._say_interpreted.cache_clear()


def test_arguments_of_a_run_are_the_fields_of_its_bundles_with_their_types():
    (run,) = run_functions("runs.structure_loop", ("run_structure_record",))
    arguments = {argument.name: argument for argument in run.arguments}
    assert arguments["p"] == Argument("p", False, 1, "View<double, 2>")
    assert arguments["kept_wanted"] == Argument("kept_wanted", True, 1, "View<std::int64_t, ANY>")
    assert arguments["kept_history"].pythran_type() == "float64[:,:] order(C)"
    assert arguments["work_works"].axes == 3
    assert arguments["step_sizes"].pythran_type() == "float64[]"
    assert run.returned == 3


def test_the_digest_follows_the_sources_and_the_compilers_options_and_not_the_text(monkeypatch):
    source = run_source(MODEL)
    assert replace(source, sources="others").digest() != source.digest()
    # Another Python version may produce a different text for the same kernel.
    assert replace(source, text=source.text + "\n").digest() == source.digest()
    before = source.digest()
    monkeypatch.setattr(run_library, "FLAGS", (*run_library.FLAGS, "-ffast-math"))
    assert source.digest() != before


@pytest.mark.parametrize(
    "array",
    [np.zeros(3, dtype=np.float32), np.zeros((2, 3)), np.zeros(6)[::2]],
    ids=["single precision", "two axes", "every second"],
)
def test_an_array_of_another_form_never_reaches_the_library(array):
    calls: list[Any] = []

    class Native:
        def __call__(self, *given: Any) -> None:
            calls.append(given)

    entry = RunFunction("sum_of", "sum_of", (Argument("values", False, 1, "View<double, ANY>"),), 1)
    call = run_library._plain_call(entry, Native())
    with pytest.raises(TypeError, match=r"sum_of: values must be a contiguous array of float64"):
        call(array)
    assert not calls
    assert call(np.zeros(3)) == (0.0,)
    assert len(calls) == 1


@pytest.mark.usefixtures("fresh_runs")
def test_without_the_tools_one_line_names_the_remedy(monkeypatch, caplog):
    monkeypatch.setattr(run_library, "missing_tools", lambda: ["pythran", "ziglang"])
    for model in KERNELS:
        assert not runs_of(model).is_compiled
    (record,) = caplog.records
    assert record.getMessage().startswith(
        "runs are interpreted, about 50 times slower: pythran and ziglang not installed"
    )


@pytest.mark.usefixtures("fresh_runs")
def test_a_platform_without_libraries_is_said(monkeypatch, caplog):
    monkeypatch.setattr(run_library, "supported_platform", lambda: None)
    assert not runs_of(MODEL).is_compiled
    assert "no compiled kernel for this platform" in caplog.text


@pytest.mark.usefixtures("fresh_runs")
@pytest.mark.parametrize("system", ["musl", "Windows on ARM", "32 bits"])
def test_unsupported_platforms_have_no_library(monkeypatch, system):
    monkeypatch.setattr(platform_libraries.sys, "platform", "linux")
    monkeypatch.setattr(platform_libraries, "machine", lambda: "x86_64")
    monkeypatch.setattr(platform_libraries, "libc_ver", lambda: ("glibc", "2.36"))
    supported = platform_libraries.supported_platform()
    assert supported is not None
    assert supported.name == "linux64"
    if system == "musl":
        monkeypatch.setattr(platform_libraries, "libc_ver", lambda: ("", ""))
    elif system == "32 bits":
        monkeypatch.setattr(platform_libraries, "machine", lambda: "i686")
    else:
        monkeypatch.setattr(platform_libraries.sys, "platform", "win32")
        monkeypatch.setattr(platform_libraries, "machine", lambda: "ARM64")
    assert platform_libraries.supported_platform() is None


@pytest.mark.usefixtures("fresh_runs")
def test_what_cannot_be_compiled_runs_interpreted_and_says_why(monkeypatch, caplog):
    def refuse(*_: Any) -> bytes:
        raise RuntimeError("the compiler refuses:\nno space left")

    monkeypatch.setattr(run_library, "missing_tools", list)
    monkeypatch.setattr(run_library, "_compiled", refuse)
    assert not runs_of(MODEL).is_compiled
    message = caplog.records[-1].getMessage()
    assert message.endswith("times slower: the kernel cannot be compiled: the compiler refuses")


@pytest.mark.usefixtures("fresh_runs")
def test_a_run_that_must_not_compile_is_interpreted_in_silence(monkeypatch, caplog):
    def compiled(*_: Any) -> bytes:
        raise AssertionError("it compiles")

    monkeypatch.setattr(run_library, "_compiled", compiled)
    assert not runs_of(MODEL, compiles=False).is_compiled
    assert not caplog.records


def test_the_switch_is_said_once(tmp_path):
    log = said(started(RUN, tmp_path, **{SWITCH: "1"}))
    assert len(log) == 2
    assert log[0].startswith("WARNING runs are interpreted, about 50 times slower: ")
    assert log[0].endswith(f"{SWITCH} is set")


class Opened:
    """Stand-in for a loaded library that records its file and the permissions of its folder."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self.content = self.path.read_bytes()
        self.folder_mode = stat.S_IMODE(self.path.parent.stat().st_mode)
        self.wear_digest = Digest()


class Digest:
    restype: Any = None

    def __call__(self) -> bytes:
        return run_source(MODEL).digest().encode()


@pytest.mark.skipif(os.name != "posix", reason="files have owners on POSIX")
@pytest.mark.usefixtures("fresh_runs")
@pytest.mark.parametrize("of", ["another owner", "a group", "all users"])
def test_nothing_is_loaded_from_a_folder_that_others_can_write(monkeypatch, tmp_path, caplog, of):
    source = run_source(MODEL)
    folder = tmp_path / "untrusted"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("WEARFMU_CACHE", str(folder))
    if of != "another owner":
        folder.chmod(0o770 if of == "a group" else 0o777)
    elif os.geteuid() == 0:
        os.chown(folder, 65534, -1)
    else:
        owner = os.geteuid()
        monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    opened: list[Opened] = []

    def opened_library(path: str) -> Opened:
        opened.append(Opened(path))
        return opened[-1]

    monkeypatch.setattr(run_library.ctypes, "CDLL", opened_library)
    monkeypatch.setattr(run_library, "_compiled", lambda *_: b"a library")
    monkeypatch.setattr(run_library, "missing_tools", list)
    assert run_library._library(MODEL, source, compiles=True) is not None
    (library,) = opened
    assert folder not in library.path.parents
    assert (library.content, library.folder_mode) == (b"a library", 0o700)
    # No copy of the library and no lock file, which others could keep locked.
    assert list(folder.iterdir()) == []
    assert not library.path.parent.exists()
    assert "it is not used" in caplog.text


@pytest.mark.usefixtures("fresh_runs")
def test_a_wait_for_another_processs_compilation_is_said(monkeypatch, tmp_path):
    source = run_source(MODEL)
    name = f"runs-{source.digest()[:16]}.lock"
    (tmp_path / "cache").mkdir(mode=0o700, exist_ok=True)
    other = FileLock(tmp_path / "cache" / name, mode=0o600, thread_local=False)
    # A thread cannot wait for its own lock, so another thread locks it.
    holder = threading.Thread(target=other.acquire)
    holder.start()
    holder.join()
    platform = platform_libraries.supported_platform()
    assert platform is not None
    monkeypatch.setattr(run_library, "_compiled", lambda *_: b"a library")
    monkeypatch.setattr(run_library, "missing_tools", list)
    said_before_the_end: list[str] = []

    class Ends(logging.Handler):
        """Handler that releases the lock when the waiting message is logged."""

        def emit(self, record: logging.LogRecord) -> None:
            if "waiting" in record.getMessage():
                said_before_the_end.append(record.getMessage())
                other.release()

    ends = Ends()
    # Without the message, the test would never end.
    end_anyway = threading.Timer(20.0, other.release)
    end_anyway.start()
    log = logging.getLogger("wearmodel")
    log.addHandler(ends)
    try:
        assert run_library._made_once(MODEL, source, platform, compiles=True) == b"a library"
    finally:
        log.removeHandler(ends)
        end_anyway.cancel()
    assert said_before_the_end == [
        f"waiting for another process to compile the kernel of {MODEL} …"
    ]


@pytest.mark.hosts
@pytest.mark.native
def test_processes_that_begin_together_make_one_library(filled_cache):
    for library in filled_cache.glob("runs-*"):
        library.unlink()
    logs = [said(process) for process in [started(RUN, filled_cache) for _ in range(3)]]
    compiling = [line for log in logs for line in log if "compiling the kernel of" in line]
    assert len(compiling) == 1
    assert len({log[-1] for log in logs}) == 1


@pytest.mark.hosts
@pytest.mark.native
def test_a_library_that_is_there_needs_no_tools_and_gives_the_interpreted_bits(filled_cache):
    (number,) = said(started(UNINSTALLED + RUN, filled_cache))
    assert said(started(RUN, filled_cache, **{SWITCH: "1"}))[-1] == number
    assert not list(filled_cache.glob("loaded-*"))


@pytest.mark.usefixtures("fresh_runs")
def test_a_library_that_appears_later_is_found(monkeypatch):
    found = []
    monkeypatch.setattr(run_library, "_library", lambda *_, **__: found[0] if found else None)
    assert not runs_of(MODEL, compiles=False).is_compiled
    found.append(MagicMock())
    assert runs_of(MODEL, compiles=False).is_compiled
    found.clear()
    assert runs_of(MODEL, compiles=False).is_compiled


@pytest.mark.hosts
@pytest.mark.native
@pytest.mark.usefixtures("fresh_runs")
def test_a_library_in_the_package_is_used_for_its_own_sources_only(
    monkeypatch, caplog, tmp_path, filled_cache
):
    platform = platform_libraries.supported_platform()
    assert platform is not None
    (kept,) = (path for path in filled_cache.glob("runs-*") if path.suffix != ".lock")
    brought = tmp_path / f"runs{platform.suffix}"
    brought.write_bytes(kept.read_bytes()[32:])  # without its checksum
    monkeypatch.setattr(run_library, "library_path", lambda *_: brought)
    monkeypatch.setattr(run_library, "missing_tools", lambda: ["pythran"])
    assert runs_of(MODEL).is_compiled
    assert not caplog.records

    monkeypatch.setattr(run_library, "_RUNS", {})
    edited = replace(run_source(MODEL), sources="edited")
    monkeypatch.setattr(run_library, "run_source", lambda _: edited)
    assert not runs_of(MODEL).is_compiled
    first, second = (record.getMessage() for record in caplog.records)
    assert first == f"{brought} was compiled from other sources and is not used"
    assert "pythran not installed: pip install" in second
