"""Builds the WebAssembly module of a model: the native kernel and its functions for a page.

The kernel, its translation, the compiler and its options are as in the native FMU.
``page_door.cpp`` replaces the functions of FMI. The module does not import functions of its host.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from fmu_src.models import fmu_definition
from fmu_src.native.instance_data import instance_data
from fmu_src.native.model_library import LAYER_FOLDER, model_library
from wearmodel.compiled.platform_libraries import Layer, Platform

_FOLDER = Path(str(files("fmu_src.web")))
# The sources declare the exported functions.
PAGE_LAYER = Layer(
    (_FOLDER / "page_door.cpp", LAYER_FOLDER / "heap.cpp"), (_FOLDER, LAYER_FOLDER), ("*",)
)
_FLAGS = (
    # Without `main`: the page calls `_initialize` once, and then any function.
    "-mexec-model=reactor",
    "-Wl,--gc-sections",
    "-Wl,-z,stack-size=1048576",
    "-s",
)
WEB = Platform("wasm32", ("wasm32-wasi",), ".wasm", (), _FLAGS)


def web_module(name: str) -> bytes:
    """Return the WebAssembly module of a native FMU by its name, compiled once and then cached.

    Raises as `model_library`.
    """
    return model_library(fmu_definition(name), WEB, PAGE_LAYER, what="the page that computes")


def web_instance(name: str) -> bytes:
    """Return the module's data for an FMU: variables, start values and messages."""
    definition = fmu_definition(name)
    return instance_data("", definition, definition.slave.table)
