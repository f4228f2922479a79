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
    """Names of the FMUs that have a native form."""
    return tuple(
        definition.name for definition in fmu_definitions() if definition.native is not None
    )


def fmu_definition(model: str | FmuDefinition) -> FmuDefinition:
    """The given definition, or that of the FMU of this name. Others raise ValueError."""
    if isinstance(model, FmuDefinition):
        return model
    for definition in fmu_definitions():
        if definition.name == model:
            return definition
    raise ValueError(f"there is no FMU {model!r}: choose one of {', '.join(fmu_names())}")


def definition_of(
    name: str, structure: Structure | None = None, motion: str | None = None
) -> FmuDefinition:
    """Definition of the FMU of that name, with a user's structure or table of a base motion.

    ValueError if the FMU does not exist, or does not accept a structure or a table.
    """
    definition = fmu_definition(name)
    module = import_module(f"{__name__}.{definition.module}")
    for kind, content, taker in (
        ("structure", structure, "ModalShock"), ("motion", motion, "BaseMotion")
    ):  # fmt: skip
        if content is None:
            continue
        if not hasattr(module, f"with_{kind}"):
            raise ValueError(f"{name} does not accept a {kind}: use {taker}")
        definition = getattr(module, f"with_{kind}")(definition, content)
    return definition
