"""One file for each FMU: its slave and its definition. All modules of this folder are FMUs."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from wearmodel.structure.description import Structure

from ..bundled.definition import FmuDefinition
from .base_motion import MOTION_STARTS
from .modal_shock import LARGE_STRUCTURE, STRUCTURE_FILE, ModalShock

__all__ = [
    "LARGE_STRUCTURE",
    "MOTION_STARTS",
    "STRUCTURE_FILE",
    "TAKERS",
    "ModalShock",
    "contacts_definition",
    "definition_of",
    "fmu_definition",
    "fmu_definitions",
    "fmu_names",
    "native_fmu_names",
    "require_taker",
]

#: The only FMU that accepts a user's file, by the kind of the file.
TAKERS = {"structure": "ModalShock", "contacts": "DisChoc", "motion": "BaseMotion"}


@cache
def fmu_definitions() -> tuple[FmuDefinition, ...]:
    """Definitions of all FMUs that can be built, in the order of their modules' names."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    modules = [import_module(f"{__name__}.{name}") for name in names]
    # DisChoc with a file of contacts is a form of DisChoc.
    return tuple(module.FMU for module in modules if hasattr(module, "FMU"))


def contacts_definition() -> FmuDefinition:
    """Definition of DisChoc for a file of contacts. All files have the same native library."""
    from .dis_choc_contacts import EXAMPLE

    return definition_of("DisChoc", contacts=EXAMPLE)


def fmu_names() -> tuple[str, ...]:
    """Names of the FMUs that can be built."""
    return tuple(definition.name for definition in fmu_definitions())


def native_fmu_names() -> tuple[str, ...]:
    """Names of the FMUs that have a native form."""
    return tuple(
        definition.name for definition in fmu_definitions() if definition.native is not None
    )


def fmu_definition(model: str | FmuDefinition) -> FmuDefinition:
    """Return the given definition, or the definition of the FMU of this name, or ValueError."""
    if isinstance(model, FmuDefinition):
        return model
    for definition in fmu_definitions():
        if definition.name == model:
            return definition
    raise ValueError(f"there is no FMU {model!r}: choose one of {', '.join(fmu_names())}")


def definition_of(
    name: str,
    structure: Structure | None = None,
    motion: str | None = None,
    contacts: Structure | None = None,
) -> FmuDefinition:
    """Definition of the FMU of that name, with a user's structure, motion or contacts of bodies.

    ValueError if the FMU does not exist, or does not accept them.
    """
    definition = fmu_definition(name)
    for kind, content, place in (
        ("structure", structure, "modal_shock"),
        ("motion", motion, "base_motion"),
        ("contacts", contacts, "dis_choc_contacts"),
    ):
        if content is not None:
            require_taker(name, kind)
            module = import_module(f"{__name__}.{place}")
            definition = getattr(module, f"with_{kind}")(definition, content)
    return definition


def require_taker(name: str, kind: str) -> None:
    """Raise ValueError if the FMU of that name does not accept this kind, a key of `TAKERS`."""
    if name != TAKERS[kind]:
        raise ValueError(f"{name} does not accept a {kind} file: use {TAKERS[kind]}")
