"""Physics of frictional contacts with impacts and wear, without FMI, files and plots.

Names are imported at their first use, so the kernel and the models do not import numpy.
"""

from __future__ import annotations

import importlib
from typing import Any

_NAMES = {
    "batch.block_runs": ("BlockRuns", "run_blocks"),
    "batch.record_runs": ("RecordRuns", "run_records"),
    "batch.run_state": ("RunState",),
    "batch.structure_runs": ("run_structure",),
    "kernel.events": ("EventKinds",),
    "kernel.shoe.parameters": (
        "ContactMode",
        "FrictionalShockParameters",
        "InputTiming",
        "NormalLaw",
        "Obstacle",
        "SlidingDirection",
        "TangentialLaw",
    ),
    "models.base_motion": ("BaseMotion", "BaseMotionParameters"),
    "models.contact_element": ("ContactElement",),
    "models.event_steps": ("StepEnd",),
    "models.frictional_shock": ("FrictionalShock", "StepError"),
    "models.modal_shock": ("ModalShock",),
    "models.shock_spring": ("Drive", "ShockSpring", "ShockSpringParameters"),
    "reference.closed_forms": ("closed_forms",),
    "reference.closed_forms.restitution": (
        "damping_for_restitution",
        "restitution_of_damping",
        "stiffness_for_duration",
    ),
    "statistics": ("statistics",),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = importlib.import_module(f".{_HOMES[name]}", __name__)
    return home if home.__name__.endswith(f".{name}") else getattr(home, name)


def __dir__() -> list[str]:
    return __all__
