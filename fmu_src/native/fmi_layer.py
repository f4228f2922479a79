"""The layer of FMI on a model's compiled kernel: which C++, which headers, which functions."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from wearmodel.compiled.platform_libraries import Layer

LAYER_FOLDER = Path(str(files("fmu_src.native")))
FMI_HEADERS = {"fmpy": Path(str(files("fmpy"))) / "c-code"}
"""FMI's own headers, by the package that brings them."""

_SOURCES = ("fmi2.cpp", "fmi3.cpp", "heap.cpp")
FMI_LAYER = Layer(
    tuple(LAYER_FOLDER / name for name in _SOURCES),
    (LAYER_FOLDER,),
    ("fmi2*", "fmi3*"),
    FMI_HEADERS,
)
"""Both doors in one library, whatever the FMU's version of FMI."""
