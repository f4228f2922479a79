"""The layer of FMI on a model's compiled kernel: which C++, which headers, which functions."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from wearmodel.compiled.platform_libraries import Layer

LAYER_FOLDER = Path(str(files("fmu_src.native")))
FMI_HEADERS = {"fmpy": Path(str(files("fmpy"))) / "c-code"}
"""Headers of FMI, by the package that contains them."""

_SOURCES = ("fmi2.cpp", "fmi3.cpp", "heap.cpp")
FMI_LAYER = Layer(
    tuple(LAYER_FOLDER / name for name in _SOURCES),
    (LAYER_FOLDER,),
    ("fmi2*", "fmi3*"),
    FMI_HEADERS,
)
"""Sources of a library, which contains the interfaces of both versions of FMI."""
