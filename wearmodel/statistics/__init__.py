"""Shock and wear statistics of a sampled record: USURE, IMPACT, RELA_EFFO_DEPL."""

from __future__ import annotations

from .impact import HistogramClass, Impact, Shock
from .phases import Phase
from .record import ShockRecord, StatisticsSettings, joined_records
from .streaming import ShockStatistics, shock_statistics
from .stretches import window_sample_count
from .usure import ForceMoments, Moments, ShockTimes, Usure

__all__ = [
    "ForceMoments",
    "HistogramClass",
    "Impact",
    "Moments",
    "Phase",
    "Shock",
    "ShockRecord",
    "ShockStatistics",
    "ShockTimes",
    "StatisticsSettings",
    "Usure",
    "joined_records",
    "shock_statistics",
    "window_sample_count",
]
