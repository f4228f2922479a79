"""Documentation, icon and licences, which every FMU contains in addition to its code."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from ..bundled.definition import FmuDefinition
from .documentation import documentation_page
from .licences import native_licences, python_licences


def enclosures(
    definition: FmuDefinition,
    start_values: Mapping[str, Any],
    *,
    native: bool = False,
    fmi: int = 2,
) -> dict[str, bytes]:
    """Return content by path in the archive. `start_values` are those that differ from the table.

    A native library reads the file of its recorded points from the resources. The resources of a
    Python FMU are written by pythonfmu's builder.
    """
    page = documentation_page(definition, start_values, native=native, fmi=fmi)
    licences = native_licences() if native else python_licences()
    texts = {
        "documentation/index.html": page,
        **{f"documentation/licenses/{file}": text for file, text in licences.items()},
    }
    if native and definition.native is not None and definition.native.points is not None:
        texts |= {f"resources/{file}": text for file, text in definition.resources.items()}
    return {
        "model.png": files("fmu_src").joinpath("archive", "model.png").read_bytes(),
        **{path: text.encode("utf-8") for path, text in texts.items()},
    }
