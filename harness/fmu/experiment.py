"""The experiment of a case: time span, communication points and input timing.

Communication points are start_time + i·step_size, i = 0 … step_count, computed from i and never
accumulated.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Annotated, Literal, TypeAlias

import numpy as np
from pydantic import Field, Strict

from harness.schema import Number, section
from wearmodel.arrays import Floats

# A decimal time and start + i·step differ by a few rounding errors of the time. If the difference
# also exceeds a billionth of a step, the time is not a communication point.
_STEP_FRACTION = 1e-9
_ROUNDINGS = 4 * sys.float_info.epsilon

# A history needs eight bytes per step and variable. More steps suggest a mistyped step size.
MOST_STEPS = 100_000_000

StepEnd: TypeAlias = Literal["start", "end"]


@section
class Experiment:
    """Span, communication step and recording of a run.

    Raises ValueError if span or output interval are not a positive whole number of steps, the
    interval is longer than the span, or there are too many steps.
    """

    # End of the run [s]. The span must be a whole number of steps.
    stop_time: Number
    # Communication step [s], positive.
    step_size: Annotated[Number, Field(gt=0.0)]
    # Start of the run [s].
    start_time: Number = 0.0
    # Interval of the recorded history [s], a whole number of steps. The default is one step.
    output_interval: Number | None = None
    # Whether the input set before a step is the value at its start or its end. The default is the
    # setting of the FMU, which a given value must agree with, see `harness.fmu.input_timing`.
    input_at: StepEnd | None = None
    # Accept a step that is too large for the inputs, see `harness.fmu.step_check`.
    allow_coarse_step: Annotated[bool, Strict()] = False
    # Highest order of the derivatives of inputs that are set at the start of each step. True means
    # the highest order of a shipped FMU, see `harness.fmu.input_timing`.
    input_derivatives: Annotated[bool, Strict()] | Annotated[int, Strict(), Field(ge=1)] = False
    # Stop at the events of an FMI 3.0 FMU, and record the values before and after each event.
    stop_at_events: Annotated[bool, Strict()] = False

    def __post_init__(self) -> None:
        if self.stop_time <= self.start_time:
            raise ValueError(
                f"stop_time={self.stop_time:.12g} s must be > start_time={self.start_time:.12g} s"
            )
        if self.span > MOST_STEPS * self.step_size:
            raise ValueError(
                f"step_size={self.step_size:.12g} s must give at most {MOST_STEPS} steps: take a "
                f"larger step_size"
            )
        if not self._whole_steps(self.stop_time):
            raise ValueError(
                f"step_size={self.step_size:.12g} s must divide the span "
                f"stop_time − start_time = {self.span:.12g} s"
            )
        if self.output_interval is None:
            return
        # Rounding errors of the times are allowed.
        if self.output_interval > self.span + self._allowed(self.stop_time):
            raise ValueError(
                f"output_interval={self.output_interval:.12g} s must be ≤ the span "
                f"stop_time − start_time = {self.span:.12g} s"
            )
        if not self._whole_steps(self.start_time + self.output_interval):
            raise ValueError(
                f"output_interval={self.output_interval:.12g} s must be a positive multiple of "
                f"step_size={self.step_size:.12g} s"
            )

    @property
    def span(self) -> float:
        """Duration of the run [s]."""
        return self.stop_time - self.start_time

    @property
    def step_count(self) -> int:
        """Number of communication steps."""
        return round(self.span / self.step_size)

    @property
    def output_stride(self) -> int:
        """Number of steps from one recorded instant to the next."""
        if self.output_interval is None:
            return 1
        return round(self.output_interval / self.step_size)

    def with_half_the_step(self) -> Experiment:
        """Return the same span with half the step, or raise ValueError for too many steps."""
        return replace(self, step_size=0.5 * self.step_size)

    def times(self, first: int = 0) -> Floats:
        """Return the communication points from a step on, shape (step_count + 1 − first,), s."""
        steps = np.arange(first, self.step_count + 1, dtype=np.float64)
        return self.start_time + steps * self.step_size

    def index_of(self, time: float) -> int:
        """Return the index of the communication point at `time`, or raise ValueError."""
        if not self.start_time <= time <= self.stop_time:
            raise ValueError(
                f"{time:.12g} s must be inside the experiment "
                f"[{self.start_time:.12g}, {self.stop_time:.12g}] s"
            )
        index = self._whole_steps(time)
        if index is None:
            raise ValueError(
                f"{time:.12g} s must be a communication point "
                f"{self.start_time:.12g} + i·{self.step_size:.12g} s"
            )
        return index

    def _whole_steps(self, time: float) -> int | None:
        """Return the number of steps from the start to `time`, or None between two points."""
        index = round((time - self.start_time) / self.step_size)
        distance = abs(self.start_time + index * self.step_size - time)
        return index if index >= 0 and distance <= self._allowed(time) else None

    def _allowed(self, time: float) -> float:
        """Return the allowed distance of `time` from a communication point [s]."""
        largest = max(abs(time), abs(self.start_time))
        return _STEP_FRACTION * self.step_size + _ROUNDINGS * largest
