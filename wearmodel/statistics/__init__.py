"""Shock and wear statistics of a sampled record: USURE, IMPACT, RELA_EFFO_DEPL."""

from __future__ import annotations

from .impact import HistogramClass, Impact, Shock
from .phases import Phase
from .record import ShockRecord, StatisticsSettings, joined_records
from .record_file import RecordFile, open_record, read_record
from .streaming import ShockStatistics, shock_statistics
from .stretches import window_sample_count
from .tables import (
    Table,
    impact_table,
    relation_table,
    statistic,
    statistics_tables,
    tables_json,
    usure_table,
)
from .usure import ForceMoments, Moments, ShockTimes, Usure

__all__ = [
    "ForceMoments",
    "HistogramClass",
    "Impact",
    "Moments",
    "Phase",
    "RecordFile",
    "Shock",
    "ShockRecord",
    "ShockStatistics",
    "ShockTimes",
    "StatisticsSettings",
    "Table",
    "Usure",
    "impact_table",
    "joined_records",
    "open_record",
    "read_record",
    "relation_table",
    "shock_statistics",
    "statistic",
    "statistics_tables",
    "tables_json",
    "usure_table",
    "window_sample_count",
]
