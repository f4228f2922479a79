"""The library of a model for a platform: ready-made if available, compiled otherwise.

The FMI layer on a model's compiled kernel consists of the C++ files and headers of this folder.
"""

from __future__ import annotations

import tempfile
from importlib.resources import files
from pathlib import Path

from fmu_src.bundled.definition import FmuDefinition
from fmu_src.native.cpp_tables import form_header, library_form
from fmu_src.native.entry_points import entry_points
from wearmodel.compiled.platform_libraries import KERNEL_UNIT, Layer, Platform, compile_library
from wearmodel.compiled.ready_libraries import ready_library
from wearmodel.compiled.translate import translate_kernel
from wearmodel.installation import require_tools
from wearmodel.written_files import named

LAYER_FOLDER = Path(str(files("fmu_src.native")))
#: Headers of FMI, by the package that contains them.
FMI_HEADERS = {"fmpy": Path(str(files("fmpy"))) / "c-code"}

_SOURCES = ("fmi2.cpp", "fmi3.cpp", "heap.cpp")
#: Sources of a library, which contains the interfaces of both versions of FMI.
FMI_LAYER = Layer(
    tuple(LAYER_FOLDER / name for name in _SOURCES),
    (LAYER_FOLDER,),
    ("fmi2*", "fmi3*"),
    FMI_HEADERS,
)


def model_library(
    definition: FmuDefinition, platform: Platform, layer: Layer, *, what: str = "a native FMU"
) -> bytes:
    """Return the library of a model's layer. `what` is its purpose in messages.

    MissingToolError if a library of the present sources does not exist, and the extra `native` is
    not installed. RuntimeError if the translator or the compiler fails, with its message.
    """
    ready = ready_library(platform, definition.slave.__name__, library_form(definition))
    return compiled_library(definition, platform, layer, what=what) if ready is None else ready


def require_library(definition: FmuDefinition, platform: Platform) -> None:
    """Raise MissingToolError as `model_library` would."""
    if ready_library(platform, definition.slave.__name__, library_form(definition)) is None:
        require_tools()


def compiled_library(
    definition: FmuDefinition, platform: Platform, layer: Layer, *, what: str = "a native FMU"
) -> bytes:
    """Return the library of a model's layer as `model_library`, always compiled."""
    require_tools(what)
    with (
        tempfile.TemporaryDirectory(prefix="wearfmu_") as temporary,
        named(Path(temporary), unnamed_only=True),
    ):
        workshop = Path(temporary)
        write_sources(definition, workshop)
        return compile_library(platform, workshop, definition.name, layer).read_bytes()


def write_sources(definition: FmuDefinition, folder: Path) -> None:
    """Write the C++ sources of a model: its kernel, the calls into it, and its form."""
    entry = entry_points(definition)
    translate_kernel(entry.exports(), entry.modules(), folder)
    (folder / KERNEL_UNIT).write_text(entry.kernel_source(), encoding="utf-8")
    (folder / "form.hpp").write_text(form_header(definition), encoding="utf-8")
