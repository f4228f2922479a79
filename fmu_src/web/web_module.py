"""Builds the WebAssembly module of a model: the native kernel, and what a page calls in it.

The kernel, its translation, the compiler and its options are those of the native FMU. In place of
FMI's functions stands ``page_door.cpp``. The module asks its host for nothing: it has no imports.
"""

from __future__ import annotations

import tempfile
from importlib.resources import files
from pathlib import Path

from fmu_src.models import fmu_definition
from fmu_src.native.native_builder import write_sources
from fmu_src.native.platform_libraries import Platform, compile_library
from fmu_src.native.requirements import require_tools

_DOOR = Path(str(files("fmu_src.web"))) / "page_door.cpp"
_FLAGS = (
    # No `main`: the page calls `_initialize` once, and then what it wants.
    "-mexec-model=reactor",
    "-Wl,--gc-sections",
    "-Wl,-z,stack-size=1048576",
    "-s",
)
_WEB = Platform("wasm32", ("wasm32-wasi",), ".wasm", (), _FLAGS)


def web_module(name: str) -> bytes:
    """Return the WebAssembly module of an FMU's model, compiled once and then kept.

    Parameters
    ----------
    name
        One of `fmu_src.models.native_fmu_names`.

    Raises
    ------
    MissingToolError
        The extra `native` is not installed.
    RuntimeError
        The translator or the compiler refuses; the message is its own.
    """
    require_tools("the page that computes")
    definition = fmu_definition(name)
    with tempfile.TemporaryDirectory(prefix="wearfmu_") as temporary:
        workshop = Path(temporary)
        write_sources(definition, definition.slave.table, "", workshop)
        return compile_library(_WEB, workshop, name, _DOOR).read_bytes()
