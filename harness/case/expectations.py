"""Expected values of a case.

A check passes if |got − want| ≤ atol + rtol·|want|. If both tolerances are 0, the value must be
exact. Means are trapezoid integrals over all communication points of the window. An expectation
with the quantity "statistic" is a cell of the shock statistics of a run, with the names, rows and
settings of `wearmodel.statistics`. The record contains all communication points of the run.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

import numpy as np
from pydantic import Field

from harness.case.verdict import Verdict
from harness.fmu.experiment import Experiment
from harness.fmu.history import RunRecord
from harness.records import matched_columns, require_quantities, shock_record
from harness.schema import Number, Text, section
from wearmodel.arrays import Floats
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

Tolerance = Annotated[Number, Field(ge=0.0)]


@section
class ExpectedNumber:
    """An expected value."""

    # The value, in the unit of the quantity.
    value: Number
    source: Text
    # Reason for the tolerance.
    reason: Text
    # Relative and absolute tolerance, ≥ 0. At least one is required.
    rtol: Tolerance | None = None
    atol: Tolerance | None = None

    def __post_init__(self) -> None:
        if self.rtol is None and self.atol is None:
            raise ValueError("rtol or atol must be given (0 requires exact agreement)")

    @property
    def tolerance(self) -> float:
        """Largest |got − want| that passes, in the unit of the quantity."""
        return (self.atol or 0.0) + (self.rtol or 0.0) * abs(self.value)

    def described(self) -> dict[str, Any]:
        """Return the quantity and its settings by name."""
        names = [field.name for field in fields(self)]
        own = names[len(fields(ExpectedNumber)) :]
        return {name: getattr(self, name) for name in ("quantity", *own)}


def require_window(window: tuple[float, float]) -> None:
    """Raise ValueError if a window is empty."""
    start, end = window
    if end <= start:
        raise ValueError(f"window end={end:g} s must be > window start={start:g} s")


def require_communication_points(window: tuple[float, float], experiment: Experiment) -> None:
    """Raise ValueError unless both ends of a window are communication points."""
    for end, time in zip(("start", "end"), window, strict=True):
        try:
            experiment.index_of(time)
        except ValueError as problem:
            raise ValueError(f"window {end}: {problem}") from None


@section
class StatisticExpectation(ExpectedNumber):
    """A cell of the tables of USURE, IMPACT and RELA_EFFO_DEPL."""

    variables_key: ClassVar[str] = "columns"

    quantity: Literal["statistic"]
    # `table.COLUMN` or `table.CALCUL.COLUMN`: "impact.F_MAX", "usure.FORCE_NORMALE.MAXI".
    statistic: Text
    # Number of the row, counted from 1 among the rows that contain the cell.
    row: int = Field(default=1, ge=1, strict=True)
    # Start and end [s], communication points. The default is the whole run.
    window: tuple[Number, Number] | None = None
    # The contact is closed if |normal force| exceeds this value [N].
    force_threshold: Number = 0.0
    # Contacts separated by a shorter time [s] belong to one shock.
    rest_time: Number = 0.0
    # Number of blocks of the means, and number of classes of the histogram.
    block_count: int = Field(default=1, strict=True)
    class_count: int = Field(default=10, strict=True)
    # Whether crossings and maxima are located between samples.
    reading: Reading = "interpolated"
    # Variables of the FMU for quantities of a record that have other names there.
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
        """Names of the variables that must be recorded in addition to the outputs."""
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
        same = ("force_threshold", "rest_time", "block_count", "class_count", "reading")
        settings = {name: getattr(self, name) for name in same}
        return StatisticsSettings(window_start=start, window_end=end, **settings)


@cache
def _example_tables() -> Mapping[str, Table]:
    """Return all tables of a record with all columns and one shock, to check names."""
    pulse = np.array([0.0, 1.0, 1.0, 0.0])
    columns: dict[str, Any] = dict.fromkeys(QUANTITIES, pulse)
    columns["time"] = np.arange(4.0)
    statistics = shock_statistics(ShockRecord(**columns), relation=True)
    return MappingProxyType(statistics_tables(statistics))


@section
class _VariableExpectation(ExpectedNumber):
    """An expected value of the variable `variable` of the FMU."""

    variables_key: ClassVar[str] = "variable"

    variable: Text

    @property
    def variables(self) -> tuple[str, ...]:
        """Names of the variables that must be recorded."""
        return (self.variable,)


@section
class InstantExpectation(_VariableExpectation):
    """The value of a variable at the communication point `time` [s]."""

    quantity: Literal["value"]
    time: Number

    @property
    def label(self) -> str:
        """The compared quantity, in words."""
        return f"value {self.variable} at {self.time:.10g} s"

    def check_times(self, experiment: Experiment) -> None:
        """Raise ValueError unless `time` is a communication point."""
        try:
            experiment.index_of(self.time)
        except ValueError as problem:
            raise ValueError(f"time: {problem}") from None

    def measure(self, history: RunRecord, experiment: Experiment) -> float:
        """Return the quantity of this run, in its own unit."""
        return float(history.values[self.variable][experiment.index_of(self.time)])


WindowQuantity: TypeAlias = Literal[
    "mean", "rms", "max", "min", "max_abs", "residual", "increment", "mean_rate"
]


@section
class WindowExpectation(_VariableExpectation):
    """A quantity of a variable x over a window [a, b] between communication points [s].

    - mean (1/(b−a)) ∫x dt, rms √((1/(b−a)) ∫x² dt), max, min
    - max_abs, the largest |x|
    - residual x(b), such as a residual displacement
    - increment x(b) − x(a), and mean_rate (x(b) − x(a))/(b − a), such as the mean power of a work
    """

    quantity: WindowQuantity
    window: tuple[Number, Number]

    def __post_init__(self) -> None:
        super().__post_init__()
        require_window(self.window)

    @property
    def label(self) -> str:
        """The compared quantity, in words."""
        start, end = self.window
        return f"{self.quantity} {self.variable} [{start:.10g}, {end:.10g}] s"

    def check_times(self, experiment: Experiment) -> None:
        """Raise ValueError unless both ends of the window are communication points."""
        require_communication_points(self.window, experiment)

    def measure(self, history: RunRecord, experiment: Experiment) -> float:
        """Return the quantity of this run, in its own unit."""
        first, last = (experiment.index_of(time) for time in self.window)
        samples = history.values[self.variable][first : last + 1]
        return window_quantity(self.quantity, history.times[first : last + 1], samples)


def window_quantity(quantity: str, times: Floats, samples: Floats) -> float:
    """Return a quantity of `WindowExpectation` of samples at increasing `times` [s]."""
    duration = times[-1] - times[0]
    match quantity:
        case "mean":
            result = np.trapezoid(samples, times) / duration
        case "rms":
            result = np.sqrt(np.trapezoid(samples**2, times) / duration)
        case "max":
            result = np.max(samples)
        case "min":
            result = np.min(samples)
        case "max_abs":
            result = np.max(np.abs(samples))
        case "residual":
            result = samples[-1]
        case "increment":
            result = samples[-1] - samples[0]
        case "mean_rate":
            result = (samples[-1] - samples[0]) / duration
        case _:
            raise ValueError(f"quantity={quantity!r} is not a quantity of a window")
    return float(result)


Expectation: TypeAlias = InstantExpectation | WindowExpectation | StatisticExpectation
ExpectationSection: TypeAlias = Annotated[Expectation, Field(discriminator="quantity")]


@dataclass(frozen=True)
class Check:
    """Comparison of a run with an expected value."""

    expectation: Expectation
    # Value of the run, in the unit of the quantity, or NaN if the run does not contain it.
    got: float
    # Reason why the run does not contain the value, in one line.
    problem: str | None = None

    @property
    def error(self) -> float:
        """|got − want|, in the unit of the quantity."""
        return abs(self.got - self.expectation.value)

    @property
    def percent_of_tolerance(self) -> float:
        """The error in % of the tolerance, or infinity if it cannot be expressed so."""
        if self.error == 0.0:
            return 0.0
        tolerance = self.expectation.tolerance
        is_finite = math.isfinite(self.error) and tolerance > 0.0
        return 100.0 * self.error / tolerance if is_finite else math.inf

    @property
    def passed(self) -> bool:
        """Whether the value is finite and within the tolerance."""
        return math.isfinite(self.got) and self.error <= self.expectation.tolerance

    @property
    def verdict(self) -> Verdict:
        """The check as a verdict."""
        return Verdict.PASSED if self.passed else Verdict.FAILED


def check_run(
    expectations: tuple[Expectation, ...], history: RunRecord, experiment: Experiment
) -> tuple[Check, ...]:
    """Return a check for each expectation, in the same order.

    If the run does not contain the expected number, such as the time of a second shock, the check
    fails and contains the reason.
    """
    return tuple(_check(expectation, history, experiment) for expectation in expectations)


def _check(expectation: Expectation, history: RunRecord, experiment: Experiment) -> Check:
    try:
        return Check(expectation, expectation.measure(history, experiment))
    except ValueError as problem:
        return Check(expectation, math.nan, str(problem))
