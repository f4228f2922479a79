"""Closed-form reference solutions, independent of the kernel that they check."""

from __future__ import annotations

from .arcs import ETA_STAR
from .rubbing_shoe import Regime, RubbingShoe
from .rubbing_shoe_history import Arc, ArcKind, RubbingShoeHistory

__all__ = [
    "ETA_STAR",
    "Arc",
    "ArcKind",
    "Regime",
    "RubbingShoe",
    "RubbingShoeHistory",
]
