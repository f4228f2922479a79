"""Physics of a frictional shock with wear: no FMI, no files, no plots.

Names are loaded when they are first used, so that the kernel and the models never pull in numpy.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "BaseMotion": "base_motion",
    "BaseMotionParameters": "base_motion",
    "ContactMode": "parameters",
    "Drive": "shock_spring",
    "FrictionalShock": "frictional_shock",
    "FrictionalShockParameters": "parameters",
    "NormalLaw": "parameters",
    "Obstacle": "parameters",
    "RecordRuns": "record_runs",
    "ShockSpring": "shock_spring",
    "ShockSpringParameters": "shock_spring",
    "StepError": "frictional_shock",
    "TangentialLaw": "parameters",
    "Trace": "trace",
    "closed_forms": "",
    "run_records": "record_runs",
    "statistics": "",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if not _HOMES[name]:
        return importlib.import_module(f".{name}", __name__)
    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
