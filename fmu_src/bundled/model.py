"""What a slave needs of its model, and how it knows that the model's numbers are finite."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

# Within these bounds of parameters, inputs [SI] and steps [s] no output can overflow where the
# model's state does not; beyond them each step is checked.
ORDINARY_VALUE = 1e30
SHORTEST_ORDINARY_STEP = 1e-12
LONGEST_ORDINARY_STEP = 1e6


class Model(Protocol):
    """What a slave needs of its model."""

    def output_values(self) -> Sequence[float]:
        """Outputs at the present instant, in the table's order."""

    def snapshot(self) -> Any:
        """All of the model's state, JSON-serialisable."""

    def restore(self, snapshot: Any) -> None:
        """Return to a snapshot."""


class TunableModel(Model, Protocol):
    """What a slave needs of a model with tunable parameters."""

    @property
    def changes(self) -> Mapping[str, float]:
        """Values by name of the parameters that are not those of the start."""

    def check_changes(self, changes: Mapping[str, float]) -> None:
        """Raise ValueError where a value is out of its own range, or may not be changed."""

    def change_parameters(self, changes: Mapping[str, float]) -> None:
        """Change parameters at this instant; raises ValueError, and then all stands."""


def is_ordinary(value: Any) -> bool:
    """Neither so large nor so small that products or quotients of some such may overflow."""
    if not isinstance(value, (int, float)) or value == 0:
        return True
    return 1.0 / ORDINARY_VALUE < abs(value) < ORDINARY_VALUE


def check_finite(model: Model) -> None:
    """Raise ArithmeticError where an output overflows or the model cannot be saved and restored."""
    try:
        model.restore(model.snapshot())
        finite = all(map(math.isfinite, model.output_values()))
    except (ArithmeticError, ValueError):
        finite = False
    if not finite:
        raise ArithmeticError(
            "an output overflows; the inputs or the parameters are too large for binary64"
        )
