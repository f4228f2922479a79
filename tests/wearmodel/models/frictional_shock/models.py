"""The model, constructed from parameters by name."""

from __future__ import annotations

from wearmodel import FrictionalShock, FrictionalShockParameters


def model_of(**parameters: object) -> FrictionalShock:
    return FrictionalShock(FrictionalShockParameters(**parameters))
