"""Builds the WebAssembly module of a model: the native kernel, and what a page calls in it.

The kernel, its translation, the compiler and its options are those of the native FMU. In place of
FMI's functions stands ``page_door.cpp``. The module asks its host for nothing: it has no imports.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from fmu_src.bundled.definition import FmuDefinition
from fmu_src.models import fmu_definition
from fmu_src.native.fmi_layer import LAYER_FOLDER
from fmu_src.native.instance_data import instance_data
from fmu_src.native.model_library import model_library
from wearmodel.compiled.platform_libraries import Layer, Platform

_FOLDER = Path(str(files("fmu_src.web")))
# Reads its points as the native FMU does. The linker takes what is exported from the sources.
PAGE_LAYER = Layer((_FOLDER / "page_door.cpp",), (_FOLDER, LAYER_FOLDER), ("*",))
_FLAGS = (
    # No `main`: the page calls `_initialize` once, and then what it wants.
    "-mexec-model=reactor",
    "-Wl,--gc-sections",
    "-Wl,-z,stack-size=1048576",
    "-s",
)
WEB = Platform("wasm32", ("wasm32-wasi",), ".wasm", (), _FLAGS)


def has_page(definition: FmuDefinition) -> bool:
    """Whether a page computes the model: a page asks for a coefficient of friction beside a run."""
    return definition.native is not None and definition.native.coefficient is not None


def web_module(name: str) -> bytes:
    """Return the WebAssembly module of an FMU's model, compiled once and then kept.

    Parameters
    ----------
    name
        One of `fmu_src.models.native_fmu_names`.

    Raises
    ------
    MissingToolError
        There is no ready-made module of the present sources, and the extra `native` is not
        installed.
    RuntimeError
        The translator or the compiler refuses; the message is its own.
    """
    return model_library(fmu_definition(name), WEB, PAGE_LAYER, what="the page that computes")


def web_instance(name: str) -> bytes:
    """Return what the page hands to the module: variables, start values and messages of the FMU."""
    definition = fmu_definition(name)
    return instance_data("", definition, definition.slave.table)
