"""What every expectation of a case has: the number wanted, how near, where from and why."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from harness.fmu.experiment import Experiment
from harness.schema import Number, Text, section

Tolerance = Annotated[Number, Field(ge=0.0)]


@section
class ExpectedNumber:
    """A number wanted.

    Parameters
    ----------
    value : float
        The number, in the unit of the quantity.
    rtol, atol : float
        Relative and absolute tolerance, ≥ 0, at least one given.
    source : str
        Where the number comes from.
    reason : str
        Why this tolerance.

    Raises
    ------
    ValueError
        If no tolerance is given.
    """

    value: Number
    source: Text
    reason: Text
    rtol: Tolerance | None = None
    atol: Tolerance | None = None

    def __post_init__(self) -> None:
        if self.rtol is None and self.atol is None:
            raise ValueError("rtol, atol: at least one must be given (both 0 means exact)")

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
