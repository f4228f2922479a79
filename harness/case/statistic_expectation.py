"""Expectations of quantity "statistic": a cell of the shock statistics of a run.

Names, rows and settings are those of `wearmodel.statistics`. The record contains all communication
points of the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from harness.case.expected_number import (
    ExpectedNumber,
    require_communication_points,
    require_window,
)
from harness.fmu.experiment import Experiment
from harness.fmu.history import RunRecord
from harness.records import matched_columns, require_quantities, shock_record
from harness.schema import Number, Text, section
from wearmodel.statistics import (
    QUANTITIES,
    Reading,
    ShockRecord,
    StatisticsSettings,
    Table,
    shock_statistics,
    statistic,
    statistics_tables,
)


@section
class StatisticExpectation(ExpectedNumber):
    """A cell of the tables of USURE, IMPACT and RELA_EFFO_DEPL."""

    variables_key: ClassVar[str] = "columns"

    quantity: Literal["statistic"]
    # `table.COLUMN` or `table.CALCUL.COLUMN`: "impact.F_MAX", "usure.FORCE_NORMALE.MAXI".
    statistic: Text
    # Number of the row, counted from 1 among the rows that have the cell.
    row: int = Field(default=1, ge=1, strict=True)
    # Start and end [s], communication points. The default is the whole run.
    window: tuple[Number, Number] | None = None
    # The contact is closed if |normal force| exceeds this value [N].
    force_threshold: Number = 0.0
    # Contacts separated by a shorter time [s] belong to one shock.
    rest_time: Number = 0.0
    # Number of blocks of the means and of classes of the histogram.
    block_count: int = Field(default=1, strict=True)
    class_count: int = Field(default=10, strict=True)
    # Whether crossings and maxima are located between samples.
    reading: Reading = "interpolated"
    # Variables of the FMU for quantities of a record with other names.
    columns: dict[str, Text] = Field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.window is not None:
            require_window(self.window)
        require_quantities(self.columns)
        self._settings()
        statistic(_example_tables(), self.statistic)

    @property
    def variables(self) -> tuple[str, ...]:
        """Names of the variables that must be recorded besides the outputs."""
        return tuple(self.columns.values())

    @property
    def label(self) -> str:
        """The compared quantity, in words."""
        row = f" row {self.row}" if self.row > 1 else ""
        reading = " sampled" if self.reading == "sampled" else ""
        window = ""
        if self.window is not None:
            start, end = self.window
            window = f" [{start:.10g}, {end:.10g}] s"
        return f"{self.statistic}{row}{reading}{window}"

    def described(self) -> dict[str, Any]:
        """Return quantity, name, row and settings as plain values."""
        return {
            "quantity": self.quantity,
            "statistic": self.statistic,
            "row": self.row,
            "window": self.window and list(self.window),
            **self._options(),
            "columns": dict(self.columns),
        }

    def check_times(self, experiment: Experiment) -> None:
        """Raise ValueError unless both ends of the window are communication points."""
        if self.window is not None:
            require_communication_points(self.window, experiment)

    def measure(self, history: RunRecord, experiment: Experiment) -> float:
        """Return the cell in its own unit, or raise ValueError if the run does not contain it."""
        samples = {"time": history.times, **history.values}
        shocks = shock_record(matched_columns(samples, self.columns), samples)
        table = self.statistic.partition(".")[0]
        statistics = shock_statistics(
            shocks,
            self._settings(),
            usure=table == "usure",
            impact=table == "impact",
            relation=table == "rela",
        )
        cell = statistic(statistics_tables(statistics), self.statistic, self.row)
        if not isinstance(cell, int | float):
            raise ValueError(f"{self.statistic} has no value in this run")
        return float(cell)

    def _settings(self) -> StatisticsSettings:
        start, end = self.window or (-np.inf, np.inf)
        return StatisticsSettings(window_start=start, window_end=end, **self._options())

    def _options(self) -> dict[str, Any]:
        """The settings with the same name here and in `StatisticsSettings`."""
        names = ("force_threshold", "rest_time", "block_count", "class_count", "reading")
        return {name: getattr(self, name) for name in names}


@cache
def _example_tables() -> Mapping[str, Table]:
    """Return all tables, of a record with all columns and one shock, to check names."""
    pulse = np.array([0.0, 1.0, 1.0, 0.0])
    columns: dict[str, Any] = dict.fromkeys(QUANTITIES, pulse)
    columns["time"] = np.arange(4.0)
    statistics = shock_statistics(ShockRecord(**columns), relation=True)
    return MappingProxyType(statistics_tables(statistics))
