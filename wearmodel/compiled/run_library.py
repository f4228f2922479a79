"""Libraries of the kernel's runs: found or compiled, checked and loaded.

A library contains the loops of `wearmodel.kernel.runs` for one model as plain functions, and a
digest that must agree with the present sources. It is searched in the package (in a wheel) and in
the user's cache. If the extra `native` is installed, the first process that needs a library
compiles it, and other processes wait. Otherwise the same functions are interpreted, and a warning
with the remedy is logged once.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import logging
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from ..installation import install_command, missing_tools
from ..written_files import named
from .build_cache import kept, own_folder, read_kept
from .lowering import lowered_kernel
from .platform_libraries import FLAGS, KERNEL_UNIT, Platform, compile_library, supported_platform
from .ready_libraries import library_place, source_digest
from .run_exports import Argument, RunFunction, run_functions
from .translate import translate_kernel

_LOG = logging.getLogger(__name__)
#: Environment variable. If it is set and not 0, all runs are interpreted.
SWITCH = "WEARFMU_INTERPRETED"

# Time [s] to wait for the compilation by another process before a message appears.
_SILENT_WAIT = 2.0


@dataclass(frozen=True)
class RunKernel:
    """The runs of a model: functions of a module of the kernel.

    `has_lanes` is true if wide registers speed them up.
    """

    module: str
    functions: tuple[str, ...]
    has_lanes: bool = False


#: Models with runs.
KERNELS = {
    "FrictionalShock": RunKernel("runs.record_loop", ("run_block", "continue_run", "slide_blocks")),
    "ModalShock": RunKernel("runs.structure_loop", ("run_structure_record",), has_lanes=True),
}


@dataclass(frozen=True)
class RunSource:
    """The lowered runs of a model: their text, and the functions that are called from outside.

    `sources` is the digest of their source files.
    """

    text: str
    functions: tuple[RunFunction, ...]
    has_lanes: bool
    sources: str

    def exports(self) -> list[str]:
        """Exports for Pythran."""
        return [function.export() for function in self.functions]

    def digest(self) -> str:
        """Digest of everything that affects the results: kernel, calls and options."""
        content = [self.sources, self.exports(), self.has_lanes, FLAGS]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()

    def cpp_source(self) -> str:
        """Text of ``kernel.cpp``."""
        lines = [
            *(["#define KERNEL_HAS_LANES"] if self.has_lanes else []),
            '#include "run_calls.hpp"',
            f'EXPORTED const char *wear_digest() {{ return "{self.digest()}"; }}',
            *(function.cpp_source(has_lanes=self.has_lanes) for function in self.functions),
        ]
        return "\n".join([*lines, ""])


@cache
def run_source(name: str) -> RunSource:
    """Return the lowered runs of a model of `KERNELS`, cached because lowering takes 0.5 s."""
    package = files("wearmodel")
    folders = [Path(str(package)) / part for part in ("kernel", "compiled")]
    sources = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    made_from = [name.encode(), sys.version.encode(), *(path.read_bytes() for path in sources)]
    kernel = KERNELS[name]

    def lowered() -> bytes:
        functions = map(asdict, run_functions(kernel.module, kernel.functions))
        return json.dumps([lowered_kernel((kernel.module,)).text, [*functions]]).encode()

    text, functions = json.loads(kept("lowered", made_from, lowered))
    for function in functions:
        function["arguments"] = tuple(Argument(**argument) for argument in function["arguments"])
    return RunSource(
        text,
        tuple(RunFunction(**function) for function in functions),
        kernel.has_lanes,
        source_digest((kernel.module,), ("wearmodel.compiled",)),
    )


def library_path(name: str, platform: Platform) -> Path:
    """Return the path of the library of a model's runs in a package from a wheel."""
    return library_place(platform, f"runs_{name}")


def compile_runs(name: str, platform: Platform, target: Path) -> None:
    """Compile the library of a model's runs for a platform and write it as `target`.

    If the translator or the compiler fails, RuntimeError contains its message.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(_compiled(name, platform))


def _compiled(name: str, platform: Platform) -> bytes:
    source = run_source(name)
    with (
        tempfile.TemporaryDirectory(prefix="wearfmu_") as temporary,
        named(Path(temporary), unnamed_only=True),
    ):
        folder = Path(temporary)
        translate_kernel(source.exports(), (KERNELS[name].module,), folder)
        (folder / KERNEL_UNIT).write_text(source.cpp_source(), encoding="utf-8")
        return compile_library(platform, folder, f"runs_{name}").read_bytes()


class Runs:
    """The functions of a model's runs, compiled or interpreted.

    If `is_compiled`, other threads of Python continue while a function runs.
    """

    def __init__(self, source: RunSource, library: ctypes.CDLL | None) -> None:
        self.is_compiled = library is not None
        self._functions: dict[str, Callable[..., Any]] = {}
        if library is None:
            namespace: dict[str, Any] = {"__name__": f"{__name__}.interpreted"}
            exec(compile(source.text, "<lowered kernel>", "exec"), namespace)
            for entry in source.functions:
                self._functions[entry.name] = _on_lists(namespace[entry.lowered])
            return
        for entry in source.functions:
            self._functions[entry.name] = _plain_call(entry, library[f"wear_{entry.name}"])

    def call(self, function: str, *arguments: Any) -> Any:
        """Call a function on numbers and contiguous arrays of float64 or int64, which it fills.

        The results are numbers. A compiled function returns integers as floats.
        """
        return self._functions[function](*arguments)


def _on_lists(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap an interpreted function. It receives lists, which are faster there than arrays."""

    def call(*arguments: Any) -> Any:
        given = [
            argument.tolist() if isinstance(argument, np.ndarray) else argument
            for argument in arguments
        ]
        returned = function(*given)
        for array, numbers in zip(arguments, given, strict=True):
            if isinstance(array, np.ndarray) and array.size and array.flags.writeable:
                array[...] = numbers
        return returned

    return call


def _plain_call(entry: RunFunction, native: Any) -> Callable[..., tuple[float, ...]]:
    """Wrap a function of a library that takes arrays and numbers."""
    count = len(entry.arguments)
    kinds = [np.dtype(np.int64 if taken.is_whole else np.float64) for taken in entry.arguments]
    native.restype = None
    native.argtypes = (
        ctypes.POINTER(ctypes.c_void_p),
        ctypes.POINTER(ctypes.c_int64),
        ctypes.POINTER(ctypes.c_double),
    )

    def call(*arguments: Any) -> tuple[float, ...]:
        places = (ctypes.c_void_p * count)()
        sizes = (ctypes.c_int64 * (3 * count))()
        results = (ctypes.c_double * max(1, entry.returned))()
        memory = []  # keeps the arrays alive during the call
        for at, (value, taken, kind) in enumerate(
            zip(arguments, entry.arguments, kinds, strict=True)
        ):
            array = np.array(value, dtype=kind) if taken.axes == 0 else value
            if array.dtype != kind or array.ndim != taken.axes or not array.flags.c_contiguous:
                raise TypeError(
                    f"{entry.name}: {taken.name} must be a contiguous array of {kind} with "
                    f"{taken.axes} axes, not {array.dtype} with {array.ndim}"
                )
            memory.append(array)
            places[at] = array.ctypes.data
            for axis, size in enumerate(array.shape):
                sizes[3 * at + axis] = size
        native(places, sizes, results)
        return tuple(results[: entry.returned])

    return call


_RUNS: dict[str, Runs] = {}  # by model


def runs_of(name: str, *, compiles: bool = True) -> Runs:
    """Return the runs of a model of `KERNELS` from a library, or interpreted without one.

    If `compiles` is false, a missing library is not compiled, and the runs are interpreted without
    a warning.
    """
    if name not in _RUNS:
        source = run_source(name)
        runs = Runs(source, _library(name, source, compiles=compiles))
        if not (compiles or runs.is_compiled):
            return runs  # a later call may find a library
        _RUNS[name] = runs
    return _RUNS[name]


def _library(name: str, source: RunSource, *, compiles: bool) -> ctypes.CDLL | None:
    platform = supported_platform()
    is_off = os.environ.get(SWITCH, "0") not in ("", "0")
    if is_off or platform is None:
        if compiles:
            unsupported = "there is no compiled kernel for this platform"
            _say_interpreted(f"{SWITCH} is set" if is_off else unsupported)
        return None
    brought = library_path(name, platform)
    if brought.is_file():
        library = _checked(brought, source)
        if library is not None:
            return library
        _LOG.warning("%s was compiled from other sources and is not used", brought)
    content = _made_once(name, source, platform, compiles=compiles)
    return None if content is None else _loaded(content, platform, source)


def _made_once(name: str, source: RunSource, platform: Platform, *, compiles: bool) -> bytes | None:
    """Return the content of the library, cached or newly compiled, or `None`."""
    made_from = [word.encode() for word in (name, platform.name, source.digest())]
    content = read_kept("runs", made_from)
    if content is not None or not compiles:
        return content
    if missing := missing_tools():
        _say_interpreted(f"{' and '.join(missing)} not installed: {install_command('native')}")
        return None

    def make() -> bytes:
        _LOG.warning("compiling the kernel of %s, once per installation, up to a minute …", name)
        began = time.monotonic()
        made = _compiled(name, platform)
        _LOG.warning("compiled the kernel of %s in %.0f s", name, time.monotonic() - began)
        return made

    try:
        with _alone(name, source):
            return kept("runs", made_from, make)
    except (OSError, RuntimeError) as problem:
        first = str(problem).splitlines()[0].rstrip(":")
        _say_interpreted(f"the kernel cannot be compiled: {first}")
        return None


@contextmanager
def _alone(name: str, source: RunSource) -> Iterator[None]:
    """Let one process of this user compile a kernel at a time, if there is a cache folder."""
    from filelock import FileLock, Timeout

    folder = own_folder()
    with ExitStack() as held:
        # Some shared folders do not support locks.
        with suppress(OSError, NotImplementedError):
            if folder is not None:
                lock = FileLock(folder / f"runs-{source.digest()[:16]}.lock", mode=0o600)
                try:
                    held.enter_context(lock.acquire(timeout=_SILENT_WAIT))
                except Timeout:
                    _LOG.warning("waiting for another process to compile the kernel of %s …", name)
                    held.enter_context(lock)
        yield


def _loaded(content: bytes, platform: Platform, source: RunSource) -> ctypes.CDLL | None:
    """Load a library of this content from a private folder, which is removed if possible."""
    # Some systems do not allow programs to run from the temporary folder.
    for parent in dict.fromkeys((own_folder(), None)):
        with (
            suppress(OSError),
            tempfile.TemporaryDirectory(
                prefix="loaded-", dir=parent, ignore_cleanup_errors=True
            ) as private,
        ):
            path = Path(private, f"kernel{platform.suffix}")
            path.write_bytes(content)
            return _checked(path, source)
    _say_interpreted("the compiled kernel cannot be loaded")
    return None


def _checked(path: Path, source: RunSource) -> ctypes.CDLL | None:
    """Load the library if it has these sources. OSError if the file is not a library."""
    library = ctypes.CDLL(str(path))
    library.wear_digest.restype = ctypes.c_char_p
    return library if library.wear_digest() == source.digest().encode() else None


@cache
def _say_interpreted(reason: str) -> None:
    _LOG.warning("runs are interpreted, about 50 times slower: %s", reason)
