"""Interface of a model to its slave, and the check that its numbers are finite."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

# Within these bounds of parameters, inputs [SI] and steps [s], outputs do not overflow unless the
# model's state does. Beyond them each step is checked.
ORDINARY_VALUE = 1e30
SHORTEST_ORDINARY_STEP = 1e-12
LONGEST_ORDINARY_STEP = 1e6


class Model(Protocol):
    """A model that a slave can run."""

    def output_values(self) -> Sequence[float]:
        """Return the outputs at the present instant, in the order of the table."""

    def snapshot(self) -> Any:
        """Return the complete state of the model, JSON-serialisable."""

    def restore(self, snapshot: Any) -> None:
        """Return to a snapshot."""


def is_ordinary(value: Any) -> bool:
    """Whether products and quotients of a few such values cannot overflow."""
    if not isinstance(value, (int, float)) or value == 0:
        return True
    # The bound itself is ordinary, because it is the default of stops and means no stop.
    return 1.0 / ORDINARY_VALUE < abs(value) <= ORDINARY_VALUE


def check_finite(model: Model) -> None:
    """Raise ArithmeticError if an output overflows or the model cannot be saved and restored."""
    try:
        model.restore(model.snapshot())
        finite = all(map(math.isfinite, model.output_values()))
    except (ArithmeticError, ValueError):
        finite = False
    if not finite:
        raise ArithmeticError(
            "an output overflows: the inputs or the parameters are too large for binary64"
        )
