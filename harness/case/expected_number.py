"""Common part of all expectations of a case: expected value, tolerance, source and reason."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from harness.fmu.experiment import Experiment
from harness.schema import Number, Text, section

Tolerance = Annotated[Number, Field(ge=0.0)]


@section
class ExpectedNumber:
    """An expected value."""

    # The value, in the unit of the quantity.
    value: Number
    # Source of the value.
    source: Text
    # Reason of the tolerance.
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
