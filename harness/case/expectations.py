"""Expected values of a case.

A check passes if |got − want| ≤ atol + rtol·|want|. With both tolerances 0 the value must be exact.
Means are trapezoid integrals over all communication points of the window.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from harness.case.expected_number import (
    ExpectedNumber,
    require_communication_points,
    require_window,
)
from harness.case.statistic_expectation import StatisticExpectation
from harness.case.verdict import Verdict
from harness.fmu.experiment import Experiment
from harness.fmu.history import RunRecord
from harness.schema import Number, Text, section


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

    def described(self) -> dict[str, Any]:
        """Return quantity, variable and instant as plain values."""
        return {"quantity": self.quantity, "variable": self.variable, "time": self.time}

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

    def described(self) -> dict[str, Any]:
        """Return quantity, variable and window as plain values."""
        return {
            "quantity": self.quantity,
            "variable": self.variable,
            "window": list(self.window),
        }

    def check_times(self, experiment: Experiment) -> None:
        """Raise ValueError unless both ends of the window are communication points."""
        require_communication_points(self.window, experiment)

    def measure(self, history: RunRecord, experiment: Experiment) -> float:
        """Return the quantity of this run, in its own unit."""
        first, last = (experiment.index_of(time) for time in self.window)
        samples = history.values[self.variable][first : last + 1]
        return window_quantity(self.quantity, history.times[first : last + 1], samples)


def window_quantity(
    quantity: str, times: NDArray[np.float64], samples: NDArray[np.float64]
) -> float:
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
    # Why the run does not contain the value, in one line.
    problem: str | None = None

    @property
    def error(self) -> float:
        """|got − want|, in the unit of the quantity."""
        return abs(self.got - self.expectation.value)

    @property
    def passed(self) -> bool:
        """Whether the value is finite and within the tolerance."""
        return math.isfinite(self.got) and self.error <= self.expectation.tolerance

    @property
    def verdict(self) -> Verdict:
        """`passed` as a verdict."""
        return Verdict.PASSED if self.passed else Verdict.FAILED


def check_run(
    expectations: tuple[Expectation, ...], history: RunRecord, experiment: Experiment
) -> tuple[Check, ...]:
    """Return a check for each expectation, in their order.

    If the run does not contain the expected number, such as the time of a second shock, the check
    fails and contains the reason.
    """
    return tuple(_check(expectation, history, experiment) for expectation in expectations)


def _check(expectation: Expectation, history: RunRecord, experiment: Experiment) -> Check:
    try:
        return Check(expectation, expectation.measure(history, experiment))
    except ValueError as problem:
        return Check(expectation, math.nan, str(problem))
