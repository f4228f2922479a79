"""Modules of plain functions loaded a second time, with every function compiled by numba.

The classical schemes have one source. Here the same files are imported again under another package
name, and in that copy each function is replaced by its compiled form. No fast-math: both give the
same bits. Where numba is missing, or switched off with ``NUMBA_DISABLE_JIT=1``, the modules are
handed out as they are, slower, and a warning is logged once. The kernel's own runs have libraries,
see `wearmodel.compiled`.

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
from pathlib import Path
from threading import Lock
from types import FunctionType, ModuleType
from typing import Any

from ..installation import install_command, user_cache_folder
from ..written_files import distrust

_LOG = logging.getLogger(__name__)
_PACKAGE = Path(__file__).parents[1]
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
        Module inside the package, with dots: ``"reference.schemes.march"``.

    Returns
    -------
    ModuleType
        The copy; the module itself where nothing can be compiled, see `can_compile`.
    """
    if not can_compile():
        return importlib.import_module(f"{_PACKAGE.name}.{name}")
    with _LOADING:
        return _second_copy(name)


@cache
def _second_copy(name: str) -> ModuleType:
    copy = f"{_PACKAGE.name}_compiled_{name.replace('.', '_')}"
    spec = importlib.util.spec_from_file_location(
        copy, _PACKAGE / "__init__.py", submodule_search_locations=[str(_PACKAGE)]
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"the package in {_PACKAGE} cannot be loaded a second time")
    package = importlib.util.module_from_spec(spec)
    sys.modules[copy] = package
    spec.loader.exec_module(package)
    entry = importlib.import_module(f"{copy}.{name}")
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
            "numba is not installed: the classical schemes run interpreted, some 50 times slower; "
            "the extra `schemes` brings it: %s",
            install_command("schemes"),
        )
        return False
    if _numba().config.DISABLE_JIT:
        _LOG.warning(
            "NUMBA_DISABLE_JIT is set: the classical schemes run interpreted, some 50 times slower"
        )
        return False
    return True


def _compile_functions(modules: list[ModuleType], package: str, entry: str) -> None:
    """Put compiled functions in the places of the plain ones; they find each other by name.

    `entry` is the module whose functions call the others.
    """
    compiled: dict[FunctionType, Any] = {}
    with _cache_folder(modules, package, entry) as kept:
        for module in modules:
            for name, value in list(vars(module).items()):
                if isinstance(value, FunctionType) and value.__module__.startswith(f"{package}."):
                    if value not in compiled:
                        function = _numba().njit(
                            error_model="numpy", nogil=True, cache=kept, forceinline=True
                        )(value)
                        if kept:
                            importlib.import_module(
                                "wearmodel.reference.compiled_cache"
                            ).check_kept_code(function)
                        compiled[value] = function
                    setattr(module, name, compiled[value])


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
            "compiling the schemes, in every process anew, about a minute: %s %s; "
            "NUMBA_CACHE_DIR names another folder",
            folder,
            reason,
        )
        yield False
        return
    if not any(folder.glob(f"*/{entry.rpartition('.')[2]}.*.nbi")):
        _LOG.warning("compiling the schemes, once per installation, about a minute …")
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)  # numba looks at it when a function is wrapped
    try:
        yield True
    finally:
        config.CACHE_DIR = before


def _numba() -> Any:
    """Numba, where it is installed: untyped, and slow to import, so not before it is needed."""
    return importlib.import_module("numba")
