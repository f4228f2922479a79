"""Physics of frictional contacts with impacts and wear, without FMI, files and plots.

Names are imported at their first use, so the kernel and the models do not import numpy.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "BaseMotion": "models.base_motion",
    "BaseMotionParameters": "models.base_motion",
    "ContactMode": "kernel.shoe.parameters",
    "Drive": "models.shock_spring",
    "EventKinds": "kernel.events",
    "FrictionalShock": "models.frictional_shock",
    "FrictionalShockParameters": "kernel.shoe.parameters",
    "InputTiming": "kernel.shoe.parameters",
    "ModalShock": "models.modal_shock",
    "NormalLaw": "kernel.shoe.parameters",
    "Obstacle": "kernel.shoe.parameters",
    "BlockRuns": "batch.block_runs",
    "RecordRuns": "batch.record_runs",
    "RunState": "batch.run_state",
    "ShockSpring": "models.shock_spring",
    "ShockSpringParameters": "models.shock_spring",
    "SlidingDirection": "kernel.shoe.parameters",
    "StepEnd": "models.event_steps",
    "StepError": "models.frictional_shock",
    "TangentialLaw": "kernel.shoe.parameters",
    "closed_forms": "reference.closed_forms",
    "damping_for_restitution": "reference.closed_forms.restitution",
    "restitution_of_damping": "reference.closed_forms.restitution",
    "run_blocks": "batch.block_runs",
    "run_records": "batch.record_runs",
    "run_structure": "batch.structure_runs",
    "statistics": "statistics",
    "stiffness_for_duration": "reference.closed_forms.restitution",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = importlib.import_module(f".{_HOMES[name]}", __name__)
    return home if home.__name__.endswith(f".{name}") else getattr(home, name)


def __dir__() -> list[str]:
    return __all__
