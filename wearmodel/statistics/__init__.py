"""Shock and wear statistics of a sampled record: USURE, IMPACT, RELA_EFFO_DEPL."""

from .operator_tables import (
    LABELS,
    Cell,
    Table,
    impact_table,
    relation_table,
    statistic,
    statistics_tables,
    usure_table,
)
from .phases import Phase
from .portions import window_sample_count
from .shock_record import (
    FLAGS,
    QUANTITIES,
    STEP_TOLERANCE,
    UNITS,
    Reading,
    ShockRecord,
    StatisticsSettings,
    joined_records,
)
from .shocks import HistogramClass, Impact, Shock
from .streaming import ShockStatistics, shock_statistics
from .usure import ForceMoments, Moments, ShockTimes, Usure

__all__ = [
    "FLAGS",
    "LABELS",
    "QUANTITIES",
    "STEP_TOLERANCE",
    "UNITS",
    "Cell",
    "ForceMoments",
    "HistogramClass",
    "Impact",
    "Moments",
    "Phase",
    "Reading",
    "Shock",
    "ShockRecord",
    "ShockStatistics",
    "ShockTimes",
    "StatisticsSettings",
    "Table",
    "Usure",
    "impact_table",
    "joined_records",
    "relation_table",
    "shock_statistics",
    "statistic",
    "statistics_tables",
    "usure_table",
    "window_sample_count",
]
