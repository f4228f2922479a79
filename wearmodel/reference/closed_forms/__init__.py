"""Closed-form reference solutions, independent of the kernel that they check."""

from .rubbing_shoe import Arc, Regime, RubbingShoe, RubbingShoeHistory
from .slips import ETA_STAR

__all__ = [
    "ETA_STAR",
    "Arc",
    "Regime",
    "RubbingShoe",
    "RubbingShoeHistory",
]
