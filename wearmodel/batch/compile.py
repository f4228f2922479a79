"""Modules of plain functions loaded a second time, with every function compiled by numba.

The kernel, the maps and the classical schemes have one source each. An FMU runs its kernel
interpreted; here the same files are imported again under another package name, and in that copy
each function is replaced by its compiled form. No fast-math: both give the same bits. Where numba
is missing, or switched off with ``NUMBA_DISABLE_JIT=1``, the modules are handed out as they are,
slower, and a warning is logged once.

Compiled code is kept on disk, so that only the first process pays for the compilation. A compiled
function holds those that it calls, also from other files, while numba's own check looks at the
function's own file. And numba's index names the types of arguments by the copy that defines them,
which a process that has not loaded that copy cannot read. So the code lies in a folder named by the
copy and the content of all files concerned: under ``NUMBA_CACHE_DIR`` where that is set, else under
the user's cache folder; where neither can be written, every process compiles for itself. What is
damaged there is compiled again. The log says that it compiles, and how long that takes.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import logging
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from threading import Lock
from types import CodeType, FunctionType, ModuleType
from typing import Any

from ..compiled.lowering import (
    COPIED_ROWS,
    index_constants,
    kernel_modules,
    kernel_names,
    lowered_module,
    takes_records,
)
from ..installation import install_command, user_cache_folder
from ..written_files import distrust

_LOG = logging.getLogger(__name__)
# What a second copy of the package is called, by whether it is compiled.
_COPIES = {False: "lowered", True: "compiled"}
_PACKAGE = Path(__file__).parents[1]
# The module of a lowered copy that has the functions by which the others copy rows.
_COPIES_OF_ROWS = "kernel.records"
# One thread at a time loads, and steers numba's cache folder meanwhile.
_LOADING = Lock()


def compiled_module(name: str) -> ModuleType:
    """Return ``wearmodel.<name>`` with its functions, and those they call, compiled.

    A function is compiled, or read from the disk, at its first call with arguments of new types.
    Compiled functions take arrays of float64 where the interpreted ones take lists of floats, and
    release the interpreter's lock while they run.

    Parameters
    ----------
    name
        Module inside the package, with dots: ``"kernel.shoe.stepper"``.

    Returns
    -------
    ModuleType
        The copy, its records lowered; not compiled where nothing can be, see `can_compile`.
    """
    with _LOADING:
        return _second_copy(name, can_compile())


@cache
def _second_copy(name: str, is_compiled: bool) -> ModuleType:
    copy = f"{_PACKAGE.name}_{_COPIES[is_compiled]}_{name.replace('.', '_')}"
    spec = importlib.util.spec_from_file_location(
        copy, _PACKAGE / "__init__.py", submodule_search_locations=[str(_PACKAGE)]
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"the package in {_PACKAGE} cannot be loaded a second time")
    package = importlib.util.module_from_spec(spec)
    sys.modules[copy] = package
    spec.loader.exec_module(package)
    entry = importlib.import_module(f"{copy}.{name}")
    if not is_compiled:
        return entry
    modules = [
        module
        for own_name, module in sorted(sys.modules.items())
        if own_name.startswith(f"{copy}.") and module.__file__ is not None
    ]
    _compile_functions(modules, copy, name)
    return entry


@cache
def can_compile() -> bool:
    """Whether numba is there and switched on; if not, say so in the log, once."""
    if importlib.util.find_spec("numba") is None:
        _LOG.warning(
            "numba is not installed: what it would compile runs interpreted, some 50 times slower; "
            "the extra `fast` brings it: %s",
            install_command("fast"),
        )
        return False
    if _numba().config.DISABLE_JIT:
        _LOG.warning("NUMBA_DISABLE_JIT is set: all runs interpreted, some 50 times slower")
        return False
    return True


class _LoweringFinder(PathFinder):
    """Finds the modules of a second copy of the package; those with records are lowered."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Any = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, name = fullname.partition(".")
        if not package.startswith(tuple(f"{_PACKAGE.name}_{copy}_" for copy in _COPIES.values())):
            return None
        spec = super().find_spec(fullname, path, target)
        if spec is not None and spec.origin is not None and name in _lowered_names():
            spec.loader = _LoweringLoader(fullname, spec.origin)
        return spec


class _LoweringLoader(SourceFileLoader):
    """Compiles the lowered source, and keeps no byte code beside that of the source itself."""

    def get_code(self, fullname: str) -> CodeType:
        source = self.get_data(self.path).decode("utf-8")
        name = fullname.partition(".")[2].removeprefix("kernel.")
        return compile(lowered_module(name, source), self.path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        vars(module).update(index_constants())
        package, _, name = module.__name__.partition(".")
        if name != _COPIES_OF_ROWS:
            rows = importlib.import_module(f"{package}.{_COPIES_OF_ROWS}")
            vars(module).update({name: getattr(rows, name) for name in COPIED_ROWS})
        super().exec_module(module)


@cache
def _lowered_names() -> frozenset[str]:
    """Modules of the package whose functions take records, and those that declare them."""
    modules = kernel_modules(kernel_names())
    kernel = {f"kernel.{name}" for name, tree in modules.items() if takes_records(tree)}
    return frozenset(kernel | {_COPIES_OF_ROWS})


sys.meta_path.insert(0, _LoweringFinder)


def _compile_functions(modules: list[ModuleType], package: str, entry: str) -> None:
    """Put compiled functions in the places of the plain ones; they find each other by name.

    `entry` is the module whose functions call the others.

    Two options are not in numba's documentation. Without `_nrt`, its runtime, a function counts no
    references: for the kernel, which takes rows of buffers in every call, that is 4.5 times faster;
    numba refuses to compile an allocation in it. What is not of the kernel may make arrays and is
    put into the code that calls it, by `forceinline`: only then does the maps' loop over lanes run
    in vector registers (4 times faster). LLVM decides by itself for the kernel.
    """
    compiled: dict[FunctionType, Any] = {}
    with _cache_folder(modules, package, entry) as kept:
        for module in modules:
            for name, value in list(vars(module).items()):
                if isinstance(value, FunctionType) and value.__module__.startswith(f"{package}."):
                    if value not in compiled:
                        is_kernel = _is_kernel(value.__module__.partition(".")[2])
                        function = _numba().njit(
                            error_model="numpy",
                            nogil=True,
                            cache=kept,
                            forceinline=not is_kernel,
                            _nrt=not is_kernel,
                        )(value)
                        if kept:
                            importlib.import_module(
                                "wearmodel.batch.compiled_cache"
                            ).check_kept_code(function)
                        compiled[value] = function
                    setattr(module, name, compiled[value])


def _is_kernel(module: str) -> bool:
    """Whether a module of the package works on rows of buffers alone and makes none."""
    return module.startswith("kernel.") or module in _lowered_names()


@contextmanager
def _cache_folder(modules: Iterable[ModuleType], package: str, entry: str) -> Iterator[bool]:
    """Let numba keep what is compiled in a folder for this copy; False if there is none.

    Where the functions of `entry`, the last to be compiled, are not kept there yet, say so: it
    takes long, and nothing else would be seen meanwhile.
    """
    config = _numba().config
    digest = hashlib.sha256(f"{package} ".encode())
    for name in (__file__, *(str(module.__file__) for module in modules)):
        source = Path(name).read_bytes()
        digest.update(f"{len(source)} ".encode() + source)
    root = config.CACHE_DIR or user_cache_folder()
    folder = Path(root) / f"wearmodel-{digest.hexdigest()[:20]}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        reason = distrust(folder.stat())
    except OSError:
        reason = "cannot be written"
    else:
        if reason is None and not os.access(folder, os.W_OK):
            reason = "cannot be written"
    if reason is not None:
        _LOG.warning(
            "compiling the kernel, in every process anew, about a minute: %s %s; "
            "NUMBA_CACHE_DIR names another folder",
            folder,
            reason,
        )
        yield False
        return
    if not any(folder.glob(f"*/{entry.rpartition('.')[2]}.*.nbi")):
        _LOG.warning("compiling the kernel, once per installation, about a minute …")
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)  # numba looks at it when a function is wrapped
    try:
        yield True
    finally:
        config.CACHE_DIR = before


def _numba() -> Any:
    """Numba, where it is installed: untyped, and slow to import, so not before it is needed."""
    return importlib.import_module("numba")
