"""The experiment of a case: its span, its communication points and when inputs are set.

Communication points are start_time + i·step_size, i = 0 … step_count, computed from i and never
accumulated.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Annotated, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, Strict

from harness.schema import Number, section

# A time written in decimals and start + i·step differ by a few roundings of the time itself;
# anything beyond that and beyond a billionth of a step is another instant.
_STEP_FRACTION = 1e-9
_ROUNDINGS = 4 * sys.float_info.epsilon

# A history takes eight bytes a step and variable: beyond this the machine's memory is the limit,
# and a mistyped step size the cause.
MOST_STEPS = 100_000_000

StepEnd: TypeAlias = Literal["start", "end"]


@section
class Experiment:
    """Span, communication step and recording of a run.

    Parameters
    ----------
    stop_time : float
        End of the run, s; the span must be a whole number of steps.
    step_size : float
        Communication step, s, positive.
    start_time : float
        Start of the run, s.
    output_interval : float, optional
        Interval of the recorded history, s, a whole number of steps; default one step.
    input_at : {"start", "end"}, optional
        Whether the value set before a step is that of the input at its start or at its end; by
        default what the FMU takes it for, and never anything else, see `harness.fmu.input_timing`.
    allow_coarse_step : bool
        Whether a step that is too coarse for its inputs, see `harness.fmu.step_check`, is meant.
    input_derivatives : bool or int
        Whether an FMU is given the inputs' derivatives at the start of each step, and up to which
        order: true for as many as it takes, which is known of ours, see
        `harness.fmu.input_timing`.
    stop_at_events : bool
        Whether the run stops at the events that an FMU of FMI 3.0 reports, and records both sides
        of each.

    Raises
    ------
    ValueError
        If the span or the output interval is not a whole, positive number of steps, the interval
        is longer than the span, or there are more steps than a history can hold.
    """

    stop_time: Number
    step_size: Annotated[Number, Field(gt=0.0)]
    start_time: Number = 0.0
    output_interval: Number | None = None
    input_at: StepEnd | None = None
    allow_coarse_step: Annotated[bool, Strict()] = False
    input_derivatives: Annotated[bool, Strict()] | Annotated[int, Strict(), Field(ge=1)] = False
    stop_at_events: Annotated[bool, Strict()] = False

    def __post_init__(self) -> None:
        if self.stop_time <= self.start_time:
            raise ValueError(
                f"stop_time={self.stop_time:.12g} s must be > start_time={self.start_time:.12g} s"
            )
        if self.stop_time - self.start_time > MOST_STEPS * self.step_size:
            raise ValueError(
                f"step_size={self.step_size:.12g} s must leave at most {MOST_STEPS} steps"
            )
        if not self._whole_steps(self.stop_time):
            raise ValueError(
                f"step_size={self.step_size:.12g} s must divide the span "
                f"stop_time − start_time = {self.stop_time - self.start_time:.12g} s"
            )
        if self.output_interval is None:
            return
        # A rounding of the times longer than the span is not held against it.
        if self.output_interval > self.stop_time - self.start_time + self._allowed(self.stop_time):
            raise ValueError(
                f"output_interval={self.output_interval:.12g} s must be ≤ the span "
                f"stop_time − start_time = {self.stop_time - self.start_time:.12g} s"
            )
        if not self._whole_steps(self.start_time + self.output_interval):
            raise ValueError(
                f"output_interval={self.output_interval:.12g} s must be a positive multiple of "
                f"step_size={self.step_size:.12g} s"
            )

    @property
    def step_count(self) -> int:
        """Number of communication steps."""
        return round((self.stop_time - self.start_time) / self.step_size)

    @property
    def output_stride(self) -> int:
        """Number of steps from one recorded instant to the next."""
        if self.output_interval is None:
            return 1
        return round(self.output_interval / self.step_size)

    def with_half_the_step(self) -> Experiment:
        """Return the same span in steps of half the size.

        Raises
        ------
        ValueError
            If there are then more steps than a history can hold.
        """
        return replace(self, step_size=0.5 * self.step_size)

    def times(self) -> NDArray[np.float64]:
        """Return the communication points, shape (step_count + 1,), s."""
        return self.start_time + np.arange(self.step_count + 1, dtype=np.float64) * self.step_size

    def index_of(self, time: float) -> int:
        """Return the index of the communication point at `time`.

        Raises
        ------
        ValueError
            If `time` is outside the span or between two communication points.
        """
        if not self.start_time <= time <= self.stop_time:
            raise ValueError(
                f"{time:.12g} s must lie inside the experiment "
                f"[{self.start_time:.12g}, {self.stop_time:.12g}] s"
            )
        index = self._whole_steps(time)
        if index is None:
            raise ValueError(
                f"{time:.12g} s must lie on a communication point "
                f"{self.start_time:.12g} + i·{self.step_size:.12g} s"
            )
        return index

    def _whole_steps(self, time: float) -> int | None:
        """Return the number of steps from the start to `time`, None between two points."""
        index = round((time - self.start_time) / self.step_size)
        distance = abs(self.start_time + index * self.step_size - time)
        return index if index >= 0 and distance <= self._allowed(time) else None

    def _allowed(self, time: float) -> float:
        """Return by how much `time` may miss a communication point, s."""
        largest = max(abs(time), abs(self.start_time))
        return _STEP_FRACTION * self.step_size + _ROUNDINGS * largest
