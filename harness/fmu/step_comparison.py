"""Comparison of the key numbers of a run with a run at half the step."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from pydantic_core import to_jsonable_python


@dataclass(frozen=True)
class StepDifference:
    """A number at the step and at half the step, or NaN if a run does not contain it."""

    name: str
    unit: str
    at_step: float
    at_half_step: float

    @property
    def difference(self) -> float:
        """Difference of the numbers at the step and at half the step."""
        return self.at_step - self.at_half_step

    @property
    def relative(self) -> float:
        """Difference divided by the number at half the step, or 0 if both are 0."""
        if self.difference == 0.0:
            return 0.0
        if self.at_half_step == 0.0:
            return math.copysign(math.inf, self.difference)
        return self.difference / abs(self.at_half_step)


@dataclass(frozen=True)
class StepComparison:
    """Comparison of a run with `step_size` [s] and a run at half the step.

    `failure` is the reason if the run at half the step failed.
    """

    step_size: float
    numbers: tuple[StepDifference, ...] = ()
    failure: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return an object for JSON, with null for values that are not finite."""
        content = {
            "step_size": self.step_size,
            "half_step_size": 0.5 * self.step_size,
            "failure": self.failure or None,
            "numbers": [
                {
                    **asdict(quantity),
                    "difference": quantity.difference,
                    "relative_difference": quantity.relative,
                }
                for quantity in self.numbers
            ],
        }
        plain: dict[str, Any] = to_jsonable_python(content, inf_nan_mode="null")
        return plain


def compared(
    step_size: float, numbers: Iterable[tuple[str, str, float]], finer: Iterable[float]
) -> StepComparison:
    """Return a comparison of (name, unit, number) with the numbers at half the step."""
    return StepComparison(
        step_size,
        tuple(
            StepDifference(name, unit, number, other)
            for (name, unit, number), other in zip(numbers, finer, strict=True)
        ),
    )
