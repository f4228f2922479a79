"""A structure given by its modes: its description, its file, and how to create it.

Names are loaded at their first use, so a description alone does not import numpy or scipy.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "AXES": "description",
    "Base": "description",
    "Beam": "beam",
    "BeamSection": "beam",
    "Contact": "description",
    "ContactFacts": "structure_facts",
    "ContactObstacle": "description",
    "ContactParameters": "description",
    "Initial": "description",
    "Load": "description",
    "ModalBasis": "modal_analysis",
    "Modes": "description",
    "Point": "description",
    "Structure": "description",
    "StructureError": "description",
    "contact_facts": "structure_facts",
    "document_of": "document",
    "files_of": "structure_files",
    "modal_basis": "modal_analysis",
    "modal_masses": "structure_facts",
    "outward_normals": "polygon",
    "read_friction_table": "structure_files",
    "read_structure": "structure_files",
    "structure_of": "document",
    "timoshenko_beam": "beam",
    "tube_section": "beam",
    "warnings_of": "structure_facts",
    "write_structure": "structure_files",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
