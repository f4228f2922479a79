"""A structure given by its modes: its description, its file, and how to create it.

Names are loaded at their first use, so a description alone does not import numpy or scipy.
"""

from __future__ import annotations

import importlib
from typing import Any

_NAMES = {
    "beam": ("Beam", "BeamSection", "timoshenko_beam", "tube_section"),
    "description": (
        "AXES",
        "Base",
        "Contact",
        "ContactObstacle",
        "ContactParameters",
        "Initial",
        "Load",
        "Modes",
        "Point",
        "Structure",
        "StructureError",
    ),
    "document": ("contacts_of", "document_of", "document_of_contacts", "structure_of"),
    "modal_analysis": ("ModalBasis", "modal_basis"),
    "polygon": ("outward_normals",),
    "structure_facts": (
        "RIGID",
        "USUAL_RANGES",
        "ContactFacts",
        "contact_facts",
        "modal_masses",
        "normal_directions",
        "questions_on",
        "warnings_of",
    ),
    "structure_files": (
        "files_of",
        "read_contacts",
        "read_friction_table",
        "read_structure",
        "write_structure",
    ),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
