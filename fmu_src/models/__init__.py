"""One file for each FMU: its slave and all that is said of it, found by being here."""

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
    "ModalShock",
    "definition_of",
    "fmu_definition",
    "fmu_definitions",
    "fmu_names",
    "native_fmu_names",
]


@cache
def fmu_definitions() -> tuple[FmuDefinition, ...]:
    """Definitions of all FMUs that can be built, in the order of their modules' names."""
    modules = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return tuple(import_module(f"{__name__}.{module}").FMU for module in modules)


def fmu_names() -> tuple[str, ...]:
    """Names of the FMUs that can be built."""
    return tuple(definition.name for definition in fmu_definitions())


def native_fmu_names() -> tuple[str, ...]:
    """Names of the FMUs that there are without Python too."""
    return tuple(
        definition.name for definition in fmu_definitions() if definition.native is not None
    )


def fmu_definition(name: str) -> FmuDefinition:
    """Definition of the FMU of that name.

    Raises
    ------
    ValueError
        There is none; the message names those that there are.
    """
    for definition in fmu_definitions():
        if definition.name == name:
            return definition
    raise ValueError(f"there is no FMU {name!r}; there are: {', '.join(fmu_names())}")


def definition_of(
    name: str, structure: Structure | None = None, motion: str | None = None
) -> FmuDefinition:
    """Definition of the FMU of that name, with a structure or the table of a movement of one's own.

    Raises
    ------
    ValueError
        There is no such FMU, or it takes no structure or no table.
    """
    definition = fmu_definition(name)
    module = import_module(f"{__name__}.{definition.module}")
    for kind, content, taker in (
        ("structure", structure, "ModalShock"), ("motion", motion, "BaseMotion")
    ):  # fmt: skip
        if content is None:
            continue
        if not hasattr(module, f"with_{kind}"):
            raise ValueError(f"{name} takes no {kind}; {taker} does")
        definition = getattr(module, f"with_{kind}")(definition, content)
    return definition
